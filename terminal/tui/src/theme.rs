//! Colours, and how men are drawn.

use ratatui::style::{Color, Modifier, Style};
use rules::chess::Piece;

/// Colour scheme.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum Theme {
    /// Colours for a dark background.
    #[default]
    Dark,
    /// Colours for a light background.
    Light,
    /// No colours.
    Mono,
}

/// How men are drawn.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum MenStyle {
    /// As Unicode chess symbols.
    #[default]
    Unicode,
    /// As letters. White's letters are capitals.
    Ascii,
}

/// The styles of a theme.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Styles {
    pub(crate) text: Style,
    pub(crate) dim: Style,
    pub(crate) title: Style,
    pub(crate) call: Style,
    pub(crate) no: Style,
    pub(crate) check: Style,
    pub(crate) capture: Style,
    pub(crate) chosen: Style,
    pub(crate) running: Style,
    pub(crate) light_square: Style,
    pub(crate) dark_square: Style,
    pub(crate) cursor: Style,
    pub(crate) held: Style,
    pub(crate) white_man: Style,
    pub(crate) black_man: Style,
    pub(crate) phantom: Style,
    pub(crate) mark: Style,
    /// Styles of heat map squares, for the four quarters of the probability scale.
    pub(crate) heat: [Style; 4],
    /// Whether dark squares are shaded, because the theme has no colours for them.
    pub(crate) shade: bool,
}

impl Styles {
    /// Returns the style for a row of a list.
    pub(crate) fn row(&self, is_chosen: bool) -> Style {
        if is_chosen { self.chosen } else { self.text }
    }
}

const fn fg(n: u8) -> Style {
    Style::new().fg(Color::Indexed(n))
}

const fn bg(n: u8) -> Style {
    Style::new().bg(Color::Indexed(n))
}

impl Theme {
    /// Returns the next theme, in a cycle.
    #[must_use]
    pub fn next(self) -> Theme {
        match self {
            Theme::Dark => Theme::Light,
            Theme::Light => Theme::Mono,
            Theme::Mono => Theme::Dark,
        }
    }

    pub(crate) fn styles(self) -> Styles {
        let bold = Modifier::BOLD;
        match self {
            Theme::Dark => Styles {
                text: fg(252).bg(Color::Indexed(234)),
                dim: fg(246),
                title: fg(255).bg(Color::Indexed(24)).add_modifier(bold),
                call: fg(229).add_modifier(bold),
                no: fg(210).add_modifier(bold),
                check: fg(215).add_modifier(bold),
                capture: fg(117).add_modifier(bold),
                chosen: fg(255).bg(Color::Indexed(24)),
                running: fg(120).add_modifier(bold),
                light_square: bg(109),
                dark_square: bg(66),
                cursor: bg(179),
                held: bg(143),
                white_man: fg(231).add_modifier(bold),
                black_man: fg(16).add_modifier(bold),
                phantom: fg(52).add_modifier(Modifier::ITALIC),
                mark: fg(52).add_modifier(bold),
                heat: [
                    fg(16).bg(Color::Indexed(181)),
                    fg(16).bg(Color::Indexed(174)),
                    fg(231).bg(Color::Indexed(124)),
                    fg(231).bg(Color::Indexed(88)).add_modifier(bold),
                ],
                shade: false,
            },
            Theme::Light => Styles {
                text: fg(235).bg(Color::Indexed(231)),
                dim: fg(241),
                title: fg(231).bg(Color::Indexed(25)).add_modifier(bold),
                call: fg(17).add_modifier(bold),
                no: fg(124).add_modifier(bold),
                check: fg(130).add_modifier(bold),
                capture: fg(25).add_modifier(bold),
                chosen: fg(231).bg(Color::Indexed(25)),
                running: fg(22).add_modifier(bold),
                light_square: bg(144),
                dark_square: bg(101),
                cursor: bg(173),
                held: bg(107),
                ..Theme::Dark.styles()
            },
            Theme::Mono => Styles {
                title: Style::new().add_modifier(Modifier::REVERSED),
                call: Style::new().add_modifier(bold),
                no: Style::new().add_modifier(bold),
                check: Style::new().add_modifier(bold),
                capture: Style::new().add_modifier(bold),
                chosen: Style::new().add_modifier(Modifier::REVERSED),
                running: Style::new().add_modifier(bold),
                cursor: Style::new().add_modifier(Modifier::REVERSED),
                held: Style::new().add_modifier(Modifier::UNDERLINED),
                white_man: Style::new().add_modifier(bold),
                black_man: Style::new().add_modifier(bold),
                mark: Style::new().add_modifier(bold),
                heat: [
                    Style::new(),
                    Style::new(),
                    Style::new().add_modifier(bold),
                    Style::new().add_modifier(Modifier::REVERSED),
                ],
                shade: true,
                ..Styles::default()
            },
        }
    }
}

/// Returns the symbol or the letter of a man.
pub(crate) fn man(man: Piece, style: MenStyle, theme: Theme) -> char {
    match (style, theme) {
        (MenStyle::Ascii, _) => man.char(),
        // If colours distinguish the sides, the filled symbols are the most visible.
        (MenStyle::Unicode, Theme::Dark | Theme::Light) => {
            man.role.of(rules::chess::Color::Black).unicode_char()
        }
        (MenStyle::Unicode, Theme::Mono) => man.unicode_char(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_are_drawn_as_symbols_or_letters() {
        use rules::chess::Color::{Black, White};

        assert_eq!(man(White.king(), MenStyle::Unicode, Theme::Mono), '♔');
        assert_eq!(man(Black.pawn(), MenStyle::Unicode, Theme::Mono), '♟');
        assert_eq!(man(White.knight(), MenStyle::Unicode, Theme::Dark), '♞');
        assert_eq!(man(White.knight(), MenStyle::Ascii, Theme::Dark), 'N');
    }
}

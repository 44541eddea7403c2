//! Colours, and men as letters or as figures.

use ratatui::style::{Color, Modifier, Style};

/// Colour scheme.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum Theme {
    /// For a dark terminal.
    #[default]
    Dark,
    /// For a light terminal.
    Light,
    /// Without colour.
    Mono,
}

/// How men are drawn.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum MenStyle {
    /// As figures.
    #[default]
    Unicode,
    /// As letters: White's are capitals.
    Ascii,
}

/// The styles of a theme.
#[derive(Copy, Clone, Debug)]
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
    /// Drawn on dark squares where colour does not tell them.
    pub(crate) shade: bool,
}

const fn fg(n: u8) -> Style {
    Style::new().fg(Color::Indexed(n))
}

const fn bg(n: u8) -> Style {
    Style::new().bg(Color::Indexed(n))
}

impl Theme {
    /// The next one.
    #[must_use]
    pub fn next(self) -> Theme {
        match self {
            Theme::Dark => Theme::Light,
            Theme::Light => Theme::Mono,
            Theme::Mono => Theme::Dark,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Dark => "dark",
            Theme::Light => "light",
            Theme::Mono => "mono",
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
                white_man: fg(231).add_modifier(bold),
                black_man: fg(16).add_modifier(bold),
                phantom: fg(52).add_modifier(Modifier::ITALIC),
                mark: fg(52).add_modifier(bold),
                shade: false,
            },
            Theme::Mono => Styles {
                text: Style::new(),
                dim: Style::new(),
                title: Style::new().add_modifier(Modifier::REVERSED),
                call: Style::new().add_modifier(bold),
                no: Style::new().add_modifier(bold),
                check: Style::new().add_modifier(bold),
                capture: Style::new().add_modifier(bold),
                chosen: Style::new().add_modifier(Modifier::REVERSED),
                running: Style::new().add_modifier(bold),
                light_square: Style::new(),
                dark_square: Style::new(),
                cursor: Style::new().add_modifier(Modifier::REVERSED),
                held: Style::new().add_modifier(Modifier::UNDERLINED),
                white_man: Style::new().add_modifier(bold),
                black_man: Style::new().add_modifier(bold),
                phantom: Style::new(),
                mark: Style::new().add_modifier(bold),
                shade: true,
            },
        }
    }
}

/// The figure or letter of a man.
pub(crate) fn man(letter: char, style: MenStyle, theme: Theme) -> char {
    let filled = match letter.to_ascii_lowercase() {
        'k' => '♚',
        'q' => '♛',
        'r' => '♜',
        'b' => '♝',
        'n' => '♞',
        'p' => '♟',
        other => other,
    };
    match (style, theme) {
        (MenStyle::Ascii, _) => letter,
        // Where colour tells whose they are, the filled figures are seen best.
        (MenStyle::Unicode, Theme::Dark | Theme::Light) => filled,
        (MenStyle::Unicode, Theme::Mono) if letter.is_ascii_uppercase() => {
            char::from_u32(filled as u32 - 6).unwrap_or(letter)
        }
        (MenStyle::Unicode, Theme::Mono) => filled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_have_figures_and_letters() {
        assert_eq!(man('K', MenStyle::Unicode, Theme::Mono), '♔');
        assert_eq!(man('p', MenStyle::Unicode, Theme::Mono), '♟');
        assert_eq!(man('N', MenStyle::Unicode, Theme::Dark), '♞');
        assert_eq!(man('N', MenStyle::Ascii, Theme::Dark), 'N');
    }
}

//! Draws a table: the board, the clocks, the announcements, the log.

use notation::name;
use ratatui::{
    layout::Rect,
    style::Style,
    widgets::{Clear, Widget},
};
use wire::{GameStatus, Millis, Side};

use super::{
    Pen,
    board::{self, Dress, Marks},
    wrap,
};
use crate::{
    app::App,
    commands::{self, Does, Here},
    geometry::Layout,
    lobby::terms_words,
    men::ends,
    table::{Selection, TableState, Tone, Turn},
};

impl App {
    pub(crate) fn dress(&self) -> Dress {
        Dress {
            men: self.start.men,
            theme: self.start.theme,
        }
    }

    pub(crate) fn draw_table(&self, pen: &mut Pen<'_>) {
        let (Some(layout), Some(table)) = (self.layout(), self.table()) else {
            return;
        };
        let (words, tone) = self.foot_words(table);
        let width = layout.message.width.saturating_sub(2);
        let mut notices = Vec::new();
        // Two players at one terminal see no offer while the terminal is handed over.
        if !self.is_to_hand_over() {
            let open = table.notices();
            notices.extend(open.iter().flat_map(|notice| wrap(notice, width)));
        }
        let message = wrap(&words, width);
        let layout = layout.with_message(notices.len() + message.len());
        self.draw_title(pen, &layout, table);
        board::board(
            pen,
            &layout.board,
            &table.men(),
            &self.marks(table),
            self.dress(),
        );
        self.draw_clocks(pen, &layout, table);
        draw_calls(pen, &layout, table);
        self.draw_log(pen, &layout, table);
        self.draw_known(pen, &layout, table);
        self.draw_foot(pen, &layout, table, (&message, tone), &notices);
    }

    fn marks(&self, table: &TableState) -> Marks {
        let held = match self.held {
            Some(Selection::Man(square)) => Some(square),
            Some(Selection::Reserve(_)) | None => None,
        };
        let moved = table.under_way().or_else(|| ends(table.moved.as_ref()?));
        let moved = moved
            .into_iter()
            .flat_map(|(from, to)| from.into_iter().chain([to]));
        Marks {
            cursor: self.has_cursor.then_some(self.cursor),
            held,
            targets: self
                .held
                .map(|held| table.targets(held))
                .unwrap_or_default(),
            refused: table.refused(self.held),
            named: table.named,
            moved: moved.collect(),
            phantoms: table.phantoms.clone(),
            ..Marks::default()
        }
    }

    /// Names the game: its terms, the seat, the place.
    pub(crate) fn title_words(&self, table: &TableState) -> String {
        let Some(facts) = &table.facts else {
            return "Kriegspiel".to_owned();
        };
        let whose = match facts.seat {
            Some(side) => format!("you are {}", name(side.into())),
            None => "you watch".to_owned(),
        };
        let (terms, place) = (terms_words(&facts.terms), &self.start.place);
        format!("Kriegspiel | {terms} | {whose} | {place}")
    }

    fn draw_title(&self, pen: &mut Pen<'_>, layout: &Layout, table: &TableState) {
        let text = format!(" {}", self.title_words(table));
        pen.bar(layout.title, &text, pen.styles.title);
    }

    fn draw_clocks(&self, pen: &mut Pen<'_>, layout: &Layout, table: &TableState) {
        let Some(facts) = &table.facts else { return };
        let below = self.below();
        for (at, color) in layout.clocks.rows().zip([!below, below]) {
            let side = Side::from(color);
            let (player, here) = match side {
                Side::White => (&facts.white, facts.white_here),
                Side::Black => (&facts.black, facts.black_here),
            };
            let to_move = table.is_running() && table.to_move() == Some(side);
            let style = if to_move {
                pen.styles.running
            } else {
                pen.styles.text
            };
            let arrow = if to_move { ">" } else { " " };
            let name = name(color);
            let gone = if here || table.is_over() {
                ""
            } else {
                " (not here)"
            };
            let who = if self.start.two {
                String::new()
            } else if facts.seat == Some(side) {
                ": you".to_owned()
            } else {
                format!(": {}", player.name)
            };
            pen.line(at, &format!("{arrow} {name}{who}{gone}"), style);
            if let Some(left) = self.seat().and_then(|seat| seat.left(side, self.now)) {
                let text = clock_words(left);
                let wide = text.len() as u16;
                let at = Rect::new(at.right().saturating_sub(wide), at.y, wide, 1);
                pen.line(at, &text, style);
            }
        }
    }

    fn draw_log(&self, pen: &mut Pen<'_>, layout: &Layout, table: &TableState) {
        let at = pen.frame(layout.log, "Log");
        let lines = log_lines(pen, table, at.width);
        let rows = usize::from(at.height);
        let most = lines.len().saturating_sub(rows);
        let first = most.saturating_sub(usize::from(self.back));
        pen.lines(at, &lines[first..]);
    }

    fn draw_known(&self, pen: &mut Pen<'_>, layout: &Layout, table: &TableState) {
        let Some(view) = table.view.as_ref().filter(|_| !table.is_over()) else {
            if self.is_unsaved(table) {
                let words = " This game is not saved yet: Control-S writes it into a file.";
                pen.line(layout.known, words, pen.styles.dim);
            }
            return;
        };
        let mut parts = Vec::new();
        if let Some(left) = &view.left {
            let most = format!("at most {} pawns, {} pieces", left.pawns, left.pieces);
            parts.push(match (&left.kinds, left.men) {
                (Some(kinds), _) if left.reserve.is_empty() => format!("Enemy: K{kinds}"),
                (Some(kinds), _) => format!("Enemy: K{kinds}, reserve {}", left.reserve),
                (None, Some(men)) => format!("Enemy: {men} men, {most}"),
                (None, None) => format!("Enemy: {most}"),
            });
        }
        if table.phantoms.len() > 0 {
            parts.push(format!("{} guessed", table.phantoms.len()));
        }
        if !view.reserve.is_empty() {
            parts.push(format!("Reserve: {} (Tab)", view.reserve));
        }
        if let Some(Selection::Reserve(man)) = self.held {
            parts.push(format!("to drop: {man}"));
        }
        if !view.castling.is_empty() {
            let wings = match view.castling.as_str() {
                "K" => "king's side",
                "Q" => "queen's side",
                _ => "both sides",
            };
            let whole = format!("you may castle: {wings}");
            // Width of the other parts, in columns. Each part has a separator of three columns.
            let taken: usize = parts.iter().map(|part| part.chars().count() + 3).sum();
            let fits = taken + whole.len() < usize::from(layout.known.width);
            parts.push(if fits {
                whole
            } else {
                format!("castling: {wings}")
            });
        }
        let text = format!(" {}", parts.join(" | "));
        pen.line(layout.known, &text, pen.styles.dim);
    }

    fn draw_foot(
        &self,
        pen: &mut Pen<'_>,
        layout: &Layout,
        table: &TableState,
        (message, tone): (&[String], Tone),
        notices: &[String],
    ) {
        let Some(seat) = self.seat() else { return };
        let style = style_of(pen, tone);
        let mut rest = layout.message;
        let taken = (notices.len() as u16).min(rest.height);
        rest.y += taken;
        rest.height -= taken;
        pen.message(rest, message, style);
        for (row, line) in layout.message.rows().zip(notices) {
            Clear.render(row, pen.buffer);
            pen.bar(row, &format!(" {line}"), pen.styles.chosen);
        }
        let prompt = if table.pending.is_some() { "..." } else { ">" };
        let text = format!(" {prompt} {}_", self.input);
        pen.line(layout.input, &text, pen.styles.call);
        if let Some(why) = &seat.away {
            let text = format!(" NO CONNECTION: {why} The program tries again.");
            pen.bar(layout.keys, &text, pen.styles.title);
        } else {
            pen.bar(layout.keys, &self.key_words(), pen.styles.chosen);
        }
    }

    /// Returns the text above the input line: what to do next, or the last
    /// answer.
    fn foot_words(&self, table: &TableState) -> (String, Tone) {
        if self.is_to_hand_over() {
            let words = "Your move is made. Look at what you hear, then press Enter: the board \
                         is hidden for the other player.";
            return (words.to_owned(), Tone::Check);
        }
        let Some(seat) = self.seat() else {
            return Default::default();
        };
        if !seat.message.0.is_empty() {
            return seat.message.clone();
        }
        let Some(facts) = &table.facts else {
            return ("The game is being loaded.".to_owned(), Tone::Plain);
        };
        if let Some(words) = &facts.over_words
            && table.is_over()
        {
            let words =
                format!("{words} F10 offers a rematch, F11 looks back, Control-S saves it.");
            return (words, Tone::Over);
        }
        let words = match facts.status {
            // A notice already says that the game is adjourned.
            GameStatus::Adjourned => "",
            GameStatus::Running if table.is_my_turn() => {
                "Your turn: type a try (e2e4, Nf3), or take a man with arrows and Enter."
            }
            GameStatus::Running | GameStatus::Over => "It is your opponent's turn.",
        };
        (words.to_owned(), Tone::Plain)
    }

    /// Returns the list of keys that can be used now.
    fn key_words(&self) -> String {
        let mut text = String::new();
        let is_over = self.table().is_some_and(TableState::is_over);
        let quit = " Control-C Quit";
        for command in commands::all() {
            let Some(key) = command.key else { continue };
            // After the end of the game, the keys for finished games replace some
            // of the other keys.
            let is_shown = match command.does {
                Does::Here(Here::Save) => true,
                Does::Here(Here::Rules) => !is_over,
                Does::Here(_) | Does::Say(_) | Does::Act(_) => key.starts_with('F'),
            };
            if is_shown && self.offers(&command) {
                let part = format!(" {key} {}", command.label);
                if text.len() + part.len() + quit.len() < usize::from(self.size.width) {
                    text.push_str(&part);
                }
            }
        }
        text + quit
    }
}

/// Returns the style for a tone.
pub(crate) fn style_of(pen: &Pen<'_>, tone: Tone) -> Style {
    match tone {
        Tone::Plain => pen.styles.text,
        Tone::No => pen.styles.no,
        Tone::Check => pen.styles.check,
        Tone::Capture => pen.styles.capture,
        Tone::Over => pen.styles.call,
    }
}

pub(crate) fn clock_words(left: Millis) -> String {
    let tenths = left / 100;
    let (minutes, seconds) = (tenths / 600, tenths / 10 % 60);
    if left < 20_000 {
        format!("{minutes}:{seconds:02}.{}", tenths % 10)
    } else if left >= 48 * 3_600_000 {
        format!("{}d {:02}h", minutes / 1440, minutes / 60 % 24)
    } else if minutes >= 60 {
        format!("{}:{:02}:{seconds:02}", minutes / 60, minutes % 60)
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Draws the last announcements, and below them what was heard later, if there is room.
fn draw_calls(pen: &mut Pen<'_>, layout: &Layout, table: &TableState) {
    let at = pen.frame(layout.calls, "The umpire");
    let calls = table.calls.iter().enumerate().map(|(n, (words, tone))| {
        let style = match tone {
            Tone::Plain if n < table.announced => pen.styles.call,
            Tone::Plain => pen.styles.text,
            Tone::No | Tone::Check | Tone::Capture | Tone::Over => style_of(pen, *tone),
        };
        let lines = wrap(words, at.width).into_iter();
        lines.map(|line| (line, style)).collect::<Vec<_>>()
    });
    let calls: Vec<_> = calls.collect();
    let rows = usize::from(at.height);
    let apart = calls.iter().map(|lines| lines.len() + 1).sum::<usize>() <= rows + 1;
    let mut lines = Vec::new();
    for call in calls {
        // If there is enough space, put an empty line between the calls.
        if apart && !lines.is_empty() {
            lines.push((String::new(), pen.styles.text));
        }
        lines.extend(call);
    }
    let first = lines.len().saturating_sub(rows);
    pen.lines(at, &lines[first..]);
}

fn log_lines(pen: &Pen<'_>, table: &TableState, width: u16) -> Vec<(String, Style)> {
    let mut lines = Vec::new();
    for turn in &table.log {
        if let Some(heading) = heading(turn, table) {
            lines.push((heading, pen.styles.dim));
        }
        for entry in &turn.entries {
            let style = style_of(pen, entry.tone);
            let words = wrap(&entry.words, width.saturating_sub(2));
            lines.extend(words.into_iter().map(|line| (format!("  {line}"), style)));
            let why = entry
                .why
                .iter()
                .flat_map(|why| wrap(why, width.saturating_sub(4)));
            lines.extend(why.map(|line| (format!("    {line}"), pen.styles.dim)));
        }
    }
    lines
}

fn heading(turn: &Turn, table: &TableState) -> Option<String> {
    let side = turn.side?;
    let name = name(side.into());
    let yours = if Side::from(table.color()) == side {
        " (you)"
    } else {
        ""
    };
    Some(format!("{}. {name}{yours}", turn.number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_shows_tenths_hours_and_days() {
        for (left, words) in [
            (0, "0:00.0"),
            (9_870, "0:09.8"),
            (20_000, "0:20"),
            (600_000, "10:00"),
            (3_725_000, "1:02:05"),
            (172_799_000, "47:59:59"),
            (270_000_000, "3d 03h"),
        ] {
            assert_eq!(clock_words(left), words);
        }
    }
}

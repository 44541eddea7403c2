//! Draws the pages over the screen: help, rules, menu, questions.

use notation::Page;
use ratatui::layout::Rect;
use rules::rulesets;

use super::{Pen, centred, wrap};
use crate::{
    app::{App, Over},
    commands::{self, Command},
};

impl App {
    pub(crate) fn draw_over(&self, pen: &mut Pen<'_>) {
        match &self.over {
            None => {}
            Some(Over::Help(at)) => {
                self.draw_page(pen, "Help (Esc closes it)", &self.help_text(), *at);
            }
            Some(Over::Rules(at)) => {
                let title = "The rules of this game (Esc closes it)";
                self.draw_page(pen, title, &self.rules_text(), *at);
            }
            Some(Over::Text(title, text, at)) => {
                self.draw_page(pen, &format!("{title} (Esc closes it)"), text, *at);
            }
            Some(Over::Menu(at)) => self.draw_menu(pen, *at),
            Some(Over::Confirm(command)) => {
                let (question, answers) = self.question(command);
                self.draw_question(pen, command.label, &[&question, "", answers], None);
            }
            Some(Over::Promote(tries)) => {
                let named = [
                    ('q', "q: queen"),
                    ('r', "r: rook"),
                    ('b', "b: bishop"),
                    ('n', "n: knight"),
                    ('k', "k: king"),
                ];
                let offered: Vec<&str> = named
                    .iter()
                    .filter(|(letter, _)| tries.iter().any(|text| text.ends_with(*letter)))
                    .map(|(_, words)| *words)
                    .collect();
                let words = offered.join(", ");
                self.draw_question(
                    pen,
                    "The pawn becomes",
                    &[&words, "", "Esc: do not move the pawn"],
                    None,
                );
            }
            Some(Over::Guess(square)) => {
                let title = format!("Which man may be on {square}?");
                let words = [
                    "k: king, q: queen, r: rook, b: bishop, n: knight, p: pawn",
                    "",
                    "Delete: no man. Esc: no change. Your opponent is told nothing.",
                ];
                // The page is to the right of the board, so that the square of the guess stays
                // visible.
                let place = self.layout().map(|layout| {
                    let (top, log) = (layout.calls, layout.log);
                    Rect::new(top.x, top.y, top.width, log.bottom() - top.y)
                });
                self.draw_question(pen, &title, &words, place);
            }
        }
    }

    fn draw_page(&self, pen: &mut Pen<'_>, title: &str, text: &str, at: u16) {
        let width = self.size.width.min(100);
        let place = centred(self.size, width, self.size.height);
        let inner = pen.frame(place, title);
        let lines: Vec<&str> = text.lines().collect();
        let rows = usize::from(inner.height);
        let first = usize::from(at).min(lines.len().saturating_sub(rows));
        for (row, line) in inner.rows().zip(&lines[first..]) {
            let style = match line.starts_with(' ') {
                true => pen.styles.text,
                false => pen.styles.call,
            };
            pen.line(row, line, style);
        }
        if lines.len() > rows {
            let more = " Up, Down, PageUp, PageDown, Home, End: more ";
            let at = Rect::new(place.x + 2, place.bottom() - 1, width.saturating_sub(4), 1);
            pen.line(at, more, pen.styles.dim);
        }
    }

    fn draw_menu(&self, pen: &mut Pen<'_>, chosen: usize) {
        let menu = self.menu();
        let height = menu.len() as u16 + 2;
        let place = centred(self.size, 78, height);
        let inner = pen.frame(place, "Menu (Enter: carry out, Esc: close)");
        let rows = usize::from(inner.height);
        let first = (chosen + 1).saturating_sub(rows);
        let mut rows_at = self.rows_at.borrow_mut();
        for (at, (n, command)) in inner.rows().zip(menu.iter().enumerate().skip(first)) {
            pen.bar(at, &row_of(command), pen.styles.row(n == chosen));
            rows_at.push((at, n));
        }
    }

    /// Draws a question in the middle of the screen, or at the bottom of the
    /// area `within`.
    fn draw_question(&self, pen: &mut Pen<'_>, title: &str, lines: &[&str], within: Option<Rect>) {
        let room = within.unwrap_or(self.size);
        let width = 62.min(room.width);
        let wrapped: Vec<String> = lines
            .iter()
            .flat_map(|line| {
                let some = wrap(line, width - 4);
                if some.is_empty() {
                    vec![String::new()]
                } else {
                    some
                }
            })
            .collect();
        let mut place = centred(room, width, wrapped.len() as u16 + 2);
        if within.is_some() {
            place.x = room.x;
            place.y = room.bottom() - place.height;
        }
        let inner = pen.frame(place, title);
        let styled: Vec<_> = wrapped
            .into_iter()
            .map(|line| (line, pen.styles.text))
            .collect();
        pen.lines(inner, &styled);
    }

    /// Returns the largest scroll offset of a page. At this offset the last line of the page is
    /// visible.
    pub(crate) fn last_page_row(&self, text: &str) -> u16 {
        let rows = usize::from(self.size.height.saturating_sub(2));
        u16::try_from(text.lines().count().saturating_sub(rows)).unwrap_or(u16::MAX)
    }

    pub(crate) fn rules_text(&self) -> String {
        let terms = self
            .table()
            .and_then(|table| table.facts.as_ref())
            .map(|facts| &facts.terms);
        let Some(terms) = terms else {
            return String::new();
        };
        let width = usize::from(self.size.width.clamp(20, 100) - 4);
        if let Some(text) = &terms.custom {
            return match notation::read_ruleset(text) {
                Ok(ruleset) => {
                    let page = Page::of(&ruleset).text(width);
                    match &ruleset.start {
                        Some(fen) => format!("The game begins in this position:\n{fen}\n\n{page}"),
                        None => page,
                    }
                }
                Err(_) => text.clone(),
            };
        }
        rulesets::by_id(&terms.rules).map_or_else(
            || format!("`{}` is not known to this program.", terms.rules),
            |ruleset| Page::of(ruleset).text(width),
        )
    }
}

impl App {
    /// Returns the help: keys and words, from the table of commands.
    pub(crate) fn help_text(&self) -> String {
        let mut text = commands::HELP.to_owned();
        for command in commands::all() {
            let key = command.key.unwrap_or("");
            let word = command.words().next().unwrap_or_default();
            let about = if self.is_foreign(&command) {
                "not under these rules"
            } else {
                command.about
            };
            text.push_str(&format!("  {key:<10} {word:<16} {about}\n"));
        }
        text
    }
}

fn row_of(command: &Command) -> String {
    format!(
        "{:<10} {:<15} {}",
        command.key.unwrap_or(""),
        command.label,
        command.about
    )
}

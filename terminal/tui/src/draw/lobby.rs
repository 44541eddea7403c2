//! Draws the lobby.

use ratatui::layout::Rect;

use super::{Pen, wrap};
use crate::{app::App, lobby::terms_words};

impl App {
    pub(crate) fn draw_lobby(&self, pen: &mut Pen<'_>) {
        let Some(seat) = self.seat() else { return };
        let (width, height) = (self.size.width, self.size.height);
        let line = |y: u16| Rect::new(0, y, width, 1);
        let you = match &seat.you {
            Some(name) => format!("you are {name}"),
            None => "one moment".to_owned(),
        };
        let title = format!(" Kriegspiel | {} | {you}", self.start.place);
        pen.bar(line(0), &title, pen.styles.title);
        let rows = self.lobby_rows();
        let mut lines = Vec::new();
        let mut last = "";
        for (n, (heading, words, _)) in rows.iter().enumerate() {
            if *heading != last {
                lines.push((None, String::new()));
                lines.push((None, format!(" {heading}")));
                last = heading;
            }
            lines.push((Some(n), format!("   {words}")));
        }
        let room = usize::from(height - 6);
        let chosen = lines
            .iter()
            .position(|(n, _)| *n == Some(self.row))
            .unwrap_or(0);
        let first = (chosen + 1).saturating_sub(room);
        let mut rows_at = self.rows_at.borrow_mut();
        for (y, (row, text)) in (1..height - 5).zip(&lines[first.min(lines.len())..]) {
            match row {
                Some(n) => {
                    pen.bar(line(y), text, pen.styles.row(*n == self.row));
                    rows_at.push((line(y), *n));
                }
                None => pen.line(line(y), text, pen.styles.call),
            }
        }
        drop(rows_at);
        let style = super::table::style_of(pen, seat.message.1);
        for (y, words) in (height - 5..height - 3).zip(wrap(&seat.message.0, width - 2)) {
            pen.line(line(y), &format!(" {words}"), style);
        }
        let hint = format!(
            " Type: challenge NAME, or seek wild16 10+5 white (now {})",
            terms_words(&self.start.terms)
        );
        pen.line(line(height - 3), &hint, pen.styles.dim);
        let input = format!(" > {}_", self.input);
        pen.line(line(height - 2), &input, pen.styles.call);
        let keys = match &seat.away {
            Some(why) => format!(" NO CONNECTION: {why} The program tries again."),
            None => {
                " Up, Down, Enter: choose   Delete: withdraw, decline   F1 Help   Control-C Quit"
                    .to_owned()
            }
        };
        pen.bar(line(height - 1), &keys, pen.styles.chosen);
    }
}

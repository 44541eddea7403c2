//! Draws the screen. The result depends only on the state of the screen.

mod belief;
mod board;
mod figures;
mod lobby;
mod pages;
mod review;
mod table;

pub(crate) use self::table::clock_words;

use notation::{name, printable};
use ratatui::{
    Frame,
    buffer::Buffer,
    layout::{Margin, Rect},
    style::Style,
    symbols::border,
    text::Span,
    widgets::{Block, Clear, Padding, Widget},
};

use crate::{
    app::{App, Screen},
    geometry::MIN_SIZE,
    theme::Styles,
};

/// Border of ASCII characters.
const ASCII_BORDER: border::Set<'_> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// Buffer to draw into, with the styles to use.
pub(crate) struct Pen<'a> {
    pub(crate) buffer: &'a mut Buffer,
    pub(crate) styles: Styles,
}

impl Pen<'_> {
    /// Draws one line of text, truncated at the end of its area.
    pub(crate) fn line(&mut self, at: Rect, text: &str, style: Style) {
        if at.height > 0 && at.y < self.buffer.area.bottom() {
            let text = printable(text);
            self.buffer
                .set_stringn(at.x, at.y, text, usize::from(at.width), style);
        }
    }

    /// Draws one line of text, with its style over the whole width of the area.
    pub(crate) fn bar(&mut self, at: Rect, text: &str, style: Style) {
        self.buffer.set_style(at, style);
        self.line(at, text, style);
    }

    /// Draws several lines, from the top of the area.
    pub(crate) fn lines(&mut self, at: Rect, lines: &[(String, Style)]) {
        for (row, (text, style)) in at.rows().zip(lines) {
            self.line(row, text, *style);
        }
    }

    /// Draws the lines of a message in an area, over all other content.
    pub(crate) fn message(&mut self, at: Rect, lines: &[String], style: Style) {
        Clear.render(at, self.buffer);
        self.buffer.set_style(at, self.styles.text);
        for (row, line) in at.inner(Margin::new(1, 0)).rows().zip(lines) {
            self.line(row, line, style);
        }
    }

    /// Draws an empty box with a title. Returns the area inside.
    pub(crate) fn frame(&mut self, at: Rect, title: &str) -> Rect {
        Clear.render(at, self.buffer);
        self.buffer.set_style(at, self.styles.text);
        let style = self.styles.dim;
        let frame = Block::bordered()
            .border_set(ASCII_BORDER)
            .border_style(style)
            .padding(Padding::horizontal(1));
        (&frame).render(at, self.buffer);
        let title = format!(" {title} ");
        let above = Rect::new(at.x + 2, at.y, at.width.saturating_sub(4), 1);
        self.line(above, &title, self.styles.call);
        frame.inner(at)
    }
}

/// Wraps a text at spaces into lines of at most `width` columns.
pub(crate) fn wrap(text: &str, width: u16) -> Vec<String> {
    let width = usize::from(width.max(1));
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut columns = 0;
    for word in text.split_whitespace() {
        let wide = Span::raw(word).width();
        if columns > 0 && columns + 1 + wide > width {
            lines.push(std::mem::take(&mut line));
            columns = 0;
        }
        if columns > 0 {
            line.push(' ');
            columns += 1;
        }
        line.push_str(word);
        columns += wide;
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Returns an area of this size, centred in another area.
pub(crate) fn centred(within: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(within.width), height.min(within.height));
    Rect::new(
        within.x + (within.width - width) / 2,
        within.y + (within.height - height) / 2,
        width,
        height,
    )
}

impl App {
    /// Draws the screen.
    pub fn draw(&self, frame: &mut Frame<'_>) {
        let area = frame.area();
        self.draw_into(area, frame.buffer_mut());
    }

    fn draw_into(&self, area: Rect, buffer: &mut Buffer) {
        // The size may have changed after the last resize event. Then the screen is drawn in its
        // new size.
        if area != self.size {
            let mut other = self.clone();
            other.size = area;
            other.draw_into(area, buffer);
            return;
        }
        self.rows_at.borrow_mut().clear();
        let styles = self.start.theme.styles();
        Clear.render(area, buffer);
        buffer.set_style(area, styles.text);
        let mut pen = Pen { buffer, styles };
        if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
            let words = format!(
                "The window is too small: make it at least {} columns by {} rows.",
                MIN_SIZE.0, MIN_SIZE.1
            );
            for (row, line) in area.rows().zip(wrap(&words, area.width)) {
                pen.line(row, &line, styles.text);
            }
            return;
        }
        match self.screen {
            Screen::Waiting => self.draw_waiting(&mut pen),
            Screen::Cover => self.draw_cover(&mut pen),
            Screen::Lobby => self.draw_lobby(&mut pen),
            Screen::Table => self.draw_table(&mut pen),
            Screen::Review => self.draw_review(&mut pen),
        }
        self.draw_over(&mut pen);
    }

    fn draw_waiting(&self, pen: &mut Pen<'_>) {
        let message = self.seat().map_or("", |seat| seat.message.0.as_str());
        let away = self.seat().and_then(|seat| seat.away.as_deref());
        let at = centred(self.size, 60, 3);
        let words = away.unwrap_or("The game is being loaded...");
        pen.line(at, words, pen.styles.call);
        let below = Rect::new(at.x, at.y + 2, at.width, 1);
        pen.line(below, message, pen.styles.no);
    }

    /// Draws the screen between the turns of two players who share the terminal. This screen shows
    /// only who plays next.
    fn draw_cover(&self, pen: &mut Pen<'_>) {
        let next = self.next_seat().and_then(|seat| self.seats.get(seat));
        let styles = pen.styles;
        let at = pen.frame(centred(self.size, 56, 9), "Kriegspiel");
        let mut row = |n: u16, text: &str, style| {
            pen.line(Rect::new(at.x, at.y + n, at.width, 1), text, style);
        };
        let Some(table) = next.and_then(|seat| seat.table.as_ref()) else {
            row(3, "One moment.", styles.call);
            return;
        };
        let name = name(table.color());
        row(1, &format!("It is {name}'s turn."), styles.call);
        row(
            3,
            &format!("{name}, sit down alone before the screen,"),
            styles.text,
        );
        row(
            4,
            "then press the space bar: it shows your board.",
            styles.text,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("verylongword a", 4), ["verylongword", "a"]);
        assert_eq!(wrap("", 9), Vec::<String>::new());
    }
}

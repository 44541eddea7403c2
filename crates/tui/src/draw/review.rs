//! A finished game: three boards, or one.

use ratatui::layout::Rect;
use rules::chess::Color;
use wire::{AnswerJson, Side, StepJson};

use super::{
    Pen,
    board::{self, Marks},
    wrap,
};
use crate::{
    app::App,
    geometry::BoardAt,
    men::{self, ends},
    review::{Review, Whose},
};

/// Smallest width with three boards, in columns.
const THREE_BOARDS_COLUMNS: u16 = 108;

impl App {
    pub(crate) fn draw_review(&self, pen: &mut Pen<'_>) {
        let Some(review) = &self.review else { return };
        let (width, height) = (self.size.width, self.size.height);
        pen.bar(
            Rect::new(0, 0, width, 1),
            &title(review, width),
            pen.styles.title,
        );
        let body = Rect::new(0, 1, width, height - 3);
        if let Some(step) = review.steps.get(review.at) {
            if width >= THREE_BOARDS_COLUMNS {
                self.draw_three(pen, review, step, body);
            } else {
                self.draw_one(pen, review, step, body);
            }
        }
        let count = format!(
            " Step {} of {}",
            review.at,
            review.steps.len().saturating_sub(1)
        );
        pen.line(Rect::new(0, height - 2, width, 1), &count, pen.styles.dim);
        let keys = keys(width, !self.seats.is_empty());
        pen.bar(Rect::new(0, height - 1, width, 1), &keys, pen.styles.chosen);
        if let Some((words, tone)) = self.seat().map(|seat| &seat.message) {
            let lines = wrap(words, width.saturating_sub(2));
            let rows = (lines.len() as u16).min(height - 4);
            let at = Rect::new(0, height - 2 - rows, width, rows);
            pen.message(at, &lines, super::table::style_of(pen, *tone));
        }
    }

    fn draw_three(&self, pen: &mut Pen<'_>, review: &Review, step: &StepJson, body: Rect) {
        let column = body.width / 3;
        let heads = Rect::new(body.x, body.y, body.width, 1);
        pen.line(heads, &format!(" {}", step_words(review)), pen.styles.call);
        let mut below = body.y + 2;
        for (n, whose) in (0..).zip(Whose::ALL) {
            let x = body.x + n * column + 1;
            let room = Rect::new(x, body.y + 2, column - 2, body.height * 2 / 3);
            let at = self.draw_whose(pen, step, whose, room);
            below = below.max(at);
        }
        for (n, whose) in (0..).zip(Whose::ALL) {
            let x = body.x + n * column + 1;
            let room = Rect::new(
                x,
                below,
                column - 2,
                body.bottom().saturating_sub(below).min(9),
            );
            draw_heard(pen, step, whose, room);
        }
        let list = Rect::new(
            body.x + 1,
            (below + 9).min(body.bottom()),
            body.width - 2,
            body.bottom().saturating_sub(below + 9),
        );
        draw_list(pen, review, list);
    }

    fn draw_one(&self, pen: &mut Pen<'_>, review: &Review, step: &StepJson, body: Rect) {
        let room = Rect::new(
            body.x + 1,
            body.y + 1,
            body.width.saturating_sub(42),
            body.height - 1,
        );
        let wide = BoardAt::fitting(room, Color::White, 4).outer().0;
        self.draw_whose(pen, step, review.whose, room);
        let x = room.x + wide + 2;
        let width = body.right().saturating_sub(x + 1);
        pen.line(
            Rect::new(x, body.y, width, 1),
            &step_words(review),
            pen.styles.call,
        );
        let mut y = body.y + 2;
        for whose in Whose::ALL {
            let words = heard_by(step, whose).join(" ");
            let rows = (wrap(&words, width.saturating_sub(2)).len().max(1) as u16 + 1)
                .min(body.bottom().saturating_sub(y));
            draw_heard(pen, step, whose, Rect::new(x, y, width, rows));
            y += rows;
        }
        y += 1;
        draw_list(
            pen,
            review,
            Rect::new(x, y, width, body.bottom().saturating_sub(y)),
        );
    }

    /// Draws one board with its name above it and returns the row below it.
    fn draw_whose(&self, pen: &mut Pen<'_>, step: &StepJson, whose: Whose, room: Rect) -> u16 {
        let all = men::board(&step.fen);
        let (men, below) = match whose {
            Whose::White => (men::side(&all, Color::White), Color::White),
            Whose::Umpire => (all, Color::White),
            Whose::Black => (men::side(&all, Color::Black), Color::Black),
        };
        let below = if self.turned { !below } else { below };
        let name = match whose {
            Whose::White | Whose::Black => format!("{}'s board", whose.name()),
            Whose::Umpire => "The umpire's board".to_owned(),
        };
        pen.line(
            Rect::new(room.x, room.y - 1, room.width, 1),
            &name,
            pen.styles.dim,
        );
        let at = BoardAt::fitting(room, below, 4);
        let seen = match (whose, step.by) {
            (Whose::Umpire, _) => true,
            (Whose::White, by) => by == Some(Side::White),
            (Whose::Black, by) => by == Some(Side::Black),
        };
        let mut marks = Marks::default();
        if let Some((from, to)) = ends(&step.attempt).filter(|_| seen) {
            if step.answer == AnswerJson::Moved {
                marks.moved = from.into_iter().chain([to]).collect();
            } else {
                marks.refused = to.into();
                marks.held = from;
            }
        }
        board::board(pen, &at, &men, &marks, self.dress());
        at.area.bottom() + 1
    }
}

/// Returns players, rules and result, as much as fits; the result has priority.
fn title(review: &Review, width: u16) -> String {
    let (end, rules) = (&review.end, &review.rules);
    let names = format!("{} against {}", review.white, review.black);
    let forms = [
        format!(" {names} | {rules} | {end}"),
        format!(" {names} | {end}"),
        format!(" {end}"),
    ];
    let fits = |text: &&String| text.chars().count() <= usize::from(width);
    forms.iter().find(fits).unwrap_or(&forms[2]).clone()
}

/// Returns the keys; in a narrow window the most important ones.
fn keys(width: u16, back: bool) -> String {
    let (save, quit) = if back {
        ("  Control-S: save", "q Back")
    } else {
        ("", "q Quit")
    };
    let forms = [
        format!(
            " Left, Right: step  Home, End  Tab: whose board  Control-T: turn{save}  F1 Help  {quit}"
        ),
        format!(" Left, Right: step  Home, End  Tab: board{save}  F1 Help  {quit}"),
        format!(" Left, Right: step{save}  F1 Help  {quit}"),
    ];
    let fits = |text: &&String| text.chars().count() <= usize::from(width);
    forms.iter().find(fits).unwrap_or(&forms[2]).clone()
}

fn heard_by(step: &StepJson, whose: Whose) -> &[String] {
    match whose {
        Whose::White => &step.white,
        Whose::Umpire => &step.room,
        Whose::Black => &step.black,
    }
}

fn draw_heard(pen: &mut Pen<'_>, step: &StepJson, whose: Whose, at: Rect) {
    let heading = match whose {
        Whose::Umpire => "The room hears",
        Whose::White => "White hears",
        Whose::Black => "Black hears",
    };
    let mut lines = vec![(heading.to_owned(), pen.styles.dim)];
    let heard = heard_by(step, whose);
    if heard.is_empty() {
        lines.push(("  nothing".to_owned(), pen.styles.dim));
    }
    let words = wrap(&heard.join(" "), at.width.saturating_sub(2));
    lines.extend(
        words
            .into_iter()
            .map(|line| (format!("  {line}"), pen.styles.text)),
    );
    pen.lines(at, &lines);
}

/// Draws the steps around the one that is shown.
fn draw_list(pen: &mut Pen<'_>, review: &Review, at: Rect) {
    let rows = usize::from(at.height);
    if rows == 0 {
        return;
    }
    let first = review.at.saturating_sub(rows / 2);
    let steps = review.steps.iter().enumerate().skip(first);
    for (y, (n, step)) in (at.y..at.bottom()).zip(steps) {
        let style = if n == review.at {
            pen.styles.chosen
        } else {
            pen.styles.text
        };
        pen.line(Rect::new(at.x, y, at.width, 1), &row(n, step), style);
    }
}

fn row(n: usize, step: &StepJson) -> String {
    let by = match step.by {
        Some(Side::White) => "White",
        Some(Side::Black) => "Black",
        None => return format!("{n:>4} the game opens"),
    };
    let answer = serde_word(step.answer);
    format!("{n:>4} {by} {:<12} {answer}", step.attempt)
}

/// Returns the step that is shown, in words.
fn step_words(review: &Review) -> String {
    let Some(step) = review.steps.get(review.at) else {
        return String::new();
    };
    match step.by {
        None => "The game opens.".to_owned(),
        Some(side) => {
            let name = match side {
                Side::White => "White",
                Side::Black => "Black",
            };
            format!("{name} says {}: {}", step.attempt, serde_word(step.answer))
        }
    }
}

/// Returns an answer in one word.
fn serde_word(answer: AnswerJson) -> &'static str {
    match answer {
        AnswerJson::Moved => "moved",
        AnswerJson::No => "no",
        AnswerJson::RepeatNo => "no, again",
        AnswerJson::Nonsense => "nonsense",
        AnswerJson::Yes => "yes",
        AnswerJson::None => "none",
        AnswerJson::Count => "counted",
        AnswerJson::Recap => "said again",
        AnswerJson::Resigned => "resigned",
        AnswerJson::Offered => "offered",
        AnswerJson::Drawn => "drawn",
        AnswerJson::Declined => "declined",
        AnswerJson::Withdrawn => "withdrawn",
        AnswerJson::Flag => "the flag falls",
        AnswerJson::Gone => "gone",
        AnswerJson::Aborted => "broken off",
        AnswerJson::New => "a new game",
        AnswerJson::Refused => "refused",
        AnswerJson::NotUnderstood => "not understood",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn review(white: &str) -> Review {
        let end = "White resigns: Black wins, 0-1.".to_owned();
        Review::new(
            white.to_owned(),
            "sparring".to_owned(),
            "wild16".to_owned(),
            end,
            Vec::new(),
        )
    }

    #[test]
    fn the_title_keeps_the_end_whole() {
        for (white, width) in [
            ("anna", 200),
            ("anna", 80),
            ("guest-c50de248-and-more", 80),
            ("anna", 60),
        ] {
            let title = title(&review(white), width);
            assert!(title.len() <= usize::from(width), "{title}");
            assert!(title.ends_with("Black wins, 0-1."), "{title}");
        }
        assert!(title(&review("anna"), 80).contains("wild16"));
    }

    #[test]
    fn the_keys_fit_and_say_how_to_leave() {
        for width in [60, 80, 108, 200] {
            for back in [false, true] {
                let keys = keys(width, back);
                assert!(keys.len() <= usize::from(width), "{width}: {keys}");
                assert!(
                    keys.ends_with(if back { "q Back" } else { "q Quit" }),
                    "{keys}"
                );
                assert_eq!(keys.contains("Control-S: save"), back, "{keys}");
            }
        }
        assert!(keys(80, false).contains("Tab: board"));
    }
}

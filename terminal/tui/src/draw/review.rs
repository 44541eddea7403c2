//! Draws a finished game with three boards, or with one board in a narrow window.

use notation::name;
use ratatui::layout::Rect;
use rules::chess::Color;
use wire::{AnswerJson, Side, StepJson};

use super::{
    Pen, belief,
    board::{self, Marks},
    wrap,
};
use crate::{
    app::App,
    geometry::BoardAt,
    men::{self, ends},
    review::{Review, Whose},
};

/// Smallest width for three boards, in columns.
const THREE_BOARDS_COLUMNS: u16 = 108;

impl App {
    pub(crate) fn draw_review(&self, pen: &mut Pen<'_>) {
        let Some(review) = &self.review else { return };
        let (width, height) = (self.size.width, self.size.height);
        let top = Rect::new(0, 0, width, 1);
        pen.bar(top, &title(review, width), pen.styles.title);
        let body = Rect::new(0, 1, width, height - 3);
        let shown = review.beliefs.as_ref().and_then(|beliefs| beliefs.shown);
        if let Some(step) = review.steps.get(review.at) {
            if let Some(side) = shown {
                self.draw_belief(pen, review, (step, side), body);
            } else if width >= THREE_BOARDS_COLUMNS && review.boards.len() == 3 {
                self.draw_three(pen, review, step, body);
            } else {
                self.draw_one(pen, review, step, body);
            }
        }
        let last = review.steps.len().saturating_sub(1);
        let count = format!(" Step {} of {last}", review.at);
        pen.line(Rect::new(0, height - 2, width, 1), &count, pen.styles.dim);
        let keys = match (shown, &review.beliefs) {
            (Some(_), _) => belief::keys(width).to_owned(),
            (None, Some(_)) => viewing_keys(width),
            (None, None) => keys(width, !self.seats.is_empty()),
        };
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
        let rows = body.bottom().saturating_sub(below).min(9);
        for (n, whose) in (0..).zip(Whose::ALL) {
            let x = body.x + n * column + 1;
            draw_heard(pen, step, whose, Rect::new(x, below, column - 2, rows));
        }
        let y = (below + 9).min(body.bottom());
        let list = Rect::new(body.x + 1, y, body.width - 2, body.bottom() - y);
        draw_list(pen, review, list);
    }

    fn draw_one(&self, pen: &mut Pen<'_>, review: &Review, step: &StepJson, body: Rect) {
        let width = body.width.saturating_sub(42);
        let room = Rect::new(body.x + 1, body.y + 1, width, body.height - 1);
        let wide = BoardAt::fitting(room, Color::White, 4).outer().0;
        self.draw_whose(pen, step, review.whose, room);
        let x = room.x + wide + 2;
        let width = body.right().saturating_sub(x + 1);
        let heads = Rect::new(x, body.y, width, 1);
        pen.line(heads, &step_words(review), pen.styles.call);
        let mut y = body.y + 2;
        for &whose in review.boards {
            let words = heard_by(step, whose).join(" ");
            let rows = (wrap(&words, width.saturating_sub(2)).len().max(1) as u16 + 1)
                .min(body.bottom().saturating_sub(y));
            draw_heard(pen, step, whose, Rect::new(x, y, width, rows));
            y += rows;
        }
        y += 1;
        let list = Rect::new(x, y, width, body.bottom().saturating_sub(y));
        draw_list(pen, review, list);
    }

    /// Draws one board with its name above it. Returns the row below the board.
    fn draw_whose(&self, pen: &mut Pen<'_>, step: &StepJson, whose: Whose, room: Rect) -> u16 {
        let all = men::board(&step.fen);
        let (men, below) = match whose {
            Whose::White => (men::side(&all, Color::White), Color::White),
            Whose::Umpire => (all, Color::White),
            Whose::Black => (men::side(&all, Color::Black), Color::Black),
        };
        let below = if self.turned { !below } else { below };
        let name = match whose {
            Whose::White => "White's board",
            Whose::Umpire => "The umpire's board",
            Whose::Black => "Black's board",
        };
        let above = Rect::new(room.x, room.y - 1, room.width, 1);
        pen.line(above, name, pen.styles.dim);
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

/// Returns a title with the players, the rules and the result, if they fit. The
/// result has priority.
fn title(review: &Review, width: u16) -> String {
    let (end, rules) = (&review.end, &review.rules);
    let names = format!("{} against {}", review.white, review.black);
    let whole = format!(" {names} | {rules} | {end}");
    first_that_fits(
        width,
        [whole, format!(" {names} | {end}")],
        format!(" {end}"),
    )
}

fn first_that_fits(width: u16, forms: [String; 2], shortest: String) -> String {
    let fits = |text: &String| text.chars().count() <= usize::from(width);
    forms.into_iter().find(fits).unwrap_or(shortest)
}

/// Returns the list of keys; in a narrow window only the most important keys.
fn keys(width: u16, back: bool) -> String {
    let (save, quit) = if back {
        ("  Control-S: save", "q Back")
    } else {
        ("", "q Quit")
    };
    let form = |keys: &str| format!(" Left, Right: step{keys}{save}  F1 Help  {quit}");
    let forms = [
        form("  Home, End  Tab: whose board  Control-T: turn"),
        form("  Home, End  Tab: board"),
    ];
    first_that_fits(width, forms, form(""))
}

/// Returns the list of keys of a viewer, which can also show beliefs.
fn viewing_keys(width: u16) -> String {
    let form = |keys: &str| format!(" Left, Right: step{keys}  F1 Help  q Quit");
    let forms = [
        form("  Home, End  Tab: whose board  Control-T: turn  b: what they could know"),
        form("  Home, End  Tab: board  b: what they could know"),
    ];
    first_that_fits(width, forms, form("  b: what they could know"))
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
        Whose::Umpire => "Spectators hear",
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

/// Draws the list of steps around the shown step.
fn draw_list(pen: &mut Pen<'_>, review: &Review, at: Rect) {
    let rows = usize::from(at.height);
    if rows == 0 {
        return;
    }
    let first = review.at.saturating_sub(rows / 2);
    let steps = review.steps.iter().enumerate().skip(first);
    for (line, (n, step)) in at.rows().zip(steps) {
        pen.line(line, &row(n, step), pen.styles.row(n == review.at));
    }
}

fn row(n: usize, step: &StepJson) -> String {
    let Some(by) = step.by else {
        return format!("{n:>4} the game opens");
    };
    let (by, answer) = (name(by.into()), answer_of(step));
    format!("{n:>4} {by} {:<12} {answer}", step.attempt)
}

/// Returns the text of the shown step.
pub(crate) fn step_words(review: &Review) -> String {
    let Some(step) = review.steps.get(review.at) else {
        return String::new();
    };
    match step.by {
        None => "The game opens.".to_owned(),
        Some(side) => {
            let (name, answer) = (name(side.into()), answer_of(step));
            format!("{name} says {}: {answer}", step.attempt)
        }
    }
}

/// Returns the answer to a step: the word that the player heard, or a fixed text if the step has no
/// word.
fn answer_of(step: &StepJson) -> &str {
    if let Some(word) = &step.word {
        return word;
    }
    match step.answer {
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
    fn step_is_answered_in_the_word_that_the_player_heard() {
        let read = |json: &str| serde_json::from_str::<StepJson>(json).unwrap();
        let refused = read(
            r#"{"by": "white", "attempt": "b1c3", "answer": "nonsense", "word": "no",
                "white": ["No: b1c3."], "black": [], "room": [], "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}"#,
        );
        assert!(row(3, &refused).ends_with("b1c3         no"));
        let moved = read(
            r#"{"by": "white", "attempt": "b1c3", "answer": "moved",
                "white": [], "black": [], "room": [], "fen": "8/8/8/8/8/8/8/8 b - - 0 1"}"#,
        );
        assert!(row(4, &moved).ends_with("b1c3         moved"));
    }

    #[test]
    fn review_title_never_cuts_the_result() {
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
    fn review_keys_fit_the_width_and_say_how_to_leave() {
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
        for width in [60, 80, 108, 200] {
            let keys = viewing_keys(width);
            assert!(keys.len() <= usize::from(width), "{width}: {keys}");
            assert!(keys.contains("  b: what they could know"), "{keys}");
        }
        assert!(keys(80, false).contains("Tab: board"));
    }
}

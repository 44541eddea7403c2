//! The reason why no position agrees with what was heard.

use std::fmt;

use rules::{Direction, Directions};

use crate::report::Report;

/// The part of what was heard that no position explains.
///
/// ```
/// use belief::Part;
///
/// let check = Part::Check(["rank".parse()?].into_iter().collect());
/// assert_eq!(check.to_string(), "no rook or queen can give that check");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Part {
    /// The announcements at the start of the game.
    Opening,
    /// The seat's move: it is legal in no position.
    Illegal,
    /// The seat's refused try: it is legal in every position.
    Refusal,
    /// The answer to Any?: every position would give the other answer.
    Any,
    /// What was heard in the opponent's turn before the move.
    TheirTurn,
    /// The lost man, or the announced capture.
    Capture,
    /// The absence of a capture: no capture was heard.
    NoCapture,
    /// The announced drop.
    Drop,
    /// The absence of a drop: no drop was announced.
    NoDrop,
    /// The announced promotion.
    Promotion,
    /// The absence of a promotion: no promotion was announced.
    NoPromotion,
    /// The check. The directions are empty if they were not announced.
    Check(Directions),
    /// The absence of a check: no check was announced.
    NoCheck,
    /// The announced pawn tries.
    Tries,
    /// The announced end of the game.
    Over,
    /// The absence of an end: the game continued.
    NotOver,
    /// The attempt or announcement belongs to the side that is not to move. Or the announcements
    /// about the previous move were not complete.
    Turn,
    /// The seat's move, or the loss that the seat heard, contradicts the seat's own men. For
    /// example, no own man is on the square of the loss.
    NoMan,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Part::Opening => "no start position agrees with these announcements",
            Part::Illegal => "the move is legal in no position",
            Part::Refusal => "the try is legal in every position",
            Part::Any => "every possible position would give the other answer to Any?",
            Part::TheirTurn => "no position agrees with the answers to the opponent's attempts",
            Part::Capture => "no man can make that capture",
            Part::NoCapture => "every possible move is a capture",
            Part::Drop => "no such man can be dropped",
            Part::NoDrop => "every possible move is a drop",
            Part::Promotion => "no possible move is a promotion",
            Part::NoPromotion => "every possible move is a promotion",
            Part::Check(directions) => return f.write_str(checker(*directions)),
            Part::NoCheck => "every possible move gives check",
            Part::Tries => "no move leaves those pawn tries",
            Part::Over => "no move can end the game in this way",
            Part::NotOver => "every possible move ends the game",
            Part::Turn => "it is not that side's turn",
            Part::NoMan => "no such own man is there",
        })
    }
}

/// Returns a sentence that says which men cannot give this check.
fn checker(directions: Directions) -> &'static str {
    let mut each = directions.iter();
    match (each.next(), each.next()) {
        (None, _) => "no man can give check",
        (Some(_), Some(_)) => "no two men can give that double check",
        (Some(Direction::Rank | Direction::File), None) => "no rook or queen can give that check",
        (Some(Direction::Long | Direction::Short), None) => {
            "no bishop, queen or pawn can give that check"
        }
        (Some(Direction::Knight), None) => "no knight can give that check",
    }
}

/// Finds out which part of a report no move explains. For this it records the best agreement
/// between the report that the seat heard and the reports of the moves compared so far.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Blame {
    /// The best agreement so far. 0: no report was compared. 1: in every report, the loss or the
    /// capture differed from what the seat heard. 2: in at least one report, these two parts agreed,
    /// but the drop differed. 3: the drop agreed too, but the promotion differed. 4: the promotion
    /// agreed too, but the check differed. 5: the check agreed too, but the pawn tries differed. 6:
    /// the pawn tries agreed too, or the game ended and the pawn tries were not compared.
    agreed: u8,
}

impl Blame {
    /// Compares two reports: `told`, which a legal move would have given, and `heard`.
    pub(crate) fn compare(&mut self, told: &Report, heard: &Report) {
        let agreed = if (told.lost, told.capture) != (heard.lost, heard.capture) {
            1
        } else if told.drop != heard.drop {
            2
        } else if told.promotion != heard.promotion {
            3
        } else if told.check != heard.check {
            4
        } else if told.over.is_none() && heard.over.is_none() && told.tries != heard.tries {
            5
        } else {
            6
        };
        self.agreed = self.agreed.max(agreed);
    }

    /// Returns the part that no move explains. If no move was compared, returns `none`.
    pub(crate) fn part(self, heard: &Report, none: Part) -> Part {
        match self.agreed {
            0 => none,
            1 if heard.lost.is_none() && heard.capture.is_none() => Part::NoCapture,
            1 => Part::Capture,
            2 => heard.drop.map_or(Part::NoDrop, |_| Part::Drop),
            3 if heard.promotion => Part::Promotion,
            3 => Part::NoPromotion,
            4 => heard.check.map_or(Part::NoCheck, Part::Check),
            5 => Part::Tries,
            _ if heard.over.is_some() => Part::Over,
            _ => Part::NotOver,
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::{Capture, chess::Role};

    use super::*;

    /// Returns the words for what was heard, if the moves would give the reports `told`.
    fn words(told: &[Report], heard: Report) -> String {
        let mut blame = Blame::default();
        for report in told {
            blame.compare(report, &heard);
        }
        blame.part(&heard, Part::TheirTurn).to_string()
    }

    #[test]
    fn move_is_blamed_for_what_was_heard_of_it() {
        let quiet = Report::default();
        let promotion = Report {
            promotion: true,
            ..quiet
        };
        let capture = Report {
            capture: Some(Capture {
                square: None,
                man: None,
                en_passant: false,
            }),
            ..quiet
        };
        let drop = Report {
            drop: Some(Role::Knight),
            ..quiet
        };
        let both = Report {
            promotion: true,
            ..capture
        };
        for (told, heard, expected) in [
            (&[quiet][..], promotion, "no possible move is a promotion"),
            (&[promotion], quiet, "every possible move is a promotion"),
            (&[capture, quiet], both, "no possible move is a promotion"),
            (&[capture], promotion, "every possible move is a capture"),
            (&[capture], quiet, "every possible move is a capture"),
            (&[promotion], capture, "no man can make that capture"),
            (&[quiet], drop, "no such man can be dropped"),
            (&[drop], quiet, "every possible move is a drop"),
            (
                &[],
                promotion,
                "no position agrees with the answers to the opponent's attempts",
            ),
        ] {
            assert_eq!(words(told, heard), expected, "{told:?} {heard:?}");
        }
    }
}

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
    /// The lost man, or the announced capture, drop or promotion.
    Capture,
    /// The absence of a capture: the opponent captured nothing.
    NoCapture,
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
    /// The best agreement so far. 0: no report was compared. 1: in every report, the loss, the
    /// capture, the drop or the promotion differed from what the seat heard. 2: in at least one
    /// report, these four parts agreed, but the check differed. 3: the check agreed too, but the
    /// pawn tries differed. 4: the pawn tries agreed too, or the game ended and the pawn tries were
    /// not compared.
    agreed: u8,
}

impl Blame {
    /// Compares two reports: `told`, which a legal move would have given, and `heard`.
    pub(crate) fn compare(&mut self, told: &Report, heard: &Report) {
        let agreed = if !told.agrees_in_move(heard) {
            1
        } else if told.check != heard.check {
            2
        } else if told.over.is_none() && heard.over.is_none() && told.tries != heard.tries {
            3
        } else {
            4
        };
        self.agreed = self.agreed.max(agreed);
    }

    /// Returns the part that no move explains. If no move was compared, returns `none`.
    pub(crate) fn part(self, heard: &Report, none: Part) -> Part {
        match self.agreed {
            0 => none,
            1 if heard.lost.is_none() && heard.capture.is_none() && heard.drop.is_none() => {
                Part::NoCapture
            }
            1 => Part::Capture,
            2 => heard.check.map_or(Part::NoCheck, Part::Check),
            3 => Part::Tries,
            _ if heard.over.is_some() => Part::Over,
            _ => Part::NotOver,
        }
    }
}

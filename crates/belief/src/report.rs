//! What a seat hears of one completed move.

use referee::{
    kernel::{Captured, Position, Seen},
    told,
};
use rules::{
    Capture, CaptureHeard, Choices, Directions, Over, PromotionTold, Reason, Tries, Try,
    chess::{Color, Role, Square},
};

/// What a seat hears of one completed move, own or the opponent's, from the
/// capture to whose turn it is.
///
/// Two positions from which moves give equal reports cannot be told apart by
/// them: solvers group replies by this value.
///
/// ```
/// use belief::{Report, Situation};
/// use rules::{Tries, chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("a named ruleset").choices;
/// let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
/// let situation = Situation::from_fen(&wild16, Color::White, fen)?;
/// situation.successors(&wild16, |t, report, _| {
///     if t.to_string() == "e1e2" {
///         let expected = Report { tries: Tries::Count(1), ..Report::default() };
///         assert_eq!(report, expected);
///     }
/// });
/// # Ok::<(), belief::StartError>(())
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Report {
    /// The own man that is gone, and where it stood.
    pub lost: Option<(Square, Role)>,
    /// What was said of a capture.
    pub capture: Option<Capture>,
    /// The man that the opponent dropped, as announced.
    pub drop: Option<Role>,
    /// Whether a promotion was announced.
    pub promotion: bool,
    /// The check on the side to move, as announced.
    pub check: Option<Directions>,
    /// The pawn tries of the side to move, as announced.
    pub tries: Tries,
    /// The end of the game, if the move made one.
    pub over: Option<Over>,
}

impl Report {
    /// What `seat` hears of a legal move: `after` is the position to which it
    /// leads, `taken` what it captured, `quiet` the half-moves since the last
    /// capture or pawn move, this one included.
    pub(crate) fn of(
        choices: &Choices,
        seat: Color,
        what: Try,
        taken: Option<Captured>,
        after: &Position,
        quiet: u8,
    ) -> Report {
        let mut report = Report::of_move(choices, seat, what, taken, after);
        report.stand(choices, after, &after.seen(), quiet);
        report
    }

    /// Capture, drop and promotion alone.
    pub(crate) fn of_move(
        choices: &Choices,
        seat: Color,
        what: Try,
        taken: Option<Captured>,
        after: &Position,
    ) -> Report {
        let by = after.turn().other();
        let hears = match choices.capture_heard {
            CaptureHeard::Victim => false,
            CaptureHeard::Capturer => seat == by,
            CaptureHeard::Both => true,
        };
        let (drop, promotes) = match what {
            Try::Drop { role, .. } => (Some(role), false),
            Try::Step { promotion, .. } => (None, promotion.is_some()),
        };
        Report {
            lost: taken
                .filter(|_| seat != by)
                .map(|taken| (taken.square, taken.role)),
            capture: taken
                .filter(|_| hears)
                .map(|taken| told::capture(choices, what, taken)),
            drop,
            promotion: promotes && choices.promotion == PromotionTold::Side,
            ..Report::default()
        }
    }

    /// Adds what stands in the position after the move: check, tries, end.
    pub(crate) fn stand(&mut self, choices: &Choices, after: &Position, seen: &Seen, quiet: u8) {
        let check = after.directions_seen(seen);
        self.check = told::check(choices, check);
        self.over = told::end(
            choices,
            after,
            check,
            after.any_move_seen(seen),
            u32::from(quiet),
            1,
        );
        self.tries = if self.over.is_some() {
            Tries::Untold
        } else {
            told::tries(choices, after, seen)
        };
    }

    /// Whether what was said of capture, drop and promotion is the same.
    pub(crate) fn agrees_in_move(&self, other: &Report) -> bool {
        self.lost == other.lost
            && self.capture == other.capture
            && self.drop == other.drop
            && self.promotion == other.promotion
    }

    /// Whether check, tries and end of this report, as heard, can be those of
    /// the position after the move; the cheapest question comes first.
    ///
    /// Repetition is not known, nor is the half-move clock of every path: ends
    /// by them agree with whatever does not end otherwise.
    #[inline]
    pub(crate) fn agrees_with(
        &self,
        choices: &Choices,
        after: &Position,
        seen: &Seen,
        quiet: u8,
    ) -> bool {
        let check = after.directions_seen(seen);
        if self.check != told::check(choices, check) {
            return false;
        }
        if self.over.is_none() && self.tries != told::tries(choices, after, seen) {
            return false;
        }
        let any = after.any_move_seen(seen);
        let end = told::end(choices, after, check, any, u32::from(quiet), 1);
        match self.over.map(|over| over.reason) {
            Some(Reason::Threefold) => end.is_none_or(|end| end.reason == Reason::Fifty),
            Some(Reason::Fifty) => quiet > 0 && end.is_none_or(|end| end.reason == Reason::Fifty),
            Some(_) | None => end == self.over,
        }
    }
}

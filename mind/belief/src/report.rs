//! What a seat hears about one completed move.

use position::{Captured, Position, Seen, announcements};
use rules::{
    Capture, Choices, Directions, Listener, Over, Reason, Tries, Try,
    chess::{Color, Role, Square},
};

/// What a seat hears about one completed move, which is the seat's own move or a move of the
/// opponent. Which side is to move next is not part of the report.
///
/// The seat cannot distinguish moves with equal reports. Programs that
/// search ahead group the opponent's moves by their reports.
///
/// ```
/// use belief::{Report, Situation};
/// use rules::{Tries, chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
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
    /// The seat's man that the opponent captured, and its square.
    pub lost: Option<(Square, Role)>,
    /// The capture, as announced.
    pub capture: Option<Capture>,
    /// The role of the dropped man, as announced.
    pub drop: Option<Role>,
    /// Whether a promotion was announced.
    pub promotion: bool,
    /// The check on the side to move, as announced.
    pub check: Option<Directions>,
    /// The pawn tries of the side to move, as announced.
    pub tries: Tries,
    /// The end of the game, if the move ended it.
    pub over: Option<Over>,
}

impl Report {
    /// Returns what `seat` hears about a legal move. `after` is the position
    /// after the move, `taken` the captured man, `quiet` the half-move clock
    /// after the move.
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

    /// Returns only the parts about the move itself: loss, capture, drop and
    /// promotion.
    pub fn of_move(
        choices: &Choices,
        seat: Color,
        what: Try,
        taken: Option<Captured>,
        after: &Position,
    ) -> Report {
        let by = after.turn().other();
        let hears = announcements::capture_audience(choices, by)
            .is_some_and(|audience| audience.includes(Listener::from(seat)));
        let drop = match what {
            Try::Drop { role, .. } => Some(role),
            Try::Step { .. } => None,
        };
        Report {
            lost: taken
                .filter(|_| seat != by)
                .map(|taken| (taken.square, taken.role)),
            capture: taken
                .filter(|_| hears)
                .map(|taken| announcements::capture(choices, what, taken)),
            drop,
            promotion: announcements::promotion(choices, what),
            ..Report::default()
        }
    }

    /// Adds the announcements about the position after the move: check, pawn
    /// tries and end of the game.
    pub(crate) fn stand(&mut self, choices: &Choices, after: &Position, seen: &Seen, quiet: u8) {
        let check = after.directions_seen(seen);
        self.check = announcements::check(choices, check);
        self.over = announcements::end(
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
            announcements::tries(choices, after, seen)
        };
    }

    /// Returns whether both reports have the same loss, capture, drop and
    /// promotion.
    pub(crate) fn agrees_in_move(&self, other: &Report) -> bool {
        self.lost == other.lost
            && self.capture == other.capture
            && self.drop == other.drop
            && self.promotion == other.promotion
    }

    /// Returns whether three parts of this report fit the position after the move: the check, the
    /// pawn tries and the end. The cheapest comparison comes first.
    ///
    /// The position does not say how often it has occurred, and the half-move clock can be too low.
    /// So an end by threefold repetition fits every position in which the game does not end for
    /// another reason. An end by the fifty-move rule fits the same positions, but not after a
    /// capture or a pawn move.
    #[inline]
    pub(crate) fn agrees_with(
        &self,
        choices: &Choices,
        after: &Position,
        seen: &Seen,
        quiet: u8,
    ) -> bool {
        let check = after.directions_seen(seen);
        if self.check != announcements::check(choices, check) {
            return false;
        }
        if self.over.is_none() && self.tries != announcements::tries(choices, after, seen) {
            return false;
        }
        let any = after.any_move_seen(seen);
        let end = announcements::end(choices, after, check, any, u32::from(quiet), 1);
        match self.over.map(|over| over.reason) {
            Some(Reason::Threefold) => end.is_none_or(|end| end.reason == Reason::Fifty),
            Some(Reason::Fifty) => quiet > 0 && end.is_none_or(|end| end.reason == Reason::Fifty),
            Some(_) | None => end == self.over,
        }
    }
}

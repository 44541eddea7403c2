//! One possible position, and the moves from it.

use referee::kernel::Position;
use rules::{
    Choices, PromotionMan, Try,
    chess::{ByColor, Color, Role, Square},
};

use crate::{
    hidden::{Hidden, Small},
    known::Known,
    men::Men,
    report::Report,
};

/// One possible position: what the seat knows, and the opponent's men.
///
/// ```
/// use belief::Situation;
/// use rules::{chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
/// let situation = Situation::from_fen(&wild16, Color::White, fen)?;
/// let mut seen = 0;
/// situation.successors(&wild16, |_, report, next| {
///     // White hears a capture if the move leaves Black only the king.
///     assert_eq!(report.capture.is_some(), next.men.all().count() == 1);
///     seen += 1;
/// });
/// assert_eq!(seen, 7);
/// # Ok::<(), belief::StartError>(())
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Situation {
    /// What the seat knows.
    pub known: Known,
    /// The opponent's men.
    pub men: Men,
}

/// The opponent's men of a [`Situation`] in 16 bytes: at most 16 men, none of
/// them marked as promoted.
///
/// ```
/// use belief::{Packed, Situation};
/// use rules::{chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
/// let situation = Situation::from_fen(&wild16, Color::White, fen)?;
/// let packed = Packed::of(&situation.men).expect("two men fit");
/// assert_eq!(size_of::<Packed>(), 16);
/// assert_eq!(packed.men(), situation.men);
/// # Ok::<(), belief::StartError>(())
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Packed(Small);

impl Packed {
    /// Packs men. Returns `None` if there are more than 16 men, or if a man is marked as promoted.
    pub fn of(men: &Men) -> Option<Packed> {
        let fits = men.all().count() <= Small::MAX_MEN && men.promoted.is_empty();
        fits.then(|| Packed(Small::pack(men)))
    }

    /// Unpacks the men.
    pub fn men(self) -> Men {
        self.0.unpack()
    }
}

/// Returns the roles to which a pawn can promote.
pub(crate) const fn promotions(rule: PromotionMan) -> &'static [Role] {
    match rule {
        PromotionMan::QueenOnly => &[Role::Queen],
        PromotionMan::Named | PromotionMan::QueenUnlessNamed => {
            &[Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
        }
    }
}

/// Calls `visit` with every legal try of the side to move, and the role of the
/// man that moves or is dropped.
pub(crate) fn each_legal(choices: &Choices, position: &Position, mut visit: impl FnMut(Try, Role)) {
    let last = position.turn().relative_rank(rules::chess::Rank::Eighth);
    position.each_legal_man(&position.seen(), |from, role, targets| {
        for to in targets {
            if role == Role::Pawn && to.rank() == last {
                for man in promotions(choices.promotion_man) {
                    let promotion = Some(*man);
                    visit(
                        Try::Step {
                            from,
                            to,
                            promotion,
                        },
                        role,
                    );
                }
            } else {
                visit(Try::step(from, to), role);
            }
        }
    });
    let reserve = *position.reserves().get(position.turn());
    for (role, _) in reserve.iter() {
        for to in position.legal_drops(role) {
            visit(Try::Drop { role, to }, role);
        }
    }
}

impl Situation {
    pub(crate) fn position(&self) -> Position {
        self.known.position(&self.men)
    }

    /// Returns the situation of a seat in a full position. `drops` is true if the ruleset has
    /// drops. `quiet` is the half-move clock, see [`Men::quiet`].
    pub(crate) fn in_position(
        position: &Position,
        seat: Color,
        drops: bool,
        quiet: u8,
    ) -> Situation {
        let to_move = position.turn();
        let known = Known {
            own: position.own(seat),
            promoted: position.promoted() & position.side(seat),
            reserve: *position.reserves().get(seat.other()),
            to_move,
            passed: if to_move == seat {
                None
            } else {
                position.legal_en_passant()
            },
            drops,
        };
        Situation {
            known,
            men: known.men(position, quiet),
        }
    }

    /// Returns the colour and role of the man on a square, of either side.
    pub fn man_at(&self, sq: Square) -> Option<(Color, Role)> {
        let seat = self.known.seat();
        match self.known.own.role_at(sq) {
            Some(role) => Some((seat, role)),
            None => self.men.role_at(sq).map(|role| (seat.other(), role)),
        }
    }

    /// Returns the full position as FEN, with the given counters.
    pub fn fen(&self, halfmoves: u32, fullmoves: u32) -> String {
        self.position().fen(self.known.drops, halfmoves, fullmoves)
    }

    /// Returns whether a try of the side to move is legal in this position.
    pub fn is_legal(&self, t: Try) -> bool {
        self.position().is_legal(t)
    }

    /// Returns every legal try of the side to move.
    pub fn legal_tries(&self, choices: &Choices) -> Vec<Try> {
        let mut all = Vec::new();
        each_legal(choices, &self.position(), |t, _| all.push(t));
        all
    }

    /// Calls `visit` with every legal try of the side to move, with what the seat hears about this
    /// move, and with the situation after the move.
    pub fn successors(&self, choices: &Choices, mut visit: impl FnMut(Try, Report, Situation)) {
        let position = self.position();
        let seat = self.known.seat();
        each_legal(choices, &position, |t, role| {
            let mut after = position;
            let taken = after.play_man(t, role, self.known.drops);
            let quiet = clock(self.men.quiet, role, taken.is_some(), choices);
            let report = Report::of(choices, seat, t, taken, &after, quiet);
            let next = Situation::in_position(&after, seat, self.known.drops, quiet);
            visit(t, report, next);
        });
    }

    /// Returns the men of both sides.
    pub fn sides(&self) -> ByColor<rules::Own> {
        let theirs = self.men.own(self.known.seat().other(), self.known.reserve);
        match self.known.seat() {
            Color::White => ByColor {
                white: self.known.own,
                black: theirs,
            },
            Color::Black => ByColor {
                white: theirs,
                black: self.known.own,
            },
        }
    }
}

/// Returns the half-move clock after a move, at most 127; 0 if the ruleset has
/// no fifty-move rule. `takes` is true if the move captured a man.
#[inline]
pub(crate) fn clock(quiet: u8, role: Role, takes: bool, choices: &Choices) -> u8 {
    let counts = choices.fifty == rules::Fifty::On && role != Role::Pawn && !takes;
    if counts { (quiet + 1).min(127) } else { 0 }
}

/// Returns the half-move clock of a start position, at most 127; 0 if the
/// ruleset has no fifty-move rule.
pub(crate) fn clock_of(halfmoves: u32, choices: &Choices) -> u8 {
    if choices.fifty == rules::Fifty::On {
        halfmoves.min(127) as u8
    } else {
        0
    }
}

//! One possible position, and the moves from it.

use position::Position;
use rules::{
    Choices, PromotionMan, Try,
    chess::{ByColor, Color, Role, Square},
};

use crate::{known::Known, men::Men, report::Report};

/// A position that is possible for a seat.
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
///     assert_eq!(report.capture.is_some(), next.position.side(Color::Black).count() == 1);
///     seen += 1;
/// });
/// assert_eq!(seen, 7);
/// # Ok::<(), belief::StartError>(())
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Situation {
    /// The position.
    pub position: Position,
    /// Colour of the seat.
    pub seat: Color,
    /// Half-move clock: the number of half-moves since the last capture or pawn move, at most 127;
    /// the smallest number if several games lead to this position; 0 without a fifty-move rule.
    pub quiet: u8,
    /// Whether captured men can be dropped.
    pub drops: bool,
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

impl Situation {
    /// Returns the position with `men`, the opponent's men.
    #[inline]
    pub(crate) fn with_men(known: &Known, men: &Men) -> Situation {
        Situation {
            position: known.position(men),
            seat: known.seat(),
            quiet: men.quiet,
            drops: known.drops,
        }
    }

    /// Returns what the seat knows of the position.
    pub(crate) fn known(&self) -> Known {
        let Situation {
            position,
            seat,
            drops,
            ..
        } = self;
        let to_move = position.turn();
        Known {
            own: position.own(*seat),
            promoted: position.promoted() & position.side(*seat),
            reserve: *position.reserves().get(seat.other()),
            to_move,
            passed: if to_move == *seat {
                None
            } else {
                position.legal_en_passant()
            },
            drops: *drops,
        }
    }

    /// Returns the opponent's men.
    pub fn men(&self) -> Men {
        Men::in_position(&self.position, self.seat, self.quiet)
    }

    /// Returns the man on a square, of either side.
    pub fn man_at(&self, sq: Square) -> Option<(Color, Role)> {
        let role = self.position.role_at(sq)?;
        let color = Color::from_white(self.position.side(Color::White).contains(sq));
        Some((color, role))
    }

    /// Returns the position as FEN, with the given counters.
    pub fn fen(&self, halfmoves: u32, fullmoves: u32) -> String {
        self.position.fen(self.drops, halfmoves, fullmoves)
    }

    /// Returns every legal try of the side to move.
    pub fn legal_tries(&self, choices: &Choices) -> Vec<Try> {
        let mut all = Vec::new();
        let promotions = promotions(choices.promotion_man);
        self.position.each_legal(promotions, |t, _| all.push(t));
        all
    }

    /// Calls `visit` with every legal try of the side to move, with what the seat hears about this
    /// move, and with the situation after the move.
    pub fn successors(&self, choices: &Choices, mut visit: impl FnMut(Try, Report, Situation)) {
        let promotions = promotions(choices.promotion_man);
        self.position.each_legal(promotions, |t, role| {
            let (report, next) = self.play_man(choices, t, role);
            visit(t, report, next);
        });
    }

    /// Plays a try of the side to move. Returns what the seat hears about the move, and the
    /// situation after it; `None` if the try is not legal.
    pub fn play(&self, choices: &Choices, what: Try) -> Option<(Report, Situation)> {
        let role = self.position.man_of(what);
        let legal = self.position.is_legal(what);
        legal.then(|| self.play_man(choices, what, role))
    }

    /// Plays a legal move of a man with this role.
    pub(crate) fn play_man(&self, choices: &Choices, what: Try, role: Role) -> (Report, Situation) {
        let mut position = self.position;
        let taken = position.play_man(what, role, self.drops);
        let quiet = clock(self.quiet, role, taken.is_some(), choices);
        let report = Report::of(choices, self.seat, what, taken, &position, quiet);
        if position.passed().is_some() {
            position.forget_idle_en_passant();
        }
        let next = Situation {
            position,
            quiet,
            ..*self
        };
        (report, next)
    }

    /// Returns the men of both sides.
    pub fn sides(&self) -> ByColor<rules::Own> {
        ByColor::new_with(|color| self.position.own(color))
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

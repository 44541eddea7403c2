//! The squares on which men of the opponent can be, for each role.

use rules::{
    CaptureHeard, Choices, PromotionMan, PromotionTold, ReserveUse, Try,
    chess::{Bitboard, ByRole, CastlingSide, Color, Rank, Role, Square, attacks},
    corner,
};

use crate::{
    counts::{Counts, PIECES, can_be_announced},
    known::Known,
    men::Men,
    report::Report,
};

/// For each role, the squares on which a man of the opponent can be. The true position is never
/// excluded, but impossible squares may be included.
///
/// ```
/// use belief::Belief;
/// use rules::{chess::{Color, Square}, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let envelope = Belief::usual(wild16, Color::White).envelope();
/// assert!(envelope.men.king.contains(Square::E8));
/// assert!(envelope.vacant.contains(Square::E4) && !envelope.all().contains(Square::E4));
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Envelope {
    /// Squares on which a man of the role can be.
    pub men: ByRole<Bitboard>,
    /// Squares that need not have a man of the opponent. Every other square has a man of the
    /// opponent in all positions.
    pub vacant: Bitboard,
    /// Whether the opponent can still have a castling right.
    pub(crate) castles: bool,
    pub(crate) counts: Counts,
}

impl Envelope {
    /// Returns the widest envelope that agrees with the seat's own men and with the numbers of
    /// the opponent's men in this position.
    pub(crate) fn anything(known: &Known, men: &Men) -> Envelope {
        let mut counts = Counts::default();
        counts.add(men);
        counts.forget_pawns();
        let free = !known.own.all();
        let pawns = free & !Bitboard::BACKRANKS;
        Envelope {
            men: ByRole {
                pawn: pawns,
                knight: free,
                bishop: free,
                rook: free,
                queen: free,
                king: free,
            },
            vacant: Bitboard::FULL,
            castles: true,
            counts,
        }
    }

    /// Widens the envelope to include a position.
    pub(crate) fn add(&mut self, men: &Men) {
        for (role, squares) in men.by_role.zip_role() {
            *self.men.get_mut(role) |= squares;
        }
        self.vacant |= !men.all();
        self.castles |= !men.castling.is_empty();
        self.counts.add(men);
    }

    /// Returns the squares on which the opponent can have a man, of any role.
    pub fn all(&self) -> Bitboard {
        let m = &self.men;
        m.pawn | m.knight | m.bishop | m.rook | m.queen | m.king
    }

    /// Returns whether the envelope allows these men of the opponent.
    pub fn admits(&self, men: &Men) -> bool {
        let inside = men
            .by_role
            .zip_role()
            .into_iter()
            .all(|(role, squares)| (squares & !*self.men.get(role)).is_empty());
        inside && (!men.all() & !self.vacant).is_empty()
    }

    fn clear(&mut self, squares: Bitboard) {
        for role in Role::ALL {
            *self.men.get_mut(role) &= !squares;
        }
        self.vacant |= squares;
    }

    /// Applies a move of the seat. After it, the opponent has no man on the squares that the seat's
    /// man crossed, and no man on the target square. `told` are the announcements of the move, if
    /// they are known.
    pub(crate) fn play_own(
        &mut self,
        choices: &Choices,
        before: &Known,
        what: Try,
        told: Option<&Report>,
    ) {
        match what {
            Try::Drop { to, .. } => self.clear(Bitboard::from_square(to)),
            Try::Step { from, to, .. } => {
                let mut way = attacks::between(from, to) | Bitboard::from_square(to);
                let passes =
                    before.own.role_at(from) == Some(Role::Pawn) && from.file() != to.file();
                let beside = Square::from_coords(to.file(), from.rank());
                let told = told.filter(|_| choices.capture_heard != CaptureHeard::Victim);
                let capture = told.and_then(|report| report.capture);
                let can_be_taken = |role: &Role| {
                    let en_passant = *role == Role::Pawn && passes;
                    let squares = *self.men.get(*role);
                    (squares.contains(to) || en_passant && squares.contains(beside))
                        && capture.is_none_or(|one| can_be_announced(*role, &one, before.drops))
                };
                if told.is_none() || capture.is_some() {
                    let all = [Role::Pawn].into_iter().chain(PIECES);
                    let roles: Vec<Role> = all.filter(can_be_taken).collect();
                    self.counts.capture(&roles, capture.is_some() || passes);
                }
                if passes {
                    // The captured man was on the target square or, en passant,
                    // on the square next to the pawn's origin.
                    way = Bitboard::from_square(to);
                    self.vacant.add(beside);
                }
                self.clear(way);
            }
        }
    }

    /// Applies a move of the opponent: adds the squares that the opponent's men can have reached.
    pub(crate) fn play_opponent_move(
        &mut self,
        choices: &Choices,
        before: &Known,
        report: &Report,
    ) {
        self.counts.begin_move();
        let own = before.own.all();
        let color = before.seat().other();
        let old = *self;
        let landing = match report.lost {
            None => !own,
            Some((lost, _)) => {
                Bitboard::from_square(lost)
                    | before.passed.map_or(Bitboard::EMPTY, Bitboard::from_square)
            }
        };
        let mut moved = ByRole::<Bitboard>::default();
        for (role, squares) in old.men.zip_role() {
            let mut reach = Bitboard::EMPTY;
            for from in squares {
                reach |= reach_of(role, color, from, own, report.lost.is_some());
            }
            *moved.get_mut(role) |= reach & landing;
        }
        let last = Bitboard::from_rank(color.relative_rank(Rank::Eighth));
        let promoted = moved.pawn & last;
        moved.pawn &= !last;
        let is_told = choices.promotion == PromotionTold::Side;
        if promoted.any() && (report.promotion || !is_told) {
            let to = match choices.promotion_man {
                PromotionMan::QueenOnly => &[Role::Queen][..],
                PromotionMan::Named | PromotionMan::QueenUnlessNamed => &PIECES[..],
            };
            for role in to {
                *moved.get_mut(*role) |= promoted;
            }
            self.counts.promote(to, is_told);
        }
        if old.castles && report.lost.is_none() {
            for side in CastlingSide::ALL {
                if old.men.king.contains(Square::from_coords(
                    rules::chess::File::E,
                    corner(color, side).rank(),
                )) {
                    moved.king.add(side.king_to(color));
                    moved.rook.add(side.rook_to(color));
                }
            }
        }
        if let (ReserveUse::Drops, Some(man)) = (choices.reserve, report.drop) {
            self.counts.drop(man);
            for (role, _) in before.reserve.iter() {
                let squares = if role == Role::Pawn {
                    !own & !Bitboard::BACKRANKS
                } else {
                    !own
                };
                *moved.get_mut(role) |= squares;
            }
        }
        for (role, squares) in moved.zip_role() {
            *self.men.get_mut(role) |= squares;
        }
        // Any man of the opponent may have left its square, so no square certainly has a man.
        self.vacant = Bitboard::FULL;
    }

    /// Narrows the envelope after a completed move. The opponent has no man on the squares of the
    /// seat's men. In the seat's turn, the opponent's king is not next to the seat's king. If the
    /// ruleset announces checks and no check was announced, no man of the opponent gives check. So
    /// the squares from which a man of the opponent would certainly give check are left out.
    pub(crate) fn narrow(&mut self, choices: &Choices, now: &Known, report: &Report) {
        self.clear(now.own.all());
        let told = choices.check != rules::CheckTold::Silent;
        let Some(king) = now.own.king().filter(|_| now.is_own_turn()) else {
            return;
        };
        self.men.king &= !attacks::king_attacks(king);
        if !told || report.check.is_some() {
            return;
        }
        let near = attacks::king_attacks(king);
        let rook = near & attacks::rook_attacks(king, Bitboard::EMPTY);
        let bishop = near & attacks::bishop_attacks(king, Bitboard::EMPTY);
        self.men.knight &= !attacks::knight_attacks(king);
        self.men.pawn &= !attacks::pawn_attacks(now.seat(), king);
        self.men.rook &= !rook;
        self.men.bishop &= !bishop;
        self.men.queen &= !near;
    }
}

/// Returns the squares that a man of the opponent can reach if only the seat's
/// men block it. `takes` is true if the move captures.
fn reach_of(role: Role, color: Color, from: Square, own: Bitboard, takes: bool) -> Bitboard {
    match role {
        Role::Knight => attacks::knight_attacks(from),
        Role::Bishop => attacks::bishop_attacks(from, own),
        Role::Rook => attacks::rook_attacks(from, own),
        Role::Queen => attacks::queen_attacks(from, own),
        Role::King => attacks::king_attacks(from),
        Role::Pawn if takes => attacks::pawn_attacks(color, from),
        Role::Pawn => {
            let step = color.fold_wb(8, -8);
            let one = Bitboard::from_square(from).shift(step) & !own;
            if from.rank() == color.relative_rank(Rank::Second) {
                one | (one.shift(step) & !own)
            } else {
                one
            }
        }
    }
}

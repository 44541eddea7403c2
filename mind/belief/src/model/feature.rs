//! Features of a move. A feature is a property that a move has or does not have. The opponent knows
//! before the move whether the move has the property, or can guess it. The features are the input of
//! the opponent model.

use rules::{
    Own,
    chess::{Bitboard, Color, File, Rank, Role, Square, attacks},
};

use super::cues::Cues;

/// Declares the features, and their names in files of weights.
macro_rules! features {
    ($($feature:ident $name:literal,)*) => {
        /// A property that makes a move more or less probable.
        #[derive(Copy, Clone, Eq, PartialEq, Debug)]
        pub(crate) enum Feature {
            $($feature,)*
        }

        /// The names of the features, in the order of their bits.
        pub(crate) const NAMES: &[&str] = &[$($name,)*];
    };
}

features! {
    // The role of the moving man. A pawn has no feature of this group.
    Knight "knight",
    Bishop "bishop",
    Rook "rook",
    Queen "queen",
    King "king",
    // A man of this role recaptures: the opponent has just lost a man on the target square.
    // `PawnCapture`: any pawn capture that does not recapture.
    RetakePawn "retake_pawn",
    RetakeMinor "retake_minor",
    RetakeRook "retake_rook",
    RetakeQueen "retake_queen",
    RetakeKing "retake_king",
    PawnCapture "pawn_capture",
    // The opponent is in check, as announced. `CheckKing`: the king moves.
    // `CheckOther`: another man moves.
    CheckKing "check_king",
    CheckOther "check_other",
    // A man of this role moves to a square that another man of the opponent protects.
    ProtectedPawn "protected_pawn",
    ProtectedMinor "protected_minor",
    ProtectedRook "protected_rook",
    ProtectedQueen "protected_queen",
    // No man of the opponent protects the origin square.
    Hanging "hanging",
    // The man that made the opponent's last capture moves again.
    Captor "captor",
    // The opponent does not see these, but often knows or guesses them. A man of this role captures
    // without recapturing, moves to a square that the seat attacks, or leaves such a square.
    Takes "takes",
    // Such a capture of a man that has captured on this square; with a piece on a square that the seat
    // protects; of any man while the opponent is in check.
    TakesKnown "takes_known",
    TakesGuarded "takes_guarded",
    CheckTakes "check_takes",
    IntoPawn "pawn_into_attack",
    IntoMinor "minor_into_attack",
    IntoRook "rook_into_attack",
    IntoQueen "queen_into_attack",
    FromMinor "minor_from_attack",
    FromRook "rook_from_attack",
    FromQueen "queen_from_attack",
    // A pawn moves straight ahead: no pawn of the seat can stop it; it is the opponent's foremost
    // pawn; the opponent has few other men.
    PawnPassed "pawn_passed",
    PawnForemost "pawn_foremost",
    PawnAlone "pawn_with_few_men",
    // `still` and `Scene::moving` define the features from here on.
    Develops "develops",
    Castles "castles",
    KingLosesRights "king_loses_rights",
    RookLosesRights "rook_loses_rights",
    DoubleStep "double_step",
    PawnCentre "pawn_centre",
    PawnWing "pawn_wing",
    PawnFifth "pawn_fifth",
    PawnSixth "pawn_sixth",
    PawnSeventh "pawn_seventh",
    Promotes "promotes",
    Underpromotes "underpromotes",
    Rank2 "piece_rank_2",
    Rank3 "piece_rank_3",
    Rank4 "piece_rank_4",
    Rank5 "piece_rank_5",
    Rank6 "piece_rank_6",
    Rank7 "piece_rank_7",
    Rank8 "piece_rank_8",
    Back "back",
    Sideways "sideways",
    Far "far",
    QueenBeyond "queen_beyond_middle",
    OpenFile "rook_open_file",
    KingForward "king_forward",
    KingAlone "king_with_few_men",
    Edge "edge",
    CentreFile "centre_file",
    EarlyQueen "queen_leaves_home",
}

/// A set of features, with one bit for each feature.
pub(crate) type Mask = u64;

/// Mirrors the square vertically if `color` is Black, so that the features mean the same for both
/// colours.
#[inline]
pub(crate) fn seen_by(color: Color, sq: Square) -> Square {
    color.fold_wb(sq, sq.flip_vertical())
}

#[inline]
fn bit(feature: Feature) -> Mask {
    1 << feature as u32
}

/// Returns the features that depend only on the role, the origin and the target
/// square. Black's squares must have been mirrored with [`seen_by`].
pub(crate) fn still(role: Role, from: Square, to: Square) -> Mask {
    let mut mask = match role {
        Role::Pawn => 0,
        Role::Knight => bit(Feature::Knight),
        Role::Bishop => bit(Feature::Bishop),
        Role::Rook => bit(Feature::Rook),
        Role::Queen => bit(Feature::Queen),
        Role::King => bit(Feature::King),
    };
    let (file, rank) = to.coords();
    let mut add = |feature: Feature, holds: bool| {
        if holds {
            mask |= bit(feature);
        }
    };
    let edge = matches!(file, File::A | File::H);
    let away = from.distance(to);
    match role {
        Role::Pawn => {
            let middle = matches!(rank, Rank::Fourth | Rank::Fifth);
            add(
                Feature::PawnCentre,
                middle && matches!(file, File::D | File::E),
            );
            add(Feature::PawnWing, edge || matches!(file, File::B | File::G));
            add(Feature::DoubleStep, away == 2);
            add(Feature::PawnFifth, rank == Rank::Fifth);
            add(Feature::PawnSixth, rank == Rank::Sixth);
            add(Feature::PawnSeventh, rank == Rank::Seventh);
        }
        Role::King => {
            add(Feature::KingForward, rank > from.rank());
            add(Feature::Castles, away == 2);
        }
        Role::Knight | Role::Bishop | Role::Rook | Role::Queen => {
            let home = from.rank() == Rank::First;
            let minor = matches!(role, Role::Knight | Role::Bishop);
            add(Feature::Develops, minor && home && rank != Rank::First);
            add(Feature::EarlyQueen, role == Role::Queen && home);
            for (nth, feature) in [
                (Rank::Second, Feature::Rank2),
                (Rank::Third, Feature::Rank3),
                (Rank::Fourth, Feature::Rank4),
                (Rank::Fifth, Feature::Rank5),
                (Rank::Sixth, Feature::Rank6),
                (Rank::Seventh, Feature::Rank7),
                (Rank::Eighth, Feature::Rank8),
            ] {
                add(feature, rank == nth);
            }
            add(Feature::Back, rank < from.rank());
            add(Feature::Sideways, rank == from.rank());
            add(Feature::Far, away >= 3);
            add(
                Feature::QueenBeyond,
                role == Role::Queen && rank >= Rank::Fifth,
            );
            add(Feature::Edge, edge);
            let centre = matches!(file, File::C | File::D | File::E | File::F);
            add(Feature::CentreFile, centre);
        }
    }
    mask
}

/// What the opponent knows before it moves: the opponent's own men, and what
/// was announced to the opponent.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// The opponent's own men.
    pub own: Own,
    /// What was announced about the last moves.
    pub cues: Cues,
    /// Squares that at least one man of the opponent attacks or protects.
    once: Bitboard,
    /// Squares that at least two men of the opponent attack or protect.
    twice: Bitboard,
    /// All squares of the files without a pawn of the opponent.
    open: Bitboard,
    /// Whether the opponent has at most three men besides king and pawns.
    few: bool,
    /// The seat's men.
    prey: Bitboard,
    /// Squares that the seat attacks.
    pub attacked: Bitboard,
    /// Squares on which a pawn of the opponent has a pawn of the seat before it, on its file or on
    /// the next ones.
    stopped: Bitboard,
    /// Rank of the opponent's foremost pawn, as the opponent counts.
    foremost: Option<Rank>,
}

impl Scene {
    pub(crate) fn new(own: &Own, cues: Cues, seat: &Own, attacked: Bitboard) -> Scene {
        let all = own.all();
        let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut cover = |squares: Bitboard| {
            twice |= once & squares;
            once |= squares;
        };
        let m = &own.men;
        for sq in m.pawn {
            cover(attacks::pawn_attacks(own.color, sq));
        }
        for sq in m.knight {
            cover(attacks::knight_attacks(sq));
        }
        for sq in m.bishop | m.queen {
            cover(attacks::bishop_attacks(sq, all));
        }
        for sq in m.rook | m.queen {
            cover(attacks::rook_attacks(sq, all));
        }
        for sq in m.king {
            cover(attacks::king_attacks(sq));
        }
        let mut filled = m.pawn.0;
        for shift in [8, 16, 32] {
            filled |= (filled << shift) | (filled >> shift);
        }
        let [left, right] =
            [File::A, File::H].map(|edge| (seat.men.pawn & !Bitboard::from_file(edge)).0);
        let mut stopped = seat.men.pawn.0 | (left >> 1) | (right << 1);
        for shift in [8, 16, 32] {
            stopped |= own.color.fold_wb(stopped >> shift, stopped << shift);
        }
        let stopped = Bitboard(own.color.fold_wb(stopped >> 8, stopped << 8));
        let ranks = m.pawn.into_iter().map(|sq| seen_by(own.color, sq).rank());
        Scene {
            prey: seat.all(),
            attacked,
            stopped,
            foremost: ranks.max(),
            own: *own,
            cues,
            once,
            twice,
            open: !Bitboard(filled),
            few: (m.knight | m.bishop | m.rook | m.queen).count() <= 3,
        }
    }

    /// Returns the features that depend on the opponent's other men and on the
    /// announcements.
    ///
    /// `promotion` is the role to which a pawn promotes.
    #[inline]
    pub(crate) fn moving(
        &self,
        role: Role,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Mask {
        let mut mask = 0;
        let takes = role == Role::Pawn && from.file() != to.file();
        if self.cues.lost_on == Some(to) && (role != Role::Pawn || takes) {
            mask |= bit(match role {
                Role::Pawn => Feature::RetakePawn,
                Role::Knight | Role::Bishop => Feature::RetakeMinor,
                Role::Rook => Feature::RetakeRook,
                Role::Queen => Feature::RetakeQueen,
                Role::King => Feature::RetakeKing,
            });
        } else if takes {
            mask |= bit(Feature::PawnCapture);
        }
        if self.cues.in_check {
            mask |= bit(if role == Role::King {
                Feature::CheckKing
            } else {
                Feature::CheckOther
            });
            if self.prey.contains(to) {
                mask |= bit(Feature::CheckTakes);
            }
        }
        // Usually the moving man attacks its own target square. So another man protects this square
        // if at least two men attack it. But a pawn that moves straight ahead does not attack its
        // target square. Then the square is protected if at least one man attacks it.
        let covered = if role == Role::Pawn && !takes {
            self.once.contains(to)
        } else {
            self.twice.contains(to)
        };
        if covered {
            match role {
                Role::Pawn => mask |= bit(Feature::ProtectedPawn),
                Role::Knight | Role::Bishop => mask |= bit(Feature::ProtectedMinor),
                Role::Rook => mask |= bit(Feature::ProtectedRook),
                Role::Queen => mask |= bit(Feature::ProtectedQueen),
                Role::King => {}
            }
        }
        mask |= self.beyond_sight(role, from, to, takes);
        if role != Role::King && !self.once.contains(from) {
            mask |= bit(Feature::Hanging);
        }
        if self.cues.captor == Some(from) {
            mask |= bit(Feature::Captor);
        }
        if role == Role::King {
            if !self.own.castling.is_empty() && from.distance(to) < 2 {
                mask |= bit(Feature::KingLosesRights);
            }
            if self.few {
                mask |= bit(Feature::KingAlone);
            }
        }
        if role == Role::Rook {
            if !self.own.castling.is_empty() {
                mask |= bit(Feature::RookLosesRights);
            }
            if self.open.contains(to) && from.file() != to.file() {
                mask |= bit(Feature::OpenFile);
            }
        }
        match promotion {
            None => {}
            Some(Role::Queen) => mask |= bit(Feature::Promotes),
            Some(Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::King) => {
                mask |= bit(Feature::Underpromotes);
            }
        }
        mask
    }

    /// Returns the features that depend on the seat's men. `takes` says whether a pawn captures.
    #[inline]
    fn beyond_sight(&self, role: Role, from: Square, to: Square, takes: bool) -> Mask {
        let (into, leaves) = (self.attacked.contains(to), self.attacked.contains(from));
        let taken = self.prey.contains(to);
        let blind = taken && self.cues.lost_on != Some(to);
        let rank = || Some(seen_by(self.own.color, from).rank());
        let set = |features: &[(bool, Feature)]| {
            let held = features.iter().filter(|(holds, _)| *holds);
            held.fold(0, |mask, (_, feature)| mask | bit(*feature))
        };
        let piece = |enters, flees| {
            set(&[
                (blind, Feature::Takes),
                (blind && self.cues.known.contains(to), Feature::TakesKnown),
                (taken && into, Feature::TakesGuarded),
                (!taken && into, enters),
                (leaves, flees),
            ])
        };
        match role {
            Role::Pawn if takes => 0,
            Role::Pawn => set(&[
                (into, Feature::IntoPawn),
                (!self.stopped.contains(from), Feature::PawnPassed),
                (self.foremost == rank(), Feature::PawnForemost),
                (self.few, Feature::PawnAlone),
            ]),
            Role::Knight | Role::Bishop => piece(Feature::IntoMinor, Feature::FromMinor),
            Role::Rook => piece(Feature::IntoRook, Feature::FromRook),
            Role::Queen => piece(Feature::IntoQueen, Feature::FromQueen),
            Role::King => set(&[
                (blind, Feature::Takes),
                (blind && self.cues.known.contains(to), Feature::TakesKnown),
            ]),
        }
    }

    /// Returns all features of a move.
    pub(crate) fn features(
        &self,
        role: Role,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Mask {
        let color = self.own.color;
        still(role, seen_by(color, from), seen_by(color, to))
            | self.moving(role, from, to, promotion)
    }
}

const _: () = assert!(NAMES.len() <= 64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::situation::Situation;
    use rules::rulesets::WILD16;

    /// Returns the names of the features that depend on the seat's men, of a move of Black.
    fn guessed(fen: &str, known: &[Square], from: Square, to: Square) -> Vec<&'static str> {
        let truth = Situation::from_fen(&WILD16.choices, Color::White, fen).expect("a FEN");
        let (position, seat) = (truth.position, truth.known().own);
        let cues = Cues {
            known: known.iter().copied().collect(),
            ..Cues::default()
        };
        let attacked = super::super::guarded(&truth.known(), &position);
        let own = position.own(Color::Black);
        let scene = Scene::new(&own, cues, &seat, attacked);
        let role = own.role_at(from).expect("Black has a man there");
        let mask = scene.beyond_sight(role, from, to, false);
        let names = NAMES.iter().enumerate();
        let held = names.filter(|(at, _)| mask & (1 << at) != 0);
        held.map(|(_, name)| *name).collect()
    }

    #[test]
    fn what_the_opponent_guesses_is_a_feature() {
        let fen = "4k3/1p6/8/3q4/p1p5/1P6/6N1/K3R3 b - - 0 1";
        let few = ["pawn_foremost", "pawn_with_few_men"];
        assert_eq!(guessed(fen, &[], Square::A4, Square::A3), few);
        let free = "4k3/8/8/3q4/2p5/8/6N1/K3R3 b - - 0 1";
        let passed = ["pawn_passed", "pawn_foremost", "pawn_with_few_men"];
        assert_eq!(guessed(free, &[], Square::C4, Square::C3), passed);
        assert_eq!(guessed(fen, &[], Square::D5, Square::G2), ["takes"]);
        let known = guessed(fen, &[Square::G2], Square::D5, Square::G2);
        assert_eq!(known, ["takes", "takes_known"]);
        assert_eq!(
            guessed(fen, &[], Square::D5, Square::E5),
            ["queen_into_attack"]
        );
    }
}

//! Finds the reason why a try is impossible, from the list in section 1.1 of the
//! specification.

use rules::{
    Choices, Own, PromotionMan, Try,
    chess::{Bitboard, CastlingSide, Color, File, Piece, Rank, Role, Square, attacks},
};

/// Reason why a castling right was lost.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum RightLost {
    KingMoved,
    RookMoved,
    RookCaptured,
}

/// Returns the reason why a try is impossible; `None` if it is imaginable.
pub fn kind(
    choices: &Choices,
    own: &Own,
    lost: impl Fn(CastlingSide) -> Option<RightLost>,
    t: Try,
) -> Option<&'static str> {
    if own.imaginable(t, choices.promotion_man) {
        return None;
    }
    let all = own.all();
    Some(match t {
        Try::Drop { role, .. } if own.reserve.count(role) == 0 => "2 drop: not in reserve",
        Try::Drop { to, .. } if all.contains(to) => "2 drop: onto an own man",
        Try::Drop { .. } => "2 drop: a pawn on the first or last rank",
        Try::Step {
            from,
            to,
            promotion,
        } => {
            let Some(role) = own.role_at(from) else {
                return Some("2 no own man on the origin");
            };
            if own.is_castling(t) {
                return Some(castling(own, lost, from, to, all));
            }
            if role == Role::Pawn {
                return Some(pawn(choices, own, t, from, to, promotion, all));
            }
            let reach = attacks::attacks(
                from,
                Piece {
                    color: own.color,
                    role,
                },
                Bitboard::EMPTY,
            );
            if promotion.is_some() {
                "2 promotion man where none is due"
            } else if !reach.contains(to) {
                "2 a movement that the man cannot make"
            } else if all.contains(to) {
                "2 an own man on the destination"
            } else {
                "2 an own man in the path"
            }
        }
    })
}

fn castling(
    own: &Own,
    lost: impl Fn(CastlingSide) -> Option<RightLost>,
    from: Square,
    to: Square,
    all: Bitboard,
) -> &'static str {
    let side = CastlingSide::from_king_side(to.file() > from.file());
    let corner = match side {
        CastlingSide::KingSide => File::H,
        CastlingSide::QueenSide => File::A,
    };
    let corner = Square::from_coords(corner, from.rank());
    if own.castling.has(side) {
        let beside = Square::from_coords(File::B, from.rank());
        let between = attacks::between(from, corner) & all;
        return if between == Bitboard::from_square(beside) {
            "2 castling: an own man on b1 or b8"
        } else {
            "2 castling: an own man between"
        };
    }
    match lost(side) {
        Some(RightLost::KingMoved) => "2 castling: the king has moved",
        Some(RightLost::RookMoved) => "2 castling: the rook has moved",
        Some(RightLost::RookCaptured) => "2 castling: the rook was captured",
        None => "2 castling: no right from the start",
    }
}

fn pawn(
    choices: &Choices,
    own: &Own,
    t: Try,
    from: Square,
    to: Square,
    promotion: Option<Role>,
    all: Bitboard,
) -> &'static str {
    let goes = (own.pawn_pushes(from, all) | own.pawn_captures(from, all)).contains(to);
    if goes {
        return match (promotion, own.is_promotion(t)) {
            (None, _) => "2 promotion man missing",
            (Some(_), false) => "2 promotion man where none is due",
            (Some(Role::Pawn | Role::King), true) => "2 promotion to a pawn or king",
            (Some(_), true) => match choices.promotion_man {
                PromotionMan::QueenOnly => "2 promotion to another man than a queen",
                PromotionMan::Named | PromotionMan::QueenUnlessNamed => "2 promotion",
            },
        };
    }
    let (step, home) = match own.color {
        Color::White => (8, Rank::Second),
        Color::Black => (-8, Rank::Seventh),
    };
    let one = from.offset(step);
    let two = one.and_then(|sq| sq.offset(step));
    if Some(to) == one {
        "2 pawn: onto an own man"
    } else if Some(to) == two && from.rank() != home {
        "2 pawn: two squares from another rank"
    } else if Some(to) == two {
        "2 pawn: over or onto an own man"
    } else if own.is_pawn_capture(t) {
        "2 an own man on the destination"
    } else {
        "2 a movement that the man cannot make"
    }
}

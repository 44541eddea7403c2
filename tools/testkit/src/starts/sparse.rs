//! Random boards that contain a situation in which a referee can easily make mistakes.

use rand::{RngExt, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use rules::chess::{
    Bitboard, Board, ByColor, ByRole, Color, File, Piece, Rank, Role, Setup, Square,
};

use super::validated;

/// The situation that a random board contains.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Kind {
    /// Only a few men.
    Ending,
    /// Many queens, rooks, bishops or knights.
    ManyPromoted,
    /// Pawns one step before promotion.
    AboutToPromote,
    /// A pawn has just made a double step next to an enemy pawn, or can make
    /// this double step now.
    EnPassant,
    /// Kings and rooks on the squares where they stand at the usual start.
    Castling,
    /// The side to move is in check.
    Checked,
    /// A king in a corner.
    Cornered,
    /// White and black pawns that face each other.
    PawnWall,
    /// Many men of all roles.
    Crowd,
}

const KINDS: [Kind; 9] = [
    Kind::Ending,
    Kind::ManyPromoted,
    Kind::AboutToPromote,
    Kind::EnPassant,
    Kind::Castling,
    Kind::Checked,
    Kind::Cornered,
    Kind::PawnWall,
    Kind::Crowd,
];

const OFFICERS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
const MEN: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// Returns a random legal position of a random kind.
pub(super) fn random(rng: &mut ChaCha8Rng, drops: bool) -> String {
    let kind = *KINDS.choose(rng).expect("there is at least one kind");
    of_kind(kind, rng, drops)
}

/// Returns a random legal position of one kind.
pub(super) fn of_kind(kind: Kind, rng: &mut ChaCha8Rng, drops: bool) -> String {
    loop {
        let mut setup = match kind {
            Kind::Ending => ending(rng),
            Kind::ManyPromoted => many_promoted(rng),
            Kind::AboutToPromote => about_to_promote(rng),
            Kind::EnPassant => en_passant(rng),
            Kind::Castling => castling(rng),
            Kind::Checked => checked(rng),
            Kind::Cornered => cornered(rng),
            Kind::PawnWall => pawn_wall(rng),
            Kind::Crowd => crowd(rng),
        };
        if setup.ep_square.is_none() {
            setup.halfmoves = match rng.random_range(0..8) {
                0 => rng.random_range(90..101),
                1 => rng.random_range(0..90),
                _ => 0,
            };
        }
        setup.fullmoves =
            std::num::NonZeroU32::new(rng.random_range(1..200)).expect("the number is at least 1");
        if drops {
            with_reserves(&mut setup, rng);
        }
        if let Some(fen) = validated(setup, drops) {
            return fen;
        }
    }
}

fn color(rng: &mut ChaCha8Rng) -> Color {
    Color::from_white(rng.random_bool(0.5))
}

/// Puts a man on a random empty square that is allowed for its role.
fn put(board: &mut Board, role: Role, color: Color, rng: &mut ChaCha8Rng) {
    let barred = match role {
        Role::Pawn => Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth),
        Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => Bitboard::EMPTY,
    };
    let free: Vec<Square> = (!board.occupied() & !barred).into_iter().collect();
    let sq = *free.choose(rng).expect("boards here are never full");
    board.set_piece_at(sq, Piece { color, role });
}

fn put_if_free(board: &mut Board, sq: Square, role: Role, color: Color) {
    if !board.occupied().contains(sq) {
        board.set_piece_at(sq, Piece { color, role });
    }
}

fn kings(rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board::empty();
    for color in Color::ALL {
        put(&mut board, Role::King, color, rng);
    }
    board
}

fn add(board: &mut Board, men: &[Role], count: std::ops::Range<u32>, rng: &mut ChaCha8Rng) {
    for _ in 0..rng.random_range(count) {
        let color = color(rng);
        let role = *men.choose(rng).expect("the list is not empty");
        put(board, role, color, rng);
    }
}

fn setup(board: Board, rng: &mut ChaCha8Rng) -> Setup {
    Setup {
        board,
        turn: color(rng),
        ..Setup::empty()
    }
}

fn ending(rng: &mut ChaCha8Rng) -> Setup {
    let mut board = kings(rng);
    add(&mut board, &MEN, 0..6, rng);
    setup(board, rng)
}

fn many_promoted(rng: &mut ChaCha8Rng) -> Setup {
    let mut board = kings(rng);
    let favourite = *OFFICERS.choose(rng).expect("the list is not empty");
    let rich = color(rng);
    for _ in 0..rng.random_range(3..10) {
        put(&mut board, favourite, rich, rng);
    }
    add(&mut board, &OFFICERS, 2..10, rng);
    setup(board, rng)
}

fn about_to_promote(rng: &mut ChaCha8Rng) -> Setup {
    let mut board = kings(rng);
    for color in Color::ALL {
        let (seventh, eighth) = match color {
            Color::White => (Rank::Seventh, Rank::Eighth),
            Color::Black => (Rank::Second, Rank::First),
        };
        for file in File::ALL {
            if rng.random_bool(0.4) {
                put_if_free(
                    &mut board,
                    Square::from_coords(file, seventh),
                    Role::Pawn,
                    color,
                );
            }
            if rng.random_bool(0.3) {
                let role = *OFFICERS.choose(rng).expect("the list is not empty");
                put_if_free(&mut board, Square::from_coords(file, eighth), role, !color);
            }
        }
    }
    add(&mut board, &OFFICERS, 0..3, rng);
    setup(board, rng)
}

/// Makes a board for captures en passant. A pawn has just made a double step, or can make it now.
/// Usually one or two enemy pawns stand beside the square on which it lands. Kings, rooks, bishops
/// and queens often stand on lines that decide whether the capture is legal.
fn en_passant(rng: &mut ChaCha8Rng) -> Setup {
    let us = color(rng);
    let (from, passed, here) = match us {
        Color::White => (Rank::Seventh, Rank::Sixth, Rank::Fifth),
        Color::Black => (Rank::Second, Rank::Third, Rank::Fourth),
    };
    let file = rng.random_range(0..8u32);
    let mut board = Board::empty();
    let on = |f: u32, rank| Square::from_coords(File::new(f), rank);
    put_if_free(&mut board, on(file, here), Role::Pawn, !us);
    for beside in [file.checked_sub(1), Some(file + 1).filter(|f| *f < 8)] {
        if rng.random_bool(0.7)
            && let Some(f) = beside
        {
            put_if_free(&mut board, on(f, here), Role::Pawn, us);
        }
    }
    let pinned = rng.random_bool(0.4);
    if pinned {
        pin_along_the_rank(&mut board, us, here, rng);
    }
    let stood = on(file, from);
    let over = on(file, passed);
    let soon = rng.random_bool(0.4);
    for _ in 0..40 {
        let mut filled = board.clone();
        for color in Color::ALL {
            if (filled.by_color(color) & filled.kings()).is_empty() {
                put(&mut filled, Role::King, color, rng);
            }
        }
        add(
            &mut filled,
            &[Role::Rook, Role::Bishop, Role::Queen],
            0..4,
            rng,
        );
        add(&mut filled, &MEN, 0..4, rng);
        if !filled.occupied().contains(stood) && !filled.occupied().contains(over) {
            if soon {
                filled.discard_piece_at(on(file, here));
                put_if_free(&mut filled, stood, Role::Pawn, !us);
                return Setup {
                    board: filled,
                    turn: !us,
                    ..Setup::empty()
                };
            }
            return Setup {
                board: filled,
                turn: us,
                ep_square: Some(over),
                ..Setup::empty()
            };
        }
    }
    ending(rng)
}

/// Puts a king on one end of a rank, and an enemy rook or queen on the other
/// end.
fn pin_along_the_rank(board: &mut Board, us: Color, rank: Rank, rng: &mut ChaCha8Rng) {
    let ends = if rng.random_bool(0.5) {
        [File::A, File::H]
    } else {
        [File::H, File::A]
    };
    let role = *[Role::Rook, Role::Queen]
        .choose(rng)
        .expect("the list is not empty");
    put_if_free(board, Square::from_coords(ends[0], rank), Role::King, us);
    put_if_free(board, Square::from_coords(ends[1], rank), role, !us);
}

fn castling(rng: &mut ChaCha8Rng) -> Setup {
    let mut board = Board::empty();
    let mut rights = Bitboard::EMPTY;
    for (color, king, corners) in [
        (Color::White, Square::E1, [Square::A1, Square::H1]),
        (Color::Black, Square::E8, [Square::A8, Square::H8]),
    ] {
        put_if_free(&mut board, king, Role::King, color);
        for corner in corners {
            if rng.random_bool(0.85) {
                put_if_free(&mut board, corner, Role::Rook, color);
                if rng.random_bool(0.9) {
                    rights.add(corner);
                }
            }
        }
    }
    add(&mut board, &OFFICERS, 0..5, rng);
    add(&mut board, &[Role::Pawn], 0..10, rng);
    Setup {
        castling_rights: rights,
        ..setup(board, rng)
    }
}

/// Makes an open board on which the side to move is in check, often by two men at once.
fn checked(rng: &mut ChaCha8Rng) -> Setup {
    let least = if rng.random_bool(0.4) { 2 } else { 1 };
    loop {
        let mut board = kings(rng);
        let us = color(rng);
        for _ in 0..rng.random_range(1..5) {
            let role = *OFFICERS.choose(rng).expect("the list is not empty");
            put(&mut board, role, !us, rng);
        }
        for _ in 0..rng.random_range(0..7) {
            let role = *MEN.choose(rng).expect("the list is not empty");
            put(&mut board, role, us, rng);
        }
        let king = board.king_of(us).expect("each side has a king");
        if board.attacks_to(king, !us, board.occupied()).count() >= least {
            return Setup {
                board,
                turn: us,
                ..Setup::empty()
            };
        }
    }
}

/// Makes a board with a king in a corner and few other men, so that mate and
/// stalemate are likely.
fn cornered(rng: &mut ChaCha8Rng) -> Setup {
    let mut board = Board::empty();
    let poor = color(rng);
    let corner = *[Square::A1, Square::H1, Square::A8, Square::H8]
        .choose(rng)
        .expect("the list is not empty");
    put_if_free(&mut board, corner, Role::King, poor);
    put(&mut board, Role::King, !poor, rng);
    for _ in 0..rng.random_range(1..4) {
        let role = *[Role::Queen, Role::Rook, Role::Pawn, Role::Bishop]
            .choose(rng)
            .expect("the list is not empty");
        put(&mut board, role, !poor, rng);
    }
    for _ in 0..rng.random_range(0..3) {
        put(&mut board, Role::Pawn, poor, rng);
    }
    setup(board, rng)
}

/// Makes a board with many pawns that face each other. The board tests pawn tries, pins, and
/// the limit of pawn captures in one turn.
fn pawn_wall(rng: &mut ChaCha8Rng) -> Setup {
    let mut board = kings(rng);
    for file in File::ALL {
        let rank = rng.random_range(1..6u32);
        let low = Square::from_coords(file, Rank::new(rank));
        let high = Square::from_coords(file, Rank::new(rank + 1));
        if rng.random_bool(0.85) {
            put_if_free(&mut board, low, Role::Pawn, Color::White);
        }
        if rng.random_bool(0.85) {
            put_if_free(&mut board, high, Role::Pawn, Color::Black);
        }
    }
    add(&mut board, &OFFICERS, 0..6, rng);
    setup(board, rng)
}

fn crowd(rng: &mut ChaCha8Rng) -> Setup {
    let mut board = kings(rng);
    add(&mut board, &MEN, 10..26, rng);
    setup(board, rng)
}

/// Adds men to the reserves, and marks some of the men on the board as
/// promoted.
fn with_reserves(setup: &mut Setup, rng: &mut ChaCha8Rng) {
    let mut pockets: ByColor<ByRole<u8>> = ByColor::default();
    for _ in 0..rng.random_range(0..6) {
        let role = *MEN.choose(rng).expect("the list is not empty");
        let piece = Piece {
            color: color(rng),
            role,
        };
        *pockets.piece_mut(piece) += 1;
    }
    setup.pockets = Some(pockets);
    let officers = setup.board.occupied() & !setup.board.kings() & !setup.board.pawns();
    for sq in officers & !setup.castling_rights {
        if rng.random_bool(0.3) {
            setup.promoted.add(sq);
        }
    }
}

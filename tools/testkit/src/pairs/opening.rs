//! Chooses the rules and the two start positions of a pair.

use rand::{RngExt, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use referee::{Game, Opened, StartPosition};
use rules::{
    Choices, Listener, ReserveUse, Ruleset,
    chess::{Bitboard, CastlingSide, Color, File, Piece, Rank, Role, Setup, Square, fen::Fen},
    rulesets,
};

use super::heard_by;
use crate::starts;

/// Number of random rulesets. The pairs use the named rulesets, then this number of random
/// rulesets, then the named rulesets again.
pub const CUSTOM: u64 = 4;

/// Returns the ruleset of a pair. The named rulesets come first, then random
/// rulesets, and then the named rulesets again.
pub(super) fn ruleset(rng: &mut ChaCha8Rng, index: u64) -> Ruleset {
    let named = rulesets::ALL.len() as u64;
    let turn = index % (named + CUSTOM);
    match rulesets::ALL.get(turn as usize) {
        Some(ruleset) => ruleset.clone(),
        None => Ruleset {
            id: "custom".into(),
            choices: custom(rng),
            ..rulesets::RAND
        },
    }
}

/// Takes the choices of a named ruleset, and changes some of them. The returned choices do not
/// contradict each other.
fn custom(rng: &mut ChaCha8Rng) -> Choices {
    loop {
        let base = rulesets::ALL.choose(rng).expect("there are rulesets");
        let mut choices = base.choices;
        for _ in 0..rng.random_range(2..12) {
            let field = Choices::FIELDS.choose(rng).expect("there are choices");
            let (value, _) = field.values.choose(rng).expect("a choice has values");
            choices
                .set(field.name, value)
                .expect("the value belongs to this field");
        }
        if choices.check().is_ok() {
            return choices;
        }
    }
}

/// Returns the two openings of a pair: often the usual start twice, sometimes
/// another position twice. Sometimes the two start positions are different, but
/// the listener hears the same about both.
pub(super) fn openings(rng: &mut ChaCha8Rng, ruleset: &Ruleset, listener: Listener) -> [Opened; 2] {
    let choices = ruleset.choices;
    let drops = choices.reserve == ReserveUse::Drops;
    let open = |start: &StartPosition| Opened::new(ruleset, choices, start.clone());
    let usual = open(&StartPosition::initial());
    if rng.random_bool(0.4) {
        return [usual.clone(), usual];
    }
    for _ in 0..20 {
        let fen = if rng.random_bool(0.6) {
            starts::playout(rng, drops)
        } else {
            starts::random(rng, drops)
        };
        let Ok(start) = StartPosition::from_fen(&fen, &choices) else {
            continue;
        };
        let first = open(&start);
        let game = Game::open(first.clone());
        if game.over().is_some() {
            continue;
        }
        if rng.random_bool(0.3) {
            return [first.clone(), first];
        }
        for _ in 0..30 {
            let Some(twin) = changed(rng, &fen, listener) else {
                continue;
            };
            let Ok(start) = StartPosition::from_fen(&twin, &choices) else {
                continue;
            };
            let second = open(&start);
            let twin = Game::open(second.clone());
            let alike = twin.start(listener) == game.start(listener)
                && heard_by(listener, &twin.opening_calls())
                    == heard_by(listener, &game.opening_calls());
            if alike {
                return [first, second];
            }
        }
        return [first.clone(), first];
    }
    [usual.clone(), usual]
}

/// Changes some of the men and castling rights that the listener does not see. Also changes the
/// counters of moves and half-moves.
fn changed(rng: &mut ChaCha8Rng, fen: &str, listener: Listener) -> Option<String> {
    let fen: Fen = fen.parse().ok()?;
    let mut setup = fen.into_setup();
    let unseen: Vec<Color> = Color::ALL
        .into_iter()
        .filter(|color| listener.color() != Some(*color))
        .collect();
    for _ in 0..rng.random_range(1..8) {
        let color = *unseen.choose(rng)?;
        change(rng, &mut setup, color);
    }
    setup.halfmoves = rng.random_range(0..90);
    setup.fullmoves = rng.random_range(1..90).try_into().ok()?;
    Some(Fen::try_from_setup(setup).ok()?.to_string())
}

fn change(rng: &mut ChaCha8Rng, setup: &mut Setup, color: Color) {
    let men: Vec<Square> = setup.board.by_color(color).into_iter().collect();
    let Some(from) = men.choose(rng).copied() else {
        return;
    };
    let Some(piece) = setup.board.piece_at(from) else {
        return;
    };
    match rng.random_range(0..10) {
        0 if piece.role != Role::King => setup.board.discard_piece_at(from),
        1 if !matches!(piece.role, Role::King | Role::Pawn) => {
            let role = *[Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
                .choose(rng)
                .unwrap_or(&Role::Knight);
            setup.board.set_piece_at(from, Piece { color, role });
        }
        2 => setup.castling_rights.discard(Bitboard::from_rank(
            color.fold_wb(Rank::First, Rank::Eighth),
        )),
        3 => castle_again(setup, color),
        4 => setup.ep_square = None,
        _ => {
            let to = Square::ALL[rng.random_range(0..64)];
            let back = matches!(to.rank(), Rank::First | Rank::Eighth);
            if setup.board.piece_at(to).is_some() || (piece.role == Role::Pawn && back) {
                return;
            }
            setup.board.discard_piece_at(from);
            setup.board.set_piece_at(to, piece);
            setup.promoted.set(to, setup.promoted.contains(from));
        }
    }
    setup.promoted &= setup.board.occupied();
    // A castling right without its rook or king would make the position illegal, so such a right is
    // removed.
    for color in Color::ALL {
        let home = color.fold_wb(Rank::First, Rank::Eighth);
        let king = setup.board.king_of(color) == Some(Square::from_coords(File::E, home));
        for side in CastlingSide::ALL {
            let corner = Square::from_coords(
                match side {
                    CastlingSide::KingSide => File::H,
                    CastlingSide::QueenSide => File::A,
                },
                home,
            );
            let rook = setup.board.piece_at(corner)
                == Some(Piece {
                    color,
                    role: Role::Rook,
                });
            if !(king && rook) {
                setup.castling_rights.discard(corner);
            }
        }
    }
}

/// Adds both castling rights. The caller then removes the rights that the men do not allow.
fn castle_again(setup: &mut Setup, color: Color) {
    let home = color.fold_wb(Rank::First, Rank::Eighth);
    for file in [File::A, File::H] {
        setup.castling_rights.add(Square::from_coords(file, home));
    }
}

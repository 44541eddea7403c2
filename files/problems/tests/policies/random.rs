//! Random small beliefs.

use belief::Situation;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use referee::{Game, Opened, StartPosition};
use rules::{
    Choices, Heard, Listener, Mates, Ruleset,
    chess::{Color, Piece, Role, Setup, Square, fen::Fen},
    heard_by, rulesets,
};

/// A random problem: a few positions that the seat cannot distinguish, and a number of moves.
pub struct Random {
    pub ruleset: &'static Ruleset,
    pub choices: Choices,
    pub seat: Color,
    pub fens: Vec<String>,
    pub moves: u8,
}

impl Random {
    pub fn situations(&self) -> Vec<Situation> {
        let read = |fen: &String| Situation::from_fen(&self.choices, self.seat, fen);
        self.fens
            .iter()
            .map(|fen| read(fen).expect("the FEN was checked"))
            .collect()
    }

    pub fn games(&self) -> Vec<Game> {
        let open = |fen: &String| open(self.ruleset, &self.choices, fen);
        self.fens
            .iter()
            .map(|fen| open(fen).expect("the FEN was checked"))
            .collect()
    }
}

pub fn open(ruleset: &Ruleset, choices: &Choices, fen: &str) -> Option<Game> {
    let start = StartPosition::from_fen(fen, choices).ok()?;
    let game = Game::open(Opened::new(ruleset, *choices, start));
    game.to_move().is_some().then_some(game)
}

/// Returns what the seat hears as the game opens.
pub fn opening(game: &Game, seat: Color) -> Vec<Heard> {
    heard_by(&game.opening_calls(), Listener::from(seat)).collect()
}

/// Puts a man on one of these squares, if one is free.
pub fn put(setup: &mut Setup, squares: &[Square], piece: Piece, rng: &mut ChaCha8Rng) {
    for _ in 0..20 {
        let Some(sq) = squares.choose(rng) else {
            return;
        };
        let edge = matches!(sq.rank().to_u32(), 0 | 7);
        if setup.board.piece_at(*sq).is_none() && !(edge && piece.role == Role::Pawn) {
            setup.board.set_piece_at(*sq, piece);
            return;
        }
    }
}

/// Returns a random problem, or nothing if no valid position was found. `index` is the seed and
/// chooses the ruleset.
pub fn random(index: u64) -> Option<Random> {
    let mut rng = ChaCha8Rng::seed_from_u64(0x0073_6f6c_7665_0000 ^ index);
    let rng = &mut rng;
    let ruleset = &rulesets::ALL[(index % rulesets::ALL.len() as u64) as usize];
    let choices = Choices {
        mates: Mates::Announced,
        ..ruleset.choices
    };
    let seat = Color::from_white(rng.random_bool(0.5));
    let all: Vec<Square> = Square::ALL.to_vec();
    // The opponent's king is near a corner, so that mates are frequent.
    let corner = *[Square::A1, Square::H1, Square::A8, Square::H8]
        .choose(rng)
        .expect("there are four corners");
    let near: Vec<Square> = all
        .iter()
        .copied()
        .filter(|sq| sq.distance(corner) <= 2)
        .collect();
    let mut own = Setup::empty();
    own.turn = seat;
    let area: Vec<Square> = all
        .iter()
        .copied()
        .filter(|sq| sq.distance(corner) <= 4)
        .collect();
    put(
        &mut own,
        &area,
        Piece {
            color: seat,
            role: Role::King,
        },
        rng,
    );
    for _ in 0..rng.random_range(2..5) {
        let role = *[
            Role::Queen,
            Role::Queen,
            Role::Rook,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
            Role::Pawn,
        ]
        .choose(rng)
        .expect("there are roles");
        put(&mut own, &all, Piece { color: seat, role }, rng);
    }
    let mut fens: Vec<String> = Vec::new();
    let mut sounds: Option<Vec<Heard>> = None;
    let others: Vec<Role> = (0..rng.random_range(0..3))
        .filter_map(|_| {
            [
                Role::Pawn,
                Role::Pawn,
                Role::Knight,
                Role::Bishop,
                Role::Rook,
            ]
            .choose(rng)
            .copied()
        })
        .collect();
    let wanted = rng.random_range(1..5);
    for _ in 0..40 {
        if fens.len() == wanted {
            break;
        }
        let mut setup = own.clone();
        let color = seat.other();
        put(
            &mut setup,
            &near,
            Piece {
                color,
                role: Role::King,
            },
            rng,
        );
        for role in &others {
            if rng.random_bool(0.8) {
                put(&mut setup, &area, Piece { color, role: *role }, rng);
            }
        }
        let Ok(fen) = Fen::try_from_setup(setup) else {
            continue;
        };
        let fen = fen.to_string();
        let Some(game) = open(ruleset, &choices, &fen) else {
            continue;
        };
        let heard = opening(&game, seat);
        let alike = *sounds.get_or_insert_with(|| heard.clone()) == heard;
        if alike && !fens.contains(&fen) {
            fens.push(fen);
        }
    }
    let moves = if rng.random_bool(0.7) { 2 } else { 1 };
    (!fens.is_empty()).then_some(Random {
        ruleset,
        choices,
        seat,
        fens,
        moves,
    })
}

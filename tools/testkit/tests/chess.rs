//! Compares the chess rules of the oracle with published move counts and with three
//! other programs.

use cozy_chess::Board as Cozy;
use owlchess::{Board as Owl, movegen};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use rules::{
    Choices, Try,
    chess::{
        CastlingMode, EnPassantMode, File, Move, Position, Square, fen::Fen, variant::Crazyhouse,
    },
    rulesets,
};
use testkit::{oracle::Oracle, starts};

/// Returns the choices under which material, repetition and the fifty-move rule do not end a game.
fn endless() -> Choices {
    rulesets::WESTERN.choices
}

fn open(fen: &str) -> Oracle {
    Oracle::open("custom", endless(), Some(fen)).expect("the FEN can be read")
}

fn perft(oracle: &Oracle, depth: u32) -> usize {
    let legal = oracle.legal_tries();
    if depth == 1 {
        return legal.len();
    }
    legal
        .into_iter()
        .map(|t| {
            let mut after = oracle.clone();
            let by = after.to_move().expect("the game is not over");
            after
                .attempt(by, t.into())
                .expect("the attempt is not refused");
            perft(&after, depth - 1)
        })
        .sum()
}

#[test]
fn perft_counts_equal_published_counts() {
    #[rustfmt::skip]
    let rows = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8902, 197_281][..]),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2039, 97_862]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43_238]),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9467]),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1486, 62_379]),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", &[46, 2079, 89_890]),
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", &[218]),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", &[24, 496, 9483]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &[26, 568, 13_744]),
    ];
    for (fen, counts) in rows {
        let oracle = open(fen);
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&oracle, depth), *count, "{fen} to depth {depth}");
        }
    }
}

/// Removes the en passant square, because programs have different rules for writing it.
fn but_en_passant(fen: &str) -> Vec<&str> {
    let fields: Vec<&str> = fen.split(' ').collect();
    [&fields[..3], &fields[4..]].concat()
}

fn texts<T: ToString>(of: impl IntoIterator<Item = T>) -> Vec<String> {
    let mut texts: Vec<String> = of.into_iter().map(|t| t.to_string()).collect();
    texts.sort();
    texts
}

fn compare(oracle: &Oracle) {
    let fen = oracle.fen();
    let ours = texts(oracle.legal_tries());
    let checkers = texts(oracle.checkers());

    let cozy = Cozy::from_fen(&fen, false).expect(&fen);
    let mut theirs = Vec::new();
    cozy.generate_moves(|moves| {
        theirs.extend(
            moves
                .into_iter()
                .map(|m| cozy_chess::util::display_uci_move(&cozy, m).to_string()),
        );
        false
    });
    theirs.sort();
    assert_eq!(ours, theirs, "cozy-chess at {fen}");
    assert_eq!(checkers, texts(cozy.checkers()), "cozy-chess at {fen}");

    let owl = Owl::from_fen(&fen).expect(&fen);
    let theirs = texts(movegen::legal::gen_all(&owl).iter().map(|m| m.uci()));
    assert_eq!(ours, theirs, "owlchess at {fen}");
    assert_eq!(checkers, texts(owl.checkers()), "owlchess at {fen}");
}

#[test]
fn random_games_agree_with_cozy_chess_and_owlchess() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut positions = 0;
    for game in 0..250 {
        let fen = if game % 4 == 0 {
            starts::NAMED[0].fen.to_owned()
        } else {
            starts::random(&mut rng, false)
        };
        // These programs do not read half-move counters above 100, so the
        // counters are replaced.
        let fen = format!("{} 0 1", but_counts(&fen));
        let mut oracle = open(&fen);
        let mut cozy = Cozy::from_fen(&fen, false).expect(&fen);
        let mut owl = Owl::from_fen(&fen).expect(&fen);
        for _ in 0..60 {
            compare(&oracle);
            positions += 1;
            let legal = oracle.legal_tries();
            let (Some(by), Some(t)) = (oracle.to_move(), legal.choose(&mut rng)) else {
                break;
            };
            oracle.attempt(by, (*t).into()).unwrap();
            let m = cozy_chess::util::parse_uci_move(&cozy, &t.to_string()).unwrap();
            cozy.play(m);
            owl = owl
                .make_move(owlchess::moves::make::Uci(t.to_string()))
                .unwrap();
            let fen = oracle.fen();
            assert_eq!(but_en_passant(&fen), but_en_passant(&cozy.to_string()));
            assert_eq!(but_en_passant(&fen), but_en_passant(&owl.as_fen()));
        }
    }
    println!("{positions} positions agree with cozy-chess and owlchess");
}

fn but_counts(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

fn as_try(m: Move) -> Try {
    match m {
        Move::Normal {
            from,
            to,
            promotion,
            ..
        } => Try::Step {
            from,
            to,
            promotion,
        },
        Move::EnPassant { from, to } => Try::step(from, to),
        Move::Castle { king, rook } => {
            let file = if rook.file() == File::H {
                File::G
            } else {
                File::C
            };
            let to = Square::from_coords(file, king.rank());
            Try::step(king, to)
        }
        Move::Put { role, to } => Try::Drop { role, to },
    }
}

#[test]
fn random_crazyhouse_games_agree_with_shakmaty() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let choices = rulesets::by_id("crazykrieg").unwrap().choices;
    let mut positions = 0;
    for game in 0..120 {
        let fen = if game % 3 == 0 {
            starts::playout(&mut rng, true)
        } else {
            starts::random(&mut rng, true)
        };
        let mut oracle = Oracle::open("crazykrieg", choices, Some(&fen)).unwrap();
        let read: Fen = fen.parse().unwrap();
        let mut house: Crazyhouse = read.into_position(CastlingMode::Standard).unwrap();
        for _ in 0..60 {
            positions += 1;
            let legal = house.legal_moves();
            let theirs = texts(legal.iter().map(|m| as_try(*m)));
            assert_eq!(texts(oracle.legal_tries()), theirs, "{}", oracle.fen());
            assert_eq!(texts(oracle.checkers()), texts(house.checkers()));
            let written = Fen::try_from_setup(house.to_setup(EnPassantMode::Legal)).unwrap();
            assert_eq!(oracle.fen(), written.to_string());
            let (Some(by), Some(m)) = (oracle.to_move(), legal.choose(&mut rng)) else {
                break;
            };
            house.play_unchecked(*m);
            oracle.attempt(by, as_try(*m).into()).unwrap();
            if rng.random_bool(0.002) {
                break;
            }
        }
    }
    println!("{positions} positions agree with shakmaty's Crazyhouse");
}

//! The solver's answers to fixed questions are those that are recorded: whether there is a mate, in
//! how many positions the certificate proves it, and the bounds of the best policy. The referee
//! confirms each certificate again.
//!
//! `KRIEGSPIEL_RECORDED`: number of random questions; the default is 150.
//! With `KRIEGSPIEL_BLESS=1` the file is written again.

use std::{env, fmt, fs, path::Path};

use belief::Situation;
use problems::certify::mate_certificate;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use rules::{
    Choices, Heard, Mates, ReserveUse, Ruleset,
    chess::{ByColor, ByRole, Color, Piece, Role, Setup, Square, fen::Fen},
    rulesets,
};
use solver::search::{Decision, MateQuestion, SearchLimits, Solver};

use super::{
    certificates::{certificate, proved},
    number,
    random::{Random, open, opening, put, random},
};

/// Maximum number of positions examined for a question.
const MAX_NODES: u64 = 100_000;

/// Questions in which a rule decides that random questions seldom show: ruleset, own moves,
/// positions.
const CHOSEN: &[(&str, u8, &[&str])] = &[
    // A mate by promotion to a knight. Under `ks`, a promotion that names no man makes a queen.
    ("berkeley", 1, &["6br/5P1k/5K2/6P1/8/8/8/8 w - - 0 1"]),
    ("eastern", 1, &["6br/5P1k/5K2/6P1/8/8/8/8 w - - 0 1"]),
    ("rand", 1, &["6br/5P1k/5K2/6P1/8/8/8/8 w - - 0 1"]),
    ("ks", 1, &["6br/5P1k/5K2/6P1/8/8/8/8 w - - 0 1"]),
    // Mates by castling and by a capture en passant.
    ("wild16", 1, &["4R3/8/8/8/7R/3k4/1P6/R3K3 w Q - 0 1"]),
    ("berkeley", 1, &["3rkr2/5p2/8/3pP3/8/7B/8/K3R3 w - d6 0 1"]),
    // The positions differ only in the right to capture en passant. Without this right there is no
    // mate.
    (
        "berkeley",
        2,
        &[
            "3rkr2/5p2/8/3pP3/8/7B/8/K3R3 w - - 0 1",
            "3rkr2/5p2/8/3pP3/8/7B/8/K3R3 w - d6 0 1",
        ],
    ),
    // The positions differ only in the opponent's right to castle. With this right there is no mate.
    (
        "berkeley",
        2,
        &[
            "4k2r/R6p/8/8/8/8/8/3R2K1 w k - 0 1",
            "4k2r/R6p/8/8/8/8/8/3R2K1 w - - 0 1",
        ],
    ),
    // The fifty-move rule ends the game before the mate.
    ("wild16", 2, &["7k/8/5K2/8/8/8/8/1Q6 w - - 98 80"]),
    // A reply that gives check.
    (
        "berkeley",
        2,
        &["3rkr2/3p1p2/3P1P1B/B7/3p4/8/4K3/R7 w - - 0 1"],
    ),
    // A mate in 3 under a ruleset in which an answer to a question can restrict the next attempts.
    ("eastern", 3, &["7k/8/4K3/8/8/8/8/1Q6 w - - 0 1"]),
    // Under `ks+p`, the opponent can end the game with three refused pawn captures. Under `ks`, the
    // opponent cannot.
    (
        "ks+p",
        2,
        &[
            "7k/5K1p/7P/p1p5/P1RP4/8/1P6/8 w - - 0 1",
            "7k/5K1p/7P/2p5/P1RP4/8/1P6/8 w - - 0 1",
        ],
    ),
    (
        "ks",
        2,
        &[
            "7k/5K1p/7P/p1p5/P1RP4/8/1P6/8 w - - 0 1",
            "7k/5K1p/7P/2p5/P1RP4/8/1P6/8 w - - 0 1",
        ],
    ),
    // In each position a different pawn capture mates. If three pawn captures were refused in a turn,
    // a fourth one is nonsense. So the seat can try enough pawn captures for three positions, but not
    // for four positions.
    (
        "ks+p",
        1,
        &[
            "5rkr/5p1p/8/5p2/2P3P1/4K3/8/2R3R1 w - - 0 1",
            "5rkr/5p1p/8/7p/2P3P1/4K3/8/2R3R1 w - - 0 1",
            "1rkr4/1p1p4/8/1p6/2P3P1/4K3/8/2R3R1 w - - 0 1",
        ],
    ),
    (
        "ks+p",
        1,
        &[
            "5rkr/5p1p/8/5p2/2P3P1/4K3/8/2R3R1 w - - 0 1",
            "5rkr/5p1p/8/7p/2P3P1/4K3/8/2R3R1 w - - 0 1",
            "1rkr4/1p1p4/8/1p6/2P3P1/4K3/8/2R3R1 w - - 0 1",
            "1rkr4/1p1p4/8/3p4/2P3P1/4K3/8/2R3R1 w - - 0 1",
        ],
    ),
    // One pawn capture mates, but only in the first position. After the answer yes to Any?, the
    // seat must try a pawn capture. A capture that was refused before this answer does not count.
    // So the seat must ask Any? first, and then try this capture.
    (
        "english",
        1,
        &[
            "5rk1/5p1p/8/5n2/6P1/2Q5/1B6/4R1RK w - - 0 1",
            "6k1/5ppp/8/7n/6P1/2Q5/1B6/4R1RK w - - 0 1",
            "r5k1/5ppp/8/8/6P1/2Q5/1B6/4R1RK w - - 0 1",
        ],
    ),
    // Any? tells the positions apart, but the answer yes obliges the seat to make a pawn capture.
    (
        "berkeley-any",
        1,
        &[
            "6k1/5ppp/8/7n/6P1/2Q5/1B6/4R1K1 w - - 0 1",
            "r5k1/5ppp/8/8/6P1/2Q5/1B6/4R1K1 w - - 0 1",
        ],
    ),
];

/// A question, with its ruleset and its weights.
struct Asked {
    ruleset: &'static Ruleset,
    question: MateQuestion,
    weights: Vec<f64>,
}

/// The solver's answer to a question.
struct Answer {
    mate: Option<bool>,
    /// Number of positions in the certificate of a mate; 0 for a certificate that there is no mate.
    certificate: Option<usize>,
    /// Bounds of the best policy.
    best: Option<(f64, f64)>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.mate {
            Some(true) => "mate",
            Some(false) => "none",
            None => "open",
        })?;
        if let Some(positions) = self.certificate {
            write!(f, " {positions}")?;
        }
        match self.best {
            Some((lower, upper)) => write!(f, " {lower:.4}-{upper:.4}"),
            None => Ok(()),
        }
    }
}

impl Asked {
    fn new(random: &Random, moves: u8) -> Asked {
        Asked {
            ruleset: random.ruleset,
            question: MateQuestion {
                choices: random.choices,
                compat: None,
                positions: random.situations(),
                moves,
                turn: Default::default(),
            },
            weights: (0..random.fens.len())
                .map(|i| [1.0, 3.0, 2.0][i % 3])
                .collect(),
        }
    }

    fn chosen((rules, moves, fens): &(&str, u8, &[&str])) -> Asked {
        let ruleset = rulesets::by_id(rules).expect("the ruleset exists");
        let choices = Choices {
            mates: Mates::Announced,
            ..ruleset.choices
        };
        let seat = Color::from_white(fens[0].contains(" w "));
        let fens: Vec<String> = fens.iter().map(|fen| (*fen).to_owned()).collect();
        Asked::new(
            &Random {
                ruleset,
                choices,
                seat,
                fens,
                moves: *moves,
            },
            *moves,
        )
    }

    /// Asks the solver, and checks the certificates of its answer.
    ///
    /// # Errors
    /// The checker refuses a certificate.
    fn answer(&self, solver: &mut Solver) -> Result<Answer, String> {
        let question = &self.question;
        let limits = SearchLimits {
            nodes: MAX_NODES,
            stop: &|| false,
        };
        let outcome = solver
            .solve(question, limits)
            .map_err(|error| error.to_string())?;
        let mate = match &outcome.decision {
            Decision::Mate(_) => Some(true),
            Decision::NoMate(_) => Some(false),
            Decision::Undecided => None,
        };
        let made = certificate(solver, question, &outcome, self.ruleset);
        if let Some(made) = &made {
            proved(made)?;
        }
        let best = if (2..8).contains(&question.positions.len()) && question.moves < 3 {
            let best = solver.best(question, &self.weights, limits);
            let best = best.map_err(|error| error.to_string())?;
            if let Some(policy) = &best.policy {
                let some: Vec<Situation> = best
                    .positions
                    .iter()
                    .map(|i| question.positions[*i])
                    .collect();
                proved(&mate_certificate(
                    &self.ruleset.id,
                    question.moves,
                    &some,
                    policy,
                ))?;
            }
            Some((best.lower, best.upper))
        } else {
            None
        };
        Ok(Answer {
            mate,
            certificate: made.map(|made| if made.mate { made.positions.len() } else { 0 }),
            best,
        })
    }
}

/// Returns a random question with many pawns, mostly with several positions. `index` chooses the
/// ruleset.
fn crowded(index: u64) -> Option<Random> {
    let mut rng = ChaCha8Rng::seed_from_u64(0x0063_726f_7764_0000 ^ index);
    let rng = &mut rng;
    let ruleset = &rulesets::ALL[(index % rulesets::ALL.len() as u64) as usize];
    let choices = Choices {
        mates: Mates::Announced,
        ..ruleset.choices
    };
    let seat = Color::from_white(rng.random_bool(0.5));
    let all: Vec<Square> = Square::ALL.to_vec();
    let center = *all.choose(rng).expect("there are squares");
    let area = |most| -> Vec<Square> {
        let near = |sq: &Square| sq.distance(center) <= most;
        all.iter().copied().filter(near).collect()
    };
    let mut own = Setup::empty();
    own.turn = seat;
    let add = |own: &mut Setup, squares: &[Square], role: Role, rng: &mut ChaCha8Rng| {
        put(own, squares, Piece { color: seat, role }, rng);
    };
    add(&mut own, &all, Role::King, rng);
    for _ in 0..rng.random_range(2..4) {
        let role = *[
            Role::Queen,
            Role::Rook,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
        ]
        .choose(rng)
        .expect("there are roles");
        add(&mut own, &all, role, rng);
    }
    for _ in 0..rng.random_range(1..7) {
        add(&mut own, &area(3), Role::Pawn, rng);
    }
    if choices.reserve == ReserveUse::Drops {
        let mut reserves: ByColor<ByRole<u8>> = ByColor::default();
        for color in Color::ALL {
            let role = *[Role::Pawn, Role::Knight, Role::Rook]
                .choose(rng)
                .expect("there are roles");
            *reserves.get_mut(color).get_mut(role) = rng.random_range(0..2);
        }
        own.pockets = Some(reserves);
    }
    let mut fens: Vec<String> = Vec::new();
    let mut sounds: Option<Vec<Heard>> = None;
    let wanted = rng.random_range(1..7);
    for _ in 0..60 {
        if fens.len() == wanted {
            break;
        }
        let mut setup = own.clone();
        let color = seat.other();
        let mut add = |squares: &[Square], role: Role, rng: &mut ChaCha8Rng| {
            put(&mut setup, squares, Piece { color, role }, rng);
        };
        add(&area(1), Role::King, rng);
        for _ in 0..rng.random_range(0..4) {
            let role = *[
                Role::Pawn,
                Role::Pawn,
                Role::Pawn,
                Role::Knight,
                Role::Bishop,
            ]
            .choose(rng)
            .expect("there are roles");
            add(&area(2), role, rng);
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
    let moves = if rng.random_bool(0.5) { 2 } else { 1 };
    (!fens.is_empty()).then_some(Random {
        ruleset,
        choices,
        seat,
        fens,
        moves,
    })
}

fn questions() -> Vec<Asked> {
    let mut all: Vec<Asked> = CHOSEN.iter().map(Asked::chosen).collect();
    for index in 0..number("KRIEGSPIEL_RECORDED", 150) {
        let random = match index % 3 {
            0 => random(index),
            _ => crowded(index),
        };
        if let Some(random) = random {
            let moves = if index % 7 == 0 { 3 } else { random.moves };
            all.push(Asked::new(&random, moves));
        }
    }
    all
}

#[test]
fn answers_are_the_recorded_ones() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/policies/answers.txt");
    let mut solver = Solver::with_bytes(1 << 20);
    let mut lines = Vec::new();
    for (number, asked) in (1..).zip(questions()) {
        let answer = asked.answer(&mut solver);
        let answer = answer.unwrap_or_else(|error| panic!("question {number}: {error}"));
        if answer.mate.is_none() && asked.question.moves > 2 {
            continue;
        }
        lines.push(format!("{number} {} {answer}", asked.ruleset.id));
    }
    if env::var_os("KRIEGSPIEL_BLESS").is_some() {
        fs::write(&path, lines.join("\n") + "\n").expect("the file can be written");
    }
    let recorded = fs::read_to_string(&path).expect("the file can be read");
    assert!(
        recorded.lines().count() >= lines.len(),
        "bless more questions"
    );
    for (line, expected) in lines.iter().zip(recorded.lines()) {
        assert_eq!(line, expected);
    }
}

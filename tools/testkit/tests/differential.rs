//! Compares the referee with the oracle.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rules::{
    Answer, Attempt, Choices, Try,
    chess::{Color, Role, Square},
    rulesets,
};
use testkit::{
    differential,
    real::Real,
    starts,
    umpire::{Action, Setting, Umpire},
};

/// Returns the number of games: 500, or the value of `KRIEGSPIEL_GAMES`.
fn games() -> u64 {
    std::env::var("KRIEGSPIEL_GAMES")
        .ok()
        .map_or(500, |n| n.parse().expect("KRIEGSPIEL_GAMES is a number"))
}

/// Cases that need more games than the short run has.
const RARE: [&str; 4] = [
    "double check file+knight",
    "end fifty",
    "positions with 218 legal moves or more",
    "turns with more than 49 refused tries",
];

fn real(setting: &Setting) -> Result<Box<dyn Umpire>, String> {
    Ok(Box::new(Real::open(setting)?))
}

#[test]
fn referee_and_oracle_agree() {
    match differential::run(0..games(), &real) {
        Ok(coverage) => {
            println!("{coverage}");
            let mut missing = coverage.missing();
            if games() < 5000 {
                missing.retain(|case| !RARE.contains(&&**case));
            }
            assert!(
                missing.is_empty() || games() < 500,
                "never occurred: {missing:?}"
            );
        }
        Err(mismatch) => panic!("{mismatch}"),
    }
}

/// Lists every step that can be written, without and with a promotion, and every drop.
fn everything() -> Vec<Try> {
    let mut all = Vec::new();
    for to in Square::ALL {
        for role in Role::ALL {
            all.push(Try::Drop { role, to });
        }
        for from in Square::ALL {
            for promotion in [None].into_iter().chain(Role::ALL.map(Some)) {
                all.push(Try::Step {
                    from,
                    to,
                    promotion,
                });
            }
        }
    }
    all
}

#[test]
fn answer_is_moved_if_and_only_if_the_try_is_legal() {
    let everything = everything();
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut moves = 0;
    let mut check = |rules: &str, choices: Choices, fen: String| {
        let setting = Setting {
            rules: rules.to_owned(),
            choices,
            fen: Some(fen),
        };
        let real = Real::open(&setting).unwrap();
        let oracle = setting.oracle().unwrap();
        let Some(by) = oracle.to_move() else {
            return;
        };
        let mut moved: Vec<Try> = everything
            .iter()
            .filter(|t| {
                let action = Action::Attempt(by, Attempt::Try(**t));
                real.judge(action)
                    .is_ok_and(|ruling| ruling.answer() == Answer::Moved)
            })
            .copied()
            .collect();
        moved.sort_by_cached_key(Try::to_string);
        assert_eq!(moved, oracle.legal_tries(), "{setting}");
        assert_eq!(moved, real.legal_tries().unwrap(), "{setting}");
        moves += moved.len();
    };
    for _ in 0..25 {
        for rules in ["wild16", "rand", "western", "berkeley", "crazykrieg"] {
            let choices = rulesets::by_id(rules).unwrap().choices;
            let drops = rules == "crazykrieg";
            check(rules, choices, starts::random(&mut rng, drops));
        }
    }
    println!("{moves} legal moves compared in random positions");
}

#[test]
fn promotion_marks_have_no_effect_without_drops() {
    let setting = Setting {
        rules: "wild16".to_owned(),
        choices: rulesets::WILD16.choices,
        fen: Some("4k3/8/8/3r~4/8/8/8/3Q~K3 w - - 0 1".to_owned()),
    };
    let mut real = Real::open(&setting).unwrap();
    let mut oracle = setting.oracle().unwrap();
    assert_eq!(Umpire::fen(&real), oracle.fen());
    let takes = Action::Attempt(Color::White, "d1d5".parse().unwrap());
    assert_eq!(real.act(takes), oracle.act(takes));
    assert_eq!(Umpire::fen(&real), oracle.fen());
}

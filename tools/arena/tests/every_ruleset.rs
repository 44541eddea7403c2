//! Games under every ruleset, and the tries that the views list.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use arena::{Buffers, Opening, PlaySettings, Run, Scribe, play_game};
use bots::{Random, RandomAny, Seed};
use common::{run, run_from};
use referee::{Event, Game, Refusal};
use rules::{
    Attempt, Calls, Listener, PromotionMan, Try, TryLimit,
    chess::{ByColor, Color, Role},
    rulesets,
};
use views::PlayerView;

#[test]
fn bots_play_every_ruleset_to_the_end_or_the_limit_of_plies() {
    for ruleset in &rulesets::ALL {
        for black in ["random", "random+any"] {
            let mut run = run(ruleset);
            run.players[1] = black.parse().unwrap();
            run.games = 20;
            let outcome = run.play(|_| {});
            assert_eq!(outcome.games.len(), 20);
            for game in outcome.games {
                let stopped = game.played.over.is_none();
                assert!(!stopped || game.played.plies == 2000, "{}", ruleset.id);
                assert!(game.played.attempts >= u64::from(game.played.plies));
            }
        }
    }
}

/// Scribe that keeps a separate view for each seat. Compares the legal moves with the tries in the
/// view of the player to move.
#[derive(Default)]
struct Compare {
    views: Option<ByColor<PlayerView>>,
    compared: u64,
    excused: u64,
}

impl Compare {
    fn hear(&mut self, game: &Game, calls: &Calls) {
        let views = self.views.as_mut().unwrap();
        for call in calls {
            for color in Color::ALL {
                if call.audience.includes(Listener::from(color)) {
                    views.get_mut(color).hear(&call.heard);
                }
            }
        }
        let Some(color) = game.to_move() else {
            assert!(views.white.tries().is_empty() && views.black.tries().is_empty());
            return;
        };
        assert!(views.get(color.other()).tries().is_empty());
        let view = views.get(color);
        let tries = view.tries();
        for t in game.sheet().legal_tries() {
            let (choices, turn) = (view.choices(), view.turn());
            let capture = view.own().is_pawn_capture(t);
            let spent =
                capture && choices.try_limit == TryLimit::Three && turn.pawn_captures_refused >= 3;
            let excused = (turn.obliged && !capture) || spent;
            if choices.promotion_man == PromotionMan::QueenOnly && !promotes_to_a_queen(t) {
                continue;
            }
            // The tries must not contain a legal move that an obligation or a limit forbids in this
            // turn. They must contain all other legal moves.
            assert_eq!(
                tries.contains(&t),
                !excused,
                "{} {t} {tries:?} {}",
                game.rules(),
                game.sheet().fen()
            );
            self.compared += 1;
            self.excused += u64::from(excused);
        }
    }
}

fn promotes_to_a_queen(t: Try) -> bool {
    match t {
        Try::Step { promotion, .. } => promotion.is_none_or(|man| man == Role::Queen),
        Try::Drop { .. } => true,
    }
}

impl Scribe for Compare {
    fn opened(&mut self, game: &Game, _: &str, calls: &Calls) {
        self.views = Some(ByColor::new_with(|color| {
            let start = game.start(Listener::from(color));
            PlayerView::open(*game.choices(), color, &start)
        }));
        self.hear(game, calls);
    }

    fn ruled(&mut self, game: &Game, _: Color, _: Attempt, _: &Event, calls: &Calls) {
        self.hear(game, calls);
    }

    fn refused(&mut self, game: &Game, by: Color, attempt: Attempt, why: &Refusal) {
        panic!("{}: {by} {attempt}: {why}", game.rules());
    }

    fn not_understood(&mut self, _: &Game, text: &str, _: &str) {
        panic!("{text}");
    }

    fn gone(&mut self, _: &Game, by: Color, _: &Calls) {
        panic!("{by} is gone");
    }
}

/// Positions from which rare events are likely.
const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

#[test]
fn tries_contain_every_legal_move_and_no_bot_is_refused() {
    let (mut compared, mut excused) = (0, 0);
    for ruleset in &rulesets::ALL {
        for fen in STARTS {
            let Run { opening, .. } = run_from(ruleset, Some(fen));
            let (a, b) = compare(&opening);
            compared += a;
            excused += b;
        }
    }
    println!(
        "{compared} legal moves compared with the tries; an obligation or a limit forbids {excused} of these moves"
    );
    assert!(excused > 1000, "{excused}");
}

fn compare(opening: &Opening) -> (u64, u64) {
    let mut scribe = Compare::default();
    let mut buffers = Buffers::default();
    let settings = PlaySettings {
        max_plies: 300,
        ..PlaySettings::default()
    };
    for seed in 0..4 {
        let mut white = RandomAny::new(Seed { seed, stream: 0 });
        let mut black = RandomAny::new(Seed { seed, stream: 1 });
        let mut quiet = Random::new(Seed { seed, stream: 2 });
        if seed % 2 == 0 {
            play_game(
                opening,
                &settings,
                &mut white,
                &mut black,
                &mut scribe,
                &mut buffers,
            );
        } else {
            play_game(
                opening,
                &settings,
                &mut white,
                &mut quiet,
                &mut scribe,
                &mut buffers,
            );
        }
    }
    (scribe.compared, scribe.excused)
}

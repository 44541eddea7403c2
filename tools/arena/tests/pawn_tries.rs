//! Test that the levels try a pawn capture if a pawn try is announced.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use std::env;

use arena::{Buffers, PlaySettings, play_game};
use bots::{Budget, Player, Seed, by_name};
use common::{Silent, run};
use rules::{Attempt, Heard, Ruleset, Tries, Try, rulesets};
use views::PlayerView;

/// Turns of a player with an announced pawn try.
#[derive(Copy, Clone, Default, Debug)]
struct Turns {
    announced: u32,
    /// Turns in which the player tried at least one pawn capture.
    tried: u32,
    /// Turns that ended with a pawn capture.
    made: u32,
}

/// A player, and its turns with an announced pawn try.
struct Observed {
    player: Box<dyn Player>,
    turns: Turns,
    /// Whether a pawn try is announced in the present turn.
    is_announced: bool,
    has_tried: bool,
    /// Whether the last attempt was a pawn capture after an announcement.
    captures: bool,
}

impl Observed {
    fn new(level: &str, seed: Seed) -> Observed {
        Observed {
            player: by_name(level).unwrap().seat(seed),
            turns: Turns::default(),
            is_announced: false,
            has_tried: false,
            captures: false,
        }
    }

    /// Counts the complete turn, and prepares for the next turn.
    fn end_turn(&mut self) {
        self.turns.announced += u32::from(self.is_announced);
        self.turns.tried += u32::from(self.has_tried);
        self.turns.made += u32::from(self.captures);
        (self.is_announced, self.has_tried, self.captures) = (false, false, false);
    }
}

impl Player for Observed {
    fn hear(&mut self, heard: &Heard) {
        self.player.hear(heard);
    }

    fn begin_turn(&mut self, budget: Budget) {
        self.end_turn();
        self.player.begin_turn(budget);
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        let told = view.turn().tries;
        self.is_announced = matches!(told, Tries::Whether(true) | Tries::Count(1..));
        let attempt = self.player.attempt(view, tries);
        let is_capture = matches!(attempt, Attempt::Try(t) if view.own().is_pawn_capture(t));
        self.captures = self.is_announced && is_capture;
        self.has_tried |= self.captures;
        attempt
    }
}

/// Counts the turns with an announced pawn try, in games of a level against itself.
fn turns(ruleset: &Ruleset, level: &str, games: u64) -> Turns {
    let opening = run(ruleset).opening;
    let settings = PlaySettings {
        max_plies: 120,
        ..PlaySettings::default()
    };
    let mut sums = Turns::default();
    for game in 0..games {
        let mut players = [0, 1].map(|side| {
            let stream = 2 * game + side;
            Observed::new(level, Seed { seed: 1, stream })
        });
        let [white, black] = &mut players;
        play_game(
            &opening,
            &settings,
            white,
            black,
            &mut Silent,
            &mut Buffers::default(),
        );
        for player in &mut players {
            player.end_turn();
            sums.announced += player.turns.announced;
            sums.tried += player.turns.tried;
            sums.made += player.turns.made;
        }
    }
    sums
}

/// `KRIEGSPIEL_PAWN_TRIES` is the number of games for each ruleset and level (default: 4).
///
/// Under `wild16`, the referee announces the number of pawn tries. Under `ks`, the player asks
/// Any?. After the answer yes, the player need not try a pawn capture.
#[test]
fn levels_answer_an_announced_pawn_try() {
    let games = env::var("KRIEGSPIEL_PAWN_TRIES").map_or(4, |n| n.parse().unwrap());
    // The number is the least allowed share of turns that end with a pawn capture, in per cent of
    // the turns with an announced pawn try.
    let cases = [
        (&rulesets::WILD16, "level-1", 40),
        (&rulesets::WILD16, "level-2", 70),
        (&rulesets::WILD16, "level-3", 70),
        (&rulesets::KS, "level-3", 70),
    ];
    for (ruleset, level, least_made) in cases {
        let turns = turns(ruleset, level, games);
        let Turns {
            announced,
            tried,
            made,
        } = turns;
        let id = &ruleset.id;
        println!("figure: {id}, {level}: turns with an announced pawn try {announced}");
        println!("figure: {id}, {level}: turns with a tried pawn capture {tried}");
        println!("figure: {id}, {level}: turns with a pawn capture {made}");
        assert!(announced >= 3 * games as u32, "{id}, {level}: {turns:?}");
        assert!(100 * tried >= 80 * announced, "{id}, {level}: {turns:?}");
        assert!(
            100 * made >= least_made * announced,
            "{id}, {level}: {turns:?}"
        );
    }
}

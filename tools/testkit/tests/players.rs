//! Checks that the attempts of a built-in bot depend only on what the bot's seat hears.

use std::sync::{Arc, atomic::AtomicBool};

use bots::{ALL, Bot, Budget, Player, Seed, by_name};
use referee::Game;
use rules::{Attempt, Calls, chess::Color};
use testkit::pairs::{Pair, heard_by};
use views::PlayerView;

/// How a bot thinks while its opponent is to move.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Ahead {
    /// The bot may not think while the opponent is to move.
    Never,
    /// The bot may think, but is never asked to do so.
    Allowed,
    /// The bot is asked to think, and is stopped at once.
    Stopped,
    /// The bot is asked to think, and is never stopped.
    Completed,
}

/// Returns the attempts of a bot in one game of a pair. The bot is asked for an attempt each time
/// that the listener has heard something and is to move.
fn attempts(
    pair: &Pair,
    seat: Color,
    which: usize,
    bot: &Bot,
    (budget, ahead): (Budget, Ahead),
) -> Vec<Attempt> {
    let seed = Seed {
        seed: pair.index,
        stream: 0,
    };
    let mut player = bot.seat(seed);
    if ahead != Ahead::Never {
        player.allow_thinking_ahead();
    }
    let mut game = Game::open(pair.opened[which].clone());
    let mut view = PlayerView::open(*pair.choices(), seat, &game.start(pair.listener));
    let mut attempts = Vec::new();
    let mut hear = |calls: &Calls| {
        let heard = heard_by(pair.listener, calls);
        for one in &heard {
            view.hear(one);
            player.hear(one);
        }
        if !heard.is_empty() && view.to_move() == Some(seat) {
            player.begin_turn(budget);
            attempts.push(player.attempt(&view, &view.tries()));
        }
        if !heard.is_empty() && view.to_move() == Some(!seat) {
            let stop = |stop: bool| Arc::new(AtomicBool::new(stop));
            match ahead {
                Ahead::Never | Ahead::Allowed => {}
                Ahead::Stopped => player.think_ahead(&view, &stop(true)),
                Ahead::Completed => player.think_ahead(&view, &stop(false)),
            }
        }
    };
    hear(&game.opening_calls());
    for event in pair.log(which).iter().skip(1) {
        let calls = game.calls(event);
        hear(&calls);
        game.apply(event);
    }
    attempts
}

/// Number of pairs for the bots of [`SLOW`].
const SLOW_PAIRS: u64 = 2;
/// Bots that, with their usual budget, need several seconds for one game.
const SLOW: [&str; 4] = ["master", "level-6", "level-5", "mcts"];

#[test]
fn bots_make_equal_attempts_in_games_that_sound_alike() {
    let fast = |bot: &&Bot| !SLOW.contains(&bot.name);
    compare_usual_attempts(ALL.iter().filter(fast), 8);
}

#[test]
fn slow_bots_make_equal_attempts_in_games_that_sound_alike() {
    let slow = |bot: &&Bot| SLOW.contains(&bot.name);
    compare_usual_attempts(ALL.iter().filter(slow), SLOW_PAIRS);
}

/// Returns the number of pairs: the environment variable `KRIEGSPIEL_PLAYER_PAIRS`, or `usual`.
fn pairs(usual: u64) -> u64 {
    std::env::var("KRIEGSPIEL_PLAYER_PAIRS")
        .map_or(usual, |n| n.parse().expect("the variable is a number"))
}

/// Compares the attempts of bots with their usual budget in both games of each pair.
fn compare_usual_attempts<'a>(bots: impl Iterator<Item = &'a Bot> + Clone, usual: u64) {
    let (mut compared, mut differing) = (0, 0);
    for index in 0..pairs(usual) {
        let pair = Pair::make(11, index);
        let Some(seat) = pair.listener.color() else {
            continue;
        };
        for bot in bots.clone() {
            let budget = Budget::Usual;
            let how = (budget, Ahead::Never);
            let [one, other] = [0, 1].map(|which| attempts(&pair, seat, which, bot, how));
            assert_eq!(one, other, "pair {index}, {}", bot.name);
            compared += one.len();
        }
        differing += usize::from(pair.log(0) != pair.log(1));
    }
    println!("figure: attempts compared {compared}\nfigure: pairs of different games {differing}");
    assert!(compared > 40 && differing > 0, "{compared} {differing}");
}

#[test]
fn bots_with_node_budget_agree_in_games_that_sound_alike() {
    let budget = Budget::Nodes(100);
    let (mut compared, mut differing) = (0, 0);
    for index in 0..pairs(8) {
        let pair = Pair::make(12, index);
        let Some(seat) = pair.listener.color() else {
            continue;
        };
        for name in ["master", "level-3", "mcts"] {
            let bot = by_name(name).expect("the name is that of a bot");
            let how = (budget, Ahead::Never);
            let [one, other] = [0, 1].map(|which| attempts(&pair, seat, which, bot, how));
            assert_eq!(one, other, "pair {index}, {name}");
            compared += one.len();
        }
        differing += usize::from(pair.log(0) != pair.log(1));
    }
    assert!(compared > 40 && differing > 0, "{compared} {differing}");
}

#[test]
fn thinking_ahead_does_not_change_attempts() {
    let budget = Budget::Nodes(100);
    let ways = [Ahead::Allowed, Ahead::Stopped, Ahead::Completed];
    let (mut compared, mut differing) = (0, 0);
    for index in 0..pairs(5) {
        let pair = Pair::make(13, index);
        let Some(seat) = pair.listener.color() else {
            continue;
        };
        for name in ["master", "level-4"] {
            let bot = by_name(name).expect("the name is that of a bot");
            let usual = attempts(&pair, seat, 0, bot, (budget, Ahead::Never));
            for ahead in ways {
                // The listener hears the same in the other game, so the attempts must be equal.
                let one = attempts(&pair, seat, 1, bot, (budget, ahead));
                assert_eq!(usual, one, "pair {index}, {name}, {ahead:?}");
                compared += one.len();
            }
        }
        differing += usize::from(pair.log(0) != pair.log(1));
    }
    println!("figure: attempts compared {compared}");
    assert!(compared > 40 && differing > 0, "{compared} {differing}");
}

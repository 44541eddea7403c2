//! Checks that a built-in player depends only on what its seat hears.

use bots::{ALL, Bot, Budget, Player, Seed, by_name};
use referee::Game;
use rules::{Attempt, Calls, chess::Color};
use testkit::pairs::{Pair, heard_by};
use views::PlayerView;

/// Returns the attempts of a bot in one game of a pair: one at each moment at
/// which the listener is to move.
fn attempts(pair: &Pair, seat: Color, which: usize, bot: &Bot, budget: Budget) -> Vec<Attempt> {
    let seed = Seed {
        seed: pair.index,
        stream: 0,
    };
    let mut player = bot.seat(seed);
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
    };
    hear(&game.opening_calls());
    for event in pair.log(which).iter().skip(1) {
        let calls = game.calls(event);
        hear(&calls);
        game.apply(event);
    }
    attempts
}

#[test]
fn games_that_sound_alike_get_the_same_attempts() {
    let wanted = std::env::var("KRIEGSPIEL_PLAYER_PAIRS")
        .map_or(24, |n| n.parse().expect("the variable is a number"));
    let (mut compared, mut differing) = (0, 0);
    for index in 0..wanted {
        let pair = Pair::make(11, index);
        let Some(seat) = pair.listener.color() else {
            continue;
        };
        for bot in ALL {
            let budget = Budget::Usual;
            let [one, other] = [0, 1].map(|which| attempts(&pair, seat, which, bot, budget));
            assert_eq!(one, other, "pair {index}, {}", bot.name);
            compared += one.len();
        }
        differing += usize::from(pair.log(0) != pair.log(1));
    }
    println!("count attempts compared {compared}\ncount pairs of different games {differing}");
    assert!(compared > 100 && differing > 0, "{compared} {differing}");
}

#[test]
fn equal_nodes_give_the_same_attempts_if_games_sound_alike() {
    let budget = Budget::Nodes(300);
    let (mut compared, mut differing) = (0, 0);
    for index in 0..30 {
        let pair = Pair::make(12, index);
        let Some(seat) = pair.listener.color() else {
            continue;
        };
        for name in ["master", "level-3", "mcts", "metaposition"] {
            let bot = by_name(name).expect("the name is that of a bot");
            let [one, other] = [0, 1].map(|which| attempts(&pair, seat, which, bot, budget));
            assert_eq!(one, other, "pair {index}, {name}");
            compared += one.len();
        }
        differing += usize::from(pair.log(0) != pair.log(1));
    }
    assert!(compared > 100 && differing > 0, "{compared} {differing}");
}

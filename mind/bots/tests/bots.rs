//! Tests of the bots with the view of one seat.

use std::time::Duration;

use bots::{ALL, Budget, Player, Random, RandomAny, Seed, by_name};
use rules::{
    Announcement, Attempt, DrawTalk, Heard, Reply, Tries,
    chess::Color,
    rulesets::{ENGLISH, RAND, UMPIRE, WILD16},
};
use views::PlayerView;

const SEED: Seed = Seed { seed: 3, stream: 0 };

#[test]
fn every_bot_is_found_by_its_name() {
    for bot in ALL {
        let found = by_name(bot.name).unwrap();
        assert_eq!(found.about, bot.about);
        assert!(!bot.about.contains('\n'));
    }
    assert!(by_name("stockfish").is_none());
}

#[test]
fn every_bot_resigns_if_no_try_is_left() {
    for bot in ALL {
        let view = PlayerView::initial(UMPIRE.choices, Color::White);
        for seed in 0..200 {
            let mut player = bot.seat(Seed { seed, stream: 0 });
            assert_eq!(player.attempt(&view, &[]), Attempt::Resign, "{}", bot.name);
        }
    }
}

#[test]
fn random_makes_all_tries_about_equally_often() {
    let view = PlayerView::initial(ENGLISH.choices, Color::White);
    let tries = view.tries();
    let mut player = Random::new(SEED);
    let mut seen = vec![0_u32; tries.len()];
    for _ in 0..20_000 {
        let attempt = player.attempt(&view, &tries);
        let at = tries.iter().position(|t| Attempt::Try(*t) == attempt);
        seen[at.expect("the attempt is one of the tries")] += 1;
    }
    let fair = 20_000 / tries.len() as u32;
    assert!(seen.iter().all(|n| n.abs_diff(fair) < fair / 4), "{seen:?}");
}

#[test]
fn random_any_asks_with_probability_one_quarter_but_not_twice() {
    let mut view = PlayerView::initial(ENGLISH.choices, Color::White);
    let tries = view.tries();
    let mut player = RandomAny::new(SEED);
    let mut asked = |view: &PlayerView| {
        (0..10_000)
            .filter(|_| player.attempt(view, &tries) == Attempt::Any)
            .count()
    };
    assert!(asked(&view).abs_diff(2_500) < 220);
    view.hear(&Heard::Reply(Reply::Any {
        by: Color::White,
        answer: false,
    }));
    assert_eq!(asked(&view), 0);
}

#[test]
fn random_any_uses_every_action_of_the_ruleset() {
    let uses = |view: &PlayerView| {
        let tries = view.tries();
        let mut player = RandomAny::new(SEED);
        let mut words: Vec<String> = (0..20_000)
            .map(|_| player.attempt(view, &tries))
            .filter(|a| !matches!(a, Attempt::Try(_)))
            .map(|a| a.to_string())
            .collect();
        words.sort();
        words.dedup();
        words
    };
    let mut view = PlayerView::initial(RAND.choices, Color::White);
    assert_eq!(uses(&view), ["count", "offer-draw", "recap"]);
    view.hear(&Heard::Draw(DrawTalk::Offer { by: Color::White }));
    assert_eq!(uses(&view), ["count", "recap", "withdraw-draw"]);
    view.hear(&Heard::Draw(DrawTalk::Withdrawn { by: Color::White }));
    view.hear(&Heard::Draw(DrawTalk::Offer { by: Color::Black }));
    let all = [
        "accept-draw",
        "count",
        "decline-draw",
        "offer-draw",
        "recap",
    ];
    assert_eq!(uses(&view), all);

    let mut view = PlayerView::initial(WILD16.choices, Color::White);
    assert_eq!(uses(&view), ["offer-draw"]);
    view.hear(&Heard::Announced(Announcement::Tries(Tries::Count(1))));
    assert_eq!(uses(&view), ["offer-draw", "px"]);
}

/// Two bots make the same attempts if they hear the same and have the same seed and number of
/// nodes.
#[test]
fn equal_seeds_and_nodes_give_equal_attempts() {
    for bot in ALL {
        let attempts = |seed| {
            let view = PlayerView::initial(WILD16.choices, Color::White);
            let mut tries = view.tries();
            let mut player = bot.seat(Seed { seed, stream: 0 });
            player.begin_turn(Budget::Nodes(500));
            let mut all = Vec::new();
            for _ in 0..4 {
                let attempt = player.attempt(&view, &tries);
                all.push(attempt);
                tries.retain(|t| Attempt::Try(*t) != attempt);
            }
            all
        };
        assert_eq!(attempts(1), attempts(1), "{}", bot.name);
    }
}

#[test]
fn players_keep_to_their_time_budget() {
    let view = PlayerView::initial(WILD16.choices, Color::White);
    let tries = view.tries();
    for name in ["mcts", "master"] {
        let mut player = by_name(name).unwrap().seat(SEED);
        player.begin_turn(Budget::Time(Duration::from_secs(3600)));
        player.begin_turn(Budget::Time(Duration::from_millis(1)));
        // The second call replaces the budget of one hour. If it did not, the attempts would take
        // too long.
        for _ in 0..3 {
            assert!(matches!(player.attempt(&view, &tries), Attempt::Try(_)));
        }
    }
}

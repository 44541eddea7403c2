//! Checks that a view is the same in two cases: calls are passed directly to the view, or calls are
//! first collected in a list.

use bots::{Player, RandomAny, Seed};
use referee::Game;
use rules::{Calls, Listener, chess::ByColor, rulesets};
use views::{BothViews, PlayerView};

fn views(game: &Game) -> ByColor<PlayerView> {
    ByColor::new_with(|color| {
        let start = game.start(Listener::from(color));
        let mut view = PlayerView::open(*game.choices(), color, &start);
        view.hear_calls(&game.opening_calls());
        view
    })
}

#[test]
fn direct_calls_give_the_same_views_as_collected_calls() {
    let mut calls = Calls::new();
    let mut compared = 0;
    for (stream, ruleset) in (0..).zip(rulesets::ALL.iter().cycle().take(80)) {
        let mut bot = RandomAny::new(Seed { seed: 5, stream });
        let mut listed = Game::from(ruleset);
        let mut straight = listed.clone();
        let mut hears_list = views(&listed);
        let mut hears_straight = hears_list.clone();
        while let Some(by) = listed.to_move() {
            let view = hears_list.get(by);
            let attempt = bot.attempt(view, &view.tries());
            let event = listed.attempt(by, attempt, &mut calls);
            hears_list.white.hear_calls(&calls);
            hears_list.black.hear_calls(&calls);
            let mut both = BothViews {
                white: &mut hears_straight.white,
                black: &mut hears_straight.black,
            };
            assert_eq!(straight.attempt_before(by, attempt, &mut both), event);
            assert_eq!(straight, listed);
            assert_eq!(hears_straight, hears_list, "{attempt} under {}", ruleset.id);
            compared += 1;
            if compared % 400 == 0 {
                break;
            }
        }
    }
    assert!(compared > 5000, "{compared} attempts compared");
}

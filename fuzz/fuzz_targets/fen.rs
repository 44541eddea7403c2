//! Start positions: whatever is read as one can be printed, read again and
//! played from; everything else is refused in words.

#![no_main]

use libfuzzer_sys::fuzz_target;
use referee::{Game, Opened, StartPosition};
use rules::rulesets;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for id in ["wild16", "crazykrieg"] {
        let ruleset = rulesets::by_id(id).expect("a named ruleset");
        let start = match StartPosition::from_fen(text, &ruleset.choices) {
            Ok(start) => start,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        let again = StartPosition::from_fen(&start.fen(), &ruleset.choices);
        assert_eq!(again.map(|s| s.fen()), Ok(start.fen()));

        let game = Game::open(Opened::new(ruleset, ruleset.choices, start));
        assert_eq!(game.over().is_none(), game.to_move().is_some());
        let _ = game.opening_calls();
        // Every legal try is played, and the game of its log is the same game.
        for what in game.sheet().legal_tries() {
            let Some(by) = game.to_move() else { break };
            let ruling = game.judge(by, what.into()).expect("it is his turn");
            let mut live = game.clone();
            live.apply(&ruling.event);
            let log = [game.opened_event(), ruling.event];
            assert_eq!(Game::replay(&log), Ok(live));
        }
    }
});

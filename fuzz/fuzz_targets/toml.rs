//! Ruleset files: whatever is read can stand, can be written and read back;
//! everything else is refused in words.

#![no_main]

use libfuzzer_sys::fuzz_target;
use notation::{Page, read_ruleset, write_ruleset};
use referee::{Game, Opened, StartPosition};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let ruleset = match read_ruleset(text) {
        Ok(ruleset) => ruleset,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert_eq!(ruleset.choices.check(), Ok(()));
    let again = read_ruleset(&write_ruleset(&ruleset)).expect("what we wrote");
    assert_eq!(again.id, ruleset.id);
    assert_eq!(again.choices, ruleset.choices);
    assert!(!Page::of(&ruleset).text(80).is_empty());

    let start = StartPosition::initial();
    let game = Game::open(Opened::new(&ruleset, ruleset.choices, start));
    assert!(game.over().is_none());
});

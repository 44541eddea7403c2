//! Invalid messages and arbitrary typed text must not cause a panic.

use doors::ks::{GameKey, GuestSays, HostSays, Player, message, plain, read_options};
use proptest::prelude::*;

use crate::folder::Folder;

/// Valid messages, from which invalid ones are made.
const SEEDS: &[&str] = &[
    r#"{"type":"hello","version":2,"name":"bert","wants":"anna","game":null}"#,
    r#"{"type":"try","id":"a1","game":"abc234","after":3,"text":"e2e4"}"#,
    r#"{"type":"seated","game":"abc234","seat":"white","rules":"ks","tossed":""}"#,
    r#"{"type":"heard","game":"abc234","hearing":{"n":1,"heard":[{"kind":"moved","by":"white","attempt":"e2e4"},{"kind":"lost","square":"e4","man":"pawn"}],"words":[],"clocks":null}}"#,
    r#"{"type":"answer","id":"a1","game":"abc234","n":2,"answer":"moved","why":""}"#,
    r#"{"type":"said","text":"\u001b[2J"}"#,
];

fn spoilt() -> impl Strategy<Value = Vec<u8>> {
    let seed = prop::sample::select(SEEDS);
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4);
    (seed, changes).prop_map(|(seed, changes)| {
        let mut bytes = seed.as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes
    })
}

fn printable(line: &str) -> bool {
    !line.chars().any(char::is_control)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_message_breaks_a_reader_or_a_player(all in prop::collection::vec(spoilt(), 1..6), noise: Vec<u8>) {
        let folder = Folder::new();
        let names = ["anna", "bert"].map(str::to_owned);
        let mut player = Player::new(names, false, folder.path().to_owned());
        let _unread: Result<GuestSays, _> = message(&noise);
        for bytes in all {
            let _unread: Result<GuestSays, _> = message(&bytes);
            let Ok(says) = message::<HostSays>(&bytes) else { continue };
            // An invalid message causes only an error.
            if let Ok(reaction) = player.hear(says) {
                prop_assert!(reaction.shows.iter().all(|line| printable(line)), "{reaction:?}");
            }
            let _drawn = player.board();
        }
    }

    #[test]
    fn arbitrary_options_keys_and_texts_cause_no_panic(words: Vec<String>, text: String) {
        let _read = read_options(&words);
        let _read = text.parse::<GameKey>();
        prop_assert!(printable(&plain(&text)));
    }

    #[test]
    fn every_answer_to_typed_text_is_printable(lines in prop::collection::vec(any::<String>(), 1..4)) {
        let folder = Folder::new();
        let names = ["anna", "bert"].map(str::to_owned);
        let mut player = Player::new(names, true, folder.path().to_owned());
        let game = SEEDS[2];
        player.hear(message(game.as_bytes()).unwrap()).unwrap();
        for line in lines {
            let reaction = player.typed(&line).unwrap();
            prop_assert!(reaction.shows.iter().all(|line| printable(line)), "{reaction:?}");
        }
    }
}

//! Checks that the program writes exactly the examples of docs/pgn.md.

use std::{fs, path::Path};

use rules::chess::Color;
use scores::{PgnReader, write_player_view, write_umpire_view};

#[test]
fn written_views_equal_the_examples_of_the_page() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pgn.md");
    let page = fs::read_to_string(page).unwrap();
    let blocks: Vec<&str> = page
        .split("```pgn\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    let [umpire, white] = blocks[..] else {
        panic!("the page must have two examples, not {}", blocks.len());
    };
    let game = PgnReader::new(umpire.as_bytes())
        .next()
        .unwrap()
        .unwrap()
        .unwrap();
    let log = game.log().unwrap();
    let mut again = String::new();
    write_umpire_view(&mut again, &game.tags, &log, &[]);
    assert_eq!(again.trim_end(), umpire.trim_end());
    let mut again = String::new();
    write_player_view(&mut again, &game.tags, &log, &[], Color::White);
    assert_eq!(again.trim_end(), white.trim_end());
    let seen = PgnReader::new(white.as_bytes())
        .next()
        .unwrap()
        .unwrap()
        .unwrap();
    assert_eq!(seen.plies.len(), game.plies.len());
}

//! Men as figures of several lines, for large squares.

/// Figure of three lines and five columns, in characters that every terminal
/// has.
pub(crate) fn figure(letter: char) -> Option<[&'static str; 3]> {
    Some(match letter.to_ascii_lowercase() {
        'k' => ["  +  ", r" \K/ ", " /_\\ "],
        'q' => [" ooo ", r" \Q/ ", " /_\\ "],
        'r' => [" nnn ", " |R| ", " /_\\ "],
        'b' => ["  ^  ", " (B) ", " /_\\ "],
        'n' => [" ,^. ", r" <N\ ", " /_\\ "],
        'p' => ["     ", "  o  ", " /_\\ "],
        _ => return None,
    })
}

//! Men as figures of several lines, for large squares.

use rules::chess::Role;

/// Returns a man as a figure of three lines and five columns, in ASCII
/// characters.
pub(crate) const fn figure(role: Role) -> [&'static str; 3] {
    match role {
        Role::King => ["  +  ", r" \K/ ", " /_\\ "],
        Role::Queen => [" ooo ", r" \Q/ ", " /_\\ "],
        Role::Rook => [" nnn ", " |R| ", " /_\\ "],
        Role::Bishop => ["  ^  ", " (B) ", " /_\\ "],
        Role::Knight => [" ,^. ", r" <N\ ", " /_\\ "],
        Role::Pawn => ["     ", "  o  ", " /_\\ "],
    }
}

//! Output of `ks`: the board, and hearings in words.

use notation::{BoardNames, words};
use rules::{
    Announcement, Attempt, Capture, Choices, Heard, Listener, Reply, Tries, Try,
    chess::{Color, File, Piece, Rank, Square},
};
use views::PlayerView;

/// Text that the command `help` prints.
pub const HELP: &str = include_str!("help.txt");

/// Rotates a square by 180 degrees, for a player who uses reversed names.
pub(crate) const fn turned(square: Square) -> Square {
    square.rotate_180()
}

/// Rotates the squares of a try by 180 degrees.
pub(crate) fn turned_try(mut of: Try) -> Try {
    match &mut of {
        Try::Step { from, to, .. } => (*from, *to) = (turned(*from), turned(*to)),
        Try::Drop { to, .. } => *to = turned(*to),
    }
    of
}

fn turned_attempt(mut attempt: Attempt) -> Attempt {
    if let Attempt::Try(of) = &mut attempt {
        *of = turned_try(*of);
    }
    attempt
}

/// Returns in words what the player hears; `None` if the referee says nothing. Squares have the
/// names that this player uses.
pub(crate) fn sentence(
    heard: &Heard,
    choices: &Choices,
    color: Color,
    names: BoardNames,
) -> Option<String> {
    let listener = Listener::from(color);
    if names == BoardNames::Usual || color.is_white() {
        return words(heard, choices, listener);
    }
    let turned = match *heard {
        Heard::Reply(Reply::Verdict {
            verdict,
            by,
            attempt,
        }) => Heard::Reply(Reply::Verdict {
            verdict,
            by,
            attempt: attempt.map(turned_attempt),
        }),
        Heard::Lost { square, man } => Heard::Lost {
            square: turned(square),
            man,
        },
        Heard::Announced(Announcement::Capture(capture)) => {
            Heard::Announced(Announcement::Capture(Capture {
                square: capture.square.map(turned),
                ..capture
            }))
        }
        Heard::Announced(Announcement::Tries(Tries::Squares(set))) => Heard::Announced(
            Announcement::Tries(Tries::Squares(set.into_iter().map(turned).collect())),
        ),
        Heard::Announced(
            Announcement::Tries(
                Tries::Untold
                | Tries::Whether(_)
                | Tries::Count(_)
                | Tries::SinglesAndDoubles { .. },
            )
            | Announcement::Drop { .. }
            | Announcement::Promotion { .. }
            | Announcement::Check { .. }
            | Announcement::Turn { .. },
        )
        | Heard::Reply(_)
        | Heard::Draw(_)
        | Heard::Over(_) => *heard,
    };
    words(&turned, choices, listener)
}

/// Draws the board in nine lines, with the player's own men only. The player's own side is below.
/// White's men are capital letters.
pub fn board(view: &PlayerView, names: BoardNames) -> String {
    let black = !view.color().is_white();
    let men = view.own().board();
    let at = |row: usize, column: usize| {
        let (file, rank) = if black {
            (7 - column, row)
        } else {
            (column, 7 - row)
        };
        Square::from_coords(File::ALL[file], Rank::ALL[rank])
    };
    let named = |square| match names {
        BoardNames::Reversed if black => turned(square),
        BoardNames::Reversed | BoardNames::Usual => square,
    };
    let mut text = String::new();
    for row in 0..8 {
        text.push_str(&format!("{} ", named(at(row, 0)).rank()));
        for column in 0..8 {
            let man = men.piece_at(at(row, column)).map_or('.', Piece::char);
            text.extend([' ', man]);
        }
        text.push('\n');
    }
    text.push_str("  ");
    for column in 0..8 {
        text.push_str(&format!(" {}", named(at(7, column)).file()));
    }
    text
}

#[cfg(test)]
mod tests {
    use rules::{Verdict, rulesets::KS};

    use super::*;

    #[test]
    fn own_side_is_below_and_option_r_rotates_blacks_names() {
        let view = |color| PlayerView::initial(KS.choices, color);
        let white = board(&view(Color::White), BoardNames::Reversed);
        assert_eq!(white.lines().next(), Some("8  . . . . . . . ."));
        assert_eq!(white.lines().nth(7), Some("1  R N B Q K B N R"));
        assert_eq!(white.lines().last(), Some("   a b c d e f g h"));
        let black = board(&view(Color::Black), BoardNames::Usual);
        assert_eq!(black.lines().nth(7), Some("8  r n b k q b n r"));
        assert_eq!(black.lines().last(), Some("   h g f e d c b a"));
        let turned = board(&view(Color::Black), BoardNames::Reversed);
        assert_eq!(turned.lines().nth(7), Some("1  r n b k q b n r"));
        assert_eq!(turned.lines().last(), Some("   a b c d e f g h"));
    }

    #[test]
    fn option_r_rotates_the_square_names_that_black_hears() {
        let heard = Heard::Reply(Reply::Verdict {
            verdict: Verdict::Moved,
            by: Color::Black,
            attempt: Some("d7d5".parse().unwrap()),
        });
        let said = |color, names| sentence(&heard, &KS.choices, color, names).unwrap();
        assert_eq!(said(Color::Black, BoardNames::Reversed), "You play e2e4.");
        assert_eq!(said(Color::Black, BoardNames::Usual), "You play d7d5.");
        assert_eq!(said(Color::White, BoardNames::Reversed), "You play d7d5.");
    }
}

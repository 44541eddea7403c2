//! Texts that a teletype prints. Texts in parentheses are responses of UMPIRE, the program of 1965,
//! reproduced exactly. Texts about draws and the end of the game are an exception: they have
//! parentheses, but are ours. All texts without parentheses are ours, too.

use notation::{descriptive_square, umpire_text};
use rules::{
    Capture, CapturedMan, Choices, Direction, DrawTalk, Heard, MoveAnnouncements, Own, Reply,
    Tries, Try, Verdict,
    chess::{Color, Role, Square},
    role_name,
};

use crate::base::wrap;

/// Prompt for input: four asterisks and two bells.
pub(super) const ASKS: &str = "****\u{7}\u{7}";

/// Response to a line that cannot be parsed. Both teletypes print this response.
pub(super) const NOT_UNDERSTOOD: &str = "(NOT UNDERSTOOD-ENTER AGAIN)";

/// Response to a line that is typed although no input was asked for.
pub(super) const UNASKED: &str = "NOT ASKED FOR. WAIT FOR ****";

/// Printed before the player types a line that both teletypes will print.
pub(super) const NEXT_LINE: &str = "THE NEXT LINE GOES TO BOTH";

/// Line width, in characters.
const WIDTH: usize = 72;

/// Returns the name of a side in capitals.
pub(super) const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "WHITE",
        Color::Black => "BLACK",
    }
}

/// Returns the lines that report, in UMPIRE's words, what was heard of one event: first the side to
/// move, then the announcements.
pub(super) fn responses<'a>(
    heard: impl Iterator<Item = &'a Heard>,
    choices: &Choices,
) -> Vec<String> {
    let (mut lines, mut said, mut mover) = (Vec::new(), MoveAnnouncements::NOTHING, None);
    for heard in heard {
        match *heard {
            Heard::Reply(Reply::Verdict { verdict, by, .. }) => match verdict {
                Verdict::Moved => mover = Some(by),
                Verdict::No => lines.push("(NO)".to_owned()),
                Verdict::Nonsense => lines.push("(HELL NO)".to_owned()),
                Verdict::RepeatNo => lines.push("(REPEAT NO)".to_owned()),
            },
            Heard::Draw(talk) => {
                let (by, what) = match talk {
                    DrawTalk::Offer { by } => (by, "OFFERS A DRAW"),
                    DrawTalk::Declined { by } => (by, "DECLINES THE DRAW"),
                    DrawTalk::Withdrawn { by } => (by, "TAKES THE DRAW OFFER BACK"),
                };
                lines.push(format!("({} {what})", side(by)));
            }
            Heard::Over(over) => {
                lines.extend(announced(&said, mover));
                said = MoveAnnouncements::NOTHING;
                let words = notation::over_words(over, choices);
                lines.push(format!("({})", words.trim_end_matches('.').to_uppercase()));
            }
            // Announcements are collected here and put in order at the end.
            Heard::Announced(one) => said.note(one),
            // Nothing is printed here. The announcement of the capture already says which own man
            // is lost, and the ruleset `umpire` has no questions.
            Heard::Lost { .. }
            | Heard::Reply(Reply::Any { .. } | Reply::Rebuffs { .. } | Reply::Recap { .. }) => {}
        }
    }
    lines.extend(announced(&said, mover));
    lines
}

/// Formats the announcements of a move. `mover` is `None` if the announcements are repeated.
pub(super) fn announced(said: &MoveAnnouncements, mover: Option<Color>) -> Vec<String> {
    let mut lines = Vec::new();
    let mover = mover.or_else(|| said.turn.map(Color::other));
    if let Some(to_move) = said.turn {
        lines.push(format!("({} TO MOVE)", side(to_move)));
    }
    if let (Some(capture), Some(mover)) = (said.capture, mover) {
        lines.extend(captured(capture, mover));
    }
    if let Some(by) = said.promotion {
        lines.push(format!("({} PROMOTES)", side(by)));
    }
    for direction in said.check.unwrap_or_default().iter() {
        let name = match direction {
            Direction::Rank => "RANK",
            Direction::File => "FILE",
            Direction::Long => "LONG DIAGONAL",
            Direction::Short => "SHORT DIAGONAL",
            Direction::Knight => "KNIGHT",
        };
        lines.push(format!("({name} CHECK)"));
    }
    if let (Some(Tries::Squares(squares)), Some(to_move)) = (said.tries, said.turn) {
        for square in squares {
            lines.push(format!(
                "(PAWN TRY {})",
                descriptive_square(square, to_move)
            ));
        }
    }
    lines
}

/// Formats a capture. The square is named from the side of the player who captured.
fn captured(capture: Capture, mover: Color) -> Option<String> {
    let square = descriptive_square(capture.square?, mover);
    let man = match capture.man? {
        CapturedMan::Pawn | CapturedMan::Exactly(Role::Pawn) => "PAWN",
        CapturedMan::Piece | CapturedMan::Exactly(_) => "PIECE",
    };
    Some(format!("({man} GONE {square})"))
}

/// Lists a player's own men, one line for each kind. Squares are named from
/// that player's side.
pub(super) fn men(own: &Own) -> Vec<String> {
    let mut lines = vec![format!("YOUR MEN, {}", side(own.color))];
    for role in Role::ALL.into_iter().rev() {
        let mut squares: Vec<Square> = own.men.get(role).into_iter().collect();
        squares.sort_by_key(|square| (own.color.relative_rank(square.rank()), square.file()));
        let names = squares.into_iter();
        let names = names.map(|square| descriptive_square(square, own.color));
        let squares: Vec<String> = names.collect();
        if !squares.is_empty() {
            let name = role_name(role).to_uppercase();
            lines.push(format!("  {name:<8}{}", squares.join(" ")));
        }
    }
    lines
}

/// Formats the list of successful moves.
pub(super) fn moves(moves: &[(Own, Try)]) -> Vec<String> {
    let mut lines = vec!["      WHITE        BLACK".to_owned()];
    let mut moves = moves.iter().peekable();
    let mut number = 0;
    while moves.peek().is_some() {
        number += 1;
        let mut next = |color| {
            let (own, t) = moves.next_if(|(own, _)| own.color == color)?;
            Some(written(own, *t))
        };
        let white = next(Color::White).unwrap_or_default();
        let black = next(Color::Black).unwrap_or_default();
        let line = format!("{number:>4}  {white:<13}{black}");
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// Formats a move as it would be typed. The man of a promotion is named unless
/// it is a queen.
fn written(own: &Own, t: Try) -> String {
    let text = umpire_text(t, own);
    match t {
        Try::Step {
            promotion: Some(role),
            ..
        } if role != Role::Queen => format!("{text} {}", role.upper_char()),
        Try::Step { .. } | Try::Drop { .. } => text,
    }
}

/// Formats a sentence of the club in capitals, wrapped at `WIDTH` characters.
pub(super) fn sentence(text: &str) -> String {
    let mut lines = String::new();
    wrap(&mut lines, &printable(text), WIDTH, "");
    lines
}

/// Converts text to what a teletype can print: capitals, and `?` for each
/// character outside ASCII.
pub(super) fn printable(text: &str) -> String {
    let capitals = text.to_uppercase();
    let plain = capitals.chars().filter(|c| !c.is_control());
    plain.map(|c| if c.is_ascii() { c } else { '?' }).collect()
}

/// Formats a key for printing: capitals in groups of four.
pub(super) fn key(secret: &str) -> String {
    let capitals = secret.to_uppercase();
    let mut text = String::new();
    for (n, letter) in capitals.chars().enumerate() {
        if n > 0 && n % 4 == 0 {
            text.push('-');
        }
        text.push(letter);
    }
    text
}

/// Reads a typed key: letters in lower case, without separators.
pub(super) fn read_key(typed: &str) -> String {
    let letters = typed.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{
        Announcement, Directions, Over, Reason, Winner, chess::Bitboard, rulesets::UMPIRE,
    };

    #[test]
    fn every_response_of_1965_is_reproduced_exactly() {
        let moved = |by| {
            Heard::Reply(Reply::Verdict {
                verdict: Verdict::Moved,
                by,
                attempt: None,
            })
        };
        let refused = |verdict| {
            Heard::Reply(Reply::Verdict {
                verdict,
                by: Color::White,
                attempt: None,
            })
        };
        let capture = |man| {
            Heard::Announced(Announcement::Capture(Capture {
                square: Some(Square::E5),
                man: Some(man),
                en_passant: false,
            }))
        };
        let turn = |to_move| Heard::Announced(Announcement::Turn { to_move });
        let (white, black) = (Color::White, Color::Black);
        let all: Directions = Direction::ALL.into_iter().collect();
        let two: Bitboard = [Square::D4, Square::F5].into_iter().collect();
        for (heard, is) in [
            (vec![refused(Verdict::No)], vec!["(NO)"]),
            (vec![refused(Verdict::Nonsense)], vec!["(HELL NO)"]),
            (vec![refused(Verdict::RepeatNo)], vec!["(REPEAT NO)"]),
            (vec![moved(black), turn(white)], vec!["(WHITE TO MOVE)"]),
            (
                // The side to move comes first; squares are named from the
                // mover's own side.
                vec![
                    moved(white),
                    capture(CapturedMan::Pawn),
                    Heard::Announced(Announcement::Promotion { by: white }),
                    Heard::Announced(Announcement::Check { directions: all }),
                    Heard::Announced(Announcement::Tries(Tries::Squares(two))),
                    turn(black),
                ],
                vec![
                    "(BLACK TO MOVE)",
                    "(PAWN GONE K5)",
                    "(WHITE PROMOTES)",
                    "(RANK CHECK)",
                    "(FILE CHECK)",
                    "(LONG DIAGONAL CHECK)",
                    "(SHORT DIAGONAL CHECK)",
                    "(KNIGHT CHECK)",
                    "(PAWN TRY Q5)",
                    "(PAWN TRY KB4)",
                ],
            ),
            (
                vec![
                    moved(black),
                    capture(CapturedMan::Piece),
                    Heard::Announced(Announcement::Promotion { by: black }),
                    turn(white),
                ],
                vec!["(WHITE TO MOVE)", "(PIECE GONE K4)", "(BLACK PROMOTES)"],
            ),
            (
                vec![
                    moved(black),
                    capture(CapturedMan::Piece),
                    Heard::Over(Over {
                        winner: Winner::Black,
                        reason: Reason::Checkmate,
                    }),
                ],
                vec!["(PIECE GONE K4)", "(CHECKMATE: BLACK WINS, 0-1)"],
            ),
        ] {
            assert_eq!(responses(heard.iter(), &UMPIRE.choices), is);
        }
    }

    #[test]
    fn only_ascii_capitals_are_printed() {
        assert_eq!(printable("Gr\u{fc}\u{df}e, all\u{7}"), "GR?SSE, ALL");
        assert_eq!(key("abcdefghijkmnpqr"), "ABCD-EFGH-IJKM-NPQR");
        assert_eq!(read_key(" ABCD-efgh ijkm-npqr"), "abcdefghijkmnpqr");
        let long = sentence(&"word ".repeat(40));
        assert!(long.lines().all(|line| line.len() <= WIDTH));
    }
}

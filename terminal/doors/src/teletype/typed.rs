//! Parser of the lines typed at a console.

use notation::{BoardNames, MoveText};
use rules::{
    Attempt, Choices, Own, PromotionMan, Try,
    chess::{CastlingSide, Role, Square},
    role_name,
};

/// A parsed line.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) enum Typed {
    /// An empty line.
    Nothing,
    /// An attempt, for the referee.
    Attempt(Attempt),
    /// `NO DRAW`: declines a draw, or withdraws an own offer.
    NoDraw,
    /// `MSG`: sends a message. `None` if the message is the next line.
    Message(Option<String>),
    /// `MUTE` (true) hides the opponent's messages; `UNMUTE` (false) shows them again.
    Mute(bool),
    /// `RELIST`: asks for the list of own men.
    Relist,
    /// `INSTRUCTION`: asks for the instruction again.
    Instruction,
    /// `CLAIM`: claims the game, because the opponent has disconnected.
    Claim,
    /// `BYE`: ends the connection.
    Bye,
    /// Any other text.
    NotUnderstood,
}

/// Parses a line. Whether a line is understood depends on its text and on the choices of the
/// ruleset, and not on the own men. The own men only decide which try the text means: for `CK`, the
/// king's square is needed.
pub(super) fn read(line: &str, own: &Own, choices: &Choices) -> Typed {
    let line = line.trim().to_uppercase();
    let words: Vec<&str> = line.split_whitespace().collect();
    if let Some(special) = special(&line) {
        return special;
    }
    match *words {
        [] => Typed::Nothing,
        ["DRAW"] => Typed::Attempt(Attempt::OfferDraw),
        ["NO", "DRAW"] => Typed::NoDraw,
        ["INSTRUCTION"] => Typed::Instruction,
        ["CLAIM"] => Typed::Claim,
        ["BYE"] => Typed::Bye,
        _ => match read_move(&line, own, choices) {
            Some(t) => Typed::Attempt(Attempt::Try(t)),
            None => Typed::NotUnderstood,
        },
    }
}

/// Parses the special commands, which may be typed at every prompt: `MSG`, `RELIST`, `RESIGN`,
/// `MUTE` and `UNMUTE`. UMPIRE did not have the last two.
pub(super) fn special(line: &str) -> Option<Typed> {
    let line = line.trim().to_uppercase();
    let words: Vec<&str> = line.split_whitespace().collect();
    Some(match *words {
        ["MSG"] => Typed::Message(None),
        ["MSG", ..] => Typed::Message(line.get(3..).map(|text| text.trim().to_owned())),
        ["MUTE"] => Typed::Mute(true),
        ["UNMUTE"] => Typed::Mute(false),
        ["RELIST"] => Typed::Relist,
        ["RESIGN"] => Typed::Attempt(Attempt::Resign),
        _ => return None,
    })
}

/// Parses a move: `K2 K4`, `K2-K4`, `CK`, `CQ` or `E2E4`. If the rules allow
/// promotion to other men than a queen, `K7 K8 N` is also a move.
fn read_move(line: &str, own: &Own, choices: &Choices) -> Option<Try> {
    let line = line.replace('-', " ");
    let words: Vec<&str> = line.split_whitespace().collect();
    let (squares, man) = match *words {
        ["CK"] => return castling(own, CastlingSide::KingSide),
        ["CQ"] => return castling(own, CastlingSide::QueenSide),
        [one] if is_coordinates(one) => (one.to_owned(), None),
        [from, to] if is_square(from) && is_square(to) => (format!("{from} {to}"), None),
        [from, to, man] if is_square(from) && is_square(to) => {
            (format!("{from} {to}"), Some(role(man, choices)?))
        }
        _ => return None,
    };
    let text = if is_coordinates(&squares) {
        squares.to_lowercase()
    } else {
        squares
    };
    // `read_typed` asks back what depends on own men. This door prints on both consoles that a line
    // is not understood, so it asks nothing back.
    let t = MoveText::read_any(&text, own.color, BoardNames::Usual)?.exact()?;
    match t {
        Try::Step { from, to, .. } => Some(Try::Step {
            from,
            to,
            promotion: man,
        }),
        Try::Drop { .. } => None,
    }
}

/// Returns the king's step of two squares along its rank. If there are no two squares on that side,
/// the step goes to the other side. If the king is on its initial square, this is castling. From
/// any other square the umpire refuses the step.
fn castling(own: &Own, side: CastlingSide) -> Option<Try> {
    let king = own.king()?;
    let towards = match side {
        CastlingSide::KingSide => 2,
        CastlingSide::QueenSide => -2,
    };
    let file = king.file();
    let file = file.offset(towards).or_else(|| file.offset(-towards))?;
    Some(Try::step(king, Square::from_coords(file, king.rank())))
}

/// Whether a word is a square in descriptive notation, with the full name of
/// the file.
fn is_square(word: &str) -> bool {
    let Some((file, rank)) = word.split_at_checked(word.len().saturating_sub(1)) else {
        return false;
    };
    let files = ["QR", "QN", "QB", "Q", "K", "KB", "KN", "KR"];
    files.contains(&file) && matches!(rank.as_bytes(), [b'1'..=b'8'])
}

/// Whether a word is two squares in coordinates.
fn is_coordinates(word: &str) -> bool {
    matches!(
        word.as_bytes(),
        [b'A'..=b'H', b'1'..=b'8', b'A'..=b'H', b'1'..=b'8']
    )
}

/// Reads the man to which a pawn promotes.
fn role(word: &str, choices: &Choices) -> Option<Role> {
    if choices.promotion_man == PromotionMan::QueenOnly {
        return None;
    }
    let mut roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].into_iter();
    roles.find(|role| {
        word == role_name(*role).to_uppercase() || word == role.upper_char().to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{
        Reserve, Wings,
        chess::{Board, Color},
        rulesets::{KS, UMPIRE},
    };

    fn shown(line: &str, color: Color, choices: &Choices) -> String {
        let own = Own::of(&Board::new(), color, Wings::BOTH, Reserve::EMPTY);
        let read = read(line, &own, choices);
        if let Typed::Attempt(attempt) = read {
            attempt.to_string()
        } else {
            format!("{read:?}")
        }
    }

    #[test]
    fn each_form_of_line_is_read() {
        for (line, white, black) in [
            ("K2 K4", "e2e4", "e7e5"),
            ("  k2   kb4 ", "e2f4", "e7f5"),
            // The king onto the own rook is an attempt, so that both consoles print `(HELL NO)`.
            ("k1 kr1", "e1h1", "e8h8"),
            ("QN1-QB3", "b1c3", "b8c6"),
            ("qr8 kr8", "a8h8", "a1h1"),
            ("CK", "e1g1", "e8g8"),
            ("cq", "e1c1", "e8c8"),
            ("e2e4", "e2e4", "e2e4"),
            ("B2B4", "b2b4", "b2b4"),
            ("resign", "resign", "resign"),
            ("DRAW", "offer-draw", "offer-draw"),
            ("no draw", "NoDraw", "NoDraw"),
            ("msg", "Message(None)", "Message(None)"),
            (
                "msg  hi there",
                "Message(Some(\"HI THERE\"))",
                "Message(Some(\"HI THERE\"))",
            ),
            ("", "Nothing", "Nothing"),
            (" RELIST ", "Relist", "Relist"),
        ] {
            assert_eq!(shown(line, Color::White, &UMPIRE.choices), white, "{line}");
            assert_eq!(shown(line, Color::Black, &UMPIRE.choices), black, "{line}");
        }
    }

    #[test]
    fn lines_of_other_forms_are_not_understood() {
        for line in [
            "K2",
            "K2 K9",
            "P-K4",
            "N-KB3",
            "NF3",
            "B2 B4",
            "K2 K4 K5",
            "K7 K8 Q",
            "K7 K8 N",
            "E2E9",
            "E7E8Q",
            "O-O",
            "PX",
            "ANY",
            "COUNT",
            "RESIGN NOW",
            "\u{e9}",
            "CK CK",
            "K2K4",
        ] {
            let read = shown(line, Color::White, &UMPIRE.choices);
            assert_eq!(read, "NotUnderstood", "{line}");
        }
    }

    #[test]
    fn castling_is_read_wherever_the_king_stands() {
        let mut own = Own::of(&Board::new(), Color::White, Wings::BOTH, Reserve::EMPTY);
        for (king, ck, cq) in [
            (Square::E1, "e1g1", "e1c1"),
            (Square::E7, "e7g7", "e7c7"),
            (Square::H1, "h1f1", "h1f1"),
            (Square::B2, "b2d2", "b2d2"),
        ] {
            own.men.king = king.into();
            for (line, is) in [("CK", ck), ("cq", cq)] {
                let Typed::Attempt(attempt) = read(line, &own, &UMPIRE.choices) else {
                    panic!("{line} is read");
                };
                assert_eq!(attempt.to_string(), is);
            }
        }
    }

    #[test]
    fn promotion_man_is_read_if_the_rules_allow_a_choice() {
        for (line, is) in [
            ("K7 K8 N", "e7e8n"),
            ("K7 K8 ROOK", "e7e8r"),
            ("K7-K8 Q", "e7e8q"),
            ("K7 K8", "e7e8"),
            ("K7 K8 K", "NotUnderstood"),
            ("K7 K8 P", "NotUnderstood"),
        ] {
            assert_eq!(shown(line, Color::White, &KS.choices), is, "{line}");
        }
    }
}

//! Reads an attempt in coordinates, using only own men.

use rules::{
    Attempt, Choices, Own, PawnTries, Px, QuestionRule, ReserveUse, Try,
    chess::{CastlingSide, Role, Square},
};

/// Error: a text cannot be read as an attempt.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ReadError {
    /// The text is not in a known notation.
    #[error("`{text}` is not an attempt: {remedy}")]
    NotNotation {
        /// The typed text, shortened.
        text: String,
        /// A sentence that lists what may be typed.
        remedy: String,
    },
    /// The player asked for help.
    #[error("{remedy}")]
    Help {
        /// A sentence that lists what may be typed.
        remedy: String,
    },
    /// The text is castling (`O-O`), but the king is not on its first square.
    #[error(
        "castling is the king's step of two squares from {home}, and your king is not there: write the king's move as two squares"
    )]
    KingNotAtHome {
        /// The king's first square: e1 or e8.
        home: Square,
    },
}

/// Returns a sentence that lists what a player may type under a ruleset.
pub fn may_be_typed(choices: &Choices) -> String {
    let mut text = String::from("type a move as e2e4 or e7e8q, castling as e1g1 or O-O");
    match choices.reserve {
        ReserveUse::None => {}
        ReserveUse::Drops => text.push_str(", a drop as N@f5"),
    }
    text.push_str(", or one of ");
    text.push_str(&words(choices).join(", "));
    text
}

/// Returns the words that a player may type under a ruleset, besides moves.
pub fn words(choices: &Choices) -> Vec<&'static str> {
    let mut words = Vec::new();
    if choices.pawn_tries == PawnTries::OnRequest {
        words.push("any");
    }
    if choices.px == Px::Present {
        words.push("px");
    }
    if choices.count == QuestionRule::Aloud {
        words.push("count");
    }
    if choices.recap == QuestionRule::Aloud {
        words.push("recap");
    }
    words.extend([
        "resign",
        "offer-draw",
        "accept-draw",
        "decline-draw",
        "withdraw-draw",
    ]);
    words
}

/// Reads an attempt: the text forms of [`Attempt`], and others like `E2-E4`,
/// `e7e8=Q`, `e7e8(q)`, `n@f5`, `O-O`, `0-0-0`, `any?`, `draw`, `accept` and
/// `resigns`.
///
/// # Errors
/// [`ReadError`]. The message says what may be typed instead.
///
/// # Examples
///
/// ```
/// use notation::read_attempt;
/// use rules::{Own, Reserve, Wings, rulesets::RAND, chess::{Board, Color}};
///
/// let own = Own::of(&Board::new(), Color::Black, Wings::BOTH, Reserve::EMPTY);
/// let read = |text| read_attempt(text, &own, &RAND.choices).map(|a| a.to_string());
/// assert_eq!(read("E7-E5"), Ok("e7e5".to_owned()));
/// assert_eq!(read("O-O-O"), Ok("e8c8".to_owned()));
/// assert!(read("castle").is_err());
/// ```
pub fn read_attempt(text: &str, own: &Own, choices: &Choices) -> Result<Attempt, ReadError> {
    let text = text.trim();
    if let Ok(attempt) = text.parse() {
        return Ok(attempt);
    }
    let lower = text.to_ascii_lowercase();
    if let Some(attempt) = word(&lower) {
        return Ok(attempt);
    }
    if let Some(side) = castling(&lower) {
        return castle(side, own).map(Attempt::Try);
    }
    if let Some(t) = step(lower.as_bytes()).or_else(|| drop(lower.as_bytes())) {
        return Ok(Attempt::Try(t));
    }
    let remedy = may_be_typed(choices);
    Err(if matches!(lower.as_str(), "help" | "?") {
        ReadError::Help { remedy }
    } else {
        ReadError::NotNotation {
            text: shortened(text),
            remedy,
        }
    })
}

/// Shortens a text for an error message: its first 40 characters, with control
/// characters escaped.
pub(crate) fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    let mut short: String = text
        .chars()
        .take(MAX_CHARS)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        short.push_str("...");
    }
    short
}

fn word(lower: &str) -> Option<Attempt> {
    // Only the words in this list may end with a question mark. `resign?` and `accept?` are not
    // read, because the player may not be sure.
    if let Some(asked) = lower.strip_suffix('?') {
        return ["any", "count", "recap", "draw", "offer-draw"]
            .contains(&asked)
            .then(|| word(asked))?;
    }
    Some(match lower {
        "any" => Attempt::Any,
        "count" => Attempt::Count,
        "recap" => Attempt::Recap,
        "resign" | "resigns" => Attempt::Resign,
        "draw" | "offer-draw" => Attempt::OfferDraw,
        "accept" | "accept-draw" => Attempt::AcceptDraw,
        "decline" | "decline-draw" => Attempt::DeclineDraw,
        "withdraw" | "withdraw-draw" => Attempt::WithdrawDraw,
        "px" => Attempt::Px { promotion: None },
        _ => Attempt::Px {
            promotion: Some(role(lower.strip_prefix("px=")?.as_bytes())?),
        },
    })
}

fn castling(lower: &str) -> Option<CastlingSide> {
    match lower {
        "o-o" | "0-0" => Some(CastlingSide::KingSide),
        "o-o-o" | "0-0-0" => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

fn castle(side: CastlingSide, own: &Own) -> Result<Try, ReadError> {
    let home = own.color.fold_wb(Square::E1, Square::E8);
    if own.king() == Some(home) {
        Ok(Try::step(home, side.king_to(own.color)))
    } else {
        Err(ReadError::KingNotAtHome { home })
    }
}

fn role(letter: &[u8]) -> Option<Role> {
    match *letter {
        [c] => Role::from_char(char::from(c)),
        _ => None,
    }
}

fn square(at: &[u8]) -> Option<Square> {
    Square::from_ascii(at).ok()
}

fn step(lower: &[u8]) -> Option<Try> {
    let (from, rest) = lower.split_at_checked(2)?;
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    let (to, rest) = rest.split_at_checked(2)?;
    let man = rest
        .strip_prefix(b"=")
        .or_else(|| rest.strip_prefix(b"(")?.strip_suffix(b")"))
        .unwrap_or(rest);
    let promotion = if rest.is_empty() {
        None
    } else {
        Some(role(man)?)
    };
    Some(Try::Step {
        from: square(from)?,
        to: square(to)?,
        promotion,
    })
}

fn drop(lower: &[u8]) -> Option<Try> {
    match *lower {
        [man, b'@', f, r] => Some(Try::Drop {
            role: role(&[man])?,
            to: square(&[f, r])?,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rules::{
        Reserve, Wings,
        chess::{Board, Color},
        rulesets::{CRAZYKRIEG, RAND, WILD16},
    };

    use super::*;

    fn own(color: Color) -> Own {
        Own::of(&Board::new(), color, Wings::BOTH, Reserve::EMPTY)
    }

    fn read(text: &str, color: Color) -> Result<String, ReadError> {
        read_attempt(text, &own(color), &RAND.choices).map(|a| a.to_string())
    }

    #[test]
    fn lenient_forms_of_attempts_become_canonical() {
        for (text, canonical) in [
            ("e2e4", "e2e4"),
            (" E2E4 ", "e2e4"),
            ("e2-e4", "e2e4"),
            ("e7e8q", "e7e8q"),
            ("e7e8=Q", "e7e8q"),
            ("E7-E8=n", "e7e8n"),
            ("e7e8(q)", "e7e8q"),
            ("E7E8Q", "e7e8q"),
            ("N@f5", "N@f5"),
            ("n@f5", "N@f5"),
            ("o-o", "e1g1"),
            ("O-O-O", "e1c1"),
            ("0-0", "e1g1"),
            ("Any?", "any"),
            ("resigns", "resign"),
            ("draw?", "offer-draw"),
            ("PX", "px"),
            ("px=Q", "px=q"),
        ] {
            assert_eq!(read(text, Color::White).as_deref(), Ok(canonical), "{text}");
        }
        assert_eq!(read("0-0", Color::Black).as_deref(), Ok("e8g8"));
    }

    #[test]
    fn question_mark_does_not_resign_or_accept() {
        for text in [
            "resign?",
            "resigns?",
            "accept?",
            "accept-draw?",
            "px?",
            "any??",
        ] {
            assert!(read(text, Color::White).is_err(), "{text}");
        }
    }

    #[test]
    fn every_canonical_word_reads_as_itself() {
        for ruleset in &rules::rulesets::ALL {
            for word in words(&ruleset.choices) {
                assert_eq!(read(word, Color::White).as_deref(), Ok(word));
            }
        }
    }

    #[test]
    fn unreadable_text_is_answered_with_what_may_be_typed() {
        for text in [
            "",
            "e",
            "e2",
            "e2-",
            "e2e",
            "e2e9",
            "e2--e4",
            "e2e4=",
            "e2e4()",
            "e2e4qq",
            "@f5",
            "xx@f5",
            "px=",
            "px=qq",
            "\u{e9}2e4",
            "e2e4\u{e9}",
            "\u{1f980}",
        ] {
            assert!(
                matches!(read(text, Color::White), Err(ReadError::NotNotation { .. })),
                "{text}"
            );
        }
        let error = read("e2\u{7}", Color::White).unwrap_err().to_string();
        assert_eq!(
            error,
            "`e2\\u{7}` is not an attempt: type a move as e2e4 or e7e8q, castling as e1g1 or O-O, or one of count, recap, resign, offer-draw, accept-draw, decline-draw, withdraw-draw"
        );
        assert!(may_be_typed(&CRAZYKRIEG.choices).contains("N@f5"));
        assert!(may_be_typed(&WILD16.choices).contains("px"));
        let long = "x".repeat(5000);
        let error = read(&long, Color::White).unwrap_err().to_string();
        assert!(error.len() < 300, "{error}");
    }

    #[test]
    fn castling_is_read_only_with_the_king_at_home() {
        let board: Board = "8/8/8/8/8/8/8/4RK2".parse().unwrap();
        let own = Own::of(&board, Color::White, Wings::NONE, Reserve::EMPTY);
        let error = read_attempt("O-O", &own, &RAND.choices).unwrap_err();
        assert_eq!(error, ReadError::KingNotAtHome { home: Square::E1 });
    }
}

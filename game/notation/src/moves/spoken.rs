//! Attempts in spoken words, as a person at a table says them.

/// Largest length of a text that is read as spoken words, in bytes.
const MAX_BYTES: usize = 60;

/// Returns the short notation of an attempt in spoken words: `knight takes d5` is `Nxd5`, `castle
/// queenside` is `O-O-O`, `are there any` is `any`. Returns `None` if a word is unknown, or if no
/// word names a man or an attempt.
pub(super) fn short_notation(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(['.', '!', '?']);
    if text.len() > MAX_BYTES {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_ascii_whitespace().collect();
    match *words {
        ["are", "there", "any"] | ["any"] => return Some("any".to_owned()),
        ["i", "resign"] => return Some("resign".to_owned()),
        ["offer", "draw"] | ["draw", "offer"] | ["i", "offer", "a", "draw"] => {
            return Some("offer-draw".to_owned());
        }
        ["castle" | "castles" | "castling", ref side @ ..] => return castling(side),
        _ => {}
    }
    let mut short = String::new();
    let mut names_man = false;
    for word in words {
        match word {
            "king" | "queen" | "rook" | "bishop" | "knight" | "pawn" => {
                names_man = true;
                short.push(letter(word));
            }
            "takes" | "captures" | "x" => short.push('x'),
            "promotes" | "promoting" | "becomes" => short.push('='),
            "to" | "on" | "the" | "a" | "check" | "mate" => {}
            other
                if other
                    .bytes()
                    .all(|b| matches!(b, b'a'..=b'h' | b'1'..=b'8')) =>
            {
                short.push_str(other);
            }
            _ => return None,
        }
    }
    // In short notation, a pawn's move without a capture has no letter for the man.
    if !short.contains('x')
        && let Some(rest) = short.strip_prefix('P')
    {
        return Some(rest.to_owned());
    }
    names_man.then_some(short)
}

fn letter(man: &str) -> char {
    match man {
        "king" => 'K',
        "queen" => 'Q',
        "rook" => 'R',
        "bishop" => 'B',
        "knight" => 'N',
        _ => 'P',
    }
}

fn castling(side: &[&str]) -> Option<String> {
    let short = match *side {
        ["kingside" | "short"] | ["king" | "king's", "side"] => "O-O",
        ["queenside" | "long"] | ["queen" | "queen's", "side"] => "O-O-O",
        _ => return None,
    };
    Some(short.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_short_notation() {
        for (said, short) in [
            ("knight f3", "Nf3"),
            ("Knight to f3.", "Nf3"),
            ("knight bd2", "Nbd2"),
            ("queen takes d5", "Qxd5"),
            ("queen captures queen", "QxQ"),
            ("pawn to e5", "e5"),
            ("pawn takes d5", "Pxd5"),
            ("pawn takes pawn", "PxP"),
            ("pawn e8 promotes to queen", "e8=Q"),
            ("castle queenside", "O-O-O"),
            ("castles king's side", "O-O"),
            ("are there any?", "any"),
            ("I resign", "resign"),
        ] {
            assert_eq!(short_notation(said).as_deref(), Some(short), "{said}");
        }
        for said in ["", "e2e4", "castle now", "knight please", "the", "f3"] {
            assert_eq!(short_notation(said), None, "{said}");
        }
    }
}

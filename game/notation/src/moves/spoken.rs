//! Attempts as people say or type them: in words, with spaces, move numbers and any capitals.

use rules::{
    Attempt,
    chess::{CastlingSide, Color},
};

use super::{
    algebraic, descriptive,
    marks::Marks,
    pattern::{BoardNames, MoveText, Pattern},
    signs::plain_signs,
};

/// Largest length of a text that is read in this way, in bytes.
const MAX_BYTES: usize = 60;

/// Reads an attempt that is no move.
pub(super) fn word(text: &str) -> Option<Attempt> {
    let words = words(text)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Some(match *words {
        ["are", "there", "any"] | ["any"] => Attempt::Any,
        ["i", "resign"] => Attempt::Resign,
        ["offer", "draw"] | ["draw", "offer"] | ["i", "offer", "a", "draw"] => Attempt::OfferDraw,
        _ => return None,
    })
}

/// Returns the meanings of a move: `knight takes d5`, `N g1 f3`, `NF3`, `e four`, `1. e4`, `p-e4`,
/// `pawn to king four`. Returns `None` if the text is no move.
///
/// A small `b` may be a bishop or a file.
pub(super) fn read(text: &str, color: Color, board: BoardNames) -> Option<MoveText> {
    let words = words(text)?;
    let mut read = MoveText {
        readings: Vec::new(),
        marks: Marks::default(),
    };
    if let Some(at) = words.iter().position(|word| is_castle(word)) {
        read.readings = castling(words.iter().enumerate().filter(|(i, _)| *i != at))?;
        return Some(read);
    }
    let (short, long) = written(&words);
    let mixed = is_mixed(text);
    let joined: String = short.chars().filter(|c| !"-/.".contains(*c)).collect();
    let turned = board == BoardNames::Reversed && color == Color::Black;
    for form in [&short, &joined] {
        let (bare, marks) = Marks::split(form);
        read.marks.en_passant |= marks.en_passant;
        let bishop = bare.strip_prefix('b').map(|rest| format!("B{rest}"));
        // `b-c4` is no capture, and `Bxc4` no pawn's move.
        let is_dashed = matches!(
            short.as_bytes(),
            [b'a'..=b'h', b'-' | b'/', b'a'..=b'h', ..]
        );
        let is_bishop = bishop.is_some() && mixed && text.contains('B');
        let plain = (!is_dashed && !is_bishop).then(|| bare.to_owned());
        for text in [plain, bishop].into_iter().flatten() {
            read.add(algebraic::readings(&text, turned));
        }
    }
    if !mixed {
        let long = long.to_ascii_uppercase();
        let (bare, _) = Marks::split(&long);
        read.add(descriptive::readings(bare, color));
        read.add(descriptive::pair(bare, color).map(Pattern::Step));
    }
    (!read.readings.is_empty()).then_some(read)
}

/// Whether the squares of a text mix small and capital letters, which only algebraic notation does:
/// `Nxb5` is not `NXB5`, a capture on a bishop's file.
pub(super) fn is_mixed(text: &str) -> bool {
    let words = text.split_whitespace();
    let squares: String = words
        .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
        .collect();
    squares.contains(|c: char| c.is_ascii_lowercase() && c != 'x')
        && squares.contains(|c: char| c.is_ascii_uppercase())
}

/// Splits a text into words in small letters, without a move number. Returns `None` if the text is
/// too long.
fn words(text: &str) -> Option<Vec<String>> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let text = plain_signs(text)
        .replace('\u{2019}', "'")
        .to_ascii_lowercase();
    let text = text.trim().trim_end_matches(['.', '!', '?', ',', ';']);
    let begin = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let signs = ['.', ')', ':', '\u{2026}'];
    let rest = begin.trim_start_matches(|c| c == ' ' || signs.contains(&c));
    // `0 - 0` begins with a digit, and has no number.
    let numbered = begin.starts_with(signs) || rest.starts_with(|c: char| c.is_ascii_alphabetic());
    let text = if numbered { rest } else { text };
    Some(text.split_whitespace().map(str::to_owned).collect())
}

/// Writes the words in short notation, once for algebraic and once for descriptive notation.
fn written(words: &[String]) -> (String, String) {
    let (mut short, mut long) = (String::new(), String::new());
    for (i, word) in words.iter().enumerate() {
        let sign = match word.as_str() {
            "to" => {
                long.push('-');
                continue;
            }
            "on" | "the" | "from" | "at" | "my" | "i" | "move" | "moves" | "play" | "try"
            | "go" | "goes" | "please" | "check" | "mate" | "with" | "an" => continue,
            // An article, or the file.
            "a" if words.get(i + 1).is_some_and(|next| man(next).is_some()) => continue,
            "takes" | "captures" | "take" | "x" => "x",
            "promotes" | "promoting" | "becomes" | "promote" | "equals" => "=",
            "en" => "e.",
            "passant" => "p.",
            word => man(word).or_else(|| sign(word)).unwrap_or(word),
        };
        short.push_str(sign);
        long.push_str(sign);
    }
    // In short notation, a pawn's move without a capture has no letter for the man.
    if !short.contains('x')
        && let Some(rest) = short.strip_prefix('P')
    {
        short = rest.to_owned();
    }
    (short, long)
}

fn man(word: &str) -> Option<&'static str> {
    Some(match word {
        "king" | "king's" | "kings" => "K",
        "queen" | "queen's" | "queens" => "Q",
        "rook" | "rook's" => "R",
        "bishop" | "bishop's" => "B",
        "knight" | "knight's" | "kt" => "N",
        "pawn" => "P",
        _ => return None,
    })
}

/// Returns the letter or the digit of a word.
fn sign(word: &str) -> Option<&'static str> {
    Some(match word {
        "one" => "1",
        "two" => "2",
        "three" => "3",
        "four" => "4",
        "five" => "5",
        "six" => "6",
        "seven" => "7",
        "eight" => "8",
        "alpha" | "alfa" => "a",
        "bravo" => "b",
        "charlie" => "c",
        "delta" => "d",
        "echo" => "e",
        "foxtrot" => "f",
        "golf" => "g",
        "hotel" => "h",
        _ => return None,
    })
}

fn is_castle(word: &str) -> bool {
    matches!(word, "castle" | "castles" | "castling")
}

/// Returns the castlings that the words beside `castle` leave.
fn castling<'a>(side: impl Iterator<Item = (usize, &'a String)>) -> Option<Vec<Pattern>> {
    let side: Vec<&str> = side.map(|(_, word)| word.as_str()).collect();
    let sides = match *side {
        [] => &CastlingSide::ALL[..],
        ["kingside" | "king-side" | "short" | "king" | "king's"] | ["king" | "king's", "side"] => {
            &[CastlingSide::KingSide]
        }
        ["queenside" | "queen-side" | "long" | "queen" | "queen's"]
        | ["queen" | "queen's", "side"] => &[CastlingSide::QueenSide],
        _ => return None,
    };
    Some(sides.iter().copied().map(Pattern::Castling).collect())
}

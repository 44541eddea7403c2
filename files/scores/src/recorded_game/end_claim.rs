//! What a PGN file says about the end of a game.

use notation::plain_signs;
use rules::{Reason, Winner};

use crate::pgn::PgnGame;

/// What one place of a file says about the end of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct EndClaim {
    /// Line of the file, from 1.
    pub line: u64,
    /// The place: a tag (`[Result]`), `result` for the result after the moves, `comment`, or
    /// a remark that the move mates.
    pub place: &'static str,
    /// The text in this place.
    pub text: String,
    /// The result that it gives.
    pub winner: Option<Winner>,
    /// The reasons that it allows; empty if it allows every reason.
    pub reasons: Vec<Reason>,
}

/// Place of the sign of mate after the last move.
pub(crate) const MATE_SIGN: &str = "sign";

/// Texts that game archives use for the reason of an end. If a text contains several of them, the
/// first one in this list is used.
const REASONS: [(&str, Reason); 23] = [
    ("out of time", Reason::Time),
    ("on time", Reason::Time),
    ("by time", Reason::Time),
    ("time forfeit", Reason::Time),
    ("overstep", Reason::Time),
    ("checkmate", Reason::Checkmate),
    ("mated", Reason::Checkmate),
    ("stalemate", Reason::Stalemate),
    ("resign", Reason::Resignation),
    ("repetition", Reason::Threefold),
    ("threefold", Reason::Threefold),
    ("50 move", Reason::Fifty),
    ("50-move", Reason::Fifty),
    ("fifty", Reason::Fifty),
    ("material", Reason::Insufficient),
    ("insufficient", Reason::Insufficient),
    ("exhausted", Reason::ExhaustedTries),
    ("agree", Reason::Agreement),
    ("mutual", Reason::Agreement),
    ("disconnect", Reason::Abandoned),
    ("abandon", Reason::Abandoned),
    ("left the game", Reason::Abandoned),
    ("quit", Reason::Abandoned),
];

/// The reasons that the word `normal` of the tag `Termination` allows.
const NORMAL: [Reason; 8] = [
    Reason::Checkmate,
    Reason::Stalemate,
    Reason::Insufficient,
    Reason::Threefold,
    Reason::Fifty,
    Reason::Resignation,
    Reason::Agreement,
    Reason::ExhaustedTries,
];

/// Words after the name of a side that wins.
const WINS: [&str; 5] = ["wins", "won", "checkmates", "mates", "has won"];

/// Words after the name of a side that loses.
const LOSES: [&str; 15] = [
    "resign",
    "has resigned",
    "checkmated",
    "is checkmated",
    "was checkmated",
    "mated",
    "forfeit",
    "ran out of time",
    "runs out of time",
    "lost",
    "loses",
    "overstepped",
    "disconnect",
    "abandon",
    "quit",
];

/// Words of a drawn game.
const DRAWS: [&str; 8] = [
    "drawn",
    "draw",
    "stalemate",
    "neither player",
    "both players",
    "no material",
    "insufficient",
    "repetition",
];

/// Words that also begin talk about the game, as in "White wins a pawn". In a comment, such a word
/// must end its clause.
const TALK: [&str; 10] = [
    "wins",
    "won",
    "has won",
    "mates",
    "checkmates",
    "lost",
    "loses",
    "draw",
    "drawn",
    "stalemate",
];

/// Words of a game that did not end.
const OPEN: [&str; 3] = ["unterminated", "adjourned", "aborted"];

impl EndClaim {
    /// Returns everything that a game in PGN says about its end.
    pub(crate) fn all(game: &PgnGame) -> Vec<EndClaim> {
        let last_line = game.plies.last().map_or(game.line, |ply| ply.line);
        let mut all = Vec::new();
        let score = |line, place, winner: Winner| EndClaim {
            line,
            place,
            text: winner.score().to_owned(),
            winner: Some(winner),
            reasons: Vec::new(),
        };
        if let Some(winner) = game.result {
            all.push(score(last_line, "result", winner));
        }
        let last = game.plies.last().map_or(&game.before, |ply| &ply.note);
        let tag = |key, place| game.tags.get(key).map(|text| (game.line, place, text));
        let comments = last.text.lines().map(|text| (last_line, "comment", text));
        let texts = (tag("Result", "[Result]").into_iter())
            .chain(tag("ICCResult", "[ICCResult]"))
            .chain(comments)
            .chain(tag("Termination", "[Termination]"));
        for (line, place, text) in texts {
            let written = Winner::from_score(&plain_signs(text).replace(' ', ""));
            if let Some(winner) = written.filter(|_| place != "comment" || text != "*") {
                all.push(score(line, place, winner));
            } else if let Some((winner, reasons)) = said(text, game, place == "comment") {
                all.push(EndClaim {
                    line,
                    place,
                    text: text.chars().take(80).collect(),
                    winner,
                    reasons,
                });
            }
        }
        if game.plies.last().is_some_and(|last| last.signs.mate) {
            all.push(EndClaim {
                line: last_line,
                place: MATE_SIGN,
                text: "#".to_owned(),
                winner: None,
                reasons: vec![Reason::Checkmate],
            });
        }
        all
    }

    /// Whether the claim allows this end. `None` stands for every result or reason.
    pub(crate) fn allows(&self, winner: Option<Winner>, reason: Option<Reason>) -> bool {
        let same = |own: Winner| winner.is_none_or(|winner| winner == own);
        self.winner.is_none_or(same)
            && reason.is_none_or(|reason| self.reasons.is_empty() || self.reasons.contains(&reason))
    }

    /// The only reason that the claim allows.
    pub(crate) fn reason(&self) -> Option<Reason> {
        match *self.reasons {
            [reason] => Some(reason),
            _ => None,
        }
    }
}

/// Whether a word before this text ends its clause, except for a reason.
fn ends_clause(rest: &str) -> bool {
    let first = rest.chars().next();
    first.is_none_or(|c| c.is_ascii_punctuation() && c != '?')
        || [" by ", " on ", " the game", " agreed", " because "]
            .iter()
            .any(|word| rest.starts_with(word))
}

/// Reads a text about the end of a game. A comment must begin with these words, because other
/// comments talk about the game.
fn said(text: &str, game: &PgnGame, is_comment: bool) -> Option<(Option<Winner>, Vec<Reason>)> {
    let text = text.trim().to_lowercase();
    if text == "normal" && !is_comment {
        return Some((None, NORMAL.to_vec()));
    }
    let name = |key| game.tags.get(key).unwrap_or("").to_lowercase();
    let (white, black) = (name("White"), name("Black"));
    let sides = [
        ("white", Winner::White),
        ("black", Winner::Black),
        (&*white, Winner::White),
        (&*black, Winner::Black),
    ];
    let side = sides.into_iter().find_map(|(name, side)| {
        let rest = text.strip_prefix(name).filter(|_| name.len() > 1)?;
        rest.strip_prefix(' ').map(|rest| (side, rest.trim_start()))
    });
    let other = |side| match side {
        Winner::White => Winner::Black,
        Winner::Black | Winner::Draw | Winner::Unfinished => Winner::White,
    };
    let begins = |words: &[&str], text: &str| {
        words.iter().any(|word| {
            let rest = text.strip_prefix(word);
            rest.is_some_and(|rest| !is_comment || !TALK.contains(word) || ends_clause(rest))
        })
    };
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let plain = text.strip_prefix("game ").unwrap_or(&text);
    let winner = match side {
        Some((side, rest)) if begins(&WINS, rest) => Some(side),
        Some((_, rest)) if begins(&LOSES, rest) && has(&DRAWS[3..]) => Some(Winner::Draw),
        Some((side, rest)) if begins(&LOSES, rest) => Some(other(side)),
        Some(_) | None if begins(&DRAWS, plain) => Some(Winner::Draw),
        Some(_) | None if begins(&OPEN, plain) => Some(Winner::Unfinished),
        Some(_) | None if is_comment => return None,
        Some(_) | None if has(&DRAWS[..5]) => Some(Winner::Draw),
        Some(_) | None => None,
    };
    let ended = winner != Some(Winner::Unfinished) && !text.contains("both players");
    let found = REASONS
        .iter()
        .find(|(word, _)| ended && text.contains(word));
    let reasons: Vec<Reason> = found.map(|(_, reason)| *reason).into_iter().collect();
    (winner.is_some() || !reasons.is_empty()).then_some((winner, reasons))
}

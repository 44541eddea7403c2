//! The ending of a score.

use std::fmt;

use rules::chess::Color;

/// The ending of a score, as written.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Ending {
    /// `Resigns`: the side to move resigns.
    Resigns,
    /// `1-0` or `0-1`, with the winner.
    Won(Color),
    /// `1/2-1/2`, `Draw`.
    Drawn,
    /// `*`.
    Unfinished,
}

/// Words that may stand in a sentence about the result, besides the words that say the result.
const OTHERS: [&str; 71] = [
    "a",
    "after",
    "agreed",
    "agreement",
    "an",
    "and",
    "at",
    "auf",
    "be",
    "been",
    "by",
    "check",
    "consent",
    "declared",
    "default",
    "defeat",
    "ended",
    "ends",
    "few",
    "final",
    "finally",
    "flag",
    "for",
    "forfeit",
    "game",
    "has",
    "have",
    "here",
    "i",
    "il",
    "immediately",
    "in",
    "is",
    "it",
    "las",
    "later",
    "les",
    "limit",
    "long",
    "mate",
    "moment",
    "move",
    "moves",
    "mutual",
    "now",
    "of",
    "on",
    "once",
    "out",
    "partie",
    "perpetual",
    "players",
    "repetition",
    "resignation",
    "result",
    "score",
    "side",
    "sides",
    "so",
    "that",
    "the",
    "then",
    "therefore",
    "this",
    "threefold",
    "time",
    "to",
    "up",
    "vereinbart",
    "was",
    "with",
];

const WINS: [&str; 14] = [
    "wins",
    "won",
    "win",
    "winner",
    "victory",
    "victorious",
    "mates",
    "checkmates",
    "gewinnt",
    "gewann",
    "gagnent",
    "gagne",
    "ganan",
    "vincono",
];

const LOSES: [&str; 34] = [
    "resigns",
    "resigned",
    "resign",
    "loses",
    "lost",
    "lose",
    "loss",
    "mated",
    "checkmated",
    "forfeits",
    "forfeited",
    "gives",
    "gave",
    "gab",
    "gibt",
    "abandonnent",
    "abandonan",
    "abbandonano",
    "aufgegeben",
    "concedes",
    "conceded",
    "surrenders",
    "surrendered",
    "quits",
    "quit",
    "abbandona",
    "fell",
    "falls",
    "ran",
    "runs",
    "exceeded",
    "exceeds",
    "overstepped",
    "oversteps",
];

/// Verbs that are about the result only with another word.
const WITH: [(&str, &str); 12] = [
    ("gives", "up"),
    ("gave", "up"),
    ("gibt", "auf"),
    ("gab", "auf"),
    ("fell", "flag"),
    ("falls", "flag"),
    ("ran", "time"),
    ("runs", "time"),
    ("exceeded", "time"),
    ("exceeds", "time"),
    ("overstepped", "time"),
    ("oversteps", "time"),
];

const DRAWN: [&str; 10] = [
    "draw",
    "drawn",
    "stalemate",
    "stalemated",
    "remis",
    "nulle",
    "tablas",
    "patta",
    "patt",
    "remise",
];

const UNFINISHED: [&str; 3] = ["unfinished", "adjourned", "aborted"];

const WHITE: [&str; 7] = [
    "white",
    "white's",
    "wei\u{df}",
    "weiss",
    "blancs",
    "blancas",
    "bianco",
];

const BLACK: [&str; 7] = [
    "black", "black's", "schwarz", "noirs", "negras", "nero", "neri",
];

impl Ending {
    /// Reads an ending from a word.
    pub(super) fn read(word: &str) -> Option<Ending> {
        let word = word.trim_end_matches(['.', ',', ';', '!', ')']);
        let word = word.trim_start_matches('(');
        Some(match word.to_lowercase().as_str() {
            "resigns" | "resign" | "resigned" => Ending::Resigns,
            "1-0" | "1:0" | "1-o" | "+--" | "+:-" => Ending::Won(Color::White),
            "0-1" | "0:1" | "o-1" | "--+" | "-:+" => Ending::Won(Color::Black),
            "1/2-1/2" | "1/2:1/2" | "1/2" | "0.5-0.5" | "0,5-0,5" | "draw" | "drawn" | "remis" => {
                Ending::Drawn
            }
            "*" => Ending::Unfinished,
            _ => return None,
        })
    }

    /// Reads an ending from a sentence, such as "White resigned" or "Drawn by agreement". Every
    /// word of the sentence must be a word about results: "White wins a pawn" is no ending.
    /// `players` are the names of White and Black.
    pub(super) fn sentence(text: &str, players: [Option<&str>; 2]) -> Option<Ending> {
        let named = |player: Option<&str>, word: &str| {
            let mut names = player.unwrap_or_default().split_whitespace();
            word.len() > 2 && names.any(|name| name.eq_ignore_ascii_case(word))
        };
        let (mut side, mut wins, mut drawn, mut unfinished) = (None, None, false, false);
        let (mut passive, mut resigns) = (false, false);
        let words = text.split(|c: char| c.is_whitespace() || "():".contains(c));
        let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let words: Vec<(&str, String)> = words.map(|word| (word, word.to_lowercase())).collect();
        let has = |text: &str| words.iter().any(|(_, word)| word == text);
        let alone = |(verb, other): &(&str, &str)| has(verb) && !has(other);
        if WITH.iter().any(alone) || (has("check") && !has("perpetual")) || text.contains("a move")
        {
            return None;
        }
        for (word, lower) in &words {
            let lower = lower.as_str();
            // Numbers of moves are skipped, too.
            let number = lower.bytes().all(|c| c.is_ascii_digit());
            if number || OTHERS.contains(&lower) {
                passive |= matches!(lower, "is" | "was" | "been");
            } else if WHITE.contains(&lower) || named(players[0], word) {
                if side.replace(Color::White) == Some(Color::Black) {
                    return None;
                }
            } else if BLACK.contains(&lower) || named(players[1], word) {
                if side.replace(Color::Black) == Some(Color::White) {
                    return None;
                }
            } else if DRAWN.contains(&lower) {
                drawn = true;
            } else if UNFINISHED.contains(&lower) {
                unfinished = true;
            } else {
                // "White is mated" is clear, but "White mated" is not.
                let mated = matches!(lower, "mated" | "checkmated");
                let won = WINS.contains(&lower);
                let known = won || (LOSES.contains(&lower) && (passive || !mated));
                if !known || wins.replace(won).is_some() {
                    return None;
                }
                resigns = lower.starts_with("resign") || lower == "aufgegeben";
            }
        }
        // "White to move wins" is a problem, "agreed to a draw" is a result.
        if side.is_some() && has("to") {
            return None;
        }
        match (side, wins, drawn, unfinished) {
            (Some(side), Some(true), false, false) => Some(Ending::Won(side)),
            (Some(side), Some(false), false, false) => Some(Ending::Won(side.other())),
            (None, Some(false), false, false) if resigns => Some(Ending::Resigns),
            (None, None, true, false) => Some(Ending::Drawn),
            (None, None, false, true) => Some(Ending::Unfinished),
            _ => None,
        }
    }

    /// Returns the result as PGN writes it. `to_move` is the side to move at the end.
    pub const fn result(self, to_move: Color) -> &'static str {
        match (self, to_move) {
            (Ending::Won(Color::White), _) | (Ending::Resigns, Color::Black) => "1-0",
            (Ending::Won(Color::Black), _) | (Ending::Resigns, Color::White) => "0-1",
            (Ending::Drawn, _) => "1/2-1/2",
            (Ending::Unfinished, _) => "*",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Resigns => "Resigns",
            Ending::Won(Color::White) => "1-0",
            Ending::Won(Color::Black) => "0-1",
            Ending::Drawn => "1/2-1/2",
            Ending::Unfinished => "*",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_about_results_are_read_and_others_are_not() {
        let players = [Some("Rea B. Hayes"), Some("Mike Juhasz")];
        for (text, result) in [
            ("White resigned", "0-1"),
            ("and Black resigns", "1-0"),
            ("Black gives up", "1-0"),
            ("White wins", "1-0"),
            ("Black has won the game", "0-1"),
            ("White won by resignation", "1-0"),
            ("won by Black", "0-1"),
            ("a win for White", "1-0"),
            ("White lost on time", "0-1"),
            ("Black forfeits on time", "1-0"),
            ("Black is checkmated", "1-0"),
            ("Black mates", "0-1"),
            ("Juhasz resigned", "1-0"),
            ("Draw", "1/2-1/2"),
            ("Drawn by agreement", "1/2-1/2"),
            ("the game was agreed drawn", "1/2-1/2"),
            ("Result: draw by perpetual check", "1/2-1/2"),
            ("Stalemate", "1/2-1/2"),
            ("Wei\u{df} gab auf", "0-1"),
            ("Les Noirs abandonnent", "1-0"),
            ("Unfinished", "*"),
            ("White wins a pawn", ""),
            ("White offered a draw", ""),
            ("White refused the draw", ""),
            ("White mated", ""),
            ("White lost the thread", ""),
            ("White's flag fell", "0-1"),
            ("Black ran out of time", "1-0"),
            ("White overstepped the time limit", "0-1"),
            ("Black concedes defeat", "1-0"),
            ("The players agreed to a draw", "1/2-1/2"),
            ("Remis vereinbart", "1/2-1/2"),
            ("Black gives check", ""),
            ("Black gave mate", ""),
            ("White lost a move", ""),
            ("White wins material", ""),
            ("White won the match", ""),
            ("White to move wins", ""),
            ("Black falls for it", ""),
            ("Black won and White lost", ""),
            ("Black", ""),
            ("", ""),
        ] {
            let read = Ending::sentence(text, players);
            let read = read.map_or("", |ending| ending.result(Color::White));
            assert_eq!(read, result, "{text}");
        }
    }
}

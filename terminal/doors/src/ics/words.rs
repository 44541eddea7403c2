//! Texts that several commands print: refusals, names of rulesets, results and durations.

use club::{ClubError, Millis};
use rules::{Over, Reason, Winner, chess::Color, rulesets};
use wire::RefusalCode;

use super::known_game::KnownGame;

/// Reason why a command did nothing, as the user reads it.
#[derive(Debug)]
pub struct Refused(pub String);

/// Result of a command.
pub type Done<T = ()> = Result<T, Refused>;

impl From<&str> for Refused {
    fn from(why: &str) -> Refused {
        Refused(why.to_owned())
    }
}

impl From<String> for Refused {
    fn from(why: String) -> Refused {
        Refused(why)
    }
}

impl From<ClubError> for Refused {
    fn from(error: ClubError) -> Refused {
        Refused(club_refusal(&error))
    }
}

/// Returns the text of a refusal of the club. If the game is over, the text names the commands of
/// this door that are possible now.
pub fn club_refusal(error: &ClubError) -> String {
    if error.code == RefusalCode::GameOver {
        return "The game is over: type `examine` to look through it with all men, or `rematch` for another."
            .to_owned();
    }
    sentence(&error.why)
}

/// Names of the game Kriegspiel on other servers.
const WILD16_NAMES: &[&str] = &["kriegspiel", "krieg", "kr", "wild/16", "w16", "wild16"];

/// Finds the ruleset that a word names.
pub fn ruleset(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    if WILD16_NAMES.contains(&word.as_str()) {
        return Some("wild16");
    }
    let mut all = rulesets::ALL.iter();
    all.find(|ruleset| ruleset.id == word)
        .map(|ruleset| &*ruleset.id)
}

/// Returns the answer to a word that names no ruleset.
pub fn no_ruleset(word: &str) -> String {
    format!(
        "There is no ruleset `{}`: see `help rulesets`.",
        short(word)
    )
}

/// Cuts a typed word so that it can be repeated in an answer.
pub fn short(word: &str) -> String {
    word.chars().take(40).collect()
}

/// Turns a message of the club into a sentence.
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    let mut text: String = first.into_iter().chain(chars).collect();
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    text
}

/// Formats the line about the end of a game: the reason in braces, and then the result. Clients
/// read the result.
pub fn result(known: &KnownGame, over: Over) -> String {
    let (lost, otherwise) = match over.reason {
        Reason::Checkmate => ("checkmated", "Game ended by checkmate"),
        Reason::Stalemate => ("stalemated", "Game drawn by stalemate"),
        Reason::Insufficient => ("", "Neither player has mating material"),
        Reason::Threefold => ("", "Game drawn by repetition"),
        Reason::Fifty => ("", "Game drawn by the 50 move rule"),
        Reason::Resignation => ("resigns", "Game ended by resignation"),
        Reason::Agreement => ("", "Game drawn by mutual agreement"),
        Reason::Time => (
            "forfeits on time",
            "Game drawn: one side ran out of time and the other has a bare king",
        ),
        Reason::ExhaustedTries => (
            "has no pawn tries left, and is checkmated",
            "Game drawn: no pawn tries left, stalemate",
        ),
        Reason::Aborted => ("", "Game aborted"),
        Reason::Abandoned => ("forfeits by disconnection", "Game drawn: a player has left"),
    };
    let loser = match over.winner {
        Winner::White => Some(Color::Black),
        Winner::Black => Some(Color::White),
        Winner::Draw | Winner::Unfinished => None,
    };
    let what = match loser.filter(|_| !lost.is_empty()) {
        Some(loser) => format!("{} {lost}", known.name(loser)),
        None => otherwise.to_owned(),
    };
    format!("{{{} {what}}} {}", known.title(), over.winner.score())
}

/// Formats a duration with its two largest units.
pub fn span(millis: Millis) -> String {
    let seconds = (millis / 1000).max(0);
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min {} s", seconds % 60),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_durations_are_formatted() {
        for (at, shown) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_399_000, "2000-02-28 23:59:59"),
            (951_782_400_000, "2000-02-29 00:00:00"),
            (1_800_000_000_000, "2027-01-15 08:00:00"),
        ] {
            assert_eq!(club::utc(at), shown);
        }
        assert_eq!(span(59_000), "59 s");
        assert_eq!(span(3_660_000), "1 h 1 min");
    }
}

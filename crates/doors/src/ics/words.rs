//! Lines that clients know.

use club::{ClubError, Millis};
use rules::{
    Over, Reason, Winner,
    chess::{ByColor, Color},
    rulesets,
};

use super::chair::Chair;

/// Why a command did nothing, as its user is told.
#[derive(Debug)]
pub struct Refused(pub String);

/// What came of a command.
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
        Refused(sentence(&error.why))
    }
}

/// Words by which other servers call the game.
const KRIEGSPIEL: &[&str] = &["kriegspiel", "krieg", "kr", "wild/16", "w16", "wild16"];

/// The ruleset of a word.
pub fn ruleset(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    if KRIEGSPIEL.contains(&word.as_str()) {
        return Some("wild16");
    }
    let mut all = rulesets::ALL.iter();
    all.find(|ruleset| ruleset.id == word)
        .map(|ruleset| &*ruleset.id)
}

/// A word that somebody typed, short enough to be repeated.
pub fn short(word: &str) -> String {
    word.chars().take(40).collect()
}

/// A message of the club as a sentence.
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    let mut text: String = first.into_iter().chain(chars).collect();
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    text
}

/// How a game ended, between the braces: clients take the result from behind
/// them.
pub fn result(chair: &Chair, over: Over) -> String {
    let title = chair.title();
    let names = ByColor {
        white: chair.name(Color::White),
        black: chair.name(Color::Black),
    };
    let loser = match over.winner {
        Winner::White => Some(Color::Black),
        Winner::Black => Some(Color::White),
        Winner::Draw | Winner::Unfinished => None,
    };
    let what = match (over.reason, loser) {
        (Reason::Checkmate, Some(color)) => format!("{} checkmated", names.get(color)),
        (Reason::Checkmate, None) => "Game ended by checkmate".to_owned(),
        (Reason::Stalemate, Some(color)) => format!("{} stalemated", names.get(color)),
        (Reason::Stalemate, None) => "Game drawn by stalemate".to_owned(),
        (Reason::Insufficient, _) => "Neither player has mating material".to_owned(),
        (Reason::Threefold, _) => "Game drawn by repetition".to_owned(),
        (Reason::Fifty, _) => "Game drawn by the 50 move rule".to_owned(),
        (Reason::Resignation, Some(color)) => format!("{} resigns", names.get(color)),
        (Reason::Resignation, None) => "Game ended by resignation".to_owned(),
        (Reason::Agreement, _) => "Game drawn by mutual agreement".to_owned(),
        (Reason::Time, Some(color)) => format!("{} forfeits on time", names.get(color)),
        (Reason::Time, None) => {
            "Game drawn: one side ran out of time and the other has a bare king".to_owned()
        }
        (Reason::ExhaustedTries, Some(color)) => {
            format!(
                "{} has no pawn tries left, and is checkmated",
                names.get(color)
            )
        }
        (Reason::ExhaustedTries, None) => "Game drawn: no pawn tries left, stalemate".to_owned(),
        (Reason::Aborted, _) => "Game aborted".to_owned(),
        (Reason::Abandoned, Some(color)) => {
            format!("{} forfeits by disconnection", names.get(color))
        }
        (Reason::Abandoned, None) => "Game drawn: a player has left".to_owned(),
    };
    format!("{{{title} {what}}} {}", over.winner.score())
}

/// The day and the time of a moment, by the calendar of Greenwich.
pub fn date(at: Millis) -> String {
    let (days, rest) = (at.div_euclid(86_400_000), at.rem_euclid(86_400_000) / 1000);
    // Days since the first of March of the year 0, in eras of 400 years.
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year + 400 * era + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{of_month:02} {hour:02}:{minute:02}:{second:02}")
}

/// A span, in its two greatest units.
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
    fn days_are_counted_as_the_calendar_does() {
        for (at, shown) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_399_000, "2000-02-28 23:59:59"),
            (951_782_400_000, "2000-02-29 00:00:00"),
            (1_800_000_000_000, "2027-01-15 08:00:00"),
        ] {
            assert_eq!(date(at), shown);
        }
        assert_eq!(span(59_000), "59 s");
        assert_eq!(span(3_660_000), "1 h 1 min");
    }
}

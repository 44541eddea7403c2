//! Reads and prints the terms of a match or a seek.

use club::{Account, AccountKind, ColorWish, Millis, PlayerRating, Terms, TimeControl};
use notation::is_for_hall;

use super::{
    settings::Settings,
    words::{ruleset, short},
};

/// Reads terms. Missing parts are taken from the settings.
///
/// # Errors
/// Returns a message about a word that is not a term, about a number that is out of range, or about
/// a third number.
pub fn read(words: &[&str], settings: &Settings) -> Result<Terms, String> {
    let (mut numbers, mut rules) = (Vec::new(), None);
    let (mut color, mut untimed, mut rated) = (ColorWish::Any, false, false);
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        let lower = word.to_ascii_lowercase();
        match lower.as_str() {
            "rated" | "r" => rated = true,
            "unrated" | "u" => rated = false,
            "white" | "w" => color = ColorWish::White,
            "black" | "b" => color = ColorWish::Black,
            "untimed" | "unlimited" => untimed = true,
            // On other servers, these words say how players accept a seek. These words have no
            // effect here.
            "manual" | "m" | "auto" | "a" | "formula" | "f" => {}
            // Some clients send `wild 16` as two words.
            "wild" if words.peek() == Some(&"16") => {
                words.next();
                rules = Some("wild16");
            }
            _ => match (lower.parse::<Millis>(), ruleset(&lower)) {
                (Ok(n), _) if (0..=180).contains(&n) && numbers.len() < 2 => numbers.push(n),
                (Ok(n), _) => {
                    return Err(format!(
                        "{n}: there are at most two numbers, minutes and seconds, each at most 180."
                    ));
                }
                (Err(_), Some(id)) => rules = Some(id),
                (Err(_), None) => {
                    return Err(format!(
                        "`{}` is neither a ruleset nor a term: see `help match` and `help rulesets`.",
                        short(word)
                    ));
                }
            },
        }
    }
    let minutes = numbers.first().copied().unwrap_or(settings.time);
    // A main time without an increment means increment 0.
    let seconds = match numbers[..] {
        [] => settings.inc,
        [_] => 0,
        [_, seconds, ..] => seconds,
    };
    let time = if untimed || (minutes, seconds) == (0, 0) {
        TimeControl::Unlimited
    } else {
        TimeControl::Clock {
            // As on other servers of this kind, a clock with 0 minutes starts
            // with ten seconds.
            initial: (minutes * 60_000).max(10_000),
            increment: seconds * 1000,
        }
    };
    Ok(Terms {
        rules: rules.unwrap_or(&settings.rules).to_owned(),
        custom: None,
        time,
        rated,
        color,
    })
}

/// Formats the time control: as two numbers, or as `untimed`.
pub fn numbers(time: TimeControl) -> String {
    let [minutes, seconds] = super::known_game::time_fields(time);
    match time {
        TimeControl::Unlimited => "untimed".to_owned(),
        TimeControl::Clock { .. } | TimeControl::Days { .. } => format!("{minutes} {seconds}"),
    }
}

/// Returns `rated` or `unrated`.
pub const fn rated(terms: &Terms) -> &'static str {
    if terms.rated { "rated" } else { "unrated" }
}

/// Formats terms: `unrated wild/16 5 5`. The ruleset follows if it is not
/// `wild16`.
pub fn shown(terms: &Terms) -> String {
    let numbers = numbers(terms.time);
    match (rules(terms).as_str(), rated(terms)) {
        ("wild16", rated) => format!("{rated} wild/16 {numbers}"),
        (rules, rated) => format!("{rated} wild/16 {numbers} {rules}"),
    }
}

/// Returns the name of the rules. Custom rules are marked as such.
pub fn rules(terms: &Terms) -> String {
    match terms.custom.as_deref() {
        None => terms.rules.clone(),
        custom if is_for_hall(custom) => format!("{} (own rules, shown in a hall)", terms.rules),
        Some(_) => format!("{} (own rules)", terms.rules),
    }
}

/// Formats a rating with its deviation: `1532 (88)`, or `1662 (290, provisional)`.
pub fn points(rating: &PlayerRating) -> String {
    let provisional = if rating.is_provisional() {
        ", provisional"
    } else {
        ""
    };
    let (points, deviation) = (rating.whole_points(), rating.whole_deviation());
    format!("{points} ({deviation}{provisional})")
}

/// Returns the mark that is printed instead of a rating.
pub const fn rating(account: &Account) -> &'static str {
    match account.kind {
        AccountKind::Guest => "++++",
        AccountKind::Person | AccountKind::Program => "----",
    }
}

/// Returns a name with the mark in place of a rating: `Fred (----)`.
pub fn rated_name(account: &Account) -> String {
    format!("{} ({})", account.name, rating(account))
}

/// Returns a name with its marks: `(U)` for a guest, `(C)` for a program.
pub fn marked(account: &Account) -> String {
    let mark = match account.kind {
        AccountKind::Guest => "(U)",
        AccountKind::Program => "(C)",
        AccountKind::Person => "",
    };
    format!("{}{mark}", account.name)
}

#[cfg(test)]
mod tests {
    use rules::rulesets;

    use super::*;

    fn said(text: &str) -> String {
        let words: Vec<&str> = text.split_whitespace().collect();
        match read(&words, &Settings::default()) {
            Ok(terms) => format!("{} {:?}", shown(&terms), terms.color),
            Err(why) => why,
        }
    }

    #[test]
    fn terms_are_read_as_clients_and_people_write_them() {
        for (text, terms) in [
            ("2 12 kriegspiel", "unrated wild/16 2 12 Any"),
            ("", "unrated wild/16 10 5 Any"),
            ("3", "unrated wild/16 3 0 Any"),
            ("5 5 rand white", "unrated wild/16 5 5 rand White"),
            ("r 5 0 b w16", "rated wild/16 5 0 Black"),
            ("RATED 5 5 u r", "rated wild/16 5 5 Any"),
            ("rated wild 16 5 1 u", "unrated wild/16 5 1 Any"),
            (
                "cincinnati untimed",
                "unrated wild/16 untimed cincinnati Any",
            ),
            ("0 0", "unrated wild/16 untimed Any"),
            ("0 2", "unrated wild/16 1 2 Any"),
            ("ks+ap 1 1", "unrated wild/16 1 1 ks+ap Any"),
        ] {
            assert_eq!(said(text), terms, "{text}");
        }
        assert!(said("5 5 bughouse").contains("`bughouse` is neither a ruleset"));
        assert!(said("500").contains("at most 180"));
        assert!(said("-1").contains("at most 180"));
    }

    #[test]
    fn every_ruleset_can_be_named() {
        for r in &rulesets::ALL {
            assert_eq!(ruleset(&r.id), Some(&*r.id));
        }
    }
}

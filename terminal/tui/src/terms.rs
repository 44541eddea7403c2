//! Terms of a game, as the player types them.

use wire::{ColorWish, TermsJson, TimeControlJson};

/// Parses a time control: `10+5` (minutes, and seconds added after each move), `10`, `0:30` (half a
/// minute), `3d` (days for each move), `30d+1d/45d` (days, days added after each move, and the cap),
/// or `none`.
///
/// # Errors
/// Returns a message with the possible forms or with the bounds of the times.
pub fn time_control(text: &str) -> Result<TimeControlJson, String> {
    if matches!(text, "none" | "unlimited") {
        return Ok(TimeControlJson::Unlimited {});
    }
    let wrong = || {
        format!(
            "`{text}` is not a time control: write minutes and added seconds per move (10+5), \
             only minutes (10), days for each move (3d), a bank of days (30d+1d/45d), or none"
        )
    };
    if let Some(numbers) = text.strip_suffix('d') {
        let days = |text: &str| text.parse::<u32>().map_err(|_| wrong());
        let (initial, increment, cap) = match numbers.split_once("d+") {
            None => (numbers, numbers, numbers),
            Some((initial, rest)) => {
                let (increment, cap) = rest.split_once("d/").ok_or_else(wrong)?;
                (initial, increment, cap)
            }
        };
        return Ok(TimeControlJson::Days {
            initial: days(initial)?,
            increment: days(increment)?,
            cap: days(cap)?,
        });
    }
    let (minutes, increment) = match text.split_once('+') {
        Some((minutes, increment)) => (minutes, increment.parse().map_err(|_| wrong())?),
        None => (text, 0_u32),
    };
    let (minutes, seconds) = minutes.split_once(':').unwrap_or((minutes, "0"));
    let number = |text: &str| text.parse::<u16>().map_err(|_| wrong());
    let initial = u32::from(number(minutes)?) * 60 + u32::from(number(seconds)?);
    if !(10..=180 * 60).contains(&initial) || increment > 180 {
        return Err(format!(
            "`{text}`: a clock has 0:10 to 180 minutes, and at most 180 seconds are added after each move"
        ));
    }
    Ok(if increment == 0 {
        TimeControlJson::Plain { initial }
    } else {
        TimeControlJson::Fischer { initial, increment }
    })
}

/// Formats a time control in a few words.
pub fn time_words(time: &TimeControlJson) -> String {
    let minutes = |initial: u32| match (initial / 60, initial % 60) {
        (minutes, 0) => minutes.to_string(),
        (minutes, seconds) => format!("{minutes}:{seconds:02}"),
    };
    match *time {
        TimeControlJson::Fischer { initial, increment } => {
            format!("{}+{increment}", minutes(initial))
        }
        TimeControlJson::Plain { initial } => minutes(initial),
        TimeControlJson::Days {
            initial,
            increment,
            cap,
        } if initial == increment && increment == cap => format!("{cap}d"),
        TimeControlJson::Days {
            initial,
            increment,
            cap,
        } => format!("{initial}d+{increment}d/{cap}d"),
        TimeControlJson::Unlimited {} => "no clock".to_owned(),
    }
}

/// Applies words that change terms: a ruleset, a time control, a colour, in any
/// order.
pub(crate) fn changed(terms: &TermsJson, words: &[&str]) -> Result<TermsJson, String> {
    let mut terms = terms.clone();
    for word in words {
        match *word {
            "white" => terms.color = ColorWish::White,
            "black" => terms.color = ColorWish::Black,
            "any" => terms.color = ColorWish::Any,
            "rated" => terms.rated = true,
            "casual" => terms.rated = false,
            _ if rules::rulesets::by_id(word).is_some() => {
                terms.rules = (*word).to_owned();
                terms.custom = None;
            }
            _ => terms.time = time_control(word)?,
        }
    }
    Ok(terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_shown() {
        for (text, shown) in [
            ("10+5", "10+5"),
            ("3", "3"),
            ("0:30+1", "0:30+1"),
            ("3d", "3d"),
            ("30d+1d/45d", "30d+1d/45d"),
            ("none", "no clock"),
            ("180+180", "180+180"),
        ] {
            assert_eq!(time_words(&time_control(text).unwrap()), shown);
        }
        for text in [
            "",
            "0",
            "x",
            "10+",
            "+5",
            "d",
            "3d+1d",
            "3+1d",
            "30d+1d/",
            "181",
            "0:09",
            "180:01",
            "1:",
            ":30",
            "10+181",
            "99999999999",
        ] {
            assert!(time_control(text).is_err(), "{text}");
        }
        assert_eq!(time_words(&TimeControlJson::Plain { initial: 90 }), "1:30");
    }
}

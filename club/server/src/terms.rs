//! Conversion of the terms of a game, as a client sends them.

use club::{ColorWish, Millis, Terms, TimeControl};
use wire::{RefusalCode, TermsJson, TimeControlJson};

use crate::refusal::Refusal;

/// Converts terms. The club checks later whether the ruleset exists.
///
/// # Errors
/// If a time is out of range; the refusal names it.
pub fn terms_from(json: TermsJson) -> Result<Terms, Refusal> {
    let within = |what: &str, unit: &str, given: u32, least: u32, most: u32| {
        if (least..=most).contains(&given) {
            Ok(Millis::from(given))
        } else {
            Err(Refusal::new(
                RefusalCode::Invalid,
                format!("`{what}` is {least} to {most} {unit}, not {given}"),
            ))
        }
    };
    let span = |what, seconds, least, most| {
        within(what, "seconds", seconds, least, most).map(|seconds| seconds * 1000)
    };
    let days = |what, days, least, most| {
        within(what, "days", days, least, most).map(|days| days * 24 * 3600 * 1000)
    };
    let initial = |seconds| span("initial", seconds, 10, 10_800);
    Ok(Terms {
        rules: json.rules,
        custom: json.custom,
        time: match json.time {
            TimeControlJson::Unlimited {} => TimeControl::Unlimited,
            TimeControlJson::Plain { initial: stock } => TimeControl::Clock {
                initial: initial(stock)?,
                increment: 0,
            },
            TimeControlJson::Fischer {
                initial: stock,
                increment,
            } => TimeControl::Clock {
                initial: initial(stock)?,
                increment: span("increment", increment, 1, 180)?,
            },
            TimeControlJson::Days {
                initial,
                increment,
                cap,
            } => TimeControl::Days {
                initial: days("initial", initial, 1, 60)?,
                increment: days("increment", increment, 0, 14)?,
                cap: days("cap", cap, initial, 90)?,
            },
        },
        rated: json.rated,
        color: match json.color {
            wire::ColorWish::Any => ColorWish::Any,
            wire::ColorWish::White => ColorWish::White,
            wire::ColorWish::Black => ColorWish::Black,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_unchanged_after_reading_and_writing() {
        for text in [
            r#"{"rules":"wild16","custom":null,"time":{"kind":"fischer","initial":300,"increment":3},"rated":false,"color":"any"}"#,
            r#"{"rules":"ks","custom":null,"time":{"kind":"plain","initial":10},"rated":true,"color":"white"}"#,
            r#"{"rules":"ks","custom":null,"time":{"kind":"days","initial":30,"increment":1,"cap":45},"rated":true,"color":"any"}"#,
            r#"{"rules":"x","custom":"id = 1","time":{"kind":"unlimited"},"rated":false,"color":"black"}"#,
        ] {
            let json: TermsJson = serde_json::from_str(text).unwrap();
            let back = present::terms(&terms_from(json).unwrap());
            assert_eq!(serde_json::to_string(&back).unwrap(), text);
        }
    }

    #[test]
    fn refusal_names_the_time_that_is_out_of_range() {
        for (kind, named) in [
            (r#""plain","initial":9"#, "`initial` is 10 to 10800"),
            (r#""plain","initial":10801"#, "not 10801"),
            (r#""fischer","initial":60,"increment":0"#, "`increment`"),
            (r#""fischer","initial":60,"increment":181"#, "`increment`"),
            (
                r#""days","initial":0,"increment":1,"cap":1"#,
                "`initial` is 1 to 60 days",
            ),
            (
                r#""days","initial":3,"increment":15,"cap":20"#,
                "`increment`",
            ),
            (
                r#""days","initial":3,"increment":3,"cap":2"#,
                "`cap` is 3 to 90",
            ),
        ] {
            let text = format!(r#"{{"rules":"ks","time":{{"kind":{kind}}}}}"#);
            let json: TermsJson = serde_json::from_str(&text).unwrap();
            let why = terms_from(json).unwrap_err().why;
            assert!(why.contains(named), "{why}");
        }
    }
}

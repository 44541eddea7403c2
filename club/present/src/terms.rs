//! Conversion of the terms of a game.

use club::{ColorWish, Millis, Terms, TimeControl};
use wire::{TermsJson, TimeControlJson};

/// Seconds of a day.
const DAY: u32 = 24 * 3600;

/// Converts terms.
pub fn terms(terms: &Terms) -> TermsJson {
    TermsJson {
        rules: terms.rules.clone(),
        custom: terms.custom.clone(),
        time: time(terms.time),
        rated: terms.rated,
        color: match terms.color {
            ColorWish::Any => wire::ColorWish::Any,
            ColorWish::White => wire::ColorWish::White,
            ColorWish::Black => wire::ColorWish::Black,
        },
    }
}

/// Converts a time control.
pub fn time(time: TimeControl) -> TimeControlJson {
    let seconds = |span: Millis| u32::try_from(span / 1000).unwrap_or(0);
    let days = |span: Millis| seconds(span) / DAY;
    match time {
        TimeControl::Unlimited => TimeControlJson::Unlimited {},
        TimeControl::Days {
            initial,
            increment,
            cap,
        } => TimeControlJson::Days {
            initial: days(initial),
            increment: days(increment),
            cap: days(cap),
        },
        TimeControl::Clock {
            initial,
            increment: 0,
        } => TimeControlJson::Plain {
            initial: seconds(initial),
        },
        TimeControl::Clock { initial, increment } => TimeControlJson::Fischer {
            initial: seconds(initial),
            increment: seconds(increment),
        },
    }
}

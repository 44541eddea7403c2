//! Checks of the terms of a game.

use notation::{RulesetFileError, read_ruleset};
use referee::{FenError, Game, Opened, StartPosition};
use rules::{Ruleset, rulesets};

use store::{Millis, Terms, TimeControl};
use wire::RefusalCode;

use crate::error::ClubError;

/// Maximum length of the text of a custom ruleset, in bytes.
const MAX_RULESET: usize = 8 * 1024;
const SECOND: Millis = 1000;
const DAY: Millis = 24 * 3600 * SECOND;

fn invalid(reason: &'static str, why: impl Into<std::borrow::Cow<'static, str>>) -> ClubError {
    ClubError::new(RefusalCode::Invalid, reason, why)
}

/// Parses the text of a custom ruleset.
///
/// # Errors
/// If the text is too long, or is not a ruleset; the error names the fault.
pub fn custom_ruleset(text: &str) -> Result<Ruleset, ClubError> {
    if text.len() > MAX_RULESET {
        return Err(ClubError::new(
            RefusalCode::TooLarge,
            "ruleset-long",
            format!(
                "a ruleset file here may have at most {MAX_RULESET} bytes: remove its comments"
            ),
        ));
    }
    let ruleset = read_ruleset(text).map_err(|error| {
        let RulesetFileError { place, fault } = &error;
        let (name, args) = fault.code();
        let mut refused = invalid("ruleset-fault", error.to_string()).with("fault", name);
        refused.args.extend(args);
        if let Some(place) = place {
            refused = refused
                .with("line", place.line)
                .with("column", place.column);
        }
        refused
    })?;
    let unfit = |why: String| Err(invalid("start-unfit", format!("`start`: {why}")));
    match opened(&ruleset).map(|opened| Game::open(opened).over()) {
        Err(error) => unfit(error.to_string()),
        Ok(Some(_)) => unfit("the game is over in this position".to_owned()),
        Ok(None) => Ok(ruleset),
    }
}

/// Returns the opening of a game under a ruleset.
///
/// # Errors
/// If its start position is no position of chess.
pub(crate) fn opened(ruleset: &Ruleset) -> Result<Opened, FenError> {
    let start = StartPosition::of_ruleset(ruleset)?;
    Ok(Opened::new(ruleset, ruleset.choices, start))
}

/// Returns the ruleset that the terms name.
///
/// # Errors
/// If no ruleset has that id, or if the custom ruleset is invalid.
pub(crate) fn ruleset(terms: &Terms) -> Result<Ruleset, ClubError> {
    if let Some(text) = &terms.custom {
        return custom_ruleset(text);
    }
    rulesets::by_id(&terms.rules).cloned().ok_or_else(|| {
        let ids: Vec<_> = rulesets::ALL.iter().map(|r| r.id.as_ref()).collect();
        invalid(
            "ruleset-unknown",
            format!(
                "no ruleset has that id; the named rulesets are {}",
                ids.join(", ")
            ),
        )
    })
}

/// Checks terms. If the terms have a custom ruleset, sets `rules` to the id in its text.
///
/// # Errors
/// If the ruleset is unknown or invalid, or if a time is out of range. The text of the error says
/// which.
pub(crate) fn checked(mut terms: Terms) -> Result<Terms, ClubError> {
    let ruleset = ruleset(&terms)?;
    terms.rules = ruleset.id.into_owned();
    match terms.time {
        TimeControl::Unlimited => {}
        TimeControl::Clock { initial, increment } => {
            let whole = initial % SECOND == 0 && increment % SECOND == 0;
            if !whole || !(10 * SECOND..=10_800 * SECOND).contains(&initial) {
                return Err(invalid(
                    "time-initial",
                    "a clock begins with 10 to 10800 whole seconds",
                ));
            }
            if !(0..=180 * SECOND).contains(&increment) {
                return Err(invalid(
                    "time-increment",
                    "a move adds 0 to 180 whole seconds",
                ));
            }
        }
        TimeControl::Days {
            initial,
            increment,
            cap,
        } => {
            let whole = [initial, increment, cap].iter().all(|span| span % DAY == 0);
            let fits = (DAY..=60 * DAY).contains(&initial)
                && (0..=14 * DAY).contains(&increment)
                && (initial..=90 * DAY).contains(&cap);
            if !whole || !fits {
                return Err(invalid(
                    "time-days",
                    "a clock of days begins with 1 to 60 whole days, a move adds 0 to 14 days, and \
                     the cap is at least the initial time and at most 90 days",
                ));
            }
        }
    }
    Ok(terms)
}

//! Conditional tries: tries that a player makes in advance.

use std::{fmt, str::FromStr};

use rules::{Attempt, Try, chess::Square};

/// What the opponent's last move must have announced to the player.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Condition {
    /// Neither a capture nor a check.
    #[default]
    Quiet,
    /// The player lost a man, on this square if it is named, and there is no check.
    Capture(Option<Square>),
    /// A check, and no capture.
    Check,
    /// Anything.
    Any,
}

/// What the opponent's last move announced to a player.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct OpponentMove {
    /// Square on which the player lost a man.
    pub lost: Option<Square>,
    /// Whether a check was announced.
    pub check: bool,
}

impl Condition {
    fn holds(self, last: OpponentMove) -> bool {
        match self {
            Condition::Quiet => last == OpponentMove::default(),
            Condition::Capture(None) => last.lost.is_some() && !last.check,
            Condition::Capture(square) => last.lost == square && !last.check,
            Condition::Check => last.lost.is_none() && last.check,
            Condition::Any => true,
        }
    }
}

/// A try that is made in advance.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct ConditionalTry {
    /// The try.
    pub what: Try,
    /// Whether it belongs to the turn of the try before it, and is made only if that is not played.
    /// If not, it belongs to the next turn.
    pub or: bool,
    /// When it may be made.
    pub condition: Condition,
}

/// The tries that a player makes in advance, in order.
///
/// The text form separates them by `;`: `e2e4; or d2d4; g1f3 if any; e4d5 if capture d5`.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct ConditionalTries(pub Vec<ConditionalTry>);

impl ConditionalTries {
    /// The player is to move after `last`: drops the tries of this turn whose condition does not
    /// hold. If none is left, nothing is left.
    pub fn begin_turn(&mut self, last: OpponentMove) {
        while self
            .0
            .first()
            .is_some_and(|first| !first.condition.holds(last))
        {
            self.refused();
        }
    }

    /// The first try is not played: the alternatives to it are left, or nothing.
    pub fn refused(&mut self) {
        let mut rest = self.0.split_off(1.min(self.0.len()));
        match rest.first_mut() {
            Some(next) if next.or => next.or = false,
            Some(_) | None => rest.clear(),
        }
        self.0 = rest;
    }

    /// The first try is played: the tries of later turns are left.
    pub fn played(&mut self) {
        let later = self.0.iter().skip(1).skip_while(|next| next.or);
        self.0 = later.copied().collect();
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Quiet => f.write_str("quiet"),
            Condition::Capture(None) => f.write_str("capture"),
            Condition::Capture(Some(square)) => write!(f, "capture {square}"),
            Condition::Check => f.write_str("check"),
            Condition::Any => f.write_str("any"),
        }
    }
}

/// Error: the text is not a condition.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{0}` is not a condition: write quiet, capture, capture d5, check or any")]
pub struct ParseConditionError(pub String);

impl FromStr for Condition {
    type Err = ParseConditionError;

    fn from_str(text: &str) -> Result<Condition, ParseConditionError> {
        let wrong = || ParseConditionError(text.to_owned());
        Ok(match text {
            "quiet" => Condition::Quiet,
            "capture" => Condition::Capture(None),
            "check" => Condition::Check,
            "any" => Condition::Any,
            _ => {
                let square = text.strip_prefix("capture ").ok_or_else(wrong)?;
                Condition::Capture(Some(square.trim().parse().map_err(|_| wrong())?))
            }
        })
    }
}

impl fmt::Display for ConditionalTries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, one) in self.0.iter().enumerate() {
            f.write_str(if n == 0 { "" } else { "; " })?;
            f.write_str(if one.or { "or " } else { "" })?;
            write!(f, "{}", one.what)?;
            if one.condition != Condition::Quiet {
                write!(f, " if {}", one.condition)?;
            }
        }
        Ok(())
    }
}

impl ConditionalTries {
    /// Parses a list; `read` reads the text of a try.
    ///
    /// # Errors
    /// The error of a try or of a condition.
    pub fn read<E: From<ParseConditionError>>(
        text: &str,
        read: impl Fn(&str) -> Result<Try, E>,
    ) -> Result<ConditionalTries, E> {
        let text = text.trim().trim_end_matches(';');
        if text.is_empty() {
            return Ok(ConditionalTries::default());
        }
        let one = |(n, text): (usize, &str)| {
            let text = text.trim();
            let alternative = text.strip_prefix("or ");
            let rest = alternative.unwrap_or(text);
            let (what, condition) = rest.split_once(" if ").unwrap_or((rest, "quiet"));
            Ok(ConditionalTry {
                what: read(what.trim())?,
                or: alternative.is_some() && n > 0,
                condition: condition.trim().parse()?,
            })
        };
        let all = text
            .split(';')
            .enumerate()
            .map(one)
            .collect::<Result<_, E>>();
        all.map(ConditionalTries)
    }
}

impl FromStr for ConditionalTries {
    type Err = String;

    fn from_str(text: &str) -> Result<ConditionalTries, String> {
        ConditionalTries::read(text, |text| match text.parse() {
            Ok(Attempt::Try(what)) => Ok(what),
            Ok(_) | Err(_) => Err(format!("`{text}` is not a try")),
        })
    }
}

impl From<ParseConditionError> for String {
    fn from(error: ParseConditionError) -> String {
        error.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> ConditionalTries {
        text.parse().expect(text)
    }

    #[test]
    fn lists_are_read_as_they_are_written() {
        for text in [
            "",
            "e2e4",
            "e2e4; or d2d4; g1f3 if any",
            "e4d5 if capture d5; or e4d5 if capture; or N@f5 if check; e7e8q",
        ] {
            assert_eq!(list(text).to_string(), text);
        }
        assert_eq!(list(" or e2e4 if quiet;d2d4 ; ").to_string(), "e2e4; d2d4");
        for text in [
            "e2",
            "resign",
            "e2e4;;d2d4",
            "e2e4 if",
            "e2e4 if x",
            "e2e4 if capture z9",
        ] {
            assert!(text.parse::<ConditionalTries>().is_err(), "{text}");
        }
    }

    /// A turn begins (what was announced), a try is refused or played.
    #[test]
    fn a_list_goes_on_until_nothing_fits() {
        #[rustfmt::skip]
        let rows = [
            ("e2e4; d2d4", "quiet played quiet", "d2d4"),
            ("e2e4; d2d4", "quiet refused", ""),
            ("e2e4; d2d4", "check", ""),
            ("e2e4; d2d4", "d5", ""),
            ("e2e4 if any; d2d4", "d5", "e2e4 if any; d2d4"),
            ("a2a3 if capture d5; or e2e4; c2c4", "quiet", "e2e4; c2c4"),
            ("a2a3 if capture d5; or e2e4; c2c4", "d5", "a2a3 if capture d5; or e2e4; c2c4"),
            ("a2a3 if capture d5; or e2e4; c2c4", "d5 played", "c2c4"),
            ("a2a3 if capture d5; or e2e4; c2c4", "d5 refused quiet", "e2e4; c2c4"),
            ("a2a3 if capture; or e2e4 if check", "d5+", ""),
            ("a2a3 if capture; or e2e4 if check", "check", "e2e4 if check"),
            ("a2a3; or b2b3; or c2c3; d2d3", "quiet refused played", "d2d3"),
        ];
        for (before, steps, after) in rows {
            let mut tries = list(before);
            for step in steps.split(' ') {
                let last = |lost: Option<&str>, check| OpponentMove {
                    lost: lost.map(|square| square.parse().unwrap()),
                    check,
                };
                match step {
                    "played" => tries.played(),
                    "refused" => tries.refused(),
                    "quiet" => tries.begin_turn(OpponentMove::default()),
                    "check" => tries.begin_turn(last(None, true)),
                    _ => {
                        let square = step.trim_end_matches('+');
                        tries.begin_turn(last(Some(square), step != square));
                    }
                }
            }
            assert_eq!(tries.to_string(), after, "{before}: {steps}");
        }
    }
}

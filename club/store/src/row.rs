//! Rows of a game's log.

use std::{fmt, str::FromStr};

use referee::Event;
use rules::chess::Color;

use crate::{conditional::ConditionalTries, id::GameId};

/// Milliseconds since the beginning of 1970 (UTC), or a duration in milliseconds.
pub type Millis = i64;

/// Id of a request, chosen by the client. It is unique among the requests of one
/// seat in one game.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct RequestId(pub String);

/// Event of a table that is not an event of the game.
///
/// The text form begins with `table `. The text form of an [`Event`] never
/// begins with `table `.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub enum TableEvent {
    /// The clocks are paused, because the server closes.
    Paused,
    /// The time from `from` until the time of the row was an outage. The clocks do not
    /// count this time.
    Credited {
        /// Start of the outage.
        from: Millis,
    },
    /// A player offers to adjourn.
    AdjournOffered(Color),
    /// The player declines the opponent's offer, or withdraws an own offer.
    AdjournDeclined(Color),
    /// The player accepts the offer: the game is adjourned and the clocks are paused.
    Adjourned(Color),
    /// A player offers to resume.
    ResumeOffered(Color),
    /// The player accepts the offer: the game is resumed.
    Resumed(Color),
    /// A player offers a rematch.
    RematchOffered(Color),
    /// The player declines the opponent's offer, or withdraws an own offer.
    RematchDeclined(Color),
    /// A rematch is agreed; the new game has this id.
    Rematch(GameId),
    /// These are now the tries that the player makes in advance. Never shown to anybody else.
    Conditional(Color, ConditionalTries),
}

/// Content of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Act {
    /// An event of the game, as the referee reports it.
    Game(Event),
    /// An event of the table.
    Table(TableEvent),
}

/// A row to be appended.
#[derive(Clone, PartialEq, Debug)]
pub struct NewRow {
    /// Time at which the event happened.
    pub at: Millis,
    /// What happened.
    pub act: Act,
    /// Seat and id of the request that the row answers; the pair is unique in a game. `None` if the
    /// row answers no request.
    pub request: Option<(Color, RequestId)>,
}

/// A row of a game's log.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Number of the row in the log, from 0. The number is never sent to anybody, because it counts
    /// private rows.
    pub seq: u32,
    /// Time at which the event happened.
    pub at: Millis,
    /// What happened.
    pub act: Act,
    /// Seat and id of the request that the row answers, if it answers one.
    pub request: Option<(Color, RequestId)>,
}

/// Error: the text is not a row.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{text}` is neither an event of a game nor of a table: {why}")]
pub struct ParseActError {
    /// Text that could not be parsed.
    pub text: String,
    /// Reason why the text is not a row.
    pub why: String,
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Act::Game(event) => event.fmt(f),
            Act::Table(event) => write!(f, "table {event}"),
        }
    }
}

impl fmt::Display for TableEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, by) = match self {
            TableEvent::Paused => return f.write_str("paused"),
            TableEvent::Credited { from } => return write!(f, "credited {from}"),
            TableEvent::Rematch(game) => return write!(f, "rematch {game}"),
            TableEvent::Conditional(by, tries) => return write!(f, "conditional {by} {tries}"),
            TableEvent::AdjournOffered(by) => ("adjourn-offered", by),
            TableEvent::AdjournDeclined(by) => ("adjourn-declined", by),
            TableEvent::Adjourned(by) => ("adjourned", by),
            TableEvent::ResumeOffered(by) => ("resume-offered", by),
            TableEvent::Resumed(by) => ("resumed", by),
            TableEvent::RematchOffered(by) => ("rematch-offered", by),
            TableEvent::RematchDeclined(by) => ("rematch-declined", by),
        };
        write!(f, "{name} {by}")
    }
}

impl FromStr for Act {
    type Err = ParseActError;

    fn from_str(text: &str) -> Result<Act, ParseActError> {
        let fault = |why: &str| ParseActError {
            text: text.to_owned(),
            why: why.to_owned(),
        };
        let Some(rest) = text.strip_prefix("table ") else {
            return match text.parse() {
                Ok(event) => Ok(Act::Game(event)),
                Err(referee::ParseEventError { text, why }) => Err(ParseActError { text, why }),
            };
        };
        let (name, argument) = rest.split_once(' ').unwrap_or((rest, ""));
        let (argument, tries) = match name {
            "conditional" => argument.split_once(' ').unwrap_or((argument, "")),
            _ => (argument, ""),
        };
        let by = argument
            .parse()
            .map_err(|_| fault("a colour is `white` or `black`"));
        Ok(Act::Table(match name {
            "paused" if argument.is_empty() => TableEvent::Paused,
            "credited" => TableEvent::Credited {
                from: argument
                    .parse()
                    .map_err(|_| fault("a time is a number of milliseconds"))?,
            },
            "rematch" => TableEvent::Rematch(
                argument
                    .parse()
                    .map_err(|_| fault("this is not the id of a game"))?,
            ),
            "adjourn-offered" => TableEvent::AdjournOffered(by?),
            "adjourn-declined" => TableEvent::AdjournDeclined(by?),
            "adjourned" => TableEvent::Adjourned(by?),
            "resume-offered" => TableEvent::ResumeOffered(by?),
            "resumed" => TableEvent::Resumed(by?),
            "rematch-offered" => TableEvent::RematchOffered(by?),
            "rematch-declined" => TableEvent::RematchDeclined(by?),
            "conditional" => {
                let tries = tries.parse().map_err(|why: String| fault(&why))?;
                TableEvent::Conditional(by?, tries)
            }
            _ => return Err(fault("unknown event of a table")),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_events_are_read_as_they_are_written() {
        let by = Color::White;
        for event in [
            TableEvent::Paused,
            TableEvent::Credited { from: 17 },
            TableEvent::AdjournOffered(by),
            TableEvent::AdjournDeclined(by),
            TableEvent::Adjourned(Color::Black),
            TableEvent::ResumeOffered(by),
            TableEvent::Resumed(by),
            TableEvent::RematchOffered(by),
            TableEvent::RematchDeclined(by),
            TableEvent::Rematch(GameId::from_chance(77)),
            TableEvent::Conditional(by, ConditionalTries::default()),
            TableEvent::Conditional(by, "e2e4; or d2d4 if capture d5".parse().unwrap()),
        ] {
            let act = Act::Table(event);
            assert_eq!(act.to_string().parse(), Ok(act));
        }
        for text in [
            "table",
            "table ",
            "table paused white",
            "table adjourned",
            "table rematch x",
            "table conditional e2e4",
            "table conditional white e2",
            "",
        ] {
            assert!(text.parse::<Act>().is_err(), "{text:?}");
        }
    }
}

//! Reads the comments of a game.

use std::time::Duration;

use referee::{Event, ParseEventError};

use super::{Note, Remark, cursor::decoded};

/// Separator between two events of a `[%ks]` command.
pub(super) const BETWEEN: &str = "; ";

/// Maximum length of the text that is kept from the comments of one move, in bytes.
const MAX_TEXT: usize = 64 << 10;

impl Note {
    /// Reads a comment and adds its content to this note.
    pub(super) fn take(&mut self, comment: &[u8]) -> Result<(), ParseEventError> {
        let Ok(text) = std::str::from_utf8(comment) else {
            self.keep(&decoded(comment));
            return Ok(());
        };
        let mut rest = text;
        while let Some(at) = rest.find("[%") {
            self.words(&rest[..at]);
            let command = &rest[at + 2..];
            let Some(end) = command.find(']') else {
                self.keep(&rest[at..]);
                return Ok(());
            };
            self.command(&command[..end])?;
            rest = &command[end + 1..];
        }
        self.words(rest);
        Ok(())
    }

    fn command(&mut self, command: &str) -> Result<(), ParseEventError> {
        if let Some(events) = command.strip_prefix("ks ") {
            for event in events.split(BETWEEN).map(str::trim) {
                // A program that wraps lines may have split the command over several lines.
                if event.contains(['\n', '\r', '\t']) {
                    let joined: Vec<&str> = event.split_whitespace().collect();
                    self.events.push(joined.join(" ").parse()?);
                } else {
                    self.events.push(event.parse::<Event>()?);
                }
            }
        } else if let Some(time) = command
            .strip_prefix("clk ")
            .and_then(|text| clock(text.trim()))
        {
            self.clock = Some(time);
        } else {
            self.keep(&format!("[%{command}]"));
        }
        Ok(())
    }

    fn words(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if self.remark.is_none()
            && text.starts_with('(')
            && let Some(end) = text.find(')')
            && let Some(remark) = Remark::read(&text[..=end])
        {
            self.remark = Some(remark);
            self.words(&text[end + 1..]);
            return;
        }
        self.keep(text);
    }

    fn keep(&mut self, text: &str) {
        if self.text.len() + text.len() > MAX_TEXT {
            return;
        }
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(&text.replace(['\n', '\r'], " "));
    }
}

/// Reads a time `h:mm:ss`. A fraction of up to three digits may follow.
fn clock(text: &str) -> Option<Duration> {
    let mut parts = text.splitn(3, ':');
    let hours: u64 = parts.next()?.parse().ok()?;
    let minutes: u64 = parts.next()?.parse().ok()?;
    let (seconds, fraction) = match parts.next()?.split_once('.') {
        Some((seconds, fraction)) => (seconds, fraction),
        None => ("", ""),
    };
    let seconds = if seconds.is_empty() {
        text.rsplit(':').next()?
    } else {
        seconds
    };
    let seconds: u64 = seconds.parse().ok()?;
    let millis: u64 = match fraction.len() {
        0 => 0,
        1..=3 if fraction.bytes().all(|b| b.is_ascii_digit()) => {
            format!("{fraction:0<3}").parse().ok()?
        }
        _ => return None,
    };
    let total = hours
        .checked_mul(3600)?
        .checked_add(minutes.checked_mul(60)?)?
        .checked_add(seconds)?;
    Some(Duration::from_millis(
        total.checked_mul(1000)?.checked_add(millis)?,
    ))
}

/// Formats a time as in `[%clk]`.
pub(super) fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match time.subsec_millis() {
        0 => format!("{hours}:{minutes:02}:{rest:02}"),
        millis => {
            let text = format!("{hours}:{minutes:02}:{rest:02}.{millis:03}");
            text.trim_end_matches('0').to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_times_round_trip_and_bad_times_are_refused() {
        for millis in [0, 1, 100, 59_999, 3_600_000, 86_399_120] {
            let time = Duration::from_millis(millis);
            assert_eq!(clock(&clock_text(time)), Some(time), "{millis}");
        }
        for text in [
            "",
            "1",
            "1:2",
            "a:b:c",
            "1:00:00.x",
            "99999999999999999999:0:0",
        ] {
            assert_eq!(clock(text), None, "{text}");
        }
    }

    #[test]
    fn comment_is_split_into_remark_clock_events_and_text() {
        let mut note = Note::default();
        let comment =
            b"(Xd5:f6) a fine move [%eval 1.5] [%clk 0:05:00]\n[%ks w e4e5 no; w e4d5\nmoved ?0]";
        note.take(comment).unwrap();
        assert_eq!(note.text, "a fine move [%eval 1.5]");
        assert_eq!(note.remark.as_ref().unwrap().to_string(), "(Xd5:f6)");
        assert_eq!(note.clock, Some(Duration::from_secs(300)));
        assert_eq!(note.events.len(), 2);
        assert!(note.take(b"[%ks nothing]").is_err());
    }
}

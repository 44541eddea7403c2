//! Prints a transcript as a table.

use std::fmt;

use crate::{
    short::ShortList,
    transcript::{Answered, Asked, Entry, Transcript, TranscriptLine},
};

/// Maximum width of a column, in bytes. A longer cell moves the cells after it to
/// the right; the column keeps its width.
const WIDEST: usize = 56;

/// Cells of the line with the column names.
pub(crate) const HEADING: [&str; 4] = ["attempt", "white", "black", "room"];

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, value) in self.header.rows() {
            writeln!(f, "{}", format!("{key:<7} {value}").trim_end())?;
        }
        writeln!(f)?;
        let mut heading = self.has_columns();
        let mut widths = if heading {
            HEADING.map(str::len)
        } else {
            [0; 4]
        };
        for (_, line) in self.lines() {
            for (width, cell) in widths.iter_mut().zip(cells(line)) {
                *width = (*width).max(cell.len().min(WIDEST));
            }
        }
        for entry in &self.entries {
            match entry {
                Entry::Blank => writeln!(f)?,
                Entry::Comment(text) => writeln!(f, "#{text}")?,
                Entry::Line(line) => {
                    if std::mem::take(&mut heading) {
                        row(f, &HEADING.map(str::to_owned), widths)?;
                    }
                    row(f, &cells(line), widths)?;
                }
            }
        }
        Ok(())
    }
}

fn row(f: &mut fmt::Formatter<'_>, cells: &[String], widths: [usize; 4]) -> fmt::Result {
    let padded: Vec<String> = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| format!("{cell:<width$}"))
        .collect();
    writeln!(f, "{}", padded.join(" | ").trim_end())
}

impl fmt::Display for TranscriptLine {
    /// Prints the line without padding, in the form that can be appended to a transcript.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&cells(self).join(" | "))
    }
}

/// Returns the attempt column, and the three listener columns if they are known.
fn cells(line: &TranscriptLine) -> Vec<String> {
    let mut first = line.asked.to_string();
    if let Some(answered) = line.answered {
        first = format!("{first} {answered}");
    }
    let mut cells = vec![first];
    if let Some(columns) = &line.heard {
        cells.extend(columns.each_ref().map(|heard| ShortList(heard).to_string()));
    }
    cells
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Asked::Start => f.write_str("start"),
            Asked::Attempt { by, attempt } => write!(f, "{by} {attempt}"),
            Asked::Unread { by, text } => write!(f, "{by} \"{text}\""),
            Asked::End(cause) => match cause.color() {
                Some(color) => write!(f, "{color} {}", cause.word()),
                None => f.write_str(cause.word()),
            },
        }
    }
}

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answered::Ruled { answer, row } => {
                f.write_str(answer.name())?;
                row.map_or(Ok(()), |row| write!(f, " {row}"))
            }
            Answered::Refused => f.write_str("refused"),
            Answered::NotUnderstood => f.write_str("not-understood"),
        }
    }
}

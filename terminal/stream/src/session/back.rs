//! Takes lines back.

use std::io::{self, Write};

use rules::Listener;

use super::TableSession;
use crate::{human, request::Back};

/// Largest number of lines that `takeback` takes back immediately. With a larger number, the person
/// could have meant the line with that number, so the person must type `takeback` again.
const UNASKED_LINES: usize = 3;

impl TableSession<'_> {
    /// Takes lines back. A person must type `takeback` with a large number twice. `doubted` is such
    /// a command that the person has typed once.
    pub(super) fn take_back(
        &mut self,
        output: &mut impl Write,
        back: Back,
        doubted: Option<Back>,
    ) -> io::Result<()> {
        self.offered.clear();
        let count = match back {
            Back::Last(count) => Ok(count),
            Back::From(number) => self.table.lines_from(number),
        };
        let lines = self.table.ruled().len();
        if let (Back::Last(count), true) = (back, self.is_prompted())
            && count > UNASKED_LINES
            && count <= lines
            && doubted != Some(back)
        {
            self.doubted = Some(back);
            return writeln!(
                output,
                "     This takes {count} lines back, from line {} to line {lines}. Type `takeback {count}` again to do it; `takeback from {count}` takes line {count} and all later lines back.",
                lines - count + 1
            );
        }
        let before = self.table.clone();
        let taken = match count.and_then(|count| self.table.take_back(count)) {
            Ok(taken) => taken,
            Err(why) => return writeln!(output, "     Nothing is taken back: {why}."),
        };
        if let Err(error) = self.rewrite() {
            self.table = before;
            return writeln!(
                output,
                "     Nothing is taken back, because it cannot be stored ({error}). Make room, and type it again."
            );
        }
        self.turn(None);
        self.is_saved = false;
        self.warned = false;
        human::taken_back(output, &taken)?;
        self.say(&human::void_said(&taken, Listener::Room));
        Ok(())
    }
}

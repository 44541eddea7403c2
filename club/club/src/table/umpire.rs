//! The umpire's board of a game between two built-in bots, for everybody who watches.

use super::Table;

impl Table {
    /// Returns the true position as FEN. Only for games between two built-in bots.
    pub(crate) fn umpire(&self) -> String {
        self.game.sheet().fen()
    }
}

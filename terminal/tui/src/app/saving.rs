//! Saves finished games to files.

use super::{App, Screen};
use crate::{messages::ClubRequest, table::TableState};

impl App {
    /// Records that the shown game of a connection has ended.
    pub(super) fn note_end(&mut self, line: usize) {
        let table = self.seats.get(line).and_then(|seat| seat.table.as_ref());
        if let Some(table) = table.filter(|table| table.is_over()) {
            self.ended.entry(table.id.clone()).or_default();
        }
    }

    /// Returns the number of finished games that would be lost when the program
    /// ends. A club with a lobby stores its games itself.
    pub(crate) fn unsaved(&self) -> usize {
        if self.start.lobby {
            return 0;
        }
        self.ended.values().filter(|file| file.is_none()).count()
    }

    /// Whether this finished game would be lost when the program ends.
    pub(crate) fn is_unsaved(&self, table: &TableState) -> bool {
        !self.start.lobby && self.ended.get(&table.id) == Some(&None)
    }

    /// Whether the shown game is over and can be saved.
    pub(super) fn may_save(&self) -> bool {
        matches!(self.screen, Screen::Table | Screen::Review)
            && self.table().is_some_and(TableState::is_over)
    }

    /// Writes the shown game to a file.
    pub(super) fn save(&mut self, file: Option<&str>) {
        let ended = self.table().filter(|table| table.is_over());
        let Some(game) = ended.map(|table| table.id.clone()) else {
            self.complain("A game can be saved when it is over.");
            return;
        };
        if let (None, Some(Some(file))) = (file, self.ended.get(&game)) {
            let words = format!("The game is already saved: {file}");
            self.remark(&words);
            return;
        }
        let file = file.map_or_else(|| usual_name(&game), str::to_owned);
        self.ask(ClubRequest::Save { game, file });
    }

    /// Saves all games that ended here and would be lost.
    pub(super) fn save_all(&mut self) {
        let ended = self.ended.iter().filter(|(_, file)| file.is_none());
        let games: Vec<String> = ended.map(|(game, _)| game.clone()).collect();
        for game in games {
            let file = usual_name(&game);
            self.ask(ClubRequest::Save { game, file });
        }
    }
}

fn usual_name(game: &str) -> String {
    format!("kriegspiel-{game}.pgn")
}

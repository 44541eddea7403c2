//! Handles keys and the mouse.

use rules::chess::{File, Rank, Role, Square};

use super::{App, Over, Screen};
use crate::{
    belief::Beliefs,
    commands::{self, Does, Here},
    keys::Mouse,
    messages::ClubRequest,
    table::Selection,
};

/// Maximum length of the input line, in bytes of UTF-8.
const MAX_INPUT_BYTES: usize = 200;

impl App {
    /// Handles a key, given by its name.
    pub fn key(&mut self, key: &str) {
        if key == "Control-Z" || key == "Control-L" {
            if let Some(command) = commands::by_key(key) {
                self.carry_out_quietly(command);
            }
            return;
        }
        if self.over.is_some() {
            self.key_over(key);
            return;
        }
        if let Some(command) = commands::by_key(key)
            && (self.screen != Screen::Cover || command.does == Does::Here(Here::Quit))
        {
            self.give(self.meant(command));
            return;
        }
        match self.screen {
            Screen::Waiting => {}
            Screen::Cover => self.key_cover(key),
            Screen::Lobby => self.key_lobby(key),
            Screen::Table => self.key_table(key),
            Screen::Review => self.key_review(key),
        }
    }

    /// Carries out an action of the terminal without closing an open page.
    fn carry_out_quietly(&mut self, command: commands::Command) {
        let over = self.over.take();
        self.carry_out(command);
        self.over = over;
    }

    fn key_over(&mut self, key: &str) {
        let Some(over) = self.over.take() else { return };
        if key == "Esc" {
            return;
        }
        match over {
            Over::Help(at) => {
                let last = self.last_page_row(&self.help_text());
                self.over = turned(key, at, last).map(Over::Help);
            }
            Over::Rules(at) => {
                let last = self.last_page_row(&self.rules_text());
                self.over = turned(key, at, last).map(Over::Rules);
            }
            Over::Text(title, text, at) => {
                let last = self.last_page_row(&text);
                self.over = turned(key, at, last).map(|at| Over::Text(title, text, at));
            }
            Over::Menu(at) => self.key_menu(key, at),
            Over::Confirm(command) => match key {
                "y" | "Y" => self.carry_out(command),
                "Control-C" if command.does == Does::Here(Here::Quit) => self.carry_out(command),
                "n" | "N" | "Control-C" => {}
                "s" | "S" if command.does == Does::Here(Here::Quit) && self.unsaved() > 0 => {
                    self.save_all();
                }
                _ => self.over = Some(Over::Confirm(command)),
            },
            Over::Promote(tries) => {
                let key = if key == "Enter" {
                    "q".to_owned()
                } else {
                    key.to_ascii_lowercase()
                };
                match tries.iter().find(|text| text.ends_with(&key)) {
                    Some(text) => self.say(&text.clone()),
                    None => self.over = Some(Over::Promote(tries)),
                }
            }
            Over::Guess(square) => self.key_guess(key, square),
        }
    }

    fn key_menu(&mut self, key: &str, at: usize) {
        let menu = self.menu();
        let last = menu.len().saturating_sub(1);
        match key {
            "Enter" | "Space" => {
                if let Some(command) = menu.get(at) {
                    self.give(*command);
                }
            }
            "Up" => self.over = Some(Over::Menu(at.saturating_sub(1))),
            "Down" => self.over = Some(Over::Menu((at + 1).min(last))),
            "Home" => self.over = Some(Over::Menu(0)),
            "End" => self.over = Some(Over::Menu(last)),
            _ => {
                if let Some(command) =
                    commands::by_key(key).filter(|c| c.does != Does::Here(Here::Menu))
                {
                    self.give(command);
                }
            }
        }
    }

    fn key_guess(&mut self, key: &str, square: Square) {
        let Some(table) = self.table_mut() else {
            return;
        };
        let mut letters = key.chars();
        let man = match (letters.next().and_then(Role::from_char), letters.next()) {
            (Some(role), None) => Some(role.of(!table.color())),
            _ if matches!(key, "Delete" | "Backspace") => None,
            _ => {
                self.over = Some(Over::Guess(square));
                return;
            }
        };
        table.phantoms.guess(square, man);
    }

    fn key_cover(&mut self, key: &str) {
        if key != "Space" {
            return;
        }
        let over = self.table().is_some_and(crate::table::TableState::is_over);
        match self.next_seat() {
            Some(next) => self.shown = next,
            None if over => {}
            None => return,
        }
        self.screen = Screen::Table;
        self.held = None;
        self.turned = false;
        self.back = 0;
        self.has_cursor = false;
        self.input.clear();
    }

    fn key_lobby(&mut self, key: &str) {
        let last = self.lobby_rows().len().saturating_sub(1);
        match key {
            "Up" => self.row = self.row.saturating_sub(1),
            "Down" => self.row = (self.row + 1).min(last),
            "Home" => self.row = 0,
            "End" => self.row = last,
            "Enter" if self.input.is_empty() => self.choose_row(false),
            "Delete" if self.input.is_empty() => self.choose_row(true),
            _ => self.key_line(key),
        }
    }

    fn key_line(&mut self, key: &str) {
        let typed = if key == "Space" { " " } else { key };
        match key {
            "Enter" => self.enter_line(),
            "Backspace" => drop(self.input.pop()),
            "Esc" => self.input.clear(),
            "?" if self.input.is_empty() => self.over = Some(Over::Help(0)),
            _ if typed.chars().count() == 1 && self.input.len() < MAX_INPUT_BYTES => {
                self.input.push_str(typed);
            }
            _ => {}
        }
    }

    /// Returns the text that was asked back, if Enter sends it now. A key that moves the cursor drops
    /// it.
    fn asked_back(&mut self, key: &str) -> Option<String> {
        let (input, seat) = (self.input.is_empty(), self.seats.get_mut(self.shown)?);
        if input
            && matches!(
                key,
                "Up" | "Down" | "Left" | "Right" | "Tab" | "Esc" | "Space"
            )
        {
            seat.asked_back = None;
        }
        let (n, text) = seat
            .asked_back
            .as_ref()
            .filter(|_| input && key == "Enter")?;
        (seat.table.as_ref()?.n == *n).then(|| text.clone())
    }

    fn key_table(&mut self, key: &str) {
        if self.is_to_hand_over() && self.input.is_empty() && matches!(key, "Enter" | "Space") {
            self.cover();
            return;
        }
        if let Some(text) = self.asked_back(key) {
            self.say(&text);
            return;
        }
        match key {
            "Up" => self.move_cursor(0, 1),
            "Down" => self.move_cursor(0, -1),
            "Left" => self.move_cursor(-1, 0),
            "Right" => self.move_cursor(1, 0),
            "PageUp" => self.back = self.back.saturating_add(5),
            "PageDown" => self.back = self.back.saturating_sub(5),
            "Tab" => self.take_of_reserve(),
            "Enter" | "Space" if self.input.is_empty() => {
                self.has_cursor = true;
                self.point(self.cursor);
            }
            "Delete" if self.input.is_empty() => {
                let square = self.cursor;
                if let Some(table) = self.table_mut() {
                    table.phantoms.guess(square, None);
                }
            }
            "Esc" if self.input.is_empty() => self.held = None,
            _ => self.key_line(key),
        }
    }

    fn key_review(&mut self, key: &str) {
        let back = !self.seats.is_empty();
        let Some(review) = &mut self.review else {
            return;
        };
        match key {
            "Right" | "Down" | "Space" | "Enter" => review.step(1),
            "Left" | "Up" | "Backspace" => review.step(-1),
            "PageDown" => review.step(10),
            "PageUp" => review.step(-10),
            "Home" => review.step(isize::MIN),
            "End" => review.step(isize::MAX),
            "Tab" => review.tab(),
            "?" => self.over = Some(Over::Help(0)),
            "b" => {
                let ask = review.beliefs.as_mut().and_then(Beliefs::next);
                self.asks
                    .extend(ask.map(|side| (0, ClubRequest::Belief(side))));
            }
            "h" => {
                if let Some(beliefs) = &mut review.beliefs {
                    beliefs.next_man();
                }
            }
            "q" | "Esc" if back => self.screen = Screen::Table,
            "q" => self.effects.push(super::Effect::Quit),
            _ => {}
        }
    }

    /// Hides the board until the other player has taken over the terminal.
    fn cover(&mut self) {
        self.screen = Screen::Cover;
        self.held = None;
        self.over = None;
        self.input.clear();
        self.has_cursor = false;
    }

    fn move_cursor(&mut self, files: i32, ranks: i32) {
        if !self.has_cursor {
            self.has_cursor = true;
            if self.cursor == Square::E2 && self.table().is_some_and(|t| t.color().is_black()) {
                self.cursor = Square::E7;
            }
            return;
        }
        let turn = if self.below().is_white() { 1 } else { -1 };
        let file = self.cursor.file() as i32 + files * turn;
        let rank = self.cursor.rank() as i32 + ranks * turn;
        if let (Ok(file), Ok(rank)) = (u32::try_from(file), u32::try_from(rank))
            && file < 8
            && rank < 8
        {
            self.cursor = Square::from_coords(File::new(file), Rank::new(rank));
        }
    }

    /// Picks up the man on a square, or puts the held man on this square.
    fn point(&mut self, square: Square) {
        let Some(table) = self.table() else { return };
        if table.is_over() {
            return;
        }
        let own = table.men().color_at(square) == Some(table.color());
        match self.held {
            Some(Selection::Man(from)) if from == square => self.held = None,
            // An own man is never a target; castling is entered as the king's
            // step of two squares.
            _ if own => self.held = Some(Selection::Man(square)),
            Some(held) => self.put(held, square),
            None => {}
        }
    }

    fn put(&mut self, held: Selection, to: Square) {
        self.held = None;
        let Some(table) = self.table() else { return };
        match held {
            Selection::Reserve(man) => self.say(&format!("{man}@{to}")),
            Selection::Man(from) => {
                let tries = table.between(from, to);
                match tries.as_slice() {
                    [] => self.say(&format!("{from}{to}")),
                    [one] => self.say(&one.clone()),
                    _ => self.over = Some(Over::Promote(tries)),
                }
            }
        }
    }

    /// Picks up a man of the reserve. Each call picks up the next kind of man.
    fn take_of_reserve(&mut self) {
        let Some(view) = self.table().and_then(|table| table.view.as_ref()) else {
            return;
        };
        let mut kinds: Vec<char> = view.reserve.chars().collect();
        kinds.dedup();
        let after = match self.held {
            Some(Selection::Reserve(man)) => kinds
                .iter()
                .position(|kind| *kind == man)
                .map_or(0, |i| i + 1),
            Some(Selection::Man(_)) | None => 0,
        };
        self.held = kinds.get(after).copied().map(Selection::Reserve);
    }

    /// Handles a mouse action at a position of the screen.
    pub fn mouse(&mut self, mouse: Mouse, x: u16, y: u16) {
        if mouse == Mouse::WheelUp || mouse == Mouse::WheelDown {
            let key = match (self.screen, mouse == Mouse::WheelUp) {
                (Screen::Review, true) => "Left",
                (Screen::Review, false) => "Right",
                (_, true) => "PageUp",
                (_, false) => "PageDown",
            };
            self.key(key);
            return;
        }
        if let Some(Over::Menu(_)) = self.over {
            if let (Mouse::Down, Some(row)) = (mouse, self.row_at(x, y)) {
                self.key_over_row(row);
            }
            return;
        }
        if self.over.is_some() {
            return;
        }
        match self.screen {
            Screen::Lobby => {
                if let (Mouse::Down, Some(row)) = (mouse, self.row_at(x, y)) {
                    let again = self.row == row;
                    self.row = row;
                    if again {
                        self.choose_row(false);
                    }
                }
            }
            Screen::Table => self.mouse_table(mouse, x, y),
            Screen::Waiting | Screen::Cover | Screen::Review => {}
        }
    }

    fn key_over_row(&mut self, row: usize) {
        self.over = Some(Over::Menu(row));
        self.key("Enter");
    }

    fn row_at(&self, x: u16, y: u16) -> Option<usize> {
        let rows = self.rows_at.borrow();
        let hit = rows.iter().find(|(at, _)| at.contains((x, y).into()));
        hit.map(|(_, row)| *row)
    }

    fn mouse_table(&mut self, mouse: Mouse, x: u16, y: u16) {
        let Some(square) = self.layout().and_then(|layout| layout.board.hit(x, y)) else {
            return;
        };
        self.has_cursor = false;
        self.cursor = square;
        match mouse {
            Mouse::Down => self.point(square),
            // The two squares of a drag differ; a click begins and ends on the same square.
            Mouse::Up => match self.held {
                Some(Selection::Man(from)) if from != square => self.point(square),
                Some(Selection::Man(_) | Selection::Reserve(_)) | None => {}
            },
            Mouse::Right => {
                if self.table().is_some_and(|table| !table.is_over()) {
                    self.over = Some(Over::Guess(square));
                }
            }
            Mouse::WheelUp | Mouse::WheelDown => {}
        }
    }
}

/// Scrolls a page by a key, at most to the last row. Returns `None` if the key
/// closes the page.
fn turned(key: &str, at: u16, last: u16) -> Option<u16> {
    let to = match key {
        "Down" => at.saturating_add(1),
        "Up" => at.saturating_sub(1),
        "PageDown" | "Space" => at.saturating_add(10),
        "PageUp" => at.saturating_sub(10),
        "Home" => 0,
        "End" => last,
        _ => return None,
    };
    Some(to.min(last))
}

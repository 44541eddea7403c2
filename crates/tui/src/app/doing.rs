//! Commands, carried out.

use wire::{GameStatus, NewChallengeJson, TableAct};

use super::{App, Effect, Over, Screen};
use crate::{
    commands::{self, Command, Does, Here},
    lobby::{self, Row},
    review::Review,
    said::Ask,
    table::Table,
    terms,
};

impl App {
    /// A name for a request that no other has.
    fn new_id(&mut self) -> String {
        self.count += 1;
        format!("{}-{}", self.start.ids, self.count)
    }

    /// Whether a command can be given now.
    pub(crate) fn offers(&self, command: &Command) -> bool {
        let at_table = self.screen == Screen::Table;
        match command.does {
            Does::Say(word) => at_table && self.table().is_some_and(|table| table.may_say(word)),
            Does::Act(act) => {
                at_table && self.table().is_some_and(|table| self.may_act(table, act))
            }
            Does::Here(here) => self.can_here(here),
        }
    }

    fn can_here(&self, here: Here) -> bool {
        let table = self.table();
        let at_table = self.screen == Screen::Table;
        let is_over = table.is_some_and(Table::is_over);
        match here {
            Here::Help
            | Here::Menu
            | Here::Theme
            | Here::Men
            | Here::Redraw
            | Here::Suspend
            | Here::Quit => true,
            Here::Guess => at_table && !is_over,
            Here::ClearGuesses => at_table && table.is_some_and(|t| t.phantoms.len() > 0),
            Here::Turn => at_table || self.screen == Screen::Review,
            Here::Rules => at_table && table.is_some_and(|t| t.facts.is_some()),
            Here::Review => at_table && self.steps().is_some(),
            Here::Save => at_table && is_over,
            Here::Lobby => self.start.lobby && self.screen != Screen::Lobby,
            Here::Seek | Here::Challenge => self.start.lobby,
        }
    }

    fn steps(&self) -> Option<&(String, Vec<wire::StepJson>)> {
        let seat = self.seat()?;
        let id = &seat.table.as_ref()?.id;
        seat.steps.as_ref().filter(|(game, _)| game == id)
    }

    fn may_act(&self, table: &Table, act: TableAct) -> bool {
        let Some(facts) = table.facts.as_ref().filter(|facts| facts.seat.is_some()) else {
            return false;
        };
        let offers = facts.offers.clone().unwrap_or_default();
        let running = facts.status == GameStatus::Running;
        let over = facts.status == GameStatus::Over;
        let ahead = self.seat().map_or(0, |seat| seat.ahead);
        match act {
            TableAct::Abort => running && facts.can_abort,
            TableAct::ClaimWin | TableAct::ClaimDraw => {
                running
                    && facts
                        .claim_from
                        .is_some_and(|from| self.now + ahead >= from)
            }
            TableAct::Adjourn => {
                running && !facts.can_abort && offers.adjourn != facts.seat && !self.start.two
            }
            TableAct::Resume => {
                facts.status == GameStatus::Adjourned && offers.adjourn != facts.seat
            }
            TableAct::DeclineAdjourn => !over && offers.adjourn.is_some(),
            TableAct::Rematch => over && offers.next.is_none() && offers.rematch != facts.seat,
            TableAct::DeclineRematch => over && offers.next.is_none() && offers.rematch.is_some(),
        }
    }

    /// Gives a command: asks first, where that is wanted.
    pub(crate) fn give(&mut self, command: Command) {
        if !self.offers(&command) {
            self.complain(&format!("{}: that cannot be done now.", command.label));
            return;
        }
        if command.confirm.is_some() || self.leaves_a_game(&command) {
            self.over = Some(Over::Confirm(command));
        } else {
            self.carry_out(command);
        }
    }

    fn leaves_a_game(&self, command: &Command) -> bool {
        command.does == Does::Here(Here::Quit)
            && self
                .seats
                .iter()
                .any(|seat| seat.table.as_ref().is_some_and(Table::is_running))
    }

    /// What is asked before a command is carried out.
    pub(crate) fn question(&self, command: &Command) -> &'static str {
        match command.confirm {
            Some(question) => question,
            None if self.start.lobby => {
                "Quit? The game goes on in the club; with an account you come back to it."
            }
            None => "Quit? Nothing keeps this game: it is lost.",
        }
    }

    /// Carries a command out.
    pub(crate) fn carry_out(&mut self, command: Command) {
        self.over = None;
        match command.does {
            Does::Say(word) => self.say(word),
            Does::Act(act) => self.act(act),
            Does::Here(here) => self.here(here),
        }
    }

    /// Says something to the referee.
    pub(crate) fn say(&mut self, text: &str) {
        let id = self.new_id();
        self.held = None;
        if let Some(seat) = self.seat_mut() {
            seat.attempt(id, text);
        }
    }

    fn act(&mut self, act: TableAct) {
        // Two who sit together have agreed by word of mouth.
        let both = self.start.two && act == TableAct::Rematch;
        for line in 0..self.seats.len() {
            if line != self.shown && !both {
                continue;
            }
            let id = self.new_id();
            self.seats[line].act(id, act);
        }
    }

    fn here(&mut self, here: Here) {
        match here {
            Here::Help => self.over = Some(Over::Help(0)),
            Here::Menu => self.over = Some(Over::Menu(0)),
            Here::Rules => self.over = Some(Over::Rules(0)),
            Here::Guess => self.over = Some(Over::Guess(self.cursor)),
            Here::ClearGuesses => {
                if let Some(table) = self.table_mut() {
                    table.phantoms.clear();
                }
            }
            Here::Turn => self.turned = !self.turned,
            Here::Theme => self.start.theme = self.start.theme.next(),
            Here::Men => {
                self.start.men = match self.start.men {
                    crate::MenStyle::Unicode => crate::MenStyle::Ascii,
                    crate::MenStyle::Ascii => crate::MenStyle::Unicode,
                }
            }
            Here::Review => self.look_back(),
            Here::Save => self.save(None),
            Here::Lobby => {
                if let Some(seat) = self.seat_mut() {
                    seat.rise();
                    seat.message = Default::default();
                }
                self.screen = Screen::Lobby;
            }
            Here::Seek => self.seek(&[]),
            Here::Challenge => {
                self.complain("Whom? Write `challenge NAME`, as `challenge sparring`.")
            }
            Here::Redraw => self.effects.push(Effect::Redraw),
            Here::Suspend => self.effects.push(Effect::Suspend),
            Here::Quit => self.effects.push(Effect::Quit),
        }
    }

    fn look_back(&mut self) {
        let names = self
            .table()
            .and_then(|table| table.facts.as_ref())
            .map(|facts| {
                let end = facts.over_words.clone().unwrap_or_default();
                (
                    facts.white.name.clone(),
                    facts.black.name.clone(),
                    facts.terms.rules.clone(),
                    end,
                )
            });
        if let (Some((_, steps)), Some((white, black, rules, end))) = (self.steps(), names) {
            self.review = Some(Review::new(white, black, rules, end, steps.clone()));
            self.screen = Screen::Review;
        }
    }

    fn save(&mut self, file: Option<&str>) {
        let Some(game) = self
            .table()
            .filter(|table| table.is_over())
            .map(|t| t.id.clone())
        else {
            self.complain("A game can be saved when it is over.");
            return;
        };
        let file = file.map_or_else(|| format!("kriegspiel-{game}.pgn"), str::to_owned);
        if let Some(seat) = self.seat_mut() {
            seat.asks.push(Ask::Save { game, file });
        }
    }

    fn seek(&mut self, words: &[&str]) {
        match terms::changed(&self.start.terms, words) {
            Ok(terms) => self.ask(Ask::Seek(terms)),
            Err(why) => self.complain(&why),
        }
    }

    fn challenge(&mut self, name: &str, words: &[&str]) {
        match terms::changed(&self.start.terms, words) {
            Ok(terms) => self.ask(Ask::Challenge(NewChallengeJson {
                to: name.to_owned(),
                terms,
            })),
            Err(why) => self.complain(&why),
        }
    }

    fn ask(&mut self, ask: Ask) {
        if let Some(seat) = self.seat_mut() {
            seat.asks.push(ask);
        }
    }

    fn complain(&mut self, words: &str) {
        if let Some(seat) = self.seat_mut() {
            seat.complain(words);
        }
    }

    /// Does what was typed: a command, else a word to the referee.
    pub(crate) fn enter_line(&mut self) {
        let line = std::mem::take(&mut self.input);
        let line = line.trim();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["challenge", name, rest @ ..] if self.start.lobby => self.challenge(name, rest),
            ["seek", rest @ ..] if self.start.lobby => self.seek(rest),
            ["save", file] => self.save(Some(file)),
            _ => match commands::by_word(line) {
                Some(command) => self.give(self.meant(command)),
                None if self.screen == Screen::Table => self.say(line),
                None => self.complain(&format!("`{line}` is no command here: F1 lists them.")),
            },
        }
    }

    /// `draw` accepts one that is offered.
    pub(crate) fn meant(&self, command: Command) -> Command {
        let accept = commands::by_word("accept");
        match accept {
            Some(accept)
                if command.does == Does::Say("offer-draw")
                    && !self.offers(&command)
                    && self.offers(&accept) =>
            {
                accept
            }
            Some(_) | None => command,
        }
    }

    /// The commands that can be given now.
    pub(crate) fn menu(&self) -> Vec<Command> {
        commands::all()
            .filter(|command| command.does != Does::Here(Here::Menu) && self.offers(command))
            .collect()
    }

    /// The rows of the lobby.
    pub(crate) fn lobby_rows(&self) -> Vec<(&'static str, String, Row)> {
        self.seat().map_or_else(Vec::new, |seat| {
            lobby::rows(&seat.lobby, seat.you.as_deref(), &self.start.terms)
        })
    }

    /// Does what the chosen row of the lobby offers; or takes it away.
    pub(crate) fn choose_row(&mut self, takes_away: bool) {
        let Some((_, _, row)) = self.lobby_rows().into_iter().nth(self.row) else {
            return;
        };
        match (row, takes_away) {
            (Row::Continue(game), false) => {
                if let Some(seat) = self.seat_mut() {
                    seat.sit(&game);
                }
                self.begun();
            }
            (Row::Challenge(id), false) => self.ask(Ask::AcceptChallenge(id)),
            (Row::Challenge(id) | Row::OwnChallenge(id), true) => {
                self.ask(Ask::DeclineChallenge(id))
            }
            (Row::Seek(id), false) => self.ask(Ask::AcceptSeek(id)),
            (Row::OwnSeek(id), true) => self.ask(Ask::WithdrawSeek(id)),
            (Row::OwnChallenge(_) | Row::OwnSeek(_), false) => {
                self.complain("This is yours: Delete takes it back.");
            }
            (Row::Program(name), false) => self.challenge(&name, &[]),
            (Row::NewSeek, false) => self.seek(&[]),
            (Row::Continue(_) | Row::Seek(_) | Row::Program(_) | Row::NewSeek, true) => {}
        }
    }
}

//! Carries out commands.

use notation::Question;
use rules::{
    Choices,
    chess::{Role, Square},
    role_name,
};
use wire::{GameJson, GameStatus, NewChallengeJson, Side, TableAct};

use super::{App, Effect, Over, Screen};
use crate::{
    commands::{self, Command, Does, Here},
    draw::clock_words,
    lobby::{self, Row},
    men::square,
    messages::ClubRequest,
    phantoms::Phantoms,
    review::Review,
    table::TableState,
    terms,
};

impl App {
    /// Returns a new request id, unique for this player.
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
        let is_over = table.is_some_and(TableState::is_over);
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
            Here::Save => self.may_save(),
            Here::Say => at_table && self.start.lobby,
            Here::Mute | Here::Unmute => at_table && self.start.lobby && self.opponent().is_some(),
            Here::Lobby => self.start.lobby && self.screen != Screen::Lobby,
            Here::Seek | Here::Challenge | Here::Finger | Here::History | Here::Best => {
                self.start.lobby
            }
        }
    }

    fn steps(&self) -> Option<&(String, Vec<wire::StepJson>)> {
        let seat = self.seat()?;
        let id = &seat.table.as_ref()?.id;
        seat.steps.as_ref().filter(|(game, _)| game == id)
    }

    fn may_act(&self, table: &TableState, act: TableAct) -> bool {
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

    /// Carries out a command, or asks for confirmation first if the command needs
    /// confirmation.
    pub(crate) fn give(&mut self, command: Command) {
        if !self.offers(&command) {
            let why = if self.is_foreign(&command) {
                "not possible under these rules; F7 shows the rules."
            } else {
                "that cannot be done now."
            };
            self.complain(&format!("{}: {why}", command.label));
            return;
        }
        if command.confirm.is_some() || self.leaves_a_game(&command) {
            self.over = Some(Over::Confirm(command));
        } else {
            self.carry_out(command);
        }
    }

    fn leaves_a_game(&self, command: &Command) -> bool {
        command.does == Does::Here(Here::Quit) && (self.unsaved() > 0 || self.is_playing())
    }

    fn is_playing(&self) -> bool {
        let mut tables = self.seats.iter().filter_map(|seat| seat.table.as_ref());
        tables.any(TableState::is_running)
    }

    /// Whether the command is a word that the ruleset of the shown game does not have.
    pub(crate) fn is_foreign(&self, command: &Command) -> bool {
        let (Does::Say(word), Some(choices)) = (command.does, self.choices()) else {
            return false;
        };
        !notation::typed_words(&choices).contains(&word)
    }

    fn choices(&self) -> Option<Choices> {
        let terms = &self.table()?.facts.as_ref()?.terms;
        notation::choices_of(&terms.rules, terms.custom.as_deref())
    }

    /// Returns the confirmation question of a command, and the possible
    /// answers.
    pub(crate) fn question(&self, command: &Command) -> (String, &'static str) {
        let answers = "y: yes, n or Esc: no";
        if let Some(question) = command.confirm {
            return (question.to_owned(), answers);
        }
        if self.start.lobby {
            let words =
                "Quit? The game continues in the club; with an account you can come back to it.";
            return (words.to_owned(), answers);
        }
        let unsaved = match self.unsaved() {
            0 => String::new(),
            1 => " A finished game is not saved, and is lost.".to_owned(),
            n => format!(" {n} finished games are not saved, and are lost."),
        };
        let running = if self.is_playing() {
            " The running game is not stored anywhere, and is lost."
        } else {
            ""
        };
        let answers = if unsaved.is_empty() {
            answers
        } else {
            "y: yes, s: save first, n or Esc: no"
        };
        (format!("Quit?{running}{unsaved}"), answers)
    }

    /// Carries out a command without asking.
    pub(crate) fn carry_out(&mut self, command: Command) {
        self.over = None;
        match command.does {
            Does::Say(word) => self.say(word),
            Does::Act(act) => self.act(act),
            Does::Here(here) => self.here(here),
        }
    }

    /// Sends an attempt to the referee.
    pub(crate) fn say(&mut self, text: &str) {
        let id = self.new_id();
        self.held = None;
        if let Some(seat) = self.seat_mut() {
            seat.attempt(id, text);
        }
    }

    fn act(&mut self, act: TableAct) {
        // Two players at one terminal agree on a rematch in person, so both
        // seats accept it.
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
            Here::Guess => self.guess_at(self.cursor),
            Here::ClearGuesses => {
                if let Some(table) = self.table_mut() {
                    table.phantoms = Phantoms::default();
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
            Here::Say => self.complain("Write the text too, as `say good luck`."),
            Here::Mute => self.mute(true),
            Here::Unmute => self.mute(false),
            Here::Lobby => {
                if let Some(seat) = self.seat_mut() {
                    seat.rise();
                    seat.message = Default::default();
                }
                self.screen = Screen::Lobby;
            }
            Here::Seek => self.seek(&[]),
            Here::Challenge => {
                self.complain("Whom? Write `challenge NAME`, for example `challenge sparring`.")
            }
            Here::Finger => self.complain("Whom? Write `finger NAME`."),
            Here::History => self.ask(ClubRequest::History(None)),
            Here::Best => self.best(&self.start.terms.rules.clone()),
            Here::Redraw => self.effects.push(Effect::Redraw),
            Here::Suspend => self.effects.push(Effect::Suspend),
            Here::Quit => self.effects.push(Effect::Quit),
        }
    }

    fn look_back(&mut self) {
        let (Some((_, steps)), Some(facts)) = (
            self.steps(),
            self.table().and_then(|table| table.facts.as_ref()),
        ) else {
            return;
        };
        let [white, black] = self.names(facts);
        let end = facts.over_words.clone().unwrap_or_default();
        let rules = facts.terms.rules.clone();
        self.review = Some(Review::new(white, black, rules, end, steps.clone()));
        self.screen = Screen::Review;
        if let Some(seat) = self.seat_mut() {
            seat.message = Default::default();
        }
    }

    /// Returns the names of the players, White first. Two players at one terminal
    /// are called White and Black. If the club is in this program, the user is "you".
    fn names(&self, facts: &GameJson) -> [String; 2] {
        let sides = [
            ("White", &facts.white.name, Side::White),
            ("Black", &facts.black.name, Side::Black),
        ];
        sides.map(
            |(color, name, side)| match (self.start.two, self.start.lobby) {
                (true, _) => color.to_owned(),
                (false, false) if facts.seat == Some(side) => format!("you ({color})"),
                (false, _) => name.clone(),
            },
        )
    }

    /// Opens the page that asks for the guessed man on a square.
    fn guess_at(&mut self, square: Square) {
        self.cursor = square;
        self.has_cursor = true;
        self.over = Some(Over::Guess(square));
    }

    /// Handles the word `guess`: `guess d5` asks for the man; `guess qd5` and
    /// `guess queen d5` contain the man.
    fn guess(&mut self, words: &[&str]) {
        let text = words.concat().to_ascii_lowercase();
        let parts = text.split_at_checked(text.len().saturating_sub(2));
        let found = parts.and_then(|(man, at)| Some((guessed(man)?, square(at)?)));
        let Some((man, at)) = found else {
            self.complain("Which man, and where? Write `guess qd5`, or `guess d5` to be asked.");
            return;
        };
        if !self.can_here(Here::Guess) {
            self.complain("Guess: that cannot be done now.");
            return;
        }
        match (man, self.table_mut()) {
            (Some(man), Some(table)) => {
                let man = man.of(!table.color());
                table.phantoms.guess(at, Some(man));
                self.remark(&format!("A guess on {at}. Nobody else sees it."));
            }
            (Some(_) | None, _) => self.guess_at(at),
        }
    }

    fn seek(&mut self, words: &[&str]) {
        match terms::changed(&self.start.terms, words) {
            Ok(terms) => self.ask(ClubRequest::Seek(terms)),
            Err(why) => self.complain(&why),
        }
    }

    fn challenge(&mut self, name: &str, words: &[&str]) {
        match terms::changed(&self.start.terms, words) {
            Ok(terms) => self.ask(ClubRequest::Challenge(NewChallengeJson {
                to: name.to_owned(),
                terms,
            })),
            Err(why) => self.complain(&why),
        }
    }

    /// Lists the highest ratings under a ruleset.
    fn best(&mut self, ruleset: &str) {
        match rules::rulesets::by_id(ruleset) {
            Some(ruleset) => {
                let family = ruleset.choices.family().name();
                self.ask(ClubRequest::Best(family));
            }
            None => self.complain(&format!(
                "`{ruleset}` is not a ruleset: write `best wild16`."
            )),
        }
    }

    /// Sends a message to the opponent.
    fn write(&mut self, text: &str) {
        if self.start.lobby {
            let id = self.new_id();
            if let Some(seat) = self.seat_mut() {
                seat.write(id, text);
            }
        } else {
            self.complain("Messages need a club: `kriegspiel play --url URL` plays at one.");
        }
    }

    /// Returns the name of the opponent; `None` for spectators.
    fn opponent(&self) -> Option<&str> {
        let facts = self.table()?.facts.as_ref()?;
        let player = match facts.seat? {
            Side::White => &facts.black,
            Side::Black => &facts.white,
        };
        Some(&player.name)
    }

    fn mute(&mut self, on: bool) {
        if let Some(name) = self.opponent().map(str::to_owned) {
            self.ask(ClubRequest::Mute { name, on });
        }
    }

    pub(super) fn ask(&mut self, ask: ClubRequest) {
        if let Some(seat) = self.seat_mut() {
            seat.asks.push(ask);
        }
    }

    pub(super) fn remark(&mut self, words: &str) {
        if let Some(seat) = self.seat_mut() {
            seat.remark(words);
        }
    }

    pub(super) fn complain(&mut self, words: &str) {
        if let Some(seat) = self.seat_mut() {
            seat.complain(words);
        }
    }

    /// Handles the input line. A line that is not a command is an attempt for the
    /// referee.
    pub(crate) fn enter_line(&mut self) {
        let line = std::mem::take(&mut self.input);
        let line = line.trim();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["challenge", name, rest @ ..] if self.start.lobby => self.challenge(name, rest),
            ["seek", rest @ ..] if self.start.lobby => self.seek(rest),
            ["finger", name] if self.start.lobby => {
                self.ask(ClubRequest::Finger((*name).to_owned()));
            }
            ["history", name] if self.start.lobby => {
                self.ask(ClubRequest::History(Some((*name).to_owned())));
            }
            ["best", ruleset] if self.start.lobby => self.best(ruleset),
            ["save", file] => self.save(Some(file)),
            [first, _, ..] if first.eq_ignore_ascii_case("say") && self.screen == Screen::Table => {
                self.write(line[first.len()..].trim());
            }
            ["guess", rest @ ..] if !rest.is_empty() && self.screen == Screen::Table => {
                self.guess(rest);
            }
            _ => match (commands::by_word(line), Question::read(line)) {
                (Some(command), _) => self.give(self.meant(command)),
                (None, Some(question)) if self.screen == Screen::Table => self.answer(question),
                (None, _) => self.attempt_line(line),
            },
        }
    }

    fn attempt_line(&mut self, line: &str) {
        if self.screen == Screen::Table {
            self.say(line);
        } else {
            self.complain(&format!(
                "`{line}` is not a command here: `help` lists the commands, `quit` ends the program."
            ));
        }
    }

    /// Answers a question from what the player knows.
    fn answer(&mut self, question: Question) {
        let Some(table) = self.table() else { return };
        let words = match question {
            Question::Squares(_) | Question::Men(_) => {
                let men = question.men(&table.men()).unwrap_or_default();
                format!("Your men: {men}.")
            }
            Question::Call => {
                let calls: Vec<&str> = table.calls.iter().map(|(call, _)| call.as_str()).collect();
                calls.join(" ")
            }
            Question::Opponent => match self.opponent() {
                Some(name) => format!("Your opponent: {name}."),
                None => "You watch this game.".to_owned(),
            },
            Question::Clocks => {
                let left = |side| self.seat()?.left(side, self.now).map(clock_words);
                match (left(Side::White), left(Side::Black)) {
                    (Some(white), Some(black)) => format!("White {white}, Black {black}."),
                    _ => "This game has no clock.".to_owned(),
                }
            }
            Question::Game => self.title_words(table),
        };
        self.remark(&words);
    }

    /// Replaces `draw` by `accept` if the opponent has offered a draw.
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

    /// Returns the commands that can be given now.
    pub(crate) fn menu(&self) -> Vec<Command> {
        commands::all()
            .filter(|command| command.does != Does::Here(Here::Menu) && self.offers(command))
            .collect()
    }

    /// Returns the rows of the lobby.
    pub(crate) fn lobby_rows(&self) -> Vec<(&'static str, String, Row)> {
        self.seat().map_or_else(Vec::new, |seat| {
            lobby::rows(&seat.lobby, seat.you.as_deref(), &self.start.terms)
        })
    }

    /// Carries out the action of the selected row of the lobby. If `takes_away`,
    /// withdraws or declines the row's offer instead.
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
            (Row::Challenge(id), false) => self.ask(ClubRequest::AcceptChallenge(id)),
            (Row::Challenge(id) | Row::OwnChallenge(id), true) => {
                self.ask(ClubRequest::DeclineChallenge(id))
            }
            (Row::Seek(id), false) => self.ask(ClubRequest::AcceptSeek(id)),
            (Row::OwnSeek(id), true) => self.ask(ClubRequest::WithdrawSeek(id)),
            (Row::OwnChallenge(_) | Row::OwnSeek(_), false) => {
                self.complain("This is your own offer: Delete withdraws it.");
            }
            (Row::Program(name), false) => self.challenge(&name, &[]),
            (Row::NewSeek, false) => self.seek(&[]),
            (Row::Continue(_) | Row::Seek(_) | Row::Program(_) | Row::NewSeek, true) => {}
        }
    }
}

/// Parses the man of a guess. The inner `None` means that the text is empty; the
/// outer `None` means that the text is not the name of a man.
fn guessed(man: &str) -> Option<Option<Role>> {
    if man.is_empty() {
        return Some(None);
    }
    let is_named = |role: &Role| man == role_name(*role) || man == role.char().to_string();
    Role::ALL.into_iter().find(is_named).map(Some)
}

//! Takes seats in games, handles hearings, sends attempts, and ends games.

use club::{ClubError, GameFacts, GameId, ListenerItem};
use rules::{Listener, Over, chess::Color};
use wire::{GameStatus, RefusalCode, TableAct};

use super::{
    known_game::{KnownGame, Says},
    replay::Replay,
    session::{FollowedGame, Part, Session, UnconfirmedAttempt},
    settings::Style,
    style::Position,
    terms,
    words::{self, Done, club_refusal, short},
};

/// Note to the right of the board of a running game.
pub(super) const NO_MEN_SHOWN: &str = "No men are seen in a running game.";

/// Answer to a person who types a move but plays no game.
pub(super) const NOT_PLAYING: &str =
    "You are not playing a game: `match NAME` or `play NUMBER` begins one.";

/// Refusals for which the board is printed again, so that a client puts the
/// moved man back.
const MOVE_REFUSALS: [RefusalCode; 5] = [
    RefusalCode::NotUnderstood,
    RefusalCode::Ambiguous,
    RefusalCode::Stale,
    RefusalCode::Adjourned,
    RefusalCode::GameOver,
];

impl Session {
    /// Handles a hearing or new facts from a table, and prints the lines for the person.
    pub(super) async fn take_in(&mut self, at: usize, item: ListenerItem) {
        match item {
            ListenerItem::Hearing(hearing) => {
                let says = self.tables[at].known.hear(&hearing);
                for one in says {
                    self.say(at, one).await;
                }
            }
            ListenerItem::Facts(facts) => self.learn(at, *facts),
        }
    }

    async fn say(&mut self, at: usize, says: Says) {
        let mine = self.tables[at].part == Part::Plays;
        match says {
            // At the end of the game a board with all men is printed instead.
            Says::Board if self.tables[at].known.over().is_some() => {}
            Says::Board => self.board(at),
            Says::Refused(attempt, said) => {
                self.line(&format!("Illegal move ({attempt})."));
                let said = match self.why.take() {
                    Some(why) if !why.is_empty() => format!("{said} {why}"),
                    Some(_) | None => said,
                };
                self.announce(at, &said);
                self.board(at);
            }
            Says::Announced(text) => self.announce(at, &text),
            Says::DrawOffered if mine => {
                let name = self.opponent(at);
                self.line(&format!(
                    "{name} offers you a draw. Type `draw` or `accept` to accept it, or `decline`."
                ));
            }
            Says::DrawOffered => {}
            Says::Over(over) => self.end(at, over).await,
        }
    }

    /// Prints an announcement of the referee.
    pub(super) fn announce(&mut self, at: usize, text: &str) {
        let table = &self.tables[at];
        let number = table.known.number;
        let line = if self.set.kibitz_announcements {
            format!("Referee(TD)(*)[{number}] kibitzes: {text}")
        } else if table.part == Part::Watches {
            format!("[{number}] {text}")
        } else {
            text.to_owned()
        };
        self.line(&line);
    }

    /// Prints the board as this listener may see it.
    pub(super) fn board(&mut self, at: usize) {
        let now = self.club.now();
        let known = &self.tables[at].known;
        let mine = known.over().is_none() && known.to_move() == known.color();
        let reserves = known.reserves();
        let position = known.position(now);
        let note = match (mine, self.tables[at].part) {
            (true, Part::Plays) => "It is your move.",
            (_, Part::Watches) => NO_MEN_SHOWN,
            (true | false, Part::Plays | Part::Waits | Part::Played) => "",
        };
        self.show(&position, note);
        if let Some(reserves) = reserves {
            self.line(&reserves);
        }
        if mine
            && self.set.bell
            && self.set.style == Style::One
            && self.tables[at].part == Part::Plays
        {
            self.ring();
        }
    }

    /// Prints a position.
    pub(super) fn show(&mut self, position: &Position, note: &str) {
        let text = match self.set.style {
            // Clients expect this text at the beginning of a line.
            Style::Twelve => format!("\n{}", position.style12(self.set.ms)),
            Style::One => format!("\n{}", position.style1(note)),
        };
        self.line(&text);
    }

    pub(super) fn opponent(&self, at: usize) -> String {
        let known = &self.tables[at].known;
        let color = known.color().unwrap_or(Color::Black).other();
        known.name(color).to_owned()
    }

    /// Ends a game: shows the board with all men, then the result.
    async fn end(&mut self, at: usize, over: Over) {
        let game = self.tables[at].game;
        if let Ok(finished) = self.club.finished(game).await {
            let mut position = self.tables[at].known.position(self.club.now());
            position.reveal(Replay::of(&finished).last());
            self.show(&position, "All men are shown.");
        }
        let result = words::result(&self.tables[at].known, over);
        self.line("");
        self.line(&result);
        let table = &mut self.tables[at];
        if table.part == Part::Watches {
            self.tables.remove(at);
            return;
        }
        let played = table.part == Part::Plays;
        table.part = Part::Played;
        // An adjourned game may end while the person plays another game. The end of the adjourned
        // game does not end this other game.
        if played {
            self.state.plays(self.console, None);
        }
        self.line(
            "Type `examine` to look through the game with all men, or `rematch` for another.",
        );
    }

    /// Prints the changes between the old and the new facts. Facts are not part
    /// of hearings.
    fn learn(&mut self, at: usize, facts: GameFacts) {
        let was = self.tables[at].known.facts.standing.clone();
        let now = facts.standing.clone();
        self.tables[at].known.learn(facts);
        let Some(color) = self.tables[at].known.color() else {
            return;
        };
        let title = self.tables[at].known.title();
        let name = self.opponent(at);
        let theirs = |by: Option<Color>| by == Some(color.other());
        match (was.status, now.status) {
            (GameStatus::Running, GameStatus::Adjourned) => {
                self.line("");
                self.line(&format!("{{{title} Game adjourned by mutual agreement}} *"));
                self.tables[at].part = Part::Waits;
                self.state.plays(self.console, None);
            }
            (GameStatus::Adjourned, GameStatus::Running) => self.go_on(at),
            (GameStatus::Running | GameStatus::Adjourned | GameStatus::Over, _) => {}
        }
        let (old, new) = (
            was.offers.unwrap_or_default(),
            now.offers.unwrap_or_default(),
        );
        if theirs(new.adjourn) && old.adjourn != new.adjourn {
            let (what, how) = match now.status {
                GameStatus::Adjourned => ("continue", "Type `resume` to continue."),
                GameStatus::Running | GameStatus::Over => (
                    "adjourn",
                    "Type `adjourn` or `accept` to agree, or `decline`.",
                ),
            };
            let number = self.tables[at].known.number;
            self.line(&format!("{name} would like to {what} game {number}. {how}"));
        }
        if theirs(new.rematch) && old.rematch != new.rematch {
            self.line(&format!(
                "{name} would like a rematch. Type `rematch` or `accept` to agree, or `decline`."
            ));
        }
        let is_here = *now.here.get(color.other());
        let was_here = *was.here.get(color.other());
        let missed = &mut self.tables[at].is_missed;
        if now.status == GameStatus::Running && was_here && !is_here {
            *missed = true;
            self.line(&format!(
                "{name} is not connected. If {name} does not come back, you may claim the game with `flag`."
            ));
        } else if is_here && std::mem::take(missed) {
            self.line(&format!("{name} is here again."));
        }
    }

    /// Continues an adjourned game.
    fn go_on(&mut self, at: usize) {
        if self.plays().is_some() {
            let number = self.tables[at].known.number;
            self.line(&format!(
                "Game {number} continues: `resume` takes your seat."
            ));
            return;
        }
        self.tables[at].part = Part::Plays;
        self.begin(at, "Continuing");
    }

    /// Takes this person's seat in a game.
    pub(super) async fn sit_down(&mut self, game: GameId) {
        self.tables
            .retain(|table| table.game != game && table.part != Part::Played);
        let table = match self.table(game, Part::Plays).await {
            Ok(table) => table,
            Err(error) => {
                self.line(&error.to_string());
                return;
            }
        };
        let adjourned = table.known.facts.standing.status == GameStatus::Adjourned;
        let over = table.known.over();
        let plies = table.known.n > 1;
        self.tables.push(table);
        let at = self.tables.len() - 1;
        if adjourned {
            self.tables[at].part = Part::Waits;
        } else if let Some(over) = over {
            self.end(at, over).await;
        } else {
            let has_begun = plies && self.tables[at].known.has_moves();
            self.begin(at, if has_begun { "Continuing" } else { "Creating" });
        }
    }

    /// Starts to follow a game, and applies everything that was heard in it so
    /// far.
    pub(super) async fn table(&self, game: GameId, part: Part) -> Result<FollowedGame, ClubError> {
        let facts = self.club.facts(game, Some(self.me.id)).await?;
        // The commands `observe`, `refresh` and `time` can name an own game. They must not make the
        // player present in that game.
        let looks = part == Part::Watches && facts.seat != Listener::Room;
        let mut listening = if looks {
            self.club.heard(game, Some(self.me.id), 0).await?
        } else {
            self.club.listen(game, Some(self.me.id), 0).await?
        };
        let mut known = KnownGame::new(self.state.number(game), facts);
        while let Some(item) = listening.ready() {
            match item {
                ListenerItem::Hearing(hearing) => {
                    known.hear(&hearing);
                }
                ListenerItem::Facts(facts) => known.learn(*facts),
            }
        }
        Ok(FollowedGame {
            game,
            part,
            known,
            listening,
            is_missed: false,
            unconfirmed: Vec::new(),
            asked_back: None,
        })
    }

    /// Prints the lines with which a game begins or continues, and its board.
    pub(super) fn begin(&mut self, at: usize, what: &str) {
        let known = &self.tables[at].known;
        let facts = &known.facts;
        let (rated, title) = (terms::rated(&facts.terms), known.title());
        let [minutes, seconds] = super::known_game::time_fields(facts.terms.time);
        let [white, black] = [&facts.players.white, &facts.players.black].map(terms::rated_name);
        let rules = terms::rules(&facts.terms);
        let number = known.number;
        let (announced, offer) = (known.announced(), known.draw_offer());
        let theirs = offer.is_some() && offer != known.color();
        self.state.plays(self.console, Some(number));
        self.line(&format!(
            "Creating: {white} {black} {rated} wild/16 {minutes} {seconds}"
        ));
        // The following line must say `wild/16`. Otherwise clients do not allow a pawn capture on a
        // square that looks empty.
        self.line(&format!("{{{title} {what} {rated} wild/16 match.}}"));
        self.line(&format!(
            "The rules are those of {rules}: `rules` explains them."
        ));
        self.board(at);
        for text in announced {
            self.announce(at, &text);
        }
        if theirs {
            let name = self.opponent(at);
            self.line(&format!("{name} offers you a draw."));
        }
    }

    /// Sends an attempt to the referee, and prints the answer. If the club could not confirm the
    /// same attempt before, and nothing was heard since, the request has the same id, so the club
    /// judges the attempt only once.
    pub(super) async fn attempt(&mut self, text: &str) -> Done {
        let at = self.plays().ok_or(NOT_PLAYING)?;
        let (game, after) = (self.tables[at].game, self.tables[at].known.n);
        // The first time, an impossible move is not sent to the referee, because a hand slips.
        let asked = Some((after, text.to_owned()));
        if self.tables[at].asked_back != asked
            && let Err(back) = self.club.ask_back(game, self.me.id, None, text).await
            && back.reason == "impossible"
        {
            self.tables[at].asked_back = asked;
            self.line(&format!("Illegal move ({}).", short(text)));
            self.line(&format!("{back}; the same move again asks the referee."));
            self.board(at);
            return Ok(());
        }
        self.tables[at]
            .unconfirmed
            .retain(|earlier| earlier.after == after);
        let unconfirmed = self.tables[at].unconfirmed.iter();
        let mut same = unconfirmed.filter(|earlier| earlier.text == text);
        let id = match same.next().map(|earlier| earlier.id.clone()) {
            Some(id) => id,
            None => self.request()?,
        };
        match self
            .club
            .say(game, self.me.id, id.clone(), after, text)
            .await
        {
            Ok(said) => {
                self.why =
                    matches!(said.answer, "no" | "nonsense" | "repeat-no").then_some(said.why);
                if let Some(n) = said.n {
                    self.hear_until(game, n).await;
                }
                self.why = None;
                Ok(())
            }
            Err(error) => {
                if error.code == RefusalCode::Unavailable {
                    let text = text.to_owned();
                    let attempt = UnconfirmedAttempt { id, after, text };
                    self.tables[at].unconfirmed.push(attempt);
                }
                self.turned_down(at, text, error)
            }
        }
    }

    /// Prints that it is the opponent's turn, and the board. After this line
    /// and the board, clients put the moved man back.
    pub(super) fn not_your_move(&mut self, at: usize) {
        self.line("It is not your move.");
        self.board(at);
    }

    fn turned_down(&mut self, at: usize, text: &str, error: ClubError) -> Done {
        if error.code == RefusalCode::NotYourTurn {
            self.not_your_move(at);
        } else if MOVE_REFUSALS.contains(&error.code) {
            self.line(&format!("Illegal move ({}).", short(text)));
            self.line(&club_refusal(&error));
            self.board(at);
        } else {
            return Err(error.into());
        }
        Ok(())
    }

    /// Handles all hearings up to the number `n`.
    async fn hear_until(&mut self, game: GameId, n: u32) {
        loop {
            let Some(at) = self.tables.iter().position(|table| table.game == game) else {
                return;
            };
            let table = &mut self.tables[at];
            let item = match table.known.n >= n {
                true => table.listening.ready(),
                false => table.listening.next().await,
            };
            let Some(item) = item else { return };
            self.take_in(at, item).await;
        }
    }

    /// Sends an act for the person's own table.
    pub(super) async fn act(&mut self, at: usize, act: TableAct) -> Done {
        let (game, n) = (self.tables[at].game, self.tables[at].known.n);
        let id = self.request()?;
        let said = self.club.act(game, self.me.id, id, act).await?;
        self.hear_until(game, said.n.unwrap_or(n)).await;
        Ok(())
    }
}

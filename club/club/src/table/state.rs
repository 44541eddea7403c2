//! The table: the game, its clocks, offers to adjourn or to resume, and offers of a rematch.

use std::sync::Arc;

use referee::{Event, Game, ReplayError};
use rules::{
    Announcement, ByListener, Calls, Choices, Heard, Listener, Over,
    chess::{ByColor, Color},
};
use store::{
    Act, ConditionalTries, Expected, Fence, GameId, GameRecord, Millis, OpponentMove, Row,
    TableEvent, TimeControl,
};

use super::{
    clock::TableClock,
    listener::{ListenerState, Update},
};
use wire::GameStatus;

use crate::{
    facts::{Clocks, Standing, TableOffers},
    hearing::{HeardItem, Hearing},
};

/// Which players are connected. The log does not record this.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Presence {
    /// Time since which each player is gone; `None` while connected.
    pub gone: ByColor<Option<Millis>>,
    /// Whether each player has connected since this club opened the table. If not, `gone` is the
    /// time at which the club opened the table.
    pub came: ByColor<bool>,
}

impl Presence {
    /// Returns the same presence with all times moved forward by `ahead` milliseconds.
    pub(crate) fn later_by(mut self, ahead: Millis) -> Presence {
        for gone in [&mut self.gone.white, &mut self.gone.black] {
            *gone = gone.map(|gone| gone.saturating_add(ahead));
        }
        self
    }
}

/// What a seat tries in advance, and what the opponent's last move announced to it.
#[derive(Clone, PartialEq, Debug, Default)]
struct Advance {
    tries: ConditionalTries,
    last: OpponentMove,
}

/// A table, computed from the rows of a game's log. A table reads no clock, uses no
/// tasks, and draws no random numbers, so equal rows make equal tables.
///
/// Hearings are numbered here, separately for each listener. If a listener hears nothing of an
/// event, the event changes nothing that the listener gets, not even the number of the last
/// hearing.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    pub(super) time: TimeControl,
    /// Time of the first row.
    pub(super) begun: Millis,
    pub(super) game: Game,
    pub(super) clock: TableClock,
    pub(super) table_offers: TableOffers,
    advance: ByColor<Advance>,
    rows: u32,
    /// Time of the last row, as it is in the log.
    end_at: Millis,
    /// Number of the last hearing of each listener.
    heard: ByListener<u32>,
}

impl Table {
    /// Builds the table of a game from all rows of its log, and the state of each listener.
    ///
    /// # Errors
    /// The reason why the rows are not the log of a game.
    pub fn open(
        record: &GameRecord,
        rows: &[Row],
    ) -> Result<(Table, ByListener<ListenerState>), String> {
        let events = rows.iter().filter_map(|row| match &row.act {
            Act::Game(event) => Some(event.clone()),
            Act::Table(_) => None,
        });
        // Checks the whole log first, so that the steps below cannot fail.
        Game::replay(&events.collect::<Vec<_>>()).map_err(|error| error.to_string())?;
        let Some((first, rest)) = rows.split_first() else {
            return Err(ReplayError::NotOpened.to_string());
        };
        let Act::Game(Event::Opened(opened)) = &first.act else {
            return Err(ReplayError::NotOpened.to_string());
        };
        let game = Game::open((**opened).clone());
        let mut listeners =
            ByListener::new_with(|listener| ListenerState::new(listener, *game.choices()));
        let mut table = Table {
            time: record.terms.time,
            begun: first.at,
            clock: TableClock::new(record.terms.time, game.to_move(), first.at),
            table_offers: TableOffers::default(),
            advance: ByColor::default(),
            rows: 1,
            end_at: first.at,
            heard: ByListener::default(),
            game,
        };
        let calls = table.game.opening_calls();
        for listener in Listener::ALL {
            let start = HeardItem::Start(table.game.start(listener));
            let heard = [start].into_iter().chain(heard(&calls, listener)).collect();
            listeners.get_mut(listener).take(Update {
                hearing: table.hearing(listener, heard),
                answers: None,
                status: table.game.over().map(|_| GameStatus::Over),
            });
        }
        for row in rest {
            if row.seq != table.rows {
                return Err(format!(
                    "row {} is in the place of row {}",
                    row.seq, table.rows
                ));
            }
            table.fold(row, &mut listeners);
        }
        Ok((table, listeners))
    }

    /// Applies the next row, and updates the state of each listener.
    pub fn fold(&mut self, row: &Row, listeners: &mut ByListener<ListenerState>) {
        for (listener, update) in self.apply(row, &self.calls(row)) {
            listeners.get_mut(listener).take(update);
        }
    }

    /// Numbers a new hearing of a listener; `None` if nothing is heard.
    fn hearing(&mut self, listener: Listener, heard: Arc<[HeardItem]>) -> Option<Hearing> {
        if heard.is_empty() {
            return None;
        }
        let n = self.heard.get_mut(listener);
        *n += 1;
        Some(Hearing {
            n: *n,
            heard,
            clocks: self.clock.shown(),
        })
    }

    /// Returns the calls of the next row.
    pub fn calls(&self, row: &Row) -> Calls {
        match &row.act {
            Act::Game(event) => self.game.calls(event),
            Act::Table(_) => Calls::new(),
        }
    }

    /// Applies the next row, whose number must be [`rows`](Table::rows). `calls` must be equal
    /// to the result of [`calls`](Table::calls) for the row. A caller that has the
    /// `Judgement` with this row may pass the calls of the judgement: they are the same.
    pub fn apply(&mut self, row: &Row, calls: &Calls) -> ByListener<Update> {
        let before = self.status();
        match &row.act {
            Act::Game(event) => {
                self.apply_game_event(event, row.at);
                self.advance(event, row.request.is_some(), calls);
            }
            Act::Table(event) => self.apply_table_event(event, row.at),
        }
        let status = Some(self.status()).filter(|status| *status != before);
        self.rows = row.seq + 1;
        self.end_at = row.at;
        ByListener::new_with(|listener| Update {
            hearing: self.hearing(listener, heard(calls, listener).collect()),
            answers: row
                .request
                .as_ref()
                .filter(|(seat, _)| listener == Listener::from(*seat))
                .map(|(_, id)| (id.clone(), row.act.clone())),
            status,
        })
    }

    fn apply_game_event(&mut self, event: &Event, at: Millis) {
        self.game.apply(event);
        let over = self.game.over().is_some();
        match *event {
            Event::Moved { by, .. } => {
                if over {
                    self.clock.stop(at);
                } else {
                    self.clock.move_made(by, at);
                }
                if self.table_offers.adjourn == Some(by.other()) {
                    self.table_offers.adjourn = None;
                }
            }
            // Private events must not change a clock.
            Event::Opened(_)
            | Event::Rebuffed { over: None, .. }
            | Event::Any { .. }
            | Event::Count { .. }
            | Event::Recap { .. }
            | Event::Offered { .. }
            | Event::Declined { .. }
            | Event::Withdrew { .. } => {}
            Event::Rebuffed { over: Some(_), .. }
            | Event::Resigned { .. }
            | Event::Agreed { .. }
            | Event::Flagged { .. }
            | Event::Left { .. }
            | Event::Aborted => self.clock.stop(at),
        }
        if over {
            self.table_offers.adjourn = None;
        }
    }

    /// Follows the tries that are made in advance. A try that answers a request was made by hand: it
    /// ends those of its seat.
    fn advance(&mut self, event: &Event, by_hand: bool, calls: &Calls) {
        if self.game.over().is_some() {
            self.advance = ByColor::default();
            return;
        }
        match *event {
            Event::Moved { by, .. } | Event::Rebuffed { by, .. } if by_hand => {
                self.advance.get_mut(by).tries = ConditionalTries::default();
            }
            Event::Moved { by, .. } => self.advance.get_mut(by).tries.played(),
            Event::Rebuffed { by, .. } => {
                let Advance { tries, last } = self.advance.get_mut(by);
                tries.refused();
                tries.begin_turn(*last);
            }
            Event::Opened(_)
            | Event::Any { .. }
            | Event::Count { .. }
            | Event::Recap { .. }
            | Event::Resigned { .. }
            | Event::Offered { .. }
            | Event::Agreed { .. }
            | Event::Declined { .. }
            | Event::Withdrew { .. }
            | Event::Flagged { .. }
            | Event::Left { .. }
            | Event::Aborted => {}
        }
        if let Event::Moved { by, .. } = *event {
            let Advance { tries, last } = self.advance.get_mut(by.other());
            *last = last_move(calls, by.other());
            tries.begin_turn(*last);
        }
    }

    fn apply_table_event(&mut self, event: &TableEvent, at: Millis) {
        if let TableEvent::Conditional(by, new) = event {
            let Advance { tries, last } = self.advance.get_mut(*by);
            tries.clone_from(new);
            if self.game.to_move() == Some(*by) {
                tries.begin_turn(*last);
            }
            return;
        }
        match *event {
            TableEvent::Paused => self.clock.pause(at),
            TableEvent::Credited { from } => self.clock.credit(from, at),
            TableEvent::AdjournOffered(by) | TableEvent::ResumeOffered(by) => {
                self.table_offers.adjourn = Some(by);
            }
            TableEvent::AdjournDeclined(_) => self.table_offers.adjourn = None,
            TableEvent::Adjourned(_) => {
                self.table_offers.adjourn = None;
                self.clock.adjourn(at);
            }
            TableEvent::Resumed(_) => {
                self.table_offers.adjourn = None;
                self.clock.resume(at);
            }
            TableEvent::RematchOffered(by) => self.table_offers.rematch = Some(by),
            TableEvent::RematchDeclined(_) => self.table_offers.rematch = None,
            TableEvent::Rematch(game) => {
                self.table_offers.rematch = None;
                self.table_offers.next = Some(game);
            }
            TableEvent::Conditional(..) => {}
        }
    }

    /// Returns what a seat tries in advance.
    pub(super) fn conditional(&self, seat: Color) -> &ConditionalTries {
        &self.advance.get(seat).tries
    }

    /// Returns the side to move; `None` if the game is over.
    pub(crate) fn to_move(&self) -> Option<Color> {
        self.game.to_move()
    }

    /// Returns the side whose turn it is, if the game runs.
    pub(crate) fn turn(&self) -> Option<Color> {
        let runs = self.status() == GameStatus::Running;
        self.to_move().filter(|_| runs)
    }

    /// Returns the number of rows of the table.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the state in which the next append of the owner `fence` expects the log.
    pub(crate) fn expected(&self, fence: Fence) -> Expected {
        Expected {
            rows: self.rows,
            last_at: Some(self.end_at),
            fence,
        }
    }

    /// Whether `row` is the last row of the table.
    pub(crate) fn ends_with(&self, row: Option<&Row>) -> bool {
        row.is_some_and(|row| row.seq + 1 == self.rows && row.at == self.end_at)
    }

    /// Returns the time of a row that is recorded at `now`. This is `now`, or the time of the last
    /// row that changed the clocks if that is later. A refused try changes no clock. If the wall
    /// clock was set back after one, the next row can have an earlier time: else the clocks would
    /// stand still until the time of the try, which would tell of it.
    pub(super) fn row_time(&self, now: Millis) -> Millis {
        now.max(self.touched_at())
    }

    /// Returns the time of the last row that changed the clocks.
    pub(crate) fn touched_at(&self) -> Millis {
        self.clock.touched_at()
    }

    /// Returns the milliseconds from `now` to the last row that changed the clocks, if the time of
    /// this row is later than `now`. If not, returns 0. The time can be later if the wall clock was
    /// set back after the row was recorded.
    pub fn time_ahead(&self, now: Millis) -> Millis {
        self.touched_at().saturating_sub(now).max(0)
    }

    /// Returns the choices of the game's ruleset.
    pub fn choices(&self) -> &Choices {
        self.game.choices()
    }

    /// Returns the status of the game.
    pub fn status(&self) -> GameStatus {
        if self.game.over().is_some() {
            GameStatus::Over
        } else if self.clock.adjourned() {
            GameStatus::Adjourned
        } else {
            GameStatus::Running
        }
    }

    /// Returns the result of the game, if it is over.
    pub fn over(&self) -> Option<Over> {
        self.game.over()
    }

    /// Returns the clocks, as everybody may see them.
    pub fn clocks(&self) -> Option<Clocks> {
        self.clock.shown()
    }

    /// Returns the next game, if a rematch was agreed.
    pub fn next_game(&self) -> Option<GameId> {
        self.table_offers.next
    }

    /// Whether the clocks are paused because the club was closed.
    pub fn is_paused(&self) -> bool {
        self.clock.paused()
    }

    /// Whether a clock or the time for a first move is running.
    pub fn has_deadline(&self) -> bool {
        self.deadline().is_some()
    }

    pub(super) fn can_abort(&self) -> bool {
        self.status() == GameStatus::Running && !self.clock.both_moved()
    }

    /// Returns the standing that a listener may know. It depends only on public rows and on who is
    /// connected.
    pub fn standing(&self, listener: Listener, presence: &Presence) -> Standing {
        Standing {
            status: self.status(),
            over: self.game.over(),
            clocks: self.clock.shown(),
            here: ByColor::new_with(|color| presence.gone.get(color).is_none()),
            offers: listener.color().map(|_| self.table_offers),
            claim_from: listener
                .color()
                .and_then(|seat| self.claim_from(seat, presence)),
            can_abort: self.can_abort(),
            first_move_by: self.clock.first_move_by(),
            conditional: listener
                .color()
                .map_or_else(ConditionalTries::default, |seat| {
                    self.conditional(seat).clone()
                }),
            umpire: None,
        }
    }
}

impl Table {
    /// Returns the standing, with all times in the club's time. The times of the table are `ahead`
    /// milliseconds later ([`Table::time_ahead`]), so `ahead` is subtracted from them.
    pub(crate) fn standing_behind(
        &self,
        listener: Listener,
        presence: Presence,
        ahead: Millis,
    ) -> Standing {
        self.standing(listener, &presence.later_by(ahead))
            .earlier_by(ahead)
    }
}

/// Returns what a move announced to the opponent.
fn last_move(calls: &Calls, opponent: Color) -> OpponentMove {
    let mut last = OpponentMove::default();
    for call in calls {
        if call.audience.includes(opponent.into()) {
            match call.heard {
                Heard::Lost { square, .. } => last.lost = Some(square),
                Heard::Announced(Announcement::Check { .. }) => last.check = true,
                Heard::Announced(
                    Announcement::Capture(_)
                    | Announcement::Drop { .. }
                    | Announcement::Promotion { .. }
                    | Announcement::Tries(_)
                    | Announcement::Turn { .. },
                )
                | Heard::Reply(_)
                | Heard::Draw(_)
                | Heard::Over(_) => {}
            }
        }
    }
    last
}

/// Returns the calls that a listener hears.
fn heard(calls: &Calls, listener: Listener) -> impl Iterator<Item = HeardItem> {
    calls
        .iter()
        .filter(move |call| call.audience.includes(listener))
        .map(|call| HeardItem::Heard(call.heard))
}

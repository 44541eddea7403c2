//! A table: the fold of a game's log.

mod asked;
mod clock;
mod judge;

use std::sync::Arc;

use referee::{Event, Game, ReplayError};
use rules::{
    Calls, Choices, Listener, Over,
    chess::{ByColor, Color},
};
use store::{Act, GameRecord, Row, TableEvent};

use crate::{
    GameId, Millis, TimeControl,
    chair::{Chair, News, place},
    facts::{Clocks, Offers, Standing, Status},
    hearing::{Hearing, ToldItem},
    listening::SeatView,
};

use self::clock::TableClock;
pub use self::{
    asked::Asked,
    judge::{Circumstances, Judged, Judgement, Request},
};

/// The rows of a log are no game's.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum LogError {
    /// The events cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A row does not follow the one before it.
    #[error("row {found} stands where row {expected} should")]
    Order {
        /// The number that should stand there.
        expected: u32,
        /// The number that stands there.
        found: u32,
    },
}

/// Who is connected, and since when he is not: what no row tells.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Presence {
    /// Since when each player is gone; `None` while he is here.
    pub gone: ByColor<Option<Millis>>,
    /// Whether another club over the store is alive, where he may be connected.
    pub others: bool,
}

/// A table: the fold of a game's log, without a clock of its own, without
/// tasks, without chance. Equal rows make equal tables.
///
/// What each listener is told is numbered here: an event of which he hears
/// nothing gives him no number, and changes nothing else that he is given.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    time: TimeControl,
    game: Game,
    clock: TableClock,
    chairs: [Chair; 3],
    offers: Offers,
    rows: u32,
}

/// What a row tells each listener.
#[derive(Clone, PartialEq, Debug)]
pub struct Applied {
    pub(crate) news: [News; 3],
}

impl Applied {
    /// What a listener hears upon it.
    pub fn hearing(&self, listener: Listener) -> Option<&Hearing> {
        self.news[place(listener)].hearing.as_ref()
    }
}

impl Table {
    /// Opens the table of a game from all the rows of its log.
    ///
    /// # Errors
    /// If the rows are no game's.
    pub fn open(record: &GameRecord, rows: &[Row]) -> Result<Table, LogError> {
        let events = rows.iter().filter_map(|row| match &row.act {
            Act::Game(event) => Some(event.clone()),
            Act::Table(_) => None,
        });
        // Proves that the log is one, so that nothing below can go wrong.
        Game::replay(&events.collect::<Vec<_>>())?;
        let Some((first, rest)) = rows.split_first() else {
            return Err(ReplayError::NotOpened.into());
        };
        let Act::Game(Event::Opened(opened)) = &first.act else {
            return Err(ReplayError::NotOpened.into());
        };
        let game = Game::open((**opened).clone());
        let choices = *game.choices();
        let mut table = Table {
            time: record.terms.time,
            clock: TableClock::new(record.terms.time, game.to_move(), first.at),
            chairs: Listener::ALL.map(|listener| Chair::new(listener, choices)),
            offers: Offers::default(),
            rows: 1,
            game,
        };
        table.tell_opening();
        for row in rest {
            if row.seq != table.rows {
                return Err(LogError::Order {
                    expected: table.rows,
                    found: row.seq,
                });
            }
            table.apply(row);
        }
        Ok(table)
    }

    fn tell_opening(&mut self) {
        let calls = self.game.opening_calls();
        let over = self.game.over().map(|_| Status::Over);
        for listener in Listener::ALL {
            let start = ToldItem::Start(self.game.start(listener));
            let heard = [start].into_iter().chain(heard(&calls, listener)).collect();
            let news = News {
                hearing: self.hearing(listener, heard),
                answers: None,
                status: over,
            };
            self.chairs[place(listener)].take(&news);
        }
    }

    /// The next number of a listener, if he hears something.
    fn hearing(&self, listener: Listener, heard: Arc<[ToldItem]>) -> Option<Hearing> {
        let n = self.chairs[place(listener)].n() + 1;
        (!heard.is_empty()).then(|| Hearing {
            n,
            heard,
            clocks: self.clock.shown(),
        })
    }

    /// Takes in the next row, which must have number [`rows`](Table::rows).
    pub fn apply(&mut self, row: &Row) -> Applied {
        let before = self.status();
        let calls = match &row.act {
            Act::Game(event) => self.happen(event, row.at),
            Act::Table(event) => {
                self.arrange(*event, row.at);
                Calls::new()
            }
        };
        let status = Some(self.status()).filter(|status| *status != before);
        let news = Listener::ALL.map(|listener| News {
            hearing: self.hearing(listener, heard(&calls, listener).collect()),
            answers: row
                .request
                .as_ref()
                .filter(|(seat, _)| listener == Listener::from(*seat))
                .map(|(_, id)| (id.clone(), row.act.clone())),
            status,
        });
        for (chair, news) in self.chairs.iter_mut().zip(&news) {
            chair.take(news);
        }
        self.rows = row.seq + 1;
        Applied { news }
    }

    fn happen(&mut self, event: &Event, at: Millis) -> Calls {
        let calls = self.game.calls(event);
        self.game.apply(event);
        let over = self.game.over().is_some();
        match *event {
            Event::Moved { by, .. } => {
                if over {
                    self.clock.stop(at);
                } else {
                    self.clock.move_made(by, at);
                }
                if self.offers.adjourn == Some(by.other()) {
                    self.offers.adjourn = None;
                }
            }
            // Nothing private may touch a clock.
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
            self.offers.adjourn = None;
        }
        calls
    }

    fn arrange(&mut self, event: TableEvent, at: Millis) {
        match event {
            TableEvent::Paused => self.clock.pause(at),
            TableEvent::Credited { from } => self.clock.credit(from, at),
            TableEvent::AdjournOffered(by) | TableEvent::ResumeOffered(by) => {
                self.offers.adjourn = Some(by);
            }
            TableEvent::AdjournDeclined(_) => self.offers.adjourn = None,
            TableEvent::Adjourned(_) => {
                self.offers.adjourn = None;
                self.clock.adjourn(at);
            }
            TableEvent::Resumed(_) => {
                self.offers.adjourn = None;
                self.clock.resume(at);
            }
            TableEvent::RematchOffered(by) => self.offers.rematch = Some(by),
            TableEvent::RematchDeclined(_) => self.offers.rematch = None,
            TableEvent::Rematch(game) => {
                self.offers.rematch = None;
                self.offers.next = Some(game);
            }
        }
    }

    /// How many rows were taken in.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The choices played by.
    pub fn choices(&self) -> &Choices {
        self.game.choices()
    }

    /// Where the game stands.
    pub fn status(&self) -> Status {
        if self.game.over().is_some() {
            Status::Over
        } else if self.clock.adjourned() {
            Status::Adjourned
        } else {
            Status::Running
        }
    }

    /// How the game ended.
    pub fn over(&self) -> Option<Over> {
        self.game.over()
    }

    /// The clocks as everybody may see them.
    pub fn clocks(&self) -> Option<Clocks> {
        self.clock.shown()
    }

    /// All that a listener was told, from number 1.
    pub fn hearings(&self, listener: Listener) -> &[Hearing] {
        self.chairs[place(listener)].hearings()
    }

    /// What a player's seat knows.
    pub fn seat_view(&self, seat: Color) -> Option<SeatView> {
        self.chair(seat).seat_view()
    }

    pub(crate) fn chair(&self, seat: Color) -> &Chair {
        &self.chairs[place(Listener::from(seat))]
    }

    pub(crate) fn chairs(&self) -> &[Chair; 3] {
        &self.chairs
    }

    /// The game of the rematch, once agreed.
    pub fn next_game(&self) -> Option<GameId> {
        self.offers.next
    }

    /// Whether the clocks stand because a club went down in order.
    pub fn is_paused(&self) -> bool {
        self.clock.paused()
    }

    /// Whether something runs out by itself.
    pub fn ticks(&self) -> bool {
        self.deadline().is_some()
    }

    fn can_abort(&self) -> bool {
        self.status() == Status::Running && !self.clock.both_moved()
    }

    /// What a listener may know of the game beside what he hears. Public rows
    /// and who is connected decide it.
    pub fn standing(&self, listener: Listener, presence: &Presence) -> Standing {
        Standing {
            status: self.status(),
            over: self.game.over(),
            clocks: self.clock.shown(),
            here: ByColor::new_with(|color| presence.gone.get(color).is_none()),
            offers: listener.color().map(|_| self.offers),
            claim_from: listener
                .color()
                .and_then(|seat| self.claim_from(seat, presence)),
            can_abort: self.can_abort(),
            first_move_by: self.clock.first_move_by(),
        }
    }
}

/// What of the calls a listener hears.
fn heard(calls: &Calls, listener: Listener) -> impl Iterator<Item = ToldItem> {
    calls
        .iter()
        .filter(move |call| call.audience.includes(listener))
        .map(|call| ToldItem::Heard(call.heard))
}

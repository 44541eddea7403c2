//! Converts the subscription of one listener to messages, in order.

use std::collections::VecDeque;

use club::{GameId, ListenerItem, Listening};
use tokio::task::yield_now;
use wire::ServerSays;

/// The messages for one listener of one game.
///
/// After each hearing comes the view of the seat. If another hearing is ready, the view comes only
/// after that hearing.
pub struct Watching {
    game: GameId,
    listening: Listening,
    told: VecDeque<ServerSays>,
    /// Number of the last hearing.
    heard: u32,
    /// Whether the view after the last hearing was sent.
    shown: bool,
    /// Number of messages that were returned.
    given: u32,
}

/// After this many messages, other tasks may use the thread.
const MESSAGES_AT_ONCE: u32 = 16;

impl Watching {
    /// Creates the stream of messages. `listening` begins after number `after`.
    pub fn new(game: GameId, listening: Listening, after: u32) -> Watching {
        Watching {
            game,
            listening,
            told: VecDeque::new(),
            heard: after,
            shown: false,
            given: 0,
        }
    }

    /// Returns the number of the last hearing.
    pub fn heard(&self) -> u32 {
        self.heard
    }

    /// Whether every message that follows from the hearings so far was returned.
    pub fn is_sent(&self) -> bool {
        self.told.is_empty()
    }

    /// Whether there is no message at this moment.
    pub fn is_idle(&self) -> bool {
        self.told.is_empty() && self.listening.is_idle()
    }

    /// Waits for the next message; `None` when the club closes. Cancel safe: the future may be
    /// dropped and the method called again.
    pub async fn next(&mut self) -> Option<ServerSays> {
        // A listener may get a long history. Other tasks can run between its messages.
        self.given = self.given.wrapping_add(1);
        if self.given.is_multiple_of(MESSAGES_AT_ONCE) {
            yield_now().await;
        }
        loop {
            if let Some(says) = self.told.pop_front() {
                return Some(says);
            }
            match self.listening.next().await? {
                ListenerItem::Hearing(hearing) => {
                    self.heard = hearing.n;
                    self.shown = false;
                    let seat = self.listening.seat();
                    let (game, choices) = (self.game.to_string(), self.listening.choices());
                    let says = present::heard(game, &hearing, choices, seat);
                    self.told.push_back(says);
                }
                ListenerItem::Facts(facts) => {
                    let game = present::game(&facts);
                    self.told.push_back(ServerSays::Game { game });
                }
            }
            if !self.shown {
                self.show();
            }
        }
    }

    /// Adds the view of the seat. Does nothing if the view already includes a hearing that is still
    /// to be sent.
    fn show(&mut self) {
        let view = self.listening.seat_view();
        self.shown = view.as_ref().is_none_or(|view| view.n <= self.heard);
        if let Some(view) = view.filter(|_| self.shown) {
            self.told.push_back(ServerSays::View {
                game: self.game.to_string(),
                view: present::seat_view(&view),
            });
        }
    }
}

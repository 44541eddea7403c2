//! One listener of one game: what the listener is told, as messages in order.

use std::collections::VecDeque;

use club::{GameId, ListenerItem, Listening};
use wire::ServerSays;

/// One listener of one game.
///
/// After each hearing comes what the seat then knows, unless another hearing is
/// already there.
pub struct Watching {
    game: GameId,
    listening: Listening,
    told: VecDeque<ServerSays>,
    /// The number of the last thing heard.
    heard: u32,
    /// Whether the seat's view was sent already.
    shown: bool,
}

impl Watching {
    /// Tells what that listener of a game hears after number `after`.
    pub fn new(game: GameId, listening: Listening, after: u32) -> Watching {
        Watching {
            game,
            listening,
            told: VecDeque::new(),
            heard: after,
            shown: false,
        }
    }

    /// The number of the last thing heard.
    pub fn heard(&self) -> u32 {
        self.heard
    }

    /// Whether all that follows from what was heard was given out.
    pub fn is_sent(&self) -> bool {
        self.told.is_empty()
    }

    /// Whether nothing more is to be told at this moment.
    pub fn is_idle(&self) -> bool {
        self.told.is_empty() && self.listening.is_idle()
    }

    /// The next message; `None` when the club closes. May be dropped and
    /// called again.
    pub async fn next(&mut self) -> Option<ServerSays> {
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

    /// Tells what the seat knows now, if that follows from what was sent.
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

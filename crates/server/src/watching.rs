//! One listener of one game: what the listener is told, as messages in order.

use std::collections::VecDeque;

use club::{AccountId, Club, GameId, Listening, Told};
use wire::ServerSays;

use crate::refusal::Refusal;

/// Whether a listener stays for what comes. A listener who does not stay does not count as
/// present: the request must not be visible to others.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Stays {
    /// Listener who stays.
    Yes,
    /// Reader of what was heard so far.
    No,
}

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
    /// Starts to listen; hearings after number `after` come first.
    ///
    /// # Errors
    /// There is no such game, or fewer hearings exist.
    pub async fn open(
        club: &Club,
        game: GameId,
        reader: Option<AccountId>,
        after: u32,
        stays: Stays,
    ) -> Result<Watching, Refusal> {
        let listening = match stays {
            Stays::Yes => club.listen(game, reader, after).await?,
            Stays::No => club.heard(game, reader, after).await?,
        };
        Ok(Watching {
            game,
            listening,
            told: VecDeque::new(),
            heard: after,
            shown: false,
        })
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
                Told::Hearing(hearing) => {
                    self.heard = hearing.n;
                    self.shown = false;
                    let seat = self.listening.seat();
                    let (game, choices) = (self.game.to_string(), self.listening.choices());
                    let says = present::heard(game, &hearing, choices, seat);
                    self.told.push_back(says);
                }
                Told::Facts(facts) => {
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

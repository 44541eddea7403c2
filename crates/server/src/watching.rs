//! One listener of one game: what the listener is told, as messages in order.

use std::collections::VecDeque;

use club::{AccountId, Club, GameId, Listening, Told};
use rules::Listener;
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
    club: Club,
    game: GameId,
    reader: Option<AccountId>,
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
            club: club.clone(),
            game,
            reader,
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
                self.show().await;
            }
        }
    }

    /// What the seat knows now, if that follows from what was sent.
    async fn show(&mut self) {
        let seated = match self.listening.seat() {
            Listener::White | Listener::Black => self.reader,
            Listener::Room => None,
        };
        let Some(reader) = seated else {
            self.shown = true;
            return;
        };
        // Without an answer the next message asks again.
        if let Ok(view) = self.club.seat_view(self.game, reader).await
            && view.n <= self.heard
        {
            self.shown = true;
            self.told.push_back(ServerSays::View {
                game: self.game.to_string(),
                view: present::seat_view(&view),
            });
        }
    }
}

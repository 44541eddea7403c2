//! The state that all teletypes of a club share.

use std::{net::IpAddr, sync::Arc, time::Duration};

use club::{Account, Club, ClubError, ColorWish, FinishedSearch, request_id};
use limits::{Buckets, network};
use rules::chess::Color;
use wire::TableAct;

use super::{
    links::ConsoleLinks,
    pairing::{Place, Waiting},
    settings::Settings,
};
use crate::base::Closing;

/// Maximum number of games that may begin per hour from one address. Without
/// this limit, abandoned games could fill the club.
const MAX_GAMES: u32 = 60;
const HOUR: Duration = Duration::from_secs(3600);

/// State shared by all teletypes of a club. All clones share it.
#[derive(Clone)]
pub struct Teletypes(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) club: Club,
    pub(super) settings: Settings,
    pub(super) waiting: Waiting,
    /// Number of games that began, by network.
    begun: Buckets<IpAddr>,
    pub(super) links: ConsoleLinks,
    closing: Closing,
}

impl Teletypes {
    /// Creates the shared state. `closing` tells when the club closes.
    pub fn new(club: Club, settings: Settings, closing: Closing) -> Teletypes {
        Teletypes(Arc::new(Inner {
            club,
            settings,
            waiting: Waiting::default(),
            begun: Buckets::default(),
            links: ConsoleLinks::default(),
            closing,
        }))
    }

    /// Returns the signal that tells when the club closes.
    pub fn closing(&self) -> &Closing {
        &self.0.closing
    }

    /// Ends the pairing: no further console can join. A console that waits for a second console
    /// gets a message, and its conversation ends. Returns whether a console was waiting.
    pub fn close_pairing(&self) -> bool {
        self.0.waiting.close()
    }

    /// Counts a new game for an address. Returns whether the game may begin.
    pub(super) fn may_begin(&self, from: IpAddr) -> bool {
        self.0.begun.count(network(from), MAX_GAMES, HOUR).is_ok()
    }

    /// Aborts a game, because its second player disconnected before taking the seat.
    pub(super) async fn abort(&self, mine: &Place) {
        if let Ok(id) = request_id("teletype-abort") {
            let abort = TableAct::Abort;
            // If the store fails now, the game stays open until a player claims
            // it.
            let _stands = self.0.club.act(mine.game, mine.account.id, id, abort).await;
        }
    }

    /// Makes the game of two consoles. The first console plays the colour `first`; if `first` is
    /// `None`, the club tosses a coin. Returns the seats of both consoles.
    pub(super) async fn make_game(
        &self,
        first: Option<Color>,
    ) -> Result<(Place, Place), ClubError> {
        let club = &self.0.club;
        let (one, two) = (club.guest().await?, club.guest().await?);
        let wish = match first {
            Some(Color::White) => ColorWish::White,
            Some(Color::Black) => ColorWish::Black,
            None => ColorWish::Any,
        };
        let game = club
            .pair(one.id, two.id, self.0.settings.terms(wish))
            .await?;
        let first = match first {
            Some(first) => first,
            None => {
                let players = club.facts(game, None).await?.players;
                if players.get(Color::White).id == one.id {
                    Color::White
                } else {
                    Color::Black
                }
            }
        };
        let place = async |account: Account, color| {
            Ok::<_, ClubError>(Place {
                key: Some(club.begin_key(account.id).await?),
                account,
                game,
                color,
            })
        };
        Ok((place(one, first).await?, place(two, first.other()).await?))
    }

    /// Finds the seat that belongs to a key. If the key's account has an
    /// unfinished game, returns the seat in this game. If not, returns the seat
    /// in the account's newest game.
    pub(super) async fn place_of(&self, key: &str) -> Result<Option<Place>, ClubError> {
        let club = &self.0.club;
        let account = match club.key(key).await {
            Ok(account) => account,
            Err(error) if error.code == wire::RefusalCode::SignIn => return Ok(None),
            Err(error) => return Err(error),
        };
        let running = club.lobby_for(Some(account.id)).await?.mine;
        let row = match running.into_iter().next() {
            Some(row) => Some(row),
            None => club
                .games(&FinishedSearch::of(account.id), Some(account.id), 1)
                .await?
                .into_iter()
                .next(),
        };
        Ok(row.and_then(|row| {
            Some(Place {
                account,
                game: row.id,
                color: row.seat.color()?,
                key: None,
            })
        }))
    }
}

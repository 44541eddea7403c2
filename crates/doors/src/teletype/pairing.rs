//! Two consoles that wait become a game.

use std::{
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use club::{AccountId, ClubError, ColorWish, GameId, TableAct, Token, request_id};
use limits::{Buckets, household};
use rules::chess::{ByColor, Color};
use tokio::sync::oneshot;

use super::Inner;

/// So many games may begin from one address within an hour: what is begun
/// and left stands in the club.
const GAMES: u32 = 60;
const HOUR: Duration = Duration::from_secs(3600);

/// A seat at a game.
#[derive(Debug)]
pub(super) struct Place {
    /// Whose it is.
    pub(super) account: AccountId,
    /// The game.
    pub(super) game: GameId,
    /// The seat.
    pub(super) color: Color,
    /// The key with which he comes back, if it is told here.
    pub(super) key: Option<Token>,
}

/// The second console: it is told its place by the first.
pub(super) type Second = oneshot::Sender<Place>;

/// The one console that waits, if one does.
#[derive(Debug, Default)]
pub(super) struct Waiting(Mutex<Option<oneshot::Sender<Second>>>);

/// How a console comes in.
pub(super) enum Joined {
    /// As the first: the second will be told here.
    First(oneshot::Receiver<Second>),
    /// As the second: the first will tell it its place.
    Second(oneshot::Receiver<Place>),
}

impl Waiting {
    /// Joins the console that waits, or waits.
    pub(super) fn join(&self) -> Joined {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (tells, told) = oneshot::channel();
        if let Some(first) = waiting.take()
            && first.send(tells).is_ok()
        {
            return Joined::Second(told);
        }
        let (tells, told) = oneshot::channel();
        *waiting = Some(tells);
        Joined::First(told)
    }
}

/// Games that were begun from each household.
#[derive(Debug, Default)]
pub(super) struct Begun(Buckets<IpAddr>);

impl Begun {
    /// Whether one more game may begin from there; it is counted.
    pub(super) fn may_begin(&self, from: IpAddr) -> bool {
        self.0.count(household(from), GAMES, HOUR).is_ok()
    }
}

impl Inner {
    /// A game at which the second never sat down.
    pub(super) async fn break_off(&self, mine: &Place) {
        if let Ok(id) = request_id("teletype-abort") {
            let abort = TableAct::Abort;
            // If the store cannot now, the game stands until somebody claims it.
            let _stands = self.club.act(mine.game, mine.account, id, abort).await;
        }
    }

    /// Makes the game of two consoles; the first has the colour given.
    pub(super) async fn make_game(&self, first: Color) -> Result<ByColor<Place>, ClubError> {
        let club = &self.club;
        let (one, two) = (club.guest().await?.id, club.guest().await?.id);
        let wish = match first {
            Color::White => ColorWish::White,
            Color::Black => ColorWish::Black,
        };
        let game = club.pair(one, two, self.settings.terms(wish)).await?;
        let place = async |account, color| {
            Ok::<_, ClubError>(Place {
                account,
                game,
                color,
                key: Some(club.begin_key(account).await?),
            })
        };
        let (one, two) = (place(one, first).await?, place(two, first.other()).await?);
        Ok(match first {
            Color::White => ByColor {
                white: one,
                black: two,
            },
            Color::Black => ByColor {
                white: two,
                black: one,
            },
        })
    }

    /// The seat that a key opens: the game that is not over, or else the last.
    pub(super) async fn place_of(&self, key: &str) -> Result<Option<Place>, ClubError> {
        let club = &self.club;
        let account = match club.key(key).await {
            Ok(account) => account.id,
            Err(error) if error.code == club::Code::SignIn => return Ok(None),
            Err(error) => return Err(error),
        };
        let running = club.lobby_for(Some(account)).await?.mine;
        let row = match running.into_iter().next() {
            Some(row) => Some(row),
            None => club.games(account, i64::MAX, 1).await?.into_iter().next(),
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

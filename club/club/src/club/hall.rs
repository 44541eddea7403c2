//! The true position of a game for a screen in a hall, if both players agreed before the game.
//!
//! A link is signed with a secret of the club, so the store keeps none. The position is read from the
//! store: the table of the game does not notice.

use hmac::{Hmac, KeyInit, Mac};
use rules::Listener;
use sha2::Sha256;
use store::{AccountId, GameId, GameRecord, Millis, Store, StoreError};
use wire::{GameStatus, RefusalCode};

use crate::{
    error::{ClubError, StoreAnswer},
    facts::GameFacts,
    guesses::Guesser,
    hearing::Hearing,
    inner::{Club, damaged},
    table::Table,
    token::{Token, hex, unhex},
};

const MINUTE: Millis = 60_000;
/// Maximum length of a link's secret, in bytes.
const MAX_LINK: usize = 100;

/// What a screen in a hall shows of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct HallBoard {
    /// Facts as spectators know them now, but with the true position of some time ago.
    pub facts: GameFacts,
    /// What spectators had heard last in that position.
    pub heard: Option<Hearing>,
    /// Age of the position, in minutes; 0 after the end of the game.
    pub delay: u32,
}

/// Returns the name of the setting of White's account that a revocation changes.
fn revocation(game: GameId) -> String {
    format!("hall-{game}")
}

/// Starts the signature of a link.
async fn signature(
    store: &dyn Store,
    record: &GameRecord,
    delay: &str,
) -> Result<Hmac<Sha256>, StoreError> {
    let (game, white) = (record.id, record.players.white);
    let key = store.secret("hall", Token::draw().secret()).await?;
    let revoked = store.settings(white, &revocation(game)).await?;
    let mac = Hmac::<Sha256>::new_from_slice(key.as_bytes());
    let mac = mac.expect("a key can have any length");
    let revoked = revoked.unwrap_or_default();
    Ok(mac.chain_update(format!("{game}\n{delay}\n{revoked}")))
}

fn is_for_hall(record: &GameRecord) -> bool {
    notation::is_for_hall(record.terms.custom.as_deref())
}

/// Returns the address of the page that shows the true position of a running game, `delay` minutes
/// late. `None` if there is no such game, or if its players did not agree. If `revoke`, all earlier
/// addresses of the game become invalid.
///
/// # Errors
/// If the store fails.
pub async fn hall_address(
    store: &dyn Store,
    game: GameId,
    delay: u32,
    revoke: bool,
) -> Result<Option<String>, StoreError> {
    let record = match store.game(game).await {
        Ok(record) if record.over.is_none() && is_for_hall(&record) => record,
        Ok(_) | Err(StoreError::Absent) => return Ok(None),
        Err(error) => return Err(error),
    };
    if revoke {
        let (white, name, fresh) = (record.players.white, revocation(game), Token::draw());
        store.keep_settings(white, &name, fresh.secret()).await?;
    }
    let delay = delay.to_string();
    let signature = signature(store, &record, &delay).await?.finalize();
    let signature = hex(&signature.into_bytes());
    Ok(Some(format!("/hall/{game}#{delay}.{signature}")))
}

impl Club {
    /// Returns what the secret of a link shows. `reader` counts as somebody who has watched the game.
    /// `near` has the accounts of the reader and of the reader's network, `device` is the cookie of
    /// the reader's browser.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if there is no such link, [`RefusalCode::NotPossible`] if a player
    /// of the game, which is not over, is near or has signed in at this device.
    pub async fn hall(
        &self,
        game: GameId,
        link: &str,
        reader: Option<AccountId>,
        near: &[AccountId],
        device: Option<&str>,
    ) -> Result<HallBoard, ClubError> {
        let record = self.0.store.game(game).await.found()?;
        let record = record.filter(is_for_hall).ok_or_else(not_a_link)?;
        let read = |link: &str| {
            let (delay, code) = link.split_once('.')?;
            Some((delay.to_owned(), delay.parse::<u32>().ok()?, unhex(code)?))
        };
        let link = Some(link).filter(|link| link.len() <= MAX_LINK);
        let (text, delay, code) = link.and_then(read).ok_or_else(not_a_link)?;
        let signature = signature(&*self.0.store, &record, &text).await?;
        signature.verify_slice(&code).map_err(|_| not_a_link())?;
        let table = self.0.table(game).await?;
        let mut facts = self.facts(game, None).await?;
        let is_over = facts.standing.status == GameStatus::Over;
        for player in [record.players.white, record.players.black] {
            let account = self.0.store.account(player).await?;
            let is_device = matches!(Guesser::of("", Some(&account), device), Guesser::Device(..));
            if !is_over && (is_device || near.contains(&player)) {
                return Err(ClubError::new(
                    RefusalCode::NotPossible,
                    "hall-playing",
                    "a player of this game uses this account, this browser or this network: the \
                     screen shows nothing before the end",
                ));
            }
        }
        table.note_watcher(reader);
        let delay = if is_over { 0 } else { delay };
        let until = match delay {
            0 => Millis::MAX,
            delay => self.now() - Millis::from(delay) * MINUTE,
        };
        let _place = self.0.replays.place().await?;
        let mut rows = self.0.store.rows(game, 0).await?;
        let shown = rows.iter().take_while(|row| row.at <= until).count();
        rows.truncate(shown.max(1));
        let work = move || Table::open(&record, &rows).map_err(|_| damaged(record.id));
        let (table, states) = self.0.replays.work(shown, work).await??;
        facts.standing.umpire = Some(table.umpire());
        Ok(HallBoard {
            facts,
            heard: states.get(Listener::Room).hearings().last().cloned(),
            delay,
        })
    }
}

fn not_a_link() -> ClubError {
    ClubError::new(
        RefusalCode::NotFound,
        "hall-link",
        "this link shows no game: ask the club's operator for another",
    )
}

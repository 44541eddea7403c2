//! Hints between stores by `LISTEN` and `NOTIFY`.
//!
//! A notification is never part of the transaction that appends, because `NOTIFY` makes commits
//! wait for each other. The notification is sent after the commit, over a separate connection,
//! and contains many hints.

use std::{collections::BTreeMap, time::Duration};

use sqlx::{Executor, PgConnection, PgPool, postgres::PgListener};
use tokio::{
    sync::{broadcast, mpsc},
    time::{sleep, timeout},
};

use super::open::Address;
use crate::{id::GameId, store::Hint};

/// Prefix of the channel's name; the name of the schema follows.
const CHANNEL: &str = "kriegspiel_";
/// Maximum number of hints in one notification. Postgres allows 8000 bytes.
const MAX_HINTS: usize = 200;
/// Delay before the next connection after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// Timeout for a notification.
const NOTIFY_TIMEOUT: Duration = Duration::from_secs(2);

const NOTIFY: &str = "select pg_notify($1 || current_schema(), $2)";

/// Passes hints on to other stores, and hints of other stores to the listeners `here`, until the
/// senders of `own` are dropped. A hint that cannot be sent is lost.
pub(super) async fn pass_hints(
    address: Address,
    pool: PgPool,
    here: broadcast::Sender<Hint>,
    mut own: mpsc::Receiver<Hint>,
) {
    let number: u64 = rand_number();
    let listening = tokio::spawn(listen(pool, number, here));
    let mut connection = None;
    while let Some(first) = own.recv().await {
        let mut hints = BTreeMap::from([(first.game, first.rows)]);
        while hints.len() < MAX_HINTS
            && let Ok(hint) = own.try_recv()
        {
            let rows = hints.entry(hint.game).or_default();
            *rows = hint.rows.max(*rows);
        }
        let sent = timeout(
            NOTIFY_TIMEOUT,
            notify(&address, &mut connection, number, &hints),
        );
        if !matches!(sent.await, Ok(Ok(()))) {
            connection = None;
            sleep(RETRY_DELAY).await;
        }
    }
    listening.abort();
}

/// Returns a random number that distinguishes this store from others.
fn rand_number() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}

async fn notify(
    address: &Address,
    connection: &mut Option<PgConnection>,
    number: u64,
    hints: &BTreeMap<GameId, u32>,
) -> Result<(), crate::store::StoreError> {
    let to = match connection {
        Some(to) => to,
        None => {
            let (mut opened, _) = address.connect().await?;
            // Notifications are not stored, so their commits are not made durable.
            opened.execute("set synchronous_commit = off").await?;
            connection.insert(opened)
        }
    };
    let words = hints.iter().map(|(game, rows)| format!("{game}:{rows}"));
    let text = format!("{number} {}", words.collect::<Vec<_>>().join(" "));
    let notified = sqlx::query(NOTIFY).bind(CHANNEL).bind(text);
    notified.execute(to).await?;
    Ok(())
}

/// Receives the hints of other stores.
async fn listen(pool: PgPool, number: u64, here: broadcast::Sender<Hint>) {
    loop {
        // After an error some hints are lost. Clubs read the logs again a moment later.
        let _error = receive(&pool, number, &here).await;
        sleep(RETRY_DELAY).await;
    }
}

async fn receive(
    pool: &PgPool,
    number: u64,
    here: &broadcast::Sender<Hint>,
) -> Result<(), sqlx::Error> {
    let schema: String = sqlx::query_scalar("select current_schema()")
        .fetch_one(pool)
        .await?;
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(&format!("{CHANNEL}{schema}")).await?;
    loop {
        let notification = listener.recv().await?;
        let Some((sender, hints)) = notification.payload().split_once(' ') else {
            continue;
        };
        if sender == number.to_string() {
            continue;
        }
        for hint in hints.split(' ').filter_map(parse) {
            // There may be no listener.
            let _ignored = here.send(hint);
        }
    }
}

fn parse(text: &str) -> Option<Hint> {
    let (game, rows) = text.split_once(':')?;
    Some(Hint {
        game: game.parse().ok()?,
        rows: rows.parse().ok()?,
    })
}

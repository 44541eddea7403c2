//! Hints between stores: over NATS while a NATS server answers, otherwise by `LISTEN` and `NOTIFY`.
//!
//! `NOTIFY` makes commits wait for each other. So a notification is never part of the transaction
//! that appends. The notification is sent after the commit, over a separate connection, and
//! contains many hints.

use std::time::Duration;

use sqlx::{Executor, PgConnection, postgres::PgListener};
use tokio::{
    sync::{broadcast, mpsc},
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{open::Address, pools::Pool};
use crate::{nats::Nats, notice::Notice, store::Hint};

/// Prefix of the channel's name; the name of the schema follows.
const CHANNEL: &str = "kriegspiel_";
/// Delay before the next connection after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// Timeout for a notification.
const NOTIFY_TIMEOUT: Duration = Duration::from_secs(2);

const NOTIFY: &str = "select pg_notify($1 || current_schema(), $2)";

/// Passes own hints on to other stores, and hints of other stores to the subscribers `here`. Ends
/// when the senders of `own` are dropped. A hint that cannot be sent is lost.
pub(super) async fn pass_hints(
    address: Address,
    pool: Pool,
    nats: Option<Nats>,
    here: broadcast::Sender<Hint>,
    mut own: mpsc::Receiver<Hint>,
) {
    let number: u64 = rand_number();
    let mut listening = JoinSet::new();
    if let Some(nats) = &nats {
        listening.spawn(nats.receive(here.clone()));
    }
    // A store that does not reach the NATS server sends its hints over the database. So this store
    // receives hints from the database even if it uses NATS.
    listening.spawn(listen(pool, number, here));
    let mut connection = None;
    while let Some(first) = own.recv().await {
        let mut notice = Notice::default();
        notice.add(first);
        while !notice.is_full()
            && let Ok(hint) = own.try_recv()
        {
            notice.add(hint);
        }
        let text = notice.text(number);
        if let Some(nats) = &nats
            && nats.send(&text).await
        {
            continue;
        }
        let sent = timeout(NOTIFY_TIMEOUT, notify(&address, &mut connection, &text));
        if !matches!(sent.await, Ok(Ok(()))) {
            connection = None;
            sleep(RETRY_DELAY).await;
        }
    }
}

/// Returns a random number that distinguishes this store from others.
fn rand_number() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}

async fn notify(
    address: &Address,
    connection: &mut Option<PgConnection>,
    text: &str,
) -> Result<(), crate::store::StoreError> {
    let to = match connection {
        Some(to) => to,
        None => {
            let (mut opened, _) = address.connect().await?;
            // Notifications are not stored, so their commits do not have to be durable.
            opened.execute("set synchronous_commit = off").await?;
            connection.insert(opened)
        }
    };
    let notified = sqlx::query(NOTIFY).bind(CHANNEL).bind(text);
    notified.execute(to).await?;
    Ok(())
}

/// Receives the hints of other stores.
async fn listen(pool: Pool, number: u64, here: broadcast::Sender<Hint>) {
    loop {
        // After an error some hints are lost. Clubs read the logs again a moment later.
        let _error = receive(&pool, number, &here).await;
        sleep(RETRY_DELAY).await;
    }
}

async fn receive(
    pool: &Pool,
    number: u64,
    here: &broadcast::Sender<Hint>,
) -> Result<(), sqlx::Error> {
    let schema: String = sqlx::query_scalar("select current_schema()")
        .fetch_one(pool)
        .await?;
    let mut listener = PgListener::connect_with(pool.of_the_library()).await?;
    listener.listen(&format!("{CHANNEL}{schema}")).await?;
    loop {
        let notification = listener.recv().await?;
        let text = notification.payload();
        if Notice::sender(text) == Some(number) {
            continue;
        }
        for hint in Notice::hints(text) {
            // There may be no subscriber.
            let _ignored = here.send(hint);
        }
    }
}

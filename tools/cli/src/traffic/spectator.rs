//! A spectator: follows the games of one pair of players, and records everything.

use std::sync::Arc;

use client::ClientEvent;
use tokio::time::{Instant, timeout};
use wire::{ClientSays, ServerSays};

use super::{
    journal::{Journal, has_move},
    shared::Shared,
    table::Current,
};

/// Everything that a spectator has recorded of one game.
pub(super) struct SpectatorRecord {
    pub(super) game: String,
    pub(super) journal: Journal,
    /// Time at which the spectator began to follow the game. The spectator hears earlier moves only
    /// after this time.
    pub(super) since: Option<Instant>,
    /// Times at which the moves of the game were heard.
    pub(super) heard: Vec<Instant>,
}

/// Follows the games of a pair until the players leave.
pub(super) async fn watch(
    shared: Arc<Shared>,
    number: usize,
    mut current: Current,
) -> Vec<SpectatorRecord> {
    let mut client = shared.client(number, None);
    let mut records: Vec<SpectatorRecord> = Vec::new();
    let (mut is_first, mut ends) = (true, None::<Instant>);
    loop {
        let table = current.borrow_and_update().clone();
        // A spectator leaves a game when the game is over and the players have begun the next game.
        let last = records.last();
        let is_over = last.is_none_or(|record| record.journal.is_over());
        if is_over
            && let Some(table) = &table
            && last.is_none_or(|record| record.game != table.id)
        {
            if let Some(record) = last {
                client.say(ClientSays::Leave {
                    game: record.game.clone(),
                });
            }
            client.say(ClientSays::Watch {
                game: table.id.clone(),
                after: 0,
            });
            records.push(SpectatorRecord {
                game: table.id.clone(),
                journal: Journal::new(format!("game {}, spectator {number}", table.id)),
                since: None,
                heard: Vec::new(),
            });
            continue;
        }
        if ends.is_some() && is_over {
            return records;
        }
        let event = tokio::select! {
            changed = current.changed(), if ends.is_none() => {
                if changed.is_err() {
                    ends = Some(Instant::now() + shared.timeout);
                }
                continue;
            }
            event = timeout_at_or_never(ends, client.next()) => event,
        };
        let Some(event) = event else {
            if let Some(record) = records.last_mut() {
                let fault = format!("{}: the end was not heard", record.journal.name);
                record.journal.faults.push(fault);
            }
            return records;
        };
        match event {
            Ok(ClientEvent::Says(says)) => {
                if hear(&mut records, says, &shared) {
                    client.give_up("a subscription was temporarily refused");
                }
            }
            Ok(ClientEvent::Connected { .. }) => {
                if !is_first {
                    shared.notes.change(|counts| counts.reconnections += 1);
                }
                is_first = false;
            }
            Ok(ClientEvent::Lost { .. }) => shared.notes.change(|counts| counts.lost += 1),
            Err(refused) => {
                shared.notes.error(&refused);
                return records;
            }
        }
    }
}

/// Waits for a future, but at most until `ends` if this time is given.
async fn timeout_at_or_never<T>(
    ends: Option<Instant>,
    future: impl Future<Output = T>,
) -> Option<T> {
    match ends {
        None => Some(future.await),
        Some(at) => timeout(at.saturating_duration_since(Instant::now()), future)
            .await
            .ok(),
    }
}

/// Records a message. Returns whether a new connection is needed, because a subscription was
/// temporarily refused.
fn hear(records: &mut [SpectatorRecord], says: ServerSays, shared: &Shared) -> bool {
    match says {
        ServerSays::Heard { game, hearing } => {
            let Some(record) = records.iter_mut().rfind(|record| record.game == game) else {
                return false;
            };
            if has_move(&hearing) {
                record.heard.push(Instant::now());
            }
            record.journal.hear(hearing);
        }
        ServerSays::Game { game } => {
            if let Some(record) = records.iter_mut().rfind(|record| record.game == game.id) {
                record.since.get_or_insert_with(Instant::now);
            }
        }
        ServerSays::Refused { code, why, .. } => {
            if code.is_temporary() {
                shared.notes.change(|counts| counts.waits += 1);
                return true;
            } else {
                shared
                    .notes
                    .error(format_args!("refused to a spectator: {why}"));
            }
        }
        ServerSays::Answer { .. }
        | ServerSays::View { .. }
        | ServerSays::Welcome { .. }
        | ServerSays::Lobby { .. }
        | ServerSays::LobbyChanges { .. }
        | ServerSays::Message { .. }
        | ServerSays::Pong {}
        | ServerSays::Bye { .. } => {}
    }
    false
}

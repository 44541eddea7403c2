//! Statements on subscriptions and secrets, and the conversion of columns.

use super::columns::{StoredRow, token};
use crate::{error::StoreError, push::PushSubscription};

pub(crate) const REMOVE_ENDPOINT: &str =
    "delete from push_subscriptions where endpoint = $1 and session <> $2";
pub(crate) const ADD: &str = "\
insert into push_subscriptions (session, endpoint, p256dh, auth, language, at)
select token, $2, $3, $4, $5, $6 from sessions where token = $1
on conflict (session) do update set endpoint = excluded.endpoint, p256dh = excluded.p256dh,
    auth = excluded.auth, language = excluded.language, at = excluded.at";
/// Deletes the subscriptions of the account of session $1 after the newest $2.
pub(crate) const REMOVE_OLD: &str = "\
delete from push_subscriptions where session in (
    select old.session
    from push_subscriptions old join sessions on sessions.token = old.session
    where sessions.account = (select own.account from sessions own where own.token = $1)
    order by old.at desc, old.session limit 1000 offset $2)";
pub(crate) const REMOVE: &str =
    "delete from push_subscriptions where session = $1 and ($2 is null or endpoint = $2)";
pub(crate) const OF: &str = "\
select push_subscriptions.*
from push_subscriptions join sessions on sessions.token = push_subscriptions.session
    join accounts on accounts.id = sessions.account
where sessions.account = $1 and sessions.generation = accounts.generation
order by push_subscriptions.at, push_subscriptions.session";
pub(crate) const ADD_SECRET: &str =
    "insert into secrets (name, value) values ($1, $2) on conflict do nothing";
pub(crate) const SECRET: &str = "select value from secrets where name = $1";

pub(crate) fn subscription(row: &impl StoredRow) -> Result<PushSubscription, StoreError> {
    Ok(PushSubscription {
        session: token(row.text("session")?)?,
        endpoint: row.text("endpoint")?.to_owned(),
        p256dh: row.text("p256dh")?.to_owned(),
        auth: row.text("auth")?.to_owned(),
        language: row.text("language")?.to_owned(),
        at: row.number("at")?,
    })
}

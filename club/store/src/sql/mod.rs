//! All statements on the club's tables, in SQL that SQLite and Postgres both accept, and the
//! conversion of columns.

pub(crate) mod columns;
pub(crate) mod evenings;
pub(crate) mod messages;
pub(crate) mod migrations;
pub(crate) mod push;
pub(crate) mod ratings;
pub(crate) mod studies;

use crate::account::{AccountChanges, AccountId, LOOK_ALIKES};

/// A log with at least this many rows is parsed on a blocking thread.
const MANY_ROWS: usize = 200;

pub(crate) const BEGIN_CHANGE: &str = "savepoint change";
pub(crate) const KEEP_CHANGE: &str = "release savepoint change";
pub(crate) const DROP_CHANGE: &str = "rollback to savepoint change";

/// Selects the number of rows of a log, and the time of row $2.
pub(crate) const LOG_END: &str = "\
select coalesce((select max(events.seq) + 1 from events where events.game = games.id), 0),
    (select events.at from events where events.game = games.id and events.seq = $2)
from games where games.id = $1";
pub(crate) const ADD_EVENT: &str = "\
insert into events (game, seq, at, act, seat, request) values ($1, $2, $3, $4, $5, $6)
on conflict do nothing";
pub(crate) const CLOSE_GAME: &str =
    "update games set winner = $2, reason = $3 where id = $1 and reason is null";
pub(crate) const EVENTS: &str = "\
select seq, at, act, seat, request from events where game = $1 and seq >= $2 order by seq";

pub(crate) const ADD_GAME: &str = "\
insert into games
    (id, white, black, rules, custom, clock_initial, clock_increment, clock_cap, rated, color, at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict do nothing";
// `*` is safe, because the columns are read by their names.
pub(crate) const GAME: &str = "select * from games where id = $1";
pub(crate) const RUNNING: &str = "select * from games where reason is null order by at, id";
pub(crate) const ORDER_END: &str =
    "update games set end_ordered = true where id = $1 and reason is null";
pub(crate) const TO_END: &str = "\
select id from games where end_ordered and end_ordered = true and reason is null";
pub(crate) const GAMES: &str = "select * from games order by at, id";

pub(crate) const ADD_ACCOUNT: &str = "\
insert into accounts (id, name_key, name, kind, password, at)
select coalesce(max(id), 0) + 1, $1, $2, $3, $4, $5 from accounts where true
on conflict do nothing returning id";
// `*` is safe, because the columns are read by their names.
pub(crate) const ACCOUNT: &str = "select * from accounts where id = $1";
pub(crate) const ACCOUNT_NAMED: &str = "select * from accounts where name_key = $1";
/// Has the form of [`plain_name`](crate::plain_name).
pub(crate) fn account_like() -> String {
    let like = |text, (sign, letter)| format!("replace({text}, '{sign}', '{letter}')");
    let plain = LOOK_ALIKES.into_iter().fold("name_key".to_owned(), like);
    format!("select * from accounts where kind <> 'guest' and {plain} = $1 limit 1")
}
pub(crate) const ACCOUNTS: &str = "select * from accounts order by id";
pub(crate) const LEAVING: &str =
    "select * from accounts where state in ('waiting', 'resigning') order by id";
pub(crate) const SET_PASSWORD: &str = "update accounts set password = $2 where id = $1";
pub(crate) const SET_NAME: &str = "\
update accounts set name_key = $2, name = $3 where id = $1
and not exists (select 1 from accounts other where other.name_key = $2 and other.id <> $1)";
pub(crate) const SET_KIND: &str = "update accounts set kind = $2 where id = $1";
pub(crate) const SET_STATE: &str = "update accounts set state = $2 where id = $1";
pub(crate) const NEXT_GENERATION: &str =
    "update accounts set generation = generation + 1 where id = $1";
pub(crate) const IS_ACTIVE: &str =
    "select count(*) from accounts where id = $1 and state = 'active'";
pub(crate) const RUNS_GAMES: &str =
    "select count(*) from games where (white = $1 or black = $1) and reason is null";

pub(crate) const ADD_CODE: &str =
    "insert into recovery_codes (account, number, hash) values ($1, $2, $3)";
pub(crate) const CODE: &str = "select hash from recovery_codes where account = $1 and number = $2";
pub(crate) const CODES: &str = "select hash from recovery_codes where account = $1 order by number";
pub(crate) const REMOVE_CODE: &str =
    "delete from recovery_codes where account = $1 and number = $2 and hash = $3";
pub(crate) const REMOVE_CODES: &str = "delete from recovery_codes where account = $1";

pub(crate) const ADD_ACCOUNT_CHANGE: &str = "\
insert into account_changes (number, account)
select coalesce(max(number), 0) + 1, $1 from account_changes where true";
pub(crate) const FORGET_ACCOUNT_CHANGES: &str = "\
delete from account_changes
where number <= (select max(number) from account_changes) - $1";
pub(crate) const LAST_ACCOUNT_CHANGE: &str = "select coalesce(max(number), 0) from account_changes";
pub(crate) const ACCOUNT_CHANGES: &str =
    "select number, account from account_changes where number > $1 order by number";
pub(crate) const COUNT_ACCOUNTS: &str = "select count(*) from accounts";

pub(crate) const FORGET_SESSIONS: &str = "delete from sessions where until <= $1";
pub(crate) const ADD_SESSION: &str = "\
insert into sessions (token, account, at, until, generation, label, scope)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict do nothing";
pub(crate) const HAS_SESSIONS: &str = "\
select count(*) from accounts
where id = $1 and generation = $2 and state in ('active', 'waiting')";
pub(crate) const SESSIONS: &str = "select * from sessions";
pub(crate) const SESSION: &str = "\
select sessions.*
from sessions join accounts on accounts.id = sessions.account
where sessions.token = $1 and sessions.generation = accounts.generation";
pub(crate) const SESSIONS_OF: &str = "\
select sessions.*
from sessions join accounts on accounts.id = sessions.account
where sessions.account = $1 and sessions.generation = accounts.generation
order by sessions.at, sessions.token";
pub(crate) const END_SESSION: &str = "delete from sessions where token = $1 returning account";
pub(crate) const END_SESSIONS: &str = "delete from sessions where account = $1";

pub(crate) const ADD_OFFER: &str = "\
insert into offers
    (id, kind, recipient, maker, rules, custom, clock_initial, clock_increment, clock_cap, rated,
    color, at, game)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
on conflict do nothing";
pub(crate) const OFFER: &str = "select * from offers where id = $1";
pub(crate) const ALL_OFFERS: &str = "select * from offers order by at, id";
pub(crate) const OFFERS: &str = "select * from offers where game is null order by at, id";
/// Keeps an accepted invitation and records its game.
pub(crate) const FULFIL_INVITATION: &str = "\
update offers set game = $2 where id = $1 and game is null and kind = 'invitation'";
pub(crate) const REMOVE_OPEN_OFFER: &str = "delete from offers where id = $1 and game is null";
pub(crate) const REMOVE_OFFERS_OF: &str =
    "delete from offers where (maker = $1 or recipient = $1) and game is null";
pub(crate) const OFFER_IS_THERE: &str = "select count(*) from offers where id = $1";

pub(crate) const LEASE: &str = "select fence, renewed, owned, served_until from lease";
pub(crate) const CLAIM: &str = "\
update lease
set fence = $1, renewed = $2, served_until = coalesce(served_until, $2), owned = true";
pub(crate) const RENEW: &str = "update lease set renewed = $2, served_until = $3 where fence = $1";
pub(crate) const IS_FENCE: &str = "select count(*) from lease where fence = $1";
pub(crate) const RELEASE: &str = "update lease set owned = false where fence = $1";

/// Returns the changes of accounts after number `after`, from the numbers and accounts that were
/// found. Some changes after number `after` may already have been deleted.
pub(crate) fn account_changes(after: i64, last: i64, found: &[(i64, i64)]) -> AccountChanges {
    let known = found.first().is_some_and(|(first, _)| *first == after + 1);
    AccountChanges {
        last: found.last().map_or(last, |(number, _)| *number),
        accounts: known.then(|| found.iter().map(|(_, id)| AccountId(*id)).collect()),
    }
}

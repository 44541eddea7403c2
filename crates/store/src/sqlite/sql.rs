//! All statements on the club's tables, in SQL that SQLite and Postgres both accept.

pub(super) const BEGIN_CHANGE: &str = "savepoint change";
pub(super) const KEEP_CHANGE: &str = "release savepoint change";
pub(super) const DROP_CHANGE: &str = "rollback to savepoint change";

pub(super) const NEXT_SEQ: &str = "\
select coalesce((select max(events.seq) + 1 from events where events.game = games.id), 0)
from games where games.id = $1";
pub(super) const ADD_EVENT: &str = "\
insert into events (game, seq, at, event, seat, request) values ($1, $2, $3, $4, $5, $6)
on conflict do nothing";
pub(super) const CLOSE_GAME: &str =
    "update games set winner = $2, reason = $3 where id = $1 and reason is null";
pub(super) const EVENTS: &str = "\
select seq, at, event, seat, request from events where game = $1 and seq >= $2 order by seq";

pub(super) const REQUESTS: &str =
    "select seat, request from events where game = $1 and seq >= $2 order by seq";

pub(super) const ADD_GAME: &str = "\
insert into games (id, white, black, rules, custom, clock_initial, clock_increment, rated, color, at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict do nothing";
// The columns are read by their names.
pub(super) const GAME: &str = "select * from games where id = $1";
pub(super) const RUNNING: &str = "select * from games where reason is null order by at, id";
pub(super) const FINISHED: &str = "\
select * from games where (white = $1 or black = $1) and reason is not null and at < $2
order by at desc, id desc limit $3";
pub(super) const GAMES: &str = "select * from games order by at, id";

pub(super) const ADD_ACCOUNT: &str = "\
insert into accounts (id, name_key, name, kind, password, at)
select coalesce(max(id), 0) + 1, $1, $2, $3, $4, $5 from accounts where true
on conflict do nothing returning id";
pub(super) const ACCOUNT: &str = "select id, name, kind, password from accounts where id = $1";
pub(super) const ACCOUNT_NAMED: &str =
    "select id, name, kind, password from accounts where name_key = $1";
pub(super) const ACCOUNTS: &str = "select id, name, kind, password from accounts order by id";
pub(super) const COUNT_ACCOUNTS: &str = "select count(*) from accounts";

pub(super) const FORGET_SESSIONS: &str = "delete from sessions where until <= $1";
pub(super) const ADD_SESSION: &str = "\
insert into sessions (token, account, at, until) values ($1, $2, $3, $4) on conflict do nothing";
pub(super) const SESSIONS: &str = "select token, account, at, until from sessions";
pub(super) const SESSION: &str = "select account, at, until from sessions where token = $1";
pub(super) const END_SESSION: &str = "delete from sessions where token = $1";

pub(super) const ADD_OFFER: &str = "\
insert into offers (id, kind, recipient, maker, rules, custom, clock_initial, clock_increment, rated, color, at, game)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
on conflict do nothing";
pub(super) const OFFER: &str = "select * from offers where id = $1";
pub(super) const ALL_OFFERS: &str = "select * from offers order by at, id";
pub(super) const OFFERS: &str = "select * from offers where game is null order by at, id";
/// Keeps an accepted invitation and records its game.
pub(super) const FULFIL_INVITATION: &str = "\
update offers set game = $2 where id = $1 and game is null and kind = 'invitation'";
pub(super) const REMOVE_OPEN_OFFER: &str = "delete from offers where id = $1 and game is null";
pub(super) const OFFER_IS_THERE: &str = "select count(*) from offers where id = $1";

pub(super) const ALIVE: &str = "\
insert into alive (club, at) values ($1, $2)
on conflict (club) do update set at = excluded.at";
pub(super) const FORGET_SIGNS: &str = "delete from alive where at > $1 or at < $2";
pub(super) const SIGNS_OF_LIFE: &str = "select club, at from alive order by club";

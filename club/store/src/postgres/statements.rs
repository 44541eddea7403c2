//! Statements for the server, and the values that are bound to them.

use sqlx::{Postgres, postgres::PgArguments, query::Query};

use crate::{game::Terms, row::Millis, sql::columns::wish_word};

pub(super) const ADD_ACCOUNT: &str = "\
insert into accounts (name_key, name, kind, password, at) values ($1, $2, $3, $4, $5)
on conflict do nothing returning id";
pub(super) const CREATE_GAME: &str = "\
select create_game($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
pub(super) const CHANGE_ACCOUNT: &str = "\
select change_account($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
pub(super) const END_SESSION: &str = "select end_session($1, $2)";
/// Inserts rows that need new space, and rolls the insertion back. Fails if the disk is full.
pub(super) const TRY_ROWS: &str = "\
do $$
begin
    insert into events (game, seq, at, act)
        select '', n, 0, repeat('x', 200) from generate_series(0, 49) as n;
    raise exception sqlstate 'KS000';
exception when sqlstate 'KS000' then
    null;
end
$$";
/// Time of the server, which all processes share.
pub(super) const NOW: &str = "select server_time()";
pub(super) const CLAIM: &str = "select new_fence, previous_served_until from claim_games($1)";
pub(super) const RENEW: &str = "\
update lease set renewed = greatest(renewed, server_time()),
    served_until = case when $4 then least($3, server_time()) else served_until end
where fence = $1 and renewed >= $2
returning renewed";
/// Deletes the expired sessions, except sessions that another club is deleting at this moment.
pub(super) const FORGET_SESSIONS: &str = "\
delete from sessions where token in
    (select token from sessions where until <= $1 for update skip locked)";

pub(super) type Statement<'q> = Query<'q, Postgres, PgArguments>;

/// Binds the columns that the tables of games and offers share, in the order of the statements.
pub(super) fn bind_terms<'q>(query: Statement<'q>, terms: &'q Terms, at: Millis) -> Statement<'q> {
    let [initial, increment, cap] = terms.time.columns();
    query
        .bind(&terms.rules)
        .bind(&terms.custom)
        .bind(initial)
        .bind(increment)
        .bind(cap)
        .bind(terms.rated)
        .bind(wish_word(terms.color))
        .bind(at)
}

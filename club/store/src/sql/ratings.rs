//! Statements on ratings and finished games, in SQL that SQLite and Postgres both accept.

use std::fmt::Write;

use rules::Winner;

use crate::{
    account::AccountId,
    error::{StoreError, damaged},
    game::GameRecord,
    rating::{Against, GameSearch, ResultCount, StoredRating},
    row::Millis,
    sql::columns::{StoredRow, game_id},
};

pub(crate) const UNCOUNTED: &str = "\
select * from games where rated and reason is not null and not counted and counted = false
order by at, id";
pub(crate) const COUNT_GAME: &str =
    "update games set counted = true where id = $1 and reason is not null and not counted";
pub(crate) const END_RATING: &str = "\
update ratings set is_current = false
where account = $1 and family = $2 and against = $3 and is_current";
pub(crate) const ADD_RATING: &str = "\
insert into ratings (account, family, against, n, rating, deviation, volatility, at, game, is_current)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, true)
on conflict do nothing";
pub(crate) const ALL_RATINGS: &str = "select * from ratings";
/// Reads only the last changes of each rating, because the numbers have no gaps.
pub(crate) const CHANGES: &str = "\
select ratings.* from (
    select family, against, max(n) as n from ratings where account = $1 group by family, against) as present
cross join ratings
where ratings.account = $1 and ratings.family = present.family
    and ratings.against = present.against and ratings.n > present.n - $2
order by ratings.family, ratings.against, ratings.n";
/// Games without a result do not count.
pub(crate) const OPPONENTS: &str = "\
select opponent from (
    select black as opponent from games where white = $1 and winner is not null and winner <> '*'
    union all
    select white from games where black = $1 and winner is not null and winner <> '*') as played
group by opponent order by count(*) desc, opponent limit $2";
pub(crate) const BEST: &str = "\
select ratings.* from ratings join accounts on accounts.id = ratings.account
where ratings.family = $1 and ratings.against = $2 and ratings.is_current
    and accounts.kind = $3 and accounts.state = 'active' and ratings.deviation <= $4
order by ratings.rating desc, ratings.account limit $5";
pub(crate) const REMOVE_RATINGS: &str = "delete from ratings where account = $1";

/// A value that is bound to a statement.
pub(crate) enum Value {
    Text(String),
    Number(i64),
}

/// Returns the statement that finds at most `limit` games, newest first, and its values.
pub(crate) fn search(search: &GameSearch, limit: u32) -> (String, Vec<Value>) {
    let mut values = vec![
        Value::Number(search.since),
        Value::Number(search.before),
        Value::Number(i64::from(limit)),
    ];
    let mut place = |value| {
        values.push(value);
        values.len()
    };
    let mut rest = String::from("reason is not null and at >= $1 and at < $2");
    // SQLite uses no index for an expression. Else it would look through all games with this ruleset
    // or result, not those of the player.
    let hidden = |hidden| if hidden { " || ''" } else { "" };
    let no_index = hidden(search.player.is_some());
    // Writing to a string cannot fail.
    if let Some(rules) = &search.rules {
        let rules = place(Value::Text(rules.clone()));
        let no_index = hidden(search.player.is_some() || search.winner.is_some());
        let _ = write!(rest, " and rules{no_index} = ${rules}");
    }
    if let Some(winner) = search.winner {
        let score = place(Value::Text(winner.score().to_owned()));
        let _ = write!(rest, " and winner{no_index} = ${score}");
    }
    let newest = "order by at desc, id desc limit $3";
    let Some(player) = search.player else {
        let all = format!("select * from games where {rest} {newest}");
        return (all, values);
    };
    let player = place(Value::Number(player.0));
    let opponent = search.opponent.map(|id| place(Value::Number(id.0)));
    let side = |own: &str, other: &str, wins: &str, loses: &str| {
        let mut side = format!("{own} = ${player} and {rest}");
        if let Some(opponent) = opponent {
            let _ = write!(side, " and {other} = ${opponent}");
        }
        if let Some(won) = search.won {
            let score = if won { wins } else { loses };
            let _ = write!(side, " and winner{no_index} = '{score}'");
        }
        format!("select * from (select * from games where {side} {newest}) as {own}_games")
    };
    let white = side("white", "black", "1-0", "0-1");
    let black = side("black", "white", "0-1", "1-0");
    let both = format!("select * from ({white} union all {black}) as found {newest}");
    (both, values)
}

/// Returns the statement that counts the finished games of an account: all together if `among` is
/// empty, else those against each of these accounts.
pub(crate) fn results(among: &[AccountId]) -> String {
    let ids: Vec<String> = among.iter().map(|account| account.0.to_string()).collect();
    let side = |is_white: bool, own: &str, other: &str| {
        let (opponent, only, group) = match ids.is_empty() {
            true => ("cast(null as bigint)", String::new(), String::new()),
            false => (
                other,
                format!("and {other} in ({})", ids.join(", ")),
                format!("{other}, "),
            ),
        };
        format!(
            "select {is_white} as is_white, {opponent} as opponent, rules, winner, count(*) as games \
             from games where {own} = $1 and winner is not null {only} group by {group}rules, winner"
        )
    };
    let (white, black) = (side(true, "white", "black"), side(false, "black", "white"));
    format!("{white} union all {black}")
}

/// Returns the search for the games with the time `at`.
pub(crate) fn at_the_same_time(search: &GameSearch, at: Millis) -> GameSearch {
    GameSearch {
        since: at,
        before: at.saturating_add(1),
        ..search.clone()
    }
}

/// If a page is full, returns the time of its last game: more games may have this time.
pub(crate) fn last_of_full(found: &[GameRecord], limit: u32) -> Option<Millis> {
    let is_full = found.len() >= limit as usize;
    found.last().filter(|_| is_full).map(|game| game.at)
}

/// Replaces the games of a page that have the time of its last game by `same`: all games with this
/// time.
pub(crate) fn with_same_time(mut found: Vec<GameRecord>, same: Vec<GameRecord>) -> Vec<GameRecord> {
    let at = same.first().map(|game| game.at);
    found.retain(|game| Some(game.at) != at);
    found.extend(same);
    found
}

fn small(number: i64) -> Result<u32, StoreError> {
    u32::try_from(number).map_err(|_| damaged("a number of the ratings is out of range"))
}

pub(crate) fn rating(row: &impl StoredRow) -> Result<StoredRating, StoreError> {
    let against = row.text("against")?;
    let game = row.text_or_null("game")?;
    Ok(StoredRating {
        account: AccountId(row.number("account")?),
        family: row.text("family")?.to_owned(),
        against: Against::from_name(against)
            .ok_or_else(|| damaged(format_args!("`{against}` is not a kind of opponents")))?,
        n: small(row.number("n")?)?,
        rating: row.number("rating")?,
        deviation: row.number("deviation")?,
        volatility: row.number("volatility")?,
        at: row.number("at")?,
        game: game.map(game_id).transpose()?,
    })
}

pub(crate) fn result(row: &impl StoredRow) -> Result<ResultCount, StoreError> {
    let winner = row.text("winner")?;
    Ok(ResultCount {
        is_white: row.truth("is_white")?,
        opponent: row.number_or_null("opponent")?.map(AccountId),
        rules: row.text("rules")?.to_owned(),
        winner: Winner::from_score(winner)
            .ok_or_else(|| damaged(format_args!("`{winner}` is not a result")))?,
        games: small(row.number("games")?)?,
    })
}

-- Ratings of accounts, and indexes for searches of finished games; see ../0004_ratings.sql.

create table ratings (
    account bigint not null references accounts (id),
    family text collate "C" not null,
    against text collate "C" not null,
    n bigint not null,
    rating bigint not null,
    deviation bigint not null,
    volatility bigint not null,
    at bigint not null,
    game text collate "C" references games (id),
    is_current boolean not null,
    primary key (account, family, against, n)
);
create index ratings_best on ratings (family, against, rating) where is_current;

alter table games add column counted boolean not null default false;
create index games_uncounted on games (at) where rated and reason is not null and not counted;

create index games_finished on games (at) where reason is not null;
create index games_finished_of_rules on games (rules, at) where reason is not null;
create index games_results_of_white on games (white, black, rules, winner) where reason is not null;
create index games_results_of_black on games (black, white, rules, winner) where reason is not null;

-- Adds ratings, and marks a game as counted if it is given. Returns false, and changes nothing, if
-- the game is counted already or not over, or if a rating has this number already.
create function rate(
    counted_game text,
    new_account bigint[],
    new_family text[],
    new_against text[],
    new_n bigint[],
    new_rating bigint[],
    new_deviation bigint[],
    new_volatility bigint[],
    new_at bigint[],
    new_game text[]
) returns boolean
language plpgsql as $$
declare
    found_state text;
begin
    if counted_game is not null then
        update games set counted = true
        where id = counted_game and reason is not null and not counted;
        if not found then
            return false;
        end if;
    end if;
    for r in 1 .. coalesce(array_length(new_account, 1), 0) loop
        -- The account cannot be deleted until the rating is stored.
        select state into found_state from accounts where id = new_account[r] for share;
        continue when found_state = 'deleted';
        update ratings set is_current = false
        where account = new_account[r] and family = new_family[r] and against = new_against[r]
            and is_current;
        insert into ratings (account, family, against, n, rating, deviation, volatility, at, game,
            is_current)
        values (new_account[r], new_family[r], new_against[r], new_n[r], new_rating[r],
            new_deviation[r], new_volatility[r], new_at[r], new_game[r], true);
    end loop;
    return true;
exception
    when unique_violation then
        return false;
end
$$;

create function forget_ratings() returns trigger
language plpgsql as $$
begin
    delete from ratings where account = new.id;
    return new;
end
$$;

create trigger forget_ratings after update of state on accounts
for each row when (new.state = 'deleted' and old.state <> 'deleted')
execute function forget_ratings();

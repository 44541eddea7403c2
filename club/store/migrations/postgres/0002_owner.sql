-- One process owns all games and appends to their logs; see ../0002_owner.sql.

create table lease (
    -- The key lets an append lock the number (`for key share`) without waiting for a renewal.
    fence bigint not null primary key,
    -- By the server's clock.
    renewed bigint,
    -- By the owner's clock. A renewal can reach the server after the owner's death.
    served_until bigint,
    owned boolean not null
);
insert into lease (fence, renewed, served_until, owned) select 0, max(at), max(at), false from alive;

drop table alive;
drop table presence;
alter table games drop column bot_club;
alter table events rename column event to act;

-- An earlier program refuses these tables. Without these functions, one that still runs cannot
-- append.
insert into schema_version values (10);
drop function if exists append_rows(text[], bigint[], integer[], integer[], text[], text[], text[],
    text[], bigint[], text[], text[], text[]);
drop function if exists append_rows(text[], bigint[], integer[], integer[], text[], text[], text[],
    text[], bigint[], text[], text[], text[], bigint[]);
drop function if exists create_game(text, bigint, bigint, text, text, bigint, bigint, boolean, text,
    bigint, text, bigint[], text[], text[], text[]);
drop function if exists change_account(bigint, bigint, boolean, text, text, text, text, bigint,
    text[], text, boolean, bigint);
drop function if exists add_message(text, text, bigint, bigint, bigint, text, bigint, bigint, bigint,
    bigint);

create function server_time() returns bigint
language sql volatile as $$
    select (extract(epoch from clock_timestamp()) * 1000)::bigint
$$;

-- Claims the games, unless another owner renewed within `lease_time`. Returns the number of the
-- ownership and the time until which the games were served; no row if the games are owned.
create function claim_games(lease_time bigint)
returns table (new_fence bigint, previous_served_until bigint)
language plpgsql as $$
declare
    old record;
    now_at bigint;
begin
    select * into strict old from lease for update;
    now_at := server_time();
    if old.owned and now_at - old.renewed < lease_time and old.renewed <= now_at then
        return;
    end if;
    new_fence := greatest(old.fence + 1, now_at);
    previous_served_until := old.served_until;
    update lease set fence = new_fence, renewed = now_at,
        served_until = coalesce(old.served_until, now_at), owned = true;
    return next;
end
$$;

-- Appends rows to logs: change number c adds the next change_rows[c] rows to the log of game
-- change_game[c]. The log must have change_expected[c] rows, the last one with the time
-- change_last_at[c] (if it is not null), and change_fence[c] must be the number of the ownership.
-- Returns for each change `appended`, or the reason why nothing was changed for it.
create function append_rows(
    change_game text[],
    change_fence bigint[],
    change_expected bigint[],
    change_last_at bigint[],
    change_rows integer[],
    change_winner text[],
    change_reason text[],
    row_at bigint[],
    row_act text[],
    row_seat text[],
    row_request text[]
) returns table (answer text)
language plpgsql as $$
declare
    ended text;
    length bigint;
    first_row integer;
    rows_end integer := 0;
begin
    for c in 1 .. coalesce(array_length(change_game, 1), 0) loop
        first_row := rows_end + 1;
        rows_end := rows_end + change_rows[c];
        -- Nobody can claim the games until the rows are committed.
        perform from lease where fence = change_fence[c] for key share;
        if not found then
            answer := 'fenced';
            return next;
            continue;
        end if;
        select games.reason, coalesce(
            (select max(events.seq) + 1 from events where events.game = games.id), 0)
        into ended, length
        from games where games.id = change_game[c];
        if not found then
            answer := 'absent';
        elsif length <> change_expected[c] or change_last_at[c] is not null and not exists (
            select from events where events.game = change_game[c] and events.seq = length - 1
                and events.at = change_last_at[c])
        then
            answer := 'conflict';
        elsif change_reason[c] is not null and ended is not null then
            answer := 'taken';
        else
            -- A violation of a unique index means that a request has a row already.
            insert into events (game, seq, at, act, seat, request)
            select change_game[c], length + r - first_row, row_at[r], row_act[r], row_seat[r],
                row_request[r]
            from generate_series(first_row, rows_end) as r;
            if change_reason[c] is not null then
                update games set winner = change_winner[c], reason = change_reason[c]
                where id = change_game[c];
            end if;
            answer := 'appended';
        end if;
        return next;
    end loop;
end
$$;

-- Creates a game with the first rows of its log, and closes its offer. Returns `created`, or the
-- reason why nothing was changed.
create function create_game(
    with_fence bigint,
    new_id text,
    new_white bigint,
    new_black bigint,
    new_rules text,
    new_custom text,
    new_initial bigint,
    new_increment bigint,
    new_rated boolean,
    new_color text,
    new_at bigint,
    from_offer text,
    row_at bigint[],
    row_act text[],
    row_seat text[],
    row_request text[]
) returns text
language plpgsql as $$
begin
    perform from lease where fence = with_fence for key share;
    if not found then
        return 'fenced';
    end if;
    -- No account can be closed until the game is stored.
    perform from accounts where id in (new_white, new_black) order by id for share;
    if (select count(*) from accounts
        where id in (new_white, new_black) and state = 'active')
        < (case when new_white = new_black then 1 else 2 end)
    then
        return 'absent';
    end if;
    insert into games (id, white, black, rules, custom, clock_initial, clock_increment, rated,
        color, at)
    values (new_id, new_white, new_black, new_rules, new_custom, new_initial, new_increment,
        new_rated, new_color, new_at);
    if from_offer is not null then
        update offers set game = new_id
        where id = from_offer and game is null and kind = 'invitation';
        if not found then
            delete from offers
            where id = from_offer and game is null and kind <> 'invitation';
            if not found then
                raise unique_violation;
            end if;
        end if;
    end if;
    insert into events (game, seq, at, act, seat, request)
    select new_id, r - 1, row_at[r], row_act[r], row_seat[r], row_request[r]
    from generate_series(1, coalesce(array_length(row_act, 1), 0)) as r;
    return 'created';
exception
    when unique_violation then
        return 'taken';
end
$$;

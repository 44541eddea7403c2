-- A time control of days has a cap; see ../0006_days.sql.

alter table games add column clock_cap bigint;
alter table offers add column clock_cap bigint;

drop function create_game(bigint, text, bigint, bigint, text, text, bigint, bigint, boolean, text,
    bigint, text, bigint[], text[], text[], text[]);
create function create_game(
    with_fence bigint,
    new_id text,
    new_white bigint,
    new_black bigint,
    new_rules text,
    new_custom text,
    new_initial bigint,
    new_increment bigint,
    new_cap bigint,
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
    insert into games (id, white, black, rules, custom, clock_initial, clock_increment, clock_cap,
        rated, color, at)
    values (new_id, new_white, new_black, new_rules, new_custom, new_initial, new_increment,
        new_cap, new_rated, new_color, new_at);
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

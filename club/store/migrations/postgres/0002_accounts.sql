-- Changes of accounts; see ../0002_accounts.sql. Each change is a function, so it is one statement.

alter table accounts add column generation bigint not null default 0;
alter table accounts add column state text not null default 'active';

create index accounts_leaving on accounts (id) where state in ('waiting', 'resigning');

alter table sessions add column generation bigint not null default 0;

create index sessions_of_account on sessions (account);

create table recovery_codes (
    account bigint not null references accounts (id),
    number bigint not null,
    hash text not null,
    primary key (account, number)
);

create table account_changes (
    number bigint not null primary key,
    account bigint not null references accounts (id)
);

-- Records that an account was changed, or that one of its sessions was ended. The lock lasts until
-- the transaction ends. So other transactions see the numbers in their order.
create function note_account(changed bigint, kept bigint) returns void
language plpgsql as $$
begin
    lock table account_changes in exclusive mode;
    insert into account_changes (number, account)
    select coalesce(max(number), 0) + 1, changed from account_changes;
    delete from account_changes
    where number <= (select max(number) from account_changes) - kept;
end
$$;

-- Ends a session and records the change.
create function end_session(ended text, kept bigint) returns void
language plpgsql as $$
declare
    of_account bigint;
begin
    delete from sessions where token = ended returning account into of_account;
    if found then
        perform note_account(of_account, kept);
    end if;
end
$$;

-- Changes an account. Null parameters change nothing. Returns `done`, `absent` or `taken`; if it is
-- not `done`, nothing was changed.
create function change_account(
    changed bigint,
    expected_generation bigint,
    from_guest boolean,
    new_key text,
    new_name text,
    new_kind text,
    new_password text,
    used_code bigint,
    new_codes text[],
    new_state text,
    ends_sessions boolean,
    kept bigint
) returns text
language plpgsql as $$
declare
    old record;
begin
    select kind, generation, state into old from accounts where id = changed for update;
    if not found or old.state = 'deleted'
        or (expected_generation is not null and expected_generation <> old.generation)
    then
        return 'absent';
    end if;
    if from_guest and old.kind <> 'guest' then
        return 'taken';
    end if;
    if new_state = 'deleted' and exists (
        select from games where (white = changed or black = changed) and reason is null)
    then
        return 'taken';
    end if;
    if used_code is not null then
        delete from recovery_codes where account = changed and number = used_code;
        if not found then
            return 'absent';
        end if;
    end if;
    if new_codes is not null then
        delete from recovery_codes where account = changed;
        insert into recovery_codes (account, number, hash)
        select changed, n - 1, new_codes[n]
        from generate_series(1, coalesce(array_length(new_codes, 1), 0)) as n;
    end if;
    update accounts set
        name_key = coalesce(new_key, name_key),
        name = coalesce(new_name, name),
        kind = coalesce(new_kind, kind),
        password = case when new_state = 'deleted' then null
            else coalesce(new_password, password) end,
        state = coalesce(new_state, state),
        generation = generation + case when ends_sessions then 1 else 0 end
    where id = changed;
    if new_state <> 'active' then
        delete from offers
        where (maker = changed or recipient = changed) and game is null;
    end if;
    if ends_sessions then
        delete from sessions where account = changed;
    end if;
    perform note_account(changed, kept);
    return 'done';
exception
    when unique_violation then
        return 'taken';
end
$$;

-- As in 0001_club.sql, but both players must have active accounts.
create or replace function create_game(
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
    row_event text[],
    row_seat text[],
    row_request text[]
) returns boolean
language plpgsql as $$
begin
    -- No account can be closed until the game is stored.
    perform from accounts where id in (new_white, new_black) order by id for share;
    if (select count(*) from accounts
        where id in (new_white, new_black) and state = 'active')
        < (case when new_white = new_black then 1 else 2 end)
    then
        raise foreign_key_violation;
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
    insert into events (game, seq, at, event, seat, request)
    select new_id, r - 1, row_at[r], row_event[r], row_seat[r], row_request[r]
    from generate_series(1, coalesce(array_length(row_event, 1), 0)) as r;
    return true;
exception
    when unique_violation then
        return false;
end
$$;

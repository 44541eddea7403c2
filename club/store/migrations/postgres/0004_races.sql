-- Changes of accounts and of messages that are made at the same time as other changes.

-- As in 0002_accounts.sql, with two additions: a recovery names the hash of the code that it uses,
-- and a renewal may name the hashes that it replaces. So if another request was faster, the request
-- changes nothing.
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
    kept bigint,
    used_hash text,
    old_codes text[]
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
        delete from recovery_codes
        where account = changed and number = used_code
            and (used_hash is null or hash = used_hash);
        if not found then
            return 'absent';
        end if;
    end if;
    if old_codes is not null and old_codes <> array(
        select hash from recovery_codes where account = changed order by number)
    then
        return 'taken';
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

-- Clubs of the previous version call the function without the last two parameters.
create or replace function change_account(
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
language sql as $$
    select change_account(changed, expected_generation, from_guest, new_key, new_name, new_kind,
        new_password, used_code, new_codes, new_state, ends_sessions, kept, null, null)
$$;

-- As in 0003_messages.sql, with two differences. Messages of guests are counted separately. If the
-- last message of a group is old, it stays without its text, so that no number is used twice.
create function add_message(
    to_game text,
    to_people text,
    to_recipient bigint,
    by_sender bigint,
    written_at bigint,
    new_text text,
    kept bigint,
    forget_before bigint,
    max_waiting bigint,
    max_of_sender bigint,
    max_of_guests bigint,
    max_of_guest bigint
) returns bigint
language plpgsql as $$
declare
    new_number bigint;
    next_n bigint;
    by_guest boolean;
begin
    insert into message_counter (id, last) values (1, 1)
    on conflict (id) do update set last = message_counter.last + 1
    returning last into new_number;
    select kind = 'guest' into by_guest from accounts where id = by_sender;
    if to_recipient is not null and (
        (select count(*) from messages join accounts on accounts.id = messages.sender
            where messages.recipient = to_recipient and (accounts.kind = 'guest') = by_guest)
            >= (case when by_guest then max_of_guests else max_waiting end)
        or (select count(*) from messages
            where recipient = to_recipient and sender = by_sender)
            >= (case when by_guest then max_of_guest else max_of_sender end))
    then
        return 0;
    end if;
    if to_recipient is not null then
        select coalesce(max(n), 0) + 1 into next_n from messages where recipient = to_recipient;
    else
        select coalesce(max(n), 0) + 1 into next_n from messages
        where game = to_game and people = to_people;
    end if;
    insert into messages (number, game, people, recipient, n, sender, at, text)
    values (new_number, to_game, to_people, to_recipient, next_n, by_sender, written_at, new_text);
    if to_game is not null then
        delete from messages
        where game = to_game and people = to_people and n <= next_n - kept;
        delete from messages where game is not null and at < forget_before and n < (
            select max(later.n) from messages as later
            where later.game = messages.game and later.people = messages.people);
        update messages set text = ''
        where game is not null and at < forget_before and text <> '';
    end if;
    return next_n;
end
$$;

-- Clubs of the previous version call the function without the last two parameters.
create or replace function add_message(
    to_game text,
    to_people text,
    to_recipient bigint,
    by_sender bigint,
    written_at bigint,
    new_text text,
    kept bigint,
    forget_before bigint,
    max_waiting bigint,
    max_of_sender bigint
) returns bigint
language sql as $$
    select add_message(to_game, to_people, to_recipient, by_sender, written_at, new_text, kept,
        forget_before, max_waiting, max_of_sender, max_waiting, max_of_sender)
$$;

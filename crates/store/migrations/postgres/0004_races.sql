-- Changes of accounts and of messages that meet other changes.

-- As in 0002_accounts.sql; but a recovery names the hash of the code that it uses, and a renewal may
-- name the hashes that it replaces, so that a request that was overtaken changes nothing.
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

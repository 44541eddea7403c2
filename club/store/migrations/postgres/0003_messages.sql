-- Messages, mutes and settings; see ../0003_messages.sql. Each change is a function, so it is one
-- statement.

create table message_counter (
    id bigint not null primary key,
    last bigint not null
);

create table messages (
    number bigint not null primary key,
    game text collate "C" references games (id),
    people text collate "C",
    recipient bigint references accounts (id),
    n bigint not null,
    sender bigint not null references accounts (id),
    at bigint not null,
    text text not null
);

create unique index messages_of_game on messages (game, people, n) where game is not null;
create index messages_to on messages (recipient, n) where recipient is not null;
create index messages_by on messages (sender);
create index messages_of_games_by_time on messages (at) where game is not null;

create table mutes (
    account bigint not null references accounts (id),
    muted bigint not null references accounts (id),
    primary key (account, muted)
);

create table door_settings (
    account bigint not null references accounts (id),
    door text collate "C" not null,
    text text not null,
    primary key (account, door)
);

-- Adds a message, and deletes old messages to groups. Returns its number among the messages to the
-- same readers, or 0 if too many messages wait for the recipient. The row of the counter is locked
-- until the transaction ends. So other transactions see the numbers in their order.
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
    max_of_sender bigint
) returns bigint
language plpgsql as $$
declare
    new_number bigint;
    next_n bigint;
begin
    insert into message_counter (id, last) values (1, 1)
    on conflict (id) do update set last = message_counter.last + 1
    returning last into new_number;
    if to_recipient is not null and (
        (select count(*) from messages where recipient = to_recipient) >= max_waiting
        or (select count(*) from messages
            where recipient = to_recipient and sender = by_sender) >= max_of_sender)
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
        delete from messages where game is not null and at < forget_before;
    end if;
    return next_n;
end
$$;

-- Mutes an account, or ends the mute, and records the change. Returns false, and changes nothing,
-- if the account mutes too many.
create function set_mute(
    of_account bigint,
    muted_account bigint,
    turned_on boolean,
    max_mutes bigint,
    kept bigint
) returns boolean
language plpgsql as $$
begin
    perform from accounts where id = of_account for update;
    if not turned_on then
        delete from mutes where account = of_account and muted = muted_account;
    elsif (select count(*) from mutes
        where account = of_account and muted <> muted_account) >= max_mutes
    then
        return false;
    else
        insert into mutes (account, muted) values (of_account, muted_account)
        on conflict do nothing;
    end if;
    perform note_account(of_account, kept);
    return true;
end
$$;

-- What is deleted together with an account. The rows of messages to groups stay without a text, so
-- that no number is used twice.
create function forget_messages() returns trigger
language plpgsql as $$
begin
    delete from messages
    where recipient = new.id or (recipient is not null and sender = new.id);
    update messages set text = '' where sender = new.id;
    delete from mutes where account = new.id or muted = new.id;
    delete from door_settings where account = new.id;
    return new;
end
$$;

create trigger forget_messages after update of state on accounts
for each row when (new.state = 'deleted' and old.state <> 'deleted')
execute function forget_messages();

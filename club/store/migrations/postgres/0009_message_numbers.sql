-- If an account is deleted, the numbers of its messages to other accounts are not used again.

-- As in 0003_messages.sql, with one difference. If the last message to another account is from the
-- deleted account, this message stays without its text and its sender. The order of the statements
-- matters: a message that is added between the first two statements is not deleted.
create or replace function forget_messages() returns trigger
language plpgsql as $$
begin
    delete from messages where recipient = new.id or (
        recipient is not null and sender = new.id and n < (
            select max(later.n) from messages as later
            where later.recipient = messages.recipient));
    update messages set text = '', sender = recipient
    where recipient is not null and sender = new.id;
    update messages set text = '' where sender = new.id;
    delete from mutes where account = new.id or muted = new.id;
    delete from door_settings where account = new.id;
    return new;
end
$$;

-- As in 0004_races.sql, with one difference: a message without a text does not count as waiting.
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
            where messages.recipient = to_recipient and messages.text <> ''
            and (accounts.kind = 'guest') = by_guest)
            >= (case when by_guest then max_of_guests else max_waiting end)
        or (select count(*) from messages
            where recipient = to_recipient and sender = by_sender and text <> '')
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

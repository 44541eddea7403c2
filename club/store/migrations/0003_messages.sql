-- Messages between people, mutes, and settings of doors.

-- Number of the last message of this store. The table is empty until there is a message; then it
-- has one row.
create table message_counter (
    id bigint not null primary key,
    last bigint not null
);

create table messages (
    -- In the order of writing, over all messages of the store.
    number bigint not null primary key,
    -- Game and group whose members read the message; null for a message to one account.
    game text references games (id),
    -- players, spectators
    people text,
    -- Account that reads the message; null for a message to a group.
    recipient bigint references accounts (id),
    -- Number among the messages to the same group or account, from 1.
    n bigint not null,
    sender bigint not null references accounts (id),
    at bigint not null,
    -- Empty if the account of the sender was deleted.
    text text not null
);

create unique index messages_of_game on messages (game, people, n) where game is not null;
create index messages_to on messages (recipient, n) where recipient is not null;
create index messages_by on messages (sender);
create index messages_of_games_by_time on messages (at) where game is not null;

-- `account` reads no messages of `muted`.
create table mutes (
    account bigint not null references accounts (id),
    muted bigint not null references accounts (id),
    primary key (account, muted)
);

-- The settings of an account at a door, as text of that door.
create table door_settings (
    account bigint not null references accounts (id),
    door text not null,
    text text not null,
    primary key (account, door)
);

-- The club's tables, in SQL that SQLite and Postgres both accept. The types are text, bigint and
-- boolean. Times are milliseconds since the beginning of 1970 (UTC).

-- Each text is what SQLite has in a file that earlier versions of the program have changed in steps:
-- the definitions of every file are compared with these.

-- Earlier programs read the version of the tables here.
create table schema_version (version bigint not null primary key);
insert into schema_version values (1), (2), (3), (4), (5);

create table accounts (
    id bigint not null primary key,
    -- The name in lower case. `name` has the upper and lower case that its owner chose.
    name_key text not null unique,
    name text not null,
    -- person, guest, program
    kind text not null,
    -- Hash of the password as a PHC string; never the password itself.
    password text,
    at bigint not null
, generation bigint not null default 0, state text not null default 'active');

create table sessions (
    -- SHA-256 of the token in hexadecimal; never the token itself.
    token text not null primary key,
    account bigint not null references accounts (id),
    at bigint not null,
    until bigint not null
, generation bigint not null default 0);

create index sessions_by_end on sessions (until);

-- The index of games. All events of a game are in its log (table events).
create table games (
    id text not null primary key,
    white bigint not null references accounts (id),
    black bigint not null references accounts (id),
    rules text not null,
    -- Text of a custom ruleset.
    custom text,
    -- Both columns are null if the game has no clock.
    clock_initial bigint,
    clock_increment bigint,
    rated boolean not null,
    -- Colour that the maker of the offer asked for: any, white, black
    color text not null,
    at bigint not null,
    -- 1-0, 0-1, 1/2-1/2 or *; both columns are null while the game is not over.
    winner text,
    reason text
, bot_club text);

create index games_of_white on games (white, at);
create index games_of_black on games (black, at);
create index games_running on games (at) where reason is null;

-- The logs of all games. Rows are never changed or deleted.
create table events (
    game text not null references games (id),
    -- From 0, without gaps.
    seq bigint not null,
    at bigint not null,
    -- An event of the game, or `table ...` for an event of the table.
    event text not null,
    -- Seat (white, black) and id of the request that the row answers; both null if the row answers
    -- none.
    seat text,
    request text,
    primary key (game, seq),
    unique (game, seat, request)
);

create table offers (
    id text not null primary key,
    -- seek, challenge, invitation
    kind text not null,
    -- Account that is challenged; null for other kinds.
    recipient bigint references accounts (id),
    maker bigint not null references accounts (id),
    rules text not null,
    custom text,
    clock_initial bigint,
    clock_increment bigint,
    rated boolean not null,
    color text not null,
    at bigint not null,
    -- Game that an accepted invitation led to.
    game text references games (id)
);

-- Time at which each club over this store was last alive.
create table alive (
    club text not null primary key,
    at bigint not null
);

create index accounts_leaving on accounts (id) where state in ('waiting', 'resigning');
create index sessions_of_account on sessions (account);

create table recovery_codes (
    account bigint not null references accounts (id),
    -- From 0; the first letter of the code tells it.
    number bigint not null,
    -- Hash of the code as a PHC string; never the code itself.
    hash text not null,
    primary key (account, number)
);

-- The last changes of accounts and sessions, so that every club over this store notices them.
create table account_changes (
    number bigint not null primary key,
    account bigint not null references accounts (id)
);

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

-- The seats whose players are connected to a club, if several clubs use the store. `club` is the number
-- of a heartbeat in `alive`. The version changes with the seats.
create table presence (
    club text not null primary key,
    version bigint not null,
    seats text not null
);

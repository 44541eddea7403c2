-- The club's tables, in SQL that SQLite and Postgres both accept. The types are text, bigint and
-- boolean. Times are milliseconds since the beginning of 1970 (UTC).

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
);

create table sessions (
    -- SHA-256 of the token in hexadecimal; never the token itself.
    token text not null primary key,
    account bigint not null references accounts (id),
    at bigint not null,
    until bigint not null
);

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
);

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

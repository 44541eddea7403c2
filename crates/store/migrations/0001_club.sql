-- The club's tables, in SQL that SQLite and Postgres both take: the types are
-- text, bigint and boolean; times are milliseconds since the beginning of 1970.

create table accounts (
    id bigint not null primary key,
    -- The name without the case of its letters; `name` is as its owner writes it.
    name_key text not null unique,
    name text not null,
    -- person, guest, program
    kind text not null,
    -- A PHC string; never the password.
    password text,
    at bigint not null
);

create table sessions (
    -- The SHA-256 of the token in hexadecimal; never the token.
    token text not null primary key,
    account bigint not null references accounts (id),
    at bigint not null,
    until bigint not null
);

create index sessions_by_end on sessions (until);

-- The index of games. What a game is stands in its log.
create table games (
    id text not null primary key,
    white bigint not null references accounts (id),
    black bigint not null references accounts (id),
    rules text not null,
    -- The text of a custom ruleset.
    custom text,
    -- Both null: no clock.
    clock_initial bigint,
    clock_increment bigint,
    rated boolean not null,
    -- What the offer's maker asked for: any, white, black
    color text not null,
    at bigint not null,
    -- 1-0, 0-1, 1/2-1/2, *; both null while it runs.
    winner text,
    reason text
);

create index games_of_white on games (white, at);
create index games_of_black on games (black, at);
create index games_running on games (at) where reason is null;

-- The logs: nothing is ever changed or taken out.
create table events (
    game text not null references games (id),
    -- From 0, without gaps.
    seq bigint not null,
    at bigint not null,
    -- A game's event, or `table ...`.
    event text not null,
    -- Whose request it answers (white, black), and which; both null if nobody's.
    seat text,
    request text,
    primary key (game, seq),
    unique (game, seat, request)
);

create table offers (
    id text not null primary key,
    -- seek, challenge, invitation
    kind text not null,
    -- To whom a challenge goes.
    recipient bigint references accounts (id),
    maker bigint not null references accounts (id),
    rules text not null,
    custom text,
    clock_initial bigint,
    clock_increment bigint,
    rated boolean not null,
    color text not null,
    at bigint not null,
    -- The game that an invitation led to.
    game text references games (id)
);

-- When each club over this store was last alive.
create table alive (
    club text not null primary key,
    at bigint not null
);

-- Evenings: an hour, who plays in it, and its games.

create table evenings (
    id text not null primary key,
    -- arena, round-robin
    kind text not null,
    name text not null,
    maker bigint not null references accounts (id),
    rules text not null,
    custom text,
    clock_initial bigint,
    clock_increment bigint,
    clock_cap bigint,
    rated boolean not null,
    color text not null,
    -- Time of creation.
    at bigint not null,
    begins bigint not null,
    minutes bigint not null,
    is_over boolean not null default false
);
create index evenings_in_order on evenings (is_over, begins);

create table evening_players (
    evening text not null references evenings (id) on delete cascade,
    account bigint not null references accounts (id),
    joined bigint not null,
    -- Since when the player waits for a game; a later game ends the wait. Null after leaving.
    waits bigint,
    primary key (evening, account)
);
create index evening_players_of_accounts on evening_players (account);

-- A game is written here before it is created.
create table evening_games (
    game text not null primary key,
    evening text not null references evenings (id) on delete cascade,
    white bigint not null references accounts (id),
    black bigint not null references accounts (id),
    -- From 1; 0 in an arena hour.
    round bigint not null,
    at bigint not null
);
create index evening_games_in_order on evening_games (evening, at);

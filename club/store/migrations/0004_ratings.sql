-- Ratings of accounts, and indexes for searches of finished games.

create table ratings (
    account bigint not null references accounts (id),
    -- Family of rulesets.
    family text not null,
    -- Kind of the opponents: people, programs
    against text not null,
    -- From 1, without gaps.
    n bigint not null,
    -- In thousandths of a point; the volatility in millionths.
    rating bigint not null,
    deviation bigint not null,
    volatility bigint not null,
    at bigint not null,
    -- Null for a correction, and for a fixed rating.
    game text references games (id),
    -- Whether this is the last change.
    is_current boolean not null,
    primary key (account, family, against, n)
);
create index ratings_best on ratings (family, against, rating) where is_current;

-- Whether the ratings contain this game.
alter table games add column counted boolean not null default false;
create index games_uncounted on games (at) where rated and reason is not null and not counted;

create index games_finished on games (at) where reason is not null;
create index games_finished_of_rules on games (rules, at) where reason is not null;
create index games_results_of_white on games (white, black, rules, winner) where reason is not null;
create index games_results_of_black on games (black, white, rules, winner) where reason is not null;

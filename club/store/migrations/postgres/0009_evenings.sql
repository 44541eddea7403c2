-- Evenings; see ../0009_evenings.sql.

create table evenings (
    id text collate "C" not null primary key,
    kind text collate "C" not null,
    name text not null,
    maker bigint not null references accounts (id),
    rules text collate "C" not null,
    custom text,
    clock_initial bigint,
    clock_increment bigint,
    clock_cap bigint,
    rated boolean not null,
    color text collate "C" not null,
    at bigint not null,
    begins bigint not null,
    minutes bigint not null,
    is_over boolean not null default false
);
create index evenings_in_order on evenings (is_over, begins);

create table evening_players (
    evening text collate "C" not null references evenings (id) on delete cascade,
    account bigint not null references accounts (id),
    joined bigint not null,
    waits bigint,
    primary key (evening, account)
);
create index evening_players_of_accounts on evening_players (account);

create table evening_games (
    game text collate "C" not null primary key,
    evening text collate "C" not null references evenings (id) on delete cascade,
    white bigint not null references accounts (id),
    black bigint not null references accounts (id),
    round bigint not null,
    at bigint not null
);
create index evening_games_in_order on evening_games (evening, at);

create function leave_evenings() returns trigger
language plpgsql as $$
begin
    update evening_players set waits = null where account = new.id;
    return new;
end
$$;

create trigger leave_evenings after update of state on accounts
for each row when (new.state = 'deleted' and old.state <> 'deleted')
execute function leave_evenings();

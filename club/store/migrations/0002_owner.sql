-- One process owns all games and appends to their logs.

-- The table has one row.
create table lease (
    -- Number of the ownership. Every append names it.
    fence bigint not null primary key,
    -- Time of the last renewal; null before the first claim.
    renewed bigint,
    -- Time at which an owner last served the games. An owner that has not credited the time before
    -- its claim does not serve.
    served_until bigint,
    -- False after the owner has released the games.
    owned boolean not null
);
insert into lease (fence, renewed, served_until, owned) select 0, max(at), max(at), false from alive;

drop table alive;
drop table presence;
alter table games drop column bot_club;
-- An earlier program refuses these tables.
insert into schema_version values (6);
-- An earlier program that still runs does not know the new name, so it cannot append.
alter table events rename column event to act;

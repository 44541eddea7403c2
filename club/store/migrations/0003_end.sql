-- The operator can order that a game ends without a result. The club that owns the games obeys.

alter table games add column end_ordered boolean not null default false;
create index games_to_end on games (id) where end_ordered and reason is null;

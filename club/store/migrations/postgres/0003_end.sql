-- The operator can order that a game ends without a result; see ../0003_end.sql.

alter table games add column end_ordered boolean not null default false;
create index games_to_end on games (id) where end_ordered and reason is null;

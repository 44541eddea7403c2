-- A time control of days has a cap: the largest time, in milliseconds, that a side can have after a
-- move. Null for other time controls.

alter table games add column clock_cap bigint;
alter table offers add column clock_cap bigint;

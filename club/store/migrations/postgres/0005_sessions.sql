-- What a session is called by its holder, and what it may do; see ../0005_sessions.sql.

alter table sessions add column label text collate "C" not null default '';
alter table sessions add column scope text collate "C" not null default 'all';

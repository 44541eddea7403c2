-- What a session is called by its holder, and what it may do.

alter table sessions add column label text not null default '';
-- all, play
alter table sessions add column scope text not null default 'all';

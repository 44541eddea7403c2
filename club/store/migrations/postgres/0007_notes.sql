-- What people report about an account, and what the operator did and wrote about it; see
-- ../0007_notes.sql.

create table notes (
    about bigint not null references accounts (id),
    n bigint not null,
    writer bigint references accounts (id),
    game text collate "C" references games (id),
    at bigint not null,
    text text not null,
    primary key (about, n)
);
create index notes_of_writers on notes (writer, at) where writer is not null;

create function forget_notes() returns trigger
language plpgsql as $$
begin
    delete from notes where about = new.id or writer = new.id;
    return new;
end
$$;

create trigger forget_notes after update of state on accounts
for each row when (new.state = 'deleted' and old.state <> 'deleted')
execute function forget_notes();

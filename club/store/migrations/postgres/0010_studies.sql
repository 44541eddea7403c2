-- Studies; see ../0010_studies.sql.

create table studies (
    id text collate "C" not null primary key,
    owner bigint not null references accounts (id),
    title text not null,
    access text collate "C" not null,
    at bigint not null,
    body text not null
);
create index studies_of_accounts on studies (owner, at);
create index public_studies on studies (at) where access = 'public';

create function delete_studies() returns trigger
language plpgsql as $$
begin
    delete from studies where owner = new.id;
    return new;
end
$$;

create trigger delete_studies after update of state on accounts
for each row when (new.state = 'deleted' and old.state <> 'deleted')
execute function delete_studies();

-- What people report about an account, and what the operator did and wrote about it.

create table notes (
    about bigint not null references accounts (id),
    -- From 1, without gaps.
    n bigint not null,
    -- Null for the operator.
    writer bigint references accounts (id),
    -- Game that a report is about, if any.
    game text references games (id),
    at bigint not null,
    text text not null,
    primary key (about, n)
);
create index notes_of_writers on notes (writer, at) where writer is not null;

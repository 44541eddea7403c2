-- Studies: documents of accounts that hold games with comments.

create table studies (
    id text not null primary key,
    owner bigint not null references accounts (id),
    title text not null,
    -- private, link, public
    access text not null,
    -- Time of the last change.
    at bigint not null,
    -- The chapters, as JSON.
    body text not null
);
create index studies_of_accounts on studies (owner, at);
create index public_studies on studies (at) where access = 'public';

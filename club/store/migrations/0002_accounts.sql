-- Changes of accounts: password, recovery, disabling and deletion.

-- Number of times that all sessions of the account were ended.
alter table accounts add column generation bigint not null default 0;
-- active, disabled, waiting (deleted when the last game is over), resigning (deleted after
-- resigning all games), deleted
alter table accounts add column state text not null default 'active';

create index accounts_leaving on accounts (id) where state in ('waiting', 'resigning');

-- The account's generation when the session began. The session is valid only in this generation.
alter table sessions add column generation bigint not null default 0;

create index sessions_of_account on sessions (account);

create table recovery_codes (
    account bigint not null references accounts (id),
    -- From 0; the first letter of the code tells it.
    number bigint not null,
    -- Hash of the code as a PHC string; never the code itself.
    hash text not null,
    primary key (account, number)
);

-- The last changes of accounts and sessions, so that every club over this store notices them.
create table account_changes (
    number bigint not null primary key,
    account bigint not null references accounts (id)
);

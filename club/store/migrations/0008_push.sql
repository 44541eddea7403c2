-- Browsers that get notices (Web Push), and secrets of the club, such as the key that signs notices.

create table push_subscriptions (
    -- A subscription ends with its session.
    session text not null primary key references sessions (token) on delete cascade,
    endpoint text not null,
    p256dh text not null,
    auth text not null,
    language text not null,
    at bigint not null
);
create index push_subscriptions_by_endpoint on push_subscriptions (endpoint);

create table secrets (
    name text not null primary key,
    value text not null
);

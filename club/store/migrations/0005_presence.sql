-- The seats whose players are connected to a club, if several clubs use the store. `club` is the number
-- of a heartbeat in `alive`. The version changes with the seats.
create table presence (
    club text not null primary key,
    version bigint not null,
    seats text not null
);

-- The seats whose players are connected to a club; see ../0005_presence.sql.
create table presence (
    club text collate "C" not null primary key,
    version bigint not null,
    seats text not null
);

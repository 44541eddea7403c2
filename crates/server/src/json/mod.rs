//! What the club says, as the JSON of [`wire`]; field by field, so that a new
//! field is absent here until someone writes it.

mod game;
mod lobby;
mod people;
mod seat;
mod terms;

pub use crate::json::{
    game::{game, game_row, table_act},
    lobby::{invitation, lobby, seek},
    people::player,
    seat::{hearing, seat_view},
    terms::terms_from,
};

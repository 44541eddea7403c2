//! Conversion of evenings.

use club::{EveningPlace, EveningRow, EveningView, Pairing};
use wire::{EveningJson, EveningKindJson, EveningPlaceJson, EveningRowJson};

use crate::{game::game_row, people::player, terms::terms};

/// Converts the kind of a new evening.
pub const fn evening_kind(kind: EveningKindJson) -> Pairing {
    match kind {
        EveningKindJson::Arena => Pairing::Arena,
        EveningKindJson::RoundRobin => Pairing::RoundRobin,
    }
}

/// Converts an evening of a list.
pub fn evening_row(row: &EveningRow) -> EveningRowJson {
    EveningRowJson {
        id: row.id.0.clone(),
        kind: match row.kind {
            Pairing::Arena => EveningKindJson::Arena,
            Pairing::RoundRobin => EveningKindJson::RoundRobin,
        },
        name: row.name.clone(),
        by: player(&row.by),
        begins: row.begins,
        minutes: row.minutes,
        terms: terms(&row.terms),
        status: row.status,
        players: row.players,
        joined: row.joined,
    }
}

/// Converts an evening.
pub fn evening(view: &EveningView) -> EveningJson {
    let place = |place: &EveningPlace| EveningPlaceJson {
        place: place.place,
        player: player(&place.player),
        points: place.points,
        won: place.won,
        games: place.games,
        state: place.state,
    };
    EveningJson {
        evening: evening_row(&view.row),
        you: view.you,
        table: view.table.iter().map(place).collect(),
        games: view.games.iter().map(game_row).collect(),
    }
}

//! Conversion of a game to what one reader may know of it.

use club::{GameFacts, GameRow, TableOffers};
use notation::over_words;
use rules::chess::Color;
use wire::{ClocksJson, GameJson, GameRowJson, OffersJson, OverJson, Side, named_choices};

use crate::{
    people::player,
    terms::{terms, time},
};

fn offers(offers: &TableOffers) -> OffersJson {
    OffersJson {
        adjourn: offers.adjourn.map(Side::from),
        rematch: offers.rematch.map(Side::from),
        next: offers.next.map(|game| game.to_string()),
    }
}

/// Converts the facts of a game.
pub fn game(facts: &GameFacts) -> GameJson {
    let standing = &facts.standing;
    GameJson {
        id: facts.id.to_string(),
        seat: facts.seat.color().map(Side::from),
        white: player(&facts.players.white),
        black: player(&facts.players.black),
        terms: terms(&facts.terms),
        choices: named_choices(&facts.choices),
        status: standing.status,
        over: standing.over.map(OverJson::from),
        over_words: standing.over.map(|over| over_words(over, &facts.choices)),
        clocks: standing.clocks.map(ClocksJson::from),
        white_here: standing.here[Color::White],
        black_here: standing.here[Color::Black],
        offers: standing.offers.as_ref().map(offers),
        claim_from: standing.claim_from,
        can_abort: standing.can_abort,
        first_move_by: standing.first_move_by,
        conditional: standing.conditional.to_string(),
        umpire: standing.umpire.clone(),
    }
}

/// Converts an entry of a list of games.
pub fn game_row(row: &GameRow) -> GameRowJson {
    GameRowJson {
        id: row.id.to_string(),
        white: player(&row.players.white),
        black: player(&row.players.black),
        rules: row.terms.rules.clone(),
        time: time(row.terms.time),
        rated: row.terms.rated,
        begun: row.at,
        status: row.status,
        over: row.over.map(OverJson::from),
        seat: row.seat.color().map(Side::from),
    }
}

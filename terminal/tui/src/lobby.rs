//! The lobby as a list of possible actions.

use wire::{GameStatus, LobbyJson, Side, TermsJson};

use crate::terms::time_words;

/// Action of a row of the lobby.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) enum Row {
    /// Continues a game.
    Continue(String),
    /// Accepts a challenge.
    Challenge(String),
    /// Withdraws an own challenge.
    OwnChallenge(String),
    /// Accepts a seek.
    Seek(String),
    /// Withdraws an own seek.
    OwnSeek(String),
    /// Challenges a bot.
    Program(String),
    /// Seeks a game.
    NewSeek,
}

/// Formats terms in a few words.
pub(crate) fn terms_words(terms: &TermsJson) -> String {
    let rated = if terms.rated { ", rated" } else { "" };
    let hall = match notation::is_for_hall(terms.custom.as_deref()) {
        true => ", shown in a hall",
        false => "",
    };
    let time = time_words(&terms.time);
    format!("{}, {time}{rated}{hall}", terms.rules)
}

/// Lists the rows of a lobby under their headings.
pub(crate) fn rows(
    lobby: &LobbyJson,
    you: Option<&str>,
    terms: &TermsJson,
) -> Vec<(&'static str, String, Row)> {
    let mut rows = Vec::new();
    for game in &lobby.mine {
        let other = match game.seat {
            Some(Side::Black) => &game.white.name,
            Some(Side::White) | None => &game.black.name,
        };
        let put_aside = match game.status {
            GameStatus::Adjourned => " (adjourned)",
            GameStatus::Running | GameStatus::Over => "",
        };
        let words = format!(
            "Continue against {other}: {}, {}{put_aside}",
            game.rules,
            time_words(&game.time)
        );
        rows.push(("Your games", words, Row::Continue(game.id.clone())));
    }
    for one in &lobby.challenges {
        let terms = terms_words(&one.terms);
        let (words, row) = if Some(one.by.name.as_str()) == you {
            let words = format!("You challenge {}: {terms}", one.to.name);
            (words, Row::OwnChallenge(one.id.clone()))
        } else {
            let words = format!("{} challenges you: {terms}", one.by.name);
            (words, Row::Challenge(one.id.clone()))
        };
        rows.push(("Challenges", words, row));
    }
    for seek in &lobby.seeks {
        let terms = terms_words(&seek.terms);
        let (words, row) = if seek.yours {
            (
                format!("You seek a game: {terms}"),
                Row::OwnSeek(seek.id.clone()),
            )
        } else {
            let words = format!("{} seeks a game: {terms}", seek.by.name);
            (words, Row::Seek(seek.id.clone()))
        };
        rows.push(("Seeks", words, row));
    }
    let own = terms_words(terms);
    rows.push(("A new game", format!("Seek a game: {own}"), Row::NewSeek));
    for program in &lobby.programs {
        let words = format!("Challenge {}, a program: {own}", program.name);
        rows.push(("A new game", words, Row::Program(program.name.clone())));
    }
    rows
}

//! Conversion of the lobby and its offers.

use club::{Lobby, LobbyChanges, OfferKind, OfferView};
use wire::{ChallengeJson, InvitationJson, LobbyChangesJson, LobbyJson, ProgramJson, SeekJson};

use crate::{game::game_row, people::player, terms::terms};

/// Converts the lobby. `programs` are the built-in bots.
pub fn lobby(lobby: &Lobby, programs: Vec<ProgramJson>) -> LobbyJson {
    LobbyJson {
        seeks: lobby.seeks.iter().map(seek).collect(),
        challenges: lobby.challenges.iter().filter_map(challenge).collect(),
        mine: lobby.mine.iter().map(game_row).collect(),
        running: lobby.running.iter().map(game_row).collect(),
        programs,
    }
}

/// Converts changes of the lobby. `n` is the number of this message, counted from 1 since the
/// message with the whole lobby.
pub fn lobby_changes(n: u32, changes: &LobbyChanges) -> LobbyChangesJson {
    let offers = changes.gone_offers.iter().map(|offer| offer.0.clone());
    let games = changes.gone_games.iter().map(|game| game.to_string());
    LobbyChangesJson {
        n,
        seeks: changes.seeks.iter().map(seek).collect(),
        challenges: changes.challenges.iter().filter_map(challenge).collect(),
        mine: changes.mine.iter().map(game_row).collect(),
        running: changes.running.iter().map(game_row).collect(),
        gone: offers.chain(games).collect(),
    }
}

/// Converts a seek.
pub fn seek(offer: &OfferView) -> SeekJson {
    SeekJson {
        id: offer.id.0.clone(),
        by: player(&offer.by),
        terms: terms(&offer.terms),
        yours: offer.yours,
    }
}

/// Converts a challenge; `None` if the offer is of another kind.
pub fn challenge(offer: &OfferView) -> Option<ChallengeJson> {
    let OfferKind::Challenge { to } = &offer.kind else {
        return None;
    };
    Some(ChallengeJson {
        id: offer.id.0.clone(),
        by: player(&offer.by),
        to: player(to),
        terms: terms(&offer.terms),
    })
}

/// Converts an invitation.
pub fn invitation(offer: &OfferView) -> InvitationJson {
    InvitationJson {
        code: offer.id.0.clone(),
        by: player(&offer.by),
        terms: terms(&offer.terms),
        taken: offer.taken,
        game: offer.game.map(|game| game.to_string()),
    }
}

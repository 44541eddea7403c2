//! The lobby, and what stands offered in it.

use bots::Bot;
use club::{Lobby, OfferKind, OfferView};
use wire::{ChallengeJson, InvitationJson, LobbyJson, ProgramJson, SeekJson};

use crate::json::{game::game_row, people::player, terms::terms};

/// The lobby; `bots` are those that play here, for what they do.
pub fn lobby(lobby: &Lobby, bots: &[&Bot]) -> LobbyJson {
    LobbyJson {
        seeks: lobby.seeks.iter().map(seek).collect(),
        challenges: lobby.challenges.iter().filter_map(challenge).collect(),
        mine: lobby.mine.iter().map(game_row).collect(),
        running: lobby.running.iter().map(game_row).collect(),
        programs: bots
            .iter()
            .map(|bot| ProgramJson {
                name: bot.name.to_owned(),
                about: bot.about.to_owned(),
            })
            .collect(),
    }
}

/// A seek.
pub fn seek(offer: &OfferView) -> SeekJson {
    SeekJson {
        id: offer.id.0.clone(),
        by: player(&offer.by),
        terms: terms(&offer.terms),
        yours: offer.yours,
    }
}

/// A challenge; `None` if it is an offer of another kind.
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

/// An invitation.
pub fn invitation(offer: &OfferView) -> InvitationJson {
    InvitationJson {
        code: offer.id.0.clone(),
        by: player(&offer.by),
        terms: terms(&offer.terms),
        taken: offer.taken,
        game: offer.game.map(|game| game.to_string()),
    }
}

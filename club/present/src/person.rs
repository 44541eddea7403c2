//! Conversion of profiles and ratings.

use club::{Account, GameTally, Leader, Opponents, PlayerRating, Profile, ProfileRating};
use wire::{
    AgainstJson, LeaderJson, OpponentJson, PersonJson, PersonRatingJson, RatingChangeJson,
    RecordJson, ScoreJson,
};

use crate::people::player;

/// Converts the kind of opponents.
pub const fn against(against: Opponents) -> AgainstJson {
    match against {
        Opponents::People => AgainstJson::People,
        Opponents::Programs => AgainstJson::Programs,
    }
}

/// Reads the kind of opponents.
pub const fn against_from(against: AgainstJson) -> Opponents {
    match against {
        AgainstJson::People => Opponents::People,
        AgainstJson::Programs => Opponents::Programs,
    }
}

fn change(rating: &PlayerRating) -> RatingChangeJson {
    RatingChangeJson {
        at: rating.at,
        points: rating.whole_points(),
        game: rating.game.map(|game| game.to_string()),
    }
}

fn rating(rating: &ProfileRating) -> PersonRatingJson {
    PersonRatingJson {
        family: rating.family.name().to_owned(),
        against: against(rating.against),
        points: rating.now.whole_points(),
        deviation: rating.now.whole_deviation(),
        provisional: rating.now.is_provisional(),
        changes: rating.changes.iter().map(change).collect(),
    }
}

const fn score(score: GameTally) -> ScoreJson {
    ScoreJson {
        won: score.won,
        drawn: score.drawn,
        lost: score.lost,
    }
}

fn opponent((account, won): &(Account, GameTally)) -> OpponentJson {
    OpponentJson {
        player: player(account),
        score: score(*won),
    }
}

/// Converts a profile. `muted` says whether the reader mutes the account.
pub fn person(profile: &Profile, muted: bool) -> PersonJson {
    let wire::PlayerJson { name, kind } = player(&profile.account);
    let record = profile.record.iter();
    PersonJson {
        name,
        kind,
        since: profile.at,
        about: profile.about.clone(),
        ratings: profile.ratings.iter().map(rating).collect(),
        record: record
            .map(|(rules, color, won)| RecordJson {
                rules: rules.clone(),
                seat: (*color).into(),
                score: score(*won),
            })
            .collect(),
        opponents: profile.opponents.iter().map(opponent).collect(),
        muted,
    }
}

/// Converts a row of a leaderboard.
pub fn leader(leader: &Leader) -> LeaderJson {
    LeaderJson {
        player: player(&leader.account),
        points: leader.rating.whole_points(),
        deviation: leader.rating.whole_deviation(),
        scores: leader.scores.iter().map(opponent).collect(),
    }
}

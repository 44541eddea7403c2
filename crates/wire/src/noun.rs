//! Colours, men and ends of games as the JSON names them.

use rules::{
    Over, Reason, Winner,
    chess::{Color, Role},
};
use serde::{Deserialize, Serialize};

/// A side: `"white"` or `"black"`.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

/// A man by name.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Man {
    /// A pawn.
    Pawn,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
    /// A king.
    King,
}

impl From<Role> for Man {
    fn from(role: Role) -> Man {
        match role {
            Role::Pawn => Man::Pawn,
            Role::Knight => Man::Knight,
            Role::Bishop => Man::Bishop,
            Role::Rook => Man::Rook,
            Role::Queen => Man::Queen,
            Role::King => Man::King,
        }
    }
}

impl From<Man> for Role {
    fn from(man: Man) -> Role {
        match man {
            Man::Pawn => Role::Pawn,
            Man::Knight => Role::Knight,
            Man::Bishop => Role::Bishop,
            Man::Rook => Role::Rook,
            Man::Queen => Role::Queen,
            Man::King => Role::King,
        }
    }
}

/// A score: `"1-0"`, `"0-1"`, `"1/2-1/2"` or `"*"`.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ResultJson {
    /// White won.
    #[serde(rename = "1-0")]
    White,
    /// Black won.
    #[serde(rename = "0-1")]
    Black,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Not finished.
    #[serde(rename = "*")]
    Unfinished,
}

impl From<Winner> for ResultJson {
    fn from(winner: Winner) -> ResultJson {
        match winner {
            Winner::White => ResultJson::White,
            Winner::Black => ResultJson::Black,
            Winner::Draw => ResultJson::Draw,
            Winner::Unfinished => ResultJson::Unfinished,
        }
    }
}

impl From<ResultJson> for Winner {
    fn from(result: ResultJson) -> Winner {
        match result {
            ResultJson::White => Winner::White,
            ResultJson::Black => Winner::Black,
            ResultJson::Draw => Winner::Draw,
            ResultJson::Unfinished => Winner::Unfinished,
        }
    }
}

macro_rules! reasons {
    ($($name:ident)+) => {
        /// Why a game ended, by the names of the rules.
        #[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        #[serde(rename_all = "kebab-case")]
        pub enum ReasonJson {
            $(
                #[doc = concat!("See `rules::Reason::", stringify!($name), "`.")]
                $name,
            )+
        }

        impl From<Reason> for ReasonJson {
            fn from(reason: Reason) -> ReasonJson {
                match reason { $(Reason::$name => ReasonJson::$name,)+ }
            }
        }

        impl From<ReasonJson> for Reason {
            fn from(reason: ReasonJson) -> Reason {
                match reason { $(ReasonJson::$name => Reason::$name,)+ }
            }
        }
    };
}

reasons! {
    Checkmate Stalemate Insufficient Threefold Fifty Resignation Agreement Time ExhaustedTries
    Aborted Abandoned
}

/// How a game ended.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OverJson {
    /// The score.
    pub result: ResultJson,
    /// Why.
    pub reason: ReasonJson,
}

impl From<Over> for OverJson {
    fn from(over: Over) -> OverJson {
        OverJson {
            result: over.winner.into(),
            reason: over.reason.into(),
        }
    }
}

impl From<OverJson> for Over {
    fn from(over: OverJson) -> Over {
        Over {
            winner: over.result.into(),
            reason: over.reason.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_rules() {
        for reason in Reason::ALL.iter().copied() {
            let json = serde_json::to_string(&ReasonJson::from(reason)).unwrap();
            assert_eq!(json, format!("\"{}\"", reason.name()));
            assert_eq!(Reason::from(ReasonJson::from(reason)), reason);
        }
        for score in ["1-0", "0-1", "1/2-1/2", "*"] {
            let winner = Winner::from_score(score).unwrap();
            let json = serde_json::to_string(&ResultJson::from(winner)).unwrap();
            assert_eq!(json, format!("\"{score}\""));
            assert_eq!(Winner::from(ResultJson::from(winner)), winner);
        }
    }
}

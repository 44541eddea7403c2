//! Colours, men and ends of games, as JSON.

use rules::{
    Over, Reason, Winner,
    chess::{Color, Role},
};
use serde::{Deserialize, Serialize};

/// Declares the JSON form of an enum of the crate `rules`, value by value.
macro_rules! mirrored {
    (
        $(#[$outer:meta])*
        $Json:ident of $Rules:ident { $( $(#[$inner:meta])* $name:ident, )+ }
    ) => {
        #[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        $(#[$outer])*
        pub enum $Json {
            $( $(#[$inner])* $name, )+
        }

        impl From<$Rules> for $Json {
            fn from(value: $Rules) -> $Json {
                match value { $($Rules::$name => $Json::$name,)+ }
            }
        }

        impl From<$Json> for $Rules {
            fn from(value: $Json) -> $Rules {
                match value { $($Json::$name => $Rules::$name,)+ }
            }
        }
    };
}

mirrored! {
    /// A side: `"white"` or `"black"`.
    #[serde(rename_all = "lowercase")]
    Side of Color {
        /// White.
        White,
        /// Black.
        Black,
    }
}

mirrored! {
    /// Role of a man.
    #[serde(rename_all = "lowercase")]
    Man of Role {
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
}

mirrored! {
    /// Result of a game: `"1-0"`, `"0-1"`, `"1/2-1/2"` or `"*"`.
    ResultJson of Winner {
        /// White won.
        #[serde(rename = "1-0")]
        White,
        /// Black won.
        #[serde(rename = "0-1")]
        Black,
        /// The game is a draw.
        #[serde(rename = "1/2-1/2")]
        Draw,
        /// The game was not finished.
        #[serde(rename = "*")]
        Unfinished,
    }
}

mirrored! {
    /// Reason why a game ended. The names are the names of `rules::Reason`.
    #[serde(rename_all = "kebab-case")]
    ReasonJson of Reason {
        /// See `rules::Reason::Checkmate`.
        Checkmate,
        /// See `rules::Reason::Stalemate`.
        Stalemate,
        /// See `rules::Reason::Insufficient`.
        Insufficient,
        /// See `rules::Reason::Threefold`.
        Threefold,
        /// See `rules::Reason::Fifty`.
        Fifty,
        /// See `rules::Reason::Resignation`.
        Resignation,
        /// See `rules::Reason::Agreement`.
        Agreement,
        /// See `rules::Reason::Time`.
        Time,
        /// See `rules::Reason::ExhaustedTries`.
        ExhaustedTries,
        /// See `rules::Reason::Aborted`.
        Aborted,
        /// See `rules::Reason::Abandoned`.
        Abandoned,
    }
}

/// End of a game: its result and the reason.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OverJson {
    /// Result of the game.
    pub result: ResultJson,
    /// Reason why the game ended.
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
    fn json_reasons_and_results_have_the_names_of_the_rules() {
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

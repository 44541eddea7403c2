//! The lines of the umpire's stream, and a finished game made of them.

use std::collections::BTreeMap;

use rules::Answer;
use serde::{Deserialize, Serialize};

use crate::{
    heard::HeardJson,
    noun::{OverJson, Side},
    text::{not_null, present},
};

macro_rules! answers {
    ($($name:ident)+) => {
        /// Answer to a line.
        #[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        #[serde(rename_all = "kebab-case")]
        pub enum AnswerJson {
            $(
                #[doc = concat!("See `rules::Answer::", stringify!($name), "`.")]
                $name,
            )+
            /// A new game.
            New,
            /// An error to the asker alone.
            Refused,
            /// Not read.
            NotUnderstood,
        }

        impl AnswerJson {
            /// The referee's answer; `None` where the referee gave none.
            pub const fn ruled(self) -> Option<Answer> {
                match self {
                    $(AnswerJson::$name => Some(Answer::$name),)+
                    AnswerJson::New | AnswerJson::Refused | AnswerJson::NotUnderstood => None,
                }
            }
        }

        impl From<Answer> for AnswerJson {
            fn from(answer: Answer) -> AnswerJson {
                match answer { $(Answer::$name => AnswerJson::$name,)+ }
            }
        }
    };
}

answers! {
    Moved No RepeatNo Nonsense Yes None Count Recap Resigned Offered Drawn Declined Withdrawn Flag
    Gone Aborted
}

/// One line of the umpire's stream: the truth and what everyone heard.
///
/// Never shown to a player whose game is not over.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Line))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LineJson {
    /// Lines since `new`.
    pub n: u32,
    /// Side that asked; null for `new` and for lines not understood.
    #[serde(deserialize_with = "present")]
    pub by: Option<Side>,
    /// Attempt, in canonical text.
    pub attempt: String,
    /// Answer to the attempt.
    pub answer: AnswerJson,
    /// Items that White heard.
    pub white: Vec<HeardJson>,
    /// Items that Black heard.
    pub black: Vec<HeardJson>,
    /// Items that everybody else heard.
    pub room: Vec<HeardJson>,
    /// The true position after the line.
    pub fen: String,
    /// The player to move; null when over.
    #[serde(deserialize_with = "present")]
    pub to_move: Option<Side>,
    /// Result and reason, once the game is over.
    #[serde(deserialize_with = "present")]
    pub over: Option<OverJson>,
    /// Reason why the line was refused or not understood.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "not_null"
    )]
    pub why: Option<String>,
    /// The attempts worth making now, if asked for.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "not_null"
    )]
    pub tries: Option<Vec<String>>,
}

/// A finished game: what it was played under, every line, and how it ended.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FinishedJson {
    /// The game's id.
    pub game: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The ruleset's id.
    pub rules: String,
    /// The version of rules and events.
    pub version: u8,
    /// The value of every choice.
    pub choices: BTreeMap<String, String>,
    /// The position in which it started.
    pub start: String,
    /// Result and reason of the end.
    pub over: OverJson,
    /// Every line, in order.
    pub lines: Vec<LineJson>,
}

/// A finished game step by step, in words: what `FinishedJson` tells, for people.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StepsJson {
    /// The opening and then every attempt, in order.
    pub steps: Vec<StepJson>,
}

/// One step: an attempt, what each heard of it in words, and the true position after it.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StepJson {
    /// Side that asked; null for the opening.
    #[serde(deserialize_with = "present")]
    pub by: Option<Side>,
    /// Attempt, in canonical text.
    pub attempt: String,
    /// Answer to the attempt.
    pub answer: AnswerJson,
    /// Sentences that White heard.
    pub white: Vec<String>,
    /// Sentences that Black heard.
    pub black: Vec<String>,
    /// Sentences that everybody else heard.
    pub room: Vec<String>,
    /// The true position after it.
    pub fen: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_in_the_order_of_the_contract() {
        let mut line = LineJson {
            n: 3,
            by: None,
            attempt: "x".into(),
            answer: AnswerJson::NotUnderstood,
            white: vec![],
            black: vec![],
            room: vec![HeardJson::Turn {
                to_move: Side::Black,
            }],
            fen: "f".into(),
            to_move: None,
            over: None,
            why: None,
            tries: None,
        };
        let bare = r#"{"n":3,"by":null,"attempt":"x","answer":"not-understood","white":[],"black":[],"room":[{"kind":"turn","to_move":"black"}],"fen":"f","to_move":null,"over":null"#;
        assert_eq!(serde_json::to_string(&line).unwrap(), format!("{bare}}}"));
        line.why = Some("w".into());
        line.tries = Some(vec!["a2a3".into()]);
        let text = serde_json::to_string(&line).unwrap();
        assert_eq!(text, format!(r#"{bare},"why":"w","tries":["a2a3"]}}"#));
        assert_eq!(serde_json::from_str::<LineJson>(&text).unwrap(), line);
    }

    #[test]
    fn answers_have_the_words_of_the_rules() {
        for answer in Answer::ALL {
            let json = serde_json::to_string(&AnswerJson::from(answer)).unwrap();
            assert_eq!(json, format!("\"{}\"", answer.name()));
        }
    }

    #[test]
    fn a_line_without_a_key_or_with_a_strange_one_is_refused() {
        let text = r#"{"n":3,"attempt":"x","answer":"new","white":[],"black":[],"room":[],"fen":"f","to_move":null,"over":null}"#;
        let missing = serde_json::from_str::<LineJson>(text)
            .unwrap_err()
            .to_string();
        assert!(missing.contains("missing field `by`"), "{missing}");
        let strange = text.replace("\"n\":3", "\"n\":3,\"by\":null,\"clock\":1");
        let strange = serde_json::from_str::<LineJson>(&strange)
            .unwrap_err()
            .to_string();
        assert!(strange.contains("unknown field `clock`"), "{strange}");
    }
}

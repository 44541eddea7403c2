//! Lines of the umpire's stream (the output of `kriegspiel referee --json`), and finished games, as
//! JSON.

use std::collections::BTreeMap;

use rules::{Answer, Choices};
use serde::{Deserialize, Serialize};

use crate::{
    heard::HeardJson,
    noun::{OverJson, Side},
    text::{not_null, present},
};

macro_rules! answers {
    ($($name:ident)+) => {
        /// The answer to one line of the umpire's stream.
        #[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        #[serde(rename_all = "kebab-case")]
        pub enum AnswerJson {
            $(
                #[doc = concat!("See `rules::Answer::", stringify!($name), "`.")]
                $name,
            )+
            /// A new game was opened.
            New,
            /// The referee refused to judge the attempt. Only the player who
            /// asked hears this.
            Refused,
            /// The line could not be read.
            NotUnderstood,
        }

        impl AnswerJson {
            /// Returns the referee's answer; `None` if the line did not reach the referee or was
            /// refused.
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

/// One line of the umpire's stream, with the true position and what each
/// listener heard.
///
/// A line must not be shown to a player before the game is over.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Line))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LineJson {
    /// Number of the line since `new`.
    pub n: u32,
    /// Side that made the attempt; null for `new` and for lines that could not
    /// be read.
    #[serde(deserialize_with = "present")]
    pub by: Option<Side>,
    /// The attempt, in its text form.
    pub attempt: String,
    /// The answer to the attempt.
    pub answer: AnswerJson,
    /// What White heard.
    pub white: Vec<HeardJson>,
    /// What Black heard.
    pub black: Vec<HeardJson>,
    /// What spectators heard.
    pub room: Vec<HeardJson>,
    /// The true position after the line, as FEN.
    pub fen: String,
    /// Side to move; null if the game is over.
    #[serde(deserialize_with = "present")]
    pub to_move: Option<Side>,
    /// Result and reason; null if the game is not over.
    #[serde(deserialize_with = "present")]
    pub over: Option<OverJson>,
    /// Reason why the line was refused or could not be read; otherwise absent.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "not_null"
    )]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub why: Option<String>,
    /// The tries that can be legal as far as the side to move knows. Present
    /// only if requested.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "not_null"
    )]
    pub tries: Option<Vec<String>>,
    /// The game's place in its run. Present only in the first line of a game of `kriegspiel arena`.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "not_null"
    )]
    pub run: Option<RunJson>,
    /// For each role of the opponent's men, the probability in 1/10,000 that such a man is on a
    /// square, according to what the side to move knows. Present only if requested.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "not_null"
    )]
    pub marginals: Option<BTreeMap<String, BTreeMap<String, u16>>>,
}

/// A game's place in a run of games, and the rules of the game.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Run))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RunJson {
    /// Number of the game in the run, from 1.
    pub game: u64,
    /// Player of White.
    pub white: String,
    /// Player of Black.
    pub black: String,
    /// Seed of the run.
    pub seed: u64,
    /// Version of the rules.
    pub version: u8,
    /// Value of every choice, by name.
    pub choices: BTreeMap<String, String>,
}

/// Returns the value of every choice, by name.
pub fn named_choices(choices: &Choices) -> BTreeMap<String, String> {
    let fields = Choices::FIELDS.iter();
    fields
        .filter_map(|field| Some((field.name.to_owned(), choices.get(field.name)?.to_owned())))
        .collect()
}

/// A finished game: rules, players, every line, and the end.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FinishedJson {
    /// Id of the game.
    pub game: String,
    /// Name of White's player.
    pub white: String,
    /// Name of Black's player.
    pub black: String,
    /// Id of the ruleset.
    pub rules: String,
    /// Version of the rules and of the text form of events.
    pub version: u8,
    /// Value of every choice, by name.
    pub choices: BTreeMap<String, String>,
    /// Start position, as FEN.
    pub start: String,
    /// Result and reason; null only for a game of a study whose record has no end.
    #[serde(deserialize_with = "present")]
    pub over: Option<OverJson>,
    /// Every line of the game, in order.
    pub lines: Vec<LineJson>,
    /// The player whose own file this game of a study is: the lines have only what this player
    /// heard, and this player's men. Absent for a whole game.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "not_null"
    )]
    pub player: Option<Side>,
}

/// A finished game for people: the content of `FinishedJson`, step by step, in
/// sentences.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StepsJson {
    /// The opening, and then every attempt, in order.
    pub steps: Vec<StepJson>,
}

/// One step of a finished game: an attempt, what each listener heard as
/// sentences, and the true position.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StepJson {
    /// Side that made the attempt; null for the opening.
    #[serde(deserialize_with = "present")]
    pub by: Option<Side>,
    /// The attempt, in its text form.
    pub attempt: String,
    /// The answer to the attempt.
    pub answer: AnswerJson,
    /// The word that the player heard under the ruleset, for example "hell no". Present only if the
    /// answer refuses a try or answers Any?.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "not_null"
    )]
    pub word: Option<String>,
    /// What White heard, as sentences.
    pub white: Vec<String>,
    /// What Black heard, as sentences.
    pub black: Vec<String>,
    /// What spectators heard, as sentences.
    pub room: Vec<String>,
    /// The true position after the attempt, as FEN.
    pub fen: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_written_in_the_order_of_the_fields() {
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
            run: None,
            marginals: None,
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
    fn json_answers_equal_the_names_in_the_rules() {
        for answer in Answer::ALL {
            let json = serde_json::to_string(&AnswerJson::from(answer)).unwrap();
            assert_eq!(json, format!("\"{}\"", answer.name()));
        }
    }

    #[test]
    fn line_without_a_key_or_with_an_unknown_key_is_refused() {
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

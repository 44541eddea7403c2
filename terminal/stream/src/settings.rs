//! Settings of a stream and of a session.

use referee::StartPosition;
use rules::{Choices, GameSwitch, Ruleset};

/// Board that is drawn after each line.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Show {
    /// The true position.
    Umpire,
    /// Own men of White, according to White's view.
    White,
    /// Own men of Black, according to Black's view.
    Black,
}

/// Form of the answers.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Form {
    /// One line of JSON per answer.
    Json,
    /// One block of text per answer, with styles as ANSI escapes. A caller that does
    /// not want styles gives [`run`](super::run) a writer that removes them.
    Words {
        /// Board that is drawn below each block.
        show: Option<Show>,
        /// Whether a person types the lines. For a person, the stream prints the announcements at
        /// the start of a game immediately, and a prompt before each line. It also understands
        /// `help`, `?`, `quit` and `exit`. In other streams these words have no meaning.
        prompt: bool,
    },
}

/// Settings of a stream.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Settings {
    /// Ruleset of every game.
    pub ruleset: Ruleset,
    /// Choices of the ruleset, after applying the switches of the game.
    pub choices: Choices,
    /// The switches of the game, for its record. `choices` already contains their effect.
    pub switches: Vec<GameSwitch>,
    /// Start position of the first game, as if the first line were `new FEN`.
    pub start: Option<StartPosition>,
    /// Whether to list the tries worth making.
    pub tries: bool,
    /// Form of the answers.
    pub form: Form,
}

impl Settings {
    /// Creates settings for a ruleset: without switches, with the usual start position, and with
    /// answers in words.
    pub fn new(ruleset: Ruleset) -> Settings {
        Settings {
            choices: ruleset.choices,
            switches: Vec::new(),
            ruleset,
            start: None,
            tries: false,
            form: Form::Words {
                show: None,
                prompt: false,
            },
        }
    }
}

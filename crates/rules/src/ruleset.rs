//! A ruleset: a name, its choices, and where they come from.

use std::borrow::Cow;

use crate::{
    choices::{Choices, Fifty, Mates, Threefold},
    source::Source,
};

/// A ruleset. The named ones are constants in [`rulesets`](crate::rulesets);
/// custom ones are owned.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Ruleset {
    /// Its id, for example `wild16`.
    pub id: Cow<'static, str>,
    /// A title of a few words.
    pub title: Cow<'static, str>,
    /// Its choices.
    pub choices: Choices,
    /// Sources.
    pub sources: Cow<'static, [Source]>,
    /// Points on which the source is silent, or from which we depart.
    pub notes: Cow<'static, [&'static str]>,
}

crate::named! {
    /// A switch that is set for one game.
    GameSwitch {
        /// Threefold repetition draws.
        Threefold = "3";
        /// Threefold repetition does not draw.
        NoThreefold = "no-3";
        /// The fifty-move rule draws.
        Fifty = "50";
        /// There is no fifty-move rule.
        NoFifty = "no-50";
        /// Checkmate and stalemate are recognised.
        Mate = "mate";
        /// Checkmate and stalemate are not recognised.
        NoMate = "no-mate";
    }
}

/// A switch that cannot be set.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum SwitchError {
    /// No switch has that name.
    #[error("there is no game switch `{word}`; the switches are 3, no-3, 50, no-50, mate, no-mate")]
    Unknown {
        /// The word as given.
        word: String,
    },
    /// Mate and stalemate are always recognised under this ruleset.
    #[error(
        "`{word}` is a switch of rulesets that do not recognise mate (`umpire`); `{id}` always does"
    )]
    MateFixed {
        /// The word as given.
        word: &'static str,
        /// The ruleset.
        id: String,
    },
}

impl GameSwitch {
    /// The switch of that word.
    ///
    /// # Errors
    /// Names the word, and the switches that exist.
    pub fn from_word(word: &str) -> Result<GameSwitch, SwitchError> {
        GameSwitch::from_name(word).ok_or_else(|| SwitchError::Unknown {
            word: word.to_owned(),
        })
    }

    /// The switches in lists of words, with commas or spaces between the words.
    ///
    /// # Errors
    /// As [`GameSwitch::from_word`].
    pub fn from_lists(lists: &[String]) -> Result<Vec<GameSwitch>, SwitchError> {
        let words = lists.iter().flat_map(|list| list.split([',', ' ']));
        let words = words.filter(|word| !word.is_empty());
        words.map(GameSwitch::from_word).collect()
    }
}

impl Ruleset {
    /// The choices with the switches of one game set, the last one counting.
    ///
    /// # Errors
    /// `mate` and `no-mate` exist only where mate is not recognised by itself.
    pub fn switched(&self, switches: &[GameSwitch]) -> Result<Choices, SwitchError> {
        let mut choices = self.choices;
        for switch in switches {
            match switch {
                GameSwitch::Threefold => choices.threefold = Threefold::On,
                GameSwitch::NoThreefold => choices.threefold = Threefold::Off,
                GameSwitch::Fifty => choices.fifty = Fifty::On,
                GameSwitch::NoFifty => choices.fifty = Fifty::Off,
                GameSwitch::Mate | GameSwitch::NoMate => {
                    if self.choices.mates == Mates::Announced {
                        return Err(SwitchError::MateFixed {
                            word: switch.name(),
                            id: self.id.to_string(),
                        });
                    }
                    choices.mates = if *switch == GameSwitch::Mate {
                        Mates::Announced
                    } else {
                        Mates::Unseen
                    };
                }
            }
        }
        Ok(choices)
    }
}

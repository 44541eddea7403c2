//! A ruleset: its name, its choices and its sources.

use std::borrow::Cow;

use crate::{
    choices::{Choices, Fifty, Mates, Threefold},
    source::Source,
};

/// A set of rules of Kriegspiel.
///
/// The named rulesets are constants in [`rulesets`](crate::rulesets); custom
/// rulesets are owned values.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Ruleset {
    /// Id, for example `wild16`.
    pub id: Cow<'static, str>,
    /// A short title for people.
    pub title: Cow<'static, str>,
    /// The ruleset's values of all choices.
    pub choices: Choices,
    /// Start position as FEN, not checked here; `None` for the usual one. Only a custom ruleset has one.
    pub start: Option<Cow<'static, str>>,
    /// Whether the players agree that a screen in a hall shows the true position of their game at a
    /// club. Only a custom ruleset says so.
    pub hall: bool,
    /// Where the rules are written.
    pub sources: Cow<'static, [Source]>,
    /// Points that the sources do not mention, or that this ruleset decides differently.
    pub notes: Cow<'static, [&'static str]>,
}

crate::named! {
    /// Switch that changes a choice for one game.
    GameSwitch {
        /// Threefold repetition ends the game in a draw.
        Threefold = "3";
        /// Threefold repetition does not end the game.
        NoThreefold = "no-3";
        /// The fifty-move rule ends the game in a draw.
        Fifty = "50";
        /// There is no fifty-move rule.
        NoFifty = "no-50";
        /// The referee recognises checkmate and stalemate.
        Mate = "mate";
        /// The referee does not recognise checkmate and stalemate.
        NoMate = "no-mate";
    }
}

/// Error for a switch that cannot be set.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum SwitchError {
    /// No switch has this name.
    #[error("there is no game switch `{word}`; the switches are 3, no-3, 50, no-50, mate, no-mate")]
    Unknown {
        /// The name that was given.
        word: String,
    },
    /// The ruleset always recognises checkmate and stalemate. A switch cannot
    /// change this.
    #[error(
        "`{word}` is only for rulesets that do not announce mate (`umpire`); `{id}` always announces mate"
    )]
    MateFixed {
        /// The name that was given.
        word: &'static str,
        /// Id of the ruleset.
        id: String,
    },
}

impl GameSwitch {
    /// Returns the switch with this name.
    ///
    /// # Errors
    /// No switch has this name. The message lists all switches.
    pub fn from_word(word: &str) -> Result<GameSwitch, SwitchError> {
        GameSwitch::from_name(word).ok_or_else(|| SwitchError::Unknown {
            word: word.to_owned(),
        })
    }

    /// Reads switches from lists of names, which are separated by commas or
    /// spaces.
    ///
    /// # Errors
    /// The same errors as [`GameSwitch::from_word`].
    pub fn from_lists(lists: &[String]) -> Result<Vec<GameSwitch>, SwitchError> {
        let words = lists.iter().flat_map(|list| list.split([',', ' ']));
        let words = words.filter(|word| !word.is_empty());
        words.map(GameSwitch::from_word).collect()
    }
}

impl Ruleset {
    /// Returns the choices after the switches of one game are applied. If two
    /// switches conflict, the last one wins.
    ///
    /// # Errors
    /// `mate` or `no-mate` is given, and the ruleset always announces mate.
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

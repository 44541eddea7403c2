//! Settings of the door, and the terms of its games.

use club::{ColorWish, Terms, TimeControl};

use crate::base::{ConnectionLimits, DoorOption, OptionKind, Options};

/// Options of the door, except its address.
pub(super) const OPTIONS: &[DoorOption] = &[
    DoorOption {
        name: "1965",
        env: "KRIEGSPIEL_1965",
        help: "Keep the simplifications of 1965 at teletypes: promotion only to queens, mate not recognised [default: false]",
        kind: OptionKind::Switch,
    },
    DoorOption {
        name: "cps",
        env: "KRIEGSPIEL_CPS",
        help: "Maximum number of characters per second written to teletypes [default: no limit]",
        kind: OptionKind::Number("N"),
    },
];

/// Settings of the door.
#[derive(Copy, Clone, Debug, Default)]
pub struct Settings {
    /// Whether to keep the two simplifications of 1965: pawns promote only to
    /// queens, and mate and stalemate are not recognised.
    pub as_in_1965: bool,
    /// Maximum number of characters written per second. `None`: no limit.
    pub cps: Option<u32>,
}

/// The ruleset `umpire` without the simplifications of 1965, as a ruleset file.
pub const TODAY: &str = include_str!("umpire-today.toml");

impl From<&Options> for Settings {
    fn from(options: &Options) -> Settings {
        Settings {
            as_in_1965: options.switch("1965"),
            cps: options.number("cps"),
        }
    }
}

impl Settings {
    /// Returns the limits of one connection.
    pub fn connection(&self) -> ConnectionLimits {
        ConnectionLimits {
            max_line_bytes: 256,
            cps: self.cps,
            ..ConnectionLimits::default()
        }
    }

    /// Returns the terms of a game between two teletypes.
    pub(super) fn terms(&self, color: ColorWish) -> Terms {
        Terms {
            rules: "umpire".to_owned(),
            custom: (!self.as_in_1965).then(|| TODAY.to_owned()),
            time: TimeControl::Unlimited,
            rated: false,
            color,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Mates, PromotionMan, rulesets::UMPIRE};

    #[test]
    fn umpire_today_differs_from_umpire_in_two_choices() {
        let today = notation::read_ruleset(TODAY).unwrap();
        let mut choices = UMPIRE.choices;
        choices.mates = Mates::Announced;
        choices.promotion_man = PromotionMan::QueenUnlessNamed;
        assert_eq!(today.choices, choices);
    }
}

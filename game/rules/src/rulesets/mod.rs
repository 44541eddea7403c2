//! All named rulesets; each has its own file.
//!
//! Help texts, rules pages and selection lists are made from [`ALL`]. Tests
//! check every ruleset in this list.

mod berkeley;
mod berkeley_any;
mod bodlaender;
mod cincinnati;
mod crazykrieg;
mod eastern;
mod english;
mod ks;
mod ks_a;
mod ks_ap;
mod ks_p;
mod rand;
mod rand_ladder;
mod umpire;
mod western;
mod wild16;

use crate::ruleset::Ruleset;

/// Declares the re-export of each ruleset, and [`ALL`].
macro_rules! named {
    ($($file:ident::$RULESET:ident,)+) => {
        pub use self::{$($file::$RULESET),+};

        /// All named rulesets, in the order in which the rules pages list them.
        pub static ALL: [Ruleset; [$(stringify!($RULESET)),+].len()] = [$($RULESET),+];
    };
}

named! {
    rand::RAND,
    rand_ladder::RAND_LADDER,
    umpire::UMPIRE,
    cincinnati::CINCINNATI,
    ks::KS,
    ks_a::KS_A,
    ks_p::KS_P,
    ks_ap::KS_AP,
    bodlaender::BODLAENDER,
    western::WESTERN,
    eastern::EASTERN,
    english::ENGLISH,
    berkeley::BERKELEY,
    berkeley_any::BERKELEY_ANY,
    wild16::WILD16,
    crazykrieg::CRAZYKRIEG,
}

/// Returns the named ruleset with this id.
pub fn by_id(id: &str) -> Option<&'static Ruleset> {
    ALL.iter().find(|r| r.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_of_each_named_ruleset_fit_together() {
        for ruleset in &ALL {
            assert_eq!(ruleset.choices.check(), Ok(()), "{}", ruleset.id);
            assert_eq!(
                by_id(&ruleset.id).map(|r| &r.choices),
                Some(&ruleset.choices)
            );
            assert!(!ruleset.sources.is_empty());
        }
    }
}

//! Every named ruleset, one file each.
//!
//! Help texts, rules pages and pickers are made from [`ALL`], and tests walk it.

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

pub use self::{
    berkeley::BERKELEY, berkeley_any::BERKELEY_ANY, bodlaender::BODLAENDER, cincinnati::CINCINNATI,
    crazykrieg::CRAZYKRIEG, eastern::EASTERN, english::ENGLISH, ks::KS, ks_a::KS_A, ks_ap::KS_AP,
    ks_p::KS_P, rand::RAND, rand_ladder::RAND_LADDER, umpire::UMPIRE, western::WESTERN,
    wild16::WILD16,
};

/// The sixteen named rulesets, in the order of the table.
pub static ALL: [Ruleset; 16] = [
    RAND,
    RAND_LADDER,
    UMPIRE,
    CINCINNATI,
    KS,
    KS_A,
    KS_P,
    KS_AP,
    BODLAENDER,
    WESTERN,
    EASTERN,
    ENGLISH,
    BERKELEY,
    BERKELEY_ANY,
    WILD16,
    CRAZYKRIEG,
];

/// The named ruleset with that id.
pub fn by_id(id: &str) -> Option<&'static Ruleset> {
    ALL.iter().find(|r| r.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_ruleset_can_stand() {
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

//! Families of rulesets, for ratings.

use crate::choices::{CaptureHeard, CaptureSquare, Choices, NoHeard, PawnTries, ReserveUse};

crate::named! {
    /// Rulesets that ask for the same skill, so that they share one rating.
    Family {
        /// Only the mover hears the answer no.
        Wild16 = "wild16";
        /// Pawn tries are announced, and everybody hears the answer no.
        Rand = "rand";
        /// Everybody hears captures and the answer no. Pawn tries are not announced unasked.
        Berkeley = "berkeley";
        /// The square of a capture is not announced to both players.
        Ks = "ks";
        /// Captured men return.
        Crazykrieg = "crazykrieg";
    }
}

impl Family {
    /// Returns what the rulesets of the family have in common, in a sentence.
    pub const fn plain(self) -> &'static str {
        match self {
            Family::Wild16 => {
                "Only the mover hears the answer no, so tries tell the opponent nothing."
            }
            Family::Rand => {
                "Everybody hears where men are captured and the answer no; pawn tries are announced."
            }
            Family::Berkeley => {
                "Everybody hears where men are captured and the answer no; pawn tries are announced only if asked for, or never."
            }
            Family::Ks => {
                "The square of a capture is not announced to both players, so they must find out where men are gone."
            }
            Family::Crazykrieg => "Captured men return to the board.",
        }
    }
}

impl Choices {
    /// Returns the family to which a ruleset with these choices belongs.
    pub fn family(&self) -> Family {
        let both_hear_where = self.capture_heard == CaptureHeard::Both
            && self.capture_square != CaptureSquare::Untold;
        match (self.reserve, self.no_heard, self.pawn_tries) {
            (ReserveUse::Drops, _, _) => Family::Crazykrieg,
            (ReserveUse::None, NoHeard::Mover, _) => Family::Wild16,
            (ReserveUse::None, NoHeard::Both, _) if !both_hear_where => Family::Ks,
            (ReserveUse::None, NoHeard::Both, PawnTries::Silent | PawnTries::OnRequest) => {
                Family::Berkeley
            }
            (
                ReserveUse::None,
                NoHeard::Both,
                PawnTries::Whether
                | PawnTries::Count
                | PawnTries::Squares
                | PawnTries::SinglesAndDoubles,
            ) => Family::Rand,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rulesets;

    #[test]
    fn every_ruleset_belongs_to_the_listed_family() {
        let listed = [
            (Family::Wild16, "wild16"),
            (Family::Rand, "rand rand-ladder umpire cincinnati"),
            (Family::Berkeley, "bodlaender english berkeley berkeley-any"),
            (Family::Ks, "ks ks+a ks+p ks+ap western eastern"),
            (Family::Crazykrieg, "crazykrieg"),
        ];
        for (family, ids) in listed {
            let all = rulesets::ALL.iter();
            let members = all.filter(|ruleset| ruleset.choices.family() == family);
            let members: Vec<_> = members.map(|ruleset| ruleset.id.as_ref()).collect();
            assert_eq!(members.join(" "), ids, "{}", family.name());
        }
    }
}

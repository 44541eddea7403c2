//! Faults in which a choice has a wrong value.

use super::{Fault, Twist::Choice, fault, fault_from, fault_when};
use crate::{starts::Kind, walk::Style};

/// Faults in which exactly one choice is changed.
pub(super) const FAULTS: &[Fault] = &[
    fault(
        "row 2 is passed over",
        &["cincinnati", "ks", "wild16"],
        Choice("impossible", "no"),
    ),
    fault(
        "row 3, captures, is passed over",
        &["cincinnati", "rand", "western"],
        Choice("announced_tries", "judged"),
    ),
    fault(
        "row 3, captures after Any? no, is passed over",
        &["bodlaender", "eastern"],
        Choice("announced_tries", "judged"),
    ),
    fault(
        "row 3, captures, where there is none",
        &["wild16", "ks"],
        Choice("announced_tries", "nonsense"),
    ),
    fault(
        "row 3, check, is passed over",
        &["rand"],
        Choice("announced_check", "judged"),
    ),
    fault(
        "row 3, check, knows castling alone",
        &["rand"],
        Choice("announced_check", "castling"),
    ),
    fault_from(
        "row 3, castling in check, is passed over",
        &["western", "eastern"],
        Kind::Castling,
        Choice("announced_check", "judged"),
    ),
    fault(
        "row 4: yes obliges to nothing",
        &["bodlaender", "english"],
        Choice("obligation", "none"),
    ),
    fault(
        "row 4: to try is to make",
        &["crazykrieg", "english"],
        Choice("obligation", "make"),
    ),
    fault(
        "row 4: to make is to try",
        &["eastern", "berkeley-any"],
        Choice("obligation", "try"),
    ),
    fault_when(
        "row 4: tries without limit",
        &["ks+p", "ks+ap"],
        Style::Pawns,
        Choice("try_limit", "none"),
    ),
    fault(
        "row 5 is passed over",
        &["cincinnati", "wild16"],
        Choice("repeat", "truth"),
    ),
    fault(
        "row 5 where there is none",
        &["rand", "ks"],
        Choice("repeat", "nonsense"),
    ),
    fault(
        "row 5: repeat no is nonsense",
        &["umpire"],
        Choice("repeat", "nonsense"),
    ),
    fault(
        "nonsense is said aloud",
        &["ks", "wild16", "english"],
        Choice("nonsense_heard", "both"),
    ),
    fault(
        "nonsense is said to the mover alone",
        &["rand", "cincinnati"],
        Choice("nonsense_heard", "mover"),
    ),
    fault(
        "nonsense in its own word under wild16",
        &["wild16"],
        Choice("nonsense_word", "nonsense"),
    ),
    fault("no is said aloud", &["wild16"], Choice("no_heard", "both")),
    fault(
        "no is said to the mover alone",
        &["rand", "eastern"],
        Choice("no_heard", "mover"),
    ),
    fault(
        "a capture is said aloud",
        &["ks", "western", "eastern"],
        Choice("capture_heard", "both"),
    ),
    fault(
        "a capture is told to nobody",
        &["cincinnati", "western"],
        Choice("capture_heard", "victim"),
    ),
    fault(
        "a capture names the landing square",
        &["wild16", "berkeley"],
        Choice("capture_square", "landing"),
    ),
    fault(
        "a capture names where the man stood",
        &["bodlaender", "english"],
        Choice("capture_square", "stood"),
    ),
    fault(
        "a capture names no square",
        &["rand"],
        Choice("capture_square", "untold"),
    ),
    fault(
        "a capture does not say pawn or piece",
        &["wild16"],
        Choice("capture_man", "untold"),
    ),
    fault(
        "a capture names the man",
        &["rand"],
        Choice("capture_man", "exact"),
    ),
    fault(
        "en passant is not said",
        &["bodlaender"],
        Choice("en_passant", "silent"),
    ),
    fault(
        "en passant is said",
        &["english", "wild16"],
        Choice("en_passant", "said"),
    ),
    fault(
        "checks are not announced",
        &["cincinnati"],
        Choice("check", "silent"),
    ),
    fault(
        "checks have no direction",
        &["wild16"],
        Choice("check", "bare"),
    ),
    fault(
        "checks have a direction",
        &["eastern"],
        Choice("check", "directions"),
    ),
    fault(
        "pawn tries are not told",
        &["cincinnati"],
        Choice("pawn_tries", "silent"),
    ),
    fault(
        "pawn tries are whether, not how many",
        &["wild16"],
        Choice("pawn_tries", "whether"),
    ),
    fault(
        "doubles are not told apart",
        &["western"],
        Choice("pawn_tries", "squares"),
    ),
    fault(
        "pawn tries by the pawn's square",
        &["rand", "umpire"],
        Choice("pawn_try_square", "origin"),
    ),
    fault(
        "Any? twice is refused",
        &["eastern", "ks"],
        Choice("any_again", "refused"),
    ),
    fault(
        "Any? twice is answered",
        &["english", "berkeley-any"],
        Choice("any_again", "same"),
    ),
    fault(
        "Any? without pawns is no",
        &["bodlaender"],
        Choice("any_without_pawns", "no"),
    ),
    fault(
        "Any? without pawns is nonsense",
        &["english"],
        Choice("any_without_pawns", "nonsense"),
    ),
    fault(
        "promotions are not announced",
        &["rand", "ks+a"],
        Choice("promotion", "silent"),
    ),
    fault(
        "promotions are announced",
        &["wild16"],
        Choice("promotion", "side"),
    ),
    fault(
        "a promotion must name its man",
        &["ks", "umpire"],
        Choice("promotion_man", "named"),
    ),
    fault(
        "a promotion need not name its man",
        &["wild16"],
        Choice("promotion_man", "queen-unless-named"),
    ),
    fault(
        "under-promotion under umpire",
        &["umpire"],
        Choice("promotion_man", "queen-unless-named"),
    ),
    fault("no count of rebuffs", &["rand"], Choice("count", "absent")),
    fault(
        "no recapitulation",
        &["rand-ladder"],
        Choice("recap", "absent"),
    ),
    fault("no px", &["wild16"], Choice("px", "absent")),
    fault_when(
        "end: mate and stalemate are not seen",
        &["wild16", "cincinnati"],
        Style::Hunting,
        Choice("mates", "unseen"),
    ),
    fault_when(
        "end: mate is seen under umpire",
        &["umpire"],
        Style::Hunting,
        Choice("mates", "announced"),
    ),
    fault_when(
        "end: stalemate draws on the ladder",
        &["rand-ladder"],
        Style::Hunting,
        Choice("stalemate", "draw"),
    ),
    fault_from(
        "end: dead material goes on",
        &["wild16", "rand"],
        Kind::Ending,
        Choice("material", "off"),
    ),
    fault_from(
        "end: one minor each is dead",
        &["wild16", "rand"],
        Kind::Ending,
        Choice("material", "one-minor-each"),
    ),
    fault_from(
        "end: one minor each goes on",
        &["berkeley"],
        Kind::Ending,
        Choice("material", "dead"),
    ),
    fault_when(
        "end: no threefold",
        &["wild16"],
        Style::Shuffling,
        Choice("threefold", "off"),
    ),
    fault_when(
        "end: threefold where there is none",
        &["cincinnati"],
        Style::Shuffling,
        Choice("threefold", "on"),
    ),
    fault_when(
        "end: no fifty moves",
        &["wild16"],
        Style::Shuffling,
        Choice("fifty", "off"),
    ),
];

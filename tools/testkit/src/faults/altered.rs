//! Faults in which a choice has a wrong value.

use super::{Fault, Twist::Choice, fault, fault_from, fault_when};
use crate::{starts::Kind, walk::Style};

/// Faults in which exactly one choice is changed.
pub(super) const FAULTS: &[Fault] = &[
    fault(
        "row 2 is never applied",
        &["cincinnati", "ks", "wild16"],
        Choice("impossible", "no"),
    ),
    fault(
        "row 3 is not applied to pawn captures",
        &["cincinnati", "rand", "western"],
        Choice("announced_tries", "judged"),
    ),
    fault(
        "row 3 ignores the answer `none` to Any?",
        &["bodlaender", "eastern"],
        Choice("announced_tries", "judged"),
    ),
    fault(
        "row 3 is applied to pawn captures by mistake",
        &["wild16", "ks"],
        Choice("announced_tries", "nonsense"),
    ),
    fault(
        "row 3 is not applied to an announced check",
        &["rand"],
        Choice("announced_check", "judged"),
    ),
    fault(
        "row 3 rejects only castling in an announced check",
        &["rand"],
        Choice("announced_check", "castling"),
    ),
    fault_from(
        "row 3 does not reject castling in an announced check",
        &["western", "eastern"],
        Kind::Castling,
        Choice("announced_check", "judged"),
    ),
    fault(
        "row 4: the answer `yes` causes no obligation",
        &["bodlaender", "english"],
        Choice("obligation", "none"),
    ),
    fault(
        "row 4: a refused capture does not end the obligation",
        &["crazykrieg", "english"],
        Choice("obligation", "make"),
    ),
    fault(
        "row 4: a refused capture ends the obligation",
        &["eastern", "berkeley-any"],
        Choice("obligation", "try"),
    ),
    fault_when(
        "row 4: pawn captures have no limit",
        &["ks+p", "ks+ap"],
        Style::Pawns,
        Choice("try_limit", "none"),
    ),
    fault(
        "row 5 is never applied",
        &["cincinnati", "wild16"],
        Choice("repeat", "truth"),
    ),
    fault(
        "row 5: a repeat is nonsense by mistake",
        &["rand", "ks"],
        Choice("repeat", "nonsense"),
    ),
    fault(
        "row 5: a repeat is nonsense instead of repeat-no",
        &["umpire"],
        Choice("repeat", "nonsense"),
    ),
    fault(
        "nonsense is announced to everyone",
        &["ks", "wild16", "english"],
        Choice("nonsense_heard", "both"),
    ),
    fault(
        "nonsense is announced only to the mover",
        &["rand", "cincinnati"],
        Choice("nonsense_heard", "mover"),
    ),
    fault(
        "nonsense has a separate word under wild16",
        &["wild16"],
        Choice("nonsense_word", "nonsense"),
    ),
    fault(
        "the answer `no` is announced to everyone",
        &["wild16"],
        Choice("no_heard", "both"),
    ),
    fault(
        "the answer `no` is announced only to the mover",
        &["rand", "eastern"],
        Choice("no_heard", "mover"),
    ),
    fault(
        "a capture is announced to everyone",
        &["ks", "western", "eastern"],
        Choice("capture_heard", "both"),
    ),
    fault(
        "a capture is announced only to the victim",
        &["cincinnati", "western"],
        Choice("capture_heard", "victim"),
    ),
    fault(
        "a capture names the landing square",
        &["wild16", "berkeley"],
        Choice("capture_square", "landing"),
    ),
    fault(
        "a capture names the square of the captured man",
        &["bodlaender", "english"],
        Choice("capture_square", "stood"),
    ),
    fault(
        "a capture names no square",
        &["rand"],
        Choice("capture_square", "untold"),
    ),
    fault(
        "a capture does not tell whether a pawn was captured",
        &["wild16"],
        Choice("capture_man", "untold"),
    ),
    fault(
        "a capture names the role of the captured man",
        &["rand"],
        Choice("capture_man", "exact"),
    ),
    fault(
        "en passant is not announced",
        &["bodlaender"],
        Choice("en_passant", "silent"),
    ),
    fault(
        "en passant is announced",
        &["english", "wild16"],
        Choice("en_passant", "said"),
    ),
    fault(
        "checks are not announced",
        &["cincinnati"],
        Choice("check", "silent"),
    ),
    fault(
        "checks are announced without direction",
        &["wild16"],
        Choice("check", "bare"),
    ),
    fault(
        "checks are announced with a direction",
        &["eastern"],
        Choice("check", "directions"),
    ),
    fault(
        "pawn tries are not announced",
        &["cincinnati"],
        Choice("pawn_tries", "silent"),
    ),
    fault(
        "pawn tries are announced without their number",
        &["wild16"],
        Choice("pawn_tries", "whether"),
    ),
    fault(
        "squares for one or two pawns are announced alike",
        &["western"],
        Choice("pawn_tries", "squares"),
    ),
    fault(
        "pawn tries are announced by the pawn's square",
        &["rand", "umpire"],
        Choice("pawn_try_square", "origin"),
    ),
    fault(
        "a second Any? is refused",
        &["eastern", "ks"],
        Choice("any_again", "refused"),
    ),
    fault(
        "a second Any? is answered",
        &["english", "berkeley-any"],
        Choice("any_again", "same"),
    ),
    fault(
        "Any? without pawns is answered `no`",
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
        "promotions are announced by mistake",
        &["wild16"],
        Choice("promotion", "side"),
    ),
    fault(
        "a promotion must name the new role",
        &["ks", "umpire"],
        Choice("promotion_man", "named"),
    ),
    fault(
        "a promotion need not name the new role",
        &["wild16"],
        Choice("promotion_man", "queen-unless-named"),
    ),
    fault(
        "underpromotion is allowed under umpire",
        &["umpire"],
        Choice("promotion_man", "queen-unless-named"),
    ),
    fault(
        "the question for the count is refused",
        &["rand"],
        Choice("count", "absent"),
    ),
    fault(
        "the question for a recap is refused",
        &["rand-ladder"],
        Choice("recap", "absent"),
    ),
    fault("px is refused", &["wild16"], Choice("px", "absent")),
    fault_when(
        "end: mate and stalemate do not end the game",
        &["wild16", "cincinnati"],
        Style::Hunting,
        Choice("mates", "unseen"),
    ),
    fault_when(
        "end: mate ends the game under umpire",
        &["umpire"],
        Style::Hunting,
        Choice("mates", "announced"),
    ),
    fault_when(
        "end: stalemate is a draw under rand-ladder",
        &["rand-ladder"],
        Style::Hunting,
        Choice("stalemate", "draw"),
    ),
    fault_from(
        "end: dead material does not end the game",
        &["wild16", "rand"],
        Kind::Ending,
        Choice("material", "off"),
    ),
    fault_from(
        "end: one minor piece each is dead material",
        &["wild16", "rand"],
        Kind::Ending,
        Choice("material", "one-minor-each"),
    ),
    fault_from(
        "end: one minor piece each does not end the game",
        &["berkeley"],
        Kind::Ending,
        Choice("material", "dead"),
    ),
    fault_when(
        "end: threefold repetition does not end the game",
        &["wild16"],
        Style::Shuffling,
        Choice("threefold", "off"),
    ),
    fault_when(
        "end: threefold repetition ends the game by mistake",
        &["cincinnati"],
        Style::Shuffling,
        Choice("threefold", "on"),
    ),
    fault_when(
        "end: the fifty-move rule is not applied",
        &["wild16"],
        Style::Shuffling,
        Choice("fifty", "off"),
    ),
];

//! Table of cells. A cell is a case. If the choices of a ruleset make the case possible, the
//! stories of this ruleset must show it.

use std::{collections::BTreeMap, fmt::Write};

use rules::*;

type Needed = fn(&Choices) -> bool;

fn always(_: &Choices) -> bool {
    true
}

fn any(c: &Choices) -> bool {
    c.pawn_tries == PawnTries::OnRequest
}

fn told(c: &Choices) -> bool {
    c.pawn_tries != PawnTries::Silent
}

fn squares(c: &Choices) -> bool {
    c.pawn_tries == PawnTries::Squares
}

fn count(c: &Choices) -> bool {
    c.pawn_tries == PawnTries::Count
}

fn pairs(c: &Choices) -> bool {
    c.pawn_tries == PawnTries::SinglesAndDoubles
}

fn whether(c: &Choices) -> bool {
    c.pawn_tries == PawnTries::Whether
}

fn drops(c: &Choices) -> bool {
    c.reserve == ReserveUse::Drops
}

fn three(c: &Choices) -> bool {
    c.try_limit == TryLimit::Three
}

fn must_try(c: &Choices) -> bool {
    c.obligation == Obligation::Try
}

fn must_make(c: &Choices) -> bool {
    c.obligation == Obligation::Make
}

fn obliges(c: &Choices) -> bool {
    must_try(c) || must_make(c)
}

fn px(c: &Choices) -> bool {
    c.px == Px::Present
}

fn counted(c: &Choices) -> bool {
    c.count == QuestionRule::Aloud
}

fn recapped(c: &Choices) -> bool {
    c.recap == QuestionRule::Aloud
}

fn directions(c: &Choices) -> bool {
    c.check == CheckTold::Directions
}

fn dead(c: &Choices) -> bool {
    c.material != Material::Off
}

/// All cells, each with a function that returns whether the choices make the cell possible.
#[rustfmt::skip]
pub const CELLS: &[(&str, Needed)] = &[
    // Section 1 of the specification: the verdicts.
    ("0 not understood", always),
    ("1 not this player's turn", always),
    ("1 the game is over", always),
    ("1 no Any? here", |c| !any(c)),
    ("1 a second Any?", |c| any(c) && c.any_again == AnyAgain::Refused),
    ("1 no count here", |c| !counted(c)),
    ("1 no recap here", |c| !recapped(c)),
    ("1 no px here", |c| !px(c)),
    ("1 no drops here", |c| !drops(c)),
    ("1 px: the announced count is not 1", px),
    ("1 px: the promotion man is missing", px),
    ("1 px: a promotion man where none is due", px),
    ("1 no offer to accept", always),
    ("1 no offer to decline", always),
    ("1 no offer to withdraw", always),
    ("1 a second own offer", always),
    ("2 no own man on the origin", always),
    ("2 a movement that the man cannot make", always),
    ("2 an own man on the destination", always),
    ("2 an own man in the path", always),
    ("2 pawn: onto an own man", always),
    ("2 pawn: over or onto an own man", always),
    ("2 pawn: two squares from another rank", always),
    ("2 castling: the king has moved", always),
    ("2 castling: the rook has moved", always),
    ("2 castling: the rook was captured", always),
    ("2 castling: no right from the start", always),
    ("2 castling: an own man between", always),
    ("2 castling: an own man on b1 or b8", always),
    ("2 promotion man missing", |c| c.promotion_man == PromotionMan::Named),
    ("2 promotion man where none is due", always),
    ("2 promotion to a pawn or king", always),
    ("2 promotion to another man than a queen", |c| c.promotion_man == PromotionMan::QueenOnly),
    ("2 drop: not in reserve", drops),
    ("2 drop: onto an own man", drops),
    ("2 drop: a pawn on the first or last rank", drops),
    ("3 a pawn capture against the announcement", |c| c.announced_tries == AnnouncedTries::Nonsense),
    ("3 castling while a check is announced", |c| c.announced_check != AnnouncedCheck::Judged),
    ("3 the try cannot end the announced check", |c| c.announced_check == AnnouncedCheck::Answers),
    ("3 the try cannot end a double check", |c| c.announced_check == AnnouncedCheck::Answers),
    ("4 a pawn capture is due", obliges),
    ("4 no more pawn captures are allowed", three),
    ("5 a repeat is nonsense", |c| c.repeat == Repeat::Nonsense),
    ("5 a repeat is repeat-no", |c| c.repeat == Repeat::RepeatNo),
    ("5 a repeat is judged again", |c| c.repeat == Repeat::Truth),
    ("5 a repeat during an obligation", obliges),
    ("5 a repeat with another promotion man", |c| c.promotion_man != PromotionMan::QueenOnly),
    ("6 no", always),
    ("6 a refused try is judged again next turn", always),
    ("6 the king may not be left in check", always),
    ("6 a pinned pawn's capture", always),
    ("6 a pawn capture on an empty square", |c| c.announced_tries == AnnouncedTries::Judged || any(c) || whether(c)),
    ("6 a capture en passant too late", |c| c.announced_tries == AnnouncedTries::Judged || any(c)),
    ("6 a drop onto an unseen man", drops),
    ("6 a drop that does not end the check", drops),
    ("6 castling onto an attacked square", always),
    ("6 castling across an attacked square", always),
    ("6 castling past an unseen man", always),
    ("6 castling out of check", |c| c.announced_check == AnnouncedCheck::Judged),
    ("6 a move that does not end the check", |c| c.announced_check != AnnouncedCheck::Answers),
    ("7 moved", always),
    ("7 castling on the king's side", always),
    ("7 castling on the queen's side", always),
    ("7 a dropped pawn makes a double step", drops),
    ("7 a move ends the check", always),
    ("7 the checking man is taken", always),
    ("7 the checking pawn is taken en passant", always),
    ("7 a drop ends the check", drops),
    // Section 2: the announcements.
    ("a pawn is taken", always),
    ("a piece is taken", always),
    ("a promoted man is taken", always),
    ("a pawn is taken en passant", always),
    ("a promotion to a queen", always),
    ("a promotion to another man", |c| c.promotion_man != PromotionMan::QueenOnly),
    ("a promotion that names no man", |c| c.promotion_man != PromotionMan::Named),
    ("a drop", drops),
    ("check on the rank", always),
    ("check on the file", always),
    ("check on the long diagonal", always),
    ("check on the short diagonal", always),
    ("check by a knight", always),
    ("check by a pawn", always),
    ("double check with a knight", always),
    ("double check without a knight", always),
    ("check at the start", always),
    ("check with its direction", directions),
    ("check without direction", |c| c.check == CheckTold::Bare),
    ("tries: no", whether), ("tries: yes", whether),
    ("tries: 0", count), ("tries: 1", count), ("tries: more", count),
    ("tries: no square", squares), ("tries: one square", squares), ("tries: squares", squares),
    ("tries: no square for one or two pawns", pairs), ("tries: a square for one pawn", pairs), ("tries: a square for two pawns", pairs), ("tries: squares for one and for two pawns", pairs),
    ("Any?: yes", any), ("Any?: no", any),
    ("Any? again: the same", |c| any(c) && c.any_again == AnyAgain::Same),
    ("Any? without pawns: no", |c| any(c) && c.any_without_pawns == AnyWithoutPawns::No),
    ("Any? without pawns: nonsense", |c| any(c) && c.any_without_pawns == AnyWithoutPawns::Nonsense),
    ("a pinned pawn has no try", told),
    ("a promoting capture is one try", told),
    ("en passant is a try", told),
    ("a capture that leaves the check is not a try", told),
    ("two pawns reach one square", told),
    ("only the victim hears of a capture", |c| c.capture_heard == CaptureHeard::Victim),
    ("spectators do not hear of a capture", |c| c.capture_heard != CaptureHeard::Both),
    ("the answer no for the mover only", |c| c.no_heard == NoHeard::Mover),
    ("the answer no for everyone", |c| c.no_heard == NoHeard::Both),
    ("nonsense for the mover only", |c| c.nonsense_heard == NonsenseHeard::Mover),
    ("nonsense for everyone", |c| c.nonsense_heard == NonsenseHeard::Both),
    // Section 3.2: obligations and questions.
    ("the obligation is met by the answer no", must_try),
    ("the obligation is met by a move", obliges),
    ("the obligation is not met by nonsense", obliges),
    ("the obligation is not met by a repeat", obliges),
    ("the obligation is not met by the answer no", must_make),
    ("the answer yes without an obligation", |c| any(c) && !obliges(c)),
    ("count: none at the start", counted), ("count: of the current turn", counted), ("count: of the last turn", counted),
    ("count: a repeated answer no", counted), ("count: out of turn", counted),
    ("recap: nothing yet", recapped), ("recap: a capture", recapped), ("recap: a check", recapped), ("recap: out of turn", recapped),
    ("px plays the capture", px), ("px promotes", px), ("px: the man is not needed", px),
    ("a draw is offered", always), ("an offer is declined", always), ("an offer is withdrawn", always),
    ("an offer ends with the opponent's move", always), ("an offer stays open after the own move", always),
    ("both players offer a draw", always), ("an offer is accepted", always), ("a draw is offered out of turn", always),
    // Section 3.1: the ends.
    ("end: checkmate", always),
    ("end: stalemate is a draw", |c| c.stalemate == Stalemate::Draw),
    ("end: the stalemated player loses", |c| c.stalemate == Stalemate::Loses),
    ("end: two kings", dead),
    ("end: a knight", dead), ("end: a bishop", dead),
    ("end: bishops on one colour", dead),
    ("end: a minor each", |c| c.material == Material::OneMinorEach),
    ("no end: a minor each", |c| c.material != Material::OneMinorEach),
    ("no end: two kings", |c| c.material == Material::Off),
    ("no end: two minors", |c| c.material == Material::OneMinorEach),
    ("end: threefold", always), ("no end: threefold", always),
    ("no end: equal men, but other rights", always),
    ("end: fifty", always), ("no end: fifty", always),
    ("end: checkmate before fifty", always),
    ("end: exhausted, mate", three), ("end: exhausted, stalemate", three),
    ("end: resignation", always), ("end: resignation out of turn", always),
    ("end: agreement", always),
    ("end: the player without time loses", always), ("end: time against a bare king is a draw", always),
    ("end: abandoned", always), ("end: aborted", always),
    ("end: at the start", always),
    ("no end: checkmate", |c| c.mates == Mates::Unseen), ("no end: stalemate", |c| c.mates == Mates::Unseen),
];

/// Returns the table of cells and rulesets as text, and the cells that no story
/// shows.
pub fn table(seen: &BTreeMap<String, BTreeMap<&'static str, u32>>) -> (String, Vec<String>) {
    let mut table = String::new();
    let mut missing = Vec::new();
    for (row, name) in (0..).zip(rulesets::ALL.iter().map(|r| r.id.as_ref())) {
        let bars = " |".repeat(row);
        writeln!(table, "{:44}{bars} {name}", "").expect("writing to a string cannot fail");
    }
    for (cell, needed) in CELLS {
        write!(table, "{cell:44}").expect("writing to a string cannot fail");
        for ruleset in &rulesets::ALL {
            let shown = seen
                .get(ruleset.id.as_ref())
                .and_then(|counts| counts.get(cell))
                .copied()
                .unwrap_or(0);
            let needs = needed(&ruleset.choices);
            if needs && shown == 0 {
                missing.push(format!("{}: {cell}", ruleset.id));
            }
            let mark = match (needs, shown) {
                (false, 0) => ".".to_owned(),
                (true, 0) => "?".to_owned(),
                (_, 1..=9) => shown.to_string(),
                _ => "+".to_owned(),
            };
            write!(table, " {mark}").expect("writing to a string cannot fail");
        }
        table.push('\n');
    }
    (table, missing)
}

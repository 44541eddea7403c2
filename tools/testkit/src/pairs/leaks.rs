//! Leaks that are planted on purpose. The comparison of pairs must detect each
//! of them.

use std::fmt::Write;

use referee::Event;
use rules::{
    Attempt, Listener, NonsenseRow, Try,
    chess::{CastlingSide, Color, Role, Square, attacks},
};

use super::truth::Truth;

/// A planted leak, which reveals something of the true position to the
/// listener.
#[derive(Clone, Debug)]
pub struct Leak {
    /// Where the leak is, and what it reveals.
    pub name: &'static str,
    spoils: Spoils,
}

type Writes = fn(&Truth, &mut String);

#[derive(Clone, Debug)]
enum Spoils {
    Start(Writes),
    Heard(Writes),
    Silence(Writes),
    View(Writes),
    Tries(fn(&Truth, Vec<Try>) -> Vec<Try>),
    Row(fn(&Truth, Try, &mut Option<NonsenseRow>)),
    Refusal(fn(&Truth, Color, Attempt, &mut String)),
}

impl Leak {
    pub(super) fn spoil_start(&self, truth: &Truth, text: &mut String) {
        if let Spoils::Start(writes) = self.spoils {
            writes(truth, text);
        }
    }

    pub(super) fn spoil_heard(&self, truth: &Truth, text: &mut String) {
        if let Spoils::Heard(writes) = self.spoils {
            writes(truth, text);
        }
    }

    pub(super) fn spoil_silence(&self, truth: &Truth, text: &mut String) {
        if let Spoils::Silence(writes) = self.spoils {
            writes(truth, text);
        }
    }

    pub(super) fn spoil_view(&self, truth: &Truth, text: &mut String) {
        if let Spoils::View(writes) = self.spoils {
            writes(truth, text);
        }
    }

    pub(super) fn spoil_tries(&self, truth: &Truth, tries: &mut Vec<Try>) {
        if let Spoils::Tries(changes) = self.spoils {
            *tries = changes(truth, std::mem::take(tries));
        }
    }

    pub(super) fn spoil_row(&self, truth: &Truth, t: Try, row: &mut Option<NonsenseRow>) {
        if let Spoils::Row(changes) = self.spoils {
            changes(truth, t, row);
        }
    }

    pub(super) fn spoil_refusal(
        &self,
        truth: &Truth,
        color: Color,
        attempt: Attempt,
        text: &mut String,
    ) {
        if let Spoils::Refusal(writes) = self.spoils {
            writes(truth, color, attempt, text);
        }
    }
}

const fn leak(name: &'static str, spoils: Spoils) -> Leak {
    Leak { name, spoils }
}

/// All planted leaks.
pub const LEAKS: &[Leak] = &[
    leak(
        "start: the counters of the position",
        Spoils::Start(counters),
    ),
    leak(
        "start: the number of men of the other side",
        Spoils::Start(their_men),
    ),
    leak("heard: the half-move count", Spoils::Heard(half_moves)),
    leak(
        "heard: the number of events in the log",
        Spoils::Heard(log_length),
    ),
    leak(
        "heard: the number of events since the last move",
        Spoils::Heard(attempts_since_move),
    ),
    leak(
        "heard: the role of the man that moved",
        Spoils::Heard(man_who_moved),
    ),
    leak(
        "heard: squares sorted by the men on them",
        Spoils::Heard(squares_by_men),
    ),
    leak(
        "silence: an empty message for a private attempt",
        Spoils::Silence(empty_message),
    ),
    leak(
        "view: the castling rights of the other side",
        Spoils::View(their_rights),
    ),
    leak(
        "view: the en passant square before it is announced",
        Spoils::View(en_passant),
    ),
    leak(
        "view: the number of times that the position occurred",
        Spoils::View(repetition),
    ),
    leak(
        "view: the role of the captured man",
        Spoils::View(captured_man),
    ),
    leak(
        "view: whether castling is safe",
        Spoils::View(safe_castling),
    ),
    leak(
        "view: the number of men on the board",
        Spoils::View(all_men),
    ),
    leak(
        "view of the room: a draw offer between the players",
        Spoils::View(offer),
    ),
    leak(
        "tries: only legal tries are listed",
        Spoils::Tries(legal_only),
    ),
    leak(
        "tries: captures are listed first",
        Spoils::Tries(captures_first),
    ),
    leak(
        "nonsense: a try that is blocked by an unseen man",
        Spoils::Row(blocked),
    ),
    leak(
        "refusal: names the man on the target square",
        Spoils::Refusal(names_man),
    ),
    leak(
        "refusal: gives the number of attacked men",
        Spoils::Refusal(counts_attacked),
    ),
];

fn field(truth: &Truth, n: usize) -> String {
    let fen = truth.game.sheet().fen();
    fen.split(' ').nth(n).unwrap_or_default().to_owned()
}

// Writing to a string cannot fail, so the results of `write!` are ignored.

fn counters(truth: &Truth, text: &mut String) {
    let _ = write!(text, "{} {}", field(truth, 4), field(truth, 5));
}

fn their_men(truth: &Truth, text: &mut String) {
    let theirs = truth.board().by_color(truth.unseen());
    let _ = write!(text, "{}", theirs.count());
}

fn half_moves(truth: &Truth, text: &mut String) {
    text.push_str(&field(truth, 4));
}

fn log_length(truth: &Truth, text: &mut String) {
    let _ = write!(text, "{}", truth.log.len());
}

fn attempts_since_move(truth: &Truth, text: &mut String) {
    let moves = truth.log.iter().rev().skip(1);
    let since = moves.take_while(|e| !matches!(e, Event::Moved { .. }));
    let _ = write!(text, "{}", since.count());
}

fn man_who_moved(truth: &Truth, text: &mut String) {
    if let Some((by, what, before)) = truth.last_move()
        && by == truth.unseen()
        && let Some(from) = what.from()
    {
        let _ = write!(text, "{:?}", before.role_at(from));
    }
}

fn squares_by_men(truth: &Truth, text: &mut String) {
    let tries = truth.game.sheet().position().pawn_tries();
    let mut squares: Vec<Square> = tries.landings.into_iter().collect();
    squares.sort_by_key(|sq| truth.board().role_at(*sq).map(|role| role as u8));
    if text.contains("squares") {
        let _ = write!(text, "{squares:?}");
    }
}

fn empty_message(_: &Truth, text: &mut String) {
    text.push_str("[]\n");
}

fn their_rights(truth: &Truth, text: &mut String) {
    let rights = truth.game.sheet().position().castling(truth.unseen());
    let _ = write!(text, "{rights:?}");
}

fn en_passant(truth: &Truth, text: &mut String) {
    if let Some((by, what, before)) = truth.last_move()
        && by == truth.unseen()
        && let Some(from) = what.from()
        && before.role_at(from) == Some(Role::Pawn)
        && from.rank().distance(what.to().rank()) == 2
    {
        let _ = write!(text, "{}", what.to().file());
    }
}

fn repetition(truth: &Truth, text: &mut String) {
    let same = truth.boards.iter().filter(|board| *board == truth.board());
    let _ = write!(text, "{}", same.count());
}

fn captured_man(truth: &Truth, text: &mut String) {
    if let Some((by, what, before)) = truth.last_move()
        && truth.listener.color() == Some(by)
    {
        let _ = write!(text, "{:?}", before.role_at(what.to()));
    }
}

fn safe_castling(truth: &Truth, text: &mut String) {
    let position = truth.game.sheet();
    let position = position.position();
    let color = truth.unseen().other();
    for side in CastlingSide::ALL {
        let safe = position.castling(color).has(side)
            && attacks::between(position.king(color), side.king_to(color))
                .into_iter()
                .all(|sq| {
                    position
                        .attackers(sq, color.other(), position.occupied())
                        .is_empty()
                });
        let _ = write!(text, "{safe}");
    }
}

fn all_men(truth: &Truth, text: &mut String) {
    let _ = write!(text, "{}", truth.board().occupied().count());
}

fn offer(truth: &Truth, text: &mut String) {
    if truth.listener == Listener::Room {
        let _ = write!(text, "{:?}", truth.game.draw_offer());
    }
}

fn legal_only(truth: &Truth, mut tries: Vec<Try>) -> Vec<Try> {
    let sheet = truth.game.sheet();
    tries.retain(|t| sheet.position().is_legal(*t));
    tries
}

fn captures_first(truth: &Truth, mut tries: Vec<Try>) -> Vec<Try> {
    let theirs = truth.board().by_color(truth.unseen());
    tries.sort_by_key(|t| !theirs.contains(t.to()));
    tries
}

fn blocked(truth: &Truth, t: Try, row: &mut Option<NonsenseRow>) {
    if let Try::Step { from, to, .. } = t
        && (attacks::between(from, to) & truth.board().by_color(truth.unseen())).any()
    {
        *row = Some(NonsenseRow::Impossible);
    }
}

fn names_man(truth: &Truth, _: Color, attempt: Attempt, text: &mut String) {
    if let Attempt::Try(t) = attempt
        && let Some(role) = truth.board().role_at(t.to())
    {
        let _ = write!(text, ": a {role:?} stands on {}", t.to());
    }
}

fn counts_attacked(truth: &Truth, color: Color, _: Attempt, text: &mut String) {
    let sheet = truth.game.sheet();
    let position = sheet.position();
    let attacked = position
        .side(color.other())
        .into_iter()
        .filter(|sq| position.attackers(*sq, color, position.occupied()).any())
        .count();
    let _ = write!(text, ", and you attack {attacked} men");
}

//! The squares on which the opponent's lone king can be.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use rules::{
    CheckTold, Choices, Direction, Directions, Own, ReserveUse, Try,
    chess::{Bitboard, Color, Role, Square, attacks},
};

use solver::endgame::{OwnMen, Tables};

use super::{
    heard::{Fact, MoveFacts},
    hunt::Hunt,
};
use crate::attacks::{attacked, attackers};

/// An ending of a king and one man against a king has a table if the man has one of these roles.
/// The role whose table is computed fastest comes first.
pub(crate) const TABLED: [Role; 3] = [Role::Rook, Role::Queen, Role::Pawn];

/// Number of men that the opponent has besides the king at the usual start.
const OTHERS: usize = 15;

/// The squares on which the opponent's lone king can be. No possible square is missing, because the
/// set is computed from announcements only, not from a sample of positions.
///
/// It is computed only in games from the usual start position, and only if the ruleset tells the
/// player about own captures.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoneKing {
    /// Number of men that we have captured.
    captures: usize,
    /// Number of men that the opponent has dropped.
    drops: usize,
    /// Number of men that the opponent holds in reserve.
    held: usize,
    /// The possible squares; `None` until the opponent's last man besides the king is
    /// captured.
    kings: Option<Bitboard>,
    /// Our men after each of our moves since the opponent has only the king. The list restarts
    /// with a capture or a pawn move: its first item is our men after that move.
    pub placements: Vec<Own>,
}

impl LoneKing {
    /// Returns the possible squares, if the opponent has only the king. The set
    /// is not empty.
    pub fn kings(&self) -> Option<Bitboard> {
        self.kings.filter(|kings| kings.any() && self.held == 0)
    }

    /// Returns the number of men that the opponent still has, the king included.
    pub fn men_left(&self) -> usize {
        (OTHERS + 1 + self.drops).saturating_sub(self.captures)
    }

    /// Updates the possible squares with a fact. `before` are our men before this
    /// fact, `after` our men after this fact.
    pub fn learn(&mut self, choices: &Choices, fact: &Fact, before: &Own, after: &Own) {
        match fact {
            Fact::Refused(t) => {
                if let Some(kings) = &mut self.kings
                    && !before.is_pawn_capture(*t)
                    && !before.is_castling(*t)
                {
                    *kings = Hunt { choices }.refused(before, *kings, *t);
                }
            }
            Fact::Moved(told) if told.by == after.color => self.moved(choices, told, before, after),
            Fact::Moved(told) => {
                if choices.reserve == ReserveUse::Drops {
                    self.held += usize::from(told.lost.is_some());
                    if told.drop.is_some() {
                        self.held = self.held.saturating_sub(1);
                        self.drops += 1;
                        // The opponent has dropped a man, so the king is no longer alone.
                        self.kings = None;
                    }
                }
                self.replied(told, before);
                if told.lost.is_some() {
                    self.placements.clear();
                    self.placements.push(*after);
                }
            }
        }
    }

    /// Updates the possible squares with a move of ours.
    fn moved(&mut self, choices: &Choices, told: &MoveFacts, before: &Own, after: &Own) {
        if told.capture.is_some() {
            self.captures += 1;
            if self.men_left() == 1 {
                self.kings = Some(!after.all());
            }
        }
        let Some(kings) = &mut self.kings else {
            return;
        };
        if let Some(t) = told.played {
            *kings &= !Hunt { choices }.refused(before, *kings, t);
        }
        *kings = kings
            .into_iter()
            .filter(|king| agrees(choices.check, told.check, after, *king))
            .collect();
        let pawn = told
            .played
            .and_then(Try::from)
            .is_some_and(|from| before.men.pawn.contains(from));
        if pawn || told.capture.is_some() {
            self.placements.clear();
        }
        self.placements.push(*after);
    }

    /// Updates the possible squares with a move of the opponent's king. `before` are our men before
    /// this move.
    fn replied(&mut self, told: &MoveFacts, before: &Own) {
        let Some(kings) = &mut self.kings else {
            return;
        };
        let mut next = Bitboard::EMPTY;
        for king in *kings {
            let standing = before.all();
            let targets = match told.lost {
                Some((square, _)) => Bitboard::from_square(square),
                None => !standing,
            };
            let safe = !attacked(before, standing.without(king));
            // `safe` includes the squares of our unprotected men. We do not attack these squares,
            // so the king may capture there.
            next |= attacks::king_attacks(king) & targets & safe;
        }
        *kings = next;
    }
}

/// Returns whether the lone king can be on the square `king`, if `heard` was announced
/// about check after our move.
fn agrees(told: CheckTold, heard: Option<Directions>, after: &Own, king: Square) -> bool {
    let checkers = attackers(after, king, after.all().with(king));
    // The two kings are never on neighbouring squares.
    if (checkers & after.men.king).any() {
        return false;
    }
    match told {
        CheckTold::Silent => true,
        CheckTold::Bare => heard.is_some() == checkers.any(),
        CheckTold::Directions => {
            let directions: Directions = checkers
                .into_iter()
                .map(|checker| Direction::of(king, checker))
                .collect();
            directions == heard.unwrap_or_default()
        }
    }
}

/// Returns a try with its ranks mirrored if the player is Black.
pub(crate) fn turned(t: Try, color: Color) -> Try {
    let turn = |square: Square| match color {
        Color::White => square,
        Color::Black => square.flip_vertical(),
    };
    match t {
        Try::Step {
            from,
            to,
            promotion,
        } => Try::Step {
            from: turn(from),
            to: turn(to),
            promotion,
        },
        Try::Drop { role, to } => Try::Drop { role, to: turn(to) },
    }
}

/// Returns the king and the best man of a side that has only these two, or only a rook and minor
/// pieces besides the king. Returns `None` for other men, and for a best man without a table.
pub(crate) fn best_man(own: &Own) -> Option<Own> {
    let men = &own.men;
    let minors = men.knight | men.bishop;
    let best = (men.queen | men.rook | men.pawn).single_square()?;
    if minors.any() && !men.rook.contains(best) {
        return None;
    }
    let mut left = *own;
    for square in own.all() & !men.king.with(best) {
        left.lose(square);
    }
    Some(left)
}

/// Starts a thread that computes the tables of endings of a king and one man against a king. Does
/// nothing if this process has started such a thread for `told` before, or if checks are not
/// announced.
pub(crate) fn prepare_tables(told: CheckTold) {
    static DIRECTIONS: AtomicBool = AtomicBool::new(false);
    static BARE: AtomicBool = AtomicBool::new(false);
    let begun = match told {
        CheckTold::Directions => &DIRECTIONS,
        CheckTold::Bare => &BARE,
        CheckTold::Silent => return,
    };
    if !begun.swap(true, Ordering::Relaxed) {
        // If the thread cannot be started, the tables are computed when they are needed.
        let _thread = thread::Builder::new().spawn(move || compute_tables(told, &TABLED));
    }
}

/// For each of these roles, computes the table of the ending of a king and a man of this role
/// against a king. Skips tables that are computed already.
pub(crate) fn compute_tables(told: CheckTold, roles: &[Role]) {
    let Some(tables) = Tables::for_rules(told) else {
        return;
    };
    for role in roles {
        if let Some(men) = OwnMen::new(Square::A1, &[(*role, Square::C3)]) {
            tables.distances(men);
            tables.solved(men);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Attempt, Reserve, Wings, chess::Board, rulesets};

    fn own(board: &str) -> Own {
        let board: Board = board.parse().expect("the text is a board");
        Own::of(&board, Color::White, Wings::NONE, Reserve::EMPTY)
    }

    fn fact(by: Color, played: Option<&str>, check: Option<&str>) -> MoveFacts {
        let played = played.map(|text| match text.parse() {
            Ok(Attempt::Try(t)) => t,
            _ => panic!("{text} must be a try"),
        });
        let check = check.map(|text| {
            let one: Direction = text.parse().expect("the text is a direction");
            [one].into_iter().collect()
        });
        MoveFacts {
            by,
            played,
            lost: None,
            capture: None,
            drop: None,
            check,
        }
    }

    #[test]
    fn squares_of_the_king_follow_from_checks_and_moves() {
        let choices = &rulesets::by_id("wild16").expect("a ruleset").choices;
        let (before, after) = (own("8/8/8/8/8/8/8/R3K3"), own("8/8/8/8/8/8/R7/4K3"));
        let mut lone = LoneKing {
            captures: OTHERS,
            kings: Some([Square::H8, Square::B2, Square::D5].into_iter().collect()),
            ..LoneKing::default()
        };
        let rank = Fact::Moved(fact(Color::White, Some("a1a2"), Some("rank")));
        lone.learn(choices, &rank, &before, &after);
        assert_eq!(lone.kings(), Some(Bitboard::from_square(Square::B2)));
        let reply = Fact::Moved(fact(Color::Black, None, None));
        lone.learn(choices, &reply, &after, &after);
        // The king left the rank of the rook, did not go to the file of the rook, and captured
        // nothing.
        let expected = [Square::B3, Square::C3, Square::B1, Square::C1];
        assert_eq!(lone.kings(), Some(expected.into_iter().collect()));
        let refused = Fact::Refused(Try::step(Square::E1, Square::D2));
        lone.learn(choices, &refused, &after, &after);
        let expected = [Square::C3, Square::C1];
        assert_eq!(lone.kings(), Some(expected.into_iter().collect()));
    }

    #[test]
    fn squares_of_the_king_are_known_from_the_last_capture() {
        let choices = &rulesets::by_id("wild16").expect("a ruleset").choices;
        let after = own("8/8/8/8/8/8/R7/4K3");
        let mut lone = LoneKing {
            captures: OTHERS - 1,
            ..LoneKing::default()
        };
        assert_eq!(lone.kings(), None);
        let capture = rules::Capture {
            square: Some(Square::A2),
            man: None,
            en_passant: false,
        };
        let told = MoveFacts {
            capture: Some(capture),
            ..fact(Color::White, None, None)
        };
        lone.learn(choices, &Fact::Moved(told), &after, &after);
        let kings = lone.kings().expect("the king is alone");
        assert!(kings.contains(Square::H8) && !kings.contains(Square::H2));
        assert!(!kings.contains(Square::D1));
    }

    #[test]
    fn tables_are_ready_after_they_are_computed() {
        let tables = Tables::for_rules(CheckTold::Bare).expect("checks are announced");
        let rook = OwnMen::of(&own("8/8/8/8/8/8/8/R3K3")).expect("these men have a table");
        assert!(!tables.is_ready(rook));
        compute_tables(CheckTold::Bare, &TABLED[..1]);
        assert!(tables.is_ready(rook));
    }

    #[test]
    fn king_with_a_reserve_or_a_dropped_man_is_not_lone() {
        let choices = &rulesets::by_id("crazykrieg").expect("a ruleset").choices;
        let men = own("8/8/8/8/8/8/R7/4K3");
        let mut lone = LoneKing {
            captures: OTHERS,
            kings: Some(Bitboard::from_square(Square::B3)),
            ..LoneKing::default()
        };
        let taken = MoveFacts {
            lost: Some((Square::A2, Role::Rook)),
            ..fact(Color::Black, None, None)
        };
        let after = own("8/8/8/8/8/8/8/4K3");
        lone.learn(choices, &Fact::Moved(taken), &men, &after);
        assert_eq!((lone.kings(), lone.men_left()), (None, 1));
        let dropped = MoveFacts {
            drop: Some(Role::Rook),
            ..fact(Color::Black, None, None)
        };
        lone.learn(choices, &Fact::Moved(dropped), &after, &after);
        assert_eq!((lone.kings(), lone.men_left()), (None, 2));
    }
}

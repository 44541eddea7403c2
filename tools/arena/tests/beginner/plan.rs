//! A player that follows the plan for beginners. docs/bots.md describes the plan in words.

use std::collections::HashMap;

use bots::Player;
use rules::{
    Announcement, Attempt, Heard, Own, Reply, Tries, Try, Verdict,
    chess::{Bitboard, ByRole, Rank, Role, Square, attacks},
};
use views::PlayerView;

/// Number of own moves after which pieces are expected to be developed.
const OPENING: u32 = 10;

/// The player begins to mate with two queens when the opponent has at most this number of men
/// besides the king.
const FEW_LEFT: u32 = 0;

/// A player that follows the plan. The plan does not consider where the opponent's men can be, and
/// uses no random numbers.
#[derive(Default)]
pub(crate) struct Plan {
    /// The square on which the last move of the opponent captured a man.
    lost: Option<Square>,
    /// How often each placement of the own men occurred.
    placements: HashMap<ByRole<Bitboard>, u32>,
    counted: Option<ByRole<Bitboard>>,
    moves: u32,
    /// Number of men that the plan has captured.
    taken: u32,
    own_move: bool,
    /// Whether the two queens climb the ladder (see [`LADDER`]).
    climbs: bool,
}

/// The steps of the ladder. In each step the two queens are on neighbouring files and protect each
/// other. From one step to the next, one queen moves.
const LADDER: [[Square; 2]; 7] = [
    [Square::A1, Square::B2],
    [Square::A3, Square::B2],
    [Square::A3, Square::B4],
    [Square::A5, Square::B4],
    [Square::A5, Square::B6],
    [Square::A7, Square::B6],
    [Square::A7, Square::B8],
];

/// Returns the steps of the ladder, on the left or on the right side of the board.
fn ladder(right: bool) -> [[Square; 2]; 7] {
    let side = |square: Square| {
        if right {
            square.flip_horizontal()
        } else {
            square
        }
    };
    LADDER.map(|step| step.map(side))
}

fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}

/// Returns the squares that a man attacks if only the own men are in the way.
fn attacked(own: &Own, from: Square, role: Role) -> Bitboard {
    attacks::attacks(from, role.of(own.color), own.all())
}

/// Returns the squares that the own men protect.
fn protected(own: &Own) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for (role, men) in own.men.zip_role() {
        for from in men {
            all |= attacked(own, from, role);
        }
    }
    all
}

/// Returns how many ranks a square is from the own first rank.
fn advance(own: &Own, square: Square) -> i32 {
    let first = own.color.relative_rank(Rank::First);
    square.rank().distance(first) as i32
}

impl Plan {
    /// Returns the next move of the ladder, if there are two queens. The queens climb from one edge
    /// of the board to the other. Then they climb back, because the opponent's king can be behind
    /// them.
    fn ladder(&mut self, own: &Own, tries: &[Try]) -> Option<Try> {
        let queens = own.men.queen;
        if !queens.more_than_one() || 15 - self.taken > FEW_LEFT {
            return None;
        }
        let find =
            |from: Square, to: Square| tries.iter().find(|t| **t == Try::step(from, to)).copied();
        for steps in [ladder(false), ladder(true)] {
            let on = |step: &[Square; 2]| step.iter().all(|square| queens.contains(*square));
            if let Some(at) = steps.iter().position(on) {
                for _ in 0..2 {
                    let next = if self.climbs {
                        at + 1
                    } else {
                        at.wrapping_sub(1)
                    };
                    let Some(step) = steps.get(next) else {
                        self.climbs = !self.climbs;
                        continue;
                    };
                    for (from, to) in steps[at].into_iter().zip(*step) {
                        if from != to
                            && let Some(t) = find(from, to)
                        {
                            return Some(t);
                        }
                    }
                    self.climbs = !self.climbs;
                }
                return None;
            }
        }
        // Move a queen towards the step of the ladder that needs the fewest further moves. If several
        // steps need equally few, choose the step that is nearest to an end of the ladder.
        let free = |square: Square| queens.contains(square) || !own.all().contains(square);
        let mut best: Option<(usize, Try)> = None;
        for t in tries {
            let Try::Step { from, .. } = *t else { continue };
            if !queens.contains(from) {
                continue;
            }
            let mut after = *own;
            after.play(*t);
            for steps in [ladder(false), ladder(true)] {
                for (at, step) in steps.iter().enumerate() {
                    if !step.iter().all(|square| free(*square)) {
                        continue;
                    }
                    let missing = |square: &&Square| !after.men.queen.contains(**square);
                    let left: usize = step
                        .iter()
                        .filter(missing)
                        .map(|square| {
                            let others = after.men.queen
                                & !Bitboard::from_square(step[0])
                                & !Bitboard::from_square(step[1]);
                            let reaches = |from: Square| {
                                attacked(&after, from, Role::Queen).contains(*square)
                            };
                            if others.into_iter().any(reaches) {
                                10
                            } else {
                                20
                            }
                        })
                        .sum();
                    let cost = left + at.min(6 - at);
                    if best.is_none_or(|(least, _)| cost < least) {
                        best = Some((cost, *t));
                    }
                }
            }
        }
        best.map(|(_, t)| t)
    }

    /// Returns how good a try is by the rules of the plan.
    fn worth(&self, own: &Own, t: Try) -> i32 {
        let (Try::Step { from, .. }, mut after) = (t, *own) else {
            return 0;
        };
        after.play(t);
        let to = t.to();
        let role = own.role_at(from).unwrap_or(Role::Pawn);
        let safe = protected(&after);
        let mut sum = 0;
        // Keep your men protected, above all the man that moves and the men far from their first
        // squares.
        for (role, men) in after.men.zip_role() {
            if role != Role::King {
                for square in men & !safe {
                    let far = if advance(own, square) >= 3 { 3 } else { 1 };
                    sum -= far * value(role);
                }
            }
        }
        if role != Role::King && role != Role::Pawn && advance(own, to) >= 4 {
            sum -= 2 * value(role);
        }
        // Develop, and castle.
        let minor = matches!(role, Role::Knight | Role::Bishop);
        if self.moves < OPENING {
            if minor && advance(own, from) == 0 {
                sum += 12;
            }
            if role == Role::Pawn && (Bitboard::CENTER).contains(to) {
                sum += 10;
            }
            if matches!(role, Role::Queen | Role::Rook | Role::King) {
                sum -= 10;
            }
        }
        if own.is_castling(t) {
            sum += 25;
        }
        // Advance the pawns one after the other, the most advanced one first, and let the king follow.
        let few = self.moves > 40;
        if role == Role::Pawn && self.moves >= OPENING {
            let togo = 7 - advance(own, to);
            sum += if safe.contains(to) || few {
                10 - togo
            } else {
                2
            };
            sum += i32::from(few) * 2 * advance(own, to);
        }
        if role == Role::King && few {
            let pawns = own.men.pawn.into_iter();
            let near = |king: Square| {
                pawns
                    .clone()
                    .map(|pawn| 10 * advance(own, pawn) - 4 * king.distance(pawn) as i32)
                    .max()
            };
            sum += near(to).unwrap_or(0) - near(from).unwrap_or(0);
        }
        // Let the men reach many squares, and avoid placements that occurred before.
        let reach = |own: &Own| {
            let men = own.men.zip_role().into_iter();
            men.filter(|(role, _)| *role != Role::King)
                .flat_map(|(role, men)| men.into_iter().map(move |from| (role, from)))
                .map(|(role, from)| (attacked(own, from, role) & !own.all()).count() as i32)
                .sum::<i32>()
        };
        sum += (reach(&after) - reach(own)) / 2;
        sum - 8 * self.placements.get(&after.men).copied().unwrap_or(0) as i32
    }
}

/// Returns the value of the man that makes a try.
fn mover(own: &Own, t: Try) -> i32 {
    match t {
        Try::Step { from, .. } => own.role_at(from).map_or(0, value),
        Try::Drop { role, .. } => value(role),
    }
}

impl Player for Plan {
    fn hear(&mut self, heard: &Heard) {
        if let Heard::Reply(Reply::Verdict {
            verdict: Verdict::Moved,
            attempt,
            ..
        }) = heard
        {
            self.lost = None;
            self.own_move = attempt.is_some();
            self.moves += u32::from(self.own_move);
        }
        if let Heard::Announced(Announcement::Capture(_)) = heard {
            self.taken += u32::from(self.own_move);
        }
        if let Heard::Lost { square, .. } = heard {
            self.lost = Some(*square);
        }
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        let own = view.own();
        if self.counted != Some(own.men) {
            *self.placements.entry(own.men).or_default() += 1;
            self.counted = Some(own.men);
        }
        // Capture back, with the cheapest man.
        let back = tries.iter().filter(|t| self.lost == Some(t.to()));
        // Promote to a queen.
        let queens = |t: &&Try| {
            matches!(
                t,
                Try::Step {
                    promotion: Some(Role::Queen),
                    ..
                }
            )
        };
        // Make the pawn captures that the referee announces.
        let announced = matches!(view.turn().tries, Tries::Count(n) if n > 0);
        let captures = |t: &&Try| announced && own.is_pawn_capture(**t);
        let first = back
            .min_by_key(|t| mover(own, **t))
            .or_else(|| tries.iter().find(queens))
            .or_else(|| tries.iter().find(captures))
            .copied();
        if let Some(t) = first.or_else(|| self.ladder(own, tries)) {
            return Attempt::Try(t);
        }
        let best = || tries.iter().max_by_key(|t| self.worth(own, **t));
        best().map_or(Attempt::Resign, |t| Attempt::Try(*t))
    }
}

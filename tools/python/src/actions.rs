//! Action ids: a number for each attempt that a seat can make, the same under every ruleset.
//!
//! | ids | attempts |
//! | --- | --- |
//! | 0 to 1791 | steps without promotion that a queen or a knight can make on an empty board, in the order of origin and target (a1, b1, ..., h8) |
//! | 1792 to 1967 | promotions: 88 of White, 88 of Black; by file of origin, file of target, man (knight, bishop, rook, queen) |
//! | 1968 to 1980 | `px`, `px=n`, `px=b`, `px=r`, `px=q`, `any`, `count`, `recap`, `resign`, `offer-draw`, `accept-draw`, `decline-draw`, `withdraw-draw` |
//! | 1981 to 2300 | drops: by man (pawn, knight, bishop, rook, queen) and square |

use std::sync::LazyLock;

use rules::{
    Attempt, Try,
    chess::{Bitboard, Color, File, Rank, Role, Square, attacks},
};

/// Version of the table. A change of any id changes the version.
pub const VERSION: u32 = 1;
/// Number of ids.
pub const COUNT: usize = 2301;

const STEPS: usize = 1792;
const WORDS: usize = STEPS + 2 * 22 * 4;
const DROPS: usize = WORDS + 13;
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

const NONE: u16 = u16::MAX;

struct Table {
    attempts: Vec<Attempt>,
    /// Id of each step, by origin and target; [`NONE`] for steps that are not in the table.
    steps: Box<[[u16; 64]; 64]>,
}

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

impl Table {
    fn new() -> Table {
        let mut attempts = Vec::with_capacity(COUNT);
        let mut steps = Box::new([[NONE; 64]; 64]);
        for from in Square::ALL {
            for to in reach(from) {
                steps[from.to_usize()][to.to_usize()] = attempts.len() as u16;
                attempts.push(Try::step(from, to).into());
            }
        }
        for color in [Color::White, Color::Black] {
            for from in File::ALL {
                for to in File::ALL {
                    if from.distance(to) > 1 {
                        continue;
                    }
                    attempts.extend(PROMOTIONS.map(|role| {
                        Attempt::Try(Try::Step {
                            from: Square::from_coords(from, color.relative_rank(Rank::Seventh)),
                            to: Square::from_coords(to, color.relative_rank(Rank::Eighth)),
                            promotion: Some(role),
                        })
                    }));
                }
            }
        }
        attempts.push(Attempt::Px { promotion: None });
        attempts.extend(PROMOTIONS.map(|role| Attempt::Px {
            promotion: Some(role),
        }));
        attempts.extend([
            Attempt::Any,
            Attempt::Count,
            Attempt::Recap,
            Attempt::Resign,
            Attempt::OfferDraw,
            Attempt::AcceptDraw,
            Attempt::DeclineDraw,
            Attempt::WithdrawDraw,
        ]);
        for role in Role::ALL {
            if role != Role::King {
                attempts.extend(Square::ALL.map(|to| Attempt::Try(Try::Drop { role, to })));
            }
        }
        Table { attempts, steps }
    }
}

/// Squares that a queen or a knight reaches from a square of the empty board.
fn reach(from: Square) -> Bitboard {
    attacks::queen_attacks(from, Bitboard::EMPTY) | attacks::knight_attacks(from)
}

/// Returns the attempt with this id; `None` if the id is not in the table.
pub fn attempt(id: usize) -> Option<Attempt> {
    TABLE.attempts.get(id).copied()
}

/// Returns the id of a try; `None` for tries that no man could make on an empty board.
#[inline]
pub fn id_of_try(t: Try) -> Option<usize> {
    match t {
        Try::Step {
            from,
            to,
            promotion: None,
        } => {
            let id = TABLE.steps[from.to_usize()][to.to_usize()];
            (id != NONE).then_some(id.into())
        }
        Try::Step {
            from,
            to,
            promotion: Some(role),
        } => {
            let color = match (from.rank(), to.rank()) {
                (Rank::Seventh, Rank::Eighth) => 0,
                (Rank::Second, Rank::First) => 1,
                _ => return None,
            };
            let man = PROMOTIONS.iter().position(|r| *r == role)?;
            let (from, to) = (from.file() as usize, to.file() as usize);
            (from.abs_diff(to) <= 1).then(|| STEPS + color * 88 + (2 * from + to) * 4 + man)
        }
        Try::Drop { role, to } => {
            (role != Role::King).then(|| DROPS + (role as usize - 1) * 64 + to.to_usize())
        }
    }
}

/// Returns the id of an attempt; `None` if the table does not have it.
pub fn id(attempt: Attempt) -> Option<usize> {
    match attempt {
        Attempt::Try(t) => id_of_try(t),
        Attempt::Px { .. }
        | Attempt::Any
        | Attempt::Count
        | Attempt::Recap
        | Attempt::Resign
        | Attempt::OfferDraw
        | Attempt::AcceptDraw
        | Attempt::DeclineDraw
        | Attempt::WithdrawDraw => {
            let words = &TABLE.attempts[WORDS..DROPS];
            words.iter().position(|a| *a == attempt).map(|i| WORDS + i)
        }
    }
}

/// Id of the question Any?.
pub const ANY: usize = WORDS + 5;
/// Id of resignation.
pub const RESIGN: usize = WORDS + 8;

//! Mended guesses: if too few guesses agree with what was heard, older guesses
//! are changed until they agree.

use rules::{
    CapturedMan, Choices, Direction, Own, Reserve, Wings,
    chess::{Bitboard, ByRole, Color, Role, Square},
};

use super::{
    belief::{Now, Weighted},
    guess::Guess,
};
use crate::dice::Dice;

/// Maximum number of changed guesses that are tested for each wanted guess.
const ATTEMPTS_PER_GUESS: usize = 40;

/// Makes guesses by changing guesses from `sources`. Calls `found` with up to `wanted` new guesses
/// that agree with what is known of this turn.
///
/// `settled` is true if the last move was already played in `sources`. If no changed guess agrees,
/// `found` gets other changed guesses: possible positions in which the refused tries are illegal.
pub(crate) fn more(
    choices: &Choices,
    now: &Now,
    to_move: Color,
    (sources, settled): (&[Weighted], bool),
    wanted: usize,
    dice: &mut Dice,
    mut found: impl FnMut(Guess),
) {
    let mut left = wanted;
    let mut possible = Vec::new();
    for _ in 0..wanted * ATTEMPTS_PER_GUESS {
        let mut other = match pick(sources, dice) {
            Some(w) if w.guess.mover.color == now.own.color => w.guess.other,
            Some(w) => w.guess.mover,
            None => invented(&now.own, dice),
        };
        settle(now, &mut other, settled || sources.is_empty(), dice);
        if to_move == now.own.color {
            give_check(now, &mut other, dice);
        }
        for _ in 0..dice.below(4) {
            shift(now, &mut other, dice);
        }
        let (mover, other) = if to_move == now.own.color {
            (now.own, other)
        } else {
            (other, now.own)
        };
        let guess = Guess {
            mover,
            other,
            passed: None,
        };
        if !guess.is_possible() {
            continue;
        }
        if possible.len() < wanted && now.refused.iter().all(|t| guess.play(*t).is_none()) {
            possible.push(guess);
        }
        if now.admits(choices, &guess) {
            found(guess);
            left -= 1;
            if left == 0 {
                return;
            }
        }
    }
    if left == wanted {
        possible.into_iter().for_each(found);
    }
}

fn pick<'a>(sources: &'a [Weighted], dice: &mut Dice) -> Option<&'a Weighted> {
    let n = u32::try_from(sources.len()).unwrap_or(u32::MAX);
    sources.get(dice.below(n) as usize)
}

/// Moves the other side's men so that they agree with our own men and with the
/// last capture.
fn settle(now: &Now, other: &mut Own, settled: bool, dice: &mut Dice) {
    let standing = now.own.all();
    // If we have just captured, a guessed man on one of our squares is the captured man, so it is
    // removed.
    let told = now.told.as_ref();
    let took = told.filter(|told| told.by == now.own.color && !settled);
    let hit = other.all() & standing;
    let mut taken = took.is_none_or(|told| told.capture.is_none());
    for square in hit {
        if other.men.king.contains(square) {
            other.men.king.discard(square);
            if let Some(to) = any(!(standing | other.all()), dice) {
                other.men.king.add(to);
            }
        } else if taken {
            relocate(other, square, standing, dice);
        } else {
            other.lose(square);
            taken = true;
        }
    }
    if !taken {
        let pawn = took.and_then(|told| told.capture).is_some_and(|capture| {
            capture.man.is_some_and(|man| {
                matches!(man, CapturedMan::Pawn | CapturedMan::Exactly(Role::Pawn))
            })
        });
        let kinds = if pawn {
            other.men.pawn
        } else {
            other.all() & !other.men.king & !other.men.pawn
        };
        if let Some(square) = any(kinds, dice) {
            other.lose(square);
        }
    }
    // If we lost a man, there must be a man of the other side on the square of the capture.
    if let Some((square, _)) = told.and_then(|told| told.lost)
        && !other.all().contains(square)
        && !standing.contains(square)
        && let Some(from) = any(other.all(), dice)
    {
        put(other, from, square);
    }
}

/// If a check was announced, puts a man on a square so that it gives that check.
fn give_check(now: &Now, other: &mut Own, dice: &mut Dice) {
    let (Some(king), Some(directions)) = (now.own.king(), now.told.and_then(|told| told.check))
    else {
        return;
    };
    let standing = now.own.all();
    let direction = directions
        .iter()
        .next()
        .or_else(|| dice.pick(&Direction::ALL));
    let Some(direction) = direction else {
        return;
    };
    let men = &other.men;
    let able = match direction {
        Direction::Rank | Direction::File => men.rook | men.queen,
        Direction::Long | Direction::Short => men.bishop | men.queen,
        Direction::Knight => men.knight,
    };
    let line = direction.reach(king, standing);
    // If a man already gives this check, usually nothing is changed.
    if (able & line).any() && !dice.once_in(4) {
        return;
    }
    let free = line & !(standing | other.all());
    if let (Some(from), Some(to)) = (any(able, dice), any(free, dice)) {
        put(other, from, to);
    }
}

/// Moves one man to another square. Does not move the man that captured our man.
fn shift(now: &Now, other: &mut Own, dice: &mut Dice) {
    let hitter = now
        .told
        .and_then(|told| told.lost)
        .map_or(Bitboard::EMPTY, |(square, _)| Bitboard::from_square(square));
    if let Some(from) = any(other.all() & !hitter, dice) {
        relocate(other, from, now.own.all(), dice);
    }
}

fn relocate(other: &mut Own, from: Square, standing: Bitboard, dice: &mut Dice) {
    let free = !(standing | other.all());
    let free = if other.men.pawn.contains(from) {
        let file = Bitboard::from_file(from.file());
        let near = (file | file.shift(1) | file.shift(-1)) & free & !Bitboard::BACKRANKS;
        if dice.once_in(4) {
            free & !Bitboard::BACKRANKS
        } else {
            near
        }
    } else {
        free
    };
    if let Some(to) = any(free, dice) {
        put(other, from, to);
    }
}

/// Moves a man from one square to another.
fn put(other: &mut Own, from: Square, to: Square) {
    if let Some(role) = other.role_at(from) {
        other.lose(from);
        if role == Role::King || role == Role::Rook {
            other.castling = Wings::NONE;
        }
        // On the first or last rank, a pawn becomes a queen.
        let role = if role == Role::Pawn && Bitboard::BACKRANKS.contains(to) {
            Role::Queen
        } else {
            role
        };
        other.men.get_mut(role).add(to);
    }
}

/// Returns invented men of the other side, for the case that there is no older guess.
/// There is one invented man for each of our men, often on the mirrored square.
fn invented(own: &Own, dice: &mut Dice) -> Own {
    let mut other = Own {
        color: own.color.other(),
        men: ByRole::default(),
        castling: Wings::NONE,
        reserve: Reserve::EMPTY,
    };
    let mut free = !own.all();
    for (role, squares) in own.men.zip_role() {
        for square in squares {
            let likely = square.flip_vertical();
            let allowed = if role == Role::Pawn {
                free & !Bitboard::BACKRANKS
            } else {
                free
            };
            let to = if allowed.contains(likely) && !dice.once_in(3) {
                Some(likely)
            } else {
                any(allowed, dice)
            };
            if let Some(to) = to {
                other.men.get_mut(role).add(to);
                free.discard(to);
            }
        }
    }
    other
}

/// Returns a random square of the set; `None` if the set is empty.
fn any(squares: Bitboard, dice: &mut Dice) -> Option<Square> {
    let n = u32::try_from(squares.count()).unwrap_or(0);
    let skip = dice.below(n);
    squares.into_iter().nth(skip as usize)
}

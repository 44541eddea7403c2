//! Guesses of the other side's men. Guesses that contradict what is heard are
//! removed.

use rules::{
    Choices, Own, Reserve, Try,
    chess::{Bitboard, Board, Color, Role},
};

use super::{
    guess::Guess,
    mend,
    told::{Fact, MoveFacts},
    worth::material,
};
use crate::dice::Dice;

/// Maximum number of guesses.
const MOST: usize = 256;

/// Maximum number of guesses when the other side has at most 4 men. Then each guess has few moves,
/// so there is time for more guesses.
const MOST_OF_FEW: usize = 1024;

/// Mended guesses are added if there are fewer guesses than this number. A mended guess was changed
/// until it agreed with what was heard in this turn. None are added in two cases: the other side
/// has a lone king, or every possible position is among the remaining guesses.
const FEW: usize = 24;

/// A guess and its weight.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Weighted {
    /// The guess.
    pub guess: Guess,
    /// Weight of the guess, in proportion to its probability.
    pub weight: f32,
}

/// Belief of a seat. Usual guesses agree with everything that the seat heard. Mended guesses agree
/// only with what the seat heard in this turn.
#[derive(Clone, Debug)]
pub(crate) struct Belief {
    /// The guesses after the last fact.
    pub guesses: Vec<Weighted>,
    /// The guesses before the last fact.
    before: Vec<Weighted>,
    /// Whether every possible position is among the guesses.
    all: bool,
    /// Facts of this turn.
    pub now: Now,
    /// Temporary list. Its memory is used again in each update.
    spare: Vec<Weighted>,
}

/// Facts of the current turn. A mended guess must agree with them.
#[derive(Clone, Debug)]
pub(crate) struct Now {
    /// Our men.
    pub own: Own,
    /// What was heard about the last move.
    pub told: Option<MoveFacts>,
    /// Our tries that were refused in this turn.
    pub refused: Vec<Try>,
    /// Answer to our question Any? in this turn.
    pub any: Option<bool>,
}

impl Now {
    /// Returns whether a guess agrees with what is known of this turn.
    pub fn admits(&self, choices: &Choices, guess: &Guess) -> bool {
        guess.is_possible()
            && self.told.is_none_or(|told| {
                let hit = told.lost.is_none_or(|(square, _)| {
                    guess.other.color != told.by || guess.other.all().contains(square)
                });
                // If we lost a pawn, it may have been captured en passant. Then no man is on the
                // square of the captured pawn.
                let in_passing = told.lost.is_some_and(|(_, man)| man == Role::Pawn);
                (hit || in_passing) && told.fits(choices, guess)
            })
            && self.refused.iter().all(|t| guess.play(*t).is_none())
            && self
                .any
                .is_none_or(|any| any == (guess.pawn_captures().count > 0))
    }
}

impl Belief {
    /// Returns the belief of a seat at the start of a game. `others` are the
    /// possible men of the other side.
    pub fn new(own: Own, others: &[Own]) -> Belief {
        let guess = |other: &Own| {
            let white = own.color == Color::White;
            let (mover, other) = if white { (own, *other) } else { (*other, own) };
            Weighted {
                guess: Guess {
                    mover,
                    other,
                    passed: None,
                },
                weight: 1.0,
            }
        };
        Belief {
            guesses: others
                .iter()
                .map(guess)
                .filter(|w| w.guess.is_possible())
                .collect(),
            before: Vec::new(),
            all: true,
            now: Now {
                own,
                told: None,
                refused: Vec::new(),
                any: None,
            },
            spare: Vec::new(),
        }
    }

    /// Returns the belief of a seat in a game from the usual start position.
    pub fn initial(color: Color) -> Belief {
        let board = Board::new();
        let side = |color| Own::of(&board, color, rules::Wings::BOTH, Reserve::EMPTY);
        Belief::new(side(color), &[side(color.other())])
    }

    /// If the other side has a lone king with a probability of at least 97 %,
    /// returns the possible squares of this king.
    pub fn lone_king(&self) -> Option<Bitboard> {
        let (mut bare, mut all, mut kings) = (0.0, 0.0, Bitboard::EMPTY);
        for Weighted { guess, weight } in &self.guesses {
            all += weight;
            if guess.other.all() == guess.other.men.king {
                bare += weight;
                kings |= guess.other.men.king;
            }
        }
        (all > 0.0 && bare >= 0.97 * all).then_some(kings)
    }

    /// Returns our material minus the opponent's material, in pawns: the weighted mean over the
    /// guesses.
    pub fn ahead(&self) -> f32 {
        let all: f32 = self.guesses.iter().map(|w| w.weight).sum();
        let sum: f32 = self
            .guesses
            .iter()
            .map(|w| w.weight * (material(&w.guess.mover) - material(&w.guess.other)))
            .sum();
        sum / all.max(f32::MIN_POSITIVE)
    }

    /// Returns the probability that we have a legal pawn capture.
    pub fn pawn_capture(&self) -> f32 {
        let (mut has, mut all) = (0.0, 0.0);
        for Weighted { guess, weight } in &self.guesses {
            all += weight;
            if guess.pawn_captures().count > 0 {
                has += weight;
            }
        }
        if all > 0.0 { has / all } else { 0.5 }
    }

    /// Returns the square where the last move captured a man of ours. Empty if it captured none.
    pub fn hit(&self) -> Bitboard {
        self.now
            .told
            .and_then(|told| told.lost)
            .map_or(Bitboard::EMPTY, |(square, _)| Bitboard::from_square(square))
    }

    /// Discards all guesses. Makes new guesses that agree with our men and with
    /// what was heard about the last move.
    pub fn restart(&mut self, choices: &Choices, own: Own, dice: &mut Dice) {
        self.now.own = own;
        self.guesses.clear();
        self.before.clear();
        self.mend_if_few(choices, dice);
    }

    /// Sets the reserves in all guesses. The reserves are public.
    pub fn set_reserves(&mut self, own: Reserve, other: Reserve) {
        for Weighted { guess, .. } in &mut self.guesses {
            guess.mover.reserve = own;
            guess.other.reserve = other;
        }
    }

    /// Updates the guesses with one fact.
    pub fn learn(&mut self, choices: &Choices, fact: &Fact, dice: &mut Dice) {
        self.before.clear();
        std::mem::swap(&mut self.before, &mut self.guesses);
        match fact {
            Fact::Moved(told) => {
                told.follow(&mut self.now.own);
                self.now.told = Some(*told);
                self.now.refused.clear();
                self.now.any = None;
                match told.played {
                    Some(t) if told.by == self.now.own.color => self.moved(choices, told, t),
                    Some(_) | None => self.replied(choices, told, dice),
                }
            }
            Fact::Refused(t) => {
                self.now.refused.push(*t);
                self.keep(|guess| guess.play(*t).is_none());
            }
            Fact::Any { by, answer } => {
                let own = *by == self.now.own.color;
                if own {
                    self.now.any = Some(*answer);
                }
                let has = |guess: &Guess| guess.pawn_captures().count > 0;
                self.keep(|guess| has(guess) == *answer);
                if !own && self.guesses.is_empty() {
                    std::mem::swap(&mut self.before, &mut self.guesses);
                }
            }
        }
        self.mend_if_few(choices, dice);
    }

    /// Copies the guesses of `before` for which `wanted` returns true.
    fn keep(&mut self, wanted: impl Fn(&Guess) -> bool) {
        self.guesses
            .extend(self.before.iter().filter(|w| wanted(&w.guess)).copied());
    }

    /// Plays our own move in the guesses.
    fn moved(&mut self, choices: &Choices, told: &MoveFacts, t: Try) {
        for &Weighted { guess, weight } in &self.before {
            let t = guess.mover.with_default_promotion(t, choices.promotion_man);
            if let Some((guess, taken)) = guess.play(t)
                && told.fits_capture(choices, taken)
                && told.fits(choices, &guess)
            {
                self.guesses.push(Weighted { guess, weight });
            }
        }
        merge(&mut self.guesses);
    }

    /// Plays all moves of the other side that agree with what was heard.
    fn replied(&mut self, choices: &Choices, told: &MoveFacts, dice: &mut Dice) {
        for &Weighted { guess, weight } in &self.before {
            if let Some(role) = told.drop {
                for to in !guess.occupied() {
                    let mut guess = guess;
                    guess.mover.reserve.add(role);
                    if let Some((guess, _)) = guess.play(Try::Drop { role, to })
                        && told.fits(choices, &guess)
                    {
                        self.guesses.push(Weighted { guess, weight });
                    }
                }
                continue;
            }
            let passed = guess.passed.map_or(Bitboard::EMPTY, Bitboard::from_square);
            let landings = match told.lost {
                None => !guess.other.all() & !passed,
                Some((square, _)) => Bitboard::from_square(square) | passed,
            };
            // All moves that the other side could make are assumed to be equally likely, so their
            // number is counted.
            let mut could = 0_u16;
            guess.any(Bitboard::FULL, |_| {
                could += 1;
                false
            });
            let weight = weight / f32::from(could.max(1));
            let guesses = &mut self.guesses;
            // If we lost nothing, the other side did not capture en passant. But a man of the other
            // side may have moved to the square that our pawn passed.
            let free = told.lost.is_none().then_some(passed & !guess.other.all());
            guess.any(landings | free.unwrap_or(Bitboard::EMPTY), |t| {
                if let Some((guess, taken)) = guess.play(t)
                    && taken.map(|taken| taken.square) == told.lost.map(|(square, _)| square)
                    && told.fits(choices, &guess)
                {
                    guesses.push(Weighted { guess, weight });
                }
                false
            });
        }
        let few = self
            .guesses
            .first()
            .is_some_and(|w| w.guess.other.all().count() <= 4);
        let most = if few { MOST_OF_FEW } else { MOST };
        if self.guesses.len() <= 8 * MOST {
            merge(&mut self.guesses);
        }
        self.thin(most, dice);
    }

    /// Reduces the guesses to at most `most`, by drawing them in proportion to
    /// their weights.
    fn thin(&mut self, most: usize, dice: &mut Dice) {
        if self.guesses.len() <= most {
            return;
        }
        self.all = false;
        let total: f32 = self.guesses.iter().map(|w| w.weight).sum();
        let step = total / most as f32;
        let mut next = step * dice.below(1 << 16) as f32 / 65_536.0;
        let mut reached = 0.0;
        self.spare.clear();
        for &Weighted { guess, weight } in &self.guesses {
            reached += weight;
            let mut weight = 0.0;
            while next < reached && self.spare.len() < most {
                weight += 1.0;
                next += step;
            }
            if weight > 0.0 {
                self.spare.push(Weighted { guess, weight });
            }
        }
        std::mem::swap(&mut self.guesses, &mut self.spare);
        merge(&mut self.guesses);
    }

    /// Adds mended guesses if few guesses are left.
    fn mend_if_few(&mut self, choices: &Choices, dice: &mut Dice) {
        let left = self.guesses.len();
        if left >= FEW || (self.all && left > 0) {
            return;
        }
        self.all = false;
        // If the other side has a lone king, the guesses already contain all possible squares of
        // this king.
        let alone = |w: &Weighted| {
            let guess = &w.guess;
            let other = if guess.mover.color == self.now.own.color {
                &guess.other
            } else {
                &guess.mover
            };
            other.all() == other.men.king
        };
        if self.guesses.first().is_some_and(alone) {
            return;
        }
        let to_move = match self.now.told {
            Some(told) => told.by.other(),
            None => Color::White,
        };
        // Mended guesses get less weight, because they need not agree with everything that was
        // heard.
        let trusted: f32 = self.guesses.iter().map(|w| w.weight).sum();
        let (sources, weight) = if left == 0 {
            (&self.before, 1.0)
        } else {
            (&self.guesses, 0.15 * trusted / FEW as f32)
        };
        self.spare.clear();
        let spare = &mut self.spare;
        let found = |guess| spare.push(Weighted { guess, weight });
        mend::more(
            choices,
            &self.now,
            to_move,
            (sources, left > 0),
            2 * FEW,
            dice,
            found,
        );
        self.guesses.append(&mut self.spare);
    }
}

/// Merges equal guesses and adds their weights.
fn merge(guesses: &mut Vec<Weighted>) {
    guesses.sort_by_cached_key(|w| w.guess.key());
    guesses.dedup_by(|later, first| {
        let same = later.guess == first.guess;
        if same {
            first.weight += later.weight;
        }
        same
    });
    // The greatest weight becomes 1, so that weights cannot become too large or
    // too small for an `f32`.
    let most = guesses.iter().map(|w| w.weight).fold(0.0, f32::max);
    if most > 0.0 {
        for w in guesses {
            w.weight /= most;
        }
    }
}

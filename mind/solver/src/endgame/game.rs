//! Games against the best-evading king, and counts of their results.

use std::{cmp::Reverse, collections::HashMap};

use rules::chess::{Bitboard, Color, Role, Square};

use super::{
    OwnMen, SolvedTable, Tables, TryOutcome,
    advice::{Advice, Estimate, moves_left, support},
    placements::represented,
    weights::{Weights, equal_weights},
};

/// Result of a game against the best-evading king.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum HuntEnd {
    /// The mating side gave mate. The number is that of the mating move, counted from 1.
    Mate(u8),
    /// The king took a man.
    Lost,
    /// Stalemate.
    Stalemate,
    /// The same position occurred three times.
    Threefold,
    /// Draw by the fifty-move rule, or no mate within 150 own moves.
    Fifty,
}

/// Results of many games against the best-evading king.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct HuntTally {
    /// Number of games.
    pub games: u64,
    /// `mates[n]` is the number of games in which own move n + 1 gave mate.
    pub mates: Vec<u64>,
    /// Games in which the king took a man.
    pub lost: u64,
    /// Stalemates.
    pub stalemates: u64,
    /// Draws by threefold repetition.
    pub threefold: u64,
    /// Draws by the fifty-move rule, and games without a mate within 150 own moves.
    pub fifty: u64,
}

/// Maximum number of own moves in a game. A game can be longer than fifty moves, because pawn moves
/// restart the count of the fifty-move rule. A game of this length ends as [`HuntEnd::Fifty`].
const MAX_MOVES: usize = 150;

impl Default for HuntTally {
    fn default() -> HuntTally {
        HuntTally {
            games: 0,
            mates: vec![0; MAX_MOVES],
            lost: 0,
            stalemates: 0,
            threefold: 0,
            fifty: 0,
        }
    }
}

impl HuntTally {
    /// Counts a game.
    pub fn add(&mut self, end: HuntEnd) {
        self.games += 1;
        match end {
            HuntEnd::Mate(moves) => self.mates[usize::from(moves).clamp(1, MAX_MOVES) - 1] += 1,
            HuntEnd::Lost => self.lost += 1,
            HuntEnd::Stalemate => self.stalemates += 1,
            HuntEnd::Threefold => self.threefold += 1,
            HuntEnd::Fifty => self.fifty += 1,
        }
    }

    /// Adds the games of another tally.
    pub fn merge(&mut self, other: &HuntTally) {
        self.games += other.games;
        for (sum, mates) in self.mates.iter_mut().zip(&other.mates) {
            *sum += mates;
        }
        self.lost += other.lost;
        self.stalemates += other.stalemates;
        self.threefold += other.threefold;
        self.fifty += other.fifty;
    }

    /// Returns the number of games that ended by mate within this number of own moves.
    pub fn mated_within(&self, moves: usize) -> u64 {
        self.mates.iter().take(moves).sum()
    }
}

/// A sequence of random numbers from a seed: the generator SplitMix64.
#[derive(Clone, Debug)]
pub struct SeededNumbers(u64);

impl SeededNumbers {
    /// Returns the sequence with this seed.
    pub const fn new(seed: u64) -> SeededNumbers {
        SeededNumbers(seed)
    }

    /// Returns a number below `bound`. `bound` must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed % bound as u64) as usize
    }

    /// Returns one of the squares, or `None` if there is none.
    pub fn one_of(&mut self, squares: Bitboard) -> Option<Square> {
        let count = squares.count();
        (count > 0).then(|| squares.into_iter().nth(self.below(count)))?
    }
}

/// Returns a random start of a game: the men on random squares, and the possible squares of the
/// lone king. Starts that `is_fair` rejects are left out, and so are squares from which the king
/// attacks an unprotected man.
pub fn random_start(roles: &[Role], random: &mut SeededNumbers) -> (OwnMen, Bitboard) {
    loop {
        let king = Square::new(random.below(64) as u32);
        let others: Vec<(Role, Square)> = roles
            .iter()
            .map(|role| (*role, Square::new(random.below(64) as u32)))
            .collect();
        let Some(men) = OwnMen::new(king, &others) else {
            continue;
        };
        let kings = men.possible_kings() & !men.exposing();
        if kings.any() && is_fair(men) {
            return (men, kings);
        }
    }
}

/// Returns every start that [`random_start`] can return for a king and one man of this role. Of
/// several starts that are images of each other by symmetry, returns only one. The starts are
/// sorted by the rank of this man: the starts with the man on the highest rank come first.
pub(super) fn starts(table: &SolvedTable, role: Role) -> Vec<(OwnMen, Bitboard)> {
    let mut starts: Vec<(OwnMen, Bitboard)> = table
        .placements()
        .iter()
        .filter(|men| men.others()[0].0 == role && is_fair(**men))
        .map(|men| (*men, men.possible_kings() & !men.exposing()))
        .filter(|(_, kings)| kings.any())
        .collect();
    starts.sort_by_key(|(men, _)| Reverse(men.others()[0].1.rank()));
    starts
}

/// Whether games can start with these men. Two bishops must be on squares of different colours. A
/// pawn must not be on the a-file or h-file, and the own king must be next to the pawn.
fn is_fair(men: OwnMen) -> bool {
    match *men.others() {
        [(Role::Bishop, one), (Role::Bishop, two)] => one.is_light() != two.is_light(),
        [(Role::Pawn, pawn)] => {
            (1..7).contains(&pawn.file().to_u32()) && pawn.distance(men.king()) == 1
        }
        _ => true,
    }
}

/// A player of endings. The player remembers advice, so that many games take less time.
pub struct Hunter<'a> {
    tables: &'a Tables,
    /// Forced mates. The key consists of the men and the possible squares of the king.
    sure: HashMap<(OwnMen, u64), Advice>,
    /// Other advice. The key consists of the arguments of [`Tables::advice`].
    open: HashMap<(OwnMen, [u32; 64], u32, Vec<OwnMen>), Advice>,
}

impl<'a> Hunter<'a> {
    /// Creates a player with these tables.
    pub fn new(tables: &'a Tables) -> Hunter<'a> {
        Hunter {
            tables,
            sure: HashMap::new(),
            open: HashMap::new(),
        }
    }

    /// Plays a game. The mating side is to move first. The player knows only that the lone king is
    /// on one of the squares `kings`. The king is in fact on the square `king`. The lone king sees
    /// everything. The lone king captures a man if it can. Otherwise it makes the move that delays
    /// the mate for the longest time. If several moves are equally good, `random` chooses one of
    /// them.
    pub fn play(
        &mut self,
        men: OwnMen,
        kings: Bitboard,
        king: Square,
        random: &mut SeededNumbers,
    ) -> HuntEnd {
        // All images of a start are played in the same way, so that more advice can be reused.
        let (men, symmetry) = represented(men);
        let (mut men, mut king) = (men, symmetry.square(king));
        let kings = Bitboard(symmetry.set(kings.0));
        let mut weights = equal_weights(kings, Color::White);
        // The start is the first occurrence of its position.
        let mut past = vec![men];
        let mut stood: HashMap<(OwnMen, Square), u8> = HashMap::new();
        let mut half_moves = 0;
        for moves in 1..=MAX_MOVES as u8 {
            let times = stood.entry((men, king)).or_default();
            *times += 1;
            if *times == 3 {
                return HuntEnd::Threefold;
            }
            if half_moves >= 100 {
                return HuntEnd::Fifty;
            }
            let advice = self.advice(men, &weights, half_moves, &past);
            let mut accepted = None;
            for tried in advice.iter().flat_map(|advice| &advice.tries) {
                let outcome = TryOutcome::of(
                    men,
                    *tried,
                    support(&weights),
                    self.tables.check_announcement(),
                );
                if !outcome.refused.contains(king) {
                    accepted = Some((*tried, outcome));
                    break;
                }
                for square in outcome.legal() {
                    weights[square.to_usize()] = 0.0;
                }
            }
            let Some((tried, outcome)) = accepted else {
                // This line is never reached, because the advice has a try for every possible
                // square.
                return HuntEnd::Fifty;
            };
            if outcome.mate.contains(king) {
                return HuntEnd::Mate(moves);
            }
            if outcome.stalemate.contains(king) {
                return HuntEnd::Stalemate;
            }
            let is_pawn_move = men.is_pawn_move(tried);
            let Some(distances) = self.tables.distances(outcome.men) else {
                return HuntEnd::Lost;
            };
            let replies = distances.best_replies(outcome.men, king);
            let heard = outcome.heard.iter().find(|heard| heard.contains(king));
            let (Some(to), Some(heard)) = (random.one_of(replies), heard) else {
                return HuntEnd::Stalemate;
            };
            if outcome.men.squares().contains(to) {
                return HuntEnd::Lost;
            }
            weights = self
                .tables
                .replied(&outcome, &weights, *heard)
                .unwrap_or(weights);
            men = outcome.men;
            king = to;
            if is_pawn_move {
                // A pawn move starts the count again, so the king's reply is half-move number 1.
                half_moves = 1;
                past.clear();
                stood.clear();
            } else {
                half_moves += 2;
            }
            past.push(men);
        }
        HuntEnd::Fifty
    }

    fn advice(
        &mut self,
        men: OwnMen,
        weights: &Weights,
        half_moves: u32,
        past: &[OwnMen],
    ) -> Option<Advice> {
        let kings = support(weights);
        if let Some(advice) = self.sure.get(&(men, kings.0))
            && matches!(advice.estimate, Estimate::MateIn(moves) if moves <= moves_left(half_moves))
            && !advice
                .tries
                .iter()
                .any(|tried| past.contains(&men.after(*tried)))
        {
            return Some(advice.clone());
        }
        let key = (men, weights.map(f32::to_bits), half_moves, past.to_vec());
        if let Some(advice) = self.open.get(&key) {
            return Some(advice.clone());
        }
        let advice = self.tables.advice(men, weights, half_moves, past)?;
        match advice.estimate {
            Estimate::Chance { .. } => {
                self.open.insert(key, advice.clone());
            }
            // Advice that depends on the earlier placements of this game is not stored, because it
            // may be wrong in another game.
            Estimate::MateIn(_) => {
                let tries = men.tries();
                if !tries.iter().any(|tried| past.contains(&men.after(*tried))) {
                    self.sure.insert((men, kings.0), advice.clone());
                }
            }
        }
        Some(advice)
    }
}

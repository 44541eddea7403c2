//! A family of games: a first game, and games that begin almost like it.

use belief::Watch;
use bots::{Dice, Seed};
use rules::{Ruleset, chess::Color};
use solver::search::Solver;

use super::{
    game::{FORESIGHT, GamePlan, GameStart, MadeGame, altered, play},
    plan::{MAX_MOVES, Plan},
    search::{MadeProblem, Search, Wanted},
};

/// A family ends when this number of further games have a mate of at least [`Family::most`] own
/// moves. The first game does not count.
const MAX_FULL: u32 = 8;
/// For each further game, at most this number of altered start positions are made. The first
/// valid position that was not used before is taken.
const MAX_ALTERED: usize = 20;

/// Numbers of failures in a family. A failure is a mate that could not be turned into a near miss.
/// The index is the number of own moves of the mate.
type Failures = [usize; MAX_MOVES as usize + 1];

/// A family of games, in which problems are looked for.
pub(super) struct Family<'a> {
    pub(super) plan: &'static Plan,
    pub(super) ruleset: &'static Ruleset,
    /// Seed of the run, and number of the family.
    pub(super) seed: Seed,
    /// Greatest number of own moves of the problems that the run asks for.
    pub(super) most: u8,
    pub(super) wanted: &'a Wanted,
    pub(super) watch: &'a Watch,
    pub(super) stop: &'a dyn Fn() -> bool,
}

impl Family<'_> {
    /// Plays the games, and returns the problems that were found in them. Each further game begins
    /// almost like one earlier game, which is called the base: one man of the base's start position
    /// is on another square. At first, the base is the first game. If the longest mate of a further
    /// game is at least as long as every earlier mate, this further game becomes the base of the
    /// next games.
    pub(super) fn problems(&self, solver: &mut Solver) -> Vec<MadeProblem> {
        let mut made = Vec::new();
        let mut failures = Failures::default();
        let mut dice = Dice::new(self.seed);
        let mut base = GameStart::random(self.plan, self.ruleset, &mut dice);
        let first = (base.clone(), FORESIGHT);
        let Some(mut longest) = self.game(0, first, dice, solver, &mut failures, &mut made) else {
            return made;
        };
        let mut tried = vec![base.fen.clone()];
        // Number of further games with a mate of at least `self.most` own moves.
        let mut full = 0;
        for variant in 1.. {
            let enough = full >= MAX_FULL || variant > self.plan.variants[usize::from(longest)];
            if enough || (self.stop)() {
                break;
            }
            let mut dice = Dice::new(Seed {
                seed: self.seed.seed.wrapping_add(variant << 32),
                ..self.seed
            });
            let Some(start) = self.altered(&base, &tried, &mut dice) else {
                break;
            };
            tried.push(start.fen.clone());
            let foresight = (longest + 1).min(self.most);
            let game = (start.clone(), foresight);
            let Some(found) = self.game(variant, game, dice, solver, &mut failures, &mut made)
            else {
                break;
            };
            full += u32::from(found >= self.most);
            if found >= longest {
                longest = found;
                base = start;
            }
        }
        made
    }

    /// Returns the start position of `base` with one man moved to another square. The position is not
    /// one of `tried`.
    fn altered(
        &self,
        base: &GameStart,
        tried: &[Option<String>],
        dice: &mut Dice,
    ) -> Option<GameStart> {
        let fen = base.fen.as_ref()?;
        let colors = [Color::White, Color::Black];
        let altered = || altered(fen, &colors, self.ruleset, dice);
        let fen = std::iter::repeat_with(altered)
            .take(MAX_ALTERED)
            .find(|fen| fen.is_some() && !tried.contains(fen))??;
        Some(GameStart {
            fen: Some(fen),
            ..*base
        })
    }

    /// Plays a game, and looks for problems in it. Returns the number of own moves of the longest
    /// mate that was found, or `None` if the work was stopped.
    fn game(
        &self,
        variant: u64,
        (start, foresight): (GameStart, u8),
        dice: Dice,
        solver: &mut Solver,
        failures: &mut Failures,
        made: &mut Vec<MadeProblem>,
    ) -> Option<u8> {
        let plan = GamePlan {
            ruleset: self.ruleset,
            seed: self.seed,
            variant,
            start,
            foresight,
            dice,
        };
        let game: MadeGame = play(plan, solver, self.watch)?;
        let mut search = Search {
            plan: self.plan,
            game: &game,
            solver,
            wanted: self.wanted,
            failures,
            earlier: made,
            watch: self.watch,
            stop: self.stop,
        };
        let (found, longest) = search.run();
        let confirmed: Vec<_> = found.iter().filter_map(|one| search.confirm(one)).collect();
        made.extend(confirmed);
        Some(longest.unwrap_or(0))
    }
}

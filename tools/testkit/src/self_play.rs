//! Random games of three kinds, to test properties of every position.

use rand::{Rng, RngExt, seq::IndexedRandom};
use referee::Game;
use rules::{Attempt, Try, chess::Role};

/// How a side chooses among its legal moves.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Play {
    /// Every legal move is equally likely.
    Random,
    /// A capture with probability 4/5, if there is one; otherwise any legal
    /// move.
    Aggressive,
    /// With probability 4/5 a move that is neither a capture nor a pawn move,
    /// if there is one; otherwise any legal move.
    Quiet,
}

impl Play {
    /// All three kinds.
    pub const ALL: [Play; 3] = [Play::Random, Play::Aggressive, Play::Quiet];

    /// Chooses a legal move of the side to move; `None` if there is none.
    pub fn choose(self, game: &Game, rng: &mut impl Rng) -> Option<Try> {
        let sheet = game.sheet();
        let legal = sheet.legal_tries();
        let takes = |t: &Try| sheet.position().captured_by(*t).is_some();
        let pawn = |t: &Try| {
            let from = t.from();
            from.is_some_and(|sq| sheet.position().role_at(sq) == Some(Role::Pawn))
        };
        let wanted: Vec<Try> = match self {
            Play::Random => Vec::new(),
            Play::Aggressive => legal.iter().copied().filter(takes).collect(),
            Play::Quiet => {
                let quiet = |t: &Try| !takes(t) && !pawn(t);
                legal.iter().copied().filter(quiet).collect()
            }
        };
        let keen = rng.random_bool(0.8);
        let from = if keen && !wanted.is_empty() {
            &wanted
        } else {
            &legal
        };
        from.choose(rng).copied()
    }

    /// Chooses the attempts of one turn: sometimes Any?, sometimes another
    /// imaginable try of the man that will move, and then a legal move. Empty
    /// if there is no legal move.
    pub fn turn(self, game: &Game, rng: &mut impl Rng) -> Vec<Attempt> {
        let (Some(by), Some(legal)) = (game.to_move(), self.choose(game, rng)) else {
            return Vec::new();
        };
        let own = game.sheet().position().own(by);
        let mut attempts = Vec::new();
        if rng.random_bool(0.2) {
            attempts.push(Attempt::Any);
        }
        if rng.random_bool(0.3)
            && let Some(from) = legal.from()
        {
            let role = own.role_at(from).unwrap_or(Role::Pawn);
            let targets: Vec<_> = own.targets(role, from, own.all()).into_iter().collect();
            if let Some(to) = targets.choose(rng) {
                attempts.push(Attempt::Try(Try::step(from, *to)));
            }
        }
        attempts.push(Attempt::Try(legal));
        attempts
    }
}

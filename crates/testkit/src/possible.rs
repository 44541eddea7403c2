//! Every history that one seat can have heard so, by brute force over the slow
//! oracle: no kernel, no set of squares, no reasoning about refusals.
//!
//! ```
//! use rules::{Attempt, chess::Color, rulesets};
//! use testkit::{oracle::Oracle, possible::Possible, umpire::Action};
//!
//! let wild16 = rulesets::by_id("wild16").expect("a named ruleset").choices;
//! let mut truth = Oracle::open("wild16", wild16, None).expect("the usual start");
//! let mut black = Possible::open(Color::Black, vec![truth.clone()]);
//! let action = Action::Attempt(Color::White, "e2e4".parse().expect("an attempt"));
//! let answered = truth.attempt(Color::White, "e2e4".parse().expect("one")).expect("a turn");
//! black.hear(action, &answered.heard[1]);
//! assert_eq!(black.positions().len(), 20);
//! ```

use std::collections::{BTreeSet, HashSet};

use rules::{
    Attempt, Heard, Impossible, NoHeard, Threefold, Try,
    chess::{Color, Role, Square},
};

use crate::{oracle::Oracle, umpire::Action};

/// The games that one seat can have heard so.
#[derive(Clone, Debug)]
pub struct Possible {
    seat: Color,
    games: Vec<Oracle>,
}

/// The names of two games that no listener and no future can tell apart.
fn name(game: &Oracle) -> String {
    let histories = game.choices().threefold == Threefold::On;
    game.sameness(histories, game.choices().no_heard == NoHeard::Mover)
}

/// Returns the index of a seat's column.
fn column(seat: Color) -> usize {
    match seat {
        Color::White => 0,
        Color::Black => 1,
    }
}

impl Possible {
    /// A seat's games as they open: those that open as the first does for it.
    pub fn open(seat: Color, games: Vec<Oracle>) -> Possible {
        let mut possible = Possible { seat, games };
        let at = column(seat);
        if let Some(first) = possible.games.first() {
            let (start, opening) = (first.starts(), first.opening());
            possible
                .games
                .retain(|game| game.starts()[at] == start[at] && game.opening()[at] == opening[at]);
        }
        possible
    }

    /// Returns the number of games that are kept apart.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The positions, as FEN without counters.
    pub fn positions(&self) -> BTreeSet<String> {
        let fens = self.games.iter().map(Oracle::fen);
        fens.map(|fen| fen.split(' ').take(4).collect::<Vec<_>>().join(" "))
            .collect()
    }

    /// Something was done in the true game, and the seat heard this of it. Of
    /// an action of the opponent nothing but what was heard is used; whether
    /// it was a try, a question of its own or something public is heard.
    pub fn hear(&mut self, action: Action, heard: &[Heard]) {
        let tried = matches!(
            action,
            Action::Attempt(by, Attempt::Try(_) | Attempt::Px { .. } | Attempt::Any) if by != self.seat
        );
        if tried {
            self.hear_theirs(heard);
        } else {
            self.hear_public(action, heard);
        }
    }

    /// The seat's own action, or one that everybody sees.
    fn hear_public(&mut self, action: Action, heard: &[Heard]) {
        let at = column(self.seat);
        let mut games = self.with_silence();
        games.retain_mut(|game| {
            let answered = match action {
                Action::Attempt(by, attempt) => game.attempt(by, attempt),
                Action::End(end) => game.end(end),
            };
            answered.is_ok_and(|answered| answered.heard[at] == heard)
        });
        self.games = games;
        self.merge();
    }

    /// A try or question of the opponent.
    fn hear_theirs(&mut self, heard: &[Heard]) {
        if heard.is_empty() {
            return;
        }
        let mut after = Vec::new();
        let mut names = HashSet::new();
        for game in self.with_silence() {
            for next in self.answers(&game, heard) {
                if names.insert(name(&next)) {
                    after.push(next);
                }
            }
        }
        self.games = after;
    }

    /// The games after some attempt of the opponent of which the seat hears
    /// exactly this.
    fn answers(&self, game: &Oracle, heard: &[Heard]) -> Vec<Oracle> {
        let by = self.seat.other();
        if game.to_move() != Some(by) {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut names = HashSet::new();
        for attempt in attempts(game) {
            let mut next = game.clone();
            let Ok(answered) = next.attempt(by, attempt) else {
                continue;
            };
            if answered.heard[column(self.seat)] == heard && names.insert(name(&next)) {
                found.push(next);
            }
        }
        found
    }

    /// The games, and those to which refusals that the seat does not hear lead.
    fn with_silence(&self) -> Vec<Oracle> {
        let mut games = self.games.clone();
        let silent = games.iter().any(|game| {
            game.choices().no_heard == NoHeard::Mover && game.to_move() == Some(self.seat.other())
        });
        if !silent {
            return games;
        }
        let mut names: HashSet<String> = games.iter().map(name).collect();
        let mut at = 0;
        while at < games.len() {
            for next in self.answers(&games[at].clone(), &[]) {
                if names.insert(name(&next)) {
                    games.push(next);
                }
            }
            at += 1;
        }
        games
    }

    fn merge(&mut self) {
        let mut names = HashSet::new();
        self.games.retain(|game| names.insert(name(game)));
    }
}

/// Every attempt that could be answered in a way of its own: what is
/// imaginable, what was refused, and some nonsense; everything that can be
/// written where nonsense is answered no.
fn attempts(game: &Oracle) -> Vec<Attempt> {
    let mut all: Vec<Attempt> = game.imaginable().into_iter().map(Attempt::Try).collect();
    all.extend(game.refused().into_iter().map(Attempt::Try));
    all.extend([Attempt::Any, Attempt::Px { promotion: None }]);
    all.push(Attempt::Try(Try::step(Square::A1, Square::A1)));
    if game.choices().impossible == Impossible::No {
        for from in Square::ALL {
            for to in Square::ALL {
                for promotion in [None, Some(Role::Queen), Some(Role::King)] {
                    all.push(Attempt::Try(Try::Step {
                        from,
                        to,
                        promotion,
                    }));
                }
            }
        }
    }
    all
}

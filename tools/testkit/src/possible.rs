//! The games that are possible according to what one player heard. These games are found by brute
//! force with the slow oracle, to test the faster belief.
//!
//! ```
//! use rules::{Attempt, chess::Color, rulesets};
//! use testkit::{oracle::Oracle, possible::Possible, umpire::Action};
//!
//! let wild16 = rulesets::by_id("wild16").expect("the ruleset is built in").choices;
//! let mut truth = Oracle::open("wild16", wild16, None).expect("the start is valid");
//! let mut black = Possible::open(Color::Black, vec![truth.clone()]);
//! let action = Action::Attempt(Color::White, "e2e4".parse().expect("the text is an attempt"));
//! let answered = truth.attempt(Color::White, "e2e4".parse().expect("the text is an attempt")).expect("it is White's turn");
//! black.hear(action, &answered.heard[1]);
//! assert_eq!(black.positions().len(), 20);
//! ```

use std::collections::{BTreeSet, HashSet};

use rules::{
    Answer, Attempt, Heard, Impossible, NoHeard, Reply, Threefold, Try, Verdict,
    chess::{Color, Role, Square},
};

use crate::{oracle::Oracle, umpire::Action};

/// The games that agree with everything that one player heard.
#[derive(Clone, Debug)]
pub struct Possible {
    seat: Color,
    games: Vec<Oracle>,
}

/// Returns a text for the comparison of two games that agree with everything that the player heard.
/// If the texts are equal, the player can never distinguish the games.
fn name(game: &Oracle) -> String {
    let histories = game.choices().threefold == Threefold::On;
    game.sameness(histories, game.choices().no_heard == NoHeard::Mover)
}

/// Returns the index of a player's hearings: 0 for White, 1 for Black.
fn column(seat: Color) -> usize {
    match seat {
        Color::White => 0,
        Color::Black => 1,
    }
}

impl Possible {
    /// Keeps the first game of `games`. Keeps another game only if the player hears the same at its
    /// start as at the start of the first game.
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

    /// Returns the number of games. After [`hear`](Possible::hear), games that the player can never
    /// distinguish are counted as one game.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Returns the positions of the games, as FEN without counters.
    pub fn positions(&self) -> BTreeSet<String> {
        let fens = self.games.iter().map(Oracle::fen);
        fens.map(|fen| fen.split(' ').take(4).collect::<Vec<_>>().join(" "))
            .collect()
    }

    /// Updates the games after an action in the true game. `heard` is what the
    /// player heard of this action. If the opponent made a try or asked Any?,
    /// only `heard` is used, because the player does not know the attempt.
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

    /// Handles the player's own action, or an action that both players know.
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

    /// Handles a try or Any? of the opponent.
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

    /// Returns the games that can follow from `game` by one attempt of the opponent, if the player
    /// hears exactly `heard` of this attempt.
    fn answers(&self, game: &Oracle, heard: &[Heard]) -> Vec<Oracle> {
        let by = self.seat.other();
        if game.to_move() != Some(by) {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut names = HashSet::new();
        // Games after an attempt that was not played. The position of these games is the same as in
        // `game`.
        let mut unmoved: Vec<Oracle> = Vec::new();
        for attempt in attempts(game, heard) {
            let mut next = game.clone();
            let Ok(answered) = next.attempt(by, attempt) else {
                continue;
            };
            if answered.heard[column(self.seat)] != heard {
                continue;
            }
            if answered.answer != Answer::Moved {
                if unmoved.iter().any(|other| other.has_same_turn(&next)) {
                    continue;
                }
                unmoved.push(next.clone());
            }
            if names.insert(name(&next)) {
                found.push(next);
            }
        }
        found
    }

    /// Returns the games, and the games that follow from them when the opponent makes refused tries
    /// that the player does not hear.
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

/// Whether the player heard that a move was made.
fn is_move(heard: &[Heard]) -> bool {
    heard.iter().any(|one| {
        matches!(
            one,
            Heard::Reply(Reply::Verdict {
                verdict: Verdict::Moved,
                ..
            })
        )
    })
}

/// Lists the attempts that are examined: all imaginable tries, the tries refused before, Any?,
/// `px`, and a step that no man can make. If impossible tries are answered "no" and no move was
/// heard, the list also contains every step that can be written.
fn attempts(game: &Oracle, heard: &[Heard]) -> Vec<Attempt> {
    let mut all: Vec<Attempt> = game.imaginable().into_iter().map(Attempt::Try).collect();
    all.extend(game.refused().into_iter().map(Attempt::Try));
    all.extend([Attempt::Any, Attempt::Px { promotion: None }]);
    all.push(Attempt::Try(Try::step(Square::A1, Square::A1)));
    if game.choices().impossible == Impossible::No && !is_move(heard) {
        for from in Square::ALL {
            for to in Square::ALL {
                // No pawn promotes to a king, so each step is impossible with this promotion.
                for promotion in [None, Some(Role::King)] {
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

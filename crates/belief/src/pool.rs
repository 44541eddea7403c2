//! The positions that are possible now, and what a step makes of them.

use referee::{kernel::Position, told};
use rules::{Choices, Over, Reason, Repeat, Try, Winner, chess::Role};

use crate::{
    compat::Compat,
    entries::{Entries, Entry, merge, normalise},
    expand::Expansion,
    hearing::Sign,
    hidden::Hidden,
    known::Known,
    moves::Moves,
    report::Report,
    sample::{Draws, thin},
    situation::clock,
    their_turn::TheirTurn,
};

/// The positions that are possible now.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pool<H> {
    /// The positions.
    pub entries: Entries<H>,
    /// Positions that are possible only if the last refusal ended the game.
    pub limbo: Entries<H>,
}

/// What became of a pool when it was expanded.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Grown {
    /// How many positions it stands for, by how many were left out.
    pub scale: f64,
    /// Whether some were left out.
    pub thinned: bool,
}

impl<H: Hidden> Pool<H> {
    pub(crate) fn new(men: &[crate::men::Men]) -> Pool<H> {
        let mut entries: Entries<H> = men
            .iter()
            .map(|men| Entry {
                hidden: H::pack(men),
                weight: 1.0,
            })
            .collect();
        merge(&mut entries);
        for entry in &mut entries {
            entry.weight = 1.0;
        }
        normalise(&mut entries);
        Pool {
            entries,
            limbo: Vec::new(),
        }
    }

    /// Keeps the positions that pass; the test may change their weight.
    pub(crate) fn filter(
        &mut self,
        known: &Known,
        mut keep: impl FnMut(&Position, &mut f64) -> bool,
    ) {
        self.limbo.clear();
        self.entries.retain_mut(|entry| {
            let position = known.position(&entry.hidden.unpack());
            keep(&position, &mut entry.weight)
        });
    }

    /// The seat's try was refused. `third`: it spent the seat's pawn captures.
    pub(crate) fn refuse_own(&mut self, known: &Known, choices: &Choices, what: Try, third: bool) {
        let mut limbo = Vec::new();
        self.filter(known, |position, _| !position.is_legal(what));
        if third {
            self.entries.retain(|entry| {
                let position = known.position(&entry.hidden.unpack());
                let ends = told::exhausted(choices, &position).is_some();
                if ends {
                    limbo.push(*entry);
                }
                !ends
            });
        }
        self.limbo = limbo;
    }

    /// The seat's try was played, with this report.
    pub(crate) fn play_own(
        &mut self,
        before: &Known,
        after: &Known,
        choices: &Choices,
        what: Try,
        report: &Report,
        compat: Option<Compat>,
    ) {
        self.limbo.clear();
        let role = match what {
            Try::Drop { role, .. } => role,
            Try::Step { from, .. } => before.own.role_at(from).unwrap_or(Role::Pawn),
        };
        self.entries.retain_mut(|entry| {
            let men = entry.hidden.unpack();
            let position = before.position(&men);
            if !position.is_legal(what) {
                return false;
            }
            let mut next = position;
            let taken = next.play_man(what, role, before.drops);
            let quiet = clock(men.quiet, role, taken.is_some(), choices);
            let told = Report::of_move(choices, before.seat(), what, taken, &next);
            if !told.agrees_in_move(report)
                || !report.agrees_with(choices, &next, &next.seen(), quiet)
                || compat.is_some_and(|compat| compat.ends(&next))
            {
                return false;
            }
            entry.hidden = H::pack(&after.men(&next, quiet));
            true
        });
        // A capture can make equal what was different, where it is not told.
        merge(&mut self.entries);
    }

    /// Something was heard of the opponent's turn.
    pub(crate) fn hear_sign(
        &mut self,
        known: &Known,
        choices: &Choices,
        turn: &TheirTurn,
        compat: Option<Compat>,
    ) {
        if let Some(compat) = compat {
            let noes = turn.signs.iter().filter(|sign| **sign == Sign::No).count() as u32;
            self.filter(known, |position, _| {
                compat.refusable(turn, position) >= noes
            });
            return;
        }
        let mut limbo = Vec::new();
        let noes = turn.signs.len() as u32;
        let weighs = choices.repeat != Repeat::Truth && turn.signs.last() == Some(&Sign::No);
        self.entries.retain_mut(|entry| {
            let position = known.position(&entry.hidden.unpack());
            let admitted = turn.admits(choices, &position);
            if admitted.goes_on() {
                if weighs {
                    entry.weight *= likelihood(turn, choices, &position, noes);
                }
                return true;
            }
            if admitted.exhausted {
                limbo.push(*entry);
            }
            false
        });
        self.limbo = limbo;
    }

    /// The opponent moved, with this report.
    pub(crate) fn play_theirs(
        &mut self,
        expansion: &Expansion<'_>,
        limit: usize,
        draws: &mut Draws,
    ) -> Grown {
        self.limbo.clear();
        let before = std::mem::take(&mut self.entries);
        let room = limit.saturating_mul(3).max(1 << 16);
        let mut moves = Moves::none(expansion.choices);
        let mut grown = Grown {
            scale: 1.0,
            thinned: false,
        };
        let mut left_out = 0.0;
        for entry in &before {
            expansion.expand(entry, &mut moves, &mut self.entries);
            if self.entries.len() >= room {
                merge(&mut self.entries);
                if self.entries.len() > limit.saturating_mul(2) {
                    left_out += (self.entries.len() - limit) as f64;
                    thin(&mut self.entries, limit, draws);
                    grown.thinned = true;
                }
            }
        }
        drop(before);
        merge(&mut self.entries);
        if self.entries.len() > limit {
            left_out += (self.entries.len() - limit) as f64;
            thin(&mut self.entries, limit, draws);
            grown.thinned = true;
        }
        normalise(&mut self.entries);
        grown.scale = 1.0 + left_out / self.entries.len().max(1) as f64;
        grown
    }

    /// The game ended otherwise than by a move.
    pub(crate) fn end(&mut self, known: &Known, choices: &Choices, turn: &TheirTurn, over: Over) {
        let limbo = std::mem::take(&mut self.limbo);
        let seat = known.seat();
        match over.reason {
            Reason::ExhaustedTries => {
                let ended = |entry: &Entry<H>| {
                    let position = known.position(&entry.hidden.unpack());
                    told::exhausted(choices, &position) == Some(over)
                        && (known.is_own_turn() || turn.examine(choices, &position).exhausted)
                };
                if known.is_own_turn() {
                    self.entries.clear();
                }
                self.entries.extend(limbo);
                self.entries.retain(ended);
                merge(&mut self.entries);
            }
            Reason::Time => {
                let theirs = seat.other();
                let own_bare = known.position(&crate::men::Men::default()).is_bare(seat);
                self.filter(known, |position, _| match over.winner {
                    // The other side has nothing to win with.
                    Winner::Draw => own_bare || position.is_bare(theirs),
                    winner @ (Winner::White | Winner::Black) => {
                        winner == Winner::from(seat) || !position.is_bare(theirs)
                    }
                    Winner::Unfinished => true,
                });
            }
            Reason::Checkmate
            | Reason::Stalemate
            | Reason::Insufficient
            | Reason::Threefold
            | Reason::Fifty
            | Reason::Resignation
            | Reason::Agreement
            | Reason::Aborted
            | Reason::Abandoned => {}
        }
    }

    /// Keeps what agrees with what stands announced as the game opens.
    pub(crate) fn open(&mut self, known: &Known, choices: &Choices, report: &Report) {
        self.entries.retain(|entry| {
            let men = entry.hidden.unpack();
            let position = known.position(&men);
            report.agrees_with(choices, &position, &position.seen(), men.quiet)
        });
        normalise(&mut self.entries);
    }
}

/// How likely the last of `noes` refusals was: attempts are drawn without
/// replacement.
fn likelihood(turn: &TheirTurn, choices: &Choices, position: &Position, noes: u32) -> f64 {
    let pool = turn.refusable(choices, position);
    let wrong = f64::from((pool.captures + pool.others + 1).saturating_sub(noes));
    (wrong / (wrong + f64::from(pool.legal))).max(1e-6)
}

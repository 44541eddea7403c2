//! The possible positions, and how each step updates them.

use position::{Position, announcements};
use rules::{Choices, Over, Reason, Repeat, Try, TryLimit, Winner};

use crate::{
    blame::{Blame, Part},
    census::{Census, Sketch, census_size, timed_census_size},
    compat::Compat,
    entries::{Entries, Entry, free_unused, merge, normalise, retain},
    expand::Expansion,
    hearing::HeardAnswer,
    hidden::Hidden,
    known::Known,
    moves::Moves,
    opponent_refusals::TheirTurn,
    own_turn::{OwnStep, role_of},
    parallel,
    past::{Rules, Turns},
    regime::Overflow,
    report::Report,
    sample::{Draws, thin},
    situation::{Situation, clock},
    watch::Watch,
};

/// The possible positions, or a sample of them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pool<H> {
    /// The positions.
    pub entries: Entries<H>,
    /// Positions in which the last refused try ended the game, because this try was the third
    /// refused pawn capture, and only pawn captures are legal. These positions remain possible only
    /// if the next announcement says that the game has ended in this way.
    pub ended_by_refusal: Entries<H>,
    /// Sample from which the number of possible positions is estimated. `None` if `entries` holds
    /// all possible positions.
    pub census: Option<Census<H>>,
    /// Past turns. A sample can be rebuilt from them.
    pub past: Turns<H>,
}

/// Limits and resources of one update.
pub(crate) struct Effort<'a> {
    pub limit: usize,
    pub threads: usize,
    pub watch: &'a Watch,
    pub overflow: Overflow,
}

/// Result of playing the opponent's move in a pool.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) enum Grown {
    /// The work was stopped. The pool is unchanged.
    Stopped,
    /// No position is left. No move of the opponent agreed with this part of
    /// the report.
    Empty(Part),
    /// The pool holds the positions after the move.
    To {
        /// Whether some positions were left out.
        thinned: bool,
    },
}

/// Number of positions expanded between two checks. A check finds out whether the update must end,
/// and whether there are too many results.
const ROUND: usize = 1 << 15;
/// Number of positions expanded between two checks if the update can be cut short. The number is
/// smaller than `ROUND`, so that the update ends soon after it is cut short.
const TIMED_ROUND: usize = 1 << 7;
/// Maximum size of the first sketch of a census. With this size the sketch takes little
/// time compared with the update.
const FIRST_CENSUS: usize = 20_000;
/// Maximum number of positions examined to find the reason why none is left.
const EXAMINED: usize = 2_000;

impl<H: Hidden> Pool<H> {
    pub(crate) fn new(men: &[crate::men::Men]) -> Pool<H> {
        let mut entries: Entries<H> = men
            .iter()
            .map(|men| Entry {
                hidden: H::pack(men),
                weight: 1.0,
            })
            .collect();
        merge(&mut entries, 1);
        for entry in &mut entries {
            entry.weight = 1.0;
        }
        normalise(&mut entries);
        Pool {
            entries,
            ended_by_refusal: Vec::new(),
            census: None,
            past: Turns::new(),
        }
    }

    /// Removes all positions.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.ended_by_refusal.clear();
        self.census = None;
    }

    /// Keeps the positions for which `keep` returns true. Empties `ended_by_refusal`.
    pub(crate) fn filter(
        &mut self,
        known: &Known,
        threads: usize,
        keep: impl Fn(&Position) -> bool + Sync,
    ) {
        self.ended_by_refusal.clear();
        let kept = retain(&mut self.entries, threads, |entry| {
            keep(&known.position(&entry.hidden.unpack()))
        });
        if kept == 0 {
            self.entries.clear();
        }
        if let Some(census) = &mut self.census {
            census.retain(|entry| keep(&known.position(&entry.hidden.unpack())));
        }
    }

    /// Keeps the positions in which the seat's try is illegal. `third` is true if the try was the
    /// third pawn capture refused in this turn, and the ruleset allows only three. In this case,
    /// the positions in which only pawn captures are legal are moved to `ended_by_refusal`.
    pub(crate) fn refuse_own(
        &mut self,
        known: &Known,
        choices: &Choices,
        what: Try,
        third: bool,
        threads: usize,
    ) {
        let mut ended_by_refusal = Vec::new();
        self.filter(known, threads, |position| !position.is_legal(what));
        if third {
            self.entries.retain(|entry| {
                let position = known.position(&entry.hidden.unpack());
                let ends = announcements::exhausted(choices, &position).is_some();
                if ends {
                    ended_by_refusal.push(*entry);
                }
                !ends
            });
            if let Some(census) = &mut self.census {
                census.retain(|entry| {
                    let position = known.position(&entry.hidden.unpack());
                    announcements::exhausted(choices, &position).is_none()
                });
            }
        }
        self.ended_by_refusal = ended_by_refusal;
        self.past.note_own(known, OwnStep::Refused(what));
    }

    /// Keeps the positions in which the answer to Any? is `answer`.
    pub(crate) fn answer_any(&mut self, known: &Known, answer: bool, threads: usize) {
        self.filter(known, threads, |position| {
            (position.pawn_tries().count > 0) == answer
        });
        self.past.note_own(known, OwnStep::Any(answer));
    }

    /// Plays the seat's try. Keeps the positions in which the try is legal and
    /// gives this report. If none is left, returns the part of the report with
    /// which no position agreed.
    pub(crate) fn play_own(
        &mut self,
        before: &Known,
        after: &Known,
        choices: &Choices,
        (what, report): (Try, Option<&Report>),
        compat: Option<Compat>,
        threads: usize,
    ) -> Option<Part> {
        self.ended_by_refusal.clear();
        let step = OwnStep::Moved(what, report.copied(), *after);
        self.past.note_own(before, step);
        if let Some(census) = &mut self.census {
            census.retain(|entry| step.admits(entry, before, choices, compat));
            census.merge();
        }
        let kept = retain(&mut self.entries, threads, |entry| {
            step.admits(entry, before, choices, compat)
        });
        if kept == 0 {
            let Some(report) = report else {
                self.entries.clear();
                return Some(Part::Illegal);
            };
            let mut blame = Blame::default();
            let role = role_of(before, what);
            for entry in self.entries.iter().take(EXAMINED) {
                let men = entry.hidden.unpack();
                let mut position = before.position(&men);
                if position.is_legal(what) {
                    let taken = position.play_man(what, role, before.drops);
                    let quiet = clock(men.quiet, role, taken.is_some(), choices);
                    let seat = before.seat();
                    let told = Report::of(choices, seat, what, taken, &position, quiet);
                    blame.compare(&told, report);
                }
            }
            self.entries.clear();
            return Some(blame.part(report, Part::Illegal));
        }
        // Different positions may be equal after the move. For example, they may have differed only
        // in the role of the captured man, in a castling right that the capture ended, or in an en
        // passant capture that is no longer possible.
        merge(&mut self.entries, threads);
        None
    }

    /// Removes the positions that contradict what was heard so far in the
    /// opponent's turn.
    pub(crate) fn hear_sign(
        &mut self,
        known: &Known,
        choices: &Choices,
        turn: &TheirTurn,
        compat: Option<Compat>,
    ) {
        if let Some(compat) = compat {
            let noes = turn
                .answers
                .iter()
                .filter(|answer| **answer == HeardAnswer::No)
                .count() as u32;
            self.filter(known, 1, |position| {
                compat.refusable(turn, position) >= noes
            });
            return;
        }
        let mut ended_by_refusal = Vec::new();
        let noes = turn.answers.len() as u32;
        if let Some(census) = &mut self.census {
            census.retain(|entry| {
                let position = known.position(&entry.hidden.unpack());
                turn.admits(choices, &position).can_move()
            });
        }
        let weighs =
            choices.repeat != Repeat::Truth && turn.answers.last() == Some(&HeardAnswer::No);
        self.entries.retain_mut(|entry| {
            let position = known.position(&entry.hidden.unpack());
            let admitted = turn.admits(choices, &position);
            if admitted.can_move() {
                if weighs {
                    entry.weight *= likelihood(turn, choices, &position, noes);
                }
                return true;
            }
            if admitted.exhausted {
                ended_by_refusal.push(*entry);
            }
            false
        });
        self.ended_by_refusal = ended_by_refusal;
    }

    /// Plays the opponent's move. Replaces the positions by the positions after each move that
    /// agrees with the report. `sampled` is true if positions were left out in an earlier step.
    pub(crate) fn play_opponent_move(
        &mut self,
        expansion: &Expansion<'_>,
        effort: &Effort<'_>,
        sampled: bool,
        draws: &mut Draws,
    ) -> Grown {
        let Effort {
            limit,
            threads,
            watch,
            overflow,
        } = *effort;
        let keeps_sample = overflow == Overflow::Sample;
        let is_capture = expansion.report.lost.is_some();
        let before = std::mem::take(&mut self.entries);
        // If no sample is kept, the work ends as soon as there are too many positions. So the
        // number of positions is checked more often.
        let (merge_length, round_length) = if keeps_sample {
            (limit.saturating_mul(3).max(1 << 16), ROUND)
        } else {
            (limit.saturating_mul(2), (limit / 16).clamp(16, ROUND))
        };
        let census_size = if watch.can_cut() {
            timed_census_size(limit)
        } else {
            census_size(limit)
        };
        let mut after: Entries<H> = Vec::new();
        let mut thinned = false;
        let mut sketch: Option<Sketch<H>> = None;
        let mut ways = 0;
        let mut done = 0;
        // If the update is cut short, the positions examined until then must be a random part of
        // all positions. So the positions are examined in random order.
        let mixed = watch.can_cut().then(|| draws.mixed(&before));
        let round_length = match mixed {
            Some(_) => round_length.min(TIMED_ROUND),
            None => round_length,
        };
        for round in mixed.as_ref().unwrap_or(&before).chunks(round_length) {
            if watch.is_stopped() {
                self.entries = before;
                return Grown::Stopped;
            }
            if !after.is_empty() && watch.is_late() {
                if !keeps_sample {
                    self.clear();
                    return Grown::To { thinned: true };
                }
                thinned = true;
                break;
            }
            let first = after.len();
            expand_round(expansion, round, threads, &mut after);
            ways += after.len() - first;
            if let Some(sketch) = &mut sketch {
                sketch.add(&after[first..]);
            }
            done += round.len();
            watch.note(done, before.len());
            if after.len() >= merge_length {
                if keeps_sample && !sampled && sketch.is_none() {
                    // No positions were merged yet. So `after` still has one entry for each move
                    // that leads to a position, as the sketch of a census needs.
                    let mut all = Sketch::new(census_size.min(FIRST_CENSUS), 0);
                    all.add(&after);
                    sketch = Some(all);
                }
                merge(&mut after, threads);
                if !keeps_sample && after.len() > limit {
                    self.clear();
                    return Grown::To { thinned: true };
                }
                if after.len() > limit.saturating_mul(2) {
                    thin(&mut after, limit, draws);
                    thinned = true;
                }
            }
        }
        self.ended_by_refusal.clear();
        if after.is_empty() && !before.is_empty() {
            let part = blame(expansion, &before);
            if sampled {
                let census = self.census.as_ref();
                self.past
                    .note_theirs(expansion, &before, census, limit, draws);
                self.count(expansion, census_size, threads);
            }
            return Grown::Empty(part);
        }
        let noted = keeps_sample && (sampled || thinned || after.len() > limit);
        if noted {
            let census = self.census.as_ref();
            self.past
                .note_theirs(expansion, &before, census, limit, draws);
        }
        drop(before);
        merge(&mut after, threads);
        if after.len() > limit && !keeps_sample {
            self.clear();
            return Grown::To { thinned: true };
        }
        if after.len() > limit {
            if !sampled && sketch.is_none() {
                self.census = Some(Census::of_all(&after, census_size, ways, is_capture));
            }
            thin(&mut after, limit, draws);
            thinned = true;
        }
        if sampled {
            self.count(expansion, census_size, threads);
        } else if let Some(sketch) = sketch.filter(|_| thinned) {
            self.census = Some(Census::begin(sketch, is_capture));
        }
        if noted && !sampled && !thinned {
            self.past.forget_last();
        }
        normalise(&mut after);
        free_unused(&mut after);
        self.entries = after;
        Grown::To { thinned }
    }

    /// Applies the opponent's move to the census.
    fn count(&mut self, expansion: &Expansion<'_>, most: usize, threads: usize) {
        if let Some(census) = &mut self.census {
            census.play_opponent_move(expansion, most, threads);
        }
    }

    /// If the sample has too few positions, rebuilds the sample. If the sample is empty and cannot
    /// be rebuilt, replaces it by the positions of the census; if these are none, rejuvenates it. If
    /// the census has too few positions, draws the census again. Returns whether the sample was empty
    /// and now has positions.
    pub(crate) fn mend(&mut self, rules: &Rules<'_>, watch: &Watch, draws: &mut Draws) -> bool {
        if !self.ended_by_refusal.is_empty() {
            return false;
        }
        let was_empty = self.entries.is_empty();
        if self.past.is_due(&self.entries, rules)
            && let Some(mut rebuilt) = self.past.rebuild(rules, &self.entries, watch, draws)
        {
            free_unused(&mut rebuilt);
            self.entries = rebuilt;
        }
        let most = census_size(rules.limit);
        if let Some(census) = &mut self.census {
            if self.entries.is_empty() {
                self.entries.clone_from(census.entries());
                normalise(&mut self.entries);
            } else {
                census.refresh(&self.entries, most);
            }
        }
        if self.entries.is_empty() {
            self.entries = self.past.rejuvenate(rules, draws);
        }
        was_empty && !self.entries.is_empty()
    }

    /// Begins a census. `count` is the number of possible positions. The pool has only some of
    /// them.
    pub(crate) fn count_anew(&mut self, count: f64, limit: usize) {
        self.census = Some(Census::of(&self.entries, census_size(limit), count));
    }

    /// Returns the estimated number of possible positions.
    pub(crate) fn estimate(&self) -> f64 {
        let kept = self.entries.len() as f64;
        let census = self.census.as_ref();
        census.map_or(kept, |census| census.size().max(kept))
    }

    /// Keeps the positions that agree with `over`: an end of the game that no move caused.
    pub(crate) fn end(&mut self, known: &Known, choices: &Choices, turn: &TheirTurn, over: Over) {
        let ended_by_refusal = std::mem::take(&mut self.ended_by_refusal);
        let seat = known.seat();
        match over.reason {
            Reason::ExhaustedTries => {
                // A player's own file need not tell each refusal, so its choices have no limit.
                let counted = choices.try_limit == TryLimit::Three;
                let ended = |entry: &Entry<H>| {
                    let position = known.position(&entry.hidden.unpack());
                    announcements::exhausted(choices, &position) == Some(over)
                        && (!counted
                            || known.is_own_turn()
                            || turn.examine(choices, &position).exhausted)
                };
                self.census = None;
                if counted && known.is_own_turn() {
                    self.entries.clear();
                }
                self.entries.extend(ended_by_refusal);
                self.entries.retain(ended);
                merge(&mut self.entries, 1);
            }
            Reason::Time => {
                let theirs = seat.other();
                let own_bare = known.position(&crate::men::Men::default()).is_bare(seat);
                self.filter(known, 1, |position| match over.winner {
                    // The game is a draw on time if the player who has time left has only the king.
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

    /// Keeps the positions that agree with the announcements at the start of
    /// the game.
    pub(crate) fn open(&mut self, known: &Known, choices: &Choices, report: &Report) {
        self.entries.retain(|entry| {
            let men = entry.hidden.unpack();
            let position = known.position(&men);
            report.agrees_with(choices, &position, &position.seen(), men.quiet)
        });
        normalise(&mut self.entries);
    }
}

/// Appends to `after` the positions that the opponent's move can give from the positions `round`.
/// The order does not depend on the number of threads.
fn expand_round<H: Hidden>(
    expansion: &Expansion<'_>,
    round: &[Entry<H>],
    threads: usize,
    after: &mut Entries<H>,
) {
    let expand = |piece: &[Entry<H>], into: &mut Entries<H>| {
        let mut moves = Moves::none(expansion.choices);
        for entry in piece {
            expansion.expand(entry, &mut moves, into);
        }
    };
    // For fewer than 512 positions, threads would cost more time than they
    // save.
    if threads <= 1 || round.len() < 1 << 9 {
        return expand(round, after);
    }
    let pieces: Vec<_> = round
        .chunks(parallel::piece(round.len(), threads))
        .enumerate()
        .map(|(nth, piece)| {
            let into = if nth == 0 {
                std::mem::take(after)
            } else {
                Vec::new()
            };
            (piece, into)
        })
        .collect();
    let found = parallel::each(pieces, |(piece, mut into)| {
        expand(piece, &mut into);
        into
    });
    let mut found = found.into_iter();
    *after = found.next().unwrap_or_default();
    for others in found {
        after.extend(others);
    }
}

/// Returns the part of the report that agrees with no move of the opponent.
fn blame<H: Hidden>(expansion: &Expansion<'_>, before: &Entries<H>) -> Part {
    let mut blame = Blame::default();
    let (known, choices) = (expansion.known, expansion.choices);
    for entry in before.iter().take(EXAMINED) {
        let men = entry.hidden.unpack();
        let situation = Situation::with_men(known, &men);
        situation.successors(choices, |_, told, _| blame.compare(&told, expansion.report));
    }
    blame.part(expansion.report, Part::TheirTurn)
}

/// Returns the probability that the next try is refused. It is assumed that the opponent draws
/// tries at random, and that `noes` - 1 different tries were refused before.
fn likelihood(turn: &TheirTurn, choices: &Choices, position: &Position, noes: u32) -> f64 {
    let pool = turn.refusable(choices, position);
    let wrong = f64::from((pool.captures + pool.others + 1).saturating_sub(noes));
    (wrong / (wrong + f64::from(pool.legal))).max(1e-6)
}

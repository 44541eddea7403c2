//! Past turns, recorded while only a sample of the positions is kept. If too few positions are left
//! in the sample, the sample is rebuilt from these turns.

use std::sync::Arc;

use rules::chess::{Bitboard, attacks};

use crate::{
    belief::Settings,
    census::Census,
    entries::{Entries, Entry, SHORT, effective, free_unused, merge, normalise, retain},
    expand::Expansion,
    hidden::Hidden,
    known::Known,
    law::Law,
    model::Model,
    moves::Moves,
    opponent_refusals::TheirTurn,
    own_turn::OwnStep,
    parallel,
    perturb::Since,
    report::Report,
    sample::{Draws, thin},
    watch::Watch,
};

/// Maximum number of positions of the belief that are recorded for each past turn. If the limit on
/// positions is lower, that limit applies. The positions of the census are recorded too.
const KEPT: usize = 20_000;
/// A rebuild may try this number of the opponent's moves, multiplied by the limit on positions. The
/// product is raised to `LEAST_WORK` if it is smaller, and cut to `MOST_WORK` if it is greater.
const WORK_EACH: usize = 200;
/// Least number of moves that a rebuild may try; see `WORK_EACH`.
const LEAST_WORK: usize = 2_000_000;
/// Greatest number of moves that a rebuild may try; see `WORK_EACH`.
const MOST_WORK: usize = 20_000_000;
/// Number of positions that a rebuild may always keep between two turns. If the limit on positions
/// is higher, the rebuild may keep as many positions as the limit.
const POPULATION: usize = 20_000;
/// A sample can be rebuilt if its effective size (see `entries::effective`) is below this number.
/// If the limit on positions is below 100,000, a hundredth of that limit is used instead.
const FEW: usize = 1_000;
/// Maximum number of perturbed positions of a replay.
const MOST_PERTURBED: usize = 20_000;
/// A sample that is not empty is replayed with perturbed positions only if the limit on positions is
/// at least this number.
const LEAST_PERTURBING: usize = 400;
/// Least and greatest number of perturbed positions that replace an empty sample.
const LEAST_REPLACED: usize = 24;
const MOST_REPLACED: usize = 256;
/// Proposals from one position.
const PROPOSALS: usize = 3;
/// Rounds of proposals for each position that is to replace an empty sample.
const ROUNDS_FOR_EMPTY: usize = 13;
/// Past turns in which positions are perturbed, in the order in which they are tried. 1 is the last
/// turn of the opponent.
const PERTURBED_BACK: [usize; 3] = [2, 3, 1];
/// Maximum number of the opponent's turns to wait after a failed rebuild.
const MAX_PAUSE: u32 = 16;

/// One turn of the opponent, and the seat's own turn that followed.
#[derive(Clone, PartialEq, Debug)]
struct Turn<H> {
    known: Known,
    turn: TheirTurn,
    report: Report,
    /// Some of the positions before the opponent's move.
    before: Entries<H>,
    /// The steps of the seat's turn that followed, each with what the seat knew
    /// before it.
    own: Vec<(Known, OwnStep)>,
}

/// The recorded turns. The first recorded turn is the first turn after which not all possible
/// positions were kept.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Past<H> {
    turns: Vec<Arc<Turn<H>>>,
    /// Effective size of the sample after the last rebuild, at least 1; infinite before the first
    /// rebuild. A rebuild is due only if the effective size has fallen below half of this value. If
    /// positions are invented, this value changes between rebuilds: it becomes the greatest
    /// effective size since the last rebuild, or infinite if the sample has many positions.
    last_size: f64,
    /// Number of consecutive failed rebuilds. A rebuild fails if the sample is empty and the
    /// rebuild finds no position.
    failed: u32,
    /// Number of the opponent's turns to wait before the next rebuild.
    pause: u32,
}

/// Input of an update that is the same for all positions.
pub(crate) struct Task<'a> {
    pub law: &'a Law,
    /// What the seat knows before the update.
    pub known: &'a Known,
    pub settings: &'a Settings,
    pub watch: &'a Watch,
}

impl Task<'_> {
    /// Returns whether positions are perturbed although the sample is not empty.
    fn perturbs(&self) -> bool {
        self.settings.invented > 0.0 && self.settings.limit >= LEAST_PERTURBING
    }

    /// Returns the effective size below which a sample has too few positions.
    fn few(&self) -> usize {
        (self.settings.limit / 100).clamp(1, FEW)
    }
}

impl<H: Hidden> Past<H> {
    pub(crate) const fn new() -> Past<H> {
        Past {
            turns: Vec::new(),
            last_size: f64::INFINITY,
            failed: 0,
            pause: 0,
        }
    }

    /// Records a turn of the opponent. `before` are the positions of the belief before the
    /// opponent's move. The positions of the census are recorded too. They help a later rebuild,
    /// because improbable positions are more frequent in the census than in the sample.
    pub(crate) fn note_theirs(
        &mut self,
        expansion: &Expansion<'_>,
        before: &Entries<H>,
        census: Option<&Census<H>>,
        limit: usize,
        draws: &mut Draws,
    ) {
        let mut kept = before.clone();
        thin(&mut kept, KEPT.min(limit), draws);
        if let Some(census) = census {
            normalise(&mut kept);
            let weight = 1.0 / census.entries().len().max(1) as f64;
            kept.extend(
                census
                    .entries()
                    .iter()
                    .map(|entry| Entry { weight, ..*entry }),
            );
            merge(&mut kept, 1);
            free_unused(&mut kept);
        }
        self.turns.push(Arc::new(Turn {
            known: *expansion.known,
            turn: expansion.turn.clone(),
            report: *expansion.report,
            before: kept,
            own: Vec::new(),
        }));
        self.pause = self.pause.saturating_sub(1);
    }

    /// Removes the turn that was recorded last.
    pub(crate) fn forget_last(&mut self) {
        self.turns.pop();
    }

    /// Records a step of the seat's own turn.
    pub(crate) fn note_own(&mut self, known: &Known, step: OwnStep) {
        if let Some(turn) = self.turns.last_mut() {
            Arc::make_mut(turn).own.push((*known, step));
        }
    }

    /// Returns whether the sample has too few positions and is to be rebuilt
    /// now.
    pub(crate) fn is_due(&mut self, entries: &Entries<H>, task: &Task<'_>) -> bool {
        if self.turns.is_empty() || self.pause > 0 {
            return false;
        }
        let few = task.few();
        let grows = task.perturbs() && self.last_size.is_finite();
        if entries.len() > few * 20 {
            if grows {
                self.last_size = f64::INFINITY;
            }
            return false;
        }
        let size = effective(entries);
        let is_due = size < few as f64 && size * 2.0 < self.last_size;
        if grows {
            self.last_size = self.last_size.max(size);
        }
        is_due
    }

    /// Rebuilds the sample: replays the last turn, the last 2 turns, then 3, 5, 8 and so on, until the
    /// effective size is large enough, the work limit is reached, or no older turn is recorded. If
    /// the size is still too small then, replays some turns with perturbed positions. Returns `None`
    /// if no result has a larger effective size than the present sample `now`.
    pub(crate) fn rebuild(
        &mut self,
        task: &Task<'_>,
        now: &Entries<H>,
        draws: &mut Draws,
    ) -> Option<Entries<H>> {
        let few = task.few() as f64;
        let mut best: Option<Entries<H>> = None;
        let mut size = effective(now);
        let mut left = task.settings.rebuild_work.unwrap_or_else(|| {
            let work = task.settings.limit.saturating_mul(WORK_EACH);
            work.clamp(LEAST_WORK, MOST_WORK)
        });
        let mut unlimited = usize::MAX;
        let plain = std::iter::successors(Some(1), |back: &usize| Some(back + back.div_ceil(2)))
            .take_while(|back| *back <= self.turns.len())
            .map(|back| (back, false));
        let perturbed = PERTURBED_BACK.into_iter().map(|back| (back, true));
        for (back, perturbs) in plain.chain(perturbed) {
            if size >= few || task.watch.is_late() {
                break;
            }
            let left = if perturbs { &mut unlimited } else { &mut left };
            if back > self.turns.len() || *left == 0 || (perturbs && !task.perturbs()) {
                continue;
            }
            let found = self.replay(task, (back, perturbs), left, draws);
            let found_size = found.as_ref().map_or(0.0, effective);
            if found_size > size {
                (size, best) = (found_size, found);
            }
        }
        self.last_size = size.max(1.0);
        if best.is_none() && now.is_empty() {
            self.failed += 1;
            self.pause = (1 << self.failed.min(8)).min(MAX_PAUSE);
        } else {
            self.failed = 0;
        }
        best
    }

    /// Computes the present positions from the positions recorded `back` turns ago. If `perturbs` is
    /// true, adds perturbed positions in the first of these turns. `left` is the number of moves
    /// that may still be tried.
    fn replay(
        &self,
        task: &Task<'_>,
        (back, perturbs): (usize, bool),
        left: &mut usize,
        draws: &mut Draws,
    ) -> Option<Entries<H>> {
        let turns = &self.turns[self.turns.len() - back..];
        let mut entries = turns.first()?.before.clone();
        let most = (task.settings.limit / 2).clamp(1, MOST_PERTURBED);
        if perturbs {
            thin(&mut entries, most, draws);
        }
        for (nth, turn) in turns.iter().enumerate() {
            let next = turns.get(nth + 1);
            let before = entries;
            let followed = turn.follow(task, &before, next, left, draws);
            entries = followed.entries;
            if perturbs && nth == 0 {
                let share = task.settings.invented * followed.weight;
                let expansion = Expansion {
                    model: &Model::Uniform,
                    ..turn.expansion(task)
                };
                let bases = (&before, Some(expansion));
                let mut found = turn.perturbed(task, bases, (most, most), draws).0;
                let total: f64 = found.weight;
                for entry in &mut found.entries {
                    entry.weight *= share / total;
                }
                if let Some(next) = next {
                    found.entries.retain(|entry| next.can_follow(entry.hidden));
                }
                entries.append(&mut found.entries);
                merge(&mut entries, 1);
            }
            // If the work was cut short, `entries` has only a part of the positions. This part is
            // not a random sample, so it cannot be used.
            if entries.is_empty() || task.watch.is_late() {
                return None;
            }
        }
        normalise(&mut entries);
        Some(entries)
    }

    /// Replaces an empty sample: perturbs the last positions that were recorded, until they agree
    /// with the last turn. If none agrees, returns positions that agree with the refusals alone.
    pub(crate) fn replacement(&self, task: &Task<'_>, draws: &mut Draws) -> Entries<H> {
        let kept = self.turns.iter().rev().find(|turn| !turn.before.is_empty());
        let (Some(turn), Some(kept), true) =
            (self.turns.last(), kept, task.settings.invented > 0.0)
        else {
            return Entries::new();
        };
        let wanted = task.settings.limit.clamp(LEAST_REPLACED, MOST_REPLACED);
        let counts = (wanted, ROUNDS_FOR_EMPTY * wanted);
        let (found, possible) = turn.perturbed(task, (&kept.before, None), counts, draws);
        let mut entries = found.entries;
        if entries.is_empty() {
            entries = possible;
        }
        merge(&mut entries, 1);
        normalise(&mut entries);
        entries
    }
}

/// Positions, and the weight of these and of those that the steps of the seat's turn excluded.
struct Followed<H> {
    entries: Entries<H>,
    weight: f64,
}

/// Number of positions expanded between two checks. A check finds out whether work is left, and
/// whether there are too many results.
const ROUND: usize = 1 << 12;
/// Number of positions expanded between two checks if the update can be cut short. A round of this
/// length takes about a millisecond, so that even a turn of 10 ms can end in time.
const TIMED_ROUND: usize = 1 << 7;

/// Returns the number of positions expanded between two checks.
const fn round_length(watch: &Watch) -> usize {
    if watch.can_cut() { TIMED_ROUND } else { ROUND }
}

impl<H: Hidden> Turn<H> {
    /// Returns the positions after this turn of the opponent and after the seat's next turn. A
    /// position is left out if [`can_follow`](Turn::can_follow) excludes the opponent's next
    /// recorded move there.
    fn follow(
        &self,
        task: &Task<'_>,
        before: &Entries<H>,
        next: Option<&Arc<Turn<H>>>,
        left: &mut usize,
        draws: &mut Draws,
    ) -> Followed<H> {
        let expansion = self.expansion(task);
        let most = match next {
            Some(_) => task.settings.limit.max(POPULATION),
            None => task.settings.limit,
        };
        let (mut after, mut weight) = (Entries::new(), 0.0);
        for round in before.chunks(round_length(task.watch)) {
            if *left == 0 || task.watch.is_late() {
                break;
            }
            let threads = if round.len() < ROUND {
                1
            } else {
                task.settings.threads
            };
            let pieces = round.chunks(parallel::piece(round.len(), threads));
            let found = parallel::each(pieces.collect(), |piece| {
                let mut moves = Moves::none(task.law);
                let (mut tried, mut found) = (0, Vec::new());
                for entry in piece {
                    expansion.expand(entry, &mut moves, &mut found);
                    tried += moves.count() as usize;
                }
                let weight: f64 = found.iter().map(|entry| entry.weight).sum();
                for (known, step) in &self.own {
                    if retain(&mut found, 1, |entry| step.admits(entry, known, task.law)) == 0 {
                        found.clear();
                    }
                }
                if let Some(next) = next {
                    found.retain(|entry| next.can_follow(entry.hidden));
                }
                (tried, weight, found)
            });
            for (tried, found_weight, found) in found {
                *left = left.saturating_sub(tried);
                weight += found_weight;
                after.extend(found);
            }
            if after.len() > (3 * most).max(SHORT) {
                merge(&mut after, task.settings.threads);
                thin(&mut after, most, draws);
            }
        }
        merge(&mut after, task.settings.threads);
        thin(&mut after, most, draws);
        Followed {
            entries: after,
            weight,
        }
    }

    /// Returns about `wanted` perturbed positions that agree with this turn, after at most `rounds` of
    /// proposals. Perturbs the positions `bases`, or those that an expansion gives from them. Also
    /// returns positions that agree with the refusals alone.
    fn perturbed(
        &self,
        task: &Task<'_>,
        (bases, expansion): (&Entries<H>, Option<Expansion<'_>>),
        (wanted, rounds): (usize, usize),
        draws: &mut Draws,
    ) -> (Followed<H>, Entries<H>) {
        let since = Since {
            known: self.own.first().map_or(task.known, |(known, _)| known),
            report: &self.report,
            own: &self.own,
        };
        let mut found = Followed {
            entries: Entries::new(),
            weight: 0.0,
        };
        let mut possible = Entries::new();
        let mut moves = Moves::none(task.law);
        for _ in 0..rounds {
            if bases.is_empty() || found.entries.len() >= wanted || task.watch.is_late() {
                break;
            }
            let base = bases[draws.below(bases.len() as u64) as usize];
            let mut from = vec![base];
            if let Some(expansion) = &expansion {
                from.clear();
                expansion.expand(&base, &mut moves, &mut from);
            }
            let proposals = if from.is_empty() { 0 } else { PROPOSALS };
            for _ in 0..proposals {
                let from = from[draws.below(from.len() as u64) as usize];
                let Some(men) = since.perturb(&from.hidden.unpack(), draws) else {
                    continue;
                };
                let hidden = H::pack(&men);
                let mut entry = Entry { hidden, ..base };
                let agrees = since.agrees(&men, task.law);
                found.weight += if agrees { entry.weight } else { 0.0 };
                let mut own = self.own.iter();
                if agrees && own.all(|(known, step)| step.admits(&mut entry, known, task.law)) {
                    found.entries.push(entry);
                } else if possible.len() < wanted && since.is_possible(&men) {
                    let weight = 1.0;
                    possible.push(Entry { hidden, weight });
                }
            }
        }
        (found, possible)
    }

    /// Returns the input for computing the positions after the opponent's move of this turn.
    fn expansion<'a>(&'a self, task: &'a Task<'_>) -> Expansion<'a> {
        Expansion {
            law: task.law,
            known: &self.known,
            turn: &self.turn,
            report: &self.report,
            model: &task.settings.model,
        }
    }

    /// Quickly checks whether the opponent's move of this turn is possible from a position. If the
    /// move captured, a man of the opponent must attack the square of the captured man. If the
    /// capture may be en passant, this function always returns true.
    fn can_follow(&self, hidden: H) -> bool {
        let Some((square, _)) = self.report.lost else {
            return true;
        };
        if self.known.passed.is_some() {
            return true;
        }
        let men = hidden.unpack();
        let m = &men.by_role;
        let occupied = self.known.own.all() | men.all();
        let pawns: Bitboard = attacks::pawn_attacks(self.known.seat(), square);
        ((pawns & m.pawn)
            | (attacks::knight_attacks(square) & m.knight)
            | (attacks::king_attacks(square) & m.king)
            | (attacks::bishop_attacks(square, occupied) & (m.bishop | m.queen))
            | (attacks::rook_attacks(square, occupied) & (m.rook | m.queen)))
            .any()
    }
}

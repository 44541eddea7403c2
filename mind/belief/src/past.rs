//! Past turns, recorded while only a sample of the positions is kept. If too few positions are left
//! in the sample, the sample is rebuilt from these turns.

use std::sync::Arc;

use rules::{
    Choices,
    chess::{Bitboard, attacks},
};

use crate::{
    census::Census,
    compat::Compat,
    entries::{Entries, Entry, SHORT, effective, free_unused, merge, normalise, retain},
    expand::Expansion,
    hidden::Hidden,
    invent,
    known::Known,
    model::Model,
    moves::Moves,
    opponent_refusals::TheirTurn,
    own_turn::OwnStep,
    parallel,
    report::Report,
    sample::{Draws, thin},
    watch::Watch,
};

/// Maximum number of positions of the belief that are recorded for each past turn. If the limit on
/// positions is lower, that limit applies. The positions of the census are recorded too.
const KEPT: usize = 20_000;
/// A rebuild may try this number of the opponent's moves, multiplied by the limit on positions. The
/// product is raised to `MIN_WORK` if it is smaller, and cut to `MAX_WORK` if it is greater.
const WORK_EACH: usize = 200;
/// Least number of moves that a rebuild may try; see `WORK_EACH`.
const MIN_WORK: usize = 2_000_000;
/// Greatest number of moves that a rebuild may try; see `WORK_EACH`.
const MAX_WORK: usize = 20_000_000;
/// Number of positions that a rebuild may always keep between two turns. If the limit on positions
/// is higher, the rebuild may keep as many positions as the limit.
const POPULATION: usize = 20_000;
/// A sample can be rebuilt if its effective size (see `entries::effective`) is below this number.
/// If the limit on positions is below 100,000, a hundredth of that limit is used instead.
const FEW: usize = 1_000;
/// Maximum number of invented positions of a rebuild.
const MAX_INVENTED: usize = 20_000;
/// A rebuild invents positions only if the limit on positions is at least this number.
const MIN_INVENTING: usize = 400;
/// Least and greatest number of positions of a rejuvenated sample.
const MIN_REJUVENATED: usize = 24;
const MAX_REJUVENATED: usize = 256;
/// Past turns in which a rebuild invents positions, in the order in which the rebuild tries them. 1
/// is the last turn of the opponent, 2 is the opponent's turn before that.
const INVENTED_BACK: [usize; 3] = [2, 3, 1];
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
pub(crate) struct Turns<H> {
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

/// Input of a rebuild that is the same for all turns.
pub(crate) struct Rules<'a> {
    pub choices: &'a Choices,
    /// What the seat knows now.
    pub known: &'a Known,
    pub model: &'a Model,
    pub compat: Option<Compat>,
    pub limit: usize,
    pub threads: usize,
    /// Maximum number of moves that a rebuild may try; `None` if it follows from `limit`.
    pub work: Option<usize>,
    /// Share of the weight that invented positions get in a rebuild; 0 for none.
    pub invented: f64,
}

impl Rules<'_> {
    /// Returns whether a rebuild invents positions.
    fn invents(&self) -> bool {
        self.invented > 0.0 && self.limit >= MIN_INVENTING
    }
}

impl<H: Hidden> Turns<H> {
    pub(crate) const fn new() -> Turns<H> {
        Turns {
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
    pub(crate) fn is_due(&mut self, entries: &Entries<H>, rules: &Rules<'_>) -> bool {
        if self.turns.is_empty() || self.pause > 0 {
            return false;
        }
        let few = (rules.limit / 100).clamp(1, FEW);
        let grows = rules.invents() && self.last_size.is_finite();
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

    /// Rebuilds the sample from the positions that were recorded one turn ago. If the result is too
    /// small, starts from the positions of 2 turns ago, then of 3, 5, 8 and so on. Stops when the
    /// result is large enough, when the work limit is reached, or when no older turn is recorded. If
    /// the result is still too small then, invents positions. Returns `None` if no result has a
    /// larger effective size than the present sample `now`.
    pub(crate) fn rebuild(
        &mut self,
        rules: &Rules<'_>,
        now: &Entries<H>,
        watch: &Watch,
        draws: &mut Draws,
    ) -> Option<Entries<H>> {
        let few = (rules.limit / 100).clamp(1, FEW) as f64;
        let mut best: Option<Entries<H>> = None;
        let mut size = effective(now);
        let mut left = rules.work.unwrap_or_else(|| {
            let work = rules.limit.saturating_mul(WORK_EACH);
            work.clamp(MIN_WORK, MAX_WORK)
        });
        let mut back = 1;
        while back <= self.turns.len() && left > 0 && size < few && !watch.is_late() {
            if let Some(found) = self.attempt(rules, back, &mut left, watch, draws) {
                let found_size = effective(&found);
                if found_size > size {
                    size = found_size;
                    best = Some(found);
                }
            }
            back += back.div_ceil(2);
        }
        if rules.invents() && size < few {
            for back in INVENTED_BACK {
                let found = (back <= self.turns.len() && size < few && !watch.is_late())
                    .then(|| self.invent(rules, back, watch, draws))
                    .flatten();
                if let Some(found) = found {
                    let found_size = effective(&found);
                    if found_size > size {
                        size = found_size;
                        best = Some(found);
                    }
                }
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

    /// Rejuvenates an empty sample, from the positions before the opponent's last move.
    pub(crate) fn rejuvenate(&self, rules: &Rules<'_>, draws: &mut Draws) -> Entries<H> {
        let (Some(turn), true) = (self.turns.last(), rules.invented > 0.0) else {
            return Entries::new();
        };
        let since = invent::Since {
            known: turn.own.first().map_or(rules.known, |(known, _)| known),
            report: &turn.report,
            own: &turn.own,
        };
        let kept = self.turns.iter().rev().find(|turn| !turn.before.is_empty());
        let wanted = rules.limit.clamp(MIN_REJUVENATED, MAX_REJUVENATED);
        kept.map_or_else(Entries::new, |kept| {
            invent::rejuvenate(&kept.before, &since, rules.choices, wanted, draws)
        })
    }

    /// Computes the present positions from the positions recorded `back` turns ago. Begins with
    /// these positions and follows the turns since then. After the first of these turns, adds
    /// invented positions.
    fn invent(
        &self,
        rules: &Rules<'_>,
        back: usize,
        watch: &Watch,
        draws: &mut Draws,
    ) -> Option<Entries<H>> {
        let turns = &self.turns[self.turns.len() - back..];
        let first = turns.first()?;
        let mut entries = first.before.clone();
        let most = (rules.limit / 2).clamp(1, MAX_INVENTED);
        thin(&mut entries, most, draws);
        let mut left = usize::MAX;
        for (nth, turn) in turns.iter().enumerate() {
            let next = turns.get(nth + 1);
            entries = if nth == 0 {
                turn.follow_similar(rules, &entries, next, most, watch, draws)
            } else {
                turn.follow(rules, &entries, next, &mut left, watch, draws)
            };
            if entries.is_empty() || watch.is_late() {
                return None;
            }
        }
        normalise(&mut entries);
        Some(entries)
    }

    /// Computes the present positions from the positions recorded `back` turns ago.
    /// `left` is the number of moves that may still be tried.
    fn attempt(
        &self,
        rules: &Rules<'_>,
        back: usize,
        left: &mut usize,
        watch: &Watch,
        draws: &mut Draws,
    ) -> Option<Entries<H>> {
        let turns = &self.turns[self.turns.len() - back..];
        let first = turns.first()?;
        let mut entries = first.before.clone();
        for (nth, turn) in turns.iter().enumerate() {
            let next = turns.get(nth + 1);
            let after = turn.follow(rules, &entries, next, left, watch, draws);
            // If the work was cut short, `after` has only a part of the positions. This part is not
            // a random sample, so it cannot be used.
            if after.is_empty() || watch.is_late() {
                return None;
            }
            entries = after;
        }
        normalise(&mut entries);
        Some(entries)
    }
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
        rules: &Rules<'_>,
        before: &Entries<H>,
        next: Option<&Arc<Turn<H>>>,
        left: &mut usize,
        watch: &Watch,
        draws: &mut Draws,
    ) -> Entries<H> {
        let expansion = self.expansion(rules);
        let most = match next {
            Some(_) => rules.limit.max(POPULATION),
            None => rules.limit,
        };
        let mut after: Entries<H> = Vec::new();
        for round in before.chunks(round_length(watch)) {
            if *left == 0 || watch.is_late() {
                break;
            }
            let threads = if round.len() < ROUND {
                1
            } else {
                rules.threads
            };
            let pieces = round.chunks(parallel::piece(round.len(), threads));
            let found = parallel::each(pieces.collect(), |piece| {
                let mut moves = Moves::none(rules.choices);
                let (mut tried, mut found) = (0, Vec::new());
                for entry in piece {
                    expansion.expand(entry, &mut moves, &mut found);
                    tried += moves.count() as usize;
                }
                for (known, step) in &self.own {
                    if retain(&mut found, 1, |entry| {
                        step.admits(entry, known, rules.choices, rules.compat)
                    }) == 0
                    {
                        found.clear();
                    }
                }
                if let Some(next) = next {
                    found.retain(|entry| next.can_follow(entry.hidden));
                }
                (tried, found)
            });
            for (tried, found) in found {
                *left = left.saturating_sub(tried);
                after.extend(found);
            }
            if after.len() > (3 * most).max(SHORT) {
                merge(&mut after, rules.threads);
                thin(&mut after, most, draws);
            }
        }
        merge(&mut after, rules.threads);
        thin(&mut after, most, draws);
        after
    }

    /// Like [`follow`](Turn::follow), but adds invented positions after the opponent's move. Keeps
    /// at most `most` positions after this move, and adds at most `most` invented positions.
    fn follow_similar(
        &self,
        rules: &Rules<'_>,
        before: &Entries<H>,
        next: Option<&Arc<Turn<H>>>,
        most: usize,
        watch: &Watch,
        draws: &mut Draws,
    ) -> Entries<H> {
        let expansion = self.expansion(rules);
        let mut moves = Moves::none(rules.choices);
        let mut after: Entries<H> = Vec::new();
        for round in before.chunks(round_length(watch)) {
            if watch.is_late() {
                break;
            }
            for entry in round {
                expansion.expand(entry, &mut moves, &mut after);
            }
            if after.len() > (3 * most).max(SHORT) {
                merge(&mut after, rules.threads);
                thin(&mut after, most, draws);
            }
        }
        merge(&mut after, rules.threads);
        thin(&mut after, most, draws);
        let known = self.own.first().map_or(rules.known, |(known, _)| known);
        let heard = (known, &self.report);
        invent::add(
            &mut after,
            heard,
            rules.choices,
            (most, rules.invented),
            draws,
        );
        for (known, step) in &self.own {
            let admits =
                |entry: &mut Entry<H>| step.admits(entry, known, rules.choices, rules.compat);
            if retain(&mut after, rules.threads, admits) == 0 {
                after.clear();
            }
        }
        if let Some(next) = next {
            after.retain(|entry| next.can_follow(entry.hidden));
        }
        merge(&mut after, rules.threads);
        after
    }

    /// Returns the input for computing the positions after the opponent's move of this turn.
    fn expansion<'a>(&'a self, rules: &'a Rules<'_>) -> Expansion<'a> {
        Expansion {
            choices: rules.choices,
            known: &self.known,
            turn: &self.turn,
            report: &self.report,
            model: rules.model,
            compat: rules.compat,
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

//! The bot `master`: plays to win, with a weighted belief.
//!
//! In the comments of this module, "we" are the bot's side.
//!
//! - `source`: the possible positions, and facts that follow from the moves so far;
//! - `heard`: what was heard, grouped by move;
//! - `exposure`: what the opponent knows of our men;
//! - `habit`: bonuses and penalties that do not depend on the opponent's men;
//! - `value`: the value of a position after a move of ours;
//! - `weights`: the values of men, probabilities and costs that this value depends on;
//! - `exchange`: series of captures on one square;
//! - `ahead`: a search over a reply of the opponent and our next attempt;
//! - `plan`: the best order of attempts, computed from a table of their values;
//! - `review`: what another attempt was worth, beside the plan;
//! - `turn`: the plan of a turn, which can begin with the question Any?;
//! - `limits`: how many positions and values a turn may use;
//! - `pace`: how a turn divides its time, if the budget is a time;
//! - `lone`: the possible squares of the opponent's king, if the king is the opponent's last man;
//! - `hunt`, `distance`: a search against the lone king, for endings that have no table;
//! - `mate`: a search for forced mates, if only few positions are possible;
//! - `levels`: weaker players;
//! - `attention`: which attempts a weaker player overlooks, and what it does after an announced
//!   pawn try.
//!
//! All attempts of a turn are planned before the first attempt is made. After a refusal, the bot
//! computes nothing and makes the next attempt of the plan. So a refusal changes neither the
//! planned attempts nor the time between them.

mod ahead;
mod attention;
mod distance;
mod exchange;
mod exposure;
mod habit;
mod heard;
mod hunt;
mod levels;
mod limits;
mod lone;
mod mate;
mod pace;
mod plan;
mod review;
pub(crate) mod source;
mod turn;
mod value;
mod weights;

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use belief::{Opponent, Origin, StartError, Watch};
use rules::{
    Attempt, Choices, Fifty, Heard, NoHeard, Own, PawnTries, Reply, ReserveUse, Tries, Try,
    Verdict, chess::Bitboard,
};
use solver::endgame::{OwnMen, Tables, equal_weights};
use views::PlayerView;

use self::{
    ahead::{AGAIN, Ahead, FIRST_SHARE},
    hunt::Hunt,
    levels::{LEVELS, MASTER, Strength},
    limits::{COPIES, Limits},
    lone::{best_man, prepare_tables, turned},
    pace::{MAX_LEARNING, MAX_MATING, Pace, Rest, time_of},
    plan::Table,
    source::{Effort, Possible, Source},
    turn::{Plan, Turn},
    value::Judge,
};
pub(crate) use self::{
    levels::knows_endings,
    lone::{TABLED, compute_tables},
};
pub use self::{
    turn::Worth,
    weights::{WeightError, Weights, WeightsError},
};
use crate::{
    budget::Budget,
    dice::{Dice, Seed},
    player::Player,
};

/// The attempts are compared in at least this many positions.
const MIN: usize = 8;

/// Number of attempts that are compared a second time, in more positions.
const FINALISTS: usize = 14;

/// Attempts are compared in at most this many positions.
const MAX_EXAMINED: usize = 8_000;

/// If the budget is a number of nodes, the budget is divided by this constant. The quotient is the
/// number of positions that are searched two moves ahead for one attempt.
const NODES_SEARCHED: u64 = 2;

/// Number of positions that are searched two moves ahead for one attempt, if the budget is
/// [`Budget::Usual`] or [`Budget::Within`].
const USUALLY_SEARCHED: usize = 400;

/// Maximum number of positions that are searched two moves ahead for one attempt, if the budget is
/// a number of nodes.
const MAX_SEARCHED: usize = 2_000;

/// Maximum number of positions that are searched two moves ahead for one attempt, if the budget is
/// a time.
const MAX_SEARCHED_IN_TIME: usize = 8_000;

/// The bot searches two moves ahead only if it can search at least this number of positions for one
/// attempt. With fewer positions, the result depends too much on chance.
const MIN_SEARCHED: usize = 100;

/// Greatest memory that one position of the belief needs, in bytes. The memory for updates of the
/// belief and for the comparison of attempts is included.
const POSITION_BYTES: usize = 1024;

/// If the opponent has at most this number of men, the king included, the tables of endings are
/// computed in advance.
const FEW_MEN: usize = 4;

/// Maximum number of positions that one search for a mate examines. There is one search for a mate
/// in one move, then one for a mate in two moves, and so on.
const MAX_MATE_NODES: usize = 50_000;

/// Maximum number of attempts in a turn against a lone king.
const MAX_HUNT: usize = 24;

/// Number of attempts in a turn against a lone king that are chosen with a search.
/// The later attempts of the turn are chosen without a search.
const SEARCHED: usize = 4;

/// A bot that plays to win. It keeps a weighted belief of the true position. It
/// compares all attempts of a turn in the same positions, and plans all of them
/// before it makes the first attempt.
#[derive(Clone, Debug)]
pub struct Master {
    dice: Dice,
    strength: Strength,
    weights: Arc<Weights>,
    source: Source,
    budget: Budget,
    /// Measured speed of the updates of the belief. This speed and the next two are used only if
    /// the budget is a time.
    update_pace: Pace,
    /// Measured speed of the comparison of attempts.
    value_pace: Pace,
    /// Measured speed of the search two moves ahead.
    search_pace: Pace,
    /// Maximum number of positions that the memory allows for the belief.
    most_positions: usize,
    /// Whether the player may think while the opponent is to move.
    may_think_ahead: bool,
    /// Effort of the next update of the belief, if the player may think ahead. Such an update
    /// begins before the budget of its turn is known, so the effort of the previous turn is used.
    effort: Option<Effort>,
    plan: Option<Plan>,
    /// An attempt that is reviewed: it is compared even if it is not among the best.
    reviewed: Option<Attempt>,
}

impl Master {
    /// Returns a player of full strength that assumes the usual start position.
    pub fn new(seed: Seed) -> Master {
        Master::with(seed, MASTER)
    }

    /// Returns a player of full strength that knows the start of the game: its own men, and the
    /// possible positions.
    ///
    /// # Errors
    /// Returns an error if the positions are not a possible start.
    pub fn knowing(
        seed: Seed,
        choices: &Choices,
        own: Own,
        origin: &Origin,
    ) -> Result<Master, StartError> {
        let mut master = Master::new(seed);
        master.source.begin(choices, own, origin, MASTER.limit)?;
        Ok(master)
    }

    /// Returns a player of full strength with other weights than those of `master`.
    pub fn with_weights(seed: Seed, weights: Arc<Weights>) -> Master {
        Master {
            weights,
            ..Master::new(seed)
        }
    }

    /// Returns a player of a level from 1 to 6. A number outside this range is
    /// replaced by the nearest level.
    pub fn at_level(seed: Seed, level: usize) -> Master {
        Master::with(seed, LEVELS[level.clamp(1, LEVELS.len()) - 1])
    }

    fn with(seed: Seed, strength: Strength) -> Master {
        Master {
            dice: Dice::new(seed),
            strength,
            weights: strength.weights(),
            source: Source::default(),
            budget: Budget::Usual,
            update_pace: Pace::UPDATE,
            value_pace: Pace::VALUE,
            search_pace: Pace::SEARCH,
            most_positions: usize::MAX,
            may_think_ahead: false,
            effort: None,
            plan: None,
            reviewed: None,
        }
    }

    /// Returns the limits of the next turn's work.
    fn limits(&self) -> Limits {
        let most_positions = match self.may_think_ahead {
            true => self.most_positions / COPIES,
            false => self.most_positions,
        };
        Limits::of(self.budget, self.strength, self.update_pace, most_positions)
    }

    /// Returns the effort of an update of the belief within these limits.
    fn effort_within(&self, limits: Limits) -> Effort {
        Effort {
            limit: limits.positions,
            work: limits.rebuild,
            cuts: time_of(self.budget).is_some(),
        }
    }

    /// Plans the turn.
    fn make_plan(&mut self, view: &PlayerView, tries: &[Try]) -> Plan {
        let begun = Instant::now();
        let limits = self.limits();
        let time = time_of(self.budget);
        let part = |share: f32| begun.checked_add(time?.mul_f32(share));
        let watch = part(MAX_LEARNING).map_or_else(Watch::default, |until| {
            Watch::cut_if(move || Instant::now() >= until)
        });
        let mated_until = part(MAX_MATING);
        let planned = self.effort_within(limits);
        let effort = match self.effort {
            Some(effort) if self.may_think_ahead && effort.cuts == planned.cuts => effort,
            _ => planned,
        };
        self.effort = Some(planned);
        let updated = self.source.learn(view, effort, &watch);
        // If the belief is much smaller than its limit, a rebuild takes most of the time. Then the
        // time says nothing about the speed of updates.
        if updated >= limits.positions / 4 {
            self.update_pace.note(updated, begun.elapsed());
        }
        let rest = Rest::after(begun.elapsed(), self.budget, self.value_pace);
        let until = rest.and_then(|rest| begun.checked_add(rest.searched));
        let compared_until = rest.and_then(|rest| begun.checked_add(rest.compared));
        let nodes = rest.and_then(|rest| rest.values).unwrap_or(limits.values);
        let most = (nodes / 2 / FINALISTS.min(tries.len()).max(1)).clamp(MIN, MAX_EXAMINED);
        let mut positions = self.source.positions(most, &mut self.dice);
        for last in (1..positions.len()).rev() {
            let other = self.dice.below(last as u32 + 1) as usize;
            positions.swap(last, other);
        }
        let material = |side: &Own| self.weights.material(side);
        let ahead = positions
            .iter()
            .map(|one| {
                let sides = one.at.sides();
                let color = view.color();
                one.weight * (material(sides.get(color)) - material(sides.get(color.other())))
            })
            .sum();
        let usual = if let Some(plan) = self.mating(view, nodes, mated_until) {
            plan
        } else if let Some(list) = self.hunt(view, tries, until) {
            Plan {
                usual: list,
                ..Plan::default()
            }
        } else {
            let times = (compared_until, until);
            let mut plan = self.compare(view, tries, &positions, ahead, nodes, times);
            self.add_pawn_captures(view, tries, &mut plan);
            plan
        };
        Plan { ahead, ..usual }
    }

    /// Returns the attempts of a forced mate, if one is found.
    fn mating(&self, view: &PlayerView, nodes: usize, until: Option<Instant>) -> Option<Plan> {
        if !self.strength.knows_endings {
            return None;
        }
        let positions = self.source.all_positions(mate::MAX_POSITIONS)?;
        let most = match self.budget {
            Budget::Usual | Budget::Nodes(_) => nodes,
            Budget::Within(time) => nodes.min((time.as_micros() / 4) as usize),
            // Every four microseconds of the budget allow one position. The solver examines several
            // positions in one microsecond, so it needs only a small part of the budget.
            Budget::Time(time) => (time.as_micros() / 4) as usize,
        };
        let nodes = most.min(MAX_MATE_NODES) as u64;
        let late = || until.is_some_and(|until| Instant::now() >= until);
        let found = mate::find(view.choices(), positions, view.turn(), nodes, &late)?;
        let mate::MatingTurn {
            asks,
            usual,
            after_yes,
        } = found;
        Some(Plan {
            asks,
            usual,
            after_yes,
            is_mate: true,
            ..Plan::default()
        })
    }

    /// Returns the attempts against a lone king, in order. Each attempt is the best
    /// attempt if all earlier attempts of the list were refused.
    fn hunt(
        &mut self,
        view: &PlayerView,
        tries: &[Try],
        until: Option<Instant>,
    ) -> Option<Vec<Try>> {
        if !self.strength.knows_endings {
            return None;
        }
        if self.source.lone.men_left() <= FEW_MEN {
            prepare_tables(view.choices().check);
        }
        let mut kings = self.source.lone_king()?;
        let mut list = self.tabled(view, tries, kings).unwrap_or_default();
        let hunt = Hunt {
            choices: view.choices(),
        };
        let own = view.own();
        let late = || until.is_some_and(|until| Instant::now() >= until);
        let mut left = tries.to_vec();
        for t in &list {
            left.retain(|other| other != t);
            kings = hunt.refused(own, kings, *t);
        }
        while kings.any() && list.len() < MAX_HUNT {
            let best = if late() || list.len() >= SEARCHED {
                hunt.quick(own, kings, &left, &self.source.past)
            } else {
                hunt.best(own, kings, &left, &self.source.past, &mut self.dice, late)
            };
            let Some(t) = best else {
                break;
            };
            list.push(t);
            left.retain(|other| *other != t);
            kings = hunt.refused(own, kings, t);
        }
        (!list.is_empty()).then_some(list)
    }

    /// Returns the attempts against a lone king from the tables of endings, if there is a table for
    /// our best man. Minor pieces beside a rook do not move. The list ends before an attempt that
    /// they make bad.
    fn tabled(&self, view: &PlayerView, tries: &[Try], kings: Bitboard) -> Option<Vec<Try>> {
        let own = view.own();
        if !own.reserve.is_empty() {
            return None;
        }
        let best = best_man(own)?;
        let (color, choices) = (own.color, view.choices());
        let tables = Tables::for_rules(choices.check)?;
        let men = OwnMen::of(&best)?;
        let is_timed = matches!(self.budget, Budget::Time(_) | Budget::Within(_));
        if is_timed && !tables.is_ready(men) {
            return None;
        }
        let placements = &self.source.lone.placements;
        let half_moves = match choices.fifty {
            Fifty::On => 2 * self.source.past.configs.len() as u32,
            Fifty::Off => 0,
        };
        let past = placements.iter().filter_map(best_man);
        let past: Vec<OwnMen> = past.filter_map(|own| OwnMen::of(&own)).collect();
        let advice = tables.advice(men, &equal_weights(kings, color), half_moves, &past)?;
        let all = advice.tries.into_iter().map(|t| turned(t, color));
        if best.all() == own.all() {
            return Some(all.filter(|t| tries.contains(t)).collect());
        }
        let possible = all.take_while(|t| tries.contains(t));
        Some(Hunt { choices }.good_part(own, kings, possible, &self.source.past))
    }

    /// Compares all attempts in the same positions.
    fn compare(
        &mut self,
        view: &PlayerView,
        tries: &[Try],
        positions: &[Possible],
        ahead: f32,
        nodes: usize,
        (until, searched_until): (Option<Instant>, Option<Instant>),
    ) -> Plan {
        let mut habits = self.attention(view, tries);
        let (own, choices) = (view.own(), view.choices());
        let judge = Judge {
            choices,
            exposure: &self.source.exposure,
            caution: self.strength.caution,
            pawn_caution: self.strength.pawn_caution,
            saturates: self.strength.saturates,
            weights: &self.weights,
            hit: self.source.hit,
        };
        let quiet = positions.iter().map(|one| one.at.quiet).max().unwrap_or(0);
        for (habit, t) in habits.iter_mut().zip(tries) {
            *habit += self.habit(own, *t, ahead, quiet);
        }
        let mut compared = (0, Duration::ZERO);
        // The time may end before all positions are examined. The positions are in random order, so
        // the examined positions are a random sample in this case too.
        let mut examine = |tries: &[Try], habits: &[f32], positions: &[Possible]| {
            let begun = Instant::now();
            let mut columns = Vec::with_capacity(positions.len());
            for one in positions {
                if columns.len() >= MIN && until.is_some_and(|until| Instant::now() >= until) {
                    break;
                }
                let column: Vec<f32> = tries
                    .iter()
                    .zip(habits)
                    .map(|(t, habit)| match one.at.position.after(*t) {
                        Some((after, taken)) => judge.value(&after, t.to(), taken) + habit,
                        None => f32::NAN,
                    })
                    .collect();
                columns.push(column);
            }
            compared.0 += columns.len() * tries.len();
            compared.1 += begun.elapsed();
            let weights = positions[..columns.len()].iter().map(|one| one.weight);
            Table {
                weights: weights.collect(),
                ..Table::of_columns(&columns, tries.len())
            }
        };
        let turn = |tries, table| Turn {
            view,
            tries,
            table,
            captures: tries.iter().map(|t| own.is_pawn_capture(*t)).collect(),
            refusal: match choices.no_heard {
                NoHeard::Mover => 0.0,
                NoHeard::Both => 0.01,
            },
            reviewed: self.reviewed,
        };
        let opponent = Opponent::shipped();
        let may_search = self.strength.searches && choices.reserve != ReserveUse::Drops;
        let mut search = |table: &mut Table, tries: &[Try], chosen: &[usize]| {
            let begun = Instant::now();
            let most = match self.budget {
                Budget::Usual | Budget::Within(_) => USUALLY_SEARCHED,
                Budget::Nodes(nodes) => usize::try_from(nodes / NODES_SEARCHED)
                    .unwrap_or(MAX_SEARCHED)
                    .min(MAX_SEARCHED),
                Budget::Time(_) => {
                    let left = searched_until.map(|until| until.saturating_duration_since(begun));
                    let pairs = self.search_pace.within(left.unwrap_or_default(), 1.0);
                    let most = pairs / (FINALISTS.div_ceil(FIRST_SHARE) + AGAIN);
                    most.min(MAX_SEARCHED_IN_TIME)
                }
            };
            if most < MIN_SEARCHED || !may_search {
                return false;
            }
            let mut unit = || f64::from(self.dice.below(1 << 24)) / f64::from(1 << 24);
            let units: Vec<f64> = (0..most).map(|_| unit()).collect();
            let ahead = Ahead {
                judge,
                opponent: &opponent,
                captor: self.source.hit.first(),
                positions,
                units: &units,
                until: searched_until,
            };
            let searched = ahead.correct(table, tries, chosen);
            self.search_pace.note(searched, begun.elapsed());
            true
        };
        let asks = choices.pawn_tries == PawnTries::OnRequest && !view.turn().asked;
        let first = positions.len().min(nodes / 2 / tries.len().max(1)).max(MIN);
        if asks || tries.len() <= FINALISTS || first >= positions.len() {
            let all = (nodes / tries.len().max(1)).clamp(MIN, positions.len().max(MIN));
            let positions = &positions[..all.min(positions.len())];
            let mut turn = turn(tries, examine(tries, &habits, positions));
            self.value_pace.note(compared.0, compared.1);
            let plan = turn.plan();
            let best = plan.usual.iter().chain(&plan.after_yes).take(FINALISTS);
            let best = best.filter_map(|t| tries.iter().position(|other| other == t));
            let best: Vec<usize> = best.collect();
            let searched = search(&mut turn.table, tries, &best);
            return if searched { turn.plan() } else { plan };
        }
        // The first comparison uses few positions, which may not show rare dangers. So the best
        // attempts are compared again in more positions.
        let begun = turn(tries, examine(tries, &habits, &positions[..first])).plan();
        let mut finalists: Vec<Try> = begun.usual.iter().copied().take(FINALISTS).collect();
        if let Some(Attempt::Try(t)) = self.reviewed
            && begun.usual.contains(&t)
            && !finalists.contains(&t)
        {
            finalists.push(t);
        }
        let kept: Vec<f32> = finalists
            .iter()
            .filter_map(|t| tries.iter().position(|other| other == t))
            .map(|at| habits[at])
            .collect();
        let second = (nodes / 2 / FINALISTS).clamp(first, positions.len());
        let mut table = examine(&finalists, &kept, &positions[..second]);
        self.value_pace.note(compared.0, compared.1);
        if table.weights.len() < first {
            // There was no time for a second comparison, so the plan of the first comparison is
            // used.
            return begun;
        }
        let all: Vec<usize> = (0..finalists.len()).collect();
        search(&mut table, &finalists, &all);
        let mut plan = turn(&finalists, table).plan();
        for t in begun.usual {
            if !plan.usual.contains(&t) {
                plan.usual.push(t);
            }
        }
        plan
    }
}

impl Player for Master {
    fn hear(&mut self, heard: &Heard) {
        if matches!(
            heard,
            Heard::Reply(Reply::Verdict {
                verdict: Verdict::Moved,
                ..
            })
        ) {
            self.plan = None;
        }
        self.source.hear(heard);
    }

    fn begin_turn(&mut self, budget: Budget) {
        self.budget = budget;
    }

    fn accepts_draw(&self, view: &PlayerView) -> bool {
        let own = view.own();
        let bare = own.all() == own.men.king && own.reserve.is_empty();
        bare || self.plan.as_ref().is_some_and(|plan| plan.ahead < -6.0)
    }

    fn set_memory(&mut self, bytes: usize) {
        self.most_positions = (bytes / POSITION_BYTES).max(1);
    }

    fn allow_thinking_ahead(&mut self) {
        self.may_think_ahead = true;
    }

    fn think_ahead(&mut self, view: &PlayerView, stop: &Arc<AtomicBool>) {
        if let Some(effort) = self.effort.filter(|_| self.may_think_ahead) {
            self.source.look_ahead(view, effort, stop);
        }
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        if tries.is_empty() {
            return Attempt::Resign;
        }
        if self.plan.is_none() {
            self.plan = Some(self.make_plan(view, tries));
        }
        if let Some(answer) = self.answer_draw(view) {
            return answer;
        }
        let turn = view.turn();
        if let Some(plan) = &self.plan {
            if plan.asks && !turn.asked {
                return Attempt::Any;
            }
            let list = if plan.asks && turn.tries == Tries::Whether(true) {
                &plan.after_yes
            } else {
                &plan.usual
            };
            if let Some(next) = list.iter().find(|t| tries.contains(t)) {
                return Attempt::Try(*next);
            }
        }
        blind(view.own(), tries, self.source.hit, &mut self.dice)
            .map_or(Attempt::Resign, Attempt::Try)
    }
}

/// Chooses a try for the case that all tries are illegal in all guesses. Prefers a move to the
/// square where we just lost a man, then a pawn capture, then a random try.
fn blind(own: &Own, tries: &[Try], hit: Bitboard, dice: &mut Dice) -> Option<Try> {
    let at_hit = tries.iter().find(|t| hit.contains(t.to()));
    let capture = tries.iter().find(|t| own.is_pawn_capture(**t));
    at_hit.or(capture).copied().or_else(|| dice.pick(tries))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{
        Announcement,
        chess::Color,
        rulesets::{self, WILD16},
    };

    const SEED: Seed = Seed { seed: 5, stream: 0 };

    #[test]
    fn turn_without_time_still_compares_all_attempts() {
        let mut view = PlayerView::initial(WILD16.choices, Color::Black);
        let mut master = Master::new(SEED);
        let heard = [
            Heard::Reply(Reply::Verdict {
                verdict: Verdict::Moved,
                by: Color::White,
                attempt: None,
            }),
            Heard::Announced(Announcement::Tries(Tries::Count(0))),
            Heard::Announced(Announcement::Turn {
                to_move: Color::Black,
            }),
        ];
        for heard in &heard {
            view.hear(heard);
            master.hear(heard);
        }
        let tries = view.tries();
        // The budget is zero. So on every machine, the time of each part of the turn ends at once.
        master.begin_turn(Budget::Time(Duration::ZERO));
        assert!(matches!(master.attempt(&view, &tries), Attempt::Try(_)));
        let plan = master.plan.as_ref().expect("the turn continues");
        assert_eq!(plan.usual.len(), tries.len());
        // The speed of the comparison was measured, so attempts were compared. There was no search.
        assert_ne!(master.value_pace, Pace::VALUE);
        assert_eq!(master.search_pace, Pace::SEARCH);
    }

    #[test]
    fn nothing_is_computed_after_a_refusal() {
        let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset");
        let mut view = PlayerView::initial(wild16.choices, Color::White);
        let mut master = Master::new(SEED);
        master.begin_turn(Budget::Nodes(500));
        let Attempt::Try(first) = master.attempt(&view, &view.tries()) else {
            panic!("the first attempt must be a move");
        };
        let planned = format!("{:?}", (&master.plan, &master.dice));
        let no = Heard::own_verdict(Verdict::No, Color::White, first);
        view.hear(&no);
        master.hear(&no);
        let Attempt::Try(second) = master.attempt(&view, &view.tries()) else {
            panic!("the second attempt must be a move");
        };
        assert_ne!(first, second);
        let plan = master.plan.as_ref().expect("the turn continues");
        assert_eq!(plan.usual[..2], [first, second]);
        // The plan and the random numbers are unchanged, so nothing was computed after the refusal.
        assert_eq!(format!("{:?}", (&master.plan, &master.dice)), planned);
    }
}

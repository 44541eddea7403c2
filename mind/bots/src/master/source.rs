//! The positions that are possible for the player, from what its seat heard.

use std::sync::{Arc, atomic::AtomicBool};

use belief::{Ahead, Belief, Model, Origin, Settings, Situation, StartError, Watch};
use rules::{
    Choices, Heard, Own, Start,
    chess::{Bitboard, Color},
};
use views::PlayerView;

use super::{
    exposure::Exposure,
    heard::{self, Fact, Placements},
    lone::LoneKing,
};
use crate::dice::Dice;

/// How strongly the belief favours improbable positions when it keeps only a sample of the possible
/// positions ([`Settings::spread`]).
const SPREAD: f64 = 0.5;

/// Share of the weight that invented positions get when a sample is rebuilt
/// ([`Settings::invented`]).
const INVENTED: f64 = 0.2;

/// A possible position with us to move.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Possible {
    /// The position.
    pub at: Situation,
    /// Weight of the position, in proportion to its probability.
    pub weight: f32,
}

/// Limits of one update of the belief.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Effort {
    /// Maximum number of positions.
    pub limit: usize,
    /// Maximum number of moves that a rebuild of the sample tries.
    pub work: usize,
    /// Whether the update can be cut short.
    pub cuts: bool,
}

/// What was computed while the opponent was to move.
#[derive(Clone, Debug)]
struct Foresight {
    effort: Effort,
    /// The belief after the first `heard` items of [`Source::heard`].
    belief: Belief,
    heard: usize,
    /// The belief after the most probable reply of the opponent.
    ahead: Option<Ahead>,
}

/// What a player knows: the possible positions, and facts that follow from the
/// moves so far.
///
/// The positions come from a belief. The belief is complete as long as few positions are possible.
/// After that it is a sample. If the game did not begin with the usual start position, a belief
/// begins with as many men of the opponent as we have, on unknown squares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    /// What was heard since the last call of `learn`.
    heard: Vec<Heard>,
    belief: Option<Belief>,
    foresight: Option<Foresight>,
    /// Whether the game did not begin where the player thought.
    failed: bool,
    /// Whether the belief began on assumptions. If so, the belief may lack the true position.
    assumed: bool,
    /// All facts of the game.
    facts: Vec<Fact>,
    /// Number of facts with which `lone`, `past` and `exposure` were updated.
    followed: usize,
    own: Option<Own>,
    /// Earlier placements of our men.
    pub past: Placements,
    /// Estimate of what the opponent knows about our men.
    pub exposure: Exposure,
    /// The possible squares of the opponent's lone king.
    pub lone: LoneKing,
    /// Number of our moves so far.
    pub moves: usize,
    /// The square where the last move captured a man of ours. Empty if it captured none.
    pub hit: Bitboard,
}

impl Source {
    /// Begins with the start positions `origin`, in which our men are `own`.
    ///
    /// # Errors
    /// Returns an error if a belief cannot begin there.
    pub fn begin(
        &mut self,
        choices: &Choices,
        own: Own,
        origin: &Origin,
        limit: usize,
    ) -> Result<(), StartError> {
        self.belief = Some(open(choices, own, origin, limit)?);
        self.own = Some(own);
        Ok(())
    }

    /// Stores one item that the seat heard. The next call of `learn` uses the stored items.
    pub fn hear(&mut self, heard: &Heard) {
        self.heard.push(*heard);
    }

    /// Computes in advance what the next call of [`Source::learn`] with the same effort needs.
    /// Returns soon after `stop` is true.
    pub fn look_ahead(&mut self, view: &PlayerView, effort: Effort, stop: &Arc<AtomicBool>) {
        self.foresight = None;
        let mut belief = match &self.belief {
            Some(belief) => belief.clone(),
            None if self.assumed => return,
            None => match usual_belief(view.choices(), view.color(), effort.limit) {
                Some(belief) => belief,
                None => return,
            },
        };
        belief.set_limit(effort.limit);
        belief.set_rebuild_work(Some(effort.work));
        let watch = Watch::discarded_if(Arc::clone(stop), effort.cuts);
        for heard in &self.heard {
            let _unexplained = belief.hear_watched(heard, &watch);
        }
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return;
        }
        self.foresight = Some(Foresight {
            effort,
            ahead: belief.look_ahead(effort.cuts, stop),
            belief,
            heard: self.heard.len(),
        });
    }

    /// Updates the belief and the facts with what was heard since the last call. `watch` can cut an
    /// update short.
    ///
    /// Returns the number of positions before the update, so that the caller can compute the speed
    /// of the update. Returns 0 if a part of the update was computed in advance, because the speed
    /// would be wrong.
    pub fn learn(&mut self, view: &PlayerView, effort: Effort, watch: &Watch) -> usize {
        let (mut before, mut known, mut ahead) = (0, 0, None);
        if self.belief.is_none() && !self.assumed {
            self.belief = usual_belief(view.choices(), view.color(), effort.limit);
        }
        if let Some(belief) = &mut self.belief {
            before = belief.kept();
            belief.set_limit(effort.limit);
            belief.set_rebuild_work(Some(effort.work));
            let foresight = self.foresight.take();
            if let Some(foresight) = foresight.filter(|foresight| foresight.effort == effort) {
                (before, known, ahead) = (0, foresight.heard, foresight.ahead);
                *belief = foresight.belief;
            }
        }
        for (at, heard) in std::mem::take(&mut self.heard).into_iter().enumerate() {
            heard::note(&mut self.facts, &heard);
            if at >= known
                && let Some(belief) = &mut self.belief
            {
                // An error means that the belief has no position left.
                let _unexplained = belief.hear_ahead(&heard, watch, &mut ahead);
            }
        }
        self.follow(view);
        let agrees = |belief: &Belief| {
            belief.view().own().men == view.own().men && belief.known().is_own_turn()
        };
        self.failed |= !self.belief.as_ref().is_some_and(agrees);
        let usable = |belief: &Belief| agrees(belief) && belief.kept() > 0;
        if !self.belief.as_ref().is_some_and(usable) {
            self.assumed = true;
            self.belief = assumed_belief(view, effort.limit);
        }
        before
    }

    /// Updates the facts that follow from the moves.
    fn follow(&mut self, view: &PlayerView) {
        let (color, choices) = (view.color(), view.choices());
        let mut own = self
            .own
            .unwrap_or_else(|| *PlayerView::initial(*choices, color).own());
        for fact in &self.facts[self.followed..] {
            let before = own;
            if let Fact::Moved(told) = fact {
                told.follow(&mut own);
            }
            self.lone.learn(choices, fact, &before, &own);
            let Fact::Moved(told) = fact else {
                continue;
            };
            self.past.moved(&before, told, &own);
            self.exposure.moved(color, told);
            self.moves += usize::from(told.by == color);
            self.hit = told
                .lost
                .map_or(Bitboard::EMPTY, |(square, _)| Bitboard::from_square(square));
        }
        self.followed = self.facts.len();
        self.own = Some(own);
    }

    /// Returns about `most` possible positions, or all of them if there are fewer. Their weights
    /// add up to 1.
    pub fn positions(&self, most: usize, dice: &mut Dice) -> Vec<Possible> {
        let mut all = self.drawn(most, dice);
        let total: f32 = all.iter().map(|one| one.weight).sum();
        for one in &mut all {
            one.weight /= total.max(f32::MIN_POSITIVE);
        }
        all
    }

    /// Draws about `most` positions of the belief in proportion to their weights. Returns all
    /// positions if the belief has at most `most`.
    fn drawn(&self, most: usize, dice: &mut Dice) -> Vec<Possible> {
        let Some(belief) = self.belief.as_ref() else {
            return Vec::new();
        };
        let mut all = Vec::with_capacity(most.min(belief.kept()));
        if belief.kept() <= most {
            belief.each_position(|situation, weight| all.push(possible(situation, weight)));
            return all;
        }
        let step = 1.0 / most as f64;
        let mut next = step * f64::from(dice.below(1 << 16)) / 65_536.0;
        let mut reached = 0.0;
        belief.each_position(|situation, weight| {
            reached += weight;
            let mut times = 0;
            while next < reached {
                times += 1;
                next += step;
            }
            if times > 0 {
                all.push(possible(situation, f64::from(times)));
            }
        });
        all
    }

    /// Returns all possible positions, with us to move. Returns `None` if they are not
    /// known, or if there are more than `most`.
    pub fn all_positions(&self, most: usize) -> Option<Vec<Situation>> {
        let belief = self.belief.as_ref().filter(|_| !self.assumed)?;
        let few = belief.is_complete() && (1..=most).contains(&belief.kept());
        few.then(|| {
            let positions = belief.positions(most).into_iter();
            positions.map(|(situation, _)| situation).collect()
        })
    }

    /// If the opponent has only the king, returns the possible squares of the
    /// king.
    pub fn lone_king(&self) -> Option<Bitboard> {
        let followed = self.lone.kings().filter(|_| !self.failed);
        let complete = |belief: &Belief| belief.is_complete() && !self.assumed;
        if followed.is_some() && !self.belief.as_ref().is_some_and(complete) {
            return followed;
        }
        self.believed_king().or(followed)
    }

    /// Returns the possible squares of the lone king in the belief.
    fn believed_king(&self) -> Option<Bitboard> {
        let belief = self.belief.as_ref()?;
        let (mut kings, mut bare) = (Bitboard::EMPTY, 0.0);
        belief.each_position(|situation, weight| {
            let men = situation.men();
            if men.all() == men.by_role.king {
                kings |= men.by_role.king;
                bare += weight;
            }
        });
        let empty = belief.known().reserve.is_empty();
        (bare > 0.97 && empty).then_some(kings)
    }
}

/// Returns a belief that begins with these positions.
fn open(choices: &Choices, own: Own, origin: &Origin, limit: usize) -> Result<Belief, StartError> {
    let start = Start {
        rules: "".into(),
        own: Some(own),
        reserves: Default::default(),
    };
    Belief::open(*choices, own.color, &start, origin, settings(limit))
}

/// Returns the belief of a seat in a game from the usual start position, before
/// any announcement.
fn usual_belief(choices: &Choices, color: Color, limit: usize) -> Option<Belief> {
    let own = *PlayerView::initial(*choices, color).own();
    open(choices, own, &Origin::Usual, limit).ok()
}

/// Returns a belief in which the opponent has as many men as we have, on unknown squares. Returns
/// `None` if captured men can be dropped.
fn assumed_belief(view: &PlayerView, limit: usize) -> Option<Belief> {
    let own = *view.own();
    let origin = Origin::Unknown {
        to_move: own.color,
        men: own.men.map(|squares| squares.count() as u8),
    };
    open(view.choices(), own, &origin, limit).ok()
}

/// Returns the settings of a belief with at most `limit` positions.
fn settings(limit: usize) -> Settings {
    Settings {
        limit,
        model: Model::fitted(),
        spread: SPREAD,
        invented: INVENTED,
        ..Settings::default()
    }
}

fn possible(situation: &Situation, weight: f64) -> Possible {
    Possible {
        at: *situation,
        weight: weight as f32,
    }
}

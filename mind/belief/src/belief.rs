//! The belief of one seat, updated with each thing that the seat hears.

use std::collections::HashMap;

use rules::{Announcement, Choices, Heard, Own, Reason, Start, Threefold, chess::Color};
use views::PlayerView;

use crate::{
    ahead::Ahead,
    blame::Part,
    compat::Compat,
    envelope::Envelope,
    expand::Expansion,
    hearing::{Hearing, Step},
    hidden::{Hidden, Small, Wide},
    known::Known,
    men::Men,
    model::Model,
    opponent_refusals::TheirTurn,
    past::Rules,
    pool::{Effort, Grown, Pool},
    regime::{Overflow, Regime, Size},
    report::Report,
    sample::Draws,
    start::{Origin, StartError, begin},
    watch::Watch,
};

/// If the opponent has at most this number of men, the king included, no positions are invented
/// beside possible ones.
const FOLLOWED: usize = 4;

/// Settings of a belief.
///
/// ```
/// use belief::{Model, Settings};
///
/// let settings = Settings { limit: 100_000, threads: 2, ..Settings::default() };
/// assert_eq!(settings.model, Model::Uniform);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Maximum number of positions. [`overflow`](Settings::overflow) says what is kept if more
    /// positions are possible. A position takes 24 bytes, or 40 bytes in some games, for example if
    /// the ruleset has drops. While the program computes the opponent's move, it needs about 100
    /// bytes for each position.
    pub limit: usize,
    /// How the opponent is assumed to choose a move.
    pub model: Model,
    /// Changes to the rules. They are needed only to compare results with another project.
    pub compat: Option<Compat>,
    /// Number of threads that compute the opponent's moves. The resulting belief is the same with
    /// any number of threads.
    pub threads: usize,
    /// Maximum number of moves of the opponent that one rebuild of a sample may try. With `None`,
    /// the maximum is from 2,000,000 to 20,000,000, depending on `limit`.
    pub rebuild_work: Option<usize>,
    /// How strongly a sample favours improbable positions, from 0 to 1. With 0, the probability
    /// that a position is kept is in proportion to the weight of the position. With 1, all
    /// positions are equally likely to be kept. The weights of the kept positions are corrected.
    /// Therefore the expected value of a weighted mean does not depend on this setting.
    pub spread: f64,
    /// What is kept if more than `limit` positions are possible.
    pub overflow: Overflow,
    /// Share of the weight that invented positions get if a sample is rebuilt, from 0 to 1. An
    /// invented position is similar to a position of the sample and agrees with the last
    /// announcements, but it need not agree with earlier ones. With 0, no positions are invented, and
    /// an empty sample is not rejuvenated.
    pub invented: f64,
    /// Whether the announcements after the seat's own moves are unknown. Then only the legality of
    /// such a move is used, and what is heard about it is ignored.
    pub own_untold: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            limit: 2_000_000,
            model: Model::Uniform,
            compat: None,
            threads: 1,
            rebuild_work: None,
            spread: 0.0,
            overflow: Overflow::Sample,
            invented: 0.0,
            own_untold: false,
        }
    }
}

/// Error: no position agrees with what was heard.
///
/// ```
/// use belief::{Belief, Part};
/// use rules::{Announcement, Reply, Verdict, chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let mut black = Belief::usual(wild16, Color::Black);
/// let moved = Reply::Verdict { verdict: Verdict::Moved, by: Color::White, attempt: None };
/// black.hear(&moved.into())?;
/// black.hear(&Announcement::Check { directions: [ "knight".parse()? ].into_iter().collect() }.into())?;
/// let turn = Announcement::Turn { to_move: Color::Black };
/// let error = black.hear(&turn.into()).expect_err("no knight can give check after one move");
/// assert_eq!(error.to_string(), "nothing agrees with announcement 2: no knight can give that check");
/// assert!(matches!(error.part, Part::Check(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("nothing agrees with announcement {announcement}: {part}")]
pub struct Unexplained {
    /// Number of the announcement. All things that the seat heard are numbered from 1.
    pub announcement: usize,
    /// The part of the announcement that no position explains.
    pub part: Part,
}

/// Error: a belief could not be updated.
///
/// ```
/// use belief::{Part, Unexplained, Unheard};
///
/// let unexplained = Unexplained { announcement: 14, part: Part::Capture };
/// let unheard = Unheard::from(unexplained);
/// assert_eq!(unheard.to_string(), "nothing agrees with announcement 14: no man can make that capture");
/// ```
#[derive(Copy, Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum Unheard {
    /// No position agrees with what was heard.
    #[error(transparent)]
    Unexplained(#[from] Unexplained),
    /// The work was stopped. The belief is unchanged.
    #[error("the work was stopped")]
    Stopped,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Set {
    Small(Pool<Small>),
    Wide(Pool<Wide>),
}

/// Runs the same code for both kinds of pool: with `Small` and with `Wide` positions.
macro_rules! with_pool {
    ($set:expr, $pool:ident => $what:expr) => {
        match $set {
            Set::Small($pool) => $what,
            Set::Wide($pool) => $what,
        }
    };
}
pub(crate) use with_pool;

/// The positions that are possible for one seat, with their probabilities.
///
/// ```
/// use belief::Belief;
/// use rules::{Announcement, Reply, Tries, Verdict, chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let mut black = Belief::usual(wild16, Color::Black);
/// // White has moved: no capture, no check, and Black has no pawn try.
/// let moved = Reply::Verdict { verdict: Verdict::Moved, by: Color::White, attempt: None };
/// black.hear(&moved.into())?;
/// black.hear(&Announcement::Tries(Tries::Count(0)).into())?;
/// black.hear(&Announcement::Turn { to_move: Color::Black }.into())?;
/// assert_eq!(black.size(), belief::Size::Exactly(20));
/// # Ok::<(), belief::Unexplained>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Belief {
    pub(crate) choices: Choices,
    pub(crate) settings: Settings,
    pub(crate) hearing: Hearing,
    pub(crate) known: Known,
    pub(crate) turn: TheirTurn,
    pub(crate) set: Set,
    pub(crate) regime: Regime,
    /// The envelope, if positions were left out. `None` if all positions are kept, because then the
    /// envelope can be computed from the positions.
    pub(crate) envelope: Option<Envelope>,
    draws: Draws,
    /// Counts how often each arrangement of the seat's own men has occurred, separately for White
    /// to move and Black to move. A position can have occurred three times only if its arrangement
    /// of own men has occurred three times.
    occurrences: HashMap<(Own, Color), u8>,
}

impl Belief {
    /// Returns the belief of a seat in a game from the usual start position.
    /// The announcements at the start of the game are already included.
    pub fn usual(choices: Choices, seat: Color) -> Belief {
        let view = PlayerView::initial(choices, seat);
        let start = Start {
            rules: "".into(),
            own: Some(*view.own()),
            reserves: Default::default(),
        };
        let settings = Settings::default();
        let mut belief = Belief::open(choices, seat, &start, &Origin::Usual, settings)
            .expect("the usual start position is valid");
        let tries = view.turn().tries;
        let opening = [
            (tries != rules::Tries::Untold).then_some(Announcement::Tries(tries)),
            Some(Announcement::Turn {
                to_move: Color::White,
            }),
        ];
        for heard in opening.into_iter().flatten() {
            belief
                .hear(&heard.into())
                .expect("the usual start position agrees with its announcements");
        }
        belief.hearing.count_anew();
        belief
    }

    /// Returns the belief of a seat at the start of a game, before any
    /// announcement.
    ///
    /// # Errors
    /// Returns an error if `start` has no men of this seat, or if `origin` is
    /// invalid or contradicts `start`.
    pub fn open(
        choices: Choices,
        seat: Color,
        start: &Start,
        origin: &Origin,
        settings: Settings,
    ) -> Result<Belief, StartError> {
        let hearing = Hearing::open(choices, seat, start);
        let own = start.own.filter(|own| own.color == seat);
        let own = own.ok_or(StartError::NoSeat)?;
        let spread = settings.spread;
        let begun = begin(&choices, &own, origin, settings.limit)?;
        if begun.men.is_empty() {
            return Err(StartError::Nothing);
        }
        let fits = |men: &Men| men.all().count() <= Small::MAX_MEN && men.promoted.is_empty();
        let set = if !begun.known.drops && begun.men.iter().all(fits) {
            Set::Small(Pool::new(&begun.men))
        } else {
            Set::Wide(Pool::new(&begun.men))
        };
        let mut set = set;
        if let Some(count) = begun.count {
            with_pool!(&mut set, pool => pool.count_anew(count, settings.limit));
        }
        let regime = match settings.overflow {
            _ if begun.complete => Regime::Exact,
            Overflow::Sample => Regime::Sampled,
            Overflow::Envelope => {
                with_pool!(&mut set, pool => pool.clear());
                Regime::EnvelopeOnly
            }
        };
        Ok(Belief {
            choices,
            settings,
            hearing,
            known: begun.known,
            turn: TheirTurn::default(),
            set,
            regime,
            envelope: (!begun.complete).then(|| Envelope::anything(&begun.known, &begun.men[0])),
            draws: Draws::new().with_spread(spread),
            occurrences: HashMap::new(),
        })
    }

    /// Updates the belief with one thing that the seat heard. A verdict on the
    /// seat's own attempt must contain the attempt.
    ///
    /// # Errors
    /// Returns an error if the seat cannot hear this thing now, or if all possible positions were
    /// kept and none of them agrees with it. The belief is then empty, and stays empty. If only a
    /// sample was kept and none of it agrees, the belief continues with the envelope alone.
    pub fn hear(&mut self, heard: &Heard) -> Result<(), Unexplained> {
        match self.hear_watched(heard, &Watch::default()) {
            Ok(()) | Err(Unheard::Stopped) => Ok(()),
            Err(Unheard::Unexplained(unexplained)) => Err(unexplained),
        }
    }

    /// Like [`hear`](Belief::hear), but long work reports its progress to `watch`. The work can be
    /// stopped or cut short through `watch`.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`hear`](Belief::hear), and if the work was stopped.
    /// After a stop the belief is unchanged.
    pub fn hear_watched(&mut self, heard: &Heard, watch: &Watch) -> Result<(), Unheard> {
        self.hear_ahead(heard, watch, &mut None)
    }

    /// Works like [`hear_watched`](Belief::hear_watched), with one difference: if the seat hears
    /// the reply for which `ahead` was computed, the belief is not updated again, but is taken from
    /// `ahead`. `ahead` must be a result of [`look_ahead`](Belief::look_ahead). Since that call,
    /// the belief must have heard nothing except parts of this reply. If `heard` completes a step,
    /// for example the opponent's move, this function sets `ahead` to `None`, because `ahead` can
    /// be used for this step only.
    ///
    /// # Errors
    /// Returns the same errors as [`hear_watched`](Belief::hear_watched).
    pub fn hear_ahead(
        &mut self,
        heard: &Heard,
        watch: &Watch,
        ahead: &mut Option<Ahead>,
    ) -> Result<(), Unheard> {
        if let Some(part) = self.hearing.misplaced(&self.known, heard) {
            with_pool!(&mut self.set, pool => pool.clear());
            return Err(Unheard::Unexplained(Unexplained {
                announcement: self.hearing.heard() + 1,
                part,
            }));
        }
        let hearing = self.hearing.clone();
        let Some(step) = self.hearing.take(heard) else {
            return Ok(());
        };
        let was_empty = self.is_empty();
        let ahead = ahead.take();
        let ahead = ahead.filter(|ahead| step == Step::TheyMoved(ahead.report));
        let part = if let Some(Ahead { part, after, .. }) = ahead {
            let hearing = self.hearing.clone();
            *self = Belief { hearing, ..*after };
            part
        } else if let Some(part) = self.advance(step, watch) {
            part
        } else {
            self.hearing = hearing;
            return Err(Unheard::Stopped);
        };
        if !self.is_empty() || was_empty {
            return Ok(());
        }
        match self.regime {
            Regime::Exact | Regime::Superset => Err(Unheard::Unexplained(Unexplained {
                announcement: self.hearing.number_of(part),
                part,
            })),
            Regime::Sampled | Regime::EnvelopeOnly => {
                self.regime = Regime::EnvelopeOnly;
                Ok(())
            }
        }
    }

    /// Applies a step, and rebuilds the sample if too few positions are left in it. If the step
    /// leaves no position, the returned value is the part of the announcement that no position
    /// explains; the error names this part. If positions are left, the returned part has no
    /// meaning. Returns `None` only if the work was stopped.
    pub(crate) fn advance(&mut self, step: Step, watch: &Watch) -> Option<Part> {
        let part = self.follow(step, watch)?;
        if self.envelope.is_some() && self.keeps_positions() && step.is_turn() {
            self.mend(watch);
        }
        Some(part)
    }

    /// Returns whether positions are kept: all possible positions, or a sample.
    pub(crate) fn keeps_positions(&self) -> bool {
        self.envelope.is_none() || self.settings.overflow == Overflow::Sample
    }

    /// Rebuilds the sample if too few positions are left in it.
    fn mend(&mut self, watch: &Watch) {
        let is_few = with_pool!(&self.set, pool => {
            let first = pool.entries.first();
            first.is_some_and(|entry| entry.hidden.unpack().all().count() <= FOLLOWED)
        });
        let rules = Rules {
            choices: &self.choices,
            model: &self.settings.model,
            compat: self.settings.compat,
            limit: self.settings.limit.max(1),
            threads: self.settings.threads,
            work: self.settings.rebuild_work,
            known: &self.known,
            invented: if is_few { 0.0 } else { self.settings.invented },
        };
        if with_pool!(&mut self.set, pool => pool.mend(&rules, watch, &mut self.draws)) {
            self.regime = Regime::Sampled;
        }
    }

    /// Returns whether both lists of positions, `entries` and `ended_by_refusal`, are empty.
    fn is_empty(&self) -> bool {
        with_pool!(&self.set, pool => pool.entries.is_empty() && pool.ended_by_refusal.is_empty())
    }

    /// Applies a step. If the step leaves no position, the returned value is the part of the
    /// announcement that no position explains; the error names this part. If positions are left,
    /// the returned part has no meaning. Returns `None` only if the work was stopped.
    fn follow(&mut self, step: Step, watch: &Watch) -> Option<Part> {
        let threads = self.settings.threads;
        Some(match step {
            Step::Opened(report) => {
                self.turn.cues.in_check = report.check.is_some();
                with_pool!(&mut self.set, pool => pool.open(&self.known, &self.choices, &report));
                self.settle(&report);
                Part::Opening
            }
            Step::Moved(what, report) => {
                let after = self.next_known(Some(what));
                let Belief {
                    set,
                    known,
                    choices,
                    settings,
                    ..
                } = self;
                let told = (!settings.own_untold).then_some(&report);
                let compat = settings.compat;
                if let Some(envelope) = &mut self.envelope {
                    envelope.play_own(choices, known, what, told);
                }
                let part = with_pool!(set, pool => {
                    pool.play_own(known, &after, choices, (what, told), compat, threads)
                });
                self.known = after;
                self.turn.cues.own_move(what, &report);
                self.settle(&report);
                part.unwrap_or(Part::Illegal)
            }
            Step::Refused { what, third } => {
                with_pool!(&mut self.set, pool => {
                    pool.refuse_own(&self.known, &self.choices, what, third, threads);
                });
                Part::Refusal
            }
            Step::Any(answer) => {
                with_pool!(&mut self.set, pool => {
                    pool.answer_any(&self.known, answer, threads);
                });
                Part::Any
            }
            Step::Theirs(answer) => {
                self.turn.answers.push(answer);
                with_pool!(&mut self.set, pool => {
                    pool.hear_sign(&self.known, &self.choices, &self.turn, self.settings.compat);
                });
                Part::TheirTurn
            }
            Step::TheyMoved(report) => return self.they_moved(&report, watch),
            Step::Ended(over) => {
                with_pool!(&mut self.set, pool => {
                    pool.end(&self.known, &self.choices, &self.turn, over);
                });
                Part::Over
            }
        })
    }

    fn they_moved(&mut self, report: &Report, watch: &Watch) -> Option<Part> {
        if !self.keeps_positions() {
            self.widen(report);
            return Some(Part::TheirTurn);
        }
        let envelope = match self.envelope {
            Some(envelope) => envelope,
            None => self.envelope(),
        };
        let mut turn = self.turn.clone();
        if self.settings.compat.is_some() {
            turn.answers.clear();
        }
        let expansion = Expansion {
            choices: &self.choices,
            known: &self.known,
            turn: &turn,
            report,
            model: &self.settings.model,
            compat: self.settings.compat,
        };
        let effort = Effort {
            limit: self.settings.limit.max(1),
            threads: self.settings.threads,
            watch,
            overflow: self.settings.overflow,
        };
        let sampled = self.envelope.is_some();
        let grown = with_pool!(&mut self.set, pool => {
            pool.play_opponent_move(&expansion, &effort, sampled, &mut self.draws)
        });
        let (part, thinned) = match grown {
            Grown::Stopped => return None,
            Grown::Empty(part) => (part, false),
            Grown::To { thinned } => (Part::TheirTurn, thinned),
        };
        if thinned {
            self.envelope = Some(envelope);
            self.regime = self.regime.max(match self.settings.overflow {
                Overflow::Sample => Regime::Sampled,
                Overflow::Envelope => Regime::EnvelopeOnly,
            });
        }
        self.widen(report);
        Some(part)
    }

    /// Applies the opponent's move to everything except the positions.
    fn widen(&mut self, report: &Report) {
        let after = self.next_known(None);
        self.turn.cues.their_move(report);
        if let Some(envelope) = &mut self.envelope {
            envelope.play_opponent_move(&self.choices, &self.known, report);
            envelope.narrow(&self.choices, &after, report);
        }
        self.known = after;
        self.settle(report);
    }

    /// Returns what the seat knows after a move, according to the seat's view.
    /// `own` is the seat's try, or `None` if the opponent moved.
    fn next_known(&self, own: Option<rules::Try>) -> Known {
        let view = self.hearing.view();
        let reserve = *view.reserves().get(self.known.seat().other());
        self.known.after(view.own(), reserve, own)
    }

    /// Completes a move: starts the next turn with the announcements of the move. If a repetition
    /// or the fifty-move rule may exclude some positions, the belief becomes a superset, because it
    /// does not know which positions are excluded.
    fn settle(&mut self, report: &Report) {
        self.turn.begin(report.check, report.tries);
        let mut loose = report
            .over
            .is_some_and(|over| matches!(over.reason, Reason::Threefold | Reason::Fifty));
        if self.choices.threefold == Threefold::On {
            let times = self
                .occurrences
                .entry((self.known.own, self.known.to_move))
                .or_default();
            *times = times.saturating_add(1);
            loose |= *times >= 3;
        }
        if loose {
            self.regime = self.regime.max(Regime::Superset);
        }
    }

    /// Returns how the kept positions relate to all possible positions.
    pub const fn regime(&self) -> Regime {
        self.regime
    }

    /// Returns the number of possible positions: exact, a bound or an estimate.
    pub fn size(&self) -> Size {
        let n = self.kept();
        match self.regime {
            Regime::Exact => Size::Exactly(n as u64),
            Regime::Superset => Size::AtMost(n as u64),
            Regime::Sampled => Size::About(with_pool!(&self.set, pool => pool.estimate())),
            Regime::EnvelopeOnly => Size::Unknown,
        }
    }

    /// Returns the number of positions that are kept.
    pub fn kept(&self) -> usize {
        with_pool!(&self.set, pool => pool.entries.len())
    }

    /// Returns the seat's view: the seat's own men, the turn, the refused
    /// tries.
    pub fn view(&self) -> &PlayerView {
        self.hearing.view()
    }

    /// Returns what the seat knows for certain. It is the same in all positions.
    pub const fn known(&self) -> &Known {
        &self.known
    }

    /// Returns the choices of the ruleset.
    pub const fn choices(&self) -> &Choices {
        &self.choices
    }

    /// Sets the maximum number of positions. The new maximum applies from the opponent's next move.
    pub fn set_limit(&mut self, limit: usize) {
        self.settings.limit = limit;
    }

    /// Changes the maximum number of moves that a rebuild may try, from the next
    /// rebuild on ([`Settings::rebuild_work`]).
    pub const fn set_rebuild_work(&mut self, work: Option<usize>) {
        self.settings.rebuild_work = work;
    }

    /// Returns the memory that the positions take, in bytes.
    pub fn bytes(&self) -> usize {
        fn of<H: Hidden>(pool: &Pool<H>) -> usize {
            (pool.entries.capacity() + pool.ended_by_refusal.capacity())
                * size_of::<crate::entries::Entry<H>>()
        }
        with_pool!(&self.set, pool => of(pool))
    }
}

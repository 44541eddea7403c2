//! Plays two games in lockstep, so that one listener hears the same in both.

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use referee::{EndCause, Event, Game};
use rules::{
    Attempt, Heard, Listener, Ruleset, Try,
    chess::{Color, Role, Square},
};

use super::{Happening, Pair, Step, heard_by, listener_view::ListenerView, opening};

/// Number of legal moves that the first comparison takes from each game. The comparison looks for
/// two moves that sound the same to the listener and lead to different boards. If it finds no such
/// moves, a second comparison uses all legal moves.
const SAMPLE: usize = 12;
/// Maximum number of the listener's own attempts that are examined in a turn. If each of these
/// attempts gets different answers in the two games, the pair ends.
const OWN: usize = 40;

/// A possible action, the event to which it leads, and what the listener hears about that event.
struct Candidate {
    what: Happening,
    event: Event,
    heard: Vec<Heard>,
}

struct Lockstep {
    rng: ChaCha8Rng,
    listener: Listener,
    games: [Game; 2],
    view: ListenerView,
    steps: Vec<Step>,
    /// Actions of each game since the last step. The listener hears nothing about these actions.
    silent: [Vec<Happening>; 2],
    plies: u32,
    /// Attempts refused in this turn, for each game.
    refused: [Vec<Attempt>; 2],
    /// Probability that actions with many announcements, such as captures and
    /// checks, are preferred.
    lively: f64,
    /// Probability that a question, nonsense or a refused try is preferred to a move.
    noisy: f64,
}

pub(super) fn make(seed: u64, index: u64) -> Pair {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(index);
    let ruleset = opening::ruleset(&mut rng, index);
    let turn = index / (rules::rulesets::ALL.len() as u64 + opening::CUSTOM);
    let listener = Listener::ALL[(turn % 3) as usize];
    made(rng, index, &ruleset, listener)
}

pub(super) fn make_under(seed: u64, index: u64, ruleset: &Ruleset, listener: Listener) -> Pair {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(index);
    made(rng, index, ruleset, listener)
}

fn made(mut rng: ChaCha8Rng, index: u64, ruleset: &Ruleset, listener: Listener) -> Pair {
    let opened = opening::openings(&mut rng, ruleset, listener);
    let games = [Game::open(opened[0].clone()), Game::open(opened[1].clone())];
    let mut view = ListenerView::open(ruleset.choices, listener, &games[0].start(listener));
    for heard in heard_by(listener, &games[0].opening_calls()) {
        view.hear(&heard);
    }
    let most = rng.random_range(10..90);
    let lively = rng.random_range(0.0..0.6);
    let noisy = rng.random_range(0.0..0.5);
    let mut lockstep = Lockstep {
        rng,
        listener,
        games,
        view,
        steps: Vec::new(),
        silent: Default::default(),
        plies: 0,
        refused: Default::default(),
        lively,
        noisy,
    };
    for _ in 0..4 * most {
        if lockstep.plies >= most || !lockstep.step() {
            break;
        }
    }
    lockstep.end();
    Pair {
        index,
        listener,
        opened,
        steps: lockstep.steps,
    }
}

impl Lockstep {
    /// Adds one step to the pair. Returns false if the first game is over, or if it finds no two
    /// actions, one for each game, that sound the same to the listener.
    fn step(&mut self) -> bool {
        let Some(mover) = self.games[0].to_move() else {
            return false;
        };
        if self.rng.random_bool(0.06) {
            let by = if self.rng.random_bool(0.5) {
                mover
            } else {
                mover.other()
            };
            let question = self.question();
            if self.alike(Happening::Asked(by, question)) {
                return true;
            }
        }
        if self.listener.color() == Some(mover) {
            self.own_turn(mover)
        } else {
            self.whisper(mover);
            if self.rng.random_bool(self.noisy) && self.noise(mover) {
                return true;
            }
            self.their_move(mover)
        }
    }

    fn question(&mut self) -> Attempt {
        if self.games[0].draw_offer().is_some() && self.rng.random_bool(0.6) {
            return match self.rng.random_range(0..8) {
                0..3 => Attempt::DeclineDraw,
                3..6 => Attempt::WithdrawDraw,
                6 => Attempt::OfferDraw,
                _ => Attempt::AcceptDraw,
            };
        }
        match self.rng.random_range(0..40) {
            0..10 => Attempt::Any,
            10..15 => Attempt::Count,
            15..20 => Attempt::Recap,
            20..26 => Attempt::OfferDraw,
            26..30 => Attempt::DeclineDraw,
            30..34 => Attempt::WithdrawDraw,
            34..38 => Attempt::Px { promotion: None },
            38 => Attempt::AcceptDraw,
            _ => Attempt::Resign,
        }
    }

    /// Returns a random try: a refused try again, a drop, or a step from the square of an own man.
    /// Some of these tries are not imaginable.
    fn any_try(&mut self, which: usize, by: Color) -> Attempt {
        let refused = &self.refused[which];
        if !refused.is_empty() && self.rng.random_bool(0.4) {
            return refused[self.rng.random_range(0..refused.len())];
        }
        let position = *self.games[which].sheet().position();
        let to = Square::ALL[self.rng.random_range(0..64)];
        let reserve: Vec<Role> = position.reserves()[by].iter().map(|(r, _)| r).collect();
        if !reserve.is_empty() && self.rng.random_bool(0.3) {
            let role = reserve[self.rng.random_range(0..reserve.len())];
            return Attempt::Try(Try::Drop { role, to });
        }
        let men: Vec<Square> = position.side(by).into_iter().collect();
        let from = men[self.rng.random_range(0..men.len())];
        let own = position.own(by);
        let promotion = own.is_promotion(Try::step(from, to)).then_some(Role::Queen);
        // With probability 4/5 the try is one that the player can imagine.
        let role = own.role_at(from).unwrap_or(Role::King);
        let targets: Vec<Square> = own.targets(role, from, own.all()).into_iter().collect();
        let to = if targets.is_empty() || self.rng.random_bool(0.2) {
            to
        } else {
            targets[self.rng.random_range(0..targets.len())]
        };
        // Whoever types the king onto an own rook is asked whether to castle, and nothing is judged.
        let castles = role == Role::King && own.men.rook.contains(to);
        let to = if castles { from } else { to };
        let promotion =
            promotion.or_else(|| own.is_promotion(Try::step(from, to)).then_some(Role::Queen));
        Attempt::Try(Try::Step {
            from,
            to,
            promotion,
        })
    }

    fn candidate(&self, which: usize, what: Happening) -> Option<Candidate> {
        let ruling = what.judged(&self.games[which]).ok()?;
        Some(Candidate {
            what,
            heard: heard_by(self.listener, &ruling.calls),
            event: ruling.event,
        })
    }

    /// Applies an action in each game, and adds a step. The listener must hear the same about both
    /// actions.
    fn happen(&mut self, pair: [Candidate; 2]) {
        if matches!(pair[0].event, Event::Moved { .. }) {
            self.plies += 1;
        }
        for heard in &pair[0].heard {
            self.view.hear(heard);
        }
        let mut step = Step {
            happenings: std::mem::take(&mut self.silent),
        };
        for (which, candidate) in pair.into_iter().enumerate() {
            self.apply(which, &candidate);
            step.happenings[which].push(candidate.what);
        }
        self.steps.push(step);
    }

    fn apply(&mut self, which: usize, candidate: &Candidate) {
        self.games[which].apply(&candidate.event);
        if matches!(candidate.event, Event::Moved { .. }) {
            self.refused[which].clear();
        } else if let (Happening::Asked(_, attempt @ Attempt::Try(_)), Event::Rebuffed { .. }) =
            (candidate.what, &candidate.event)
        {
            self.refused[which].push(attempt);
        }
    }

    /// If the listener hears the same about an action in both games, applies the action in both
    /// games and returns true. Otherwise returns false.
    fn alike(&mut self, what: Happening) -> bool {
        let (Some(a), Some(b)) = (self.candidate(0, what), self.candidate(1, what)) else {
            return false;
        };
        if a.heard != b.heard {
            return false;
        }
        self.happen([a, b]);
        true
    }

    /// Makes an attempt in the listener's turn, usually a move. The listener hears the same about
    /// the attempt in both games.
    fn own_turn(&mut self, mover: Color) -> bool {
        let mut tries = self.view.tries();
        tries.shuffle(&mut self.rng);
        let mut attempts: Vec<Attempt> = tries.into_iter().map(Attempt::Try).collect();
        if self.rng.random_bool(self.noisy) {
            let extra = match self.rng.random_range(0..3) {
                0 => self.question(),
                _ => self.any_try(0, mover),
            };
            attempts.insert(0, extra);
        }
        let anything = self.rng.random_bool(self.noisy);
        let lively = self.rng.random_bool(self.lively);
        let mut spare: Option<[Candidate; 2]> = None;
        for attempt in attempts.into_iter().take(OWN) {
            let what = Happening::Asked(mover, attempt);
            let (Some(a), Some(b)) = (self.candidate(0, what), self.candidate(1, what)) else {
                continue;
            };
            if a.heard != b.heard {
                continue;
            }
            let moved = matches!(a.event, Event::Moved { .. });
            if !lively && (anything || moved) {
                self.happen([a, b]);
                return true;
            }
            let worth = |c: &Candidate| (matches!(c.event, Event::Moved { .. }), c.heard.len());
            if spare
                .as_ref()
                .is_none_or(|[best, _]| worth(best) < worth(&a))
            {
                spare = Some([a, b]);
            }
        }
        match spare {
            Some(pair) => {
                self.happen(pair);
                true
            }
            None => false,
        }
    }

    /// Adds attempts of players other than the listener, in one game or in both. The listener does
    /// not hear these attempts.
    fn whisper(&mut self, mover: Color) {
        for which in 0..2 {
            if self.rng.random_bool(0.6) {
                continue;
            }
            for _ in 0..self.rng.random_range(1..6) {
                let what = if self.rng.random_bool(0.15) {
                    let by = if self.listener == Listener::Room && self.rng.random_bool(0.5) {
                        mover.other()
                    } else {
                        mover
                    };
                    Happening::Asked(by, self.question())
                } else {
                    Happening::Asked(mover, self.any_try(which, mover))
                };
                if let Some(candidate) = self.candidate(which, what)
                    && candidate.heard.is_empty()
                {
                    self.apply(which, &candidate);
                    self.silent[which].push(candidate.what);
                }
            }
        }
    }

    /// Adds an action to each game: an answer "no", nonsense, or a question. The action is not a
    /// move, but the listener hears it.
    fn noise(&mut self, mover: Color) -> bool {
        let each = [0, 1].map(|which| {
            let mut all = Vec::new();
            for n in 0..10 {
                let attempt = match n {
                    0 => Attempt::Any,
                    _ => self.any_try(which, mover),
                };
                let candidate = self.candidate(which, Happening::Asked(mover, attempt));
                all.extend(
                    candidate
                        .filter(|c| !c.heard.is_empty() && !matches!(c.event, Event::Moved { .. })),
                );
            }
            all.shuffle(&mut self.rng);
            all
        });
        self.match_up(each, false)
    }

    /// Plays a move of `mover`, who is not the listener, in each game. The listener hears the same
    /// about the two moves.
    fn their_move(&mut self, mover: Color) -> bool {
        let mut legal = [0, 1].map(|which| self.games[which].sheet().legal_tries());
        legal[0].shuffle(&mut self.rng);
        legal[1].shuffle(&mut self.rng);
        let judged = |lockstep: &Lockstep, most: usize| {
            [0, 1].map(|which| {
                legal[which]
                    .iter()
                    .take(most)
                    .filter_map(|t| {
                        lockstep.candidate(which, Happening::Asked(mover, Attempt::Try(*t)))
                    })
                    .filter(|c| matches!(c.event, Event::Moved { .. }))
                    .collect::<Vec<_>>()
            })
        };
        let few = judged(self, SAMPLE);
        if self.match_up(few, true) {
            return true;
        }
        // All moves are compared now, so that the boards stay different if
        // possible.
        let all = judged(self, usize::MAX);
        self.match_up(all, false)
    }

    /// Chooses an action for each game, so that the listener hears the same about both. Applies
    /// the two actions. If possible, the boards are different after these actions; if `strict` is
    /// true, the boards must be different. Returns false if there are no two such actions.
    fn match_up(&mut self, mut each: [Vec<Candidate>; 2], strict: bool) -> bool {
        if self.rng.random_bool(self.lively) {
            each[0].sort_by_key(|c| std::cmp::Reverse(c.heard.len()));
        }
        let boards = [0, 1].map(|which| *self.games[which].sheet().position());
        let after = |which: usize, candidate: &Candidate| {
            let mut position = boards[which];
            if let Event::Moved { what, .. } = candidate.event {
                let drops = self.games[which].choices().reserve == rules::ReserveUse::Drops;
                position.play(what, drops);
            }
            position
        };
        let [first, second] = each;
        let mut chosen = None;
        'search: for (i, a) in first.iter().enumerate() {
            for (j, b) in second.iter().enumerate() {
                if a.heard != b.heard {
                    continue;
                }
                let (x, y) = (after(0, a), after(1, b));
                let differ = Color::ALL.into_iter().any(|c| x.own(c).men != y.own(c).men);
                if differ {
                    chosen = Some((i, j));
                    break 'search;
                }
                if !strict && chosen.is_none() {
                    chosen = Some((i, j));
                }
            }
        }
        let Some((i, j)) = chosen else {
            return false;
        };
        let (Some(a), Some(b)) = (first.into_iter().nth(i), second.into_iter().nth(j)) else {
            return false;
        };
        self.happen([a, b]);
        true
    }

    /// Sometimes ends both games by time, absence or abort, if the listener hears the same about
    /// both ends.
    fn end(&mut self) {
        if self.rng.random_bool(0.2) {
            let color = if self.rng.random_bool(0.5) {
                Color::White
            } else {
                Color::Black
            };
            let cause = match self.rng.random_range(0..4) {
                0 => EndCause::Flag(color),
                1 => EndCause::Gone(color),
                2 => EndCause::GoneDraw(color),
                _ => EndCause::Abort,
            };
            self.alike(Happening::Ended(cause));
        }
        if self.silent.iter().any(|s| !s.is_empty()) {
            let happenings = std::mem::take(&mut self.silent);
            self.steps.push(Step { happenings });
        }
    }
}

//! Planted faults: the referee with exactly one thing changed.
//!
//! Each fault is a mistake that a referee could make, or a leak. The comparison
//! with the oracle must detect every fault. If a fault is not detected, the
//! comparison does not test enough.

mod altered;
mod announced;
mod answered;
mod ends;
mod played;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rules::{
    Attempt, Choices, Heard, Over, Start, Try,
    chess::{ByColor, Color},
    rulesets,
};

use crate::{
    coverage::Coverage,
    differential::{self, Limits, Mismatch},
    oracle::{Answered, Oracle},
    real::Real,
    starts::{self, Kind},
    umpire::{Action, Setting, Umpire},
    walk::Style,
};

/// A planted fault.
#[derive(Copy, Clone, Debug)]
pub struct Fault {
    /// Short description of the fault.
    pub name: &'static str,
    /// The rulesets with which the fault is tested.
    pub rules: &'static [&'static str],
    /// Style of the players, if the fault shows only in games of this style.
    pub style: Option<Style>,
    /// Kind of start position, if games from other starts seldom show the fault.
    pub starts: Option<Kind>,
    twist: Twist,
}

/// Kind of change that a fault makes.
#[derive(Copy, Clone, Debug)]
enum Twist {
    /// A choice has a different value: name of the choice, and the value.
    Choice(&'static str, &'static str),
    /// Changes the answer, or what is heard.
    Said(fn(&Scene<'_>, &mut Answered)),
    /// Refuses an action that should be judged.
    Refused(fn(&Scene<'_>) -> bool),
    /// Changes the true position that the umpire reports.
    Fen(fn(&Scene<'_>, &str) -> String),
    /// Changes the tries of the player to move.
    Tries(fn(&Oracle, &mut Vec<Try>)),
    /// Changes what the listeners receive first when the game opens.
    Start(fn(&mut [Start; 3])),
    /// Changes the announcements about the start position.
    Opening(fn(&mut [Vec<Heard>; 3])),
    /// Keeps a draw offer open after the opponent's move.
    Offer,
}

/// One action, with the game before and after it.
struct Scene<'a> {
    before: &'a Oracle,
    after: &'a Oracle,
    action: Action,
    memory: &'a Memory,
}

/// What a faulty umpire remembers.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// For each side, the number of nonsense answers in the turn of this side. If the opponent is
    /// to move, this is the last turn of the side.
    nonsense: ByColor<u32>,
    /// All positions so far, as FEN without counters.
    past: Vec<String>,
}

impl Scene<'_> {
    /// Returns the try and the player who made it; `None` for other actions.
    fn tried(&self) -> Option<(Color, Try)> {
        match self.action {
            Action::Attempt(by, Attempt::Try(t)) => Some((by, t)),
            Action::Attempt(..) | Action::End(_) => None,
        }
    }

    /// Returns the side that made the attempt; `None` if the action is an end of the game without
    /// an attempt.
    fn by(&self) -> Option<Color> {
        match self.action {
            Action::Attempt(by, _) => Some(by),
            Action::End(_) => None,
        }
    }
}

/// Removes the two counters from a FEN.
fn essence(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The referee with a fault.
struct Faulty {
    real: Real,
    /// The same game without the fault. This game shows to which actions the fault applies.
    shadow: Oracle,
    before: Oracle,
    last: Action,
    twist: Twist,
    memory: Memory,
    offer: Option<Color>,
}

impl Faulty {
    fn open(setting: &Setting, twist: Twist) -> Result<Faulty, String> {
        let shadow = setting.oracle()?;
        let mut choices = setting.choices;
        if let Twist::Choice(field, value) = twist {
            choices.set(field, value).map_err(|e| e.to_string())?;
        }
        let altered = Setting {
            choices,
            ..setting.clone()
        };
        Ok(Faulty {
            real: Real::open(&altered)?,
            before: shadow.clone(),
            memory: Memory {
                past: vec![essence(&shadow.fen())],
                ..Memory::default()
            },
            shadow,
            last: Action::End(crate::oracle::End::Abort),
            twist,
            offer: None,
        })
    }

    /// Updates what the faulty umpire remembers.
    fn remember(&mut self, answered: &Answered) {
        match answered.answer {
            rules::Answer::Nonsense => {
                if let Action::Attempt(by, _) = self.last {
                    *self.memory.nonsense.get_mut(by) += 1;
                }
            }
            rules::Answer::Moved => {
                let next = match self.last {
                    Action::Attempt(by, _) => !by,
                    Action::End(_) => return,
                };
                *self.memory.nonsense.get_mut(next) = 0;
                self.memory.past.push(essence(&self.shadow.fen()));
            }
            rules::Answer::No
            | rules::Answer::RepeatNo
            | rules::Answer::Yes
            | rules::Answer::None
            | rules::Answer::Count
            | rules::Answer::Recap
            | rules::Answer::Resigned
            | rules::Answer::Offered
            | rules::Answer::Drawn
            | rules::Answer::Declined
            | rules::Answer::Withdrawn
            | rules::Answer::Flag
            | rules::Answer::Gone
            | rules::Answer::Aborted => {}
        }
    }
}

impl Umpire for Faulty {
    fn starts(&self) -> [Start; 3] {
        let mut starts = self.real.starts();
        if let Twist::Start(distort) = self.twist {
            distort(&mut starts);
        }
        starts
    }

    fn opening(&self) -> [Vec<Heard>; 3] {
        let mut opening = self.real.opening();
        if let Twist::Opening(distort) = self.twist {
            distort(&mut opening);
        }
        opening
    }

    fn act(&mut self, action: Action) -> Result<Answered, String> {
        self.before = self.shadow.clone();
        let truth = self.shadow.act(action);
        self.last = action;
        let mut answered = self.real.act(action)?;
        if let Ok(truth) = truth {
            self.remember(&truth);
        }
        let scene = Scene {
            before: &self.before,
            after: &self.shadow,
            action,
            memory: &self.memory,
        };
        match self.twist {
            Twist::Said(distort) => distort(&scene, &mut answered),
            Twist::Refused(refuses) => {
                if refuses(&scene) {
                    return Err("refused by mistake".to_owned());
                }
            }
            Twist::Choice(..)
            | Twist::Fen(_)
            | Twist::Tries(_)
            | Twist::Start(_)
            | Twist::Opening(_)
            | Twist::Offer => {}
        }
        let stands = self.real.draw_offer();
        if stands.is_some() || answered.answer != rules::Answer::Moved {
            self.offer = stands;
        }
        Ok(answered)
    }

    fn fen(&self) -> String {
        let fen = self.real.fen();
        match self.twist {
            Twist::Fen(distort) => {
                let scene = Scene {
                    before: &self.before,
                    after: &self.shadow,
                    action: self.last,
                    memory: &self.memory,
                };
                distort(&scene, &fen)
            }
            Twist::Choice(..)
            | Twist::Said(_)
            | Twist::Refused(_)
            | Twist::Tries(_)
            | Twist::Start(_)
            | Twist::Opening(_)
            | Twist::Offer => fen,
        }
    }

    fn to_move(&self) -> Option<Color> {
        self.real.to_move()
    }

    fn over(&self) -> Option<Over> {
        self.real.over()
    }

    fn draw_offer(&self) -> Option<Color> {
        match self.twist {
            Twist::Offer => self.offer,
            Twist::Choice(..)
            | Twist::Said(_)
            | Twist::Refused(_)
            | Twist::Fen(_)
            | Twist::Tries(_)
            | Twist::Start(_)
            | Twist::Opening(_) => self.real.draw_offer(),
        }
    }

    fn tries(&self) -> Option<Vec<Try>> {
        let Twist::Tries(distort) = self.twist else {
            return None;
        };
        let mut tries = self.real.tries()?;
        if self.real.over().is_none() {
            distort(&self.shadow, &mut tries);
        }
        tries.sort_by_cached_key(Try::to_string);
        Some(tries)
    }

    fn legal_tries(&self) -> Option<Vec<Try>> {
        self.real.legal_tries()
    }
}

/// How a fault was detected.
#[derive(Clone, Debug)]
pub struct Caught {
    /// Number of games played, including the game that showed the fault.
    pub games: u64,
    /// Number of attempts in all these games.
    pub attempts: u64,
    /// The difference that showed the fault.
    pub mismatch: Box<Mismatch>,
}

impl Fault {
    /// Lists all planted faults.
    pub fn all() -> Vec<Fault> {
        [
            altered::FAULTS,
            announced::FAULTS,
            answered::FAULTS,
            ends::FAULTS,
            played::FAULTS,
        ]
        .concat()
    }

    fn setting(&self, number: u64, rng: &mut ChaCha8Rng) -> Setting {
        let id = self.rules[(number % self.rules.len() as u64) as usize];
        let choices: Choices = rulesets::by_id(id).expect("the id names a ruleset").choices;
        Setting {
            rules: id.to_owned(),
            choices,
            fen: match self.starts {
                Some(kind) => Some(starts::of_kind(kind, rng, false)),
                None => differential::start(&choices, rng),
            },
        }
    }

    /// Plays up to `most` games until the fault is detected.
    ///
    /// A difference counts only if the referee without the fault agrees with the oracle in the same
    /// game. (This comparison leaves out the lists of tries.) Otherwise the search continues.
    pub fn hunt(&self, most: u64) -> Option<Caught> {
        let limits = Limits {
            tries: matches!(self.twist, Twist::Tries(_)),
            style: self.style,
            ..Limits::USUAL
        };
        let faulty = |setting: &Setting| -> Result<Box<dyn Umpire>, String> {
            Ok(Box::new(Faulty::open(setting, self.twist)?))
        };
        let sound = |setting: &Setting| -> Result<Box<dyn Umpire>, String> {
            Ok(Box::new(Real::open(setting)?))
        };
        let mut coverage = Coverage::default();
        for number in 0..most {
            let rng = ChaCha8Rng::seed_from_u64(number);
            let mut own = rng.clone();
            let setting = self.setting(number, &mut own);
            let again = own.clone();
            let found = differential::play(&setting, &mut own, &faulty, limits, &mut coverage);
            if let Err(mismatch) = found {
                let mut again = again;
                let plain = Limits {
                    tries: false,
                    ..limits
                };
                let check = differential::play(
                    &setting,
                    &mut again,
                    &sound,
                    plain,
                    &mut Coverage::default(),
                );
                if check.is_err() {
                    continue;
                }
                return Some(Caught {
                    games: number + 1,
                    attempts: coverage.of("attempts"),
                    mismatch,
                });
            }
        }
        None
    }
}

/// Creates a fault that is tested with these rulesets.
const fn fault(name: &'static str, rules: &'static [&'static str], twist: Twist) -> Fault {
    Fault {
        name,
        rules,
        style: None,
        starts: None,
        twist,
    }
}

/// Creates a fault that shows only in games of this style.
const fn fault_when(
    name: &'static str,
    rules: &'static [&'static str],
    style: Style,
    twist: Twist,
) -> Fault {
    Fault {
        name,
        rules,
        style: Some(style),
        starts: None,
        twist,
    }
}

/// Creates a fault that shows in games from this kind of start position.
const fn fault_from(
    name: &'static str,
    rules: &'static [&'static str],
    starts: Kind,
    twist: Twist,
) -> Fault {
    Fault {
        name,
        rules,
        style: None,
        starts: Some(starts),
        twist,
    }
}

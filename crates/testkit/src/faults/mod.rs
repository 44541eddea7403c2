//! Planted faults: the referee, distorted in exactly one thing.
//!
//! Each is a mistake that a referee could really make, or a leak. The
//! comparison with the oracle must catch every one of them; a fault that goes
//! unseen shows a hole in the comparison.

mod altered;
mod ends;
mod played;
mod told;

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
    /// Description of the fault, in the umpire's words.
    pub name: &'static str,
    /// The rulesets under which it is looked for.
    pub rules: &'static [&'static str],
    /// Style of the players, if only some styles would find the fault.
    pub style: Option<Style>,
    /// Kind of start, if the others seldom lead there.
    pub starts: Option<Kind>,
    twist: Twist,
}

/// Kind of distortion.
#[derive(Copy, Clone, Debug)]
enum Twist {
    /// A choice has another value: its field and the value.
    Choice(&'static str, &'static str),
    /// The answer, or what is heard.
    Said(fn(&Scene<'_>, &mut Answered)),
    /// A right action is refused.
    Refused(fn(&Scene<'_>) -> bool),
    /// The true position as told.
    Fen(fn(&Scene<'_>, &str) -> String),
    /// The tries of the player to move.
    Tries(fn(&Oracle, &mut Vec<Try>)),
    /// The information at the start.
    Start(fn(&mut [Start; 3])),
    /// The items heard at the opening.
    Opening(fn(&mut [Vec<Heard>; 3])),
    /// A draw offer outlives the other side's move.
    Offer,
}

/// One action, with the game as it was before and as it is after.
struct Scene<'a> {
    before: &'a Oracle,
    after: &'a Oracle,
    action: Action,
    memory: &'a Memory,
}

/// Memory of a faulty umpire.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// Nonsense of each side on its last turn, or so far on this one.
    nonsense: ByColor<u32>,
    /// The positions so far, without counts.
    past: Vec<String>,
}

impl Scene<'_> {
    /// The try and who made it, if it was one.
    fn tried(&self) -> Option<(Color, Try)> {
        match self.action {
            Action::Attempt(by, Attempt::Try(t)) => Some((by, t)),
            Action::Attempt(..) | Action::End(_) => None,
        }
    }

    /// Side that acted.
    fn by(&self) -> Option<Color> {
        match self.action {
            Action::Attempt(by, _) => Some(by),
            Action::End(_) => None,
        }
    }
}

/// FEN without its two counts.
fn essence(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The referee with a fault.
struct Faulty {
    real: Real,
    /// The truth, by which the distortion is chosen.
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

    /// Keeps the faulty umpire's own books.
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

/// Way in which a fault was caught.
#[derive(Clone, Debug)]
pub struct Caught {
    /// Games played until then, the last one included.
    pub games: u64,
    /// Attempts made in all of them.
    pub attempts: u64,
    /// The difference that showed it.
    pub mismatch: Box<Mismatch>,
}

impl Fault {
    /// All planted faults.
    pub fn all() -> Vec<Fault> {
        [altered::FAULTS, told::FAULTS, ends::FAULTS, played::FAULTS].concat()
    }

    fn setting(&self, number: u64, rng: &mut ChaCha8Rng) -> Setting {
        let id = self.rules[(number % self.rules.len() as u64) as usize];
        let choices: Choices = rulesets::by_id(id).expect("a named ruleset").choices;
        Setting {
            rules: id.to_owned(),
            choices,
            fen: match self.starts {
                Some(kind) => Some(starts::of_kind(kind, rng, false)),
                None => differential::start(&choices, rng),
            },
        }
    }

    /// Plays at most a number of games until the fault shows.
    ///
    /// A game in which the undistorted referee differs as well is no catch.
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

/// A fault looked for under these rulesets.
const fn fault(name: &'static str, rules: &'static [&'static str], twist: Twist) -> Fault {
    Fault {
        name,
        rules,
        style: None,
        starts: None,
        twist,
    }
}

/// A fault that shows only when the game is played so.
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

/// A fault that shows in games from such starts.
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

//! The opponent's turn as it is heard: refusals, questions, nonsense. In which
//! positions can it have gone so?

use referee::{kernel::Position, told};
use rules::{
    AnnouncedCheck, AnnouncedTries, AnyAgain, AnyWithoutPawns, Choices, Directions, Impossible,
    NoHeard, NonsenseHeard, NonsenseWord, Obligation, Repeat, Tries, Try, TryLimit, answers_check,
    chess::{Bitboard, Role, attacks},
};

use crate::{hearing::Sign, model::Cues};

/// What was heard of the opponent's turn so far, and what was announced to it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct TheirTurn {
    /// The announced check.
    pub check: Option<Directions>,
    /// The announced pawn tries.
    pub tries: Tries,
    /// What was heard since, in order.
    pub signs: Vec<Sign>,
    /// What was announced of the last moves.
    pub cues: Cues,
}

/// What a position admits after an opponent's turn so far.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Admitted {
    /// The turn may end with a pawn capture.
    pub captures: bool,
    /// The turn may end with another move.
    pub others: bool,
    /// The last refusal may have ended the game, the pawn captures being
    /// spent.
    pub exhausted: bool,
}

impl Admitted {
    /// Every move may follow.
    pub(crate) const ALL: Admitted = Admitted {
        captures: true,
        others: true,
        exhausted: false,
    };

    /// Whether the game can go on.
    pub(crate) fn goes_on(self) -> bool {
        self.captures || self.others
    }
}

/// How many different tries can be answered no: from and to, or man and square
/// of a drop.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Refusable {
    /// Pawn captures.
    pub captures: u32,
    /// Other tries.
    pub others: u32,
    /// Legal tries, a promotion once.
    pub legal: u32,
}

/// More noes than are ever heard in one turn where anything is answered no.
const PLENTY: u32 = 1 << 20;

/// How the turn can stand inside: what was refused so far.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
struct Inside {
    captures: u32,
    others: u32,
    obliged: bool,
}

impl TheirTurn {
    /// Begins a turn under these announcements.
    pub(crate) fn begin(&mut self, check: Option<Directions>, tries: Tries) {
        self.check = check;
        self.tries = tries;
        self.signs.clear();
    }

    /// What the position admits after the signs heard.
    pub(crate) fn admits(&self, choices: &Choices, position: &Position) -> Admitted {
        if self.signs.is_empty() {
            return Admitted::ALL;
        }
        self.examine(choices, position)
    }

    /// As [`admits`](TheirTurn::admits), silent refusals looked at in any case.
    pub(crate) fn examine(&self, choices: &Choices, position: &Position) -> Admitted {
        let pool = self.refusable(choices, position);
        if is_simple(choices) && self.signs.iter().all(|sign| *sign == Sign::No) {
            let needed = match choices.repeat {
                Repeat::Truth => 1,
                Repeat::Nonsense | Repeat::RepeatNo => self.signs.len() as u32,
            };
            let can = pool.captures + pool.others >= needed;
            return Admitted {
                captures: can,
                others: can,
                exhausted: false,
            };
        }
        Walk {
            choices,
            position,
            turn: self,
            pool,
            room: true,
            asked: false,
            states: vec![Inside {
                captures: 0,
                others: 0,
                obliged: false,
            }],
            exhausted: false,
        }
        .run()
    }

    /// How many different tries can be answered no in this position, rows 4 and
    /// 5 of the verdicts left aside.
    pub(crate) fn refusable(&self, choices: &Choices, position: &Position) -> Refusable {
        let by = position.turn();
        let own = position.own(by);
        let all = own.all();
        let anything = choices.impossible == Impossible::No;
        let answers = self
            .check
            .filter(|_| choices.announced_check == AnnouncedCheck::Answers);
        let castles = self.check.is_none() || choices.announced_check == AnnouncedCheck::Judged;
        let (origins, landings) = match choices.announced_tries {
            AnnouncedTries::Judged => (Bitboard::FULL, Bitboard::FULL),
            AnnouncedTries::Nonsense => (
                self.tries.origins(choices.pawn_try_square),
                self.tries.landings(choices.pawn_try_square),
            ),
        };
        let mut pool = Refusable::default();
        position.each_legal_man(&position.seen(), |from, role, legal| {
            pool.legal += legal.count() as u32;
            let takes = match role {
                Role::Pawn => attacks::pawn_attacks(by, from),
                Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                    Bitboard::EMPTY
                }
            };
            let mut wrong = own.targets(role, from, all) & !legal;
            if anything {
                // A promotion that names no man is answered no as well.
                let last = Bitboard::from_rank(own.last_rank());
                wrong |= takes & (!legal | last);
            }
            if role == Role::King && !castles {
                wrong &= attacks::king_attacks(from);
            }
            let admitted = if origins.contains(from) {
                landings
            } else {
                Bitboard::EMPTY
            };
            wrong &= !takes | admitted;
            let answer = |wrong: Bitboard| match answers {
                None => wrong.count() as u32,
                Some(check) => wrong
                    .into_iter()
                    .filter(|to| answers_check(&own, check, Try::step(from, *to)))
                    .count() as u32,
            };
            pool.captures += answer(wrong & takes);
            pool.others += answer(wrong & !takes);
        });
        for (role, _) in own.reserve.iter() {
            let legal = position.legal_drops(role);
            pool.legal += legal.count() as u32;
            let wrong = own.drop_targets(role, all) & !legal;
            pool.others += match answers {
                None => wrong.count() as u32,
                Some(check) => wrong
                    .into_iter()
                    .filter(|to| answers_check(&own, check, Try::Drop { role, to: *to }))
                    .count() as u32,
            };
        }
        if anything {
            pool.others = PLENTY;
        }
        pool
    }
}

/// Whether refusals have no order: no obligation, no limit, and no other thing
/// that sounds like a no.
fn is_simple(choices: &Choices) -> bool {
    choices.obligation == Obligation::None
        && choices.try_limit == TryLimit::None
        && choices.no_heard == NoHeard::Both
        && (choices.nonsense_word != NonsenseWord::No
            || choices.nonsense_heard == NonsenseHeard::Mover)
}

/// All ways in which a turn can have gone, sign by sign.
struct Walk<'a> {
    choices: &'a Choices,
    position: &'a Position,
    turn: &'a TheirTurn,
    pool: Refusable,
    /// What was said leaves room for pawn captures.
    room: bool,
    asked: bool,
    states: Vec<Inside>,
    exhausted: bool,
}

impl Walk<'_> {
    fn run(mut self) -> Admitted {
        for sign in &self.turn.signs {
            self.exhausted = false;
            self.go_silently();
            // The game went on: what ended it did not happen yet.
            self.exhausted = false;
            match *sign {
                Sign::No => self.hear_no(),
                Sign::Nonsense => self.keep(|walk, state| walk.nonsense_possible(state)),
                Sign::RepeatNo => self.keep(|walk, state| walk.repeat_is_answered(state)),
                Sign::Any(answer) => self.hear_any(answer),
            }
        }
        self.go_silently();
        let spent = |state: &Inside| self.limited() && state.captures >= 3;
        let mut admitted = Admitted {
            captures: false,
            others: false,
            exhausted: self.exhausted,
        };
        for state in &self.states {
            admitted.captures |= !spent(state);
            admitted.others |= !state.obliged;
        }
        admitted
    }

    fn limited(&self) -> bool {
        self.choices.try_limit == TryLimit::Three
    }

    fn silent(&self) -> bool {
        self.choices.no_heard == NoHeard::Mover
    }

    fn keep(&mut self, possible: impl Fn(&Walk<'_>, &Inside) -> bool) {
        let states = std::mem::take(&mut self.states);
        let kept = states
            .into_iter()
            .filter(|state| possible(self, state))
            .collect();
        self.states = kept;
    }

    fn add(&self, states: &mut Vec<Inside>, mut state: Inside) {
        if self.silent() {
            // Silent noes are never forced: more than these tell nothing new.
            state.captures = state.captures.min(3);
            state.others = state.others.min(1);
        }
        if !states.contains(&state) {
            states.push(state);
        }
    }

    /// Refusals that nobody else hears.
    fn go_silently(&mut self) {
        if !self.silent() {
            return;
        }
        let mut at = 0;
        while at < self.states.len() {
            let mut states = std::mem::take(&mut self.states);
            let state = states[at];
            for next in self.refused(state) {
                self.add(&mut states, next);
            }
            self.states = states;
            at += 1;
        }
    }

    /// The states after one more answer "no", by a try not refused before.
    fn refused(&mut self, state: Inside) -> Vec<Inside> {
        let mut next = Vec::new();
        let spent = self.limited() && state.captures >= 3;
        if self.room && !spent && state.captures < self.pool.captures {
            let captures = state.captures + 1;
            let ends = self.limited()
                && captures == 3
                && told::exhausted(self.choices, self.position).is_some();
            if ends {
                self.exhausted = true;
            } else {
                next.push(Inside {
                    captures,
                    obliged: state.obliged && self.choices.obligation == Obligation::Make,
                    ..state
                });
            }
        }
        if !state.obliged && state.others < self.pool.others {
            next.push(Inside {
                others: state.others + 1,
                ..state
            });
        }
        next
    }

    /// Whether a refused try can be tried again and is judged anew.
    fn repeat_is_judged(&self, state: &Inside) -> bool {
        !state.obliged && (state.others > 0 || (self.room && state.captures > 0))
    }

    fn repeat_is_answered(&self, state: &Inside) -> bool {
        self.choices.repeat == Repeat::RepeatNo
            && (self.repeat_is_judged(state) || (self.room && state.captures > 0))
    }

    fn hear_no(&mut self) {
        let aloud = self.choices.nonsense_heard == NonsenseHeard::Both
            && self.choices.nonsense_word == NonsenseWord::No;
        let states = std::mem::take(&mut self.states);
        let mut after = Vec::new();
        for state in states {
            if aloud && self.nonsense_possible(&state) {
                self.add(&mut after, state);
            }
            if self.silent() {
                continue;
            }
            if self.choices.repeat == Repeat::Truth && self.repeat_is_judged(&state) {
                self.add(&mut after, state);
            }
            for next in self.refused(state) {
                self.add(&mut after, next);
            }
        }
        self.states = after;
    }

    fn hear_any(&mut self, answer: bool) {
        // Without pawns it may be nonsense, which was not the answer.
        let pawns = self.position.men(Role::Pawn) & self.position.side(self.position.turn());
        let nonsense =
            pawns.is_empty() && self.choices.any_without_pawns == AnyWithoutPawns::Nonsense;
        if nonsense || (self.position.pawn_tries().count > 0) != answer {
            self.states.clear();
            return;
        }
        self.asked = true;
        self.room = answer || self.choices.announced_tries == AnnouncedTries::Judged;
        let obliges = answer && self.choices.obligation != Obligation::None;
        for state in &mut self.states {
            state.obliged = obliges;
        }
        self.states.dedup();
    }

    /// Whether there is anything to say that would be nonsense.
    fn nonsense_possible(&self, state: &Inside) -> bool {
        let choices = self.choices;
        if choices.impossible == Impossible::Nonsense || state.obliged {
            return true;
        }
        if self.turn.check.is_some() && choices.announced_check != AnnouncedCheck::Judged {
            return true;
        }
        if choices.repeat == Repeat::Nonsense && state.captures + state.others > 0 {
            return true;
        }
        let by = self.position.turn();
        let pawns = self.position.men(Role::Pawn) & self.position.side(by);
        let any = choices.pawn_tries == rules::PawnTries::OnRequest
            && choices.any_without_pawns == AnyWithoutPawns::Nonsense
            && pawns.is_empty()
            && (!self.asked || choices.any_again == AnyAgain::Same);
        let captures: u32 = pawns
            .into_iter()
            .map(|from| attacks::pawn_attacks(by, from).count() as u32)
            .sum();
        let spent = self.limited() && state.captures >= 3 && captures > state.captures;
        let unannounced = choices.announced_tries == AnnouncedTries::Nonsense
            && pawns.into_iter().any(|from| {
                attacks::pawn_attacks(by, from).into_iter().any(|to| {
                    !self.room || !self.turn.tries.admits(from, to, choices.pawn_try_square)
                })
            });
        any || spent || unannounced
    }
}

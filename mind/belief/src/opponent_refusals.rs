//! Checks whether the opponent's turn, as the seat heard it, is possible in a position. Before the
//! opponent's move, the seat may hear that the opponent's tries were refused, that the opponent
//! asked questions, or that a try was nonsense.

use position::{Position, announcements};
use rules::{
    AnnouncedCheck, AnnouncedTries, AnyAgain, AnyWithoutPawns, Choices, Directions, Impossible,
    NoHeard, NonsenseHeard, NonsenseWord, Obligation, Repeat, Tries, Try, TryLimit, answers_check,
    chess::{Bitboard, Role, attacks},
};

use crate::{hearing::HeardAnswer, model::Cues};

/// The opponent's turn so far: what was announced to the side to move, and what the seat has heard
/// since then.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct TheirTurn {
    /// The check on the side to move, as announced.
    pub check: Option<Directions>,
    /// The pawn tries of the side to move, as announced.
    pub tries: Tries,
    /// What was heard in this turn before the move, in order.
    pub answers: Vec<HeardAnswer>,
    /// What was announced about the last moves.
    pub cues: Cues,
}

/// The ways in which the opponent's turn can end in one position. These ways depend on what the
/// seat has heard in this turn so far.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Admitted {
    /// Whether the turn can end with a pawn capture.
    pub captures: bool,
    /// Whether the turn can end with a move that is not a pawn capture.
    pub others: bool,
    /// Whether the last refused try can have ended the game. A refused try ends the game if it was
    /// the third refused pawn capture, and no other kind of move is legal.
    pub exhausted: bool,
}

impl Admitted {
    /// Every move is possible.
    pub(crate) const ALL: Admitted = Admitted {
        captures: true,
        others: true,
        exhausted: false,
    };

    /// Returns whether the opponent can still make a move.
    pub(crate) fn can_move(self) -> bool {
        self.captures || self.others
    }
}

/// Numbers of different tries in one position: tries that can be answered "no", and legal tries.
/// Two steps with the same origin and target square count as one try. Two drops with the same role
/// and square count as one try.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Refusable {
    /// Pawn captures that can be answered "no".
    pub captures: u32,
    /// Other tries that can be answered "no".
    pub others: u32,
    /// Legal tries. The promotions of a pawn to different roles count as one.
    pub legal: u32,
}

/// Number of tries that stands for "unlimited". It is greater than the number of answers "no" in
/// any turn. This value is used if the ruleset answers "no" even to impossible tries.
const UNLIMITED: u32 = 1 << 20;

/// One possible course of the opponent's turn so far. `captures` is the number of different pawn
/// captures that were refused, `others` is the number of different other tries that were refused.
/// `obliged` says whether the opponent must try a pawn capture.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
struct Inside {
    captures: u32,
    others: u32,
    obliged: bool,
}

impl TheirTurn {
    /// Begins a turn with these announcements.
    pub(crate) fn begin(&mut self, check: Option<Directions>, tries: Tries) {
        self.check = check;
        self.tries = tries;
        self.answers.clear();
    }

    /// Returns the ways in which the opponent's turn can end in this position. These ways depend on
    /// what the seat has heard in this turn so far.
    pub(crate) fn admits(&self, choices: &Choices, position: &Position) -> Admitted {
        if self.answers.is_empty() {
            return Admitted::ALL;
        }
        self.examine(choices, position)
    }

    /// Does the same as [`admits`](TheirTurn::admits), but makes the full check even if nothing was
    /// heard. The full check is needed if the opponent may have made refused tries that the seat
    /// does not hear.
    pub(crate) fn examine(&self, choices: &Choices, position: &Position) -> Admitted {
        let pool = self.refusable(choices, position);
        if is_simple(choices) && self.answers.iter().all(|answer| *answer == HeardAnswer::No) {
            let needed = match choices.repeat {
                Repeat::Truth => 1,
                Repeat::Nonsense | Repeat::RepeatNo => self.answers.len() as u32,
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
            captures_allowed: true,
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

    /// Counts the different tries that can be answered "no" in this position. Obligations, limits
    /// and repeats are ignored (rows 4 and 5 of the table of verdicts in docs/specification.md).
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
                // A promotion that names no promotion man is one more try that is answered "no".
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
            pool.others = UNLIMITED;
        }
        pool
    }
}

/// Returns whether the refused tries can be examined in any order. Three conditions must hold: the
/// ruleset has no obligation and no limit, both players hear every "no", and the seat never hears
/// "no" as the answer to a nonsense try.
fn is_simple(choices: &Choices) -> bool {
    choices.obligation == Obligation::None
        && choices.try_limit == TryLimit::None
        && choices.no_heard == NoHeard::Both
        && (choices.nonsense_word != NonsenseWord::No
            || choices.nonsense_heard == NonsenseHeard::Mover)
}

/// Follows all possible courses of the opponent's turn, one answer after the other.
struct Walk<'a> {
    choices: &'a Choices,
    position: &'a Position,
    turn: &'a TheirTurn,
    pool: Refusable,
    /// Whether the announcements and the answer to Any? allow pawn captures.
    captures_allowed: bool,
    /// Whether Any? was asked in this turn.
    asked: bool,
    states: Vec<Inside>,
    exhausted: bool,
}

impl Walk<'_> {
    fn run(mut self) -> Admitted {
        for answer in &self.turn.answers {
            self.exhausted = false;
            self.go_silently();
            // The seat heard another answer after the refused try, so this try did not end the
            // game.
            self.exhausted = false;
            match *answer {
                HeardAnswer::No => self.hear_no(),
                HeardAnswer::Nonsense => self.keep(|walk, state| walk.nonsense_possible(state)),
                HeardAnswer::RepeatNo => self.keep(|walk, state| walk.repeat_is_answered(state)),
                HeardAnswer::Any(answer) => self.hear_any(answer),
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
            // The seat does not hear these refused tries, so there may be any number of them. More
            // than 3 refused pawn captures allow the same continuations as 3, and more than 1 other
            // refused try allows the same continuations as 1. So the numbers are limited to 3 and 1.
            state.captures = state.captures.min(3);
            state.others = state.others.min(1);
        }
        if !states.contains(&state) {
            states.push(state);
        }
    }

    /// Adds the states that can be reached by refused tries that the seat does not hear.
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

    /// Returns the states after one more try was answered "no". This try was not refused before in
    /// this turn.
    fn refused(&mut self, state: Inside) -> Vec<Inside> {
        let mut next = Vec::new();
        let spent = self.limited() && state.captures >= 3;
        if self.captures_allowed && !spent && state.captures < self.pool.captures {
            let captures = state.captures + 1;
            let ends = self.limited()
                && captures == 3
                && announcements::exhausted(self.choices, self.position).is_some();
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

    /// Returns whether the opponent can repeat a refused try that neither an obligation nor an
    /// announcement forbids. Under `Repeat::Truth`, the referee judges such a repeat by the true
    /// position again.
    fn repeat_is_judged(&self, state: &Inside) -> bool {
        !state.obliged && (state.others > 0 || (self.captures_allowed && state.captures > 0))
    }

    fn repeat_is_answered(&self, state: &Inside) -> bool {
        self.choices.repeat == Repeat::RepeatNo
            && (self.repeat_is_judged(state) || (self.captures_allowed && state.captures > 0))
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
        // Under some rulesets, a player without pawns hears "nonsense" as the answer to Any?. Here
        // the answer was yes or no. So under these rulesets, a position in which the opponent has
        // no pawns is impossible.
        let pawns = self.position.men(Role::Pawn) & self.position.side(self.position.turn());
        let nonsense =
            pawns.is_empty() && self.choices.any_without_pawns == AnyWithoutPawns::Nonsense;
        if nonsense || (self.position.pawn_tries().count > 0) != answer {
            self.states.clear();
            return;
        }
        self.asked = true;
        self.captures_allowed = answer || self.choices.announced_tries == AnnouncedTries::Judged;
        let obliges = answer && self.choices.obligation != Obligation::None;
        for state in &mut self.states {
            state.obliged = obliges;
        }
        self.states.dedup();
    }

    /// Returns whether the opponent can make an attempt that is nonsense.
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
                    !self.captures_allowed
                        || !self.turn.tries.admits(from, to, choices.pawn_try_square)
                })
            });
        any || spent || unannounced
    }
}

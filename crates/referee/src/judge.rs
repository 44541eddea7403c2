//! The verdict on every attempt, and how it ends a game.

use rules::{
    AnyAgain, AnyWithoutPawns, Attempt, Calls, CheckTold, Directions, Fifty, Material, Over,
    PawnTries, PawnTrySquare, Px, Question, Reason, ReserveUse, SeatVerdict, Stalemate, Threefold,
    Tries, Try, TryLimit, Verdict, Winner,
    chess::{Color, Role},
    seat_verdict,
};

use crate::{
    calls::Then,
    event::Event,
    game::{EndCause, Game, Ruling},
    kernel::{Captured, Facts, Position, RepetitionKey, Seen},
    refusal::Refusal,
};

impl Game {
    /// Judges an attempt: what happens, and what is said. Changes nothing.
    ///
    /// # Errors
    /// A [`Refusal`] (row 1) is an error to the asker alone; "no" and
    /// "nonsense" are rulings.
    pub fn judge(&self, by: Color, attempt: Attempt) -> Result<Ruling, Refusal> {
        let mut calls = Calls::new();
        let event = self.judge_into(by, attempt, &mut calls)?;
        Ok(Ruling { event, calls })
    }

    /// As [`judge`](Game::judge), with the calls put into the caller's buffer
    /// (what it held is forgotten): some 600 bytes less to move an attempt.
    ///
    /// # Errors
    /// As [`judge`](Game::judge); the buffer is then empty.
    pub fn judge_into(
        &self,
        by: Color,
        attempt: Attempt,
        calls: &mut Calls,
    ) -> Result<Event, Refusal> {
        calls.clear();
        let event = match self.read(by, attempt)? {
            Asked::Try(t) => match self.verdict(by, t) {
                (what, Verdict::Moved) => {
                    let after = self.after(what);
                    let then = self.then(&after, &after.position.facts());
                    self.say_move(calls, by, what, after.captured, then);
                    return Ok(then.event(by, what));
                }
                (what, verdict) => self.rebuffed(by, what, verdict),
            },
            Asked::Other(event) => event,
        };
        self.say(&event, calls);
        Ok(event)
    }

    /// Judges an attempt and makes it happen: [`judge_into`](Game::judge_into)
    /// and [`apply`](Game::apply) in one, without working the position after
    /// the move out twice.
    ///
    /// # Errors
    /// As [`judge`](Game::judge); the game is then unchanged and the buffer
    /// empty.
    pub fn attempt(
        &mut self,
        by: Color,
        attempt: Attempt,
        calls: &mut Calls,
    ) -> Result<Event, Refusal> {
        calls.clear();
        let event = match self.read(by, attempt)? {
            Asked::Try(t) => match self.verdict(by, t) {
                (what, Verdict::Moved) => {
                    let after = self.after(what);
                    let facts = after.position.facts();
                    let then = self.then(&after, &facts);
                    self.say_move(calls, by, what, after.captured, then);
                    self.settle(by, what, then, &after, facts.seen);
                    return Ok(then.event(by, what));
                }
                (what, verdict) => self.rebuffed(by, what, verdict),
            },
            Asked::Other(event) => event,
        };
        self.say(&event, calls);
        self.apply(&event);
        Ok(event)
    }

    /// Judges the end of the game by time or absence. Changes nothing.
    ///
    /// Time loses, but draws if the other side has a bare king.
    ///
    /// # Errors
    /// [`Refusal::GameOver`] if the game is over.
    pub fn judge_end(&self, cause: EndCause) -> Result<Ruling, Refusal> {
        if self.over.is_some() {
            return Err(Refusal::GameOver);
        }
        let event = match cause {
            EndCause::Flag(color) => Event::Flagged {
                color,
                winner: if self.position.is_bare(color.other()) {
                    Winner::Draw
                } else {
                    Winner::from(color.other())
                },
            },
            EndCause::Gone(color) => Event::Left { color },
            EndCause::Abort => Event::Aborted,
        };
        let calls = self.calls(&event);
        Ok(Ruling { event, calls })
    }

    /// Row 1: whether the attempt is judged at all, and as what.
    fn read(&self, by: Color, attempt: Attempt) -> Result<Asked, Refusal> {
        if self.over.is_some() {
            return Err(Refusal::GameOver);
        }
        Ok(match attempt {
            Attempt::Try(t) => {
                if matches!(t, Try::Drop { .. }) && self.choices().reserve == ReserveUse::None {
                    return Err(Refusal::NoDrops);
                }
                self.on_turn(by)?;
                Asked::Try(t)
            }
            Attempt::Px { promotion } => {
                if self.choices().px == Px::Absent {
                    return Err(Refusal::NoPx);
                }
                self.on_turn(by)?;
                Asked::Try(self.resolve_px(promotion)?)
            }
            Attempt::Any
            | Attempt::Count
            | Attempt::Recap
            | Attempt::Resign
            | Attempt::OfferDraw
            | Attempt::AcceptDraw
            | Attempt::DeclineDraw
            | Attempt::WithdrawDraw => Asked::Other(self.decide_other(by, attempt)?),
        })
    }

    fn on_turn(&self, by: Color) -> Result<(), Refusal> {
        let to_move = self.position.turn();
        if by == to_move {
            Ok(())
        } else {
            Err(Refusal::NotYourTurn { to_move })
        }
    }

    /// Everything but moves.
    fn decide_other(&self, by: Color, attempt: Attempt) -> Result<Event, Refusal> {
        let choices = self.choices();
        match attempt {
            Attempt::Try(_) | Attempt::Px { .. } => Err(Refusal::NoPx),
            Attempt::Any => {
                if choices.pawn_tries != PawnTries::OnRequest {
                    return Err(Refusal::NoAny);
                }
                self.on_turn(by)?;
                if self.turn.asked && choices.any_again == AnyAgain::Refused {
                    return Err(Refusal::AnyAsked);
                }
                Ok(Event::Any {
                    by,
                    answer: self.answer_any(by),
                })
            }
            Attempt::Count => match choices.count {
                Question::Absent => Err(Refusal::NoCount),
                Question::Aloud => Ok(Event::Count {
                    by,
                    count: *self.rebuffs.get(by.other()),
                }),
            },
            Attempt::Recap => match choices.recap {
                Question::Absent => Err(Refusal::NoRecap),
                Question::Aloud => Ok(Event::Recap { by }),
            },
            Attempt::Resign => Ok(Event::Resigned { by }),
            Attempt::OfferDraw => match self.offer {
                Some(who) if who == by => Err(Refusal::OfferStands),
                Some(_) => Ok(Event::Agreed { by }),
                None => Ok(Event::Offered { by }),
            },
            Attempt::AcceptDraw if self.offer == Some(by.other()) => Ok(Event::Agreed { by }),
            Attempt::DeclineDraw if self.offer == Some(by.other()) => Ok(Event::Declined { by }),
            Attempt::AcceptDraw | Attempt::DeclineDraw => Err(Refusal::NoOffer),
            Attempt::WithdrawDraw if self.offer == Some(by) => Ok(Event::Withdrew { by }),
            Attempt::WithdrawDraw => Err(Refusal::NoOwnOffer),
        }
    }

    /// `None` is nonsense.
    fn answer_any(&self, by: Color) -> Option<bool> {
        let pawns = self.position.men(Role::Pawn) & self.position.side(by);
        if pawns.is_empty() && self.choices().any_without_pawns == AnyWithoutPawns::Nonsense {
            return None;
        }
        Some(self.position.pawn_tries().count > 0)
    }

    /// The capture that `px` stands for.
    ///
    /// Whether a man must be named depends on what the mover himself can
    /// imagine, so that no refusal tells him which pawn may capture.
    fn resolve_px(&self, promotion: Option<Role>) -> Result<Try, Refusal> {
        if self.turn.tries != Tries::Count(1) {
            return Err(Refusal::PxCount);
        }
        let own = self.position.own(self.position.turn());
        let all = own.all();
        let could_promote = own.men.pawn.into_iter().any(|from| {
            own.pawn_captures(from, all).into_iter().any(|to| {
                let t = Try::step(from, to);
                own.is_promotion(t) && !self.turn.refusals.contains(t)
            })
        });
        match (could_promote, promotion) {
            (true, None) => return Err(Refusal::PxNeedsMan),
            (false, Some(_)) => return Err(Refusal::PxNoMan),
            (true, Some(Role::Pawn | Role::King)) => return Err(Refusal::PxWrongMan),
            (true, Some(_)) | (false, None) => {}
        }
        let tries = self.position.pawn_tries();
        let (Some(from), Some(to)) = (tries.origins.first(), tries.landings.first()) else {
            return Err(Refusal::PxCount);
        };
        let bare = Try::step(from, to);
        Ok(if own.is_promotion(bare) {
            Try::Step {
                from,
                to,
                promotion,
            }
        } else {
            bare
        })
    }

    /// Rows 2 to 7: the verdict on a try, and the try with its default
    /// promotion.
    fn verdict(&self, by: Color, t: Try) -> (Try, Verdict) {
        let legal = self.position.is_legal_seen(t, &self.seen);
        if legal && self.is_plain(t) {
            return (t, Verdict::Moved);
        }
        let choices = self.choices();
        let own = self.position.own(by);
        let what = own.with_default_promotion(t, choices.promotion_man);
        let verdict = match seat_verdict(choices, &own, &self.turn, what) {
            SeatVerdict::Nonsense(_) => Verdict::Nonsense,
            SeatVerdict::RepeatNo => Verdict::RepeatNo,
            SeatVerdict::Open if legal || (what != t && self.position.is_legal(what)) => {
                Verdict::Moved
            }
            SeatVerdict::Open | SeatVerdict::No => Verdict::No,
        };
        (what, verdict)
    }

    /// Whether rows 2 to 5 have nothing to say of a *legal* try.
    ///
    /// What is legal is imaginable, agrees with a truthful announcement of
    /// tries and check, and was never refused; only a promotion that the
    /// ruleset forbids and an obligation or a limit of row 4 can stand against
    /// it.
    #[inline]
    fn is_plain(&self, t: Try) -> bool {
        let free = !self.turn.obliged && self.turn.pawn_captures_refused < 3;
        match t {
            Try::Step { promotion, .. } => free && promotion.is_none_or(|man| man == Role::Queen),
            Try::Drop { .. } => free,
        }
    }

    fn rebuffed(&self, by: Color, what: Try, verdict: Verdict) -> Event {
        let over = if verdict == Verdict::No && self.choices().try_limit == TryLimit::Three {
            self.exhausted(by, what)
        } else {
            None
        };
        Event::Rebuffed {
            by,
            what,
            verdict,
            over,
        }
    }

    /// Whether a third no to a pawn capture leaves nothing else that is legal.
    fn exhausted(&self, by: Color, what: Try) -> Option<Over> {
        let third = self.position.is_pawn_capture(what)
            && !self.turn.refusals.contains(what)
            && self.turn.pawn_captures_refused == 2;
        if !third || self.position.any_legal_but_pawn_captures() {
            return None;
        }
        let winner = if self.position.check_directions().is_empty() {
            self.stalemate_winner(by)
        } else {
            Winner::from(by.other())
        };
        Some(Over {
            winner,
            reason: Reason::ExhaustedTries,
        })
    }

    /// What a move leads to.
    fn then(&self, after: &After, facts: &Facts) -> Then {
        let over = self.natural_end(
            &after.position,
            facts,
            after.halfmoves,
            self.occurrences(after),
        );
        Then {
            check: facts.check,
            tries: if over.is_some() {
                Tries::Untold
            } else {
                self.announced_tries(&after.position, facts)
            },
            over,
        }
    }

    /// The position after a legal try, and what goes with it.
    #[inline]
    fn after(&self, what: Try) -> After {
        // Made in its place: the position is copied once.
        let mut after = After {
            position: self.position,
            captured: None,
            halfmoves: 0,
            men_key: self.men_key,
            key: RepetitionKey::default(),
        };
        let man = self.position.man_of(what);
        after.captured = after.position.play_man(what, man, self.drops());
        if man != Role::Pawn && after.captured.is_none() {
            after.halfmoves = self.halfmoves.saturating_add(1);
        }
        if self.counts_repetition() {
            after.men_key = self
                .position
                .shifted_men_key(self.men_key, what, man, after.captured);
            after.key = after.position.repetition_key(after.men_key);
        }
        after
    }

    pub(crate) fn counts_repetition(&self) -> bool {
        self.choices().threefold == Threefold::On
    }

    /// How often the position has occurred, this time included; 1 where
    /// repetition does not count.
    fn occurrences(&self, after: &After) -> usize {
        if !self.counts_repetition() || (after.halfmoves == 0 && !self.drops()) {
            return 1;
        }
        1 + self.past.count(after.key)
    }

    /// The end that the position itself makes, in the order of RULES 3.1.
    pub(crate) fn natural_end(
        &self,
        position: &Position,
        facts: &Facts,
        halfmoves: u32,
        occurrences: usize,
    ) -> Option<Over> {
        let choices = self.choices();
        let draw = |reason| {
            Some(Over {
                winner: Winner::Draw,
                reason,
            })
        };
        if !facts.any_legal && self.sees_mates() {
            let mated = position.turn();
            return Some(if facts.check.is_empty() {
                Over {
                    winner: self.stalemate_winner(mated),
                    reason: Reason::Stalemate,
                }
            } else {
                Over {
                    winner: Winner::from(mated.other()),
                    reason: Reason::Checkmate,
                }
            });
        }
        let dead = match choices.material {
            Material::Off => false,
            Material::Dead => position.is_dead_material(),
            Material::OneMinorEach => position.is_one_minor_each(),
        };
        if dead {
            return draw(Reason::Insufficient);
        }
        if choices.threefold == Threefold::On && occurrences >= 3 {
            return draw(Reason::Threefold);
        }
        if choices.fifty == Fifty::On && halfmoves >= 100 {
            return draw(Reason::Fifty);
        }
        None
    }

    fn stalemate_winner(&self, stalemated: Color) -> Winner {
        match self.choices().stalemate {
            Stalemate::Draw => Winner::Draw,
            Stalemate::Loses => Winner::from(stalemated.other()),
        }
    }

    /// What is announced unasked about the pawn tries of the side to move.
    pub(crate) fn announced_tries(&self, position: &Position, facts: &Facts) -> Tries {
        let choices = self.choices();
        if matches!(choices.pawn_tries, PawnTries::Silent | PawnTries::OnRequest) {
            return Tries::Untold;
        }
        let tries = position.pawn_tries_seen(&facts.seen);
        match choices.pawn_tries {
            PawnTries::Silent | PawnTries::OnRequest => Tries::Untold,
            PawnTries::Whether => Tries::Whether(tries.count > 0),
            PawnTries::Count => Tries::Count(tries.count),
            PawnTries::Squares => Tries::Squares(match choices.pawn_try_square {
                PawnTrySquare::Landing => tries.landings,
                PawnTrySquare::Origin => tries.origins,
            }),
            PawnTries::SinglesAndDoubles => Tries::SinglesAndDoubles {
                singles: tries.landings & !tries.doubles,
                doubles: tries.doubles,
            },
        }
    }

    /// The check as it is announced; `None` if it is not.
    pub(crate) fn told_check(&self, check: Directions) -> Option<Directions> {
        match self.choices().check {
            CheckTold::Silent => None,
            CheckTold::Bare => (!check.is_empty()).then_some(Directions::NONE),
            CheckTold::Directions => (!check.is_empty()).then_some(check),
        }
    }

    /// Makes an event happen. Decides nothing.
    pub fn apply(&mut self, event: &Event) {
        match *event {
            Event::Opened(ref opened) => *self = Game::open((**opened).clone()),
            Event::Moved {
                by,
                what,
                check,
                tries,
                over,
            } => {
                let after = self.after(what);
                let seen = after.position.seen();
                self.settle(by, what, Then { check, tries, over }, &after, seen);
            }
            Event::Rebuffed {
                by,
                what,
                verdict,
                over,
            } => {
                if verdict == Verdict::No {
                    *self.rebuffs.get_mut(by) += 1;
                    let pawn_capture = self.position.is_pawn_capture(what);
                    self.turn.refused(&self.opened.choices, pawn_capture, what);
                }
                self.over = over;
            }
            Event::Any { answer, .. } => {
                if let Some(answer) = answer {
                    self.turn.any_answered(&self.opened.choices, answer);
                }
            }
            Event::Count { .. } | Event::Recap { .. } => {}
            Event::Resigned { by } => self.end(Winner::from(by.other()), Reason::Resignation),
            Event::Offered { by } => self.offer = Some(by),
            Event::Agreed { .. } => self.end(Winner::Draw, Reason::Agreement),
            Event::Declined { .. } | Event::Withdrew { .. } => self.offer = None,
            Event::Flagged { winner, .. } => self.end(winner, Reason::Time),
            Event::Left { color } => self.end(Winner::from(color.other()), Reason::Abandoned),
            Event::Aborted => self.end(Winner::Unfinished, Reason::Aborted),
        }
    }

    fn end(&mut self, winner: Winner, reason: Reason) {
        self.offer = None;
        self.over = Some(Over { winner, reason });
    }

    fn settle(&mut self, by: Color, what: Try, then: Then, after: &After, seen: Seen) {
        if self.choices().recap == Question::Aloud {
            self.said = self.said_of_move(by, what, after.captured, then);
        }
        self.position = after.position;
        self.seen = seen;
        self.halfmoves = after.halfmoves;
        self.men_key = after.men_key;
        if self.counts_repetition() {
            if after.halfmoves == 0 && !self.drops() {
                self.past.clear();
            }
            self.past.push(after.key);
        }
        if by == Color::Black {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
        if self.offer == Some(by.other()) || then.over.is_some() {
            self.offer = None;
        }
        *self.rebuffs.get_mut(by.other()) = 0;
        let told = self.told_check(then.check);
        self.turn.begin(told, then.tries);
        self.over = then.over;
    }
}

/// An attempt that is judged: a try, or anything else, decided already.
enum Asked {
    Try(Try),
    Other(Event),
}

/// What a legal move leads to, beside the announcements.
#[derive(Copy, Clone)]
struct After {
    position: Position,
    captured: Option<Captured>,
    halfmoves: u32,
    men_key: u128,
    key: RepetitionKey,
}

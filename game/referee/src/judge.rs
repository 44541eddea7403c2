//! Decides the verdict on every attempt, and whether the attempt ends the game.

use position::announcements;
use rules::{
    AnnouncedCheck, AnnouncedTries, AnyAgain, AnyWithoutPawns, Attempt, CallSink, Calls, Over,
    PawnTries, PromotionMan, Px, QuestionRule, ReserveUse, SeatVerdict, Tries, Try, TryLimit,
    Verdict, Winner,
    chess::{Bitboard, Color, Role},
    reaches, seat_verdict,
};

use crate::{
    cause::EndCause,
    consequence::Step,
    event::Event,
    game::{Game, Ruling},
    refusal::Refusal,
};

/// Decision on an attempt.
enum Decision {
    /// The try is legal. The role is the role of the man that is moved or dropped. The
    /// consequences are known only after the move.
    Move(Try, Role),
    /// Any other event.
    Other(Event),
}

impl Game {
    /// Judges an attempt: decides what happens and who hears what. Changes
    /// nothing.
    ///
    /// # Errors
    /// [`Refusal`] (row 1 of the table of verdicts): only the player who asked
    /// learns of the refusal. "No" and "nonsense" are rulings, not errors.
    pub fn judge(&self, by: Color, attempt: Attempt) -> Result<Ruling, Refusal> {
        let mut calls = Calls::new();
        let event = self.judge_into(by, attempt, &mut calls)?;
        Ok(Ruling { event, calls })
    }

    /// Judges like [`judge`](Game::judge), but writes the calls into the caller's buffer, which is
    /// cleared first. This function is faster: [`judge`](Game::judge) returns a value of about 600
    /// bytes, and these bytes must be copied.
    ///
    /// # Errors
    /// The same errors as [`judge`](Game::judge); the buffer is then empty.
    pub fn judge_into(
        &self,
        by: Color,
        attempt: Attempt,
        calls: &mut Calls,
    ) -> Result<Event, Refusal> {
        calls.clear();
        match self.decide(by, attempt)? {
            Decision::Move(what, man) => {
                let mut position = self.position;
                let step = Step::make(&mut position, self.halfmoves, self.drops(), what, man);
                let then = self.consequences(what, &position, step, &position.facts());
                self.say_move(calls, by, what, step.captured, then);
                Ok(then.event(by, what))
            }
            Decision::Other(event) => {
                self.say(&event, calls);
                Ok(event)
            }
        }
    }

    /// Judges an attempt and applies the event: [`judge_into`](Game::judge_into) and
    /// [`apply`](Game::apply) in one call. One call is faster than two calls, because the move is
    /// made only once.
    ///
    /// # Errors
    /// The same errors as [`judge`](Game::judge); the game is then unchanged and the buffer empty.
    pub fn attempt(
        &mut self,
        by: Color,
        attempt: Attempt,
        calls: &mut Calls,
    ) -> Result<Event, Refusal> {
        calls.clear();
        self.attempt_before(by, attempt, calls)
    }

    /// Does the same as [`attempt`](Game::attempt), but passes each call
    /// directly to `sink`, without a list of calls.
    ///
    /// # Errors
    /// The same errors as [`judge`](Game::judge); the game is then unchanged, and `sink` has got no
    /// call.
    #[inline]
    pub fn attempt_before(
        &mut self,
        by: Color,
        attempt: Attempt,
        sink: &mut impl CallSink,
    ) -> Result<Event, Refusal> {
        match self.decide(by, attempt)? {
            Decision::Move(what, man) => {
                let drops = self.drops();
                let step = Step::make(&mut self.position, self.halfmoves, drops, what, man);
                let facts = self.position.facts();
                let then = self.consequences(what, &self.position, step, &facts);
                self.say_move(sink, by, what, step.captured, then);
                self.settle(by, what, then, step, facts.seen);
                Ok(then.event(by, what))
            }
            Decision::Other(event) => {
                self.say(&event, sink);
                self.apply(&event);
                Ok(event)
            }
        }
    }

    /// Judges the end of the game by time, absence or abort. Changes nothing.
    ///
    /// A side whose time is up loses. But if the opponent has only the king, the game is a draw.
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
            EndCause::Gone(color) => Event::Left {
                color,
                winner: Winner::from(color.other()),
            },
            EndCause::GoneDraw(color) => Event::Left {
                color,
                winner: Winner::Draw,
            },
            EndCause::Abort => Event::Aborted,
        };
        let calls = self.calls(&event);
        Ok(Ruling { event, calls })
    }

    /// Decides an attempt, without making any call.
    #[inline(always)]
    fn decide(&self, by: Color, attempt: Attempt) -> Result<Decision, Refusal> {
        let Some(t) = self.asked_try(by, attempt)? else {
            return self.decide_other(by, attempt).map(Decision::Other);
        };
        let man = self.position.man_of(t);
        let (what, verdict) = self.verdict(by, t, man);
        if verdict == Verdict::Moved {
            return Ok(Decision::Move(what, man));
        }
        let over = self.exhausted(what, verdict);
        Ok(Decision::Other(Event::Rebuffed {
            by,
            what,
            verdict,
            over,
        }))
    }

    /// Checks row 1 of the table of verdicts for a try or a `px`, and returns
    /// the try. Returns `None` for all other attempts, which
    /// [`decide_other`](Game::decide_other) handles.
    #[inline]
    fn asked_try(&self, by: Color, attempt: Attempt) -> Result<Option<Try>, Refusal> {
        if self.over.is_some() {
            return Err(Refusal::GameOver);
        }
        match attempt {
            Attempt::Try(t) => {
                if matches!(t, Try::Drop { .. }) && self.choices().reserve == ReserveUse::None {
                    return Err(Refusal::NoDrops);
                }
                self.on_turn(by)?;
                Ok(Some(t))
            }
            Attempt::Px { promotion } => {
                if self.choices().px == Px::Absent {
                    return Err(Refusal::NoPx);
                }
                self.on_turn(by)?;
                self.resolve_px(promotion).map(Some)
            }
            Attempt::Any
            | Attempt::Count
            | Attempt::Recap
            | Attempt::Resign
            | Attempt::OfferDraw
            | Attempt::AcceptDraw
            | Attempt::DeclineDraw
            | Attempt::WithdrawDraw => Ok(None),
        }
    }

    fn on_turn(&self, by: Color) -> Result<(), Refusal> {
        let to_move = self.position.turn();
        if by == to_move {
            Ok(())
        } else {
            Err(Refusal::NotYourTurn { to_move })
        }
    }

    /// Decides every attempt except tries and `px`. The game must not be over.
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
                QuestionRule::Absent => Err(Refusal::NoCount),
                QuestionRule::Aloud => Ok(Event::Count {
                    by,
                    count: *self.rebuffs.get(by.other()),
                }),
            },
            Attempt::Recap => match choices.recap {
                QuestionRule::Absent => Err(Refusal::NoRecap),
                QuestionRule::Aloud => Ok(Event::Recap { by }),
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

    /// Answers Any?; `None` means nonsense.
    fn answer_any(&self, by: Color) -> Option<bool> {
        let pawns = self.position.men(Role::Pawn) & self.position.side(by);
        if pawns.is_empty() && self.choices().any_without_pawns == AnyWithoutPawns::Nonsense {
            return None;
        }
        Some(self.position.pawn_tries().count > 0)
    }

    /// Returns the capture that `px` plays.
    ///
    /// Only what the mover knows decides whether `px` must name a promotion man. So a refusal does
    /// not reveal which pawn can capture.
    fn resolve_px(&self, promotion: Option<Role>) -> Result<Try, Refusal> {
        let announced = match self.turn.tries {
            Tries::Count(announced) => announced,
            Tries::Untold
            | Tries::Whether(_)
            | Tries::Squares(_)
            | Tries::SinglesAndDoubles { .. } => 0,
        };
        if announced != 1 {
            return Err(Refusal::PxCount { announced });
        }
        let own = self.position.own(self.position.turn());
        let all = own.all();
        let could_promote = own.men.pawn.into_iter().any(|from| {
            own.pawn_captures(from, all).into_iter().any(|to| {
                let t = Try::step(from, to);
                own.is_promotion(t) && !self.turn.refused_tries.contains(t)
            })
        });
        match (could_promote, promotion) {
            (true, None) => return Err(Refusal::PxNeedsMan),
            (false, Some(_)) => return Err(Refusal::PxNoMan),
            (true, Some(Role::Pawn | Role::King)) => return Err(Refusal::PxWrongMan),
            (true, Some(man))
                if man != Role::Queen
                    && self.choices().promotion_man == PromotionMan::QueenOnly =>
            {
                return Err(Refusal::PxWrongMan);
            }
            (true, Some(_)) | (false, None) => {}
        }
        let tries = self.position.pawn_tries();
        let (Some(from), Some(to)) = (tries.origins.first(), tries.landings.first()) else {
            return Err(Refusal::PxCount { announced });
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

    /// Applies rows 2 to 7 of the table of verdicts to a try that moves or
    /// drops `man`. Returns the try, with the default promotion added, and the
    /// verdict.
    fn verdict(&self, by: Color, t: Try, man: Role) -> (Try, Verdict) {
        let legal = self.position.is_legal_seen(t, man, &self.seen);
        if self.is_plain(t) {
            if legal {
                return (t, Verdict::Moved);
            }
            if self.is_open(by, t, man) {
                return (t, Verdict::No);
            }
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

    /// Whether it is certain that rows 2 to 5 of the table of verdicts do not apply to a *legal*
    /// try. If this function returns false, the rows must be checked.
    ///
    /// A legal try is imaginable, and it agrees with the announced tries and check, because
    /// announcements are true. So rows 2 to 5 can apply to a legal try only in these cases:
    ///
    /// - The ruleset forbids the promotion.
    /// - Row 4 applies (an obligation or a limit).
    /// - Row 5 applies: the legal try counts as a repeat of an earlier try with the same squares.
    ///   The earlier try named an impossible promotion man and was answered "no" in this turn.
    ///   This is possible only if the ruleset has no row 2.
    #[inline]
    fn is_plain(&self, t: Try) -> bool {
        let turn = &self.turn;
        let free =
            !turn.obliged && turn.pawn_captures_refused < 3 && !turn.refused_tries.contains(t);
        match t {
            Try::Step { promotion, .. } => free && promotion.is_none_or(|man| man == Role::Queen),
            Try::Drop { .. } => free,
        }
    }

    /// Whether it is certain that rows 2 and 3 do not apply to a try, even if the try is illegal.
    /// If this function returns true, an illegal try is answered "no". The function returns true
    /// for most tries: the man can make the step, and no announcement excludes the step. The caller
    /// must have checked that [`is_plain`](Game::is_plain) is true for the try.
    #[inline]
    fn is_open(&self, by: Color, t: Try, man: Role) -> bool {
        let Try::Step {
            from,
            to,
            promotion: None,
        } = t
        else {
            return false;
        };
        let choices = self.choices();
        let all = self.position.side(by);
        all.contains(from)
            && reaches(by, man, from, to, all)
            && (man != Role::Pawn
                || (!Bitboard::BACKRANKS.contains(to)
                    && choices.announced_tries == AnnouncedTries::Judged))
            && (self.turn.check.is_none() || choices.announced_check == AnnouncedCheck::Judged)
    }

    /// Returns the end of the game if this answer is the third "no" to a pawn capture in this turn,
    /// and if every legal move is a pawn capture. Otherwise returns `None`.
    #[inline]
    fn exhausted(&self, what: Try, verdict: Verdict) -> Option<Over> {
        if verdict == Verdict::No && self.choices().try_limit == TryLimit::Three {
            self.exhausted_by_no(what)
        } else {
            None
        }
    }

    fn exhausted_by_no(&self, what: Try) -> Option<Over> {
        let third = self.position.is_pawn_capture(what)
            && !self.turn.refused_tries.contains(what)
            && self.turn.pawn_captures_refused == 2;
        if third {
            announcements::exhausted(self.choices(), &self.position)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::{Answer, chess::Square, rulesets};

    use super::*;
    use crate::Opened;
    use position::StartPosition;

    /// Only an answer "no" counts towards the limit of three pawn captures. Here the only legal try
    /// is a4b5. Two pawn captures are answered "no". f3g4 is nonsense, because an own man is on g4.
    #[test]
    fn nonsense_does_not_exhaust_the_three_tries() {
        let ruleset = rulesets::by_id("ks+p").unwrap();
        let fen = "7k/8/8/pp4p1/P2p1pP1/3P1P2/5q2/7K w - - 0 1";
        let start = StartPosition::from_fen(fen, &ruleset.choices).unwrap();
        let mut game = Game::open(Opened::new(ruleset, ruleset.choices, start));
        let mut calls = Calls::new();
        for (from, to, answer) in [
            (Square::D3, Square::C4, Answer::No),
            (Square::D3, Square::E4, Answer::No),
            (Square::F3, Square::G4, Answer::Nonsense),
            (Square::A4, Square::B5, Answer::Moved),
        ] {
            let played = Attempt::Try(Try::step(from, to));
            let event = game.attempt(Color::White, played, &mut calls).unwrap();
            assert_eq!(event.answer(), Some(answer), "{from}{to}");
            assert_eq!(game.over(), None, "{from}{to}");
        }
    }
}

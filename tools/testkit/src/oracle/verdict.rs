//! The table of verdicts (specification, section 1), row by row.

use rules::{
    AnnouncedCheck, AnnouncedTries, Answer, Attempt, Heard, Impossible, NoHeard, NonsenseHeard,
    NonsenseRow, NonsenseWord, Obligation, Over, Px, Reason, Repeat, Reply, ReserveUse, Tries, Try,
    TryLimit, Verdict, Winner,
    chess::{Color, Role},
};

use super::{
    Answered, Oracle,
    hearings::Hearings,
    mailbox::{PROMOTIONS, last_rank, place},
    mine::Mine,
    turn::same,
};

impl Oracle {
    /// Applies rows 2 to 5, which do not depend on the true position. Returns
    /// `None` if no row applies.
    pub(super) fn row_of(&self, mine: &Mine, t: Try) -> Option<(Verdict, NonsenseRow)> {
        let choices = &self.choices;
        let turn = &self.turn;
        let nonsense = |row| Some((Verdict::Nonsense, row));
        let capture = mine.is_pawn_capture(t);

        // Row 2: impossible from the mover's own men.
        if choices.impossible == Impossible::Nonsense && !mine.imaginable(t, choices.promotion_man)
        {
            return nonsense(NonsenseRow::Impossible);
        }

        // Row 3: pawn captures first, then the announced check.
        if choices.announced_tries == AnnouncedTries::Nonsense
            && capture
            && !self.announced_leaves_room_for(t)
        {
            return nonsense(NonsenseRow::NoSuchPawnTry);
        }
        if let Some(directions) = turn.check {
            let cannot_answer = match choices.announced_check {
                AnnouncedCheck::Judged => false,
                AnnouncedCheck::Castling => mine.is_castling(t),
                AnnouncedCheck::Answers => !mine.can_answer(directions, t),
            };
            if cannot_answer {
                return nonsense(NonsenseRow::NotAnAnswer);
            }
        }

        // Row 4: an obligation, or the limit of pawn captures.
        if turn.obliged && !capture {
            return nonsense(NonsenseRow::PawnCaptureDue);
        }
        let spent = match choices.try_limit {
            TryLimit::None => false,
            TryLimit::Three => turn.captures_refused >= 3,
        };
        if spent && capture && !turn.was_refused(t) {
            return nonsense(NonsenseRow::TriesSpent);
        }

        // Row 5: the try was already refused in this turn.
        if turn.was_refused(t) {
            match choices.repeat {
                Repeat::RepeatNo => return Some((Verdict::RepeatNo, NonsenseRow::Repeated)),
                Repeat::Nonsense => return nonsense(NonsenseRow::Repeated),
                Repeat::Truth if turn.obliged => return nonsense(NonsenseRow::Repeated),
                Repeat::Truth => {}
            }
        }
        None
    }

    pub(super) fn try_move(&mut self, by: Color, t: Try) -> Result<Answered, String> {
        if by != self.position.turn {
            return Err("not your turn".to_owned());
        }
        if let (Try::Drop { .. }, ReserveUse::None) = (t, self.choices.reserve) {
            return Err("no men are dropped in this game".to_owned());
        }
        let mine = Mine::of(&self.position, by);
        let t = mine.with_default(t, self.choices.promotion_man);
        Ok(self.answer(&mine, t, Attempt::Try(t)))
    }

    /// Plays the only announced pawn capture (specification, section 3.2).
    pub(super) fn px(&mut self, by: Color, man: Option<Role>) -> Result<Answered, String> {
        if self.choices.px == Px::Absent {
            return Err("there is no px in this game".to_owned());
        }
        if by != self.position.turn {
            return Err("not your turn".to_owned());
        }
        if self.turn.tries != Tries::Count(1) {
            return Err("px needs an announced count of 1".to_owned());
        }
        let mine = Mine::of(&self.position, by);
        let rule = self.choices.promotion_man;
        let might_promote = mine.all_imaginable(rule).into_iter().any(|t| {
            mine.is_pawn_capture(t) && place(t.to()).1 == last_rank(by) && !self.turn.was_refused(t)
        });
        let promotion = match (might_promote, man) {
            (true, None) => return Err("name the promotion man, for example px=q".to_owned()),
            (true, Some(man)) if PROMOTIONS.contains(&man) => Some(man),
            (true, Some(_)) => return Err("a pawn cannot promote to this man".to_owned()),
            (false, None) => None,
            (false, Some(_)) => return Err("no pawn capture is a promotion".to_owned()),
        };
        let (from, to) = self.pawn_captures()[0];
        let due = place(to).1 == last_rank(by);
        let t = Try::Step {
            from,
            to,
            promotion: promotion.filter(|_| due),
        };
        Ok(self.answer(&mine, t, Attempt::Px { promotion: man }))
    }

    /// Applies rows 2 to 7 to a try.
    fn answer(&mut self, mine: &Mine, t: Try, asked: Attempt) -> Answered {
        if let Some((verdict, row)) = self.row_of(mine, t) {
            return self.nonsense(mine.color, verdict, Some(row), asked);
        }
        if self.legal.contains(&t) {
            self.moved(t)
        } else {
            self.no(mine, t)
        }
    }

    /// Adds a verdict to the hearings. The player who tried hears the verdict with the attempt. If
    /// `aloud` is true, all other listeners hear the verdict without the attempt.
    fn say(
        &self,
        hearings: &mut Hearings,
        by: Color,
        verdict: Verdict,
        attempt: Attempt,
        aloud: bool,
    ) {
        let verdict_to = |attempt| Reply::Verdict {
            verdict,
            by,
            attempt,
        };
        hearings.seat(by, verdict_to(Some(attempt)));
        if aloud {
            hearings.seat(!by, verdict_to(None));
            hearings.room(verdict_to(None));
        }
    }

    /// Answers nonsense or repeat no. The game is unchanged.
    pub(super) fn nonsense(
        &self,
        by: Color,
        verdict: Verdict,
        row: Option<NonsenseRow>,
        attempt: Attempt,
    ) -> Answered {
        let mut hearings = Hearings::default();
        let aloud = match self.choices.nonsense_heard {
            NonsenseHeard::Mover => false,
            NonsenseHeard::Both => true,
        };
        let word = match (verdict, self.choices.nonsense_word) {
            (Verdict::Nonsense, NonsenseWord::No) => Verdict::No,
            (
                Verdict::Nonsense,
                NonsenseWord::Nonsense
                | NonsenseWord::HellNo
                | NonsenseWord::HeckNo
                | NonsenseWord::Impossible,
            )
            | (Verdict::RepeatNo | Verdict::Moved | Verdict::No, _) => verdict,
        };
        self.say(&mut hearings, by, word, attempt, aloud);
        let answer = match verdict {
            Verdict::RepeatNo => Answer::RepeatNo,
            Verdict::Nonsense | Verdict::Moved | Verdict::No => Answer::Nonsense,
        };
        Answered {
            answer,
            heard: hearings.done(),
            row,
        }
    }

    /// Row 6: the answer is "no".
    fn no(&mut self, mine: &Mine, t: Try) -> Answered {
        let by = mine.color;
        let mut hearings = Hearings::default();
        let aloud = match self.choices.no_heard {
            NoHeard::Mover => false,
            NoHeard::Both => true,
        };
        self.say(&mut hearings, by, Verdict::No, Attempt::Try(t), aloud);
        *self.rebuffs.get_mut(by) += 1;
        let fresh = !self.turn.was_refused(t);
        if fresh {
            self.turn.refused.push(same(t));
        }
        if fresh && mine.is_pawn_capture(t) {
            self.turn.captures_refused += 1;
            match self.choices.obligation {
                Obligation::None | Obligation::Make => {}
                Obligation::Try => self.turn.obliged = false,
            }
            self.exhaust(by, &mut hearings);
        }
        Answered {
            answer: Answer::No,
            heard: hearings.done(),
            row: None,
        }
    }

    /// If only pawn captures are legal, ends the game after three different pawn captures were
    /// answered "no" (specification, section 5).
    fn exhaust(&mut self, by: Color, hearings: &mut Hearings) {
        let limited = match self.choices.try_limit {
            TryLimit::None => false,
            TryLimit::Three => self.turn.captures_refused == 3,
        };
        let captures = self.pawn_captures();
        let other = self
            .legal
            .iter()
            .any(|t| !t.from().is_some_and(|f| captures.contains(&(f, t.to()))));
        if limited && !other {
            let winner = if self.position.in_check(by) {
                Winner::from(!by)
            } else {
                self.stalemate_winner()
            };
            self.finish(winner, Reason::ExhaustedTries, hearings);
        }
    }

    /// Row 7: the try is legal and is played.
    fn moved(&mut self, t: Try) -> Answered {
        let by = self.position.turn;
        let mut hearings = Hearings::default();
        self.say(&mut hearings, by, Verdict::Moved, Attempt::Try(t), true);
        let done = self.position.make(t);
        self.look();
        let of_move = self.announce_move(by, t.to(), done, &mut hearings);
        let of_position = self.announce_position(&mut hearings);
        self.last_said = rules::MoveAnnouncements {
            capture: of_move.capture,
            drop: of_move.drop,
            promotion: of_move.promotion,
            ..of_position
        };
        if self.draw_offer == Some(!by) {
            self.draw_offer = None;
        }
        *self.rebuffs.get_mut(!by) = 0;
        Answered {
            answer: Answer::Moved,
            heard: hearings.done(),
            row: None,
        }
    }

    pub(super) fn finish(&mut self, winner: Winner, reason: Reason, hearings: &mut Hearings) {
        let over = Over { winner, reason };
        self.over = Some(over);
        hearings.everyone(Heard::Over(over));
    }
}

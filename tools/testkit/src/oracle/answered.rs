//! Judges questions, draw offers, resignation, and ends of the game that no attempt causes.
//! Declares the type [`Answered`].

use rules::{
    Answer, AnyAgain, AnyWithoutPawns, Attempt, DrawTalk, Heard, NonsenseRow, Obligation,
    PawnTries, QuestionRule, Reason, Reply, Tries, Verdict, Winner,
    chess::{Color, Role},
};

use super::{Oracle, hearings::Hearings, mine::Mine};

/// The answer to an attempt, and what White, Black and the spectators heard.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Answered {
    /// The answer, for the umpire's record.
    pub answer: Answer,
    /// What White, Black and the spectators heard, in this order.
    pub heard: [Vec<Heard>; 3],
    /// If a try is nonsense or repeats a refused try, the row of the table of verdicts that applied.
    /// `None` for all other answers.
    pub row: Option<NonsenseRow>,
}

/// An end of the game that is not caused by an attempt.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum End {
    /// This player's clock has reached zero.
    Flag(Color),
    /// This player left the game and loses.
    Gone(Color),
    /// This player left the game, and the opponent chose a draw.
    GoneDraw(Color),
    /// The game is aborted, without a result.
    Abort,
}

fn answered(answer: Answer, hearings: Hearings) -> Answered {
    Answered {
        answer,
        heard: hearings.done(),
        row: None,
    }
}

impl Oracle {
    /// Ends the game for a reason that is not an attempt.
    ///
    /// # Errors
    /// The game is over already.
    pub fn end(&mut self, end: End) -> Result<Answered, String> {
        if self.over.is_some() {
            return Err("the game is over".to_owned());
        }
        let mut hearings = Hearings::default();
        let answer = match end {
            End::Flag(color) => {
                let winner = if self.is_bare(!color) {
                    Winner::Draw
                } else {
                    Winner::from(!color)
                };
                self.finish(winner, Reason::Time, &mut hearings);
                Answer::Flag
            }
            End::Gone(color) => {
                self.finish(Winner::from(!color), Reason::Abandoned, &mut hearings);
                Answer::Gone
            }
            End::GoneDraw(_) => {
                self.finish(Winner::Draw, Reason::Abandoned, &mut hearings);
                Answer::Gone
            }
            End::Abort => {
                self.finish(Winner::Unfinished, Reason::Aborted, &mut hearings);
                Answer::Aborted
            }
        };
        Ok(answered(answer, hearings))
    }

    /// Whether this side has only its king: no other man on the board, and an
    /// empty reserve.
    fn is_bare(&self, color: Color) -> bool {
        self.position
            .men(color)
            .all(|(_, man)| man.role == Role::King)
            && self.position.sides.get(color).reserve.is_empty()
    }

    pub(super) fn any(&mut self, by: Color) -> Result<Answered, String> {
        if self.choices.pawn_tries != PawnTries::OnRequest {
            return Err("there is no Any? in this game".to_owned());
        }
        if by != self.position.turn {
            return Err("not your turn".to_owned());
        }
        if self.turn.asked && self.choices.any_again == AnyAgain::Refused {
            return Err("you have already asked Any? in this turn".to_owned());
        }
        let pawns = Mine::of(&self.position, by).has_pawns();
        if !pawns && self.choices.any_without_pawns == AnyWithoutPawns::Nonsense {
            return Ok(self.nonsense(by, Verdict::Nonsense, None, Attempt::Any));
        }
        let answer = !self.pawn_captures().is_empty();
        self.turn.asked = true;
        self.turn.tries = Tries::Whether(answer);
        self.turn.obliged = match self.choices.obligation {
            Obligation::None => false,
            Obligation::Try | Obligation::Make => answer,
        };
        let mut hearings = Hearings::default();
        hearings.everyone(Reply::Any { by, answer });
        Ok(answered(
            if answer { Answer::Yes } else { Answer::None },
            hearings,
        ))
    }

    pub(super) fn count(&mut self, by: Color) -> Result<Answered, String> {
        match self.choices.count {
            QuestionRule::Absent => Err("there is no count in this game".to_owned()),
            QuestionRule::Aloud => {
                let mut hearings = Hearings::default();
                let count = *self.rebuffs.get(!by);
                hearings.everyone(Reply::Rebuffs { by, count });
                Ok(answered(Answer::Count, hearings))
            }
        }
    }

    pub(super) fn recap(&mut self, by: Color) -> Result<Answered, String> {
        match self.choices.recap {
            QuestionRule::Absent => Err("there is no recap in this game".to_owned()),
            QuestionRule::Aloud => {
                let mut hearings = Hearings::default();
                let announcements = self.last_said;
                hearings.everyone(Reply::Recap { by, announcements });
                Ok(answered(Answer::Recap, hearings))
            }
        }
    }

    pub(super) fn resign(&mut self, by: Color) -> Answered {
        let mut hearings = Hearings::default();
        self.finish(Winner::from(!by), Reason::Resignation, &mut hearings);
        answered(Answer::Resigned, hearings)
    }

    pub(super) fn offer_draw(&mut self, by: Color) -> Result<Answered, String> {
        match self.draw_offer {
            Some(offered) if offered == by => Err("you have already offered a draw".to_owned()),
            Some(_) => Ok(self.agree()),
            None => {
                self.draw_offer = Some(by);
                let mut hearings = Hearings::default();
                hearings.both_seats(DrawTalk::Offer { by });
                Ok(answered(Answer::Offered, hearings))
            }
        }
    }

    fn agree(&mut self) -> Answered {
        let mut hearings = Hearings::default();
        self.finish(Winner::Draw, Reason::Agreement, &mut hearings);
        answered(Answer::Drawn, hearings)
    }

    pub(super) fn accept_draw(&mut self, by: Color) -> Result<Answered, String> {
        if self.draw_offer == Some(!by) {
            Ok(self.agree())
        } else {
            Err("no draw is offered to you".to_owned())
        }
    }

    pub(super) fn decline_draw(&mut self, by: Color) -> Result<Answered, String> {
        if self.draw_offer != Some(!by) {
            return Err("no draw is offered to you".to_owned());
        }
        self.draw_offer = None;
        let mut hearings = Hearings::default();
        hearings.both_seats(DrawTalk::Declined { by });
        Ok(answered(Answer::Declined, hearings))
    }

    pub(super) fn withdraw_draw(&mut self, by: Color) -> Result<Answered, String> {
        if self.draw_offer != Some(by) {
            return Err("you offered no draw".to_owned());
        }
        self.draw_offer = None;
        let mut hearings = Hearings::default();
        hearings.both_seats(DrawTalk::Withdrawn { by });
        Ok(answered(Answer::Withdrawn, hearings))
    }
}

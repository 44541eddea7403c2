//! Announcements (specification, section 2) and ends of the game (section 3.1).

use rules::{
    Announcement, Capture, CaptureHeard, CaptureMan, CaptureSquare, CapturedMan, CheckTold,
    Directions, EnPassant, Fifty, Heard, Material, Mates, MoveAnnouncements, Over, PawnTries,
    PawnTrySquare, PromotionTold, Reason, Stalemate, Threefold, Tries, Winner,
    chess::{Color, Role, Square},
};

use super::{
    Oracle,
    hearings::{Hearings, set},
    mailbox::{Done, place},
    turn::Turn,
};

impl Oracle {
    /// Returns the announcement of a check on the player to move, if there is
    /// one.
    fn told_check(&self) -> Option<Directions> {
        if !self.position.in_check(self.position.turn) {
            return None;
        }
        match self.choices.check {
            CheckTold::Silent => None,
            CheckTold::Bare => Some(Directions::NONE),
            CheckTold::Directions => Some(self.position.check_directions(self.position.turn)),
        }
    }

    /// Returns what is announced about the pawn tries of the player to move. If the ruleset
    /// announces nothing before a question, returns [`Tries::Untold`].
    fn told_tries(&self) -> Tries {
        let captures = self.position.pawn_captures(&self.legal);
        let on = |to: Square| captures.iter().filter(|(_, t)| *t == to).count();
        match self.choices.pawn_tries {
            PawnTries::Silent | PawnTries::OnRequest => Tries::Untold,
            PawnTries::Whether => Tries::Whether(!captures.is_empty()),
            PawnTries::Count => Tries::Count(captures.len() as u8),
            PawnTries::Squares => Tries::Squares(match self.choices.pawn_try_square {
                PawnTrySquare::Landing => set(captures.iter().map(|(_, to)| *to)),
                PawnTrySquare::Origin => set(captures.iter().map(|(from, _)| *from)),
            }),
            PawnTries::SinglesAndDoubles => Tries::SinglesAndDoubles {
                singles: set(Square::ALL.into_iter().filter(|to| on(*to) == 1)),
                doubles: set(Square::ALL.into_iter().filter(|to| on(*to) == 2)),
            },
        }
    }

    /// Announces check, pawn tries, and the turn or the end in the current
    /// position, and starts the turn. Returns the announcements.
    pub(super) fn announce_position(&mut self, hearings: &mut Hearings) -> MoveAnnouncements {
        let mut aloud = MoveAnnouncements::NOTHING;
        let check = self.told_check();
        if let Some(directions) = check {
            hearings.everyone(Announcement::Check { directions });
            aloud.check = check;
        }
        self.over = self.end_of_position();
        if let Some(over) = self.over {
            self.turn = Turn::new(check, Tries::Untold);
            hearings.everyone(Heard::Over(over));
            return aloud;
        }
        let tries = self.told_tries();
        if tries != Tries::Untold {
            hearings.everyone(Announcement::Tries(tries));
            aloud.tries = Some(tries);
        }
        let to_move = self.position.turn;
        hearings.everyone(Announcement::Turn { to_move });
        aloud.turn = Some(to_move);
        self.turn = Turn::new(check, tries);
        aloud
    }

    /// Announces capture, drop and promotion of the move that was just made.
    /// Returns what everyone heard.
    pub(super) fn announce_move(
        &self,
        by: Color,
        to: Square,
        done: Done,
        hearings: &mut Hearings,
    ) -> MoveAnnouncements {
        let mut aloud = MoveAnnouncements::NOTHING;
        if let Some((square, man)) = done.captured {
            hearings.seat(
                !by,
                Heard::Lost {
                    square,
                    man: man.role,
                },
            );
            let as_kept = if man.promoted && self.position.drops {
                Role::Pawn
            } else {
                man.role
            };
            let capture = Capture {
                square: match self.choices.capture_square {
                    CaptureSquare::Untold => None,
                    CaptureSquare::Stood => Some(square),
                    CaptureSquare::Landing => Some(to),
                },
                man: match self.choices.capture_man {
                    CaptureMan::Untold => None,
                    CaptureMan::Kind if as_kept == Role::Pawn => Some(CapturedMan::Pawn),
                    CaptureMan::Kind => Some(CapturedMan::Piece),
                    CaptureMan::Exact => Some(CapturedMan::Exactly(as_kept)),
                },
                en_passant: match self.choices.en_passant {
                    EnPassant::Silent => false,
                    EnPassant::Said => done.en_passant,
                },
            };
            match self.choices.capture_heard {
                CaptureHeard::Victim => {}
                CaptureHeard::Capturer => hearings.seat(by, Announcement::Capture(capture)),
                CaptureHeard::Both => {
                    hearings.everyone(Announcement::Capture(capture));
                    aloud.capture = Some(capture);
                }
            }
        }
        if let Some(man) = done.dropped {
            hearings.everyone(Announcement::Drop { by, man });
            aloud.drop = Some((by, man));
        }
        if done.promoted {
            match self.choices.promotion {
                PromotionTold::Silent => {}
                PromotionTold::Side => {
                    hearings.everyone(Announcement::Promotion { by });
                    aloud.promotion = Some(by);
                }
            }
        }
        aloud
    }

    /// Returns the result if the player to move is stalemated.
    pub(super) fn stalemate_winner(&self) -> Winner {
        match self.choices.stalemate {
            Stalemate::Draw => Winner::Draw,
            Stalemate::Loses => Winner::from(!self.position.turn),
        }
    }

    /// Returns the end of the game that the position causes, if any.
    fn end_of_position(&self) -> Option<Over> {
        let us = self.position.turn;
        let draw = |reason| {
            Some(Over {
                winner: Winner::Draw,
                reason,
            })
        };
        if self.choices.mates == Mates::Announced && self.legal.is_empty() {
            return Some(if self.position.in_check(us) {
                Over {
                    winner: Winner::from(!us),
                    reason: Reason::Checkmate,
                }
            } else {
                Over {
                    winner: self.stalemate_winner(),
                    reason: Reason::Stalemate,
                }
            });
        }
        let dead = match self.choices.material {
            Material::Off => false,
            Material::Dead => self.is_dead(),
            Material::OneMinorEach => self.is_one_minor_each(),
        };
        if dead {
            return draw(Reason::Insufficient);
        }
        let now = self.position.essence(&self.legal);
        let times = self.past.iter().filter(|past| **past == now).count();
        if self.choices.threefold == Threefold::On && times >= 3 {
            return draw(Reason::Threefold);
        }
        if self.choices.fifty == Fifty::On && self.position.quiet >= 100 {
            return draw(Reason::Fifty);
        }
        None
    }

    /// Returns the men of a side except the king.
    fn company(&self, color: Color) -> Vec<(Square, Role)> {
        self.position
            .men(color)
            .map(|(sq, man)| (sq, man.role))
            .filter(|(_, role)| *role != Role::King)
            .collect()
    }

    /// Whether the material is dead. There are three cases: only two kings; two kings and one
    /// knight or bishop; or kings with bishops that are all on squares of one colour.
    fn is_dead(&self) -> bool {
        let men = [self.company(Color::White), self.company(Color::Black)].concat();
        let minor = |role: Role| role == Role::Knight || role == Role::Bishop;
        match men[..] {
            [] => true,
            [(_, role)] => minor(role),
            [(first, _), ..] => {
                let shade = |sq: Square| (place(sq).0 + place(sq).1) % 2;
                men.iter()
                    .all(|(sq, role)| *role == Role::Bishop && shade(*sq) == shade(first))
            }
        }
    }

    /// Whether each side has at most one knight or bishop besides its king.
    fn is_one_minor_each(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let men = self.company(color);
            men.len() <= 1
                && men
                    .iter()
                    .all(|(_, role)| *role == Role::Knight || *role == Role::Bishop)
        })
    }
}

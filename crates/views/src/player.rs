//! Knowledge of a player.

use rules::{
    Announcement, Attempt, Audience, CallSink, Calls, Choices, DrawTalk, Heard, Listener,
    MoveAnnouncements, NonsenseRow, NonsenseWord, Over, Own, Reply, Reserve, ReserveUse,
    SeatVerdict, Start, Tries, Try, TurnState, Verdict, Wings,
    chess::{Board, ByColor, ByRole, Color},
    seat_verdict,
};

use crate::{
    losses::{self, Losses},
    table::TableView,
};

/// Knowledge of the player in one seat: own men and rights, and what that
/// player heard.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerView {
    choices: Choices,
    own: Own,
    turn: TurnState,
    table: TableView,
    last_nonsense: Option<NonsenseRow>,
}

impl PlayerView {
    /// Takes a seat as the game opens.
    ///
    /// A `start` that tells no own men of that colour (the room's) leaves the
    /// seat without men.
    pub fn open(choices: Choices, color: Color, start: &Start) -> PlayerView {
        let own = start.own.filter(|own| own.color == color).unwrap_or(Own {
            color,
            men: Default::default(),
            castling: Wings::NONE,
            reserve: Reserve::EMPTY,
        });
        let mut table = TableView::new(&choices, start.reserves);
        *table.reserves.get_mut(color) = own.reserve;
        PlayerView {
            choices,
            own,
            turn: TurnState::default(),
            table,
            last_nonsense: None,
        }
    }

    /// Takes a seat in a game from the usual start position whose opening was
    /// not announced.
    pub fn initial(choices: Choices, color: Color) -> PlayerView {
        let own = Own::of(&Board::new(), color, Wings::BOTH, Reserve::EMPTY);
        let mut view = PlayerView::open(
            choices,
            color,
            &Start {
                rules: "".into(),
                own: Some(own),
                reserves: ByColor::default(),
            },
        );
        // Nobody can capture from the usual start position.
        view.turn.tries = match choices.pawn_tries {
            rules::PawnTries::Silent | rules::PawnTries::OnRequest => Tries::Untold,
            rules::PawnTries::Whether => Tries::Whether(false),
            rules::PawnTries::Count => Tries::Count(0),
            rules::PawnTries::Squares => Tries::Squares(Default::default()),
            rules::PawnTries::SinglesAndDoubles => Tries::SinglesAndDoubles {
                singles: Default::default(),
                doubles: Default::default(),
            },
        };
        view
    }

    /// Hears one thing.
    pub fn hear(&mut self, heard: &Heard) {
        self.take_in(heard);
    }

    /// Hears, of what is said upon one event, all that is said to this seat.
    pub fn hear_calls(&mut self, calls: &Calls) {
        let listener = Listener::from(self.own.color);
        for call in calls {
            if call.audience.includes(listener) {
                self.take_in(&call.heard);
            }
        }
    }

    #[inline(always)]
    fn take_in(&mut self, heard: &Heard) {
        self.table.hear(heard);
        match *heard {
            Heard::Reply(Reply::Verdict {
                verdict,
                by,
                attempt,
            }) => {
                if by == self.own.color {
                    if let Some(Attempt::Try(t)) = attempt {
                        match verdict {
                            Verdict::Moved => self.play(t),
                            Verdict::No => self.hear_no(t),
                            Verdict::Nonsense => self.last_nonsense = self.explain(t),
                            Verdict::RepeatNo => self.last_nonsense = Some(NonsenseRow::Repeated),
                        }
                    }
                } else if verdict == Verdict::Moved {
                    self.begin_turn();
                }
            }
            Heard::Reply(Reply::Any { by, answer }) => {
                if by == self.own.color {
                    let choices = self.choices;
                    self.turn.any_answered(&choices, answer);
                }
            }
            Heard::Lost { square, man } => {
                self.own.lose(square);
                losses::of(&mut self.table.losses, self.own.color).note_man(man);
            }
            Heard::Announced(Announcement::Capture(ref capture)) => {
                if self.table.moved == Some(self.own.color) {
                    losses::of(&mut self.table.losses, self.own.color.other()).note(capture);
                    self.own.reserve = *self.table.reserves.get(self.own.color);
                }
            }
            Heard::Announced(Announcement::Check { directions }) => {
                if self.is_mine() {
                    self.turn.check = Some(directions);
                }
            }
            Heard::Announced(Announcement::Tries(tries)) => {
                if self.is_mine() {
                    self.turn.tries = tries;
                }
            }
            Heard::Announced(
                Announcement::Turn { .. }
                | Announcement::Drop { .. }
                | Announcement::Promotion { .. },
            )
            | Heard::Reply(Reply::Rebuffs { .. } | Reply::Recap { .. })
            | Heard::Draw(
                DrawTalk::Offer { .. } | DrawTalk::Declined { .. } | DrawTalk::Withdrawn { .. },
            )
            | Heard::Over(_) => {}
        }
    }

    /// Whether the announcements now made are about this player's turn. At
    /// the opening the turn is not told yet: check and tries are kept and
    /// forgotten again with the first move of the other side.
    fn is_mine(&self) -> bool {
        self.table.moved != Some(self.own.color)
    }

    fn begin_turn(&mut self) {
        self.last_nonsense = None;
        self.turn.begin(None, Tries::Untold);
    }

    fn play(&mut self, t: Try) {
        self.own.play(t);
        self.begin_turn();
    }

    /// An own try was answered no: where nonsense is answered in those words,
    /// too, only what the player could not know counts as refused.
    fn hear_no(&mut self, t: Try) {
        self.last_nonsense = match self.without_truth(t) {
            SeatVerdict::Open | SeatVerdict::No => {
                let pawn_capture = self.own.is_pawn_capture(t);
                self.turn.refused(&self.choices, pawn_capture, t);
                None
            }
            SeatVerdict::Nonsense(row) => Some(row),
            SeatVerdict::RepeatNo => Some(NonsenseRow::Repeated),
        };
    }

    /// Returns the verdict, without the true position, on an own try that was
    /// answered in the words of a no.
    fn without_truth(&self, t: Try) -> SeatVerdict {
        if self.choices.nonsense_word == NonsenseWord::No {
            seat_verdict(&self.choices, &self.own, &self.turn, t)
        } else {
            // A no that nonsense does not borrow is a no.
            SeatVerdict::Open
        }
    }

    /// The seat's colour.
    pub fn color(&self) -> Color {
        self.own.color
    }

    /// The choices played by.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// Own men, castling rights and reserve.
    pub fn own(&self) -> &Own {
        &self.own
    }

    /// Returns what is announced to this player, what the player asked, and
    /// what was refused this turn; meaningful only in the player's turn.
    pub fn turn(&self) -> &TurnState {
        &self.turn
    }

    /// The side to move; `None` when the game is over.
    pub fn to_move(&self) -> Option<Color> {
        self.table.to_move
    }

    /// The end of the game.
    pub fn over(&self) -> Option<Over> {
        self.table.over
    }

    /// The side that offers a draw.
    pub fn draw_offer(&self) -> Option<Color> {
        self.table.offer
    }

    /// Announcements since the last completed move.
    pub fn this_turn(&self) -> MoveAnnouncements {
        self.table.this_turn
    }

    /// Announcements a turn before.
    pub fn last_turn(&self) -> MoveAnnouncements {
        self.table.last_turn
    }

    /// Returns what is known of captures: own losses exactly, the other side's
    /// as far as they were told to this seat.
    pub fn losses(&self) -> &Losses {
        &self.table.losses
    }

    /// Both reserves; empty where men cannot be dropped.
    pub fn reserves(&self) -> ByColor<Reserve> {
        match self.choices.reserve {
            ReserveUse::None => ByColor::default(),
            ReserveUse::Drops => self.table.reserves,
        }
    }

    /// Returns the number of men of a kind that each side has on the board
    /// beyond those of the opening (negative if fewer), counted by what they
    /// came there as: a promoted man is a pawn. All are zero where men cannot
    /// be dropped.
    pub fn balance(&self) -> &ByColor<ByRole<i16>> {
        &self.table.balance
    }

    /// Returns the row that makes a try nonsense now; `None` if the true
    /// position would be asked.
    pub fn explain(&self, t: Try) -> Option<NonsenseRow> {
        let t = self
            .own
            .with_default_promotion(t, self.choices.promotion_man);
        match seat_verdict(&self.choices, &self.own, &self.turn, t) {
            SeatVerdict::Nonsense(row) => Some(row),
            SeatVerdict::RepeatNo => Some(NonsenseRow::Repeated),
            SeatVerdict::Open | SeatVerdict::No => None,
        }
    }

    /// The row that made this player's last try nonsense; told to that player
    /// alone.
    pub fn last_nonsense(&self) -> Option<NonsenseRow> {
        self.last_nonsense
    }

    /// The attempts worth making now, see [`tries_into`](PlayerView::tries_into).
    pub fn tries(&self) -> Vec<Try> {
        let mut tries = Vec::new();
        self.tries_into(&mut tries);
        tries
    }

    /// Lists the attempts worth making now; none when it is not this player's
    /// turn.
    ///
    /// Moves only: imaginable from own men, not refused this turn, not
    /// nonsense by the rows of the ruleset; and in every ruleset no pawn
    /// capture where the announcement says there is none (or none landing
    /// there), and no castling while a check is announced. Pawns first, then
    /// knights, bishops, rooks, queens, the king, and drops; the order depends
    /// on own men alone.
    pub fn tries_into(&self, tries: &mut Vec<Try>) {
        if self.to_move() == Some(self.own.color) {
            crate::tries::list(&self.choices, &self.own, &self.turn, tries);
        } else {
            tries.clear();
        }
    }
}

/// The two seats at a table, hearing calls as they are made.
#[derive(Debug)]
pub struct BothSeats<'a> {
    /// White's view.
    pub white: &'a mut PlayerView,
    /// Black's view.
    pub black: &'a mut PlayerView,
}

impl CallSink for BothSeats<'_> {
    #[inline(always)]
    fn call(&mut self, audience: Audience, heard: &Heard) {
        if audience.includes(Listener::White) {
            self.white.take_in(heard);
        }
        if audience.includes(Listener::Black) {
            self.black.take_in(heard);
        }
    }
}

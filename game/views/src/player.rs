//! What a player knows.

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

/// What the player in one seat knows: the seat's own men and castling rights,
/// and what the seat heard.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerView {
    choices: Choices,
    own: Own,
    turn: TurnState,
    table: TableView,
    last_nonsense: Option<NonsenseRow>,
}

impl PlayerView {
    /// Returns the view of a seat at the start of a game.
    ///
    /// If `start` has no men of this colour (for example the spectators'
    /// start), the seat has no men.
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

    /// Returns the view of a seat in a game from the usual start position. The
    /// view already includes the announcements at the start of the game, so the
    /// caller does not pass them to the view.
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
        // In the usual start position there is no pawn capture.
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

    /// Updates the view with one thing that the seat heard.
    pub fn hear(&mut self, heard: &Heard) {
        self.take_in(heard);
    }

    /// Updates the view with the calls of one event. Calls that this seat does
    /// not hear are ignored.
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

    /// Returns whether the announcements heard now are about this player's turn.
    ///
    /// At the start of the game, check and pawn tries are announced before the referee says who is
    /// to move. So until the first move this function returns true for both seats, and both seats
    /// keep these announcements.
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

    /// Records that a try of this player was answered "no". If the ruleset also answers "no" to
    /// nonsense, this function first finds out whether the try is nonsense. Nonsense is not
    /// recorded as a refused try.
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

    /// Returns the verdict on a try of this player that was answered "no", as far as the player's
    /// own knowledge decides the verdict.
    fn without_truth(&self, t: Try) -> SeatVerdict {
        if self.choices.nonsense_word == NonsenseWord::No {
            seat_verdict(&self.choices, &self.own, &self.turn, t)
        } else {
            // Nonsense has another answer, so this "no" is not about nonsense.
            SeatVerdict::Open
        }
    }

    /// Returns the seat's colour.
    pub fn color(&self) -> Color {
        self.own.color
    }

    /// Returns the choices of the ruleset.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// Returns the seat's own men, castling rights and reserve.
    pub fn own(&self) -> &Own {
        &self.own
    }

    /// Returns the current announcements to this player, and the player's
    /// questions and refused tries in this turn. The value has a meaning only
    /// in the player's turn.
    pub fn turn(&self) -> &TurnState {
        &self.turn
    }

    /// Returns the side to move; `None` if the game is over.
    pub fn to_move(&self) -> Option<Color> {
        self.table.to_move
    }

    /// Returns the end of the game, if it is over.
    pub fn over(&self) -> Option<Over> {
        self.table.over
    }

    /// Returns the side that made the open draw offer, if there is one.
    pub fn draw_offer(&self) -> Option<Color> {
        self.table.offer
    }

    /// Returns the announcements about the last completed move.
    pub fn this_turn(&self) -> MoveAnnouncements {
        self.table.this_turn
    }

    /// Returns the announcements about the move before the last one.
    pub fn last_turn(&self) -> MoveAnnouncements {
        self.table.last_turn
    }

    /// Returns what is known about captures. The seat's own losses are exact. Of the other side's
    /// losses, only the announced losses are known.
    pub fn losses(&self) -> &Losses {
        &self.table.losses
    }

    /// Returns both reserves; empty if the ruleset has no drops.
    pub fn reserves(&self) -> ByColor<Reserve> {
        match self.choices.reserve {
            ReserveUse::None => ByColor::default(),
            ReserveUse::Drops => self.table.reserves,
        }
    }

    /// Returns, for each side and role, the number of men on the board minus
    /// the number at the start of the game. A promoted man counts as a pawn.
    /// All numbers are zero if the ruleset has no drops.
    pub fn balance(&self) -> &ByColor<ByRole<i16>> {
        &self.table.balance
    }

    /// Returns the row of the table of verdicts that makes a try nonsense now;
    /// `None` if the try is not nonsense.
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

    /// Returns the row that made this player's last try nonsense; `None` if the last try was not
    /// nonsense. Only this player learns the row.
    pub fn last_nonsense(&self) -> Option<NonsenseRow> {
        self.last_nonsense
    }

    /// Returns the tries worth making now, see
    /// [`tries_into`](PlayerView::tries_into).
    pub fn tries(&self) -> Vec<Try> {
        let mut tries = Vec::new();
        self.tries_into(&mut tries);
        tries
    }

    /// Writes the tries worth making now to `tries`; none if it is not this
    /// player's turn.
    ///
    /// Questions, draw offers and resignation are not listed. Every
    /// try in the list is imaginable from the seat's own men, was not refused
    /// in this turn, and is not nonsense under the ruleset. Two kinds of tries
    /// are left out under every ruleset: pawn captures that the announced pawn
    /// tries exclude, and castling while a check is announced. Pawns come
    /// first, then knights, bishops, rooks, queens, the king, and drops. The
    /// order depends only on the seat's own men.
    pub fn tries_into(&self, tries: &mut Vec<Try>) {
        if self.to_move() == Some(self.own.color) {
            crate::tries::list(&self.choices, &self.own, &self.turn, tries);
        } else {
            tries.clear();
        }
    }
}

/// The views of both seats. As a [`CallSink`], this type updates each view with the calls that its
/// seat hears.
#[derive(Debug)]
pub struct BothViews<'a> {
    /// White's view.
    pub white: &'a mut PlayerView,
    /// Black's view.
    pub black: &'a mut PlayerView,
}

impl CallSink for BothViews<'_> {
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

#[cfg(test)]
mod tests {
    use rules::{
        Capture, CapturedMan, Direction, Directions,
        chess::{Color, Role, Square},
        rulesets::{CRAZYKRIEG, WILD16},
    };

    use super::*;

    fn check() -> Heard {
        let directions: Directions = [Direction::Knight].into_iter().collect();
        Announcement::Check { directions }.into()
    }

    fn turn(to_move: Color) -> Heard {
        Announcement::Turn { to_move }.into()
    }

    fn moved(by: Color) -> Heard {
        Reply::Verdict {
            verdict: Verdict::Moved,
            by,
            attempt: None,
        }
        .into()
    }

    /// The announcements that follow a player's move are about the opponent's turn.
    #[test]
    fn check_announced_after_an_own_move_is_on_the_opponent() {
        let mut view = PlayerView::initial(WILD16.choices, Color::White);
        let t = "b1c3".parse().unwrap();
        for heard in [
            Heard::own_verdict(Verdict::Moved, Color::White, t),
            check(),
            Announcement::Tries(Tries::Count(2)).into(),
            turn(Color::Black),
        ] {
            view.hear(&heard);
        }
        assert_eq!(view.turn().check, None);
        assert_eq!(view.turn().tries, Tries::Untold);
    }

    /// At the start both seats keep the announced check. The seat that is not to move forgets this
    /// check when the opponent moves.
    #[test]
    fn check_announced_at_the_start_is_forgotten_after_a_move() {
        let mut view = PlayerView::initial(WILD16.choices, Color::Black);
        view.hear(&check());
        view.hear(&turn(Color::White));
        assert!(view.turn().check.is_some());
        view.hear(&moved(Color::White));
        view.hear(&turn(Color::Black));
        assert_eq!(view.turn().check, None);
    }

    /// A refused try of the opponent does not change what a player knows of the own turn.
    #[test]
    fn check_is_kept_when_a_try_of_the_opponent_is_refused() {
        let mut view = PlayerView::initial(WILD16.choices, Color::Black);
        view.hear(&check());
        let refused = Reply::Verdict {
            verdict: Verdict::No,
            by: Color::White,
            attempt: None,
        };
        view.hear(&refused.into());
        assert!(view.turn().check.is_some());
    }

    /// Returns White's view under `crazykrieg` after four moves: White captures a knight on e5,
    /// Black captures a pawn on d4, White drops the knight, Black offers a draw and moves.
    fn view_of_captures() -> PlayerView {
        let captured = |square, role| {
            Announcement::Capture(Capture {
                square: Some(square),
                man: Some(CapturedMan::Exactly(role)),
                en_passant: false,
            })
        };
        let own_move = |text: &str| {
            let t = text.parse().unwrap();
            Heard::own_verdict(Verdict::Moved, Color::White, t)
        };
        let mut view = PlayerView::initial(CRAZYKRIEG.choices, Color::White);
        let lost = Heard::Lost {
            square: Square::D4,
            man: Role::Pawn,
        };
        for heard in [
            own_move("d4e5"),
            captured(Square::E5, Role::Knight).into(),
            turn(Color::Black),
            moved(Color::Black),
            lost,
            captured(Square::D4, Role::Pawn).into(),
            check(),
            turn(Color::White),
            own_move("N@f3"),
            Announcement::Drop {
                by: Color::White,
                man: Role::Knight,
            }
            .into(),
            turn(Color::Black),
            DrawTalk::Offer { by: Color::Black }.into(),
            moved(Color::Black),
            turn(Color::White),
        ] {
            view.hear(&heard);
        }
        view
    }

    #[test]
    fn a_view_shows_losses_reserves_and_balance() {
        let view = view_of_captures();
        assert_eq!(view.losses().white.pawns, 1);
        assert_eq!(view.losses().black.named.count(Role::Knight), 1);
        assert_eq!(view.losses().white.total(), 1);
        assert_eq!(view.losses().black.total(), 1);
        let reserves = view.reserves();
        assert_eq!(reserves.black.count(Role::Pawn), 1);
        assert_eq!(reserves.white, Reserve::EMPTY);
        assert_eq!(view.balance().black.knight, -1);
        assert_eq!(view.balance().white.pawn, -1);
        assert_eq!(view.balance().white.knight, 1);
    }

    #[test]
    fn a_view_shows_the_offer_and_the_last_two_moves() {
        let mut view = view_of_captures();
        assert_eq!(view.draw_offer(), Some(Color::Black));
        assert_eq!(view.this_turn().turn, Some(Color::White));
        assert_eq!(view.this_turn().drop, None);
        let dropped = Some((Color::White, Role::Knight));
        assert_eq!(view.last_turn().drop, dropped);
        assert_eq!(view.last_turn().turn, Some(Color::Black));
        view.hear(&DrawTalk::Withdrawn { by: Color::Black }.into());
        assert_eq!(view.draw_offer(), None);
    }

    #[test]
    fn a_call_updates_only_the_views_that_hear_it() {
        let mut white = PlayerView::initial(WILD16.choices, Color::White);
        let mut black = PlayerView::initial(WILD16.choices, Color::Black);
        let offer = |by| Heard::from(DrawTalk::Offer { by });
        for (audience, by, of_white, of_black) in [
            (Audience::Everyone, Color::White, Color::White, Color::White),
            (
                Audience::Seat(Color::Black),
                Color::Black,
                Color::White,
                Color::Black,
            ),
            (
                Audience::AllBut(Color::Black),
                Color::Black,
                Color::Black,
                Color::Black,
            ),
            (Audience::Players, Color::White, Color::White, Color::White),
        ] {
            let mut both = BothViews {
                white: &mut white,
                black: &mut black,
            };
            both.call(audience, &offer(by));
            assert_eq!(white.draw_offer(), Some(of_white), "{audience:?}");
            assert_eq!(black.draw_offer(), Some(of_black), "{audience:?}");
        }
    }
}

//! Finds the cells that a story shows, using the slow oracle and the players'
//! views.

use std::collections::{BTreeMap, BTreeSet};

use rules::{
    Answer, AnyAgain, Attempt, Choices, Heard, Listener, NonsenseRow, Obligation, Over, PawnTries,
    Px, QuestionRule, Reason, Repeat, Reply, ReserveUse, Try, Winner,
    chess::{CastlingSide, Color, Square},
};
use scores::{Asked, TranscriptLine};
use testkit::oracle::{Answered, Oracle};
use views::PlayerView;

use crate::{
    cells::CELLS,
    files::Golden,
    impossible::{self, RightLost},
    oracle,
};

/// State of a story while it is played, and the cells that the story has shown.
pub struct Watch {
    pub oracle: Oracle,
    pub choices: Choices,
    seats: [PlayerView; 2],
    seen: BTreeSet<&'static str>,
    /// Squares of promoted men.
    pub promoted: Vec<Square>,
    /// Squares of men that were dropped.
    pub dropped: Vec<Square>,
    pub lost: Vec<(Color, CastlingSide, RightLost)>,
    /// Tries answered "no" in this turn.
    pub noes: Vec<Try>,
    /// Tries answered "no" in each side's last turn.
    pub last_noes: [Vec<Try>; 2],
    pub moves: u32,
    repeated_no: bool,
    /// How often each position has occurred. A position here is the men and the side to
    /// move.
    pub bare: BTreeMap<String, u32>,
    /// How often each position has occurred. A position here is the men, the side to move,
    /// the castling rights and the en passant square.
    pub full: BTreeMap<String, u32>,
}

/// Returns the cells that a story shows.
pub fn observe(golden: &Golden) -> BTreeSet<&'static str> {
    let oracle = oracle::open(golden);
    let choices = golden.choices();
    let [white, black, _] = oracle.starts();
    let mut watch = Watch {
        seats: [
            PlayerView::open(choices, Color::White, &white),
            PlayerView::open(choices, Color::Black, &black),
        ],
        oracle,
        choices,
        seen: BTreeSet::new(),
        promoted: Vec::new(),
        dropped: Vec::new(),
        lost: Vec::new(),
        noes: Vec::new(),
        last_noes: [Vec::new(), Vec::new()],
        moves: 0,
        repeated_no: false,
        bare: BTreeMap::new(),
        full: BTreeMap::new(),
    };
    watch.position_occurred();
    for (_, line) in golden.transcript.lines() {
        watch.line(line);
    }
    for cell in &watch.seen {
        let known = CELLS.iter().any(|(name, _)| name == cell);
        assert!(known, "`{cell}` is not in the table of cells");
    }
    watch.seen
}

impl Watch {
    pub fn show(&mut self, cell: &'static str) {
        self.seen.insert(cell);
    }

    pub fn show_if(&mut self, shown: bool, cell: &'static str) {
        if shown {
            self.show(cell);
        }
    }

    pub fn seat(&self, color: Color) -> &PlayerView {
        &self.seats[column(color)]
    }

    fn hear(&mut self, heard: &[Vec<Heard>; 3]) {
        for (seat, column) in self.seats.iter_mut().zip(heard) {
            column.iter().for_each(|h| seat.hear(h));
        }
    }

    fn line(&mut self, line: &TranscriptLine) {
        let ended = match line.asked {
            Asked::Start => {
                let heard = self.oracle.opening();
                self.hear(&heard);
                self.show_if(self.oracle.over().is_some(), "end: at the start");
                self.announced(&heard, true);
                return;
            }
            Asked::Unread { .. } => return self.show("0 not understood"),
            Asked::Attempt { by, attempt } => return self.attempt(by, attempt),
            Asked::End(cause) => self.oracle.end(oracle::end(cause)),
        };
        if let Ok(told) = ended {
            self.hear(&told.heard);
            self.ended(None);
        }
    }

    fn attempt(&mut self, by: Color, attempt: Attempt) {
        let before = self.oracle.clone();
        let Ok(told) = self.oracle.attempt(by, attempt) else {
            return self.refused(&before, by, attempt);
        };
        let obliged = self.seat(by).turn().obliged;
        match attempt {
            Attempt::Try(_) | Attempt::Px { .. } => self.tried(&before, by, attempt, &told),
            Attempt::Any => self.asked_any(by, &told),
            Attempt::Count => self.counted(by, &told),
            Attempt::Recap => self.recapped(by, &told),
            Attempt::OfferDraw => {
                self.show_if(told.answer == Answer::Drawn, "both players offer a draw");
                self.show_if(told.answer == Answer::Offered, "a draw is offered");
                self.show_if(
                    before.to_move() != Some(by),
                    "a draw is offered out of turn",
                );
            }
            Attempt::AcceptDraw => self.show("an offer is accepted"),
            Attempt::DeclineDraw => self.show("an offer is declined"),
            Attempt::WithdrawDraw => self.show("an offer is withdrawn"),
            Attempt::Resign => {
                self.show_if(before.to_move() != Some(by), "end: resignation out of turn");
            }
        }
        self.hear(&told.heard);
        if obliged {
            self.obligation(by, &told);
        }
        if self.oracle.over().is_some() {
            self.ended(Some(&before));
        }
        if told.answer == Answer::Moved {
            self.last_noes[column(by)] = std::mem::take(&mut self.noes);
            self.moves += 1;
            self.announced(&told.heard, false);
            self.position_occurred();
        }
    }

    fn refused(&mut self, before: &Oracle, by: Color, attempt: Attempt) {
        if before.over().is_some() {
            return self.show("1 the game is over");
        }
        let c = self.choices;
        let mine = before.to_move() == Some(by);
        match attempt {
            Attempt::Try(Try::Drop { .. }) if c.reserve == ReserveUse::None => {
                self.show("1 no drops here");
            }
            Attempt::Any if c.pawn_tries != PawnTries::OnRequest => self.show("1 no Any? here"),
            Attempt::Px { .. } if c.px == Px::Absent => self.show("1 no px here"),
            Attempt::Try(_) | Attempt::Any | Attempt::Px { .. } if !mine => {
                self.show("1 not this player's turn");
            }
            Attempt::Any => self.show("1 a second Any?"),
            Attempt::Px { promotion } => {
                if self.seat(by).turn().tries != rules::Tries::Count(1) {
                    self.show("1 px: the announced count is not 1");
                } else if promotion.is_none() {
                    self.show("1 px: the promotion man is missing");
                } else {
                    self.show("1 px: a promotion man where none is due");
                }
            }
            Attempt::Count => self.show_if(c.count == QuestionRule::Absent, "1 no count here"),
            Attempt::Recap => self.show_if(c.recap == QuestionRule::Absent, "1 no recap here"),
            Attempt::OfferDraw => self.show("1 a second own offer"),
            Attempt::AcceptDraw => self.show("1 no offer to accept"),
            Attempt::DeclineDraw => self.show("1 no offer to decline"),
            Attempt::WithdrawDraw => self.show("1 no offer to withdraw"),
            Attempt::Try(_) | Attempt::Resign => {}
        }
    }

    fn tried(&mut self, before: &Oracle, by: Color, attempt: Attempt, told: &Answered) {
        let others = told.heard[column(!by)]
            .iter()
            .chain(&told.heard[2])
            .any(|h| matches!(h, Heard::Reply(Reply::Verdict { .. })));
        match told.answer {
            Answer::Moved => self.moved(before, by, attempt, &told.heard),
            Answer::No => {
                let Attempt::Try(t) = attempt else { return };
                let cell = if others {
                    "the answer no for everyone"
                } else {
                    "the answer no for the mover only"
                };
                self.show(cell);
                let t = self
                    .seat(by)
                    .own()
                    .with_default_promotion(t, self.choices.promotion_man);
                if self.noes.iter().any(|n| same(*n, t)) {
                    self.show("5 a repeat is judged again");
                    self.repeated(t);
                    self.repeated_no = true;
                }
                self.no(before, by, t);
                self.noes.push(t);
            }
            Answer::RepeatNo => {
                let Attempt::Try(t) = attempt else { return };
                self.show("5 a repeat is repeat-no");
                self.repeated(t);
            }
            Answer::Nonsense => {
                let Attempt::Try(t) = attempt else { return };
                let cell = if others {
                    "nonsense for everyone"
                } else {
                    "nonsense for the mover only"
                };
                self.show(cell);
                let row = told.row.expect("nonsense has a row");
                self.nonsense(before, by, t, row);
            }
            Answer::Yes
            | Answer::None
            | Answer::Count
            | Answer::Recap
            | Answer::Resigned
            | Answer::Offered
            | Answer::Drawn
            | Answer::Declined
            | Answer::Withdrawn
            | Answer::Flag
            | Answer::Gone
            | Answer::Aborted => unreachable!("this is not an answer to a try"),
        }
    }

    fn repeated(&mut self, t: Try) {
        let other = self.noes.iter().any(|n| same(*n, t) && *n != t);
        self.show_if(other, "5 a repeat with another promotion man");
    }

    fn nonsense(&mut self, before: &Oracle, by: Color, t: Try, row: NonsenseRow) {
        let own = *self.seat(by).own();
        match row {
            NonsenseRow::Impossible => {
                let t = own.with_default_promotion(t, self.choices.promotion_man);
                let lost = |side| {
                    let all = self.lost.iter();
                    all.filter(|l| l.0 == by && l.1 == side).map(|l| l.2).next()
                };
                let kind = impossible::kind(&self.choices, &own, lost, t);
                self.show(kind.expect("a try of row 2 is not imaginable"));
            }
            NonsenseRow::NoSuchPawnTry => self.show("3 a pawn capture against the announcement"),
            NonsenseRow::NotAnAnswer if own.is_castling(t) => {
                self.show("3 castling while a check is announced");
            }
            NonsenseRow::NotAnAnswer if before.checkers().len() > 1 => {
                self.show("3 the try cannot end a double check");
            }
            NonsenseRow::NotAnAnswer => self.show("3 the try cannot end the announced check"),
            NonsenseRow::PawnCaptureDue => self.show("4 a pawn capture is due"),
            NonsenseRow::TriesSpent => self.show("4 no more pawn captures are allowed"),
            NonsenseRow::Repeated => {
                if self.choices.repeat == Repeat::Nonsense {
                    self.show("5 a repeat is nonsense");
                }
                let obliged = self.seat(by).turn().obliged;
                self.show_if(obliged, "5 a repeat during an obligation");
                self.repeated(t);
            }
        }
    }

    /// Records the cell that is shown by an answer to a player with an obligation.
    fn obligation(&mut self, by: Color, told: &Answered) {
        let stands = self.seat(by).turn().obliged && told.answer != Answer::Moved;
        match (told.answer, stands, told.row) {
            (Answer::Moved, _, _) => self.show("the obligation is met by a move"),
            (Answer::No, false, _) => self.show("the obligation is met by the answer no"),
            (Answer::No, true, _) => self.show("the obligation is not met by the answer no"),
            (Answer::Nonsense, true, Some(NonsenseRow::Repeated)) => {
                self.show("the obligation is not met by a repeat");
            }
            (Answer::Nonsense, true, Some(NonsenseRow::Impossible)) => {
                self.show("the obligation is not met by nonsense");
            }
            _ => {}
        }
    }

    fn asked_any(&mut self, by: Color, told: &Answered) {
        let pawns = self.seat(by).own().men.pawn.any();
        let again = self.seat(by).turn().asked;
        let free = self.choices.obligation == Obligation::None;
        let yes = told.answer == Answer::Yes;
        let nonsense = told.answer == Answer::Nonsense;
        self.show_if(yes, "Any?: yes");
        self.show_if(yes && free, "the answer yes without an obligation");
        self.show_if(told.answer == Answer::None, "Any?: no");
        self.show_if(nonsense && !pawns, "Any? without pawns: nonsense");
        self.show_if(
            again && self.choices.any_again == AnyAgain::Same,
            "Any? again: the same",
        );
        self.show_if(
            told.answer == Answer::None && !pawns,
            "Any? without pawns: no",
        );
        if !nonsense {
            self.pawn_tries();
        }
    }

    fn counted(&mut self, by: Color, told: &Answered) {
        let Some(Heard::Reply(Reply::Rebuffs { count, .. })) = told.heard[2].first().copied()
        else {
            return;
        };
        let mine = self.oracle.to_move() == Some(by);
        self.show_if(count == 0 && self.moves == 0, "count: none at the start");
        self.show_if(count > 0 && !mine, "count: of the current turn");
        self.show_if(count > 0 && mine, "count: of the last turn");
        self.show_if(count > 1 && self.repeated_no, "count: a repeated answer no");
        self.show_if(!mine, "count: out of turn");
    }

    fn recapped(&mut self, by: Color, told: &Answered) {
        let Some(Heard::Reply(Reply::Recap { announcements, .. })) = told.heard[2].first().copied()
        else {
            return;
        };
        let mine = self.oracle.to_move() == Some(by);
        self.show_if(
            announcements == rules::MoveAnnouncements::NOTHING,
            "recap: nothing yet",
        );
        self.show_if(announcements.capture.is_some(), "recap: a capture");
        self.show_if(announcements.check.is_some(), "recap: a check");
        self.show_if(!mine, "recap: out of turn");
    }

    fn ended(&mut self, before: Option<&Oracle>) {
        let Some(Over { winner, reason }) = self.oracle.over() else {
            return;
        };
        let draw = winner == Winner::Draw;
        let cell = match reason {
            Reason::Checkmate => {
                let clock = self.halfmoves() >= 100;
                self.show_if(clock, "end: checkmate before fifty");
                "end: checkmate"
            }
            Reason::Stalemate if draw => "end: stalemate is a draw",
            Reason::Stalemate => "end: the stalemated player loses",
            Reason::Insufficient => self.material(),
            Reason::Threefold => "end: threefold",
            Reason::Fifty => "end: fifty",
            Reason::Resignation => "end: resignation",
            Reason::Agreement => "end: agreement",
            Reason::Time if draw => "end: time against a bare king is a draw",
            Reason::Time => "end: the player without time loses",
            Reason::ExhaustedTries => {
                let check = before.is_some_and(|b| !b.checkers().is_empty());
                if check {
                    "end: exhausted, mate"
                } else {
                    "end: exhausted, stalemate"
                }
            }
            Reason::Aborted => "end: aborted",
            Reason::Abandoned => "end: abandoned",
        };
        self.show(cell);
    }
}

/// Whether two tries have the same origin and target, or are the same drop.
pub fn same(a: Try, b: Try) -> bool {
    match (a, b) {
        (Try::Step { from, to, .. }, Try::Step { from: f, to: t, .. }) => from == f && to == t,
        (Try::Drop { .. }, Try::Drop { .. }) => a == b,
        (Try::Step { .. }, Try::Drop { .. }) | (Try::Drop { .. }, Try::Step { .. }) => false,
    }
}

/// Returns the index of a player in arrays with one entry for each listener.
pub fn column(color: Color) -> usize {
    testkit::oracle::column(Listener::from(color))
}

//! The part of a view that players and spectators share: turn, announcements,
//! draw offers, end.

use rules::{
    Announcement, CapturedMan, Choices, DrawTalk, Heard, MoveAnnouncements, Over, Reply, Reserve,
    ReserveUse, Verdict,
    chess::{ByColor, ByRole, Color},
};

use crate::losses::{self, Losses};

/// The part of a view that does not depend on own men.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TableView {
    pub to_move: Option<Color>,
    pub over: Option<Over>,
    pub offer: Option<Color>,
    /// Announcements about the last completed move.
    pub this_turn: MoveAnnouncements,
    /// Announcements about the move before the last one.
    pub last_turn: MoveAnnouncements,
    pub losses: Losses,
    /// Whether captured men go into the reserves.
    pub drops: bool,
    pub reserves: ByColor<Reserve>,
    /// For each side and role: the number of men dropped minus the number of
    /// men captured. Counted only if the ruleset has drops.
    pub balance: ByColor<ByRole<i16>>,
    /// Side that made the last completed move.
    pub moved: Option<Color>,
}

impl TableView {
    pub(crate) fn new(choices: &Choices, reserves: ByColor<Reserve>) -> TableView {
        TableView {
            to_move: Some(Color::White),
            over: None,
            offer: None,
            this_turn: MoveAnnouncements::NOTHING,
            last_turn: MoveAnnouncements::NOTHING,
            losses: losses::none(),
            drops: choices.reserve == ReserveUse::Drops,
            reserves,
            balance: ByColor::default(),
            moved: None,
        }
    }

    #[inline(always)]
    fn announced(&mut self, one: Announcement) {
        self.this_turn.note(one);
        match one {
            Announcement::Capture(capture) => {
                if self.drops
                    && let (Some(by), Some(CapturedMan::Exactly(role))) = (self.moved, capture.man)
                {
                    self.reserves.get_mut(by).add(role);
                    let men = self.balance.get_mut(by.other()).get_mut(role);
                    *men = men.saturating_sub(1);
                }
            }
            Announcement::Drop { by, man } => {
                self.reserves.get_mut(by).take(man);
                let men = self.balance.get_mut(by).get_mut(man);
                *men = men.saturating_add(1);
            }
            Announcement::Turn { to_move } => self.to_move = Some(to_move),
            Announcement::Promotion { .. }
            | Announcement::Check { .. }
            | Announcement::Tries(_) => {}
        }
    }

    #[inline(always)]
    pub(crate) fn hear(&mut self, heard: &Heard) {
        match *heard {
            Heard::Reply(Reply::Verdict {
                verdict: Verdict::Moved,
                by,
                ..
            }) => {
                self.last_turn = self.this_turn;
                self.this_turn = MoveAnnouncements::NOTHING;
                self.to_move = Some(by.other());
                self.moved = Some(by);
                if self.offer == Some(by.other()) {
                    self.offer = None;
                }
            }
            Heard::Reply(
                Reply::Verdict {
                    verdict: Verdict::No | Verdict::Nonsense | Verdict::RepeatNo,
                    ..
                }
                | Reply::Any { .. }
                | Reply::Rebuffs { .. }
                | Reply::Recap { .. },
            )
            | Heard::Lost { .. } => {}
            Heard::Announced(one) => self.announced(one),
            Heard::Draw(DrawTalk::Offer { by }) => self.offer = Some(by),
            Heard::Draw(DrawTalk::Declined { .. } | DrawTalk::Withdrawn { .. }) => {
                self.offer = None;
            }
            Heard::Over(over) => {
                self.over = Some(over);
                self.to_move = None;
                self.offer = None;
            }
        }
    }
}

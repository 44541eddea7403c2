//! Judgements: decides which row to append because of a request, a deadline, an absence, an outage,
//! or the closing of the club. This module changes nothing.

use referee::{EndCause, Refusal, Ruling};
use rules::{Attempt, Calls, Heard, Over, chess::Color};
use store::{AccountKind, Act, GameId, Millis, NewRow, RequestId, TableEvent, TimeControl};

use super::{
    asked::Asked,
    state::{Presence, Table},
};
use wire::{GameStatus, TableAct};

use crate::{
    error::ClubError,
    refusals::{adjourned, game_over, not_possible, refusal},
    time::{MIN_OUTAGE, Speed},
};

/// The lobby still lists a game without running clocks for this time, in milliseconds. The time
/// begins with the last public event, or when a player leaves, whichever is later.
const LISTED_IDLE: Millis = 10 * MINUTE;

/// A game against a built-in bot ends this many milliseconds after its beginning, if the person has
/// not moved and is not connected.
const NO_MOVE: Millis = 10 * MINUTE;
/// A person who has not moved must connect again within this time, in milliseconds. Otherwise the
/// game against a built-in bot ends.
const RECONNECTION: Millis = MINUTE;
/// Time for which a guest who has moved may be gone, in milliseconds. After this time the game
/// against a built-in bot ends.
const GUEST_GONE: Millis = 60 * MINUTE;
/// Time for which a player with a password who has moved may be gone, in milliseconds. After this
/// time the game against a built-in bot ends.
const ACCOUNT_GONE: Millis = 3 * 24 * 60 * MINUTE;
const MINUTE: Millis = 60_000;

/// What the table needs for a judgement besides its log.
#[derive(Copy, Clone, Debug)]
pub struct Circumstances {
    /// Current time of the table.
    pub now: Millis,
    /// Which players are connected.
    pub presence: Presence,
    /// Random id for the game of a rematch.
    pub next_game: GameId,
}

/// A row to be appended, and its calls.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// Row to be appended.
    pub row: NewRow,
    /// Calls to be published when the row is stored.
    pub calls: Calls,
}

impl Judgement {
    fn new(at: Millis, act: Act, calls: Calls) -> Judgement {
        Judgement {
            row: NewRow {
                at,
                act,
                request: None,
            },
            calls,
        }
    }

    /// Returns the result of the game, if the row ends it.
    pub fn over(&self) -> Option<Over> {
        self.calls.iter().find_map(|call| {
            if let Heard::Over(over) = call.heard {
                Some(over)
            } else {
                None
            }
        })
    }
}

impl Table {
    /// Judges a request that has already been checked against the state of the asker's seat.
    /// Changes nothing.
    ///
    /// # Errors
    /// A refusal, which only the asker gets. It does not depend on anything that the asker may not
    /// know.
    pub fn judge(
        &self,
        seat: Color,
        id: &RequestId,
        asked: Asked,
        circumstances: &Circumstances,
    ) -> Result<Judgement, ClubError> {
        let at = self.row_time(circumstances.now);
        let mut judgement = match asked {
            Asked::Attempt(attempt) => ruled(at, self.game.judge(seat, attempt))?,
            Asked::Act(act) => self.judge_act(seat, act, circumstances)?,
            Asked::Conditional(tries) => table_row(TableEvent::Conditional(seat, tries), at),
        };
        judgement.row.request = Some((seat, id.clone()));
        Ok(judgement)
    }

    fn judge_act(
        &self,
        seat: Color,
        act: TableAct,
        circumstances: &Circumstances,
    ) -> Result<Judgement, ClubError> {
        let at = self.row_time(circumstances.now);
        let end = |cause| ruled(at, self.game.judge_end(cause));
        let event = match act {
            TableAct::Abort => {
                self.running()?;
                if !self.can_abort() {
                    return Err(not_possible(
                        "abort-too-late",
                        "both sides have moved, so the game can no longer be aborted: resign, or offer a draw",
                    ));
                }
                return end(EndCause::Abort);
            }
            TableAct::ClaimWin => {
                self.may_claim(seat, circumstances)?;
                return end(EndCause::Gone(seat.other()));
            }
            TableAct::ClaimDraw => {
                self.may_claim(seat, circumstances)?;
                return end(EndCause::GoneDraw(seat.other()));
            }
            TableAct::Adjourn => {
                self.running()?;
                match self.table_offers.adjourn {
                    None => TableEvent::AdjournOffered(seat),
                    Some(by) if by == seat => return Err(already_offered()),
                    Some(_) => TableEvent::Adjourned(seat),
                }
            }
            TableAct::Resume => match (self.status(), self.table_offers.adjourn) {
                (GameStatus::Over, _) => return Err(game_over()),
                (GameStatus::Running, _) => {
                    return Err(not_possible(
                        "game-not-adjourned",
                        "the game is not adjourned: it is being played",
                    ));
                }
                (GameStatus::Adjourned, None) => TableEvent::ResumeOffered(seat),
                (GameStatus::Adjourned, Some(by)) if by == seat => return Err(already_offered()),
                (GameStatus::Adjourned, Some(_)) => TableEvent::Resumed(seat),
            },
            TableAct::DeclineAdjourn => match self.table_offers.adjourn {
                Some(_) => TableEvent::AdjournDeclined(seat),
                None => return Err(no_open_offer()),
            },
            TableAct::Rematch => match (
                self.status(),
                self.table_offers.next,
                self.table_offers.rematch,
            ) {
                (GameStatus::Running | GameStatus::Adjourned, ..) => {
                    return Err(not_possible("game-not-over", "the game is not over yet"));
                }
                (GameStatus::Over, Some(_), _) => {
                    return Err(not_possible(
                        "rematch-begun",
                        "the rematch has already begun: open that game",
                    ));
                }
                (GameStatus::Over, None, None) => TableEvent::RematchOffered(seat),
                (GameStatus::Over, None, Some(by)) if by == seat => return Err(already_offered()),
                (GameStatus::Over, None, Some(_)) => TableEvent::Rematch(circumstances.next_game),
            },
            TableAct::DeclineRematch => match self.table_offers.rematch {
                Some(_) => TableEvent::RematchDeclined(seat),
                None => return Err(no_open_offer()),
            },
        };
        Ok(table_row(event, at))
    }

    /// Judges the first try that a seat makes in advance, if it is its turn. If the referee does not
    /// judge it, the seat goes on to the next one without it.
    pub fn judge_conditional(&self, seat: Color, now: Millis) -> Option<Judgement> {
        if self.status() != GameStatus::Running || self.game.to_move() != Some(seat) {
            return None;
        }
        let tries = self.conditional(seat);
        let first = tries.0.first()?;
        let at = self.row_time(now);
        let ruled = ruled(at, self.game.judge(seat, Attempt::Try(first.what)));
        Some(ruled.unwrap_or_else(|_| {
            let mut rest = tries.clone();
            rest.refused();
            table_row(TableEvent::Conditional(seat, rest), at)
        }))
    }

    fn running(&self) -> Result<(), ClubError> {
        match self.status() {
            GameStatus::Running => Ok(()),
            GameStatus::Adjourned => Err(adjourned()),
            GameStatus::Over => Err(game_over()),
        }
    }

    fn may_claim(&self, seat: Color, circumstances: &Circumstances) -> Result<(), ClubError> {
        self.running()?;
        let presence = &circumstances.presence;
        match self.claim_from(seat, presence) {
            Some(from) if from <= circumstances.now => Ok(()),
            Some(from) => {
                let seconds = (from - circumstances.now + 999) / 1000;
                let why = format!(
                    "your opponent has not been gone for long enough: claim in {seconds} s"
                );
                Err(not_possible("claim-too-soon", why).with("seconds", seconds))
            }
            None if self.is_correspondence() => Err(not_possible(
                "claim-correspondence",
                "nothing can be claimed in a game with days for each move: the clock decides",
            )),
            None if self.time != TimeControl::Unlimited && !self.clock.both_moved() => {
                Err(not_possible(
                    "claim-too-early",
                    "nothing can be claimed before both sides have moved",
                ))
            }
            None if presence.gone.get(seat.other()).is_none() => Err(not_possible(
                "claim-connected",
                "nothing can be claimed: your opponent is connected",
            )),
            None => Err(not_possible(
                "claim-own-turn",
                "nothing can be claimed while it is your turn: in a game without clocks, the waiting time is counted only in your opponent's turns",
            )),
        }
    }

    /// Returns the time from which `seat` may claim the game because the opponent is gone.
    /// Returns `None` if a claim is not possible.
    ///
    /// In a game without clocks, a claim is possible only in the opponent's turn, even if the
    /// opponent has never moved. The waiting time begins with that turn, or when the opponent left,
    /// whichever is later. In a game with clocks, a claim is possible only after both sides have
    /// moved. Before that, a late first move aborts the game. If moves take days, no claim is
    /// possible.
    pub(crate) fn claim_from(&self, seat: Color, presence: &Presence) -> Option<Millis> {
        if self.status() != GameStatus::Running {
            return None;
        }
        let speed = Speed::of(self.time);
        if speed != Speed::Unlimited && !self.clock.both_moved() {
            return None;
        }
        let other = seat.other();
        let gone = (*presence.gone.get(other))?;
        let moved = |color| self.clock.moved_at(color).unwrap_or(self.begun);
        let absent_since = moved(other).max(gone);
        let since = match speed {
            Speed::Unlimited if self.game.to_move() != Some(other) => return None,
            Speed::Unlimited => absent_since.max(moved(seat)),
            Speed::Bullet
            | Speed::Blitz
            | Speed::Rapid
            | Speed::Classical
            | Speed::Correspondence => absent_since,
        };
        Some(since.saturating_add(speed.grace()?))
    }

    /// Returns the time until which the lobby lists the game as being played. This time is
    /// [`LISTED_IDLE`] after the last public event, or [`LISTED_IDLE`] after a player left,
    /// whichever is later. Returns `None` if a clock or the time for a first move runs, unless moves
    /// take days, or if both players are connected.
    pub(crate) fn played_until(&self, presence: &Presence) -> Option<Millis> {
        let gone = presence.gone;
        let all_here = gone.white.is_none() && gone.black.is_none();
        if all_here || (self.has_deadline() && !self.is_correspondence()) {
            return None;
        }
        // If a player has not connected since this club opened the table, this club does not know
        // when the player left. So such a player is ignored here.
        let left = |color: Color| gone.get(color).filter(|_| *presence.came.get(color));
        let left = Color::ALL.into_iter().filter_map(left).max();
        // The credit of an outage is no sign of life.
        let moved = |color| self.clock.moved_at(color).unwrap_or(self.begun);
        let played = match self.is_correspondence() {
            true => moved(Color::White).max(moved(Color::Black)),
            false => self.touched_at(),
        };
        let since = played.max(left.unwrap_or(Millis::MIN));
        Some(since.saturating_add(LISTED_IDLE))
    }

    fn is_correspondence(&self) -> bool {
        Speed::of(self.time) == Speed::Correspondence
    }

    /// Returns the time of the next flag fall, or of the next abort because of a late first move,
    /// if nothing happens before.
    pub fn deadline(&self) -> Option<Millis> {
        let flag = self.clock.flag().map(|(at, _)| at);
        flag.or(self.clock.first_move_by())
    }

    /// Returns the row that is due at `now`, if there is one: a flag fall, an abort because of a
    /// late first move, or an abort after a year without a move.
    pub fn judge_due(&self, now: Millis) -> Option<Judgement> {
        let unplayed = self.clock.first_move_by().or(self.clock.idle_abort_at());
        let cause = match (self.clock.flag(), unplayed) {
            (Some((at, color)), _) if at <= now => EndCause::Flag(color),
            (_, Some(at)) if at <= now => EndCause::Abort,
            (_, _) => return None,
        };
        ruled(self.row_time(now), self.game.judge_end(cause)).ok()
    }

    /// Returns the time when a game against a built-in bot ends because the bot's opponent,
    /// `person`, is absent. Returns `None` while the person is connected, and if moves take days.
    ///
    /// - If the person has not moved, the game ends ten minutes after its beginning. If the person
    ///   has been gone for less than a minute then, the game ends when the minute is over.
    /// - If a guest has moved, the game ends after an absence of an hour.
    /// - If the owner of another account has moved, the game ends after an absence of three days.
    ///
    /// If the person has not connected since this club opened the table, this club does not know
    /// how long the person has been gone. In this case the time of absence begins with the person's
    /// last move. The game then ends at the earliest an hour after this club opened the table.
    pub fn absence_end(
        &self,
        person: Color,
        kind: AccountKind,
        presence: &Presence,
    ) -> Option<Millis> {
        if self.status() == GameStatus::Over || self.is_correspondence() {
            return None;
        }
        let gone = (*presence.gone.get(person))?;
        let Some(moved) = self.clock.moved_at(person) else {
            let end = self.begun.saturating_add(NO_MOVE);
            return Some(end.max(gone.saturating_add(RECONNECTION)));
        };
        let span = match kind {
            AccountKind::Guest => GUEST_GONE,
            AccountKind::Person | AccountKind::Program => ACCOUNT_GONE,
        };
        Some(if *presence.came.get(person) {
            moved.max(gone).saturating_add(span)
        } else {
            let back = gone.saturating_add(GUEST_GONE);
            moved.saturating_add(span).max(back)
        })
    }

    /// Returns the row that ends a game against a built-in bot because the bot's opponent, `person`,
    /// is absent. Returns `None` before the time of [`absence_end`](Table::absence_end). The person
    /// loses if both sides have moved and the game is not adjourned. Otherwise the game is aborted
    /// without a result.
    pub fn judge_absence(
        &self,
        person: Color,
        kind: AccountKind,
        presence: &Presence,
        now: Millis,
    ) -> Option<Judgement> {
        self.absence_end(person, kind, presence)
            .filter(|end| *end <= now)?;
        let is_played = self.status() == GameStatus::Running && self.clock.both_moved();
        let cause = if is_played {
            EndCause::Gone(person)
        } else {
            EndCause::Abort
        };
        ruled(self.row_time(now), self.game.judge_end(cause)).ok()
    }

    /// Returns the time when a game without clocks in which a guest plays ends because nobody is
    /// there: an hour after the last public event, and after the last player left. Returns `None`
    /// while a player is connected.
    pub fn deserted_end(&self, presence: &Presence) -> Option<Millis> {
        self.clock.idle_abort_at()?;
        if self.clock.adjourned() {
            return None;
        }
        let left = presence.gone.white?.max(presence.gone.black?);
        Some(self.touched_at().max(left).saturating_add(GUEST_GONE))
    }

    /// Returns the row that aborts a game at the time of [`deserted_end`](Table::deserted_end).
    pub fn judge_deserted(&self, presence: &Presence, now: Millis) -> Option<Judgement> {
        self.deserted_end(presence).filter(|end| *end <= now)?;
        ruled(self.row_time(now), self.game.judge_end(EndCause::Abort)).ok()
    }

    /// Returns the row that aborts the game because the operator has ordered it; `None` if the game
    /// is over.
    pub fn judge_end(&self, now: Millis) -> Option<Judgement> {
        ruled(self.row_time(now), self.game.judge_end(EndCause::Abort)).ok()
    }

    /// Returns the row that pauses the clocks because the club closes; `None` if no clock runs.
    pub fn judge_pause(&self, now: Millis) -> Option<Judgement> {
        self.has_deadline()
            .then(|| table_row(TableEvent::Paused, self.row_time(now)))
    }

    /// Returns the row that credits the outage from `from` to `until`, so that the clocks do not
    /// count this time. Returns `None` if a row has changed the clocks after the outage, or less than
    /// `MIN_OUTAGE` before its end.
    pub fn judge_outage(&self, from: Millis, until: Millis, now: Millis) -> Option<Judgement> {
        let from = from.max(self.touched_at());
        let is_lost = until.saturating_sub(from) > MIN_OUTAGE;
        is_lost.then(|| self.judge_credit(Some(from), now))?
    }

    /// Returns the row that credits the time since `from`, or since the clocks were paused.
    /// Returns `None` if no time was lost.
    pub fn judge_credit(&self, from: Option<Millis>, now: Millis) -> Option<Judgement> {
        let from = from.filter(|_| self.has_deadline());
        let from = from.or_else(|| self.is_paused().then_some(now))?;
        Some(table_row(TableEvent::Credited { from }, self.row_time(now)))
    }
}

fn table_row(event: TableEvent, at: Millis) -> Judgement {
    Judgement::new(at, Act::Table(event), Calls::new())
}

/// Returns the judgement with the row of a ruling.
fn ruled(at: Millis, ruling: Result<Ruling, Refusal>) -> Result<Judgement, ClubError> {
    let Ruling { event, calls } = ruling.map_err(refusal)?;
    Ok(Judgement::new(at, Act::Game(event), calls))
}

fn already_offered() -> ClubError {
    not_possible(
        "offer-made",
        "you have already made this offer: wait for the answer, or withdraw the offer",
    )
}

fn no_open_offer() -> ClubError {
    not_possible("offer-none", "there is no open offer of that kind")
}

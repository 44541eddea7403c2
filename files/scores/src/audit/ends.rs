//! Refused tries and ends of games in PGN files of other programs. These files have no
//! log, so the data are read from remarks and tags.

use referee::{EndCause, Event, Ruling};
use rules::{Attempt, Reason, Try, Verdict, Winner, chess::Color};

use super::{
    finding::{AnnouncementKind, Fault},
    follow::{AuditLine, Follower},
};
use crate::{
    Asked,
    pgn::{SanFault, read_own_san},
    recorded_game::RecordedAct,
};

impl Follower {
    /// Judges a try that was refused according to a remark.
    pub(super) fn refused_in_remark(&mut self, told: &RecordedAct, by: Color, text: &str) {
        let own = self.truth.position().own(by);
        let what: Result<Try, SanFault> = match read_own_san(&own, text.as_bytes()) {
            Ok(t) => Ok(t),
            Err(fault) => text.parse().map_err(|_| fault),
        };
        let what = match what {
            Ok(what) => what,
            Err(fault) => {
                self.note(
                    told.line,
                    format!("the refused try `{text}` is ignored: {fault}"),
                );
                return;
            }
        };
        let asked = Asked::Attempt {
            by,
            attempt: Attempt::Try(what),
        };
        let Ok(ruling) = self.game().judge(by, Attempt::Try(what)) else {
            self.note(
                told.line,
                format!("the refused try `{text}` is ignored: it is not this side's turn"),
            );
            return;
        };
        self.followed.judged += 1;
        if matches!(ruling.event, Event::Moved { .. }) {
            let line = self.line(told, asked.to_string(), Some((Verdict::Moved, None)));
            self.simple(
                &line,
                AnnouncementKind::Verdict,
                Fault::Wrong,
                "no",
                "moved",
            );
            return;
        }
        self.happen(told, asked, ruling);
    }

    /// Compares the result of a PGN game with the end of its log.
    pub(super) fn result(&mut self, line: &AuditLine<'_>, winner: Winner) {
        let over = self.game().over();
        let by_log = over.map_or(Winner::Unfinished, |over| over.winner);
        if by_log != winner {
            let expected = over.map_or_else(
                || "the game continues".to_owned(),
                |over| format!("over {over}"),
            );
            let recorded = said_end(winner, None);
            self.simple(
                line,
                AnnouncementKind::Over,
                Fault::Wrong,
                &recorded,
                &expected,
            );
        }
    }

    /// Judges the end of the game that the tags or the result give. Applies this end if the game is
    /// not over.
    pub(super) fn ended(
        &mut self,
        line: &AuditLine<'_>,
        told: &RecordedAct,
        winner: Winner,
        reason: Option<Reason>,
    ) {
        self.followed.judged += usize::from(reason.is_some());
        if let Some(over) = self.game().over() {
            let differs = over.winner != winner || reason.is_some_and(|r| r != over.reason);
            if differs {
                let recorded = said_end(winner, reason);
                self.simple(
                    line,
                    AnnouncementKind::Over,
                    Fault::Wrong,
                    &recorded,
                    &format!("over {over}"),
                );
            }
            return;
        }
        let by_itself = matches!(
            reason,
            Some(
                Reason::Checkmate
                    | Reason::Stalemate
                    | Reason::Insufficient
                    | Reason::Threefold
                    | Reason::Fifty
                    | Reason::ExhaustedTries
            )
        );
        if by_itself {
            let recorded = said_end(winner, reason);
            self.simple(
                line,
                AnnouncementKind::Over,
                Fault::Superfluous,
                &recorded,
                "the game continues",
            );
            return;
        }
        let attempt = |by, attempt| Asked::Attempt { by, attempt };
        let turn = self.game().turn();
        let asked = match (reason, winner.loser()) {
            (Some(Reason::Time), loser) => {
                vec![Asked::End(EndCause::Flag(loser.unwrap_or(turn)))]
            }
            (Some(Reason::Abandoned), Some(loser)) => vec![Asked::End(EndCause::Gone(loser))],
            (_, Some(loser)) => vec![attempt(loser, Attempt::Resign)],
            (_, None) if winner == Winner::Draw => vec![
                attempt(turn, Attempt::OfferDraw),
                attempt(turn.other(), Attempt::AcceptDraw),
            ],
            (_, None) => Vec::new(),
        };
        let taken_for = match winner {
            Winner::White | Winner::Black => {
                "the reason of the end is not recorded; the audit assumes a resignation"
            }
            Winner::Draw => {
                "the reason of the draw is not recorded; the audit assumes an agreement"
            }
            Winner::Unfinished => "",
        };
        if reason.is_none() && !taken_for.is_empty() {
            self.note(told.line, taken_for.to_owned());
        }
        for asked in asked {
            if let Ok(Ruling { event, calls }) = self.judge(&asked) {
                self.happen(told, asked, Ruling { event, calls });
            }
        }
        if let Some(over) = self.game().over()
            && over.winner != winner
        {
            let (recorded, expected) = (said_end(winner, reason), format!("over {over}"));
            self.simple(
                line,
                AnnouncementKind::Over,
                Fault::Wrong,
                &recorded,
                &expected,
            );
        }
    }
}

fn said_end(winner: Winner, reason: Option<Reason>) -> String {
    let reason = reason.map_or("", Reason::name);
    format!("over {} {reason}", winner.score())
        .trim_end()
        .to_owned()
}

//! What remarks and heads of other programs' games tell without a log.

use referee::{EndCause, Event, Ruling};
use rules::{Attempt, Over, Reason, Try, Verdict, Winner, chess::Color};

use super::{
    finding::{Fault, What},
    follow::{Follower, Line},
};
use crate::{
    Asked,
    account::Told,
    pgn::{SanFault, read_own_san},
};

impl Follower {
    /// A try that a remark says was refused.
    pub(super) fn refused_in_remark(&mut self, told: &Told, by: Color, text: &str) {
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
                    format!("the refused try `{text}` is passed over: {fault}"),
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
                format!("the refused try `{text}` is passed over: it is not this side's turn"),
            );
            return;
        };
        self.followed.judged += 1;
        if matches!(ruling.event, Event::Moved { .. }) {
            let line = self.line(told, asked.to_string(), Some((Verdict::Moved, None)));
            self.simple(&line, What::Verdict, Fault::Wrong, "no", "moved");
            return;
        }
        self.happen(told, asked, ruling);
    }

    /// The result at the end of a game whose log is known.
    pub(super) fn result(&mut self, line: &Line<'_>, winner: Winner) {
        let over = self.game().over();
        let by_log = over.map_or(Winner::Unfinished, |over| over.winner);
        if by_log != winner {
            let should = over.map_or_else(
                || "the game goes on".to_owned(),
                |over| format!("over {over}"),
            );
            let said = said_end(winner, None);
            self.simple(line, What::Over, Fault::Wrong, &said, &should);
        }
    }

    /// The end that a head tells of.
    pub(super) fn ended(
        &mut self,
        line: &Line<'_>,
        told: &Told,
        winner: Winner,
        reason: Option<Reason>,
    ) {
        self.followed.judged += usize::from(reason.is_some());
        if let Some(over) = self.game().over() {
            let differs = over.winner != winner || reason.is_some_and(|r| r != over.reason);
            if differs {
                let said = said_end(winner, reason);
                self.simple(
                    line,
                    What::Over,
                    Fault::Wrong,
                    &said,
                    &format!("over {over}"),
                );
            }
            return;
        }
        let loser = match winner {
            Winner::White => Some(Color::Black),
            Winner::Black => Some(Color::White),
            Winner::Draw | Winner::Unfinished => None,
        };
        let by_itself = match reason {
            Some(
                Reason::Checkmate
                | Reason::Stalemate
                | Reason::Insufficient
                | Reason::Threefold
                | Reason::Fifty
                | Reason::ExhaustedTries,
            ) => true,
            Some(
                Reason::Resignation
                | Reason::Agreement
                | Reason::Time
                | Reason::Aborted
                | Reason::Abandoned,
            )
            | None => false,
        };
        if by_itself {
            let said = said_end(winner, reason);
            self.simple(
                line,
                What::Over,
                Fault::Superfluous,
                &said,
                "the game goes on",
            );
            return;
        }
        let attempt = |by, attempt| Asked::Attempt { by, attempt };
        let asked = match (reason, loser) {
            (Some(Reason::Time), Some(loser)) => vec![Asked::End(EndCause::Flag(loser))],
            (Some(Reason::Time), None) => vec![Asked::End(EndCause::Flag(self.game().turn()))],
            (Some(Reason::Abandoned), Some(loser)) => vec![Asked::End(EndCause::Gone(loser))],
            (_, Some(loser)) => {
                if reason.is_none() {
                    self.note(
                        told.line,
                        "why the game ended is not recorded; it is put down as a resignation"
                            .to_owned(),
                    );
                }
                vec![attempt(loser, Attempt::Resign)]
            }
            (_, None) if winner == Winner::Draw => {
                if reason.is_none() {
                    self.note(
                        told.line,
                        "why the game was drawn is not recorded; it is put down as agreed"
                            .to_owned(),
                    );
                }
                let by = self.game().turn();
                vec![
                    attempt(by, Attempt::OfferDraw),
                    attempt(by.other(), Attempt::AcceptDraw),
                ]
            }
            (_, None) => Vec::new(),
        };
        for asked in asked {
            if let Ok(Ruling { event, calls }) = self.judge(&asked) {
                self.happen(told, asked, Ruling { event, calls });
            }
        }
        let over = self.game().over();
        if let Some(Over {
            winner: by_rule, ..
        }) = over
            && by_rule != winner
        {
            let said = said_end(winner, reason);
            let should = over.map_or_else(String::new, |over| format!("over {over}"));
            self.simple(line, What::Over, Fault::Wrong, &said, &should);
        }
    }
}

fn said_end(winner: Winner, reason: Option<Reason>) -> String {
    let reason = reason.map_or("", Reason::name);
    format!("over {} {reason}", winner.score())
        .trim_end()
        .to_owned()
}

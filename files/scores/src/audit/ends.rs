//! Refused tries and ends of games in PGN files of other programs. These files have no
//! log, so the data are read from remarks and tags.

use referee::{EndCause, Event, Ruling};
use rules::{Attempt, Reason, Try, Verdict, Winner, chess::Color};

use super::{
    finding::{AnnouncementKind, Fault},
    follow::Follower,
};
use crate::{
    Asked,
    pgn::{SanFault, read_own_san},
    recorded_game::{Act, Claim, EndClaim, MATE_SIGN, RecordedAct},
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

    /// Compares what the record says about the end with the game, and each part with the others. If
    /// nothing is contradicted and there is no log, applies this end.
    pub(super) fn ended(&mut self, told: &RecordedAct, claims: &[EndClaim], logged: bool) {
        let over = self.game().over();
        let position = self.truth.position();
        let is_mate = position.checkers().any() && !position.any_legal();
        // Some rules do not recognise mate.
        let valid = |claim: &&EndClaim| claim.place != MATE_SIGN || !is_mate;
        let claims: Vec<&EndClaim> = claims.iter().filter(valid).collect();
        let winner = claims.iter().find_map(|claim| claim.winner);
        let reason = claims.iter().find_map(|claim| claim.reason());
        self.followed.judged += usize::from(reason.is_some());
        let (true_winner, true_reason) = match over {
            Some(over) => (Some(over.winner), Some(over.reason)),
            None if logged => (Some(Winner::Unfinished), None),
            None => (winner, reason),
        };
        let wrong: Vec<&EndClaim> = claims
            .iter()
            .copied()
            .filter(|claim| !claim.allows(true_winner, true_reason))
            .collect();
        let end = |claim: &EndClaim| format!("{} {}", claim.place, claim.text);
        let expected = match (over, wrong.first()) {
            (Some(over), _) => format!("over {over}"),
            (None, _) if logged => "the game continues".to_owned(),
            (None, Some(wrong)) => {
                let by_winner = !wrong.allows(winner, None);
                let other = claims.iter().find(|claim| match by_winner {
                    true => claim.winner.is_some(),
                    false => claim.reason().is_some(),
                });
                other.map_or_else(String::new, |claim| end(claim))
            }
            (None, None) => String::new(),
        };
        for claim in &wrong {
            self.contradicted(claim, logged, &expected);
        }
        if logged || over.is_some() || !wrong.is_empty() {
            return;
        }
        let (Some(winner), Some(claim)) = (winner, claims.last()) else {
            return;
        };
        let impossible = match reason {
            Some(
                Reason::Checkmate
                | Reason::Stalemate
                | Reason::Insufficient
                | Reason::Threefold
                | Reason::Fifty
                | Reason::ExhaustedTries,
            ) => true,
            Some(Reason::Agreement) => winner != Winner::Draw,
            Some(Reason::Resignation) => winner.loser().is_none(),
            Some(Reason::Abandoned) => winner == Winner::Draw,
            Some(Reason::Time) => winner == Winner::Unfinished,
            Some(Reason::Aborted) | None => false,
        };
        if impossible {
            let by_reason = claims.iter().find(|claim| claim.reason().is_some());
            self.contradicted(by_reason.unwrap_or(claim), false, "the game continues");
            return;
        }
        if winner != Winner::Unfinished {
            self.end(told, claim, winner, reason);
        }
    }

    fn contradicted(&mut self, claim: &EndClaim, logged: bool, expected: &str) {
        let told = RecordedAct {
            line: claim.line,
            act: Act::Ended {
                claims: vec![claim.clone()],
                logged,
            },
            claim: Claim::default(),
            clock: None,
        };
        let line = self.line(&told, "end".to_owned(), None);
        let recorded = format!("{} {}", claim.place, claim.text);
        self.simple(
            &line,
            AnnouncementKind::Over,
            Fault::Wrong,
            &recorded,
            expected,
        );
        self.followed.end_disputed |= !logged;
    }

    /// Applies the end that the record gives.
    fn end(
        &mut self,
        told: &RecordedAct,
        claim: &EndClaim,
        winner: Winner,
        reason: Option<Reason>,
    ) {
        let attempt = |by, attempt| Asked::Attempt { by, attempt };
        let turn = self.game().turn();
        let asked = match (reason, winner.loser()) {
            (Some(Reason::Time), loser) => {
                vec![Asked::End(EndCause::Flag(loser.unwrap_or(turn)))]
            }
            (Some(Reason::Abandoned), Some(loser)) => vec![Asked::End(EndCause::Gone(loser))],
            (_, Some(loser)) => vec![attempt(loser, Attempt::Resign)],
            (_, None) => vec![
                attempt(turn, Attempt::OfferDraw),
                attempt(turn.other(), Attempt::AcceptDraw),
            ],
        };
        if reason.is_none() {
            let assumed = match winner.loser() {
                Some(_) => "the reason of the end is not recorded; the audit assumes a resignation",
                None => "the reason of the draw is not recorded; the audit assumes an agreement",
            };
            self.note(told.line, assumed.to_owned());
        }
        if let [Asked::End(cause)] = *asked
            && let Ok(ruling) = self.game().judge_end(cause)
        {
            let mut after = self.game().clone();
            after.apply(&ruling.event);
            if let Some(over) = after.over().filter(|over| over.winner != winner) {
                self.contradicted(claim, false, &format!("over {over}"));
                return;
            }
        }
        for asked in asked {
            if let Ok(Ruling { event, calls }) = self.judge(&asked) {
                self.happen(told, asked, Ruling { event, calls });
            }
        }
    }
}

//! Compares what a record claims with what the referee says.

use referee::Ruling;
use rules::Calls;

use super::{
    answered::about,
    claims::same_answer,
    columns::{Columns, Difference, differences},
    finding::{AnnouncementKind, Fault, Finding},
    follow::{AuditLine, Follower},
    remarked,
};
use crate::Answered;

impl Follower {
    /// Compares everything that the record claims about an act with the ruling.
    pub(super) fn compare_all(
        &mut self,
        line: &AuditLine<'_>,
        answered: Option<Answered>,
        ruling: &Ruling,
    ) {
        let claim = line.claim;
        let mut found: Vec<Difference> = Vec::new();
        if let Some(recorded) = &claim.heard {
            found = differences(&Columns::from(&ruling.calls), recorded);
        } else if let Some(event) = &claim.event
            && *event != ruling.event
        {
            found = differences(
                &Columns::from(&ruling.calls),
                &Columns::from(&self.game().calls(event)),
            );
            for difference in &mut found {
                difference.listeners.clear();
            }
        }
        let noted = claim.answered.or_else(|| {
            Some(Answered::Ruled {
                answer: claim.event.as_ref()?.answer()?,
                row: None,
            })
        });
        if let (Some(expected), Some(recorded)) = (answered, noted)
            && !same_answer(expected, recorded)
        {
            let what = match expected {
                Answered::Ruled { answer, .. } => about(answer),
                Answered::Refused | Answered::NotUnderstood => AnnouncementKind::Verdict,
            };
            if !found.iter().any(|d| d.what == what) {
                found.insert(
                    0,
                    Difference {
                        what,
                        fault: Fault::Wrong,
                        listeners: Vec::new(),
                        recorded: recorded.to_string(),
                        expected: expected.to_string(),
                    },
                );
            }
        }
        if found.iter().any(|d| d.what == AnnouncementKind::Any) {
            found.retain(|d| d.what != AnnouncementKind::Verdict);
        }
        if let Some(recorded) = &claim.remark {
            let mut after = self.truth.clone();
            if let Some(t) = ruling.event.played() {
                after.play(t);
            }
            let count = after.position().pawn_tries().count;
            let expected = remarked::expected(&ruling.calls, count);
            for (what, fault, recorded, expected) in remarked::differences(&expected, recorded) {
                if !found.iter().any(|d| d.what == what) {
                    found.push(Difference {
                        what,
                        fault,
                        listeners: Vec::new(),
                        recorded,
                        expected,
                    });
                }
            }
        }
        for difference in found {
            self.find(line, difference);
        }
    }

    pub(super) fn compare(&mut self, line: &AuditLine<'_>, calls: &Calls) {
        if let Some(recorded) = &line.claim.heard {
            self.followed.judged += 1;
            for difference in differences(&Columns::from(calls), recorded) {
                self.find(line, difference);
            }
        }
    }

    pub(super) fn compare_position(&mut self, line: &AuditLine<'_>) {
        let Some(recorded) = &line.claim.fen else {
            return;
        };
        let here = |finding: &Finding| {
            finding.line == line.number && finding.what == AnnouncementKind::Verdict
        };
        if !self.positions || self.followed.findings.iter().any(here) {
            return;
        }
        let expected = self.truth.fen();
        if expected != *recorded {
            self.positions = false;
            let recorded: String = recorded.chars().take(100).collect();
            self.simple(
                line,
                AnnouncementKind::Position,
                Fault::Wrong,
                &recorded,
                &expected,
            );
        }
    }
}

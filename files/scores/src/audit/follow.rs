//! Replays a record and compares it with the rules.

use std::time::Duration;

use referee::{EndCause, Event, Game, Opened, Refusal, Ruling, StartPosition};
use rules::{Attempt, ByListener, Calls, Listener, NonsenseRow, Source, Verdict, rulesets};

use super::{
    claims::{asked_of, asked_text, claims_move, is_try, next_mover, said_answer},
    columns::Difference,
    finding::{AnnouncementKind, Fault, Finding},
    rule::rule,
    tags,
};
use crate::{
    Answered, Asked,
    recorded_game::{Act, Claim, RecordedAct, RecordedGame},
    transcript::{answered, nonsense_row},
};

/// A record that was replayed under a ruleset.
#[derive(Clone, Debug)]
pub struct Followed {
    /// Opening event of the game.
    pub opened: Opened,
    /// Every act and what the referee did with it.
    pub steps: Vec<Step>,
    /// Announcements that do not follow the rules.
    pub findings: Vec<Finding>,
    /// Notes on acts that could not be judged or had to be interpreted, as (line of the file, text
    /// of the note).
    pub notes: Vec<(u64, String)>,
    /// Number of judged acts about which the record makes a claim.
    pub judged: usize,
    /// Index of the first act that could not be judged, if there is one. The acts
    /// after this act were not judged either. Then there is at least one finding.
    pub lost: Option<usize>,
    /// Whether a record without a log contradicts itself or the rules about the end of the game.
    /// Then the end is not replayed, and each contradiction is a finding.
    pub end_disputed: bool,
    /// State of the game at the end.
    pub game: Game,
}

/// An act and what the referee did with it.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Line of the file, from 1.
    pub line: u64,
    /// Index of the act in the record.
    pub act: usize,
    /// What was asked of the referee.
    pub asked: Asked,
    /// What the referee did with the act.
    pub outcome: Outcome,
    /// Time left on the mover's clock after the act.
    pub clock: Option<Duration>,
}

/// What the referee did with an act.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The act happened, with this event.
    Ruled(Event),
    /// The act was refused for this reason. Only the asker heard the refusal.
    Refused(String),
    /// The text could not be read as an attempt.
    Unread,
}

impl Followed {
    /// Returns the log of the game.
    pub fn log(&self) -> Vec<Event> {
        let happened = self.steps.iter().filter_map(|step| match &step.outcome {
            Outcome::Ruled(event) => Some(event.clone()),
            Outcome::Refused(_) | Outcome::Unread => None,
        });
        std::iter::once(Event::Opened(Box::new(self.opened.clone())))
            .chain(happened)
            .collect()
    }
}

/// Replays a record and finds every announcement that does not follow the rules, and every tag that
/// contradicts the game. With `first_only`, stops at the first announcement that does not follow
/// the rules.
pub fn follow(record: &RecordedGame, opened: Opened, first_only: bool) -> Followed {
    let mut followed = acts(record, opened, first_only);
    if !first_only || followed.findings.is_empty() || followed.end_disputed {
        let tags = tags::contradicting(record, &followed);
        followed.findings.splice(0..0, tags);
    }
    followed
}

/// Replays a record as [`follow`] does, but does not compare its tags.
pub(super) fn acts(record: &RecordedGame, opened: Opened, first_only: bool) -> Followed {
    let game = Game::open(opened.clone());
    let sources = rulesets::by_id(&opened.rules).map_or(Vec::new(), |r| r.sources.to_vec());
    let mut follower = Follower {
        truth: opened.start.clone(),
        sources,
        now: 0,
        positions: true,
        followed: Followed {
            opened,
            steps: Vec::with_capacity(record.acts.len()),
            findings: Vec::new(),
            notes: Vec::new(),
            judged: 0,
            lost: None,
            end_disputed: false,
            game,
        },
    };
    follower.starts(record);
    for (i, recorded) in record.acts.iter().enumerate() {
        if follower.followed.lost.is_some()
            || (first_only && !follower.followed.findings.is_empty())
        {
            break;
        }
        follower.now = i;
        follower.act(recorded, &record.acts[i + 1..]);
    }
    follower.followed
}

pub(super) struct Follower {
    /// True position, with move numbers and counters.
    pub(super) truth: StartPosition,
    sources: Vec<Source>,
    /// Index of the act that is replayed now.
    now: usize,
    /// Whether positions of the record are still compared. False after the first difference,
    /// because the later positions then differ, too.
    pub(super) positions: bool,
    pub(super) followed: Followed,
}

/// An act that is being checked: its line in the file, what was asked, the referee's verdict, and
/// what the record claims about the act.
pub(super) struct AuditLine<'a> {
    pub(super) number: u64,
    asked: String,
    verdict: Option<(Verdict, Option<NonsenseRow>)>,
    pub(super) claim: &'a Claim,
}

impl Follower {
    pub(super) fn game(&self) -> &Game {
        &self.followed.game
    }

    pub(super) fn find(&mut self, line: &AuditLine<'_>, difference: Difference) {
        let choices = self.followed.opened.choices;
        let (what, fault) = (difference.what, difference.fault);
        let (rule, section) = rule(&choices, what, fault, line.verdict);
        self.followed.findings.push(Finding {
            line: line.number,
            asked: line.asked.clone(),
            what,
            fault,
            listeners: difference.listeners,
            recorded: difference.recorded,
            expected: difference.expected,
            rule,
            section,
            sources: self.sources.clone(),
        });
    }

    pub(super) fn simple(
        &mut self,
        line: &AuditLine<'_>,
        what: AnnouncementKind,
        fault: Fault,
        claimed: &str,
        expected: &str,
    ) {
        let difference = Difference {
            what,
            fault,
            listeners: Vec::new(),
            recorded: claimed.to_owned(),
            expected: expected.to_owned(),
        };
        self.find(line, difference);
    }

    pub(super) fn note(&mut self, line: u64, words: String) {
        self.followed.notes.push((line, words));
    }

    fn starts(&mut self, record: &RecordedGame) {
        let Some(starts) = &record.starts else {
            return;
        };
        let same = Listener::ALL.into_iter().all(|listener| {
            let start = self.game().start(listener);
            let claimed = starts.get(listener);
            start.own == claimed.own && start.reserves == claimed.reserves
        });
        if !same {
            let claim = Claim::default();
            let line = AuditLine {
                number: record.line,
                asked: "start".to_owned(),
                verdict: None,
                claim: &claim,
            };
            let expected = self.followed.opened.start.fen();
            self.simple(
                &line,
                AnnouncementKind::Start,
                Fault::Wrong,
                "other men",
                &expected,
            );
        }
    }

    fn act(&mut self, recorded: &RecordedAct, after: &[RecordedAct]) {
        match &recorded.act {
            Act::Asked(Asked::Start) => {
                let calls = self.game().opening_calls();
                let line = self.line(recorded, "start".to_owned(), None);
                self.compare(&line, &calls);
                self.compare_position(&line);
            }
            Act::Asked(Asked::Unread { .. }) => {
                let line = self.line(recorded, asked_text(&recorded.act), None);
                self.compare(&line, &Calls::new());
                self.step(recorded, asked_of(&recorded.act), Outcome::Unread);
            }
            Act::Asked(asked) => self.asked(recorded, asked.clone(), after),
            Act::Refused { by, text } => self.refused_in_remark(recorded, *by, text),
            Act::Ended { claims, logged } => self.ended(recorded, claims, *logged),
        }
    }

    pub(super) fn line<'a>(
        &self,
        recorded: &'a RecordedAct,
        asked: String,
        verdict: Option<(Verdict, Option<NonsenseRow>)>,
    ) -> AuditLine<'a> {
        AuditLine {
            number: recorded.line,
            asked,
            verdict,
            claim: &recorded.claim,
        }
    }

    fn step(&mut self, recorded: &RecordedAct, asked: Asked, outcome: Outcome) {
        self.followed.steps.push(Step {
            line: recorded.line,
            act: self.now,
            asked,
            outcome,
            clock: recorded.clock,
        });
    }

    pub(super) fn judge(&self, asked: &Asked) -> Result<Ruling, Refusal> {
        match *asked {
            Asked::Attempt { by, attempt } => self.game().judge(by, attempt),
            Asked::End(cause) => self.game().judge_end(cause),
            Asked::Start | Asked::Unread { .. } => self.game().judge_end(EndCause::Abort),
        }
    }

    fn asked(&mut self, recorded: &RecordedAct, asked: Asked, after: &[RecordedAct]) {
        let text = asked.to_string();
        match self.judge(&asked) {
            Ok(ruling) => self.ruled(recorded, asked, ruling, after),
            Err(refusal) => {
                let line = self.line(recorded, text, None);
                self.refusal(&line, recorded, asked, &refusal, after);
            }
        }
    }

    fn refusal(
        &mut self,
        line: &AuditLine<'_>,
        recorded: &RecordedAct,
        asked: Asked,
        refusal: &Refusal,
        after: &[RecordedAct],
    ) {
        let claim = &recorded.claim;
        let claimed = claim.answered.is_some() || claim.event.is_some() || claim.heard.is_some();
        let refused = claim.answered == Some(Answered::Refused)
            || (claim.answered.is_none()
                && claim.event.is_none()
                && claim
                    .heard
                    .as_ref()
                    .is_some_and(|heard| *heard == ByListener::default()));
        self.followed.judged += usize::from(claimed);
        if refused {
            self.compare(line, &Calls::new());
        } else if *refusal == Refusal::GameOver {
            let known = self
                .followed
                .findings
                .iter()
                .any(|f| f.what == AnnouncementKind::Over);
            if !known {
                let expected = self
                    .game()
                    .over()
                    .map_or_else(|| "-".to_owned(), |over| format!("over {over}"));
                self.simple(
                    line,
                    AnnouncementKind::Over,
                    Fault::Missing,
                    "the game continues",
                    &expected,
                );
            }
            self.lose(
                line,
                "the game is over here; the rest of the record cannot be judged",
            );
            return;
        } else {
            let claimed = said_answer(claim).unwrap_or_else(|| "an attempt".to_owned());
            let expected = format!("refused: {refusal}");
            self.simple(
                line,
                AnnouncementKind::Verdict,
                Fault::Wrong,
                &claimed,
                &expected,
            );
            let moved = claims_move(claim);
            let turn = self.game().turn();
            if moved != Some(false) && next_mover(after).is_some_and(|next| next != turn) {
                self.lose(line, "the record continues after an impossible act; the rest of the record cannot be judged");
                return;
            }
        }
        self.step(recorded, asked, Outcome::Refused(refusal.to_string()));
    }

    /// Ends the replay at this act. The caller has added a finding that shows why.
    fn lose(&mut self, line: &AuditLine<'_>, words: &str) {
        debug_assert!(!self.followed.findings.is_empty(), "{words}");
        self.followed.lost = Some(self.now);
        self.note(line.number, words.to_owned());
    }

    fn ruled(
        &mut self,
        recorded: &RecordedAct,
        asked: Asked,
        ruling: Ruling,
        after: &[RecordedAct],
    ) {
        let answered = answered(self.game(), &ruling.event);
        let verdict = ruling.answer().verdict();
        let verdict = verdict.map(|verdict| (verdict, nonsense_row(self.game(), &ruling.event)));
        let line = self.line(recorded, asked.to_string(), verdict);
        self.followed.judged += usize::from(!recorded.claim.is_empty());
        let is_move = matches!(ruling.event, Event::Moved { .. });
        let claims = claims_move(&recorded.claim);
        let expected = answered.map_or_else(String::new, |a| a.to_string());
        if recorded.claim.answered == Some(Answered::Refused) {
            self.simple(
                &line,
                AnnouncementKind::Verdict,
                Fault::Wrong,
                "refused",
                &expected,
            );
        } else if claims.is_some_and(|claims| claims != is_move) && is_try(&asked) {
            let claimed = said_answer(&recorded.claim).unwrap_or_default();
            self.simple(
                &line,
                AnnouncementKind::Verdict,
                Fault::Wrong,
                &claimed,
                &expected,
            );
        } else {
            self.compare_all(&line, answered, &ruling);
            self.happen(recorded, asked, ruling);
            self.compare_position(&line);
            return;
        }
        // The record contradicts the referee about this move. The side that tries next shows
        // whether the record treats the move as made.
        let mover = self.game().turn();
        match (is_move, next_mover(after)) {
            (true, Some(next)) if next == mover => {
                if let Asked::Attempt {
                    by,
                    attempt: Attempt::Try(what),
                } = asked
                {
                    let event = Event::Rebuffed {
                        by,
                        what,
                        verdict: Verdict::No,
                        over: None,
                    };
                    let calls = self.game().calls(&event);
                    self.happen(recorded, asked, Ruling { event, calls });
                }
            }
            (false, Some(next)) if next != mover => {
                self.lose(&line, "the record continues as if an illegal move had been made; the rest of the record cannot be judged");
            }
            (_, _) => self.happen(recorded, asked, ruling),
        }
    }

    /// Applies a ruling to the true position and the game, and records the step.
    pub(super) fn happen(&mut self, recorded: &RecordedAct, asked: Asked, ruling: Ruling) {
        if let Some(t) = ruling.event.played() {
            self.truth.play(t);
        }
        self.followed.game.apply(&ruling.event);
        self.step(recorded, asked, Outcome::Ruled(ruling.event));
    }
}

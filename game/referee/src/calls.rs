//! Calls that the referee makes about an event, with their audiences. Who hears of a capture stands
//! in [`announcements`], because beliefs ask that, too; every other audience is chosen here.

use position::{Captured, announcements};
use rules::{
    Announcement, Attempt, Audience, CallSink, Calls, Directions, DrawTalk, Heard,
    MoveAnnouncements, NoHeard, NonsenseHeard, NonsenseWord, Over, Reply, Tries, Try, Verdict,
    Winner, chess::Color,
};

use crate::{event::Event, game::Game};

#[inline(always)]
fn say(sink: &mut impl CallSink, audience: Audience, heard: impl Into<Heard>) {
    sink.call(audience, &heard.into());
}

/// Makes the calls for a verdict. The mover hears the verdict together with the attempt. If `aloud`
/// is true, all other listeners hear the verdict without the attempt.
#[inline(always)]
fn say_verdict(
    sink: &mut impl CallSink,
    verdict: Verdict,
    by: Color,
    attempt: Attempt,
    aloud: bool,
) {
    let own = Reply::Verdict {
        verdict,
        by,
        attempt: Some(attempt),
    };
    say(sink, Audience::Seat(by), own);
    if aloud {
        let others = Reply::Verdict {
            verdict,
            by,
            attempt: None,
        };
        say(sink, Audience::AllBut(by), others);
    }
}

/// Collects the announcements that everyone hears, and ignores all other calls.
struct Aloud(MoveAnnouncements);

impl CallSink for Aloud {
    #[inline(always)]
    fn call(&mut self, audience: Audience, heard: &Heard) {
        if let (Audience::Everyone, Heard::Announced(one)) = (audience, *heard) {
            self.0.note(one);
        }
    }
}

/// Consequences of a move, which the referee may announce.
#[derive(Copy, Clone)]
pub(crate) struct Consequences {
    pub check: Directions,
    pub tries: Tries,
    pub over: Option<Over>,
}

impl Consequences {
    pub(crate) fn event(self, by: Color, what: Try) -> Event {
        Event::Moved {
            by,
            what,
            check: self.check,
            tries: self.tries,
            over: self.over,
        }
    }
}

impl Game {
    /// Returns the calls for `event` in this position of the game, in order.
    /// The event must not have been applied yet.
    pub fn calls(&self, event: &Event) -> Calls {
        let mut calls = Calls::new();
        self.say(event, &mut calls);
        calls
    }

    /// Passes the calls for `event` to `sink`, in order. The event must not
    /// have been applied yet.
    pub(crate) fn say(&self, event: &Event, sink: &mut impl CallSink) {
        match *event {
            Event::Opened(ref opened) => {
                for call in Game::open((**opened).clone()).calls_of_position() {
                    sink.call(call.audience, &call.heard);
                }
            }
            Event::Moved {
                by,
                what,
                check,
                tries,
                over,
            } => {
                let then = Consequences { check, tries, over };
                let captured = self.position.captured_by(what);
                self.say_move(sink, by, what, captured, then);
            }
            Event::Rebuffed {
                by,
                what,
                verdict,
                over,
            } => self.say_refused_try(sink, by, Attempt::Try(what), verdict, over),
            Event::Any { by, answer } => match answer {
                Some(answer) => say(sink, Audience::Everyone, Reply::Any { by, answer }),
                None => self.say_refused_try(sink, by, Attempt::Any, Verdict::Nonsense, None),
            },
            Event::Count { by, count } => {
                say(sink, Audience::Everyone, Reply::Rebuffs { by, count });
            }
            Event::Recap { by } => {
                let announcements = self.said;
                say(sink, Audience::Everyone, Reply::Recap { by, announcements });
            }
            Event::Offered { by } => {
                say(sink, Audience::Players, DrawTalk::Offer { by });
            }
            Event::Declined { by } => {
                say(sink, Audience::Players, DrawTalk::Declined { by });
            }
            Event::Withdrew { by } => {
                say(sink, Audience::Players, DrawTalk::Withdrawn { by });
            }
            Event::Resigned { by } => {
                say_over(sink, Winner::from(by.other()), rules::Reason::Resignation)
            }
            Event::Agreed { .. } => {
                say_over(sink, Winner::Draw, rules::Reason::Agreement);
            }
            Event::Flagged { winner, .. } => say_over(sink, winner, rules::Reason::Time),
            Event::Left { winner, .. } => say_over(sink, winner, rules::Reason::Abandoned),
            Event::Aborted => {
                say_over(sink, Winner::Unfinished, rules::Reason::Aborted);
            }
        }
    }

    /// Returns the calls for the current position: check, pawn tries, and the
    /// turn or the end.
    pub(crate) fn calls_of_position(&self) -> Calls {
        let mut calls = Calls::new();
        self.say_state(
            &mut calls,
            self.turn.check,
            self.turn.tries,
            self.position.turn(),
            self.over,
        );
        calls
    }

    /// Returns the announcements about a move that everyone hears.
    pub(crate) fn said_of_move(
        &self,
        by: Color,
        what: Try,
        captured: Option<Captured>,
        then: Consequences,
    ) -> MoveAnnouncements {
        let mut aloud = Aloud(MoveAnnouncements::NOTHING);
        self.say_move(&mut aloud, by, what, captured, then);
        aloud.0
    }

    #[inline]
    pub(crate) fn say_refused_try(
        &self,
        sink: &mut impl CallSink,
        by: Color,
        attempt: Attempt,
        verdict: Verdict,
        over: Option<Over>,
    ) {
        let choices = self.choices();
        match verdict {
            Verdict::No | Verdict::Moved => {
                say_verdict(
                    sink,
                    verdict,
                    by,
                    attempt,
                    choices.no_heard == NoHeard::Both,
                );
            }
            Verdict::Nonsense => {
                let word = match choices.nonsense_word {
                    NonsenseWord::No => Verdict::No,
                    NonsenseWord::Nonsense
                    | NonsenseWord::HellNo
                    | NonsenseWord::HeckNo
                    | NonsenseWord::Impossible => Verdict::Nonsense,
                };
                let aloud = choices.nonsense_heard == NonsenseHeard::Both;
                say_verdict(sink, word, by, attempt, aloud);
            }
            Verdict::RepeatNo => {
                let aloud = choices.nonsense_heard == NonsenseHeard::Both;
                say_verdict(sink, verdict, by, attempt, aloud);
            }
        }
        if let Some(over) = over {
            say(sink, Audience::Everyone, Heard::Over(over));
        }
    }

    #[inline(always)]
    pub(crate) fn say_move(
        &self,
        sink: &mut impl CallSink,
        by: Color,
        what: Try,
        captured: Option<Captured>,
        then: Consequences,
    ) {
        let choices = self.choices();
        say_verdict(sink, Verdict::Moved, by, Attempt::Try(what), true);
        if let Some(taken) = captured {
            let lost = Heard::Lost {
                square: taken.square,
                man: taken.role,
            };
            say(sink, Audience::Seat(by.other()), lost);
            if let Some(audience) = announcements::capture_audience(choices, by) {
                say(
                    sink,
                    audience,
                    Announcement::Capture(announcements::capture(choices, what, taken)),
                );
            }
        }
        if let Try::Drop { role: man, .. } = what {
            say(sink, Audience::Everyone, Announcement::Drop { by, man });
        }
        if announcements::promotion(choices, what) {
            say(sink, Audience::Everyone, Announcement::Promotion { by });
        }
        self.say_state(
            sink,
            announcements::check(choices, then.check),
            then.tries,
            by.other(),
            then.over,
        );
    }

    #[inline(always)]
    fn say_state(
        &self,
        sink: &mut impl CallSink,
        check: Option<Directions>,
        tries: Tries,
        to_move: Color,
        over: Option<Over>,
    ) {
        if let Some(directions) = check {
            say(sink, Audience::Everyone, Announcement::Check { directions });
        }
        match over {
            Some(over) => say(sink, Audience::Everyone, Heard::Over(over)),
            None => {
                if tries != Tries::Untold {
                    say(sink, Audience::Everyone, Announcement::Tries(tries));
                }
                say(sink, Audience::Everyone, Announcement::Turn { to_move });
            }
        }
    }
}

fn say_over(sink: &mut impl CallSink, winner: Winner, reason: rules::Reason) {
    say(
        sink,
        Audience::Everyone,
        Heard::Over(Over { winner, reason }),
    );
}

//! Groups what a seat heard into steps that a belief can apply. Except for
//! `moments`, only this module of the crate reads [`Heard`].

use rules::{
    Announcement, Attempt, Choices, Heard, Over, Reply, Start, Try, TryLimit, Verdict,
    chess::{Color, Role},
};
use views::PlayerView;

use crate::{blame::Part, known::Known, report::Report};

/// An answer that the referee gives to the opponent before the opponent's move, and that the seat
/// hears.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub(crate) enum HeardAnswer {
    /// A try was answered "no".
    No,
    /// A try was answered "nonsense".
    Nonsense,
    /// A refused try was repeated, and the ruleset has a separate answer for a repeated try.
    RepeatNo,
    /// Any? was asked. The value is true if the answer was yes.
    Any(bool),
}

/// A step that changes a belief.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) enum Step {
    /// The game started. The report has what was announced about the start
    /// position: check, pawn tries, end.
    Opened(Report),
    /// The seat's try was legal and was played. The report is what the seat
    /// heard about the move.
    Moved(Try, Report),
    /// The seat's try was answered "no": it is illegal in the true position.
    Refused {
        /// The try.
        what: Try,
        /// Whether the try was the third refused pawn capture of this turn, and the ruleset allows
        /// only three refused pawn captures in a turn.
        third: bool,
    },
    /// The seat asked Any?. The value is true if the answer was yes.
    Any(bool),
    /// An answer to the opponent, heard in the opponent's turn before the opponent's move.
    Theirs(HeardAnswer),
    /// The opponent moved. The report is what the seat heard about the move.
    TheyMoved(Report),
    /// The game ended, but not by a move.
    Ended(Over),
}

impl Step {
    /// Returns whether this is a step of the seat's own turn, or the move that ends the opponent's
    /// turn.
    pub(crate) fn is_turn(self) -> bool {
        match self {
            Step::Moved(..) | Step::Refused { .. } | Step::Any(_) | Step::TheyMoved(_) => true,
            Step::Opened(_) | Step::Theirs(_) | Step::Ended(_) => false,
        }
    }
}

/// The move that is being announced.
#[derive(Copy, Clone, PartialEq, Debug)]
enum Draft {
    Opening,
    Own(Try),
    Theirs,
}

/// Numbers of the last move's announcements, for the text of an error. All things that the seat
/// heard are numbered from 1. If the last move had no announcement of a kind, the number for this
/// kind is 0.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
struct Numbers {
    capture: usize,
    drop: usize,
    promotion: usize,
    check: usize,
    tries: usize,
}

/// The seat's view, and what the seat has heard so far about the move that is announced now.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Hearing {
    view: PlayerView,
    draft: Option<(Draft, Report)>,
    /// Number of things heard so far.
    heard: usize,
    numbers: Numbers,
}

impl Hearing {
    pub(crate) fn open(choices: Choices, seat: Color, start: &Start) -> Hearing {
        Hearing {
            view: PlayerView::open(choices, seat, start),
            draft: Some((Draft::Opening, Report::default())),
            heard: 0,
            numbers: Numbers::default(),
        }
    }

    /// Restarts the count: the next thing heard gets number 1.
    pub(crate) fn count_anew(&mut self) {
        self.heard = 0;
    }

    /// Returns the number of the announcement that contains this part. If this part was not
    /// announced, returns the number of the last thing heard.
    pub(crate) fn number_of(&self, part: Part) -> usize {
        let number = match part {
            Part::Capture => self.numbers.capture,
            Part::Drop => self.numbers.drop,
            Part::Promotion => self.numbers.promotion,
            Part::Check(_) => self.numbers.check,
            Part::Tries => self.numbers.tries,
            Part::Opening
            | Part::Illegal
            | Part::Refusal
            | Part::Any
            | Part::TheirTurn
            | Part::NoCapture
            | Part::NoDrop
            | Part::NoPromotion
            | Part::NoCheck
            | Part::Over
            | Part::NotOver
            | Part::Turn
            | Part::NoMan => 0,
        };
        if number > 0 { number } else { self.heard }
    }

    /// Returns the number of things heard.
    pub(crate) const fn heard(&self) -> usize {
        self.heard
    }

    /// Checks whether the turn and the seat's own men allow the seat to hear this thing now. If not,
    /// returns the part that is wrong. Otherwise returns `None`.
    pub(crate) fn misplaced(&self, known: &Known, heard: &Heard) -> Option<Part> {
        let own = self.view.own();
        let pending = matches!(self.draft, Some((Draft::Own(_) | Draft::Theirs, _)));
        match *heard {
            Heard::Reply(Reply::Verdict {
                verdict,
                by,
                attempt,
            }) => {
                if pending || by != known.to_move || self.view.over().is_some() {
                    return Some(Part::Turn);
                }
                if by != known.seat() || verdict != Verdict::Moved {
                    return None;
                }
                let can_be = match attempt {
                    Some(Attempt::Try(Try::Step { from, to, .. })) => {
                        own.all().contains(from) && !own.all().contains(to)
                    }
                    Some(Attempt::Try(Try::Drop { role, to })) => {
                        own.reserve.iter().any(|(held, _)| held == role) && !own.all().contains(to)
                    }
                    _ => false,
                };
                (!can_be).then_some(Part::NoMan)
            }
            Heard::Reply(Reply::Any { by, .. }) => {
                (pending || by != known.to_move).then_some(Part::Turn)
            }
            Heard::Lost { square, man } => {
                let theirs = matches!(self.draft, Some((Draft::Theirs, _)));
                let stands = own.role_at(square) == Some(man) && man != Role::King;
                (!(theirs && stands)).then_some(Part::NoMan)
            }
            Heard::Announced(Announcement::Turn { to_move }) => {
                let expected = match self.draft {
                    Some((Draft::Own(_), _)) => known.seat().other(),
                    Some((Draft::Theirs, _)) => known.seat(),
                    Some((Draft::Opening, _)) | None => known.to_move,
                };
                (to_move != expected).then_some(Part::Turn)
            }
            Heard::Announced(_) | Heard::Reply(_) | Heard::Draw(_) | Heard::Over(_) => None,
        }
    }

    /// Returns the seat's view.
    pub(crate) fn view(&self) -> &PlayerView {
        &self.view
    }

    /// Updates the view with one thing heard. Returns the step that is now
    /// complete, if there is one.
    pub(crate) fn take(&mut self, heard: &Heard) -> Option<Step> {
        let refused_before = self.view.turn().pawn_captures_refused;
        self.view.hear(heard);
        self.heard += 1;
        match *heard {
            Heard::Reply(reply) => self.reply(reply, refused_before),
            Heard::Lost { square, man } => {
                self.numbers.capture = self.heard;
                self.note(|report| report.lost = Some((square, man)))
            }
            Heard::Announced(announcement) => self.announcement(announcement),
            Heard::Over(over) => {
                if self.draft.is_none() {
                    return Some(Step::Ended(over));
                }
                self.note(|report| report.over = Some(over));
                self.finish()
            }
            Heard::Draw(_) => None,
        }
    }

    fn reply(&mut self, reply: Reply, refused_before: u8) -> Option<Step> {
        let seat = self.view.color();
        match reply {
            Reply::Verdict {
                verdict,
                by,
                attempt,
            } if by == seat => {
                let Some(Attempt::Try(what)) = attempt else {
                    return None;
                };
                match verdict {
                    Verdict::Moved => {
                        self.draft = Some((Draft::Own(what), Report::default()));
                        self.numbers = Numbers::default();
                        None
                    }
                    Verdict::No if self.view.last_nonsense().is_none() => {
                        let refused = self.view.turn().pawn_captures_refused;
                        let limited = self.view.choices().try_limit == TryLimit::Three;
                        let third = limited && refused == 3 && refused_before == 2;
                        Some(Step::Refused { what, third })
                    }
                    Verdict::No | Verdict::Nonsense | Verdict::RepeatNo => None,
                }
            }
            Reply::Verdict { verdict, .. } => match verdict {
                Verdict::Moved => {
                    self.draft = Some((Draft::Theirs, Report::default()));
                    self.numbers = Numbers::default();
                    None
                }
                Verdict::No => Some(Step::Theirs(HeardAnswer::No)),
                Verdict::Nonsense => Some(Step::Theirs(HeardAnswer::Nonsense)),
                Verdict::RepeatNo => Some(Step::Theirs(HeardAnswer::RepeatNo)),
            },
            Reply::Any { by, answer } if by == seat => Some(Step::Any(answer)),
            Reply::Any { answer, .. } => Some(Step::Theirs(HeardAnswer::Any(answer))),
            Reply::Rebuffs { .. } | Reply::Recap { .. } => None,
        }
    }

    fn announcement(&mut self, announcement: Announcement) -> Option<Step> {
        match announcement {
            Announcement::Capture(_) => self.numbers.capture = self.heard,
            Announcement::Drop { .. } => self.numbers.drop = self.heard,
            Announcement::Promotion { .. } => self.numbers.promotion = self.heard,
            Announcement::Check { .. } => self.numbers.check = self.heard,
            Announcement::Tries(_) => self.numbers.tries = self.heard,
            Announcement::Turn { .. } => {}
        }
        self.note(|report| match announcement {
            Announcement::Capture(capture) => report.capture = Some(capture),
            Announcement::Drop { man, .. } => report.drop = Some(man),
            Announcement::Promotion { .. } => report.promotion = true,
            Announcement::Check { directions } => report.check = Some(directions),
            Announcement::Tries(tries) => report.tries = tries,
            Announcement::Turn { .. } => {}
        });
        match announcement {
            Announcement::Turn { .. } => self.finish(),
            Announcement::Capture(_)
            | Announcement::Drop { .. }
            | Announcement::Promotion { .. }
            | Announcement::Check { .. }
            | Announcement::Tries(_) => None,
        }
    }

    fn note(&mut self, write: impl FnOnce(&mut Report)) -> Option<Step> {
        if let Some((_, report)) = &mut self.draft {
            write(report);
        }
        None
    }

    fn finish(&mut self) -> Option<Step> {
        let (draft, report) = self.draft.take()?;
        Some(match draft {
            Draft::Opening => Step::Opened(report),
            Draft::Own(what) => Step::Moved(what, report),
            Draft::Theirs => Step::TheyMoved(report),
        })
    }
}

//! A chair: what one listener was told, and what follows from it alone.

mod reason;

use std::collections::HashMap;

use notation::{BoardNames, TypedError, read_typed, typed_words, words};
use referee::Event;
use rules::{
    Announcement, AnyAgain, Attempt, Choices, DrawTalk, Heard, Listener, Px, Reason, Reply, Tries,
    Try, Verdict,
};
use store::Act;
use views::PlayerView;

use self::reason::refused_words;
use crate::{
    RequestId,
    error::{ClubError, Code},
    facts::Status,
    hearing::{Hearing, Said, ToldItem},
    listening::{RefusedTry, SeatView},
    refusals::{adjourned, game_over, not_a_player, refusal},
    table::Asked,
};

/// A request that was answered by a row.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Answered {
    /// What the row says.
    act: Act,
    /// How much its seat had heard before it.
    before: usize,
    /// The answer.
    said: Said,
}

/// What one row tells one listener.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct News {
    /// What he hears.
    pub(crate) hearing: Option<Hearing>,
    /// The row that answers a request of his.
    pub(crate) answers: Option<(RequestId, Act)>,
    /// Where the game stands from now on, if that has changed.
    pub(crate) status: Option<Status>,
}

impl News {
    /// Whether it says nothing to him.
    pub(crate) fn is_nothing(&self) -> bool {
        self.hearing.is_none() && self.answers.is_none() && self.status.is_none()
    }
}

/// What one listener was told, and what follows from it: a fold of his
/// hearings, in which nothing else has a part.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Chair {
    listener: Listener,
    choices: Choices,
    status: Status,
    hearings: Vec<Hearing>,
    /// None in the room.
    view: Option<PlayerView>,
    refused: Vec<RefusedTry>,
    /// The number in which it was last heard whose turn it is, or that the game is over.
    turn_heard: u32,
    answered: HashMap<RequestId, Answered>,
}

impl Chair {
    pub(crate) fn new(listener: Listener, choices: Choices) -> Chair {
        Chair {
            listener,
            choices,
            status: Status::Running,
            hearings: Vec::new(),
            view: None,
            refused: Vec::new(),
            turn_heard: 0,
            answered: HashMap::new(),
        }
    }

    /// Takes in what a row tells him.
    pub(crate) fn take(&mut self, news: &News) {
        let before = self.hearings.len();
        if let Some(status) = news.status {
            self.status = status;
        }
        if let Some(hearing) = &news.hearing {
            self.hear(hearing);
        }
        if let Some((id, act)) = &news.answers {
            let answered = Answered {
                act: act.clone(),
                before,
                said: self.said(act),
            };
            self.answered.insert(id.clone(), answered);
        }
    }

    fn hear(&mut self, hearing: &Hearing) {
        for item in hearing.heard.iter() {
            match item {
                ToldItem::Start(start) => {
                    self.view = self
                        .listener
                        .color()
                        .map(|color| PlayerView::open(self.choices, color, start));
                }
                ToldItem::Heard(heard) => self.hear_one(heard, hearing.n),
            }
        }
        self.hearings.push(hearing.clone());
    }

    fn hear_one(&mut self, heard: &Heard, n: u32) {
        if let Some(view) = &mut self.view {
            view.hear(heard);
            if let Some((t, verdict)) = own_refusal(heard) {
                let why = refused_words(view, verdict, Attempt::Try(t));
                // Each stands once, however often it was tried, with its latest reason.
                match self.refused.iter_mut().find(|old| old.attempt == t) {
                    Some(old) => old.why = why,
                    None => self.refused.push(RefusedTry { attempt: t, why }),
                }
            }
        }
        if matches!(
            heard,
            Heard::Announced(Announcement::Turn { .. }) | Heard::Over(_)
        ) {
            self.turn_heard = n;
            self.refused.clear();
        }
    }

    /// All that was heard.
    pub(crate) fn hearings(&self) -> &[Hearing] {
        &self.hearings
    }

    /// The number of the last thing heard.
    pub(crate) fn n(&self) -> u32 {
        self.hearings.last().map_or(0, |hearing| hearing.n)
    }

    pub(crate) fn seat_view(&self) -> Option<SeatView> {
        let view = self.view.as_ref()?;
        Some(SeatView {
            n: self.n(),
            view: view.clone(),
            refused: self.refused.clone(),
            words: self.words(view),
        })
    }

    /// The words that may be said now.
    fn words(&self, view: &PlayerView) -> Vec<&'static str> {
        let (me, mine) = (view.color(), view.to_move() == Some(view.color()));
        match self.status {
            Status::Over => return Vec::new(),
            Status::Adjourned => return vec!["resign"],
            Status::Running => {}
        }
        let offer = view.draw_offer();
        let may = |word: &&str| match *word {
            "any" => mine && (!view.turn().asked || self.choices.any_again == AnyAgain::Same),
            "px" => mine && self.choices.px == Px::Present && view.turn().tries == Tries::Count(1),
            "offer-draw" => offer.is_none(),
            "accept-draw" | "decline-draw" => offer == Some(me.other()),
            "withdraw-draw" => offer == Some(me),
            _ => true,
        };
        typed_words(&self.choices).into_iter().filter(may).collect()
    }

    /// Reads what this player typed, as his men stand now.
    pub(crate) fn read(&self, text: &str) -> Result<Attempt, ClubError> {
        match &self.view {
            Some(view) => read(view, text),
            None => Err(not_a_player()),
        }
    }

    /// Whether a row answers a request of that id.
    pub(crate) fn has_answered(&self, id: &RequestId) -> bool {
        self.answered.contains_key(id)
    }

    /// The answer that a request was given before, if it was.
    pub(crate) fn repeated(
        &self,
        id: &RequestId,
        again: &Again<'_>,
    ) -> Option<Result<Said, ClubError>> {
        let answered = self.answered.get(id)?;
        let before = || self.view_before(answered.before);
        let same = match again {
            Again::Asked(Asked::Attempt(px @ Attempt::Px { .. })) => {
                before().is_some_and(|view| fits(&view, *px, &answered.act))
            }
            Again::Asked(asked) => asked.is_answered_by(&answered.act),
            Again::Text(text) => before().is_some_and(|view| {
                read(&view, text).is_ok_and(|attempt| fits(&view, attempt, &answered.act))
            }),
        };
        Some(if same {
            Ok(answered.said.clone())
        } else {
            Err(ClubError::new(
                Code::IdReused,
                "this id was used for another request of yours: take a new one",
            ))
        })
    }

    /// The view after the first hearings.
    fn view_before(&self, hearings: usize) -> Option<PlayerView> {
        let mut early = Chair::new(self.listener, self.choices);
        for hearing in self.hearings.get(..hearings)? {
            early.hear(hearing);
        }
        early.view
    }

    /// Why an attempt is turned down by what this player knows already.
    ///
    /// # Errors
    /// The refusal. It was decided by his own hearings alone.
    pub(crate) fn admit(&self, after: u32, attempt: Attempt) -> Result<(), ClubError> {
        let Some(view) = &self.view else {
            return Err(not_a_player());
        };
        let resigns = attempt == Attempt::Resign;
        match self.status {
            Status::Over => return Err(game_over()),
            Status::Adjourned if !resigns => return Err(adjourned()),
            Status::Adjourned | Status::Running => {}
        }
        if after > self.n() {
            return Err(ClubError::new(
                Code::Invalid,
                format!(
                    "`after` is the last number that you heard, which is {}",
                    self.n()
                ),
            ));
        }
        if after < self.turn_heard && !resigns {
            return Err(ClubError::new(
                Code::Stale,
                format!(
                    "this was meant for an earlier turn: hear what came after number {after}, then say it again"
                ),
            ));
        }
        match (attempt, view.to_move()) {
            (Attempt::Try(_) | Attempt::Px { .. } | Attempt::Any, Some(to_move))
                if to_move != view.color() =>
            {
                Err(refusal(referee::Refusal::NotYourTurn { to_move }))
            }
            _ => Ok(()),
        }
    }

    /// What is answered to a request by what was just heard.
    fn said(&self, act: &Act) -> Said {
        let (Some(view), Some(hearing)) = (&self.view, self.hearings.last()) else {
            return done(String::new());
        };
        let spoken = || {
            let told = hearing.heard.iter().filter_map(|item| match item {
                ToldItem::Start(_) => None,
                ToldItem::Heard(heard) => Some(words(heard, &self.choices, self.listener)),
            });
            told.collect::<Vec<_>>().join(" ")
        };
        let first = hearing.heard.iter().find_map(|item| match item {
            ToldItem::Start(_) => None,
            ToldItem::Heard(heard) => Some(heard),
        });
        if Asked::is_act(act) {
            return done(Asked::act_words(act, view.color(), spoken));
        }
        let Some(heard) = first else {
            return done(String::new());
        };
        let answer = match *heard {
            Heard::Reply(Reply::Verdict { verdict, .. }) => verdict.name(),
            Heard::Reply(Reply::Any { answer: true, .. }) => "yes",
            Heard::Reply(Reply::Any { answer: false, .. }) => "none",
            Heard::Reply(Reply::Rebuffs { .. }) => "count",
            Heard::Reply(Reply::Recap { .. }) => "recap",
            Heard::Draw(DrawTalk::Offer { .. }) => "offered",
            Heard::Draw(DrawTalk::Declined { .. }) => "declined",
            Heard::Draw(DrawTalk::Withdrawn { .. }) => "withdrawn",
            Heard::Over(over) if over.reason == Reason::Resignation => "resigned",
            Heard::Over(_) => "drawn",
            Heard::Lost { .. } | Heard::Announced(_) => "done",
        };
        let alone = hearing.heard.len() == 1;
        let why = match *heard {
            Heard::Reply(Reply::Verdict {
                verdict: verdict @ (Verdict::No | Verdict::Nonsense | Verdict::RepeatNo),
                attempt: Some(attempt),
                ..
            }) if alone => refused_words(view, verdict, attempt),
            Heard::Reply(_)
            | Heard::Lost { .. }
            | Heard::Announced(_)
            | Heard::Draw(_)
            | Heard::Over(_) => spoken(),
        };
        Said {
            n: Some(hearing.n),
            answer,
            why,
        }
    }
}

/// Whether a row answers an attempt, as the men stood before it. The row of a `px`
/// holds the capture that it came to: `px` is another way to write that capture where
/// just one was announced, as `Nf3` is another way to write `g1f3`, and of nothing else.
fn fits(view: &PlayerView, attempt: Attempt, act: &Act) -> bool {
    let Attempt::Px { promotion } = attempt else {
        return Asked::Attempt(attempt).is_answered_by(act);
    };
    let Act::Game(Event::Moved { what, .. }) = *act else {
        return false;
    };
    let Try::Step { from, to, .. } = what else {
        return false;
    };
    let named = Try::Step {
        from,
        to,
        promotion,
    };
    let (own, choices) = (view.own(), view.choices());
    choices.px == Px::Present
        && view.turn().tries == Tries::Count(1)
        && own.is_pawn_capture(what)
        && own.with_default_promotion(named, choices.promotion_man) == what
}

/// A request that comes again: as it was typed, or as an act.
pub(crate) enum Again<'a> {
    /// Read already.
    Asked(&'a Asked),
    /// As typed: to be read as the men stood then.
    Text(&'a str),
}

fn done(why: String) -> Said {
    Said {
        n: None,
        answer: "done",
        why,
    }
}

fn own_refusal(heard: &Heard) -> Option<(Try, Verdict)> {
    if let Heard::Reply(Reply::Verdict {
        verdict: verdict @ (Verdict::No | Verdict::Nonsense | Verdict::RepeatNo),
        attempt: Some(Attempt::Try(t)),
        ..
    }) = *heard
    {
        Some((t, verdict))
    } else {
        None
    }
}

fn read(view: &PlayerView, text: &str) -> Result<Attempt, ClubError> {
    let choices = view.choices();
    read_typed(text, view.own(), view.turn(), choices, BoardNames::Usual).map_err(|error| {
        let code = match error {
            TypedError::NotNotation(_) | TypedError::NotPossible { .. } => Code::NotUnderstood,
            TypedError::Ambiguous { .. } => Code::Ambiguous,
        };
        ClubError::new(code, error.to_string())
    })
}

/// Whose chair.
pub(crate) const fn place(listener: Listener) -> usize {
    match listener {
        Listener::White => 0,
        Listener::Black => 1,
        Listener::Room => 2,
    }
}

//! State of one listener: everything that the listener heard, and what can be computed from it.

use std::collections::HashMap;

use notation::{BoardNames, Question, ReadError, TypedError, read_for_referee, typed_words, words};
use rules::{
    Announcement, AnyAgain, Attempt, Choices, DrawTalk, Heard, Listener, NoHeard, NonsenseHeard,
    Px, Reason, Reply, Tries, Verdict, role_name,
};
use store::{Act, ConditionalTries, ParseConditionError, RequestId, TableEvent};
use views::PlayerView;

use super::{
    asked::{Asked, Body, Request, act_words, is_answered, recorded_act, recorded_attempt},
    reason::{cause_of, cause_words},
};
use wire::{GameStatus, RefusalCode, TableAct};

use crate::{
    error::ClubError,
    hearing::{HeardItem, Hearing, RequestAnswer},
    refusals::{adjourned, game_over, not_a_player, refusal},
    seat_view::{RefusedTry, SeatView},
};

/// What one row of the log changes for one listener.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Update {
    /// Hearing, if the listener hears something.
    pub hearing: Option<Hearing>,
    /// Id of the listener's request that the row answers, and the content of the row. `None` if the
    /// row answers no request of this listener.
    pub answers: Option<(RequestId, Act)>,
    /// New status of the game, if the row changes it.
    pub status: Option<GameStatus>,
}

impl Update {
    /// Whether the row changes nothing for the listener.
    pub fn is_empty(&self) -> bool {
        self.hearing.is_none() && self.answers.is_none() && self.status.is_none()
    }
}

/// A request that a row has answered.
#[derive(Clone, PartialEq, Debug)]
struct Answered {
    /// Content of the row.
    act: Act,
    /// Number of hearings of the seat before the row.
    before: usize,
    /// Answer that the player got.
    answer: RequestAnswer,
}

/// Result of examining a request, using only the state of the seat.
#[derive(Clone, PartialEq, Debug)]
pub enum Examined {
    /// The request was answered before; this is the answer.
    Answered(RequestAnswer),
    /// The request was understood and can be judged.
    Admitted(Asked),
}

/// Kind of a request that brings nothing new. Each kind has a limit of its own, so what others hear
/// of one kind does not depend on requests of another kind, which they may not hear.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub(crate) enum Idle {
    Nonsense,
    Repeat,
    Any,
    Count,
    Recap,
    Px,
    Offer,
    Act,
    List,
}

/// After this number of hearings in one turn, repeats and impossible tries are limited even if the
/// opponent hears the answers. A player who tries everything once does not hear so many.
const MAX_HEARINGS: u32 = 200;

/// Maximum number of tries that a player makes in advance.
const MAX_CONDITIONAL: usize = 20;

/// State of one listener, computed only from the updates.
#[derive(Clone, PartialEq, Debug)]
pub struct ListenerState {
    listener: Listener,
    choices: Choices,
    status: GameStatus,
    hearings: Vec<Hearing>,
    /// `None` for a spectator.
    view: Option<PlayerView>,
    refused: Vec<RefusedTry>,
    /// Questions to the referee and requests `px` that were answered in this turn.
    asked: Vec<Attempt>,
    /// Number of the last hearing that named the side to move or ended the game.
    turn_heard: u32,
    answered: HashMap<RequestId, Answered>,
}

impl ListenerState {
    /// Returns the state before anything is heard.
    pub fn new(listener: Listener, choices: Choices) -> ListenerState {
        ListenerState {
            listener,
            choices,
            status: GameStatus::Running,
            hearings: Vec::new(),
            view: None,
            refused: Vec::new(),
            asked: Vec::new(),
            turn_heard: 0,
            answered: HashMap::new(),
        }
    }

    /// Returns the status of the game.
    pub(crate) fn status(&self) -> GameStatus {
        self.status
    }

    /// Applies an update. Returns the answer, if the row answers a request of this listener.
    pub fn take(&mut self, update: Update) -> Option<RequestAnswer> {
        if update.is_empty() {
            return None;
        }
        let before = self.hearings.len();
        if let Some(status) = update.status {
            self.status = status;
        }
        if let Some(hearing) = update.hearing {
            self.hear(hearing);
        }
        let (id, act) = update.answers?;
        if let Some(
            attempt @ (Attempt::Any | Attempt::Count | Attempt::Recap | Attempt::Px { .. }),
        ) = recorded_attempt(&act)
        {
            self.asked.push(attempt);
        }
        let answer = self.row_answer(&act);
        let answered = Answered {
            act,
            before,
            answer: answer.clone(),
        };
        self.answered.insert(id, answered);
        Some(answer)
    }

    fn hear(&mut self, hearing: Hearing) {
        for item in hearing.heard.iter() {
            self.take_item(item);
            let HeardItem::Heard(heard) = item else {
                continue;
            };
            if let Some(view) = &self.view
                && let Some((attempt @ Attempt::Try(t), verdict)) = own_refusal(heard)
            {
                let cause = cause_of(view, verdict, attempt);
                // Each refused try is listed once, with the cause of the latest refusal.
                match self.refused.iter_mut().find(|old| old.attempt == t) {
                    Some(old) => old.cause = cause,
                    None => self.refused.push(RefusedTry { attempt: t, cause }),
                }
            }
            if matches!(
                heard,
                Heard::Announced(Announcement::Turn { .. }) | Heard::Over(_)
            ) {
                self.turn_heard = hearing.n;
                self.refused.clear();
                self.asked.clear();
            }
        }
        self.hearings.push(hearing);
    }

    fn take_item(&mut self, item: &HeardItem) {
        match item {
            HeardItem::Start(start) => {
                let color = self.listener.color();
                self.view = color.map(|color| PlayerView::open(self.choices, color, start));
            }
            HeardItem::Heard(heard) => {
                if let Some(view) = &mut self.view {
                    view.hear(heard);
                }
            }
        }
    }

    /// Returns all hearings, from number 1.
    pub fn hearings(&self) -> &[Hearing] {
        &self.hearings
    }

    /// Returns the number of the last hearing; 0 before the opening.
    pub fn n(&self) -> u32 {
        self.hearings.last().map_or(0, |hearing| hearing.n)
    }

    /// Returns what a player's seat knows; `None` for a spectator.
    pub fn seat_view(&self) -> Option<SeatView> {
        let view = self.view.as_ref()?;
        Some(SeatView {
            n: self.n(),
            view: view.clone(),
            refused: self.refused.clone(),
            words: self.words(view),
        })
    }

    /// Whether this player has heard that it is the player's turn.
    pub(crate) fn has_turn(&self) -> bool {
        let view = self.view.as_ref();
        view.is_some_and(|view| view.to_move() == Some(view.color()))
    }

    /// Returns the texts of everything that the player can do now, except tries.
    fn words(&self, view: &PlayerView) -> Vec<&'static str> {
        let (me, mine) = (view.color(), view.to_move() == Some(view.color()));
        match self.status {
            GameStatus::Over => return Vec::new(),
            GameStatus::Adjourned => return vec!["resign"],
            GameStatus::Running => {}
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

    /// Whether a row has answered a request with this id.
    pub(crate) fn has_answered(&self, id: &RequestId) -> bool {
        self.answered.contains_key(id)
    }

    /// Refuses a text of this player that needs no referee; see [`Club::ask_back`](crate::Club::ask_back).
    pub(crate) fn ask_back(&self, text: &str) -> Result<(), ClubError> {
        no_question(text)?;
        match (&self.view, self.status) {
            (Some(view), GameStatus::Running) => ask_back(view, text),
            (Some(_) | None, _) => Ok(()),
        }
    }

    /// Parses a request and checks everything that depends only on what this player heard.
    ///
    /// # Errors
    /// A refusal, which only the asker gets. It depends only on what the asker heard.
    pub fn examine(&self, request: &Request) -> Result<Examined, ClubError> {
        let Some(view) = &self.view else {
            return Err(not_a_player());
        };
        if let Some(answer) = self.answer(request) {
            return answer.map(Examined::Answered);
        }
        let (after, text) = match &request.body {
            Body::Act(act) => return Ok(Examined::Admitted(Asked::Act(*act))),
            Body::Say { after, text } => (*after, text),
            Body::Conditional(text) => {
                if self.status == GameStatus::Over {
                    return Err(game_over());
                }
                return read_conditional(view, text)
                    .map(|tries| Examined::Admitted(Asked::Conditional(tries)));
            }
        };
        let attempt = read(view, text)?;
        self.admit(view, after, attempt)?;
        Ok(Examined::Admitted(Asked::Attempt(attempt)))
    }

    /// Returns the kind of a request whose number is limited because it brings nothing new.
    ///
    /// These requests are never limited:
    ///
    /// - a try that the player's men can make, and that was not refused in this turn;
    /// - a try whose answer the opponent hears too, during the first [`MAX_HEARINGS`] hearings of a
    ///   turn;
    /// - the first question of each kind in a turn;
    /// - a request that ends the game.
    ///
    /// The result depends only on what this player heard.
    pub(crate) fn limited(&self, asked: &Asked) -> Option<Idle> {
        let Some(view) = &self.view else {
            return Some(Idle::Act);
        };
        let attempt = match *asked {
            Asked::Attempt(attempt) => attempt,
            Asked::Act(TableAct::Abort | TableAct::ClaimWin | TableAct::ClaimDraw) => return None,
            Asked::Act(
                TableAct::Adjourn
                | TableAct::Resume
                | TableAct::DeclineAdjourn
                | TableAct::Rematch
                | TableAct::DeclineRematch,
            ) => return Some(Idle::Act),
            Asked::Conditional(_) => return Some(Idle::List),
        };
        let question = match attempt {
            Attempt::Resign | Attempt::AcceptDraw => return None,
            Attempt::Try(t) => {
                let (own, rule) = (view.own(), self.choices.promotion_man);
                let named = |t| own.with_default_promotion(t, rule);
                let is_refused = |old: &RefusedTry| named(old.attempt) == named(t);
                let last = self.hearings.last().map_or(0, |hearing| hearing.n);
                let many = last.saturating_sub(self.turn_heard) > MAX_HEARINGS;
                // Until then, a try is limited only if nobody except the mover hears the answer.
                let nonsense = many || self.choices.nonsense_heard == NonsenseHeard::Mover;
                let repeats = nonsense || self.choices.no_heard == NoHeard::Mover;
                return if nonsense && !own.imaginable(named(t), rule) {
                    Some(Idle::Nonsense)
                } else {
                    let is_repeat = repeats && self.refused.iter().any(is_refused);
                    is_repeat.then_some(Idle::Repeat)
                };
            }
            Attempt::OfferDraw | Attempt::DeclineDraw | Attempt::WithdrawDraw => {
                return Some(Idle::Offer);
            }
            Attempt::Any => Idle::Any,
            Attempt::Count => Idle::Count,
            Attempt::Recap => Idle::Recap,
            Attempt::Px { .. } => Idle::Px,
        };
        self.asked.contains(&attempt).then_some(question)
    }

    /// Returns the answer to the request if a row has the request's id: the earlier answer, or an
    /// error if the row answers a different request. To find out whether the requests are equal,
    /// the text is parsed with the seat's men as they were before the row.
    pub(crate) fn answer(&self, request: &Request) -> Option<Result<RequestAnswer, ClubError>> {
        let answered = self.answered.get(&request.id)?;
        let same = match &request.body {
            Body::Act(act) => recorded_act(&answered.act) == Some(*act),
            Body::Say { text, .. } => self.view_before(answered.before).is_some_and(|view| {
                read(&view, text).is_ok_and(|attempt| is_answered(&view, attempt, &answered.act))
            }),
            Body::Conditional(text) => self.view_before(answered.before).is_some_and(|view| {
                read_conditional(&view, text).is_ok_and(|asked| {
                    matches!(&answered.act, Act::Table(TableEvent::Conditional(_, tries)) if *tries == asked)
                })
            }),
        };
        Some(if same {
            Ok(answered.answer.clone())
        } else {
            Err(ClubError::new(
                RefusalCode::IdReused,
                "id-reused",
                "you have used this id for another request: use a new id",
            ))
        })
    }

    /// Returns the view of the seat after its first `hearings` hearings.
    fn view_before(&self, hearings: usize) -> Option<PlayerView> {
        let mut early = ListenerState::new(self.listener, self.choices);
        for hearing in self.hearings.get(..hearings)? {
            for item in hearing.heard.iter() {
                early.take_item(item);
            }
        }
        early.view
    }

    /// Refuses an attempt if the player's own state shows that it cannot be made.
    fn admit(&self, view: &PlayerView, after: u32, attempt: Attempt) -> Result<(), ClubError> {
        let resigns = attempt == Attempt::Resign;
        match self.status {
            GameStatus::Over => return Err(game_over()),
            GameStatus::Adjourned if !resigns => return Err(adjourned()),
            GameStatus::Adjourned | GameStatus::Running => {}
        }
        if after > self.n() {
            return Err(ClubError::new(
                RefusalCode::Invalid,
                "after-unknown",
                format!(
                    "`after` must be the number of your last hearing, which is {}",
                    self.n()
                ),
            ));
        }
        if after < self.turn_heard && !resigns {
            return Err(ClubError::new(
                RefusalCode::Stale,
                "stale",
                format!(
                    "this attempt was meant for an earlier turn: your last hearing is number {}; read what came after number {after}, then make your attempt again with the new number as `after`",
                    self.n()
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

    /// Returns the answer that the row `act` gives to its request, computed
    /// from the last hearing.
    fn row_answer(&self, act: &Act) -> RequestAnswer {
        let done = |why| RequestAnswer {
            n: None,
            answer: "done",
            cause: None,
            why,
        };
        let (Some(view), Some(hearing)) = (&self.view, self.hearings.last()) else {
            return done(String::new());
        };
        let spoken = || {
            let texts = hearing.heard.iter().filter_map(|item| match item {
                HeardItem::Start(_) => None,
                HeardItem::Heard(heard) => words(heard, &self.choices, self.listener),
            });
            texts.collect::<Vec<_>>().join(" ")
        };
        if recorded_act(act).is_some() || matches!(act, Act::Table(_)) {
            return done(act_words(act).map_or_else(spoken, str::to_owned));
        }
        let Some(HeardItem::Heard(heard)) = hearing.heard.first() else {
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
        let cause = own_refusal(heard)
            .filter(|_| hearing.heard.len() == 1)
            .map(|(attempt, verdict)| cause_of(view, verdict, attempt));
        RequestAnswer {
            n: Some(hearing.n),
            answer,
            cause,
            why: cause.map_or_else(spoken, |cause| cause_words(cause, &self.choices)),
        }
    }
}

/// If `heard` is the refusal of an attempt of this listener, returns the attempt and the verdict.
fn own_refusal(heard: &Heard) -> Option<(Attempt, Verdict)> {
    if let Heard::Reply(Reply::Verdict {
        verdict: verdict @ (Verdict::No | Verdict::Nonsense | Verdict::RepeatNo),
        attempt: Some(attempt),
        ..
    }) = *heard
    {
        Some((attempt, verdict))
    } else {
        None
    }
}

fn read(view: &PlayerView, text: &str) -> Result<Attempt, ClubError> {
    let choices = view.choices();
    read_for_referee(text, view.own(), view.turn(), choices, BoardNames::Usual).map_err(|error| {
        let why = error.to_string();
        let (code, reason, text, fits) = match error {
            TypedError::NotNotation(ReadError::NotNotation { text, .. }) => {
                (RefusalCode::NotUnderstood, "not-notation", text, Vec::new())
            }
            TypedError::NotNotation(ReadError::Help { .. }) => (
                RefusalCode::NotUnderstood,
                "help",
                String::new(),
                Vec::new(),
            ),
            TypedError::NotNotation(ReadError::KingNotAtHome { home }) => {
                let home = home.to_string();
                (
                    RefusalCode::NotUnderstood,
                    "king-not-at-home",
                    home,
                    Vec::new(),
                )
            }
            TypedError::NotPossible { text, .. } => {
                (RefusalCode::NotUnderstood, "no-man-can", text, Vec::new())
            }
            TypedError::Ambiguous { text, fits } if fits.len() == 1 => {
                (RefusalCode::Ambiguous, "king-onto-rook", text, fits)
            }
            TypedError::Ambiguous { text, fits } => {
                (RefusalCode::Ambiguous, "ambiguous", text, fits)
            }
        };
        let fits: Vec<String> = fits.iter().map(ToString::to_string).collect();
        ClubError::new(code, reason, why)
            .with("text", text)
            .with("fits", fits.join(" "))
    })
}

/// Parses the tries that a player makes in advance, with the player's men as they are now.
fn read_conditional(view: &PlayerView, text: &str) -> Result<ConditionalTries, ClubError> {
    let invalid = |reason, why: String| ClubError::new(RefusalCode::Invalid, reason, why);
    let tries = ConditionalTries::read(text, |text| match read(view, text)? {
        Attempt::Try(what) => Ok(what),
        Attempt::Any
        | Attempt::Count
        | Attempt::Recap
        | Attempt::Px { .. }
        | Attempt::Resign
        | Attempt::OfferDraw
        | Attempt::AcceptDraw
        | Attempt::DeclineDraw
        | Attempt::WithdrawDraw => {
            let why = format!("`{text}` is no move: only moves are tried in advance");
            Err(invalid("conditional-move", why).with("text", text))
        }
    })?;
    if tries.0.len() > MAX_CONDITIONAL {
        let why = format!("at most {MAX_CONDITIONAL} tries are made in advance: remove some");
        return Err(invalid("conditional-many", why).with("most", MAX_CONDITIONAL));
    }
    Ok(tries)
}

impl From<ParseConditionError> for ClubError {
    fn from(error: ParseConditionError) -> ClubError {
        let why = error.to_string();
        ClubError::new(RefusalCode::Invalid, "conditional-condition", why).with("text", error.0)
    }
}

/// Refuses a typed text that is a question about what the player knows.
fn no_question(text: &str) -> Result<(), ClubError> {
    let text = text.trim();
    let Some(question) = Question::read(text) else {
        return Ok(());
    };
    let why = format!("`{text}` is a question about what you know: the referee does not answer it");
    let refused = ClubError::new(RefusalCode::NotUnderstood, "question", why).with("text", text);
    Err(match question {
        Question::Squares(squares) => {
            let squares: Vec<String> = squares.into_iter().map(|sq| sq.to_string()).collect();
            refused
                .with("question", "squares")
                .with("squares", squares.join(" "))
        }
        Question::Men(None) => refused.with("question", "men"),
        Question::Men(Some(man)) => refused.with("question", "men").with("man", role_name(man)),
        Question::Call => refused.with("question", "call"),
        Question::Opponent => refused.with("question", "opponent"),
        Question::Clocks => refused.with("question", "clocks"),
        Question::Game => refused.with("question", "game"),
    })
}

/// Refuses a typed move that cannot be legal as far as the player knows.
fn ask_back(view: &PlayerView, text: &str) -> Result<(), ClubError> {
    let Ok(Attempt::Try(t)) = read(view, text) else {
        return Ok(());
    };
    let rule = view.choices().promotion_man;
    let named = |t| view.own().with_default_promotion(t, rule);
    if view.to_move() != Some(view.color())
        || view.tries().iter().any(|one| named(*one) == named(t))
    {
        return Ok(());
    }
    let why = format!(
        "{t} is impossible: your own men and the announcements show it. The referee was not asked"
    );
    Err(ClubError::new(RefusalCode::NotPossible, "impossible", why).with("attempt", t))
}

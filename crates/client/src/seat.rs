//! A bot's seat in one game: what the bot has heard, and what it does next.

use std::time::Duration;

use bots::{Budget, Player};
use rules::{Announcement, Attempt, Choices, Heard, NoHeard, chess::Color};
use tokio::time::Instant;
use views::PlayerView;
use wire::{
    ClientSays, GameJson, GameStatus, HearingJson, Millis, ParsedHeard, RefusalCode, Side,
    TableAct, TermsJson,
};

/// A bot resigns if the club has refused this many attempts since the last hearing.
const MAX_REFUSED: u32 = 100;

/// Pause before the bot repeats a request that the club could not execute.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// Settings of a bot.
#[derive(Copy, Clone, Debug)]
pub struct BotSettings {
    /// Function that returns the choices of a game from its terms; `None` if the ruleset is
    /// unknown. The bot does not play a game with an unknown ruleset.
    pub choices: fn(&TermsJson) -> Option<Choices>,
    /// Pauses before the bot's attempts.
    pub pause: BotPause,
    /// Whether the bot accepts offers of an adjournment, a resumption or a rematch, and claims a
    /// game if the opponent is gone.
    pub accepts_offers: bool,
}

/// Pauses of a bot before its attempts.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum BotPause {
    /// The same pause before each attempt.
    EachAttempt(Duration),
    /// A random pause, from this time to twice this time. If both players hear refusals, the bot
    /// pauses before each attempt. Otherwise the bot pauses once per turn, because with more pauses
    /// the duration of a turn would reveal how often the bot was refused.
    Drawn(Duration),
}

impl BotPause {
    fn draw(self) -> Duration {
        match self {
            BotPause::EachAttempt(pause) => pause,
            BotPause::Drawn(pause) => pause.mul_f64(1.0 + rand::random::<f64>()),
        }
    }
}

/// Next step of a bot's seat.
pub(crate) enum Step {
    Say(ClientSays),
    /// Let the player choose its next attempt.
    Think(Box<Thought>),
    /// Wait until this time, or until a message comes.
    Wait(Instant),
    /// Wait until a message comes.
    Listen,
}

/// A player, and the view from which the player chooses an attempt. The choice may take a long
/// time.
pub(crate) struct Thought {
    player: Box<dyn Player>,
    view: PlayerView,
    untold: Vec<Heard>,
    turn_begins: bool,
}

impl Thought {
    /// Returns the player and its next attempt.
    pub(crate) fn think(mut self) -> (Box<dyn Player>, Attempt) {
        if self.player.hears() {
            self.untold.iter().for_each(|heard| self.player.hear(heard));
        }
        if self.turn_begins {
            self.player.begin_turn(Budget::Usual);
        }
        let attempt = self.player.attempt(&self.view, &self.view.tries());
        (self.player, attempt)
    }
}

/// A bot's seat in one game.
pub(crate) struct BotSeat {
    game: String,
    settings: BotSettings,
    /// `None` while the player thinks, and permanently after the player has panicked.
    player: Option<Box<dyn Player>>,
    /// Facts of the game, once they are known.
    facts: Option<Box<GameJson>>,
    /// Hearings that arrived before the facts.
    early: Vec<HearingJson>,
    /// Own colour and choices of the ruleset, once the facts are known.
    sits: Option<(Color, Choices)>,
    view: Option<PlayerView>,
    /// Heard items that were not yet passed to the player.
    untold: Vec<Heard>,
    /// Whether the player must still be told that a turn has begun.
    turn_begins: bool,
    /// Number of the last hearing.
    heard: u32,
    /// Number of the last hearing for which all messages that belong to the hearing have arrived.
    complete: u32,
    /// Number of the hearing that answers the last attempt.
    answered_by: u32,
    /// Number of the last hearing when the player began to think; `None` if the player does not
    /// think.
    thinks_after: Option<u32>,
    /// Unanswered request.
    request: Option<ClientSays>,
    /// Whether the unanswered request must be sent again.
    resends: bool,
    /// Number of attempts that the club refused since the last hearing.
    refused: u32,
    has_paused: bool,
    pauses_until: Option<Instant>,
    /// Time until which no request is sent, unless a message comes.
    holds_until: Option<Instant>,
    /// The facts that caused the bot's last act at the table.
    acted_upon: Option<Box<GameJson>>,
}

impl BotSeat {
    pub(crate) fn new(game: String, player: Box<dyn Player>, settings: BotSettings) -> BotSeat {
        BotSeat {
            game,
            settings,
            player: Some(player),
            facts: None,
            early: Vec::new(),
            sits: None,
            view: None,
            untold: Vec::new(),
            turn_begins: true,
            heard: 0,
            complete: 0,
            answered_by: 0,
            thinks_after: None,
            request: None,
            resends: false,
            refused: 0,
            has_paused: false,
            pauses_until: None,
            holds_until: None,
            acted_upon: None,
        }
    }

    /// Processes the facts of the game.
    pub(crate) fn facts(&mut self, game: &GameJson) {
        self.holds_until = None;
        if self.sits.is_none()
            && let (Some(side), Some(choices)) = (game.seat, (self.settings.choices)(&game.terms))
        {
            self.sits = Some((Color::from(side), choices));
            for hearing in std::mem::take(&mut self.early) {
                self.hear(&hearing);
            }
        }
        self.facts = Some(Box::new(game.clone()));
    }

    /// Processes a hearing.
    pub(crate) fn hear(&mut self, hearing: &HearingJson) {
        let Some((color, choices)) = self.sits else {
            return self.early.push(hearing.clone());
        };
        self.heard = hearing.n;
        self.refused = 0;
        self.holds_until = None;
        // An item that cannot be parsed is ignored. If the bot's view then differs from the game,
        // the club refuses the bot's attempts.
        for told in hearing.heard.iter().flat_map(ParsedHeard::try_from) {
            match told.under(&choices) {
                ParsedHeard::Start(start) => {
                    self.view = Some(PlayerView::open(choices, color, &start))
                }
                ParsedHeard::Heard(heard) => {
                    self.view
                        .get_or_insert_with(|| PlayerView::initial(choices, color))
                        .hear(&heard);
                    if let Heard::Announced(Announcement::Turn { .. }) = heard {
                        (self.has_paused, self.turn_begins) = (false, true);
                    }
                    self.untold.push(heard);
                }
            }
        }
    }

    /// Records that all messages that belong to the hearings up to number `n` have arrived.
    pub(crate) fn complete(&mut self, n: u32) {
        self.complete = n;
    }

    /// Records the answer to a request. `n` is the number of the hearing that the request caused.
    pub(crate) fn answered(&mut self, id: &str, n: Option<u32>) {
        if self.is_request(id) {
            self.request = None;
            self.answered_by = n.unwrap_or(0);
        }
    }

    /// Records the refusal of a request.
    pub(crate) fn refused(&mut self, id: &str, code: RefusalCode) {
        if !self.is_request(id) {
            return;
        }
        let retry = Some(Instant::now() + RETRY_PAUSE);
        if code.is_temporary() {
            // The same request can be sent again, because the club judges it only once.
            (self.resends, self.holds_until) = (true, retry);
            return;
        }
        let is_act = matches!(self.request.take(), Some(ClientSays::Act { .. }));
        let is_late = matches!(
            code,
            RefusalCode::Stale
                | RefusalCode::NotYourTurn
                | RefusalCode::GameOver
                | RefusalCode::Adjourned
        );
        if is_act || is_late {
            // The server will soon send what has changed.
            (self.acted_upon, self.holds_until) = (None, retry);
        } else {
            self.refused += 1;
        }
    }

    /// Returns the next step. `now` is the server's time.
    pub(crate) fn step(&mut self, now: Millis) -> Step {
        let Some((color, _)) = self.sits else {
            return Step::Listen;
        };
        if let Some(until) = self.holds_until.filter(|&until| until > Instant::now()) {
            return Step::Wait(until);
        }
        if let Some(request) = &self.request {
            return match std::mem::take(&mut self.resends) {
                true => Step::Say(request.clone()),
                false => Step::Listen,
            };
        }
        if self.thinks_after.is_some() {
            return Step::Listen;
        }
        if let Some(act) = self.act(color, now) {
            let (id, game) = (new_id(), self.game.clone());
            self.acted_upon = self.facts.clone();
            return self.ask(ClientSays::Act { id, game, act });
        }
        if !self.is_to_attempt(color) {
            self.pauses_until = None;
            return self.waits_to_claim(now);
        }
        let aloud = |view: &PlayerView| view.choices().no_heard == NoHeard::Both;
        let pauses = match self.settings.pause {
            BotPause::EachAttempt(_) => true,
            BotPause::Drawn(_) => !self.has_paused || self.view.as_ref().is_some_and(aloud),
        };
        if pauses {
            let pause = self.settings.pause.draw();
            let until = *self
                .pauses_until
                .get_or_insert_with(|| Instant::now() + pause);
            if until > Instant::now() {
                return Step::Wait(until);
            }
        }
        (self.has_paused, self.pauses_until) = (true, None);
        self.thinks_after = Some(self.heard);
        match (self.player.take(), self.view.clone()) {
            (Some(player), Some(view)) if self.refused < MAX_REFUSED => {
                let untold = std::mem::take(&mut self.untold);
                Step::Think(Box::new(Thought {
                    player,
                    view,
                    untold,
                    turn_begins: std::mem::take(&mut self.turn_begins),
                }))
            }
            _ => self.attempt(None),
        }
    }

    /// Sends the attempt that the player chose. Without an attempt, the bot resigns.
    pub(crate) fn attempt(&mut self, thought: Option<(Box<dyn Player>, Attempt)>) -> Step {
        let (player, attempt) = thought.unzip();
        self.player = player;
        let after = self.thinks_after.take().unwrap_or(self.heard);
        self.ask(ClientSays::Try {
            id: new_id(),
            game: self.game.clone(),
            after,
            text: attempt.unwrap_or(Attempt::Resign).to_string(),
        })
    }

    fn ask(&mut self, request: ClientSays) -> Step {
        self.request = Some(request.clone());
        Step::Say(request)
    }

    fn is_request(&self, id: &str) -> bool {
        matches!(&self.request, Some(ClientSays::Try { id: own, .. } | ClientSays::Act { id: own, .. }) if own == id)
    }

    /// Whether it is the bot's turn and all messages about the hearings so far have arrived.
    fn is_to_attempt(&self, color: Color) -> bool {
        let status = self.facts.as_ref().map(|facts| facts.status);
        status == Some(GameStatus::Running)
            && self.complete == self.heard
            && self.answered_by <= self.heard
            && self.view.as_ref().and_then(PlayerView::to_move) == Some(color)
    }

    /// Returns the acceptance of an offer of the opponent, or the claim of a game that the opponent
    /// has left.
    fn act(&self, color: Color, now: Millis) -> Option<TableAct> {
        let facts = self.facts.as_ref()?;
        if !self.settings.accepts_offers || self.acted_upon == self.facts {
            return None;
        }
        let offers = facts.offers.clone().unwrap_or_default();
        let asked = |by: Option<Side>| by == Some(Side::from(!color));
        match facts.status {
            GameStatus::Running if asked(offers.adjourn) => Some(TableAct::Adjourn),
            GameStatus::Adjourned if asked(offers.adjourn) => Some(TableAct::Resume),
            GameStatus::Over if asked(offers.rematch) => Some(TableAct::Rematch),
            GameStatus::Running => facts
                .claim_from
                .filter(|&from| now >= from)
                .map(|_| TableAct::ClaimWin),
            GameStatus::Adjourned | GameStatus::Over => None,
        }
    }

    fn waits_to_claim(&self, now: Millis) -> Step {
        let from = self.facts.as_ref().and_then(|facts| facts.claim_from);
        match from {
            Some(from) if self.settings.accepts_offers && from > now => {
                let span = Duration::from_millis((from - now).unsigned_abs() + 1);
                Step::Wait(Instant::now() + span)
            }
            Some(_) | None => Step::Listen,
        }
    }
}

/// Returns a random id for a request.
fn new_id() -> String {
    format!("{:016x}", rand::random::<u64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pause_is_drawn_anew_within_its_bounds() {
        let least = Duration::from_millis(300);
        let drawn: Vec<Duration> = (0..200).map(|_| BotPause::Drawn(least).draw()).collect();
        assert!(drawn.iter().all(|d| (least..=2 * least).contains(d)));
        let (shortest, longest) = (drawn.iter().min(), drawn.iter().max());
        assert!(shortest < Some(&(least * 5 / 4)) && longest > Some(&(least * 7 / 4)));
        assert_eq!(BotPause::Drawn(Duration::ZERO).draw(), Duration::ZERO);
        assert_eq!(BotPause::EachAttempt(least).draw(), least);
    }
}

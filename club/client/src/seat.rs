//! A bot's seat in one game: what the bot has heard, and what it does next. The seat asks its
//! *player*, the algorithm that chooses the bot's attempts.

use std::time::Duration;

use bots::{Dice, Player, SeatOpening, Seed, Simple};
use rules::{Announcement, Attempt, Choices, Heard, NoHeard, chess::Color};
use tokio::time::Instant;
use views::PlayerView;
use wire::{
    ClientSays, ClocksJson, GameJson, GameStatus, HearingJson, Millis, ParsedHeard, RefusalCode,
    Side, TableAct, TermsJson, TimeControlJson,
};

use crate::thought::{ForeThought, Pause, Stop, Thinker, Thought};

/// Number of the stream of random numbers for the bot's pauses. The bot's player uses stream 0.
const PAUSES: u64 = 1;

/// Number of the stream of random numbers for the stand-in: a simple player that makes an attempt
/// if the bot's player is too slow.
const STAND_IN: u64 = 2;

/// Seconds of a day.
const DAY: u32 = 24 * 3600;
/// The longest pause is the time on the bot's clock, divided by this number.
const CLOCK_PART: u32 = 40;

/// If a try was refused and only the bot heard this, the player has this time to choose the next
/// attempt of the turn. The bot does not pause before this attempt.
const NEXT_ATTEMPT: Duration = Duration::from_millis(100);

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
    /// Seed of each game's player and pauses. `None`, which is usual: a random seed for each game.
    pub seed: Option<u64>,
    /// Whether the bot reacts to offers. If so, it answers draw offers, and accepts offers to
    /// adjourn, to resume and to play a rematch. The bot also claims a game if the opponent is
    /// gone.
    pub accepts_offers: bool,
    /// Whether the bot thinks while the opponent is to move. The bot's pauses are the same with and
    /// without this setting, and its attempts do not depend on how long the opponent thinks.
    pub thinks_ahead: bool,
}

/// Pauses of a bot before its attempts.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum BotPause {
    /// The same pause before each attempt.
    EachAttempt(Duration),
    /// A random pause, from this time to twice this time, but at most 1/40 of the time on the bot's
    /// clock. If both players hear refusals, the bot pauses before each attempt. Otherwise the bot
    /// pauses only once in a turn. If the bot paused after each refusal, the duration of the turn
    /// would reveal how often the bot was refused.
    ///
    /// A pause is drawn before the player begins to think, and the player thinks during the pause.
    /// At the end of the pause the bot makes the attempt that the player has chosen. If the player
    /// has not chosen, the bot makes an attempt of [`Simple`]. So the time of an attempt does not
    /// depend on what the player knows, tries or computes. With a pause of zero, which is for
    /// tests, the bot waits for the player.
    Drawn(Duration),
}

impl BotPause {
    /// Returns the next pause. `clock` is the time on the bot's clock.
    fn draw(self, dice: &mut Dice, clock: Option<Duration>) -> Duration {
        match self {
            BotPause::EachAttempt(pause) => pause,
            BotPause::Drawn(least) => {
                let part = f64::from(dice.below(PARTS + 1)) / f64::from(PARTS);
                let pause = least.mul_f64(1.0 + part);
                clock.map_or(pause, |clock| pause.min(clock / CLOCK_PART))
            }
        }
    }

    /// Returns the first `count` pauses of a seat with this seed, in a game without clocks.
    pub fn first(self, seed: u64, count: usize) -> Vec<Duration> {
        let mut dice = pause_dice(seed);
        (0..count).map(|_| self.draw(&mut dice, None)).collect()
    }

    /// Whether an attempt is made at the end of the pause, even if the player still thinks.
    fn is_strict(self) -> bool {
        match self {
            BotPause::EachAttempt(_) => false,
            BotPause::Drawn(least) => !least.is_zero(),
        }
    }
}

/// Number of equal steps from the shortest to the longest random pause.
const PARTS: u32 = 1 << 16;

/// Returns the generator from which a seat with this seed draws its pauses.
fn pause_dice(seed: u64) -> Dice {
    Dice::new(Seed {
        seed,
        stream: PAUSES,
    })
}

/// Next step of a bot's seat.
pub(crate) enum Step {
    Say(ClientSays),
    /// Let the player choose its next attempt.
    Think(Box<Thought>),
    /// Let the player think while the opponent is to move.
    ThinkAhead(Box<ForeThought>),
    /// Wait until this time, or until a message comes.
    Wait(Instant),
    /// Wait until a message comes.
    Listen,
}

/// Player of a seat, or the reason why the seat does not have its player now.
enum PlayerState {
    Here(Box<dyn Player>),
    /// The player thinks. If the bot's pause has ended, the stand-in may already have made an
    /// attempt.
    Away,
    /// The player has panicked.
    Gone,
    /// The game is over. The player was dropped, because its memory can be large.
    Dropped,
}

/// A bot's seat in one game.
pub(crate) struct BotSeat {
    game: String,
    settings: BotSettings,
    player_state: PlayerState,
    /// Player that makes an attempt if the bot's player still thinks at the end of the pause.
    stand_in: Simple,
    dice: Dice,
    /// Number of turns that have begun, plus the number of attempts that the bot has made. This
    /// number identifies the attempt that is due now.
    asked: u32,
    /// The value of `asked` at the time when the player began to think. If `asked` is different
    /// now, the player's attempt is out of date.
    thinks_for: u32,
    /// Number of the newest hearing at the time when the player last began to think ahead.
    thought_ahead_after: u32,
    /// Stops the player if it thinks ahead.
    stop: Stop,
    /// The attempt that is made at the end of the pause.
    chosen: Option<Attempt>,
    /// Whether the player accepts a draw.
    accepts_draw: bool,
    /// Number of the newest hearing at the time when the bot last answered a draw offer.
    draw_answered_after: u32,
    /// The bot's clock, if the game has clocks.
    clock: Option<Duration>,
    /// Seconds at the start and after each move, if the game has clocks.
    time_control: Option<(u32, u32)>,
    /// Facts of the game, once they are known.
    facts: Option<Box<GameJson>>,
    /// Hearings that arrived before the facts.
    early: Vec<HearingJson>,
    /// Own colour and choices of the ruleset, once the facts are known.
    sits: Option<(Color, Choices)>,
    view: Option<PlayerView>,
    /// Heard items that were not passed to the player yet.
    not_passed_on: Vec<Heard>,
    /// Whether the player must still be told that a turn has begun.
    turn_begins: bool,
    /// Number of the last hearing.
    heard: u32,
    /// Number of the last complete hearing: all messages that belong to it have arrived.
    complete: u32,
    /// Number of the hearing that answers the last attempt.
    answered_by: u32,
    /// Unanswered request.
    request: Option<ClientSays>,
    /// Whether the unanswered request must be sent again.
    resends: bool,
    /// Number of attempts that the club refused since the last hearing.
    refused: u32,
    has_paused: bool,
    pause: Option<Pause>,
    /// The next request is sent at this time, or earlier if a message comes.
    holds_until: Option<Instant>,
    /// The facts that caused the bot's last act at the table. The bot acts only once for the same
    /// facts.
    acted_upon: Option<Box<GameJson>>,
}

impl BotSeat {
    /// Creates a seat. `seed` is the seed of the pauses and of the stand-in.
    pub(crate) fn new(
        game: String,
        mut player: Box<dyn Player>,
        settings: BotSettings,
        seed: u64,
    ) -> BotSeat {
        if settings.thinks_ahead {
            player.allow_thinking_ahead();
        }
        BotSeat {
            game,
            settings,
            player_state: PlayerState::Here(player),
            stand_in: Simple::new(Seed {
                seed,
                stream: STAND_IN,
            }),
            dice: pause_dice(seed),
            asked: 1,
            thinks_for: 0,
            thought_ahead_after: 0,
            stop: Stop::default(),
            chosen: None,
            accepts_draw: false,
            draw_answered_after: 0,
            clock: None,
            time_control: None,
            facts: None,
            early: Vec::new(),
            sits: None,
            view: None,
            not_passed_on: Vec::new(),
            turn_begins: true,
            heard: 0,
            complete: 0,
            answered_by: 0,
            request: None,
            resends: false,
            refused: 0,
            has_paused: false,
            pause: None,
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
            self.time_control = match game.terms.time {
                TimeControlJson::Fischer { initial, increment } => Some((initial, increment)),
                TimeControlJson::Plain { initial } => Some((initial, 0)),
                TimeControlJson::Days {
                    initial, increment, ..
                } => Some((initial * DAY, increment * DAY)),
                TimeControlJson::Unlimited {} => None,
            };
            for hearing in std::mem::take(&mut self.early) {
                self.hear(&hearing);
            }
        }
        self.read_clock(game.clocks);
        if game.status != GameStatus::Running {
            self.pause = None;
        }
        self.facts = Some(Box::new(game.clone()));
        if self.is_over() {
            self.stop.stop();
            self.player_state = PlayerState::Dropped;
            (self.view, self.not_passed_on) = (None, Vec::new());
        }
    }

    fn is_over(&self) -> bool {
        let facts = self.facts.as_ref();
        facts.is_some_and(|facts| facts.status == GameStatus::Over)
    }

    fn read_clock(&mut self, clocks: Option<ClocksJson>) {
        if let (Some((color, _)), Some(clocks)) = (self.sits, clocks) {
            let left = match color {
                Color::White => clocks.white,
                Color::Black => clocks.black,
            };
            self.clock = Some(Duration::from_millis(u64::try_from(left).unwrap_or(0)));
        }
    }

    /// Processes a hearing.
    pub(crate) fn hear(&mut self, hearing: &HearingJson) {
        let Some((color, choices)) = self.sits else {
            return self.early.push(hearing.clone());
        };
        self.heard = hearing.n;
        self.stop.stop();
        self.refused = 0;
        self.holds_until = None;
        if self.is_over() {
            return;
        }
        // An item that cannot be parsed is ignored. The bot's view may then differ from the game.
        // In this case the club refuses the bot's attempts.
        for item in hearing.heard.iter().flat_map(ParsedHeard::try_from) {
            match item.under(&choices) {
                ParsedHeard::Start(start) => {
                    if let PlayerState::Here(player) = &mut self.player_state {
                        player.open(&SeatOpening {
                            game: &self.game,
                            color,
                            start: &start,
                            choices: &choices,
                            clock: self.time_control,
                        });
                    }
                    self.view = Some(PlayerView::open(choices, color, &start))
                }
                ParsedHeard::Heard(heard) => {
                    self.view
                        .get_or_insert_with(|| PlayerView::initial(choices, color))
                        .hear(&heard);
                    if let Heard::Announced(Announcement::Turn { .. }) = heard {
                        (self.has_paused, self.turn_begins) = (false, true);
                        (self.chosen, self.pause) = (None, None);
                        self.asked += 1;
                    }
                    self.stand_in.hear(&heard);
                    self.not_passed_on.push(heard);
                }
            }
        }
        self.read_clock(hearing.clocks);
    }

    /// Whether the seat has heard anything.
    pub(crate) fn has_heard(&self) -> bool {
        self.heard > 0
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
            // The same request can be sent again without harm, because the club judges it only
            // once.
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
            // The request did not fit the facts of the game, which have changed meanwhile. The
            // server will soon send the new facts.
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
        if let Some(act) = self.act(color, now) {
            let (id, game) = (new_id(), self.game.clone());
            self.acted_upon = self.facts.clone();
            return self.ask(ClientSays::Act { id, game, act });
        }
        if let Some(answer) = self.draw_answer(color) {
            self.draw_answered_after = self.heard;
            return self.say(answer);
        }
        if !self.is_to_attempt(color) {
            if let Some(thought) = self.fore_thought(color) {
                return Step::ThinkAhead(Box::new(thought));
            }
            return self.waits_to_claim(now);
        }
        let (pause, strict) = (self.pause(), self.settings.pause.is_strict());
        if self.refused >= MAX_REFUSED || matches!(self.player_state, PlayerState::Gone) {
            self.chosen = Some(Attempt::Resign);
        }
        let time = Instant::now();
        let attempt = match (self.chosen, &self.view) {
            (Some(attempt), _) if time >= pause.from => attempt,
            (Some(_), _) => return Step::Wait(pause.from),
            (None, Some(view)) if strict && time >= pause.until => {
                self.stand_in.attempt(view, &view.tries())
            }
            (None, _) => {
                let thought = (self.thinks_for != self.asked).then(|| self.thought(pause));
                return match thought.flatten() {
                    Some(thought) => Step::Think(Box::new(thought)),
                    None if strict => Step::Wait(pause.until),
                    None => Step::Listen,
                };
            }
        };
        (self.has_paused, self.pause, self.chosen) = (true, None, None);
        self.asked += 1;
        self.say(attempt)
    }

    /// Returns the pause before the next attempt. Draws this pause if it has not begun.
    fn pause(&mut self) -> Pause {
        if let Some(pause) = self.pause {
            return pause;
        }
        let aloud = |view: &PlayerView| view.choices().no_heard == NoHeard::Both;
        let pauses = match self.settings.pause {
            BotPause::EachAttempt(_) => true,
            BotPause::Drawn(_) => !self.has_paused || self.view.as_ref().is_some_and(aloud),
        };
        let now = Instant::now();
        let pause = if pauses {
            let length = self.settings.pause.draw(&mut self.dice, self.clock);
            let until = now + length;
            Pause {
                from: until,
                until,
                length,
            }
        } else {
            Pause {
                from: now,
                until: now + NEXT_ATTEMPT,
                length: NEXT_ATTEMPT,
            }
        };
        *self.pause.insert(pause)
    }

    /// Returns what is needed to choose the next attempt; `None` if the seat does not have its
    /// player now.
    fn thought(&mut self, pause: Pause) -> Option<Thought> {
        let view = self.view.clone()?;
        let player = match std::mem::replace(&mut self.player_state, PlayerState::Away) {
            PlayerState::Here(player) => player,
            other @ (PlayerState::Away | PlayerState::Gone | PlayerState::Dropped) => {
                self.player_state = other;
                return None;
            }
        };
        self.thinks_for = self.asked;
        Some(Thought {
            player,
            view,
            not_passed_on: std::mem::take(&mut self.not_passed_on),
            turn_begins: std::mem::take(&mut self.turn_begins),
            pause: self.settings.pause.is_strict().then_some(pause),
            clock: self.clock,
        })
    }

    /// Returns what is needed to think while the opponent is to move; `None` if the player may not
    /// think now. The player thinks ahead at most once after each hearing.
    fn fore_thought(&mut self, color: Color) -> Option<ForeThought> {
        let running = self.facts.as_ref()?.status == GameStatus::Running;
        let waits = self.view.as_ref()?.to_move() == Some(!color) && self.complete == self.heard;
        let is_due = self.settings.thinks_ahead && self.thought_ahead_after < self.heard;
        if !(running && waits && is_due && matches!(self.player_state, PlayerState::Here(_))) {
            return None;
        }
        let view = self.view.clone()?;
        let PlayerState::Here(player) =
            std::mem::replace(&mut self.player_state, PlayerState::Away)
        else {
            return None;
        };
        self.thought_ahead_after = self.heard;
        self.stop = Stop::default();
        Some(ForeThought {
            player,
            view,
            not_passed_on: std::mem::take(&mut self.not_passed_on),
            stop: self.stop.clone(),
        })
    }

    /// Takes back the player that has thought. `thinker` is `None` if the player has panicked.
    pub(crate) fn has_thought(&mut self, thinker: Option<Thinker>) {
        if matches!(self.player_state, PlayerState::Dropped) {
            return;
        }
        let Some(thinker) = thinker else {
            self.player_state = PlayerState::Gone;
            return;
        };
        self.player_state = PlayerState::Here(thinker.player);
        self.accepts_draw = thinker.accepts_draw;
        if self.thinks_for == self.asked {
            self.chosen = thinker.attempt;
        }
        self.thinks_for = 0;
    }

    /// Returns the answer to a draw offer of the opponent. The bot answers at once, even while the
    /// player thinks, and even in the opponent's turn.
    fn draw_answer(&self, color: Color) -> Option<Attempt> {
        let running = self.facts.as_ref()?.status == GameStatus::Running;
        let offered = self.view.as_ref()?.draw_offer() == Some(!color);
        let answers = self.settings.accepts_offers && self.draw_answered_after < self.heard;
        (running && offered && answers).then_some(if self.accepts_draw {
            Attempt::AcceptDraw
        } else {
            Attempt::DeclineDraw
        })
    }

    /// Makes an attempt. The id of the request depends only on the game, on the last hearing and on
    /// the number of refusals since this hearing. Two programs may play this seat at the same time.
    /// Then their attempts have the same id, so the club judges only one of them, and both programs
    /// get its answer.
    fn say(&mut self, attempt: Attempt) -> Step {
        self.ask(ClientSays::Try {
            id: format!("{}-{}-{}", self.game, self.heard, self.refused),
            game: self.game.clone(),
            after: self.heard,
            text: attempt.to_string(),
            ask: false,
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

    /// Returns the act with which the bot accepts an offer of the opponent, or claims a game that
    /// the opponent has left; `None` if there is nothing to accept or to claim.
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
        let drawn = BotPause::Drawn(least).first(5, 200);
        assert!(drawn.iter().all(|d| (least..=2 * least).contains(d)));
        let (shortest, longest) = (drawn.iter().min(), drawn.iter().max());
        assert!(shortest < Some(&(least * 5 / 4)) && longest > Some(&(least * 7 / 4)));
        assert_eq!(BotPause::Drawn(least).first(5, 200), drawn);
        assert_ne!(BotPause::Drawn(least).first(6, 200), drawn);
        let none = Duration::ZERO;
        assert_eq!(BotPause::Drawn(none).first(5, 1), [none]);
        assert_eq!(BotPause::EachAttempt(least).first(5, 1), [least]);
    }

    #[test]
    fn pause_is_short_if_little_time_is_on_the_clock() {
        let mut dice = pause_dice(1);
        let pause = BotPause::Drawn(Duration::from_millis(300));
        let mut draw = |seconds| pause.draw(&mut dice, Some(Duration::from_secs(seconds)));
        assert!(draw(60) >= Duration::from_millis(300));
        assert_eq!(draw(2), Duration::from_millis(50));
        assert_eq!(draw(0), Duration::ZERO);
    }
}

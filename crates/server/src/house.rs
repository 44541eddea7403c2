//! The programs of the house: bots that can be challenged at once.
//!
//! Each is an account like any other and plays through the club's stub: its
//! view is a fold of what its seat hears.

use std::{collections::HashMap, sync::Arc, time::Duration};

use bots::{Bot, Player, Seed};
use club::{
    Account, AccountId, Club, ClubError, Code, GameFacts, GameId, Millis, RequestId, Status,
    TableAct, Told, ToldItem, request_id,
};
use rules::{Announcement, Attempt, Heard, Listener, NoHeard, Try, chess::Color};
use tokio::{
    sync::{Mutex, MutexGuard},
    task::JoinSet,
    time::{Instant, sleep, timeout},
};
use views::PlayerView;
use wire::RefusalCode;

use crate::refusal::Refusal;

/// How long a program stays after the end, for a rematch.
const STAYS: Duration = Duration::from_secs(15 * 60);

/// How often a program may be turned down in one turn before it gives up.
const PATIENCE: u32 = 100;

/// How long to wait when the club cannot do something now.
const PAUSE: Duration = Duration::from_secs(1);

/// The programs of the house.
#[derive(Clone)]
pub struct House(Arc<Inner>);

struct Inner {
    programs: Vec<(&'static Bot, Account)>,
    accepting: Mutex<()>,
    think: Duration,
}

impl House {
    /// Gives each program its account.
    ///
    /// A program whose name somebody has does not play.
    ///
    /// # Errors
    /// The club cannot keep it.
    pub async fn open(
        club: &Club,
        bots: &[&'static Bot],
        think: Duration,
    ) -> Result<House, ClubError> {
        let mut programs = Vec::new();
        for &bot in bots {
            match club.program(bot.name).await {
                Ok(account) => programs.push((bot, account)),
                Err(error) if error.code == Code::Taken => tracing::warn!(
                    program = bot.name,
                    "this program does not play here: somebody has an account of its name; to \
                     start without a warning name the others with --bots, or none"
                ),
                Err(error) => return Err(error),
            }
        }
        Ok(House(Arc::new(Inner {
            programs,
            accepting: Mutex::new(()),
            think,
        })))
    }

    /// The programs that play here.
    pub fn bots(&self) -> Vec<&'static Bot> {
        self.0.programs.iter().map(|(bot, _)| *bot).collect()
    }

    /// Whether that account is one of the programs.
    pub fn plays(&self, account: AccountId) -> bool {
        self.0.programs.iter().any(|(_, own)| own.id == account)
    }

    /// As long as this is held, nobody else accepts for the programs.
    pub async fn accepting(&self) -> MutexGuard<'_, ()> {
        self.0.accepting.lock().await
    }

    /// Accepts every challenge and plays every game, also those that were
    /// being played before; until dropped.
    pub async fn play(self, club: Club) {
        let mut all = JoinSet::new();
        for (bot, account) in self.0.programs.clone() {
            all.spawn(program(self.clone(), club.clone(), bot, account));
        }
        while all.join_next().await.is_some() {}
    }
}

/// Proves that a name is not one of a built-in program, whether it plays here
/// now or not.
///
/// # Errors
/// Says so.
pub fn check_not_ours(name: &str) -> Result<(), Refusal> {
    if bots::ALL.iter().any(|b| b.name.eq_ignore_ascii_case(name)) {
        return Err(Refusal::new(
            RefusalCode::Taken,
            "this name is kept for one of the club's own programs: choose another",
        ));
    }
    Ok(())
}

/// How long a program pauses: by lot, each time anew, so that the moments that
/// its attempts take are not to be read from the time of its turn.
fn drawn(think: Duration) -> Duration {
    think.mul_f64(1.0 + rand::random::<f64>())
}

/// One program: one task for it, and one more a game.
async fn program(house: House, club: Club, bot: &'static Bot, account: Account) {
    let mut lobby = club.lobby();
    let mut games: HashMap<GameId, ()> = HashMap::new();
    let mut playing: JoinSet<GameId> = JoinSet::new();
    loop {
        lobby.mark_unchanged();
        if let Ok(all) = accept_all(&house, &club, account.id).await {
            for game in all {
                if games.insert(game, ()).is_none() {
                    let seat = Seat::new(&house, &club, bot, account.id, game);
                    playing.spawn(async move {
                        seat.play().await;
                        game
                    });
                }
            }
        }
        tokio::select! {
            changed = lobby.changed() => if changed.is_err() { return },
            Some(done) = playing.join_next() => {
                if let Ok(game) = done {
                    games.remove(&game);
                }
            }
            // What could not be asked a moment ago is asked again.
            () = sleep(Duration::from_secs(10)) => {}
        }
    }
}

/// Accepts every challenge to a program; gives the games that it plays.
async fn accept_all(house: &House, club: &Club, own: AccountId) -> Result<Vec<GameId>, ClubError> {
    let accepting = house.accepting().await;
    let lobby = club.lobby_for(Some(own)).await?;
    let mut games: Vec<GameId> = lobby.mine.iter().map(|row| row.id).collect();
    for offer in lobby.challenges.iter().filter(|offer| !offer.yours) {
        match club.accept(&offer.id, own).await {
            Ok(game) => games.push(game),
            // Somebody took it back, or there are too many games.
            Err(error) if error.code == Code::TooMany => {
                let _gone = club.decline(&offer.id, own).await;
            }
            Err(_) => {}
        }
    }
    drop(accepting);
    Ok(games)
}

/// A name for a request that no other has.
fn new_request() -> RequestId {
    let name = format!("{:016x}", rand::random::<u64>());
    request_id(&name).expect("sixteen hexadecimal digits are a request's name")
}

/// A program's seat in one game.
struct Seat {
    club: Club,
    own: AccountId,
    game: GameId,
    think: Duration,
    /// Thinks elsewhere while it is away.
    player: Option<Box<dyn Player>>,
    view: Option<PlayerView>,
    /// What the player was not yet told.
    untold: Vec<Heard>,
    heard: u32,
    /// The number of what is heard upon its last attempt.
    answered_by: u32,
    turned_down: u32,
    /// Whether it has waited this turn already.
    has_paused: bool,
    facts: Option<Box<GameFacts>>,
    /// The facts upon which it did something.
    answered: Option<Box<GameFacts>>,
}

impl Seat {
    fn new(house: &House, club: &Club, bot: &Bot, own: AccountId, game: GameId) -> Seat {
        let seed = Seed {
            seed: rand::random(),
            stream: 0,
        };
        Seat {
            club: club.clone(),
            own,
            game,
            think: house.0.think,
            player: Some(bot.seat(seed)),
            view: None,
            untold: Vec::new(),
            heard: 0,
            answered_by: 0,
            turned_down: 0,
            has_paused: false,
            facts: None,
            answered: None,
        }
    }

    /// Plays until the game is over and nobody wants another.
    async fn play(mut self) {
        let Ok(mut listening) = self.club.listen(self.game, Some(self.own), 0).await else {
            return;
        };
        let (seat, choices) = (listening.seat(), *listening.choices());
        let color = match seat {
            Listener::White => Color::White,
            Listener::Black => Color::Black,
            Listener::Room => return,
        };
        let mut end = None;
        loop {
            if listening.is_idle() {
                self.answer_offers(color).await;
                if self.is_over() {
                    let end = *end.get_or_insert_with(|| Instant::now() + STAYS);
                    if Instant::now() >= end {
                        return;
                    }
                } else if self.is_my_turn(color) && self.heard >= self.answered_by {
                    self.attempt(color).await;
                }
            }
            let told = match self.waits() {
                Some(span) => match timeout(span, listening.next()).await {
                    Ok(told) => told,
                    Err(_) => continue,
                },
                None => listening.next().await,
            };
            match told {
                None => return,
                Some(Told::Facts(facts)) => self.facts = Some(facts),
                Some(Told::Hearing(hearing)) => {
                    self.heard = hearing.n;
                    self.turned_down = 0;
                    for item in hearing.heard.iter() {
                        self.hear(item, choices, color);
                    }
                }
            }
        }
    }

    fn hear(&mut self, item: &ToldItem, choices: rules::Choices, color: Color) {
        match item {
            ToldItem::Start(start) => self.view = Some(PlayerView::open(choices, color, start)),
            ToldItem::Heard(heard) => {
                self.view
                    .get_or_insert_with(|| PlayerView::initial(choices, color))
                    .hear(heard);
                if let Heard::Announced(Announcement::Turn { .. }) = heard {
                    self.has_paused = false;
                }
                self.untold.push(*heard);
            }
        }
    }

    fn is_over(&self) -> bool {
        self.facts
            .as_ref()
            .is_some_and(|facts| facts.standing.status == Status::Over)
            || self.view.as_ref().is_some_and(|v| v.over().is_some())
    }

    fn is_my_turn(&self, color: Color) -> bool {
        let adjourned = self
            .facts
            .as_ref()
            .is_some_and(|facts| facts.standing.status == Status::Adjourned);
        !adjourned && self.view.as_ref().and_then(PlayerView::to_move) == Some(color)
    }

    /// How long to wait for something to hear; `None` for as long as it takes.
    fn waits(&self) -> Option<Duration> {
        if self.is_over() {
            return Some(STAYS);
        }
        if self.turned_down > 0 {
            return Some(PAUSE);
        }
        let from = self.facts.as_ref()?.standing.claim_from?;
        let span = from.saturating_sub(self.club.now()).max(0) + 1;
        Some(Duration::from_millis(span.unsigned_abs()))
    }

    /// A program adjourns, goes on and plays again whenever it is asked, and
    /// claims a game that was left.
    async fn answer_offers(&mut self, color: Color) {
        let Some(facts) = self.facts.as_ref() else {
            return;
        };
        let standing = &facts.standing;
        let asked = |by: Option<Color>| by == Some(!color);
        let offers = standing.offers.unwrap_or_default();
        let gone = |from: Option<Millis>| from.is_some_and(|from| self.club.now() >= from);
        let act = match standing.status {
            Status::Running if asked(offers.adjourn) => TableAct::Adjourn,
            Status::Adjourned if asked(offers.adjourn) => TableAct::Resume,
            Status::Over if asked(offers.rematch) => TableAct::Rematch,
            Status::Running if gone(standing.claim_from) => TableAct::ClaimWin,
            Status::Running | Status::Adjourned | Status::Over => return,
        };
        if self.answered == self.facts {
            return;
        }
        match self.club.act(self.game, self.own, new_request(), act).await {
            // What came of it is told.
            Ok(_) => self.answered = self.facts.clone(),
            Err(_) => sleep(PAUSE).await,
        }
    }

    /// So that a person can follow: before each attempt where refusals are
    /// heard, else once a turn, or its time would tell how often it was
    /// refused.
    async fn pause(&mut self) {
        let aloud = self
            .view
            .as_ref()
            .is_some_and(|view| view.choices().no_heard == NoHeard::Both);
        if aloud || !std::mem::replace(&mut self.has_paused, true) {
            sleep(drawn(self.think)).await;
        }
    }

    async fn attempt(&mut self, color: Color) {
        self.pause().await;
        let Some(view) = self.view.as_ref().filter(|v| v.to_move() == Some(color)) else {
            return;
        };
        let view = view.clone();
        let attempt = if self.turned_down < PATIENCE {
            self.thought(view).await
        } else {
            Attempt::Resign
        };
        let request = new_request();
        let text = attempt.to_string();
        loop {
            let said = self
                .club
                .say(self.game, self.own, request.clone(), self.heard, &text)
                .await;
            match said {
                // The same request again is not judged twice.
                Err(error) if error.code == Code::Unavailable => sleep(PAUSE).await,
                Err(_) => {
                    self.turned_down += 1;
                    return;
                }
                Ok(said) => {
                    self.answered_by = said.n.unwrap_or(0);
                    return;
                }
            }
        }
    }

    /// What the player wants to try. It may think long, and must not keep
    /// others from being answered.
    async fn thought(&mut self, view: PlayerView) -> Attempt {
        let Some(mut player) = self.player.take() else {
            return Attempt::Resign;
        };
        let untold = std::mem::take(&mut self.untold);
        let thought = tokio::task::spawn_blocking(move || {
            if player.hears() {
                untold.iter().for_each(|heard| player.hear(heard));
            }
            let tries: Vec<Try> = view.tries();
            let attempt = player.attempt(&view, &tries);
            (player, attempt)
        });
        match thought.await {
            Ok((player, attempt)) => {
                self.player = Some(player);
                attempt
            }
            // A player who lost his mind has lost.
            Err(_) => Attempt::Resign,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_drawn_by_lot_each_time() {
        let think = Duration::from_millis(300);
        let drawn: Vec<Duration> = (0..200).map(|_| drawn(think)).collect();
        assert!(drawn.iter().all(|d| (think..=2 * think).contains(d)));
        let (least, most) = (drawn.iter().min(), drawn.iter().max());
        assert!(least < Some(&(think * 5 / 4)) && most > Some(&(think * 7 / 4)));
        assert_eq!(super::drawn(Duration::ZERO), Duration::ZERO);
    }

    #[test]
    fn names_of_programs_are_kept_for_them() {
        for name in ["sparring", "Sparring", "RANDOM"] {
            let refused = check_not_ours(name).unwrap_err();
            assert_eq!(refused.code, RefusalCode::Taken);
        }
        assert_eq!(check_not_ours("sparring2"), Ok(()));
    }
}

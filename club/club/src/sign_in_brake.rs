//! Limits how fast the password of one account can be guessed, from any number of networks.
//!
//! The first guesses for a name are checked immediately. Later guesses are checked one after
//! another. Each network that asks gets a turn: the time from which its next guess is checked. The
//! owner's network gets a turn too. So the owner can sign in after a wait, even while others guess.
//! A network from which the owner has signed in before never waits for other networks. Existing
//! sessions are not affected.
//!
//! Guesses are counted before the name is looked up. So guesses are also counted if no account has
//! the name.

use std::{collections::HashMap, net::IpAddr, sync::Mutex, time::Duration};

use tokio::time::Instant;

use crate::sync::lock;

/// Number of guesses for a name that are checked without a wait.
const FREE_GUESSES: u32 = 5;

/// Interval between two guesses for a name, after the first `FREE_GUESSES` guesses. After
/// two intervals of this length, each interval is twice the interval before it.
const FIRST_INTERVAL: Duration = Duration::from_secs(1);

/// Maximum number of times that the interval doubles.
const MOST_DOUBLINGS: u32 = 4;

/// For each period of this length without a guess, one counted guess is forgotten.
const FORGET_INTERVAL: Duration = Duration::from_secs(120);

/// If too many networks wait, a network can lose its turn (the time from which its next guess is
/// checked). It loses the turn if it makes no guess within `TURN_TIMEOUT` after that time.
const TURN_TIMEOUT: Duration = Duration::from_secs(600);

/// Maximum number of networks that wait for one name.
const MAX_TURNS: usize = 1000;

/// Maximum number of the owner's networks that are remembered for one name.
const MAX_OWN: usize = 16;

/// Guesses are counted for at most this many names.
const MAX_NAMES: usize = 20_000;

/// Counters of password guesses, by lower-case name.
#[derive(Debug, Default)]
pub(crate) struct SignInBrake(Mutex<HashMap<String, Name>>);

/// Guesses for one name.
#[derive(Debug)]
struct Name {
    strangers: Guesses,
    /// Guesses by network, only for known networks. A network is known if somebody there has signed
    /// in with the right password.
    own: HashMap<IpAddr, Guesses>,
}

/// Guesses for one name that wait for each other: the guesses from one known network, or the guesses
/// from all unknown networks together.
#[derive(Debug)]
struct Guesses {
    count: u32,
    last: Instant,
    /// Earliest time that another network can get as its turn.
    free: Instant,
    turns: HashMap<IpAddr, Instant>,
}

impl Guesses {
    fn new(now: Instant) -> Guesses {
        Guesses {
            count: 0,
            last: now,
            free: now,
            turns: HashMap::new(),
        }
    }

    fn forget(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.last).as_secs();
        let forgotten = passed / FORGET_INTERVAL.as_secs();
        if forgotten > 0 {
            let forgotten = u32::try_from(forgotten).unwrap_or(u32::MAX);
            self.count = self.count.saturating_sub(forgotten);
            self.last = now;
        }
    }

    fn interval(&self) -> Duration {
        let doublings = self.count.saturating_sub(FREE_GUESSES + 1);
        FIRST_INTERVAL * 2u32.pow(doublings.min(MOST_DOUBLINGS))
    }

    /// Gives a network a turn: the earliest free time that is not before `after`.
    fn give_turn(&mut self, from: IpAddr, after: Instant) -> Instant {
        let turn = self.free.max(after);
        if self.turns.len() >= MAX_TURNS {
            self.turns.retain(|_, turn| *turn + TURN_TIMEOUT > after);
        }
        if self.turns.len() < MAX_TURNS {
            self.free = turn + self.interval();
            self.turns.insert(from, turn);
        }
        turn
    }

    /// Allows the guess and counts it as wrong, if the turn of this network has come.
    fn admit(&mut self, from: IpAddr, now: Instant) -> Result<(), Duration> {
        self.forget(now);
        let turn = match self.turns.get(&from) {
            Some(turn) => *turn,
            None if self.count < FREE_GUESSES || self.free <= now => now,
            None => self.give_turn(from, now),
        };
        if turn > now {
            return Err(turn - now);
        }
        self.turns.remove(&from);
        self.last = now;
        self.count = (self.count + 1).min(FREE_GUESSES + 1 + MOST_DOUBLINGS);
        if self.count >= FREE_GUESSES {
            self.give_turn(from, now + self.interval());
        }
        Ok(())
    }

    /// Removes a guess from the count.
    fn take_back(&mut self, from: IpAddr) {
        self.count = self.count.saturating_sub(1);
        self.turns.remove(&from);
    }

    fn is_idle(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.last) > FORGET_INTERVAL * self.count
    }
}

impl Name {
    fn new(now: Instant) -> Name {
        Name {
            strangers: Guesses::new(now),
            own: HashMap::new(),
        }
    }

    fn guesses(&mut self, from: IpAddr) -> &mut Guesses {
        self.own.get_mut(&from).unwrap_or(&mut self.strangers)
    }
}

/// Returns the key of a name. Names that differ only in upper and lower case
/// have the same key.
fn key(name: &str) -> String {
    name.to_lowercase()
}

impl SignInBrake {
    /// Counts a guess as wrong before the password is checked. If the password is right, the caller
    /// must then call [`was_right`](Self::was_right). If the password cannot be checked, the caller
    /// must call [`take_back`](Self::take_back).
    ///
    /// # Errors
    /// If this guess must not be checked yet. The error is the time after which the next guess from
    /// that network is checked.
    pub(crate) fn admit(&self, name: &str, from: IpAddr) -> Result<(), Duration> {
        let now = Instant::now();
        let mut names = lock(&self.0);
        if names.len() >= MAX_NAMES {
            names.retain(|_, name| !name.own.is_empty() || !name.strangers.is_idle(now));
        }
        if names.len() >= MAX_NAMES {
            names.retain(|_, name| name.strangers.count >= FREE_GUESSES);
        }
        if names.len() >= MAX_NAMES {
            names.clear();
        }
        let name = names.entry(key(name)).or_insert_with(|| Name::new(now));
        name.guesses(from).admit(from, now)
    }

    /// Removes a guess from the count because the password could not be checked.
    pub(crate) fn take_back(&self, name: &str, from: IpAddr) {
        if let Some(name) = lock(&self.0).get_mut(&key(name)) {
            name.guesses(from).take_back(from);
        }
    }

    /// Removes a guess from the count because the password was right. From now on the network
    /// counts as a network of the owner.
    pub(crate) fn was_right(&self, name: &str, from: IpAddr) {
        self.take_back(name, from);
        let now = Instant::now();
        let mut names = lock(&self.0);
        let name = names.entry(key(name)).or_insert_with(|| Name::new(now));
        if name.own.len() >= MAX_OWN && !name.own.contains_key(&from) {
            let oldest = name.own.iter().min_by_key(|(_, guesses)| guesses.last);
            if let Some(oldest) = oldest.map(|(from, _)| *from) {
                name.own.remove(&oldest);
            }
        }
        name.own.entry(from).or_insert_with(|| Guesses::new(now));
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    fn at(n: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, n])
    }

    #[tokio::test(start_paused = true)]
    async fn guesses_are_counted_over_all_addresses() {
        let brake = SignInBrake::default();
        let admitted = |brake: &SignInBrake| {
            let guess = |n: u8| brake.admit("Anna", at(n % 10)).is_ok();
            (0..100).filter(|n| guess(*n)).count()
        };
        assert_eq!(admitted(&brake), 5);
        let mut in_an_hour = 0;
        for _ in 0..3600 {
            advance(Duration::from_secs(1)).await;
            in_an_hour += admitted(&brake);
        }
        // In the long run one guess every 16 s is checked (225 in an hour); at the beginning more
        // guesses are checked.
        assert!((200..=250).contains(&in_an_hour), "{in_an_hour}");
        assert!(
            brake.admit("ANNA", at(200)).is_err(),
            "ANNA and Anna are one name"
        );
        assert!(brake.admit("Bert", at(0)).is_ok(), "Bert is another name");
    }

    #[tokio::test(start_paused = true)]
    async fn the_owners_guess_is_checked_after_the_wait() {
        let brake = SignInBrake::default();
        let attack = || {
            for n in 0..100 {
                let _refused = brake.admit("Anna", at(n % 10));
            }
        };
        for _ in 0..600 {
            attack();
            advance(Duration::from_secs(1)).await;
        }
        let owner = at(100);
        let wait = brake
            .admit("Anna", owner)
            .expect_err("the guesses from other networks have used up the checks");
        assert!(wait <= Duration::from_secs(11 * 16), "{wait:?}");
        for _ in 0..=wait.as_secs() {
            attack();
            advance(Duration::from_secs(1)).await;
        }
        assert_eq!(brake.admit("Anna", owner), Ok(()));
        brake.was_right("Anna", owner);
        // From this network the owner never waits again, even while others guess.
        for _ in 0..100 {
            attack();
            assert_eq!(brake.admit("Anna", owner), Ok(()));
            brake.was_right("Anna", owner);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn wait_grows_with_each_wrong_guess() {
        let brake = SignInBrake::default();
        let mut waits = Vec::new();
        while waits.len() < 8 {
            match brake.admit("Anna", at(0)) {
                Ok(()) => {}
                Err(wait) => {
                    waits.push(wait.as_secs());
                    advance(wait).await;
                }
            }
        }
        assert_eq!(waits, [1, 1, 2, 4, 8, 16, 16, 16]);
        advance(Duration::from_secs(3600)).await;
        let free = (0..10).take_while(|_| brake.admit("Anna", at(0)).is_ok());
        assert_eq!(free.count(), 5, "guesses must be forgotten after an hour");
    }

    #[tokio::test(start_paused = true)]
    async fn number_of_counted_names_is_limited() {
        let brake = SignInBrake::default();
        for n in 0..=MAX_NAMES {
            assert!(brake.admit(&format!("name-{n}"), at(0)).is_ok());
        }
        assert!(lock(&brake.0).len() <= MAX_NAMES);
    }
}

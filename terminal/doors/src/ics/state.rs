//! People at this door: their messages to each other, and the numbers of games
//! and seeks at this door.

use std::{
    collections::{HashSet, VecDeque},
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use club::{Account, AccountId, Club, GameId, Millis, OfferId};
use limits::{Buckets, network};
use tokio::sync::mpsc;

use crate::base::{Closing, DoorLimits};

/// Capacity of a person's queue of unread notices.
const NOTICE_QUEUE_CAPACITY: usize = 256;
/// Maximum number of remembered games, and of remembered seeks.
const MAX_NUMBERS: usize = 10_000;
/// Period in which the new guests of an address are counted.
const GUEST_LIMIT_PERIOD: Duration = Duration::from_secs(3600);
/// Period in which the sign-ins of an address are counted.
const SIGN_IN_LIMIT_PERIOD: Duration = Duration::from_secs(60);
/// Maximum number of simultaneous consoles of one account.
const MAX_CONSOLES: usize = 4;

/// A line from one person to others.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Account of the sender. A reader may mute this account.
    pub from: AccountId,
    /// Kind of the line.
    pub what: NoticeKind,
    /// Text of the line.
    pub text: Arc<str>,
}

impl Notice {
    fn new(from: &Account, what: NoticeKind, text: &str) -> Notice {
        Notice {
            from: from.id,
            what,
            text: text.into(),
        }
    }
}

/// Kind of a notice.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum NoticeKind {
    /// Private line for one person.
    Tell,
    /// Line for everybody.
    Shout,
    /// News that a console of the sender's account has come or gone.
    Comes,
}

/// Person at this door, at one console.
#[derive(Clone, Debug)]
pub struct Person {
    /// Number of the person's console.
    pub console: u64,
    /// Account of the person.
    pub account: Account,
    /// Time of arrival.
    pub since: Millis,
    /// Number of the game that the person plays.
    pub plays: Option<u32>,
    notes: mpsc::Sender<Notice>,
}

/// Numbers of games or of seeks. A game or seek gets the next number when it is first mentioned.
/// The first number is 1. At most `most` numbers are remembered; the oldest is forgotten first.
struct Numbers<K> {
    keys: VecDeque<K>,
    forgotten: u32,
    most: usize,
}

impl<K> Default for Numbers<K> {
    fn default() -> Numbers<K> {
        Numbers {
            keys: VecDeque::new(),
            forgotten: 0,
            most: MAX_NUMBERS,
        }
    }
}

impl<K: Clone + Eq> Numbers<K> {
    fn of(&mut self, key: &K) -> u32 {
        let known = self.keys.iter().rposition(|known| known == key);
        let at = known.unwrap_or_else(|| {
            if self.keys.len() >= self.most {
                self.keys.pop_front();
                self.forgotten += 1;
            }
            self.keys.push_back(key.clone());
            self.keys.len() - 1
        });
        self.forgotten + at as u32 + 1
    }

    fn named(&self, number: u32) -> Option<K> {
        let at = number.checked_sub(self.forgotten + 1)?;
        self.keys.get(at as usize).cloned()
    }
}

#[derive(Default)]
struct Inside {
    people: Vec<Person>,
    last: u64,
    games: Numbers<GameId>,
    seeks: Numbers<OfferId>,
}

struct Shared {
    /// Counts of new guests (true) and of sign-ins (false), by network.
    asked: Buckets<(IpAddr, bool)>,
    club: Club,
    limits: DoorLimits,
    opened: Millis,
    inside: Mutex<Inside>,
    closing: Closing,
}

/// Whether a name begins with `word`. Returns false if `word` has fewer than three letters.
pub(super) fn begins_with(name: &str, word: &str) -> bool {
    let head = name.get(..word.len());
    word.len() > 2 && head.is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// Everybody at this door. All clones share one state.
#[derive(Clone)]
pub struct IcsState(Arc<Shared>);

impl IcsState {
    /// Creates the state of a door without people.
    pub fn new(club: Club, limits: DoorLimits, closing: Closing) -> IcsState {
        IcsState(Arc::new(Shared {
            asked: Buckets::default(),
            opened: club.now(),
            club,
            limits,
            inside: Mutex::default(),
            closing,
        }))
    }

    /// Returns the club.
    pub fn club(&self) -> &Club {
        &self.0.club
    }

    /// Returns the time at which this door opened.
    pub fn opened(&self) -> Millis {
        self.0.opened
    }

    /// Returns the signal that tells when this door closes.
    pub fn closing(&self) -> &Closing {
        &self.0.closing
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        // Each change is a single step, so the state is consistent after a
        // panic.
        self.0.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a person. Returns the number of the console and the receiver of its notices. If the
    /// account has too many consoles, its oldest console is closed. The connection of that console
    /// may be dead, and the person should not have to wait for its timeout.
    pub fn enter(&self, account: &Account) -> (u64, mpsc::Receiver<Notice>) {
        let (notes, read) = mpsc::channel(NOTICE_QUEUE_CAPACITY);
        let mut inside = self.inside();
        let same = |person: &&Person| person.account.id == account.id;
        if inside.people.iter().filter(same).count() >= MAX_CONSOLES
            && let Some(oldest) = inside.people.iter().position(|person| same(&person))
        {
            // The removal closes the notice queue of the oldest console. Then the session of this
            // console ends.
            inside.people.remove(oldest);
        }
        inside.last += 1;
        let console = inside.last;
        inside.people.push(Person {
            console,
            account: account.clone(),
            since: self.0.club.now(),
            plays: None,
            notes,
        });
        drop(inside);
        self.tell_coming(account, "has arrived");
        (console, read)
    }

    /// Removes a console.
    pub fn leave(&self, console: u64) {
        let mut inside = self.inside();
        let at = inside.people.iter().position(|p| p.console == console);
        let gone = at.map(|at| inside.people.remove(at));
        drop(inside);
        if let Some(person) = gone {
            self.tell_coming(&person.account, "has departed");
        }
    }

    fn tell_coming(&self, account: &Account, what: &str) {
        let text = format!("Notification: {} {what}.", account.name);
        self.spread(None, account, NoticeKind::Comes, &text);
    }

    /// Sets the number of the game that a person plays.
    pub fn plays(&self, console: u64, game: Option<u32>) {
        let mut inside = self.inside();
        if let Some(person) = inside.people.iter_mut().find(|p| p.console == console) {
            person.plays = game;
        }
    }

    /// Returns all people in the order of their arrival.
    pub fn people(&self) -> Vec<Person> {
        self.inside().people.clone()
    }

    /// Finds a person at this door by name. The beginning of a name is enough if only one name
    /// begins in this way.
    pub fn named(&self, name: &str) -> Option<Account> {
        let people = self.people();
        let same = |p: &&Person| p.account.name.eq_ignore_ascii_case(name);
        if let Some(person) = people.iter().find(same) {
            return Some(person.account.clone());
        }
        let begins = |p: &&Person| begins_with(&p.account.name, name);
        let found: HashSet<AccountId> =
            people.iter().filter(begins).map(|p| p.account.id).collect();
        let found = (found.len() == 1).then(|| people.iter().find(begins));
        found.flatten().map(|person| person.account.clone())
    }

    /// Sends a line to all consoles of one account. Returns the number of
    /// consoles that received the line.
    pub fn tell(&self, to: AccountId, from: &Account, text: &str) -> usize {
        let note = Notice::new(from, NoticeKind::Tell, text);
        let inside = self.inside();
        let theirs = inside.people.iter().filter(|p| p.account.id == to);
        theirs
            .filter(|p| p.notes.try_send(note.clone()).is_ok())
            .count()
    }

    /// Sends a line to everybody except the console of the sender. A shout is not sent to the
    /// players of running games that the sender has watched. Returns the number of consoles that
    /// were left out for this reason.
    pub fn spread(
        &self,
        console: Option<u64>,
        from: &Account,
        what: NoticeKind,
        text: &str,
    ) -> usize {
        let note = Notice::new(from, what, text);
        let mut left_out = 0;
        for person in self.people() {
            if Some(person.console) == console {
                continue;
            }
            if what == NoticeKind::Shout && self.0.club.watches_game_of(from.id, person.account.id)
            {
                left_out += 1;
                continue;
            }
            // A slow reader misses notices that do not fit into the queue.
            let _full = person.notes.try_send(note.clone());
        }
        left_out
    }

    /// Returns the number of a game at this door. A game gets its number when it is first mentioned
    /// at this door. So the numbers do not depend on events in games.
    pub fn number(&self, game: GameId) -> u32 {
        self.inside().games.of(&game)
    }

    /// Returns the game with this number.
    pub fn game(&self, number: u32) -> Option<GameId> {
        self.inside().games.named(number)
    }

    /// Returns the number of a seek at this door.
    pub fn seek_number(&self, seek: &OfferId) -> u32 {
        self.inside().seeks.of(seek)
    }

    /// Counts a new guest, or a sign-in, for an address. Returns whether the
    /// address is over its limit.
    pub fn is_too_many(&self, address: IpAddr, guest: bool) -> bool {
        let limits = self.0.limits;
        let (most, span) = if guest {
            (limits.guests, GUEST_LIMIT_PERIOD)
        } else {
            (limits.sign_ins, SIGN_IN_LIMIT_PERIOD)
        };
        let key = (network(address), guest);
        self.0.asked.count(key, most, span).is_err()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_number_is_forgotten_first() {
        let mut numbers = Numbers {
            most: 3,
            ..Numbers::default()
        };
        assert_eq!(
            ["a", "b", "a", "c"].map(|key| numbers.of(&key)),
            [1, 2, 1, 3]
        );
        assert_eq!(numbers.of(&"d"), 4);
        let named = |numbers: &Numbers<_>| [0, 1, 2, 3, 4, 5].map(|number| numbers.named(number));
        let (b, c, d) = (Some("b"), Some("c"), Some("d"));
        assert_eq!(named(&numbers), [None, None, b, c, d, None]);
        // A forgotten game gets a new number, and no number names another game later.
        assert_eq!(numbers.of(&"a"), 5);
        assert_eq!(named(&numbers), [None, None, None, c, d, Some("a")]);
    }
}

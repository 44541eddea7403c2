//! Checks that nothing leaks at a teletype. In both games of a pair, one seat
//! hears the same. The test checks that the console of this seat gets the same
//! bytes, including prompts and bells, at the same times in both games.
//!
//! The environment variable `KRIEGSPIEL_TELETYPE_PAIRS` sets the number of
//! pairs.

#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

#[path = "../teletype/script.rs"]
#[allow(dead_code, reason = "this test uses only a part of the file")]
mod script;
#[path = "../teletype/test_club.rs"]
#[allow(dead_code, reason = "this test uses only a part of the file")]
mod test_club;

use std::{env, sync::Arc, thread, time::Duration};

use club::{GameId, TimeControl, request_id};
use doors::teletype::{Settings, TODAY};
use notation::umpire_text;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use referee::{Event, Game};
use rules::{
    Attempt, Listener, Reason, Try,
    chess::{ByColor, Color, Role},
    rulesets,
};
use store::{
    Act, MemoryStore, NewAccount, Store,
    testing::{Late, Tapped, opened_game},
};
use testkit::pairs::{CUSTOM, Happening, Pair, Step, heard_by};
use tokio::{
    runtime::Builder,
    time::{Instant, sleep_until},
};
use views::PlayerView;

use crate::test_club::{Pieces, Sitter, TEST_START, TestClub};

/// Seed of the pairs. The pairs are the same in every run, and differ from the
/// pairs of other tests.
const SEED: u64 = 5;
/// Default number of pairs.
const USUAL: u64 = 120;
/// Duration of a step in milliseconds. ([`Played::at`] shortens the steps if the output has no
/// speed limit.) A step is long enough to print the longest output before the next line is typed.
const STEP: u64 = 12_000;
/// Half of the time that the store needs for an append.
const HALF_AN_APPEND: Duration = Duration::from_millis(5);

const GAME: GameId = GameId::from_chance(0x7e1e_7e1e_7e1e);

/// Returns the pair with this number, with a player as its listener. In each
/// group of four pairs, two use the ruleset `umpire`. The other two use
/// [`TODAY`]: `umpire` without the simplifications of 1965, with promotions to
/// all men and with recognised mates.
fn pair(number: u64) -> Pair {
    let listener = number % 2;
    if number % 4 < 2 {
        return pair_of_1965(number / 4 * 2 + listener);
    }
    let today = notation::read_ruleset(TODAY).unwrap();
    let listener = [Listener::White, Listener::Black][listener as usize];
    let made = |index| Pair::make_under(SEED, index, &today, listener);
    // Few random games end in mate or stalemate. Therefore two of twenty
    // numbers get a pair that ends in one of these ways.
    let mut late = (1..).map(|n| made(number * 1_000_000 + n));
    if [2, 7].contains(&(number % 20))
        && let Some(mated) = late.find(ends_in_mate)
    {
        return mated;
    }
    made(number)
}

fn ends_in_mate(pair: &Pair) -> bool {
    let mut game = Game::open(pair.opened[0].clone());
    for event in &pair.log(0)[1..] {
        game.apply(event);
    }
    let over = game.over();
    over.is_some_and(|over| matches!(over.reason, Reason::Checkmate | Reason::Stalemate))
}

fn pair_of_1965(number: u64) -> Pair {
    let all = rulesets::ALL.len() as u64;
    let umpire = rulesets::ALL.iter().position(|r| r.id == "umpire");
    let umpire = umpire.unwrap() as u64;
    // `Pair::make` takes the ruleset and the listener from the index. The first indices go
    // through all rulesets with White as the listener, the next with Black, and the next with a
    // spectator. Then White is the listener again.
    let turn = number / 2 * 3 + number % 2;
    let pair = Pair::make(SEED, turn * (all + CUSTOM) + umpire);
    assert_eq!(pair.rules(), "umpire");
    assert_ne!(pair.listener, Listener::Room);
    pair
}

/// Returns the speed limit of the output in the games of a pair, in characters per second.
fn cps(pair: &Pair) -> Option<u32> {
    (pair.index / 40).is_multiple_of(10).then_some(1000)
}

/// Returns the number by which the duration of a step is divided. If the output has no speed limit,
/// the whole game is played four times faster.
fn speed_of(cps: Option<u32>) -> u64 {
    if cps.is_none() { 4 } else { 1 }
}

/// Private lines. Only the console that typed such a line sees the answer.
const PRIVATE: [&str; 6] = ["relist", "", "instruction", "claim", "\u{3}", "k2 k9 k3"];

/// One game of a pair, played at two consoles.
struct Played<'a> {
    pair: &'a Pair,
    which: usize,
    test_club: TestClub,
    begun: Instant,
    ids: ByColor<club::AccountId>,
    /// Account of a spectator, whose messages differ between the two games.
    watcher: club::AccountId,
    keys: ByColor<String>,
    sitters: ByColor<Sitter>,
    /// The true game, known only to the test, which plays both sides.
    game: Game,
    /// Views of the players. The test needs the view of a player to know how this player would type a
    /// move.
    views: ByColor<PlayerView>,
    expected: Vec<Event>,
    /// Random numbers that are equal in both games of the pair.
    alike: ChaCha8Rng,
    /// Random numbers that differ between the two games.
    own: ChaCha8Rng,
    step: u64,
    says: u32,
    heard: Pieces,
    counts: Counts,
}

/// Counts of what happened in the games.
#[derive(Copy, Clone, Default, Debug)]
struct Counts {
    attempts: u64,
    private: u64,
    asked: u64,
    bytes: u64,
    /// Typed promotions that name the man.
    named: u64,
    /// Mates and stalemates in games without the simplifications of 1965.
    mates: u64,
    /// Messages of a spectator.
    written: u64,
}

impl Counts {
    fn add(&mut self, more: Counts) {
        self.attempts += more.attempts;
        self.private += more.private;
        self.asked += more.asked;
        self.bytes += more.bytes;
        self.named += more.named;
        self.mates += more.mates;
        self.written += more.written;
    }
}

async fn sit(test_club: &TestClub, color: Color, key: &str) -> Sitter {
    let who = if color.is_white() { 1 } else { 2 };
    let mut sitter = Sitter::call(test_club, who);
    sitter.line(&format!("join {key}")).await;
    sitter
}

impl<'a> Played<'a> {
    async fn open(pair: &'a Pair, which: usize) -> Played<'a> {
        let store = Arc::new(Tapped {
            store: MemoryStore::default(),
            around: Late(HALF_AN_APPEND),
        });
        let as_in_1965 = pair.rules() == "umpire";
        let settings = Settings {
            as_in_1965,
            cps: cps(pair),
        };
        let opened = pair.opened[which].clone();
        let mut ids = Vec::new();
        for name in ["Ada", "Bert", "Cleo"] {
            let new = NewAccount {
                name: name.to_owned(),
                kind: club::AccountKind::Guest,
                password: None,
                at: TEST_START,
            };
            let id = store.create_account(&new).await.unwrap();
            ids.push(id);
        }
        let watcher = ids[2];
        let ids = ByColor {
            white: ids[0],
            black: ids[1],
        };
        let mut game = opened_game(GAME, ids, &opened, TimeControl::Unlimited, TEST_START);
        if !as_in_1965 {
            game.terms.rules = "umpire".to_owned();
            game.terms.custom = Some(TODAY.to_owned());
        }
        store.create_game(0, &game).await.unwrap();
        let test_club = TestClub::over(Arc::clone(&store) as _, settings).await;
        let begun = Instant::now();
        let mut keys = Vec::new();
        for id in [ids.white, ids.black] {
            let key = test_club.club.begin_key(id).await;
            keys.push(key.unwrap().secret().to_owned());
        }
        let keys = ByColor {
            white: keys[0].clone(),
            black: keys[1].clone(),
        };
        let game = Game::open(opened);
        let view = |color: Color| {
            let mut view = PlayerView::open(*game.choices(), color, &game.start(color.into()));
            view.hear_calls(&game.opening_calls());
            view
        };
        let sitters = ByColor {
            white: sit(&test_club, Color::White, &keys.white).await,
            black: sit(&test_club, Color::Black, &keys.black).await,
        };
        Played {
            pair,
            which,
            begun,
            views: ByColor {
                white: view(Color::White),
                black: view(Color::Black),
            },
            expected: vec![game.opened_event()],
            game,
            ids,
            watcher,
            keys,
            sitters,
            test_club,
            alike: ChaCha8Rng::seed_from_u64(pair.index),
            own: ChaCha8Rng::seed_from_u64(2 * pair.index + which as u64),
            step: 0,
            says: 0,
            heard: Vec::new(),
            counts: Counts::default(),
        }
    }

    fn listener(&self) -> Color {
        self.pair.listener.color().unwrap()
    }

    /// Waits until `millis` milliseconds after the start of the step, divided by [`speed_of`].
    async fn at(&self, millis: u64) {
        let speed = speed_of(self.test_club.settings.cps);
        let at = Duration::from_micros((self.step * STEP + millis) * 1000 / speed);
        sleep_until(self.begun + at).await;
    }

    async fn play(mut self) -> (Pieces, Counts, Result<(), String>) {
        for step in &self.pair.steps {
            if self.game.over().is_some() {
                break;
            }
            self.step += 1;
            self.play_step(step).await;
        }
        self.step += 1;
        self.at(0).await;
        self.take();
        let over = self.game.over().map(|over| over.reason);
        let mated = matches!(over, Some(Reason::Checkmate | Reason::Stalemate));
        self.counts.mates += u64::from(mated);
        self.counts.bytes = self.heard.iter().map(|(_, b)| b.len() as u64).sum();
        let played = self.is_as_made().await;
        (self.heard, self.counts, played)
    }

    fn take(&mut self) {
        let listener = self.listener();
        let pieces = self.sitters.get(listener).take();
        self.heard.extend(pieces);
    }

    async fn play_step(&mut self, step: &Step) {
        let (me, other) = (self.listener(), self.listener().other());
        self.at(100).await;
        // Actions that the listener must not notice; they differ between the
        // two games.
        for n in 0..self.own.random_range(0..4) {
            self.at(100 + 50 * n).await;
            let line = *PRIVATE.choose(&mut self.own).unwrap();
            self.private(other, line).await;
        }
        if self.own.random_bool(0.2) {
            let text = format!("private attempts: {}", self.counts.attempts);
            let club = &self.test_club.club;
            let written = club.write(GAME, self.watcher, None, &text).await;
            self.counts.written += u64::from(written.is_ok());
        }
        let mut aloud = None;
        for &happening in &step.happenings[self.which] {
            let Ok(ruling) = happening.judged(&self.game) else {
                continue;
            };
            if !heard_by(self.pair.listener, &ruling.calls).is_empty() {
                aloud = Some(happening);
                break;
            }
            self.happen(happening).await;
        }
        // Lines that the listener types; they are the same in both games.
        for at in [400, 600] {
            self.at(at).await;
            if self.alike.random_bool(0.3) {
                let line = *PRIVATE.choose(&mut self.alike).unwrap();
                self.counts.asked += 1;
                self.private(me, line).await;
            }
        }
        if self.alike.random_bool(0.04) {
            self.come_back().await;
        }
        if self.alike.random_bool(0.05)
            && let Some(mover) = self.game.to_move()
        {
            self.at(7000).await;
            let line = if self.alike.random_bool(0.5) {
                "msg well"
            } else {
                "p-k4"
            };
            self.sitters.get_mut(mover).line(line).await;
        }
        self.at(8000).await;
        if let Some(happening) = aloud {
            self.happen(happening).await;
        }
        // Both players may type a line while the store is still writing, and
        // again afterwards.
        for (at, rarely) in [(8003, 0.1), (9500, 0.2)] {
            self.at(at).await;
            if self.game.over().is_none() && self.alike.random_bool(rarely) {
                self.private(me, "relist").await;
            }
            if self.game.over().is_none() && self.own.random_bool(rarely) {
                self.private(other, "relist").await;
            }
        }
    }

    /// Types a private line: only this console sees the answer.
    async fn private(&mut self, color: Color, line: &str) {
        // If this player is to move, both consoles would print the response to
        // this line.
        if line.starts_with("k2") && self.game.to_move() == Some(color) {
            return;
        }
        self.counts.private += 1;
        let sitter = self.sitters.get_mut(color);
        if line == "\u{3}" {
            sitter.send(&[3]).await;
        } else {
            sitter.line(line).await;
        }
    }

    /// Connects another console with the listener's key. In about half of the cases, the old
    /// connection is closed first.
    async fn come_back(&mut self) {
        let me = self.listener();
        self.at(700).await;
        self.take();
        let gone = self.alike.random_bool(0.5);
        if gone {
            self.sitters.get_mut(me).hang_up().await;
        }
        self.at(750).await;
        let key = self.keys.get(me).clone();
        let new = sit(&self.test_club, me, &key).await;
        let old = std::mem::replace(self.sitters.get_mut(me), new);
        self.at(900).await;
        self.heard.extend(old.take());
    }

    async fn happen(&mut self, happening: Happening) {
        let Ok(ruling) = happening.judged(&self.game) else {
            return;
        };
        let Happening::Asked(by, attempt) = happening else {
            return;
        };
        self.counts.attempts += 1;
        let mine = self.game.to_move() == Some(by);
        let line = mine.then(|| self.written(by, attempt)).flatten();
        if let Some(line) = &line
            && [" R", " B", " N"].iter().any(|man| line.ends_with(man))
        {
            self.counts.named += 1;
        }
        match line {
            Some(line) => self.sitters.get_mut(by).line(&line).await,
            // An attempt that cannot be typed at a teletype is sent to the club
            // directly.
            None => {
                self.says += 1;
                let id = request_id(&format!("says-{}", self.says)).unwrap();
                let (club, account) = (self.test_club.club.clone(), *self.ids.get(by));
                tokio::spawn(async move {
                    let n = club.seat_view(GAME, account).await.map_or(0, |seat| seat.n);
                    let _refused = club.say(GAME, account, id, n, &attempt.to_string()).await;
                });
            }
        }
        for view in [&mut self.views.white, &mut self.views.black] {
            view.hear_calls(&ruling.calls);
        }
        self.game.apply(&ruling.event);
        self.expected.push(ruling.event);
    }

    /// Returns an attempt as it is typed, or `None` if a teletype has no form
    /// for it.
    fn written(&self, by: Color, attempt: Attempt) -> Option<String> {
        let own = self.views.get(by).own();
        match attempt {
            // Under the rules without the simplifications, a third word names
            // the man; without a third word, the pawn becomes a queen.
            Attempt::Try(
                t @ Try::Step {
                    promotion: Some(role),
                    ..
                },
            ) if !self.test_club.settings.as_in_1965 => {
                let man = role.upper_char();
                Some(format!("{} {man}", umpire_text(t, own)))
            }
            Attempt::Try(
                t @ Try::Step {
                    promotion: None | Some(Role::Queen),
                    ..
                },
            ) => {
                // The line names no man. If the move is a promotion, the door assumes a queen. If
                // not, the door assumes no promotion. A try that differs from this cannot be typed.
                let due = own.is_promotion(t);
                let queen = matches!(
                    t,
                    Try::Step {
                        promotion: Some(_),
                        ..
                    }
                );
                (due == queen).then(|| umpire_text(t, own))
            }
            Attempt::Resign => Some("resign".to_owned()),
            Attempt::OfferDraw => Some("draw".to_owned()),
            Attempt::DeclineDraw | Attempt::WithdrawDraw => Some("no draw".to_owned()),
            Attempt::Try(_)
            | Attempt::Px { .. }
            | Attempt::Any
            | Attempt::Count
            | Attempt::Recap
            | Attempt::AcceptDraw => None,
        }
    }

    /// Checks that the log of the game contains the events of the pair.
    async fn is_as_made(&self) -> Result<(), String> {
        let finished = self.test_club.club.facts(GAME, None).await;
        finished.map_err(|error| error.to_string())?;
        let rows = self.rows().await;
        let expected: Vec<String> = self.expected.iter().map(ToString::to_string).collect();
        match rows.iter().zip(&expected).position(|(a, b)| a != b) {
            None if rows.len() == expected.len() => Ok(()),
            at => {
                let at = at.unwrap_or(rows.len().min(expected.len()));
                Err(format!(
                    "pair {}, game {}: event {at} is {:?} and should be {:?}",
                    self.pair.index,
                    self.which,
                    rows.get(at),
                    expected.get(at)
                ))
            }
        }
    }

    async fn rows(&self) -> Vec<String> {
        let rows = self.test_club.store.rows(GAME, 0).await.unwrap();
        let events = rows.iter().filter_map(|row| match &row.act {
            Act::Game(event) => Some(event.to_string()),
            Act::Table(_) => None,
        });
        events.collect()
    }
}

/// Plays one game of a pair, in its own paused time and its own club.
fn played(pair: &Pair, which: usize) -> (Pieces, Counts, Result<(), String>) {
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async { Played::open(pair, which).await.play().await })
}

/// Describes the first difference by which the listener could distinguish the
/// two games.
fn difference(pair: &Pair, one: &Pieces, other: &Pieces) -> Option<String> {
    let at = (0..one.len().max(other.len())).find(|&n| one.get(n) != other.get(n))?;
    let shown = |pieces: &Pieces| match pieces.get(at) {
        Some((at, bytes)) => format!("at {at} ms {:?}", String::from_utf8_lossy(bytes)),
        None => "nothing more".to_owned(),
    };
    let (index, listener) = (pair.index, pair.listener);
    // `at` is a time of the output, so it is counted in shortened steps.
    let step = [one, other].iter().find_map(|pieces| {
        let (at, _) = pieces.get(at)?;
        Some(u64::try_from(*at).ok()? * speed_of(cps(pair)) / STEP)
    });
    Some(format!(
        "pair {index}, listener {listener:?}, step {}\n  in one game {}\n  in the other {}",
        step.unwrap_or(0),
        shown(one),
        shown(other)
    ))
}

/// Plays both games of a pair and compares them.
fn compare(pair: &Pair, sum: &mut Counts) {
    let [one, other] = [0, 1].map(|which| played(pair, which));
    if let Some(difference) = difference(pair, &one.0, &other.0) {
        panic!("{difference}");
    }
    for (_, counts, played) in [one, other] {
        assert_eq!(
            played,
            Ok(()),
            "the game at the consoles must be the game of the pair"
        );
        sum.add(counts);
    }
}

#[test]
fn a_difference_names_the_step_in_which_it_was_printed() {
    for (number, speed) in [(3, 1), (43, 4)] {
        let pair = pair(number);
        assert_eq!(speed_of(cps(&pair)), speed, "pair {number}");
        let at = |step: u64| i64::try_from((step * STEP + 8003) / speed).unwrap();
        for step in [1, 7] {
            let one = vec![(at(0), b"a".to_vec()), (at(step), b"b".to_vec())];
            let other = one[..1].to_vec();
            let found = difference(&pair, &one, &other).unwrap();
            assert!(found.contains(&format!(", step {step}\n")), "{found}");
            let found = difference(&pair, &other, &one).unwrap();
            assert!(found.contains(&format!(", step {step}\n")), "{found}");
        }
    }
}

#[test]
fn equal_hearings_give_equal_teletype_bytes() {
    let wanted = match env::var("KRIEGSPIEL_TELETYPE_PAIRS") {
        Ok(n) => n.parse().unwrap(),
        Err(_) => USUAL,
    };
    let half = move |from: u64| {
        let mut sum = Counts::default();
        for number in (from..wanted).step_by(2) {
            compare(&pair(number), &mut sum);
        }
        sum
    };
    let [mut sum, more] = thread::scope(|scope| {
        let halves = [0, 1].map(|from| scope.spawn(move || half(from)));
        halves.map(|half| half.join().unwrap())
    });
    sum.add(more);
    println!("figure: pairs of games at teletypes {wanted}");
    println!("figure: attempts at teletypes {}", sum.attempts);
    println!(
        "figure: lines at teletypes that the other console does not hear {}",
        sum.private
    );
    println!("figure: bytes of teletypes compared {}", sum.bytes);
    println!(
        "figure: attempts at teletypes that name the man of a promotion {}",
        sum.named
    );
    println!(
        "figure: mates and stalemates announced at teletypes {}",
        sum.mates
    );
    println!("figure: messages of spectators {}", sum.written);
    assert!(sum.private > sum.attempts / 4 && sum.asked > 0);
    assert!(sum.written > wanted, "too few messages: {}", sum.written);
    assert!(
        sum.named > 0 && sum.mates > 0,
        "the pairs must contain promotions and mates under the rules of today"
    );
}

//! In `ks`, the program of one player is the host, and the program of the other player is the
//! guest. The test checks that nothing leaks to the guest's end. In both games of a pair, the
//! guest's player hears the same. The test checks that the guest gets the same messages in both
//! games. The raw bytes must come in pieces of the same lengths, at the same times.
//!
//! The environment variable `KRIEGSPIEL_KS_PAIRS` sets the number of pairs; the
//! default is 120.

use std::{env, sync::Arc, time::Duration};

use club::{AccountKind, Clock, Club, FinishedGame, Millis, Settings, TimeControl};
use doors::ks::{Channel, GameKey, GuestSays, HostSays, ServedSeat, Talk, Timeouts, pair, serve};
use referee::Game;
use rules::{
    Attempt,
    chess::{ByColor, Color},
    rulesets,
};
use store::{
    GameId, MemoryStore, NewAccount, Store,
    testing::{Late, Tapped, opened_game},
};
use testkit::pairs::{CUSTOM, Happening, Pair, heard_by};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
    runtime::Builder,
    sync::mpsc,
    time::{Instant, sleep_until},
};
use wire::{ClientSays, HeardJson, ServerSays};

use crate::quiet::Quiet;

pub const SEED: u64 = 5;
const TEST_START: Millis = 1_800_000_000_000;
const GAME: GameId = GameId::from_chance(0x6b73);

/// Everything that came to the guest's end in one game.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Came {
    /// For each read: its time in milliseconds since the start of the game, and
    /// its number of bytes.
    pub raw: Vec<(u128, usize)>,
    /// Messages, each with the number of its step.
    pub said: Vec<(usize, String)>,
    /// Number of attempts of the host's player that the guest did not hear.
    pub whispers: usize,
    /// Number of messages that the host's player has written.
    pub written: usize,
    /// The record of the game, which came after its end.
    pub whole: String,
}

impl Came {
    /// Describes the first difference by which the two games can be
    /// distinguished.
    pub fn difference(&self, other: &Came) -> Option<String> {
        let mut said = self.said.iter().zip(&other.said);
        if let Some((a, b)) = said.find(|(a, b)| a != b) {
            return Some(format!("{a:?} and {b:?}"));
        }
        let mut raw = self.raw.iter().zip(&other.raw);
        if let Some((a, b)) = raw.find(|(a, b)| a != b) {
            return Some(format!("bytes {a:?} and {b:?}"));
        }
        let counts = |came: &Came| (came.said.len(), came.raw.len());
        let (a, b) = (counts(self), counts(other));
        (a != b).then(|| format!("counts {a:?} and {b:?}"))
    }
}

/// Clock with the game's own paused time.
struct Paused(Instant);

impl Clock for Paused {
    fn now(&self) -> Millis {
        TEST_START + i64::try_from(self.0.elapsed().as_millis()).unwrap()
    }
}

/// Copies bytes in both directions. For the direction from `near` to `far`, also reports the time
/// and the length of each piece.
async fn carry(
    near: DuplexStream,
    far: DuplexStream,
    begun: Instant,
    raw: mpsc::UnboundedSender<(u128, usize)>,
) {
    let (mut near_reads, mut near_writes) = tokio::io::split(near);
    let (mut far_reads, mut far_writes) = tokio::io::split(far);
    let there = async {
        let mut bytes = [0; 8192];
        while let Ok(n @ 1..) = near_reads.read(&mut bytes).await {
            let _closing = raw.send((begun.elapsed().as_millis(), n));
            if far_writes.write_all(&bytes[..n]).await.is_err() {
                return;
            }
        }
    };
    let back = async {
        let mut bytes = [0; 8192];
        while let Ok(n @ 1..) = far_reads.read(&mut bytes).await {
            if near_writes.write_all(&bytes[..n]).await.is_err() {
                return;
            }
        }
    };
    tokio::join!(there, back);
}

struct Table<'a> {
    pair: &'a Pair,
    which: usize,
    seat: Color,
    begun: Instant,
    guest: Channel<HostSays, GuestSays>,
    own: Channel<HostSays, GuestSays>,
    /// Numbers of the last hearings of the guest and of the host's player.
    heard: (u32, u32),
    asked: u32,
    /// Whether the guest has heard that the game is over.
    over: bool,
    came: Came,
}

/// Half of the time that the store needs for an append.
const HALF_AN_APPEND: Duration = Duration::from_millis(5);

/// Plays one game of a pair, and checks that nothing is logged. Returns what came to the
/// guest's end.
pub fn played(pair: &Pair, which: usize) -> Came {
    let quiet = Quiet::begin();
    let came = came(pair, which);
    quiet.check();
    came
}

fn came(pair: &Pair, which: usize) -> Came {
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let begun = Instant::now();
        let seat = pair.listener.color().unwrap();
        let store = Arc::new(Tapped {
            store: MemoryStore::default(),
            around: Late(HALF_AN_APPEND),
        });
        let settings = Settings {
            seed: Some(1),
            ..Settings::cheap()
        };
        let players = make(&*store, pair, which).await;
        let club = Club::open(store.clone(), Arc::new(Paused(begun)), settings);
        let club = club.await.unwrap();
        let talk = Talk::default();
        let at = |color| ServedSeat {
            club: club.clone(),
            game: GAME,
            account: *players.get(color),
            color,
            talk: talk.clone(),
            // This record contains the full log. If a byte of the record came too early, the test
            // would fail.
            writer: Arc::new(|game: &FinishedGame| format!("{:?}", game.log)),
        };
        let key: GameKey = "abcde-fghij-kmnpq-rstuv".parse().unwrap();
        let (host_end, near) = duplex(64 * 1024);
        let (far, guest_end) = duplex(64 * 1024);
        let (to_raw, mut raw) = mpsc::unbounded_channel();
        tokio::spawn(carry(near, far, begun, to_raw));
        let (host, guest) = tokio::join!(
            Channel::answer(host_end, &key, Timeouts::default()),
            Channel::call(guest_end, &key, Timeouts::default())
        );
        let (mut host, guest) = (host.unwrap(), guest.unwrap());
        let guests = at(seat);
        tokio::spawn(async move { serve(&guests, &mut host).await });
        let (own, mut far) = pair_of_lines();
        let hers = at(seat.other());
        tokio::spawn(async move { serve(&hers, &mut far).await });
        let mut table = Table {
            pair,
            which,
            seat,
            begun,
            guest,
            own,
            heard: (0, 0),
            asked: 0,
            over: false,
            came: Came::default(),
        };
        table.play().await;
        while let Ok(piece) = raw.try_recv() {
            table.came.raw.push(piece);
        }
        // The messages after the end are not compared, because then everybody may see everything.
        table.end().await;
        table.came
    })
}

fn pair_of_lines() -> (Channel<HostSays, GuestSays>, Channel<GuestSays, HostSays>) {
    pair()
}

async fn make(store: &dyn Store, pair: &Pair, which: usize) -> ByColor<store::AccountId> {
    let mut ids = Vec::new();
    for name in ["Ada", "Bert"] {
        let new = NewAccount {
            name: name.to_owned(),
            kind: AccountKind::Guest,
            password: None,
            at: TEST_START,
        };
        ids.push(store.create_account(&new).await.unwrap());
    }
    let players = ByColor {
        white: ids[0],
        black: ids[1],
    };
    let opened = &pair.opened[which];
    let game = opened_game(GAME, players, opened, TimeControl::Unlimited, TEST_START);
    store.create_game(0, &game).await.unwrap();
    players
}

impl Table<'_> {
    async fn play(&mut self) {
        for line in [&self.guest, &self.own] {
            let game = GAME.to_string();
            line.say(ClientSays::Watch { game, after: 0 });
        }
        self.until(0, 900).await;
        let mut game = Game::open(self.pair.opened[self.which].clone());
        // These games have no clock, so nobody's time can run out. Both games of a pair end before a
        // step in which it would.
        let is_asked = |happening: &Happening| matches!(happening, Happening::Asked(..));
        let steps = self.pair.steps.iter();
        let steps = steps.take_while(|step| step.happenings.iter().flatten().all(is_asked));
        for (n, step) in steps.enumerate() {
            let step_number = n + 1;
            let mut at = 100;
            if self.writes(step_number) {
                self.until(step_number, 50).await;
                let text = format!("message {step_number}");
                self.own.say(GuestSays::Say { text: text.clone() });
                self.guest.say(GuestSays::Say { text });
                self.came.written += 1;
            }
            for &happening in &step.happenings[self.which] {
                let Ok(ruling) = happening.judged(&game) else {
                    continue;
                };
                let Happening::Asked(by, attempt) = happening else {
                    continue;
                };
                game.apply(&ruling.event);
                let silent = heard_by(self.pair.listener, &ruling.calls).is_empty();
                if silent {
                    self.came.whispers += 1;
                    self.until(step_number, at).await;
                    at += 20;
                } else {
                    self.until(step_number, 500).await;
                    self.guest.say(ClientSays::Ping {});
                    self.until(step_number, 600).await;
                    // A guest that asks for the record during the game gets
                    // nothing.
                    if !self.over {
                        self.guest.say(GuestSays::Score {});
                        self.until(step_number, 700).await;
                    }
                }
                self.ask(by, attempt);
            }
            self.until(step_number, 950).await;
        }
    }

    /// Whether both players write a message in this step. The messages of both games are the same,
    /// and come before the private attempts of the step.
    fn writes(&self, step: usize) -> bool {
        self.pair.index.is_multiple_of(2) && step % 3 == 1
    }

    /// Ends the game if it is still running; then the guest asks for the
    /// record.
    async fn end(&mut self) {
        let step = self.pair.steps.len() + 1;
        assert_eq!(
            self.came.whole, "",
            "the record must not come before the end"
        );
        self.ask(self.seat.other(), Attempt::Resign);
        let said = self.came.said.len();
        self.until(step, 500).await;
        assert!(
            self.over,
            "the guest must have heard the end: {:?}",
            self.came.said.last()
        );
        self.guest.say(GuestSays::Score {});
        self.until(step, 900).await;
        self.came.said.truncate(said);
    }

    fn ask(&mut self, by: Color, attempt: Attempt) {
        let (line, after, id) = if by == self.seat {
            self.asked += 1;
            (&self.guest, self.heard.0, format!("guest-{}", self.asked))
        } else {
            (&self.own, self.heard.1, format!("host-{}", rand_id()))
        };
        line.say(ClientSays::Try {
            id,
            game: GAME.to_string(),
            after,
            text: attempt.to_string(),
            ask: false,
        });
    }

    /// Waits until this time of a step, and collects the messages that come
    /// meanwhile.
    async fn until(&mut self, step: usize, millis: u64) {
        let at = self.begun + Duration::from_millis(step as u64 * 1000 + millis);
        loop {
            tokio::select! {
                biased;
                said = self.guest.next() => {
                    let said = said.unwrap();
                    match &said {
                        HostSays::Game(ServerSays::Heard { hearing, .. }) => {
                            self.heard.0 = hearing.n;
                            let over = |h: &HeardJson| matches!(h, HeardJson::Over { .. });
                            self.over |= hearing.heard.iter().any(over);
                        }
                        HostSays::Score { text, .. } => self.came.whole.push_str(text),
                        _ => {}
                    }
                    let text = serde_json::to_string(&said).unwrap();
                    self.came.said.push((step, text));
                }
                said = self.own.next() => {
                    if let HostSays::Game(ServerSays::Heard { hearing, .. }) = said.unwrap() {
                        self.heard.1 = hearing.n;
                    }
                }
                () = sleep_until(at) => return,
            }
        }
    }
}

/// Returns a new number for the ids of requests of the host's player. The guest
/// never sees these ids.
fn rand_id() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Returns the pairs that have a player as the listener and a ruleset of `ks`.
pub fn pairs() -> impl Iterator<Item = Pair> {
    // `Pair::make` takes the ruleset and the listener from the index of the
    // pair.
    let turns = rulesets::ALL.len() as u64 + CUSTOM;
    let place = move |index: &u64| rulesets::ALL.get((index % turns) as usize);
    let plays = move |index: &u64| place(index).is_some_and(|r| r.id.starts_with("ks"));
    let makes = |index| Pair::make(SEED, index);
    let fits = |pair: &Pair| pair.listener.color().is_some() && pair.rules().starts_with("ks");
    (0..).filter(plays).map(makes).filter(fits)
}

#[test]
fn equal_hearings_give_equal_bytes_to_the_guest() {
    let wanted = match env::var("KRIEGSPIEL_KS_PAIRS") {
        Ok(n) => n.parse().unwrap(),
        Err(_) => 120,
    };
    let (mut whispered, mut bytes, mut said, mut truths) = (0, 0, 0, 0);
    let (mut written, mut read) = (0, 0);
    for pair in pairs().take(wanted) {
        let [one, other] = [0, 1].map(|which| played(&pair, which));
        if let Some(difference) = one.difference(&other) {
            panic!("pair {} ({}): {difference}", pair.index, pair.rules());
        }
        whispered += usize::from(one.whispers + other.whispers > 0);
        bytes += one.raw.iter().map(|(_, n)| n).sum::<usize>();
        said += one.said.len();
        written += one.written;
        let is_message = |(_, text): &&(usize, String)| text.contains("message ");
        read += one.said.iter().filter(is_message).count();
        truths += usize::from(one.whole != other.whole);
    }
    println!("figure: pairs of games of ks {wanted}");
    println!("figure: pairs with private attempts {whispered}");
    println!("figure: bytes compared {bytes}");
    println!("figure: messages compared {said}");
    println!("figure: texts of the players compared {read}");
    assert!(read > wanted && read <= written, "{read} of {written}");
    assert!(
        2 * whispered >= wanted,
        "too few private attempts: {whispered}"
    );
    assert!(said > 10 * wanted, "too few messages: {said}");
    // After the end each game sends its own full record.
    assert!(2 * truths >= wanted, "too few records differ: {truths}");
}

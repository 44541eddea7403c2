//! The server is killed at any point of a game at the door for chess clients. Every
//! answered move is in the game exactly once, and no clock counts a long outage.

use std::{
    convert::Infallible,
    env,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    club_process::ClubProcess,
    person::{Board, Dead, Person},
    running::{Folder, plain},
};

/// Moves of each side, which nothing blocks. The positions repeat, but this does not end the game:
/// the ruleset `ks` has no threefold rule and no fifty-move rule.
const MOVES: [[&str; 2]; 2] = [["g1f3", "f3g1"], ["g8f6", "f6g8"]];
/// Text that the door prints after a move of White and of Black.
const TURNS: [&str; 2] = ["Black's move.", "White's move."];
const NAMES: [&str; 2] = ["Anna", "Bert"];
/// Refused tries of White and of Black: pawn captures without a man to capture.
const REFUSED: [&str; 2] = ["e2d3", "e7d6"];
/// Increment per move, in milliseconds.
const INCREMENT: i64 = 5_000;
/// Longest time between two heartbeats of the club, in milliseconds.
const HEARTBEAT: i64 = 500;
/// Duration of a long outage. Two heartbeats of a running club are never so far apart.
const LONG: Duration = Duration::from_millis(2_500);

fn number(name: &str, otherwise: u64) -> u64 {
    let given = env::var(name).ok();
    given.map_or(otherwise, |text| text.parse().unwrap())
}

/// The game as its two players know it.
struct Game {
    /// Number of answered moves.
    answered: usize,
    /// Whether one more move was sent, which has no answer yet.
    sent: bool,
    /// The last board that was seen, and the time just before the request for it.
    last: Option<(Board, Instant)>,
    /// Number of unanswered moves that were not stored, and number of unanswered moves
    /// that were stored.
    found: [usize; 2],
}

impl Game {
    /// Returns the move to make after the answered moves.
    fn next(&self) -> &'static str {
        MOVES[self.answered % 2][self.answered / 2 % 2]
    }

    /// Checks that both players, after coming back, see every answered move. A sent move without an
    /// answer may be in the game, too.
    fn is_back(&mut self, boards: [Board; 2], away: Duration, asked: Instant) {
        let [white, black] = boards;
        assert_eq!(
            white.plies, black.plies,
            "both boards must have the same number of moves"
        );
        let more = white.plies.checked_sub(self.answered);
        let stored = match (more, self.sent) {
            (Some(0), _) => false,
            (Some(1), true) => true,
            _ => panic!("{} moves, {} answered", white.plies, self.answered),
        };
        if self.sent {
            self.found[usize::from(stored)] += 1;
        }
        self.answered = white.plies;
        self.sent = false;
        let places = [
            [white.ranks[7].clone(), white.ranks[5].clone()],
            [black.ranks[0].clone(), black.ranks[2].clone()],
        ];
        for (color, [home, away]) in places.iter().enumerate() {
            let moves = (self.answered + 1 - color) / 2;
            let is_out = moves % 2 == 1;
            assert_eq!(home[6..7] == *"-", is_out, "{home} after {moves}");
            assert_eq!(away[5..6] != *"-", is_out, "{away} after {moves}");
        }
        if let Some((before, at)) = &self.last {
            // The first move of each side has no increment.
            let moves = white.plies.max(2) - before.plies.max(2);
            let lost = before.left - white.left + INCREMENT * i64::try_from(moves).unwrap();
            let passed = asked.duration_since(*at).as_millis() as i64;
            let away = if away >= LONG {
                away.as_millis() as i64
            } else {
                0
            };
            // The credit for an outage, which may be short, begins at the last heartbeat of the club.
            // The last board may have been read after this heartbeat. Then the credit also contains
            // the time from the heartbeat to the board. The clock on the board had already counted
            // this time.
            // The club counts in whole milliseconds, so the difference may be one millisecond.
            assert!(
                (-HEARTBEAT..=passed + 1 - away).contains(&lost),
                "lost {lost} of {passed} ms, in {away} of which no club was up"
            );
        }
    }

    /// Plays until the connection is dead.
    fn play(&mut self, people: &mut [Person; 2], dice: &mut StdRng) -> Result<Infallible, Dead> {
        loop {
            thread::sleep(Duration::from_millis(dice.random_range(0..20)));
            let (mover, other) = (self.answered % 2, 1 - self.answered % 2);
            if dice.random_ratio(1, 6) {
                let refused = REFUSED[mover];
                people[mover].types(refused);
                people[mover].finds(&format!("Illegal move ({refused})."))?;
            }
            let at = Instant::now();
            self.sent = true;
            people[mover].types(self.next());
            let answer = people[mover].finds(TURNS[mover])?;
            self.answered += 1;
            self.sent = false;
            self.last = Board::last(&answer).map(|board| (board, at));
            people[other].finds(TURNS[mover])?;
        }
    }
}

#[test]
fn the_server_is_killed_and_every_answered_move_is_there_once() {
    let kills = number("KRIEGSPIEL_LINE_KILLS", 8);
    let seed = number("KRIEGSPIEL_SEED", rand::random::<u32>().into());
    println!("KRIEGSPIEL_SEED={seed}");
    let mut dice = StdRng::seed_from_u64(seed);
    let folder = Folder::new();
    let mut game = Game {
        answered: 0,
        sent: false,
        last: None,
        found: [0; 2],
    };
    let mut dead_since = None::<Instant>;
    for kill in 0..=kills {
        let long = kill % 4 == 2;
        if long {
            thread::sleep(LONG);
        }
        let away = dead_since.map_or(Duration::ZERO, |dead| dead.elapsed());
        let club = ClubProcess::open(&folder, &[], "127.0.0.1", &[]);
        if kill == 0 {
            NAMES.iter().for_each(|name| club.account(name));
        }
        let mut people = NAMES.map(|_| Person::call(&club.ics));
        for (person, name) in people.iter_mut().zip(NAMES) {
            person.signs_in(name).unwrap();
        }
        if kill == 0 {
            people[0].types("match Bert 30 5 ks white");
            people[1].hears("Challenge: Anna");
            people[1].types("accept");
            for person in &mut people {
                person.hears("Creating unrated wild/16 match.}");
            }
        }
        let boards = people.each_mut().map(|person| person.board().unwrap());
        game.is_back(boards, away, Instant::now());
        if kill == kills {
            people[0].types("resign");
            people[1].hears("Anna resigns} 0-1");
            break;
        }
        let (id, wait) = (club.id(), dice.random_range(0..250_000));
        let killer = thread::spawn(move || {
            thread::sleep(Duration::from_micros(wait));
            let pid = Pid::from_raw(i32::try_from(id).unwrap()).unwrap();
            kill_process(pid, Signal::KILL).unwrap();
        });
        let Err(Dead) = game.play(&mut people, &mut dice);
        killer.join().unwrap();
        club.kill();
        dead_since = Some(Instant::now());
    }
    println!("figure: kills {kills}");
    println!("figure: moves answered {}", game.answered);
    let [lost, stored] = game.found;
    println!("figure: moves without an answer that are not in the game {lost}");
    println!("figure: moves without an answer that are in the game {stored}");
    assert_eq!(moves_kept(&folder), expected(game.answered));
}

/// Returns the expected moves in notation, in order.
fn expected(moves: usize) -> Vec<String> {
    let knights = [["Nf3", "Ng1"], ["Nf6", "Ng8"]];
    (0..moves)
        .map(|n| knights[n % 2][n / 2 % 2].to_owned())
        .collect()
}

/// Returns the moves of the club's only game, from its file.
fn moves_kept(folder: &Folder) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut command);
    command.args(["store", "export", "--pgn", "--data"]);
    let done = command.arg(folder.file()).output().unwrap();
    let pgn = String::from_utf8(done.stdout).unwrap();
    let moves: String = pgn.lines().filter(|line| !line.starts_with('[')).collect();
    let mut depth = 0;
    let plain: String = moves
        .chars()
        .filter(|c| {
            match c {
                '{' | '(' => depth += 1,
                '}' | ')' => depth -= 1,
                _ => return depth == 0,
            }
            false
        })
        .collect();
    let words = plain.split([' ', '.']).filter(|word| word.starts_with('N'));
    words.map(str::to_owned).collect()
}

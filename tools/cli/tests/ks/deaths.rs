//! An end (the program `ks` of one player) is killed at any point, and started again with the
//! same command. The game continues, and every move is played exactly once.

use std::{
    env, thread,
    time::{Duration, Instant},
};

use doors::ks::{GuestState, HostState, StateFile};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use crate::{
    ends::{End, LONG, Pair},
    journal::{heard, own_moves, waits, whole_game},
};

/// Moves of each side. The men of the two sides never meet, so every move is legal.
const MOVES: [[&str; 2]; 2] = [["g1f3", "f3g1"], ["g8f6", "f6g8"]];

struct Side {
    name: &'static str,
    opponent: &'static str,
    options: &'static [&'static str],
    end: End,
}

impl Side {
    fn start(
        pair: &Pair,
        name: &'static str,
        opponent: &'static str,
        options: &'static [&'static str],
    ) -> Side {
        let end = End::start(pair.command(name, options, opponent));
        Side {
            name,
            opponent,
            options,
            end,
        }
    }

    /// Kills the end and starts the same command again.
    fn dies(&mut self, pair: &Pair) {
        let command = pair.command(self.name, self.options, self.opponent);
        self.end.child.kill().unwrap();
        self.end.child.wait().unwrap();
        self.end = End::start(command);
    }

    /// Waits until the end has its seat in the game.
    fn sits(&mut self) {
        self.end.hears("You play ");
    }
}

/// Point at which an end is killed.
#[derive(Copy, Clone, Debug)]
enum When {
    /// This number of milliseconds after the move of the player was typed.
    After(u64),
    /// When the journal contains the request, just after the request was sent.
    Asked,
    /// When the journal contains the answer.
    Answered,
}

fn until(what: &str, side: &Side, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        let late = begun.elapsed() > LONG;
        assert!(!late, "{what}: {}", side.end.all().join("\n"));
        thread::sleep(Duration::from_millis(5));
    }
}

/// Plays a number of moves of each side. Before each move, `choose_kill` decides
/// whether an end is killed, which end, and when.
fn play(
    seed: u64,
    moves: usize,
    mut choose_kill: impl FnMut(&mut StdRng, usize) -> Option<(usize, When)>,
) {
    let mut rng = StdRng::seed_from_u64(seed);
    let pair = Pair::new();
    let anna = Side::start(&pair, "anna", "bert", &["-dw"]);
    let mut sides = [anna, Side::start(&pair, "bert", "anna", &["-d"])];
    let kept = [pair.kept("anna", "bert"), pair.kept("bert", "anna")];
    let expected = |side: usize, n: usize| MOVES[side][n % 2].to_owned();
    for ply in 0..2 * moves {
        let (mover, n) = (ply % 2, ply / 2);
        // The player to move can move when both ends have heard all earlier moves.
        for side in 0..2 {
            let turns = || {
                heard(&kept[side])
                    .iter()
                    .filter(|h| matches!(h, wire::HeardJson::Turn { .. }))
                    .count()
            };
            until("their turn", &sides[side], || turns() > ply);
        }
        let death = choose_kill(&mut rng, ply);
        sides[mover].end.types(&expected(mover, n));
        if let Some((who, when)) = death {
            match when {
                When::After(millis) => thread::sleep(Duration::from_millis(millis)),
                When::Asked => until("asked", &sides[mover], || {
                    waits(&kept[mover]) || own_moves(&kept[mover]).len() > n
                }),
                When::Answered => until("answered", &sides[mover], || {
                    own_moves(&kept[mover]).len() > n
                }),
            }
            sides[who].dies(&pair);
            // A move that is not in the journal was never sent, so it is typed again.
            sides[who].sits();
            if who == mover && !waits(&kept[mover]) && own_moves(&kept[mover]).len() == n {
                sides[mover].end.types(&expected(mover, n));
            }
        }
        until("the move", &sides[mover], || {
            own_moves(&kept[mover]).len() > n
        });
    }
    for (side, kept) in kept.iter().enumerate() {
        let all: Vec<String> = (0..moves).map(|n| expected(side, n)).collect();
        assert_eq!(own_moves(kept), all);
    }
    // Both ends were started at almost the same time, so either of them can be the host.
    let is_guest = |side: &usize| {
        let state: StateFile<HostState> = StateFile::open(kept[*side].join("host.json")).unwrap();
        state.value().game.is_none()
    };
    let guest = (0..2).find(is_guest).unwrap();
    sides[0].end.types("resign");
    // The guest is killed while the record of the game is being sent to it.
    until("the end", &sides[guest], || {
        let over = |h: &wire::HeardJson| matches!(h, wire::HeardJson::Over { .. });
        heard(&kept[guest]).iter().any(over)
    });
    let side = &mut sides[guest];
    side.end.child.kill().unwrap();
    side.end.child.wait().unwrap();
    let state: StateFile<GuestState> = StateFile::open(kept[guest].join("guest.json")).unwrap();
    // If the stored state still has the game, the guest does not have the record yet. The restarted
    // guest gets the record from the host, and ends. If the stored state has no game, the guest had
    // the record before the kill. Then the restarted guest may call the host for another game, so
    // the test does not wait for its end.
    let again = state.value().game.is_some();
    let command = pair.command(side.name, side.options, side.opponent);
    side.end = End::start(command);
    let ends = sides.into_iter().enumerate();
    let (ends, _calls): (Vec<_>, Vec<_>) = ends.partition(|(side, _)| again || *side != guest);
    for (_, side) in ends {
        let (status, said) = side.end.ends();
        assert!(status.success(), "{said:?}");
        assert!(
            said.iter().any(|line| line.contains("White resigns")),
            "{said:?}"
        );
    }
    for kept in &kept {
        assert!(whole_game(kept).contains("[Result \"0-1\"]"));
    }
}

#[test]
fn game_continues_after_kills_at_chosen_points() {
    let points = [
        When::After(0),
        When::Asked,
        When::Answered,
        When::After(1),
        When::After(30),
    ];
    let plan: Vec<_> = points
        .into_iter()
        .flat_map(|when| [(0, when), (1, when)])
        .collect();
    // Each end is killed at each of these points twice: once at its own move, and once at
    // the opponent's move.
    let moves = plan.len();
    play(1, moves, |_, ply| {
        plan.get(ply / 2)
            .map(|(who, when)| ((who + ply) % 2, *when))
    });
}

/// `KRIEGSPIEL_KS_KILLS` sets the number of kills (8 by default).
#[test]
fn game_continues_after_kills_at_random_points() {
    let kills = match env::var("KRIEGSPIEL_KS_KILLS") {
        Ok(n) => n.parse().unwrap(),
        Err(_) => 8,
    };
    let mut left = kills;
    play(2, kills, |rng, _| {
        if left == 0 || rng.random_bool(0.4) {
            return None;
        }
        left -= 1;
        let millis = rng.random_range(0..60);
        Some((rng.random_range(0..2), When::After(millis)))
    });
    println!("figure: ends of ks killed {}", kills - left);
}

/// An end is killed during the coin toss. Afterwards both ends play the same game.
#[test]
fn both_ends_meet_after_a_kill_at_the_beginning() {
    for millis in [0, 30, 90] {
        for who in 0..2 {
            let pair = Pair::new();
            let anna = Side::start(&pair, "anna", "bert", &["-d"]);
            let mut sides = [anna, Side::start(&pair, "bert", "anna", &["-d", "-s"])];
            thread::sleep(Duration::from_millis(millis));
            sides[who].dies(&pair);
            // Both ends run until both have heard the start of the game.
            let games = sides.each_mut().map(|side| side.end.hears("You play "));
            let whites = games.iter().filter(|line| line.contains("White")).count();
            assert_eq!(whites, 1, "{games:?}");
        }
    }
}

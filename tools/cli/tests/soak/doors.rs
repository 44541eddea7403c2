//! People at the doors: two at the door for chess clients, two at teletypes, two at `ks`. Each
//! pair plays one game, in which only knights move. The pair records which moves were answered.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    thread::sleep,
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};

use crate::{
    ends::End,
    ground::{Ground, Span, lock},
    ks_journal::{own_moves, waits},
    person::{Board, Dead, Person},
    running::{Folder, journal::INCREMENT, plain},
};

/// Accounts at the door for chess clients.
pub const ICS: [&str; 2] = ["Ilse", "Ivan"];
/// Accounts of `ks`.
pub const KS: [&str; 2] = ["kate", "karl"];
/// Moves of each side. The men of the two sides never meet, so every move is legal.
const MOVES: [[&str; 2]; 2] = [["g1f3", "f3g1"], ["g8f6", "f6g8"]];
/// The same moves at a teletype.
const TELETYPE_MOVES: [&str; 2] = ["kn1 kb3", "kb3 kn1"];
/// Text at the door for chess clients after a move of White and of Black.
const ICS_TURNS: [&str; 2] = ["Black's move.", "White's move."];
/// Text at a teletype after a move of White and of Black.
const TELETYPE_TURNS: [&str; 2] = ["(BLACK TO MOVE)", "(WHITE TO MOVE)"];
/// Prompt of the teletype.
const ASKS: &str = "****\u{7}\u{7}";
/// Time without an answer after which a person checks whether the move is in the game.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(8);
/// Bounds of the time before a move, in milliseconds.
const THINKS: (u64, u64) = (50, 300);
/// Pause of the players of `ks` after a move.
const KS_THINKS: Duration = Duration::from_millis(500);
/// Pause between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(50);

/// Returns the moves of a game with this number of plies.
pub fn moves(plies: usize) -> Vec<String> {
    let text = |ply: usize| MOVES[ply % 2][ply / 2 % 2].to_owned();
    (0..plies).map(text).collect()
}

/// The moves of a game, as its two players know them.
#[derive(Debug, Default)]
pub struct DoorMoves {
    /// Number of answered moves.
    pub answered: usize,
    /// Whether one more move was sent, which has no answer yet.
    in_doubt: bool,
    /// Faults that were found.
    pub faults: Vec<String>,
}

impl DoorMoves {
    /// Compares the number of moves in the game with the answered moves. If the sent move is in the
    /// game, it becomes an answered move.
    fn is_back(&mut self, who: &str, plies: usize) {
        let more = plies.checked_sub(self.answered);
        if !matches!((more, self.in_doubt), (Some(0), _) | (Some(1), true)) {
            let (answered, sent) = (self.answered, self.in_doubt);
            let why = format!("{who}: {plies} moves, {answered} answered, one more sent: {sent}");
            self.faults.push(why);
        }
        self.answered = plies;
        self.in_doubt = false;
    }
}

/// Waits until a club is open. Returns false at the end of the run.
fn open(ground: &Ground) -> bool {
    while !ground.is_up() && !ground.is_over() {
        sleep(PAUSE);
    }
    !ground.is_over()
}

fn thinks(dice: &mut StdRng) {
    let span = dice.random_range(THINKS.0..THINKS.1);
    sleep(Duration::from_millis(span));
}

/// Connects both players of a pair. If the club does not answer in time, the players connect again
/// later.
fn call(port: u16) -> Result<[Person; 2], Dead> {
    let call = || {
        let mut person = Person::try_call(&port.to_string()).map_err(|_| Dead)?;
        person.gives_up = true;
        Ok(person)
    };
    Ok([call()?, call()?])
}

/// Connects both players of a pair for the first time.
fn call_first(port: u16) -> [Person; 2] {
    [(); 2].map(|()| Person::call(&port.to_string()))
}

/// Begins the game at the door for chess clients.
pub fn begin_ics(port: u16) -> Result<(), Dead> {
    let mut people = ics_sign_in(call_first(port))?;
    let [white, black] = &mut people;
    white.types(&format!("match {} 30 5 ks white", ICS[1]));
    black.finds(&format!("Challenge: {}", ICS[0]))?;
    black.types("accept");
    for person in &mut people {
        person.finds("Creating unrated wild/16 match.}")?;
    }
    Ok(())
}

fn ics_sign_in(mut people: [Person; 2]) -> Result<[Person; 2], Dead> {
    for (person, name) in people.iter_mut().zip(ICS) {
        person.signs_in(name)?;
    }
    Ok(people)
}

/// Plays at the door for chess clients until the end of the run.
pub fn play_ics(ground: &Arc<Ground>, port: u16, seed: u64) -> DoorMoves {
    let mut dice = StdRng::seed_from_u64(seed);
    let mut known = DoorMoves::default();
    let mut last: Option<(Board, Instant)> = None;
    while open(ground) {
        let Err(Dead) = ics_session(ground, port, &mut known, &mut last, &mut dice) else {
            break;
        };
        ground.count("connections at the door for chess clients");
        sleep(PAUSE);
    }
    known
}

fn ics_session(
    ground: &Ground,
    port: u16,
    known: &mut DoorMoves,
    last: &mut Option<(Board, Instant)>,
    dice: &mut StdRng,
) -> Result<(), Dead> {
    let mut people = ics_sign_in(call(port)?)?;
    let [white, black] = &mut people;
    let boards = [white.board()?, black.board()?];
    let until = Instant::now();
    known.is_back("the door for chess clients", boards[0].plies);
    if boards[0].plies != boards[1].plies {
        known.faults.push(format!("two boards: {boards:?}"));
    }
    if let Some((before, from)) = last.take() {
        let moved = i64::try_from(boards[1].plies - before.plies).unwrap();
        let lost = before.left - boards[1].left + INCREMENT * moved;
        let span = Span { from, until };
        let most = lock(&ground.timeline).chargeable(span);
        // The club counts in whole milliseconds, so a difference of two milliseconds is no fault.
        if lost > most.as_millis() as i64 + 2 {
            let why = format!("the door for chess clients: lost {lost} ms of {most:?}");
            known.faults.push(why);
        }
        ground.count("clocks read at the door for chess clients");
    }
    while !ground.is_over() {
        thinks(dice);
        let mover = known.answered % 2;
        let text = MOVES[mover][known.answered / 2 % 2];
        let sent = Instant::now();
        known.in_doubt = true;
        people[mover].types(text);
        let Some(answer) = people[mover].finds_within(ANSWER_TIMEOUT, ICS_TURNS[mover])? else {
            return Err(Dead);
        };
        known.answered += 1;
        known.in_doubt = false;
        *last = Board::last(&answer).map(|board| (board, sent));
        people[1 - mover].finds(ICS_TURNS[mover])?;
        ground.count("moves at the door for chess clients");
    }
    Ok(())
}

/// Begins the game of two teletypes. Returns the keys with which White and Black can join the
/// game again.
pub fn begin_teletypes(port: u16) -> Result<[String; 2], Dead> {
    let [mut white, mut black] = call_first(port);
    white.finds(ASKS)?;
    white.types("n");
    white.finds("WAITING FOR THE OTHER TELETYPE")?;
    black.finds(ASKS)?;
    black.types("n");
    white.finds(ASKS)?;
    white.types("y");
    let mut keys = [String::new(), String::new()];
    let mut people = [white, black];
    for (person, key) in people.iter_mut().zip(&mut keys) {
        let told = person.finds("KEEP")?;
        let (_, rest) = told.split_once("YOUR KEY IS ").ok_or(Dead)?;
        *key = rest.split_whitespace().next().ok_or(Dead)?.to_owned();
        // From now on, the game continues even if a player leaves.
        person.finds("(WHITE TO MOVE)")?;
    }
    Ok(keys)
}

/// Plays at two teletypes until the end of the run.
pub fn play_teletypes(ground: &Arc<Ground>, port: u16, keys: &[String; 2], seed: u64) -> DoorMoves {
    let mut dice = StdRng::seed_from_u64(seed);
    let mut known = DoorMoves::default();
    while open(ground) {
        let Err(Dead) = teletype_session(ground, port, keys, &mut known, &mut dice) else {
            break;
        };
        ground.count("connections at teletypes");
        sleep(PAUSE);
    }
    known
}

fn teletype_session(
    ground: &Ground,
    port: u16,
    keys: &[String; 2],
    known: &mut DoorMoves,
    dice: &mut StdRng,
) -> Result<(), Dead> {
    let mut people = call(port)?;
    let mut to_move = 0;
    for (person, key) in people.iter_mut().zip(keys) {
        person.finds(ASKS)?;
        person.types(&format!("join {key}"));
        person.finds("YOU ARE BACK.")?;
        let state = person.finds(" TO MOVE)")?;
        to_move = usize::from(state.ends_with("(BLACK TO MOVE)"));
    }
    // A teletype does not number the moves. The side to move shows whether the last move is in the
    // game.
    let more = usize::from(to_move != known.answered % 2);
    known.is_back("teletypes", known.answered + more);
    while !ground.is_over() {
        thinks(dice);
        let mover = known.answered % 2;
        people[mover].finds(ASKS)?;
        known.in_doubt = true;
        people[mover].types(TELETYPE_MOVES[known.answered / 2 % 2]);
        let turn = TELETYPE_TURNS[mover];
        if people[mover].finds_within(ANSWER_TIMEOUT, turn)?.is_none() {
            return Err(Dead);
        }
        known.answered += 1;
        known.in_doubt = false;
        people[1 - mover].finds(turn)?;
        ground.count("moves at teletypes");
    }
    Ok(())
}

/// Two players of `ks` who meet at the club. The process of each player is called an end.
pub struct KsPair {
    url: String,
    folder: Folder,
    tokens: [String; 2],
    ends: [End; 2],
}

impl KsPair {
    pub fn begin(port: u16, tokens: [String; 2]) -> KsPair {
        let url = format!("http://127.0.0.1:{port}");
        let folder = Folder::new();
        let start = |seat| End::start(ks_command(&url, &folder, &tokens, seat));
        let mut ends = [start(0), start(1)];
        for end in &mut ends {
            end.hears("You play ");
        }
        KsPair {
            url,
            folder,
            tokens,
            ends,
        }
    }

    /// Returns the folder in which a player's end stores its state.
    fn kept(&self, seat: usize) -> PathBuf {
        let (_, club) = self.url.split_once("//").unwrap_or_default();
        let clubs = self.folder.path().join("-clubs");
        let own = clubs.join(club.replace(':', "_")).join(KS[seat]);
        own.join(KS[1 - seat])
    }

    /// Plays until the run is over, and sometimes kills the process of a player. Returns the moves
    /// in the journals of both players.
    pub fn play(mut self, ground: &Ground, seed: u64) -> [Vec<String>; 2] {
        let mut dice = StdRng::seed_from_u64(seed);
        let mut ply = 0;
        while open(ground) {
            let (mover, n) = (ply % 2, ply / 2);
            let kept = self.kept(mover);
            if dice.random_ratio(1, 20) {
                self.kill(dice.random_range(0..2));
                ground.count("kills of an end of ks");
            }
            if is_answered(&kept, n) {
                ply += 1;
                ground.count("moves of ks");
                sleep(KS_THINKS);
                continue;
            }
            if !waits(&kept) {
                self.ends[mover].types(MOVES[mover][n % 2]);
            }
            let begun = Instant::now();
            while !is_answered(&kept, n) && begun.elapsed() < ANSWER_TIMEOUT {
                sleep(PAUSE);
            }
        }
        [0, 1].map(|seat| own_moves(&self.kept(seat)))
    }

    fn kill(&mut self, seat: usize) {
        let end = &mut self.ends[seat];
        end.child.kill().unwrap();
        end.child.wait().unwrap();
        *end = End::start(ks_command(&self.url, &self.folder, &self.tokens, seat));
    }
}

fn is_answered(kept: &Path, n: usize) -> bool {
    own_moves(kept).len() > n
}

/// Returns the command of an end. The end with seat 0 plays White.
fn ks_command(url: &str, folder: &Folder, tokens: &[String; 2], seat: usize) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut command);
    let options = ["-dw", "-d"][seat];
    let opponent = KS[1 - seat];
    command
        .env("KRIEGSPIEL_TOKEN", &tokens[seat])
        .env("KRIEGSPIEL_KS_STATE", folder.path())
        .args(["ks", "--url", url, options, opponent]);
    command
}

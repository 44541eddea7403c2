//! Problems with proofs. A problem asks whether there is a forced mate. This crate holds the shipped
//! problems, converts a problem to a question for the solver, proves the solver's verdicts with the
//! referee alone ([`certificate`]), and defends against a player who sees less ([`defender`]). [`lesson`] has the lessons for newcomers.
//!
//! This crate knows nothing about clubs and stores.

pub mod certificate;
pub mod certify;
pub mod defender;
pub mod lesson;

use std::{
    fmt::Write,
    io::{BufRead, BufReader, Read},
};

use belief::{Belief, Origin, Report, Settings, Situation, Unheard, Watch};
use flate2::read::MultiGzDecoder;
use referee::{Game, Opened, StartPosition};
use rules::{
    Choices, Heard, Listener, Mates, Own, Reserve, Start, Try, TurnState, Wings, Winner,
    chess::{Board, ByColor, ByRole, CastlingSide, Color, Role, fen::Fen},
    corner, heard_by, rulesets,
};
use scores::{Problem, ProblemStart, RecordedHeard, SeatRecord, is_move};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use solver::search::{Decision, MateQuestion, SearchLimits, Solver};

use crate::certificate::Certificate;

/// The problems that `kriegspiel problems make` made, as JSON lines in gzip.
const MADE: &[u8] = include_bytes!("../data/problems.jsonl.gz");
/// The certificates of these problems, as JSON lines in gzip. Each line has the form of
/// [`KeptCertificate`].
const CERTIFICATES: &[u8] = include_bytes!("../data/certificates.jsonl.gz");
/// Published problems of composers, as JSON lines.
const COMPOSED: &str = include_str!("../data/composed.jsonl");

/// Memory of a solver that makes certificates, in bytes. With another amount of memory, the solver
/// may find another certificate of the same verdict.
pub const SOLVER_BYTES: usize = 32 << 20;
/// Maximum length of a certificate that is shipped as a whole, in bytes.
const MAX_KEPT: usize = 20_000;

/// What is shipped as the certificate of a problem: one line of JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum KeptCertificate {
    /// The whole certificate.
    Whole(Certificate),
    /// The hash of a long certificate. `kriegspiel problems certificate` makes the certificate
    /// again.
    Hash {
        /// Name of the problem.
        id: String,
        /// SHA-256 of the certificate as one line, without the end of line.
        sha256: String,
        /// Length of this line.
        bytes: u64,
    },
    /// There is no certificate: the verdict is only the result of the solver's search.
    Searched {
        /// Name of the problem.
        id: String,
        /// Always true.
        searched: bool,
    },
}

impl KeptCertificate {
    /// Converts a certificate to its shipped form. `certificate` is `None` if none was made.
    pub fn of(id: &str, certificate: Option<Certificate>) -> KeptCertificate {
        let id = id.to_owned();
        let Some(mut certificate) = certificate else {
            return KeptCertificate::Searched { id, searched: true };
        };
        certificate.id.clone_from(&id);
        let line = certificate.write();
        if line.len() <= MAX_KEPT {
            return KeptCertificate::Whole(certificate);
        }
        KeptCertificate::Hash {
            id,
            sha256: sha256(&line),
            bytes: line.len() as u64,
        }
    }

    /// Reads a line.
    ///
    /// # Errors
    /// The line has none of the three forms.
    pub fn read(line: &str) -> Result<KeptCertificate, String> {
        serde_json::from_str(line).map_err(|error| error.to_string())
    }

    /// Returns the line.
    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the name of the problem.
    pub fn id(&self) -> &str {
        match self {
            KeptCertificate::Whole(certificate) => &certificate.id,
            KeptCertificate::Hash { id, .. } | KeptCertificate::Searched { id, .. } => id,
        }
    }
}

/// Returns the SHA-256 of a text, in hexadecimal.
pub fn sha256(text: &str) -> String {
    Sha256::digest(text)
        .iter()
        .fold(String::new(), |mut hash, byte| {
            // Writing to a string cannot fail.
            let _ = write!(hash, "{byte:02x}");
            hash
        })
}

/// Returns what is shipped as the certificates of problems: one entry for each problem that
/// `kriegspiel problems make` made, in the order of these problems.
pub fn kept_certificates() -> impl Iterator<Item = KeptCertificate> {
    let lines = BufReader::new(MultiGzDecoder::new(CERTIFICATES)).lines();
    lines.map(|line| {
        let line = line.expect("the shipped file is valid; a test reads it");
        KeptCertificate::read(&line).expect("the shipped file is valid; a test reads it")
    })
}

/// Returns what is shipped as the certificate of the problem with this id.
pub fn kept_certificate(id: &str) -> Option<KeptCertificate> {
    kept_certificates().find(|kept| kept.id() == id)
}

/// A list of problems.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Collection {
    /// The problems, in the order of the file.
    pub problems: Vec<Problem>,
}

impl Collection {
    /// Returns the shipped problems: first the problems of composers, then the problems that this
    /// project has made.
    pub fn shipped() -> Collection {
        let mut text = COMPOSED.to_owned();
        MultiGzDecoder::new(MADE)
            .read_to_string(&mut text)
            .expect("the shipped file is valid; a test reads it");
        let problems = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| Problem::read(line).expect("the shipped file is valid; a test reads it"))
            .collect();
        Collection { problems }
    }

    /// Returns the problems with this id. Upper-case and lower-case letters count as equal.
    pub fn find(&self, id: &str) -> impl Iterator<Item = &Problem> {
        let is_it = move |one: &&Problem| one.id.eq_ignore_ascii_case(id);
        self.problems.iter().filter(is_it)
    }
}

/// Returns the question for the solver: in every position of the belief, can the seat force mate in
/// this number of own moves? Returns `None` if the belief does not keep all possible positions.
pub fn question(belief: &Belief, moves: u8) -> Option<MateQuestion> {
    if !belief.is_complete() {
        return None;
    }
    let mut positions: Vec<Situation> = Vec::with_capacity(belief.kept());
    belief.each_position(|one, _| positions.push(*one));
    Some(MateQuestion {
        choices: *belief.view().choices(),
        compat: None,
        positions,
        moves,
        turn: belief.view().turn().clone(),
    })
}

/// Returns every try with which a forced mate can begin. Works for every ruleset: each branch after
/// the try is solved separately. Returns `None` if a limit ended the work.
///
/// The question Any? is not examined as the first attempt. Neither are tries that are illegal in
/// every position.
pub fn keys(
    question: &MateQuestion,
    solver: &mut Solver,
    limits: SearchLimits<'_>,
) -> Option<Vec<Try>> {
    let choices = Choices {
        mates: Mates::Announced,
        ..question.choices
    };
    let seat = question.positions.first()?.seat;
    let mut tries: Vec<Try> = Vec::new();
    for one in &question.positions {
        tries.extend(one.legal_tries(&choices));
    }
    tries.sort();
    tries.dedup();
    let mut keys = Vec::new();
    for t in tries {
        if begins(question, &choices, seat, t, solver, limits)? {
            keys.push(t);
        }
    }
    Some(keys)
}

/// Whether a mate can begin with a try.
fn begins(
    question: &MateQuestion,
    choices: &Choices,
    seat: Color,
    t: Try,
    solver: &mut Solver,
    limits: SearchLimits<'_>,
) -> Option<bool> {
    let mut branches: Vec<((Report, Report), Vec<Situation>)> = Vec::new();
    let mut refused = Vec::new();
    for one in &question.positions {
        if !one.position.is_legal(t) {
            refused.push(*one);
            continue;
        }
        let mut after = None;
        one.successors(choices, |what, report, next| {
            if what == t {
                after = Some((report, next));
            }
        });
        let (own, next) = after?;
        match own.over {
            Some(over) if over.winner == Winner::from(seat) => continue,
            Some(_) => return Some(false),
            None if question.moves == 1 => return Some(false),
            None => {}
        }
        let mut is_over = false;
        next.successors(choices, |_, reply, then| {
            is_over |= reply.over.is_some();
            let key = (own, reply);
            match branches.iter_mut().find(|branch| branch.0 == key) {
                Some((_, positions)) if positions.contains(&then) => {}
                Some((_, positions)) => positions.push(then),
                None => branches.push((key, vec![then])),
            }
        });
        if is_over {
            return Some(false);
        }
    }
    if !refused.is_empty() {
        let mut turn = question.turn.clone();
        let is_capture = refused[0].position.is_pawn_capture(t);
        turn.refused(choices, is_capture, t);
        if !mates(question, refused, question.moves, turn, solver, limits)? {
            return Some(false);
        }
    }
    for ((_, reply), positions) in branches {
        let mut turn = TurnState::default();
        turn.begin(reply.check, reply.tries);
        if !mates(
            question,
            positions,
            question.moves - 1,
            turn,
            solver,
            limits,
        )? {
            return Some(false);
        }
    }
    Some(true)
}

fn mates(
    question: &MateQuestion,
    positions: Vec<Situation>,
    moves: u8,
    turn: TurnState,
    solver: &mut Solver,
    limits: SearchLimits<'_>,
) -> Option<bool> {
    let question = MateQuestion {
        choices: question.choices,
        compat: question.compat,
        positions,
        moves,
        turn,
    };
    match solver.solve(&question, limits).ok()?.decision {
        Decision::Mate(_) => Some(true),
        Decision::NoMate(_) => Some(false),
        Decision::Undecided => None,
    }
}

/// Computes which positions are possible after everything that the seat heard in a problem. Returns
/// `None` if the work was stopped.
///
/// # Errors
/// Returns a message if a part of the problem is invalid, or if the problem contradicts itself.
pub fn believe(
    problem: &Problem,
    settings: Settings,
    watch: &Watch,
) -> Result<Option<Belief>, String> {
    let (choices, start, origin) = beginning(problem)?;
    let belief = Belief::open(choices, problem.seat, &start, &origin, settings);
    let mut belief = belief.map_err(|error| error.to_string())?;
    for heard in &problem.heard {
        match belief.hear_watched(heard, watch) {
            Ok(()) => {}
            Err(Unheard::Stopped) => return Ok(None),
            Err(Unheard::Unexplained(error)) => return Err(error.to_string()),
        }
    }
    Ok(Some(belief))
}

/// Returns what the seat of a problem heard, like the record of a game. If the problem is silent about
/// the beginning and the position is known, the referee's announcements about it come first.
///
/// # Errors
/// Returns a message if a part of the problem is invalid, or if the problem lists positions.
pub fn record(problem: &Problem) -> Result<SeatRecord, String> {
    let (choices, start, origin) = beginning(problem)?;
    let seat = problem.seat;
    let (fen, their_men, mut first) = match origin {
        Origin::Usual => (Some(StartPosition::initial().fen()), None, Color::White),
        Origin::OneOf(fens) => match <[String; 1]>::try_from(fens) {
            Ok([fen]) => (Some(fen), None, Color::White),
            Err(_) => return Err("give what was heard, not a list of positions".to_owned()),
        },
        Origin::Unknown { to_move, men } => (None, Some(men), to_move),
    };
    let mut opening: Vec<Heard> = Vec::new();
    if let Some(fen) = &fen {
        let ruleset = rulesets::by_id(&problem.rules).ok_or("there is no such ruleset")?;
        let position = StartPosition::from_fen(fen, &choices).map_err(|e| format!("{fen}: {e}"))?;
        let game = Game::open(Opened::new(ruleset, choices, position));
        first = game.turn();
        opening = heard_by(&game.opening_calls(), Listener::from(seat)).collect();
    }
    let is_asked = |one: &Heard| matches!(one, Heard::Reply(_) | Heard::Draw(_));
    if !problem.heard.first().is_none_or(is_asked) {
        opening.clear();
    }
    let (mut act, mut moves) = (0, 0);
    let heard = opening.into_iter().chain(problem.heard.iter().copied());
    let heard: Vec<RecordedHeard> = heard
        .map(|heard| {
            act += usize::from(is_asked(&heard));
            moves += usize::from(is_move(&heard));
            RecordedHeard {
                line: 1,
                act,
                moves,
                heard,
            }
        })
        .collect();
    Ok(SeatRecord {
        seat,
        choices,
        start,
        fen,
        their_men,
        first,
        own_untold: false,
        heard,
        moves,
        findings: Vec::new(),
        departs: false,
        unjudged: None,
    })
}

/// Returns what the seat knows at the start of the game of a problem.
///
/// # Errors
/// Returns a message if a part of the problem is invalid.
pub fn start(problem: &Problem) -> Result<Start, String> {
    Ok(beginning(problem)?.1)
}

fn beginning(problem: &Problem) -> Result<(Choices, Start, Origin), String> {
    let ruleset = rulesets::by_id(&problem.rules)
        .ok_or_else(|| format!("there is no ruleset {:?}", problem.rules))?;
    let choices = ruleset.choices;
    let seat = problem.seat;
    let usual = || Own::of(&Board::new(), seat, Wings::BOTH, Reserve::EMPTY);
    let of_fen = |fen: &String| {
        Situation::from_fen(&choices, seat, fen)
            .map(|one| {
                let theirs = *one.position.reserves().get(seat.other());
                (one.position.own(seat), theirs)
            })
            .map_err(|error| error.to_string())
    };
    let ((own, reserve), origin) = match &problem.start {
        ProblemStart::Usual => ((usual(), Reserve::EMPTY), Origin::Usual),
        ProblemStart::Fen(fen) => (of_fen(fen)?, Origin::OneOf(vec![fen.clone()])),
        ProblemStart::Positions(fens) => {
            let first = fens.first().ok_or("there is no position")?;
            (of_fen(first)?, Origin::OneOf(fens.clone()))
        }
        ProblemStart::Unknown { own, men } => {
            let (own, to_move) = own_of_fen(own, seat)?;
            let men = letters(men)?;
            ((own, Reserve::EMPTY), Origin::Unknown { to_move, men })
        }
    };
    let mut reserves = ByColor::default();
    *reserves.get_mut(seat) = own.reserve;
    *reserves.get_mut(seat.other()) = reserve;
    let start = Start {
        rules: ruleset.id.clone(),
        own: Some(own),
        reserves,
    };
    Ok((choices, start, origin))
}

/// Reads the seat's own men and the side to move from a FEN that has no other men.
fn own_of_fen(text: &str, seat: Color) -> Result<(Own, Color), String> {
    let fen: Fen = text.parse().map_err(|error| format!("{text}: {error}"))?;
    let setup = fen.into_setup();
    if setup.board.by_color(seat.other()).any() {
        return Err(format!(
            "{text}: if a problem has `men`, its `start` must contain only the seat's own men"
        ));
    }
    let mut wings = Wings::NONE;
    for side in CastlingSide::ALL {
        if setup.castling_rights.contains(corner(seat, side)) {
            wings.add(side);
        }
    }
    Ok((
        Own::of(&setup.board, seat, wings, Reserve::EMPTY),
        setup.turn,
    ))
}

/// Reads the letters of men, and counts how many men of each kind they name.
///
/// # Errors
/// Names the letter that is no man's.
pub fn letters(text: &str) -> Result<ByRole<u8>, String> {
    let mut men = ByRole::<u8>::default();
    for letter in text.chars() {
        let role = Role::from_char(letter)
            .ok_or_else(|| format!("men: no man has the letter {letter:?}"))?;
        let count = men.get_mut(role);
        *count = count.saturating_add(1);
    }
    Ok(men)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_problems_can_be_read_and_have_different_ids() {
        let all = Collection::shipped().problems;
        assert!(all.len() > 70);
        let mut ids: Vec<&str> = all.iter().map(|problem| problem.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all.len());
    }

    #[test]
    fn keys_are_the_tries_that_begin_a_mate() {
        // Each rook can mate on the last rank. In the second position only the rook on b1 can mate.
        // But a1a8 is still a key: if a1a8 is refused, b1b8 mates.
        let rooks = "6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1";
        let covered = "6k1/r4ppp/8/8/8/8/8/RR4K1 w - - 0 1";
        for (fens, expected) in [
            (&[rooks][..], &["a1a8", "b1b8"][..]),
            (&[rooks, covered], &["a1a8", "b1b8"]),
        ] {
            let choices = rulesets::WILD16.choices;
            let read = |fen: &&str| Situation::from_fen(&choices, Color::White, fen);
            let positions: Result<_, _> = fens.iter().map(read).collect();
            let question = MateQuestion {
                choices,
                compat: None,
                positions: positions.expect("the FEN is valid"),
                moves: 1,
                turn: TurnState::default(),
            };
            let limits = SearchLimits {
                nodes: u64::MAX,
                stop: &|| false,
            };
            let keys = keys(&question, &mut Solver::with_bytes(1 << 20), limits);
            let keys: Vec<String> = keys
                .expect("no limit ended the search")
                .iter()
                .map(Try::to_string)
                .collect();
            assert_eq!(keys, expected);
        }
    }
}

//! Certificates: proofs that a mate can, or cannot, be forced.
//!
//! A certificate is one JSON object. The object names the ruleset, the seat, the number of the
//! seat's own moves and the positions that are possible for the seat. The nodes of a certificate
//! are a graph:
//!
//! - For a mate, a node says what the seat attempts: a try (`{"try": ..}`) or the question Any?
//!   (`{"any": ..}`). The node names the next node for everything that the seat can then hear. Node
//!   0 is the seat's first turn.
//! - For "no mate", a node stands for positions that the seat cannot tell apart. The node refutes
//!   every attempt that is legal in at least one of these positions. A refutation names some of the
//!   positions and, for each named position, a reply of the opponent. After these replies the seat
//!   has heard the same in all named positions. The refutation also names the next node, which
//!   stands for the positions after the replies.
//!
//!   An attempt needs no refutation if, in at least one of the positions, it ends the game without a
//!   win. The last own move also needs none if, in at least one of the positions, it is legal and
//!   does not win.
//!
//!   Under some rulesets a refused attempt or the question Any? has a cost. These rulesets have a
//!   second kind of refutation, which names no replies. It names positions in which the attempt is
//!   refused, or positions in which Any? gets one and the same answer. It also names the node that
//!   refutes the rest of the turn in these positions.
//!
//! [`Certificate::check`] replays a certificate with [`Game`], and with nothing else. The crate
//! `solver` makes certificates, and this module does not use it.

mod no_mate;

use std::{
    collections::{BTreeMap, HashSet},
    rc::Rc,
};

use referee::{Game, Opened, StartPosition};
use rules::{
    Answer, Attempt, Choices, Heard, Listener, Mates, Ruleset, Threefold, Try, Winner,
    chess::Color, heard_by, rulesets,
};
use scores::ShortList;
use serde::{Deserialize, Serialize};

/// Version of the format.
const CERTIFICATE_VERSION: u8 = 1;
/// Maximum number of own moves.
const MAX_MOVES: u8 = 32;

/// A proof that a seat can, or cannot, force mate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Version of the format.
    pub certificate: u8,
    /// Name of the problem; may be empty.
    #[serde(default)]
    pub id: String,
    /// Id of the ruleset. The check recognises mate and stalemate even if the ruleset does not.
    pub rules: String,
    /// The seat that is to mate: `white` or `black`.
    pub seat: String,
    /// Number of own moves.
    pub moves: u8,
    /// Whether the certificate proves a mate.
    pub mate: bool,
    /// The positions as FEN. For a mate: all positions that are possible for the seat. For "no
    /// mate": some of these positions (a core). The seat cannot force mate against the core alone.
    pub positions: Vec<String>,
    /// The graph. The number of a node is its index. Every link leads to a node with a greater
    /// number.
    pub nodes: Vec<ProofNode>,
}

/// One node of a certificate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ProofNode {
    /// The seat tries a move.
    Try {
        /// The try, in coordinates.
        what: String,
        /// Each entry has three parts: what the seat hears of its own move, what it hears of the
        /// opponent's reply, and the number of the next node after both.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        next: Vec<(String, String, usize)>,
        /// The next node if the try is refused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refused: Option<usize>,
    },
    /// The seat asks Any?.
    Any {
        /// The next node after the answer yes.
        yes: Option<usize>,
        /// The next node after the answer no.
        no: Option<usize>,
    },
    /// Each attempt of the seat is refuted.
    Refuted(Vec<Refutation>),
}

/// How one attempt is refuted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refutation {
    /// The try, in coordinates; `any` for the question Any?.
    pub what: String,
    /// Indices of positions of this node, each with the opponent's reply. The reply is `null` if
    /// none is needed: the attempt ends the game without a win, it is the last own move and does
    /// not win, or it lets the opponent end the game with refused pawn captures. If `rest` is
    /// given, the list contains positions in which the attempt is refused, or positions in which
    /// Any? gets one and the same answer. In this case every reply is `null`.
    pub by: Vec<(usize, Option<String>)>,
    /// The node for the positions after the replies; `None` if the replies end the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<usize>,
    /// The node that refutes the rest of the turn, after a refusal or an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<usize>,
}

/// Why a certificate does not prove its verdict.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum CertificateError {
    /// The text is not a certificate.
    #[error("not a certificate: {0}")]
    Json(String),
    /// The version of the format is unknown.
    #[error("version {0} is unknown; this program reads version {CERTIFICATE_VERSION}")]
    Version(u8),
    /// The ruleset is unknown.
    #[error("there is no ruleset {0:?}")]
    Rules(String),
    /// The seat is neither `white` nor `black`.
    #[error("the seat must be white or black, not {0:?}")]
    Seat(String),
    /// The number of own moves is out of range.
    #[error("the number of own moves must be from 1 to {MAX_MOVES}, not {0}")]
    Moves(u8),
    /// A position cannot be used.
    #[error("position {index}: {fault}")]
    Position {
        /// Index of the position.
        index: usize,
        /// What is wrong.
        fault: String,
    },
    /// A node is wrong: it does not prove its part of the verdict.
    #[error("node {node}: {fault}")]
    Node {
        /// Number of the node.
        node: usize,
        /// What is wrong.
        fault: String,
    },
    /// The check needs more work than the limit allows.
    #[error("the check must replay more moves than the limit of {0} allows")]
    Limit(u64),
}

/// Result of a check that found no fault.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct CheckedCertificate {
    /// Whether the certificate proves a mate. If `false`, it proves that there is no mate.
    pub mate: bool,
    /// Number of moves and refused attempts that were replayed.
    pub replayed: u64,
}

impl Certificate {
    /// Creates a certificate of the current version.
    pub fn new(ruleset: &str, seat: Color, moves: u8, mate: bool) -> Certificate {
        Certificate {
            certificate: CERTIFICATE_VERSION,
            id: String::new(),
            rules: ruleset.to_owned(),
            seat: seat.fold_wb("white", "black").to_owned(),
            moves,
            mate,
            positions: Vec::new(),
            nodes: Vec::new(),
        }
    }

    /// Reads a certificate from JSON.
    ///
    /// # Errors
    /// Returns an error if the text is not a certificate.
    pub fn read(text: &str) -> Result<Certificate, CertificateError> {
        serde_json::from_str(text).map_err(|error| CertificateError::Json(error.to_string()))
    }

    /// Writes the certificate as one line of JSON.
    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("strings and numbers can be written as JSON")
    }

    /// Replays the certificate with the referee. `limit` is the maximum number of moves and
    /// refused attempts to replay.
    ///
    /// # Errors
    /// Returns an error if the certificate does not prove its verdict, or if the check needs more
    /// than `limit`.
    pub fn check(&self, limit: u64) -> Result<CheckedCertificate, CertificateError> {
        if self.certificate != CERTIFICATE_VERSION {
            return Err(CertificateError::Version(self.certificate));
        }
        let ruleset = rulesets::by_id(&self.rules)
            .ok_or_else(|| CertificateError::Rules(self.rules.clone()))?;
        let seat = match self.seat.as_str() {
            "white" => Color::White,
            "black" => Color::Black,
            _ => return Err(CertificateError::Seat(self.seat.clone())),
        };
        if self.moves == 0 || self.moves > MAX_MOVES {
            return Err(CertificateError::Moves(self.moves));
        }
        let choices = Choices {
            mates: Mates::Announced,
            ..ruleset.choices
        };
        let games = self.open(ruleset, &choices, seat)?;
        let mut replay = Replay {
            certificate: self,
            choices,
            seat,
            limit,
            replayed: 0,
        };
        if self.mate {
            replay.check_mate(games)?;
        } else {
            replay.check_no_mate(games)?;
        }
        Ok(CheckedCertificate {
            mate: self.mate,
            replayed: replay.replayed,
        })
    }

    /// Opens a game for each position.
    fn open(
        &self,
        ruleset: &Ruleset,
        choices: &Choices,
        seat: Color,
    ) -> Result<Vec<Game>, CertificateError> {
        let mut games = Vec::with_capacity(self.positions.len());
        let mut own = None;
        for (index, fen) in self.positions.iter().enumerate() {
            let wrong = |fault: String| CertificateError::Position { index, fault };
            let start =
                StartPosition::from_fen(fen, choices).map_err(|error| wrong(error.to_string()))?;
            let game = Game::open(Opened::new(ruleset, *choices, start));
            if game.to_move() != Some(seat) {
                return Err(wrong("the seat is not to move".to_owned()));
            }
            let start = (game.start(seat.into()), heard(&game.opening_calls(), seat));
            if *own.get_or_insert_with(|| start.clone()) != start {
                return Err(wrong(
                    "the seat can tell this position from the first one".to_owned(),
                ));
            }
            games.push(game);
        }
        if games.is_empty() {
            return Err(CertificateError::Position {
                index: 0,
                fault: "there is no position".to_owned(),
            });
        }
        Ok(games)
    }
}

/// Returns what the seat hears, in the short form.
fn heard(calls: &[rules::Call], seat: Color) -> String {
    let all: Vec<Heard> = heard_by(calls, Listener::from(seat)).collect();
    ShortList(&all).to_string()
}

/// Returns a text that is the same for games with the same position.
fn name(game: &Game) -> String {
    game.sheet().fen()
}

/// A check that is running.
struct Replay<'a> {
    certificate: &'a Certificate,
    choices: Choices,
    seat: Color,
    limit: u64,
    replayed: u64,
}

impl Replay<'_> {
    fn node(&self, node: usize) -> Result<&ProofNode, CertificateError> {
        let found = self.certificate.nodes.get(node);
        found.ok_or_else(|| wrong(node, "there is no such node"))
    }

    /// Checks the link from node `from` to node `to`. Returns `to`.
    fn follow(&self, from: usize, to: usize) -> Result<usize, CertificateError> {
        if to <= from {
            return Err(wrong(
                from,
                format!("it leads to node {to}; a node must lead to a greater number"),
            ));
        }
        self.node(to)?;
        Ok(to)
    }

    /// Plays an attempt. Returns the answer, and what the seat hears.
    fn play(
        &mut self,
        node: usize,
        game: &mut Game,
        by: Color,
        attempt: Attempt,
    ) -> Result<(Answer, String), CertificateError> {
        self.replayed += 1;
        if self.replayed > self.limit {
            return Err(CertificateError::Limit(self.limit));
        }
        let ruling = game
            .judge(by, attempt)
            .map_err(|refusal| wrong(node, format!("the referee refuses {attempt}: {refusal}")))?;
        game.apply(&ruling.event);
        Ok((ruling.answer(), heard(&ruling.calls, self.seat)))
    }

    fn is_won(&self, game: &Game) -> bool {
        game.over()
            .is_some_and(|over| over.winner == Winner::from(self.seat))
    }

    /// Sorts the games by position, and keeps one game of each position. Returns the games and
    /// their positions. If a repetition can end the game, keeps all games, because games with equal
    /// positions can have different earlier moves.
    fn distinct(&self, games: Vec<Game>) -> (Vec<Game>, Vec<String>) {
        let mut named: Vec<(String, Game)> =
            games.into_iter().map(|game| (name(&game), game)).collect();
        named.sort_by(|a, b| a.0.cmp(&b.0));
        if self.choices.threefold == Threefold::Off {
            named.dedup_by(|a, b| a.0 == b.0);
        }
        let names = named.iter().map(|one| one.0.clone()).collect();
        (named.into_iter().map(|one| one.1).collect(), names)
    }

    /// Checks that the seat wins every game if it attempts what the nodes say.
    fn check_mate(&mut self, games: Vec<Game>) -> Result<(), CertificateError> {
        let mut done: HashSet<(usize, u8, Vec<String>)> = HashSet::new();
        let mut tasks = vec![(0, games, self.certificate.moves)];
        while let Some((node, games, moves)) = tasks.pop() {
            if games.is_empty() {
                continue;
            }
            let (games, names) = self.distinct(games);
            // If a repetition can end the game, no game is skipped, because games with the same
            // position can differ in their earlier moves.
            if self.choices.threefold == Threefold::Off && !done.insert((node, moves, names)) {
                continue;
            }
            match self.node(node)?.clone() {
                ProofNode::Try {
                    what,
                    next,
                    refused,
                } => {
                    let what: Attempt = attempt(node, &what)?;
                    let (left, replies) = self.try_in_all(node, games, what, moves)?;
                    if !left.is_empty() {
                        let refused = refused.ok_or_else(|| {
                            wrong(
                                node,
                                format!("{what} can be refused, and then nothing follows"),
                            )
                        })?;
                        tasks.push((self.follow(node, refused)?, left, moves));
                    }
                    for ((own, reply), games) in replies {
                        let to = next.iter().find(|one| one.0 == own && one.1 == reply);
                        let to = to.ok_or_else(|| {
                            wrong(node, format!("nothing follows after `{own}` and `{reply}`"))
                        })?;
                        tasks.push((self.follow(node, to.2)?, games, moves - 1));
                    }
                }
                ProofNode::Any { yes, no } => {
                    let mut parts: BTreeMap<bool, Vec<Game>> = BTreeMap::new();
                    for mut game in games {
                        let (answer, _) = self.play(node, &mut game, self.seat, Attempt::Any)?;
                        parts.entry(answer == Answer::Yes).or_default().push(game);
                    }
                    for (answer, games) in parts {
                        let to = if answer { yes } else { no };
                        let to = to.ok_or_else(|| {
                            wrong(node, format!("nothing follows after the answer {answer}"))
                        })?;
                        tasks.push((self.follow(node, to)?, games, moves));
                    }
                }
                ProofNode::Refuted(_) => {
                    return Err(wrong(
                        node,
                        "the node is a refutation, but the certificate claims a mate",
                    ));
                }
            }
        }
        Ok(())
    }

    /// Tries a move in each game. Returns two things: the games in which the move was refused, and
    /// the games after each reply of the opponent, grouped by what the seat heard.
    #[allow(clippy::type_complexity)]
    fn try_in_all(
        &mut self,
        node: usize,
        games: Vec<Game>,
        what: Attempt,
        moves: u8,
    ) -> Result<(Vec<Game>, BTreeMap<(String, String), Vec<Game>>), CertificateError> {
        let mut left = Vec::new();
        let mut replies: BTreeMap<(String, String), Vec<Game>> = BTreeMap::new();
        for mut game in games {
            let before = Rc::new(name(&game));
            let (answer, own) = self.play(node, &mut game, self.seat, what)?;
            if self.is_won(&game) {
                continue;
            }
            let fails = |fault: &str| wrong(node, format!("{what} in {before} {fault}"));
            if game.over().is_some() {
                return Err(fails("ends the game without a win"));
            }
            if answer != Answer::Moved {
                left.push(game);
                continue;
            }
            if moves == 1 {
                return Err(fails("does not mate, and no own move is left"));
            }
            if self.can_exhaust(node, &game)? {
                return Err(fails(
                    "lets the opponent end the game with three refused pawn captures",
                ));
            }
            for reply in game.sheet().legal_tries() {
                let mut after = game.clone();
                let by = self.seat.other();
                let (answer, heard) = self.play(node, &mut after, by, reply.into())?;
                // If the ruleset does not allow a promotion to this man, the move is not a reply.
                if answer != Answer::Moved || self.is_won(&after) {
                    continue;
                }
                if after.over().is_some() {
                    return Err(fails(&format!("is refuted by {reply}")));
                }
                replies.entry((own.clone(), heard)).or_default().push(after);
            }
        }
        Ok((left, replies))
    }

    /// Returns whether the opponent, who is to move, can end the game without losing it, by trying
    /// pawn captures that are refused. After three refused pawn captures in a turn, no other pawn
    /// capture may be tried. If the opponent then has no legal move, the game ends.
    fn can_exhaust(&mut self, node: usize, game: &Game) -> Result<bool, CertificateError> {
        if self.choices.try_limit == rules::TryLimit::None {
            return Ok(false);
        }
        let by = self.seat.other();
        let own = game.sheet().position().own(by);
        let mut game = game.clone();
        for from in own.men.pawn {
            for to in own.pawn_captures(from, own.all()) {
                let t = own.with_default_promotion(Try::step(from, to), self.choices.promotion_man);
                if game.sheet().position().is_legal(t)
                    || own.is_promotion(t) && t == Try::step(from, to)
                {
                    continue;
                }
                self.play(node, &mut game, by, t.into())?;
                if game.over().is_some() {
                    return Ok(!self.is_won(&game));
                }
            }
        }
        Ok(false)
    }
}

fn wrong(node: usize, fault: impl Into<String>) -> CertificateError {
    CertificateError::Node {
        node,
        fault: fault.into(),
    }
}

fn attempt(node: usize, text: &str) -> Result<Attempt, CertificateError> {
    let shown: String = text.chars().take(20).collect();
    let parsed: Option<Attempt> = text.parse().ok();
    parsed
        .filter(|attempt| attempt.as_try().is_some())
        .ok_or_else(|| wrong(node, format!("{shown:?} is not a try in coordinates")))
}

//! Checks certificates of "no mate".

use std::collections::HashSet;

use referee::Game;
use rules::{Answer, Attempt, Obligation, PawnTries, Threefold, Try, chess::Role};

use super::{CertificateError, ProofNode, Refutation, Replay, attempt, name, wrong};

/// Maximum number of own moves after which no position can have occurred three times before the last
/// own move is judged. Between two occurrences there are at least two own moves and two replies, and
/// the last own move has no reply.
const MOVES_WITHOUT_THREEFOLD: u8 = 4;

/// One step of the check: the node must refute every attempt in the games. The seat cannot tell the
/// games apart.
struct Task {
    node: usize,
    games: Vec<Game>,
    /// Number of own moves left.
    moves: u8,
    turn: PartOfTurn,
}

/// What the seat has already done in the current turn.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Default)]
struct PartOfTurn {
    /// Refused attempts and the question Any?, in order.
    attempts: Vec<Attempt>,
    asked: bool,
    obliged: bool,
}

impl Replay<'_> {
    /// Checks that the nodes refute every attempt, so that the seat cannot win all games.
    pub(super) fn check_no_mate(&mut self, games: Vec<Game>) -> Result<(), CertificateError> {
        let mut done: HashSet<(usize, u8, Vec<String>, PartOfTurn)> = HashSet::new();
        // If a repetition can end the game, no task is skipped, because games with the same position
        // can differ in their earlier moves.
        let may_skip = self.choices.threefold == Threefold::Off
            || self.certificate.moves <= MOVES_WITHOUT_THREEFOLD;
        let mut tasks = vec![Task {
            node: 0,
            games,
            moves: self.certificate.moves,
            turn: PartOfTurn::default(),
        }];
        while let Some(task) = tasks.pop() {
            let Task {
                node,
                games,
                moves,
                turn,
            } = &task;
            let (node, moves) = (*node, *moves);
            let names = games.iter().map(name).collect();
            if may_skip && !done.insert((node, moves, names, turn.clone())) {
                continue;
            }
            let ProofNode::Refuted(listed) = self.node(node)?.clone() else {
                return Err(wrong(node, "the node does not refute every attempt"));
            };
            let mut refuted: HashSet<Attempt> = HashSet::new();
            for one in &listed {
                let what = if one.rest.is_some() && one.what == Attempt::Any.to_string() {
                    Attempt::Any
                } else {
                    attempt(node, &one.what)?
                };
                if let Some(rest) = one.rest {
                    tasks.push(self.refused(&task, what, one, rest)?);
                } else if let Some(task) = self.refute(node, games, what, one, moves)? {
                    tasks.push(task);
                }
                refuted.insert(what);
            }
            if self.choices.pawn_tries == PawnTries::OnRequest
                && !turn.asked
                && !refuted.contains(&Attempt::Any)
            {
                let tries = |game: &Game| game.sheet().position().pawn_tries().count > 0;
                if games.iter().any(|game| tries(game) != tries(&games[0])) {
                    return Err(wrong(
                        node,
                        "the answer to Any? would tell its positions apart",
                    ));
                }
            }
            for game in games {
                for t in game.sheet().legal_tries() {
                    if refuted.contains(&t.into()) {
                        continue;
                    }
                    if !self.fails_at_once(node, games, t, moves)? {
                        return Err(wrong(node, format!("{t} is not refuted")));
                    }
                    refuted.insert(t.into());
                }
            }
            if turn.obliged && self.choices.obligation == Obligation::Try {
                self.check_obligation(node, &games[0], &refuted)?;
            }
        }
        Ok(())
    }

    /// Checks a node at which the seat must try a pawn capture. The node must refute every pawn
    /// capture that meets this obligation, even if the pawn capture is illegal in all positions.
    /// `game` is one of the games of the node.
    fn check_obligation(
        &mut self,
        node: usize,
        game: &Game,
        refuted: &HashSet<Attempt>,
    ) -> Result<(), CertificateError> {
        let own = game.sheet().position().own(self.seat);
        for from in own.men.pawn {
            for to in own.pawn_captures(from, own.all()) {
                let named = [None].into_iter().chain(Role::ALL.map(Some));
                for promotion in named {
                    let t = Try::Step {
                        from,
                        to,
                        promotion,
                    };
                    let t = own.with_default_promotion(t, self.choices.promotion_man);
                    if refuted.contains(&t.into()) {
                        continue;
                    }
                    let (answer, _) = self.play(node, &mut game.clone(), self.seat, t.into())?;
                    if answer == Answer::No {
                        return Err(wrong(
                            node,
                            format!("{t} meets the obligation, but is not refuted"),
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks a refutation with `rest`: plays the refused attempt, or the question Any?, in the
    /// positions that the refutation names. Returns the task for the rest of the turn.
    fn refused(
        &mut self,
        task: &Task,
        what: Attempt,
        one: &Refutation,
        rest: usize,
    ) -> Result<Task, CertificateError> {
        let node = task.node;
        let mut after = Vec::with_capacity(one.by.len());
        let mut sounds: Option<(Answer, String)> = None;
        for (index, reply) in &one.by {
            let fault = |text: &str| wrong(node, format!("{what} in position {index} {text}"));
            let mut game = task
                .games
                .get(*index)
                .ok_or_else(|| fault("is unknown: there is no such position"))?
                .clone();
            let sound = self.play(node, &mut game, self.seat, what)?;
            if sound.0 == Answer::Moved || reply.is_some() {
                return Err(fault("is not refused"));
            }
            if game.over().is_some() {
                return Err(fault("ends the game, so the turn does not continue"));
            }
            if *sounds.get_or_insert_with(|| sound.clone()) != sound {
                return Err(fault(
                    "gives other announcements than in the previous position",
                ));
            }
            after.push(game);
        }
        let Some((answer, _)) = sounds else {
            return Err(wrong(
                node,
                format!("{what} has `rest`, but names no position"),
            ));
        };
        if one.to.is_some() {
            return Err(wrong(node, format!("{what} has both `to` and `rest`")));
        }
        let mut turn = task.turn.clone();
        if what == Attempt::Any {
            turn.asked = true;
            turn.obliged = answer == Answer::Yes && self.choices.obligation != Obligation::None;
        } else if self.choices.obligation == Obligation::Try && answer == Answer::No {
            // The answer "no" was the answer to a pawn capture, because every other attempt is
            // nonsense while the obligation exists. This pawn capture meets the obligation.
            turn.obliged = false;
        }
        turn.attempts.push(what);
        Ok(Task {
            node: self.follow(node, rest)?,
            games: after,
            moves: task.moves,
            turn,
        })
    }

    /// Checks a refutation that names replies. Returns the task for the positions after the
    /// replies, or `None` if nothing remains to be checked.
    fn refute(
        &mut self,
        node: usize,
        games: &[Game],
        what: Attempt,
        one: &Refutation,
        moves: u8,
    ) -> Result<Option<Task>, CertificateError> {
        let mut after = Vec::with_capacity(one.by.len());
        let mut sounds: Option<(String, String)> = None;
        for (index, reply) in &one.by {
            let fault = |text: &str| wrong(node, format!("{what} in position {index} {text}"));
            let mut game = games
                .get(*index)
                .ok_or_else(|| fault("is unknown: there is no such position"))?
                .clone();
            let (answer, own) = self.play(node, &mut game, self.seat, what)?;
            if answer != Answer::Moved {
                return Err(fault("is illegal"));
            }
            if self.is_won(&game) {
                return Err(fault("wins"));
            }
            let Some(reply) = reply else {
                let fails = game.over().is_some() || moves == 1 || self.can_exhaust(node, &game)?;
                return if fails {
                    Ok(None)
                } else {
                    Err(fault("does not end the game"))
                };
            };
            if game.over().is_some() {
                return Err(fault("ends the game, so there is no reply"));
            }
            let reply = attempt(node, reply)?;
            let (answer, heard) = self.play(node, &mut game, self.seat.other(), reply)?;
            if answer != Answer::Moved || self.is_won(&game) {
                return Err(fault(&format!("is not refuted by {reply}")));
            }
            if game.over().is_some() || moves == 1 {
                return Ok(None);
            }
            let sound = (own, heard);
            if *sounds.get_or_insert_with(|| sound.clone()) != sound {
                return Err(fault(
                    "gives other announcements than in the previous position",
                ));
            }
            after.push(game);
        }
        let (Some(to), false) = (one.to, after.is_empty()) else {
            return Err(wrong(
                node,
                format!("the refutation of {what} does not end"),
            ));
        };
        Ok(Some(Task {
            node: self.follow(node, to)?,
            games: after,
            moves: moves - 1,
            turn: PartOfTurn::default(),
        }))
    }

    /// Whether an attempt needs no refutation. There are three cases:
    ///
    /// - In some position the attempt ends the game without a win.
    /// - In some position the attempt is the last own move and does not win.
    /// - The attempt is refused in all positions.
    fn fails_at_once(
        &mut self,
        node: usize,
        games: &[Game],
        t: Try,
        moves: u8,
    ) -> Result<bool, CertificateError> {
        let mut moved = false;
        for game in games {
            let mut game = game.clone();
            let (answer, _) = self.play(node, &mut game, self.seat, t.into())?;
            if answer != Answer::Moved {
                continue;
            }
            moved = true;
            if !self.is_won(&game) && (game.over().is_some() || moves == 1) {
                return Ok(true);
            }
        }
        Ok(!moved)
    }
}

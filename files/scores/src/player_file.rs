//! A player's own file: a PGN in which the moves of the other side are hidden.
//!
//! Such a file holds what one player heard. Where it is silent, a belief must not conclude anything
//! from the silence, so the choices of the ruleset are reduced to what the file tells.

use position::announcements;
use rules::{
    Announcement, Answer, Attempt, Capture, CaptureHeard, CaptureMan, CaptureSquare, CheckTold,
    Choices, Directions, DrawTalk, EnPassant, Heard, NoHeard, NonsenseHeard, Obligation, Over, Own,
    PawnTries, PromotionTold, Reason, Reply, ReserveUse, Ruleset, Start, Tries, Try, TryLimit,
    Verdict, Winner,
    chess::{Color, Rank, Square},
    rulesets,
};
use wire::{AnswerJson, HeardJson, LineJson, OverJson, Side, StepJson};

use crate::{
    audit::{RecordedHeard, SeatRecord},
    pgn::{AT_THE_END, Begun, PgnGame, Ply, Shown, named_rules, read_own_san},
    recorded_game::{EndClaim, OpeningError},
    steps::step,
};

/// Error: a player's own file cannot be used.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum PlayerFileError {
    /// Moves of both sides are hidden, or no move is.
    #[error("line {line}: the moves of one side must be hidden, and the moves of the other shown")]
    Sides {
        /// Line of the file, from 1.
        line: u64,
    },
    /// The ruleset has drops.
    #[error(
        "line {line}: one player's view does not say which men the other dropped; a game with drops needs the umpire's view"
    )]
    Drops {
        /// Line of the file, from 1.
        line: u64,
    },
}

impl PgnGame {
    /// Returns the ruleset that the tags name.
    ///
    /// # Errors
    /// The tags name no ruleset, or one that is not built in.
    pub fn ruleset(&self) -> Result<&'static Ruleset, OpeningError> {
        let id = named_rules(&self.tags).ok_or(OpeningError::NoRules)?;
        rulesets::by_id(id).ok_or_else(|| OpeningError::UnknownRules(id.chars().take(40).collect()))
    }

    /// Returns the player whose own file this is; `None` if the game shows the moves of both sides.
    pub fn player(&self) -> Option<Color> {
        let hidden = self.plies.iter().find(|ply| !is_shown(ply));
        match &self.begun {
            Begun::Own(own) => Some(own.color),
            Begun::From(_) => hidden.map(|ply| ply.by.other()),
        }
    }
}

const fn is_shown(ply: &Ply) -> bool {
    matches!(ply.shown, Shown::Move(_))
}

/// Returns the choices under which the silence of the file means nothing, and whether the file has
/// the announcements after the player's own moves.
fn told(choices: &Choices, game: &PgnGame, player: Color) -> (Choices, bool) {
    let remarks = || game.plies.iter().filter_map(|ply| ply.note.remark.as_ref());
    let is_told = remarks().count() == game.plies.len();
    let signed = |ply: &Ply| ply.by != player && (ply.signs.check || ply.signs.mate);
    let bare = remarks()
        .filter_map(|remark| remark.check)
        .any(|check| check.directions.is_empty() || check.diagonal);
    let counted = remarks().all(|remark| remark.tries != Some(None));
    let reduced = Choices {
        obligation: Obligation::None,
        try_limit: TryLimit::None,
        no_heard: NoHeard::Mover,
        nonsense_heard: NonsenseHeard::Mover,
        capture_man: CaptureMan::Untold,
        en_passant: EnPassant::Silent,
        promotion: PromotionTold::Silent,
        ..*choices
    };
    let reduced = if is_told {
        Choices {
            check: match choices.check {
                CheckTold::Directions if bare => CheckTold::Bare,
                check @ (CheckTold::Silent | CheckTold::Bare | CheckTold::Directions) => check,
            },
            pawn_tries: match choices.pawn_tries {
                PawnTries::Silent | PawnTries::OnRequest => PawnTries::Silent,
                PawnTries::Count | PawnTries::SinglesAndDoubles if counted => PawnTries::Count,
                PawnTries::Whether
                | PawnTries::Count
                | PawnTries::Squares
                | PawnTries::SinglesAndDoubles => PawnTries::Whether,
            },
            ..reduced
        }
    } else {
        Choices {
            check: if game.plies.iter().any(signed) {
                CheckTold::Bare
            } else {
                CheckTold::Silent
            },
            pawn_tries: PawnTries::Silent,
            capture_heard: CaptureHeard::Victim,
            ..reduced
        }
    };
    (reduced, is_told)
}

/// How the game ended after its last move.
enum End {
    /// The move ended the game.
    ByMove(Over),
    /// Something else ended the game, or it is not over.
    Later(Option<Over>),
    /// The file does not say whether the move ended the game.
    Unclear,
}

fn end(game: &PgnGame) -> End {
    let Some(last) = game.plies.last() else {
        return End::Later(None);
    };
    let claims = EndClaim::all(game);
    let winner = claims.iter().find_map(|claim| claim.winner);
    let reason = claims.iter().find_map(EndClaim::reason);
    let mover = Winner::from(last.by);
    match (winner, reason) {
        (_, _) if last.signs.mate => End::ByMove(Over {
            winner: mover,
            reason: Reason::Checkmate,
        }),
        (None | Some(Winner::Unfinished), _) => End::Later(None),
        (Some(winner), Some(reason)) => {
            let over = Over { winner, reason };
            match reason {
                Reason::Checkmate
                | Reason::Stalemate
                | Reason::Insufficient
                | Reason::Threefold
                | Reason::Fifty => End::ByMove(over),
                Reason::Resignation
                | Reason::Agreement
                | Reason::Time
                | Reason::ExhaustedTries
                | Reason::Aborted
                | Reason::Abandoned => End::Later(Some(over)),
            }
        }
        (Some(winner), None) if winner == mover || winner == Winner::Draw => End::Unclear,
        (Some(_), None) => End::Later(None),
    }
}

impl SeatRecord {
    /// Returns what a player heard, from this player's own file. If the file is not clear from some
    /// move on, the record ends there, and `unjudged` says why.
    ///
    /// # Errors
    /// The file is not the file of one player, or the ruleset has drops.
    pub fn of_player(game: &PgnGame, ruleset: &Ruleset) -> Result<SeatRecord, PlayerFileError> {
        let line = game.line;
        let sides = PlayerFileError::Sides { line };
        let seat = game.player().ok_or(sides.clone())?;
        if game
            .plies
            .iter()
            .any(|ply| is_shown(ply) != (ply.by == seat))
        {
            return Err(sides);
        }
        if ruleset.choices.reserve == ReserveUse::Drops {
            return Err(PlayerFileError::Drops { line });
        }
        let (choices, is_told) = told(&ruleset.choices, game, seat);
        let (own, fen) = match &game.begun {
            Begun::Own(own) => (**own, None),
            Begun::From(start) => (start.position().own(seat), Some(start.fen())),
        };
        let mut listening = Listening {
            own,
            passed: None,
            record: SeatRecord {
                seat,
                choices,
                start: Start {
                    rules: ruleset.id.clone(),
                    own: Some(own),
                    reserves: Default::default(),
                },
                fen,
                their_men: None,
                first: game.plies.first().map_or(Color::White, |ply| ply.by),
                own_untold: !is_told,
                heard: Vec::new(),
                moves: 0,
                findings: Vec::new(),
                departs: false,
                unjudged: None,
            },
            act: 0,
        };
        listening.opening(game);
        let end = end(game);
        for (n, ply) in (1..).zip(&game.plies) {
            let end = (n == game.plies.len()).then_some(&end);
            if let Err(why) = listening.ply(ply, end) {
                listening.record.unjudged = Some((ply.line, why));
                return Ok(listening.record);
            }
        }
        let last = game.plies.last().map_or(&game.before, |ply| &ply.note);
        if let Some((_, refused)) = last.text.rsplit_once(AT_THE_END) {
            let line = game.plies.last().map_or(game.line, |ply| ply.line);
            for text in refused.split(", ") {
                listening.refused(line, text);
            }
        }
        if let End::Later(Some(over)) = end {
            listening.hear(
                listening.record.heard.last().map_or(line, |last| last.line),
                [Heard::Over(over)],
            );
        }
        Ok(listening.record)
    }

    /// Returns the record in steps, described in words. The position of a step has only the seat's
    /// own men.
    pub fn steps(&self) -> Vec<StepJson> {
        let lines = self.lines().into_iter();
        lines.map(|line| step(line, &self.choices)).collect()
    }

    /// Returns the record as lines of a finished game, in which only this seat hears. The position
    /// of a line has only the seat's own men.
    pub fn lines(&self) -> Vec<LineJson> {
        let mut own = self.start.own;
        let groups = self.groups().into_iter();
        let lines = groups.zip(0..).map(|(group, n)| {
            let mut line = self.line(group, &mut own);
            line.n = n;
            line
        });
        lines.collect()
    }

    /// Returns what was heard by attempt. The first group is what was heard of the start.
    pub(crate) fn groups(&self) -> Vec<&[RecordedHeard]> {
        let mut groups: Vec<_> = self.heard.chunk_by(|a, b| a.act == b.act).collect();
        if !groups.first().is_some_and(|group| is_opening(group)) {
            groups.insert(0, &[]);
        }
        groups
    }

    fn line(&self, group: &[RecordedHeard], own: &mut Option<Own>) -> LineJson {
        let mut heard: Vec<HeardJson> = group.iter().map(|one| (&one.heard).into()).collect();
        let (mut by, mut attempt, mut answer) = (None, "end".to_owned(), AnswerJson::None);
        let (mut to_move, mut over) = (None, None);
        if is_opening(group) {
            heard.insert(0, (&self.start).into());
            (attempt, answer) = ("new".to_owned(), AnswerJson::New);
            to_move = Some(Side::from(self.first));
        }
        for one in group {
            let asked = match one.heard {
                Heard::Reply(Reply::Verdict {
                    verdict,
                    by,
                    attempt,
                }) => {
                    if let (Some(own), Some(Attempt::Try(what)), Verdict::Moved) =
                        (own.as_mut(), attempt, verdict)
                    {
                        own.play(what);
                    }
                    Some((by, attempt, Answer::from(verdict)))
                }
                Heard::Reply(Reply::Any { by, answer }) => {
                    let answer = [Answer::None, Answer::Yes][usize::from(answer)];
                    Some((by, Some(Attempt::Any), answer))
                }
                Heard::Reply(Reply::Rebuffs { by, .. }) => {
                    Some((by, Some(Attempt::Count), Answer::Count))
                }
                Heard::Reply(Reply::Recap { by, .. }) => {
                    Some((by, Some(Attempt::Recap), Answer::Recap))
                }
                Heard::Draw(DrawTalk::Offer { by }) => {
                    Some((by, Some(Attempt::OfferDraw), Answer::Offered))
                }
                Heard::Draw(DrawTalk::Declined { by }) => {
                    Some((by, Some(Attempt::DeclineDraw), Answer::Declined))
                }
                Heard::Draw(DrawTalk::Withdrawn { by }) => {
                    Some((by, Some(Attempt::WithdrawDraw), Answer::Withdrawn))
                }
                Heard::Lost { square, .. } => {
                    if let Some(own) = own {
                        own.lose(square);
                    }
                    None
                }
                Heard::Announced(Announcement::Turn { to_move: next }) => {
                    to_move = Some(Side::from(next));
                    None
                }
                Heard::Over(end) => {
                    over = Some(OverJson::from(end));
                    None
                }
                Heard::Announced(_) => None,
            };
            if let Some((asker, what, answered)) = asked {
                let what = what.map_or_else(|| "?".to_owned(), |what| what.to_string());
                (by, attempt, answer) = (Some(Side::from(asker)), what, answered.into());
                // After other answers the turn goes on.
                to_move = by;
            }
        }
        to_move = to_move.filter(|_| over.is_none());
        let board = own.as_ref().map(|own| own.board().board_fen().to_string());
        let (white, black) = match self.seat {
            Color::White => (heard, Vec::new()),
            Color::Black => (Vec::new(), heard),
        };
        LineJson {
            n: 0,
            by,
            attempt,
            answer,
            white,
            black,
            room: Vec::new(),
            fen: board.unwrap_or_default(),
            to_move,
            over,
            why: None,
            tries: None,
            run: None,
            marginals: None,
        }
    }
}

/// Whether these things are heard before the first attempt.
fn is_opening(group: &[RecordedHeard]) -> bool {
    let is_announced = |one: &RecordedHeard| matches!(one.heard, Heard::Announced(_));
    group.iter().all(is_announced)
}

/// A record in the making.
struct Listening {
    own: Own,
    /// The square that the last move of the player, a double step, passed over.
    passed: Option<Square>,
    record: SeatRecord,
    act: usize,
}

impl Listening {
    fn hear(&mut self, line: u64, heard: impl IntoIterator<Item = Heard>) {
        let (act, moves) = (self.act, self.record.moves);
        self.record
            .heard
            .extend(heard.into_iter().map(|heard| RecordedHeard {
                line,
                act,
                moves,
                heard,
            }));
        self.act += 1;
    }

    /// Hears the announcements about the start, if the whole position is known.
    fn opening(&mut self, game: &PgnGame) {
        let Begun::From(start) = &game.begun else {
            return;
        };
        let (position, choices) = (start.position(), self.record.choices);
        let check = announcements::check(&choices, position.check_directions());
        let tries = announcements::tries(&choices, position, &position.seen());
        let heard = [
            check.map(|directions| Announcement::Check { directions }),
            (tries != Tries::Untold).then_some(Announcement::Tries(tries)),
            Some(Announcement::Turn {
                to_move: self.record.first,
            }),
        ];
        self.hear(game.line, heard.into_iter().flatten().map(Heard::from));
    }

    /// Hears a move, and before an own move the tries that were refused.
    fn ply(&mut self, ply: &Ply, end: Option<&End>) -> Result<(), String> {
        if ply.by == self.record.seat {
            for text in ply.note.remark.iter().flat_map(|remark| &remark.refused) {
                self.refused(ply.line, text);
            }
        }
        let over = match end {
            Some(End::Unclear) => {
                return Err("the file does not say whether this move ended the game".to_owned());
            }
            Some(End::ByMove(over)) => Some(*over),
            Some(End::Later(_)) | None => None,
        };
        let lost = self.lost(ply)?;
        let attempt = match ply.shown {
            Shown::Move(t) => Some(Attempt::Try(t)),
            Shown::Unseen | Shown::UnseenCapture(_) => None,
        };
        let mut heard = vec![Heard::Reply(Reply::Verdict {
            verdict: Verdict::Moved,
            by: ply.by,
            attempt,
        })];
        heard.extend(lost);
        let announced = self.announced(ply, lost.is_some());
        heard.extend(announced.into_iter().map(Heard::from));
        let turn = Announcement::Turn {
            to_move: ply.by.other(),
        };
        match over {
            Some(over) => {
                heard.retain(|heard| !matches!(heard, Heard::Announced(Announcement::Tries(_))));
                heard.push(Heard::Over(over));
            }
            None => heard.push(turn.into()),
        }
        self.passed = None;
        if let Shown::Move(t) = ply.shown {
            self.passed = self.passed_by(t);
            self.own.play(t);
        } else if let Some(Heard::Lost { square, .. }) = lost {
            self.own.lose(square);
        }
        self.record.moves += 1;
        self.hear(ply.line, heard);
        Ok(())
    }

    fn refused(&mut self, line: u64, text: &str) {
        // A try that the own men cannot make tells nothing about the opponent's men, and an
        // ambiguous one too little.
        if let Ok(t) = read_own_san(&self.own, text.trim().as_bytes()) {
            self.hear(line, [Heard::own_verdict(Verdict::No, self.record.seat, t)]);
        }
    }

    /// Returns what a hidden move took from the player.
    fn lost(&self, ply: &Ply) -> Result<Option<Heard>, String> {
        if ply.by == self.record.seat {
            return Ok(None);
        }
        let remarked = ply.note.remark.as_ref().and_then(|remark| remark.capture);
        let square = match (ply.shown, remarked) {
            (Shown::UnseenCapture(Some(square)), _) | (_, Some(Some(square))) => square,
            (Shown::UnseenCapture(None), _) | (_, Some(None)) => {
                return Err("the file does not say which man was captured".to_owned());
            }
            (Shown::Unseen | Shown::Move(_), None) => return Ok(None),
        };
        let stood = if self.passed == Some(square) {
            let rank = self.record.seat.relative_rank(Rank::Fourth);
            Square::from_coords(square.file(), rank)
        } else {
            square
        };
        match self.own.role_at(stood) {
            Some(man) => Ok(Some(Heard::Lost { square: stood, man })),
            None => Err(format!("no man of the player stands on {square}")),
        }
    }

    fn announced(&self, ply: &Ply, is_lost: bool) -> Vec<Announcement> {
        let choices = &self.record.choices;
        let is_own = ply.by == self.record.seat;
        let mut all = Vec::new();
        if self.record.own_untold {
            let check = ply.note.remark.as_ref().is_some_and(|r| r.check.is_some());
            let check = check || ply.signs.check || ply.signs.mate;
            if !is_own && check && choices.check != CheckTold::Silent {
                let directions = Directions::NONE;
                all.push(Announcement::Check { directions });
            }
            return all;
        }
        let Some(remark) = &ply.note.remark else {
            return all;
        };
        let hears = match choices.capture_heard {
            CaptureHeard::Victim => false,
            CaptureHeard::Capturer => is_own,
            CaptureHeard::Both => true,
        };
        if let Some(square) = remark.capture
            && hears
            && (is_own || is_lost)
        {
            let square = match choices.capture_square {
                CaptureSquare::Untold => None,
                CaptureSquare::Stood | CaptureSquare::Landing => square,
            };
            all.push(Announcement::Capture(Capture {
                square,
                man: None,
                en_passant: false,
            }));
        }
        match (remark.check, choices.check) {
            (Some(_), CheckTold::Bare) => all.push(Announcement::Check {
                directions: Directions::NONE,
            }),
            (Some(check), CheckTold::Directions) => all.push(Announcement::Check {
                directions: check.directions,
            }),
            (Some(_), CheckTold::Silent) | (None, _) => {}
        }
        match choices.pawn_tries {
            PawnTries::Whether => all.push(Announcement::Tries(Tries::Whether(
                remark.tries.is_some_and(|tries| tries != Some(0)),
            ))),
            PawnTries::Count => all.push(Announcement::Tries(Tries::Count(
                remark.tries.flatten().unwrap_or(0),
            ))),
            PawnTries::Silent
            | PawnTries::OnRequest
            | PawnTries::Squares
            | PawnTries::SinglesAndDoubles => {}
        }
        all
    }

    /// Returns the square that a double step of a pawn passes over.
    fn passed_by(&self, t: Try) -> Option<Square> {
        let Try::Step { from, to, .. } = t else {
            return None;
        };
        let is_double = self.own.men.pawn.contains(from) && from.rank().distance(to.rank()) == 2;
        let rank = self.record.seat.relative_rank(Rank::Third);
        is_double.then(|| Square::from_coords(from.file(), rank))
    }
}

//! A game that is over, as boards with all men.

use club::{FinishedGame, GameId, Millis, PlayedMove, TimeControl};
use rules::{
    ReserveUse, Try,
    chess::{
        Board, ByColor, CastlingMode, Color, Position as _,
        fen::Fen,
        san::SanPlus,
        uci::UciMove,
        variant::{Variant, VariantPosition},
    },
};

use super::{
    chair::time_fields,
    style::{LastMove, Position, Relation, strength},
};

/// A game that is over, as boards.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    boards: Vec<Board>,
    pub(super) to_move: Vec<Color>,
    pub(super) moves: Vec<LastMove>,
    left: Vec<Option<ByColor<Millis>>>,
}

fn uci(what: Try) -> UciMove {
    match what {
        Try::Step {
            from,
            to,
            promotion,
        } => UciMove::Normal {
            from,
            to,
            promotion,
        },
        Try::Drop { role, to } => UciMove::Put { role, to },
    }
}

impl Replay {
    pub(super) fn of(game: &FinishedGame) -> Replay {
        let mut replay = Replay {
            boards: Vec::new(),
            to_move: Vec::new(),
            moves: Vec::new(),
            left: Vec::new(),
        };
        let variant = match game.choices.reserve {
            ReserveUse::Drops => Variant::Crazyhouse,
            ReserveUse::None => Variant::Chess,
        };
        let fen = game.start().parse::<Fen>();
        let truth = fen.ok().and_then(|fen| {
            VariantPosition::from_setup(variant, fen.into_setup(), CastlingMode::Standard).ok()
        });
        let Some(mut truth) = truth else {
            return replay;
        };
        replay.boards.push(truth.board().clone());
        replay.to_move.push(truth.turn());
        replay.left.push(None);
        let mut before = None;
        for PlayedMove { what, clocks, .. } in game.played() {
            let Ok(played) = uci(what).to_move(&truth) else {
                break;
            };
            let short = SanPlus::from_move_and_play_unchecked(&mut truth, played).to_string();
            let took = match (before, clocks) {
                (Some(before), Some(after)) => after.at.saturating_sub(before).max(0),
                (Some(_) | None, Some(_) | None) => 0,
            };
            before = clocks.map(|clocks| clocks.at);
            replay.moves.push(LastMove {
                long: what.to_string(),
                short,
                took,
            });
            replay.boards.push(truth.board().clone());
            replay.to_move.push(truth.turn());
            replay.left.push(clocks.map(|clocks| clocks.left));
        }
        replay
    }

    /// The men at the end.
    pub(super) fn last(&self) -> Option<Board> {
        self.boards.last().cloned()
    }
}

/// A game that somebody looks through.
#[derive(Clone, Debug)]
pub(super) struct Examined {
    pub(super) game: GameId,
    pub(super) number: u32,
    pub(super) replay: Replay,
    pub(super) names: ByColor<String>,
    pub(super) time: TimeControl,
    pub(super) at: usize,
    pub(super) result: String,
}

impl Examined {
    pub(super) fn position(&self) -> Position {
        let board = self.replay.boards.get(self.at).cloned();
        let board = board.unwrap_or_else(Board::empty);
        let initial = match self.time {
            TimeControl::Clock { initial, .. } => initial,
            TimeControl::Unlimited => 0,
        };
        let left = self.replay.left.get(self.at).copied().flatten();
        let black_began = self.replay.to_move.first() == Some(&Color::Black);
        let plies = self.at + usize::from(black_began);
        Position {
            strength: ByColor::new_with(|color| strength(&board, color)),
            board,
            to_move: *self.replay.to_move.get(self.at).unwrap_or(&Color::White),
            castling: ByColor::new_with(|_| [false, false]),
            irreversible: 0,
            game: self.number,
            names: self.names.clone(),
            relation: Relation::Examining,
            time: time_fields(self.time),
            left: left.unwrap_or(ByColor::new_with(|_| initial)),
            number: u32::try_from(plies / 2 + 1).unwrap_or(u32::MAX),
            last: match self.at {
                0 => LastMove::default(),
                at => self.replay.moves.get(at - 1).cloned().unwrap_or_default(),
            },
            below: Color::White,
            ticking: false,
        }
    }
}

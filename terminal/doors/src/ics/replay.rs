//! A finished game as a list of positions with all men.

use club::{FinishedGame, GameId, Millis, PlayedMove, TimeControl};
use rules::{
    ReserveUse,
    chess::{
        Board, ByColor, CastlingMode, Color, Position as _,
        fen::Fen,
        san::SanPlus,
        uci::UciMove,
        variant::{Variant, VariantPosition},
    },
};

use super::{
    known_game::time_fields,
    style::{LastMove, Position, Relation, strength},
};

/// A position of a finished game.
#[derive(Clone, Debug)]
struct Stage {
    board: Board,
    to_move: Color,
    last: LastMove,
    left: Option<ByColor<Millis>>,
}

/// A finished game: its start position, and the position after each move.
#[derive(Clone, Debug)]
pub(super) struct Replay(Vec<Stage>);

impl Replay {
    pub(super) fn of(game: &FinishedGame) -> Replay {
        let variant = match game.choices.reserve {
            ReserveUse::Drops => Variant::Crazyhouse,
            ReserveUse::None => Variant::Chess,
        };
        let fen = game.start().parse::<Fen>();
        let start = fen.ok().and_then(|fen| {
            VariantPosition::from_setup(variant, fen.into_setup(), CastlingMode::Standard).ok()
        });
        let mut truth = start.unwrap_or_else(|| VariantPosition::new(variant));
        let stage = |truth: &VariantPosition, last, left| Stage {
            board: truth.board().clone(),
            to_move: truth.turn(),
            last,
            left,
        };
        let mut stages = vec![stage(&truth, LastMove::default(), None)];
        let mut before = None;
        for PlayedMove { what, clocks, .. } in game.played() {
            let long = what.to_string();
            let uci = long.parse::<UciMove>().ok();
            let Some(played) = uci.and_then(|uci| uci.to_move(&truth).ok()) else {
                break;
            };
            let short = SanPlus::from_move_and_play_unchecked(&mut truth, played).to_string();
            let at = clocks.map(|clocks| clocks.at);
            let took = before.zip(at);
            let took = took.map_or(0, |(before, at): (Millis, _)| at.saturating_sub(before));
            before = at;
            let last = LastMove {
                long,
                short,
                took: took.max(0),
            };
            stages.push(stage(&truth, last, clocks.map(|clocks| clocks.left)));
        }
        Replay(stages)
    }

    /// Returns the board at the end of the game.
    pub(super) fn last(&self) -> &Board {
        &self.0[self.0.len() - 1].board
    }

    /// Returns the moves that were played.
    pub(super) fn moves(&self) -> impl ExactSizeIterator<Item = &LastMove> {
        self.0[1..].iter().map(|stage| &stage.last)
    }

    /// Whether Black made the first move.
    pub(super) fn black_began(&self) -> bool {
        self.0[0].to_move.is_black()
    }
}

/// A finished game that a person examines.
#[derive(Clone, Debug)]
pub(super) struct Examined {
    pub(super) game: GameId,
    pub(super) number: u32,
    pub(super) replay: Replay,
    pub(super) names: ByColor<String>,
    pub(super) time: TimeControl,
    /// Number of moves made before the shown position.
    pub(super) at: usize,
    /// Side at the lower edge of the board.
    pub(super) below: Color,
    pub(super) result: String,
}

impl Examined {
    pub(super) fn position(&self) -> Position {
        let Stage {
            board,
            to_move,
            last,
            left,
        } = self.replay.0[self.at].clone();
        let initial = match self.time {
            TimeControl::Clock { initial, .. } | TimeControl::Days { initial, .. } => initial,
            TimeControl::Unlimited => 0,
        };
        let plies = self.at + usize::from(self.replay.black_began());
        Position {
            strength: ByColor::new_with(|color| strength(&board, color)),
            board,
            to_move,
            castling: ByColor::new_with(|_| [false, false]),
            game: self.number,
            names: self.names.clone(),
            relation: Relation::Examining,
            time: time_fields(self.time),
            left: left.unwrap_or(ByColor::new_with(|_| initial)),
            number: u32::try_from(plies / 2 + 1).unwrap_or(u32::MAX),
            last,
            below: self.below,
            ticking: false,
        }
    }
}

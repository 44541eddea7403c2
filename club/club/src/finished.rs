//! A game that is over. Everybody may read everything in it.

use referee::{Event, Game};
use rules::{
    Choices, Over, Own, Try,
    chess::{ByColor, Color},
};
use store::{GameId, Millis, Terms};
use views::PlayerView;

use crate::{account::Account, facts::Clocks};

/// A game that is over. Everybody may read everything in it.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedGame {
    /// Id of the game.
    pub id: GameId,
    /// Players.
    pub players: ByColor<Account>,
    /// Terms of the game.
    pub terms: Terms,
    /// Choices of the ruleset, with the switches of this game applied.
    pub choices: Choices,
    /// Time at which the game was created.
    pub at: Millis,
    /// Result of the game.
    pub over: Over,
    /// Every event of the game. The first event is the opening.
    pub log: Vec<Event>,
    /// Clocks after each event of `log`. In a game without clocks, every item is `None`.
    pub clocks: Vec<Option<Clocks>>,
}

/// A move of a finished game, and the clocks after it.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct PlayedMove {
    /// Side that moved.
    pub by: Color,
    /// The move that was played.
    pub what: Try,
    /// Clocks after the move; `None` in a game without clocks.
    pub clocks: Option<Clocks>,
}

impl FinishedGame {
    /// Returns the start position of the game as FEN.
    pub fn start(&self) -> String {
        match self.log.first() {
            Some(Event::Opened(opened)) => opened.start.fen(),
            Some(_) | None => String::new(),
        }
    }

    /// Returns the moves that were played, with the clocks.
    pub fn played(&self) -> Vec<PlayedMove> {
        let clocks = self.clocks.iter().copied().chain(std::iter::repeat(None));
        let mut moves = Vec::new();
        for (event, clocks) in self.log.iter().zip(clocks) {
            if let Event::Moved { by, what, .. } = *event {
                moves.push(PlayedMove { by, what, clocks });
            }
        }
        moves
    }

    /// Returns the moves that were played, each with the mover's own men before the move.
    pub fn moves(&self) -> Vec<(Own, Try)> {
        let mut moves = Vec::new();
        let Some((Event::Opened(opened), rest)) = self.log.split_first() else {
            return moves;
        };
        let mut game = Game::open((**opened).clone());
        let opens = |color: Color| {
            let start = game.start(color.into());
            let mut view = PlayerView::open(*game.choices(), color, &start);
            view.hear_calls(&game.opening_calls());
            view
        };
        let mut views = ByColor {
            white: opens(Color::White),
            black: opens(Color::Black),
        };
        for event in rest {
            if let Event::Moved { by, what, .. } = event {
                moves.push((*views.get(*by).own(), *what));
            }
            let calls = game.calls(event);
            for view in [&mut views.white, &mut views.black] {
                view.hear_calls(&calls);
            }
            game.apply(event);
        }
        moves
    }
}

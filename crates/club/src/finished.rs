//! A game that is over: everything for everybody.

use referee::{Event, Game};
use rules::{
    Choices, Over, Own, Try,
    chess::{ByColor, Color},
};
use store::{GameId, Millis, Terms};
use views::PlayerView;

use crate::{account::Account, facts::Clocks};

/// A game that is over: everybody may see everything.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedGame {
    /// Its id.
    pub id: GameId,
    /// Players.
    pub players: ByColor<Account>,
    /// The terms.
    pub terms: Terms,
    /// Choices of the ruleset.
    pub choices: Choices,
    /// Time at which it was made.
    pub at: Millis,
    /// End of the game.
    pub over: Over,
    /// Every event of the game, the opening first.
    pub log: Vec<Event>,
    /// The clocks after each event of the log; `None` without clocks.
    pub clocks: Vec<Option<Clocks>>,
}

/// A move of a finished game, and its time.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct PlayedMove {
    /// Side that moved.
    pub by: Color,
    /// The move as it was played.
    pub what: Try,
    /// The clocks after it; `None` without clocks.
    pub clocks: Option<Clocks>,
}

impl FinishedGame {
    /// The position from which it was played, as FEN.
    pub fn start(&self) -> String {
        match self.log.first() {
            Some(Event::Opened(opened)) => opened.start.fen(),
            Some(_) | None => String::new(),
        }
    }

    /// The moves that were played, with the clocks.
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

    /// The moves that were played, each with the mover's own men before it.
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

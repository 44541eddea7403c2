//! The interface through which tests compare two umpires. An umpire takes actions,
//! and returns what each listener hears.

use std::fmt;

use rules::{Attempt, Choices, Heard, Over, Start, Try, chess::Color};

use crate::oracle::{Answered, End, Oracle};

/// The rules and the start position of a game.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Id of the ruleset.
    pub rules: String,
    /// The choices, which can differ from the choices of the named ruleset.
    pub choices: Choices,
    /// The start position as FEN; `None` for the usual start position.
    pub fen: Option<String>,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.fen.as_deref().unwrap_or("the usual start");
        write!(f, "{} from {fen}", self.rules)?;
        let named = rules::rulesets::by_id(&self.rules);
        for field in Choices::FIELDS {
            let value = self.choices.get(field.name);
            if named.is_some_and(|r| r.choices.get(field.name) != value) {
                write!(f, ", {} = {}", field.name, value.unwrap_or("?"))?;
            }
        }
        Ok(())
    }
}

/// An action in a game.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Action {
    /// A player makes an attempt.
    Attempt(Color, Attempt),
    /// The game ends for a reason that is not an attempt.
    End(End),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |color: Color| match color {
            Color::White => "white",
            Color::Black => "black",
        };
        match *self {
            Action::Attempt(color, attempt) => write!(f, "{} {attempt}", name(color)),
            Action::End(End::Flag(color)) => write!(f, "{} flag", name(color)),
            Action::End(End::Gone(color)) => write!(f, "{} gone", name(color)),
            Action::End(End::GoneDraw(color)) => write!(f, "{} gone-draw", name(color)),
            Action::End(End::Abort) => f.write_str("abort"),
        }
    }
}

/// An umpire that can be compared with another umpire.
pub trait Umpire {
    /// Returns what White, Black and the spectators hear first when the game
    /// opens.
    fn starts(&self) -> [Start; 3];
    /// Returns what White, Black and the spectators hear after
    /// [`Umpire::starts`]: the announcements about the start position.
    fn opening(&self) -> [Vec<Heard>; 3];
    /// Judges an action and applies it.
    ///
    /// # Errors
    /// The reason why the action is refused. A refused action does not change the game.
    fn act(&mut self, action: Action) -> Result<Answered, String>;
    /// Returns the true position as FEN.
    fn fen(&self) -> String;
    /// Returns the side to move; `None` if the game is over.
    fn to_move(&self) -> Option<Color>;
    /// Returns the result and the reason; `None` if the game is not over.
    fn over(&self) -> Option<Over>;
    /// Returns the side whose draw offer is open, if there is one.
    fn draw_offer(&self) -> Option<Color>;
    /// Returns the tries worth making for the player to move; `None` if this umpire does
    /// not list them.
    fn tries(&self) -> Option<Vec<Try>>;
    /// Returns the legal moves, sorted by their text; `None` if this umpire does not list
    /// them.
    fn legal_tries(&self) -> Option<Vec<Try>>;
    /// Checks the internal state of the umpire. By default there is nothing to
    /// check.
    ///
    /// # Errors
    /// A description of what is wrong.
    fn audit(&self) -> Result<(), String> {
        Ok(())
    }
}

/// A function that opens a game with an umpire.
pub type Opener<'a> = dyn Fn(&Setting) -> Result<Box<dyn Umpire>, String> + Sync + 'a;

impl Umpire for Oracle {
    fn starts(&self) -> [Start; 3] {
        self.starts()
    }

    fn opening(&self) -> [Vec<Heard>; 3] {
        self.opening()
    }

    fn act(&mut self, action: Action) -> Result<Answered, String> {
        match action {
            Action::Attempt(by, attempt) => self.attempt(by, attempt),
            Action::End(end) => self.end(end),
        }
    }

    fn fen(&self) -> String {
        self.fen()
    }

    fn to_move(&self) -> Option<Color> {
        self.to_move()
    }

    fn over(&self) -> Option<Over> {
        self.over()
    }

    fn draw_offer(&self) -> Option<Color> {
        self.draw_offer()
    }

    fn tries(&self) -> Option<Vec<Try>> {
        Some(self.tries())
    }

    fn legal_tries(&self) -> Option<Vec<Try>> {
        Some(self.legal_tries())
    }
}

impl Setting {
    /// Opens the game with the oracle.
    ///
    /// # Errors
    /// The FEN cannot be read.
    pub fn oracle(&self) -> Result<Oracle, String> {
        Oracle::open(&self.rules, self.choices, self.fen.as_deref())
    }
}

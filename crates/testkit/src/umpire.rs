//! An umpire as the comparison sees one: asked, and listened to.

use std::fmt;

use rules::{Attempt, Choices, Heard, Over, Start, Try, chess::Color};

use crate::oracle::{Answered, End, Oracle};

/// A game to be opened.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The ruleset's id.
    pub rules: String,
    /// Its choices, perhaps altered.
    pub choices: Choices,
    /// The start; `None` for the usual one.
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

/// Something done in a game.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Action {
    /// A player asks something of the umpire.
    Attempt(Color, Attempt),
    /// The game ends from outside.
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

/// Umpire that judges a game.
pub trait Umpire {
    /// Returns what White, Black and the spectators are told at the start.
    fn starts(&self) -> [Start; 3];
    /// Returns what they hear then.
    fn opening(&self) -> [Vec<Heard>; 3];
    /// Judges an action and carries it out.
    ///
    /// # Errors
    /// A refusal; nothing is changed.
    fn act(&mut self, action: Action) -> Result<Answered, String>;
    /// The true position.
    fn fen(&self) -> String;
    /// Returns the side to move, if the game goes on.
    fn to_move(&self) -> Option<Color>;
    /// Returns the end of the game, if it is over.
    fn over(&self) -> Option<Over>;
    /// Returns the side whose draw offer stands.
    fn draw_offer(&self) -> Option<Color>;
    /// The attempts worth making for the player to move, if this umpire tells.
    fn tries(&self) -> Option<Vec<Try>>;
    /// The legal moves, sorted by text, if this umpire tells.
    fn legal_tries(&self) -> Option<Vec<Try>>;
    /// Looks at itself.
    ///
    /// # Errors
    /// Description of the fault that it finds.
    fn audit(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Opens a game under some umpire.
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
    /// Opens the game under the oracle.
    ///
    /// # Errors
    /// The start cannot be read.
    pub fn oracle(&self) -> Result<Oracle, String> {
        Oracle::open(&self.rules, self.choices, self.fen.as_deref())
    }
}

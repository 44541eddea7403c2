//! Start of a game: a legal position with its counters.

use rules::{
    Choices, ReserveUse, Ruleset, Try,
    chess::{
        CastlingMode, Chess, Color, FromSetup, Position as _, PositionError, PositionErrorKinds,
        Role, Setup, fen::Fen, variant::Crazyhouse,
    },
};

use crate::position::Position;

/// A start position, checked to be legal, with its move counters.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct StartPosition {
    position: Position,
    halfmoves: u32,
    fullmoves: u32,
    drops: bool,
}

/// Error: the text is not the FEN of a start position.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum FenError {
    /// The text is not a FEN.
    #[error(
        "not a FEN: {0}; write six fields, as in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    )]
    Unreadable(String),
    /// The text is a FEN, but the position is not legal.
    #[error("not a legal position: {0}")]
    Impossible(String),
}

/// Largest counters that are accepted in a FEN.
const MAX_HALFMOVES: u32 = 10_000;
const MAX_FULLMOVES: u32 = 100_000;

fn faults(kinds: PositionErrorKinds) -> String {
    const SAID: &[(PositionErrorKinds, &str)] = &[
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (
            PositionErrorKinds::TOO_MANY_KINGS,
            "a side has more than one king",
        ),
        (
            PositionErrorKinds::PAWNS_ON_BACKRANK,
            "a pawn is on the first or last rank",
        ),
        (
            PositionErrorKinds::INVALID_EP_SQUARE,
            "no pawn has just passed the en passant square (write - for no square)",
        ),
        (
            PositionErrorKinds::OPPOSITE_CHECK,
            "the side that is not to move is in check",
        ),
        (
            PositionErrorKinds::IMPOSSIBLE_CHECK,
            "no move could have given this check",
        ),
        (
            PositionErrorKinds::TOO_MUCH_MATERIAL,
            "there are more men than pawns and promotions allow",
        ),
        (
            PositionErrorKinds::VARIANT,
            "board and reserves hold more than 64 men",
        ),
    ];
    let said: Vec<&str> = SAID
        .iter()
        .filter(|(kind, _)| kinds.intersects(*kind))
        .map(|(_, words)| *words)
        .collect();
    said.join("; ")
}

impl StartPosition {
    /// Returns the usual start position of chess.
    pub fn initial() -> StartPosition {
        StartPosition {
            position: Position::from_setup(&Setup::initial()),
            halfmoves: 0,
            fullmoves: 1,
            drops: false,
        }
    }

    /// Returns the start position of a ruleset.
    ///
    /// # Errors
    /// [`FenError`], as for [`from_fen`](StartPosition::from_fen): no ruleset checks its start.
    pub fn of_ruleset(ruleset: &Ruleset) -> Result<StartPosition, FenError> {
        match &ruleset.start {
            Some(fen) => StartPosition::from_fen(fen, &ruleset.choices),
            None => Ok(StartPosition::initial()),
        }
    }

    /// Reads a FEN. If captured men can be dropped, also reads reserves (`[Qn]`) and promoted men
    /// (`~`). Otherwise a reserve with men is an error. Ignores castling rights without a king and a
    /// rook on their first squares.
    ///
    /// # Errors
    /// [`FenError::Unreadable`] if the text is not a FEN, and [`FenError::Impossible`] if the
    /// position is not legal. Both errors say what is wrong.
    pub fn from_fen(text: &str, choices: &Choices) -> Result<StartPosition, FenError> {
        let drops = choices.reserve == ReserveUse::Drops;
        let fen: Fen = text
            .trim()
            .parse()
            .map_err(|e| FenError::Unreadable(format!("{e}")))?;
        let mut setup = fen.into_setup();
        if setup.remaining_checks.is_some() {
            return Err(FenError::Unreadable(
                "the FEN counts remaining checks, but Kriegspiel has no such count".to_owned(),
            ));
        }
        if setup.halfmoves > MAX_HALFMOVES || setup.fullmoves.get() > MAX_FULLMOVES {
            return Err(FenError::Impossible(format!(
                "the FEN counts more than {MAX_HALFMOVES} half-moves or {MAX_FULLMOVES} moves"
            )));
        }
        let impossible = |kinds| FenError::Impossible(faults(kinds));
        if drops {
            if setup.pockets.is_none() {
                setup.pockets = Some(Default::default());
            }
            let checked = Crazyhouse::from_setup(setup.clone(), CastlingMode::Standard)
                .or_else(PositionError::ignore_invalid_castling_rights)
                .map_err(|e| impossible(e.kinds()))?;
            setup.castling_rights = checked.castles().castling_rights();
            if (setup.castling_rights & setup.promoted).any() {
                return Err(FenError::Impossible(
                    "a castling right belongs to a promoted rook".to_owned(),
                ));
            }
        } else {
            if setup.pockets.is_some_and(|p| p != Default::default()) {
                return Err(FenError::Impossible(
                    "the FEN has men in reserve, but this ruleset has no reserves".to_owned(),
                ));
            }
            setup.pockets = None;
            let checked = Chess::from_setup(setup.clone(), CastlingMode::Standard)
                .or_else(PositionError::ignore_invalid_castling_rights)
                .map_err(|e| impossible(e.kinds()))?;
            setup.castling_rights = checked.castles().castling_rights();
        }
        let mut position = Position::from_setup(&setup);
        position.forget_idle_en_passant();
        Ok(StartPosition {
            position,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves.get(),
            drops,
        })
    }

    /// Returns a position with its counters. `drops` is true if captured men can be dropped. The
    /// position is not checked.
    pub const fn of(
        position: Position,
        halfmoves: u32,
        fullmoves: u32,
        drops: bool,
    ) -> StartPosition {
        StartPosition {
            position,
            halfmoves,
            fullmoves,
            drops,
        }
    }

    /// Returns the same start position for a game with these choices. The choices decide whether
    /// the position has reserves and promoted men.
    pub fn under(mut self, choices: &Choices) -> StartPosition {
        self.drops = choices.reserve == ReserveUse::Drops;
        self
    }

    /// Plays a legal try. The position after the try is again a possible start position.
    ///
    /// After an illegal try the position is meaningless.
    pub fn play(&mut self, t: Try) {
        let man = self.position.man_of(t);
        let captured = self.position.play_man(t, man, self.drops);
        self.halfmoves = if man == Role::Pawn || captured.is_some() {
            0
        } else {
            self.halfmoves.saturating_add(1)
        };
        if self.position.turn() == Color::White {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
    }

    /// Returns the position, without the counters.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the number of half-moves since the last capture or pawn move.
    pub const fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    /// Returns the number of the next move, as in FEN: 1 at the start, increased by 1 after each
    /// move of Black.
    pub const fn fullmoves(&self) -> u32 {
        self.fullmoves
    }

    /// Returns the FEN. The en passant square is written only if a capture
    /// there is legal.
    pub fn fen(&self) -> String {
        self.position
            .fen(self.drops, self.halfmoves, self.fullmoves)
    }
}

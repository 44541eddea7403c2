//! Reads an attempt in any notation, using only own men and announcements.

use std::fmt;

use rules::{
    Attempt, Choices, Own, Try, TurnState, answers_check,
    chess::{CastlingSide, File, Rank, Role, Square},
};

use super::{
    algebraic, descriptive,
    pattern::{BoardNames, MoveText, PROMOTIONS, Pattern},
    spoken,
};
use crate::read::{ReadError, may_be_typed, read_attempt, shortened};

/// Error: a typed text does not name exactly one attempt of this player.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum TypedError {
    /// The text is not in a known notation, or the text asks for help.
    NotNotation(ReadError),
    /// The text is a move, but the player's men cannot make this move.
    NotPossible {
        /// The typed text, shortened.
        text: String,
        /// The move in coordinates, if the text names the target square. The referee answers this
        /// try like every try that is impossible from the player's own men.
        attempt: Option<Try>,
    },
    /// The text fits several attempts. The opponent's men are not used to
    /// choose one of them.
    Ambiguous {
        /// The typed text, shortened.
        text: String,
        /// The tries that fit the text, sorted.
        fits: Vec<Try>,
    },
}

impl fmt::Display for TypedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypedError::NotNotation(error) => error.fmt(f),
            TypedError::NotPossible { text, .. } => write!(
                f,
                "`{text}` is a move, but none of your men could make it: look at your own board, or name both squares, as e2e4"
            ),
            TypedError::Ambiguous { text, fits } => {
                if let [castling] = **fits {
                    return write!(
                        f,
                        "`{text}` puts the king onto its own rook: to castle, write {castling}"
                    );
                }
                write!(f, "`{text}` may mean ")?;
                let shown = fits.len().min(MAX_LISTED);
                for (i, t) in fits.iter().take(shown).enumerate() {
                    let link = match i {
                        0 => "",
                        _ if i + 1 == fits.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{link}{t}")?;
                }
                if fits.len() > shown {
                    write!(f, " or {} more", fits.len() - shown)?;
                }
                f.write_str(": write the one you mean")
            }
        }
    }
}

impl std::error::Error for TypedError {}

impl TypedError {
    /// Returns the message for a person who referees: it contains "the mover's men" instead of "your
    /// men".
    pub fn umpire_words(&self) -> String {
        match self {
            TypedError::NotPossible { text, .. } => format!(
                "`{text}` is a move, but none of the mover's men could make it: look at the mover's board, or name both squares, as e2e4"
            ),
            TypedError::Ambiguous { text, fits } if fits.len() > MAX_LISTED => {
                format!("`{text}` may mean {} moves", fits.len())
            }
            TypedError::Ambiguous { .. } | TypedError::NotNotation(_) => self.to_string(),
        }
    }
}

/// Largest number of attempts that an error message lists.
const MAX_LISTED: usize = 12;

/// Reads an attempt in any notation. Accepts algebraic and descriptive notation, the forms of `ks`
/// and UMPIRE, spoken words (`knight takes d5`), and everything that [`read_attempt`] reads.
///
/// The result depends only on the player's own men and on the announcements. If several attempts
/// fit, the attempts that contradict the announcements are left out, unless all of them do. Two
/// examples are a pawn capture that was not announced, and a try that cannot end an announced
/// check. If several attempts are still left, the error lists these attempts.
///
/// Two kinds of text are accepted even if the player's men cannot make the move: a text that names
/// two squares, and a text for castling if the king is on its first square. The referee judges these
/// moves.
///
/// # Errors
/// [`TypedError`] has one variant for each of three cases: the text is in no
/// notation, the player's men cannot make the move, or several attempts fit.
///
/// # Examples
///
/// ```
/// use notation::{BoardNames, TypedError, read_typed};
/// use rules::{Own, Reserve, TurnState, Wings, rulesets, chess::{Board, Color}};
///
/// let choices = rulesets::by_id("ks").expect("the id names a ruleset").choices;
/// let own = Own::of(&Board::new(), Color::Black, Wings::BOTH, Reserve::EMPTY);
/// let turn = TurnState::default();
/// let read = |text, board| {
///     read_typed(text, &own, &turn, &choices, board).map(|attempt| attempt.to_string())
/// };
/// assert_eq!(read("p-k4", BoardNames::Usual).as_deref(), Ok("e7e5"));
/// assert_eq!(read("Nf6", BoardNames::Usual).as_deref(), Ok("g8f6"));
/// assert_eq!(read("e2-e4", BoardNames::Reversed).as_deref(), Ok("d7d5"));
/// assert!(matches!(read("N-B3", BoardNames::Usual), Err(TypedError::Ambiguous { .. })));
/// ```
pub fn read_typed(
    text: &str,
    own: &Own,
    turn: &TurnState,
    choices: &Choices,
    board: BoardNames,
) -> Result<Attempt, TypedError> {
    let usual = board == BoardNames::Usual || own.color.is_white();
    let reader = Reader {
        text,
        own,
        turn,
        choices,
    };
    let known = read_attempt(text, own, choices);
    match known {
        Ok(Attempt::Try(t)) if usual => return reader.two_squares(t),
        Ok(attempt) if !matches!(attempt, Attempt::Try(_)) => return Ok(attempt),
        Err(ReadError::Help { .. }) => return known.map_err(TypedError::NotNotation),
        Ok(_) | Err(ReadError::NotNotation { .. } | ReadError::KingNotAtHome { .. }) => {}
    }
    let written = MoveText::read_any(text, own.color, board).map(|mut read| {
        if read.exact().is_none() && !spoken::is_mixed(text) {
            // `Q2-Q4` is a queen's move, or two squares. `NXB5` is on the file b or a bishop's file.
            if text.contains('-') {
                let capitals = text.trim().to_ascii_uppercase();
                read.add(descriptive::pair(&capitals, own.color).map(Pattern::Step));
            }
            if text.contains('X') {
                read.add(algebraic::readings(
                    &text.trim().to_ascii_lowercase(),
                    !usual,
                ));
            }
        }
        reader.meaning(read)
    });
    // What is written in a notation is not read in another way, unless no own man can do it.
    if let Some(found @ (Ok(_) | Err(TypedError::Ambiguous { .. }))) = written {
        return found;
    }
    if let Some(attempt) = spoken::word(text) {
        return Ok(attempt);
    }
    let said = spoken::read(text, own.color, board).map(|read| reader.meaning(read));
    match (written, said) {
        (_, Some(found @ (Ok(_) | Err(TypedError::Ambiguous { .. })))) => found,
        (Some(found), _) | (None, Some(found)) => found,
        (None, None) => Err(TypedError::NotNotation(ReadError::NotNotation {
            text: shortened(text.trim()),
            remedy: format!(
                "{}; a move also as Nf3, exd5, N-KB3 or PxP",
                may_be_typed(choices)
            ),
        })),
    }
}

/// A typed text, and what its player knows.
struct Reader<'a> {
    text: &'a str,
    own: &'a Own,
    turn: &'a TurnState,
    choices: &'a Choices,
}

impl Reader<'_> {
    fn ambiguous(&self, fits: Vec<Try>) -> TypedError {
        TypedError::Ambiguous {
            text: shortened(self.text.trim()),
            fits,
        }
    }

    /// Asks for the man of a promotion, and whether a king that moves onto the own rook castles.
    /// Every other try goes to the referee as it is written.
    fn two_squares(&self, t: Try) -> Result<Attempt, TypedError> {
        let Try::Step { from, to, .. } = t else {
            return Ok(Attempt::Try(t));
        };
        if let Some(castling) = self.onto_rook(from, to) {
            return Err(self.ambiguous(vec![castling]));
        }
        let rule = self.choices.promotion_man;
        let mut named = PROMOTIONS.map(|man| Try::Step {
            from,
            to,
            promotion: Some(man),
        });
        named.sort_unstable();
        let is_open = t == Try::step(from, to)
            && self.own.with_default_promotion(t, rule) == t
            && self.own.imaginable(named[0], rule);
        if is_open {
            return Err(self.ambiguous(named.to_vec()));
        }
        Ok(Attempt::Try(t))
    }

    /// Returns the castling of a king on its first square that moves onto the own rook in the corner.
    fn onto_rook(&self, from: Square, to: Square) -> Option<Try> {
        let own = self.own;
        let home = own.color.fold_wb(Square::E1, Square::E8);
        let side = CastlingSide::from_king_side(to.file() == File::H);
        let corner = matches!(to.file(), File::A | File::H) && to.rank() == home.rank();
        (from == home && own.king() == Some(home) && corner && own.men.rook.contains(to))
            .then(|| Try::step(home, side.king_to(own.color)))
    }

    /// Finds the attempts that the meanings of a text leave.
    fn meaning(&self, mut read: MoveText) -> Result<Attempt, TypedError> {
        let Reader { own, choices, .. } = *self;
        if let Some(exact) = read.exact() {
            return self.two_squares(exact);
        }
        if let [Pattern::Castling(side)] = *read.readings {
            let home = own.color.fold_wb(Square::E1, Square::E8);
            if own.king() == Some(home) {
                let target = side.king_to(own.color);
                return Ok(Attempt::Try(Try::step(home, target)));
            }
        }
        // In `pxq6`, `q6` is read as a square: the sixth square of the queen's file (d6 for White). The
        // text could also mean the capture of a queen on the sixth rank, but the player cannot see the
        // opponent's queen.
        if read.readings.iter().any(names_square) {
            read.readings.retain(names_square);
        }
        let mut fits = Vec::new();
        read.imagined(own, choices.promotion_man, &mut fits);
        if read.marks.en_passant {
            fits.retain(|t| could_pass(own, *t));
        }
        fits.sort_unstable();
        let told: Vec<Try> = fits
            .iter()
            .copied()
            .filter(|t| agrees(choices, own, self.turn, *t))
            .collect();
        let fits = if told.is_empty() { fits } else { told };
        match *fits {
            [] => self.castles(&read),
            [one] => Ok(Attempt::Try(one)),
            [_, _, ..] => Err(self.ambiguous(fits)),
        }
    }

    /// Reads a king's move that no step of the king fits: to its square after castling, or onto the
    /// own rook.
    fn castles(&self, read: &MoveText) -> Result<Attempt, TypedError> {
        let own = self.own;
        let targets = read.readings.iter().filter(|one| names_square(one));
        let targets = targets.filter_map(|reading| match reading {
            Pattern::Step(step) if step.man == Some(Role::King) => {
                let king = own.king().filter(|king| step.from.contains(*king))?;
                Some((king, step.to))
            }
            Pattern::Step(_) | Pattern::Castling(_) | Pattern::Drop { .. } => None,
        });
        let steps = targets.flat_map(|(king, to)| to.into_iter().map(move |to| (king, to)));
        let steps: Vec<(Square, Square)> = steps.collect();
        let rooks = steps.iter();
        let rooks: Vec<Try> = rooks
            .filter_map(|(k, to)| self.onto_rook(*k, *to))
            .collect();
        if !rooks.is_empty() {
            return Err(self.ambiguous(rooks));
        }
        let mut steps = steps.into_iter();
        match steps.find(|(_, to)| own.castling_targets().contains(*to)) {
            Some((king, to)) => Ok(Attempt::Try(Try::step(king, to))),
            None => Err(TypedError::NotPossible {
                text: shortened(self.text.trim()),
                attempt: read.impossible(own, self.choices.promotion_man),
            }),
        }
    }
}

/// Reads an attempt as [`read_typed`] does. Also accepts a move that none of the player's men can
/// make, if the text names the target square. The referee answers such a move like every try that
/// is impossible from the own men. For example, if no bishop can move to f4, `Bf4` becomes `c1f4`.
///
/// # Errors
/// [`TypedError`], as from [`read_typed`].
///
/// # Examples
///
/// ```
/// use notation::{BoardNames, read_for_referee};
/// use rules::{Own, Reserve, TurnState, Wings, rulesets::RAND, chess::{Board, Color}};
///
/// let own = Own::of(&Board::new(), Color::White, Wings::BOTH, Reserve::EMPTY);
/// let turn = TurnState::default();
/// let read = |text| read_for_referee(text, &own, &turn, &RAND.choices, BoardNames::Usual);
/// // The pawn on d2 is in the way.
/// assert_eq!(read("Bf4").map(|attempt| attempt.to_string()).as_deref(), Ok("c1f4"));
/// assert!(read("PxQ").is_err() && read("bishop").is_err());
/// ```
pub fn read_for_referee(
    text: &str,
    own: &Own,
    turn: &TurnState,
    choices: &Choices,
    board: BoardNames,
) -> Result<Attempt, TypedError> {
    read_typed(text, own, turn, choices, board).or_else(|error| match error {
        TypedError::NotPossible {
            attempt: Some(t), ..
        } => Ok(Attempt::Try(t)),
        TypedError::NotNotation(_)
        | TypedError::NotPossible { attempt: None, .. }
        | TypedError::Ambiguous { .. } => Err(error),
    })
}

/// Whether a pattern names the target square, and no captured man.
fn names_square(reading: &Pattern) -> bool {
    match reading {
        Pattern::Step(step) => step.victim.is_none() && step.to.count() <= 2,
        Pattern::Castling(_) | Pattern::Drop { .. } => false,
    }
}

/// Whether a try could be a capture en passant, judged from own men only.
fn could_pass(own: &Own, t: Try) -> bool {
    let fifth = own.color.relative_rank(Rank::Fifth);
    own.is_pawn_capture(t) && t.from().is_some_and(|from| from.rank() == fifth)
}

/// Whether the announcements allow a try.
fn agrees(choices: &Choices, own: &Own, turn: &TurnState, t: Try) -> bool {
    let admitted = match t {
        Try::Step { from, to, .. } => {
            !own.is_pawn_capture(t) || turn.tries.admits(from, to, choices.pawn_try_square)
        }
        Try::Drop { .. } => true,
    };
    let answers = match turn.check {
        None => true,
        Some(directions) if directions.is_empty() => !own.is_castling(t),
        Some(directions) => answers_check(own, directions, t),
    };
    admitted && answers
}

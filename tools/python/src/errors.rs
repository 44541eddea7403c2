//! Exceptions.

use std::fmt::Display;

use pyo3::{create_exception, exceptions::PyValueError, prelude::*};

create_exception!(
    kriegspiel,
    KriegspielError,
    PyValueError,
    "A value that cannot be used; the message says why."
);
create_exception!(
    kriegspiel,
    Refused,
    KriegspielError,
    "The referee does not judge the attempt, and the game is unchanged: the game is over, it is not \
     the seat's turn, or the ruleset has no such question."
);
create_exception!(
    kriegspiel,
    Secret,
    KriegspielError,
    "The game is not over, so this is known to `Game.truth()` alone."
);

/// Makes a [`KriegspielError`].
pub fn error(why: impl Display) -> PyErr {
    KriegspielError::new_err(why.to_string())
}

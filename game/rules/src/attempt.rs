//! Attempts: what a player may ask the referee for.

use std::{fmt, str::FromStr};

use crate::chess::{Role, Square};

/// A try: an attempt to move one man, or to drop one from the reserve.
///
/// Castling is the king's step of two squares. The text form is coordinate
/// notation: `e2e4`, `e7e8q`, `e1g1`, `N@f5`.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Try {
    /// A man moves from one square to another.
    Step {
        /// Square of the man.
        from: Square,
        /// Target square.
        to: Square,
        /// The man that a pawn becomes on the last rank; `None` if the player names no man.
        promotion: Option<Role>,
    },
    /// A man from the reserve is put on an empty square.
    Drop {
        /// The man that is dropped.
        role: Role,
        /// Square on which the man is put.
        to: Square,
    },
}

impl Try {
    /// Creates a step without a promotion.
    pub const fn step(from: Square, to: Square) -> Try {
        Try::Step {
            from,
            to,
            promotion: None,
        }
    }

    /// Returns the square to which the man moves or is dropped.
    pub const fn to(self) -> Square {
        match self {
            Try::Step { to, .. } | Try::Drop { to, .. } => to,
        }
    }

    /// Returns the square from which the man moves; `None` for a drop.
    pub const fn from(self) -> Option<Square> {
        match self {
            Try::Step { from, .. } => Some(from),
            Try::Drop { .. } => None,
        }
    }
}

impl fmt::Display for Try {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Try::Step {
                from,
                to,
                promotion,
            } => {
                write!(f, "{from}{to}")?;
                match promotion {
                    Some(role) => write!(f, "{}", role.char()),
                    None => Ok(()),
                }
            }
            Try::Drop { role, to } => write!(f, "{}@{to}", role.upper_char()),
        }
    }
}

/// Everything that a player may ask the referee for: a try, a question,
/// resignation, a draw offer, or the answer to a draw offer.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Attempt {
    /// A try: a move or a drop.
    Try(Try),
    /// `px`: "Play the one pawn capture that you announced." Only for rulesets
    /// that announce the number of pawn tries.
    Px {
        /// The man that the pawn becomes. The role must be named if a pawn of the mover could
        /// promote by a capture. Otherwise it must not be named.
        promotion: Option<Role>,
    },
    /// "Any?": "Have I a legal pawn capture?"
    Any,
    /// Asks how often the opponent was rebuffed: in the opponent's last turn, or in the current
    /// turn if the opponent is to move.
    Count,
    /// Asks for the announcements of the last completed move again.
    Recap,
    /// The player resigns.
    Resign,
    /// The player offers a draw. If the opponent has already offered a draw, this attempt accepts
    /// that offer.
    OfferDraw,
    /// The player accepts the opponent's draw offer.
    AcceptDraw,
    /// The player declines the opponent's draw offer.
    DeclineDraw,
    /// The player withdraws their own draw offer.
    WithdrawDraw,
}

impl Attempt {
    /// Returns the try; `None` for all other attempts, including `px`.
    pub const fn as_try(self) -> Option<Try> {
        match self {
            Attempt::Try(t) => Some(t),
            Attempt::Px { .. }
            | Attempt::Any
            | Attempt::Count
            | Attempt::Recap
            | Attempt::Resign
            | Attempt::OfferDraw
            | Attempt::AcceptDraw
            | Attempt::DeclineDraw
            | Attempt::WithdrawDraw => None,
        }
    }
}

impl From<Try> for Attempt {
    fn from(t: Try) -> Attempt {
        Attempt::Try(t)
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Attempt::Try(t) => t.fmt(f),
            Attempt::Px { promotion: None } => f.write_str("px"),
            Attempt::Px {
                promotion: Some(role),
            } => write!(f, "px={}", role.char()),
            Attempt::Any => f.write_str("any"),
            Attempt::Count => f.write_str("count"),
            Attempt::Recap => f.write_str("recap"),
            Attempt::Resign => f.write_str("resign"),
            Attempt::OfferDraw => f.write_str("offer-draw"),
            Attempt::AcceptDraw => f.write_str("accept-draw"),
            Attempt::DeclineDraw => f.write_str("decline-draw"),
            Attempt::WithdrawDraw => f.write_str("withdraw-draw"),
        }
    }
}

/// Error: the text is not the text form of an attempt.
#[derive(Copy, Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error(
    "not an attempt: write a move as e2e4, e7e8q or N@f5, or one of px, any, count, recap, resign, offer-draw, accept-draw, decline-draw, withdraw-draw"
)]
pub struct ParseAttemptError;

impl FromStr for Try {
    type Err = ParseAttemptError;

    fn from_str(s: &str) -> Result<Try, ParseAttemptError> {
        let b = s.as_bytes();
        let square = |at: &[u8]| Square::from_ascii(at).map_err(|_| ParseAttemptError);
        let role = |c: u8| Role::from_char(char::from(c)).ok_or(ParseAttemptError);
        match *b {
            [man, b'@', f, r] if man.is_ascii_uppercase() => Ok(Try::Drop {
                role: role(man)?,
                to: square(&[f, r])?,
            }),
            [f1, r1, f2, r2] => Ok(Try::Step {
                from: square(&[f1, r1])?,
                to: square(&[f2, r2])?,
                promotion: None,
            }),
            [f1, r1, f2, r2, man] if man.is_ascii_lowercase() => Ok(Try::Step {
                from: square(&[f1, r1])?,
                to: square(&[f2, r2])?,
                promotion: Some(role(man)?),
            }),
            _ => Err(ParseAttemptError),
        }
    }
}

impl FromStr for Attempt {
    type Err = ParseAttemptError;

    fn from_str(s: &str) -> Result<Attempt, ParseAttemptError> {
        Ok(match s {
            "px" => Attempt::Px { promotion: None },
            "any" => Attempt::Any,
            "count" => Attempt::Count,
            "recap" => Attempt::Recap,
            "resign" => Attempt::Resign,
            "offer-draw" => Attempt::OfferDraw,
            "accept-draw" => Attempt::AcceptDraw,
            "decline-draw" => Attempt::DeclineDraw,
            "withdraw-draw" => Attempt::WithdrawDraw,
            _ => match s.strip_prefix("px=").map(str::as_bytes) {
                Some(&[c]) if c.is_ascii_lowercase() => Attempt::Px {
                    promotion: Some(Role::from_char(char::from(c)).ok_or(ParseAttemptError)?),
                },
                Some(_) => return Err(ParseAttemptError),
                None => Attempt::Try(s.parse()?),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_and_drop_round_trips() {
        let men = [None].into_iter().chain(Role::ALL.map(Some));
        for promotion in men {
            for from in Square::ALL {
                for to in Square::ALL {
                    let t = Try::Step {
                        from,
                        to,
                        promotion,
                    };
                    assert_eq!(t.to_string().parse(), Ok(t));
                }
            }
            let px = Attempt::Px { promotion };
            assert_eq!(px.to_string().parse(), Ok(px));
        }
        for role in Role::ALL {
            for to in Square::ALL {
                let t = Try::Drop { role, to };
                assert_eq!(t.to_string().parse(), Ok(t));
            }
        }
    }

    #[test]
    fn words_round_trip_and_garbage_is_refused() {
        for word in [
            "any",
            "count",
            "recap",
            "resign",
            "offer-draw",
            "accept-draw",
            "decline-draw",
            "withdraw-draw",
        ] {
            let parsed: Attempt = word.parse().unwrap();
            assert_eq!(parsed.to_string(), word);
        }
        for bad in [
            "",
            "e2",
            "e2e9",
            "i2e4",
            "e2e4x",
            "e2e4Q",
            "n@f5",
            "N@",
            "px=",
            "px=qq",
            "ANY",
            "e2-e4",
            "\u{e9}2e4",
        ] {
            assert_eq!(bad.parse::<Attempt>(), Err(ParseAttemptError), "{bad:?}");
        }
    }
}

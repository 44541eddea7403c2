//! Reasons why a request is not even judged.

use rules::chess::Color;

/// Row 1 of the verdicts: an error to the asker alone. Nothing is recorded or
/// announced, and nothing in it depends on what the asker may not know.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash, thiserror::Error)]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// It is the other side's turn.
    #[error("it is {}'s turn", name(*to_move))]
    NotYourTurn {
        /// The side to move.
        to_move: Color,
    },
    /// There are no reserves under this ruleset.
    #[error("no man can be dropped under this ruleset")]
    NoDrops,
    /// There is no Any? under this ruleset.
    #[error("Any? cannot be asked under this ruleset")]
    NoAny,
    /// Any? was asked this turn already.
    #[error("Any? was asked this turn already")]
    AnyAsked,
    /// There is no count of rebuffs under this ruleset.
    #[error("the count of rebuffs cannot be asked under this ruleset")]
    NoCount,
    /// There is no recapitulation under this ruleset.
    #[error("the last announcements cannot be asked again under this ruleset")]
    NoRecap,
    /// There is no px under this ruleset.
    #[error("px does not exist under this ruleset")]
    NoPx,
    /// px without exactly one announced try.
    #[error("px plays the only pawn try, and the announced count is not 1")]
    PxCount,
    /// px must name a man.
    #[error("a pawn of yours could promote by capturing: name the man, as in px=q")]
    PxNeedsMan,
    /// px names a man where none is due.
    #[error("no pawn of yours could promote by capturing: write px alone")]
    PxNoMan,
    /// px names a man that no pawn can become.
    #[error("no pawn becomes that man under this ruleset; px=q names a queen")]
    PxWrongMan,
    /// Nobody offers a draw.
    #[error("there is no draw offer of the other side")]
    NoOffer,
    /// There is no own offer to take back.
    #[error("there is no draw offer of yours to withdraw")]
    NoOwnOffer,
    /// An own offer stands already.
    #[error("your draw offer stands already")]
    OfferStands,
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

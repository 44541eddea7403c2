//! Reasons why the referee refuses to judge an attempt.

use rules::chess::Color;

/// Row 1 of the table of verdicts: an error. Only the player who asked hears it. Nothing is
/// recorded or announced. A refusal depends only on what this player may know.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash, thiserror::Error)]
pub enum Refusal {
    /// The game is over, so no attempt is judged.
    #[error("the game is over")]
    GameOver,
    /// The other side is to move.
    #[error("it is {}'s turn", name(*to_move))]
    NotYourTurn {
        /// The side to move.
        to_move: Color,
    },
    /// This ruleset has no reserves, so no man can be dropped.
    #[error("no man can be dropped under this ruleset")]
    NoDrops,
    /// This ruleset does not allow the question Any?.
    #[error("Any? cannot be asked under this ruleset")]
    NoAny,
    /// This ruleset allows Any? only once in a turn, and it was asked before.
    #[error("Any? was already asked in this turn")]
    AnyAsked,
    /// This ruleset does not allow the question `count` (how often the opponent
    /// was rebuffed).
    #[error("the count of rebuffs does not exist under this ruleset")]
    NoCount,
    /// This ruleset does not allow the question `recap` (the last announcements again).
    #[error("the last announcements cannot be repeated under this ruleset")]
    NoRecap,
    /// This ruleset has no `px`.
    #[error("px does not exist under this ruleset")]
    NoPx,
    /// `px` was sent, but the announced number of pawn tries is not 1.
    #[error("px plays the only pawn try, and {}", announcement(*announced))]
    PxCount {
        /// The announced number of pawn tries. The mover has heard this number.
        announced: u8,
    },
    /// `px` must name a promotion man, because a pawn of the mover could
    /// promote by a capture.
    #[error("one of your pawns could promote by a capture: name the promotion man, as in px=q")]
    PxNeedsMan,
    /// `px` names a promotion man, but no pawn of the mover could promote by a
    /// capture.
    #[error("none of your pawns could promote by a capture: write px without a man")]
    PxNoMan,
    /// `px` names a man to which no pawn can promote under this ruleset.
    #[error("no pawn can promote to that man under this ruleset; px=q names a queen")]
    PxWrongMan,
    /// There is no draw offer of the opponent to accept or to decline.
    #[error("the other side has not offered a draw")]
    NoOffer,
    /// There is no own draw offer to withdraw.
    #[error("you have no draw offer to withdraw")]
    NoOwnOffer,
    /// A draw was offered, but the player's earlier offer is still open.
    #[error("your draw offer is still open")]
    OfferStands,
}

fn announcement(count: u8) -> String {
    match count {
        0 => "no pawn try was announced".to_owned(),
        1 => "1 pawn try was announced".to_owned(),
        _ => format!("{count} pawn tries were announced"),
    }
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

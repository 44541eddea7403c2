//! Input of the player.

/// Input of the player.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) enum Typed {
    /// A line of text.
    Line(String),
    /// The whole screen must be drawn again.
    Redraw,
    /// End of the input.
    End,
}

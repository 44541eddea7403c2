//! What an attempt was answered, in one word.

/// The verdict on whatever was asked; the umpire's own record. What a seat
/// hears may be coarser.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Answer {
    /// The try was played.
    Moved,
    /// The try is illegal in the true position.
    No,
    /// The try was refused this turn already.
    RepeatNo,
    /// The mover could have known.
    Nonsense,
    /// Any?: yes.
    Yes,
    /// Any?: no.
    None,
    /// The count of rebuffs was told.
    Count,
    /// The last announcements were repeated.
    Recap,
    /// Resigned.
    Resigned,
    /// A draw was offered.
    Offered,
    /// A draw was agreed.
    Drawn,
    /// A draw was declined.
    Declined,
    /// A draw offer was taken back.
    Withdrawn,
    /// A player's time is up.
    Flag,
    /// A player is gone.
    Gone,
    /// The game was broken off.
    Aborted,
}

impl Answer {
    /// Every answer, in the order of the list above.
    pub const ALL: [Answer; 16] = [
        Answer::Moved,
        Answer::No,
        Answer::RepeatNo,
        Answer::Nonsense,
        Answer::Yes,
        Answer::None,
        Answer::Count,
        Answer::Recap,
        Answer::Resigned,
        Answer::Offered,
        Answer::Drawn,
        Answer::Declined,
        Answer::Withdrawn,
        Answer::Flag,
        Answer::Gone,
        Answer::Aborted,
    ];

    /// The answer's word.
    pub const fn word(self) -> &'static str {
        match self {
            Answer::Moved => "moved",
            Answer::No => "no",
            Answer::RepeatNo => "repeat-no",
            Answer::Nonsense => "nonsense",
            Answer::Yes => "yes",
            Answer::None => "none",
            Answer::Count => "count",
            Answer::Recap => "recap",
            Answer::Resigned => "resigned",
            Answer::Offered => "offered",
            Answer::Drawn => "drawn",
            Answer::Declined => "declined",
            Answer::Withdrawn => "withdrawn",
            Answer::Flag => "flag",
            Answer::Gone => "gone",
            Answer::Aborted => "aborted",
        }
    }
}

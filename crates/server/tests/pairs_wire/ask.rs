//! What a listener asks beside hearing and playing.

/// Question of a listener.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Ask {
    /// An address; `{id}` is the game, `{late}` a number heard of late.
    Get(&'static str),
    /// Head of the listener's view.
    Head,
    /// A sign of life on the socket.
    Ping,
    /// Another watch, from a number that the listener has heard.
    WatchAgain,
    /// Try when it is the opponent's turn.
    OutOfTurn,
    /// A try meant for an earlier turn.
    Stale,
    /// What is no move.
    Unreadable,
    /// Listener's last attempt under the same id.
    Again,
    /// Another attempt under an id that was used.
    OtherText,
    /// Try under an id that the opponent may have used.
    TheirId,
    /// Something at the table that cannot be done now.
    Act(&'static str),
}

const LISTENER: &[Ask] = &[
    Ask::Get("/api/games/{id}"),
    Ask::Get("/api/games/{id}/view"),
    Ask::Get("/api/games/{id}/heard?after=0&wait=0"),
    Ask::Get("/api/games/{id}/heard?after={late}&wait=0"),
    Ask::Get("/api/lobby"),
    Ask::Get("/api/games"),
    Ask::Get("/api/games/{id}/finished.json"),
    Ask::Get("/api/games/{id}/finished.pgn"),
    Ask::Get("/api/games/{id}/finished.txt"),
    Ask::Get("/api/games/{id}/steps"),
    Ask::Get("/api/me"),
    Ask::Get("/healthz"),
    Ask::Head,
    Ask::WatchAgain,
    Ask::OutOfTurn,
    Ask::Stale,
    Ask::Unreadable,
    Ask::Act("resume"),
    Ask::Act("rematch"),
    // A player alone has these.
    Ask::Again,
    Ask::OtherText,
    Ask::TheirId,
    Ask::Act("decline-adjourn"),
];

/// How many of them a player alone has.
const OF_PLAYERS: usize = 4;

impl Ask {
    /// Returns all that a listener can ask, as a player or as a spectator.
    pub fn all(seated: bool) -> &'static [Ask] {
        if seated {
            LISTENER
        } else {
            &LISTENER[..LISTENER.len() - OF_PLAYERS]
        }
    }

    /// Whether after the end it is answered with the truth, or does something.
    pub fn is_open_after_the_end(self) -> bool {
        match self {
            Ask::Get(path) => path.contains("finished") || path.ends_with("steps"),
            Ask::Act(act) => act == "rematch",
            Ask::Head
            | Ask::Ping
            | Ask::WatchAgain
            | Ask::OutOfTurn
            | Ask::Stale
            | Ask::Unreadable
            | Ask::Again
            | Ask::OtherText
            | Ask::TheirId => false,
        }
    }
}

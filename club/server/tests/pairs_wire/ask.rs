//! Requests that a listener makes in addition to hearing and playing.

/// A request of a listener.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Ask {
    /// GET of an address. `{id}` stands for the id of the game, `{late}` for the number of a recent
    /// hearing.
    Get(&'static str),
    /// HEAD of the listener's view.
    Head,
    /// A ping on the socket.
    Ping,
    /// Another `watch` message, which asks again for hearings that the listener already has.
    WatchAgain,
    /// A try in the opponent's turn.
    OutOfTurn,
    /// A try meant for an earlier turn.
    Stale,
    /// A text that is not an attempt.
    Unreadable,
    /// The listener's last attempt again, with the same id.
    Again,
    /// A different attempt with the id of the listener's last attempt.
    OtherText,
    /// A try with an id that the opponent may have used.
    TheirId,
    /// An act at the table that is not possible now.
    Act(&'static str),
}

const LISTENER: &[Ask] = &[
    Ask::Get("/api/games/{id}"),
    Ask::Get("/api/games/{id}/view"),
    Ask::Get("/api/games/{id}/heard?after=0&wait=0"),
    Ask::Get("/api/games/{id}/heard?after={late}&wait=0"),
    Ask::Get("/api/lobby"),
    Ask::Get("/api/games"),
    Ask::Get("/api/evenings"),
    Ask::Get("/api/games?player=*"),
    Ask::Get("/api/people"),
    Ask::Get("/api/people/Ada"),
    Ask::Get("/api/games/{id}/finished.json"),
    Ask::Get("/api/games/{id}/finished.pgn"),
    Ask::Get("/api/games/{id}/finished.txt"),
    Ask::Get("/api/games/{id}/steps"),
    Ask::Get("/api/games/{id}/messages"),
    Ask::Get("/api/games/{id}/messages?group=spectators"),
    Ask::Get("/api/me"),
    Ask::Get("/healthz"),
    Ask::Head,
    Ask::WatchAgain,
    Ask::OutOfTurn,
    Ask::Stale,
    Ask::Unreadable,
    Ask::Act("resume"),
    Ask::Act("rematch"),
    // Only a player makes the requests below.
    Ask::Again,
    Ask::OtherText,
    Ask::TheirId,
    Ask::Act("decline-adjourn"),
    Ask::Get("/api/account/export"),
    Ask::Get("/api/account"),
    Ask::Get("/api/messages"),
    Ask::Get("/api/mutes"),
];

/// Number of requests at the end of `LISTENER` that only a player makes.
const PLAYER_REQUESTS: usize = 8;

impl Ask {
    /// Returns the requests that a player (`seated`) or a spectator can make.
    pub fn all(seated: bool) -> &'static [Ask] {
        if seated {
            LISTENER
        } else {
            &LISTENER[..LISTENER.len() - PLAYER_REQUESTS]
        }
    }

    /// Whether this request, after the end of the game, reveals the true position or changes
    /// something.
    pub fn is_open_after_the_end(self) -> bool {
        match self {
            Ask::Get(path) => {
                path.contains("finished") || path.ends_with("steps") || path.ends_with("export")
            }
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

//! Conversion of the club's answers to messages of the socket.

use club::{ClubError, Hearing, RequestAnswer};
use rules::{Choices, Listener};
use wire::ServerSays;

use crate::seat::hearing;

/// Returns the message that contains a hearing.
pub fn heard(game: String, heard: &Hearing, choices: &Choices, listener: Listener) -> ServerSays {
    ServerSays::Heard {
        game,
        hearing: hearing(heard, choices, listener),
    }
}

/// Returns the message that answers the try or act with this id.
pub fn answer(id: String, game: String, answered: RequestAnswer) -> ServerSays {
    ServerSays::Answer {
        id,
        game,
        n: answered.n,
        answer: answered.answer.to_owned(),
        cause: answered.cause,
        why: answered.why,
    }
}

/// Returns the message that refuses a request. `id` is the id of a try or act; `None` for all other
/// requests.
pub fn refused(id: Option<String>, error: ClubError) -> ServerSays {
    let args = error.args.into_iter();
    ServerSays::Refused {
        id,
        game: None,
        request: None,
        code: error.code,
        reason: Some(error.reason.to_owned()),
        args: args.map(|(name, value)| (name.to_owned(), value)).collect(),
        retry_after_ms: None,
        why: error.why.into_owned(),
    }
}

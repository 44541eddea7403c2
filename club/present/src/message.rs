//! Conversion of the club's answers to messages of the socket.

use club::{ClubError, Code, Hearing, RequestAnswer};
use rules::{Choices, Listener};
use wire::{RefusalCode, ServerSays};

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
        why: answered.why,
    }
}

/// Returns the message that refuses a request. `id` is the id of a try or act; `None` for all other
/// requests.
pub fn refused(id: Option<String>, error: ClubError) -> ServerSays {
    ServerSays::Refused {
        id,
        game: None,
        code: refusal_code(error.code),
        why: error.why.into_owned(),
    }
}

/// Converts the reason of a refusal.
pub const fn refusal_code(code: Code) -> RefusalCode {
    match code {
        Code::NotUnderstood => RefusalCode::NotUnderstood,
        Code::Ambiguous => RefusalCode::Ambiguous,
        Code::NotYourTurn => RefusalCode::NotYourTurn,
        Code::Stale => RefusalCode::Stale,
        Code::IdReused => RefusalCode::IdReused,
        Code::GameOver => RefusalCode::GameOver,
        Code::Adjourned => RefusalCode::Adjourned,
        Code::NotOver | Code::NotPossible => RefusalCode::NotPossible,
        Code::SignIn => RefusalCode::SignIn,
        Code::Forbidden => RefusalCode::Forbidden,
        Code::NotFound => RefusalCode::NotFound,
        Code::Taken => RefusalCode::Taken,
        Code::WrongPassword => RefusalCode::WrongPassword,
        Code::Invalid => RefusalCode::Invalid,
        Code::TooMany => RefusalCode::TooMany,
        Code::TooLarge => RefusalCode::TooLarge,
        Code::Unavailable => RefusalCode::Unavailable,
    }
}

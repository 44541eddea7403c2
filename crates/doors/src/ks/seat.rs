//! A seat at the host's table, whoever sits there: his own player, or the
//! guest over the line. Both are served by these words alone.

use std::{fmt, future, sync::Arc};

use club::{
    AccountId, Club, ClubError, Code, FinishedGame, GameId, Hearing, Listening, Told, ToldItem,
};
use notation::{start_words, words};
use rules::{Choices, Listener, chess::Color};
use tokio::sync::broadcast;
use wire::{HeardJson, HearingJson, RefusalCode};

use super::{
    line::{Line, LineError},
    says::{GuestSays, HostSays, SCORE, pieces, plain},
};

/// Writes a game that is over as PGN; this room does not know how.
#[derive(Clone)]
pub struct Writes(Arc<dyn Fn(FinishedGame) -> String + Send + Sync>);

impl Writes {
    /// One that writes so.
    pub fn new(writes: impl Fn(FinishedGame) -> String + Send + Sync + 'static) -> Writes {
        Writes(Arc::new(writes))
    }

    /// Writes one down.
    pub(crate) fn write(&self, game: FinishedGame) -> String {
        (self.0)(game)
    }
}

impl fmt::Debug for Writes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Writes(..)")
    }
}

/// What the players say to each other beside the game.
#[derive(Clone, Debug)]
pub struct Talk(broadcast::Sender<Word>);

/// Something said across the table.
#[derive(Clone, Debug)]
enum Word {
    /// A text, and by whom.
    Text(Color, String),
}

/// So many words wait for one who does not listen.
const MOST_WORDS: usize = 64;

impl Default for Talk {
    fn default() -> Talk {
        Talk(broadcast::Sender::new(MOST_WORDS))
    }
}

/// A seat.
#[derive(Clone)]
pub struct Seat {
    /// The club in the host's process.
    pub club: Club,
    /// The game.
    pub game: GameId,
    /// Who sits there.
    pub account: AccountId,
    /// The seat's colour.
    pub color: Color,
    /// The talk across the table.
    pub talk: Talk,
    /// Writes the game when it is over.
    pub writes: Writes,
}

/// How it came that a seat is not served any more.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Left {
    /// He has heard how the game ended.
    Ended,
    /// The line cannot be used any more.
    Gone(LineError),
    /// The club is closing.
    Closed,
}

/// Serves a seat until its line ends: what the club tells this account goes
/// out, what is asked comes in. Nothing else ever goes out.
pub async fn serve(seat: &Seat, line: &mut Line<GuestSays, HostSays>) -> Left {
    let mut listening: Option<Listening> = None;
    let mut talk = seat.talk.0.subscribe();
    loop {
        let told = async {
            match &mut listening {
                Some(listening) => listening.next().await,
                None => future::pending().await,
            }
        };
        tokio::select! {
            told = told => match (told, &listening) {
                (Some(Told::Hearing(hearing)), Some(listening)) => {
                    let hearing = heard(&hearing, listening.choices(), seat.color.into());
                    line.say(HostSays::Heard { hearing });
                }
                // Who is here is told by the line itself.
                (Some(Told::Facts(_)), _) => {}
                (Some(Told::Hearing(_)) | None, _) => return Left::Closed,
            },
            word = talk.recv() => match word {
                Ok(Word::Text(by, text)) if by != seat.color => {
                    line.say(HostSays::Said { text });
                }
                Ok(_) | Err(_) => {}
            },
            asked = line.next() => match asked {
                Ok(GuestSays::Listen { after }) => {
                    match seat.club.listen(seat.game, Some(seat.account), after).await {
                        Ok(taken) => listening = Some(taken),
                        Err(error) => line.say(refused(None, &error)),
                    }
                }
                Ok(GuestSays::Try { id, after, text }) => {
                    line.say(attempt(seat, id, after, &text).await);
                }
                Ok(GuestSays::Say { text }) => {
                    let others = seat.talk.0.send(Word::Text(seat.color, plain(&text)));
                    if others.unwrap_or(0) < 2 {
                        line.say(HostSays::Refused {
                            id: None,
                            code: RefusalCode::NotPossible,
                            why: "he is not connected: nobody heard it".to_owned(),
                        });
                    }
                }
                Ok(GuestSays::Score {}) => {
                    for says in score(seat).await {
                        line.say(says);
                    }
                }
                Ok(GuestSays::Ended {}) => {
                    let facts = seat.club.facts(seat.game, Some(seat.account)).await;
                    if facts.is_ok_and(|facts| facts.standing.over.is_some()) {
                        return Left::Ended;
                    }
                }
                Ok(GuestSays::Ping {}) => line.say(HostSays::Pong {}),
                // What belongs to the beginning says nothing now.
                Ok(GuestSays::Hello { .. } | GuestSays::Commit { .. } | GuestSays::Reveal { .. }) => {}
                Err(error) => return Left::Gone(error),
            },
        }
    }
}

async fn attempt(seat: &Seat, id: String, after: u32, text: &str) -> HostSays {
    let request = match club::request_id(&id) {
        Ok(request) => request,
        Err(error) => return refused(Some(id), &error),
    };
    let said = seat
        .club
        .say(seat.game, seat.account, request, after, text)
        .await;
    match said {
        Ok(said) => HostSays::Answer {
            id,
            n: said.n,
            answer: said.answer.to_owned(),
        },
        Err(error) => refused(Some(id), &error),
    }
}

/// The whole game: the club gives it when it is over, and not before.
async fn score(seat: &Seat) -> Vec<HostSays> {
    match seat.club.finished(seat.game).await {
        Ok(game) => pieces(&seat.writes.write(game)),
        Err(error) => vec![refused(Some(SCORE.to_owned()), &error)],
    }
}

fn refused(id: Option<String>, error: &ClubError) -> HostSays {
    HostSays::Refused {
        id,
        code: code(error.code),
        why: error.why.clone().into_owned(),
    }
}

const fn code(code: Code) -> RefusalCode {
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

/// What is heard upon one event, as JSON; `ks` has no clocks.
fn heard(hearing: &Hearing, choices: &Choices, listener: Listener) -> HearingJson {
    let items = hearing.heard.iter();
    HearingJson {
        n: hearing.n,
        heard: items
            .clone()
            .map(|item| match item {
                ToldItem::Start(start) => HeardJson::from(start),
                ToldItem::Heard(heard) => HeardJson::from(heard),
            })
            .collect(),
        words: items
            .map(|item| match item {
                ToldItem::Start(start) => start_words(start),
                ToldItem::Heard(heard) => words(heard, choices, listener),
            })
            .collect(),
        clocks: None,
    }
}

//! Serves a seat of the host's game. The same code serves the host's own player
//! and the guest.

use std::{collections::BTreeMap, future, sync::Arc};

use club::{AccountId, Club, FinishedGame, GameId, ListenerItem, Listening, request_id};
use rules::chess::Color;
use tokio::sync::broadcast;
use wire::{ClientSays, RefusalCode, ServerSays};

use super::{
    channel::Channel,
    says::{GuestSays, HostSays, SCORE, pieces, plain},
};

/// Function that converts a finished game to PGN. The caller passes it in, because this
/// crate has no PGN writer.
pub type PgnWriter = Arc<dyn Fn(&FinishedGame) -> String + Send + Sync>;

/// Texts that the players send to each other during the game, each with the
/// colour of its sender.
#[derive(Clone, Debug)]
pub struct Talk(broadcast::Sender<(Color, String)>);

/// Maximum number of texts that wait for a seat that does not read them.
const TALK_CAPACITY: usize = 64;

impl Default for Talk {
    fn default() -> Talk {
        Talk(broadcast::Sender::new(TALK_CAPACITY))
    }
}

/// A seat, with everything that is needed to serve it.
#[derive(Clone)]
pub struct ServedSeat {
    /// The club in the host's process.
    pub club: Club,
    /// Id of the game.
    pub game: GameId,
    /// Account of the seat's player.
    pub account: AccountId,
    /// Colour of the seat.
    pub color: Color,
    /// Texts of the players to each other.
    pub talk: Talk,
    /// Converts the finished game to PGN.
    pub writer: PgnWriter,
}

/// Reason why a seat is no longer served.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Left {
    /// The player has received everything about a game that is over.
    Ended,
    /// The connection or the club has ended.
    Gone,
}

/// Serves a seat: sends the seat's hearings, passes on the texts of the other player, and answers
/// the player's requests. Never sends anything else. Returns the reason why the seat is no longer
/// served.
pub async fn serve(seat: &ServedSeat, line: &mut Channel<GuestSays, HostSays>) -> Left {
    let mut listening: Option<Listening> = None;
    let mut talk = seat.talk.0.subscribe();
    loop {
        let next_item = async {
            match &mut listening {
                Some(listening) => listening.next().await,
                None => future::pending().await,
            }
        };
        tokio::select! {
            item = next_item => match (item, &listening) {
                (Some(ListenerItem::Hearing(hearing)), Some(listening)) => {
                    let (game, choices) = (seat.game.to_string(), listening.choices());
                    line.say(present::heard(game, &hearing, choices, seat.color.into()));
                }
                // The club's facts are ignored. The connection of `ks` shows whether a player is
                // connected.
                (Some(ListenerItem::Facts(_)), _) => {}
                (Some(ListenerItem::Hearing(_)) | None, _) => return Left::Gone,
            },
            said = talk.recv() => match said {
                Ok((by, text)) if by != seat.color => line.say(HostSays::Said { text }),
                Ok(_) | Err(_) => {}
            },
            asked = line.next() => match asked {
                Ok(GuestSays::Game(says)) => {
                    if let Some(answer) = answer(seat, &mut listening, says).await {
                        line.say(answer);
                    }
                }
                Ok(GuestSays::Say { text }) if plain(&text).trim().is_empty() => {}
                Ok(GuestSays::Say { text }) => {
                    let others = seat.talk.0.send((seat.color, plain(&text)));
                    if others.unwrap_or(0) < 2 {
                        let why = "your opponent is not connected: nobody heard it";
                        line.say(refused(None, RefusalCode::NotPossible, why));
                    }
                }
                Ok(GuestSays::Score {}) => match seat.club.finished(seat.game).await {
                    Ok(game) => pieces(&(seat.writer)(&game))
                        .into_iter()
                        .for_each(|piece| line.say(piece)),
                    Err(error) => line.say(present::refused(Some(SCORE.to_owned()), error)),
                },
                Ok(GuestSays::Ended {}) => {
                    let facts = seat.club.facts(seat.game, Some(seat.account)).await;
                    if facts.is_ok_and(|facts| facts.standing.over.is_some()) {
                        return Left::Ended;
                    }
                }
                // These messages are valid only before the game begins, or at a
                // club; they are ignored here.
                Ok(
                    GuestSays::Hello(_)
                    | GuestSays::Commit { .. }
                    | GuestSays::Reveal { .. }
                    | GuestSays::Mute { .. },
                ) => {}
                Err(_) => return Left::Gone,
            },
        }
    }
}

/// Answers a message about the game. Returns `None` for a successful watch
/// request: the hearings that follow are the answer.
async fn answer(
    seat: &ServedSeat,
    listening: &mut Option<Listening>,
    says: ClientSays,
) -> Option<ServerSays> {
    let is_here = |game: &str| game == seat.game.to_string();
    let other_game = |id| refused(id, RefusalCode::NotFound, "there is no such game");
    let (id, what, instead) = match says {
        ClientSays::Ping {} => return Some(ServerSays::Pong {}),
        ClientSays::Watch { game, after } if is_here(&game) => {
            match seat.club.listen(seat.game, Some(seat.account), after).await {
                Ok(taken) => *listening = Some(taken),
                Err(error) => return Some(present::refused(None, error)),
            }
            return None;
        }
        ClientSays::Try {
            id,
            game,
            after,
            text,
            ..
        } if is_here(&game) => {
            let (club, account) = (&seat.club, seat.account);
            let said = async {
                let request = request_id(&id)?;
                club.say(seat.game, account, request, after, &text).await
            };
            return Some(match said.await {
                Ok(said) => present::answer(id, game, said),
                Err(error) => present::refused(Some(id), error),
            });
        }
        ClientSays::Watch { .. } => return Some(other_game(None)),
        ClientSays::Try { id, .. } => return Some(other_game(Some(id))),
        ClientSays::Act { id, .. } => (Some(id), "act", "resign, or agree on a draw"),
        ClientSays::Lobby { .. } => (None, "lobby", "there is no lobby"),
        ClientSays::Leave { .. } => (None, "leave", "close the line"),
        ClientSays::Talk { .. } => (None, "talk", "the opponent's messages come anyway"),
        ClientSays::Write { id, .. } => (Some(id), "write", "use `say`"),
    };
    let why = format!("`{what}` is not possible in a game of ks: {instead}");
    Some(refused(id, RefusalCode::NotPossible, &why))
}

fn refused(id: Option<String>, code: RefusalCode, why: &str) -> ServerSays {
    ServerSays::Refused {
        id,
        game: None,
        request: None,
        code,
        reason: None,
        args: BTreeMap::new(),
        retry_after_ms: None,
        why: why.to_owned(),
    }
}

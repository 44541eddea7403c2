//! What a client must send again on a new connection.

use std::collections::VecDeque;

use wire::{ClientSays, LobbyJson, ServerSays, TalkGroupJson};

/// Subscriptions of a client, and its unanswered requests.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    lobby: bool,
    /// The lobby as the client knows it, and the number of changes received since the last message
    /// with the whole lobby.
    known_lobby: Option<(LobbyJson, u32)>,
    /// Games to which the client is subscribed, each with the number of its last hearing.
    games: Vec<(String, u32)>,
    /// Games in which the client reads what people write. Each entry has the id of the game, the
    /// group that the client named, and the number of the last message.
    talks: Vec<(String, Option<TalkGroupJson>, u32)>,
    /// Unanswered requests with their ids, oldest first.
    in_flight: Vec<(String, ClientSays)>,
    /// Reason that the server gave for closing the connection.
    pub(crate) bye: Option<String>,
}

impl Memory {
    /// Records a message of the client.
    pub(crate) fn sent(&mut self, says: &ClientSays) {
        match says {
            ClientSays::Watch { game, after } => {
                self.games.retain(|(id, _)| id != game);
                self.games.push((game.clone(), *after));
            }
            ClientSays::Leave { game } => self.leave(game),
            ClientSays::Lobby { on } => self.lobby = *on,
            ClientSays::Talk { game, group, after } => {
                self.talks.retain(|(id, of, _)| (id, of) != (game, group));
                self.talks.push((game.clone(), *group, *after));
            }
            ClientSays::Try { id, .. }
            | ClientSays::Act { id, .. }
            | ClientSays::Write { id, .. } => {
                self.forget_request(id);
                self.in_flight.push((id.clone(), says.clone()));
            }
            ClientSays::Ping {} => {}
        }
    }

    /// Records a message of the server. Returns whether the message is new to the client.
    pub(crate) fn received(&mut self, says: &ServerSays) -> bool {
        match says {
            ServerSays::Heard { game, hearing } => {
                let Some((_, n)) = self.games.iter_mut().find(|(id, _)| id == game) else {
                    return false;
                };
                let is_new = hearing.n > *n;
                *n = hearing.n.max(*n);
                is_new
            }
            ServerSays::Message {
                game,
                group,
                message,
            } => {
                let of = |(id, named, _): &&mut (String, Option<TalkGroupJson>, u32)| {
                    id == game && named.is_none_or(|named| named == *group)
                };
                let Some((.., n)) = self.talks.iter_mut().rfind(of) else {
                    return false;
                };
                let is_new = message.n > *n;
                *n = message.n.max(*n);
                is_new
            }
            ServerSays::Answer { id, .. } | ServerSays::Refused { id: Some(id), .. } => {
                self.forget_request(id)
            }
            ServerSays::Bye { why } => {
                self.bye = Some(why.clone());
                true
            }
            ServerSays::Pong {} => false,
            ServerSays::Welcome { .. }
            | ServerSays::Lobby { .. }
            | ServerSays::LobbyChanges { .. }
            | ServerSays::Game { .. }
            | ServerSays::View { .. }
            | ServerSays::Refused { id: None, .. } => true,
        }
    }

    /// Applies a message about the lobby. Changes are applied to the known lobby, and the whole
    /// lobby is returned. All other messages are returned unchanged.
    ///
    /// # Errors
    ///
    /// A change was missed, so the client must ask for the whole lobby again.
    pub(crate) fn take_lobby(&mut self, says: ServerSays) -> Result<ServerSays, ()> {
        match says {
            ServerSays::Lobby { lobby } => {
                self.known_lobby = Some((lobby.clone(), 0));
                Ok(ServerSays::Lobby { lobby })
            }
            ServerSays::LobbyChanges { changes } => {
                let known = self.known_lobby.take().filter(|(_, n)| n + 1 == changes.n);
                let (mut lobby, n) = known.ok_or(())?;
                lobby.change(changes);
                self.known_lobby = Some((lobby.clone(), n + 1));
                Ok(ServerSays::Lobby { lobby })
            }
            other @ (ServerSays::Welcome { .. }
            | ServerSays::Game { .. }
            | ServerSays::Heard { .. }
            | ServerSays::View { .. }
            | ServerSays::Message { .. }
            | ServerSays::Answer { .. }
            | ServerSays::Refused { .. }
            | ServerSays::Pong {}
            | ServerSays::Bye { .. }) => Ok(other),
        }
    }

    /// Forgets the messages to people that were sent over a lost connection and not answered. They
    /// are not sent again, because the server would write them twice, and nothing answers them any
    /// more. `unsent` are the messages that still wait for a connection.
    pub(crate) fn lost(&mut self, unsent: &VecDeque<ClientSays>) {
        self.in_flight
            .retain(|(_, says)| !is_write(says) || unsent.contains(says));
    }

    /// Returns the messages to send first on a new connection.
    pub(crate) fn again(&self) -> VecDeque<ClientSays> {
        let watch = |(game, after): &(String, u32)| ClientSays::Watch {
            game: game.clone(),
            after: *after,
        };
        let games = self.games.iter().map(watch);
        let talk = |(game, group, after): &(String, Option<TalkGroupJson>, u32)| ClientSays::Talk {
            game: game.clone(),
            group: *group,
            after: *after,
        };
        let talks = self.talks.iter().map(talk);
        let lobby = self.lobby.then_some(ClientSays::Lobby { on: true });
        let in_flight = self.in_flight.iter().map(|(_, says)| says.clone());
        // A message to people that was never sent is in the queue of the client.
        let in_flight = in_flight.filter(|says| !is_write(says));
        let subscriptions = lobby.into_iter().chain(games).chain(talks);
        subscriptions.chain(in_flight).collect()
    }

    fn leave(&mut self, game: &str) {
        self.games.retain(|(id, _)| id != game);
        self.talks.retain(|(id, ..)| id != game);
    }

    /// Removes a request. Returns whether the request was unanswered.
    fn forget_request(&mut self, id: &str) -> bool {
        let before = self.in_flight.len();
        self.in_flight.retain(|(of, _)| of != id);
        self.in_flight.len() < before
    }
}

/// Whether this is a message to people.
pub(crate) fn is_write(says: &ClientSays) -> bool {
    matches!(says, ClientSays::Write { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sent_messages_are_forgotten_when_the_connection_is_lost() {
        let write = |id: &str| ClientSays::Write {
            id: id.to_owned(),
            game: "g".to_owned(),
            group: None,
            text: "hello".to_owned(),
        };
        let resign = ClientSays::Try {
            id: "t1".to_owned(),
            game: "g".to_owned(),
            after: 0,
            text: "resign".to_owned(),
            ask: false,
        };
        let mut memory = Memory::default();
        for says in [write("sent"), resign.clone(), write("waits")] {
            memory.sent(&says);
        }
        memory.lost(&VecDeque::from([write("waits")]));
        let ids: Vec<&str> = memory.in_flight.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["t1", "waits"]);
        assert_eq!(memory.again(), [resign]);
        // The message that waited is sent and answered over the new connection.
        assert!(memory.received(&ServerSays::Answer {
            id: "waits".to_owned(),
            game: "g".to_owned(),
            n: None,
            answer: "written".to_owned(),
            cause: None,
            why: String::new(),
        }));
    }
}

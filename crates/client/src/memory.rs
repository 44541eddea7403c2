//! Messages to be sent again on a new connection.

use std::collections::VecDeque;

use wire::{ClientSays, ServerSays};

/// Subscriptions of a client, and its requests in flight.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    lobby: bool,
    /// Games, each with the number of the last hearing.
    games: Vec<(String, u32)>,
    /// Requests without an answer, by id, oldest first.
    in_flight: Vec<(String, ClientSays)>,
    /// Reason why the server is about to close the connection.
    pub(crate) bye: Option<String>,
}

impl Memory {
    /// Notes what the client says.
    pub(crate) fn said(&mut self, says: &ClientSays) {
        match says {
            ClientSays::Watch { game, after } => {
                self.leave(game);
                self.games.push((game.clone(), *after));
            }
            ClientSays::Leave { game } => self.leave(game),
            ClientSays::Lobby { on } => self.lobby = *on,
            ClientSays::Try { id, .. } | ClientSays::Act { id, .. } => {
                self.is_answered(id);
                self.in_flight.push((id.clone(), says.clone()));
            }
            ClientSays::Ping {} => {}
        }
    }

    /// Notes what the server says; whether it is new to the client.
    pub(crate) fn heard(&mut self, says: &ServerSays) -> bool {
        match says {
            ServerSays::Heard { game, hearing } => {
                let Some((_, n)) = self.games.iter_mut().find(|(id, _)| id == game) else {
                    return false;
                };
                let is_new = hearing.n > *n;
                *n = hearing.n.max(*n);
                is_new
            }
            ServerSays::Answer { id, .. } | ServerSays::Refused { id: Some(id), .. } => {
                self.is_answered(id)
            }
            ServerSays::Bye { why } => {
                self.bye = Some(why.clone());
                true
            }
            ServerSays::Pong {} => false,
            ServerSays::Welcome { .. }
            | ServerSays::Lobby { .. }
            | ServerSays::Game { .. }
            | ServerSays::View { .. }
            | ServerSays::Refused { id: None, .. } => true,
        }
    }

    /// First messages of a new connection.
    pub(crate) fn again(&self) -> VecDeque<ClientSays> {
        let watch = |(game, after): &(String, u32)| ClientSays::Watch {
            game: game.clone(),
            after: *after,
        };
        let games = self.games.iter().map(watch);
        let lobby = self.lobby.then_some(ClientSays::Lobby { on: true });
        let in_flight = self.in_flight.iter().map(|(_, says)| says.clone());
        lobby.into_iter().chain(games).chain(in_flight).collect()
    }

    fn leave(&mut self, game: &str) {
        self.games.retain(|(id, _)| id != game);
    }

    /// Removes a request; whether it was in flight.
    fn is_answered(&mut self, id: &str) -> bool {
        let before = self.in_flight.len();
        self.in_flight.retain(|(of, _)| of != id);
        self.in_flight.len() < before
    }
}

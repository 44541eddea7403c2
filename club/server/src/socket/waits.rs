//! Tasks of one connection that wait, at most one for each game.

use std::collections::HashMap;

use club::GameId;
use tokio::task::{AbortHandle, JoinSet};

/// Tasks that wait for something at a game. When this value is dropped, all tasks end.
pub(super) struct Waits<T> {
    tasks: JoinSet<(GameId, T)>,
    /// The task of each game whose result is still wanted.
    wanted: HashMap<GameId, AbortHandle>,
}

impl<T: Send + 'static> Waits<T> {
    /// Creates a value without tasks.
    pub(super) fn new() -> Waits<T> {
        Waits {
            tasks: JoinSet::new(),
            wanted: HashMap::new(),
        }
    }

    /// Returns the number of games with a task.
    pub(super) fn len(&self) -> usize {
        self.wanted.len()
    }

    /// Begins the task of a game, in place of the game's earlier task.
    pub(super) fn begin(&mut self, game: GameId, wait: impl Future<Output = T> + Send + 'static) {
        self.end(game);
        let task = self.tasks.spawn(async move { (game, wait.await) });
        self.wanted.insert(game, task);
    }

    /// Ends the task of a game. Its result is dropped, even if the task has just finished.
    pub(super) fn end(&mut self, game: GameId) {
        if let Some(task) = self.wanted.remove(&game) {
            task.abort();
        }
    }

    /// Waits for the next result. Returns `None` if there is no task. If this future is dropped, no
    /// result is lost.
    pub(super) async fn next(&mut self) -> Option<(GameId, T)> {
        while let Some(done) = self.tasks.join_next_with_id().await {
            // An error means that the task was aborted.
            let Ok((id, (game, result))) = done else {
                continue;
            };
            // An aborted task gives its result anyway if it had finished before.
            if self.wanted.get(&game).is_some_and(|task| task.id() == id) {
                self.wanted.remove(&game);
                return Some((game, result));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use tokio::task::yield_now;

    use super::*;

    async fn finished(waits: &mut Waits<u32>, game: GameId, result: u32) {
        waits.begin(game, async move { result });
        while !waits.wanted[&game].is_finished() {
            yield_now().await;
        }
    }

    #[tokio::test]
    async fn task_that_was_ended_after_it_finished_gives_nothing() {
        let (game, other) = (GameId::from_chance(1), GameId::from_chance(2));
        let mut waits = Waits::new();
        finished(&mut waits, game, 1).await;
        waits.end(game);
        assert_eq!((waits.len(), waits.next().await), (0, None));
        // The second task of a game replaces the first task.
        finished(&mut waits, game, 2).await;
        finished(&mut waits, game, 3).await;
        assert_eq!(waits.next().await, Some((game, 3)));
        waits.begin(other, async { 4 });
        assert_eq!(waits.len(), 1);
        assert_eq!(waits.next().await, Some((other, 4)));
        assert_eq!((waits.len(), waits.next().await), (0, None));
    }
}

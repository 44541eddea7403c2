//! Looking through finished games, move by move, with all men.

use std::sync::Arc;

use club::{FinishedGame, FinishedSearch, GameId};
use rules::chess::Color;

use super::{
    known_game::time_fields,
    replay::{Examined, Replay},
    session::Session,
    style::{LastMove, clock, title},
    terms,
    words::{Done, sentence},
};

/// Note to the right of a board with all men.
const ALL_SHOWN: &str = "All men are shown.";

impl Session {
    /// Runs `examine [N|GAME]`: opens a finished game.
    pub(super) async fn examine(&mut self, words: &[&str]) -> Done {
        self.check_free()?;
        let (game, finished) = self.finished(words.first().copied()).await?;
        let number = self.state.number(game);
        let names = finished.players.as_ref().map(|player| player.name.clone());
        let title = title(number, &names);
        let replay = Replay::of(&finished);
        self.line(&format!("{} examines game {number}.", self.me.name));
        self.line(&format!(
            "{{{title} Examining {} wild/16 match.}}",
            terms::rated(&finished.terms)
        ));
        self.line(&format!(
            "The rules were those of {}; {} moves were made. Type `forward` or `backward`.",
            terms::rules(&finished.terms),
            replay.moves().len()
        ));
        let examined = Examined {
            game,
            number,
            replay,
            names,
            time: finished.terms.time,
            at: 0,
            // For a player of the game, the own side is at the lower edge of the board.
            below: if finished.players.black.id == self.me.id
                && finished.players.white.id != self.me.id
            {
                Color::Black
            } else {
                Color::White
            },
            result: format!(
                "{} {}",
                finished.over.reason.name(),
                finished.over.winner.score()
            ),
        };
        let position = examined.position();
        self.examined = Some(examined);
        self.show(&position, ALL_SHOWN);
        Ok(())
    }

    /// Runs `forward [N]` and `backward [N]`: shows another position of the game.
    pub(super) fn step(&mut self, words: &[&str], forward: bool) -> Done {
        let by = words.first().map_or(Ok(1), |word| word.parse::<usize>());
        let by =
            by.map_err(|_| "How many moves? Type a number; without a number, it is one move.")?;
        let examined = self.examined.as_mut();
        let examined =
            examined.ok_or("You do not examine a game: `examine` looks through your last one.")?;
        let last = examined.replay.moves().len();
        let to = if forward {
            examined.at.saturating_add(by).min(last)
        } else {
            examined.at.saturating_sub(by)
        };
        let stands = to == examined.at;
        examined.at = to;
        let (position, at_end) = (examined.position(), to == last);
        let (number, result) = (examined.number, examined.result.clone());
        if stands {
            self.line(if forward {
                "You are at the end of the game."
            } else {
                "You are at the beginning of the game."
            });
        }
        self.show(&position, ALL_SHOWN);
        if at_end {
            self.line(&format!("Game {number}: {result}."));
        }
        Ok(())
    }

    /// Runs `unexamine`: closes the finished game.
    pub(super) fn unexamine(&mut self) -> Done {
        let examined = self.examined.take().ok_or("You do not examine a game.")?;
        let number = examined.number;
        self.line(&format!("You are no longer examining game {number}."));
        Ok(())
    }

    /// Finds a finished game by its number in `history` or by its id. If `name` is `None`, returns
    /// the person's newest finished game.
    async fn finished(&self, name: Option<&str>) -> Done<(GameId, Arc<FinishedGame>)> {
        let game = match name {
            None => self.nth(1).await,
            Some(name) => match (name.parse::<usize>(), name.parse::<GameId>()) {
                (Ok(n), _) if n < 1000 => self.nth(n.max(1)).await,
                (_, Ok(game)) => Some(game),
                (Ok(_) | Err(_), Err(_)) => None,
            },
        };
        let game = game.ok_or(
            "There is no such finished game. `history` lists your games with their numbers; \
             `examine N` shows game N.",
        )?;
        Ok((game, self.club.finished(game).await?))
    }

    /// Returns the person's finished game number `n`. The newest game has the number 1.
    async fn nth(&self, n: usize) -> Option<GameId> {
        let limit = u32::try_from(n).ok()?;
        let own = FinishedSearch::of(self.me.id);
        let games = self.club.games(&own, None, limit).await.ok()?;
        games.get(n - 1).map(|row| row.id)
    }

    /// Runs `moves [N]`: prints the list of moves of a finished game.
    pub(super) async fn moves(&mut self, words: &[&str]) -> Done {
        // Clients send the number of the game at this door. So a number is looked up there before it
        // is looked up in `history`.
        let named = words.first().and_then(|word| word.parse().ok());
        let by_number = named.and_then(|number| self.state.game(number));
        let own = self.plays().map(|at| self.tables[at].game);
        let examined = self.examined.as_ref().map(|examined| examined.game);
        let (game, finished) = match by_number.or(own).or(examined) {
            Some(game) => {
                let finished = self.club.finished(game).await;
                let finished = finished.map_err(|_| {
                    "The moves of a running game are secret. After the game, `moves` shows them."
                })?;
                (game, finished)
            }
            None => self.finished(words.first().copied()).await?,
        };
        let text = list(self.state.number(game), &finished);
        self.line(&text);
        Ok(())
    }
}

/// Returns the list of moves in the format that clients read.
fn list(number: u32, game: &FinishedGame) -> String {
    let replay = Replay::of(game);
    let (white, black) = (&game.players.white, &game.players.black);
    let [minutes, seconds] = time_fields(game.terms.time);
    let mut text = format!(
        "Movelist for game {number}:\n\n{} vs. {} --- {}\n\
         {} wild/16 match, initial time: {minutes} minutes, increment: {seconds} seconds.\n\n\
         Move  {:<20}   {:<20}\n----  --------------------   --------------------\n",
        terms::rated_name(white),
        terms::rated_name(black),
        club::utc(game.at),
        sentence(terms::rated(&game.terms)).trim_end_matches('.'),
        white.name,
        black.name,
    );
    let cell = |m: &LastMove| format!("{} ({})", m.short, clock(m.took));
    let mut cells: Vec<String> = replay.moves().map(cell).collect();
    if replay.black_began() {
        cells.insert(0, "...".to_owned());
    }
    for (n, pair) in cells.chunks(2).enumerate() {
        let line = format!(
            "{:>3}.  {:<20}   {}",
            n + 1,
            pair[0],
            pair.get(1).map_or("", String::as_str)
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str(&format!(
        "      {{{}}} {}\n",
        game.over.reason.name(),
        game.over.winner.score()
    ));
    text
}

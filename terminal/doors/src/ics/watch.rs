//! Watching games of others, and showing boards and clocks.

use club::{FinishedSearch, GameId};
use rules::Listener;

use super::{
    known_game::KnownGame,
    play::NO_MEN_SHOWN,
    session::{FollowedGame, Part, Session},
    style::{Relation, clock},
    terms,
    words::{Done, short},
};

/// Maximum number of games that a console watches at the same time.
const MAX_WATCHED: usize = 8;

/// Maximum number of games that `history` lists.
const LISTED_GAMES: u8 = 10;

/// Answer to a command that needs a followed game.
const NO_TABLE: &str = "You neither play nor watch a game.";

impl Session {
    /// Runs `games`: lists the running games.
    pub(super) async fn games(&mut self) -> Done {
        let lobby = self.lobby().await?;
        let rows: Vec<_> = lobby.running.iter().chain(&lobby.mine).collect();
        for row in &rows {
            self.line(&format!(
                "{:>3} {} {:<20} {} {:<20} [{}]",
                self.state.number(row.id),
                terms::rating(&row.players.white),
                row.players.white.name,
                terms::rating(&row.players.black),
                row.players.black.name,
                terms::shown(&row.terms)
            ));
        }
        self.line(&format!("  {} games displayed.", rows.len()));
        Ok(())
    }

    /// Finds a game by its number at this door, or by the name of a player.
    async fn running(&self, word: &str) -> Done<GameId> {
        let number = word.parse().ok();
        if let Some(game) = number.and_then(|number| self.state.game(number)) {
            return Ok(game);
        }
        let lobby = self.lobby().await?;
        let plays = |name: &str| name.eq_ignore_ascii_case(word);
        let mut rows = lobby.running.iter().chain(&lobby.mine);
        let found = rows.find(|row| {
            plays(&row.players.white.name)
                || plays(&row.players.black.name)
                || number == Some(self.state.number(row.id))
        });
        let none = || {
            format!(
                "There is no such game, {}: `games` lists them.",
                short(word)
            )
        };
        Ok(found.ok_or_else(none)?.id)
    }

    /// Runs `observe GAME`: follows a game as a spectator.
    pub(super) async fn observe(&mut self, words: &[&str]) -> Done {
        let word = words.first().ok_or("Which game? `games` lists them.")?;
        let game = self.running(word).await?;
        let mut watched = self.tables.iter().filter(|t| t.part == Part::Watches);
        let count = watched.clone().count();
        if watched.any(|table| table.game == game) {
            return Err("You watch that game already.".into());
        }
        if count >= MAX_WATCHED {
            return Err("You watch eight games already: `unobserve` one of them.".into());
        }
        let table = self.unfinished(game).await?;
        if table.known.facts.seat != Listener::Room {
            return Err("You play in that game: `resume` takes your seat.".into());
        }
        let (number, title) = (table.known.number, table.known.title());
        let shown = terms::shown(&table.known.facts.terms);
        self.tables.push(table);
        self.line(&format!("You are now observing game {number}."));
        self.line(&format!("{title} {shown}"));
        self.board_again(self.tables.len() - 1);
        Ok(())
    }

    /// Prints a board again, and the announcements of the last move.
    fn board_again(&mut self, at: usize) {
        self.board(at);
        for text in self.tables[at].known.announced() {
            self.announce(at, &text);
        }
    }

    /// Returns a game that is not over, as a spectator knows it.
    async fn unfinished(&self, game: GameId) -> Done<FollowedGame> {
        let table = self.table(game, Part::Watches).await?;
        match table.known.over() {
            None => Ok(table),
            Some(_) => Err(format!(
                "That game is over: `examine {game}` looks through it, with all men."
            )
            .into()),
        }
    }

    /// Runs `unobserve [GAME]`: stops following one game, or all.
    pub(super) fn unobserve(&mut self, words: &[&str]) -> Done {
        let wanted = words.first().map(|word| word.parse::<u32>().ok());
        let mut gone = Vec::new();
        self.tables.retain(|table| {
            let leaves = table.part == Part::Watches
                && wanted.is_none_or(|number| number == Some(table.known.number));
            if leaves {
                gone.push(table.known.number);
            }
            !leaves
        });
        if gone.is_empty() {
            return Err("You do not watch such a game.".into());
        }
        for number in gone {
            self.line(&format!("Removing game {number} from observation list."));
        }
        Ok(())
    }

    /// Returns the index of the followed game with this number. Without a number, returns the index
    /// of the game that the person plays. If the person plays no game, returns the index of a
    /// watched game.
    fn at(&self, words: &[&str]) -> Option<usize> {
        let mut tables = self.tables.iter();
        match words.first() {
            None => self
                .plays()
                .or_else(|| tables.position(|table| table.part == Part::Watches)),
            Some(word) => {
                let number = word.parse().ok();
                tables.position(|table| Some(table.known.number) == number)
            }
        }
    }

    /// Returns a game that this person does not follow, as a spectator knows
    /// the game.
    async fn other(&self, words: &[&str]) -> Done<KnownGame> {
        let game = self.running(words.first().ok_or(NO_TABLE)?).await?;
        Ok(self.unfinished(game).await?.known)
    }

    /// Runs `refresh [GAME]`: prints the board of a game again.
    pub(super) async fn refresh(&mut self, words: &[&str]) -> Done {
        if let Some(at) = self.at(words) {
            self.board_again(at);
            return Ok(());
        }
        let mut position = self.other(words).await?.position(self.club.now());
        position.relation = Relation::Isolated;
        self.show(&position, NO_MEN_SHOWN);
        Ok(())
    }

    /// Runs `time [GAME]`: prints the clocks of a game.
    pub(super) async fn time(&mut self, words: &[&str]) -> Done {
        let known = match self.at(words) {
            Some(at) => self.tables[at].known.clone(),
            None => self.other(words).await?,
        };
        let left = known.left(self.club.now());
        let text = match known.facts.standing.clocks {
            Some(_) => format!(
                "{}\n\nWhite Clock : {}\nBlack Clock : {}",
                known.title(),
                clock(left.white),
                clock(left.black)
            ),
            None => format!("{}: played without clocks.", known.title()),
        };
        self.line(&text);
        Ok(())
    }

    /// Runs `history [NAME]`: lists a person's finished games.
    pub(super) async fn history(&mut self, words: &[&str]) -> Done {
        let who = match words.first() {
            None => self.me.clone(),
            Some(name) => self.anybody(name).await?,
        };
        // The club can return more games, because it adds games with the time of the last game.
        let limit = LISTED_GAMES.into();
        let search = FinishedSearch::of(who.id);
        let mut rows = self.club.games(&search, None, limit).await?;
        rows.truncate(LISTED_GAMES.into());
        if rows.is_empty() {
            return Err(format!("{} has no history games.", who.name).into());
        }
        self.line(&format!("History for {}, the newest first:", who.name));
        for (n, row) in (1..).zip(&rows) {
            let (score, reason) = row
                .over
                .map_or(("*", ""), |over| (over.winner.score(), over.reason.name()));
            self.line(&format!(
                "{n:>2}: {:<7} {} vs. {}, {}, {reason}, {} ({})",
                score,
                row.players.white.name,
                row.players.black.name,
                terms::shown(&row.terms),
                club::utc(row.at),
                row.id
            ));
        }
        Ok(())
    }
}

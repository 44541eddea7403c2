//! Games that others play, and the clocks and boards of one's own.

use club::{GameId, Millis};
use rules::Listener;

use super::{
    chair::Chair,
    play::{UNSEEN, sentence},
    session::{Part, Session},
    style::{Relation, clock},
    talk::short,
    terms, words,
};

/// Games watched at once.
const MOST: usize = 8;

impl Session {
    /// `games`.
    pub(super) async fn games(&mut self) {
        let Some(lobby) = self.lobby().await else {
            return;
        };
        let rows: Vec<_> = lobby.running.iter().chain(&lobby.mine).collect();
        for row in &rows {
            self.line(&format!(
                "{:>3} {} {:<20} {} {:<20} [{}]",
                self.hall.number(row.id),
                terms::rating(&row.players.white),
                row.players.white.name,
                terms::rating(&row.players.black),
                row.players.black.name,
                terms::shown(&row.terms)
            ));
        }
        self.line(&format!("  {} games displayed.", rows.len()));
    }

    /// The game of a number at this door, or of one who plays it.
    async fn running(&mut self, word: &str) -> Option<GameId> {
        let number = word.parse().ok();
        if let Some(game) = number.and_then(|number| self.hall.game(number)) {
            return Some(game);
        }
        let lobby = self.lobby().await?;
        let plays = |name: &str| name.eq_ignore_ascii_case(word);
        let mut rows = lobby.running.iter().chain(&lobby.mine);
        let found = rows.find(|row| {
            plays(&row.players.white.name)
                || plays(&row.players.black.name)
                || number == Some(self.hall.number(row.id))
        });
        if found.is_none() {
            self.line(&format!(
                "There is no such game, {}: `games` lists them.",
                short(word)
            ));
        }
        found.map(|row| row.id)
    }

    /// `observe GAME`.
    pub(super) async fn observe(&mut self, words: &[&str]) {
        let Some(word) = words.first() else {
            self.line("Which game? `games` lists them.");
            return;
        };
        let Some(game) = self.running(word).await else {
            return;
        };
        if self
            .tables
            .iter()
            .any(|table| table.game == game && table.part == Part::Watches)
        {
            self.line("You watch that game already.");
            return;
        }
        if self
            .tables
            .iter()
            .filter(|table| table.part == Part::Watches)
            .count()
            >= MOST
        {
            self.line("You watch eight games already: `unobserve` one of them.");
            return;
        }
        let table = match self.table(game, Part::Watches).await {
            Ok(table) => table,
            Err(error) => {
                self.line(&sentence(&error.why));
                return;
            }
        };
        if table.chair.over().is_some() {
            self.is_over(game);
            return;
        }
        if table.chair.facts.seat != Listener::Room {
            self.line("You play in that game: `resume` sits down in it.");
            return;
        }
        let (number, title) = (table.chair.number, table.chair.title());
        let shown = terms::shown(&table.chair.facts.terms);
        let announced = table.chair.announced();
        self.tables.push(table);
        self.line(&format!("You are now observing game {number}."));
        self.line(&format!("{title} {shown}"));
        let at = self.tables.len() - 1;
        self.board(at);
        for text in announced {
            self.announce(at, &text);
        }
    }

    /// What to do instead, where a game that is over was named.
    fn is_over(&mut self, game: GameId) {
        self.line(&format!(
            "That game is over: `examine {game}` looks through it, with all men."
        ));
    }

    /// `unobserve [GAME]`.
    pub(super) fn unobserve(&mut self, words: &[&str]) {
        let wanted = words.first().map(|word| word.parse::<u32>().ok());
        let mut gone = Vec::new();
        self.tables.retain(|table| {
            let leaves = table.part == Part::Watches
                && wanted.is_none_or(|number| number == Some(table.chair.number));
            if leaves {
                gone.push(table.chair.number);
            }
            !leaves
        });
        if gone.is_empty() {
            self.line("You do not watch such a game.");
        }
        for number in gone {
            self.line(&format!("Removing game {number} from observation list."));
        }
    }

    /// The table of a number, or one's own.
    fn at(&self, words: &[&str]) -> Option<usize> {
        match words.first() {
            None => {
                let watches = self
                    .tables
                    .iter()
                    .position(|table| table.part == Part::Watches);
                self.plays().or(watches)
            }
            Some(word) => {
                let number = word.parse().ok();
                self.tables
                    .iter()
                    .position(|t| Some(t.chair.number) == number)
            }
        }
    }

    /// `refresh [GAME]`.
    pub(super) async fn refresh(&mut self, words: &[&str]) {
        if let Some(at) = self.at(words) {
            self.board(at);
            for text in self.tables[at].chair.announced() {
                self.announce(at, &text);
            }
            return;
        }
        let Some(word) = words.first() else {
            self.line("You neither play nor watch a game.");
            return;
        };
        if let Some(chair) = self.other(word).await {
            let mut position = chair.position(self.club.now());
            position.relation = Relation::Isolated;
            self.show(&position, UNSEEN);
        }
    }

    /// A game at which he does not sit, as the room knows it.
    async fn other(&mut self, word: &str) -> Option<Chair> {
        let game = self.running(word).await?;
        match self.table(game, Part::Watches).await {
            Ok(table) if table.chair.over().is_some() => {
                self.is_over(game);
                None
            }
            Ok(table) => Some(table.chair),
            Err(error) => {
                self.line(&sentence(&error.why));
                None
            }
        }
    }

    /// `time [GAME]`.
    pub(super) async fn time(&mut self, words: &[&str]) {
        let chair = match self.at(words) {
            Some(at) => Some(self.tables[at].chair.clone()),
            None => match words.first() {
                Some(word) => self.other(word).await,
                None => {
                    self.line("You neither play nor watch a game.");
                    None
                }
            },
        };
        let Some(chair) = chair else { return };
        let left = chair.left(self.club.now());
        let timed = chair.facts.standing.clocks.is_some();
        let text = match timed {
            true => format!(
                "{}\n\nWhite Clock : {}\nBlack Clock : {}",
                chair.title(),
                clock(left.white),
                clock(left.black)
            ),
            false => format!("{}: played without clocks.", chair.title()),
        };
        self.line(&text);
    }

    /// `history [NAME]`.
    pub(super) async fn history(&mut self, words: &[&str]) {
        let who = match words.first() {
            None => self.me.clone(),
            Some(name) => match self.hall.named(name) {
                Some(account) => account,
                None => {
                    self.line(&format!("{} is not at this door.", short(name)));
                    return;
                }
            },
        };
        let rows = match self.club.games(who.id, Millis::MAX, 10).await {
            Ok(rows) => rows,
            Err(error) => {
                self.line(&sentence(&error.why));
                return;
            }
        };
        if rows.is_empty() {
            self.line(&format!("{} has no history games.", who.name));
            return;
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
                words::date(row.at),
                row.id
            ));
        }
    }
}

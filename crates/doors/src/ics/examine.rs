//! Games that are over, move by move, with all men.

use club::{FinishedGame, GameId, Millis, PlayedMove, TimeControl};
use rules::{
    Try,
    chess::{
        Board, ByColor, CastlingMode, Chess, Color, Position as _, fen::Fen, san::SanPlus,
        uci::UciMove, variant::Crazyhouse,
    },
};

use super::{
    chair::time_fields,
    play::sentence,
    session::Session,
    style::{LastMove, Position, Relation, clock, strength},
    terms, words,
};

/// A game that is over, as boards.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    boards: Vec<Board>,
    to_move: Vec<Color>,
    moves: Vec<LastMove>,
    left: Vec<Option<ByColor<Millis>>>,
}

/// A position of either kind of game.
enum Truth {
    Usual(Chess),
    Drops(Crazyhouse),
}

impl Truth {
    fn of(fen: &str, drops: bool) -> Option<Truth> {
        let fen: Fen = fen.parse().ok()?;
        if drops {
            let position = fen.into_position::<Crazyhouse>(CastlingMode::Standard);
            position.ok().map(Truth::Drops)
        } else {
            let position = fen.into_position::<Chess>(CastlingMode::Standard);
            position.ok().map(Truth::Usual)
        }
    }

    fn board(&self) -> Board {
        match self {
            Truth::Usual(position) => position.board().clone(),
            Truth::Drops(position) => position.board().clone(),
        }
    }

    fn turn(&self) -> Color {
        match self {
            Truth::Usual(position) => position.turn(),
            Truth::Drops(position) => position.turn(),
        }
    }

    /// Plays a move; gives how it is written.
    fn play(&mut self, uci: &UciMove) -> Option<String> {
        match self {
            Truth::Usual(position) => {
                let m = uci.to_move(position).ok()?;
                Some(SanPlus::from_move_and_play_unchecked(position, m).to_string())
            }
            Truth::Drops(position) => {
                let m = uci.to_move(position).ok()?;
                Some(SanPlus::from_move_and_play_unchecked(position, m).to_string())
            }
        }
    }
}

fn uci(what: Try) -> UciMove {
    match what {
        Try::Step {
            from,
            to,
            promotion,
        } => UciMove::Normal {
            from,
            to,
            promotion,
        },
        Try::Drop { role, to } => UciMove::Put { role, to },
    }
}

impl Replay {
    pub(super) fn of(game: &FinishedGame) -> Replay {
        let mut replay = Replay {
            boards: Vec::new(),
            to_move: Vec::new(),
            moves: Vec::new(),
            left: Vec::new(),
        };
        let drops = game.choices.reserve == rules::ReserveUse::Drops;
        let Some(mut truth) = Truth::of(&game.start(), drops) else {
            return replay;
        };
        replay.boards.push(truth.board());
        replay.to_move.push(truth.turn());
        replay.left.push(None);
        let mut before = None;
        for PlayedMove { what, clocks, .. } in game.played() {
            let Some(short) = truth.play(&uci(what)) else {
                break;
            };
            let took = match (before, clocks) {
                (Some(before), Some(after)) => after.at.saturating_sub(before).max(0),
                (Some(_) | None, Some(_) | None) => 0,
            };
            before = clocks.map(|clocks| clocks.at);
            replay.moves.push(LastMove {
                long: what.to_string(),
                short,
                took,
            });
            replay.boards.push(truth.board());
            replay.to_move.push(truth.turn());
            replay.left.push(clocks.map(|clocks| clocks.left));
        }
        replay
    }

    /// The men at the end.
    pub(super) fn last(&self) -> Option<Board> {
        self.boards.last().cloned()
    }
}

/// A game that somebody looks through.
#[derive(Clone, Debug)]
pub(super) struct Examined {
    pub(super) game: GameId,
    number: u32,
    replay: Replay,
    names: ByColor<String>,
    time: TimeControl,
    at: usize,
    result: String,
}

impl Examined {
    fn position(&self) -> Position {
        let board = self
            .replay
            .boards
            .get(self.at)
            .cloned()
            .unwrap_or_else(Board::empty);
        let initial = match self.time {
            TimeControl::Clock { initial, .. } => initial,
            TimeControl::Unlimited => 0,
        };
        let left = self.replay.left.get(self.at).copied().flatten();
        let black_began = self.replay.to_move.first() == Some(&Color::Black);
        let plies = self.at + usize::from(black_began);
        Position {
            strength: ByColor::new_with(|color| strength(&board, color)),
            board,
            to_move: self
                .replay
                .to_move
                .get(self.at)
                .copied()
                .unwrap_or(Color::White),
            castling: ByColor::new_with(|_| [false, false]),
            irreversible: 0,
            game: self.number,
            names: self.names.clone(),
            relation: Relation::Examining,
            time: time_fields(self.time),
            left: left.unwrap_or(ByColor::new_with(|_| initial)),
            number: u32::try_from(plies / 2 + 1).unwrap_or(u32::MAX),
            last: match self.at {
                0 => LastMove::default(),
                at => self.replay.moves.get(at - 1).cloned().unwrap_or_default(),
            },
            below: Color::White,
            ticking: false,
        }
    }
}

impl Session {
    /// `examine [N|GAME]`.
    pub(super) async fn examine(&mut self, words: &[&str]) {
        if self.plays().is_some() {
            self.line("You are playing a game: finish it first.");
            return;
        }
        let Some((game, finished)) = self.finished(words.first().copied()).await else {
            return;
        };
        let number = self.hall.number(game);
        let names = finished.players.as_ref().map(|player| player.name.clone());
        let title = format!("Game {number} ({} vs. {})", names.white, names.black);
        let replay = Replay::of(&finished);
        self.line(&format!("{} examines game {number}.", self.me.name));
        self.line(&format!(
            "{{{title} Examining {} wild/16 match.}}",
            terms::rated(&finished.terms)
        ));
        self.line(&format!(
            "The rules were those of {}; {} moves were made. Type `forward` and `backward`.",
            terms::rules(&finished.terms),
            replay.moves.len()
        ));
        let examined = Examined {
            game,
            number,
            replay,
            names,
            time: finished.terms.time,
            at: 0,
            result: format!(
                "{} {}",
                finished.over.reason.name(),
                finished.over.winner.score()
            ),
        };
        let position = examined.position();
        self.examined = Some(examined);
        self.show(&position, "All men are shown.");
    }

    /// `forward [N]` and `backward [N]`.
    pub(super) fn step(&mut self, words: &[&str], forward: bool) {
        let by = words
            .first()
            .map_or(Some(1), |word| word.parse::<usize>().ok());
        let Some(by) = by else {
            self.line("How many moves? A number, or nothing for one.");
            return;
        };
        let Some(examined) = &mut self.examined else {
            self.line("You do not examine a game: `examine` looks through your last one.");
            return;
        };
        let last = examined.replay.moves.len();
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
        self.show(&position, "All men are shown.");
        if at_end {
            self.line(&format!("Game {number}: {result}."));
        }
    }

    /// `unexamine`.
    pub(super) fn unexamine(&mut self) {
        match self.examined.take() {
            Some(examined) => self.line(&format!(
                "You are no longer examining game {}.",
                examined.number
            )),
            None => self.line("You do not examine a game."),
        }
    }

    /// A finished game by its name: its number of `history`, its id, or the
    /// last one. What is wrong is said.
    pub(super) async fn finished(&mut self, name: Option<&str>) -> Option<(GameId, FinishedGame)> {
        let game = match name {
            None => self.nth(1).await,
            Some(name) => match (name.parse::<usize>(), name.parse::<GameId>()) {
                (Ok(n), _) if n < 1000 => self.nth(n.max(1)).await,
                (_, Ok(game)) => Some(game),
                (Ok(_) | Err(_), Err(_)) => None,
            },
        };
        let Some(game) = game else {
            self.line(
                "There is no such game that is over. `history` numbers yours, the last is 1; \
                 `examine N` looks through one.",
            );
            return None;
        };
        match self.club.finished(game).await {
            Ok(finished) => Some((game, finished)),
            Err(error) => {
                self.line(&sentence(&error.why));
                None
            }
        }
    }

    /// The nth of one's own finished games, the newest first.
    async fn nth(&self, n: usize) -> Option<GameId> {
        let limit = u32::try_from(n).ok()?;
        let games = self.club.games(self.me.id, Millis::MAX, limit).await.ok()?;
        games.get(n - 1).map(|row| row.id)
    }

    /// `moves [N]`.
    pub(super) async fn moves(&mut self, words: &[&str]) {
        // A client asks by the number of a game at this door.
        let named = words.first().and_then(|word| word.parse().ok());
        let by_number = named.and_then(|number| self.hall.game(number));
        let own = self.plays().map(|at| self.tables[at].game);
        let examined = self.examined.as_ref().map(|examined| examined.game);
        let running = by_number.or(own).or(examined);
        let finished = match running {
            Some(game) => match self.club.finished(game).await {
                Ok(finished) => Some((game, finished)),
                Err(_) => {
                    self.line("The moves of a running game are told to nobody. After it, `moves` shows them.");
                    None
                }
            },
            None => self.finished(words.first().copied()).await,
        };
        if let Some((game, finished)) = finished {
            let number = self.hall.number(game);
            let text = list(number, &finished);
            self.line(&text);
        }
    }
}

/// The list of moves, as clients read it.
fn list(number: u32, game: &FinishedGame) -> String {
    let replay = Replay::of(game);
    let (white, black) = (&game.players.white, &game.players.black);
    let [minutes, seconds] = time_fields(game.terms.time);
    let mut text = format!(
        "Movelist for game {number}:\n\n{} ({}) vs. {} ({}) --- {}\n\
         {} wild/16 match, initial time: {minutes} minutes, increment: {seconds} seconds.\n\n\
         Move  {:<20}   {:<20}\n----  --------------------   --------------------\n",
        white.name,
        terms::rating(white),
        black.name,
        terms::rating(black),
        words::date(game.at),
        sentence(terms::rated(&game.terms)).trim_end_matches('.'),
        white.name,
        black.name,
    );
    let cell = |m: &LastMove| format!("{} ({})", m.short, clock(m.took));
    let black_began = replay.to_move.first() == Some(&Color::Black);
    let mut cells: Vec<String> = replay.moves.iter().map(cell).collect();
    if black_began {
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

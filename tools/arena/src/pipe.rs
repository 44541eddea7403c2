//! A built-in bot at the other end of a program's pipes, so that the arena of another version can
//! play against it.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    io::{BufRead, Write},
    time::Duration,
};

use anyhow::bail;
use bots::{Budget, Seed};
use rules::{Choices, Heard, Reply, Verdict, chess::Color, rulesets};
use serde::Deserialize;
use views::PlayerView;
use wire::{HeardJson, ParsedHeard, Side};

use crate::{
    contestant::Contestant,
    options::Usage,
    program::PROGRAM_PROTOCOL,
    run::ANSWER_TIMEOUT,
    seat::{Seat, SeatAnswer},
};

/// A line that a program reads, without what a built-in bot does not need.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Line {
    new_game: Option<NewGame>,
    game: String,
    heard: Vec<HeardJson>,
    your_turn: bool,
    seconds: Option<f64>,
    nodes: Option<u64>,
    end_game: Option<String>,
}

#[derive(Deserialize)]
struct NewGame {
    protocol: u32,
    game: String,
    seed: u64,
    color: Side,
    choices: BTreeMap<String, String>,
}

/// A game of the bot.
struct PipeGame {
    seat: Box<dyn Seat>,
    color: Color,
    choices: Choices,
    /// `None` until the start is heard.
    view: Option<PlayerView>,
    /// Whether a turn has begun and no move has ended it.
    is_turn: bool,
}

/// Plays the games of the lines that `kriegspiel arena --help` describes, and writes the attempts.
/// Returns at the end of the input. With the same seed, stream 0, the same nodes and the same
/// hearings, the attempts are those of the bot in an arena of its own version.
///
/// # Errors
/// - A [`Usage`] if `bot` is a program, or if a line is not as described.
/// - The bot has panicked.
/// - An [`io::Error`](std::io::Error) if a line cannot be read or an attempt cannot be written.
pub fn play_lines(
    bot: &Contestant,
    input: impl BufRead,
    mut output: impl Write,
) -> anyhow::Result<()> {
    if let Contestant::Program(line) = bot {
        let why = format!("`cmd:{line}` is a program already: name a built-in bot");
        return Err(Usage(why).into());
    }
    let mut games = HashMap::new();
    for (number, text) in (1..).zip(input.lines()) {
        let wrong = |why: &dyn fmt::Display| {
            let lines = "kriegspiel arena --help describes the lines";
            Usage(format!("standard input, line {number}: {why}; {lines}"))
        };
        let line: Line = serde_json::from_str(&text?).map_err(|fault| wrong(&fault))?;
        if let Some(new) = line.new_game {
            let id = new.game.clone();
            games.insert(id, PipeGame::open(bot, new).map_err(|why| wrong(&why))?);
            continue;
        }
        if let Some(id) = line.end_game {
            games.remove(&id);
            continue;
        }
        let not_begun = || wrong(&format_args!("game `{}` has not begun", line.game));
        let game = games.get_mut(&line.game).ok_or_else(not_begun)?;
        for heard in &line.heard {
            game.hear(heard).map_err(|why| wrong(&why))?;
        }
        if line.your_turn {
            let Some(view) = &game.view else {
                return Err(wrong(&"the start of the game is missing").into());
            };
            let time = line.seconds.map(Duration::try_from_secs_f64).transpose();
            let time = time.map_err(|fault| wrong(&fault))?;
            let nodes = line.nodes.map(Budget::Nodes);
            if !game.is_turn {
                let budget = nodes.or(time.map(Budget::Time)).unwrap_or_default();
                game.seat.begin_turn(budget);
                game.is_turn = true;
            }
            let SeatAnswer::Attempt(attempt) = game.seat.answer(view, &view.tries()) else {
                bail!("the bot {bot} has panicked");
            };
            writeln!(output, "{attempt}")?;
            output.flush()?;
        }
    }
    Ok(())
}

impl PipeGame {
    fn open(bot: &Contestant, new: NewGame) -> Result<PipeGame, String> {
        if new.protocol != PROGRAM_PROTOCOL {
            let NewGame { protocol, .. } = new;
            return Err(format!("protocol {protocol} instead of {PROGRAM_PROTOCOL}"));
        }
        let mut choices = rulesets::WILD16.choices;
        for (name, value) in &new.choices {
            let set = choices.set(name, value);
            set.map_err(|fault| fault.to_string())?;
        }
        let (seed, stream) = (new.seed, 0);
        let seat = bot.seat(Seed { seed, stream }, ANSWER_TIMEOUT);
        Ok(PipeGame {
            seat: seat.map_err(|fault| fault.to_string())?,
            color: new.color.into(),
            choices,
            view: None,
            is_turn: false,
        })
    }

    fn hear(&mut self, json: &HeardJson) -> Result<(), String> {
        let heard = ParsedHeard::try_from(json).map_err(|fault| fault.to_string())?;
        match (heard.under(&self.choices), &mut self.view) {
            (ParsedHeard::Start(start), view @ None) => {
                *view = Some(PlayerView::open(self.choices, self.color, &start));
            }
            (ParsedHeard::Heard(heard), Some(view)) => {
                view.hear(&heard);
                self.seat.hear(&heard);
                if let Heard::Reply(Reply::Verdict { verdict, .. }) = heard {
                    self.is_turn &= verdict != Verdict::Moved;
                }
            }
            _ => return Err("a game has one start, which is heard first".to_owned()),
        }
        Ok(())
    }
}

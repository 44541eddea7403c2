//! A built-in bot at the other end of a program's pipes: the arena of another version plays
//! against it.

use std::{
    collections::{BTreeMap, HashMap},
    io::{BufRead, Write},
    mem,
    time::Duration,
};

use anyhow::{Context, ensure};
use arena::PROGRAM_PROTOCOL;
use bots::{Bot, Budget, Player, Seed};
use rules::{Attempt, Heard, Reply, Verdict, rulesets::WILD16};
use serde::Deserialize;
use views::PlayerView;
use wire::{HeardJson, ParsedHeard, Side};

use super::super::usage;

/// What a built-in bot needs of a line. `kriegspiel arena --help` describes the lines.
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

struct PipeGame {
    player: Box<dyn Player>,
    view: PlayerView,
    /// Whether a turn has begun and no move has ended it.
    is_turn: bool,
}

/// Plays the games of the lines, and writes the attempts. Returns at the end of the input.
pub(super) fn play(bot: &Bot, input: impl BufRead, mut output: impl Write) -> anyhow::Result<()> {
    let mut games = HashMap::new();
    for (number, line) in (1..).zip(input.lines()) {
        let attempt = take(bot, &mut games, &line?).map_err(|why| {
            let lines = "kriegspiel arena --help describes the lines";
            usage(format!("standard input, line {number}: {why:#}; {lines}"))
        })?;
        if let Some(attempt) = attempt {
            writeln!(output, "{attempt}")?;
            output.flush()?;
        }
    }
    Ok(())
}

fn take(
    bot: &Bot,
    games: &mut HashMap<String, PipeGame>,
    line: &str,
) -> anyhow::Result<Option<Attempt>> {
    let line: Line = serde_json::from_str(line)?;
    if let Some(new) = line.new_game {
        let theirs = new.protocol;
        ensure!(
            theirs == PROGRAM_PROTOCOL,
            "protocol {theirs} instead of {PROGRAM_PROTOCOL}"
        );
        let mut choices = WILD16.choices;
        for (name, value) in &new.choices {
            choices.set(name, value)?;
        }
        let (seed, stream) = (new.seed, 0);
        let game = PipeGame {
            player: bot.seat(Seed { seed, stream }),
            view: PlayerView::initial(choices, new.color.into()),
            is_turn: false,
        };
        games.insert(new.game, game);
        return Ok(None);
    }
    if let Some(id) = line.end_game {
        games.remove(&id);
        return Ok(None);
    }
    let named = || format!("game `{}` has not begun", line.game);
    let PipeGame {
        player,
        view,
        is_turn,
    } = games.get_mut(&line.game).with_context(named)?;
    for json in &line.heard {
        match ParsedHeard::try_from(json)?.under(view.choices()) {
            ParsedHeard::Start(start) => {
                *view = PlayerView::open(*view.choices(), view.color(), &start);
            }
            ParsedHeard::Heard(heard) => {
                if let Heard::Reply(Reply::Verdict { verdict, .. }) = heard {
                    *is_turn &= verdict != Verdict::Moved;
                }
                view.hear(&heard);
                player.hear(&heard);
            }
        }
    }
    if !line.your_turn {
        return Ok(None);
    }
    if !mem::replace(is_turn, true) {
        let time = line.seconds.map(Duration::try_from_secs_f64).transpose()?;
        let budget = line.nodes.map(Budget::Nodes).or(time.map(Budget::Time));
        player.begin_turn(budget.unwrap_or_default());
    }
    Ok(Some(player.attempt(view, &view.tries())))
}

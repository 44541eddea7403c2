//! The command `kriegspiel belief fit`.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::PathBuf,
};

use anyhow::{Context, bail};
use belief::{Decisions, Likelihood, Opponent, Situation, Study};
use referee::{Event, Game, Opened};
use rules::{Listener, Try, chess::Color};
use scores::{RecordedGame, follow};

use super::usage;
use crate::{
    games::{FormName, Games, counted},
    load,
};

/// Maximum number of moves for a fit. More moves need too much memory.
const MAX_MOVES: usize = 5_000_000;

/// Fit a model of how players choose among their legal moves
///
/// Reads every move of both players, except drops. One game in five is held out:
/// it is not used for the fit. The program then prints how well the uniform model
/// and the fitted model predict the moves of the held-out games, as lines on
/// standard error. The same files and seed give the same weights.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files of recorded games, may be gzip; - reads standard input
    #[arg(value_name = "GAMES", required = true)]
    files: Vec<PathBuf>,

    /// Write the weights to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Seed that selects the games that are not used for the fit
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Count each move of this player N times; 0 leaves the player out. NAME is
    /// a name in the PGN tags White and Black
    #[arg(long, value_name = "NAME=N", value_parser = repeat)]
    repeat: Vec<(String, u32)>,

    /// Format of the files, if it cannot be detected from the start of each
    /// file
    #[arg(long, value_name = "FORM")]
    from: Option<FormName>,

    /// Read the games under this ruleset, even if the files name another one
    #[arg(long, value_name = "ID|FILE.toml")]
    rules: Option<String>,
}

/// Greatest value of `--repeat`.
const MAX_REPEATED: u32 = 100;

/// Reads a value of `--repeat`.
fn repeat(text: &str) -> Result<(String, u32), String> {
    let found = text.rsplit_once('=').and_then(|(name, times)| {
        let times = times.parse().ok().filter(|times| *times <= MAX_REPEATED)?;
        Some((name.to_owned(), times))
    });
    found.ok_or_else(|| {
        format!("write the name of a player, `=` and a number from 0 to {MAX_REPEATED}")
    })
}

/// The decisions used for the fit, and the decisions held out to test it.
#[derive(Default)]
struct Split {
    fitted: Decisions,
    held_out: Decisions,
    /// Held-out decisions of each player, by name. Empty if the games do not name the players.
    by_player: BTreeMap<String, Decisions>,
    games: u64,
    games_held_out: u64,
}

/// Whether the game with this number is held out. The first game is never held
/// out, so that the fit has at least one game.
fn is_held_out(seed: u64, number: u64) -> bool {
    // One step of SplitMix64, used as a hash.
    let mut z = seed
        .wrapping_add(number)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number > 0 && (z ^ (z >> 31)).is_multiple_of(5)
}

pub(super) fn main(args: &Args) -> anyhow::Result<()> {
    let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
    if let Some(path) = &args.out {
        // The file is opened before the long work, so that an error is noticed early. An existing
        // file keeps its content until the weights are written.
        let mut options = fs::File::options();
        let opened = options.append(true).create(true).open(path);
        opened.map_err(|e| usage(format_args!("--out {}: {e}", path.display())))?;
    }
    let mut split = Split::default();
    let mut skipped = 0;
    for path in &args.files {
        let mut games = Games::open(path, args.from)?;
        while let Some(game) = games.next()? {
            let Some(opened) = games.opening(&game, ruleset.as_ref(), "") else {
                continue;
            };
            let number = split.games + split.games_held_out;
            let is_held_out = is_held_out(args.seed, number);
            if is_held_out {
                split.games_held_out += 1;
            } else {
                split.games += 1;
            }
            let unjudged = study(&game, opened, |by, study, truth, what| {
                let name = game.tags.get(by.fold_wb("White", "Black"));
                let of_player = args.repeat.iter().find(|(of, _)| Some(of.as_str()) == name);
                let times = of_player.map_or(1, |(_, times)| *times);
                if !is_held_out {
                    for _ in 0..times {
                        study.decide(truth, what, &mut split.fitted);
                    }
                    return;
                }
                if times > 0 {
                    study.decide(truth, what, &mut split.held_out);
                }
                if let Some(name) = name {
                    let decisions = split.by_player.entry(name.to_owned()).or_default();
                    study.decide(truth, what, decisions);
                }
            })?;
            if let Some((line, why)) = unjudged {
                let path = path.display();
                games.say(&format!(
                    "{path}: line {line}: {why}; only the moves before this line are used"
                ));
            }
            if split.fitted.len() + split.held_out.len() > MAX_MOVES {
                return Err(usage(format_args!(
                    "more than {MAX_MOVES} moves, which a fit cannot use: give fewer games"
                )));
            }
        }
        skipped += games.damaged;
    }
    let Some(opponent) = split.fitted.fit() else {
        return Err(usage("these games have no move that a fit can use"));
    };
    report(&split, &opponent)?;
    match &args.out {
        Some(path) => fs::write(path, opponent.to_string())
            .with_context(|| format!("{} cannot be written", path.display()))?,
        None => write!(io::stdout(), "{opponent}")?,
    }
    if skipped > 0 {
        bail!("{} skipped", counted(skipped, "game"));
    }
    Ok(())
}

/// Plays a game again and calls `record` with each choice of a player. If the game cannot be played
/// to its end, returns the line and the reason.
fn study(
    game: &RecordedGame,
    opened: Opened,
    mut record: impl FnMut(Color, &Study, &Situation, Try),
) -> anyhow::Result<Option<(u64, String)>> {
    let followed = follow(game, opened, false);
    let unjudged = followed.lost.map(|_| followed.notes.last().cloned());
    let log = followed.log();
    let mut game = Game::open(followed.opened);
    let choices = *game.choices();
    let mut studies = Color::ALL.map(|seat| {
        let start = game.start(Listener::from(seat));
        (seat, Study::open(choices, seat, &start))
    });
    let mut calls = game.opening_calls();
    let mut events = log.iter().skip(1);
    loop {
        for (seat, study) in &mut studies {
            let listener = Listener::from(*seat);
            for call in calls.iter().filter(|call| call.audience.includes(listener)) {
                study.hear(&call.heard);
            }
        }
        let Some(event) = events.next() else { break };
        if let Event::Moved { by, what, .. } = event {
            let fen = game.sheet().fen();
            for (seat, study) in studies.iter().filter(|(seat, _)| seat != by) {
                let truth = Situation::from_fen(&choices, *seat, &fen)?;
                record(*by, study, &truth, *what);
            }
        }
        calls = game.calls(event);
        game.apply(event);
    }
    Ok(unjudged.flatten())
}

fn report(split: &Split, opponent: &Opponent) -> io::Result<()> {
    let mut output = io::stderr().lock();
    let line = |name: &str, decisions: &Decisions| {
        if decisions.is_empty() {
            return format!("{name}, no move");
        }
        let moves = counted(decisions.len() as u64, "move");
        let likelihood = |model| -> Likelihood { decisions.likelihood(model) };
        format!(
            "{name}, {moves}; log-likelihood per move: uniform {:.4}, fitted {:.4}",
            likelihood(None).per_move,
            likelihood(Some(opponent)).per_move
        )
    };
    let fitted = format!("fitted to: {}", counted(split.games, "game"));
    writeln!(output, "{}", line(&fitted, &split.fitted))?;
    let held = format!("held out: {}", counted(split.games_held_out, "game"));
    writeln!(output, "{}", line(&held, &split.held_out))?;
    for (name, decisions) in &split.by_player {
        writeln!(output, "{}", line(&format!("held out: {name}"), decisions))?;
    }
    if split.held_out.is_empty() {
        writeln!(
            output,
            "no game was held out, so it is not known whether the weights are good for other games: give more games, or another --seed"
        )?;
    }
    Ok(())
}

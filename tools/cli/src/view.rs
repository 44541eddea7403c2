//! The command `kriegspiel view`.

use std::{
    path::PathBuf,
    sync::mpsc::{SendError, Sender},
    thread,
};

use anyhow::Context;
use referee::Opened;
use rules::chess::Color;
use scores::{BeliefLimits, Beliefs, RecordedGame, SeatRecord, Tags, steps};
use tui::{App, ClubMessage, ClubRequest, Input, Review};
use wire::{Side, StepJson};

use super::{
    belief::limit,
    games::{FormName, Found, Games, counted, files, game_number, opening, player_record, score},
    load,
    play::Look,
    terminal::shown,
    usage,
};

/// Look through a finished game step by step, on three boards
///
/// In a wide window, White's board, the umpire's board and Black's board are
/// side by side; in a narrow window, Tab changes between them. The arrow keys go
/// through moves and refused tries, and show what each player heard. The key b
/// shows what White could know at each step: how many positions were possible,
/// where Black's men could be, and what was certain. Pressing b again shows the
/// same for Black. The command shows every format that `kriegspiel convert`
/// reads: PGN, transcripts, JSON lines. With --rules, it also shows the scores
/// that `kriegspiel score read` reads.
///
/// You can give several files and folders. In a folder, the command reads every
/// file whose name ends with .pgn, .txt, .jsonl, .json, .gz or .zst. --game
/// counts the games of all files.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel view examples/castling.txt
  kriegspiel view games.pgn --game 3
  kriegspiel view monday.txt old-games --game 12
  kriegspiel view examples/hayes-juhasz-1971-score.txt --rules cincinnati")]
pub(super) struct Args {
    /// Files of recorded games, or folders of such files; - reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Number of the game, counted from 1 through all files
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = game_number)]
    game: u64,

    /// Format of the file, if it cannot be detected from the start of the file
    #[arg(long, value_name = "FORM")]
    from: Option<FormName>,

    /// Read the game under this ruleset, even if the file names another one
    #[arg(long, value_name = "ID|FILE.toml")]
    rules: Option<String>,

    /// Maximum number of positions that are kept to show what a player could know. If there are
    /// more, a sample replaces them
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = limit)]
    limit: u32,

    #[command(flatten)]
    look: Look,
}

pub(super) fn main(args: &Args) -> anyhow::Result<()> {
    let game = read(args)?;
    let review = game.review()?.with_beliefs();
    let app = App::view(review, args.look.start());
    let limits = BeliefLimits {
        positions: args.limit as usize,
        work: usize::MAX,
    };
    let inbox = tui::inbox();
    let sender = inbox.0.clone();
    let ask = move |_, ask| {
        if let ClubRequest::Belief(side) = ask {
            let (game, sender) = (game.clone(), sender.clone());
            thread::spawn(move || {
                let beliefs = game.beliefs(side.into(), limits);
                // The screen may be closed already.
                let _gone = tell(&sender, side, beliefs);
            });
        }
    };
    tui::run(app, inbox, ask, |_| {}).context("cannot draw on the terminal")
}

/// Sends moments to the screen, each as soon as it is computed. A moment is what the player of
/// `side` could know at one step of the game.
fn tell(
    screen: &Sender<Input>,
    side: Side,
    beliefs: Result<Beliefs, String>,
) -> Result<(), SendError<Input>> {
    let why = match beliefs {
        Ok(moments) => {
            let mut why = "the game is over".to_owned();
            for moment in moments {
                match moment {
                    Ok(moment) => {
                        let moment = Box::new(moment);
                        screen.send(Input::Club(0, ClubMessage::Moment { side, moment }))?;
                    }
                    Err(error) => why = error,
                }
            }
            why
        }
        Err(why) => why,
    };
    screen.send(Input::Club(0, ClubMessage::MomentsEnd { side, why }))
}

/// A game that is shown.
#[derive(Clone)]
enum Game {
    /// The record of a whole game, and how the game begins.
    Whole(RecordedGame, Opened),
    /// One player's own file: its tags, and what this player heard.
    Player(Tags, SeatRecord),
}

impl Game {
    fn beliefs(&self, seat: Color, limits: BeliefLimits) -> Result<Beliefs, String> {
        match self {
            Game::Whole(game, opened) => Beliefs::of(game, Some(opened.clone()), seat, limits),
            Game::Player(_, record) if record.seat == seat => Beliefs::of_player(record, limits),
            Game::Player(..) => return Err("the file is the other player's own file".to_owned()),
        }
        .map_err(|error| error.to_string())
    }

    fn review(&self) -> anyhow::Result<Review> {
        match self {
            Game::Whole(game, opened) => {
                let steps = steps(game, Some(opened.clone()));
                let steps = steps.map_err(|e| usage(format_args!("{e}")))?;
                Ok(review(&game.tags, &opened.rules, steps))
            }
            Game::Player(tags, record) => {
                let review = review(tags, &record.start.rules, record.steps());
                Ok(review.of_player(record.seat.into()))
            }
        }
    }
}

/// Reads the game from the files.
fn read(args: &Args) -> anyhow::Result<Game> {
    let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
    let files = files(&args.files)?;
    let (mut before, mut hint) = (0, String::new());
    for file in &files {
        let mut games = Games::open(file, args.from)?;
        games.reports = false;
        match games.find(args.game - before, ruleset.as_ref())? {
            Some(Found::Game(game)) => {
                let opened = opening(file, &game, ruleset.as_ref())?;
                return Ok(Game::Whole(game, opened));
            }
            Some(Found::Player(view)) => {
                let record = player_record(file, &view, ruleset.as_ref())?;
                return Ok(Game::Player(view.tags, record));
            }
            Some(Found::Part(_, fault)) => anyhow::bail!("{}: {fault}", shown(file)),
            None => {}
        }
        before += match games.number() {
            0 if score(file, games.beginning(), ruleset.as_ref())?.is_some() => 1,
            0 => {
                games.finish()?;
                0
            }
            games => games,
        };
        hint = games.hint();
    }
    let place = match files.as_slice() {
        [file] => format!("{}: the file has", shown(file)),
        all => format!("the {} have", counted(all.len() as u64, "file")),
    };
    let games = counted(before, "game");
    Err(usage(format!("{place} only {games}{hint}")))
}

fn review(tags: &Tags, rules: &str, steps: Vec<StepJson>) -> Review {
    let heard = |step: &StepJson| {
        let all = [&step.room, &step.white, &step.black];
        all.into_iter().find_map(|words| words.last().cloned())
    };
    let end = steps.last().and_then(heard).unwrap_or_default();
    let name = |tag: &str, otherwise: &str| named(tags, tag, otherwise);
    Review::new(
        name("White", "White"),
        name("Black", "Black"),
        rules.to_owned(),
        end,
        steps,
    )
}

fn named(tags: &Tags, tag: &str, otherwise: &str) -> String {
    let name = tags.get(tag).unwrap_or_default();
    if name.is_empty() || name == "?" {
        otherwise.to_owned()
    } else {
        name.to_owned()
    }
}

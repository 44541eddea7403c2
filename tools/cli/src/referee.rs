//! The command `kriegspiel referee`.

use std::{
    io::{self, BufWriter, IsTerminal},
    path::PathBuf,
    process::ExitCode,
    time::Instant,
};

use anstream::{AutoStream, ColorChoice};
use referee::StartPosition;
use rules::{GameSwitch, Ruleset, rulesets};
use scores::Transcript;
use stream::{self, DataFile, Desk, Ended, Form, Settings, Show, TableClock, TableSession};

use super::editor::Editor;
use super::{
    interrupt, load, terminal, usage, voice,
    wrapped::{Wrapped, terminal_width},
};

/// Referee games for people at a table, or for programs
///
/// At a terminal: you sit between two players and type what they say. For every
/// line you see what White, Black and the spectators (the room) must be told.
/// You can take mistakes back, and save the game.
///
/// With input from a pipe, and with --json, every line is an attempt and gets
/// one answer.
///
/// What you see contains the true position; it is not for players. Only with
/// --two does the screen show each player what that player may know.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
At a table, type a line for everything that a player says:
  e2e4, Nf3, exd5, N-KB3, O-O    a move, in any notation; if it fits several moves, type the number
                                 of the one that is meant
  any, count, recap, px          questions and the announced pawn capture, if the ruleset has them
  resign, offer-draw, accept-draw, decline-draw, withdraw-draw
  flag                           the time of the player to move is up
Words for you alone:
  takeback, takeback 2           takes back the last line, or the last 2 lines. The screen shows
                                 these lines, and who must be told. A player who heard nothing of
                                 them is told nothing. undo is the same
  takeback from 12               takes back line 12 and all later lines
  board, board white             the true position, or the men of White as White knows them
  again                          repeats the announcements from the last move on
  moves                          the moves so far
  save FILE                      saves the game; lines taken back are comments. FILE.pgn and
                                 FILE.jsonl are other formats; `kriegspiel view FILE` shows the game
  clock, pause                   with --clock: the times; stops the clock until the next line
  clock white 5:00               with --clock: sets the time of White
  new, new FEN                   another game
  help, quit                     Ctrl-D and Ctrl-C end, too
A line belongs to the player to move, or to the player who is asked to accept a draw; `white WORD`
and `black WORD` say who speaks. Blank lines and lines that begin with # are skipped.

Every line of the game has a number. The numbers stay the same when --data continues the game. A
line that is refused or not understood has no number; with --json it has one. After a takeback, the
numbers are used again.

With --data FILE every line is on the disk before you see its answer. After a crash, the same
command continues the game.

An attempt that is illegal in the true position is answered `no`. An attempt that the mover could
have known to be impossible is answered `nonsense`. Only the asker hears `refused` and `not
understood`.

For programs (--json), a line is `[white |black ]WORD` or `new [FEN]`, and a move is written as
e2e4, e7e8q, N@f5, O-O.

Examples:
  kriegspiel referee --rules cincinnati
  kriegspiel referee --rules rand --data evening.txt --clock 30
  kriegspiel referee --rules wild16 --two
  kriegspiel referee --rules cincinnati < examples/hayes-juhasz-1971.txt
  kriegspiel rules --toml wild16 > my-rules.toml; kriegspiel referee --rules my-rules.toml
  printf 'e2e4\\nd7d5\\ne4d5\\n' | kriegspiel referee --rules rand --json")]
pub(super) struct Args {
    /// Ruleset: an id from `kriegspiel rules`, or a ruleset file
    ///
    /// `kriegspiel rules --compare` helps to choose one; `cincinnati` is a good first one. A
    /// game that --data continues names its ruleset itself.
    #[arg(long, value_name = "ID|FILE.toml")]
    rules: Option<String>,

    /// Keep the game in this file, and continue the game that it holds
    ///
    /// The file is a transcript, which `kriegspiel view`, `audit` and `convert`
    /// read.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    data: Option<PathBuf>,

    /// Show a clock: minutes, and seconds added after each move
    ///
    /// The clock is stopped until the first line. When a time is up, you decide
    /// whether to type `flag`. After a crash, the clock shows the times of the last line.
    #[arg(long, value_name = "10+5", conflicts_with = "json")]
    clock: Option<String>,

    /// Two players share this screen, without an umpire
    ///
    /// Between the turns the screen is empty; its scroll-back is emptied too.
    /// Neither player can see or recall what the other one typed.
    #[arg(long, conflicts_with_all = ["json", "show", "tries"])]
    two: bool,

    /// Speak what the room hears, with this program or the voice of the system
    ///
    /// The program gets the text as its last argument. Without a name: `say`,
    /// `spd-say --wait`, `espeak-ng` or `espeak`.
    #[arg(long, value_name = "PROGRAM", num_args = 0..=1, default_missing_value = "", require_equals = true, conflicts_with = "json")]
    voice: Option<String>,

    /// Start from this position, as if the first line were `new FEN`
    ///
    /// With input from a pipe, the answer to `new FEN` is written when the first
    /// line of input is read.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Change when this game ends, by one or more of the switches 3, no-3, 50, no-50, mate and
    /// no-mate
    ///
    /// 3: the third occurrence of a position is a draw. 50: fifty moves by each
    /// side without a capture or a pawn move are a draw. mate: checkmate and
    /// stalemate are recognised (`umpire` only). no-3, no-50 and no-mate switch
    /// these rules off. If two switches conflict, the last one wins.
    #[arg(long, value_name = "LIST", num_args = 1..)]
    game: Vec<String>,

    /// List the attempts worth making now, from what the player to move has
    /// heard
    #[arg(long)]
    tries: bool,

    /// Answer every line with one line of JSON
    #[arg(long, conflicts_with = "show")]
    json: bool,

    /// Draw a board after every line: the true position, or a player's own men
    /// as that player knows them (not with --json)
    #[arg(long, value_name = "WHOSE")]
    show: Option<Whose>,
}

#[derive(Copy, Clone, Debug, clap::ValueEnum)]
enum Whose {
    Umpire,
    White,
    Black,
}

impl From<Whose> for Show {
    fn from(whose: Whose) -> Show {
        match whose {
            Whose::Umpire => Show::Umpire,
            Whose::White => Show::White,
            Whose::Black => Show::Black,
        }
    }
}

pub(super) fn main(args: Args) -> anyhow::Result<ExitCode> {
    let data = args.data.as_deref().map(DataFile::open).transpose();
    let data = data.map_err(usage)?;
    let recorded = data.as_ref().and_then(|(_, game)| game.as_ref());
    let ruleset = ruleset(&args, recorded)?;
    let switches = match recorded {
        Some(game) => Ok(game.header.game.clone()),
        None => GameSwitch::from_lists(&args.game),
    };
    let (switches, choices) = switches
        .and_then(|switches| {
            let choices = ruleset.switched(&switches)?;
            Ok((switches, choices))
        })
        .map_err(|e| usage(format_args!("--game: {e}")))?;
    let start = args
        .fen
        .as_ref()
        .map(|fen| StartPosition::from_fen(fen, &choices))
        .transpose()
        .map_err(|e| usage(format_args!("--fen: {e}")))?;
    let person = io::stdin().is_terminal() && io::stdout().is_terminal();
    if args.two && std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        return Err(usage(
            "--two: a terminal of the type `dumb` cannot hide one player's screen from the other; use another terminal",
        ));
    }
    let form = if args.json {
        Form::Json
    } else {
        Form::Words {
            show: args.show.map(Into::into),
            prompt: person,
        }
    };
    let settings = Settings {
        ruleset,
        choices,
        switches,
        start,
        tries: args.tries,
        form,
    };
    let stdout = io::stdout();
    if args.json {
        stream::run(io::stdin().lock(), BufWriter::new(stdout.lock()), &settings)?;
        return Ok(ExitCode::SUCCESS);
    }
    let clock = match &args.clock {
        Some(text) => {
            let began = Instant::now();
            let clock = TableClock::read(text, move || began.elapsed());
            Some(clock.map_err(|e| usage(format_args!("--clock: {e}")))?)
        }
        None => None,
    };
    let voice = args.voice.as_deref().map(voice::begin).transpose()?;
    let (voice, speaker) = voice.unzip();
    let desk = Desk {
        data,
        clock,
        voice,
        two: args.two,
        saves: true,
    };
    let mut session = TableSession::open(&settings, desk).map_err(usage)?;
    // NO_COLOR removes colours only. The escape codes that clear a player's screen are always
    // written.
    let choice = if args.two {
        ColorChoice::AlwaysAnsi
    } else {
        AutoStream::choice(&stdout)
    };
    let output = BufWriter::new(AutoStream::new(stdout.lock(), choice));
    let width = if person { terminal_width } else { || None };
    let mut output = Wrapped::new(output, width);
    let ended = if person {
        session.run(&mut Editor::new()?, &mut output)?
    } else {
        let mut lines = stream::Piped::new(io::stdin().lock());
        session.run(&mut lines, &mut output)?
    };
    drop(output);
    drop(session);
    if let Some(speaker) = speaker {
        speaker.finish();
    }
    Ok(match ended {
        Ended::Usual => ExitCode::SUCCESS,
        Ended::Interrupted => ExitCode::from(interrupt::INTERRUPTED),
    })
}

/// Returns the ruleset that `--rules` names. Without this option, returns the ruleset of the
/// recorded game, which the command continues.
fn ruleset(args: &Args, recorded: Option<&Transcript>) -> anyhow::Result<Ruleset> {
    let given = args.rules.as_deref().map(load::ruleset).transpose()?;
    let Some(game) = recorded else {
        return given.ok_or_else(|| {
            let why = match &args.data {
                Some(file) => format!("{}: the file holds no game yet; name", terminal::shown(file)),
                None => "name".to_owned(),
            };
            usage(format_args!(
                "{why} the ruleset, as in --rules wild16; `kriegspiel rules` lists the rulesets, and `kriegspiel rules --compare` helps to choose one"
            ))
        });
    };
    let shown = args
        .data
        .as_deref()
        .map(terminal::shown)
        .unwrap_or_default();
    if args.fen.is_some() || !args.game.is_empty() {
        return Err(usage(format_args!(
            "{shown}: the game in this file has begun; leave out --fen and --game, or give another file"
        )));
    }
    let rules = &game.header.rules;
    match given {
        Some(ruleset) if ruleset.id == *rules => Ok(ruleset),
        Some(ruleset) => Err(usage(format_args!(
            "{shown}: the game in this file is played under `{rules}`, not `{}`; leave out --rules, or give another file",
            ruleset.id
        ))),
        None => rulesets::by_id(rules).cloned().ok_or_else(|| {
            usage(format_args!(
                "{shown}: the game in this file is played under the custom ruleset `{rules}`; add --rules and its file"
            ))
        }),
    }
}

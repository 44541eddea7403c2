//! The command `kriegspiel referee`.

use std::io::{self, BufWriter, IsTerminal};

use anstream::AutoStream;
use kriegspiel::{
    referee::StartPosition,
    rules::GameSwitch,
    stream::{self, Form, Settings, Show},
};

use super::{load, usage};

/// Referee games whose moves are read from standard input
///
/// Every line is an attempt and gets one answer: what White, Black and the
/// spectators hear. The output is the umpire's record and contains the true
/// position; it is not for players.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A line is `[white |black ]WORD`, or `new [FEN]` for a new game. WORD:
  e2e4, e7e8q, N@f5      a move, a promotion, a drop; castling is e1g1 or O-O
  any, count, recap      questions, where the ruleset has them
  px                     plays the only pawn capture announced, where the ruleset has it
  resign, offer-draw, accept-draw, decline-draw, withdraw-draw
  flag                   the umpire says that the player's time is up
A line without a colour belongs to the player to move. Exception: a draw offer is accepted or
declined by the player who received it, and withdrawn by the player who made it. Blank lines and
lines that begin with # are skipped. The end of input (Ctrl-D) ends the referee. At the prompt,
`help` shows what may be typed, and `quit` ends the referee too.

An attempt that is illegal in the true position is answered `no`. An attempt that the mover could
have known to be impossible is answered `nonsense`. Only the asker hears `refused` and `not
understood`.

Examples:
  kriegspiel referee --rules cincinnati < examples/hayes-juhasz-1971.txt
  kriegspiel referee --rules wild16 --show white
  kriegspiel rules --toml wild16 > my-rules.toml; kriegspiel referee --rules my-rules.toml
  printf 'e2e4\\nd7d5\\ne4d5\\n' | kriegspiel referee --rules rand --json")]
pub(super) struct Args {
    /// Ruleset: an id from `kriegspiel rules`, or a ruleset file
    #[arg(long, value_name = "ID|FILE.toml")]
    rules: String,

    /// Start from this position, as if the first line were `new FEN`
    ///
    /// The answer to that line is written when the first line of input is read.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Switches of this game: 3 no-3 50 no-50 mate no-mate
    ///
    /// 3: the third occurrence of a position is a draw. 50: fifty moves by each
    /// side without a capture or a pawn move are a draw. mate: checkmate and
    /// stalemate are recognised (`umpire` only). If two switches conflict, the
    /// last one wins.
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

pub(super) fn main(args: Args) -> anyhow::Result<()> {
    let ruleset = load::ruleset(&args.rules)?;
    let choices = GameSwitch::from_lists(&args.game)
        .and_then(|switches| ruleset.switched(&switches))
        .map_err(|e| usage(format_args!("--game: {e}")))?;
    let start = args
        .fen
        .map(|fen| StartPosition::from_fen(&fen, &choices))
        .transpose()
        .map_err(|e| usage(format_args!("--fen: {e}")))?;
    let form = if args.json {
        Form::Json
    } else {
        Form::Words {
            show: args.show.map(Into::into),
            prompt: io::stdin().is_terminal() && io::stdout().is_terminal(),
        }
    };
    let settings = Settings {
        ruleset,
        choices,
        start,
        tries: args.tries,
        form,
    };
    let input = io::stdin().lock();
    let stdout = io::stdout();
    match form {
        Form::Json => stream::run(input, BufWriter::new(stdout.lock()), &settings)?,
        Form::Words { .. } => {
            let output = AutoStream::auto(stdout.lock());
            stream::run(input, BufWriter::new(output), &settings)?;
        }
    }
    Ok(())
}

//! `kriegspiel endgame query`: what to try in one position.

use std::io::{self, Write};

use rules::{
    Try,
    chess::{Bitboard, Color, Role, Square},
};
use serde_json::json;
use solver::endgame::{Estimate, OwnMen, Tables, equal_weights};

use crate::usage;

/// Say what to try with these men, and whether a mate is forced
///
/// White has the men and is to move. The tries are printed in order: make a try
/// only if all tries before it were refused.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// White's men: the letter of the man and its square, with commas between
    /// them, as in Kc3,Rd4
    #[arg(value_name = "MEN")]
    men: String,

    /// Squares on which the lone king can be, as in e7,e8; if not given, every
    /// possible square
    #[arg(long, value_name = "SQUARES")]
    kings: Option<String>,

    /// Half-moves since the last capture or pawn move
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    half_moves: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn main(args: &Args) -> anyhow::Result<()> {
    let men = men(&args.men)?;
    let possible = men.possible_kings();
    let kings = match &args.kings {
        None => possible,
        Some(text) => kings(text)?,
    };
    if let Some(wrong) = (kings & !possible).first() {
        return Err(usage(format!(
            "--kings: the lone king cannot be on {wrong}, because a man attacks or occupies that square; leave it out"
        )));
    }
    if kings.is_empty() {
        return Err(usage(
            "the lone king cannot be on any square: move the men apart",
        ));
    }
    let weights = equal_weights(kings, Color::White);
    let Some(advice) = Tables::shared().advice(men, &weights, args.half_moves, &[]) else {
        return Err(usage(format!(
            "no mate is possible with {men}; known are a queen, a rook, a pawn, two bishops on squares of both colours, and bishop and knight"
        )));
    };
    let tries: Vec<String> = advice.tries.iter().map(Try::to_string).collect();
    let mut output = io::stdout().lock();
    if args.json {
        let (mate_in, mate) = match advice.estimate {
            Estimate::MateIn(moves) => (Some(moves), 1.0),
            Estimate::Chance { mate, .. } => (None, mate),
        };
        let line = json!({
            "men": men.to_string(),
            "kings": kings.into_iter().map(|square| square.to_string()).collect::<Vec<_>>(),
            "mate_in": mate_in,
            "mate_probability": mate,
            "tries": tries,
        });
        writeln!(output, "{line}")?;
    } else {
        match advice.estimate {
            Estimate::MateIn(1) => writeln!(output, "forced mate with the next move")?,
            Estimate::MateIn(moves) => writeln!(output, "forced mate in at most {moves} moves")?,
            Estimate::Chance { mate, moves } => writeln!(
                output,
                "no forced mate is known; the estimated probability of a mate is {:.0} %; against a visible king the mate would take {moves:.1} moves",
                100.0 * mate
            )?,
        }
        writeln!(output, "try {}", tries.join(", if refused "))?;
    }
    Ok(output.flush()?)
}

/// Reads the men.
fn men(text: &str) -> anyhow::Result<OwnMen> {
    let wrong = |why: String| usage(format!("`{text}`: {why}; write the men as in Kc3,Rd4"));
    let mut king = None;
    let mut others = Vec::new();
    for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        let role = letters.next().and_then(Role::from_char);
        let square = letters.as_str().parse::<Square>();
        let (Some(role), Ok(square)) = (role, square) else {
            return Err(wrong(format!("`{word}` is not a man on a square")));
        };
        match (role, king) {
            (Role::King, None) => king = Some(square),
            (Role::King, Some(_)) => return Err(wrong("there are two kings".to_owned())),
            _ => others.push((role, square)),
        }
    }
    let king = king.ok_or_else(|| wrong("there is no king".to_owned()))?;
    OwnMen::new(king, &others).ok_or_else(|| {
        wrong("give one or two men in addition to the king, all on different squares, and no pawn on the first or last rank".to_owned())
    })
}

/// Reads a list of squares.
fn kings(text: &str) -> anyhow::Result<Bitboard> {
    text.split([',', ' '])
        .filter(|word| !word.is_empty())
        .map(|word| {
            word.parse::<Square>()
                .map_err(|_| usage(format!("--kings: `{word}` is not a square; write e7,e8")))
        })
        .collect()
}

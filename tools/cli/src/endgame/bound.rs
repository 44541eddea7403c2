//! `kriegspiel endgame bound`: upper bounds for the share of games that end with mate.

use std::io::{self, Write};

use serde_json::json;
use solver::endgame::Tables;

use super::ending::Solved;

/// Compute an upper bound of the share of mates if no mate is forced
///
/// The command uses the starts of `endgame curve` from which no mate is forced. The
/// lone king moves as in `endgame curve`. No policy of White can have a greater share
/// of mates than the bound. The bound assumes that White sees the king after the
/// first DEPTH moves. So a greater DEPTH gives a smaller or equal bound.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The ending
    #[arg(value_name = "ENDING", value_enum, ignore_case = true)]
    ending: Solved,

    /// Number of White's moves that are searched
    #[arg(long, value_name = "DEPTH", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=20))]
    depth: u8,

    /// Print JSON, one line for each placement
    #[arg(long)]
    json: bool,
}

pub(super) fn main(args: &Args) -> anyhow::Result<()> {
    let name = args.ending.name();
    let mut output = io::stdout().lock();
    let bounds = Tables::shared().start_bounds(args.ending.role(), args.depth);
    let mut bounds = bounds.unwrap_or_default();
    bounds.retain(|start| start.visible > 0.0);
    bounds.sort_by(|a, b| (a.bound / a.visible).total_cmp(&(b.bound / b.visible)));
    let (mut visible, mut bound) = (0.0, 0.0);
    for start in &bounds {
        visible += f64::from(start.visible) * start.images as f64;
        bound += f64::from(start.bound) * start.images as f64;
        if args.json {
            let line = json!({
                "men": start.men.to_string(), "images": start.images,
                "visible": start.visible, "bound": start.bound,
            });
            writeln!(output, "{line}")?;
        }
    }
    if !args.json {
        let Some(worst) = bounds.first() else {
            writeln!(output, "{name}: a mate is forced from every start")?;
            return Ok(output.flush()?);
        };
        writeln!(
            output,
            "{name}: {} placements without a forced mate. Of the games that White would win against \
             a visible king, White can win at most {:.2} % ({} moves were searched). The worst \
             start is {}, with {:.2} %",
            bounds.len(),
            100.0 * bound / visible,
            args.depth,
            worst.men,
            100.0 * worst.bound / worst.visible,
        )?;
    }
    Ok(output.flush()?)
}

//! `kriegspiel endgame bound`: upper bounds of the share of mates.

use std::io::{self, Write};

use serde_json::json;
use solver::endgame::Tables;

use super::ending::Solved;

/// Compute how often a mate is possible at best if no mate is forced
///
/// The starts are the starts of `endgame curve` without a forced mate. The lone king
/// moves as in `endgame curve`. The bound holds for every policy of White. It assumes
/// that White sees the king after the first DEPTH moves, so it is closer if DEPTH is
/// greater.
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
            "{name}: {} placements without a forced mate. Of the games that are won if the king is \
             visible, at most {:.2} % can be won with {} moves searched; the worst start is {}, \
             with {:.2} %",
            bounds.len(),
            100.0 * bound / visible,
            args.depth,
            worst.men,
            100.0 * worst.bound / worst.visible,
        )?;
    }
    Ok(output.flush()?)
}

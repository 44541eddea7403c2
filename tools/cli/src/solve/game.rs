//! The command `kriegspiel solve FILE`.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
    process::ExitCode,
    time::Instant,
};

use anyhow::bail;
use belief::{Belief, Origin, Unheard};
use problems::certify::policy_words;
use rules::chess::Color;
use scores::SeatRecord;
use serde_json::{Value, json};
use solver::search::{Decision, Solver};

use super::{
    args::Args,
    question::{Asked, best_json, best_words},
};
use crate::{
    games::{Games, counted, opening},
    interrupt::Work,
    load,
    terminal::shown,
    usage,
};

pub(super) fn main(path: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let Some(moves) = args.moves else {
        return Err(usage("give --moves N: mate within how many own moves?"));
    };
    let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
    let work = Work::begin()?;
    work.reads(true);
    let mut games = Games::open(path, args.from)?;
    let recorded = games.nth(args.game, ruleset.as_ref());
    work.reads(false);
    let recorded = recorded?;
    let shown = shown(path);
    let seat: Color = args.seat.into();
    let opened = opening(path, &recorded, ruleset.as_ref())?;
    let record = SeatRecord::of(&recorded, opened, seat);
    let until = args.at.map(|at| at.hearings(&record)).transpose();
    let until = until.map_err(|why| usage(format_args!("{shown}: {why}")))?;
    let (choices, rules) = (record.choices, &*record.start.rules);
    let origin = Origin::OneOf(record.fen.iter().cloned().collect());
    let mut belief = Belief::open(choices, seat, &record.start, &origin, args.settings())
        .map_err(|error| usage(format_args!("{error}")))?;
    for one in &record.heard[..until.unwrap_or(record.heard.len())] {
        match belief.hear_watched(&one.heard, &work.watch) {
            Ok(()) => {}
            Err(Unheard::Stopped) => return Ok(Work::stopped()),
            Err(Unheard::Unexplained(error)) => {
                bail!("{shown}: line {}: {error}", one.line)
            }
        }
    }
    let asked = Asked::of(&belief, choices, None, moves);
    if asked.question.positions.is_empty() {
        bail!("{shown}: too many positions are possible; give --positions N");
    }
    let began = Instant::now();
    let mut solver = Solver::with_bytes(args.bytes());
    let answered = asked
        .answer(&mut solver, args, began, &work)
        .map_err(|error| anyhow::anyhow!("{shown}: {error}"))?;
    let seconds = began.elapsed().as_secs_f64();
    if work.is_stopped() {
        return Ok(Work::stopped());
    }
    let best = asked.best(&mut solver, &answered, args, &work);
    if work.is_stopped() {
        return Ok(Work::stopped());
    }
    if let Some(to) = &args.certificates {
        let certificate = asked.certificate(&mut solver, &answered, rules, &work);
        let Some(certificate) = certificate else {
            bail!("no certificate can be made of this verdict");
        };
        let fault = |e: io::Error| usage(format_args!("{}: {e}", to.display()));
        let mut file = File::create(to).map_err(fault)?;
        writeln!(file, "{}", certificate.write()).map_err(fault)?;
        let partly = best
            .as_ref()
            .filter(|best| best.positions.len() < asked.question.positions.len())
            .and_then(|best| asked.best_certificate(best, rules));
        if let Some(mut certificate) = partly {
            certificate.id = "best".to_owned();
            writeln!(file, "{}", certificate.write()).map_err(fault)?;
        }
    }
    let first = asked.first_tries(&mut solver, &answered, args, &work);
    let mut output = io::stdout().lock();
    let size = belief.size().count();
    let mate = match &answered.decision {
        Decision::Mate(_) => Some(true),
        Decision::NoMate(_) => Some(false),
        Decision::Undecided => None,
    };
    if args.json {
        let mut said = json!({
            "seat": seat.fold_wb("white", "black"),
            "moves": moves,
            "positions": size,
            "regime": belief.regime().name(),
            "mate": mate,
            "nodes": answered.nodes,
            "seconds": seconds,
        });
        if let Some(first) = &first {
            said["first"] = json!(first);
        }
        let of = asked.question.positions.len();
        let mut policy = None;
        if let Some(best) = &best {
            said["best"] = best_json(best, of);
            policy = asked.best_certificate(best, rules);
        }
        if mate == Some(true) {
            policy = asked.certificate(&mut solver, &answered, rules, &work);
        }
        if let Some(certificate) = policy {
            said["policy"] = serde_json::to_value(&certificate.nodes).unwrap_or(Value::Null);
        }
        writeln!(output, "{said}")?;
        output.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let own_moves = counted(u64::from(moves), "own move");
    let positions = counted(size.unwrap_or(0), "position");
    match &answered.decision {
        Decision::Mate(policy) => {
            writeln!(output, "Mate in {own_moves} against {positions}:")?;
            for line in policy_words(policy, seat) {
                writeln!(output, "{line}")?;
            }
            if let Some(first) = first {
                writeln!(output, "A mate can begin with: {}", first.join(" "))?;
            }
        }
        Decision::NoMate(core) => {
            writeln!(output, "No mate in {own_moves} against {positions}.")?;
            let core_size = counted(core.len() as u64, "position");
            writeln!(
                output,
                "There is no mate even against these alone ({core_size}):"
            )?;
            for i in core.iter().take(20) {
                let one = asked.question.positions[*i];
                writeln!(output, "  {}", one.fen(u32::from(one.quiet), 1))?;
            }
        }
        Decision::Undecided => {
            writeln!(
                output,
                "Not decided: mate in {own_moves} against {positions}."
            )?;
        }
    }
    if let Some(best) = best.filter(|_| mate != Some(true)) {
        let text = best_words(&best, asked.question.positions.len());
        let end = if best.policy.is_some() { ":" } else { "." };
        let mut letters = text.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        let text: String = first.chain(letters).collect();
        writeln!(output, "{text}{end}")?;
        for line in best
            .policy
            .iter()
            .flat_map(|policy| policy_words(policy, seat))
        {
            writeln!(output, "{line}")?;
        }
    }
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}

//! The command `kriegspiel belief FILE`.

use std::{
    fs,
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::{Context, bail};
use belief::{Belief, Origin, Unheard};
use kriegspiel::{
    referee::{Event, Game},
    rules::{Announcement, Heard, Listener, Ruleset, chess::Color},
    scores::{Account, Short, follow},
};

use super::{Args, heat, interrupt::Work, report, usage};
use crate::cli::{games::Games, load};

/// What one seat heard in a game. Each item has the number of moves completed
/// before it.
struct Hearing {
    game: Game,
    heard: Vec<(usize, Heard)>,
    /// Number of moves in the game.
    moves: usize,
    /// Line at which the record first violates its rules, if it does.
    departs: Option<u64>,
}

pub(super) fn main(path: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let work = Work::begin()?;
    let account = account(path, args)?;
    let seat = args.seat();
    let hearing = hear(&account, args, seat)?;
    if let Some(at) = args.at.filter(|at| *at > hearing.moves) {
        return Err(usage(format_args!(
            "--at {at}: {} has {} moves",
            path.display(),
            hearing.moves
        )));
    }
    let start = hearing.game.start(Listener::from(seat));
    let origin = Origin::OneOf(vec![first_fen(&hearing.game)]);
    let choices = *hearing.game.choices();
    let mut belief = Belief::open(choices, seat, &start, &origin, args.settings()?)
        .map_err(|error| usage(format_args!("{error}")))?;
    let mut output = io::stdout().lock();
    let mut reached = 0;
    for (moves, heard) in &hearing.heard {
        if work.is_stopped() || args.at.is_some_and(|at| *moves > at) {
            break;
        }
        work.at(reached);
        let before = belief.kept();
        match belief.hear_watched(heard, &work.watch) {
            Ok(()) => {}
            Err(Unheard::Stopped) => break,
            Err(Unheard::Unexplained(unexplained)) => {
                output.flush()?;
                return Err(unexplained).with_context(|| format!("after {reached} moves"));
            }
        }
        reached = *moves;
        if args.follow
            && (belief.kept() != before
                || matches!(heard, Heard::Announced(Announcement::Turn { .. })))
        {
            let words = Short(heard).to_string();
            report::line(&mut output, &belief, *moves, &words, args.json)?;
        }
    }
    let was_stopped = work.is_stopped();
    drop(work);
    if was_stopped {
        // If stderr is closed too, the error cannot be reported.
        let _ignored = writeln!(io::stderr(), "kriegspiel: stopped after {reached} moves");
    }
    if !args.follow {
        if args.json {
            report::json(&mut output, &belief)?;
        } else {
            report::text(&mut output, &belief)?;
        }
    }
    output.flush()?;
    if let Some(path) = &args.svg {
        fs::write(path, heat::svg(&belief))
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if was_stopped {
        return Ok(Work::stopped());
    }
    if let Some(line) = hearing.departs {
        bail!(
            "{}: line {line}: the record departs from its rules (`kriegspiel audit` shows how); what is shown is what the referee would have said",
            path.display()
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn account(path: &Path, args: &Args) -> anyhow::Result<Account> {
    let mut games = Games::open(path, args.from)?;
    let mut found = None;
    for _ in 0..args.game {
        found = games.next()?;
        if found.is_none() {
            break;
        }
    }
    found.ok_or_else(|| {
        usage(format_args!(
            "{}: it has {} games that can be read",
            path.display(),
            games.read
        ))
    })
}

/// A recorded game after its replay.
pub(super) struct Replayed {
    /// The game in its start position.
    pub(super) game: Game,
    /// Events of the game.
    pub(super) log: Vec<Event>,
    /// Line at which the record first violates its rules, if it does.
    pub(super) departs: Option<u64>,
}

/// Replays a recorded game.
pub(super) fn replayed(account: &Account, rules: Option<&Ruleset>) -> anyhow::Result<Replayed> {
    let opened = match rules {
        Some(ruleset) => account.opening_under(ruleset),
        None => account.opening(),
    };
    let opened = opened.map_err(|e| usage(format_args!("line {}: {e}", account.line)))?;
    let followed = follow(account, opened, false);
    let log = followed.log();
    let departs = followed.findings.first().map(|finding| finding.line);
    Ok(Replayed {
        game: Game::open(followed.opened),
        log,
        departs,
    })
}

/// Replays a recorded game and collects what the seat hears.
fn hear(account: &Account, args: &Args, seat: Color) -> anyhow::Result<Hearing> {
    let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
    let Replayed {
        mut game,
        log,
        departs,
    } = replayed(account, ruleset.as_ref())?;
    let first = game.clone();
    let listener = Listener::from(seat);
    let mut heard: Vec<(usize, Heard)> = Vec::new();
    for call in &game.opening_calls() {
        if call.audience.includes(listener) {
            heard.push((0, call.heard));
        }
    }
    let mut moves = 0;
    for event in log.iter().skip(1) {
        if matches!(event, Event::Moved { .. }) {
            moves += 1;
        }
        for call in &game.calls(event) {
            if call.audience.includes(listener) {
                heard.push((moves, call.heard));
            }
        }
        game.apply(event);
    }
    Ok(Hearing {
        game: first,
        heard,
        moves,
        departs,
    })
}

/// Returns the start position of a game as FEN. Both seats know it.
fn first_fen(game: &Game) -> String {
    let Event::Opened(opened) = game.opened_event() else {
        return String::new();
    };
    opened.start.fen()
}

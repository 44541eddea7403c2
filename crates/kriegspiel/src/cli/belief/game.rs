//! `kriegspiel belief FILE`.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use anyhow::Context;
use belief::{Belief, Origin};
use kriegspiel::{
    referee::{Event, Game},
    rules::{Announcement, Heard, Listener, Ruleset, chess::Color},
    scores::{Account, Short, follow},
};

use super::{Args, heat, report, usage};
use crate::cli::{games::Games, load};

/// What one seat heard of a game, with the number of completed moves.
struct Hearing {
    game: Game,
    heard: Vec<(usize, Heard)>,
}

pub(super) fn main(path: &Path, args: &Args) -> anyhow::Result<()> {
    let account = account(path, args)?;
    let seat = args.seat();
    let hearing = hear(&account, args, seat)?;
    let start = hearing.game.start(Listener::from(seat));
    let origin = Origin::OneOf(vec![first_fen(&hearing.game)]);
    let choices = *hearing.game.choices();
    let mut belief = Belief::open(choices, seat, &start, &origin, args.settings()?)
        .map_err(|error| usage(format_args!("{error}")))?;
    let mut output = io::stdout().lock();
    for (moves, heard) in &hearing.heard {
        if args.at.is_some_and(|at| *moves > at) {
            break;
        }
        let before = belief.kept();
        let said = belief.hear(heard);
        if args.follow
            && (belief.kept() != before
                || matches!(heard, Heard::Announced(Announcement::Turn { .. })))
        {
            let words = Short(heard).to_string();
            report::line(&mut output, &belief, *moves, &words, args.json)?;
        }
        said.with_context(|| format!("after {moves} moves, {}", Short(heard)))?;
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
    Ok(())
}

fn account(path: &Path, args: &Args) -> anyhow::Result<Account> {
    let mut games = Games::open(path, args.from)?;
    let mut found = None;
    for _ in 0..args.game.max(1) {
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

/// Plays the record again: the game as it opened, and its events.
pub(super) fn replayed(
    account: &Account,
    rules: Option<&Ruleset>,
) -> anyhow::Result<(Game, Vec<Event>)> {
    let opened = match rules {
        Some(ruleset) => account.opening_under(ruleset),
        None => account.opening(),
    };
    let opened = opened.map_err(|e| usage(format_args!("line {}: {e}", account.line)))?;
    let followed = follow(account, opened, false);
    let log = followed.log();
    Ok((Game::open(followed.opened), log))
}

/// Plays the record again and takes down what the seat hears.
fn hear(account: &Account, args: &Args, seat: Color) -> anyhow::Result<Hearing> {
    let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
    let (mut game, log) = replayed(account, ruleset.as_ref())?;
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
    Ok(Hearing { game: first, heard })
}

/// The start position of a game: where it begins is known to both seats.
fn first_fen(game: &Game) -> String {
    let Event::Opened(opened) = game.opened_event() else {
        return String::new();
    };
    opened.start.fen()
}

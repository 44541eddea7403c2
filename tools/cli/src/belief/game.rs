//! The command `kriegspiel belief FILE`.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::bail;
use belief::{Belief, Origin, Settings, Unheard};
use referee::{Event, Game};
use rules::{Announcement, Heard, Listener, Ruleset, chess::Color};
use scores::{RecordedGame, RecordedHeard, SeatRecord, Short};

use super::{Args, heat, interrupt::Work, report, usage};
use crate::{
    games::{Games, RULES_HINT, counted, opening},
    load,
    terminal::{shown, tell},
};

pub(super) fn main(path: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let work = Work::begin()?;
    let settings = args.settings()?;
    let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
    if !args.all {
        let (recorded, fault) = recorded_game(path, args, ruleset.as_ref(), &work)?;
        return one(
            path,
            args,
            &settings,
            ruleset.as_ref(),
            &work,
            (None, &recorded, fault),
        );
    }
    let mut games = Games::open(path, args.from)?;
    let (mut number, mut faults) = (0, 0);
    loop {
        work.reads(true);
        let next = games.next();
        work.reads(false);
        let Some(recorded) = next? else { break };
        number += 1;
        let game = (Some(number), &recorded, None);
        match one(path, args, &settings, ruleset.as_ref(), &work, game) {
            Ok(_) if work.is_stopped() => return Ok(Work::stopped()),
            Ok(_) => {}
            Err(fault) => {
                faults += 1;
                tell(format_args!("game {number}: {fault}"));
            }
        }
    }
    games.finish()?;
    faults += games.damaged;
    if faults > 0 {
        bail!("{}: {} with faults", shown(path), counted(faults, "game"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the belief in one game: its number, which is printed if it is given, its record, and the
/// fault that ended the record.
fn one(
    path: &Path,
    args: &Args,
    settings: &Settings,
    ruleset: Option<&Ruleset>,
    work: &Work,
    (number, recorded, fault): (Option<u64>, &RecordedGame, Option<String>),
) -> anyhow::Result<ExitCode> {
    let seat = args.seat();
    let opened = opening(path, recorded, ruleset, RULES_HINT)?;
    let record = SeatRecord::of(recorded, opened, seat);
    if let Some(at) = args.at.filter(|at| *at > record.moves) {
        let moves = counted(record.moves as u64, "move");
        let path = shown(path);
        let before = fault.map_or(String::new(), |fault| format!(" before a fault: {fault}"));
        return Err(usage(format_args!("--at {at}: {path} has {moves}{before}")));
    }
    let listening = Listening {
        record: &record,
        settings: settings.clone(),
        seat,
        args,
        work,
        number,
    };
    let first = listening.open()?;
    let svg = args.svg.as_deref().map(heat::Picture::open).transpose()?;
    let mut output = io::stdout().lock();
    let until = record.heard.len();
    let men = first.certain().most;
    let follow = args.follow.then_some(&mut output as &mut dyn Write);
    let mut reached = listening.reach(first, until, follow)?;
    if let Outcome::Unexplained { act, .. } = reached.outcome {
        // The belief is empty now. So the belief that was valid before this act is computed again.
        let before = record.heard.iter().position(|heard| heard.act == act);
        let again = listening.reach(listening.open()?, before.unwrap_or(0), None)?;
        (reached.belief, reached.moves) = (again.belief, again.moves);
        if let Outcome::Stopped = again.outcome {
            reached.outcome = again.outcome;
        }
    }
    let moves = counted(reached.moves as u64, "move");
    if !args.follow {
        let context = report::Context {
            moves: reached.moves,
            first: &men,
            number,
            sample: args.sample.map(|count| (count as usize, args.seed)),
        };
        if args.json {
            context.json(&mut output, &reached.belief)?;
        } else {
            context.text(&mut output, &reached.belief)?;
        }
    }
    output.flush()?;
    if let Some(svg) = svg {
        svg.write(&reached.belief)?;
    }
    let path = shown(path);
    match reached.outcome {
        Outcome::Stopped => {
            tell(format_args!("stopped after {moves}"));
            return Ok(Work::stopped());
        }
        Outcome::Unexplained { line, error, .. } => bail!(
            "{path}: line {line}: {error}; the output shows what was possible before this line, after {moves}"
        ),
        Outcome::Heard => {}
    }
    if let Some(fault) = fault {
        bail!("{path}: {fault}; the output shows the belief before this fault, after {moves}");
    }
    // With `--at`, faults of the record after the shown moment are ignored.
    let later = |heard: &&RecordedHeard| args.at.is_some_and(|at| heard.moves > at);
    let later = record.heard.iter().find(later).map(|heard| heard.line);
    let is_shown = |line: u64| later.is_none_or(|later| line < later);
    let mut findings = record.findings.iter().filter(|f| is_shown(f.line));
    let unjudged = record.unjudged.as_ref().filter(|(line, _)| is_shown(*line));
    if let Some((line, why)) = unjudged {
        let finding = findings.next_back();
        let finding = finding.map_or(String::new(), |finding| format!("{finding}; "));
        bail!("{path}: {finding}line {line}: {why}; the output shows what is known after {moves}");
    }
    if let Some(finding) = findings.next() {
        let more = match findings.count() {
            0 => String::new(),
            more => format!(" (`kriegspiel audit` lists {more} more)"),
        };
        let follows = if record.departs {
            "the output follows the record"
        } else {
            "the output follows what the referee would have said"
        };
        bail!("{path}: the record violates its rules: {finding}{more}; {follows}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the game. If the game has a fault, returns the part of the game before the fault, and the
/// fault.
fn recorded_game(
    path: &Path,
    args: &Args,
    ruleset: Option<&Ruleset>,
    work: &Work,
) -> anyhow::Result<(RecordedGame, Option<String>)> {
    work.reads(true);
    let mut games = Games::open(path, args.from)?;
    let found = games.nth_or_part(args.game, ruleset);
    work.reads(false);
    found
}

/// Everything from which the belief of one seat is computed: the record with the seat's hearings,
/// and the settings.
struct Listening<'a> {
    record: &'a SeatRecord,
    settings: Settings,
    seat: Color,
    args: &'a Args,
    work: &'a Work,
    /// Number of the game, if it is printed.
    number: Option<u64>,
}

/// A belief that was updated up to some hearing, and the reason why the computation ended there.
struct Reached {
    belief: Belief,
    /// Number of completed moves that the belief takes into account.
    moves: usize,
    outcome: Outcome,
}

/// Reason why the computation of a belief ended.
enum Outcome {
    /// The belief takes into account every hearing that the user asked for.
    Heard,
    /// The work was stopped.
    Stopped,
    /// Something that was heard agrees with no position.
    Unexplained {
        /// The line of the record with the announcement.
        line: u64,
        /// The act after which the belief was empty.
        act: usize,
        error: Unheard,
    },
}

impl Listening<'_> {
    /// Returns the belief at the start of the game.
    fn open(&self) -> anyhow::Result<Belief> {
        let game = &self.record.game;
        let start = game.start(Listener::from(self.seat));
        // Both seats know the start position, so the belief begins with this one position.
        let origin = Origin::OneOf(vec![first_fen(game)]);
        let settings = self.settings.clone();
        Belief::open(*game.choices(), self.seat, &start, &origin, settings)
            .map_err(|error| usage(format_args!("{error}")))
    }

    /// Updates the belief with the first `until` hearings of the record. Writes a line to `follow`
    /// for each hearing that changes the number of positions, and for each announcement of whose turn
    /// it is.
    fn reach(
        &self,
        mut belief: Belief,
        until: usize,
        mut follow: Option<&mut dyn Write>,
    ) -> anyhow::Result<Reached> {
        let all = &self.record.heard;
        let men = belief.certain().most;
        let sample = self
            .args
            .sample
            .map(|count| (count as usize, self.args.seed));
        let mut reached = 0;
        let mut outcome = Outcome::Heard;
        for one in &all[..until] {
            if self.args.at.is_some_and(|at| one.moves > at) {
                break;
            }
            if self.work.is_stopped() {
                outcome = Outcome::Stopped;
                break;
            }
            self.work.at(reached);
            let before = belief.kept();
            match belief.hear(&one.heard, &self.work.watch) {
                Ok(()) => {}
                Err(Unheard::Stopped) => {
                    outcome = Outcome::Stopped;
                    break;
                }
                Err(error @ Unheard::Unexplained { announcement, .. }) => {
                    let said = all.get(announcement.saturating_sub(1));
                    let line = said.map_or(one.line, |said: &RecordedHeard| said.line);
                    let act = one.act;
                    outcome = Outcome::Unexplained { line, act, error };
                    break;
                }
            }
            reached = one.moves;
            let is_turn = matches!(one.heard, Heard::Announced(Announcement::Turn { .. }));
            if let Some(output) = &mut follow
                && (belief.kept() != before || is_turn)
            {
                let words = Short(&one.heard).to_string();
                let context = report::Context {
                    moves: one.moves,
                    first: &men,
                    number: self.number,
                    sample: sample.filter(|_| is_turn),
                };
                context.line(output, &belief, &words, self.args.json)?;
            }
        }
        Ok(Reached {
            belief,
            moves: reached,
            outcome,
        })
    }
}

/// Returns the start position of a game as FEN. Both seats know this position.
fn first_fen(game: &Game) -> String {
    let Event::Opened(opened) = game.opened_event() else {
        return String::new();
    };
    opened.start.fen()
}

//! The command `kriegspiel belief FILE`.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::bail;
use belief::{Belief, Origin, Settings, Unexplained, Unheard};
use rules::{Announcement, Heard, Ruleset};
use scores::{RecordedGame, RecordedHeard, SeatRecord, Short};

use super::{Args, heat, interrupt::Work, report, usage};
use crate::{
    games::{Found, Games, counted, opening, player_record},
    load,
    terminal::{shown, tell},
};

pub(super) fn main(path: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let work = Work::begin_with(Some("a lower --limit takes less time"))?;
    let settings = args.settings()?;
    let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
    if !args.all {
        let (record, fault) = record(path, args, ruleset.as_ref(), &work)?;
        return one(path, args, &settings, &work, (None, &record, fault));
    }
    let mut games = Games::open(path, args.from)?;
    let mut faults = 0;
    loop {
        work.reads(true);
        let next = games.next();
        work.reads(false);
        let Some(recorded) = next? else { break };
        let number = games.number();
        let record = umpires_record(path, &recorded, args, ruleset.as_ref());
        let shown =
            record.and_then(|r| one(path, args, &settings, &work, (Some(number), &r, None)));
        match shown {
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
    work: &Work,
    (number, record, fault): (Option<u64>, &SeatRecord, Option<String>),
) -> anyhow::Result<ExitCode> {
    let until = match args.at {
        None => record.heard.len(),
        Some(at) => at.hearings(record).map_err(|why| {
            let (path, fault) = (shown(path), fault.as_deref());
            let before = fault.map_or(String::new(), |fault| format!(" before a fault: {fault}"));
            usage(format_args!("{path}: {why}{before}"))
        })?,
    };
    let listening = Listening {
        record,
        settings: Settings {
            own_untold: record.own_untold,
            ..settings.clone()
        },
        args,
        work,
        number,
    };
    let first = listening.open()?;
    let svg = args.svg.as_deref().map(heat::Picture::open).transpose()?;
    let mut output = io::stdout().lock();
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
    let moves = counted(reached.moves as u64, "half-move");
    if !args.follow {
        let context = report::Context {
            moves: reached.moves,
            starter: record.first,
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
    let later = record.heard.get(until).map(|heard| heard.line);
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

/// Reads what the seat heard. If the game has a fault, also returns the fault.
fn record(
    path: &Path,
    args: &Args,
    ruleset: Option<&Ruleset>,
    work: &Work,
) -> anyhow::Result<(SeatRecord, Option<String>)> {
    work.reads(true);
    let mut games = Games::open(path, args.from)?;
    let found = games.pick(args.game, ruleset);
    work.reads(false);
    let (recorded, fault) = match found? {
        Found::Game(recorded) => (recorded, None),
        Found::Part(recorded, fault) => (recorded, Some(fault)),
        Found::Player(view) => {
            let record = player_record(path, &view, ruleset)?;
            let whose = record.seat.fold_wb("white", "black");
            if args.seat.is_some() && args.seat() != record.seat {
                let shown = shown(path);
                return Err(usage(format_args!(
                    "{shown}: this is {whose}'s own file, which says only what {whose} heard; use --seat {whose}"
                )));
            }
            if record.fen.is_none() && args.men.is_none() {
                let shown = shown(path);
                return Err(usage(format_args!(
                    "{shown}: the file has only {whose}'s men at the start; name the opponent's with --men, as in --men KQRRPPP"
                )));
            }
            return Ok((record, None));
        }
    };
    Ok((umpires_record(path, &recorded, args, ruleset)?, fault))
}

/// Returns what the seat heard in the record of a whole game.
fn umpires_record(
    path: &Path,
    recorded: &RecordedGame,
    args: &Args,
    ruleset: Option<&Ruleset>,
) -> anyhow::Result<SeatRecord> {
    let opened = opening(path, recorded, ruleset)?;
    Ok(SeatRecord::of(recorded, opened, args.seat()))
}

/// Everything from which the belief of one seat is computed: the record with the seat's hearings,
/// and the settings.
struct Listening<'a> {
    record: &'a SeatRecord,
    settings: Settings,
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
        error: Unexplained,
    },
}

impl Listening<'_> {
    /// Returns the belief at the start of the game.
    fn open(&self) -> anyhow::Result<Belief> {
        let record = self.record;
        let origin = match (&record.fen, self.args.men) {
            // Both seats know the start position, so the belief begins with this one position.
            (Some(fen), _) => Origin::OneOf(vec![fen.clone()]),
            (None, men) => Origin::Unknown {
                to_move: record.first,
                men: men.unwrap_or_default(),
            },
        };
        let settings = self.settings.clone();
        Belief::open(
            record.choices,
            record.seat,
            &record.start,
            &origin,
            settings,
        )
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
            if self.work.is_stopped() {
                outcome = Outcome::Stopped;
                break;
            }
            self.work.at(reached);
            let before = belief.kept();
            match belief.hear_watched(&one.heard, &self.work.watch) {
                Ok(()) => {}
                Err(Unheard::Stopped) => {
                    outcome = Outcome::Stopped;
                    break;
                }
                Err(Unheard::Unexplained(error)) => {
                    let said = all.get(error.announcement.saturating_sub(1));
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
                    starter: self.record.first,
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

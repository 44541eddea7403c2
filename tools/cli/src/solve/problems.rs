//! The command `kriegspiel solve --problems`.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
    process::ExitCode,
    sync::{Mutex, mpsc},
    thread,
    time::Instant,
};

use anyhow::bail;
use scores::Problem;
use serde_json::{Value, json};
use solver::search::{Decision, Solver};

use super::{
    args::Args,
    question::{Asked, best_json, best_words},
};
use crate::{
    games::counted,
    interrupt::Work,
    problem_lines::{ProblemLines, believe},
    usage,
};

/// The result of one problem.
struct Solved {
    id: String,
    /// Number of possible positions.
    positions: Option<u64>,
    /// Whether a mate can be forced; `None` if the solver did not decide.
    mate: Option<bool>,
    nodes: u64,
    seconds: f64,
    /// Why the problem cannot be solved.
    error: Option<String>,
    /// The verdict in the file, if the file gives one.
    label: Option<bool>,
    /// Verdict under the ruleset alone, which the certificate proves. `None` without `--compat` or
    /// without `--certificates`. `Some(None)` if the solver did not decide.
    by_referee: Option<Option<bool>>,
    /// The tries with which a mate can begin, if the user asked for them.
    first: Option<Vec<String>>,
    /// The best policy as JSON and in words, if the user asked for it.
    best: Option<(Value, String)>,
    certificates: Vec<String>,
}

impl Solved {
    fn json(&self) -> Value {
        let mut said = json!({
            "id": self.id,
            "positions": self.positions,
            "mate": self.mate,
            "nodes": self.nodes,
            "seconds": self.seconds,
        });
        if let Some(first) = &self.first {
            said["first"] = json!(first);
        }
        if let Some((best, _)) = &self.best {
            said["best"] = best.clone();
        }
        if let Some(by_referee) = self.by_referee {
            said["mate_by_referee"] = json!(by_referee);
        }
        if let Some(error) = &self.error {
            said["error"] = json!(error);
        }
        said
    }

    fn text(&self) -> String {
        let id = &self.id;
        if let Some(error) = &self.error {
            return format!("{id}: {error}");
        }
        let positions = counted(self.positions.unwrap_or(0), "position");
        let verdict = match self.mate {
            Some(true) => "mate",
            Some(false) => "no mate",
            None => "not decided",
        };
        let label = match (self.mate, self.label) {
            (Some(found), Some(label)) if found != label => {
                format!(
                    ", {} according to the file",
                    if label { "mate" } else { "no mate" }
                )
            }
            _ => String::new(),
        };
        let nodes = counted(self.nodes, "node");
        let first = self.first.as_ref();
        let first = first.map_or(String::new(), |all| {
            format!(", begins with {}", all.join(" "))
        });
        let best = self.best.as_ref();
        let best = best.map_or(String::new(), |(_, words)| format!(", {words}"));
        format!(
            "{id}: {verdict} ({positions}, {nodes}, {:.3} s){label}{first}{best}",
            self.seconds
        )
    }
}

/// Solves one problem. Returns `None` if the work was stopped.
fn solve(problem: &Problem, solver: &mut Solver, args: &Args, work: &Work) -> Option<Solved> {
    let began = Instant::now();
    let mut solved = Solved {
        id: problem.id.clone(),
        positions: None,
        mate: None,
        nodes: 0,
        seconds: 0.0,
        error: None,
        label: problem.mate,
        by_referee: None,
        first: None,
        best: None,
        certificates: Vec::new(),
    };
    let mut asked = None;
    match ask(problem, args, work) {
        Ok(None) => return None,
        Ok(Some((positions, one))) => {
            solved.positions = positions;
            match one.answer(solver, args, began, work) {
                Ok(answered) => {
                    solved.nodes = answered.nodes;
                    solved.mate = mate(&answered.decision);
                    asked = Some((one, answered));
                }
                Err(error) => solved.error = Some(error),
            }
        }
        Err(error) => solved.error = Some(error),
    }
    if work.is_stopped() {
        return None;
    }
    solved.seconds = began.elapsed().as_secs_f64();
    if let Some((one, answered)) = &asked {
        solved.first = one.first_tries(solver, answered, args, work);
        let of = one.question.positions.len();
        let best = one.best(solver, answered, args, work);
        if work.is_stopped() {
            return None;
        }
        // The referee cannot check a policy that follows the rules of `--compat`.
        if let Some(best) = best.as_ref().filter(|_| args.certificates.is_some())
            && best.positions.len() < of
            && args.compat.is_none()
            && let Some(mut certificate) = one.best_certificate(best, &problem.rules)
        {
            certificate.id = format!("{}, best", problem.id);
            solved.certificates.push(certificate.write());
        }
        solved.best = best.map(|best| (best_json(&best, of), best_words(&best, of)));
    }
    let Some((mut one, mut answered)) = asked.filter(|_| args.certificates.is_some()) else {
        return Some(solved);
    };
    if args.compat.is_some() {
        one = one.by_referee();
        match one.answer(solver, args, Instant::now(), work) {
            Ok(other) => answered = other,
            Err(error) => {
                solved.error = Some(error);
                return Some(solved);
            }
        }
        solved.by_referee = Some(mate(&answered.decision));
    }
    if let Some(mut certificate) = one.certificate(solver, &answered, &problem.rules, work) {
        certificate.id.clone_from(&problem.id);
        solved.certificates.insert(0, certificate.write());
    }
    Some(solved)
}

/// Whether a decision is a mate; `None` if the solver did not decide.
fn mate(decision: &Decision) -> Option<bool> {
    match decision {
        Decision::Mate(_) => Some(true),
        Decision::NoMate(_) => Some(false),
        Decision::Undecided => None,
    }
}

/// Computes the possible positions of a problem. Returns their number, if it is known, and the
/// question to the solver. Returns `None` if the work was stopped.
fn ask(
    problem: &Problem,
    args: &Args,
    work: &Work,
) -> Result<Option<(Option<u64>, Asked)>, String> {
    let moves = problem.own_moves.or(args.moves.map(u32::from));
    let moves = moves.ok_or("the problem does not say in how many moves; give --moves N")?;
    let moves = u8::try_from(moves)
        .map_err(|_| format!("a mate in {moves} own moves is too long for the solver"))?;
    let Some(belief) = believe(problem, args.settings(), &work.watch)? else {
        return Ok(None);
    };
    let asked = Asked::of(&belief, moves);
    Ok(Some((belief.size().count(), asked)))
}

/// Whether `--plies` selects a problem. Without this option, every problem is selected.
fn is_wanted(problem: &Problem, args: &Args) -> bool {
    let Some(plies) = &args.plies else {
        return true;
    };
    let moves = problem.own_moves.or(args.moves.map(u32::from));
    moves.is_some_and(|moves| plies.contains(&(2 * moves).saturating_sub(1)))
}

/// Prints results in the order of the problems.
struct Printer<'a> {
    args: &'a Args,
    output: io::StdoutLock<'static>,
    certificates: Option<BufWriter<File>>,
    /// Results that wait until an earlier result is printed.
    waiting: BTreeMap<u64, Option<Solved>>,
    next: u64,
    printed: u64,
    wrong: u64,
}

impl Printer<'_> {
    fn print(&mut self, index: u64, solved: Option<Solved>) -> anyhow::Result<()> {
        self.waiting.insert(index, solved);
        while let Some(solved) = self.waiting.remove(&self.next) {
            self.next += 1;
            let Some(solved) = solved else {
                continue;
            };
            self.printed += 1;
            self.wrong += u64::from(solved.error.is_some());
            if self.args.json {
                writeln!(self.output, "{}", solved.json())?;
            } else {
                writeln!(self.output, "{}", solved.text())?;
            }
            if let Some(file) = &mut self.certificates {
                for certificate in &solved.certificates {
                    writeln!(file, "{certificate}")?;
                }
            }
        }
        self.output.flush()?;
        Ok(())
    }
}

pub(super) fn main(path: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let work = Work::begin()?;
    let mut lines = ProblemLines::open(path)?;
    let create = |path: &std::path::PathBuf| {
        File::create(path)
            .map(BufWriter::new)
            .map_err(|e| usage(format_args!("{}: {e}", path.display())))
    };
    let mut printer = Printer {
        args,
        output: io::stdout().lock(),
        certificates: args.certificates.as_ref().map(create).transpose()?,
        waiting: BTreeMap::new(),
        next: 0,
        printed: 0,
        wrong: 0,
    };
    let threads = usize::from(args.threads.get());
    let ended = if threads == 1 {
        one_by_one(&mut lines, args, &work, &mut printer)
    } else {
        together(&mut lines, args, &work, &mut printer, threads)
    };
    printer.output.flush()?;
    if let Some(file) = &mut printer.certificates {
        file.flush()?;
    }
    ended?;
    if work.is_stopped() {
        // Nothing can be done if stderr is closed.
        let _ignored = writeln!(
            io::stderr(),
            "kriegspiel: stopped in line {}, after {}",
            lines.number,
            counted(printer.printed, "problem")
        );
        return Ok(Work::stopped());
    }
    let wrong = printer.wrong + lines.wrong;
    if wrong > 0 {
        bail!(
            "{}: {} could not be solved",
            path.display(),
            counted(wrong, "problem")
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn one_by_one(
    lines: &mut ProblemLines,
    args: &Args,
    work: &Work,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let mut solver = Solver::with_bytes(args.bytes());
    let mut index = 0;
    while let Some(problem) = lines.next(work)? {
        if !is_wanted(&problem, args) {
            continue;
        }
        let solved = solve(&problem, &mut solver, args, work);
        if solved.is_none() {
            break;
        }
        printer.print(index, solved)?;
        index += 1;
    }
    Ok(())
}

/// Solves several problems at the same time. Results are printed in the order of the problems.
fn together(
    lines: &mut ProblemLines,
    args: &Args,
    work: &Work,
    printer: &mut Printer<'_>,
    threads: usize,
) -> anyhow::Result<()> {
    thread::scope(|scope| {
        let (to_do, jobs) = mpsc::sync_channel::<(u64, Problem)>(2 * threads);
        let (done, results) = mpsc::channel();
        let jobs = std::sync::Arc::new(Mutex::new(jobs));
        for _ in 0..threads {
            let (jobs, done) = (std::sync::Arc::clone(&jobs), done.clone());
            scope.spawn(move || {
                let mut solver = Solver::with_bytes(args.bytes());
                loop {
                    let job = match jobs.lock() {
                        Ok(jobs) => jobs.recv(),
                        Err(_) => return,
                    };
                    let Ok((index, problem)) = job else {
                        return;
                    };
                    let solved = solve(&problem, &mut solver, args, work);
                    if done.send((index, solved)).is_err() {
                        return;
                    }
                }
            });
        }
        drop((done, jobs));
        let mut index = 0;
        while let Some(problem) = lines.next(work)? {
            if !is_wanted(&problem, args) {
                continue;
            }
            if to_do.send((index, problem)).is_err() {
                break;
            }
            index += 1;
            for (index, solved) in results.try_iter() {
                printer.print(index, solved)?;
            }
        }
        drop(to_do);
        for (index, solved) in results {
            printer.print(index, solved)?;
        }
        Ok(())
    })
}

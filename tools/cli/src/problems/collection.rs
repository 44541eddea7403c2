//! Reads the problems that a command is about.

use std::path::PathBuf;

use notation::nearest;
use problems::Collection;
use scores::Problem;

use crate::{interrupt::Work, problem_lines::ProblemLines, usage};

/// Returns the problems of a file, or the shipped problems.
pub(crate) fn collection(file: Option<&PathBuf>, work: &Work) -> anyhow::Result<Collection> {
    let Some(path) = file else {
        return Ok(Collection::shipped());
    };
    let mut lines = ProblemLines::open(path)?;
    let mut problems = Vec::new();
    while let Some(problem) = lines.next(work)? {
        problems.push(problem);
    }
    if problems.is_empty() {
        return Err(usage(format_args!(
            "{}: there is no problem in this file",
            path.display()
        )));
    }
    Ok(Collection { problems })
}

/// Returns the problem with this id.
pub(crate) fn problem(id: &str, file: Option<&PathBuf>, work: &Work) -> anyhow::Result<Problem> {
    let all = collection(file, work)?;
    let mut found = all.find(id);
    let Some(problem) = found.next() else {
        let ids: Vec<&str> = all.problems.iter().map(|one| one.id.as_str()).collect();
        let meant = nearest(id, &ids).map(|id| format!("did you mean `{id}`? "));
        return Err(usage(format_args!(
            "there is no problem {id:?}: {}`kriegspiel problems list` lists all",
            meant.unwrap_or_default()
        )));
    };
    if found.next().is_some() {
        return Err(usage(format_args!("several problems have the id {id:?}")));
    }
    Ok(problem.clone())
}

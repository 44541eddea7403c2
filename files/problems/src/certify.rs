//! Converts results of the crate [`solver`] to certificates and to words. A certificate can be
//! checked with the referee alone.

use std::{collections::HashMap, rc::Rc};

use belief::{Report, Situation};
use rules::{Announcement, Attempt, Heard, Reply, Tries, Verdict, chess::Color};
use scores::ShortList;
use solver::{
    policy::Policy,
    refutation::RefutedNode,
    search::{Decision, MateQuestion, SearchLimits, Solver},
};

use crate::certificate::{Certificate, ProofNode, Refutation};

/// Returns what a seat hears of a completed move, as the referee says it. `own` is the seat's
/// try; `None` if the opponent moved.
pub fn heard_of(report: &Report, seat: Color, own: Option<rules::Try>) -> Vec<Heard> {
    let by = match own {
        Some(_) => seat,
        None => seat.other(),
    };
    let mut all = vec![match own {
        Some(t) => Heard::own_verdict(Verdict::Moved, seat, t),
        None => Heard::Reply(Reply::Verdict {
            verdict: Verdict::Moved,
            by,
            attempt: None,
        }),
    }];
    all.extend(report.lost.map(|(square, man)| Heard::Lost { square, man }));
    let tries = (report.tries != Tries::Untold).then_some(Announcement::Tries(report.tries));
    let turn = Announcement::Turn {
        to_move: by.other(),
    };
    let announced = [
        report.capture.map(Announcement::Capture),
        report.drop.map(|man| Announcement::Drop { by, man }),
        report.promotion.then_some(Announcement::Promotion { by }),
        report
            .check
            .map(|directions| Announcement::Check { directions }),
        tries,
        report.over.is_none().then_some(turn),
    ];
    all.extend(announced.into_iter().flatten().map(Heard::from));
    all.extend(report.over.map(Heard::Over));
    all
}

fn fens(positions: &[Situation]) -> Vec<String> {
    let fen = |one: &Situation| one.fen(u32::from(one.quiet), 1);
    positions.iter().map(fen).collect()
}

/// Returns the certificate of a mate.
pub fn mate_certificate(
    ruleset: &str,
    moves: u8,
    positions: &[Situation],
    policy: &Rc<Policy>,
) -> Certificate {
    let seat = positions.first().map_or(Color::White, |one| one.seat);
    let mut certificate = Certificate::new(ruleset, seat, moves, true);
    certificate.positions = fens(positions);
    let mut order = Vec::new();
    list(policy, &mut HashMap::new(), &mut order);
    order.reverse();
    let numbers: HashMap<*const Policy, usize> = order
        .iter()
        .enumerate()
        .map(|(number, policy)| (Rc::as_ptr(policy), number))
        .collect();
    let number = |policy: &Rc<Policy>| numbers[&Rc::as_ptr(policy)];
    for policy in &order {
        certificate.nodes.push(match &**policy {
            Policy::Try {
                what,
                branches,
                refused,
            } => ProofNode::Try {
                what: what.to_string(),
                next: branches
                    .iter()
                    .map(|branch| {
                        let own = heard_of(&branch.own, seat, Some(*what));
                        let reply = heard_of(&branch.reply, seat, None);
                        (
                            ShortList(&own).to_string(),
                            ShortList(&reply).to_string(),
                            number(&branch.next),
                        )
                    })
                    .collect(),
                refused: refused.as_ref().map(number),
            },
            Policy::Any { yes, no } => ProofNode::Any {
                yes: yes.as_ref().map(number),
                no: no.as_ref().map(number),
            },
        });
    }
    certificate
}

/// Lists the parts of a policy. A part comes in the list after all parts to which it leads.
fn list(policy: &Rc<Policy>, seen: &mut HashMap<*const Policy, ()>, order: &mut Vec<Rc<Policy>>) {
    if seen.insert(Rc::as_ptr(policy), ()).is_some() {
        return;
    }
    match &**policy {
        Policy::Try {
            branches, refused, ..
        } => {
            for branch in branches {
                list(&branch.next, seen, order);
            }
            if let Some(refused) = refused {
                list(refused, seen, order);
            }
        }
        Policy::Any { yes, no } => {
            for next in [yes, no].into_iter().flatten() {
                list(next, seen, order);
            }
        }
    }
    order.push(Rc::clone(policy));
}

/// Returns a certificate of "no mate". `core` holds the positions of the certificate, and `nodes`
/// its graph.
pub fn no_mate_certificate(
    ruleset: &str,
    moves: u8,
    core: &[Situation],
    nodes: &[RefutedNode],
) -> Certificate {
    let seat = core.first().map_or(Color::White, |one| one.seat);
    let mut certificate = Certificate::new(ruleset, seat, moves, false);
    certificate.positions = fens(core);
    certificate.nodes = nodes
        .iter()
        .map(|node| {
            let listed = node.attempts.iter().map(|attempt| Refutation {
                what: attempt.what.to_string(),
                by: attempt
                    .by
                    .iter()
                    .map(|(index, reply)| (*index, reply.map(|t| t.to_string())))
                    .collect(),
                to: attempt.to,
                rest: attempt.rest,
            });
            let any = node.any.as_ref().map(|(positions, rest)| Refutation {
                what: Attempt::Any.to_string(),
                by: positions.iter().map(|index| (*index, None)).collect(),
                to: None,
                rest: Some(*rest),
            });
            ProofNode::Refuted(listed.chain(any).collect())
        })
        .collect();
    certificate
}

/// Returns the certificate of a decision of [`Solver::solve`]. Returns `None` in three cases: the
/// solver did not decide, a limit ended the work, or a certificate of "no mate" needs more than
/// `most` nodes.
pub fn certificate_of(
    ruleset: &str,
    question: &MateQuestion,
    decision: &Decision,
    solver: &mut Solver,
    limits: SearchLimits<'_>,
    most: usize,
) -> Option<Certificate> {
    match decision {
        Decision::Mate(policy) => Some(mate_certificate(
            ruleset,
            question.moves,
            &question.positions,
            policy,
        )),
        Decision::NoMate(core) => {
            let nodes = solver.refute(question, core, limits, most);
            let nodes = nodes.ok().flatten()?;
            let core: Vec<Situation> = core.iter().map(|i| question.positions[*i]).collect();
            Some(no_mate_certificate(ruleset, question.moves, &core, &nodes))
        }
        Decision::Undecided => None,
    }
}

/// Maximum number of lines of a policy in words.
const MAX_LINES: usize = 400;

/// Returns a policy as a tree in words: one line for each attempt, and one line for each thing that
/// can be heard after it.
pub fn policy_words(policy: &Policy, seat: Color) -> Vec<String> {
    let mut lines = Vec::new();
    write(policy, seat, 0, &mut lines);
    if lines.len() > MAX_LINES {
        let more = lines.len() - MAX_LINES;
        lines.truncate(MAX_LINES);
        lines.push(format!(
            "... {more} more lines; a certificate contains the whole policy"
        ));
    }
    lines
}

fn write(policy: &Policy, seat: Color, depth: usize, lines: &mut Vec<String>) {
    // The caller shortens longer output.
    if lines.len() > 100 * MAX_LINES {
        return;
    }
    let indent = "  ".repeat(depth);
    match policy {
        Policy::Try {
            what,
            branches,
            refused,
        } => {
            if branches.is_empty() {
                lines.push(format!("{indent}try {what}: mate if it is legal"));
            } else {
                lines.push(format!("{indent}try {what}"));
            }
            for branch in branches {
                let own = heard_of(&branch.own, seat, Some(*what));
                let reply = heard_of(&branch.reply, seat, None);
                let own = told(&own);
                let reply = told(&reply);
                let own = if own.is_empty() {
                    String::new()
                } else {
                    format!("own move: {own}; ")
                };
                let reply = if reply.is_empty() {
                    "nothing".to_owned()
                } else {
                    reply
                };
                lines.push(format!("{indent}  {own}reply: {reply}"));
                write(&branch.next, seat, depth + 2, lines);
            }
            if let Some(refused) = refused {
                lines.push(format!("{indent}if {what} is refused"));
                write(refused, seat, depth, lines);
            }
        }
        Policy::Any { yes, no } => {
            lines.push(format!("{indent}ask Any?"));
            for (answer, next) in [("yes", yes), ("no", no)] {
                if let Some(next) = next {
                    lines.push(format!("{indent}  {answer}"));
                    write(next, seat, depth + 2, lines);
                }
            }
        }
    }
}

/// Returns the announcements about a move, without the verdict and without the side to move.
fn told(heard: &[Heard]) -> String {
    let told: Vec<Heard> = heard
        .iter()
        .copied()
        .filter(|one| {
            !matches!(
                one,
                Heard::Reply(_) | Heard::Announced(Announcement::Turn { .. })
            )
        })
        .collect();
    if told.is_empty() {
        String::new()
    } else {
        ShortList(&told).to_string()
    }
}

//! Attempts that the listener could make at any point. Each attempt is judged in both games, but
//! not applied.

use notation::read_attempt;
use rand::{RngExt, seq::IndexedRandom};
use referee::Game;
use rules::{
    Answer, Attempt, Heard, NonsenseRow, Try,
    chess::{Color, Role, Square},
};

use super::{compare::Comparison, difference::Difference, heard_by};

/// Attempts other than steps of men. Some of these attempts make no sense.
const QUESTIONS: [Attempt; 13] = [
    Attempt::Px { promotion: None },
    Attempt::Px {
        promotion: Some(Role::Queen),
    },
    Attempt::Px {
        promotion: Some(Role::King),
    },
    Attempt::Any,
    Attempt::Count,
    Attempt::Recap,
    Attempt::Resign,
    Attempt::OfferDraw,
    Attempt::AcceptDraw,
    Attempt::DeclineDraw,
    Attempt::WithdrawDraw,
    Attempt::Try(Try::Drop {
        role: Role::Knight,
        to: Square::F5,
    }),
    Attempt::Try(Try::Drop {
        role: Role::Pawn,
        to: Square::A8,
    }),
];

/// Texts that cannot be read, or can be read only by using the own men.
const TYPED: [&str; 3] = ["castle", "O-O", "e2-"];

/// Number of random tries that are tested at each point.
const TRIES: usize = 24;
/// Number of repeated tries that are tested at each point, if tries have been
/// refused.
const REPEATS: usize = 6;

/// The answer to an attempt that is only tested, not made.
#[derive(Clone, PartialEq, Debug)]
enum ProbeAnswer {
    /// The attempt is refused, with this text.
    Refused(String),
    /// The attempt is nonsense, or it repeats a refused try. This answer does not depend on the
    /// true position.
    Unseen(&'static str),
    /// The answer depends on the true position, so the answers in the two games may differ. They
    /// are not compared.
    Judged,
    /// The answer to an attempt other than a try, `px` or Any?. This answer does not depend on the
    /// true position.
    Answered(Vec<Heard>),
}

pub(super) fn all(comparison: &mut Comparison<'_>) -> Result<(), Box<Difference>> {
    let Some(color) = comparison.pair.listener.color() else {
        return Ok(());
    };
    tries(comparison)?;
    let mut attempts = QUESTIONS.to_vec();
    attempts.extend((0..TRIES).map(|_| any_try(comparison)));
    attempts.extend((0..REPEATS).filter_map(|_| repeat(comparison)));
    for attempt in attempts {
        let told = [0, 1].map(|which: usize| ask(&comparison.games[which], color, attempt));
        if told[0] != told[1] {
            let is = told.map(|told| format!("{attempt}: {told:?}"));
            return Err(comparison.difference("the answer to a question", is));
        }
        let compared = &mut comparison.compared;
        match &told[0] {
            ProbeAnswer::Refused(text) => {
                compared.texts += 1;
                compared.bytes += text.len() as u64;
            }
            ProbeAnswer::Unseen(_) | ProbeAnswer::Answered(_) => compared.verdicts += 1,
            ProbeAnswer::Judged => {}
        }
        if let Attempt::Try(t) = attempt {
            let row = explain(comparison, t)?;
            let [told, _] = told;
            let agree = match told {
                ProbeAnswer::Refused(_) | ProbeAnswer::Answered(_) => true,
                ProbeAnswer::Unseen(_) => row.is_some(),
                ProbeAnswer::Judged => row.is_none(),
            };
            if !agree {
                let is = [format!("{t}: {row:?}"), format!("{t}: {told:?}")];
                return Err(comparison.difference("the verdict of the umpire and of the view", is));
            }
        }
    }
    for text in TYPED {
        let is = [0, 1].map(|which: usize| {
            let own = comparison.views[which].seat().map(|view| *view.own());
            own.map_or(String::new(), |own| {
                match read_attempt(text, &own, comparison.pair.choices()) {
                    Ok(attempt) => attempt.to_string(),
                    Err(error) => error.to_string(),
                }
            })
        });
        comparison.same("the reading of a typed text", is)?;
    }
    Ok(())
}

/// Compares the tries worth making, as text.
fn tries(comparison: &mut Comparison<'_>) -> Result<(), Box<Difference>> {
    let lists = [0, 1].map(|which: usize| comparison.views[which].tries());
    if lists[0] != lists[1] {
        let is = lists.map(|tries| text(&tries));
        return Err(comparison.difference("the list of tries", is));
    }
    comparison.compared.tries += 1;
    if lists[0].is_empty() {
        return Ok(());
    }
    let is = lists.map(|tries| text(&tries));
    comparison.same("the list of tries, as text", is)
}

fn text(tries: &[Try]) -> String {
    let mut text = String::new();
    for t in tries {
        text.push_str(&t.to_string());
        text.push(' ');
    }
    text
}

/// Compares the reasons that the two views give why a try is nonsense.
fn explain(
    comparison: &mut Comparison<'_>,
    t: Try,
) -> Result<Option<NonsenseRow>, Box<Difference>> {
    let rows = [0, 1].map(|which: usize| comparison.views[which].explain(t));
    if rows[0] == rows[1] {
        return Ok(rows[0]);
    }
    let is = rows.map(|row| format!("{t}: {row:?}"));
    Err(comparison.difference("the reason why a try is nonsense", is))
}

/// Returns a random try: mostly a step of one of the listener's men, sometimes a step from any
/// other square.
fn any_try(comparison: &mut Comparison<'_>) -> Attempt {
    let men: Vec<Square> = comparison.views[0]
        .seat()
        .map(|view| view.own().all().into_iter().collect())
        .unwrap_or_default();
    let rng = &mut comparison.rng;
    let mut square = || Square::ALL[rng.random_range(0..64)];
    let (a, b) = (square(), square());
    let from = if men.is_empty() || rng.random_bool(0.1) {
        a
    } else {
        men[rng.random_range(0..men.len())]
    };
    let near = rng.random_bool(0.5);
    let to = if near {
        let ahead = rng.random_range(-2..=2);
        let beside = rng.random_range(-2..=2);
        from.offset(8 * ahead + beside).unwrap_or(b)
    } else {
        b
    };
    let promotion = rng.random_bool(0.1).then_some(Role::Queen);
    Attempt::Try(Try::Step {
        from,
        to,
        promotion,
    })
}

/// Returns a try that was refused in this turn, sometimes with a different
/// promotion man.
fn repeat(comparison: &mut Comparison<'_>) -> Option<Attempt> {
    let view = comparison.views[0].seat()?;
    let refusals = &view.turn().refused_tries;
    if refusals.is_empty() {
        return None;
    }
    let refused: Vec<Try> = view
        .own()
        .all()
        .into_iter()
        .flat_map(|from| {
            let landings = refusals.landings(from).into_iter();
            landings.map(move |to| Try::step(from, to))
        })
        .collect();
    let rng = &mut comparison.rng;
    let t = *refused.choose(rng)?;
    let own = comparison.views[0].seat()?.own();
    Some(Attempt::Try(match t {
        Try::Step { from, to, .. } if own.men.pawn.contains(from) => Try::Step {
            from,
            to,
            promotion: *[None, Some(Role::Queen), Some(Role::Knight)].choose(rng)?,
        },
        Try::Step { .. } | Try::Drop { .. } => t,
    }))
}

fn ask(game: &Game, color: Color, attempt: Attempt) -> ProbeAnswer {
    let ruling = match game.judge(color, attempt) {
        Ok(ruling) => ruling,
        Err(refusal) => return ProbeAnswer::Refused(refusal.to_string()),
    };
    match (attempt, ruling.answer()) {
        (_, Answer::Nonsense) => ProbeAnswer::Unseen("nonsense"),
        (_, Answer::RepeatNo) => ProbeAnswer::Unseen("repeat no"),
        (Attempt::Try(_) | Attempt::Px { .. } | Attempt::Any, _) => ProbeAnswer::Judged,
        (
            Attempt::Count
            | Attempt::Recap
            | Attempt::Resign
            | Attempt::OfferDraw
            | Attempt::AcceptDraw
            | Attempt::DeclineDraw
            | Attempt::WithdrawDraw,
            _,
        ) => ProbeAnswer::Answered(heard_by(color.into(), &ruling.calls)),
    }
}

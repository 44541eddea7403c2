//! Prints a belief in words and as JSON.

use std::io::{self, Write};

use belief::{Belief, Regime, Situation, Size};
use kriegspiel::{
    notation::name,
    rules::{
        Try,
        chess::{Role, Square},
    },
};
use serde_json::{Value, json};

use super::heat;

/// Maximum number of positions that are listed.
const LISTED: usize = 10;
/// Maximum number of positions for which prospects of attempts are computed.
const PROSPECTS: usize = 200_000;

/// Largest estimated number of positions that is printed as a number.
const MOST_TOLD: f64 = 1e9;

/// Returns the entropy in bits, or `None` if no positions are kept.
fn entropy(belief: &Belief) -> Option<f64> {
    (belief.regime() != Regime::EnvelopeOnly).then(|| belief.entropy())
}

fn bits(belief: &Belief) -> String {
    entropy(belief).map_or("entropy unknown".to_owned(), |bits| {
        format!("{bits:.2} bits")
    })
}

fn size_words(size: Size) -> String {
    match size {
        Size::Exactly(1) => "1 position".to_owned(),
        Size::Exactly(n) => format!("{n} positions"),
        Size::AtMost(n) => format!("{n} positions at most"),
        Size::About(n) if n > MOST_TOLD => "more than 1,000,000,000 positions".to_owned(),
        Size::About(n) => format!("about {n:.0} positions"),
        Size::Unknown => "positions unknown: only the envelope is left".to_owned(),
    }
}

/// Returns for each role the smallest and the largest number of men that the
/// opponent can have.
fn material(belief: &Belief) -> Vec<(Role, usize, usize)> {
    let mut counts: Vec<(Role, usize, usize)> = Role::ALL.map(|role| (role, 64, 0)).to_vec();
    belief.each_position(|situation, _| {
        for (role, least, most) in &mut counts {
            let n = situation.men.by_role.get(*role).count();
            *least = (*least).min(n);
            *most = (*most).max(n);
        }
    });
    counts.retain(|(_, _, most)| *most > 0);
    counts
}

/// Returns the attempts worth making, with the information that each would
/// give; best first.
fn prospects(belief: &Belief) -> Vec<(Try, belief::Prospect)> {
    if belief.kept() > PROSPECTS || belief.kept() == 0 {
        return Vec::new();
    }
    let tries = belief.view().tries();
    let mut all: Vec<_> = tries.into_iter().map(|t| (t, belief.prospect(t))).collect();
    all.sort_by(|(_, a), (_, b)| b.tells.total_cmp(&a.tells));
    all
}

/// Prints one line of `--follow`.
pub(super) fn line(
    output: &mut impl Write,
    belief: &Belief,
    moves: usize,
    heard: &str,
    as_json: bool,
) -> io::Result<()> {
    if as_json {
        let said = json!({
            "moves": moves,
            "heard": heard,
            "positions": belief.size().count(),
            "regime": belief.regime().name(),
            "entropy": entropy(belief),
        });
        return writeln!(output, "{said}");
    }
    writeln!(
        output,
        "{moves:>3}  {heard:<24} {} ({}), {}",
        size_words(belief.size()),
        belief.regime().name(),
        bits(belief)
    )
}

fn fen(situation: &Situation) -> String {
    let fen = situation.fen(0, 1);
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Prints the belief in words.
pub(super) fn text(output: &mut impl Write, belief: &Belief) -> io::Result<()> {
    let seat = belief.known().seat();
    writeln!(
        output,
        "{} knows: {} ({}), {}",
        name(seat),
        size_words(belief.size()),
        belief.regime().name(),
        bits(belief)
    )?;
    let men: Vec<String> = material(belief)
        .into_iter()
        .map(|(role, least, most)| {
            let letter = role.upper_char();
            if least == most {
                format!("{letter} {most}")
            } else {
                format!("{letter} {least}-{most}")
            }
        })
        .collect();
    writeln!(output, "The opponent's men: {}", men.join(", "))?;
    heat::text(output, belief)?;
    writeln!(output, "\nMost probable positions:")?;
    for (situation, weight) in belief.positions(LISTED) {
        writeln!(output, "{:6.2} %  {}", weight * 100.0, fen(&situation))?;
    }
    let prospects = prospects(belief);
    if !prospects.is_empty() {
        writeln!(output, "\nAttempts, those that tell most first:")?;
        for (t, prospect) in prospects {
            writeln!(
                output,
                "{:<6} played {:5.1} %, no {:5.1} %, tells {:.2} bits",
                t.to_string(),
                prospect.moved * 100.0,
                prospect.no * 100.0,
                prospect.tells
            )?;
        }
    }
    Ok(())
}

/// Prints the belief as one JSON object.
pub(super) fn json(output: &mut impl Write, belief: &Belief) -> io::Result<()> {
    let marginals = belief.marginals();
    let squares: Vec<Value> = Square::ALL
        .into_iter()
        .filter_map(|sq| {
            let men: serde_json::Map<String, Value> = Role::ALL
                .into_iter()
                .map(|role| (role, marginals.of(role, sq)))
                .filter(|(_, p)| *p > 0.0)
                .map(|(role, p)| (role.char().to_string(), json!(p)))
                .collect();
            (!men.is_empty()).then(|| json!({"square": sq.to_string(), "men": men}))
        })
        .collect();
    let positions: Vec<Value> = belief
        .positions(LISTED)
        .into_iter()
        .map(|(situation, weight)| json!({"fen": fen(&situation), "weight": weight}))
        .collect();
    let attempts: Vec<Value> = prospects(belief)
        .into_iter()
        .map(|(t, prospect)| {
            json!({
                "attempt": t.to_string(),
                "moved": prospect.moved,
                "no": prospect.no,
                "tells": prospect.tells,
            })
        })
        .collect();
    let material: serde_json::Map<String, Value> = material(belief)
        .into_iter()
        .map(|(role, least, most)| (role.char().to_string(), json!([least, most])))
        .collect();
    let said = json!({
        "seat": name(belief.known().seat()).to_lowercase(),
        "positions": belief.size().count(),
        "regime": belief.regime().name(),
        "kept": belief.kept(),
        "entropy": entropy(belief),
        "material": material,
        "squares": squares,
        "likeliest": positions,
        "attempts": attempts,
    });
    writeln!(output, "{said}")
}

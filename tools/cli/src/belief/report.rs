//! Prints a belief in words and as JSON.

use std::io::{self, Write};

use belief::{Belief, Certain, Fact, Marginals, Prospect, Regime, Situation, Size};
use notation::name;
use rules::{
    ROLES, Try,
    chess::{ByRole, Color, Role, Square},
    role_name,
};
use serde_json::{Map, Value, json};

use super::heat;
use crate::{games::counted, moment::last_move};

/// Maximum number of positions that are listed.
const LISTED: usize = 10;
/// Maximum number of positions from which prospects of attempts are computed. If there
/// are more, the prospects are computed from a sample.
const PROSPECTS: usize = 200_000;

/// Largest estimated number of positions that is printed as a number.
const MAX_TOLD: f64 = 1e9;

/// Number of significant digits to which probabilities and bits are rounded.
const DIGITS: i32 = 4;

/// Rounds a number to [`DIGITS`] significant digits.
fn rounded(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return 0.0;
    }
    let places = DIGITS - 1 - x.abs().log10().floor() as i32;
    // The conversion to text and back removes all further digits.
    let text = format!("{x:.*}", places.clamp(0, 300) as usize);
    text.parse().unwrap_or(x)
}

/// Returns a probability in per cent, rounded.
fn percent(p: f64) -> f64 {
    rounded(p * 100.0)
}

/// Returns the entropy in bits, or `None` if no positions are kept.
fn entropy(belief: &Belief) -> Option<f64> {
    (belief.regime() != Regime::EnvelopeOnly).then(|| belief.entropy())
}

fn bits(belief: &Belief) -> String {
    entropy(belief).map_or("entropy unknown".to_owned(), |bits| {
        format!("{bits:.2} bits")
    })
}

pub(super) fn size_words(size: Size) -> String {
    match size {
        Size::Exactly(n) => counted(n, "position"),
        Size::AtMost(n) => format!("{} at most", counted(n, "position")),
        Size::About(n) if n > MAX_TOLD => "more than 1,000,000,000 positions".to_owned(),
        Size::About(n) => format!("about {n:.0} positions"),
        Size::Unknown => "an unknown number of positions: only the envelope is left".to_owned(),
    }
}

/// Returns an entry for each role that the opponent can have: the role, and the smallest and the
/// largest possible number of the opponent's men of this role.
fn material(certain: &Certain) -> Vec<(Role, u8, u8)> {
    let of = |role: Role| (role, *certain.least.get(role), *certain.most.get(role));
    let all = Role::ALL.into_iter().map(of);
    all.filter(|(_, _, most)| *most > 0).collect()
}

/// Writes the smallest and the largest possible number of men.
fn range(least: u8, most: u8) -> String {
    if least == most {
        most.to_string()
    } else {
        format!("{least}-{most}")
    }
}

/// Returns each attempt that is worth making, together with its prospect. Also returns whether
/// the prospects are computed from a sample.
fn prospects(belief: &Belief) -> (Vec<(Try, Prospect)>, bool) {
    if belief.kept() == 0 || !belief.known().is_own_turn() {
        return (Vec::new(), false);
    }
    let sampled = belief.kept() > PROSPECTS;
    let sample = sampled.then(|| belief.sample(PROSPECTS));
    let from = sample.as_ref().unwrap_or(belief);
    let tries = belief.view().tries();
    let mut all: Vec<_> = tries.into_iter().map(|t| (t, from.prospect(t))).collect();
    all.sort_by(|(_, a), (_, b)| b.information_bits.total_cmp(&a.information_bits));
    (all, sampled || !belief.is_complete())
}

fn fen(situation: &Situation) -> String {
    let fen = situation.fen(0, 1);
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Data that are printed together with a belief.
pub(super) struct Context<'a> {
    /// Number of completed moves of both sides.
    pub(super) moves: usize,
    /// The side that moved first.
    pub(super) starter: Color,
    /// For each role, the largest number of men that the opponent could have at the start.
    pub(super) first: &'a ByRole<u8>,
    /// Number of the game, if it is printed.
    pub(super) number: Option<u64>,
    /// Number of positions to draw, and the seed.
    pub(super) sample: Option<(usize, u64)>,
}

impl Context<'_> {
    fn facts(&self, belief: &Belief) -> Vec<String> {
        let facts = Fact::all(&belief.certain(), self.first);
        facts.iter().map(ToString::to_string).collect()
    }

    /// Draws the positions that were asked for.
    fn drawn(&self, belief: &Belief) -> Option<Vec<String>> {
        let (count, seed) = self.sample?;
        Some(belief.draw(count, seed).iter().map(fen).collect())
    }

    /// Adds the number of the game and the drawn positions, if they were asked for.
    fn complete(&self, mut object: Value, belief: &Belief) -> Value {
        if let Some(number) = self.number {
            object["game"] = number.into();
        }
        if let Some(drawn) = self.drawn(belief) {
            object["sample"] = drawn.into();
        }
        object
    }

    /// Prints one line of `--follow`.
    pub(super) fn line(
        &self,
        output: &mut (impl Write + ?Sized),
        belief: &Belief,
        heard: &str,
        as_json: bool,
    ) -> io::Result<()> {
        if as_json {
            let object = json!({
                "moves": self.moves,
                "heard": heard,
                "positions": belief.size().count(),
                "regime": belief.regime().name(),
                "entropy": entropy(belief).map(rounded),
            });
            return writeln!(output, "{}", self.complete(object, belief));
        }
        writeln!(
            output,
            "{:>3}  {heard:<24} {} ({}), {}",
            self.moves,
            size_words(belief.size()),
            belief.regime().name(),
            bits(belief)
        )
    }

    /// Prints the belief in words.
    pub(super) fn text(&self, output: &mut impl Write, belief: &Belief) -> io::Result<()> {
        let seat = belief.known().seat();
        writeln!(
            output,
            "{} knows after {}{}: {} ({}), {}",
            name(seat),
            counted(self.moves as u64, "half-move"),
            last_move(self.starter, self.moves),
            size_words(belief.size()),
            belief.regime().name(),
            bits(belief)
        )?;
        // Not from the positions, because they can be a sample.
        let certain = belief.certain();
        let men: Vec<String> = material(&certain)
            .into_iter()
            .map(|(role, least, most)| format!("{} {}", role.upper_char(), range(least, most)))
            .collect();
        if !men.is_empty() {
            let (men, (least, most)) = (men.join(", "), certain.total);
            writeln!(
                output,
                "The opponent's men: {men}; {} in all",
                range(least, most)
            )?;
        }
        let facts = self.facts(belief);
        if !facts.is_empty() {
            writeln!(output, "\nCertain:")?;
            for fact in facts {
                writeln!(output, "  {fact}")?;
            }
        }
        heat::text(output, belief)?;
        if belief.kept() > 0 {
            writeln!(output, "\nMost probable positions:")?;
        }
        for (situation, weight) in belief.positions(LISTED) {
            writeln!(output, "{:6.2} %  {}", weight * 100.0, fen(&situation))?;
        }
        if let Some(drawn) = self.drawn(belief) {
            writeln!(output, "\nDrawn at random:\n{}", drawn.join("\n"))?;
        }
        let (prospects, sampled) = prospects(belief);
        if prospects.is_empty() {
            return Ok(());
        }
        let by = if sampled {
            let positions = counted(belief.kept().min(PROSPECTS) as u64, "position");
            format!(", computed from a sample of {positions}")
        } else {
            String::new()
        };
        writeln!(
            output,
            "\nAttempts, those that give the most information first{by}:"
        )?;
        for (t, prospect) in prospects {
            writeln!(
                output,
                "{:<6} played {:5.1} %, no {:5.1} %, tells {:.2} bits",
                t.to_string(),
                prospect.moved * 100.0,
                prospect.no * 100.0,
                prospect.information_bits
            )?;
        }
        Ok(())
    }

    /// Prints the belief as one JSON object.
    pub(super) fn json(&self, output: &mut impl Write, belief: &Belief) -> io::Result<()> {
        let positions: Vec<Value> = belief
            .positions(LISTED)
            .into_iter()
            .map(|(situation, weight)| json!({"fen": fen(&situation), "weight": percent(weight)}))
            .collect();
        let (prospects, sampled) = prospects(belief);
        let attempts: Vec<Value> = prospects
            .into_iter()
            .map(|(t, prospect)| {
                json!({
                    "attempt": t.to_string(),
                    "moved": percent(prospect.moved),
                    "no": percent(prospect.no),
                    "tells": rounded(prospect.information_bits),
                })
            })
            .collect();
        let certain = belief.certain();
        let mut men: Map<String, Value> = material(&certain)
            .into_iter()
            .map(|(role, least, most)| (role_name(role).to_owned(), json!([least, most])))
            .collect();
        men.insert("any".to_owned(), json!(certain.total));
        let object = json!({
            "seat": name(belief.known().seat()).to_lowercase(),
            "moves": self.moves,
            "positions": belief.size().count(),
            "regime": belief.regime().name(),
            "kept": belief.kept(),
            "entropy": entropy(belief).map(rounded),
            "material": men,
            "heat": heat_of(&belief.marginals()),
            "facts": self.facts(belief),
            "likeliest": positions,
            "attempts": attempts,
            "attempts_sampled": sampled,
        });
        writeln!(output, "{}", self.complete(object, belief))
    }
}

/// Returns maps from squares to probabilities in per cent: one map for each role, and one map for
/// any man.
fn heat_of(marginals: &Marginals) -> Value {
    let squares = |probability: &dyn Fn(Square) -> f64| -> Value {
        let all = Square::ALL.into_iter().map(|sq| (sq, probability(sq)));
        let possible = all.filter(|(_, p)| *p > 0.0);
        let map: Map<String, Value> = possible
            .map(|(sq, p)| (sq.to_string(), json!(percent(p))))
            .collect();
        map.into()
    };
    let mut heat: Map<String, Value> = ROLES
        .into_iter()
        .map(|role| {
            (
                role_name(role).to_owned(),
                squares(&|sq| marginals.of(role, sq)),
            )
        })
        .collect();
    heat.insert("any".to_owned(), squares(&|sq| marginals.occupied(sq)));
    heat.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_four_digits() {
        for (x, text) in [
            (0.999_999_9, "1.0"),
            (100.0 / 3.0, "33.33"),
            (0.000_123_456, "0.0001235"),
            (99.999_9, "100.0"),
            (12_345.0, "12345.0"),
            (0.0, "0.0"),
        ] {
            assert_eq!(json!(rounded(x)).to_string(), text);
        }
    }

    #[test]
    fn count_of_one_has_a_singular_noun() {
        assert_eq!(counted(1, "game"), "1 game");
        assert_eq!(counted(0, "game"), "0 games");
    }
}

//! The beliefs of the players, for the review of a finished game.

use std::collections::BTreeMap;

use wire::{HeatJson, Man, MomentJson, RegimeJson, Side, StepJson};

/// Part of one player's belief that is already computed.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct KnownMoments {
    /// Whether the computation was requested.
    pub(crate) asked: bool,
    /// The moments computed so far.
    pub(crate) moments: Vec<MomentJson>,
    /// Reason why there are no more moments. `None` while the computation runs.
    pub(crate) end: Option<String>,
}

/// Beliefs of both players, and which part of them is shown.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Beliefs {
    /// Side of the shown belief, if any.
    pub(crate) shown: Option<Side>,
    /// Kind of men on the heat map; `None`: all men.
    pub(crate) man: Option<Man>,
    white: KnownMoments,
    black: KnownMoments,
}

impl Beliefs {
    /// Returns the belief of this player.
    pub(crate) fn of(&self, side: Side) -> &KnownMoments {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }

    pub(crate) fn of_mut(&mut self, side: Side) -> &mut KnownMoments {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }

    /// Shows the next belief: first White's, then Black's, then none. Returns the player of the
    /// belief if the belief must be computed first.
    pub(crate) fn next(&mut self) -> Option<Side> {
        self.shown = match self.shown {
            None => Some(Side::White),
            Some(Side::White) => Some(Side::Black),
            Some(Side::Black) => None,
        };
        let side = self.shown?;
        let known = self.of_mut(side);
        let is_new = !known.asked;
        known.asked = true;
        is_new.then_some(side)
    }

    /// Switches to the heat map of the next kind of men.
    pub(crate) fn next_man(&mut self) {
        self.man = match self.man {
            None => Some(Man::King),
            Some(Man::King) => Some(Man::Queen),
            Some(Man::Queen) => Some(Man::Rook),
            Some(Man::Rook) => Some(Man::Bishop),
            Some(Man::Bishop) => Some(Man::Knight),
            Some(Man::Knight) => Some(Man::Pawn),
            Some(Man::Pawn) => None,
        };
    }
}

/// Names the men of a heat map.
pub(crate) fn men_words(man: Option<Man>) -> &'static str {
    match man {
        None => "all men",
        Some(Man::King) => "king",
        Some(Man::Queen) => "queens",
        Some(Man::Rook) => "rooks",
        Some(Man::Bishop) => "bishops",
        Some(Man::Knight) => "knights",
        Some(Man::Pawn) => "pawns",
    }
}

/// Returns the probability for each square of a heat map, in per cent.
pub(crate) fn heat(of: &HeatJson, man: Option<Man>) -> &BTreeMap<String, u8> {
    match man {
        None => &of.any,
        Some(Man::King) => &of.king,
        Some(Man::Queen) => &of.queen,
        Some(Man::Rook) => &of.rook,
        Some(Man::Bishop) => &of.bishop,
        Some(Man::Knight) => &of.knight,
        Some(Man::Pawn) => &of.pawn,
    }
}

/// Returns, for each step, the index of the player's moment at that step. A new
/// moment begins at each step at which the player heard something.
pub(crate) fn moments_by_step(steps: &[StepJson], side: Side) -> Vec<usize> {
    let mut heard: usize = 0;
    let of_step = |step: &StepJson| {
        let words = match side {
            Side::White => &step.white,
            Side::Black => &step.black,
        };
        heard += usize::from(!words.is_empty());
        heard.saturating_sub(1)
    };
    steps.iter().map(of_step).collect()
}

/// Largest number of positions that is displayed. Larger estimates are too
/// inaccurate.
const MAX: u64 = 1_000_000_000;

/// Returns the number of possible positions in words.
pub(crate) fn size_words(moment: &MomentJson) -> String {
    let Some(n) = moment.positions else {
        return "an unknown number of positions".to_owned();
    };
    if n > MAX {
        return "more than 1,000,000,000 positions".to_owned();
    }
    let before = match moment.regime {
        RegimeJson::Exact | RegimeJson::Envelope => "",
        RegimeJson::Superset => "at most ",
        RegimeJson::Sampled => "about ",
    };
    let noun = if n == 1 { "position" } else { "positions" };
    format!("{before}{} {noun}", number(n, moment.regime))
}

/// Formats a number with commas. An estimate is rounded to two digits.
fn number(n: u64, regime: RegimeJson) -> String {
    let digits = n.to_string();
    let n = match (regime, digits.len()) {
        (RegimeJson::Sampled, 3..) => {
            let unit = 10_u64.pow(digits.len() as u32 - 2);
            (n + unit / 2) / unit * unit
        }
        _ => n,
    };
    let digits = n.to_string();
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

/// A graph of the number of positions, as rows of text from top to bottom. Each column is a bar for
/// one step, or for several steps if there are more steps than columns. `now` is the column of the
/// current step. The scale is logarithmic and ends at `10^most`.
pub(crate) struct Graph {
    pub(crate) rows: Vec<String>,
    pub(crate) now: usize,
    pub(crate) most: u32,
}

impl Graph {
    pub(crate) fn of(
        sizes: &[Option<u64>],
        now: usize,
        (columns, rows): (usize, usize),
        bar: char,
    ) -> Graph {
        let columns = columns.max(1);
        let steps_a_column = sizes.len().div_ceil(columns).max(1);
        let most = sizes.iter().flatten().map(|n| tens(*n.min(&MAX))).max();
        let most = most.unwrap_or(0).max(1);
        let heights: Vec<Option<usize>> = sizes
            .chunks(steps_a_column)
            .map(|chunk| {
                let n = chunk.iter().flatten().max()?;
                let height = (*n.clamp(&1, &MAX) as f64).log10() / f64::from(most) * rows as f64;
                // A single position also gets a bar, because a column without a bar means that the
                // number is not known.
                Some((height.ceil() as usize).clamp(1, rows))
            })
            .collect();
        let row = |above: usize| {
            let cell = |height: &Option<usize>| match height {
                Some(height) if *height > above => bar,
                Some(_) | None => ' ',
            };
            heights.iter().map(cell).collect()
        };
        Graph {
            rows: (0..rows).rev().map(row).collect(),
            now: now / steps_a_column,
            most,
        }
    }
}

/// Returns the exponent of the smallest power of ten that is at least `n`.
fn tens(n: u64) -> u32 {
    match n {
        0 | 1 => 0,
        _ => (n - 1).ilog10() + 1,
    }
}

/// Returns sentences about a mate that could be forced, or was missed.
pub(crate) fn mate_words(moment: &MomentJson) -> Vec<String> {
    let moves = |n: u8| {
        if n == 1 {
            "1 own move".to_owned()
        } else {
            format!("{n} own moves")
        }
    };
    let mut words = Vec::new();
    if let Some(n) = moment.missed {
        words.push(format!(
            "A forced mate in {} was missed in the last turn.",
            moves(n)
        ));
    }
    if let Some(mate) = &moment.mate {
        let line = mate.line.join("; then ");
        words.push(format!(
            "Mate in {} can be forced: {line}.",
            moves(mate.moves)
        ));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(positions: Option<u64>, regime: RegimeJson) -> MomentJson {
        MomentJson {
            step: 0,
            moves: 0,
            positions,
            regime,
            heat: HeatJson::default(),
            certain: Vec::new(),
            facts: Vec::new(),
            mate: None,
            missed: None,
        }
    }

    #[test]
    fn forced_and_missed_mates_are_told_in_words() {
        let mut one = moment(Some(3), RegimeJson::Exact);
        assert!(mate_words(&one).is_empty());
        one.missed = Some(1);
        one.mate = Some(wire::ForcedMateJson {
            moves: 2,
            line: vec!["a1a7".to_owned(), "b1b8, if refused b1c1".to_owned()],
        });
        assert_eq!(
            mate_words(&one),
            [
                "A forced mate in 1 own move was missed in the last turn.",
                "Mate in 2 own moves can be forced: a1a7; then b1b8, if refused b1c1.",
            ]
        );
    }

    #[test]
    fn words_for_a_size_depend_on_the_regime() {
        use RegimeJson::{Envelope, Exact, Sampled, Superset};
        for (n, regime, words) in [
            (Some(1), Exact, "1 position"),
            (Some(12_345), Exact, "12,345 positions"),
            (Some(12_345), Superset, "at most 12,345 positions"),
            (Some(1_254_567), Sampled, "about 1,300,000 positions"),
            (
                Some(2_000_000_000_000),
                Sampled,
                "more than 1,000,000,000 positions",
            ),
            (None, Envelope, "an unknown number of positions"),
        ] {
            assert_eq!(size_words(&moment(n, regime)), words);
        }
    }

    #[test]
    fn graph_bars_are_as_high_as_the_logarithm_of_the_size() {
        let sizes = [Some(1), Some(10), None, Some(1000), Some(1001)];
        let graph = Graph::of(&sizes, 3, (5, 4), '#');
        assert_eq!(graph.rows, ["    #", "   ##", "   ##", "## ##"]);
        assert_eq!((graph.now, graph.most), (3, 4));
        // With two steps per column, the larger number is shown.
        let graph = Graph::of(&sizes, 3, (3, 2), '#');
        assert_eq!(graph.rows, [" ##", "###"]);
        assert_eq!(graph.now, 1);
    }

    #[test]
    fn next_shows_white_then_black_then_no_belief() {
        let mut beliefs = Beliefs::default();
        assert_eq!(beliefs.next(), Some(Side::White));
        assert_eq!(beliefs.next(), Some(Side::Black));
        assert_eq!((beliefs.next(), beliefs.shown), (None, None));
        // A belief is requested only once.
        assert_eq!((beliefs.next(), beliefs.shown), (None, Some(Side::White)));
    }
}

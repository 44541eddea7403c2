//! Scores, costs and faults of the players of a run.

use std::collections::BTreeMap;

use rules::{Reason, Winner};
use serde::{Serialize, Serializer};

use crate::{
    cost::Cost,
    game::GameOfRun,
    play::FaultKind,
    processor,
    ratings::ratings,
    run::Outcome,
    sprt::{Sprt, half_points},
    statistics::{Interval, UnitScores},
    summary::Summary,
};

/// The figures of a run. In JSON they are one line, which begins with the keys of [`Summary`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunStatistics {
    /// Counts and times of the whole run.
    #[serde(flatten)]
    pub summary: Summary,
    /// Number of games that were not played again, because an earlier run has stored their results.
    pub resumed: u64,
    /// Number of draws by reason.
    pub draw_reasons: BTreeMap<&'static str, u64>,
    /// Result of each pair of players.
    pub pairs: Vec<PairStatistics>,
    /// Results and costs of each player.
    pub players: Vec<PlayerStatistics>,
    /// The sequential test, if the run has one.
    pub sprt: Option<SprtStatistics>,
    /// Greatest memory of this process, in bytes, if the system reports it.
    pub peak_memory: Option<u64>,
}

/// Results of one player, or of the first player of a pair.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Results {
    /// Number of games.
    pub games: u64,
    /// Number of wins.
    pub won: u64,
    /// Number of draws.
    pub drawn: u64,
    /// Number of losses.
    pub lost: u64,
    /// Number of games stopped before their end.
    pub unfinished: u64,
    /// Number of units from which the interval of the score is computed. A unit is two games with
    /// swapped colours, or one game.
    pub units: u64,
    /// Mean score. A stopped game has the score of a draw.
    #[serde(serialize_with = "interval")]
    pub score: Option<Interval>,
    /// Elo difference that gives this score. An infinite number is null in JSON.
    #[serde(serialize_with = "interval")]
    pub elo: Option<Interval>,
}

/// Result of one pair of players.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PairStatistics {
    /// The first player.
    pub first: String,
    /// The second player.
    pub second: String,
    /// Results of the first player.
    #[serde(flatten)]
    pub results: Results,
}

/// Results and costs of one player.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerStatistics {
    /// The player.
    pub player: String,
    /// Results against all other players.
    #[serde(flatten)]
    pub results: Results,
    /// Rating in a round robin; the mean of all ratings is 0.
    #[serde(serialize_with = "interval")]
    pub rating: Option<Interval>,
    /// Number of turns, without forced opening moves.
    pub turns: u64,
    /// Attempts per turn that the referee answered, questions included.
    pub attempts_per_turn: f64,
    /// Median time of a turn, in milliseconds.
    pub p50_ms: Option<f64>,
    /// 99 % of the turns took at most this time, in milliseconds.
    pub p99_ms: Option<f64>,
    /// Time of the longest turn, in milliseconds.
    pub longest_ms: Option<f64>,
    /// Number of turns that took longer than the budget.
    pub overruns: u64,
    /// Games lost by a fault: kind of the fault, and numbers of the games.
    pub faults: BTreeMap<&'static str, Vec<u64>>,
}

/// State of the sequential test.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtStatistics {
    /// Score under the first hypothesis.
    pub score0: f64,
    /// Score under the second hypothesis.
    pub score1: f64,
    /// Logarithm of the likelihood ratio of `score1` against `score0`.
    pub llr: f64,
    /// Bound of `llr`. The test decides for `score1` if `llr` is at least this bound. It decides for
    /// `score0` if `llr` is at most the negative of this bound.
    pub bound: f64,
    /// Number of units that the test has used.
    pub units: u64,
    /// Score for which the test has decided, if it has decided.
    pub decision: Option<f64>,
}

/// Writes an interval as `{"estimate":..,"low":..,"high":..}`.
#[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
fn interval<S: Serializer>(value: &Option<Interval>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Line {
        estimate: f64,
        low: f64,
        high: f64,
    }
    let round = |number: f64| (number * 1e6).round() / 1e6;
    let line = value.map(|value| Line {
        estimate: round(value.estimate),
        low: round(value.low),
        high: round(value.high),
    });
    line.serialize(serializer)
}

/// Counts of the results of a pair or of a player.
#[derive(Clone, Debug, Default)]
struct Tally {
    results: Results,
    scores: UnitScores,
}

impl Tally {
    /// Adds a game. `halves` is the number of half points of the counted player; `None` if the game
    /// has no result.
    fn count(&mut self, halves: Option<u64>) {
        let results = &mut self.results;
        results.games += 1;
        *match halves {
            None => &mut results.unfinished,
            Some(0) => &mut results.lost,
            Some(1) => &mut results.drawn,
            Some(_) => &mut results.won,
        } += 1;
    }

    fn merge(&mut self, other: &Tally, reversed: bool) {
        let (ours, theirs) = (&mut self.results, &other.results);
        ours.games += theirs.games;
        ours.drawn += theirs.drawn;
        ours.unfinished += theirs.unfinished;
        if reversed {
            ours.won += theirs.lost;
            ours.lost += theirs.won;
            self.scores.merge(&other.scores.reversed());
        } else {
            ours.won += theirs.won;
            ours.lost += theirs.lost;
            self.scores.merge(&other.scores);
        }
    }

    fn results(&self) -> Results {
        let score = self.scores.score();
        Results {
            units: self.scores.units(),
            score,
            elo: score.map(Interval::elo),
            ..self.results.clone()
        }
    }
}

/// Returns the half points of the first player; `None` if the game has no result.
fn result(game: &GameOfRun) -> Option<u64> {
    let finished = game
        .played
        .over
        .is_some_and(|over| over.winner != Winner::Unfinished);
    finished.then(|| half_points(game))
}

/// Counts the results of every pair of players.
fn tally(outcome: &Outcome) -> Vec<Tally> {
    let schedule = &outcome.schedule;
    let mut pairs = vec![Tally::default(); schedule.pairings()];
    // For each unit that is not complete yet: the half points of the first player, and the number
    // of games so far.
    let mut open: BTreeMap<(usize, u64), (u64, u64)> = BTreeMap::new();
    for game in &outcome.games {
        let Some(meeting) = schedule.meeting(game.number) else {
            continue;
        };
        let Some(pair) = pairs.get_mut(meeting.pairing) else {
            continue;
        };
        pair.count(result(game));
        let unit = (meeting.pairing, meeting.unit);
        let sum = open.entry(unit).or_default();
        sum.0 += half_points(game);
        sum.1 += 1;
        if !schedule.swap || sum.1 == 2 {
            pair.scores.add(sum.0, sum.1);
            open.remove(&unit);
        }
    }
    for ((pairing, _), (halves, games)) in open {
        pairs[pairing].scores.add(halves, games);
    }
    pairs
}

impl RunStatistics {
    /// Computes the figures of a run. `names` are the names of its players.
    pub fn new(outcome: &Outcome, names: &[String]) -> RunStatistics {
        let schedule = &outcome.schedule;
        let pairs = tally(outcome);
        let mut players = vec![Tally::default(); names.len()];
        for (pairing, pair) in pairs.iter().enumerate() {
            let (first, second) = schedule.pairing(pairing);
            players[first].merge(pair, false);
            players[second].merge(pair, true);
        }
        let mut draw_reasons = BTreeMap::new();
        let mut faults = vec![BTreeMap::<&str, Vec<u64>>::new(); names.len()];
        for game in &outcome.games {
            if let Some(over) = game.played.over
                && over.winner == Winner::Draw
            {
                *draw_reasons.entry(Reason::name(over.reason)).or_default() += 1;
            }
            if let (Some(fault), Some(meeting)) = (game.played.fault, schedule.meeting(game.number))
            {
                let (first, second) = schedule.pairing(meeting.pairing);
                let player = if fault.by == game.first {
                    first
                } else {
                    second
                };
                let kind = FaultKind::name(fault.kind);
                faults[player]
                    .entry(kind)
                    .or_default()
                    .push(game.number + 1);
            }
        }
        let scores: Vec<&UnitScores> = pairs.iter().map(|pair| &pair.scores).collect();
        let ratings = (names.len() > 2).then(|| ratings(schedule, &scores));
        let name = |player: usize| names.get(player).cloned().unwrap_or_default();
        RunStatistics {
            summary: Summary::from(outcome),
            resumed: outcome.resumed,
            draw_reasons,
            pairs: pairs
                .iter()
                .enumerate()
                .map(|(pairing, pair)| {
                    let (first, second) = schedule.pairing(pairing);
                    PairStatistics {
                        first: name(first),
                        second: name(second),
                        results: pair.results(),
                    }
                })
                .collect(),
            players: players
                .iter()
                .zip(faults)
                .enumerate()
                .map(|(player, (tally, faults))| {
                    let none = Cost::default();
                    let cost = outcome.costs.get(player).unwrap_or(&none);
                    let rating = ratings.as_ref().and_then(|all| all.get(player)).copied();
                    PlayerStatistics::new(name(player), tally.results(), rating, cost, faults)
                })
                .collect(),
            sprt: outcome.sprt.as_ref().map(|tracker| SprtStatistics {
                score0: tracker.sprt().score0,
                score1: tracker.sprt().score1,
                llr: tracker.ratio(),
                bound: Sprt::bound(),
                units: tracker.units(),
                decision: tracker.decision(),
            }),
            peak_memory: processor::peak_memory(),
        }
    }
}

impl PlayerStatistics {
    fn new(
        player: String,
        results: Results,
        rating: Option<Interval>,
        cost: &Cost,
        faults: BTreeMap<&'static str, Vec<u64>>,
    ) -> PlayerStatistics {
        let per_turn = cost.attempts as f64 / cost.turns.max(1) as f64;
        let millis = |time: std::time::Duration| time.as_micros() as f64 / 1000.0;
        let timed = cost.times.quantile(0.5).is_some();
        // A quantile is rounded up, so it can be greater than the time of the longest turn. In this
        // case the time of the longest turn is shown.
        let quantile = |share| {
            let time = cost.times.quantile(share)?;
            Some(millis(time.min(cost.longest)))
        };
        PlayerStatistics {
            player,
            results,
            rating,
            turns: cost.turns,
            attempts_per_turn: (per_turn * 1e4).round() / 1e4,
            p50_ms: quantile(0.5),
            p99_ms: quantile(0.99),
            longest_ms: timed.then(|| millis(cost.longest)),
            overruns: cost.overruns,
            faults,
        }
    }
}

//! How long players wait for answers, and how the memory of the club grows.

use std::time::Duration;

use crate::{
    ground::{Span, Timeline},
    keeper::Memory,
    player::Record,
    running::journal::RequestContent,
};

/// Time after the opening in which the memory may grow: the club loads games and fills its caches.
const WARM_UP: Duration = Duration::from_secs(20);
/// Minimum time after the warm-up for which the growth of the memory is measured.
const MIN_SPAN: Duration = Duration::from_secs(20);

/// Times from a try to its answer, in milliseconds, sorted.
#[derive(Debug, Default)]
pub struct WaitTimes(Vec<f64>);

impl WaitTimes {
    fn new(mut waits: Vec<f64>) -> WaitTimes {
        waits.sort_by(f64::total_cmp);
        WaitTimes(waits)
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns a percentile, in milliseconds: `permille` thousandths of the waits are not longer
    /// than the returned time.
    pub fn permille(&self, permille: usize) -> f64 {
        let place = (self.0.len() * permille).div_ceil(1_000);
        let place = place.saturating_sub(1);
        self.0.get(place).copied().unwrap_or(0.0)
    }
}

/// Waits of all players, in groups. The group of a wait depends on the faults and attacks during
/// the wait.
#[derive(Debug, Default)]
pub struct AllWaits {
    /// While no attacker was active.
    pub calm: WaitTimes,
    /// While the attackers were active.
    pub attacked: WaitTimes,
    /// `calm` and `attacked` together: no fault was near.
    pub undisturbed: WaitTimes,
    /// Near a fault.
    pub disturbed: WaitTimes,
}

impl AllWaits {
    pub fn of(records: &[Record], timeline: &Timeline) -> AllWaits {
        let (mut calm, mut attacked) = (Vec::new(), Vec::new());
        let mut disturbed = Vec::new();
        for Record { journal, times } in records {
            for ask in &journal.asks {
                let times = times.sent.get(&ask.id).zip(times.answered.get(&ask.id));
                let (Some((&from, &until)), RequestContent::Try { .. }) = (times, &ask.what) else {
                    continue;
                };
                let span = Span { from, until };
                let side = if timeline.is_disturbed(span) {
                    &mut disturbed
                } else if timeline.is_attacked(from) {
                    &mut attacked
                } else {
                    &mut calm
                };
                side.push(span.length().as_secs_f64() * 1_000.0);
            }
        }
        AllWaits {
            undisturbed: WaitTimes::new([&*calm, &*attacked].concat()),
            calm: WaitTimes::new(calm),
            attacked: WaitTimes::new(attacked),
            disturbed: WaitTimes::new(disturbed),
        }
    }
}

/// Returns the growth of the memory of one run of the club, in KiB a minute. The growth is the
/// slope of the line through all measurements after the warm-up. `None` if the run was too short.
pub fn growth(memory: &Memory) -> Option<f64> {
    let warm = memory.iter().filter(|(at, _)| *at >= WARM_UP);
    let points: Vec<(f64, f64)> = warm
        .map(|(at, bytes)| (at.as_secs_f64() / 60.0, *bytes as f64 / 1_024.0))
        .collect();
    let (first, last) = (points.first()?, points.last()?);
    if last.0 - first.0 < MIN_SPAN.as_secs_f64() / 60.0 {
        return None;
    }
    let count = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / count;
    let both = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y));
    let square = points.iter().map(|(x, _)| (x - mean_x).powi(2));
    Some(both.sum::<f64>() / square.sum::<f64>())
}

#[test]
fn growth_is_the_slope_after_the_warm_up() {
    let at = |second: u64| Duration::from_secs(second);
    let warm_up = (0..20).map(|n| (at(n), n * 1_000_000));
    let after = (20..200).map(|n| (at(n), 50_000_000 + n * 1_024));
    let memory: Memory = warm_up.chain(after).collect();
    let slope = growth(&memory).unwrap();
    assert!((slope - 60.0).abs() < 0.001, "{slope}");
    assert_eq!(growth(&memory[..30].to_vec()), None);
}

#[test]
fn permille_is_the_nearest_rank() {
    let waits = WaitTimes::new((1..=1_000).rev().map(f64::from).collect());
    assert_eq!((waits.permille(990), waits.permille(500)), (990.0, 500.0));
    assert_eq!(WaitTimes::default().permille(990), 0.0);
}

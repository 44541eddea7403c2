//! Updates a copy of a belief with the most probable reply of the opponent, before the seat hears
//! the reply.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use crate::{
    belief::{Belief, Set, with_pool},
    blame::Part,
    hearing::Step,
    hidden::Hidden,
    pool::Pool,
    report::Report,
    situation::Situation,
    watch::Watch,
};

/// Maximum number of positions from which the most probable reply is estimated.
const EXAMINED: usize = 200;

/// A belief after a reply that the opponent has not made yet.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Ahead {
    pub report: Report,
    pub part: Part,
    pub after: Box<Belief>,
}

impl Belief {
    /// Computes the belief after the most probable reply of the opponent, as the seat would hear it.
    /// If the seat then hears this reply, [`hear`](Belief::hear) uses the result; the belief is the
    /// same without this call.
    ///
    /// Only replies without capture, drop, promotion and end of the game are considered. The result
    /// takes as much memory as the belief. The work ends soon after `stop` becomes true. `cuts` says
    /// whether the watch of the later `hear` can end an update early ([`Watch::cut_if`]).
    ///
    /// Returns what the seat would hear. Returns `None` if the work was stopped, if the opponent is
    /// not to move, if no positions are kept, or if no examined reply is of the considered kind.
    ///
    /// ```
    /// use std::sync::{Arc, atomic::AtomicBool};
    /// use belief::{Belief, Watch};
    /// use rules::{Announcement, Reply, Tries, Verdict, chess::Color, rulesets};
    ///
    /// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
    /// let mut black = Belief::usual(wild16, Color::Black);
    /// let expected = black.look_ahead(false, &Arc::new(AtomicBool::new(false)));
    /// assert_eq!(expected.expect("White is to move").tries, Tries::Count(0));
    /// ```
    pub fn look_ahead(&mut self, cuts: bool, stop: &Arc<AtomicBool>) -> Option<Report> {
        self.ahead = None;
        let report = self.likely_report()?;
        let watch = Watch::discarded_if(Arc::clone(stop), cuts);
        let mut after = Box::new(self.clone());
        let part = after.advance(Step::TheyMoved(report), &watch)?;
        let complete = !stop.load(Ordering::Relaxed) && after.kept() > 0;
        self.ahead = complete.then_some(Ahead {
            report,
            part,
            after,
        });
        complete.then_some(report)
    }

    /// Returns the most probable report about the opponent's next move. Only reports without
    /// capture, drop, promotion and end of the game are considered.
    fn likely_report(&self) -> Option<Report> {
        if self.known.is_own_turn() || !self.keeps_positions() {
            return None;
        }
        let mut sums: Vec<(Report, f64)> = Vec::new();
        with_pool!(&self.set, pool => for (situation, weight) in some(pool, self.known) {
            let mut reports = Vec::new();
            situation.successors(&self.law, |_, report, _| reports.push(report));
            let share = weight / reports.len().max(1) as f64;
            for report in reports {
                let special = report.lost.is_some()
                    || report.capture.is_some()
                    || report.drop.is_some()
                    || report.promotion
                    || report.over.is_some();
                if special {
                    continue;
                }
                match sums.iter_mut().find(|(one, _)| *one == report) {
                    Some((_, sum)) => *sum += share,
                    None => sums.push((report, share)),
                }
            }
        });
        let most = sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        most.map(|(report, _)| report)
    }
}

/// Returns some positions of a pool, with their weights, as a sample for an estimate.
fn some<H: Hidden>(
    pool: &Pool<H>,
    known: crate::known::Known,
) -> impl Iterator<Item = (Situation, f64)> {
    let step = pool.entries.len().div_ceil(EXAMINED).max(1);
    pool.entries.iter().step_by(step).map(move |entry| {
        let men = entry.hidden.unpack();
        (Situation::with_men(&known, &men), entry.weight)
    })
}

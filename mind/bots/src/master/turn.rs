//! The plan of one turn, made from a table of the values of all attempts.

use rules::{Attempt, Obligation, PawnTries, Try};
use views::PlayerView;

use super::plan::{Bounds, Table};

/// The attempts of one turn, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Whether Any? is asked first.
    pub asks: bool,
    /// The attempts if Any? is not asked, or if the answer is no.
    pub usual: Vec<Try>,
    /// The attempts if the answer to Any? is yes.
    pub after_yes: Vec<Try>,
    /// Material by which we are ahead, in pawns.
    pub ahead: f32,
    /// Whether the attempts force mate.
    pub is_mate: bool,
    /// What the turn is worth; only for the review of an attempt that was compared.
    pub worth: Option<Worth>,
}

/// What a turn is worth on average over the positions that are possible, in pawns, from the view of
/// the seat.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Worth {
    /// With the best plan.
    pub best: f32,
    /// If the reviewed attempt is made first, and the best plan follows its refusal.
    pub made: f32,
    /// Share of the positions in which the reviewed attempt is legal, 0 to 1.
    pub legal: f32,
}

/// What the plan of a turn is made from: the table of the values of all attempts, and more data
/// about these attempts.
pub(super) struct Turn<'a> {
    pub view: &'a PlayerView,
    pub tries: &'a [Try],
    pub table: Table,
    /// For each try, whether it is a pawn capture.
    pub captures: Vec<bool>,
    /// Cost of a refused try, in pawns.
    pub refusal: f32,
    /// The attempt that is reviewed.
    pub reviewed: Option<Attempt>,
}

impl Turn<'_> {
    /// Plans the attempts.
    pub fn plan(&self) -> Plan {
        let all = vec![true; self.tries.len()];
        let weights = &self.table.weights;
        let usual = self.table.plan(weights, self.bounds(&all));
        let is_open = |share: f32| share > 0.0 && share < 1.0;
        let asking = self.asking();
        let asking =
            asking.filter(|(share, ..)| is_open(*share) || self.reviewed == Some(Attempt::Any));
        let worth = |list: &[usize], weights: &[f32]| {
            self.table.worth(weights, list, self.refusal).unwrap_or(0.0)
        };
        let best = worth(&usual, weights);
        let mut value_of_asking = None;
        if let Some((share, yes, no)) = asking {
            let obligation = self.view.choices().obligation;
            let [after_yes, after_no] = [
                self.after_yes(&yes, obligation),
                self.table.plan(&no, self.bounds(&all)),
            ];
            let asked = share * worth(&after_yes, &yes) + (1.0 - share) * worth(&after_no, &no);
            value_of_asking = Some(asked);
            if is_open(share) && (obligation == Obligation::None || asked >= best) {
                return Plan {
                    asks: true,
                    usual: self.list(&after_no, &no),
                    after_yes: self.list(&after_yes, &yes),
                    worth: self.worth(asked.max(best), value_of_asking),
                    ..Plan::default()
                };
            }
        }
        Plan {
            usual: self.list(&usual, weights),
            worth: self.worth(best, value_of_asking),
            ..Plan::default()
        }
    }

    /// Returns what the turn is worth, if an attempt is reviewed; with the best plan it is worth
    /// `best`, and if Any? is asked first, `asked`.
    fn worth(&self, best: f32, asked: Option<f32>) -> Option<Worth> {
        let reviewed = self.reviewed?;
        if reviewed == Attempt::Any {
            let legal = 1.0;
            return asked.map(|made| Worth { best, made, legal });
        }
        let reviewed = reviewed.as_try()?;
        let first = self.tries.iter().position(|t| *t == reviewed)?;
        let (table, weights) = (&self.table, &self.table.weights);
        let left = table.refused(weights, first);
        let all = vec![true; self.tries.len()];
        let rest = table.plan(&left, self.bounds(&all));
        let list: Vec<usize> = std::iter::once(first).chain(rest).collect();
        let (total, refused): (f32, f32) = (weights.iter().sum(), left.iter().sum());
        Some(Worth {
            best,
            made: table.worth(weights, &list, self.refusal)?,
            legal: 1.0 - refused / total,
        })
    }

    fn bounds<'b>(&self, may: &'b [bool]) -> Bounds<'b> {
        Bounds {
            may,
            refusal: self.refusal,
        }
    }

    /// Returns the probability that the answer to Any? is yes, and the weights of the positions
    /// after yes and after no. Returns `None` if Any? cannot be asked.
    fn asking(&self) -> Option<(f32, Vec<f32>, Vec<f32>)> {
        let (choices, turn) = (self.view.choices(), self.view.turn());
        if choices.pawn_tries != PawnTries::OnRequest || turn.asked {
            return None;
        }
        let weights = &self.table.weights;
        let n = weights.len();
        let (mut yes, mut no) = (vec![0.0; n], vec![0.0; n]);
        let mut share = 0.0;
        for at in 0..n {
            let legal = (0..self.tries.len())
                .any(|t| self.captures[t] && !self.table.values[t * n + at].is_nan());
            if legal {
                yes[at] = weights[at];
                share += weights[at];
            } else {
                no[at] = weights[at];
            }
        }
        Some((share, yes, no))
    }

    /// Plans the attempts after the answer yes to Any?.
    fn after_yes(&self, weights: &[f32], obligation: Obligation) -> Vec<usize> {
        let all = vec![true; self.tries.len()];
        match obligation {
            Obligation::None => self.table.plan(weights, self.bounds(&all)),
            Obligation::Make => self.table.plan(weights, self.bounds(&self.captures)),
            Obligation::Try => {
                let captures = self.table.plan(weights, self.bounds(&self.captures));
                let Some(first) = captures.first() else {
                    return captures;
                };
                let left = self.table.refused(weights, *first);
                let rest = self.table.plan(&left, self.bounds(&all));
                std::iter::once(*first).chain(rest).collect()
            }
        }
    }

    /// Returns the planned tries, then all other tries that are legal in at least
    /// one position, the best first.
    fn list(&self, plan: &[usize], weights: &[f32]) -> Vec<Try> {
        let all = vec![true; self.tries.len()];
        let mut ranked = self.table.ranked(weights, self.bounds(&all));
        ranked.retain(|(attempt, _)| !plan.contains(attempt));
        plan.iter()
            .copied()
            .chain(ranked.into_iter().map(|(attempt, _)| attempt))
            .map(|attempt| self.tries[attempt])
            .collect()
    }
}

//! Ratings by problems: Glicko-2, with the problem as the opponent. The first result of an account at
//! a problem counts.

use std::collections::{BTreeMap, HashMap};

use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, glicko2, glicko2_rating_period},
};
use store::{AccountKind, Millis};
use wire::ProblemRatingJson;

use crate::{
    account::Account,
    error::ClubError,
    inner::Club,
    ratings::{ProblemResults, fixed},
};

/// Name under which the results of an account are stored among its settings.
pub const PROBLEM_RESULTS: &str = "problems";
const DAY: Millis = 24 * 3600 * 1000;
/// Rating with which a problem begins: points, points for each own move, deviation.
const START: (f64, f64, f64) = (900.0, 300.0, 200.0);

/// Reads the rating of an account and whether it solved each problem.
fn read(text: Option<&str>) -> (Glicko2Rating, BTreeMap<String, bool>) {
    let read = text.and_then(|text| serde_json::from_str(text).ok());
    read.map_or_else(Default::default, |((rating, deviation, volatility), of)| {
        let own = Glicko2Rating {
            rating,
            deviation,
            volatility,
        };
        (own, of)
    })
}

fn outcome(won: bool) -> Outcomes {
    if won { Outcomes::WIN } else { Outcomes::LOSS }
}

impl Club {
    /// Returns the rating of an account by problems, and that of the problem `id` with `moves` own
    /// moves. With `solved`, counts this result of the account first, if it is the first one there.
    /// Only people have such a rating.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn problem_rating(
        &self,
        by: Option<&Account>,
        (id, moves): (&str, u8),
        solved: Option<bool>,
    ) -> Result<ProblemRatingJson, ClubError> {
        let store = &self.0.store;
        let mut results = self.0.problem_results.lock().await;
        let day = self.0.time.now() / DAY;
        if results.day != day {
            let mut of: HashMap<_, Vec<_>> = HashMap::new();
            for text in store.all_settings(PROBLEM_RESULTS).await? {
                let (own, solved) = read(Some(&text));
                for (id, solved) in solved {
                    of.entry(id).or_default().push((own, outcome(!solved)));
                }
            }
            *results = ProblemResults { day, of };
        }
        let (points, each, deviation) = START;
        let start = fixed(points + each * f64::from(moves), deviation);
        let config = Glicko2Config::new();
        let played = results.of.entry(id.to_owned()).or_default();
        let mut problem = glicko2_rating_period(&start, played, &config);
        let person = by.filter(|by| by.kind == AccountKind::Person);
        let Some(person) = person else {
            return Ok(json(None, &problem, false));
        };
        let kept = store.settings(person.id, PROBLEM_RESULTS).await?;
        let (mut own, mut of) = read(kept.as_deref());
        if let Some(solved) = solved.filter(|_| !of.contains_key(id)) {
            let before = own;
            own = glicko2(&own, &problem, &outcome(solved), &config).0;
            of.insert(id.to_owned(), solved);
            let text = serde_json::json!([[own.rating, own.deviation, own.volatility], of]);
            let text = text.to_string();
            store
                .keep_settings(person.id, PROBLEM_RESULTS, &text)
                .await?;
            played.push((before, outcome(!solved)));
            problem = glicko2_rating_period(&start, played, &config);
        }
        Ok(json(Some(&own), &problem, of.contains_key(id)))
    }
}

fn json(own: Option<&Glicko2Rating>, problem: &Glicko2Rating, counted: bool) -> ProblemRatingJson {
    let whole = |value: f64| value.round() as i32;
    ProblemRatingJson {
        points: own.map(|own| whole(own.rating)),
        deviation: own.map(|own| whole(own.deviation)),
        problem: whole(problem.rating),
        counted,
    }
}

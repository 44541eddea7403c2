//! Arguments of `kriegspiel arena tune`.

use bots::{WeightError, Weights};
use rules::Ruleset;

use super::Tuning;
use crate::options::{ScoredArgs, Usage, at};

/// Arguments of `kriegspiel arena tune`.
///
/// The method is simultaneous perturbation stochastic approximation (Spall 1992).
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = TUNING)]
pub struct TuneArgs {
    /// Options of the games.
    #[command(flatten)]
    pub options: ScoredArgs,
    /// Names of the weights to tune; by default all
    #[arg(long, value_name = "NAME,NAME,...", value_delimiter = ',')]
    pub names: Vec<String>,
    /// First step of a weight, as a share of its value at the start
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    pub step: f64,
    /// Limit for the first change of a weight, as a share of the first step
    ///
    /// With a greater share, the weights change faster, but more at random.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    pub rate: f64,
}

const TUNING: &str = "\
The command plays pairs of games, so --games is an even number. The two games of a pair compare two
sets of weights, called plus and minus. plus and minus play each other; with --against BOT, each of
them plays one game against the bot. For each pair, each weight gets a random sign. If the sign is
+, the weight is greater by a step in plus, and smaller by a step in minus. If the sign is -, the
weight is smaller in plus, and greater in minus. After every 8 pairs, each weight is changed. If the
sets with the greater value of the weight scored more, the weight becomes greater; if they scored
less, it becomes smaller. The steps and the changes become smaller in the course of the run.

Test the result with another seed:
  kriegspiel arena --players master@new.txt,master --rules wild16 --games 400 --openings random:3 \
--nodes 250 --seed 2";

/// Parses a positive number of at most 10.
fn share(text: &str) -> Result<f64, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| *share > 0.0 && *share <= 10.0);
    share.ok_or_else(|| "write a number above 0 and at most 10, for example 0.1".to_owned())
}

impl TuneArgs {
    /// Returns the tuning that the arguments describe. The caller looks up `ruleset` by its name,
    /// [`rules`](ScoredArgs::rules).
    ///
    /// # Errors
    /// An option has a bad value. The error names the option.
    pub fn tuning(self, ruleset: &Ruleset) -> Result<Tuning, Usage> {
        if self.options.games % 2 == 1 {
            return Err(at("--games")(
                &"write an even number, because games are played in pairs",
            ));
        }
        let games = self.options.scored_games(ruleset)?;
        let mut names = self.names;
        if names.is_empty() {
            names = Weights::NAMES.iter().map(ToString::to_string).collect();
        }
        for (n, name) in names.iter().enumerate() {
            if games.weights.get(name).is_none() {
                let name = notation::printable(name).to_string();
                return Err(at("--names")(&WeightError::Unknown { name }));
            }
            if names[..n].contains(name) {
                return Err(at("--names")(&format_args!("`{name}` occurs twice")));
            }
        }
        Ok(Tuning {
            games,
            names,
            step: self.step,
            rate: self.rate,
        })
    }
}

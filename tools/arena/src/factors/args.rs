//! Arguments of `kriegspiel arena factors`.

use rules::Ruleset;

use super::{FactorTest, parse};
use crate::{
    contestant::read_text,
    options::{ScoredArgs, Usage, at},
};

/// Arguments of `kriegspiel arena factors`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = FACTORS)]
pub struct FactorsArgs {
    /// The file of changes: a factor in each line (see below)
    #[arg(value_name = "CHANGES")]
    pub changes: String,
    /// Options of the games.
    #[command(flatten)]
    pub options: ScoredArgs,
}

const FACTORS: &str = "\
A factor is a change of one or a few weights. Each game tests all factors at the same time. With
--against BOT, each factor is on with probability 1/2. Without it, master plays against itself, and
each factor is on for one of the two players. A linear model then estimates the gain of each factor
in points of 100 games.

CHANGES is a text file. The first line is `kriegspiel-factors 1`. Each further line has the name of
a factor and its changes. A # begins a comment. Two factors cannot change the same weight:
  kriegspiel-factors 1
  capture-0.6     capture=0.6            # another value
  less-prey       prey*0.5               # half of the value
  more-danger     takes_queen*1.25 takes_rook*1.25

On average, the greatest of the gains is greater than the true gain of this factor. To confirm it,
put the changed weights into a file, and play a match with another seed:
  kriegspiel arena --players master@new.txt,master --rules wild16 --games 400 --openings random:3 \
--nodes 250 --seed 2

If the command was interrupted, the same command continues. A greater --games adds games.";

impl FactorsArgs {
    /// Returns the test that the arguments describe. The caller looks up `ruleset` by its name,
    /// [`rules`](ScoredArgs::rules).
    ///
    /// # Errors
    /// An option or the file of changes is wrong. The error names the option, or the line.
    pub fn test(self, ruleset: &Ruleset) -> Result<FactorTest, Usage> {
        let file = notation::printable(&self.changes).into_owned();
        let text = read_text(&self.changes, "changes").map_err(|fault| {
            Usage(format!(
                "`{file}` cannot be read: {fault}; write the name of a file of changes"
            ))
        })?;
        let games = self.options.scored_games(ruleset)?;
        let factors =
            parse(&text, &games.weights).map_err(|fault| Usage(format!("`{file}`, {fault}")))?;
        let test = FactorTest { games, factors };
        let (count, factors) = (test.games.count, test.factors.len());
        if test.least_games(count).is_none() {
            let enough = test.least_games(u64::MAX);
            let enough = enough.map_or_else(String::new, |least| format!("at least {least}"));
            return Err(at("--games")(&format_args!(
                "{count} games are too few for {factors} factors: write {enough}, or better some \
                 hundreds"
            )));
        }
        Ok(test)
    }
}

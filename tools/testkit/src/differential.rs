//! Plays a game with two umpires: the slow oracle, and another program that referees. Compares
//! every answer, everything that each listener hears, and every position.

use std::fmt;

use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use rules::{Answer, Choices, Listener, PawnTries, ReserveUse, Ruleset, TryLimit, rulesets};

use crate::{
    coverage::Coverage,
    oracle::{Oracle, column},
    starts,
    umpire::{Action, Opener, Setting, Umpire},
    walk::{Style, Walker},
};

/// A difference between an umpire and the oracle, found in one game.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// Rules and start position of the game.
    pub setting: Setting,
    /// All actions of the game. The last action led to the difference.
    pub actions: Vec<Action>,
    /// Description of the difference: first the value of the oracle, then the value of the other
    /// umpire.
    pub what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.setting)?;
        for action in &self.actions {
            writeln!(f, "  {action}")?;
        }
        write!(f, "{}", self.what)
    }
}

/// Largest number of completed moves of a game.
const MAX_PLIES: u32 = 260;

/// Largest number of attempts of a game, including refused attempts.
const MAX_ATTEMPTS: u32 = 600;

/// Returns rules and start position of the game with this number. Game 0 uses the first ruleset of
/// the list, game 1 uses the second, and so on. After the last ruleset, the list begins again. In
/// about one game in four, some choices of the ruleset are changed. About half of the games begin
/// from a random position.
pub fn setting(number: u64, rng: &mut ChaCha8Rng) -> Setting {
    let ruleset = &rulesets::ALL[(number % rulesets::ALL.len() as u64) as usize];
    let mut choices = ruleset.choices;
    if rng.random_bool(0.2) {
        choices = altered(ruleset, rng);
    } else if rng.random_bool(0.1) {
        choices.threefold = rules::Threefold::On;
        choices.fifty = rules::Fifty::On;
    }
    Setting {
        rules: ruleset.id.to_string(),
        choices,
        fen: start(&choices, rng),
    }
}

/// Returns a start position as FEN, or `None` for the usual start position. About
/// half of the calls return `None`.
pub fn start(choices: &Choices, rng: &mut ChaCha8Rng) -> Option<String> {
    let drops = choices.reserve == ReserveUse::Drops;
    let limited = choices.try_limit == TryLimit::Three;
    if !drops && limited && rng.random_bool(0.15) {
        let named = starts::NAMED_EXHAUSTIBLE.choose(rng);
        Some(named.expect("the list is not empty").fen.to_owned())
    } else {
        rng.random_bool(0.5).then(|| starts::random(rng, drops))
    }
}

/// Changes choices of a ruleset at random, in one to six rounds of one to three
/// choices. The result contains no contradiction.
pub fn altered(ruleset: &Ruleset, rng: &mut ChaCha8Rng) -> Choices {
    let mut choices = ruleset.choices;
    let wanted = rng.random_range(1..7);
    let mut changed = 0;
    while changed < wanted {
        let mut next = choices;
        // Some values are possible only together with other values. So one to three choices are
        // changed together, and then the ruleset is tested for contradictions.
        for _ in 0..rng.random_range(1..4) {
            let field = Choices::FIELDS.choose(rng).expect("there are choices");
            let (value, _) = field.values.choose(rng).expect("a choice has values");
            next.set(field.name, value)
                .expect("the value belongs to this choice");
        }
        if next.check().is_ok() {
            choices = next;
            changed += 1;
        }
    }
    choices
}

/// Returns a random style that suits the rules. If the rules limit pawn captures
/// or have Any?, a style with many pawn captures is more likely.
fn style(choices: &Choices, rng: &mut ChaCha8Rng) -> Style {
    let pawns = if choices.try_limit == TryLimit::Three {
        0.6
    } else if choices.pawn_tries == PawnTries::OnRequest {
        0.3
    } else {
        0.0
    };
    if rng.random_bool(pawns) {
        Style::Pawns
    } else {
        *Style::ALL.choose(rng).expect("there are styles")
    }
}

struct Table<'a> {
    oracle: Oracle,
    other: Box<dyn Umpire>,
    setting: &'a Setting,
    actions: Vec<Action>,
}

impl Table<'_> {
    fn mismatch(&self, what: String) -> Box<Mismatch> {
        Box::new(Mismatch {
            setting: self.setting.clone(),
            actions: self.actions.clone(),
            what: format!("{what}\nat {}", self.oracle.fen()),
        })
    }

    fn same<T: PartialEq + fmt::Debug>(
        &self,
        name: &str,
        ours: &T,
        theirs: &T,
    ) -> Result<(), Box<Mismatch>> {
        if ours == theirs {
            Ok(())
        } else {
            Err(self.mismatch(format!("{name}\n  oracle {ours:?}\n  other  {theirs:?}")))
        }
    }

    /// Compares everything that can be seen of the game, except the answer to
    /// the last action.
    fn compare_state(&self) -> Result<(), Box<Mismatch>> {
        self.same("fen", &self.oracle.fen(), &self.other.fen())?;
        self.same("to_move", &self.oracle.to_move(), &self.other.to_move())?;
        self.same("over", &self.oracle.over(), &self.other.over())?;
        if self.oracle.over().is_none() {
            self.same(
                "draw_offer",
                &self.oracle.draw_offer(),
                &self.other.draw_offer(),
            )?;
        }
        Ok(())
    }
}

/// Plays one game with both umpires.
///
/// # Errors
/// The first difference.
pub fn play(
    setting: &Setting,
    rng: &mut ChaCha8Rng,
    opener: &Opener<'_>,
    coverage: &mut Coverage,
) -> Result<(), Box<Mismatch>> {
    let unopened = |what: String| {
        Box::new(Mismatch {
            setting: setting.clone(),
            actions: Vec::new(),
            what,
        })
    };
    let oracle = setting
        .oracle()
        .map_err(|e| unopened(format!("the oracle cannot open the game: {e}")))?;
    let other = opener(setting)
        .map_err(|e| unopened(format!("the other umpire cannot open the game: {e}")))?;
    let style = style(&setting.choices, rng);
    let mut walker = Walker::with_style(ChaCha8Rng::seed_from_u64(rng.random()), style);
    let mut table = Table {
        oracle,
        other,
        setting,
        actions: Vec::new(),
    };
    coverage.note("games");
    coverage.note(&format!("rules {}", setting.rules));
    coverage.choices(&setting.choices);
    coverage.position(&table.oracle);
    if let Some(over) = table.oracle.over() {
        coverage.note(&format!("end {}", over.reason.name()));
    }
    let (ours, theirs) = (table.oracle.starts(), table.other.starts());
    table.same("start", &ours, &theirs)?;
    let (ours, theirs) = (table.oracle.opening(), table.other.opening());
    for listener in Listener::ALL {
        let at = column(listener);
        table.same(&format!("opening to {listener:?}"), &ours[at], &theirs[at])?;
    }
    table.compare_state()?;

    let most = match style {
        Style::Shuffling => MAX_PLIES,
        Style::Plain | Style::Brisk | Style::Stubborn | Style::Pawns | Style::Hunting => {
            rng.random_range(20..=MAX_PLIES / 2)
        }
    };
    let mut plies = 0;
    let mut after_end = 0;
    for _ in 0..MAX_ATTEMPTS {
        let tries = table.oracle.tries();
        if let Some(theirs) = table.other.tries() {
            coverage.note("tries compared");
            table.same("tries", &texts(&tries), &texts(&theirs))?;
        }
        let action = walker.next(&table.oracle, &tries);
        let glance = Coverage::before(&table.oracle, action);
        table.actions.push(action);
        match (table.oracle.act(action), table.other.act(action)) {
            (Err(_), Err(_)) => coverage.note("refusals"),
            (Ok(ours), Err(theirs)) => {
                return Err(table.mismatch(format!("oracle {ours:?}\nother refuses: {theirs}")));
            }
            (Err(ours), Ok(theirs)) => {
                return Err(table.mismatch(format!("oracle refuses: {ours}\nother {theirs:?}")));
            }
            (Ok(ours), Ok(theirs)) => {
                table.same("answer", &ours.answer, &theirs.answer)?;
                for listener in Listener::ALL {
                    let at = column(listener);
                    table.same(
                        &format!("heard by {listener:?}"),
                        &ours.heard[at],
                        &theirs.heard[at],
                    )?;
                }
                if theirs.row.is_some() {
                    table.same("row", &ours.row, &theirs.row)?;
                }
                coverage.after(&glance, &ours, &table.oracle);
                if ours.answer == Answer::Moved {
                    plies += 1;
                    if let Action::Attempt(by, attempt) = action {
                        walker.moved(by, attempt);
                    }
                }
            }
        }
        table.compare_state()?;
        if table.oracle.over().is_some() {
            after_end += 1;
        }
        if after_end > 2 || plies >= most {
            break;
        }
    }
    table
        .other
        .audit()
        .map_err(|what| table.mismatch(format!("audit: {what}")))
}

fn texts(tries: &[rules::Try]) -> Vec<String> {
    tries.iter().map(ToString::to_string).collect()
}

/// Plays the games with these numbers, on two threads.
///
/// # Errors
/// A difference, if there is one.
pub fn run(numbers: std::ops::Range<u64>, opener: &Opener<'_>) -> Result<Coverage, Box<Mismatch>> {
    let share = |of: u64| -> Result<Coverage, Box<Mismatch>> {
        let mut coverage = Coverage::default();
        for number in numbers.clone().filter(|n| n % 32 / 16 == of) {
            let mut rng = ChaCha8Rng::seed_from_u64(number);
            let setting = setting(number, &mut rng);
            play(&setting, &mut rng, opener, &mut coverage)?;
        }
        Ok(coverage)
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| share(1));
        let mut coverage = share(0)?;
        coverage.merge(&other.join().expect("the second thread does not panic")?);
        Ok(coverage)
    })
}

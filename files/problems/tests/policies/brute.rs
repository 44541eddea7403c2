//! Brute force over policies: tries every policy (plan of one player) in games of the referee.

use std::collections::BTreeMap;

use problems::certify::mate_certificate;
use referee::Game;
use rules::{
    Answer, Attempt, Choices, Listener, Obligation, PawnTries, PromotionMan, Try, TryLimit, Winner,
    chess::Color, heard_by,
};
use solver::search::{Decision, MateQuestion, SearchLimits, Solver};

use super::{
    certificates::{certificate, proved},
    number,
    random::random,
};

/// Maximum number of attempts judged for one question. A question that needs more is left out.
const MAX_WORK: u64 = 400_000;
/// Maximum number of attempts judged for each subset of the possible positions.
const MAX_WORK_OF_PART: u64 = 20_000;

struct Brute {
    choices: Choices,
    seat: Color,
    work: u64,
    most: u64,
}

impl Brute {
    fn judge(&mut self, game: &mut Game, by: Color, attempt: Attempt) -> Option<(Answer, String)> {
        self.work += 1;
        let ruling = game.judge(by, attempt).ok()?;
        game.apply(&ruling.event);
        let heard: Vec<_> = heard_by(&ruling.calls, Listener::from(self.seat)).collect();
        Some((ruling.answer(), format!("{heard:?}")))
    }

    fn is_won(&self, game: &Game) -> bool {
        game.over()
            .is_some_and(|over| over.winner == Winner::from(self.seat))
    }

    /// Returns whether some policy wins all these games within `moves` own moves. The seat cannot
    /// tell the games apart. `tried` are the attempts of this turn. `None`: too much work.
    fn wins(&mut self, games: &[Game], moves: u8, tried: &[Attempt]) -> Option<bool> {
        if games.is_empty() {
            return Some(true);
        }
        if moves == 0 {
            return Some(false);
        }
        let mut options: Vec<Attempt> = Vec::new();
        let add = |options: &mut Vec<Attempt>, attempt: Attempt| {
            if !tried.contains(&attempt) && !options.contains(&attempt) {
                options.push(attempt);
            }
        };
        for game in games {
            for t in game.sheet().legal_tries() {
                add(&mut options, t.into());
            }
        }
        if self.choices.obligation == Obligation::Try {
            let own = games[0].sheet().position().own(self.seat);
            for from in own.men.pawn {
                for to in own.pawn_captures(from, own.all()) {
                    let t = own.with_default_promotion(
                        Try::step(from, to),
                        PromotionMan::QueenUnlessNamed,
                    );
                    add(&mut options, t.into());
                }
            }
        }
        if self.choices.pawn_tries == PawnTries::OnRequest {
            add(&mut options, Attempt::Any);
        }
        for option in options {
            if self.work > self.most {
                return None;
            }
            if self.holds(games, moves, tried, option)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Returns whether a policy that begins with this attempt wins all games.
    fn holds(
        &mut self,
        games: &[Game],
        moves: u8,
        tried: &[Attempt],
        option: Attempt,
    ) -> Option<bool> {
        let mut stay: BTreeMap<String, Vec<Game>> = BTreeMap::new();
        let mut next: BTreeMap<String, Vec<Game>> = BTreeMap::new();
        for game in games {
            let mut after = game.clone();
            let Some((answer, own)) = self.judge(&mut after, self.seat, option) else {
                // The referee refuses to answer Any? a second time in a turn.
                return Some(false);
            };
            if self.is_won(&after) {
                continue;
            }
            if after.over().is_some() {
                return Some(false);
            }
            if answer != Answer::Moved {
                stay.entry(own).or_default().push(after);
                continue;
            }
            if moves == 1 || self.can_exhaust(&after) {
                return Some(false);
            }
            for reply in after.sheet().legal_tries() {
                let mut then = after.clone();
                let by = self.seat.other();
                let (answer, heard) = self.judge(&mut then, by, reply.into())?;
                if answer != Answer::Moved || self.is_won(&then) {
                    continue;
                }
                if then.over().is_some() {
                    return Some(false);
                }
                next.entry(format!("{own} {heard}")).or_default().push(then);
            }
        }
        for group in next.values() {
            if !self.wins(group, moves - 1, &[])? {
                return Some(false);
            }
        }
        // An attempt that has the same answer in all games gives no information. Such an attempt
        // helps only if it meets an obligation.
        let told = stay.len() > 1 || stay.values().map(Vec::len).sum::<usize>() < games.len();
        if !told && self.choices.obligation != Obligation::Try {
            return Some(false);
        }
        let tried: Vec<Attempt> = tried.iter().copied().chain([option]).collect();
        for group in stay.values() {
            if !self.wins(group, moves, &tried)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// After three refused pawn captures in a turn, no other pawn capture may be tried. If no other
    /// move is legal then, the game ends. Returns whether the opponent, who is to move, can end the
    /// game in this way without losing.
    fn can_exhaust(&mut self, game: &Game) -> bool {
        if self.choices.try_limit == TryLimit::None {
            return false;
        }
        let by = self.seat.other();
        let mut game = game.clone();
        let own = game.sheet().position().own(by);
        for from in own.men.pawn {
            for to in own.pawn_captures(from, own.all()) {
                let t = own.with_default_promotion(Try::step(from, to), self.choices.promotion_man);
                if game.sheet().position().is_legal(t) {
                    continue;
                }
                self.judge(&mut game, by, t.into());
                if game.over().is_some() {
                    return !self.is_won(&game);
                }
            }
        }
        false
    }
}

/// Compares the solver with brute force, under every ruleset. Every certificate is checked.
#[test]
fn solver_agrees_with_brute_force_over_policies() {
    let wanted = number("KRIEGSPIEL_POLICIES", 600);
    let (mut compared, mut mates, mut certified, mut left_out, mut turns) = (0, 0, 0, 0, 0);
    let mut solver = Solver::with_bytes(1 << 20);
    let mut index = 0;
    while compared < wanted {
        index += 1;
        let Some(random) = random(index) else {
            continue;
        };
        let mut brute = Brute {
            choices: random.choices,
            seat: random.seat,
            work: 0,
            most: MAX_WORK,
        };
        let Some(expected) = brute.wins(&random.games(), random.moves, &[]) else {
            left_out += 1;
            continue;
        };
        let question = MateQuestion {
            choices: random.choices,
            compat: None,
            positions: random.situations(),
            moves: random.moves,
            turn: Default::default(),
        };
        let limits = SearchLimits {
            nodes: u64::MAX,
            stop: &|| false,
        };
        let told = format!(
            "belief {index}, {}, mate in {}: {:#?}",
            random.ruleset.id, random.moves, random.fens
        );
        let outcome = solver.solve(&question, limits);
        let outcome = outcome.unwrap_or_else(|error| panic!("{told}: {error}"));
        let found = match outcome.decision {
            Decision::Mate(_) => true,
            Decision::NoMate(_) => false,
            Decision::Undecided => panic!("{told}: not decided"),
        };
        assert_eq!(found, expected, "{told}");
        compared += 1;
        mates += u64::from(found);
        let certificate = certificate(&mut solver, &question, &outcome, random.ruleset);
        let certificate = certificate.unwrap_or_else(|| panic!("{told}: no certificate"));
        certified += 1;
        let text = certificate.write();
        assert_eq!(proved(&certificate), Ok(found), "{told}\n{text}");
        turns += u64::from(text.contains("\"rest\""));
    }
    println!("figure: random beliefs compared with brute force {compared}");
    println!("figure: mates among them {mates}");
    println!("figure: verdicts with a certificate that the referee confirms {certified}");
    println!("figure: certificates with a node for the rest of a turn {turns}");
    println!("figure: beliefs left out because brute force takes too long {left_out}");
    assert!(mates * 20 > compared, "{mates} mates of {compared}");
}

/// Compares the best policy with brute force over all subsets of the possible positions, under
/// every ruleset.
#[test]
fn best_policy_agrees_with_brute_force() {
    let wanted = number("KRIEGSPIEL_BEST_POLICIES", 60);
    let (mut compared, mut partly, mut bounded) = (0, 0, 0);
    let mut solver = Solver::with_bytes(1 << 20);
    for index in 1_000_000.. {
        if compared == wanted {
            break;
        }
        let Some(random) = random(index).filter(|random| random.fens.len() > 1) else {
            continue;
        };
        let games = random.games();
        let weights: Vec<f64> = (0..games.len() as u64)
            .map(|i| ((index * 7 + i * i * 5) % 4 + u64::from(i == 0)) as f64)
            .collect();
        let total: f64 = weights.iter().sum();
        let mut brute = Brute {
            choices: random.choices,
            seat: random.seat,
            work: 0,
            most: MAX_WORK_OF_PART,
        };
        // Greatest total weight of a set of positions such that one policy wins in every position of
        // the set.
        let mut expected = Some(0.0);
        for part in 1u32..1 << games.len() {
            let inside = |i: &usize| part & (1 << i) != 0;
            let some: Vec<Game> = (0..games.len())
                .filter(inside)
                .map(|i| games[i].clone())
                .collect();
            let weight: f64 = (0..games.len()).filter(inside).map(|i| weights[i]).sum();
            brute.work = 0;
            expected = match (expected, brute.wins(&some, random.moves, &[])) {
                (Some(best), Some(true)) => Some(weight.max(best)),
                (Some(best), Some(false)) => Some(best),
                (None, _) | (_, None) => None,
            };
        }
        let Some(expected) = expected else {
            continue;
        };
        let question = MateQuestion {
            choices: random.choices,
            compat: None,
            positions: random.situations(),
            moves: random.moves,
            turn: Default::default(),
        };
        let told = format!(
            "belief {index}, {}, mate in {}: {:#?}",
            random.ruleset.id, random.moves, random.fens
        );
        let limits = |nodes| SearchLimits {
            nodes,
            stop: &|| false,
        };
        let best = solver.best(&question, &weights, limits(u64::MAX));
        let best = best.unwrap_or_else(|error| panic!("{told}: {error}"));
        assert_eq!(best.lower, best.upper, "{told}");
        assert!(
            (best.lower * total - expected).abs() < 1e-9,
            "{told}: {best:?}, not {expected}"
        );
        let reached: f64 = best.positions.iter().map(|i| weights[*i]).sum();
        assert!((reached - expected).abs() < 1e-9, "{told}: {best:?}");
        if let Some(policy) = &best.policy {
            let some: Vec<_> = best
                .positions
                .iter()
                .map(|i| question.positions[*i])
                .collect();
            let certificate = mate_certificate(&random.ruleset.id, random.moves, &some, policy);
            assert_eq!(proved(&certificate), Ok(true), "{told}");
        }
        partly += u64::from(expected > 0.0 && expected < total);
        compared += 1;
        // If a limit ends the search, the bounds are still correct.
        let stopped = solver
            .best(&question, &weights, limits(1))
            .expect("the question is valid");
        assert!(
            stopped.lower <= best.lower && best.upper <= stopped.upper,
            "{told}: {stopped:?}"
        );
        let calls = std::cell::Cell::new(0);
        let few = SearchLimits {
            nodes: u64::MAX,
            stop: &|| {
                calls.set(calls.get() + 1);
                calls.get() > 1
            },
        };
        let stopped = solver
            .best(&question, &weights, few)
            .expect("the question is valid");
        assert!(
            stopped.lower <= best.lower && best.upper <= stopped.upper,
            "{told}: {stopped:?}"
        );
        bounded += u64::from(stopped.lower < stopped.upper);
    }
    println!("figure: random beliefs whose best policy agrees with brute force {compared}");
    println!("figure: beliefs whose best policy mates in some positions, but not in all {partly}");
    println!("figure: searches (for the best policy) that were ended by a limit {bounded}");
    assert!(partly * 10 > compared, "{partly} of {compared}");
}

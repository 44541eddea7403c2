//! What an attempt does in the positions that are possible, and what was wrong with it.

use rules::{
    Attempt, Choices, NoHeard, QuestionRule, Try, TryLimit, Winner,
    chess::{Role, Square},
};
use views::PlayerView;

use crate::{master::source::Possible, review::ReviewedTurn};

/// An attempt is a capture that is likely to be retaken if it captures in at least this share of the
/// positions in which it is played, and is retaken in at least this share of those.
const LIKELY: f32 = 0.5;
/// A draw is given away if the attempt ends the game so in at least this share of the positions.
const MIN_DRAWS: f32 = 0.01;
/// A refusal that costs nothing is worth a word if its share is at least this.
const MIN_FREE: f32 = 0.1;
/// A man is known to stand on a square if it does so in at least this share of the positions.
const MIN_KNOWN: f32 = 0.9;
/// Shares above this number are 1, but for the rounding of sums.
const ALL: f32 = 0.9999;

/// What an attempt does, as shares of the positions that are possible, 0 to 1.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Odds {
    /// It is played; of Any?: the answer is yes. The other shares are parts of this one.
    pub played: f32,
    /// It captures a man.
    pub captures: f32,
    /// It captures a man, and the opponent can capture on the same square.
    pub retaken: f32,
    /// The opponent can capture the man that moved.
    pub exposed: f32,
    /// It gives check, mate included.
    pub checks: f32,
    /// It mates.
    pub mates: f32,
    /// It ends the game in a draw.
    pub draws: f32,
}

impl Odds {
    /// Counts what an attempt does. The weights of the positions add up to 1.
    pub(crate) fn of(choices: &Choices, positions: &[Possible], made: Attempt) -> Odds {
        let mut odds = Odds::default();
        for Possible { at, weight } in positions {
            let Some(t) = made.as_try() else {
                let is_yes = made == Attempt::Any && at.position.pawn_tries().count > 0;
                odds.played += if is_yes { *weight } else { 0.0 };
                continue;
            };
            let Some((report, next)) = at.play(choices, t) else {
                continue;
            };
            let after = next.position;
            let mut is_exposed = false;
            after.each_legal(&[Role::Queen], |reply, _| {
                let taken = after.captured_by(reply);
                is_exposed |= taken.is_some_and(|taken| taken.square == t.to());
            });
            let captures = at.position.captured_by(t).is_some();
            let check = after.checkers().any();
            let is_draw = report.over.is_some_and(|over| over.winner == Winner::Draw);
            for (share, is_so) in [
                (&mut odds.played, true),
                (&mut odds.captures, captures),
                (&mut odds.retaken, captures && is_exposed),
                (&mut odds.exposed, is_exposed),
                (&mut odds.checks, check),
                (&mut odds.mates, check && !after.any_legal()),
                (&mut odds.draws, is_draw),
            ] {
                *share += if is_so { *weight } else { 0.0 };
            }
        }
        let all = [
            &mut odds.played,
            &mut odds.captures,
            &mut odds.retaken,
            &mut odds.exposed,
            &mut odds.checks,
            &mut odds.mates,
            &mut odds.draws,
        ];
        for share in all {
            *share = if *share > ALL { 1.0 } else { *share };
        }
        odds
    }
}

/// What was wrong with an attempt: a sentence that is true in the positions that were possible.
/// Shares are from 0 to 1.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Lapse {
    /// A capture was likely to be retaken.
    Retaken {
        /// Share of the positions with a retake, among those in which the attempt captures.
        share: f32,
    },
    /// Some pawn capture was legal in every position, the best attempt is one, and another attempt
    /// was made.
    PawnTry,
    /// The attempt gave a draw away.
    Draw {
        /// Share of the positions in which it ends the game in a draw.
        share: f32,
    },
    /// The best attempt could have been tried first for nothing: nobody else hears its refusal.
    Free {
        /// Share of the positions in which it is refused.
        share: f32,
    },
    /// Any? should have been asked first.
    AskAny {
        /// Share of the positions in which the answer is yes.
        share: f32,
    },
    /// A man was known to stand on a square, the best attempt hits it, and another attempt was made.
    Known {
        /// The man.
        role: Role,
        /// Its square.
        square: Square,
        /// Share of the positions in which it stands there.
        share: f32,
    },
}

/// Says what was wrong with an attempt of a marked turn.
pub(crate) fn lapses(
    view: &PlayerView,
    positions: &[Possible],
    reviewed: &ReviewedTurn,
) -> Vec<Lapse> {
    let choices = view.choices();
    let odds_of = |attempt| Odds::of(choices, positions, attempt);
    let ReviewedTurn { made, odds, .. } = reviewed;
    let made_try = made.as_try();
    let mut found = Vec::new();
    let is_capture = odds.captures > 0.0 && odds.captures >= LIKELY * odds.played;
    if is_capture && odds.retaken >= LIKELY * odds.captures {
        let share = odds.retaken / odds.captures;
        found.push(Lapse::Retaken { share });
    }
    if reviewed.asks && *made != Attempt::Any {
        let share = odds_of(Attempt::Any).played;
        found.push(Lapse::AskAny { share });
    }
    let Some(best) = reviewed.best.filter(|best| Some(*best) != made_try) else {
        return found;
    };
    let best_odds = odds_of(Attempt::Try(best));
    if odds.draws >= MIN_DRAWS.max(best_odds.draws + MIN_DRAWS) {
        found.push(Lapse::Draw { share: odds.draws });
    }
    if reviewed.asks {
        // The best attempt is that after the answer no.
        return found;
    }
    let is_pawn_capture = |t: Try| view.own().is_pawn_capture(t);
    if is_pawn_capture(best)
        && !made_try.is_some_and(is_pawn_capture)
        && odds_of(Attempt::Any).played > ALL
    {
        found.push(Lapse::PawnTry);
    }
    let is_free = choices.no_heard == NoHeard::Mover
        && choices.count == QuestionRule::Absent
        && choices.try_limit == TryLimit::None;
    let share = 1.0 - best_odds.played;
    if is_free && share >= MIN_FREE {
        found.push(Lapse::Free { share });
    }
    let square = best.to();
    if made_try.is_none_or(|made| made.to() != square) {
        let known = Role::ALL.into_iter().map(|role| {
            let stands =
                |one: &&Possible| one.at.man_at(square) == Some((view.color().other(), role));
            let share = positions.iter().filter(stands).map(|one| one.weight).sum();
            Lapse::Known {
                role,
                square,
                share,
            }
        });
        let is_known =
            |lapse: &Lapse| matches!(lapse, Lapse::Known { share, .. } if *share >= MIN_KNOWN);
        found.extend(known.filter(is_known));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::TurnReview;
    use rules::{Start, Wings, chess::Color, rulesets};

    /// Reviews an attempt of White, to whom only the positions `boards` are possible.
    fn reviewed(rules: &str, boards: &[&str], made: &str) -> ReviewedTurn {
        let choices = rulesets::by_id(rules)
            .expect("the id names a ruleset")
            .choices;
        let board = boards[0].parse().expect("the text is a board");
        let own = rules::Own::of(&board, Color::White, Wings::NONE, Default::default());
        let start = Start {
            rules: "".into(),
            own: Some(own),
            reserves: Default::default(),
        };
        let fens = boards.iter().map(|board| format!("{board} w - - 0 1"));
        let review = TurnReview::knowing(choices, Color::White, &start, fens.collect(), 1_000);
        let made = match made {
            "any" => Attempt::Any,
            made => Attempt::Try(made.parse().expect("the text is a try")),
        };
        review.expect("the positions are a start").attempt(made)
    }

    #[test]
    fn lapses_are_true_in_positions_counted_by_hand() {
        // The queen cannot take in one position, and is retaken in two of the other three.
        let protected = [
            "4k3/8/4p3/3p4/8/8/8/3QK3",
            "4k3/8/4p3/3p4/8/8/5p2/3QK3",
            "4k3/8/2p5/3p4/8/8/8/3QK3",
            "4k3/8/p7/3p4/8/8/8/3QK3",
        ];
        let knights = ["4k3/8/8/3n4/4P3/8/8/4K3", "4k3/8/8/5n2/4P3/8/8/4K3"];
        let stalemate = ["k7/8/2K5/7p/7P/8/8/1Q6", "8/8/2K4k/7p/7P/8/8/1Q6"];
        let queen = ["4k3/8/8/3q4/4P3/8/8/4K3", "4k3/8/8/6q1/4P3/8/8/4K3"];
        let known = [
            "4k3/1q6/8/8/8/8/8/1R2K3",
            "8/1q1k4/8/8/8/8/8/1R2K3",
            "8/1q5k/8/8/8/8/8/1R2K3",
        ];
        let mate = ["6k1/5ppp/8/8/8/8/8/R5K1", "6k1/5ppp/7n/8/8/8/8/R5K1"];
        for (rules, boards, made, expected) in [
            (
                "wild16",
                protected.as_slice(),
                "d1d5",
                "Retaken { share: 0.6666667 }, Free { share: 0.25 }",
            ),
            ("wild16", &knights, "e1e2", "PawnTry, Free { share: 0.5 }"),
            // Everybody hears the refusal.
            ("rand", &knights, "e1e2", "PawnTry"),
            ("wild16", &stalemate, "b1b6", "Draw { share: 0.5 }"),
            ("eastern", &queen, "e1f2", "AskAny { share: 0.5 }"),
            ("eastern", &queen, "any", ""),
            (
                "wild16",
                &known,
                "e1e2",
                "Known { role: Queen, square: B7, share: 1.0 }",
            ),
            ("wild16", &mate, "a1a7", "mate"),
        ] {
            let ReviewedTurn {
                is_mate, lapses, ..
            } = reviewed(rules, boards, made);
            let mut told: Vec<String> = lapses.iter().map(|lapse| format!("{lapse:?}")).collect();
            told.extend(is_mate.then(|| "mate".to_owned()));
            assert_eq!(told.join(", "), expected, "{rules}: {made}");
        }
    }

    #[test]
    fn any_is_worth_what_the_better_plan_gains() {
        let boards = ["4k3/8/8/3q4/4P3/8/8/4K3", "4k3/8/8/6q1/4P3/8/8/4K3"];
        let [asked, moved] = ["any", "e1f2"].map(|made| reviewed("eastern", &boards, made));
        let [asked, moved] = [asked.worth, moved.worth].map(|worth| worth.expect("a value"));
        assert!((asked.best - asked.made).abs() < 1e-4, "{asked:?}");
        assert!(moved.best - moved.made > 1.0, "{moved:?}");
    }
}

//! Random games: sensible and senseless attempts, questions, draw offers, and
//! actions out of turn.

use rand::{RngExt, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use rules::{
    Attempt, Choices, PawnTries, Px, QuestionRule, ReserveUse, Try,
    chess::{ByColor, Color, Role, Square},
};

use crate::{
    oracle::{End, Oracle},
    umpire::Action,
};

/// How the random players choose their attempts.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Style {
    /// Tries that seem worth making, and some legal moves.
    Plain,
    /// Mostly legal moves, so that the game advances.
    Brisk,
    /// Mostly illegal tries, as long as there are any.
    Stubborn,
    /// Mostly pawn captures; illegal captures more often than legal captures.
    Pawns,
    /// Moves to and fro, for repetitions and the fifty-move rule.
    Shuffling,
    /// Moves that leave the opponent few legal moves.
    Hunting,
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 6] = [
        Style::Plain,
        Style::Brisk,
        Style::Stubborn,
        Style::Pawns,
        Style::Shuffling,
        Style::Hunting,
    ];
}

/// The random players of one game.
#[derive(Clone, Debug)]
pub struct Walker {
    rng: ChaCha8Rng,
    style: Style,
    /// Last move of each side, so that the players can undo it.
    last: ByColor<Option<(Square, Square)>>,
    /// Tries made in this turn, so that the players can repeat them.
    asked: Vec<Try>,
}

/// Returns true with probability 1/`n`.
fn one_in(rng: &mut ChaCha8Rng, n: u32) -> bool {
    rng.random_range(0..n) == 0
}

fn any_square(rng: &mut ChaCha8Rng) -> Square {
    Square::new(rng.random_range(0..64))
}

fn any_role(rng: &mut ChaCha8Rng) -> Role {
    *Role::ALL.choose(rng).expect("the list is not empty")
}

fn any_color(rng: &mut ChaCha8Rng) -> Color {
    Color::from_white(rng.random_bool(0.5))
}

impl Walker {
    /// Creates players with a random style.
    pub fn new(mut rng: ChaCha8Rng) -> Walker {
        let style = *Style::ALL.choose(&mut rng).expect("there are styles");
        Walker::with_style(rng, style)
    }

    /// Creates players with this style.
    pub fn with_style(rng: ChaCha8Rng, style: Style) -> Walker {
        Walker {
            rng,
            style,
            last: ByColor::default(),
            asked: Vec::new(),
        }
    }

    /// Returns the next action in a game that is not over. `tries` are the
    /// tries worth making, as the oracle lists them.
    pub fn next(&mut self, oracle: &Oracle, tries: &[Try]) -> Action {
        let us = oracle.to_move().unwrap_or(Color::White);
        if let Some(action) = self.other_action(oracle, us) {
            return action;
        }
        let attempt = self
            .question(oracle.choices())
            .unwrap_or_else(|| Attempt::Try(self.choose(oracle, us, tries)));
        if let Attempt::Try(t) = attempt {
            self.asked.push(t);
        }
        Action::Attempt(us, attempt)
    }

    /// Records a move that was made, and starts a new turn.
    pub fn moved(&mut self, by: Color, attempt: Attempt) {
        self.asked.clear();
        if let Attempt::Try(Try::Step { from, to, .. }) = attempt {
            *self.last.get_mut(by) = Some((from, to));
        }
    }

    /// Returns, with a small probability, an attempt out of turn, an act about a draw, or an end of
    /// the game.
    fn other_action(&mut self, oracle: &Oracle, us: Color) -> Option<Action> {
        let rng = &mut self.rng;
        if one_in(rng, 150) {
            let attempts = [
                Attempt::Try(Try::step(any_square(rng), any_square(rng))),
                Attempt::Try(Try::Drop {
                    role: any_role(rng),
                    to: any_square(rng),
                }),
                Attempt::Any,
                Attempt::Px { promotion: None },
                Attempt::Count,
                Attempt::Recap,
            ];
            return Some(Action::Attempt(!us, *attempts.choose(rng)?));
        }
        if let Some(offered) = oracle.draw_offer()
            && one_in(rng, 5)
        {
            // A reaction to the open offer. Two in ten reactions accept the offer. (An offer by the
            // other player is an acceptance, too.) More acceptances would end too many games early.
            return Some(match rng.random_range(0..10) {
                0 => Action::Attempt(!offered, Attempt::AcceptDraw),
                1 => Action::Attempt(!offered, Attempt::OfferDraw),
                2..=5 => Action::Attempt(!offered, Attempt::DeclineDraw),
                6..=8 => Action::Attempt(offered, Attempt::WithdrawDraw),
                _ => Action::Attempt(offered, Attempt::OfferDraw),
            });
        }
        if one_in(rng, 110) {
            let attempts = [
                Attempt::OfferDraw,
                Attempt::OfferDraw,
                Attempt::OfferDraw,
                Attempt::AcceptDraw,
                Attempt::DeclineDraw,
                Attempt::WithdrawDraw,
            ];
            return Some(Action::Attempt(any_color(rng), *attempts.choose(rng)?));
        }
        if one_in(rng, 900) {
            let color = any_color(rng);
            let ends = [
                Action::Attempt(color, Attempt::Resign),
                Action::Attempt(color, Attempt::Resign),
                Action::End(End::Flag(color)),
                Action::End(End::Flag(color)),
                Action::End(End::Gone(color)),
                Action::End(End::GoneDraw(color)),
                Action::End(End::Abort),
            ];
            return Some(*ends.choose(rng)?);
        }
        None
    }

    /// Returns, with some probability, a question of the player to move. The probability is larger
    /// if the ruleset allows the question.
    fn question(&mut self, choices: &Choices) -> Option<Attempt> {
        let rng = &mut self.rng;
        let any = choices.pawn_tries == PawnTries::OnRequest;
        let asks = choices.count == QuestionRule::Aloud;
        let px = choices.px == Px::Present;
        if one_in(rng, if any { 6 } else { 300 }) {
            return Some(Attempt::Any);
        }
        if one_in(rng, if asks { 30 } else { 400 }) {
            return Some(*[Attempt::Count, Attempt::Recap].choose(rng)?);
        }
        if one_in(rng, if px { 12 } else { 400 }) {
            let promotion = match rng.random_range(0..8) {
                0 => Some(any_role(rng)),
                1 => Some(Role::Queen),
                _ => None,
            };
            return Some(Attempt::Px { promotion });
        }
        None
    }

    fn choose(&mut self, oracle: &Oracle, us: Color, tries: &[Try]) -> Try {
        if let Some(t) = self.senseless(oracle, us) {
            return t;
        }
        let legal = oracle.legal_tries();
        let rng = &mut self.rng;
        let picked = match self.style {
            Style::Plain => {
                if rng.random_bool(0.3) {
                    legal.choose(rng).copied()
                } else {
                    tries.choose(rng).copied()
                }
            }
            Style::Brisk => {
                if rng.random_bool(0.85) {
                    legal.choose(rng).copied()
                } else {
                    tries.choose(rng).copied()
                }
            }
            Style::Stubborn => {
                let idle: Vec<Try> = tries
                    .iter()
                    .filter(|t| !legal.contains(t))
                    .copied()
                    .collect();
                if rng.random_bool(0.985) {
                    idle.choose(rng).copied()
                } else {
                    legal.choose(rng).copied()
                }
            }
            Style::Pawns => {
                let captures: Vec<Try> = tries
                    .iter()
                    .filter(|t| oracle.is_pawn_capture(**t))
                    .copied()
                    .collect();
                let idle: Vec<Try> = captures
                    .iter()
                    .filter(|t| !legal.contains(t))
                    .copied()
                    .collect();
                match rng.random_range(0..10) {
                    0..=5 => idle.choose(rng).copied(),
                    6 => captures.choose(rng).copied(),
                    _ => legal.choose(rng).copied(),
                }
            }
            Style::Shuffling => {
                let back = self.last.get(us).map(|(from, to)| Try::step(to, from));
                if let Some(back) = back.filter(|t| legal.contains(t))
                    && rng.random_bool(0.7)
                {
                    Some(back)
                } else if rng.random_bool(0.9) {
                    let quiet: Vec<Try> = legal
                        .iter()
                        .filter(|t| is_quiet(oracle, **t))
                        .copied()
                        .collect();
                    quiet.choose(rng).copied()
                } else {
                    tries.choose(rng).copied()
                }
            }
            Style::Hunting => {
                if rng.random_bool(0.8) {
                    tightest(oracle, us, &legal, rng)
                } else {
                    tries.choose(rng).copied()
                }
            }
        };
        picked
            .or_else(|| legal.choose(&mut self.rng).copied())
            .unwrap_or_else(|| Try::step(any_square(&mut self.rng), any_square(&mut self.rng)))
    }

    /// Sometimes returns a try that a sensible player would not make: a random
    /// step, a repeat, castling, a pawn capture, a wrong promotion, or a drop.
    fn senseless(&mut self, oracle: &Oracle, us: Color) -> Option<Try> {
        let rng = &mut self.rng;
        let drops = oracle.choices().reserve == ReserveUse::Drops;
        if one_in(rng, 45) {
            return Some(Try::step(any_square(rng), any_square(rng)));
        }
        let men = oracle.men(us);
        if one_in(rng, 35) {
            let (from, _) = *men.choose(rng)?;
            return Some(Try::step(from, any_square(rng)));
        }
        if one_in(rng, if drops { 20 } else { 300 }) {
            return Some(Try::Drop {
                role: any_role(rng),
                to: any_square(rng),
            });
        }
        if one_in(rng, 25) {
            return self.asked.choose(rng).copied();
        }
        if let Some(passed) = oracle.passed()
            && rng.random_bool(0.5)
        {
            let takers: Vec<Try> = oracle
                .imaginable()
                .into_iter()
                .filter(|t| t.to() == passed && oracle.is_pawn_capture(*t))
                .collect();
            if let Some(t) = takers.choose(rng) {
                return Some(*t);
            }
        }
        if one_in(rng, 8)
            && let Some(t) = inviting_step(oracle, us)
        {
            return Some(t);
        }
        if one_in(rng, 6) {
            let castlings: Vec<Try> = king_steps(&men)
                .filter(|t| oracle.imaginable().contains(t))
                .collect();
            if let Some(t) = castlings.choose(rng) {
                return Some(*t);
            }
        }
        if one_in(rng, 40) {
            let (king, _) = *men.iter().find(|(_, role)| *role == Role::King)?;
            let files = if rng.random_bool(0.5) { 2 } else { -2 };
            let to = king.offset(files)?;
            return Some(Try::step(king, to));
        }
        if one_in(rng, 20) {
            let imaginable = oracle.imaginable();
            let captures: Vec<Try> = imaginable
                .into_iter()
                .filter(|t| oracle.is_pawn_capture(*t))
                .collect();
            return captures.choose(rng).copied();
        }
        if one_in(rng, 25) {
            return oracle.imaginable().choose(rng).copied();
        }
        if one_in(rng, 25) {
            let promoting: Vec<Try> = oracle
                .imaginable()
                .into_iter()
                .filter(|t| matches!(t, Try::Step { promotion, .. } if promotion.is_some() || rng.random_bool(0.05)))
                .collect();
            let Try::Step { from, to, .. } = *promoting.choose(rng)? else {
                return None;
            };
            let promotion = match rng.random_range(0..3) {
                0 => None,
                _ => Some(any_role(rng)),
            };
            return Some(Try::Step {
                from,
                to,
                promotion,
            });
        }
        None
    }
}

/// Returns the king's steps of two squares, if the king is on e1 or e8.
fn king_steps(men: &[(Square, Role)]) -> impl Iterator<Item = Try> {
    let king = men
        .iter()
        .find(|(sq, role)| *role == Role::King && [Square::E1, Square::E8].contains(sq))
        .map(|(sq, _)| *sq);
    [-2, 2]
        .into_iter()
        .filter_map(move |files| Some(Try::step(king?, king?.offset(files)?)))
}

/// Returns a legal double step that ends next to an enemy pawn, which could
/// then capture en passant.
fn inviting_step(oracle: &Oracle, us: Color) -> Option<Try> {
    let is_enemy_pawn = |sq: Square| oracle.man_at(sq) == Some((!us, Role::Pawn));
    oracle.legal_tries().into_iter().find(|t| {
        let Try::Step { from, to, .. } = *t else {
            return false;
        };
        let pawn = oracle
            .man_at(from)
            .is_some_and(|(_, role)| role == Role::Pawn);
        let double = u32::from(from).abs_diff(u32::from(to)) == 16;
        let beside = [-1, 1]
            .into_iter()
            .filter_map(|files| to.offset(files))
            .any(|sq| sq.rank() == to.rank() && is_enemy_pawn(sq));
        pawn && double && beside
    })
}

/// Whether a try is neither a capture nor a pawn move.
fn is_quiet(oracle: &Oracle, t: Try) -> bool {
    match t {
        Try::Step { from, to, .. } => {
            oracle.man_at(to).is_none()
                && oracle
                    .man_at(from)
                    .is_some_and(|(_, role)| role != Role::Pawn)
        }
        Try::Drop { .. } => false,
    }
}

/// Examines up to five random legal moves, and returns the move that leaves
/// the opponent the fewest legal moves.
fn tightest(oracle: &Oracle, us: Color, legal: &[Try], rng: &mut ChaCha8Rng) -> Option<Try> {
    legal.sample(rng, 5).copied().min_by_key(|t| {
        let mut after = oracle.clone();
        let answered = after.attempt(us, Attempt::Try(*t)).is_ok();
        (!answered, after.legal_tries().len())
    })
}

//! The bot `metaposition`: searches over metapositions.
//!
//! The bot follows P. Ciancarini and G. P. Favini, "Representing Kriegspiel states with
//! metapositions", Proceedings of IJCAI 2007. The ideas are from this paper. The code and all
//! weights are our own.
//!
//! - A metaposition merges all possible positions into one board. The board has the own men, and
//!   for each square the roles that a man of the opponent on this square can have.
//! - A *pseudomove* is an own try that is assumed to be legal. A *metamove* stands for all moves
//!   of the opponent at once: every man of the opponent may make every move.
//! - The value of a metaposition is the sum of three parts. The material part also counts the
//!   danger and the protection of each own man. The second part counts the squares that the own men
//!   reach. The third part is the value of information: it is less if the own men have not visited
//!   some squares for a long time.
//! - *Weighted maximax*: the value of a pseudomove is a weighted mean of two values. One is the
//!   value of the metaposition after the pseudomove, the other is the value of the best pseudomove
//!   after the following metamove.
//!
//! The list of attempts of a turn is computed before the first attempt. After a refusal, the bot
//! makes the next attempt of this list.

use rules::{
    Attempt, CapturedMan, CheckTold, Choices, Heard, Own, Tries, Try,
    chess::{Bitboard, ByRole, Role, Square, attacks},
};
use views::PlayerView;

use super::{budget_left::BudgetLeft, free_question, value};
use crate::{
    budget::Budget,
    dice::{Dice, Seed},
    player::Player,
    sparring::{
        guess::{attackers, reach},
        told::{self, Fact, MoveFacts},
    },
};

/// Number of nodes that the bot may use in a turn, if the budget is [`Budget::Usual`] or
/// [`Budget::Within`].
const USUAL_NODES: u64 = 3_000;

/// Weight of the value of the metaposition after a pseudomove. The value of the best next
/// pseudomove has the weight 1 minus this number.
const STATIC_WEIGHT: f64 = 0.6;

/// Maximum age of a square. The age is the number of own moves since an own man last visited the
/// square. It does not increase beyond this maximum.
const MAX_AGE: u8 = 20;

/// Probability that the opponent makes a possible capture of an own man, if the opponent has not
/// heard where this man is.
const BLIND_CAPTURE: f64 = 0.35;

/// A metaposition, seen from one side.
#[derive(Clone, Debug)]
struct Metaposition {
    own: Own,
    /// For each role, the squares on which a man of the opponent with this role may stand.
    may: ByRole<Bitboard>,
    /// Estimated number of the opponent's pawns.
    pawns: f64,
    /// Estimated number of the opponent's men without the pawns and the king.
    pieces: f64,
    /// Age of each square: the number of own moves since an own man last visited the square.
    ages: [u8; 64],
    /// Square of an own man, if the opponent has heard that the man is there.
    known: Option<Square>,
}

impl Metaposition {
    /// Returns the metaposition at the start of a game. The opponent is assumed to have the
    /// mirrored men of `own`, even if the start is not the usual one.
    fn initial(own: Own) -> Metaposition {
        let mut may = own.men;
        for men in may.iter_mut() {
            *men = men.flip_vertical();
        }
        let pawns = may.pawn.count() as f64;
        let all = may.into_iter().fold(Bitboard::EMPTY, |all, men| all | men);
        Metaposition {
            own,
            may,
            pawns,
            pieces: (all.count() as f64 - pawns - 1.0).max(0.0),
            ages: [0; 64],
            known: None,
        }
    }

    /// Returns the squares on which a man of the opponent may stand.
    fn occupied(&self) -> Bitboard {
        self.may
            .into_iter()
            .fold(Bitboard::EMPTY, |all, men| all | men)
    }

    fn clear(&mut self, squares: Bitboard) {
        for men in self.may.iter_mut() {
            *men &= !squares;
        }
        for square in squares {
            self.ages[square.to_usize()] = 0;
        }
    }

    /// Makes an own move, which is legal. So no man of the opponent is on the squares that the move
    /// passes.
    fn pseudomove(&mut self, t: Try) {
        let to = t.to();
        let way = match t {
            Try::Step { from, .. } => attacks::between(from, to).with(from),
            Try::Drop { .. } => Bitboard::EMPTY,
        };
        self.own.play(t);
        for age in &mut self.ages {
            *age = (*age + 1).min(MAX_AGE);
        }
        self.clear(way.with(to));
        self.known = None;
    }

    /// Removes the opponent's king from the squares that own men certainly attack.
    fn no_check(&mut self) {
        let certain = self.certain_attacks();
        let king = self.may.king & !certain;
        if king.any() {
            self.may.king = king;
        }
    }

    /// Returns the squares that own men attack, no matter where the men of the opponent are.
    fn certain_attacks(&self) -> Bitboard {
        let blockers = self.own.all() | self.occupied();
        self.own
            .men
            .zip_role()
            .into_iter()
            .flat_map(|(role, men)| men.into_iter().map(move |from| (role, from)))
            .fold(Bitboard::EMPTY, |all, (role, from)| {
                all | reach(&self.own, role, from, blockers)
            })
    }

    /// Makes all moves of the opponent at the same time, except captures.
    fn metamove(&mut self) {
        let own = self.own.all();
        let color = self.own.color.other();
        let last = Own { color, ..self.own }.last_rank();
        let mut may = self.may;
        for role in Role::ALL {
            let mut reached = Bitboard::EMPTY;
            for from in *self.may.get(role) {
                if role == Role::Pawn {
                    let pawn = Own { color, ..self.own };
                    reached |= pawn.pawn_pushes(from, own);
                } else {
                    // Own men block lines. Men of the opponent do not, because they may have moved
                    // out of the way.
                    reached |= attacks::attacks(from, role.of(color), own);
                }
            }
            *may.get_mut(role) |= reached & !own;
        }
        let promoted = may.pawn & Bitboard::from_rank(last);
        may.pawn &= !promoted;
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            *may.get_mut(role) |= promoted;
        }
        self.may = may;
        let king = self.may.king & !self.certain_attacks();
        if king.any() {
            self.may.king = king;
        }
    }

    /// Makes a move of the opponent that captured on `square`: only the capturing man has moved.
    fn captured(&mut self, square: Square) {
        let blockers = self.own.all();
        let color = self.own.color.other();
        for role in Role::ALL {
            let capturers = match role {
                Role::Pawn => attacks::pawn_attacks(color.other(), square),
                Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                    attacks::attacks(square, role.of(color), blockers)
                }
            };
            if (*self.may.get(role) & capturers).any() {
                self.may.get_mut(role).add(square);
            }
        }
    }

    /// Updates the metaposition with a fact that was heard.
    fn learn(&mut self, choices: &Choices, fact: &Fact) {
        match fact {
            Fact::Moved(facts) => match facts.played {
                Some(t) if facts.by == self.own.color => self.moved(choices, facts, t),
                Some(_) | None => self.replied(choices, facts),
            },
            Fact::Refused(_) | Fact::Any { .. } => {}
        }
    }

    fn moved(&mut self, choices: &Choices, facts: &MoveFacts, t: Try) {
        let passing = self.own.is_pawn_capture(t);
        self.pseudomove(t);
        if let Some(capture) = facts.capture {
            let (pawns, pieces) = match capture.man {
                Some(CapturedMan::Pawn | CapturedMan::Exactly(Role::Pawn)) => (1.0, 0.0),
                Some(CapturedMan::Piece | CapturedMan::Exactly(_)) => (0.0, 1.0),
                None => {
                    let all = (self.pawns + self.pieces).max(1.0);
                    (self.pawns / all, self.pieces / all)
                }
            };
            self.pawns = (self.pawns - pawns).max(0.0);
            self.pieces = (self.pieces - pieces).max(0.0);
            self.known = Some(t.to());
            if passing && let Some(square) = capture.square {
                self.clear(Bitboard::from_square(square));
            }
        }
        match (choices.check, facts.check) {
            (CheckTold::Silent, _) => {}
            (CheckTold::Bare | CheckTold::Directions, None) => self.no_check(),
            (CheckTold::Bare | CheckTold::Directions, Some(_)) => {
                let own = self.own.all();
                let attacked = self
                    .own
                    .men
                    .zip_role()
                    .into_iter()
                    .flat_map(|(role, men)| men.into_iter().map(move |from| (role, from)))
                    .fold(Bitboard::EMPTY, |all, (role, from)| {
                        all | reach(&self.own, role, from, own)
                    });
                let king = self.may.king & attacked;
                if king.any() {
                    self.may.king = king;
                }
            }
        }
    }

    fn replied(&mut self, choices: &Choices, facts: &MoveFacts) {
        match (facts.lost, facts.drop) {
            (Some((square, _)), _) => {
                self.own.lose(square);
                self.captured(square);
            }
            (None, Some(role)) => {
                let free = !self.own.all();
                *self.may.get_mut(role) |= free;
                if role == Role::Pawn {
                    self.pawns += 1.0;
                } else {
                    self.pieces += 1.0;
                }
            }
            (None, None) => self.metamove(),
        }
        let Some(king) = self.own.king() else {
            return;
        };
        if facts.check.is_none() && choices.check != CheckTold::Silent {
            // No check was announced, so no man is where it would certainly give check.
            self.may.knight &= !attacks::knight_attacks(king);
            self.may.pawn &= !attacks::pawn_attacks(self.own.color, king);
            let near = attacks::king_attacks(king);
            self.may.queen &= !near;
            self.may.king &= !near;
        }
        let none = match facts.tries {
            Tries::Untold => false,
            Tries::Whether(any) => !any,
            Tries::Count(count) => count == 0,
            Tries::Squares(squares) => squares.is_empty(),
            Tries::SinglesAndDoubles { singles, doubles } => (singles | doubles).is_empty(),
        };
        if none {
            for pawn in self.own.men.pawn {
                let targets = attacks::pawn_attacks(self.own.color, pawn);
                for men in self.may.iter_mut() {
                    *men &= !targets;
                }
            }
        }
    }

    /// Returns the assumed number of the opponent's men with a role. The numbers of queens, rooks,
    /// bishops and knights are assumed to have the same ratios as at the usual start.
    fn men_of(&self, role: Role) -> f64 {
        match role {
            Role::Pawn => self.pawns,
            Role::Knight | Role::Bishop | Role::Rook => self.pieces * 2.0 / 7.0,
            Role::Queen => self.pieces / 7.0,
            Role::King => 1.0,
        }
    }

    /// Returns the expected number of men of a role on `squares`.
    fn expected(&self, role: Role, squares: Bitboard) -> f64 {
        let may = *self.may.get(role);
        let all = may.count() as f64;
        if all == 0.0 {
            return 0.0;
        }
        self.men_of(role).min(all) * (may & squares).count() as f64 / all
    }

    /// Returns the expected number of men of the opponent that attack `square`.
    fn attackers(&self, square: Square) -> f64 {
        let color = self.own.color.other();
        // About half of the distant attacks are assumed to be blocked by a man that the bot does
        // not see.
        let blockers = self.own.all();
        Role::ALL
            .into_iter()
            .map(|role| {
                let from = match role {
                    Role::Pawn => attacks::pawn_attacks(color.other(), square),
                    Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                        attacks::attacks(square, role.of(color), blockers)
                    }
                };
                let near = from & attacks::king_attacks(square);
                let far = match role {
                    Role::Knight => self.expected(role, from),
                    Role::Pawn | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                        0.5 * self.expected(role, from & !near)
                    }
                };
                far + self.expected(role, near)
            })
            .sum()
    }

    /// Returns the mean value of what a capture on `square` wins, in pawns. The mean includes the
    /// case that the square is empty; in this case the capture wins 0.
    fn prey(&self, square: Square) -> f64 {
        let square = Bitboard::from_square(square);
        Role::ALL
            .into_iter()
            .filter(|role| *role != Role::King)
            .map(|role| value(role) * self.expected(role, square))
            .sum()
    }

    /// Returns the expected number of the opponent's men on `square`, without the king.
    fn presence(&self, square: Square) -> f64 {
        let square = Bitboard::from_square(square);
        let roles = Role::ALL.into_iter().filter(|role| *role != Role::King);
        roles.map(|role| self.expected(role, square)).sum::<f64>()
    }

    /// Returns the value of this metaposition after an own move, in pawns.
    fn worth(&self) -> f64 {
        let own = &self.own;
        let all = own.all();
        let lone = self.pawns + self.pieces < 0.5;
        let mut worth = -self.pawns - 3.9 * self.pieces;
        for (role, men) in own.men.zip_role() {
            for square in men {
                let attacked = 1.0 - (-self.attackers(square)).exp();
                let protectors = attackers(own, square, all).count() as f64;
                let tries = if self.known == Some(square) {
                    1.0
                } else {
                    BLIND_CAPTURE
                };
                if role == Role::King {
                    worth -= if lone { 0.0 } else { attacked };
                    continue;
                }
                let man = value(role);
                let at_stake = if protectors > 0.0 {
                    (man - 2.5).max(0.3)
                } else {
                    man
                };
                worth += man - attacked * tries * at_stake;
                let squares = (reach(own, role, square, all) & !all).count() as f64;
                worth += 0.02 * squares;
                if role == Role::Pawn {
                    let steps = square.rank().distance(own.last_rank());
                    worth += 0.02 * f64::from(7 - steps.min(7)).powi(2);
                }
            }
        }
        let age: f64 = self.ages.iter().map(|age| f64::from(*age)).sum();
        worth -= 0.0006 * age;
        // The value is greater if the opponent's king can be on fewer squares. The number of
        // squares counts more if the king is alone.
        let hunted = if lone { 0.15 } else { 0.01 };
        worth -= hunted * self.may.king.count() as f64;
        if lone && let Some(king) = own.king() {
            let distance: u32 = self.may.king.into_iter().map(|sq| sq.distance(king)).sum();
            worth -= 0.2 * f64::from(distance) / (self.may.king.count() as f64).max(1.0);
        }
        worth
    }

    /// Returns the metaposition after the pseudomove `t`, and the expected value of the man that
    /// `t` captures.
    fn after(&self, t: Try) -> (Metaposition, f64) {
        let mut after = self.clone();
        let presence = self.presence(t.to());
        let prey = self.prey(t.to());
        let gain = if self.own.is_pawn_capture(t) && presence > 0.0 {
            // A pawn capture is legal only if there is a man to capture. So the mean value is taken
            // only over the cases with a man on the target square.
            prey / presence
        } else {
            prey
        };
        after.pseudomove(t);
        if presence > 0.4 {
            after.known = Some(t.to());
        }
        (after, gain.min(9.0))
    }
}

/// The bot `metaposition`; see the comment of the module.
#[derive(Clone, Debug)]
pub struct MetapositionPlayer {
    dice: Dice,
    facts: Vec<Fact>,
    meta: Option<Metaposition>,
    left: BudgetLeft,
    /// The attempts of this turn, best first; `None` before the first attempt.
    list: Option<Vec<Try>>,
    /// Earlier placements of the own men; newest last.
    placements: Vec<ByRole<Bitboard>>,
}

impl MetapositionPlayer {
    /// Returns a player with this seed.
    pub fn new(seed: Seed) -> MetapositionPlayer {
        MetapositionPlayer {
            dice: Dice::new(seed),
            facts: Vec::new(),
            meta: None,
            left: BudgetLeft::new(Budget::Usual, USUAL_NODES),
            list: None,
            placements: Vec::new(),
        }
    }

    /// Updates the metaposition with what was heard, and returns it.
    fn learn(&mut self, view: &PlayerView) -> Metaposition {
        let start = || {
            // No fact has been used so far, so the metaposition begins at the start of the game.
            let usual = PlayerView::initial(*view.choices(), view.color());
            Metaposition::initial(*usual.own())
        };
        let mut meta = self.meta.take().unwrap_or_else(start);
        for fact in std::mem::take(&mut self.facts) {
            meta.learn(view.choices(), &fact);
        }
        if meta.own.men != view.own().men {
            // The game began from another position.
            meta = Metaposition::initial(*view.own());
            let free = !view.own().all();
            for men in meta.may.iter_mut() {
                *men = free;
            }
            meta.may.pawn &= !Bitboard::BACKRANKS;
        }
        meta.own = *view.own();
        meta
    }

    /// Returns how often the placement after a try was reached before.
    fn repetitions(&self, own: &Own, t: Try) -> f64 {
        let mut after = *own;
        after.play(t);
        let same = self.placements.iter().filter(|men| **men == after.men);
        same.count() as f64
    }

    /// Returns all tries, best first.
    fn rank(&mut self, meta: &Metaposition, tries: &[Try]) -> Vec<Try> {
        struct Ranked {
            t: Try,
            value: f64,
            after: Metaposition,
            searched: bool,
        }
        let mut allowance = self.left.allow(self.left.clock(), 1);
        let mut ranked: Vec<Ranked> = Vec::with_capacity(tries.len());
        for t in tries {
            let (after, gain) = meta.after(*t);
            let noise = f64::from(self.dice.below(1024)) / 1024.0 * 0.02;
            let value = after.worth() + gain - 0.3 * self.repetitions(&meta.own, *t) + noise;
            allowance.take(1);
            ranked.push(Ranked {
                t: *t,
                value,
                after,
                searched: false,
            });
        }
        ranked.sort_by(|a, b| b.value.total_cmp(&a.value));
        let (mut improved, mut searched) = (0.0, 0_u32);
        let mut next = Vec::new();
        'all: for ranked in &mut ranked {
            let mut meta = ranked.after.clone();
            meta.metamove();
            let reply = view_tries(&meta.own, &mut next);
            let mut best = f64::NEG_INFINITY;
            for t in reply {
                if !allowance.take(1) {
                    break 'all;
                }
                let (after, gain) = meta.after(*t);
                best = best.max(after.worth() + gain);
            }
            if best.is_finite() {
                let value = STATIC_WEIGHT * ranked.value + (1.0 - STATIC_WEIGHT) * best;
                improved += value - ranked.value;
                searched += 1;
                ranked.value = value;
                ranked.searched = true;
            }
        }
        // A search changes the value of a try. The tries that were not searched get the mean
        // change. So searched and other tries can be compared.
        let change = improved / f64::from(searched.max(1));
        for ranked in ranked.iter_mut().filter(|ranked| !ranked.searched) {
            ranked.value += change;
        }
        ranked.sort_by(|a, b| b.value.total_cmp(&a.value));
        self.left.spend(allowance);
        ranked.into_iter().map(|ranked| ranked.t).collect()
    }
}

/// Writes to `moves` the moves that are imaginable from the own men alone, without pawn captures
/// and castling.
fn view_tries<'a>(own: &Own, moves: &'a mut Vec<Try>) -> &'a [Try] {
    moves.clear();
    let all = own.all();
    for (role, men) in own.men.zip_role() {
        for from in men {
            let targets = if role == Role::Pawn {
                own.pawn_pushes(from, all)
            } else {
                reach(own, role, from, all) & !all
            };
            for to in targets {
                let promotes = role == Role::Pawn && to.rank() == own.last_rank();
                moves.push(Try::Step {
                    from,
                    to,
                    promotion: promotes.then_some(Role::Queen),
                });
            }
        }
    }
    moves
}

impl Player for MetapositionPlayer {
    fn hear(&mut self, heard: &Heard) {
        told::note(&mut self.facts, heard);
    }

    fn begin_turn(&mut self, budget: Budget) {
        self.left = BudgetLeft::new(budget, USUAL_NODES);
        self.list = None;
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        if let Some(question) = free_question(view, tries) {
            return question;
        }
        let meta = self.learn(view);
        let list = match self.list.take() {
            Some(list) => list,
            None => {
                self.placements.push(view.own().men);
                self.rank(&meta, tries)
            }
        };
        self.meta = Some(meta);
        let best = list.iter().copied().find(|t| tries.contains(t));
        self.list = Some(list);
        // After an answer to Any?, the list may contain none of the remaining tries.
        best.or_else(|| self.dice.pick(tries))
            .map_or(Attempt::Resign, Attempt::Try)
    }
}

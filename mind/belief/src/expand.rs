//! Computes the positions after the opponent's move from the positions before that move.

use position::Position;
use rules::{
    Choices, Try,
    chess::{Bitboard, Color, Role, Square, attacks},
};

use crate::{
    compat::Compat,
    entries::Entry,
    hidden::Hidden,
    known::Known,
    men::Men,
    model::Model,
    moves::{Man, Moves},
    opponent_refusals::{Admitted, TheirTurn},
    report::Report,
    situation::clock,
};

/// Input that is the same for all positions before the opponent's move.
pub(crate) struct Expansion<'a> {
    pub choices: &'a Choices,
    /// What the seat knew before the opponent's move.
    pub known: &'a Known,
    /// What was heard in the opponent's turn before the move.
    pub turn: &'a TheirTurn,
    /// What was heard about the move.
    pub report: &'a Report,
    /// How the opponent is assumed to choose a move.
    pub model: &'a Model,
    /// Changes to the rules. They are needed only to compare results with another project.
    pub compat: Option<Compat>,
}

impl Expansion<'_> {
    /// Plays each move of the opponent from `entry`. Appends the resulting position to `into` if
    /// this position agrees with what was heard.
    ///
    /// `moves` is scratch space. Afterwards `moves` holds the opponent's moves in `entry`.
    #[inline]
    pub(crate) fn expand<H: Hidden>(
        &self,
        entry: &Entry<H>,
        moves: &mut Moves,
        into: &mut Vec<Entry<H>>,
    ) {
        let men = entry.hidden.unpack();
        let position = self.known.position(&men);
        moves.list(&position);
        let drops = self.known.drops && !self.known.reserve.is_empty();
        let admitted = self.turn.admits(self.choices, &position);
        if admitted != Admitted::ALL {
            if !admitted.can_move() {
                return;
            }
            if !(admitted.captures && admitted.others) {
                let by = position.turn();
                moves.restrict(admitted.captures, |from| attacks::pawn_attacks(by, from));
            }
        }
        let dropped = if drops && admitted.others {
            self.drops(&position)
        } else {
            Vec::new()
        };
        let count = moves.count() as usize + dropped.len();
        let mut shares = std::mem::take(&mut moves.shares);
        let each = self
            .model
            .shares(self, &position, moves, dropped.len(), &mut shares);
        let one = One {
            expansion: self,
            entry,
            men: &men,
            position: &position,
            last: moves.last,
            even: entry.weight / count.max(1) as f64,
            shares: each.then_some(&shares[..]),
        };
        let mut index = 0;
        if self.report.drop.is_none() {
            for man in moves.men() {
                one.try_man(moves, man, index, into);
                index += moves.count_of(man) as usize;
            }
        } else {
            index = moves.count() as usize;
        }
        for (role, to) in dropped {
            if self.report.drop == Some(role) {
                one.try_general(role, Try::Drop { role, to }, one.share(index), into);
            }
            index += 1;
        }
        moves.shares = shares;
    }

    fn drops(&self, position: &Position) -> Vec<(Role, Square)> {
        let mut all = Vec::new();
        for (role, _) in self.known.reserve.iter() {
            all.extend(position.legal_drops(role).into_iter().map(|to| (role, to)));
        }
        all
    }
}

/// One position before the opponent's move.
struct One<'a, H> {
    expansion: &'a Expansion<'a>,
    entry: &'a Entry<H>,
    men: &'a Men,
    position: &'a Position,
    last: Bitboard,
    /// The weight of the position after each move, if the model makes all moves equally likely.
    even: f64,
    /// The probability of each move, if the moves are not equally likely.
    shares: Option<&'a [f64]>,
}

impl<H: Hidden> One<'_, H> {
    /// Returns the possible target squares of a man of this role. If the seat heard that it lost a
    /// man, only captures of this man are possible. The target is then the square of the lost man.
    /// For a pawn that captures en passant, the target is the en passant square.
    #[inline]
    fn landings(&self, role: Role) -> Bitboard {
        let known = self.expansion.known;
        let passed = known.passed.filter(|_| role == Role::Pawn);
        let passed = passed.map_or(Bitboard::EMPTY, Bitboard::from_square);
        match self.expansion.report.lost {
            None => !(known.own.all() | passed),
            Some((lost, _)) => {
                let beside = known.passed.is_some_and(|sq| {
                    sq.file() == lost.file() && sq.rank().distance(lost.rank()) == 1
                });
                let there = Bitboard::from_square(lost);
                if beside { there | passed } else { there }
            }
        }
    }

    /// Returns the weight of the position after the move with this index.
    #[inline]
    fn share(&self, index: usize) -> f64 {
        match self.shares {
            None => self.even,
            Some(shares) => (self.entry.weight * shares[index]).max(f64::MIN_POSITIVE),
        }
    }

    /// Plays each move of one man, and appends each resulting position that agrees with what was
    /// heard. `first` is the index of the man's first move.
    #[inline]
    fn try_man(&self, moves: &Moves, man: &Man, first: usize, into: &mut Vec<Entry<H>>) {
        let targets = man.targets & self.landings(man.role);
        let rights = !self.men.castling.is_empty() && matches!(man.role, Role::King | Role::Rook);
        let plain = !rights && self.expansion.report.lost.is_none() && !self.expansion.known.drops;
        let promotes = man.role == Role::Pawn && (man.targets & self.last).any();
        for to in targets {
            let before = Bitboard((1u64 << to.to_u32()) - 1);
            let nth = || (man.targets & before).count();
            if plain && !promotes {
                let share = match self.shares {
                    None => self.even,
                    Some(_) => self.share(first + nth()),
                };
                self.try_plain(man.role, man.from, to, share, into);
            } else {
                let each = if promotes { moves.promotions.len() } else { 1 };
                let mut index = first + nth() * each;
                moves.each_to(man, to, |t| {
                    self.try_general(man.role, t, self.share(index), into);
                    index += 1;
                });
            }
        }
    }

    /// Plays a move that captures nothing, does not promote and does not change castling rights.
    /// Appends the resulting position if it agrees with what was heard.
    #[inline]
    fn try_plain(
        &self,
        role: Role,
        from: Square,
        to: Square,
        share: f64,
        into: &mut Vec<Entry<H>>,
    ) {
        let Expansion {
            choices, report, ..
        } = self.expansion;
        if report.capture.is_some() || report.promotion {
            return;
        }
        let mut after = *self.position;
        after.shift(from, to, role);
        let quiet = clock(self.men.quiet, role, false, choices);
        if !report.agrees_with(choices, &after, &after.seen(), quiet) {
            return;
        }
        let passed = match after.passed() {
            None => None,
            Some(passed) if self.expansion.compat.is_some() => Some(passed.file()),
            Some(_) => after.legal_en_passant().map(|sq| sq.file()),
        };
        into.push(Entry {
            hidden: self.entry.hidden.shifted(from, to, passed, quiet),
            weight: share,
        });
    }

    /// Does the same as `try_plain` for a move of any kind, but is slower.
    fn try_general(&self, role: Role, t: Try, share: f64, into: &mut Vec<Entry<H>>) {
        let Expansion {
            choices,
            report,
            known,
            ..
        } = self.expansion;
        let mut after = *self.position;
        let taken = after.play_man(t, role, known.drops);
        let seat: Color = known.seat();
        if !Report::of_move(choices, seat, t, taken, &after).agrees_in_move(report) {
            return;
        }
        let quiet = clock(self.men.quiet, role, taken.is_some(), choices);
        if !report.agrees_with(choices, &after, &after.seen(), quiet) {
            return;
        }
        let mut next: Known = **known;
        next.to_move = seat;
        into.push(Entry {
            hidden: H::pack(&Men::in_position(&after, next.seat(), quiet)),
            weight: share,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        hidden::Small,
        model::{Cues, Decisions, Opponent, Study},
        situation::Situation,
    };
    use rules::{Own, Reserve, Start, Wings, chess::Board, rulesets::WILD16};

    /// The weight after each move of the opponent equals the probability that
    /// `Decisions` computes for the move from the same model.
    #[test]
    fn weights_of_replies_are_the_models_probabilities() {
        let choices = WILD16.choices;
        let own = Own::of(&Board::new(), Color::White, Wings::BOTH, Reserve::EMPTY);
        let start = Start {
            rules: "wild16".into(),
            own: Some(own),
            reserves: Default::default(),
        };
        let study = Study::open(choices, Color::White, &start);
        let opponent = Opponent::shipped();
        let model = Model::fitted();
        let mut seen = 0;
        for fen in [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "r3k2r/ppp2ppp/2n5/3qp3/1bPP4/2N5/PP2PPPP/R1BQKB1R b KQkq - 0 1",
            "4k3/8/8/3b4/8/8/1p3pP1/R2K2N1 b - - 0 1",
        ] {
            let before = Situation::from_fen(&choices, Color::White, fen).unwrap();
            let entry = Entry {
                hidden: Small::pack(&before.men()),
                weight: 1.0,
            };
            before.successors(&choices, |t, report, next| {
                let mut one = Decisions::default();
                study.decide(&before, t, &mut one);
                let expected = one.likelihood(Some(&opponent)).per_move.exp();
                let turn = TheirTurn {
                    cues: Cues::default(),
                    ..TheirTurn::default()
                };
                let expansion = Expansion {
                    choices: &choices,
                    known: &before.known(),
                    turn: &turn,
                    report: &report,
                    model: &model,
                    compat: None,
                };
                let mut into = Vec::new();
                expansion.expand(&entry, &mut Moves::none(&choices), &mut into);
                let same = |entry: &&Entry<Small>| entry.hidden == Small::pack(&next.men());
                let found = into.iter().find(same).unwrap();
                let weight = found.weight;
                assert!(
                    (weight / expected - 1.0).abs() < 1e-5,
                    "{t}: {weight} {expected}"
                );
                seen += 1;
            });
        }
        assert!(seen > 60, "{seen}");
    }
}

//! From the positions before the opponent's move to those after it.

use referee::kernel::Position;
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
    report::Report,
    situation::clock,
    their_turn::{Admitted, TheirTurn},
};

/// What does not change while the opponent's replies are expanded.
pub(crate) struct Expansion<'a> {
    pub choices: &'a Choices,
    /// What the seat knew before the move.
    pub known: &'a Known,
    /// What was heard of the turn.
    pub turn: &'a TheirTurn,
    /// What was heard of the move.
    pub report: &'a Report,
    /// How the opponent is believed to choose.
    pub model: &'a Model,
    /// Rules to depart from.
    pub compat: Option<Compat>,
}

impl Expansion<'_> {
    /// Appends every position that the opponent's move can have made of one.
    ///
    /// `moves` is scratch space of the caller.
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
            if !admitted.goes_on() {
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
        let count = moves.count() + dropped.len() as u32;
        let one = One {
            expansion: self,
            entry,
            men: &men,
            position: &position,
            last: moves.last,
        };
        let uniform = entry.weight / f64::from(count.max(1));
        let shares = self.model.shares(self, &position, moves, &dropped);
        let share = |index: usize| match &shares {
            None => uniform,
            Some(shares) => (entry.weight * shares[index]).max(f64::MIN_POSITIVE),
        };
        let mut index = 0;
        if shares.is_some() {
            moves.each(|role, t| {
                if one.wants(role, t.to()) {
                    one.try_general(role, t, share(index), into);
                }
                index += 1;
            });
        } else if self.report.drop.is_none() {
            for man in moves.men() {
                one.try_man(moves, man, uniform, into);
            }
        }
        for (role, to) in dropped {
            if self.report.drop == Some(role) {
                one.try_general(role, Try::Drop { role, to }, share(index), into);
            }
            index += 1;
        }
    }

    fn drops(&self, position: &Position) -> Vec<(Role, Square)> {
        let mut all = Vec::new();
        for (role, _) in self.known.reserve.iter() {
            all.extend(position.legal_drops(role).into_iter().map(|to| (role, to)));
        }
        all
    }
}

/// One position before the move.
struct One<'a, H> {
    expansion: &'a Expansion<'a>,
    entry: &'a Entry<H>,
    men: &'a Men,
    position: &'a Position,
    last: Bitboard,
}

impl<H: Hidden> One<'_, H> {
    /// The squares on which a man of that role can have landed, by what was
    /// heard to be lost.
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

    fn wants(&self, role: Role, to: Square) -> bool {
        self.expansion.report.drop.is_none() && self.landings(role).contains(to)
    }

    #[inline]
    fn try_man(&self, moves: &Moves, man: &Man, share: f64, into: &mut Vec<Entry<H>>) {
        let targets = man.targets & self.landings(man.role);
        let rights = !self.men.castling.is_empty() && matches!(man.role, Role::King | Role::Rook);
        let plain = !rights && self.expansion.report.lost.is_none() && !self.expansion.known.drops;
        for to in targets {
            if plain && !(man.role == Role::Pawn && self.last.contains(to)) {
                self.try_plain(man.role, man.from, to, share, into);
            } else {
                moves.each_to(man, to, |t| self.try_general(man.role, t, share, into));
            }
        }
    }

    /// A move that takes nothing, promotes nothing and leaves the rights alone.
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

    /// Any move.
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
            hidden: H::pack(&next.men(&after, quiet)),
            weight: share,
        });
    }
}

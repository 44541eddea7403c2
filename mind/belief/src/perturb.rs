//! Perturbs positions, to rejuvenate a sample that starves.
//!
//! If hardly any position of a sample agrees with what is heard, the true position is seldom in the
//! sample. But the true position is often similar to a position of the sample: only one or two men
//! are on other squares. A perturbed position agrees with the last announcements, but it need not
//! agree with earlier ones.

use rules::{
    Choices, Direction, Directions, Wings,
    chess::{Bitboard, Role, Square, attacks},
};

use crate::{known::Known, men::Men, own_turn::OwnStep, report::Report, sample::Draws};

/// Numbers of knights, bishops, rooks and queens that one side has at the usual start. A perturbed
/// position does not have more men of these roles.
const USUAL: [(Role, usize); 4] = [
    (Role::Knight, 2),
    (Role::Bishop, 2),
    (Role::Rook, 2),
    (Role::Queen, 1),
];

/// What the seat heard since the opponent's move.
pub(crate) struct Since<'a> {
    /// What the seat knows after the opponent's move.
    pub known: &'a Known,
    /// The report about the opponent's move.
    pub report: &'a Report,
    /// The steps of the seat's turn that followed, each with what the seat knew before it.
    pub own: &'a [(Known, OwnStep)],
}

impl Since<'_> {
    /// Returns the men with one to three changes; a man stands on the square of an announced capture,
    /// and may give an announced check. Returns `None` if a change is not possible.
    pub(crate) fn perturb(&self, before: &Men, draws: &mut Draws) -> Option<Men> {
        let Since { known, report, own } = *self;
        let mut men = *before;
        let taken = known.own.all() & men.all();
        for (role, squares) in before.by_role.zip_role() {
            *men.by_role.get_mut(role) = squares & !taken;
        }
        let mut kept = Bitboard::EMPTY;
        let captured = own.iter().find_map(|(_, step)| match step {
            OwnStep::Moved(what, report, _) => report.capture.map(|_| what.to()),
            OwnStep::Refused(_) | OwnStep::Any(_) => None,
        });
        for square in [report.lost.map(|(square, _)| square), captured] {
            let Some(square) = square else { continue };
            kept.add(square);
            if !men.all().contains(square) && !known.own.all().contains(square) {
                let from = nth(men.all() & !kept, draws)?;
                let role = men.role_at(from)?;
                place(&mut men, (from, role), square);
            }
        }
        if let (Some(king), Some(directions)) = (known.own.king(), report.check) {
            give_check(&mut men, known, king, directions, draws);
        }
        let changes = match draws.below(10) {
            0..=5 => 1,
            6..=8 => 2,
            _ => 3,
        };
        for _ in 0..changes {
            let from = nth(men.all() & !kept, draws)?;
            let role = men.role_at(from)?;
            match draws.below(10) {
                0..=6 => slide(&mut men, (from, role), known, draws)?,
                7 | 8 => relocate(&mut men, (from, role), known, draws)?,
                _ => replace(&mut men, (from, role), draws)?,
            }
        }
        if (before.by_role.king, before.by_role.rook) != (men.by_role.king, men.by_role.rook) {
            men.castling = Wings::NONE;
        }
        men.passed = None;
        let pawns = men.by_role.pawn & Bitboard::BACKRANKS;
        (men.by_role.king.count() == 1 && pawns.is_empty()).then_some(men)
    }

    /// Returns whether the position after the opponent's move agrees with the report.
    pub(crate) fn agrees(&self, men: &Men, choices: &Choices) -> bool {
        let position = self.known.position(men);
        !self.is_exposed(men)
            && self
                .report
                .agrees_with(choices, &position, &position.seen(), men.quiet)
    }

    /// Returns whether the seat could be to move, made no move yet, and had its refused tries refused.
    pub(crate) fn is_possible(&self, men: &Men) -> bool {
        let position = self.known.position(men);
        !self.is_exposed(men)
            && self.own.iter().all(|(_, step)| match step {
                OwnStep::Refused(what) => !position.is_legal(*what),
                OwnStep::Any(_) => true,
                OwnStep::Moved(..) => false,
            })
    }

    /// Returns whether the seat could capture the opponent's king.
    fn is_exposed(&self, men: &Men) -> bool {
        let position = self.known.position(men);
        let seat = self.known.seat();
        let king = position.king(seat.other());
        position.attackers(king, seat, position.occupied()).any()
    }
}

/// Returns a square of a set, drawn at random; `None` if the set is empty.
fn nth(set: Bitboard, draws: &mut Draws) -> Option<Square> {
    let count = set.count();
    if count == 0 {
        return None;
    }
    set.into_iter().nth(draws.below(count as u64) as usize)
}

/// Moves a man to an empty square that the man can reach. A pawn is moved one square ahead or back.
fn slide(
    men: &mut Men,
    (from, role): (Square, Role),
    known: &Known,
    draws: &mut Draws,
) -> Option<()> {
    let occupied = known.own.all() | men.all();
    let targets = match role {
        Role::Pawn => {
            let near = [8, -8].into_iter().filter_map(|step| from.offset(step));
            near.filter(|to| !Bitboard::BACKRANKS.contains(*to))
                .collect()
        }
        Role::Knight => attacks::knight_attacks(from),
        Role::Bishop => attacks::bishop_attacks(from, occupied),
        Role::Rook => attacks::rook_attacks(from, occupied),
        Role::Queen => attacks::queen_attacks(from, occupied),
        Role::King => attacks::king_attacks(from),
    };
    place(men, (from, role), nth(targets & !occupied, draws)?);
    Some(())
}

/// Moves a man other than a pawn to any empty square. A bishop stays on squares of its colour.
fn relocate(
    men: &mut Men,
    (from, role): (Square, Role),
    known: &Known,
    draws: &mut Draws,
) -> Option<()> {
    let empty = !(known.own.all() | men.all());
    let targets = match role {
        Role::Pawn => return None,
        Role::Bishop if from.is_light() => empty & Bitboard::LIGHT_SQUARES,
        Role::Bishop => empty & Bitboard::DARK_SQUARES,
        Role::Knight | Role::Rook | Role::Queen | Role::King => empty,
    };
    place(men, (from, role), nth(targets, draws)?);
    Some(())
}

/// Replaces a man by a man of another role, if the opponent has fewer men of that role than at the
/// usual start.
fn replace(men: &mut Men, (from, role): (Square, Role), draws: &mut Draws) -> Option<()> {
    let (other, most) = USUAL[draws.below(USUAL.len() as u64) as usize];
    let fits = !matches!(role, Role::Pawn | Role::King)
        && other != role
        && men.by_role.get(other).count() < most;
    fits.then(|| {
        men.by_role.get_mut(role).toggle(from);
        men.by_role.get_mut(other).toggle(from);
    })
}

fn place(men: &mut Men, (from, role): (Square, Role), to: Square) {
    men.by_role.get_mut(role).toggle(from);
    men.by_role.get_mut(role).toggle(to);
}

/// Puts a man where it gives an announced check, if it can be such a man.
fn give_check(
    men: &mut Men,
    known: &Known,
    king: Square,
    directions: Directions,
    draws: &mut Draws,
) {
    let occupied = known.own.all() | men.all();
    let direction = directions.iter().next().unwrap_or_else(|| {
        let n = draws.below(Direction::ALL.len() as u64);
        Direction::ALL[n as usize]
    });
    let m = &men.by_role;
    let able = match direction {
        Direction::Rank | Direction::File => m.rook | m.queen,
        Direction::Long | Direction::Short => m.bishop | m.queen,
        Direction::Knight => m.knight,
    };
    let line = direction.reach(king, known.own.all());
    if (able & line).any() {
        return;
    }
    if let (Some(from), Some(to)) = (nth(able, draws), nth(line & !occupied, draws))
        && let Some(role) = men.role_at(from)
    {
        place(men, (from, role), to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::situation::Situation;
    use rules::{chess::Color, rulesets::WILD16};

    #[test]
    fn perturbed_positions_can_agree_with_the_last_report() {
        let choices = WILD16.choices;
        let fen = "r3k2r/ppp2ppp/2n2n2/3qp3/1b1P4/2N5/PP2PPPP/R1BQKB1R w KQkq - 0 1";
        let start =
            Situation::from_fen(&choices, Color::White, fen).expect("the FEN is a position");
        let position = start.position;
        let report = Report {
            lost: Some((Square::B4, Role::Pawn)),
            tries: position::announcements::tries(&choices, &position, &position.seen()),
            ..Report::default()
        };
        let since = Since {
            known: &start.known(),
            report: &report,
            own: &[],
        };
        let mut draws = Draws::new();
        let mut found = 0;
        for _ in 0..900 {
            let Some(men) = since.perturb(&start.men(), &mut draws) else {
                continue;
            };
            assert!(men.by_role.bishop.contains(Square::B4), "{men:?}");
            assert_eq!(men.all().count(), start.men().all().count());
            found += usize::from(since.agrees(&men, &choices));
        }
        assert!(found > 150, "{found}");
    }
}

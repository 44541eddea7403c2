//! Invents positions that are similar to given positions.
//!
//! If hardly any position of a sample agrees with what is heard, the true position is seldom in the
//! sample. But the true position is often similar to a position of the sample: only one or two men
//! are on other squares. An invented position agrees with the last announcements, but it need not
//! agree with earlier ones.

use rules::{
    Choices, Direction, Directions, Wings,
    chess::{Bitboard, Role, Square, attacks},
};

use crate::{
    entries::{Entries, Entry, merge, normalise},
    hidden::Hidden,
    known::Known,
    men::Men,
    own_turn::OwnStep,
    report::Report,
    sample::Draws,
};

/// Maximum number of changed positions that are examined for each wanted position.
const ATTEMPTS: usize = 3;

/// Maximum number of proposals of a rejuvenation for each wanted position.
const PROPOSALS: usize = 40;

/// Numbers of knights, bishops, rooks and queens that one side has at the usual start. An invented
/// position does not have more men of these roles.
const USUAL: [(Role, usize); 4] = [
    (Role::Knight, 2),
    (Role::Bishop, 2),
    (Role::Rook, 2),
    (Role::Queen, 1),
];

/// Adds at most `wanted` invented positions to `entries`. All invented positions together get the
/// total weight of `entries`, multiplied by `share`. `known` is what the seat knows after the
/// opponent's move, `report` is what the seat heard about this move. Returns the number of
/// positions that were examined.
pub(crate) fn add<H: Hidden>(
    entries: &mut Entries<H>,
    (known, report): (&Known, &Report),
    choices: &Choices,
    (wanted, share): (usize, f64),
    draws: &mut Draws,
) -> usize {
    if entries.is_empty() || share <= 0.0 {
        return 0;
    }
    let total: f64 = entries.iter().map(|entry| entry.weight).sum();
    let mut found: Entries<H> = Vec::new();
    let mut examined = 0;
    while found.len() < wanted && examined < ATTEMPTS * wanted {
        examined += 1;
        let base = entries[draws.below(entries.len() as u64) as usize];
        let Some(men) = changed(&base.hidden.unpack(), known, report, draws) else {
            continue;
        };
        let position = known.position(&men);
        let exposed = position.attackers(
            position.king(known.seat().other()),
            known.seat(),
            position.occupied(),
        );
        if exposed.is_empty() && report.agrees_with(choices, &position, &position.seen(), men.quiet)
        {
            found.push(Entry {
                hidden: H::pack(&men),
                weight: base.weight,
            });
        }
    }
    let sum: f64 = found.iter().map(|entry| entry.weight).sum();
    if sum > 0.0 {
        for entry in &mut found {
            entry.weight *= share * total / sum;
        }
        entries.append(&mut found);
        merge(entries, 1);
    }
    examined
}

/// Returns the men with one, two or three changes; `None` if a change is not possible.
fn changed(before: &Men, known: &Known, report: &Report, draws: &mut Draws) -> Option<Men> {
    let mut men = *before;
    let kept = report
        .lost
        .map_or(Bitboard::EMPTY, |(square, _)| Bitboard::from_square(square));
    let changes = match draws.below(10) {
        0..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    for _ in 0..changes {
        let movable: Bitboard = men.all() & !kept;
        let from = nth(movable, draws)?;
        let role = men.role_at(from)?;
        match draws.below(10) {
            0..=5 => slide(&mut men, (from, role), known, draws)?,
            6 | 7 => relocate(&mut men, (from, role), known, draws)?,
            8 => exchange(&mut men, (from, role), movable, draws)?,
            _ => replace(&mut men, (from, role), draws)?,
        }
    }
    if (before.by_role.king, before.by_role.rook) != (men.by_role.king, men.by_role.rook) {
        men.castling = Wings::NONE;
    }
    men.passed = None;
    Some(men)
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

/// Exchanges the squares of two men of different roles, none of them a pawn.
fn exchange(
    men: &mut Men,
    (from, role): (Square, Role),
    movable: Bitboard,
    draws: &mut Draws,
) -> Option<()> {
    let others = movable & !men.by_role.pawn & !*men.by_role.get(role);
    let to = nth(others, draws).filter(|_| role != Role::Pawn)?;
    let other = men.role_at(to)?;
    men.by_role.get_mut(role).toggle(from);
    men.by_role.get_mut(role).toggle(to);
    men.by_role.get_mut(other).toggle(to);
    men.by_role.get_mut(other).toggle(from);
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

/// What the seat heard since the positions from which a rejuvenation starts.
pub(crate) struct Since<'a> {
    /// What the seat knows after the opponent's move.
    pub known: &'a Known,
    /// The report about the opponent's move.
    pub report: &'a Report,
    /// The steps of the seat's turn that followed, each with what the seat knew before it.
    pub own: &'a [(Known, OwnStep)],
}

/// Rejuvenates an empty sample: returns at most `wanted` positions that are similar to positions of
/// `before` and agree with what the seat heard since. If there is none, returns positions that
/// agree only with the refusals.
pub(crate) fn rejuvenate<H: Hidden>(
    before: &Entries<H>,
    since: &Since<'_>,
    choices: &Choices,
    wanted: usize,
    draws: &mut Draws,
) -> Entries<H> {
    let (mut found, mut possible) = (Entries::new(), Entries::new());
    for _ in 0..wanted * PROPOSALS {
        if before.is_empty() || found.len() >= wanted {
            break;
        }
        let base = before[draws.below(before.len() as u64) as usize];
        let Some(men) = proposal(&base.hidden.unpack(), since, draws) else {
            continue;
        };
        let position = since.known.position(&men);
        let seat = since.known.seat();
        let exposed = position.attackers(position.king(seat.other()), seat, position.occupied());
        if exposed.any() {
            continue;
        }
        let mut entry = Entry {
            hidden: H::pack(&men),
            weight: 1.0,
        };
        let heard = since
            .report
            .agrees_with(choices, &position, &position.seen(), men.quiet);
        let mut steps = since.own.iter();
        if heard && steps.all(|(known, step)| step.admits(&mut entry, known, choices, None)) {
            found.push(entry);
        } else if possible.len() < wanted
            && since.own.iter().all(|(_, step)| match step {
                OwnStep::Refused(what) => !position.is_legal(*what),
                OwnStep::Any(_) => true,
                OwnStep::Moved(..) => false,
            })
        {
            possible.push(Entry {
                hidden: H::pack(&men),
                weight: 1.0,
            });
        }
    }
    if found.is_empty() {
        found = possible;
    }
    merge(&mut found, 1);
    normalise(&mut found);
    found
}

/// Returns the men with up to three changes, such that a man stands on the square of an announced
/// capture, and may give an announced check.
fn proposal(before: &Men, since: &Since<'_>, draws: &mut Draws) -> Option<Men> {
    let Since { known, report, own } = since;
    let mut men = *before;
    let taken = known.own.all() & men.all();
    for (role, squares) in before.by_role.zip_role() {
        *men.by_role.get_mut(role) = squares & !taken;
    }
    let mut kept = Bitboard::EMPTY;
    let captured = own.iter().find_map(|(_, step)| match step {
        OwnStep::Moved(what, report, _) => {
            report.and_then(|report| report.capture).map(|_| what.to())
        }
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
    for _ in 0..draws.below(4) {
        let from = nth(men.all() & !kept, draws)?;
        let role = men.role_at(from)?;
        if slide(&mut men, (from, role), known, draws).is_none() {
            relocate(&mut men, (from, role), known, draws)?;
        }
    }
    if (before.by_role.king, before.by_role.rook) != (men.by_role.king, men.by_role.rook) {
        men.castling = Wings::NONE;
    }
    men.passed = None;
    let pawns = men.by_role.pawn & Bitboard::BACKRANKS;
    (men.by_role.king.count() == 1 && pawns.is_empty()).then_some(men)
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
    use crate::{hidden::Small, situation::Situation};
    use rules::{chess::Color, rulesets::WILD16};

    #[test]
    fn invented_positions_agree_with_the_last_report() {
        let choices = WILD16.choices;
        let fen = "r3k2r/ppp2ppp/2n2n2/3qp3/1b1P4/2N5/PP2PPPP/R1BQKB1R w KQkq - 0 1";
        let start = Situation::from_fen(&choices, Color::White, fen).unwrap();
        let position = start.position;
        let known = start.known();
        let report = Report {
            lost: Some((Square::B4, Role::Pawn)),
            tries: position::announcements::tries(&choices, &position, &position.seen()),
            ..Report::default()
        };
        let mut entries = vec![Entry {
            hidden: Small::pack(&start.men()),
            weight: 0.5,
        }];
        let heard = (&known, &report);
        add(
            &mut entries,
            heard,
            &choices,
            (300, 0.25),
            &mut Draws::new(),
        );
        assert!(entries.len() > 50, "{}", entries.len());
        let total: f64 = entries.iter().map(|entry| entry.weight).sum();
        assert!((total - 0.625).abs() < 1e-9, "{total}");
        for entry in entries {
            let men = entry.hidden.unpack();
            let position = known.position(&men);
            assert!(report.agrees_with(&choices, &position, &position.seen(), men.quiet));
            assert!(men.by_role.bishop.contains(Square::B4), "{men:?}");
            assert_eq!(men.all().count(), start.men().all().count());
            // Black has just moved, so White must not be able to capture the king.
            let king = position.king(Color::Black);
            let attackers = position.attackers(king, Color::White, position.occupied());
            assert!(attackers.is_empty(), "{men:?}");
        }
    }
}

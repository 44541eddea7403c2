//! The two subroutines of the program of 1975: KSREF judges an attempt and plays it, LEGAL only
//! judges it.

use position::{Captured, PawnTryFacts, Position};
use rules::{
    Direction, Directions, Try,
    chess::{CastlingSide, Rank, Role, Square},
    corner,
};

use crate::{
    iboard::{CORNERS, Iboard, code, sign},
    idata::{Idata, coordinates},
    minfo::{Cell, Minfo},
    nos::Nos,
    refusal::{BoardFault, Refusal},
    truth,
    verdict::{self, Rules, TriesTold, Verdict, judge},
};

/// The referee of 1975. This type has no state: all state is in the four arrays.
#[derive(Copy, Clone, Debug)]
pub struct Ksref;

impl Ksref {
    /// Returns the arrays at the start of a game.
    pub fn start(rules: Rules) -> (Iboard, Minfo, Nos) {
        let mut minfo = Minfo::new(rules);
        minfo[Cell::MTERMN] = 1;
        minfo[Cell::MCOLOR] = 1;
        (Iboard::default(), minfo, Nos::default())
    }

    /// Computes the sheet of a supplied board, as if a move had just led to this board. The sheet
    /// contains the side to move, checks, tries, and whether the game is over. If the game is over,
    /// ICOLOR is set to 0.
    ///
    /// `icastl` and `ipassh` are kept if the men agree with them, and cleared
    /// otherwise. [`Iboard::of_men`] derives them from the men alone.
    /// `Iboard::from(&StartPosition)` takes them from the start position.
    ///
    /// # Errors
    /// [`Refusal::Board`] if the board is not possible in a game.
    pub fn supplied(rules: Rules, iboard: &mut Iboard) -> Result<(Minfo, Nos), Refusal> {
        let position = truth::position(iboard)?;
        if truth::can_capture_king(&position) {
            return Err(BoardFault::OppositeCheck.into());
        }
        let mover = position.turn();
        if iboard.passed(mover).is_none() {
            iboard.ipassh = 0;
        }
        write_rights(iboard, &position);
        let minfo = sheet(rules, &position, None, false);
        if minfo[Cell::MTERMN] != 1 {
            iboard.icolor = 0;
        }
        Ok((minfo, Nos::default()))
    }

    /// Judges one attempt. Plays it if it is legal, and writes the sheet.
    ///
    /// A legal move changes IBOARD and ICOLOR, clears NOS and rewrites MINFO. The answers *no* and
    /// *heck-no* change MATMPT; *no* also changes MNOS and NOS. A try request changes MTRYEA. IDATA
    /// never changes.
    ///
    /// # Errors
    /// A [`Refusal`] if the attempt cannot be judged. The reasons are: the game is over or has not
    /// been started, a try was requested under Western rules, or the board is impossible. Nothing
    /// is changed in these cases.
    pub fn call(
        idata: &mut Idata,
        iboard: &mut Iboard,
        minfo: &mut Minfo,
        nos: &mut Nos,
    ) -> Result<(), Refusal> {
        match minfo[Cell::MTERMN] {
            1 => {}
            2 | 3 => return Err(Refusal::Over),
            other => return Err(Refusal::NotStarted(other)),
        }
        let rules = minfo.rules().ok_or(Refusal::Rules(minfo[Cell::MRULES]))?;
        let position = open(iboard)?;
        if idata.itryrq == 1 {
            return match rules {
                Rules::Western => Err(Refusal::NoRequests),
                Rules::Eastern => {
                    minfo[Cell::MTRYEA] = if position.pawn_tries().count > 0 {
                        2
                    } else {
                        1
                    };
                    Ok(())
                }
            };
        }
        let verdict = if idata.itryrq == 0 {
            judge(&position, told(rules, minfo), nos, idata)
        } else {
            Err(Verdict::HeckNo)
        };
        match verdict {
            Ok(t) => {
                if iboard.man(t.to()) == -iboard.icolor * code(Role::King) {
                    return Err(BoardFault::OppositeCheck.into());
                }
                let (after, captured) = play(iboard, position, t);
                let promoted = matches!(
                    t,
                    Try::Step {
                        promotion: Some(_),
                        ..
                    }
                );
                *minfo = sheet(rules, &after, captured, promoted);
                if minfo[Cell::MTERMN] != 1 {
                    iboard.icolor = 0;
                }
                nos.clear();
            }
            Err(verdict) => {
                minfo[Cell::MATMPT] = verdict.number();
                if verdict == Verdict::No {
                    minfo[Cell::MNOS] = minfo[Cell::MNOS].saturating_add(1);
                    if let Some(Try::Step { from, to, .. }) = idata.as_try() {
                        nos.note(from, to);
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the verdict on an attempt and changes nothing, like the function LEGAL of 1975 with
    /// ITYPE 2. Only the board decides: promotion piece, try request, announced pawn tries,
    /// obligations and repeats are ignored. The rules decide about a diagonal pawn step onto
    /// nothing: *heck-no* under Western rules, *no* under Eastern rules.
    ///
    /// # Errors
    /// A [`Refusal`] if the board is not valid, or the game is over.
    pub fn legal(idata: &Idata, iboard: &Iboard, rules: Rules) -> Result<Verdict, Refusal> {
        match verdict::legal(&open(iboard)?, rules, idata) {
            Ok(t) if iboard.man(t.to()) == -iboard.icolor * code(Role::King) => {
                Err(BoardFault::OppositeCheck.into())
            }
            Ok(_) => Ok(Verdict::Legal),
            Err(verdict) => Ok(verdict),
        }
    }
}

/// Converts the board to a position.
fn open(iboard: &Iboard) -> Result<Position, Refusal> {
    if iboard.icolor == 0 {
        return Err(Refusal::Over);
    }
    Ok(truth::position(iboard)?)
}

fn told(rules: Rules, minfo: &Minfo) -> TriesTold {
    match (rules, minfo[Cell::MTRYEA]) {
        (Rules::Western, _) => TriesTold::Squares,
        (Rules::Eastern, 1) => TriesTold::None,
        (Rules::Eastern, 2) => TriesTold::Some,
        (Rules::Eastern, _) => TriesTold::Nothing,
    }
}

/// Writes the castling rights of the position to `icastl`.
fn write_rights(iboard: &mut Iboard, position: &Position) {
    for (cell, (color, side, _)) in iboard.icastl.iter_mut().zip(CORNERS) {
        *cell = i8::from(position.castling(color).has(side));
    }
}

/// Plays a legal move on the board and in the position.
fn play(iboard: &mut Iboard, before: Position, t: Try) -> (Position, Option<Captured>) {
    let mut after = before;
    let captured = after.play(t, false);
    let us = before.turn();
    if let Some(taken) = captured {
        iboard.put(taken.square, 0);
    }
    iboard.ipassh = 0;
    if let Try::Step {
        from,
        to,
        promotion,
    } = t
    {
        let man = iboard.man(from);
        iboard.put(from, 0);
        iboard.put(to, promotion.map_or(man, |role| sign(us) * code(role)));
        let file = to.file();
        if man == sign(us) * code(Role::Pawn) && from.rank().distance(to.rank()) == 2 {
            iboard.ipassh = file as i8 + 1;
        }
        if man == sign(us) * code(Role::King) && from.file().distance(file) == 2 {
            let side = CastlingSide::from_king_side(file > from.file());
            iboard.put(corner(us, side), 0);
            iboard.put(side.rook_to(us), sign(us) * code(Role::Rook));
        }
    }
    if iboard.icastl != [0; 4] {
        write_rights(iboard, &after);
    }
    iboard.icolor = sign(us.other());
    (after, captured)
}

/// Makes the sheet after a move. `after` is the position after the move.
fn sheet(rules: Rules, after: &Position, captured: Option<Captured>, promoted: bool) -> Minfo {
    let mut minfo = Minfo::new(rules);
    let (checks, tries, any_legal) = after.announcements();
    minfo[Cell::MTERMN] = match (any_legal, checks.is_empty()) {
        (true, _) => 1,
        (false, false) => 2,
        (false, true) => 3,
    };
    minfo[Cell::MCOLOR] = after.turn().fold_wb(1, 2);
    if let Some(taken) = captured {
        let (h, v) = coordinates(taken.square);
        minfo[Cell::MLOST] = code(taken.role).into();
        minfo[Cell::MSQRH] = h;
        minfo[Cell::MSQRV] = v;
        minfo[Cell::MCAPT] = match rules {
            Rules::Western if taken.role == Role::Pawn => 2,
            Rules::Western => 1,
            Rules::Eastern => 3,
        };
    }
    minfo[Cell::MPROMO] = promoted.into();
    match rules {
        Rules::Western => {
            write_checks(&mut minfo, checks);
            if tries.count > 0 {
                write_tries(&mut minfo, after, &tries);
            }
        }
        Rules::Eastern => {
            minfo[Cell::MCHEKA] = (!checks.is_empty()).into();
            minfo[Cell::MSTRY] = (tries.count > 0).into();
        }
    }
    minfo
}

/// Writes the directions of check as numbers, the lower number first.
fn write_checks(minfo: &mut Minfo, checks: Directions) {
    if checks.is_empty() {
        return;
    }
    const NUMBERS: [(Direction, i16); 5] = [
        (Direction::Long, 2),
        (Direction::Short, 3),
        (Direction::File, 4),
        (Direction::Rank, 5),
        (Direction::Knight, 6),
    ];
    let mut cells = [Cell::MCHEKA, Cell::MCHEKB].into_iter();
    for (direction, number) in NUMBERS {
        if checks.contains(direction)
            && let Some(cell) = cells.next()
        {
            minfo[cell] = number;
        }
    }
}

/// Writes the squares of the pawn tries. Pawns on lower rows come first. If two pawns are on the
/// same row, the pawn on the lower column comes first. If a pawn has two captures, the capture on
/// the higher column comes first.
fn write_tries(minfo: &mut Minfo, after: &Position, tries: &PawnTryFacts) {
    let us = after.turn();
    let last = us.relative_rank(Rank::Eighth);
    for from in tries.origins {
        for columns in [1, -1] {
            let to = from
                .file()
                .offset(columns)
                .zip(from.rank().offset(us.fold_wb(1, -1)))
                .map(|(file, rank)| Square::from_coords(file, rank));
            let Some(to) = to else { continue };
            let promotion = (to.rank() == last).then_some(Role::Queen);
            if tries.landings.contains(to)
                && after.is_legal(Try::Step {
                    from,
                    to,
                    promotion,
                })
            {
                minfo.add_try(to);
            }
        }
    }
}

//! The first positions of a belief.

use position::StartPosition;
use rules::{
    Choices, ReserveUse,
    chess::{Bitboard, ByRole, Color, Role, Square},
};

use crate::{
    known::Known,
    men::Men,
    sample::Draws,
    situation::{Situation, clock_of},
};

/// What is known about the position in which a game begins.
///
/// ```
/// use belief::{Belief, Origin, Settings};
/// use rules::{Start, chess::{ByRole, Color}, rulesets};
/// use views::PlayerView;
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let own = *PlayerView::initial(wild16, Color::White).own();
/// let start = Start { rules: "wild16".into(), own: Some(own), reserves: Default::default() };
/// // Black has only a king, on an unknown square.
/// let men = ByRole { king: 1, ..ByRole::default() };
/// let origin = Origin::Unknown { to_move: Color::White, men };
/// let belief = Belief::open(wild16, Color::White, &start, &origin, Settings::default())?;
/// assert!(belief.kept() > 30);
/// # Ok::<(), belief::StartError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Origin {
    /// The usual start position.
    Usual,
    /// One of these positions, each given as FEN.
    OneOf(Vec<String>),
    /// The opponent's men are on unknown squares, and the opponent has no
    /// castling rights.
    Unknown {
        /// Side to move.
        to_move: Color,
        /// Number of the opponent's men of each role, including the king.
        men: ByRole<u8>,
    },
}

/// Error: a belief cannot begin with this start.
///
/// ```
/// use belief::{Situation, StartError};
/// use rules::{chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let error = Situation::from_fen(&wild16, Color::White, "no position");
/// assert!(matches!(error, Err(StartError::Fen { .. })));
/// ```
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum StartError {
    /// The opponent has too many men, or not exactly one king.
    #[error("the opponent must have exactly one king and at most {most} men")]
    Men {
        /// Maximum number of the opponent's men.
        most: usize,
    },
    /// The FEN is not a valid start position.
    #[error("{fen}: {reason}")]
    Fen {
        /// The FEN.
        fen: String,
        /// What is wrong with the FEN.
        reason: String,
    },
    /// One of the positions contradicts what the seat knows.
    #[error(
        "{fen}: the seat's own men, the seat's last double step, the reserves or the side to move differ from the other positions"
    )]
    OtherMen {
        /// The FEN of this position.
        fen: String,
    },
    /// No position is possible.
    #[error("no position is possible at the start")]
    Nothing,
    /// Men on unknown squares were given, but the ruleset has drops.
    #[error("men on unknown squares cannot be given under a ruleset with drops")]
    Drops,
    /// The start has no men of this seat. For example, the start that a spectator hears has no men
    /// at all.
    #[error("a belief needs a seat, but this start has no men of the seat")]
    NoSeat,
}

/// The positions in which a game can begin. `complete` is true if `men` holds all of them.
pub(crate) struct Begun {
    pub known: Known,
    pub men: Vec<Men>,
    pub complete: bool,
    /// Estimated number of possible positions, if `men` does not hold all of them.
    pub count: Option<f64>,
}

impl Situation {
    /// Returns the situation of a seat in a position given as FEN.
    ///
    /// # Errors
    /// Returns an error if the text is not a FEN or the position is not legal.
    pub fn from_fen(choices: &Choices, seat: Color, fen: &str) -> Result<Situation, StartError> {
        let start = StartPosition::from_fen(fen, choices).map_err(|error| StartError::Fen {
            fen: fen.to_owned(),
            reason: error.to_string(),
        })?;
        Ok(Situation {
            position: *start.position(),
            seat,
            quiet: clock_of(start.halfmoves(), choices),
            drops: choices.reserve == ReserveUse::Drops,
        })
    }
}

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub(crate) fn begin(
    choices: &Choices,
    own: &rules::Own,
    origin: &Origin,
    limit: usize,
) -> Result<Begun, StartError> {
    let fens = match origin {
        Origin::Usual => &[INITIAL.to_owned()][..],
        Origin::OneOf(fens) => fens,
        Origin::Unknown { to_move, men } => return unknown(choices, own, *to_move, men, limit),
    };
    let read = |fen: &String| Situation::from_fen(choices, own.color, fen);
    let situations: Vec<Situation> = fens.iter().map(read).collect::<Result<_, _>>()?;
    // The seat knows its own moves. So all positions must agree about the last move: if it was a
    // double step in one position, it must be the same double step in all positions.
    let each = situations.iter().map(|one| one.known());
    let each: Vec<Known> = each.collect();
    let passed = each.iter().find_map(|one| one.passed);
    let first = *each.first().ok_or(StartError::Nothing)?;
    let known = Known {
        own: *own,
        passed,
        ..first
    };
    let men: Vec<Men> = situations.iter().map(Situation::men).collect();
    for (at, one) in situations.iter().enumerate() {
        let legal = known.position(&men[at]).legal_en_passant();
        let agrees = legal == one.position.legal_en_passant();
        if (Known { passed, ..each[at] }) != known || !agrees {
            let fen = fens[at].clone();
            return Err(StartError::OtherMen { fen });
        }
    }
    Ok(Begun {
        known,
        men,
        complete: true,
        count: None,
    })
}

/// Returns positions with the opponent's men on unknown squares. If the number of placements, legal
/// or not, is at most four times `limit`, returns all legal placements. Otherwise draws at most
/// `limit` legal placements at random.
fn unknown(
    choices: &Choices,
    own: &rules::Own,
    to_move: Color,
    men: &ByRole<u8>,
    limit: usize,
) -> Result<Begun, StartError> {
    if choices.reserve == ReserveUse::Drops {
        return Err(StartError::Drops);
    }
    let known = Known {
        own: *own,
        promoted: Bitboard::EMPTY,
        reserve: rules::Reserve::EMPTY,
        to_move,
        passed: None,
        drops: false,
    };
    let most = crate::hidden::Small::MAX_MEN;
    let total: usize = men.zip_role().iter().map(|(_, n)| usize::from(*n)).sum();
    if men.king != 1 || total > most {
        return Err(StartError::Men { most });
    }
    let free = !own.all();
    let mut placements: f64 = 1.0;
    let mut placed = 0.0;
    // Pawns are placed first, because they can be on fewer squares.
    for (role, n) in men.zip_role() {
        for i in 0..n {
            let left = squares(role, free).count() as f64 - placed;
            placements *= (left / f64::from(i + 1)).max(0.0);
            placed += 1.0;
        }
    }
    let legal = |men: &Men| {
        let position = known.position(men);
        let idle = to_move.other();
        let king = (position.men(Role::King) & position.side(idle)).first();
        men.by_role.king.count() == 1
            && king.is_some_and(|king| {
                position
                    .attackers(king, to_move, position.occupied())
                    .is_empty()
            })
    };
    let mut found = Vec::new();
    let mut count = None;
    let complete = placements <= limit as f64 * 4.0;
    if complete {
        let mut list = Vec::new();
        for (role, n) in men.zip_role() {
            list.extend(std::iter::repeat_n(role, usize::from(n)));
        }
        place(&list, free, None, &mut Men::default(), &mut |men| {
            if legal(men) {
                found.push(*men);
            }
        });
    } else {
        let mut draws = Draws::seeded(0x6b72_6965_6773_7069);
        let mut drawn_so_far = 0;
        while drawn_so_far < limit.saturating_mul(50) && found.len() < limit {
            drawn_so_far += 1;
            if let Some(men) = drawn(men, free, &mut draws).filter(legal) {
                found.push(men);
            }
        }
        count = Some(placements * found.len() as f64 / drawn_so_far.max(1) as f64);
    }
    Ok(Begun {
        known,
        men: found,
        complete,
        count,
    })
}

/// Returns the free squares on which a man of this role can be.
fn squares(role: Role, free: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => free & !Bitboard::BACKRANKS,
        Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => free,
    }
}

/// Calls `visit` with every placement of the men. Men of the same role are placed in the order of
/// their squares, so that each placement is visited once.
fn place(
    list: &[Role],
    free: Bitboard,
    last: Option<(Role, Square)>,
    men: &mut Men,
    visit: &mut impl FnMut(&Men),
) {
    let Some((role, rest)) = list.split_first() else {
        visit(men);
        return;
    };
    for sq in squares(*role, free) {
        if last.is_some_and(|(other, at)| other == *role && sq < at) {
            continue;
        }
        men.by_role.get_mut(*role).add(sq);
        let without = free & !Bitboard::from_square(sq);
        place(rest, without, Some((*role, sq)), men, visit);
        men.by_role.get_mut(*role).discard(sq);
    }
}

/// Returns a placement drawn at random, or `None` if no square was free for a
/// man.
fn drawn(men: &ByRole<u8>, free: Bitboard, draws: &mut Draws) -> Option<Men> {
    let mut free = free;
    let mut all = Men::default();
    for (role, n) in men.zip_role() {
        for _ in 0..n {
            let squares = squares(role, free);
            if squares.is_empty() {
                return None;
            }
            let nth = draws.below(squares.count() as u64) as usize;
            let sq = squares.into_iter().nth(nth)?;
            all.by_role.get_mut(role).add(sq);
            free.discard(sq);
        }
    }
    Some(all)
}

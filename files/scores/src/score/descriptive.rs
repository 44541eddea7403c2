//! Descriptive notation in its shortest unambiguous form.

use notation::{BoardNames, MoveText, Notation, descriptive_file};
use position::Position;
use rules::{
    Try,
    chess::{CastlingSide, Color, File, Role, Square},
};

use super::{
    fit::all_fits,
    san::{castling_side, check_mark},
};
use crate::pgn::castling_text;

/// Writes a legal move in descriptive notation: `P-K4`, `QPxP`, `R1-Q5`, `P-B8=Q+`.
/// Uses the shortest form that is unambiguous without its check mark.
///
/// # Examples
///
/// ```
/// use referee::StartPosition;
///
/// let start = StartPosition::initial();
/// let text = |uci: &str| Ok::<_, rules::ParseAttemptError>(
///     scores::score::descriptive(start.position(), uci.parse()?)
/// );
/// assert_eq!(text("g1f3")?, "N-KB3");
/// assert_eq!(text("e2e4")?, "P-K4");
/// # Ok::<(), rules::ParseAttemptError>(())
/// ```
pub fn descriptive(position: &Position, t: Try) -> String {
    let mut ways = ways(position, t);
    // Puts the shortest form first. The sort is stable, so forms of equal length keep their order.
    ways.sort_by_key(String::len);
    let understood = |text: &&String| {
        MoveText::read(
            text,
            Notation::Descriptive,
            position.turn(),
            BoardNames::Usual,
        )
        .is_some_and(|read| all_fits(position, &read) == [t])
    };
    let mut text = ways
        .iter()
        .find(understood)
        .or(ways.last())
        .cloned()
        .unwrap_or_default();
    let passing = position.captured_by(t).is_some_and(|c| c.en_passant);
    if passing {
        text.push_str(" e.p.");
    }
    text.push_str(check_mark(position, t));
    text
}

/// Returns the names of a file in printed scores, the short name first: `B` and `KB` for the
/// bishop's file on the king's wing, only `K` for the king's file.
fn file_names(file: File) -> Vec<&'static str> {
    let full = descriptive_file(file);
    match full.as_bytes() {
        [_, _] => vec![&full[1..], full],
        _ => vec![full],
    }
}

fn rank_of(square: Square, color: Color) -> u32 {
    color.relative_rank(square.rank()) as u32 + 1
}

/// Returns the short and the full name of a square, as this side counts ranks.
fn square_names(square: Square, color: Color) -> Vec<String> {
    let rank = rank_of(square, color);
    file_names(square.file())
        .into_iter()
        .map(|file| format!("{file}{rank}"))
        .collect()
}

/// Returns every way in which a printed score might write a move, without marks.
pub(super) fn ways(position: &Position, t: Try) -> Vec<String> {
    let color = position.turn();
    let (from, to, promotion) = match t {
        Try::Drop { role, to } => {
            let names = square_names(to, color).into_iter();
            return names
                .map(|at| format!("{}@{at}", role.upper_char()))
                .collect();
        }
        Try::Step {
            from,
            to,
            promotion,
        } => (from, to, promotion),
    };
    if let Some(side) = castling_side(position, t) {
        return vec![castling_text(side).to_owned()];
    }
    let role = position.role_at(from).unwrap_or(Role::Pawn);
    let taken = position.captured_by(t);
    let targets: Vec<String> = match taken {
        None => square_names(to, color)
            .into_iter()
            .map(|at| format!("-{at}"))
            .collect(),
        Some(taken) => man_names(taken.role, taken.square, color, None)
            .into_iter()
            .map(|man| format!("x{man}"))
            .collect(),
    };
    let end = promotion.map_or(String::new(), |man| format!("={}", man.upper_char()));
    let mut all = Vec::new();
    for man in man_names(role, from, color, Some(position)) {
        for target in &targets {
            all.push(format!("{man}{target}{end}"));
        }
    }
    all
}

/// Returns the names of a man on a square, the usual ones first. If `mover` is a position, the man
/// belongs to the side to move in this position. Then the names can include a wing, as in `KR`.
fn man_names(role: Role, at: Square, color: Color, mover: Option<&Position>) -> Vec<String> {
    let letter = role.upper_char();
    let mut names = vec![letter.to_string()];
    if role == Role::Pawn {
        names.extend(file_names(at.file()).iter().map(|file| format!("{file}P")));
    }
    if let Some(position) = mover
        && matches!(role, Role::Rook | Role::Bishop | Role::Knight)
        && (position.men(role) & position.side(color)).count() > 1
    {
        for side in [CastlingSide::QueenSide, CastlingSide::KingSide] {
            let wing = match side {
                CastlingSide::KingSide => 'K',
                CastlingSide::QueenSide => 'Q',
            };
            names.push(format!("{wing}{letter}"));
        }
    }
    let rank = rank_of(at, color);
    if role != Role::Pawn {
        names.push(format!("{letter}{rank}"));
        names.extend(
            file_names(at.file())
                .iter()
                .map(|file| format!("{letter}/{file}")),
        );
    }
    names.push(format!("{letter}/{rank}"));
    names.extend(
        square_names(at, color)
            .iter()
            .map(|at| format!("{letter}/{at}")),
    );
    names
}

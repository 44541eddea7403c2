//! Texts for the mover that say why a try was refused. They are computed only from the mover's own
//! men and hearings.

use notation::row_words;
use rules::{
    Attempt, Choices, NoHeard, NonsenseHeard, NonsenseRow, Own, Try, Verdict,
    chess::{Role, attacks::between},
};
use views::PlayerView;
use wire::CauseJson;

/// Sentence in each reason.
const SAME_TURN: &str = "It is still your turn.";

/// Returns why the referee refused an attempt, as far as its player can know.
pub(super) fn cause_of(view: &PlayerView, verdict: Verdict, attempt: Attempt) -> CauseJson {
    let Attempt::Try(t) = attempt else {
        return CauseJson::NoPawn;
    };
    if let Some(row) = view.last_nonsense() {
        return match row {
            NonsenseRow::Impossible => CauseJson::Impossible,
            NonsenseRow::NoSuchPawnTry => CauseJson::NoSuchPawnTry,
            NonsenseRow::NotAnAnswer => CauseJson::NotAnAnswer,
            NonsenseRow::PawnCaptureDue => CauseJson::PawnCaptureDue,
            NonsenseRow::TriesSpent => CauseJson::TriesSpent,
            NonsenseRow::Repeated => CauseJson::Repeated,
        };
    }
    if verdict != Verdict::No {
        return CauseJson::Nonsense;
    }
    let own = view.own();
    if !own.imaginable(t, view.choices().promotion_man) {
        CauseJson::OwnMen
    } else if own.is_castling(t) {
        CauseJson::Castling
    } else if own.is_pawn_capture(t) {
        CauseJson::PawnCapture
    } else {
        cause_of_step(own, t)
    }
}

/// Returns the possible causes of the answer "no" to a try that the mover's own men would allow. If
/// there is no square between origin and target, no man can be in the way. A man of the opponent on
/// the target square could be captured, so it does not prevent the move either. Then the only
/// possible cause is that the king would be in check.
fn cause_of_step(own: &Own, t: Try) -> CauseJson {
    let Try::Step { from, to, .. } = t else {
        return CauseJson::Drop;
    };
    match own.role_at(from) {
        Some(Role::King) => CauseJson::KingThere,
        Some(Role::Knight) => CauseJson::Check,
        Some(Role::Bishop | Role::Rook | Role::Queen) if between(from, to).is_empty() => {
            CauseJson::Check
        }
        Some(Role::Pawn | Role::Bishop | Role::Rook | Role::Queen) | None => CauseJson::Way,
    }
}

/// Returns the cause of a refusal as sentences, for the mover only.
pub fn cause_words(cause: CauseJson, choices: &Choices) -> String {
    let row = |row| {
        let (head, tail) = row_words(row, choices).split_at(1);
        let heard = match choices.nonsense_heard {
            NonsenseHeard::Both => " Everybody hears that a try was refused, but not which one.",
            NonsenseHeard::Mover => "",
        };
        format!("{}{tail}. {SAME_TURN}{heard}", head.to_uppercase())
    };
    let why = match cause {
        CauseJson::NoPawn => return format!("You have no pawn that could capture. {SAME_TURN}"),
        CauseJson::Nonsense => {
            return format!("You could have known that this try cannot be played. {SAME_TURN}");
        }
        CauseJson::Impossible => return row(NonsenseRow::Impossible),
        CauseJson::NoSuchPawnTry => return row(NonsenseRow::NoSuchPawnTry),
        CauseJson::NotAnAnswer => return row(NonsenseRow::NotAnAnswer),
        CauseJson::PawnCaptureDue => return row(NonsenseRow::PawnCaptureDue),
        CauseJson::TriesSpent => return row(NonsenseRow::TriesSpent),
        CauseJson::Repeated => return row(NonsenseRow::Repeated),
        CauseJson::OwnMen => "your own men cannot do that",
        CauseJson::Castling => {
            "an unseen man is in the way, or your king would castle out of, through or into check"
        }
        CauseJson::PawnCapture => {
            "there is nothing that your pawn could capture, or your king would be in check"
        }
        CauseJson::Drop => "an unseen man is there, or your king would be in check",
        CauseJson::KingThere => "your king would be in check there",
        CauseJson::Check => "your king would be in check",
        CauseJson::Way => "an unseen man is in the way, or your king would be in check",
    };
    let heard = match choices.no_heard {
        NoHeard::Both => "Everybody hears that a try was refused, but not which one.",
        NoHeard::Mover => "Nobody else hears of this try.",
    };
    format!("This try is illegal in the actual position: {why}. {SAME_TURN} {heard}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{
        Reserve, Wings,
        chess::{Board, Color},
    };

    #[test]
    fn refusal_names_only_possible_reasons() {
        let men = Own::of(&Board::new(), Color::White, Wings::BOTH, Reserve::default());
        let (way, king) = (CauseJson::Way, CauseJson::Check);
        for (text, cause) in [
            ("g1f3", king),
            ("f1e2", king),
            ("a1a2", king),
            ("d1c2", king),
            ("f1c4", way),
            ("d1d3", way),
            ("a1a3", way),
            ("e2e3", way),
            ("e2e4", way),
            ("e1e2", CauseJson::KingThere),
        ] {
            let t = text.parse().unwrap();
            assert_eq!(cause_of_step(&men, t), cause, "{text}");
        }
    }
}

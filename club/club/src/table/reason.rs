//! Texts for the mover that say why a try was refused. They are computed only from the mover's own
//! men and hearings.

use notation::row_words;
use rules::{
    Attempt, NoHeard, NonsenseHeard, Own, Try, Verdict,
    chess::{Role, attacks::between},
};
use views::PlayerView;

/// Sentence in each reason. The page removes this sentence where it says the same in other words
/// (`withoutTurn` in `web/src/words/game.ts`).
const SAME_TURN: &str = "It is still your turn.";

/// Returns the explanation of a refusal, for the mover only.
pub(super) fn refused_words(view: &PlayerView, verdict: Verdict, attempt: Attempt) -> String {
    let choices = view.choices();
    let Attempt::Try(t) = attempt else {
        return format!("You have no pawn that could capture. {SAME_TURN}");
    };
    if let Some(row) = view.last_nonsense() {
        let words = row_words(row, choices);
        let (head, tail) = words.split_at(1);
        let heard = match choices.nonsense_heard {
            NonsenseHeard::Both => " Everybody hears that a try was refused, but not which one.",
            NonsenseHeard::Mover => "",
        };
        return format!("{}{tail}. {SAME_TURN}{heard}", head.to_uppercase());
    }
    if verdict != Verdict::No {
        return format!("You could have known that this try cannot be played. {SAME_TURN}");
    }
    let own = view.own();
    let why = if !own.imaginable(t, choices.promotion_man) {
        "your own men cannot do that"
    } else if own.is_castling(t) {
        "an unseen man is in the way, or your king would castle out of, through or into check"
    } else if own.is_pawn_capture(t) {
        "there is nothing that your pawn could capture, or your king would be in check"
    } else {
        other_words(own, t)
    };
    let heard = match choices.no_heard {
        NoHeard::Both => "Everybody hears that a try was refused, but not which one.",
        NoHeard::Mover => "Nobody else hears of this try.",
    };
    format!("This try is illegal in the actual position: {why}. {SAME_TURN} {heard}")
}

/// Returns the possible reasons of the answer "no" to a try that the mover's own men would allow.
/// If there is no square between origin and target, no man can be in the way. A man of the opponent
/// on the target square could be captured, so it does not prevent the move either. Then the only
/// possible reason is that the king would be in check.
fn other_words(own: &Own, t: Try) -> &'static str {
    let Try::Step { from, to, .. } = t else {
        return "an unseen man is there, or your king would be in check";
    };
    match own.role_at(from) {
        Some(Role::King) => "your king would be in check there",
        Some(Role::Knight) => "your king would be in check",
        Some(Role::Bishop | Role::Rook | Role::Queen) if between(from, to).is_empty() => {
            "your king would be in check"
        }
        Some(Role::Pawn | Role::Bishop | Role::Rook | Role::Queen) | None => {
            "an unseen man is in the way, or your king would be in check"
        }
    }
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
        let way = "an unseen man is in the way, or your king would be in check";
        let king = "your king would be in check";
        for (text, words) in [
            ("g1f3", king),
            ("f1e2", king),
            ("a1a2", king),
            ("d1c2", king),
            ("f1c4", way),
            ("d1d3", way),
            ("a1a3", way),
            ("e2e3", way),
            ("e2e4", way),
            ("e1e2", "your king would be in check there"),
        ] {
            let t = text.parse().expect("the text is a try");
            assert_eq!(other_words(&men, t), words, "{text}");
        }
    }
}

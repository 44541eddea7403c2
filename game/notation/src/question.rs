//! Questions that a player types about what the player knows, as in blind modes of chess servers.

use rules::{
    chess::{Bitboard, Board, File, Rank, Role, Square},
    role_name,
};

/// A question that needs no referee.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Question {
    /// `s e4` or `?e4`, `s a`, `s 4`: own men on a square, a file or a rank.
    Squares(Bitboard),
    /// `p n`: where own men of a role are; `p`: all own men.
    Men(Option<Role>),
    /// `l`, `t`: the last call.
    Call,
    /// `o`: the opponent.
    Opponent,
    /// `c`: the clocks.
    Clocks,
    /// `i`: the game, its ruleset and the player's colour.
    Game,
}

/// Sentence that lists the questions.
pub const QUESTIONS: &str = "p n: your knights (p: all your men); s e4, s a, s 4: your men on a square, a file, a rank; l: the last call; o: your opponent; c: the clocks; i: this game";

impl Question {
    /// Reads a question.
    ///
    /// ```
    /// use notation::Question;
    /// use rules::chess::Role;
    ///
    /// assert_eq!(Question::read("p n"), Some(Question::Men(Some(Role::Knight))));
    /// assert_eq!(Question::read("e4"), None);
    /// ```
    pub fn read(text: &str) -> Option<Question> {
        let lower = text.trim().to_ascii_lowercase();
        let lower = lower.strip_prefix('/').unwrap_or(&lower);
        // `?e4` asks the same as `s e4`.
        let short = lower.strip_prefix('?').map(|at| format!("s {at}"));
        let lower = short.as_deref().unwrap_or(lower);
        let words: Vec<&str> = lower.split_whitespace().collect();
        let of = |name: &str| {
            let mut chars = name.chars();
            let (first, rest) = (chars.next()?, chars.as_str());
            match rest {
                "" => File::from_char(first)
                    .map(Bitboard::from_file)
                    .or_else(|| Rank::from_char(first).map(Bitboard::from_rank)),
                _ => name.parse::<Square>().ok().map(Bitboard::from_square),
            }
        };
        Some(match *words {
            ["p"] => Question::Men(None),
            ["p", man] => {
                let named = |role: &Role| man == role_name(*role) || man == role.char().to_string();
                Question::Men(Some(Role::ALL.into_iter().find(named)?))
            }
            ["s", at] => Question::Squares(of(at)?),
            ["l" | "t"] => Question::Call,
            ["o"] => Question::Opponent,
            ["c"] => Question::Clocks,
            ["i"] => Question::Game,
            _ => return None,
        })
    }

    /// Answers a question about own men: `knight b1, g1`. Returns `None` for the other questions.
    pub fn men(self, own: &Board) -> Option<String> {
        let (only, squares) = match self {
            Question::Squares(squares) => (None, squares),
            Question::Men(role) => (role, Bitboard::FULL),
            Question::Call | Question::Opponent | Question::Clocks | Question::Game => return None,
        };
        let roles = Role::ALL.into_iter().rev();
        let roles = roles.filter(|role| only.is_none_or(|only| only == *role));
        let men = roles.filter_map(|role| {
            let at = (own.by_role(role) & squares).into_iter();
            let at: Vec<String> = at.map(|square| square.to_string()).collect();
            (!at.is_empty()).then(|| format!("{} {}", role_name(role), at.join(", ")))
        });
        let men: Vec<String> = men.collect();
        Some(if men.is_empty() {
            "none".to_owned()
        } else {
            men.join("; ")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_answered_from_own_men() {
        let own: Board = "8/8/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap();
        for (asked, answer) in [
            ("p n", "knight b1, g1"),
            ("P knight", "knight b1, g1"),
            ("s e2", "pawn e2"),
            ("s e4", "none"),
            ("?e4", "none"),
            ("? E2", "pawn e2"),
            ("s a", "rook a1; pawn a2"),
            ("/s e", "king e1; pawn e2"),
            ("s 8", "none"),
        ] {
            let question = Question::read(asked).expect(asked);
            assert_eq!(question.men(&own).as_deref(), Some(answer), "{asked}");
        }
        let all = Question::Men(None).men(&own).unwrap();
        assert!(all.starts_with("king e1; queen d1; rook a1, h1;"), "{all}");
        for (asked, question) in [
            ("l", Question::Call),
            ("t", Question::Call),
            ("O", Question::Opponent),
            ("c", Question::Clocks),
            ("/i", Question::Game),
        ] {
            assert_eq!(Question::read(asked), Some(question));
            assert_eq!(question.men(&own), None);
        }
        for text in [
            "", "?", "e4", "s", "s9", "s i", "s e9", "p x", "px", "pe4", "c4", "any", "o-o", "l l",
        ] {
            assert_eq!(Question::read(text), None, "{text}");
        }
    }
}

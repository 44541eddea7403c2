//! Letters of the men in other languages.

use super::written::is_move;

/// Letters of king, queen, rook, bishop and knight in a language, the most common languages first.
const LANGUAGES: [(&str, &str); 22] = [
    ("en", "K Q R B N"),
    ("de", "K D T L S"),
    ("fr", "R D T F C"),
    ("es", "R D T A C"),
    ("nl", "K D T L P"),
    ("it", "R D T A C"),
    ("pt", "R D T B C"),
    ("ru", "Кр Ф Л С К"),
    ("pl", "K H W G S"),
    ("cs", "K D V S J"),
    ("hu", "K V B F H"),
    ("ca", "R D T A C"),
    ("da", "K D T L S"),
    ("eo", "R D T K Ĉ"),
    ("et", "K L V O R"),
    ("fi", "K D T L R"),
    ("is", "K D H B R"),
    ("no", "K D T L S"),
    ("ro", "R D T N C"),
    ("sk", "K D V S J"),
    ("sl", "K D T L S"),
    ("sv", "K D T L S"),
];

/// Letters of the men in English.
const ENGLISH: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

/// The letters that a score uses for the men. The default is English, with `S` for a knight if the
/// score uses `S` throughout.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Letters {
    /// The letters of a man, and its letter in English. Longer letters come first.
    men: Vec<(String, char)>,
}

impl Letters {
    /// Returns the letters of a language, named by its code (`de`, `fr`), or the five letters of
    /// king, queen, rook, bishop and knight in this order (`KDTLS`).
    ///
    /// # Examples
    ///
    /// ```
    /// use scores::score::{Letters, ScoreFile};
    ///
    /// let german = Letters::named("de").expect("the language is known");
    /// let file = ScoreFile::read_with(b"1. e4 Sf6 2. De2", &german)?;
    /// assert_eq!(file.columns[0].moves[2].text, "Qe2");
    /// assert!(Letters::named("xx").is_none());
    /// # Ok::<(), scores::score::TextError>(())
    /// ```
    pub fn named(name: &str) -> Option<Letters> {
        let code = name.to_lowercase();
        let known = LANGUAGES.iter().find(|(language, _)| *language == code);
        let men: Vec<String> = match known {
            Some((_, men)) => men.split(' ').map(str::to_owned).collect(),
            None => name.chars().map(String::from).collect(),
        };
        let mut different = men.clone();
        different.sort_unstable();
        different.dedup();
        let capitals = name.chars().all(char::is_uppercase);
        if men.len() != ENGLISH.len() || different.len() != men.len() {
            return None;
        }
        if known.is_none() && !capitals {
            return None;
        }
        let mut men: Vec<(String, char)> = men.into_iter().zip(ENGLISH).collect();
        if men
            .iter()
            .all(|(letter, english)| *letter == english.to_string())
        {
            return Some(Letters::default());
        }
        men.sort_by_key(|(letters, _)| std::cmp::Reverse(letters.len()));
        Some(Letters { men })
    }

    /// Returns the codes of the known languages.
    pub fn languages() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().map(|(code, _)| *code)
    }

    pub(super) fn is_english(&self) -> bool {
        self.men.is_empty()
    }

    /// Returns a move with English letters; `None` if the text is no move with these letters.
    pub(super) fn english(&self, text: &str) -> Option<String> {
        let man = |text: &str| {
            let found = self
                .men
                .iter()
                .find(|(letters, _)| text.starts_with(letters));
            found.map(|(letters, english)| (letters.len(), *english))
        };
        let mut english = String::new();
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            // A man is named at the beginning, after a sign of promotion, and after the last rank.
            let before = english.chars().next_back();
            let place = before.is_none_or(|c| matches!(c, '=' | '(' | '/' | '1' | '8'));
            match man(&text[at..]).filter(|_| place) {
                Some((length, letter)) => {
                    english.push(letter);
                    at += length;
                }
                None => {
                    english.push(c);
                    at += c.len_utf8();
                }
            }
        }
        (english != text && is_move(&english)).then_some(english)
    }
}

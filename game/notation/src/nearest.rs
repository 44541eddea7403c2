//! Suggestions for mistyped words.

/// Returns the name that is most similar to the typed word. Returns `None` if every name differs
/// from the typed word in too many letters.
pub fn nearest<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    let lower = typed.to_lowercase();
    let near = names.iter().map(|name| (distance(&lower, name), *name));
    near.min()
        .filter(|(distance, name)| *distance <= 1 + name.len() / 3)
        .map(|(_, name)| name)
}

/// Returns the edit distance of two words: the smallest number of letters that must be inserted,
/// deleted or changed to turn one word into the other.
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_similar_name_is_returned() {
        let names = ["takeback", "board", "again"];
        assert_eq!(nearest("takbeack", &names), Some("takeback"));
        assert_eq!(nearest("Bord", &names), Some("board"));
        assert_eq!(nearest("something else", &names), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}

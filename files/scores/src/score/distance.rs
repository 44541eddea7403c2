//! Edit distance of two texts.

/// Returns the number of characters to insert, remove or change to turn `a` into `b`.
pub(super) fn distance(a: &str, b: &str) -> u32 {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<u32> = (0..).take(b.len() + 1).collect();
    for (i, x) in (0..).zip(a.chars()) {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + u32::from(x != *y);
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
    fn distance_counts_changed_letters() {
        for (a, b, n) in [
            ("", "", 0),
            ("Bb2", "Bg2", 1),
            ("Ba8", "Bh1", 2),
            ("R-QB1", "R-B1", 1),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), n, "{a} {b}");
            assert_eq!(distance(b, a), n, "{b} {a}");
        }
    }
}

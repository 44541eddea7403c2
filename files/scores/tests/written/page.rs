//! Tests of scores on a page, with prose around the moves.

use referee::StartPosition;
use rules::rulesets;
use scores::score::{Ending, ScoreFile, TextError};

const HAYES: &str = include_str!("../../../../examples/hayes-juhasz-1971-score.txt");

/// Returns the rows of the score in `HAYES`. Each row has the moves of White and Black in
/// descriptive notation, and then the same two moves in algebraic notation.
fn cells() -> Vec<[String; 4]> {
    HAYES
        .lines()
        .filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.first()?.parse::<u32>().ok()?;
            let (first, rest) = (words.get(1..)?, words.len() - 1);
            let all: Vec<String> = match (first, rest) {
                ([a, b, c, d], 4) => vec![a, b, c, d],
                ([a, b, c, ..], _) => vec![a, b, c, &"Resigns"],
                _ => return None,
            }
            .into_iter()
            .map(|word| (*word).to_owned())
            .collect();
            all.try_into().ok()
        })
        .collect()
}

/// Prints the moves in one notation, in columns as on a printed page. `columns` is the number of
/// columns on the page. With two columns, move 29 is beside move 1. `from` is the first cell of the
/// notation in a row.
fn printed(cells: &[[String; 4]], from: usize, columns: usize, reversed: bool) -> String {
    let rows = cells.len().div_ceil(columns);
    let mut text = String::new();
    for row in 0..rows {
        let mut parts: Vec<String> = (0..columns)
            .filter_map(|column| {
                let number = column * rows + row;
                let cell = cells.get(number)?;
                let number = number + 1;
                Some(format!(
                    "{number:>2}. {:<9} {:<9}",
                    cell[from],
                    cell[from + 1]
                ))
            })
            .collect();
        if reversed {
            parts.reverse();
        }
        text.push_str(parts.join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn page(columns: usize, reversed: bool) -> String {
    let cells = cells();
    assert_eq!(cells.len(), 56);
    format!(
        "Two champions, one evening (1971)\n\n\
         What a referee should know:\n\
         1. Announce what the rules say, and nothing else.\n\
         2. Write the moves down; after 52. RxN+ it was too late to begin.\n\
         [A drawing of the club room was here.\n\n\
         In the old notation, W. (White) against B. (Black, who (as we know) lost:\n\n{}\n\
         In the new notation:\n\n{}{}\n\
         Afterwards everybody laughed. (End of the report; another follows in 1972.)\n",
        printed(&cells, 0, columns, reversed),
        printed(&cells, 2, columns, reversed),
        " ".repeat(28) + "1-0",
    )
}

fn coordinates() -> String {
    let copy = HAYES.lines().filter_map(|line| line.strip_prefix("= "));
    copy.collect::<Vec<_>>().join(" ")
}

fn played(file: &ScoreFile) -> String {
    let choices = &rulesets::CINCINNATI.choices;
    let score = file.play(StartPosition::initial(), choices).unwrap();
    assert_eq!(score.ending, Ending::Resigns);
    let moves: Vec<String> = score.moves.iter().map(ToString::to_string).collect();
    moves.join(" ")
}

#[test]
fn page_is_read_in_any_order_of_columns() {
    for columns in 1..=4 {
        for reversed in [false, true] {
            let page = page(columns, reversed);
            if columns == 2 && !reversed {
                assert!(
                    page.contains(" 1. P-KB4     P-KB3      29. R1-Q5     P-N4"),
                    "{page}"
                );
            }
            let file = ScoreFile::read(page.as_bytes()).unwrap();
            assert_eq!(file.columns.len(), 2, "{columns}");
            assert_eq!(played(&file), coordinates(), "{columns} {reversed}");
        }
    }
}

#[test]
fn misprints_in_one_notation_are_corrected() {
    let cells = cells();
    let text = format!("Only the new notation.\n\n{}", printed(&cells, 2, 2, false));
    let file = ScoreFile::read(text.as_bytes()).unwrap();
    let choices = &rulesets::CINCINNATI.choices;
    let stop = file.play(StartPosition::initial(), choices);
    let stop = stop.expect_err("25...Bb2 is a misprint").to_string();
    assert!(stop.contains("25...Bb2 cannot be played"), "{stop}");
    let repairs = file.repairs(StartPosition::initial(), choices, &mut || false);
    assert_eq!(
        repairs.repairs[0].to_string(),
        "2 characters: 25...Bb2 -> 25...Bg2, 26...Ba3 -> 26...Bh3"
    );
}

#[test]
fn file_is_read_as_a_page_only_if_it_has_one_whole_game() {
    let read = |text: &str| ScoreFile::read(text.as_bytes());
    // A word in the place of a move is a misprint, not prose.
    let file = read("A short game.\n1. e4 e5   2. Nf3 Nc6\n3. Bb5 a6\n4. Ba4 b7b5x\n");
    let file = file.unwrap();
    assert_eq!(file.columns[0].moves.len(), 8);
    assert_eq!(file.columns[0].moves[7].text, "b7b5x");
    // A number is missing, so the file is read as a list of moves, not as a page. A remark names the
    // wrong number.
    let file = read("1. e4 e5 3. Nf6").unwrap();
    assert_eq!((file.columns[0].moves.len(), file.remarks.len()), (3, 1));
    // Two games on one page.
    let game = "1. e4 e5\n2. Nf3 Nc6\n3. Bb5 a6\n4. Ba4 Nf6\n";
    let two = read(&format!("The first:\n{game}The second:\n{game}"));
    assert!(
        matches!(two, Err(TextError::SecondGame { at }) if at.line == 7),
        "{two:?}"
    );
    // Without numbered moves, the file is read as a list of moves, not as a page.
    let file = read("Nothing here.\n").unwrap();
    assert_eq!(file.columns[0].moves[0].text, "Nothing");
}

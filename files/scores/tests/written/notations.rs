//! Checks the tables of docs/notation.md.

use std::collections::HashMap;

use notation::{BoardNames, MoveText, Notation, TypedError, ks_text, read_typed, umpire_text};
use position::{Position, StartPosition};
use rules::{Try, TurnState, rulesets::RAND};
use scores::score::{descriptive, named_moves, san};

const PAGE: &str = include_str!("../../../../docs/notation.md");

/// Returns the rows of all tables with this number of columns, without the head rows.
fn rows(columns: usize) -> Vec<Vec<&'static str>> {
    let cells = |line: &'static str| -> Vec<&str> {
        let inner = line.trim_matches('|');
        inner
            .split('|')
            .map(|cell| cell.trim().trim_matches('`'))
            .collect()
    };
    PAGE.lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| ---"))
        .map(cells)
        .filter(|row| row.len() == columns && row[0].len() == 1)
        .collect()
}

fn positions() -> HashMap<&'static str, Position> {
    rows(2)
        .into_iter()
        .map(|row| {
            let start = StartPosition::from_fen(row[1], &RAND.choices);
            let start = start.unwrap_or_else(|e| panic!("{}: {e}", row[1]));
            (row[0], *start.position())
        })
        .collect()
}

fn list(moves: &[Try]) -> Vec<String> {
    let mut list: Vec<String> = moves.iter().map(ToString::to_string).collect();
    list.sort();
    list
}

fn expected(cell: &str) -> Vec<String> {
    if cell == "-" {
        return Vec::new();
    }
    let mut list: Vec<String> = cell.split(" or ").map(str::to_owned).collect();
    list.sort();
    list
}

#[test]
fn texts_are_read_as_the_page_says() {
    let positions = positions();
    let rows = rows(5);
    assert!(rows.len() > 35, "{}", rows.len());
    let mut wrong = Vec::new();
    for row in rows {
        let [at, text, _, typed, scored] = row.as_slice() else {
            unreachable!("every row has five columns");
        };
        let position = &positions[at];
        let own = position.own(position.turn());
        let read = read_typed(
            text,
            &own,
            &TurnState::default(),
            &RAND.choices,
            BoardNames::Usual,
        );
        let read = match read {
            Ok(attempt) => vec![attempt.to_string()],
            Err(TypedError::Ambiguous { fits, .. }) => list(&fits),
            Err(TypedError::NotPossible { .. }) => Vec::new(),
            Err(e @ TypedError::NotNotation(_)) => panic!("{text}: {e}"),
        };
        let mut check = |found: &[String], cell: &str, how: &str| {
            if found != expected(cell) {
                wrong.push(format!("{at} {text} {how}: {}", found.join(" or ")));
            }
        };
        check(&read, typed, "from own men");
        let in_score = Notation::ALL
            .into_iter()
            .filter_map(|notation| {
                MoveText::read(text, notation, position.turn(), BoardNames::Usual)
            })
            .map(|read| list(&named_moves(position, &read)))
            .next()
            .unwrap_or_default();
        check(&in_score, scored, "in a score");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn moves_are_written_as_the_page_says() {
    let positions = positions();
    for row in rows(6) {
        let [at, uci, algebraic, old, umpire, ks] = row.as_slice() else {
            unreachable!("every row has six columns");
        };
        let position = &positions[at];
        let own = position.own(position.turn());
        let t: Try = uci.parse().unwrap();
        let written = [
            san(position, t),
            descriptive(position, t),
            umpire_text(t, &own),
            ks_text(t, &own),
        ];
        assert_eq!(written, [*algebraic, *old, *umpire, *ks], "{uci} in {at}");
    }
}

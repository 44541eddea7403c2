//! A moment of a finished game as a picture (SVG): the board of one seat or of the umpire, and what
//! was heard.

use std::fmt::Write;

use serde::Deserialize;
use wire::StepJson;

use crate::page::escaped;

/// Whose board a picture shows.
#[derive(Copy, Clone, Eq, PartialEq, Default, Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Viewpoint {
    /// White's men, and what White heard.
    White,
    /// Black's men, and what Black heard.
    Black,
    /// All men, and what everybody heard.
    #[default]
    Umpire,
}

/// Width and height of a square.
const SIDE: usize = 70;
/// Distance of the board from the edges.
const EDGE: usize = 35;
/// Left edge of the texts.
const TEXT: usize = 2 * EDGE + 8 * SIDE;
/// Maximum number of characters in a line of text.
const COLUMNS: usize = 40;
/// Maximum number of lines of text.
const LINES: usize = 13;

/// Draws the position after a step. `title` is the first text.
pub fn svg(step: &StepJson, viewpoint: Viewpoint, title: &str) -> String {
    let heard = match viewpoint {
        Viewpoint::White => &step.white,
        Viewpoint::Black => &step.black,
        Viewpoint::Umpire => &step.room,
    };
    let mut out = concat!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630">"#,
        r##"<rect width="1200" height="630" fill="#f1f4ef"/>"##,
    )
    .to_owned();
    let mut add = |text: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = out.write_fmt(text);
    };
    add(format_args!("<title>{}</title>", escaped(title)));
    let place = |at: usize| match viewpoint {
        Viewpoint::Black => EDGE + (7 - at) * SIDE,
        Viewpoint::White | Viewpoint::Umpire => EDGE + at * SIDE,
    };
    for (row, file) in (0..64).map(|n| (n / 8, n % 8)) {
        let fill = ["#e4ebe1", "#96ad9c"][(row + file) % 2];
        let (x, y) = (place(file), place(row));
        add(format_args!(
            r#"<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="{fill}"/>"#
        ));
    }
    for (row, file, man) in men(&step.fen) {
        let is_white = man.is_ascii_uppercase();
        if viewpoint == [Viewpoint::Black, Viewpoint::White][usize::from(is_white)]
            || viewpoint == Viewpoint::Umpire
        {
            let (x, y) = (place(file) + SIDE / 2, place(row) + 54);
            let fill = if is_white { "#ffffff" } else { "#16201b" };
            let picture = picture(man);
            // The variation selector asks for a drawing without colours.
            add(format_args!(
                r##"<text x="{x}" y="{y}" font-size="56" text-anchor="middle" fill="{fill}" stroke="#16201b" stroke-width="1.5">{picture}&#xFE0E;</text>"##
            ));
        }
    }
    let caption = heard.join(" ");
    let lines = wrapped(title).into_iter().map(|line| (line, "#17694a"));
    let said = wrapped(&caption).into_iter().map(|line| (line, "#16201b"));
    for (n, (line, fill)) in lines.chain(said).take(LINES).enumerate() {
        let (y, line) = (80 + 40 * n, escaped(&line));
        add(format_args!(
            r#"<text x="{TEXT}" y="{y}" font-family="sans-serif" font-size="26" fill="{fill}">{line}</text>"#
        ));
    }
    out.push_str("</svg>\n");
    out
}

/// Returns the men of a FEN with row (from rank 8) and file.
fn men(fen: &str) -> Vec<(usize, usize, char)> {
    let (mut row, mut file, mut men) = (0, 0, Vec::new());
    for letter in fen.chars().take_while(|letter| !" [".contains(*letter)) {
        match letter {
            '/' => (row, file) = (row + 1, 0),
            '1'..='8' => file += usize::from(letter as u8 - b'0'),
            _ if letter.is_ascii_alphabetic() && row < 8 && file < 8 => {
                men.push((row, file, letter));
                file += 1;
            }
            _ => {}
        }
    }
    men
}

fn picture(man: char) -> char {
    match man.to_ascii_lowercase() {
        'k' => '♚',
        'q' => '♛',
        'r' => '♜',
        'b' => '♝',
        'n' => '♞',
        _ => '♟',
    }
}

/// Breaks a text into lines.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < COLUMNS => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.chars().take(COLUMNS).collect()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use wire::AnswerJson;

    use super::*;

    #[test]
    fn picture_of_a_seat_has_its_own_men_and_hearings_only() {
        let step = StepJson {
            by: None,
            attempt: "new".to_owned(),
            answer: AnswerJson::New,
            word: None,
            white: vec!["for White & <b>".to_owned()],
            black: vec!["for Black".to_owned()],
            room: vec!["for all".to_owned()],
            fen: "4k3/8/8/8/8/8/8/QN2K3[] w - - 0 1".to_owned(),
        };
        for (viewpoint, heard, men) in [
            (
                Viewpoint::White,
                "for White &amp; &lt;b>",
                ["♛", "♞", "♚"].as_slice(),
            ),
            (Viewpoint::Black, "for Black", &["♚"]),
            (Viewpoint::Umpire, "for all", &["♚", "♛", "♞", "♚"]),
        ] {
            let svg = svg(&step, viewpoint, "anna against bert");
            let shown: Vec<&str> = svg.matches(['♚', '♛', '♜', '♝', '♞', '♟']).collect();
            assert_eq!(shown, men, "{viewpoint:?}");
            assert_eq!(svg.matches("for ").count(), 1, "{svg}");
            assert!(svg.contains(heard), "{svg}");
        }
        // The king on e8 is at the bottom for Black.
        assert!(svg(&step, Viewpoint::Black, "").contains(r#"y="579""#));
    }
}

//! The text of a column with the seats of the players who are connected to a club.

use rules::chess::Color;

use crate::{
    id::GameSeat,
    store::{StoreError, damaged},
};

/// Returns the text of a column with seats: `abcdefghijkm:w` for each seat, separated by spaces.
pub(crate) fn text_of(seats: &[GameSeat]) -> String {
    let words = seats.iter().map(|(game, color)| {
        let letter = color.fold_wb('w', 'b');
        format!("{game}:{letter}")
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Parses the text of a column with seats.
pub(crate) fn parse(text: &str) -> Result<Vec<GameSeat>, StoreError> {
    let seat = |word: &str| {
        let (game, letter) = word.split_once(':')?;
        let color = match letter {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return None,
        };
        Some((game.parse().ok()?, color))
    };
    let wrong = |word: &str| damaged(format!("`{word}` is not a seat of a game"));
    let words = text.split_whitespace();
    words
        .map(|word| seat(word).ok_or_else(|| wrong(word)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::GameId;

    #[test]
    fn seats_are_read_as_they_were_written() {
        let game = GameId::from_chance;
        for seats in [
            vec![],
            vec![(game(1), Color::White)],
            vec![(game(2), Color::Black), (game(u64::MAX), Color::White)],
        ] {
            assert_eq!(parse(&text_of(&seats)), Ok(seats));
        }
        for wrong in ["x", "222222222222", "222222222222:q", "222:w"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

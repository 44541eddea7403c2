//! Prints a position: style 12 for clients, style 1 for people.

use std::fmt::Write;

use club::Millis;
use rules::chess::{Board, ByColor, Color, File, Rank, Square};

/// Relation of the reader to the position. The numbers are those of style 12.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Relation {
    /// The reader is the player to move.
    MyTurn = 1,
    /// The reader is a player, and the opponent is to move.
    TheirTurn = -1,
    /// The reader is a spectator.
    Observing = 0,
    /// The reader examines a finished game.
    Examining = 2,
    /// The position is shown without a game.
    Isolated = -3,
}

/// The last move, as far as the reader may see it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct LastMove {
    /// Long form, as in `P/e2-e4`.
    pub long: String,
    /// Short form, as in `e4`.
    pub short: String,
    /// Duration of the move, in milliseconds.
    pub took: Millis,
}

impl Default for LastMove {
    fn default() -> LastMove {
        LastMove {
            long: "none".to_owned(),
            short: "none".to_owned(),
            took: 0,
        }
    }
}

/// A position, and the information that is printed with the board.
#[derive(Clone, Debug)]
pub struct Position {
    /// Board with the men that the reader may see.
    pub board: Board,
    /// Side to move.
    pub to_move: Color,
    /// Castling rights that the reader may know: king's wing, queen's wing.
    pub castling: ByColor<[bool; 2]>,
    /// Number of the game at this door.
    pub game: u32,
    /// Names of the players.
    pub names: ByColor<String>,
    /// Relation of the reader to the position.
    pub relation: Relation,
    /// Main time in whole minutes, and increment in seconds.
    pub time: [Millis; 2],
    /// Value of each side's men.
    pub strength: ByColor<u32>,
    /// Time left for each side, in milliseconds.
    pub left: ByColor<Millis>,
    /// Number of the next move.
    pub number: u32,
    /// Last move.
    pub last: LastMove,
    /// Side at the lower edge of the board.
    pub below: Color,
    /// Whether a clock is running.
    pub ticking: bool,
}

/// Value of all men of a side at the start. This value is shown for a side
/// whose men the reader may not see.
pub const FULL_STRENGTH: u32 = 39;

/// Returns the value of a side's men on a board.
pub fn strength(board: &Board, color: Color) -> u32 {
    let side = board.by_color(color);
    let count = |men| u32::try_from((side & men).count()).unwrap_or(0);
    count(board.pawns())
        + 3 * count(board.knights() | board.bishops())
        + 5 * count(board.rooks())
        + 9 * count(board.queens())
}

const fn seconds(span: Millis) -> Millis {
    span.div_euclid(1000)
}

/// Formats the duration of a move: `(0:03)`, or with milliseconds `(0:03.250)`.
fn took(span: Millis, ms: bool) -> String {
    let whole = seconds(span);
    let (minutes, rest) = (whole / 60, whole % 60);
    if ms {
        format!("({minutes}:{rest:02}.{:03})", span.rem_euclid(1000))
    } else {
        format!("({minutes}:{rest:02})")
    }
}

/// Formats the time left on a clock, in the form for people: `4:59`.
pub fn clock(left: Millis) -> String {
    let whole = seconds(left.max(0));
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{rest:02}")
    } else {
        format!("{minutes}:{rest:02}")
    }
}

/// Returns the title of a game. Every line about the game begins with the title.
pub fn title(number: u32, names: &ByColor<String>) -> String {
    format!("Game {number} ({} vs. {})", names.white, names.black)
}

impl Position {
    /// Replaces the board by a board with all men, because the game is over.
    pub fn reveal(&mut self, board: &Board) {
        self.board = board.clone();
        self.strength = ByColor::new_with(|color| strength(board, color));
        self.ticking = false;
    }

    /// Returns the line of style 12, without its line end. One field of style 12 counts the moves
    /// since the last irreversible move. This count would reveal unseen men, so the field is always
    /// 0.
    pub fn style12(&self, ms: bool) -> String {
        let mut line = String::from("<12>");
        for rank in Rank::ALL.into_iter().rev() {
            line.push(' ');
            for file in File::ALL {
                let man = self.board.piece_at(Square::from_coords(file, rank));
                line.push(man.map_or('-', |man| man.char()));
            }
        }
        let right = |color: Color, side: usize| u8::from(self.castling.get(color)[side]);
        let left = |color| {
            let left = *self.left.get(color);
            if ms { left } else { seconds(left) }
        };
        let _ = write!(
            line,
            " {} -1 {} {} {} {} 0 {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} 0",
            if self.to_move.is_white() { 'W' } else { 'B' },
            right(Color::White, 0),
            right(Color::White, 1),
            right(Color::Black, 0),
            right(Color::Black, 1),
            self.game,
            self.names.white,
            self.names.black,
            self.relation as i8,
            self.time[0],
            self.time[1],
            self.strength.white,
            self.strength.black,
            left(Color::White),
            left(Color::Black),
            self.number,
            self.last.long,
            took(self.last.took, ms),
            self.last.short,
            u8::from(self.below.is_black()),
            u8::from(self.ticking),
        );
        line
    }

    /// Returns the board of style 1, for people. Black's men have a star.
    pub fn style1(&self, note: &str) -> String {
        const EDGE: &str = "       ---------------------------------\n";
        const BETWEEN: &str = "       |---+---+---+---+---+---+---+---|\n";
        let (mut ranks, mut files) = (Rank::ALL, File::ALL);
        match self.below {
            Color::White => ranks.reverse(),
            Color::Black => files.reverse(),
        }
        let beside = self.beside(note);
        let mut text = format!("{}\n\n{EDGE}", title(self.game, &self.names));
        for (at, rank) in ranks.into_iter().enumerate() {
            let _ = write!(text, "    {rank}  |");
            for file in files {
                let man = self.board.piece_at(Square::from_coords(file, rank));
                let _ = match man {
                    None => write!(text, "   |"),
                    Some(man) if man.color.is_white() => {
                        write!(text, " {} |", man.role.upper_char())
                    }
                    Some(man) => write!(text, "*{} |", man.role.upper_char()),
                };
            }
            if let Some(note) = beside.get(at).filter(|note| !note.is_empty()) {
                let _ = write!(text, "     {note}");
            }
            text.push('\n');
            if at < 7 {
                text.push_str(BETWEEN);
            }
        }
        text.push_str(EDGE);
        text.push_str("       ");
        for file in files {
            let _ = write!(text, "  {file} ");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }

    /// Returns the notes to the right of the board.
    fn beside(&self, note: &str) -> [String; 8] {
        let side = notation::name(self.to_move);
        let upper = self.below.other();
        let shown = |color: Color| {
            let name = notation::name(color);
            format!("{name} Clock : {}", clock(*self.left.get(color)))
        };
        let timed = self.time != [0, 0];
        let last = match self.last.short.as_str() {
            "none" => String::new(),
            short => format!(
                "{} Moves : {short} {}",
                notation::name(self.to_move.other()),
                took(self.last.took, false)
            ),
        };
        let clocks = |color| if timed { shown(color) } else { String::new() };
        [
            format!("Move # : {} ({side})", self.number),
            last,
            String::new(),
            clocks(upper),
            clocks(self.below),
            String::new(),
            note.to_owned(),
            String::new(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Own, Reserve, Wings};

    fn position() -> Position {
        let own = Own::of(&Board::new(), Color::White, Wings::BOTH, Reserve::EMPTY);
        Position {
            board: own.board(),
            to_move: Color::White,
            castling: ByColor {
                white: [true, true],
                black: [false, false],
            },
            game: 1,
            names: ByColor {
                white: "Fred".to_owned(),
                black: "Ginger".to_owned(),
            },
            relation: Relation::MyTurn,
            time: [2, 12],
            strength: ByColor::new_with(|_| FULL_STRENGTH),
            left: ByColor::new_with(|_| 120_000),
            number: 1,
            last: LastMove::default(),
            below: Color::White,
            ticking: true,
        }
    }

    /// The line in this test was given to xboard, which showed it correctly.
    #[test]
    fn style_12_has_the_form_that_clients_read() {
        assert_eq!(
            position().style12(false),
            "<12> -------- -------- -------- -------- -------- -------- PPPPPPPP RNBQKBNR W -1 1 1 0 0 0 \
             1 Fred Ginger 1 2 12 39 39 120 120 1 none (0:00) none 0 1 0"
        );
        let mut later = position();
        later.relation = Relation::TheirTurn;
        later.left.white = 131_250;
        later.last = LastMove {
            long: "P/e2-e4".to_owned(),
            short: "e4".to_owned(),
            took: 3_250,
        };
        let line = later.style12(true);
        assert!(
            line.ends_with("39 39 131250 120000 1 P/e2-e4 (0:03.250) e4 0 1 0"),
            "{line}"
        );
    }

    #[test]
    fn style_1_shows_the_title_the_board_and_the_move_number() {
        let text = position().style1("");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "Game 1 (Fred vs. Ginger)");
        assert_eq!(
            lines[3],
            "    8  |   |   |   |   |   |   |   |   |     Move # : 1 (White)"
        );
        assert_eq!(lines[15], "    2  | P | P | P | P | P | P | P | P |");
        assert_eq!(lines[17], "    1  | R | N | B | Q | K | B | N | R |");
        assert_eq!(lines[19], "         a   b   c   d   e   f   g   h");
        assert!(text.is_ascii());
    }
}

//! A position as clients and people read it: style 12, and style 1.

use std::fmt::Write;

use club::Millis;
use rules::chess::{Board, ByColor, Color, File, Rank, Square};

/// Relation of the reader to the position, as style 12 numbers it.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Relation {
    /// Player whose turn it is.
    MyTurn = 1,
    /// Player who waits for the opponent's turn.
    TheirTurn = -1,
    /// Spectator.
    Observing = 0,
    /// Reader of a finished game.
    Examining = 2,
    /// A position by itself.
    Isolated = -3,
}

/// The last move, as far as it may be shown.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct LastMove {
    /// The long form, `P/e2-e4`.
    pub long: String,
    /// The short form, `e4`.
    pub short: String,
    /// Time that it took.
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

/// A position, with all that is told beside it.
#[derive(Clone, Debug)]
pub struct Position {
    /// The men that may be seen.
    pub board: Board,
    /// Side to move.
    pub to_move: Color,
    /// The rights to castle, short and long, that may be known.
    pub castling: ByColor<[bool; 2]>,
    /// The game's number at this door.
    pub game: u32,
    /// Names of the players.
    pub names: ByColor<String>,
    /// Relation of the reader to it.
    pub relation: Relation,
    /// The stock, in whole minutes, and what a move adds, in seconds.
    pub time: [Millis; 2],
    /// The worth of the men.
    pub strength: ByColor<u32>,
    /// The time left.
    pub left: ByColor<Millis>,
    /// The number of the move that is to be made.
    pub number: u32,
    /// The last move.
    pub last: LastMove,
    /// Side at the lower edge of the board.
    pub below: Color,
    /// Whether a clock runs.
    pub ticking: bool,
}

/// The worth of all men of a side, which is told of men that are not seen.
pub const FULL_STRENGTH: u32 = 39;

/// The worth of a side's men on a board.
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

/// The span of a move: `(0:03)`, in thousandths `(0:03.250)`.
fn took(span: Millis, ms: bool) -> String {
    let whole = seconds(span);
    let (minutes, rest) = (whole / 60, whole % 60);
    if ms {
        format!("({minutes}:{rest:02}.{:03})", span.rem_euclid(1000))
    } else {
        format!("({minutes}:{rest:02})")
    }
}

/// A clock for people: `4:59`.
pub fn clock(left: Millis) -> String {
    let whole = seconds(left.max(0));
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{rest:02}")
    } else {
        format!("{minutes}:{rest:02}")
    }
}

/// A game, as every line about it names it.
pub fn title(number: u32, names: &ByColor<String>) -> String {
    format!("Game {number} ({} vs. {})", names.white, names.black)
}

impl Position {
    /// The game is over: all men are shown.
    pub fn reveal(&mut self, board: &Board) {
        self.board = board.clone();
        self.strength = ByColor::new_with(|color| strength(board, color));
        self.ticking = false;
    }

    /// The line of style 12, without its end. The number of moves since the last
    /// that cannot be taken back would tell of unseen men: it is always 0.
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

    /// The board of style 1, for people: Black's men have a star.
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

    /// The line that xboard was seen to read.
    #[test]
    fn style_12_as_clients_read_it() {
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
    fn style_1_is_for_people() {
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

//! The weights of `master`: values of men, probabilities and costs that the value of a position
//! depends on.

use std::{
    fmt::{self, Write},
    ops::RangeInclusive,
    str::FromStr,
    sync::{Arc, LazyLock},
};

use rules::chess::Role;

/// The first line of a file of weights.
const FORM: &str = "kriegspiel-weights 1";

/// The built-in weights of `master` and `level-6`.
const SHIPPED: &str = include_str!("weights.txt");

/// Value of a king, in pawns. It is far greater than the value of any other man.
const KING: f32 = 100.0;

/// Range of the value of a man, in pawns.
const MAN: RangeInclusive<f32> = 0.1..=20.0;
/// Range of another value or cost, in pawns.
const PAWNS: RangeInclusive<f32> = 0.0..=20.0;
/// Range of a weight by which the program divides. It is above 0.
const DIVISOR: RangeInclusive<f32> = 0.5..=50.0;
/// Range of the value of mate, in pawns.
const WIDE: RangeInclusive<f32> = 1.0..=100.0;
/// Range of a probability or of a share.
const SHARE: RangeInclusive<f32> = 0.0..=1.0;

/// Defines the weights. Each line has the name of a weight, its range, and its usual value.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident: $range:ident = $usual:literal,)*) => {
        /// Weights of `master`. The unit of values and costs is called a pawn.
        ///
        /// The text form has a header line, then one line for each weight with its name and value.
        /// Lines that begin with `#` are comments.
        ///
        /// ```
        /// use bots::Weights;
        ///
        /// let shipped = Weights::shipped();
        /// let text = shipped.to_string();
        /// assert!(text.starts_with("kriegspiel-weights 1\npawn "));
        /// assert_eq!(text.parse::<Weights>()?, *shipped);
        /// assert!("rook 5".parse::<Weights>().is_err());
        /// # Ok::<(), bots::WeightsError>(())
        /// ```
        #[derive(Clone, PartialEq, Debug)]
        pub struct Weights {
            $($(#[$doc])* pub(crate) $name: f32,)*
        }

        impl Weights {
            /// Names of the weights, in the order of the text form.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// The weights of `level-1` to `level-5`. The ratings of these levels were measured with
            /// these weights.
            pub(crate) const USUAL: Weights = Weights { $($name: $usual,)* };

            /// Returns the value of the weight with this name.
            pub fn get(&self, name: &str) -> Option<f32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// Returns the smallest and the greatest possible value of the weight with this name.
            pub fn range(name: &str) -> Option<RangeInclusive<f32>> {
                match name {
                    $(stringify!($name) => Some($range),)*
                    _ => None,
                }
            }

            /// Returns the place of the weight with this name.
            fn place(&mut self, name: &str) -> Option<&mut f32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

weights! {
    /// Value of a pawn.
    pawn: MAN = 1.0,
    /// Value of a knight.
    knight: MAN = 3.1,
    /// Value of a bishop.
    bishop: MAN = 3.2,
    /// Value of a rook.
    rook: MAN = 5.0,
    /// Value of a queen.
    queen: MAN = 9.5,

    /// Cost of every capture that we make. It is subtracted in addition to the expected losses. A
    /// capture has this cost because its announcement tells the opponent the square of our man.
    /// After own captures, games ended worse for the bot than the other terms of the value
    /// predicted.
    capture: PAWNS = 0.0,
    /// Cost of a capture with a man that is more valuable than the captured man, as a share of the
    /// difference of the two values. The cost is subtracted in addition to the expected losses.
    distrust: SHARE = 0.11,
    /// The same, in addition, for a capture on the square of the opponent's last capture. More men
    /// of the opponent protect such a square than the belief knows.
    chain: SHARE = 0.0,
    /// Cost of a check, as a share of the value of the man that gives check. The cost is subtracted
    /// in addition to the expected losses. If the opponent can capture a man that gives check, the
    /// opponent nearly always does so. In 100 games, a quarter of the men that gave check without a
    /// capture were lost at once. The values computed from the possible positions had predicted
    /// fewer losses.
    check_distrust: SHARE = 0.12,
    /// Cost if the opponent knows the square of our queen or rook, as a share of the value of this
    /// man. The man is in danger on every square, because the opponent can attack it with the next
    /// move.
    hunted: SHARE = 0.04,
    /// Cost for a side that has no men with which it can win.
    hopeless: PAWNS = 0.0,
    /// Share of our lead that counts if we have no men with which we can win.
    hopeless_lead: SHARE = 1.0,
    /// Additional cost of losing our last man that can win.
    last_hope: PAWNS = 8.0,

    /// Value of mate, in pawns. It says what a bot that is ahead risks for a mate.
    mate: WIDE = 60.0,
    /// Least difference between the value of mate and our lead in material. Without it, our lead
    /// could be worth more than mate after many drops and promotions.
    mate_gain: WIDE = 20.0,
    /// Lead with which a side is clearly ahead. Further pawns count less and less.
    clearly_ahead: DIVISOR = 8.0,
    /// Least value of a further pawn, however far a side is ahead.
    least_slope: SHARE = 0.25,

    /// Probability that the opponent recaptures a pawn that has just captured, if the opponent can
    /// recapture. Some players do not recapture every pawn.
    retakes_pawn: SHARE = 0.85,
    /// Probability that the opponent recaptures another man that has just captured, if the opponent
    /// can recapture.
    retakes_piece: SHARE = 0.97,
    /// Probability that the opponent makes a pawn capture, if the referee announced to the opponent
    /// that a pawn capture is possible.
    told_pawn_try: SHARE = 0.95,
    /// Probability that the opponent makes a possible pawn capture without such an announcement.
    untold_pawn_try: SHARE = 0.3,
    /// Probability that the opponent captures a man that gives check.
    takes_checker: SHARE = 0.85,
    /// Least probability that the opponent's king captures an unprotected man, if the opponent has
    /// few men.
    king_takes: SHARE = 0.6,
    /// Probability that the opponent captures an attacked pawn, if the opponent does not know where
    /// the pawn is.
    ///
    /// The probabilities of this kind were compared with recorded games of three programs. The
    /// comparison is about men that were attacked by a piece and had not captured before. In these
    /// games, 1 to 32 % of such men were captured. The share depends on the role and is greatest
    /// for the queen. Most of the probabilities here are greater than these shares. The reason: the
    /// bot moves its men to squares for which the belief shows little danger. Where the belief is
    /// wrong, the danger is greater.
    takes_pawn: SHARE = 0.08,
    /// Increase of [`takes_pawn`](Weights::takes_pawn) if the opponent knows where the pawn is.
    takes_known_pawn: SHARE = 0.05,
    /// The same as `takes_pawn`, for a knight or bishop.
    takes_minor: SHARE = 0.15,
    /// The same as `takes_known_pawn`, for a knight or bishop.
    takes_known_minor: SHARE = 0.12,
    /// The same as `takes_pawn`, for a rook.
    takes_rook: SHARE = 0.2,
    /// The same as `takes_known_pawn`, for a rook.
    takes_known_rook: SHARE = 0.25,
    /// The same as `takes_pawn`, for a queen.
    takes_queen: SHARE = 0.3,
    /// The same as `takes_known_pawn`, for a queen.
    takes_known_queen: SHARE = 0.3,
    /// Increase of the probability that the opponent captures our man, if two or more men attack
    /// it.
    takes_twice: SHARE = 0.05,
    /// Factor of the probability that the opponent captures our man, if another man of ours gives
    /// check.
    takes_other: SHARE = 0.15,
    /// Share of our gain that counts if the opponent makes a capture with which it loses material.
    /// The opponent seldom makes such a capture.
    bad_capture: SHARE = 0.2,
    /// Probability that the opponent promotes a pawn, if it can promote on a square that we do not
    /// attack.
    promotes: SHARE = 0.45,
    /// Probability that a pawn of the opponent promotes with the move after the next, if we attack
    /// neither of the two squares in front of it.
    promotes_later: SHARE = 0.0,

    /// Share by which the difference of material counts more if the opponent has only the king.
    trade: SHARE = 0.15,
    /// Value of a check.
    check: PAWNS = 0.05,
    /// Value of the opponent's unprotected men that we attack, as a share of the value of the men.
    prey: SHARE = 0.1,
    /// Cost of our unprotected men, as a share of the value of the men.
    loose: SHARE = 0.015,
    /// Value of a square that we attack.
    reach: PAWNS = 0.014,
    /// Cost of a square that the opponent attacks.
    their_reach: PAWNS = 0.007,
    /// Weight of the opponent's pawns, compared with our pawns.
    their_pawns: SHARE = 0.8,
    /// Cost of a free square of the opponent's king, if the opponent has only the king.
    flight: PAWNS = 0.12,
    /// Cost of the distance between the two kings, for each square, if the opponent has few men.
    king_distance: PAWNS = 0.06,
    /// Cost if the opponent's king has no free square and the opponent has few men. Such a position
    /// is close to a stalemate.
    near_stalemate: PAWNS = 1.5,
    /// Cost of our king's distance from its first rank, for each rank.
    king_advance: PAWNS = 0.12,
    /// Cost of a square next to our king that the opponent attacks.
    near_king: PAWNS = 0.07,
    /// Cost of a square next to our king from which a queen or a rook could mate.
    mating_square: PAWNS = 0.9,
    /// Cost of a knight or bishop on our first rank.
    home_minor: PAWNS = 0.2,
    /// Value of a pawn in the centre.
    central_pawn: PAWNS = 0.12,
    /// Value of a knight or bishop that is not at the edge of the board.
    inner_minor: PAWNS = 0.04,
}

impl Weights {
    /// Returns the weights of `master` and `level-6`.
    pub fn shipped() -> Arc<Weights> {
        static SHARED: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            let weights: Weights = SHIPPED.parse().expect("the built-in weights are valid");
            Arc::new(weights)
        });
        Arc::clone(&SHARED)
    }

    /// Returns the weights of `level-1` to `level-5`.
    pub(crate) fn usual() -> Arc<Weights> {
        static SHARED: LazyLock<Arc<Weights>> = LazyLock::new(|| Arc::new(Weights::USUAL));
        Arc::clone(&SHARED)
    }

    /// Replaces the value of the weight with this name.
    ///
    /// # Errors
    /// There is no such weight, or the value is outside its range.
    pub fn set(&mut self, name: &str, value: f32) -> Result<(), WeightError> {
        let (Some(place), Some(range)) = (self.place(name), Weights::range(name)) else {
            return Err(WeightError::Unknown { name: name.into() });
        };
        if !range.contains(&value) {
            return Err(WeightError::Range {
                name: name.into(),
                range,
            });
        }
        *place = value;
        Ok(())
    }

    /// Returns the value of a man, in pawns.
    pub(crate) const fn of(&self, role: Role) -> f32 {
        match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.bishop,
            Role::Rook => self.rook,
            Role::Queen => self.queen,
            Role::King => KING,
        }
    }

    /// Returns the probability that the opponent recaptures a man that has just captured, if the
    /// opponent can recapture.
    pub(crate) const fn retakes(&self, captor: Role) -> f32 {
        match captor {
            Role::Pawn => self.retakes_pawn,
            Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                self.retakes_piece
            }
        }
    }

    /// Returns two numbers about an attacked man of this role. The first number is the probability
    /// that the opponent captures the man, if the opponent does not know where it is. The second
    /// number is added to this probability if the opponent knows where it is.
    pub(crate) const fn takes(&self, role: Role) -> (f32, f32) {
        match role {
            Role::Pawn => (self.takes_pawn, self.takes_known_pawn),
            Role::Knight | Role::Bishop => (self.takes_minor, self.takes_known_minor),
            Role::Rook => (self.takes_rook, self.takes_known_rook),
            Role::Queen => (self.takes_queen, self.takes_known_queen),
            Role::King => (0.0, 0.0),
        }
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FORM}")?;
        for name in Weights::NAMES {
            writeln!(f, "{name} {}", self.get(name).unwrap_or_default())?;
        }
        Ok(())
    }
}

/// Error in one weight.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WeightError {
    /// No weight has this name.
    #[error("there is no weight `{name}`; the weights are {}", Weights::NAMES.join(", "))]
    Unknown {
        /// The name as given.
        name: String,
    },
    /// The value is outside the range of the weight.
    #[error("`{name}` must be a number from {} to {}", .range.start(), .range.end())]
    Range {
        /// Name of the weight.
        name: String,
        /// The possible values.
        range: RangeInclusive<f32>,
    },
}

/// Error: the text is not a file of weights.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WeightsError {
    /// The first line is not the format header.
    #[error("line 1 is not `{FORM}`: write this line first, then a name and a value in each line")]
    Form,
    /// A line is not a name and a number.
    #[error("line {line}: `{text}` is not a name and a number; write for example `rook 4.5`")]
    Line {
        /// Line number, from 1.
        line: usize,
        /// The first 60 characters of the line.
        text: String,
    },
    /// The name or the value in a line is wrong.
    #[error("line {line}: {fault}")]
    Weight {
        /// Line number, from 1.
        line: usize,
        /// The error.
        fault: WeightError,
    },
    /// Two lines have the same name.
    #[error("line {line}: `{name}` has a value already; remove this line or the other one")]
    Twice {
        /// Line number of the second line, from 1.
        line: usize,
        /// Name of the weight.
        name: String,
    },
    /// A weight has no line.
    #[error("`{name}` is missing: add the line `{name} {shipped}` for the value of `master`")]
    Missing {
        /// Name of the weight.
        name: &'static str,
        /// Value of `master`, as text.
        shipped: &'static str,
    },
}

/// Returns the value of a weight as it stands in the built-in file.
fn shipped_value(name: &str) -> &'static str {
    let value = |line: &'static str| line.strip_prefix(name)?.strip_prefix(' ');
    SHIPPED.lines().find_map(value).unwrap_or("0")
}

/// Returns the first 60 characters of a line, without control characters.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(60) {
        if c.is_control() {
            let _ = write!(shown, "{}", c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Weights, WeightsError> {
        let mut weights = Weights::USUAL;
        let mut seen: Vec<&str> = Vec::new();
        let mut lines = (1..).zip(text.lines());
        if lines.next().is_none_or(|(_, first)| first.trim() != FORM) {
            return Err(WeightsError::Form);
        }
        for (line, text) in lines {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let wrong = || WeightsError::Line {
                line,
                text: shown(text),
            };
            let (name, value) = text.split_once(char::is_whitespace).ok_or_else(wrong)?;
            let value: f32 = value.trim().parse().map_err(|_| wrong())?;
            if seen.contains(&name) {
                let name = name.to_owned();
                return Err(WeightsError::Twice { line, name });
            }
            weights
                .set(name, value)
                .map_err(|fault| WeightsError::Weight { line, fault })?;
            seen.push(name);
        }
        match Weights::NAMES.iter().find(|name| !seen.contains(name)) {
            None => Ok(weights),
            Some(name) => Err(WeightsError::Missing {
                name,
                shipped: shipped_value(name),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_line_and_the_remedy() {
        let usual = Weights::USUAL.to_string();
        let fault = |text: &str| text.parse::<Weights>().unwrap_err().to_string();
        let with = |line: &str| fault(&usual.replacen("rook 5", line, 1));
        let form = "line 1 is not `kriegspiel-weights 1`: write this line first";
        assert!(fault("").starts_with(form));
        assert!(fault("kriegspiel-weights 2\n").starts_with(form));
        let example = "is not a name and a number; write for example `rook 4.5`";
        for line in ["rook", "rook four", "rook 4,5", "rook 4.5 5"] {
            assert_eq!(with(line), format!("line 5: `{line}` {example}"));
        }
        assert_eq!(
            with("a\u{1b}[2J"),
            format!("line 5: `a\\u{{1b}}[2J` {example}")
        );
        let unknown = with("rok 4.5");
        assert!(unknown.starts_with("line 5: there is no weight `rok`; the weights are pawn, "));
        for value in ["0", "21", "-1", "NaN", "inf"] {
            let expected = "line 5: `rook` must be a number from 0.1 to 20";
            assert_eq!(with(&format!("rook {value}")), expected);
        }
        let expected = "line 5: `pawn` has a value already; remove this line or the other one";
        assert_eq!(with("pawn 1"), expected);
        let line = format!("rook {}", shipped_value("rook"));
        let expected =
            format!("`rook` is missing: add the line `{line}` for the value of `master`");
        assert_eq!(with("# no rook"), expected);
    }

    #[test]
    fn every_weight_has_a_usual_value_in_its_range() {
        for name in Weights::NAMES {
            let range = Weights::range(name).expect("the weight exists");
            let usual = Weights::USUAL.get(name).expect("the weight exists");
            assert!(range.contains(&usual), "{name}");
        }
        assert_eq!(Weights::USUAL.get("king"), None);
        assert!(Weights::USUAL.clone().set("king", 1.0).is_err());
    }
}

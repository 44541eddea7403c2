//! A move's text as patterns that name no board.

use rules::{
    Own, PromotionMan, Try,
    chess::{Bitboard, CastlingSide, Color, Role, Square},
};

use super::{algebraic, descriptive, marks::Marks};

/// A way of writing moves.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Notation {
    /// Squares by letter and number: `Nf3`, `Nb1-d2`, `exd`, `e2e4`.
    Algebraic,
    /// Squares by the men of the first rank: `N-KB3`, `QPxP`, `p/k2-k4`, and
    /// UMPIRE's `K2 K4`.
    Descriptive,
}

impl Notation {
    /// Both.
    pub const ALL: [Notation; 2] = [Notation::Algebraic, Notation::Descriptive];

    /// The notation's name.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Algebraic => "algebraic",
            Notation::Descriptive => "descriptive",
        }
    }
}

/// Names of the squares in algebraic notation.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum BoardNames {
    /// The usual way, the same for both sides.
    #[default]
    Usual,
    /// Black's squares are rotated by 180 degrees (`ks -r`): Black writes e2-e4
    /// for d7-d5.
    Reversed,
}

/// Whether a text says that a man is taken.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Takes {
    /// It is written with an `x`, or as a pawn's change of file.
    Yes,
    /// It is written without.
    No,
    /// The form does not tell.
    Unsaid,
}

/// A step of one man as text.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct StepPattern {
    /// Man, if the text names it.
    pub man: Option<Role>,
    /// `QR` or `KR`: the man of that wing.
    pub wing: Option<CastlingSide>,
    /// Possible origins.
    pub from: Bitboard,
    /// Possible targets.
    pub to: Bitboard,
    /// Whether it is a capture.
    pub takes: Takes,
    /// Captured man. Usable only with both sides' men.
    pub victim: Option<Role>,
    /// Man that a pawn becomes.
    pub promotion: Option<Role>,
}

/// One reading of a move's text.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Pattern {
    /// Castling on a wing.
    Castling(CastlingSide),
    /// A step of one man.
    Step(StepPattern),
    /// A man from the reserve.
    Drop {
        /// The man.
        role: Role,
        /// Square for the man.
        to: Bitboard,
    },
}

/// A move's text, read without a board: what it may mean, and its marks.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct MoveText {
    /// Every reading of it; a move fits the text if it fits one of them.
    pub readings: Vec<Pattern>,
    /// The marks after it.
    pub marks: Marks,
}

impl MoveText {
    /// Reads a text in one notation; `None` if it is none.
    ///
    /// `color` is the side that moves: descriptive ranks are counted from it.
    ///
    /// # Examples
    ///
    /// ```
    /// use notation::{BoardNames, MoveText, Notation};
    /// use rules::chess::Color;
    ///
    /// let read = |text, notation| MoveText::read(text, notation, Color::White, BoardNames::Usual);
    /// assert!(read("R/N-Q5", Notation::Descriptive).is_some());
    /// assert!(read("Rgd5", Notation::Algebraic).is_some());
    /// assert!(read("Rgd5", Notation::Descriptive).is_none());
    /// ```
    pub fn read(
        text: &str,
        notation: Notation,
        color: Color,
        board: BoardNames,
    ) -> Option<MoveText> {
        if text.len() > LONGEST {
            return None;
        }
        let plain = plain(text);
        let (bare, marks) = Marks::split(&plain);
        let readings = match notation {
            Notation::Algebraic => {
                let turned = board == BoardNames::Reversed && color == Color::Black;
                algebraic::readings(bare, turned)
            }
            Notation::Descriptive => descriptive::readings(bare, color),
        };
        (!readings.is_empty()).then_some(MoveText { readings, marks })
    }

    /// Reads a text in whatever notation it may be.
    pub fn read_any(text: &str, color: Color, board: BoardNames) -> Option<MoveText> {
        let mut all: Option<MoveText> = None;
        for notation in Notation::ALL {
            let Some(read) = MoveText::read(text, notation, color, board) else {
                continue;
            };
            match &mut all {
                None => all = Some(read),
                Some(known) => {
                    for reading in read.readings {
                        if !known.readings.contains(&reading) {
                            known.readings.push(reading);
                        }
                    }
                }
            }
        }
        all
    }

    /// The one attempt that a text names by its squares alone, whatever stands
    /// on them.
    pub fn exact(&self) -> Option<Try> {
        let [Pattern::Step(step)] = self.readings.as_slice() else {
            return None;
        };
        match (step.man, step.from.single_square(), step.to.single_square()) {
            (None, Some(from), Some(to)) => Some(Try::Step {
                from,
                to,
                promotion: step.promotion,
            }),
            _ => None,
        }
    }

    /// Adds every try imaginable from own men that fits the text; what the
    /// other side has is not asked.
    pub fn imagined(&self, own: &Own, rule: PromotionMan, fits: &mut Vec<Try>) {
        for reading in &self.readings {
            reading.imagined(own, rule, &mut |t| {
                if !fits.contains(&t) {
                    fits.push(t);
                }
            });
        }
    }
}

/// No move is written longer, in bytes.
const LONGEST: usize = 64;

/// The text with the signs of print as those of a keyboard.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\u{d7}' => 'x',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            '\u{a0}' => ' ',
            '\u{2020}' => '+',
            _ => c,
        })
        .collect()
}

impl Pattern {
    /// Calls `found` with every try imaginable from own men that fits.
    pub fn imagined(&self, own: &Own, rule: PromotionMan, found: &mut impl FnMut(Try)) {
        match *self {
            Pattern::Castling(side) => {
                let target = side.king_to(own.color);
                if let Some(king) = own.king()
                    && own.castling_targets().contains(target)
                {
                    found(Try::step(king, target));
                }
            }
            Pattern::Step(step) => step.imagined(own, rule, found),
            Pattern::Drop { role, to } => {
                for to in own.drop_targets(role, own.all()) & to {
                    found(Try::Drop { role, to });
                }
            }
        }
    }
}

impl StepPattern {
    fn imagined(&self, own: &Own, rule: PromotionMan, found: &mut impl FnMut(Try)) {
        let all = own.all();
        for role in Role::ALL {
            if self.man.is_some_and(|man| man != role) {
                continue;
            }
            let men = *own.men.get(role) & self.from;
            for from in men {
                if !self.is_of_wing(own, role, from) {
                    continue;
                }
                for to in self.targets(own, role, from, all) {
                    self.promotions(own, rule, from, to, found);
                }
            }
        }
    }

    /// Returns the squares to which the man on `from` may imagine to go, as the
    /// text says.
    fn targets(&self, own: &Own, role: Role, from: Square, all: Bitboard) -> Bitboard {
        let targets = match (role, self.takes) {
            (Role::Pawn, Takes::Yes) => own.pawn_captures(from, all),
            (Role::Pawn, Takes::No) => own.pawn_pushes(from, all),
            // The king's two steps are castling only where both are named.
            (Role::King, _) if self.from.count() != 1 => {
                rules::chess::attacks::king_attacks(from) & !all
            }
            (_, _) => own.targets(role, from, all),
        };
        targets & self.to
    }

    fn promotions(
        &self,
        own: &Own,
        rule: PromotionMan,
        from: Square,
        to: Square,
        found: &mut impl FnMut(Try),
    ) {
        let with = |promotion| Try::Step {
            from,
            to,
            promotion,
        };
        if !own.is_promotion(with(None)) {
            if self.promotion.is_none() {
                found(with(None));
            }
            return;
        }
        if let Some(man) = self.promotion {
            found(with(Some(man)));
            return;
        }
        match rule {
            PromotionMan::QueenOnly | PromotionMan::QueenUnlessNamed => {
                found(with(Some(Role::Queen)));
            }
            PromotionMan::Named => {
                for man in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                    found(with(Some(man)));
                }
            }
        }
    }

    /// Whether the man on `from` is the one of the wing that the text names: a
    /// bishop by the colour of its squares, as long as that tells them apart;
    /// else the man of that kind that stands nearer to that wing. A lone man is
    /// of both wings, and so are two on one file.
    fn is_of_wing(&self, own: &Own, role: Role, from: Square) -> bool {
        let Some(wing) = self.wing else {
            return true;
        };
        let others = *own.men.get(role) & !Bitboard::from_square(from);
        let side = |squares: Bitboard| {
            (
                (squares & Bitboard::LIGHT_SQUARES).any(),
                (squares & Bitboard::DARK_SQUARES).any(),
            )
        };
        if role == Role::Bishop && side(others) != side(Bitboard::from_square(from)) {
            if others.is_empty() {
                return true;
            }
            // White's king's bishop and Black's queen's go on light squares.
            let light = (own.color == Color::White) == (wing == CastlingSide::KingSide);
            return from.is_light() == light;
        }
        others.into_iter().all(|other| match wing {
            CastlingSide::KingSide => from.file() >= other.file(),
            CastlingSide::QueenSide => from.file() <= other.file(),
        })
    }
}

//! Patterns that a move's text can mean, independent of any board.

use rules::{
    Own, PromotionMan, Try,
    chess::{Bitboard, CastlingSide, Color, Role, Square},
};

use super::{algebraic, descriptive, marks::Marks, signs::plain_signs};

/// A way of writing moves.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Notation {
    /// Squares are named by letter and number: `Nf3`, `Nb1-d2`, `exd`, `e2e4`.
    Algebraic,
    /// Squares are named by the pieces of the first rank: `N-KB3`, `QPxP`,
    /// `p/k2-k4`, and UMPIRE's form `K2 K4`.
    Descriptive,
}

impl Notation {
    /// Both notations.
    pub const ALL: [Notation; 2] = [Notation::Algebraic, Notation::Descriptive];

    /// Returns the name of the notation.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Algebraic => "algebraic",
            Notation::Descriptive => "descriptive",
        }
    }
}

/// How the squares are named in algebraic notation.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum BoardNames {
    /// The usual names, the same for both sides.
    #[default]
    Usual,
    /// For Black, the names are rotated by 180 degrees (`ks -r`): Black writes
    /// e2-e4 for d7-d5.
    Reversed,
}

/// Whether a move's text says that the move is a capture.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Takes {
    /// Yes: the text has an `x`, or a pawn changes its file.
    Yes,
    /// No: the text has the form of a move without a capture.
    No,
    /// The form is used for captures and for other moves.
    Unsaid,
}

/// Pattern of one man's step.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct StepPattern {
    /// The man that moves, if the text names this man.
    pub man: Option<Role>,
    /// The wing in the man's name: queen's wing for `QR`, king's wing for `KR`.
    pub wing: Option<CastlingSide>,
    /// Squares from which the step can start.
    pub from: Bitboard,
    /// Squares on which the step can end.
    pub to: Bitboard,
    /// Whether the step is a capture.
    pub takes: Takes,
    /// Role of the captured man, if the text names this role. Only a reader who
    /// knows the men of both sides can check the role.
    pub victim: Option<Role>,
    /// The man that the pawn becomes, if the text names this man.
    pub promotion: Option<Role>,
}

/// One meaning that a move's text can have.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Pattern {
    /// Castling on a wing.
    Castling(CastlingSide),
    /// A step of one man.
    Step(StepPattern),
    /// A man is dropped from the reserve.
    Drop {
        /// The man that is dropped.
        role: Role,
        /// Squares on which the man can be put.
        to: Bitboard,
    },
}

/// The possible meanings of a move's text, and its marks. The text is read without a board.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct MoveText {
    /// The possible meanings. A move fits the text if the move fits one of these meanings.
    pub readings: Vec<Pattern>,
    /// The marks after the move, for example `ch` or `e.p.`.
    pub marks: Marks,
}

impl MoveText {
    /// Reads a text in one notation; `None` if the text is not a move in this
    /// notation.
    ///
    /// `color` is the side that moves: in descriptive notation the ranks are
    /// counted from that side.
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
        if text.len() > MAX_TEXT_BYTES {
            return None;
        }
        let plain = plain_signs(text);
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

    /// Reads a text in each notation, and joins the meanings of both notations.
    pub fn read_any(text: &str, color: Color, board: BoardNames) -> Option<MoveText> {
        let mut all: Option<MoveText> = None;
        for notation in Notation::ALL {
            let Some(read) = MoveText::read(text, notation, color, board) else {
                continue;
            };
            match &mut all {
                None => all = Some(read),
                Some(known) => known.add(read.readings),
            }
        }
        all
    }

    /// Adds meanings, each once.
    pub(super) fn add(&mut self, readings: impl IntoIterator<Item = Pattern>) {
        for reading in readings {
            if !self.readings.contains(&reading) {
                self.readings.push(reading);
            }
        }
    }

    /// Returns the try if the text names exactly two squares and no man. The
    /// result does not depend on any board.
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

    /// Adds to `fits` every try that fits the text and is imaginable from own
    /// men. The opponent's men have no influence.
    pub fn imagined(&self, own: &Own, rule: PromotionMan, fits: &mut Vec<Try>) {
        for reading in &self.readings {
            reading.imagined(own, rule, &mut |t| {
                if !fits.contains(&t) {
                    fits.push(t);
                }
            });
        }
    }

    /// Returns a try that the text names and that is impossible from own men. Call this method only
    /// for a text that fits no imaginable try. Returns `None` if the text names no target square
    /// (`PxP`, `exd`), has the mark `e.p.`, or contradicts itself.
    ///
    /// If the text does not name the origin square, the origin is the square of an own man of the
    /// role that the text names. If the player has no such man, the origin is a square without an
    /// own man.
    pub(super) fn impossible(&self, own: &Own, rule: PromotionMan) -> Option<Try> {
        if self.marks.en_passant {
            return None;
        }
        self.readings
            .iter()
            .find_map(|reading| reading.impossible(own, rule))
    }
}

/// The men that a pawn can become.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Largest length of a move's text, in bytes.
const MAX_TEXT_BYTES: usize = 64;

impl Pattern {
    /// Calls `found` with every try that fits this pattern and is imaginable
    /// from own men.
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

impl Pattern {
    fn impossible(&self, own: &Own, rule: PromotionMan) -> Option<Try> {
        let is_impossible = |t: &Try| !own.imaginable(own.with_default_promotion(*t, rule), rule);
        match *self {
            Pattern::Castling(side) => {
                let target = side.king_to(own.color);
                let home = own.color.fold_wb(Square::E1, Square::E8);
                let king = own.king()?;
                [(home, target), (king, target), (king, home)]
                    .map(|(from, to)| Try::step(from, to))
                    .into_iter()
                    .find(is_impossible)
            }
            Pattern::Step(step) => step.origins(own).into_iter().find_map(|from| {
                let to = step.to.into_iter().find(|to| *to != from)?;
                let promotion = step.promotion;
                let t = Try::Step {
                    from,
                    to,
                    promotion,
                };
                Some(t).filter(is_impossible)
            }),
            Pattern::Drop { role, to } => to
                .single_square()
                .map(|to| Try::Drop { role, to })
                .filter(is_impossible),
        }
    }
}

impl StepPattern {
    /// Returns the possible origin squares of the step, the most probable first. Squares with an
    /// own man of the role come before squares without an own man. In both groups, the first
    /// squares are those from which a man of this role reaches the target square on an empty board.
    /// Nearer squares come before farther squares. The list is empty if the text does not name the
    /// target square.
    fn origins(&self, own: &Own) -> Vec<Square> {
        let (Some(role), true) = (
            self.man,
            self.victim.is_none() && matches!(self.to.count(), 1 | 2),
        ) else {
            return Vec::new();
        };
        let Some(to) = self.to.first() else {
            return Vec::new();
        };
        let is_like = |from: Square| match (role, self.takes) {
            (Role::Pawn, Takes::Yes) => from.file().distance(to.file()) == 1,
            (Role::Pawn, _) => from.file() == to.file(),
            (_, _) => rules::reaches(own.color, role, from, to, Bitboard::EMPTY),
        };
        let sorted = |squares: Bitboard| {
            let mut squares: Vec<Square> = squares.into_iter().collect();
            squares.sort_by_key(|from| {
                let rank = own.color.relative_rank(from.rank());
                (!is_like(*from), from.distance(to), rank, from.file())
            });
            squares
        };
        let men = *own.men.get(role) & self.from;
        [sorted(men), sorted(self.from & !own.all())].concat()
    }

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

    /// Returns the target squares that fit the text and that the man on `from` could reach by an
    /// imaginable step.
    fn targets(&self, own: &Own, role: Role, from: Square, all: Bitboard) -> Bitboard {
        let targets = match (role, self.takes) {
            (Role::Pawn, Takes::Yes) => own.pawn_captures(from, all),
            (Role::Pawn, Takes::No) => own.pawn_pushes(from, all),
            // A king's step of two squares is castling. This step fits only a
            // text that names the king's square.
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
                for man in PROMOTIONS {
                    found(with(Some(man)));
                }
            }
        }
    }

    /// Whether the man on `from` belongs to the wing that the text names, for
    /// example `KR`.
    ///
    /// If there are bishops on squares of both colours, the colour of a bishop's square decides the
    /// bishop's wing. In all other cases, a man belongs to a wing if no other man of its role is
    /// nearer to that wing. So a single man, or each of two men on one file, belongs to both wings.
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
            // White's king's bishop and Black's queen's bishop move on light
            // squares.
            let light = (own.color == Color::White) == (wing == CastlingSide::KingSide);
            return from.is_light() == light;
        }
        others.into_iter().all(|other| match wing {
            CastlingSide::KingSide => from.file() >= other.file(),
            CastlingSide::QueenSide => from.file() <= other.file(),
        })
    }
}

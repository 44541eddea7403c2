//! The slow oracle: a second referee, written from docs/specification.md alone.
//!
//! It plays on a mailbox board, keeps every past position as text, asks every
//! square of every line, and answers in the order in which the rules page
//! does. It shares nouns with the referee (attempts, calls, choices) and not
//! one line of judgement, so that the two can be compared.
//!
//! ```
//! use rules::{rulesets, Answer, Attempt, chess::Color};
//! use testkit::oracle::Oracle;
//!
//! let wild16 = rulesets::by_id("wild16").expect("a named ruleset");
//! let mut oracle = Oracle::open("wild16", wild16.choices, None).expect("the usual start");
//! let e4: Attempt = "e2e4".parse().expect("an attempt");
//! assert_eq!(oracle.attempt(Color::White, e4).expect("White's turn").answer, Answer::Moved);
//! assert_eq!(oracle.to_move(), Some(Color::Black));
//! ```

mod announce;
mod answered;
mod check;
mod fen;
mod hearings;
mod mailbox;
mod mine;
mod turn;
mod verdict;

use std::borrow::Cow;

use rules::{
    Attempt, Choices, Directions, Heard, MoveAnnouncements, Over, Own, Reserve, Start, Try, Wings,
    chess::{Bitboard, ByColor, ByRole, CastlingSide, Color, Role, Square},
};

pub use self::{
    answered::{Answered, End},
    hearings::column,
};
use self::{
    hearings::Hearings,
    mailbox::{Position, Side},
    mine::Mine,
    turn::Turn,
};

/// A game under the slow referee.
#[derive(Clone, Debug)]
pub struct Oracle {
    rules: String,
    choices: Choices,
    position: Position,
    /// The legal moves of the position.
    legal: Vec<Try>,
    /// Every position so far, without its counts.
    past: Vec<String>,
    turn: Turn,
    over: Option<Over>,
    draw_offer: Option<Color>,
    /// Noes of each side on its last turn, or so far on this one.
    rebuffs: ByColor<u32>,
    /// Announcements to all after the last completed move.
    last_said: MoveAnnouncements,
    start: Position,
    opening: [Vec<Heard>; 3],
}

impl Oracle {
    /// Opens a game; `fen` is trusted to be a valid position.
    ///
    /// # Errors
    /// Says which part of the FEN cannot be read.
    pub fn open(rules_id: &str, choices: Choices, fen: Option<&str>) -> Result<Oracle, String> {
        let drops = match choices.reserve {
            rules::ReserveUse::None => false,
            rules::ReserveUse::Drops => true,
        };
        let position = Position::read(fen.unwrap_or(fen::INITIAL), drops)?;
        let mut oracle = Oracle {
            rules: rules_id.to_owned(),
            choices,
            start: position.clone(),
            position,
            legal: Vec::new(),
            past: Vec::new(),
            turn: Turn::new(None, rules::Tries::Untold),
            over: None,
            draw_offer: None,
            rebuffs: ByColor::default(),
            last_said: MoveAnnouncements::NOTHING,
            opening: [const { Vec::new() }; 3],
        };
        oracle.look();
        let mut hearings = Hearings::default();
        oracle.announce_position(&mut hearings);
        oracle.opening = hearings.done();
        Ok(oracle)
    }

    /// Looks at a new position: its legal moves, and that it occurred.
    fn look(&mut self) {
        self.legal = self.position.legal();
        // A man who may not be named is no man at all (specification 3.2).
        let mine = Mine::of(&self.position, self.position.turn);
        let rule = self.choices.promotion_man;
        self.legal.retain(|t| mine.imaginable(*t, rule));
        self.past.push(self.position.essence(&self.legal));
    }

    /// Returns what `start` tells White, Black and the spectators.
    pub fn starts(&self) -> [Start; 3] {
        [Some(Color::White), Some(Color::Black), None].map(|listener| Start {
            rules: Cow::Owned(self.rules.clone()),
            own: listener.map(|color| self.own(color)),
            reserves: ByColor {
                white: reserve(self.start.sides.get(Color::White)),
                black: reserve(self.start.sides.get(Color::Black)),
            },
        })
    }

    /// One side's men at the start.
    fn own(&self, color: Color) -> Own {
        let squares = |role: Role| -> Bitboard {
            self.start
                .men(color)
                .into_iter()
                .filter(|(_, man)| man.role == role)
                .map(|(sq, _)| sq)
                .collect()
        };
        let side = self.start.sides.get(color);
        let mut castling = Wings::NONE;
        if side.king_wing {
            castling.add(CastlingSide::KingSide);
        }
        if side.queen_wing {
            castling.add(CastlingSide::QueenSide);
        }
        Own {
            color,
            men: ByRole {
                pawn: squares(Role::Pawn),
                knight: squares(Role::Knight),
                bishop: squares(Role::Bishop),
                rook: squares(Role::Rook),
                queen: squares(Role::Queen),
                king: squares(Role::King),
            },
            castling,
            reserve: reserve(side),
        }
    }

    /// Returns what White, Black and the spectators hear after the start: check, tries,
    /// turn or end of the start position.
    pub fn opening(&self) -> [Vec<Heard>; 3] {
        self.opening.clone()
    }

    /// The true position as FEN, en passant only if a capture there is legal.
    pub fn fen(&self) -> String {
        self.position.fen(&self.legal)
    }

    /// Returns the side to move; `None` when the game is over.
    pub fn to_move(&self) -> Option<Color> {
        match self.over {
            Some(_) => None,
            None => Some(self.position.turn),
        }
    }

    /// Returns the end of the game, if it is over.
    pub fn over(&self) -> Option<Over> {
        self.over
    }

    /// Returns the side whose draw offer stands.
    pub fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    /// The rules by which it judges.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// The legal moves of the true position, sorted by text.
    pub fn legal_tries(&self) -> Vec<Try> {
        let mut legal = self.legal.clone();
        legal.sort_by_cached_key(Try::to_string);
        legal
    }

    /// Returns what the player to move can imagine from the own men, sorted by text.
    pub fn imaginable(&self) -> Vec<Try> {
        Mine::of(&self.position, self.position.turn).all_imaginable(self.choices.promotion_man)
    }

    /// The directions in which the king of the player to move is checked.
    pub fn check_directions(&self) -> Directions {
        self.position.check_directions(self.position.turn)
    }

    /// Returns the squares of the men that check the player to move.
    pub fn checkers(&self) -> Vec<Square> {
        self.position.checkers(self.position.turn)
    }

    /// The men of a side: where they stand and what they are.
    pub fn men(&self, color: Color) -> Vec<(Square, Role)> {
        self.position
            .men(color)
            .into_iter()
            .map(|(sq, man)| (sq, man.role))
            .collect()
    }

    /// Returns the man on a square.
    pub fn man_at(&self, sq: Square) -> Option<(Color, Role)> {
        self.position.at(sq).map(|man| (man.color, man.role))
    }

    /// Whether the man on a square was a pawn once.
    pub fn is_promoted(&self, sq: Square) -> bool {
        self.position.at(sq).is_some_and(|man| man.promoted)
    }

    /// Whether a side attacks a square.
    pub fn is_attacked(&self, sq: Square, by: Color) -> bool {
        !self.position.attackers(sq, by).is_empty()
    }

    /// The legal pawn captures of the player to move, a promotion once.
    pub fn pawn_captures(&self) -> Vec<(Square, Square)> {
        self.position.pawn_captures(&self.legal)
    }

    /// Whether a try of the player to move is a pawn's diagonal step.
    pub fn is_pawn_capture(&self, t: Try) -> bool {
        Mine::of(&self.position, self.position.turn).is_pawn_capture(t)
    }

    /// Whether a try of the player to move is the king's step of two squares.
    pub fn is_castling(&self, t: Try) -> bool {
        Mine::of(&self.position, self.position.turn).is_castling(t)
    }

    /// The square over which a pawn stepped just now, capture legal or not.
    pub fn passed(&self) -> Option<Square> {
        self.position.passed
    }

    /// Returns the number of different tries that were answered no this turn.
    pub fn refused_this_turn(&self) -> usize {
        self.turn.refused.len()
    }

    /// The tries answered no this turn, without their promotion.
    pub fn refused(&self) -> Vec<Try> {
        self.turn.refused.clone()
    }

    /// A name that two games share if nobody, hearing all that comes, could
    /// tell which of them is played: position, counts, and what stands in the
    /// turn, refusals by their number.
    ///
    /// `histories`: positions before count too. `silent`: refusals are heard by
    /// nobody else, so that more than a few make no difference.
    pub fn sameness(&self, histories: bool, silent: bool) -> String {
        let turn = &self.turn;
        let mut captures = turn.captures_refused;
        let mut others = turn.refused.len() - captures;
        let mut rebuffs = self.rebuffs;
        if silent {
            captures = captures.min(4);
            others = others.min(1);
            rebuffs = ByColor::default();
        }
        let mut name = format!(
            "{} {} {captures} {others} {} {} {:?} {rebuffs:?} {:?}",
            self.position.essence(&self.legal),
            self.position.quiet,
            turn.asked,
            turn.obliged,
            turn.tries,
            self.over,
        );
        if histories {
            let mut past = self.past.clone();
            past.sort();
            for position in past {
                name.push('|');
                name.push_str(&position);
            }
        }
        name
    }

    /// The attempts worth making now, sorted by text; none when over.
    pub fn tries(&self) -> Vec<Try> {
        if self.over.is_some() {
            return Vec::new();
        }
        let mine = Mine::of(&self.position, self.position.turn);
        let mut tries = mine.all_imaginable(self.choices.promotion_man);
        tries.retain(|t| self.is_worth_trying(&mine, *t));
        tries
    }

    fn is_worth_trying(&self, mine: &Mine, t: Try) -> bool {
        let no_pawn_try = mine.is_pawn_capture(t) && !self.announced_leaves_room_for(t);
        let castling_in_check = mine.is_castling(t) && self.turn.check.is_some();
        !self.turn.was_refused(t)
            && !no_pawn_try
            && !castling_in_check
            && self.row_of(mine, t).is_none()
    }

    fn announced_leaves_room_for(&self, t: Try) -> bool {
        match t {
            Try::Step { from, to, .. } => {
                self.turn
                    .leaves_room_for(from, to, self.choices.pawn_try_square)
            }
            Try::Drop { .. } => true,
        }
    }

    /// Judges an attempt and carries out what it does.
    ///
    /// # Errors
    /// A refusal: said to the asker alone, and nothing is changed.
    pub fn attempt(&mut self, by: Color, attempt: Attempt) -> Result<Answered, String> {
        if self.over.is_some() {
            return Err("the game is over".to_owned());
        }
        match attempt {
            Attempt::Try(t) => self.try_move(by, t),
            Attempt::Px { promotion } => self.px(by, promotion),
            Attempt::Any => self.any(by),
            Attempt::Count => self.count(by),
            Attempt::Recap => self.recap(by),
            Attempt::Resign => Ok(self.resign(by)),
            Attempt::OfferDraw => self.offer_draw(by),
            Attempt::AcceptDraw => self.accept_draw(by),
            Attempt::DeclineDraw => self.decline_draw(by),
            Attempt::WithdrawDraw => self.withdraw_draw(by),
        }
    }
}

/// The men to drop, as the start tells them.
fn reserve(side: &Side) -> Reserve {
    let mut reserve = Reserve::EMPTY;
    for role in &side.reserve {
        reserve.add(*role);
    }
    reserve
}

//! The slow oracle: a second referee, written from docs/specification.md alone.
//!
//! The oracle uses a board of 64 cells, keeps every earlier position as text, and checks every
//! square of every line. The oracle decides in the order of the specification. The oracle shares
//! types with the referee (attempts, calls, choices), but no code that judges. So oracle and
//! referee seldom make the same mistake, and a comparison finds the mistakes of both.
//!
//! ```
//! use rules::{rulesets, Answer, Attempt, chess::Color};
//! use testkit::oracle::Oracle;
//!
//! let wild16 = rulesets::by_id("wild16").expect("the ruleset is built in");
//! let mut oracle = Oracle::open("wild16", wild16.choices, None).expect("the start is valid");
//! let e4: Attempt = "e2e4".parse().expect("the text is an attempt");
//! assert_eq!(oracle.attempt(Color::White, e4).expect("it is White's turn").answer, Answer::Moved);
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

use std::{borrow::Cow, sync::Arc};

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

/// A game that the oracle referees.
#[derive(Clone, Debug)]
pub struct Oracle {
    rules: Arc<str>,
    choices: Choices,
    position: Position,
    /// The legal moves in the position.
    legal: Arc<[Try]>,
    /// All positions so far, as FEN without counters.
    past: Arc<Vec<String>>,
    turn: Turn,
    over: Option<Over>,
    draw_offer: Option<Color>,
    /// How many answers "no" each side has received in its turn: the side to move in the current
    /// turn, the opponent in the turn before.
    rebuffs: ByColor<u32>,
    /// Announcements that everyone heard about the last completed move.
    last_said: MoveAnnouncements,
    start: Arc<Position>,
    opening: Arc<[Vec<Heard>; 3]>,
}

impl Oracle {
    /// Opens a game. The FEN must describe a valid position, but `open` does not check this.
    ///
    /// # Errors
    /// A message that says which part of the FEN cannot be read.
    pub fn open(rules_id: &str, choices: Choices, fen: Option<&str>) -> Result<Oracle, String> {
        let drops = match choices.reserve {
            rules::ReserveUse::None => false,
            rules::ReserveUse::Drops => true,
        };
        let position = Position::read(fen.unwrap_or(fen::INITIAL), drops)?;
        let mut oracle = Oracle {
            rules: rules_id.into(),
            choices,
            start: Arc::new(position.clone()),
            position,
            legal: Arc::default(),
            past: Arc::default(),
            turn: Turn::new(None, rules::Tries::Untold),
            over: None,
            draw_offer: None,
            rebuffs: ByColor::default(),
            last_said: MoveAnnouncements::NOTHING,
            opening: Arc::default(),
        };
        oracle.look();
        let mut hearings = Hearings::default();
        oracle.announce_position(&mut hearings);
        oracle.opening = Arc::new(hearings.done());
        Ok(oracle)
    }

    /// Computes the legal moves of a new position, and records that the
    /// position occurred.
    fn look(&mut self) {
        let mut legal = self.position.legal();
        // A promotion to a man that the ruleset does not allow is not a legal
        // move (specification, section 3.2).
        let mine = Mine::of(&self.position, self.position.turn);
        let rule = self.choices.promotion_man;
        legal.retain(|t| mine.imaginable(*t, rule));
        self.legal = legal.into();
        Arc::make_mut(&mut self.past).push(self.position.essence(&self.legal));
    }

    /// Returns what White, Black and the spectators hear first when the game
    /// opens.
    pub fn starts(&self) -> [Start; 3] {
        [Some(Color::White), Some(Color::Black), None].map(|listener| Start {
            rules: Cow::Owned(self.rules.to_string()),
            own: listener.map(|color| self.own(color)),
            reserves: ByColor {
                white: reserve(self.start.sides.get(Color::White)),
                black: reserve(self.start.sides.get(Color::Black)),
            },
        })
    }

    /// Returns one side's men, rights and reserve at the start.
    fn own(&self, color: Color) -> Own {
        let squares = |role: Role| -> Bitboard {
            self.start
                .men(color)
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

    /// Returns what White, Black and the spectators hear after
    /// [`Oracle::starts`]: check, pawn tries, and the turn or the end in the
    /// start position.
    pub fn opening(&self) -> [Vec<Heard>; 3] {
        (*self.opening).clone()
    }

    /// Returns the true position as FEN. The en passant square is written only if a capture
    /// there is legal.
    pub fn fen(&self) -> String {
        self.position.fen(&self.legal)
    }

    /// Returns the side to move; `None` if the game is over.
    pub fn to_move(&self) -> Option<Color> {
        match self.over {
            Some(_) => None,
            None => Some(self.position.turn),
        }
    }

    /// Returns the result and the reason; `None` if the game is not over.
    pub fn over(&self) -> Option<Over> {
        self.over
    }

    /// Returns the side whose draw offer is open, if there is one.
    pub fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    /// Returns the choices of the game's ruleset.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// Lists the legal moves in the true position, sorted by their text.
    pub fn legal_tries(&self) -> Vec<Try> {
        let mut legal = self.legal.to_vec();
        legal.sort_by_cached_key(Try::to_string);
        legal
    }

    /// Lists the tries that the player to move can imagine from the own men,
    /// sorted by their text.
    pub fn imaginable(&self) -> Vec<Try> {
        Mine::of(&self.position, self.position.turn).all_imaginable(self.choices.promotion_man)
    }

    /// Returns the directions from which the player to move is checked.
    pub fn check_directions(&self) -> Directions {
        self.position.check_directions(self.position.turn)
    }

    /// Returns the squares of the men that check the player to move.
    pub fn checkers(&self) -> Vec<Square> {
        self.position.checkers(self.position.turn)
    }

    /// Returns the men of a side, with their squares.
    pub fn men(&self, color: Color) -> Vec<(Square, Role)> {
        self.position
            .men(color)
            .map(|(sq, man)| (sq, man.role))
            .collect()
    }

    /// Returns the man on a square; `None` if it is empty.
    pub fn man_at(&self, sq: Square) -> Option<(Color, Role)> {
        self.position.at(sq).map(|man| (man.color, man.role))
    }

    /// Whether a man of `by` attacks a square.
    pub fn is_attacked(&self, sq: Square, by: Color) -> bool {
        self.position.is_attacked(sq, by)
    }

    /// Lists the legal pawn captures of the player to move, as pairs of origin and target. A
    /// capture that promotes is listed only once.
    pub fn pawn_captures(&self) -> Vec<(Square, Square)> {
        self.position.pawn_captures(&self.legal)
    }

    /// Whether a try of the player to move is a diagonal step of a pawn.
    pub fn is_pawn_capture(&self, t: Try) -> bool {
        Mine::of(&self.position, self.position.turn).is_pawn_capture(t)
    }

    /// Whether a try of the player to move is the king's step of two squares.
    pub fn is_castling(&self, t: Try) -> bool {
        Mine::of(&self.position, self.position.turn).is_castling(t)
    }

    /// Returns the square that a pawn has just passed by a double step, even if no pawn can
    /// capture there.
    pub fn passed(&self) -> Option<Square> {
        self.position.passed
    }

    /// Returns the number of different tries that were answered "no" in this turn.
    pub fn refused_this_turn(&self) -> usize {
        self.turn.refused.len()
    }

    /// Returns the tries that were answered "no" in this turn, without their promotion.
    pub fn refused(&self) -> Vec<Try> {
        self.turn.refused.clone()
    }

    /// Returns a text for the comparison of two games in which one player has heard the same. If
    /// the texts of the games are equal, this player can never distinguish the games. The text
    /// contains the position, the counters, the state of the turn, and the number of refused tries.
    /// It does not say which tries were refused.
    ///
    /// If `histories` is true, earlier positions are included, because repetitions can end the
    /// game. `silent` must be true if only the mover hears the answer "no". Then the text contains
    /// no rebuffs, and counts at most four refused pawn captures and at most one other refused try.
    /// Greater numbers make no difference, unless the ruleset has the question `count` (how many
    /// rebuffs the opponent got).
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
            let mut past = self.past.to_vec();
            past.sort();
            for position in past {
                name.push('|');
                name.push_str(&position);
            }
        }
        name
    }

    /// Compares this game with another game that has an equal position. Returns whether the other
    /// parts of [`Oracle::sameness`], without the earlier positions, are equal, too.
    pub fn has_same_turn(&self, other: &Oracle) -> bool {
        let counters = |game: &Oracle| {
            let turn = &game.turn;
            (
                (turn.captures_refused, turn.refused.len()),
                (turn.asked, turn.obliged, turn.tries),
                (game.over, game.rebuffs),
            )
        };
        counters(self) == counters(other)
    }

    /// Lists the tries worth making now, sorted by their text; empty if the
    /// game is over.
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

    /// Judges an attempt and applies the result.
    ///
    /// # Errors
    /// The reason of a refusal. Only the player who asked hears it, and the
    /// game is unchanged.
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

/// Returns the reserve of a side as a [`Reserve`], the type that [`Start`] needs.
fn reserve(side: &Side) -> Reserve {
    let mut reserve = Reserve::EMPTY;
    for role in &side.reserve {
        reserve.add(*role);
    }
    reserve
}

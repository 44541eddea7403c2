//! What a seat knows, and its tensors. Made from what the seat heard, and from nothing else.

use rules::{
    AnyWithoutPawns, CapturedMan, Direction, Heard, MoveAnnouncements, PawnTries, Reply, Tries,
    Try, Verdict,
    chess::{Bitboard, Color, Role},
};
use views::PlayerView;

use crate::{
    actions,
    arrays::{Fill, Number},
};

/// The view of a seat, with two counters of what it heard.
#[derive(Clone)]
pub struct Knowledge {
    pub view: PlayerView,
    /// Number of completed moves of both sides.
    pub plies: u32,
    /// Number of completed moves since the seat last moved a pawn or heard of a capture.
    pub quiet: u32,
}

impl Knowledge {
    pub fn new(view: PlayerView) -> Knowledge {
        Knowledge {
            view,
            plies: 0,
            quiet: 0,
        }
    }

    pub fn color(&self) -> Color {
        self.view.color()
    }

    #[inline]
    pub fn hear(&mut self, heard: &Heard) {
        match *heard {
            Heard::Reply(Reply::Verdict {
                verdict: Verdict::Moved,
                attempt,
                ..
            }) => {
                self.plies = self.plies.saturating_add(1);
                let pawn = match attempt.and_then(rules::Attempt::as_try) {
                    Some(Try::Step { from, .. }) => self.view.own().men.pawn.contains(from),
                    Some(Try::Drop { .. }) | None => false,
                };
                self.quiet = if pawn {
                    0
                } else {
                    self.quiet.saturating_add(1)
                };
            }
            Heard::Announced(rules::Announcement::Capture(_)) | Heard::Lost { .. } => {
                self.quiet = 0;
            }
            Heard::Reply(_) | Heard::Announced(_) | Heard::Draw(_) | Heard::Over(_) => {}
        }
        self.view.hear(heard);
    }

    /// Calls `add` with the id of each attempt of the mask: the tries worth making, and Any? where
    /// it may be asked and was not asked in this turn. If there is none in the seat's own turn (under
    /// rulesets that announce no mate), resignation.
    #[inline]
    pub fn legal(&self, tries: &mut Vec<Try>, mut add: impl FnMut(usize)) {
        self.view.tries_into(tries);
        for t in tries.iter() {
            if let Some(id) = actions::id_of_try(*t) {
                add(id);
            }
        }
        let ask = self.may_ask();
        if ask {
            add(actions::ANY);
        }
        if tries.is_empty() && !ask && self.view.to_move() == Some(self.color()) {
            add(actions::RESIGN);
        }
    }

    fn may_ask(&self) -> bool {
        let choices = self.view.choices();
        choices.pawn_tries == PawnTries::OnRequest
            && self.view.to_move() == Some(self.color())
            && !self.view.turn().asked
            && !(choices.any_without_pawns == AnyWithoutPawns::Nonsense
                && self.view.own().men.pawn.is_empty())
    }

    /// Writes the observation, one value for each place of [`PARTS`], to an array of zeros.
    pub fn observe<T: Number>(&self, out: &mut [T]) {
        let (out, _) = out.split_at_mut(OBSERVATION);
        let mut pen = Pen { out, at: 0 };
        let view = &self.view;
        let own = view.own();
        for role in Role::ALL {
            pen.plane(*own.men.get(role));
        }
        let turns = [view.this_turn(), view.last_turn()];
        for said in turns {
            let square = said.capture.and_then(|capture| capture.square);
            pen.plane(square.map_or(Bitboard::EMPTY, Bitboard::from_square));
        }
        let mine = view.to_move() == Some(own.color);
        let turn = view.turn();
        let tries = if mine { turn.tries } else { Tries::Untold };
        let (squares, doubles) = match tries {
            Tries::Squares(squares) => (squares, Bitboard::EMPTY),
            Tries::SinglesAndDoubles { singles, doubles } => (singles, doubles),
            Tries::Untold | Tries::Whether(_) | Tries::Count(_) => {
                (Bitboard::EMPTY, Bitboard::EMPTY)
            }
        };
        pen.plane(squares);
        pen.plane(doubles);
        let (mut origins, mut landings) = (Bitboard::EMPTY, Bitboard::EMPTY);
        if mine {
            for from in own.all() {
                let to = turn.refused_tries.landings(from);
                if to.any() {
                    origins.add(from);
                    landings |= to;
                }
            }
        }
        pen.plane(origins);
        pen.plane(landings);

        pen.flag(own.color == Color::White);
        pen.flag(mine);
        pen.flag(view.over().is_some());
        pen.flag(own.castling.bits() & 1 != 0);
        pen.flag(own.castling.bits() & 2 != 0);
        pen.directions(if mine { turn.check } else { None });
        pen.flag(tries != Tries::Untold);
        let (some, count) = match tries {
            Tries::Untold => (false, 0),
            Tries::Whether(some) => (some, 0),
            Tries::Count(count) => (count > 0, count.into()),
            Tries::Squares(_) | Tries::SinglesAndDoubles { .. } => (
                (squares | doubles).any(),
                (squares | doubles).count() as u32,
            ),
        };
        pen.flag(some);
        pen.count(count);
        pen.flag(mine && turn.asked);
        pen.flag(mine && turn.obliged);
        pen.count(if mine {
            turn.pawn_captures_refused.into()
        } else {
            0
        });
        for said in turns {
            pen.said(&said, own.color);
        }
        for color in [own.color, own.color.other()] {
            let losses = view.losses().get(color);
            pen.count(losses.pawns.into());
            pen.count(losses.pieces.into());
            pen.count(losses.unknown.into());
            for role in PIECES {
                pen.count(losses.named.count(role).into());
            }
        }
        let reserves = view.reserves();
        for color in [own.color, own.color.other()] {
            pen.count(reserves.get(color).count(Role::Pawn).into());
            for role in PIECES {
                pen.count(reserves.get(color).count(role).into());
            }
        }
        pen.flag(view.draw_offer() == Some(own.color));
        pen.flag(view.draw_offer() == Some(own.color.other()));
        pen.count(self.plies);
        pen.count(self.quiet);
        debug_assert_eq!(pen.at, OBSERVATION);
    }
}

const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Parts of an observation, in order: name and shape.
pub const PARTS: &[(&str, &[usize])] = &[
    ("own", &[6, 8, 8]),
    ("capture_squares", &[2, 8, 8]),
    ("pawn_try_squares", &[2, 8, 8]),
    ("refused", &[2, 8, 8]),
    ("white", &[1]),
    ("my_turn", &[1]),
    ("over", &[1]),
    ("castling", &[2]),
    ("check", &[6]),
    ("pawn_tries", &[3]),
    ("asked", &[1]),
    ("obliged", &[1]),
    ("pawn_captures_refused", &[1]),
    ("said", &[2, 24]),
    ("losses", &[2, 7]),
    ("reserves", &[2, 5]),
    ("draw_offers", &[2]),
    ("plies", &[1]),
    ("quiet", &[1]),
];

/// Length of an observation.
pub const OBSERVATION: usize = 12 * 64 + 17 + 2 * 24 + 2 * 7 + 2 * 5 + 4;

/// The observation, as values to write to an array.
pub struct Observation<'a>(pub &'a Knowledge);

impl Fill for Observation<'_> {
    const LEN: usize = OBSERVATION;

    fn fill<T: Number>(&self, out: &mut [T]) {
        out.fill(T::from(0));
        self.0.observe(out);
    }
}

/// The mask, as values to write to an array.
pub struct Mask<'a>(pub &'a Knowledge);

impl Fill for Mask<'_> {
    const LEN: usize = actions::COUNT;

    fn fill<T: Number>(&self, out: &mut [T]) {
        out.fill(T::from(0));
        self.0.legal(&mut Vec::new(), |id| out[id] = T::from(1));
    }
}

struct Pen<'a, T> {
    out: &'a mut [T],
    at: usize,
}

impl<T: Number> Pen<'_, T> {
    #[inline]
    fn plane(&mut self, squares: Bitboard) {
        for square in squares {
            self.out[self.at + square.to_usize()] = T::from(1);
        }
        self.at += 64;
    }

    #[inline]
    fn count(&mut self, count: u32) {
        self.out[self.at] = T::from(count.min(255) as u8);
        self.at += 1;
    }

    #[inline]
    fn flag(&mut self, flag: bool) {
        self.count(flag.into());
    }

    fn directions(&mut self, check: Option<rules::Directions>) {
        if let Some(directions) = check {
            self.out[self.at] = T::from(1);
            for direction in directions.iter() {
                self.out[self.at + 1 + direction as usize] = T::from(1);
            }
        }
        self.at += 1 + Direction::Knight as usize + 1;
    }

    /// The announcements after a completed move, in 24 places: the side to move then is the seat's
    /// opponent; a capture; its man is a pawn, a piece, a knight, bishop, rook, queen; it is en
    /// passant; promotion; drop; the dropped man (pawn to queen); check and its five directions; whether
    /// there is a pawn try, and their number.
    fn said(&mut self, said: &MoveAnnouncements, color: Color) {
        self.flag(said.turn == Some(color.other()));
        self.flag(said.capture.is_some());
        let man = match said.capture.and_then(|capture| capture.man) {
            None => None,
            Some(CapturedMan::Pawn) => Some(0),
            Some(CapturedMan::Piece) => Some(1),
            Some(CapturedMan::Exactly(role)) => Some(match role {
                Role::Pawn => 0,
                Role::Knight => 2,
                Role::Bishop => 3,
                Role::Rook => 4,
                Role::Queen | Role::King => 5,
            }),
        };
        self.one_of(man, 6);
        self.flag(said.capture.is_some_and(|capture| capture.en_passant));
        self.flag(said.promotion.is_some());
        self.flag(said.drop.is_some());
        self.one_of(said.drop.map(|(_, man)| man as usize - 1), 5);
        self.directions(said.check);
        let (some, count) = match said.tries.unwrap_or_default() {
            Tries::Untold => (false, 0),
            Tries::Whether(some) => (some, 0),
            Tries::Count(count) => (count > 0, count.into()),
            Tries::Squares(squares) => (squares.any(), squares.count() as u32),
            Tries::SinglesAndDoubles { singles, doubles } => (
                (singles | doubles).any(),
                (singles | doubles).count() as u32,
            ),
        };
        self.flag(some);
        self.count(count);
    }

    fn one_of(&mut self, index: Option<usize>, places: usize) {
        if let Some(index) = index {
            self.out[self.at + index] = T::from(1);
        }
        self.at += places;
    }
}

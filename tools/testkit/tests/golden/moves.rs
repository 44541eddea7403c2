//! Finds the cells that are shown by a move, an answer "no" or an announcement.

use rules::{
    Announcement, Attempt, Direction, Fifty, Heard, Material, Reply, Threefold, Tries, Try,
    Verdict,
    chess::{Bitboard, Board, CastlingSide, Color, Piece, Rank, Role, Square, attacks},
};
use testkit::oracle::Oracle;

use crate::{
    cover::{Watch, column, same},
    impossible::RightLost,
};

fn men(oracle: &Oracle, color: Color) -> Bitboard {
    oracle.men(color).into_iter().map(|(sq, _)| sq).collect()
}

fn man_on(oracle: &Oracle, color: Color, square: Square) -> Option<Role> {
    let mut all = oracle.men(color).into_iter();
    all.find(|(sq, _)| *sq == square).map(|(_, role)| role)
}

fn board(oracle: &Oracle) -> Board {
    let mut board = Board::empty();
    for color in Color::ALL {
        for (square, role) in oracle.men(color) {
            board.set_piece_at(square, Piece { color, role });
        }
    }
    board
}

/// Returns the square of the man that a step captures, and whether the capture is en passant.
/// Returns `None` if the step captures no man.
fn taken(before: &Oracle, by: Color, t: Try) -> Option<(Square, bool)> {
    let Try::Step { from, to, .. } = t else {
        return None;
    };
    if man_on(before, !by, to).is_some() {
        return Some((to, false));
    }
    before
        .is_pawn_capture(t)
        .then(|| (Square::from_coords(to.file(), from.rank()), true))
}

impl Watch {
    pub fn moved(&mut self, before: &Oracle, by: Color, asked: Attempt, heard: &[Vec<Heard>; 3]) {
        let played = heard[column(by)].iter().find_map(|h| {
            if let Heard::Reply(Reply::Verdict {
                verdict: Verdict::Moved,
                attempt: Some(Attempt::Try(t)),
                ..
            }) = h
            {
                Some(*t)
            } else {
                None
            }
        });
        let t = played.expect("the mover hears the move");
        self.show("7 moved");
        if let Attempt::Px { promotion } = asked {
            self.show("px plays the capture");
            let becomes = matches!(
                t,
                Try::Step {
                    promotion: Some(_),
                    ..
                }
            );
            self.show_if(becomes, "px promotes");
            self.show_if(promotion.is_some() && !becomes, "px: the man is not needed");
        }
        let capture = taken(before, by, t);
        if let Some((square, en_passant)) = capture {
            self.captured(before, by, square, en_passant, heard);
        }
        match t {
            Try::Step {
                from,
                to,
                promotion,
            } => self.stepped(before, by, asked, (from, to, promotion)),
            Try::Drop { to, .. } => {
                self.dropped.push(to);
                self.show("a drop");
            }
        }
        let checkers = before.checkers();
        let king = before.men(by).into_iter().find(|m| m.1 == Role::King);
        if !checkers.is_empty() && t.from() != king.map(|m| m.0) {
            let cell = match capture {
                Some((_, true)) => "7 the checking pawn is taken en passant",
                Some((_, false)) => "7 the checking man is taken",
                None if t.from().is_none() => "7 a drop ends the check",
                None => "7 a move ends the check",
            };
            self.show(cell);
        }
        match (before.draw_offer(), self.oracle.draw_offer()) {
            (Some(offered), None) if offered != by => {
                self.show("an offer ends with the opponent's move")
            }
            (Some(offered), Some(_)) if offered == by => {
                self.show("an offer stays open after the own move");
            }
            _ => {}
        }
    }

    fn captured(
        &mut self,
        before: &Oracle,
        by: Color,
        square: Square,
        en_passant: bool,
        heard: &[Vec<Heard>; 3],
    ) {
        let promoted = self.promoted.contains(&square);
        self.promoted.retain(|sq| *sq != square);
        let man = man_on(before, !by, square).expect("a man is captured there");
        self.show(match man {
            _ if promoted => "a promoted man is taken",
            Role::Pawn if en_passant => "a pawn is taken en passant",
            Role::Pawn => "a pawn is taken",
            Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                "a piece is taken"
            }
        });
        let hears = |column: usize| {
            let mut all = heard[column].iter();
            all.any(|h| matches!(h, Heard::Announced(Announcement::Capture(_))))
        };
        self.show_if(
            !hears(column(by)) && !hears(2),
            "only the victim hears of a capture",
        );
        self.show_if(!hears(2), "spectators do not hear of a capture");
        for side in CastlingSide::ALL {
            let corner = corner(!by, side);
            if corner == square && self.seat(!by).own().castling.has(side) {
                self.lost.push((!by, side, RightLost::RookCaptured));
            }
        }
    }

    fn stepped(
        &mut self,
        before: &Oracle,
        by: Color,
        asked: Attempt,
        (from, to, promotion): (Square, Square, Option<Role>),
    ) {
        let t = Try::Step {
            from,
            to,
            promotion,
        };
        if let Some(on) = self.promoted.iter().position(|sq| *sq == from) {
            self.promoted[on] = to;
        }
        if let Some(role) = promotion {
            self.promoted.push(to);
            let other = role != Role::Queen;
            self.show_if(other, "a promotion to another man");
            self.show_if(!other, "a promotion to a queen");
            let unnamed = matches!(
                asked,
                Attempt::Try(Try::Step {
                    promotion: None,
                    ..
                })
            );
            self.show_if(unnamed, "a promotion that names no man");
        }
        let own = *self.seat(by).own();
        if own.is_castling(t) {
            let king_side = to.file() > from.file();
            self.show_if(king_side, "7 castling on the king's side");
            self.show_if(!king_side, "7 castling on the queen's side");
        }
        let two = from.rank().distance(to.rank()) == 2;
        let dropped = self.dropped.contains(&from)
            && man_on(before, by, from) == Some(Role::Pawn)
            && from.rank() == by.relative_rank(Rank::Second);
        self.show_if(two && dropped, "7 a dropped pawn makes a double step");
        for side in CastlingSide::ALL {
            if own.castling.has(side) {
                if own.king() == Some(from) {
                    self.lost.push((by, side, RightLost::KingMoved));
                } else if corner(by, side) == from {
                    self.lost.push((by, side, RightLost::RookMoved));
                }
            }
        }
    }

    /// Row 6: the answer is "no".
    pub fn no(&mut self, before: &Oracle, by: Color, t: Try) {
        self.show("6 no");
        let again = self.last_noes[column(by)].iter().any(|n| same(*n, t));
        self.show_if(again, "6 a refused try is judged again next turn");
        let in_check = !before.checkers().is_empty();
        let enemies = men(before, !by);
        let Try::Step { from, to, .. } = t else {
            let unseen = enemies.contains(t.to());
            self.show_if(unseen, "6 a drop onto an unseen man");
            self.show_if(!unseen && in_check, "6 a drop that does not end the check");
            return;
        };
        let own = *self.seat(by).own();
        if own.is_castling(t) {
            return self.castling_no(before, by, in_check, from, to);
        }
        let king = own.king() == Some(from);
        self.show_if(king, "6 the king may not be left in check");
        if in_check && !king {
            let directions = before.check_directions();
            let answers = rules::answers_check(&own, directions, t);
            self.show_if(!answers, "6 a move that does not end the check");
        }
        if before.is_pawn_capture(t) {
            let onto = enemies.contains(to);
            let beside = Square::from_coords(to.file(), from.rank());
            let late = man_on(before, !by, beside) == Some(Role::Pawn)
                && by.relative_rank(Rank::Fifth) == from.rank()
                && before.passed() != Some(to);
            self.show_if(onto && !in_check, "6 a pinned pawn's capture");
            self.show_if(!onto, "6 a pawn capture on an empty square");
            self.show_if(!onto && late, "6 a capture en passant too late");
        }
    }

    fn castling_no(
        &mut self,
        before: &Oracle,
        by: Color,
        in_check: bool,
        from: Square,
        to: Square,
    ) {
        let side = CastlingSide::from_king_side(to.file() > from.file());
        let unseen = attacks::between(from, corner(by, side)) & men(before, !by);
        let board = board(before);
        let attacked = |sq| board.attacks_to(sq, !by, board.occupied()).any();
        let crossed = attacks::between(from, to)
            .first()
            .expect("there is a square between the two");
        self.show_if(in_check, "6 castling out of check");
        self.show_if(!in_check && unseen.any(), "6 castling past an unseen man");
        let clear = !in_check && unseen.is_empty();
        self.show_if(clear && attacked(to), "6 castling onto an attacked square");
        self.show_if(
            clear && attacked(crossed),
            "6 castling across an attacked square",
        );
    }

    /// Records the cells that the announcements about a new position show.
    pub fn announced(&mut self, heard: &[Vec<Heard>; 3], start: bool) {
        let checkers = self.oracle.checkers();
        let directions: Vec<Direction> = self.oracle.check_directions().iter().collect();
        for direction in &directions {
            self.show(match direction {
                Direction::Rank => "check on the rank",
                Direction::File => "check on the file",
                Direction::Long => "check on the long diagonal",
                Direction::Short => "check on the short diagonal",
                Direction::Knight => "check by a knight",
            });
        }
        if directions.len() > 1 {
            let knight = directions.contains(&Direction::Knight);
            self.show_if(knight, "double check with a knight");
            self.show_if(!knight, "double check without a knight");
        }
        self.show_if(start && !checkers.is_empty(), "check at the start");
        let pawn = Color::ALL
            .into_iter()
            .flat_map(|c| self.oracle.men(c))
            .any(|(sq, role)| role == Role::Pawn && checkers.contains(&sq));
        self.show_if(pawn, "check by a pawn");
        for one in &heard[2] {
            if let Heard::Announced(Announcement::Check { directions }) = one {
                let bare = directions.is_empty();
                self.show_if(bare, "check without direction");
                self.show_if(!bare, "check with its direction");
            }
            if let Heard::Announced(Announcement::Tries(tries)) = one {
                self.show(tries_cell(*tries));
                self.pawn_tries();
            }
        }
    }

    /// Records the cells that the pawn tries in the current position show.
    pub fn pawn_tries(&mut self) {
        let Some(by) = self.oracle.to_move() else {
            return;
        };
        let legal = self.oracle.pawn_captures();
        let enemies = men(&self.oracle, !by);
        let passed = self.oracle.passed();
        let last = by.relative_rank(Rank::Eighth);
        let mut landings = Bitboard::EMPTY;
        for (from, to) in &legal {
            self.show_if(to.rank() == last, "a promoting capture is one try");
            let en_passant = passed == Some(*to) && !enemies.contains(*to);
            self.show_if(en_passant, "en passant is a try");
            self.show_if(landings.contains(*to), "two pawns reach one square");
            landings.add(*to);
            debug_assert!(attacks::pawn_attacks(by, *from).contains(*to));
        }
        let in_check = !self.oracle.checkers().is_empty();
        for (from, role) in self.oracle.men(by) {
            if role != Role::Pawn {
                continue;
            }
            for to in attacks::pawn_attacks(by, from) & enemies {
                if !legal.contains(&(from, to)) {
                    self.show(if in_check {
                        "a capture that leaves the check is not a try"
                    } else {
                        "a pinned pawn has no try"
                    });
                }
            }
        }
    }

    pub fn halfmoves(&self) -> u32 {
        let fen = self.oracle.fen();
        let clock = fen.split(' ').rev().nth(1).map(str::parse);
        clock
            .expect("a FEN has a half-move clock")
            .expect("the half-move clock is a number")
    }

    /// Counts the position. If the game continues, records the cells whose names begin with `no
    /// end`. These cells show a position that would end the game under another ruleset, or that
    /// resembles such a position.
    pub fn position_occurred(&mut self) {
        let fen = self.oracle.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let bare = self.bare.entry(fields[..2].join(" ")).or_default();
        *bare += 1;
        let bare = *bare;
        let full = self.full.entry(fields[..4].join(" ")).or_default();
        *full += 1;
        let full = *full;
        if self.oracle.over().is_some() {
            return;
        }
        let threefold = self.choices.threefold == Threefold::On;
        self.show_if(full >= 3 && !threefold, "no end: threefold");
        self.show_if(
            bare >= 3 && full < 3 && threefold,
            "no end: equal men, but other rights",
        );
        let clock = self.halfmoves() >= 100 && self.choices.fifty == Fifty::Off;
        self.show_if(clock, "no end: fifty");
        if self.oracle.legal_tries().is_empty() {
            let check = !self.oracle.checkers().is_empty();
            self.show_if(check, "no end: checkmate");
            self.show_if(!check, "no end: stalemate");
        }
        let [white, black] = Color::ALL.map(|c| minors(&self.oracle, c));
        self.show_if(white == Some(0) && black == Some(0), "no end: two kings");
        self.show_if(white == Some(1) && black == Some(1), "no end: a minor each");
        let two = white.max(black) == Some(2) && white.min(black).is_some();
        self.show_if(two, "no end: two minors");
    }

    /// Returns the cell of a game that ended because the material was insufficient.
    pub fn material(&self) -> &'static str {
        let minors = Color::ALL.map(|c| minors(&self.oracle, c));
        let knight = Color::ALL
            .into_iter()
            .flat_map(|c| self.oracle.men(c))
            .any(|m| m.1 == Role::Knight);
        match (minors, self.choices.material) {
            ([Some(0), Some(0)], _) => "end: two kings",
            ([Some(1), Some(0)] | [Some(0), Some(1)], _) if knight => "end: a knight",
            ([Some(1), Some(0)] | [Some(0), Some(1)], _) => "end: a bishop",
            (_, Material::OneMinorEach) if knight => "end: a minor each",
            _ => "end: bishops on one colour",
        }
    }
}

/// Returns the number of knights and bishops of a side; `None` if the side has a pawn, a rook or a
/// queen.
fn minors(oracle: &Oracle, color: Color) -> Option<usize> {
    let men = oracle.men(color);
    let minor = |role| matches!(role, Role::Knight | Role::Bishop | Role::King);
    men.iter()
        .all(|(_, role)| minor(*role))
        .then(|| men.len() - 1)
}

fn corner(color: Color, side: CastlingSide) -> Square {
    match (color, side) {
        (Color::White, CastlingSide::KingSide) => Square::H1,
        (Color::White, CastlingSide::QueenSide) => Square::A1,
        (Color::Black, CastlingSide::KingSide) => Square::H8,
        (Color::Black, CastlingSide::QueenSide) => Square::A8,
    }
}

fn tries_cell(tries: Tries) -> &'static str {
    match tries {
        Tries::Untold => unreachable!("these tries are never announced"),
        Tries::Whether(true) => "tries: yes",
        Tries::Whether(false) => "tries: no",
        Tries::Count(0) => "tries: 0",
        Tries::Count(1) => "tries: 1",
        Tries::Count(_) => "tries: more",
        Tries::Squares(set) => match set.count() {
            0 => "tries: no square",
            1 => "tries: one square",
            _ => "tries: squares",
        },
        Tries::SinglesAndDoubles { singles, doubles } => match (singles.any(), doubles.any()) {
            (false, false) => "tries: no square for one or two pawns",
            (true, false) => "tries: a square for one pawn",
            (false, true) => "tries: a square for two pawns",
            (true, true) => "tries: squares for one and for two pawns",
        },
    }
}

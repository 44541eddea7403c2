//! Reads the text of one game.

use notation::{plain_signs, printable};
use position::{Position, StartPosition};
use referee::{Event, Opened};
use rules::{
    Own, ReserveUse, Try, Winner,
    chess::{Color, Role, Square},
};

use super::{
    Begun, Note, PgnGame, Ply, Shown, Signs,
    cursor::{Cursor, decoded},
    fault::{Damaged, PgnFault},
    head::{begun, choices_of, read_tags},
    san::{read_own_san, read_san},
};

/// What the reader knows of the board at the current move.
enum ReadBoard {
    True(Position),
    Own(Own),
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    known: ReadBoard,
    drops: bool,
    turn: Color,
    number: u32,
    moved_events: usize,
    game: PgnGame,
}

/// Decodes a text for an error message, cut off after 40 bytes.
fn shown(text: &[u8]) -> String {
    let text = decoded(&text[..text.len().min(40)]);
    printable(&text).into_owned()
}

/// A fault, and the game before the fault; `None` if the fault is in the tags.
pub(super) type Stopped = (Damaged, Option<Box<PgnGame>>);

/// Reads the text of one game. `line` is the line of the file on which the text begins.
pub(super) fn parse(text: &[u8], line: u64) -> Result<PgnGame, Stopped> {
    let mut cursor = Cursor::new(text, line);
    let fail = |cursor: &Cursor<'_>, fault| {
        let (line, column) = cursor.place();
        Damaged {
            line,
            column,
            fault,
        }
    };
    cursor.skip_blank();
    let first = cursor.line();
    let tags = read_tags(&mut cursor).map_err(|fault| (fail(&cursor, fault), None))?;
    let head = |fault| {
        let damaged = Damaged {
            line: first,
            column: 1,
            fault,
        };
        (damaged, None)
    };
    let choices = choices_of(&tags).map_err(head)?;
    let begun = begun(&tags, &choices).map_err(head)?;
    let (known, turn, number) = match &begun {
        Begun::From(start) => (
            ReadBoard::True(*start.position()),
            start.position().turn(),
            start.fullmoves(),
        ),
        Begun::Own(own) => {
            let fen = tags.get("FEN").unwrap_or("");
            let turn = fen.split(' ').nth(1).and_then(|word| word.chars().next());
            let turn = turn.and_then(Color::from_char).unwrap_or(Color::White);
            (ReadBoard::Own(**own), turn, 1)
        }
    };
    let mut parser = Parser {
        cursor,
        known,
        drops: choices.reserve == ReserveUse::Drops,
        turn,
        number,
        moved_events: 0,
        game: PgnGame {
            line: first,
            tags,
            begun,
            opened: None,
            before: Note::default(),
            plies: Vec::new(),
            result: None,
        },
    };
    match parser.movetext() {
        Ok(()) => Ok(parser.game),
        Err(fault) => {
            let damaged = fail(&parser.cursor, fault);
            let is_cut = parser.cursor.peek().is_none() && !text.ends_with(b"\n");
            if is_cut && parser.game.opened.is_none() {
                // The last word may be cut off.
                parser.game.plies.pop();
            }
            Err((damaged, Some(Box::new(parser.game.unfinished()))))
        }
    }
}

impl Parser<'_> {
    fn movetext(&mut self) -> Result<(), PgnFault> {
        loop {
            self.cursor.skip_blank();
            let Some(b) = self.cursor.peek() else {
                break;
            };
            match b {
                b'{' => {
                    let before = self.cursor;
                    self.cursor.at += 1;
                    let Some(comment) = self.cursor.take_to(b'}') else {
                        self.cursor = before;
                        return Err(PgnFault::OpenComment);
                    };
                    self.comment(comment)?;
                }
                b';' => {
                    self.cursor.at += 1;
                    let start = self.cursor.at;
                    self.cursor.skip_line();
                    let comment = &self.cursor.text[start..self.cursor.at];
                    self.comment(comment)?;
                }
                b'}' => return Err(PgnFault::StrayBrace),
                b'(' => self.skip_variation()?,
                b')' => return Err(PgnFault::Variation),
                b'$' => {
                    self.cursor.at += 1;
                    while self.cursor.peek().is_some_and(|b| b.is_ascii_digit()) {
                        self.cursor.at += 1;
                    }
                }
                _ => {
                    let before = self.cursor;
                    let word = self.cursor.take_word();
                    let read = match std::str::from_utf8(word) {
                        Ok(text) if !text.is_ascii() => {
                            let plain = plain_signs(text);
                            let mut words = plain.split_whitespace();
                            words.try_for_each(|word| self.word(word.as_bytes()))
                        }
                        Ok(_) | Err(_) => self.word(word),
                    };
                    if let Err(fault) = read {
                        self.cursor = before;
                        return Err(fault);
                    }
                }
            }
        }
        let plies = self.game.plies.len();
        if self.game.opened.is_some() && self.moved_events != plies {
            return Err(PgnFault::EventsMissing {
                moves: plies,
                events: self.moved_events,
            });
        }
        match self.game.tags.get("Result") {
            Some(result @ ("1-0" | "0-1" | "1/2-1/2")) if self.game.result.is_none() => {
                Err(PgnFault::CutOff(result.to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn skip_variation(&mut self) -> Result<(), PgnFault> {
        let before = self.cursor;
        let mut depth = 0_usize;
        loop {
            self.cursor.skip_blank();
            let Some(b) = self.cursor.peek() else {
                self.cursor = before;
                return Err(PgnFault::Variation);
            };
            self.cursor.at += 1;
            match b {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'{' if self.cursor.take_to(b'}').is_none() => return Err(PgnFault::OpenComment),
                b';' => self.cursor.skip_line(),
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn comment(&mut self, comment: &[u8]) -> Result<(), PgnFault> {
        let note = match self.game.plies.last_mut() {
            Some(ply) => &mut ply.note,
            None => &mut self.game.before,
        };
        let (known, had_remark) = (note.events.len(), note.remark.is_some());
        let length = note.text.len();
        note.take(comment)?;
        if length > 0 && note.text.len() > length {
            note.text.replace_range(length..=length, "\n");
        }
        let ply = self.game.plies.last();
        let note = ply.map_or(&self.game.before, |ply| &ply.note);
        let mut opened = None;
        for event in &note.events[known..] {
            if let Event::Opened(opening) = event {
                if ply.is_some() || self.game.opened.is_some() || opened.is_some() {
                    return Err(PgnFault::OpenedLate);
                }
                opened = Some(opening.clone());
            } else if let Event::Moved { what, .. } = event {
                self.moved_events += 1;
                agree(ply, *what, event)?;
            }
        }
        if let (ReadBoard::Own(own), Some(ply), Some(remark)) = (&mut self.known, ply, &note.remark)
            && !had_remark
            && ply.by != own.color
            && let Some(Some(square)) = remark.capture
        {
            lose(own, square);
        }
        match opened {
            Some(opened) => self.open(opened),
            None => Ok(()),
        }
    }

    fn open(&mut self, opened: Box<Opened>) -> Result<(), PgnFault> {
        if let Some(fen) = self.game.tags.get("FEN") {
            let start = StartPosition::from_fen(fen, &opened.choices).map_err(PgnFault::Fen)?;
            if start.fen() != opened.start.fen() {
                return Err(PgnFault::FenDisagrees);
            }
        }
        self.drops = opened.choices.reserve == ReserveUse::Drops;
        self.turn = opened.start.position().turn();
        self.number = opened.start.fullmoves();
        self.known = ReadBoard::True(*opened.start.position());
        self.game.begun = Begun::From(opened.start.clone());
        self.game.opened = Some(opened);
        Ok(())
    }

    fn word(&mut self, word: &[u8]) -> Result<(), PgnFault> {
        let mut word = word;
        while let Some((number, rest)) = numbered(word) {
            let dots = number.iter().filter(|b| **b == b'.').count();
            if dots >= 3 && self.game.plies.is_empty() && matches!(self.known, ReadBoard::Own(_)) {
                self.turn = Color::Black;
            }
            if rest.is_empty() {
                return Ok(());
            }
            word = rest;
        }
        let result = match word {
            b"1-0" => Some(Winner::White),
            b"0-1" => Some(Winner::Black),
            b"1/2-1/2" | b"1/2" => Some(Winner::Draw),
            b"*" => Some(Winner::Unfinished),
            _ => None,
        };
        if let Some(result) = result {
            if self.game.result.is_some() {
                return Err(PgnFault::AfterResult(shown(word)));
            }
            self.game.result = Some(result);
            return Ok(());
        }
        if self.game.result.is_some() {
            return Err(PgnFault::AfterResult(shown(word)));
        }
        match word {
            b"!" | b"!!" | b"!?" | b"?!" | b"+" | b"++" | b"#" | b"ch" | b"mate" | b"e.p."
            | b"ep" => Ok(()),
            _ => self.ply(word),
        }
    }

    /// Returns the number of the current move, as `12.` or `12...`.
    fn number(&self) -> String {
        format!("{}{}", self.number, self.turn.fold_wb(".", "..."))
    }

    fn ply(&mut self, word: &[u8]) -> Result<(), PgnFault> {
        let by = self.turn;
        // Check and mate can be marked on a hidden move, too.
        let mut unmarked = word;
        while let [b'?', .., b'+' | b'#'] = unmarked {
            unmarked = &unmarked[..unmarked.len() - 1];
        }
        let hidden = match unmarked {
            b"?" | b"??" | b"--" | b"Z0" | b"null" => Some(Shown::Unseen),
            [b'?', b'x', rest @ ..] => Some(Shown::UnseenCapture(
                std::str::from_utf8(rest).ok().and_then(|s| s.parse().ok()),
            )),
            _ => None,
        };
        let shown = match hidden {
            Some(hidden) => {
                self.hidden(by, hidden);
                hidden
            }
            None => Shown::Move(self.shown_move(by, word)?),
        };
        self.game.plies.push(Ply {
            line: self.cursor.line(),
            by,
            shown,
            signs: Signs {
                captures: word.contains(&b'x'),
                check: word.contains(&b'+'),
                mate: word.contains(&b'#'),
            },
            note: Note::default(),
        });
        self.turn = by.other();
        if by == Color::Black {
            self.number = self.number.saturating_add(1);
        }
        Ok(())
    }

    fn hidden(&mut self, by: Color, hidden: Shown) {
        if let ReadBoard::True(position) = &self.known {
            self.known = ReadBoard::Own(position.own(by.other()));
        }
        if let (ReadBoard::Own(own), Shown::UnseenCapture(Some(square))) = (&mut self.known, hidden)
            && own.color != by
        {
            lose(own, square);
        }
    }

    fn shown_move(&mut self, by: Color, word: &[u8]) -> Result<Try, PgnFault> {
        if let (ReadBoard::Own(own), Some(at)) =
            (&mut self.known, word.iter().position(|b| *b == b'@'))
        {
            // The reserve is computed from what the player knows. The player does not always know
            // which men were captured, so the man that is dropped can be missing from the reserve.
            // Therefore this man is added before the drop.
            let man = at.checked_sub(1).map_or(b'P', |before| word[before]);
            if let Some(role) = Role::from_char(char::from(man)) {
                own.reserve.add(role);
            }
        }
        let read = match &self.known {
            ReadBoard::True(position) => read_san(position, word),
            ReadBoard::Own(own) if own.color == by => read_own_san(own, word),
            ReadBoard::Own(_) => {
                return Err(PgnFault::HiddenSide {
                    number: self.number(),
                    text: shown(word),
                });
            }
        };
        let t = read.map_err(|fault| PgnFault::Move {
            number: self.number(),
            text: shown(word),
            fault,
        })?;
        match &mut self.known {
            ReadBoard::True(position) => {
                position.play(t, self.drops);
            }
            ReadBoard::Own(own) => own.play(t),
        }
        Ok(t)
    }
}

/// Checks that an event of the log contains the same move as the main line.
fn agree(ply: Option<&Ply>, what: Try, event: &Event) -> Result<(), PgnFault> {
    let shown = match ply.map(|ply| ply.shown) {
        Some(Shown::Move(t)) if t == what => return Ok(()),
        Some(Shown::Move(t)) => t.to_string(),
        Some(Shown::Unseen | Shown::UnseenCapture(_)) => "hidden".to_owned(),
        None => "none".to_owned(),
    };
    Err(PgnFault::EventDisagrees {
        event: event.to_string(),
        shown,
    })
}

/// Splits a move number (`12`, `12.`, `12...`) from the beginning of a word.
fn numbered(word: &[u8]) -> Option<(&[u8], &[u8])> {
    let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
    let dots = word[digits..].iter().take_while(|b| **b == b'.').count();
    (dots > 0 || (digits > 0 && digits == word.len())).then(|| word.split_at(digits + dots))
}
/// Removes the own man that was captured on `square`. If none stands there, a pawn was captured en
/// passant, and stands one square further.
fn lose(own: &mut Own, square: Square) {
    let passed = square.offset(if own.color.is_white() { 8 } else { -8 });
    match passed.filter(|at| own.role_at(square).is_none() && own.role_at(*at) == Some(Role::Pawn))
    {
        Some(at) => own.lose(at),
        None => own.lose(square),
    }
}

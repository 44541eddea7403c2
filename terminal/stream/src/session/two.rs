//! Two players at one screen, without an umpire.
//!
//! Between two turns the screen shows only whose turn it is. Each player sees only their own men
//! and what that player heard. No player sees the umpire's record, a line number, or what the other
//! player typed.

use std::io::{self, Write};

use notation::{QUESTIONS, Question, may_be_typed, name};
use referee::StartPosition;
use rules::{Listener, chess::Color};

use super::{CLEAR, Ended, LineFor, LineSource, TableSession, TypedLine};
use crate::{
    clock::shown,
    human,
    input::RawLine,
    request::{Aside, Request},
    settings::Show,
    table::Outcome,
};

/// What a player does next.
enum Next {
    /// The same player types another line.
    Same,
    /// The other player comes to the screen.
    Other,
    /// The session ends.
    End(Ended),
}

impl TableSession<'_> {
    /// Lets two players play in turn.
    pub(super) fn run_two(
        &mut self,
        lines: &mut dyn LineSource,
        output: &mut impl Write,
    ) -> io::Result<Ended> {
        if !self.resumed && self.data.is_none() {
            let start = self
                .settings
                .start
                .clone()
                .unwrap_or_else(StartPosition::initial);
            self.table.begin(start, "new".to_owned());
        }
        let outcome = self.table.start_again();
        self.hear(&outcome);
        let ruled: Vec<Outcome> = self
            .table
            .ruled()
            .iter()
            .map(|r| r.outcome.clone())
            .collect();
        for outcome in &ruled {
            self.hear(outcome);
        }
        loop {
            let Some(color) = self.table.game().to_move() else {
                return self.after_the_end(lines, output);
            };
            if let Some(ended) = self.cover(lines, output, color)? {
                return Ok(ended);
            }
            self.show(output, color)?;
            self.turn(None);
            loop {
                match self.player_line(lines, output, color)? {
                    Next::Same => {}
                    Next::Other => break,
                    Next::End(ended) => return Ok(ended),
                }
            }
            *self.seen.get_mut(color) = self.heard.get(color).len();
        }
    }

    /// Hides everything about the game until the next player presses Enter.
    fn cover(
        &mut self,
        lines: &mut dyn LineSource,
        output: &mut impl Write,
        color: Color,
    ) -> io::Result<Option<Ended>> {
        if let Some(clock) = &mut self.clock {
            clock.stop();
        }
        output.write_all(CLEAR.as_bytes())?;
        writeln!(
            output,
            "It is {}'s turn. {} looks away; {} presses Enter.",
            name(color),
            name(color.other()),
            name(color)
        )?;
        let typed = self.next(lines, output, LineFor::Enter)?;
        output.write_all(CLEAR.as_bytes())?;
        Ok(match typed {
            TypedLine::Line(_) => None,
            TypedLine::End => Some(Ended::Usual),
            TypedLine::Interrupt => Some(Ended::Interrupted),
        })
    }

    /// Shows a player's own men, and what the player heard since the player's last turn.
    fn show(&mut self, output: &mut impl Write, color: Color) -> io::Result<()> {
        let show = match color {
            Color::White => Show::White,
            Color::Black => Show::Black,
        };
        human::board(output, &self.table, show)?;
        let from = *self.seen.get(color);
        for text in self.heard.get(color).iter().skip(from) {
            writeln!(output, "{text}")?;
        }
        output.flush()
    }

    /// Prompt of a player. The prompt depends only on what this player heard.
    pub(super) fn player_prompt(&self, color: Color) -> String {
        let mut text = name(color).to_owned();
        if self.table.view(color).draw_offer() == Some(color.other()) {
            text.push_str(" (accept-draw or decline-draw)");
        }
        if let Some(clock) = &self.clock {
            text.push_str(&format!(" [{}]", shown(clock.left(color))));
        }
        text.push_str(" > ");
        text
    }

    fn player_line(
        &mut self,
        lines: &mut dyn LineSource,
        output: &mut impl Write,
        color: Color,
    ) -> io::Result<Next> {
        let raw = match self.next(lines, output, LineFor::Player(color))? {
            TypedLine::Line(raw) => raw,
            TypedLine::End => return Ok(Next::End(Ended::Usual)),
            TypedLine::Interrupt if self.may_end(output)? => {
                return Ok(Next::End(Ended::Interrupted));
            }
            TypedLine::Interrupt => return Ok(Next::Same),
        };
        let late = self
            .clock
            .as_ref()
            .is_some_and(|clock| clock.left(color).is_zero());
        let outcome = if late {
            self.table.flag(color)
        } else if let Some(aside) = Aside::read(&raw, true) {
            if aside == Aside::Quit {
                let end = self.may_end(output)?;
                return Ok(if end {
                    Next::End(Ended::Usual)
                } else {
                    Next::Same
                });
            }
            self.player_aside(output, color, &aside)?;
            return Ok(Next::Same);
        } else {
            match self.chosen(&raw) {
                Some((_, fits)) => self.choice(color, &raw, fits),
                None => match &raw {
                    RawLine::Silent => return Ok(Next::Same),
                    RawLine::TooLong(_) | RawLine::NotUtf8(_) => {
                        writeln!(
                            output,
                            "Not understood: {}.",
                            may_be_typed(&self.settings.choices)
                        )?;
                        return Ok(Next::Same);
                    }
                    RawLine::Text(text) => match Request::read(text) {
                        Request::Word { by: None, word } => {
                            self.table.word(Some(color), word, text)
                        }
                        Request::Word { by: Some(_), .. }
                        | Request::New { .. }
                        | Request::Flag { .. } => {
                            writeln!(
                                output,
                                "Type your own move, for example e2e4 or Nf3, or `help`."
                            )?;
                            return Ok(Next::Same);
                        }
                    },
                },
            }
        };
        if let Some(why) = &outcome.why {
            writeln!(output, "{why}.")?;
            human::menu(output, &outcome.fits)?;
        }
        let Some(outcome) = self.ruled(output, outcome, Some(color))? else {
            return Ok(Next::Same);
        };
        if outcome.why.is_some() {
            return Ok(Next::Same);
        }
        let from = self.heard.get(color).len();
        self.hear(&outcome);
        for text in self.heard.get(color).iter().skip(from) {
            writeln!(output, "{text}")?;
        }
        if self.table.game().to_move() == Some(color) {
            return Ok(Next::Same);
        }
        if self.table.game().to_move().is_some() {
            writeln!(
                output,
                "\nYour turn is over. Press Enter to hide the screen."
            )?;
            match self.next(lines, output, LineFor::Enter)? {
                TypedLine::Line(_) => {}
                TypedLine::End => return Ok(Next::End(Ended::Usual)),
                TypedLine::Interrupt => return Ok(Next::End(Ended::Interrupted)),
            }
        }
        Ok(Next::Other)
    }

    fn player_aside(
        &mut self,
        output: &mut impl Write,
        color: Color,
        aside: &Aside<'_>,
    ) -> io::Result<()> {
        match aside {
            Aside::Help => writeln!(
                output,
                "In your turn, {}; you can also write a move as Nf3, exd5 or N-KB3, and ask {QUESTIONS}; `board` shows your men, `again` shows what you heard, `quit` ends.",
                may_be_typed(&self.settings.choices)
            ),
            Aside::Board(_) => {
                let show = match color {
                    Color::White => Show::White,
                    Color::Black => Show::Black,
                };
                human::board(output, &self.table, show)
            }
            Aside::Again | Aside::Ask(Question::Call) => self.show(output, color),
            Aside::Clock => self.answer_question(output, color, Question::Clocks),
            Aside::Ask(question) => self.answer_question(output, color, *question),
            Aside::TakeBack(_) | Aside::Pause | Aside::SetClock(..) => writeln!(
                output,
                "Without an umpire nothing can be taken back, and nobody stops the clock."
            ),
            Aside::Save(_) => writeln!(
                output,
                "The file would show both sides: save the game when it is over, or start with --data FILE."
            ),
            Aside::Moves => writeln!(
                output,
                "The moves of both sides can be listed when the game is over."
            ),
            Aside::Wrong(remedy) => writeln!(output, "Not understood: {remedy}."),
            Aside::Quit => Ok(()),
        }
    }

    /// Notes what each player heard.
    fn hear(&mut self, outcome: &Outcome) {
        for color in Color::ALL {
            let text = human::said(outcome, &self.settings.choices, Listener::from(color));
            if !text.is_empty() {
                self.heard.get_mut(color).push(text);
            }
        }
    }

    /// Shows how the game ended, with the true position.
    pub(super) fn result(&self, output: &mut impl Write) -> io::Result<()> {
        if let Some(over) = self.table.game().over() {
            writeln!(
                output,
                "{}",
                notation::over_words(over, &self.settings.choices)
            )?;
        }
        human::board(output, &self.table, Show::Umpire)
    }

    fn after_the_end(
        &mut self,
        lines: &mut dyn LineSource,
        output: &mut impl Write,
    ) -> io::Result<Ended> {
        if let Some(clock) = &mut self.clock {
            clock.stop();
        }
        output.write_all(CLEAR.as_bytes())?;
        self.result(output)?;
        writeln!(
            output,
            "Both may look now. `save FILE` saves the game, `quit` ends."
        )?;
        loop {
            let raw = match self.next(lines, output, LineFor::Umpire)? {
                TypedLine::Line(raw) => raw,
                TypedLine::End => return Ok(Ended::Usual),
                TypedLine::Interrupt if self.may_end(output)? => return Ok(Ended::Interrupted),
                TypedLine::Interrupt => continue,
            };
            match Aside::read(&raw, true) {
                Some(Aside::Quit) if self.may_end(output)? => return Ok(Ended::Usual),
                Some(Aside::Quit) => {}
                Some(Aside::Save(file)) => self.save(output, file)?,
                Some(Aside::Moves) => human::moves(output, &self.table)?,
                Some(Aside::Board(_)) => human::board(output, &self.table, Show::Umpire)?,
                _ => writeln!(
                    output,
                    "The game is over: `save FILE`, `moves`, `board` or `quit`."
                )?,
            }
        }
    }
}

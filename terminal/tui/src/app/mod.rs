//! The state of the screen.

mod doing;
mod pressed;
mod saving;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use ratatui::layout::Rect;
use rules::chess::{Color, Square};
use wire::{ColorWish, Millis, ServerSays, TermsJson, TimeControlJson};

use crate::{
    commands::Command,
    connection::Connection,
    geometry::Layout,
    messages::{ClubMessage, ClubRequest, Guessed},
    review::Review,
    table::{Selection, TableState},
    theme::{MenStyle, Theme},
};

/// Initial settings of a screen.
#[derive(Clone, Debug)]
pub struct Start {
    /// Whether two people share the terminal.
    pub two: bool,
    /// Whether the club has a lobby with other people.
    pub lobby: bool,
    /// Terms of games that are created here. The ruleset is empty if no game is
    /// created here.
    pub terms: TermsJson,
    /// Prefix of request ids, so that two programs of one player use different ids.
    pub ids: String,
    /// Colour scheme.
    pub theme: Theme,
    /// How men are drawn.
    pub men: MenStyle,
    /// Name of the club or of this machine, in a few words.
    pub place: String,
    /// Guesses that were stored on this machine.
    pub guessed: Vec<Guessed>,
}

impl Default for Start {
    fn default() -> Start {
        Start {
            two: false,
            lobby: false,
            terms: TermsJson {
                rules: String::new(),
                custom: None,
                time: TimeControlJson::Unlimited {},
                rated: false,
                color: ColorWish::Any,
            },
            ids: "t".to_owned(),
            theme: Theme::default(),
            men: MenStyle::default(),
            place: "this machine".to_owned(),
            guessed: Vec::new(),
        }
    }
}

/// Action that only the terminal can carry out.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Effect {
    /// Draw everything again.
    Redraw,
    /// Suspend the program.
    Suspend,
    /// End the program.
    Quit,
}

/// Main content of the screen.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Screen {
    /// Waiting for the club.
    Waiting,
    /// The lobby.
    Lobby,
    /// A game at a table.
    Table,
    /// The screen between the turns of two players who share the terminal. This screen shows
    /// neither board.
    Cover,
    /// A finished game.
    Review,
}

/// Page that covers the content.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) enum Over {
    /// Keys and words; holds the scroll offset in lines.
    Help(u16),
    /// The rules of the game; holds the scroll offset in lines.
    Rules(u16),
    /// A text of the club: title, text, and the scroll offset in lines.
    Text(String, String, u16),
    /// The commands that are possible now; holds the index of the selected command.
    Menu(usize),
    /// The confirmation question of a command.
    Confirm(Command),
    /// Choice of the man to which a pawn promotes; holds the possible tries.
    Promote(Vec<String>),
    /// Choice of the guessed man on this square.
    Guess(Square),
}

/// The state of the screen.
#[derive(Clone, Debug)]
pub struct App {
    pub(crate) start: Start,
    pub(crate) seats: Vec<Connection>,
    /// Index of the shown seat.
    pub(crate) shown: usize,
    pub(crate) screen: Screen,
    pub(crate) over: Option<Over>,
    /// Text of the input line.
    pub(crate) input: String,
    pub(crate) cursor: Square,
    /// Whether the cursor is shown. After a mouse action it is hidden.
    pub(crate) has_cursor: bool,
    pub(crate) held: Option<Selection>,
    /// Whether the board is turned by 180 degrees.
    pub(crate) turned: bool,
    /// Scroll offset of the log, in lines.
    pub(crate) back: u16,
    /// Index of the selected row of the lobby.
    pub(crate) row: usize,
    pub(crate) review: Option<Review>,
    pub(crate) now: Millis,
    pub(crate) size: Rect,
    /// Screen areas of the rows of the lobby or the menu, with their indices.
    pub(crate) rows_at: RefCell<Vec<(Rect, usize)>>,
    effects: Vec<Effect>,
    asks: Vec<(usize, ClubRequest)>,
    count: u64,
    /// Finished games of this session, each with the file to which it was
    /// saved, if any.
    pub(crate) ended: BTreeMap<String, Option<String>>,
    /// Own games in the last state of the lobby. `None` until the first state was
    /// received.
    known_games: Option<BTreeSet<String>>,
}

impl App {
    /// Creates a screen to play on.
    pub fn play(start: Start) -> App {
        let lines = if start.two { 2 } else { 1 };
        let seat = Connection {
            must_subscribe_to_lobby: start.lobby,
            reads_messages: start.lobby,
            kept: start.guessed.clone(),
            ..Connection::default()
        };
        App {
            screen: if start.lobby {
                Screen::Lobby
            } else {
                Screen::Waiting
            },
            seats: vec![seat; lines],
            shown: 0,
            over: None,
            input: String::new(),
            cursor: Square::E2,
            has_cursor: false,
            held: None,
            turned: false,
            back: 0,
            row: 0,
            review: None,
            now: 0,
            size: Rect::new(0, 0, 80, 24),
            rows_at: RefCell::default(),
            effects: Vec::new(),
            asks: Vec::new(),
            count: 0,
            ended: BTreeMap::new(),
            known_games: None,
            start,
        }
    }

    /// Creates a screen that shows a finished game.
    pub fn view(review: Review, start: Start) -> App {
        App {
            review: Some(review),
            screen: Screen::Review,
            seats: Vec::new(),
            ..App::play(start)
        }
    }

    /// Sets the time, in milliseconds since 1970 UTC.
    pub fn tick(&mut self, now: Millis) {
        self.now = now;
    }

    /// Sets the size of the screen, in columns and rows.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = Rect::new(0, 0, width, height);
    }

    /// Removes and returns the waiting requests, each with the index of its connection.
    pub fn take_asks(&mut self) -> Vec<(usize, ClubRequest)> {
        self.gather();
        std::mem::take(&mut self.asks)
    }

    /// Removes and returns the changed guesses. The guesses are stored on this machine and never
    /// sent.
    pub fn take_guessed(&mut self) -> Vec<Guessed> {
        let seats = self.seats.iter_mut();
        seats
            .flat_map(|seat| {
                seat.note_guesses();
                std::mem::take(&mut seat.guessed)
            })
            .collect()
    }

    /// Removes and returns the waiting actions for the terminal.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Whether a running clock is visible, so that the screen must be drawn
    /// regularly.
    pub fn has_running_clock(&self) -> bool {
        let clocks = self.table().and_then(|table| table.clocks);
        clocks.is_some_and(|clocks| clocks.running.is_some())
    }

    fn gather(&mut self) {
        for (line, seat) in self.seats.iter_mut().enumerate() {
            let asks = seat.asks.drain(..);
            self.asks.extend(asks.map(|ask| (line, ask)));
        }
    }

    /// Returns the shown seat.
    pub(crate) fn seat(&self) -> Option<&Connection> {
        self.seats.get(self.shown)
    }

    pub(crate) fn seat_mut(&mut self) -> Option<&mut Connection> {
        self.seats.get_mut(self.shown)
    }

    /// Returns the shown table.
    pub(crate) fn table(&self) -> Option<&TableState> {
        self.seat()?.table.as_ref()
    }

    pub(crate) fn table_mut(&mut self) -> Option<&mut TableState> {
        self.seat_mut()?.table.as_mut()
    }

    /// Returns the colour at the lower edge of the board.
    pub(crate) fn below(&self) -> Color {
        let color = self.table().map_or(Color::White, TableState::color);
        if self.turned { !color } else { color }
    }

    /// Returns the layout, or `None` if the screen is too small.
    pub(crate) fn layout(&self) -> Option<Layout> {
        Layout::of(self.size, self.below())
    }

    /// Returns the screen position of a square's middle, for mouse events.
    pub fn place_of(&self, square: &str) -> Option<(u16, u16)> {
        let at = self.layout()?.board.square(crate::men::square(square)?);
        Some((at.x + at.width / 2, at.y + at.height / 2))
    }

    /// Whether the terminal must be handed over to the other player.
    pub(crate) fn is_to_hand_over(&self) -> bool {
        self.start.two
            && self.screen == Screen::Table
            && self.table().is_some_and(|table| {
                table.is_running() && table.view.is_some() && !table.is_my_turn()
            })
            && self.next_seat().is_some_and(|next| next != self.shown)
    }

    /// Returns the index of the seat whose turn it is.
    pub(crate) fn next_seat(&self) -> Option<usize> {
        self.seats
            .iter()
            .position(|seat| seat.table.as_ref().is_some_and(TableState::is_my_turn))
    }

    /// Handles a message from the connection `line`.
    pub fn take_message(&mut self, line: usize, message: ClubMessage) {
        let now = self.now;
        let Some(seat) = self.seats.get_mut(line) else {
            self.take_viewer_message(message);
            return;
        };
        match message {
            ClubMessage::Says(says) => {
                let is_lobby = matches!(
                    *says,
                    ServerSays::Lobby { .. } | ServerSays::LobbyChanges { .. }
                );
                let before = seat.table.as_ref().map(|table| table.id.clone());
                seat.hear(*says, now);
                let after = seat.table.as_ref().map(|table| table.id.clone());
                self.note_end(line);
                if before != after {
                    self.begun();
                }
                if is_lobby {
                    self.enter_new_game(line);
                }
            }
            ClubMessage::Away(why) => seat.away = Some(why),
            ClubMessage::Connected => seat.connected(),
            ClubMessage::Playing(game) => {
                seat.sit(&game);
                self.begun();
            }
            ClubMessage::Steps { game, steps } => {
                seat.steps = Some((game, steps));
            }
            ClubMessage::Page { title, text } => self.over = Some(Over::Text(title, text, 0)),
            ClubMessage::Done(words) => seat.remark(words),
            ClubMessage::Saved { game, file } => {
                seat.remark(format!("Saved: `kriegspiel view {file}` shows the game."));
                self.ended.insert(game, Some(file));
            }
            ClubMessage::Failed(words) => seat.complain(words),
            // Beliefs are shown only in a viewer, where nobody plays.
            ClubMessage::Moment { .. } | ClubMessage::MomentsEnd { .. } => {}
            ClubMessage::End => self.effects.push(Effect::Quit),
        }
    }

    /// Handles a message for a viewer of a finished game.
    fn take_viewer_message(&mut self, message: ClubMessage) {
        let beliefs = self.review.as_mut().and_then(|r| r.beliefs.as_mut());
        match (message, beliefs) {
            (ClubMessage::End, _) => self.effects.push(Effect::Quit),
            (ClubMessage::Moment { side, moment }, Some(beliefs)) => {
                beliefs.of_mut(side).moments.push(*moment);
            }
            (ClubMessage::MomentsEnd { side, why }, Some(beliefs)) => {
                beliefs.of_mut(side).end = Some(why);
            }
            _ => {}
        }
    }

    /// Shows a game that has begun.
    fn begun(&mut self) {
        self.held = None;
        self.over = None;
        self.back = 0;
        self.turned = false;
        self.screen = if self.start.two {
            Screen::Cover
        } else {
            Screen::Table
        };
    }

    /// Takes the seat in a game that began while the player was in the lobby.
    fn enter_new_game(&mut self, line: usize) {
        let Some(seat) = self.seats.get(line) else {
            return;
        };
        let mine: BTreeSet<String> = seat.lobby.mine.iter().map(|game| game.id.clone()).collect();
        let Some(known) = self.known_games.replace(mine.clone()) else {
            // The games of the first list already existed, so none of them has just begun.
            return;
        };
        let fresh = mine.difference(&known).next().cloned();
        if let Some(fresh) = fresh
            && self.screen == Screen::Lobby
        {
            if let Some(seat) = self.seats.get_mut(line) {
                seat.sit(&fresh);
            }
            self.begun();
        }
    }
}

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
    geometry::Layout,
    review::Review,
    said::{Ask, Guessed, Told},
    seat::Seat,
    table::{Held, Table},
    theme::{MenStyle, Theme},
};

/// How a screen begins.
#[derive(Clone, Debug)]
pub struct Start {
    /// Whether two people share it.
    pub two: bool,
    /// Whether there is a lobby, where other people are.
    pub lobby: bool,
    /// The terms of the games that are made here; without a ruleset where none is made.
    pub terms: TermsJson,
    /// Begins the name of every request, so that no two programs of one player use the same.
    pub ids: String,
    /// Colours.
    pub theme: Theme,
    /// Men.
    pub men: MenStyle,
    /// Where one plays, in a few words.
    pub place: String,
    /// Guesses that were kept on this machine.
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

/// What only a terminal can do.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Effect {
    /// Draw everything anew.
    Redraw,
    /// Go to sleep until woken.
    Suspend,
    /// End.
    Quit,
}

/// What fills the screen.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Screen {
    /// Waiting for the club.
    Waiting,
    /// The lobby.
    Lobby,
    /// A table.
    Table,
    /// Between two people: nothing of either board.
    Cover,
    /// A finished game.
    Review,
}

/// What lies over it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) enum Over {
    /// Keys and words; scrolled by so many lines.
    Help(u16),
    /// The rules of the game.
    Rules(u16),
    /// What can be done now, and which is chosen.
    Menu(usize),
    /// Whether to do that.
    Confirm(Command),
    /// What a pawn becomes.
    Promote(Vec<String>),
    /// Who is guessed to stand there.
    Guess(Square),
}

/// The state of the screen.
#[derive(Clone, Debug)]
pub struct App {
    pub(crate) start: Start,
    pub(crate) seats: Vec<Seat>,
    /// Whose seat is shown.
    pub(crate) shown: usize,
    pub(crate) screen: Screen,
    pub(crate) over: Option<Over>,
    /// What is being typed.
    pub(crate) input: String,
    pub(crate) cursor: Square,
    /// Whether the cursor was used; a mouse needs none.
    pub(crate) has_cursor: bool,
    pub(crate) held: Option<Held>,
    /// Whether the board is turned.
    pub(crate) turned: bool,
    /// Lines by which the log is turned back.
    pub(crate) back: u16,
    /// The chosen row of the lobby.
    pub(crate) row: usize,
    pub(crate) review: Option<Review>,
    pub(crate) now: Millis,
    pub(crate) size: Rect,
    /// Where the rows of the lobby and the menu were drawn.
    pub(crate) rows_at: RefCell<Vec<(Rect, usize)>>,
    effects: Vec<Effect>,
    asks: Vec<(usize, Ask)>,
    count: u64,
    /// Games that ended here, and the file of each that was written down.
    pub(crate) ended: BTreeMap<String, Option<String>>,
    /// Own games that the lobby named before; none until it came.
    known_games: Option<BTreeSet<String>>,
}

impl App {
    /// A screen to play on.
    pub fn play(start: Start) -> App {
        let lines = if start.two { 2 } else { 1 };
        let seat = Seat {
            hears_lobby: start.lobby,
            kept: start.guessed.clone(),
            ..Seat::default()
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

    /// A screen to look at a finished game.
    pub fn view(review: Review, start: Start) -> App {
        App {
            review: Some(review),
            screen: Screen::Review,
            seats: Vec::new(),
            ..App::play(start)
        }
    }

    /// The time, in milliseconds since 1970.
    pub fn tick(&mut self, now: Millis) {
        self.now = now;
    }

    /// The size of the screen.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = Rect::new(0, 0, width, height);
    }

    /// What is to be asked, and on which line.
    pub fn take_asks(&mut self) -> Vec<(usize, Ask)> {
        self.gather();
        std::mem::take(&mut self.asks)
    }

    /// How guesses have changed: to be kept on this machine, and said to nobody.
    pub fn take_guessed(&mut self) -> Vec<Guessed> {
        let seats = self.seats.iter_mut();
        seats
            .flat_map(|seat| {
                seat.note_guesses();
                std::mem::take(&mut seat.guessed)
            })
            .collect()
    }

    /// What only a terminal can do.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Whether a clock is seen to run.
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

    /// The seat that is shown.
    pub(crate) fn seat(&self) -> Option<&Seat> {
        self.seats.get(self.shown)
    }

    pub(crate) fn seat_mut(&mut self) -> Option<&mut Seat> {
        self.seats.get_mut(self.shown)
    }

    /// The table that is shown.
    pub(crate) fn table(&self) -> Option<&Table> {
        self.seat()?.table.as_ref()
    }

    pub(crate) fn table_mut(&mut self) -> Option<&mut Table> {
        self.seat_mut()?.table.as_mut()
    }

    /// Whose side of the board is below.
    pub(crate) fn below(&self) -> Color {
        let color = self.table().map_or(Color::White, Table::color);
        if self.turned { !color } else { color }
    }

    /// Where things are; `None` on a screen that is too small.
    pub(crate) fn layout(&self) -> Option<Layout> {
        Layout::of(self.size, self.below())
    }

    /// Where a square of the board is shown: a place for the mouse.
    pub fn place_of(&self, square: &str) -> Option<(u16, u16)> {
        let at = self.layout()?.board.square(crate::men::square(square)?);
        Some((at.x + at.width / 2, at.y + at.height / 2))
    }

    /// Whether the keyboard is to be handed to the other one.
    pub(crate) fn is_to_hand_over(&self) -> bool {
        self.start.two
            && self.screen == Screen::Table
            && self.table().is_some_and(|table| {
                table.is_running() && table.view.is_some() && !table.is_my_turn()
            })
            && self.next_seat().is_some_and(|next| next != self.shown)
    }

    /// The seat of the one whose turn it is.
    pub(crate) fn next_seat(&self) -> Option<usize> {
        self.seats
            .iter()
            .position(|seat| seat.table.as_ref().is_some_and(Table::is_my_turn))
    }

    /// Is told something, on one of the lines.
    pub fn told(&mut self, line: usize, told: Told) {
        let now = self.now;
        let Some(seat) = self.seats.get_mut(line) else {
            if told == Told::End {
                self.effects.push(Effect::Quit);
            }
            return;
        };
        match told {
            Told::Says(says) => {
                let is_lobby = matches!(*says, ServerSays::Lobby { .. });
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
            Told::Away(why) => seat.away = Some(why),
            Told::Connected => seat.connected(),
            Told::Playing(game) => {
                seat.sit(&game);
                self.begun();
            }
            Told::Steps { game, steps } => {
                seat.steps = Some((game, steps));
            }
            Told::Done(words) => seat.remark(words),
            Told::Saved { game, file } => {
                seat.remark(format!("Saved: `kriegspiel view {file}` shows it."));
                self.ended.insert(game, Some(file));
            }
            Told::Failed(words) => seat.complain(words),
            Told::End => self.effects.push(Effect::Quit),
        }
    }

    /// A table was set.
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

    /// A game that began while one waited in the lobby is entered.
    fn enter_new_game(&mut self, line: usize) {
        let Some(seat) = self.seats.get(line) else {
            return;
        };
        let mine: BTreeSet<String> = seat.lobby.mine.iter().map(|game| game.id.clone()).collect();
        let Some(known) = self.known_games.replace(mine.clone()) else {
            // Those that were there before are offered in the list.
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

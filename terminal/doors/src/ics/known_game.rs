//! What one listener at this door knows of a game: the view, and the boards and
//! lines made from the view. These boards and lines use no other information.

use club::{Clocks, GameFacts, HeardItem, Hearing, Millis, TimeControl};
use notation::words;
use rules::{
    Announcement, Attempt, DrawTalk, Heard, Listener, Over, Own, Reply, Start, Try, Verdict,
    chess::{Board, ByColor, CastlingSide, Color, Role},
};
use views::{PlayerView, SpectatorView};

use super::style::{FULL_STRENGTH, LastMove, Position, Relation, strength, title};

/// View of a listener, updated by each hearing.
#[derive(Clone, PartialEq, Debug)]
enum View {
    Seat(Box<PlayerView>),
    Room(Box<SpectatorView>),
}

/// Applies an expression to the view, for a player or for a spectator.
macro_rules! either {
    ($of:expr, $view:ident => $what:expr) => {
        match $of {
            View::Seat($view) => $what,
            View::Room($view) => $what,
        }
    };
}

/// Output caused by a hearing.
#[derive(Clone, PartialEq, Debug)]
pub enum Says {
    /// The board must be shown.
    Board,
    /// The listener's own try was refused. Holds the try, and the referee's answer in words.
    Refused(String, String),
    /// An announcement.
    Announced(String),
    /// The opponent has offered a draw.
    DrawOffered,
    /// The game is over.
    Over(Over),
}

/// A game as one listener knows it.
#[derive(Clone, PartialEq, Debug)]
pub struct KnownGame {
    /// Number of the game at this door.
    pub number: u32,
    /// Facts of the game, as last received.
    pub facts: GameFacts,
    /// Number of the last hearing.
    pub n: u32,
    view: View,
    /// Number of completed moves.
    plies: u32,
    black_began: bool,
    last: LastMove,
    clocks: Option<Clocks>,
}

impl KnownGame {
    /// Creates the state of a listener that has heard nothing yet.
    pub fn new(number: u32, facts: GameFacts) -> KnownGame {
        let start = Start {
            rules: "".into(),
            own: None,
            reserves: ByColor::default(),
        };
        let view = open(&facts, &start);
        let clocks = facts.standing.clocks;
        KnownGame {
            number,
            n: 0,
            view,
            plies: 0,
            black_began: false,
            last: LastMove::default(),
            clocks,
            facts,
        }
    }

    /// Returns the listener's colour, or `None` for a spectator.
    pub fn color(&self) -> Option<Color> {
        self.facts.seat.color()
    }

    /// Returns the side to move, according to what the listener heard.
    pub fn to_move(&self) -> Option<Color> {
        either!(&self.view, view => view.to_move())
    }

    /// Returns how the game ended, if the listener has heard it.
    pub fn over(&self) -> Option<Over> {
        either!(&self.view, view => view.over())
    }

    /// Whether a move was made.
    pub fn has_moves(&self) -> bool {
        self.plies > 0
    }

    /// Returns the side whose draw offer is open, according to what the player has heard. Returns
    /// `None` for spectators.
    pub fn draw_offer(&self) -> Option<Color> {
        self.view().and_then(PlayerView::draw_offer)
    }

    /// Returns the view of a player, or `None` for a spectator.
    pub fn view(&self) -> Option<&PlayerView> {
        match &self.view {
            View::Seat(view) => Some(view),
            View::Room(_) => None,
        }
    }

    /// Returns the name of a player.
    pub fn name(&self, color: Color) -> &str {
        &self.facts.players.get(color).name
    }

    /// Returns the title of the game. Every line about the game begins with the title.
    pub fn title(&self) -> String {
        title(self.number, &self.names())
    }

    fn names(&self) -> ByColor<String> {
        self.facts
            .players
            .as_ref()
            .map(|player| player.name.clone())
    }

    /// Applies a hearing. Returns the output that it causes.
    pub fn hear(&mut self, hearing: &Hearing) -> Vec<Says> {
        self.n = hearing.n;
        let took = self.took(hearing);
        let items = hearing.heard.iter();
        let heard: Vec<Heard> = items
            .filter_map(|item| match item {
                HeardItem::Start(start) => {
                    self.view = open(&self.facts, start);
                    None
                }
                HeardItem::Heard(heard) => Some(*heard),
            })
            .collect();
        if hearing.clocks.is_some() {
            self.clocks = hearing.clocks;
        }
        let mut says = Vec::new();
        for one in &heard {
            self.hear_one(one, &heard, took, &mut says);
        }
        if hearing.n == 1 {
            self.black_began = self.to_move() == Some(Color::Black);
        }
        says
    }

    fn hear_one(&mut self, heard: &Heard, all: &[Heard], took: Millis, says: &mut Vec<Says>) {
        let own = self.view().map(|view| *view.own());
        either!(&mut self.view, view => view.hear(heard));
        let said = words(heard, &self.facts.choices, self.facts.seat);
        match *heard {
            Heard::Reply(Reply::Verdict {
                verdict: Verdict::Moved,
                attempt,
                ..
            }) => {
                self.plies += 1;
                self.last = match (attempt, own) {
                    (Some(Attempt::Try(t)), Some(own)) => own_move(&own, t, all, took),
                    (Some(_), _) | (None, _) => unseen_move(all, took),
                };
                says.push(Says::Board);
            }
            Heard::Reply(Reply::Verdict {
                verdict: Verdict::No | Verdict::Nonsense | Verdict::RepeatNo,
                attempt: Some(attempt),
                ..
            }) => says.push(Says::Refused(attempt.to_string(), said.unwrap_or_default())),
            Heard::Draw(DrawTalk::Offer { by }) if Some(by) != self.color() => {
                says.push(Says::DrawOffered)
            }
            Heard::Over(over) => {
                says.extend(said.map(Says::Announced));
                says.push(Says::Over(over));
            }
            Heard::Announced(Announcement::Turn { to_move }) => {
                says.push(Says::Announced(format!(
                    "{}'s move.",
                    notation::name(to_move)
                )));
            }
            Heard::Reply(_) | Heard::Lost { .. } | Heard::Announced(_) | Heard::Draw(_) => {
                says.extend(said.map(Says::Announced));
            }
        }
    }

    /// Returns the duration of the move that this hearing reports. The duration is computed from
    /// the clocks, and no private event changes the clocks.
    fn took(&self, hearing: &Hearing) -> Millis {
        match (self.clocks, hearing.clocks) {
            (Some(before), Some(after)) if before.running.is_some() => {
                after.at.saturating_sub(before.at).max(0)
            }
            (Some(_) | None, Some(_) | None) => 0,
        }
    }

    /// Stores new facts of the game.
    pub fn learn(&mut self, facts: GameFacts) {
        if facts.standing.clocks.is_some() {
            self.clocks = facts.standing.clocks;
        }
        self.facts = facts;
    }

    /// Returns the announcements of the last move in words, for a listener who arrives during the
    /// game.
    pub fn announced(&self) -> Vec<String> {
        let said = either!(&self.view, view => view.this_turn());
        let choices = &self.facts.choices;
        let said = said
            .iter()
            .filter(|one| !matches!(one, Announcement::Turn { .. }));
        // Announcements to everyone have the same words for every listener.
        said.filter_map(|one| words(&one.into(), choices, Listener::Room))
            .collect()
    }

    /// Returns the time left on both clocks at the moment `now`.
    pub fn left(&self, now: Millis) -> ByColor<Millis> {
        let Some(clocks) = self.clocks else {
            return ByColor::new_with(|_| 0);
        };
        let mut left = clocks.left;
        if let Some(running) = clocks.running {
            let spent = now.saturating_sub(clocks.at).max(0);
            let left = left.get_mut(running);
            *left = (*left - spent).max(0);
        }
        left
    }

    fn board(&self) -> Board {
        self.view()
            .map_or_else(Board::empty, |view| view.own().board())
    }

    /// Returns the reserves in words; `None` if both are empty. Reserves are
    /// public.
    pub fn reserves(&self) -> Option<String> {
        let reserves = either!(&self.view, view => view.reserves());
        let side = |color: Color| {
            let reserve = reserves.get(color);
            let men = Role::ALL.into_iter().flat_map(|role| {
                let count = usize::from(reserve.count(role));
                std::iter::repeat_n(role.upper_char(), count)
            });
            men.collect::<String>()
        };
        let (white, black) = (side(Color::White), side(Color::Black));
        (!(white.is_empty() && black.is_empty()))
            .then(|| format!("In reserve: White [{white}], Black [{black}]."))
    }

    /// Returns the position as this listener may see it at the moment `now`.
    pub fn position(&self, now: Millis) -> Position {
        let by_plies = Color::from_white(self.plies.is_multiple_of(2) != self.black_began);
        let to_move = self.to_move().unwrap_or(by_plies);
        let board = self.board();
        let mut castling = ByColor::new_with(|_| [false, false]);
        let mut worth = ByColor::new_with(|_| FULL_STRENGTH);
        if let Some(own) = self.view().map(PlayerView::own) {
            *castling.get_mut(own.color) = [CastlingSide::KingSide, CastlingSide::QueenSide]
                .map(|side| own.castling.has(side));
            *worth.get_mut(own.color) = strength(&board, own.color);
        }
        let relation = match self.color() {
            None => Relation::Observing,
            Some(color) if color == to_move => Relation::MyTurn,
            Some(_) => Relation::TheirTurn,
        };
        let running = self.clocks.is_some_and(|clocks| clocks.running.is_some());
        Position {
            board,
            to_move,
            castling,
            game: self.number,
            names: self.names(),
            relation,
            time: time_fields(self.facts.terms.time),
            strength: worth,
            left: self.left(now),
            number: (self.plies + u32::from(self.black_began)) / 2 + 1,
            last: self.last.clone(),
            below: self.color().unwrap_or(Color::White),
            ticking: running && self.over().is_none(),
        }
    }
}

fn open(facts: &GameFacts, start: &Start) -> View {
    match facts.seat.color() {
        Some(color) => View::Seat(Box::new(PlayerView::open(facts.choices, color, start))),
        None => View::Room(Box::new(SpectatorView::open(facts.choices, start))),
    }
}

/// Returns the main time in minutes, rounded up, and the increment in seconds.
pub fn time_fields(time: TimeControl) -> [Millis; 2] {
    match time {
        TimeControl::Unlimited => [0, 0],
        TimeControl::Clock { initial, increment }
        | TimeControl::Days {
            initial, increment, ..
        } => [(initial + 59_999) / 60_000, increment / 1000],
    }
}

/// Describes an own move. `own` are the player's men before the move.
fn own_move(own: &Own, t: Try, all: &[Heard], took: Millis) -> LastMove {
    // Most rulesets announce a capture to the player who captures. Under other
    // rulesets the player knows of a capture only if the move is a pawn
    // capture.
    let is_announced = all
        .iter()
        .any(|heard| matches!(heard, Heard::Announced(Announcement::Capture(_))));
    let takes = is_announced || own.is_pawn_capture(t);
    let (long, short) = match t {
        Try::Drop { role, to } => {
            let text = format!("{}@{to}", role.upper_char());
            (text.clone(), text)
        }
        Try::Step { from, to, .. } if own.is_castling(t) => {
            let text = if to > from { "O-O" } else { "O-O-O" };
            (text.to_lowercase(), text.to_owned())
        }
        Try::Step {
            from,
            to,
            promotion,
        } => {
            let role = own.role_at(from).unwrap_or(Role::Pawn);
            let man = role.upper_char();
            let becomes = promotion.map_or(String::new(), |role| format!("={}", role.upper_char()));
            let short = match (role, takes) {
                (Role::Pawn, true) => format!("{}x{to}{becomes}", from.file()),
                (Role::Pawn, false) => format!("{to}{becomes}"),
                (_, true) => format!("{man}{from}x{to}"),
                (_, false) => format!("{man}{from}{to}"),
            };
            (format!("{man}/{from}-{to}{becomes}"), short)
        }
    };
    LastMove { long, short, took }
}

/// Describes a move that this listener did not see. The text is `?`. If the listener knows that the
/// move captured a man on d5, the text is `?xd5`.
fn unseen_move(all: &[Heard], took: Millis) -> LastMove {
    let square = all.iter().find_map(|heard| match *heard {
        Heard::Announced(Announcement::Capture(capture)) => capture.square,
        Heard::Lost { square, .. } => Some(square),
        Heard::Reply(_) | Heard::Announced(_) | Heard::Draw(_) | Heard::Over(_) => None,
    });
    let text = square.map_or("?".to_owned(), |square| format!("?x{square}"));
    LastMove {
        long: text.clone(),
        short: text,
        took,
    }
}

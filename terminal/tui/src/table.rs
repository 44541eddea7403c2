//! One game, as the player of one seat hears it.

use std::collections::BTreeMap;

use rules::chess::{Bitboard, Board, Color, Role, Square};
use wire::{ClocksJson, GameJson, GameStatus, HeardJson, HearingJson, SeatViewJson, Side};

use crate::{
    men::{self, ends},
    phantoms::Phantoms,
};

/// Style in which a heard text is drawn. The style adds no information to the text.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(crate) enum Tone {
    #[default]
    Plain,
    No,
    Check,
    Capture,
    Over,
}

/// Texts that were heard at the same time.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct Entry {
    pub(crate) words: String,
    pub(crate) tone: Tone,
    /// The refused try, if the texts are about a refused try.
    refused: Option<String>,
    /// Reason why the try was refused, if the view of the seat gives the reason.
    pub(crate) why: Option<String>,
}

/// A turn of one side, with everything heard in it.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Turn {
    /// Colour of the side to move; `None` before the first turn and after the
    /// end of the game.
    pub(crate) side: Option<Side>,
    pub(crate) number: u32,
    pub(crate) entries: Vec<Entry>,
}

/// A try in flight.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct Pending {
    pub(crate) id: String,
    /// Number of the last hearing before the try.
    pub(crate) after: u32,
    pub(crate) text: String,
}

/// One game, as the player of one seat hears it.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableState {
    pub(crate) id: String,
    pub(crate) facts: Option<GameJson>,
    pub(crate) view: Option<SeatViewJson>,
    /// Number of the last hearing.
    pub(crate) n: u32,
    pub(crate) clocks: Option<ClocksJson>,
    pub(crate) log: Vec<Turn>,
    /// Texts of the last announcements, and of everything heard after them.
    pub(crate) calls: Vec<(String, Tone)>,
    /// Number of texts in `calls` that belong to the last announcements.
    pub(crate) announced: usize,
    pub(crate) pending: Option<Pending>,
    /// Tries since the last hearing that the club could not confirm. They may have been recorded.
    unconfirmed: Vec<Pending>,
    pub(crate) phantoms: Phantoms,
    /// Squares named by the texts in `calls`.
    pub(crate) named: Bitboard,
    /// The last own move.
    pub(crate) moved: Option<String>,
    /// Whether the steps of the finished game were requested.
    pub(crate) is_reviewed: bool,
    counts: BTreeMap<bool, u32>,
}

impl TableState {
    /// Creates the state of a game about which nothing was heard yet.
    pub(crate) fn new(id: String) -> TableState {
        TableState {
            id,
            log: vec![Turn::default()],
            ..TableState::default()
        }
    }

    /// Handles a hearing.
    pub(crate) fn hear(&mut self, hearing: &HearingJson) {
        // After a reconnection a hearing may come twice. The second copy is skipped.
        if hearing.n <= self.n {
            return;
        }
        self.n = hearing.n;
        self.clocks = hearing.clocks;
        let tone = tone_of(&hearing.heard);
        let next = turn_in(&hearing.heard);
        if next.is_some() {
            self.calls.clear();
            self.named = Bitboard::EMPTY;
        }
        let said: Vec<&str> = (hearing.words.iter().map(String::as_str))
            .filter(|words| !words.is_empty())
            .collect();
        self.calls
            .extend(said.iter().map(|words| ((*words).to_owned(), tone)));
        if next.is_some() {
            self.announced = self.calls.len();
        }
        for heard in &hearing.heard {
            self.mark(heard);
        }
        let entry = Entry {
            words: said.join(" "),
            tone,
            refused: hearing.heard.iter().find_map(refused_in),
            why: None,
        };
        if let Some(turn) = self.log.last_mut() {
            turn.entries.push(entry);
        }
        match next {
            None => {}
            Some(Next::Over) => self.log.push(Turn::default()),
            Some(Next::Turn(side)) => {
                let count = self.counts.entry(side == Side::White).or_default();
                *count += 1;
                self.log.push(Turn {
                    side: Some(side),
                    number: *count,
                    entries: Vec::new(),
                });
            }
        }
    }

    /// Adds a message of a person to the log.
    pub(crate) fn read(&mut self, words: String) {
        let entry = Entry {
            words,
            tone: Tone::Plain,
            refused: None,
            why: None,
        };
        if let Some(turn) = self.log.last_mut() {
            turn.entries.push(entry);
        }
    }

    /// Stores the current view of the seat.
    pub(crate) fn see(&mut self, view: SeatViewJson) {
        for refused in &view.refused {
            let entries = self.log.iter_mut().rev().take(2);
            let same = entries
                .flat_map(|turn| turn.entries.iter_mut().rev())
                .find(|entry| entry.refused.as_deref() == Some(&refused.attempt));
            if let Some(entry) = same {
                entry.why = Some(refused.why.clone());
            }
        }
        self.view = Some(view);
    }

    /// Records that the club could not confirm the try in flight. The player may make the try again.
    pub(crate) fn set_unconfirmed(&mut self) {
        let n = self.n;
        self.unconfirmed.retain(|tried| tried.after == n);
        self.unconfirmed.extend(self.pending.take());
    }

    /// Returns the id of an unconfirmed try with this text, if nothing was heard since that try.
    /// With the same id, the club judges the try only once.
    pub(crate) fn unconfirmed_id(&self, text: &str) -> Option<&str> {
        let same = |tried: &&Pending| tried.after == self.n && tried.text == text;
        self.unconfirmed
            .iter()
            .find(same)
            .map(|tried| tried.id.as_str())
    }

    fn mark(&mut self, heard: &HeardJson) {
        if let HeardJson::Moved {
            attempt: Some(attempt),
            ..
        } = heard
        {
            self.moved = Some(attempt.0.to_string());
        }
        self.named |= squares_in(heard);
    }

    /// Returns the colour of the seat; White for spectators.
    pub(crate) fn color(&self) -> Color {
        let seat = self.view.as_ref().map(|view| view.seat);
        let seat = seat.or_else(|| self.facts.as_ref().and_then(|facts| facts.seat));
        Color::from(seat.unwrap_or(Side::White))
    }

    /// Returns the board with the own men, as if the try in flight were already
    /// played.
    pub(crate) fn men(&self) -> Board {
        let view = self.view.as_ref();
        let mut men = view.map_or_else(Board::empty, |view| men::board(&view.men));
        let Some((from, to)) = self.under_way() else {
            return men;
        };
        let man = match (from, &self.pending) {
            (Some(from), _) => men.remove_piece_at(from),
            (None, tried) => {
                let letter = tried.as_ref().and_then(|tried| tried.text.chars().next());
                letter
                    .and_then(Role::from_char)
                    .map(|role| role.of(self.color()))
            }
        };
        if let Some(man) = man {
            men.set_piece_at(to, man);
        }
        men
    }

    /// Returns origin and target of the try in flight.
    pub(crate) fn under_way(&self) -> Option<(Option<Square>, Square)> {
        ends(&self.pending.as_ref()?.text)
    }

    /// Whether it is this seat's turn.
    pub(crate) fn is_my_turn(&self) -> bool {
        let seat = self.view.as_ref().map(|view| view.seat);
        self.is_running() && seat.is_some() && self.to_move() == seat
    }

    /// Returns the side to move, as far as this seat has heard.
    pub(crate) fn to_move(&self) -> Option<Side> {
        self.view.as_ref()?.to_move
    }

    /// Whether the game is being played.
    pub(crate) fn is_running(&self) -> bool {
        self.status() == Some(GameStatus::Running)
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.status() == Some(GameStatus::Over)
    }

    fn status(&self) -> Option<GameStatus> {
        self.facts.as_ref().map(|facts| facts.status)
    }

    /// Returns the notices: one or two sentences about each offer that has no answer
    /// yet, and about an adjournment. A notice stays on the screen until the offer is
    /// answered or the game continues.
    pub(crate) fn notices(&self) -> Vec<String> {
        let Some(facts) = &self.facts else {
            return Vec::new();
        };
        let offers = facts.offers.clone().unwrap_or_default();
        let offer = |by: Side, what: &str, accept: &str, decline: &str| {
            if facts.seat == Some(by) {
                format!("You have offered {what}: `{decline}` takes the offer back.")
            } else {
                format!("Your opponent offers {what}: `{accept}` accepts, `{decline}` declines.")
            }
        };
        match facts.status {
            GameStatus::Running => {
                let draw = self.view.as_ref().and_then(|view| view.draw_offer);
                let draw = draw.map(|by| {
                    let is_mine = facts.seat == Some(by);
                    let decline = if is_mine { "withdraw-draw" } else { "decline" };
                    offer(by, "a draw", "accept", decline)
                });
                let adjourn = offers.adjourn;
                let adjourn =
                    adjourn.map(|by| offer(by, "to adjourn", "adjourn", "decline-adjourn"));
                draw.into_iter().chain(adjourn).collect()
            }
            GameStatus::Adjourned => vec![match offers.adjourn {
                Some(by) => {
                    let offer = offer(by, "to continue", "resume", "decline-adjourn");
                    format!("The game is adjourned. {offer}")
                }
                None if facts.seat.is_some() => {
                    "The game is adjourned: `resume` offers to continue.".to_owned()
                }
                None => "The game is adjourned.".to_owned(),
            }],
            GameStatus::Over => {
                let rematch = offers.rematch.filter(|_| offers.next.is_none());
                let offer = |by| offer(by, "a rematch", "rematch", "decline-rematch");
                rematch.map(offer).into_iter().collect()
            }
        }
    }

    /// Whether this word can be sent to the referee now.
    pub(crate) fn may_say(&self, word: &str) -> bool {
        self.is_running()
            && self
                .view
                .as_ref()
                .is_some_and(|view| view.words.iter().any(|known| known == word))
    }

    /// Returns the tries with this origin and target; for a promotion there are
    /// several.
    pub(crate) fn between(&self, from: Square, to: Square) -> Vec<String> {
        let begin = format!("{from}{to}");
        let order = |text: &String| "qrbnk".find(text.chars().last().unwrap_or('q'));
        let mut tries: Vec<String> = self
            .tries()
            .filter(|text| text.starts_with(&begin))
            .map(str::to_owned)
            .collect();
        tries.sort_by_key(order);
        tries
    }

    /// Returns the targets worth trying for a man on a square or in the
    /// reserve.
    pub(crate) fn targets(&self, held: Selection) -> Bitboard {
        self.tries()
            .filter(|text| held.makes(text))
            .filter_map(|text| ends(text).map(|(_, to)| to))
            .collect()
    }

    /// Returns the targets of tries refused in this turn. If a man on the board is held, only the
    /// targets of this man. If a man of the reserve is held, only the targets of drops of such men.
    pub(crate) fn refused(&self, held: Option<Selection>) -> Bitboard {
        let refused = self.view.iter().flat_map(|view| &view.refused);
        refused
            .map(|refused| refused.attempt.as_str())
            .filter(|text| held.is_none_or(|held| held.makes(text)))
            .filter_map(|text| ends(text).map(|(_, to)| to))
            .collect()
    }

    fn tries(&self) -> impl Iterator<Item = &str> {
        let view = self.view.iter();
        view.flat_map(|view| view.tries.iter().map(String::as_str))
    }
}

/// Man that the player has picked up.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Selection {
    /// The man on this square.
    Man(Square),
    /// A man of the reserve, by its letter.
    Reserve(char),
}

impl Selection {
    /// Whether a try, in coordinates, is a try of this man.
    fn makes(self, text: &str) -> bool {
        match self {
            Selection::Man(from) => text.starts_with(&from.to_string()),
            Selection::Reserve(man) => text.strip_prefix(man).is_some_and(|to| to.starts_with('@')),
        }
    }
}

/// How a hearing changes the side to move.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Next {
    Turn(Side),
    Over,
}

fn turn_in(heard: &[HeardJson]) -> Option<Next> {
    let mut next = None;
    for one in heard {
        if let HeardJson::Turn { to_move } = one {
            next = Some(Next::Turn(*to_move));
        } else if let HeardJson::Over { .. } = one {
            next = Some(Next::Over);
        } else if let HeardJson::Start { .. } = one
            && next.is_none()
        {
            next = Some(Next::Turn(Side::White));
        }
    }
    next
}

fn tone_of(heard: &[HeardJson]) -> Tone {
    let tones = heard.iter().map(|one| match one {
        HeardJson::Over { .. } => (4, Tone::Over),
        HeardJson::No { .. } | HeardJson::Nonsense { .. } | HeardJson::RepeatNo { .. } => {
            (3, Tone::No)
        }
        HeardJson::Check { .. } => (2, Tone::Check),
        HeardJson::Capture { .. } | HeardJson::Lost { .. } => (1, Tone::Capture),
        HeardJson::Start { .. }
        | HeardJson::Moved { .. }
        | HeardJson::Any { .. }
        | HeardJson::Drop { .. }
        | HeardJson::Promotion { .. }
        | HeardJson::Tries { .. }
        | HeardJson::Turn { .. }
        | HeardJson::Rebuffs { .. }
        | HeardJson::Recap { .. }
        | HeardJson::DrawOffer { .. }
        | HeardJson::DrawDeclined { .. }
        | HeardJson::DrawWithdrawn { .. } => (0, Tone::Plain),
    });
    tones
        .max_by_key(|(rank, _)| *rank)
        .map_or(Tone::Plain, |(_, tone)| tone)
}

fn refused_in(heard: &HeardJson) -> Option<String> {
    if let HeardJson::No { attempt, .. }
    | HeardJson::Nonsense { attempt, .. }
    | HeardJson::RepeatNo { attempt, .. } = heard
    {
        return attempt.as_ref().map(|attempt| attempt.0.to_string());
    }
    None
}

/// Returns the squares that a call names.
fn squares_in(heard: &HeardJson) -> Bitboard {
    if let HeardJson::Lost { square, .. }
    | HeardJson::Capture {
        square: Some(square),
        ..
    } = heard
    {
        square.0.into()
    } else if let HeardJson::Tries {
        squares, double, ..
    } = heard
    {
        let all = squares.iter().chain(double).flatten();
        all.map(|square| square.0).collect()
    } else {
        Bitboard::EMPTY
    }
}

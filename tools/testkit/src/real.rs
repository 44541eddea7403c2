//! The referee, behind the interface that tests use to compare it with the oracle. Also the views of
//! the listeners.

use std::borrow::Cow;

use referee::{EndCause, Event, Game, Opened, Ruling, StartPosition};
use rules::{
    Answer, Heard, Listener, NonsenseRow, Over, Ruleset, Start, Try,
    chess::{ByColor, Color},
    rulesets,
};
use views::{PlayerView, SpectatorView};

use crate::{
    oracle::{Answered, End, column},
    umpire::{Action, Setting, Umpire},
};

/// A game with the referee, with the views of both players and of a spectator.
#[derive(Clone, Debug)]
pub struct Real {
    game: Game,
    views: ByColor<PlayerView>,
    room: SpectatorView,
    log: Vec<Event>,
}

/// Returns what each listener hears of the calls.
fn columns(calls: &[rules::Call]) -> [Vec<Heard>; 3] {
    let mut heard = [const { Vec::new() }; 3];
    for call in calls {
        for listener in Listener::ALL {
            if call.audience.includes(listener) {
                heard[column(listener)].push(call.heard);
            }
        }
    }
    heard
}

impl Real {
    /// Opens a game.
    ///
    /// # Errors
    /// The start position is not legal under these choices.
    pub fn open(setting: &Setting) -> Result<Real, String> {
        let choices = setting.choices;
        let start = match &setting.fen {
            None => StartPosition::initial(),
            Some(fen) => StartPosition::from_fen(fen, &choices).map_err(|e| e.to_string())?,
        };
        let ruleset = match rulesets::by_id(&setting.rules) {
            Some(ruleset) => ruleset.clone(),
            None => Ruleset {
                id: Cow::Owned(setting.rules.clone()),
                ..rulesets::WILD16
            },
        };
        let game = Game::open(Opened::new(&ruleset, choices, start));
        let start = |listener| game.start(listener);
        let mut real = Real {
            views: ByColor {
                white: PlayerView::open(choices, Color::White, &start(Listener::White)),
                black: PlayerView::open(choices, Color::Black, &start(Listener::Black)),
            },
            room: SpectatorView::open(choices, &start(Listener::Room)),
            log: vec![game.opened_event()],
            game,
        };
        let opening = real.opening();
        real.hear(&opening);
        Ok(real)
    }

    /// Returns the referee's game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the view of a player.
    pub fn view(&self, color: Color) -> &PlayerView {
        self.views.get(color)
    }

    /// Judges an action. Changes nothing.
    ///
    /// # Errors
    /// The reason of a refusal.
    pub fn judge(&self, action: Action) -> Result<Ruling, String> {
        match action {
            Action::Attempt(by, attempt) => self.game.judge(by, attempt).map_err(|r| r.to_string()),
            Action::End(end) => {
                let cause = match end {
                    End::Flag(color) => EndCause::Flag(color),
                    End::Gone(color) => EndCause::Gone(color),
                    End::GoneDraw(color) => EndCause::GoneDraw(color),
                    End::Abort => EndCause::Abort,
                };
                self.game.judge_end(cause).map_err(|r| r.to_string())
            }
        }
    }

    fn hear(&mut self, heard: &[Vec<Heard>; 3]) {
        for listener in Listener::ALL {
            for heard in &heard[column(listener)] {
                match listener.color() {
                    Some(color) => self.views.get_mut(color).hear(heard),
                    None => self.room.hear(heard),
                }
            }
        }
    }
}

impl Umpire for Real {
    fn starts(&self) -> [Start; 3] {
        Listener::ALL.map(|listener| self.game.start(listener))
    }

    fn opening(&self) -> [Vec<Heard>; 3] {
        columns(&self.game.opening_calls())
    }

    fn act(&mut self, action: Action) -> Result<Answered, String> {
        let ruling = self.judge(action)?;
        if ruling.calls != self.game.calls(&ruling.event) {
            return Err("`judge` and `calls` return different calls".to_owned());
        }
        let heard = columns(&ruling.calls);
        self.game.apply(&ruling.event);
        self.hear(&heard);
        let answer = ruling.answer();
        let row: Option<NonsenseRow> = match (answer, action) {
            (Answer::Nonsense, Action::Attempt(by, rules::Attempt::Try(_))) => {
                self.views.get(by).last_nonsense()
            }
            _ => None,
        };
        self.log.push(ruling.event);
        Ok(Answered { answer, heard, row })
    }

    fn fen(&self) -> String {
        self.game.sheet().fen()
    }

    fn to_move(&self) -> Option<Color> {
        self.game.to_move()
    }

    fn over(&self) -> Option<Over> {
        self.game.over()
    }

    fn draw_offer(&self) -> Option<Color> {
        self.game.draw_offer()
    }

    fn tries(&self) -> Option<Vec<Try>> {
        let mover = self.game.turn();
        let mut tries = self.views.get(mover).tries();
        // The view does not sort the tries, so they are sorted here.
        tries.sort_by_cached_key(Try::to_string);
        Some(tries)
    }

    fn legal_tries(&self) -> Option<Vec<Try>> {
        let mut legal = self.game.sheet().legal_tries();
        legal.sort_by_cached_key(Try::to_string);
        Some(legal)
    }

    /// Checks that a replay gives an equal game, and that every event can be
    /// parsed from its text. Checks that each view has the right player to
    /// move, the right end, and the right own men.
    fn audit(&self) -> Result<(), String> {
        let mut log = Vec::new();
        for event in &self.log {
            let text = event.to_string();
            let read: Event = text
                .parse()
                .map_err(|e| format!("event {text:?} cannot be read: {e:?}"))?;
            if read != *event {
                return Err(format!(
                    "event {text} is parsed as a different event, {read}"
                ));
            }
            log.push(read);
        }
        let replayed = Game::replay(&log).map_err(|e| format!("replay: {e}"))?;
        let same = replayed.sheet().fen() == self.fen()
            && replayed.to_move() == self.to_move()
            && replayed.over() == self.over()
            && replayed.draw_offer() == self.draw_offer();
        if !same {
            return Err(format!(
                "the replay ends at a different position, {}",
                replayed.sheet().fen()
            ));
        }
        let board = self.game.sheet().board();
        for color in Color::ALL {
            let view = self.views.get(color);
            if view.to_move() != self.to_move() || view.over() != self.over() {
                return Err(format!("{color}'s view is wrong about the turn or the end"));
            }
            let men = board.by_color(color);
            let roles = &view.own().men;
            let right = roles
                .zip_role()
                .into_iter()
                .all(|(role, squares)| squares == board.by_role(role) & men);
            if !right {
                return Err(format!("{color}'s view is wrong about the own men"));
            }
            let reserves = self.game.sheet().reserves();
            if view.reserves() != reserves || self.room.reserves() != reserves {
                return Err("a view is wrong about the reserves".to_owned());
            }
        }
        if self.room.to_move() != self.to_move() || self.room.over() != self.over() {
            return Err("the spectators' view is wrong about the turn or the end".to_owned());
        }
        Ok(())
    }
}

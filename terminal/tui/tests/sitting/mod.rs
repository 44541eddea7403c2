//! A screen for tests, with a simulated club. The messages of the club are made from
//! what each seat hears.
#![allow(
    clippy::unwrap_used,
    reason = "a story that cannot be run fails the test"
)]
#![allow(unreachable_pub, reason = "the module is a part of the test program")]

use std::{collections::BTreeMap, fmt::Write as _};

use notation::words;
use ratatui::{Terminal, backend::TestBackend, layout::Position};
use rules::{
    Announcement, Choices, EnemyCount, Heard, Listener, Reserve, ReserveUse, chess::Role, rulesets,
};
use tui::{App, ClubMessage, ClubRequest, Guessed, MenStyle, Mouse, Start, Theme};
use views::PlayerView;
use wire::{
    AccountKind, CauseJson, ClocksJson, GameJson, GameStatus, HeardJson, HearingJson, LeftJson,
    OffersJson, OverJson, PlayerJson, RefusedTryJson, SeatViewJson, ServerSays, Side, TermsJson,
    TimeControlJson,
};

/// State of one seat at the simulated club.
struct SeatState {
    side: Side,
    view: Option<PlayerView>,
    n: u32,
    refused: Vec<RefusedTryJson>,
}

/// A screen, and the simulated club to which the screen is connected.
pub struct Sitting {
    pub app: App,
    size: (u16, u16),
    rules: String,
    choices: Choices,
    seats: Vec<SeatState>,
    facts: GameJson,
    why: String,
}

fn player(name: &str, kind: AccountKind) -> PlayerJson {
    PlayerJson {
        name: name.to_owned(),
        kind,
    }
}

fn facts(rules: &str, seat: Side) -> GameJson {
    GameJson {
        id: "g1".to_owned(),
        seat: Some(seat),
        white: player("anna", AccountKind::Person),
        black: player("sparring", AccountKind::Program),
        terms: TermsJson {
            rules: rules.to_owned(),
            custom: None,
            time: TimeControlJson::Unlimited {},
            rated: false,
            color: wire::ColorWish::Any,
        },
        choices: BTreeMap::new(),
        status: GameStatus::Running,
        over: None,
        over_words: None,
        clocks: None,
        white_here: true,
        black_here: true,
        offers: Some(OffersJson::default()),
        claim_from: None,
        can_abort: false,
        first_move_by: None,
        conditional: String::new(),
        umpire: None,
    }
}

impl Sitting {
    /// Creates a screen from the header of a story (a file of `tests/golden`, see `golden.rs`):
    /// `size`, `rules`, `seat`, and other settings of the screen.
    pub fn new(head: &[(String, String)]) -> Sitting {
        Sitting::with(head, Vec::new())
    }

    /// Creates a screen with stored guesses.
    pub fn with(head: &[(String, String)], guessed: Vec<Guessed>) -> Sitting {
        let given = |key: &str| {
            let found = head.iter().find(|(known, _)| known == key);
            found.map(|(_, value)| value.as_str())
        };
        let size = given("size").unwrap_or("80x24").split_once('x').unwrap();
        let rules = given("rules").unwrap_or("wild16").to_owned();
        let seat = match given("seat") {
            Some("black") => Side::Black,
            Some(_) | None => Side::White,
        };
        let two = given("two").is_some();
        let theme = match given("theme") {
            Some("dark") => Theme::Dark,
            Some("light") => Theme::Light,
            Some(_) | None => Theme::Mono,
        };
        let start = Start {
            guessed,
            terms: facts(&rules, seat).terms,
            two,
            lobby: given("lobby").is_some(),
            theme,
            men: if given("ascii").is_some() {
                MenStyle::Ascii
            } else {
                MenStyle::Unicode
            },
            ..Start::default()
        };
        let mut sides = vec![seat];
        if two {
            sides = vec![Side::White, Side::Black];
        }
        let seats = sides.into_iter().map(|side| SeatState {
            side,
            view: None,
            n: 0,
            refused: Vec::new(),
        });
        let mut app = App::play(start);
        let size = (size.0.parse().unwrap(), size.1.parse().unwrap());
        app.resize(size.0, size.1);
        Sitting {
            app,
            size,
            choices: rulesets::by_id(&rules).unwrap().choices,
            facts: facts(&rules, seat),
            seats: seats.collect(),
            rules,
            why: String::new(),
        }
    }

    /// Executes a line of a story.
    pub fn obey(&mut self, word: &str, rest: &str) {
        match word {
            "begin" => self.begin(rest),
            "hear" => self.hear(0, rest),
            "hear2" => self.hear(1, rest),
            "why" => self.why = rest.to_owned(),
            "answer" => self.answer(0, rest),
            "answer2" => self.answer(1, rest),
            "facts" => self.change(rest),
            "says" => self.says(0, serde_json::from_str(rest).unwrap()),
            "steps" => self.app.take_message(
                0,
                ClubMessage::Steps {
                    game: "g1".to_owned(),
                    steps: serde_json::from_str(rest).unwrap(),
                },
            ),
            "away" => self.app.take_message(0, ClubMessage::Away(rest.to_owned())),
            "connected" => self.app.take_message(0, ClubMessage::Connected),
            "saved" => {
                let (game, file) = rest.split_once(' ').unwrap();
                let (game, file) = (game.to_owned(), file.to_owned());
                self.app.take_message(0, ClubMessage::Saved { game, file });
            }
            "failed" => self
                .app
                .take_message(0, ClubMessage::Failed(rest.to_owned())),
            "tick" => self.app.tick(rest.parse().unwrap()),
            "resize" => {
                let (width, height) = rest.split_once('x').unwrap();
                self.size = (width.parse().unwrap(), height.parse().unwrap());
                self.app.resize(self.size.0, self.size.1);
            }
            "key" => rest.split(' ').for_each(|key| self.app.key(key)),
            "type" => {
                for c in rest.chars() {
                    let name = if c == ' ' {
                        "Space".to_owned()
                    } else {
                        c.to_string()
                    };
                    self.app.key(&name);
                }
                self.app.key("Enter");
            }
            "click" => rest.split(' ').for_each(|at| {
                let (x, y) = self.place(at);
                self.app.mouse(Mouse::Down, x, y);
                self.app.mouse(Mouse::Up, x, y);
            }),
            "drag" => {
                let (from, to) = rest.split_once(' ').unwrap();
                let ((x, y), (x2, y2)) = (self.place(from), self.place(to));
                self.app.mouse(Mouse::Down, x, y);
                self.app.mouse(Mouse::Up, x2, y2);
            }
            "right" => {
                let (x, y) = self.place(rest);
                self.app.mouse(Mouse::Right, x, y);
            }
            _ => panic!("`{word}` is not a word of a story"),
        }
    }

    /// Returns the screen position of a square.
    fn place(&mut self, square: &str) -> (u16, u16) {
        self.app.place_of(square).unwrap()
    }

    fn says(&mut self, line: usize, says: ServerSays) {
        self.app
            .take_message(line, ClubMessage::Says(Box::new(says)));
    }

    fn begin(&mut self, men: &str) {
        let start = |side: Side| {
            let board = match (men.split_once(' '), side) {
                (Some((white, _)), Side::White) => white,
                (Some((_, black)), Side::Black) => black,
                (None, Side::White) => "8/8/8/8/8/8/PPPPPPPP/RNBQKBNR",
                (None, Side::Black) => "rnbqkbnr/pppppppp/8/8/8/8/8/8",
            };
            let castling = if men.is_empty() { "KQ" } else { "" };
            format!(
                r#"[{{"kind":"start","rules":"{}","men":"{board}","castling":"{castling}"}}]"#,
                self.rules
            )
        };
        let heard: Vec<String> = self.seats.iter().map(|seat| start(seat.side)).collect();
        for (line, heard) in heard.iter().enumerate() {
            self.app.take_message(line, ClubMessage::Connected);
            self.app
                .take_message(line, ClubMessage::Playing("g1".to_owned()));
            if men != "later" {
                self.hear(line, heard);
            }
        }
        self.change("{}");
    }

    /// Sends a hearing to a seat, and the view that follows from it.
    fn hear(&mut self, line: usize, heard: &str) {
        let heard: Vec<HeardJson> = serde_json::from_str(heard).unwrap();
        let seat = &mut self.seats[line];
        let color = seat.side.into();
        let listener = Listener::from(rules::chess::Color::from(seat.side));
        let mut said = Vec::new();
        for one in &heard {
            match wire::ParsedHeard::try_from(one)
                .unwrap()
                .under(&self.choices)
            {
                wire::ParsedHeard::Start(start) => {
                    said.push(notation::start_words(&start));
                    seat.view = Some(PlayerView::open(self.choices, color, &start));
                }
                wire::ParsedHeard::Heard(heard) => {
                    said.push(words(&heard, &self.choices, listener).unwrap_or_default());
                    seat.view.as_mut().unwrap().hear(&heard);
                    if let Heard::Announced(Announcement::Turn { .. }) = heard {
                        seat.refused.clear();
                    }
                }
            }
            if let HeardJson::No {
                attempt: Some(attempt),
                ..
            } = one
            {
                seat.refused.push(RefusedTryJson {
                    attempt: attempt.0.to_string(),
                    cause: CauseJson::Way,
                    why: self.why.clone(),
                });
            }
        }
        seat.n += 1;
        let view = seen(seat);
        let hearing = HearingJson {
            n: seat.n,
            heard,
            words: said,
            clocks: self.facts.clocks,
        };
        let game = "g1".to_owned();
        self.says(
            line,
            ServerSays::Heard {
                game: game.clone(),
                hearing,
            },
        );
        self.says(line, ServerSays::View { game, view });
    }

    /// Sends the referee's answer. `rest` has the form `ID WORD WHY`.
    fn answer(&mut self, line: usize, rest: &str) {
        let mut parts = rest.splitn(3, ' ').map(str::to_owned);
        let mut next = || parts.next().unwrap_or_default();
        let (id, answer, why) = (next(), next(), next());
        let game = "g1".to_owned();
        let n = Some(self.seats[line].n);
        let says = ServerSays::Answer {
            id,
            game,
            n,
            answer,
            cause: None,
            why,
        };
        self.says(line, says);
    }

    /// Changes the game's facts. `with` is an object with the changed fields.
    fn change(&mut self, with: &str) {
        let mut facts = serde_json::to_value(&self.facts).unwrap();
        let with: serde_json::Map<String, serde_json::Value> = serde_json::from_str(with).unwrap();
        for (key, value) in with {
            facts[key] = value;
        }
        self.facts = serde_json::from_value(facts).unwrap();
        let _checked: (Option<ClocksJson>, Option<OverJson>) = (self.facts.clocks, self.facts.over);
        for line in 0..self.seats.len() {
            let game = GameJson {
                seat: Some(self.seats[line].side),
                ..self.facts.clone()
            };
            self.says(line, ServerSays::Game { game });
        }
    }

    /// Returns the rows of the screen.
    pub fn screen(&mut self) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(self.size.0, self.size.1)).unwrap();
        terminal.draw(|frame| self.app.draw(frame)).unwrap();
        let buffer = terminal.backend().buffer();
        let rows = 0..self.size.1;
        rows.map(|y| {
            let cells = (0..self.size.0).map(|x| buffer[Position::new(x, y)].symbol());
            cells.collect::<String>().trim_end().to_owned()
        })
        .collect()
    }

    /// Returns the requests to the club, one per line.
    pub fn sent(&mut self) -> Vec<String> {
        let asks = self.app.take_asks();
        asks.iter().map(|(line, ask)| shown(*line, ask)).collect()
    }
}

fn shown(line: usize, ask: &ClubRequest) -> String {
    let mut text = format!("{line} ");
    if let ClubRequest::Says(says) = ask {
        text.push_str(&serde_json::to_string(says).unwrap());
    } else {
        write!(text, "{ask:?}").unwrap();
    }
    text
}

fn seen(seat: &SeatState) -> SeatViewJson {
    let view = seat.view.as_ref().unwrap();
    let mut tries: Vec<String> = view.tries().iter().map(ToString::to_string).collect();
    tries.sort_unstable();
    let to_move = view.to_move().map(Side::from);
    let mut words: Vec<String> = Vec::new();
    if to_move.is_some() {
        words = notation::typed_words(view.choices())
            .into_iter()
            .filter(|word| match *word {
                "accept-draw" => view.draw_offer() == Some(!view.color()),
                "offer-draw" => view.draw_offer().is_none(),
                _ => !word.ends_with("-draw"),
            })
            .map(str::to_owned)
            .collect();
    }
    SeatViewJson {
        n: seat.n,
        seat: seat.side,
        men: view.own().board().board_fen().to_string(),
        castling: String::new(),
        reserve: letters(&view.own().reserve),
        to_move,
        tries,
        refused: seat.refused.clone(),
        words,
        draw_offer: view.draw_offer().map(Side::from),
        left: (view.choices().enemy_count == EnemyCount::Shown).then(|| LeftJson {
            men: Some(16),
            pawns: 8,
            pieces: 7,
            kinds: (view.choices().reserve == ReserveUse::Drops)
                .then(|| "QRRBBNNPPPPPPPP".to_owned()),
            reserve: letters(&view.reserves()[!view.color()]),
        }),
    }
}

fn letters(men: &Reserve) -> String {
    let letters = [
        ('Q', Role::Queen),
        ('R', Role::Rook),
        ('B', Role::Bishop),
        ('N', Role::Knight),
        ('P', Role::Pawn),
    ];
    letters
        .into_iter()
        .flat_map(|(letter, role)| (0..men.count(role)).map(move |_| letter))
        .collect()
}

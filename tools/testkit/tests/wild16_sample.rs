//! Plays thirty games of another referee again under `wild16`, and compares the answers step by
//! step. The games and the other referee's answers are in `tests/data`.

use std::{collections::BTreeSet, io::Read};

use flate2::read::GzDecoder;
use referee::{Game, Opened, StartPosition};
use rules::{
    Announcement, Answer, Attempt, Capture, CapturedMan, Direction, Directions, GameSwitch, Heard,
    Listener, Over, Own, PromotionMan, Reason, Reply, Tries, Try, Verdict, Winner,
    chess::{Color, Role, Square},
    rulesets,
};
use serde_json::Value;
use testkit::oracle::{Oracle, column};
use views::PlayerView;

const SAMPLE: &[u8] = include_bytes!("data/wild16_transcripts_sample.jsonl.gz");

fn games() -> Vec<Value> {
    let mut text = String::new();
    GzDecoder::new(SAMPLE)
        .read_to_string(&mut text)
        .expect("the sample can be unpacked");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("the line is JSON"))
        .collect()
}

/// Returns the CRC-32 of IEEE 802.3, computed bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 * (crc & 1))
        })
    })
}

/// Lists all tries that are imaginable from own men, as sorted text
/// (specification, section 1.1).
fn offer(own: &Own) -> Vec<String> {
    let all = own.all();
    let mut offer = Vec::new();
    for from in all {
        let role = own.role_at(from).expect("an own man is on `from`");
        for to in own.targets(role, from, all) {
            let men = [None, Some(Role::Queen), Some(Role::Rook)];
            let more = [Some(Role::Bishop), Some(Role::Knight)];
            for promotion in men.into_iter().chain(more) {
                let t = Try::Step {
                    from,
                    to,
                    promotion,
                };
                if own.imaginable(t, PromotionMan::Named) {
                    offer.push(t.to_string());
                }
            }
        }
    }
    offer.sort();
    offer
}

fn color(text: &Value) -> Color {
    match text.as_str() {
        Some("w") => Color::White,
        Some("b") => Color::Black,
        _ => panic!("unknown colour: {text}"),
    }
}

fn square(text: &Value) -> Square {
    let name = text.as_str().expect("the value is a square");
    name.parse().expect("the value is a square")
}

fn directions(names: &Value) -> Directions {
    let names = names.as_array().expect("the value is a list");
    names
        .iter()
        .map(|name| {
            let name = name.as_str().expect("the value is a direction");
            name.parse::<Direction>().expect("the value is a direction")
        })
        .collect()
}

fn over(step: &Value, mover: Color) -> Option<Over> {
    let (winner, reason) = match step["fix"]["end"].as_str()? {
        "checkmate" => (Winner::from(mover), Reason::Checkmate),
        "stalemate" => (Winner::Draw, Reason::Stalemate),
        "insufficient" => (Winner::Draw, Reason::Insufficient),
        other => panic!("unknown end: {other}"),
    };
    Some(Over { winner, reason })
}

/// The message of the other referee about one step, in our types. The key `fix` of the step corrects
/// errors of the message.
struct Said {
    capture: Option<Capture>,
    check: Directions,
    tries: u8,
    to_move: Color,
    illegal: bool,
}

impl Said {
    fn read(step: &Value, who: &str) -> Said {
        let (said, fix) = (&step[who], &step["fix"]);
        let man = match said["cap"].as_str() {
            None => None,
            Some("pawn") => Some(CapturedMan::Pawn),
            Some("piece") => Some(CapturedMan::Piece),
            Some(other) => panic!("unknown captured man: {other}"),
        };
        let en_passant = fix.get("ep").map(|sq| (square(sq), CapturedMan::Pawn));
        let capture = en_passant.or(man.map(|man| (square(&said["sq"]), man)));
        let fixed = |key: &str| fix.get(key).unwrap_or(&said[key]);
        Said {
            capture: capture.map(|(square, man)| Capture {
                square: Some(square),
                man: Some(man),
                en_passant: false,
            }),
            check: directions(fixed("chk")),
            tries: u8::try_from(fixed("tries").as_u64().expect("the value is a count"))
                .expect("the count fits into a byte"),
            to_move: color(&said["to"]),
            illegal: said["ill"].as_u64() == Some(1),
        }
    }

    /// Returns what a player hears after a move, except the verdict and the
    /// loss of an own man.
    fn announcements(&self, end: Option<Over>) -> Vec<Heard> {
        let mut heard: Vec<Heard> = self
            .capture
            .map(|one| Heard::Announced(Announcement::Capture(one)))
            .into_iter()
            .collect();
        if !self.check.is_empty() {
            heard.push(Heard::Announced(Announcement::Check {
                directions: self.check,
            }));
        }
        match end {
            Some(over) => heard.push(Heard::Over(over)),
            None => heard.extend([
                Heard::Announced(Announcement::Tries(Tries::Count(self.tries))),
                Heard::Announced(Announcement::Turn {
                    to_move: self.to_move,
                }),
            ]),
        }
        heard
    }
}

/// A game with both referees and the views of the players.
struct Table {
    oracle: Oracle,
    game: Game,
    seats: [PlayerView; 2],
    place: String,
}

impl Table {
    fn open(number: usize, game: &Value) -> Table {
        let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset");
        let mut switches = Vec::new();
        if game["params"]["threefold_repetition"] == Value::Bool(false) {
            switches.push(GameSwitch::NoThreefold);
        }
        if game["params"]["50_move_rule"] == Value::Bool(false) {
            switches.push(GameSwitch::NoFifty);
        }
        let choices = wild16
            .switched(&switches)
            .expect("wild16 allows these switches");
        let fen = game["start_fen"].as_str().expect("the value is a FEN");
        let start = StartPosition::from_fen(fen, &choices).expect("the FEN is legal");
        let oracle = Oracle::open("wild16", choices, Some(fen)).expect("the FEN is legal");
        let game = Game::open(Opened::new(wild16, choices, start));
        let mut seats =
            Color::ALL.map(|c| PlayerView::open(choices, c, &game.start(Listener::from(c))));
        seats.sort_by_key(|seat| column(Listener::from(seat.color())));
        let mut table = Table {
            oracle,
            game,
            seats,
            place: format!("game {number}"),
        };
        let opening = table.oracle.opening();
        table.hear(&opening);
        table
    }

    fn hear(&mut self, heard: &[Vec<Heard>; 3]) {
        for (seat, column) in self.seats.iter_mut().zip(heard) {
            column.iter().for_each(|h| seat.hear(h));
        }
    }

    fn seat(&self, color: Color) -> &PlayerView {
        &self.seats[column(Listener::from(color))]
    }

    /// Makes an attempt with both referees, which must agree.
    fn ask(&mut self, by: Color, attempt: Attempt) -> (Answer, [Vec<Heard>; 3]) {
        let place = &self.place;
        let slow = self.oracle.attempt(by, attempt).expect(place);
        let ruling = self.game.judge(by, attempt).expect(place);
        let heard = Listener::ALL.map(|listener| {
            let calls = ruling.calls.iter();
            let mine = calls.filter(|c| c.audience.includes(listener));
            mine.map(|c| c.heard).collect::<Vec<_>>()
        });
        assert_eq!(
            (ruling.answer(), &heard),
            (slow.answer, &slow.heard),
            "{place}"
        );
        self.game.apply(&ruling.event);
        self.hear(&heard);
        (slow.answer, heard)
    }
}

#[derive(Default, Debug)]
struct Counts {
    games: usize,
    steps: usize,
    offers: usize,
    moves: usize,
    noes: usize,
    repeats: usize,
    ends: usize,
    repetitions: usize,
}

/// The tries that are offered in this turn, and the tries that were refused.
#[derive(Default)]
struct Offered {
    left: Vec<String>,
    refused: BTreeSet<String>,
}

/// Compares the tries that our referees and the other referee offer to the mover. Returns whether
/// this is the first attempt of the turn.
fn check_offer(table: &Table, step: &Value, mover: Color, offered: &mut Offered) -> bool {
    let place = &table.place;
    let left = &mut offered.left;
    let first = step.get("oc").is_some();
    if first {
        offered.refused.clear();
        *left = offer(table.seat(mover).own());
        let slow: Vec<String> = table
            .oracle
            .imaginable()
            .iter()
            .map(Try::to_string)
            .collect();
        assert_eq!(*left, slow, "{place}: what is imaginable");
        let sum = crc32(left.join(" ").as_bytes());
        assert_eq!(
            Some(u64::from(sum)),
            step["oc"].as_u64(),
            "{place}: {left:?}"
        );
    }
    assert_eq!(
        Some(left.len() as u64),
        step["n"].as_u64(),
        "{place}: {left:?}"
    );
    first
}

fn check_step(table: &mut Table, step: &Value, counts: &mut Counts, offered: &mut Offered) {
    let mover = color(&step["mover"]);
    counts.offers += usize::from(check_offer(table, step, mover, offered));
    let text = step["attempt"].as_str().expect("the value is an attempt");
    offered.left.retain(|t| t != text);
    let attempt: Attempt = text.parse().expect("the value is an attempt");
    let (answer, heard) = table.ask(mover, attempt);
    let place = &table.place;
    let legal = step["legal"].as_bool().expect("the value is true or false");
    let verdict = |verdict, attempt| {
        Heard::Reply(Reply::Verdict {
            verdict,
            by: mover,
            attempt,
        })
    };
    let end = over(step, mover);
    for (who, seat) in [("white_obs", Color::White), ("black_obs", Color::Black)] {
        let said = Said::read(step, who);
        let mine = seat == mover;
        let column = &heard[column(Listener::from(seat))];
        assert_eq!(said.illegal, !legal, "{place}");
        if !legal {
            // Only the mover hears a refused try.
            let no = verdict(Verdict::No, Some(attempt));
            let expected: Vec<Heard> = mine.then_some(no).into_iter().collect();
            assert_eq!(*column, expected, "{place}");
            assert_eq!(Some(said.to_move), table.oracle.to_move(), "{place}");
            continue;
        }
        let mut expected = vec![verdict(Verdict::Moved, mine.then_some(attempt))];
        let lost = column.iter().find(|h| matches!(h, Heard::Lost { .. }));
        let takes = said.capture.is_some() && !mine;
        assert_eq!(
            lost.is_some(),
            takes,
            "{place}: only the victim sees that a man is gone"
        );
        expected.extend(lost);
        // The other referee does not announce a third repetition, so our own result is
        // expected here. The end of the game is compared below.
        let repeated = table
            .oracle
            .over()
            .filter(|o| o.reason == Reason::Threefold);
        expected.extend(said.announcements(end.or(repeated)));
        assert_eq!(*column, expected, "{place}");
    }
    // Two tries that differ only in the promotion man are treated as equal. So this try can be
    // a repeat. Under `wild16` a repeat is nonsense, but is announced with the word "no".
    let repeat = !legal && !offered.refused.insert(text[..4].to_owned());
    let expected = match (legal, repeat) {
        (true, _) => Answer::Moved,
        (false, true) => Answer::Nonsense,
        (false, false) => Answer::No,
    };
    assert_eq!(answer, expected, "{place}");
    counts.repeats += usize::from(repeat);
    counts.steps += 1;
    counts.moves += usize::from(legal);
    counts.noes += usize::from(!legal);
    assert_eq!(table.game.over(), table.oracle.over(), "{place}");
    if end.is_some() {
        assert_eq!(table.game.over(), end, "{place}");
        counts.ends += 1;
    }
}

/// Returns men, side to move and castling rights of a FEN.
fn fields(fen: &str) -> Vec<&str> {
    fen.split(' ').take(3).collect()
}

#[test]
fn thirty_games_of_another_referee_agree_step_by_step() {
    let mut counts = Counts::default();
    for (number, game) in games().iter().enumerate() {
        let mut table = Table::open(number, game);
        let mut offered = Offered::default();
        let steps = game["steps"].as_array().expect("the value is a list");
        let mut last = 0;
        for (i, step) in steps.iter().enumerate() {
            table.place = format!("game {number}, step {i}: {}", step["attempt"]);
            check_step(&mut table, step, &mut counts, &mut offered);
            last = i + 1;
            if table.oracle.over().is_some() {
                break;
            }
        }
        counts.games += 1;
        let over = table.oracle.over().map(|o| o.reason);
        let termination = game["termination"].as_str().expect("the value is a text");
        if over == Some(Reason::Threefold) || termination == "threefold" {
            assert_eq!(
                (over, termination, last),
                (Some(Reason::Threefold), "threefold", steps.len()),
                "game {number}"
            );
            counts.repetitions += 1;
        }
        if last == steps.len() {
            let theirs = game["final_fen"].as_str().expect("the value is a FEN");
            let ours = table.oracle.fen();
            assert_eq!(fields(&ours), fields(theirs), "game {number}");
            assert_eq!(table.game.sheet().fen(), ours, "game {number}");
        }
    }
    println!("{counts:?}");
    assert_eq!((counts.games, counts.ends, counts.repetitions), (30, 14, 2));
    assert!(counts.steps > 15_000, "{counts:?}");
}

#[test]
fn crc32_gives_the_standard_check_value() {
    assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
}

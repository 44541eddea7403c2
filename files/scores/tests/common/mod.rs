//! Random games, with their logs and transcripts.

#![allow(dead_code, reason = "not every test uses all functions")]

use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use referee::{EndCause, Event, Game, Opened, StartPosition};
use rules::{
    Attempt, ByListener, Listener, Ruleset, Try,
    chess::{Color, Role, Square},
    rulesets,
};
use scores::{Answered, Asked, Entry, Header, Transcript, TranscriptLine};
use views::PlayerView;

/// Returns the number of games per ruleset: the value of the environment variable `name`. If it is
/// not set, the number is `usual`.
pub fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(usual, |text| text.parse().unwrap())
}

/// A game: its log, its transcript, and its state at the end.
pub struct Played {
    pub log: Vec<Event>,
    pub transcript: Transcript,
    pub game: Game,
}

/// Start positions in which special moves are possible.
const STARTS: [&str; 5] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p1P3/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 7",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "4k3/P6P/8/8/8/8/p6p/4K3 w - - 3 20",
    "4k3/8/8/8/8/8/3qr3/4K2R w K - 0 1",
];

/// Returns an attempt that is rare or makes no sense; in most cases `None`.
fn oddity(rng: &mut ChaCha8Rng, game: &Game) -> Option<(Color, Attempt)> {
    let to_move = game.to_move()?;
    let square = |rng: &mut ChaCha8Rng| Square::new(rng.random_range(0..64));
    let by = if rng.random_range(0..6) == 0 {
        to_move.other()
    } else {
        to_move
    };
    Some(match rng.random_range(0..90) {
        0..4 => (by, Attempt::Try(Try::step(square(rng), square(rng)))),
        4..10 => (by, Attempt::Any),
        10 | 11 => (by, Attempt::Count),
        12 | 13 => (by, Attempt::Recap),
        14 => (by, Attempt::OfferDraw),
        15 => (by.other(), Attempt::DeclineDraw),
        16 => (by, Attempt::WithdrawDraw),
        17 if rng.random_range(0..4) == 0 => (by, Attempt::AcceptDraw),
        18 => {
            let promotion = [None, Some(Role::Queen), Some(Role::Knight)];
            let promotion = *promotion.choose(rng)?;
            (by, Attempt::Px { promotion })
        }
        19 => (
            by,
            Attempt::Try(Try::Drop {
                role: *Role::ALL.choose(rng)?,
                to: square(rng),
            }),
        ),
        _ => return None,
    })
}

/// Plays a random game of at most `most` moves.
pub fn play(ruleset: &Ruleset, seed: u64, most: usize) -> Played {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let fen = STARTS.get(rng.random_range(0..STARTS.len() * 2));
    let start = match fen {
        Some(fen) => StartPosition::from_fen(fen, &ruleset.choices).unwrap(),
        None => StartPosition::initial(),
    };
    let mut game = Game::open(Opened::new(ruleset, ruleset.choices, start));
    let mut views = [Color::White, Color::Black].map(|color| {
        let start = game.start(Listener::from(color));
        PlayerView::open(ruleset.choices, color, &start)
    });
    let opening = game.opening_calls();
    hear(&mut views, &opening);
    let mut log = vec![game.opened_event()];
    let mut transcript = Transcript {
        header: Header {
            title: format!("Game {seed}"),
            rules: ruleset.id.to_string(),
            source: ruleset.sources[0].key.to_owned(),
            game: Vec::new(),
            fen: fen.map(|_| game.sheet().fen()),
        },
        entries: Vec::new(),
    };
    let mut add = |asked, answered, heard| {
        transcript.entries.push(Entry::Line(TranscriptLine {
            asked,
            answered,
            heard: Some(heard),
        }));
    };
    add(Asked::Start, None, ByListener::from(&opening));
    let mut moves = 0;
    let mut tries = Vec::new();
    while let Some(to_move) = game.to_move() {
        let finishing = moves >= most;
        if finishing {
            let cause = match rng.random_range(0..4) {
                0 => EndCause::Flag(to_move),
                1 => EndCause::Gone(to_move),
                2 => EndCause::Abort,
                _ => break,
            };
            let asked = Asked::End(cause);
            let ruling = game.judge_end(cause).unwrap();
            let answer = ruling.answer();
            game.apply(&ruling.event);
            add(
                asked,
                Some(Answered::Ruled { answer, row: None }),
                ByListener::from(&ruling.calls),
            );
            log.push(ruling.event);
            break;
        }
        if rng.random_range(0..200) == 0 {
            let asked = Asked::Unread {
                by: to_move,
                text: "what?".to_owned(),
            };
            add(asked, Some(Answered::NotUnderstood), ByListener::default());
        }
        let (by, attempt) = oddity(&mut rng, &game).unwrap_or_else(|| {
            let view = &views[usize::from(to_move == Color::Black)];
            view.tries_into(&mut tries);
            match tries.choose(&mut rng) {
                Some(t) => (to_move, Attempt::Try(*t)),
                None => (to_move, Attempt::Resign),
            }
        });
        let asked = Asked::Attempt { by, attempt };
        match game.judge(by, attempt) {
            Err(_) => add(asked, Some(Answered::Refused), ByListener::default()),
            Ok(ruling) => {
                moves += usize::from(matches!(ruling.event, Event::Moved { .. }));
                let answer = ruling.answer();
                hear(&mut views, &ruling.calls);
                let row = (answer == rules::Answer::Nonsense && attempt != Attempt::Any)
                    .then(|| views[usize::from(by == Color::Black)].last_nonsense())
                    .flatten()
                    .map(rules::NonsenseRow::number);
                game.apply(&ruling.event);
                add(
                    asked,
                    Some(Answered::Ruled { answer, row }),
                    ByListener::from(&ruling.calls),
                );
                log.push(ruling.event);
            }
        }
    }
    Played {
        log,
        transcript,
        game,
    }
}

fn hear(views: &mut [PlayerView; 2], calls: &rules::Calls) {
    for call in calls {
        for (view, listener) in views.iter_mut().zip([Listener::White, Listener::Black]) {
            if call.audience.includes(listener) {
                view.hear(&call.heard);
            }
        }
    }
}

/// Returns every ruleset, with the number at which the seeds of its games begin.
pub fn every() -> impl Iterator<Item = (&'static Ruleset, u64)> {
    rulesets::ALL.iter().zip((0..).map(|n: u64| n << 32))
}

//! Tests of the PGN of a finished game: each move has the time that was then left to its player.

use std::{sync::Arc, time::Duration};

use club::{Clock, Club, ColorWish, Millis, Settings, Terms, TimeControl, request_id};
use rules::chess::Color;
use scores::PgnReader;
use store::MemoryStore;
use tokio::time::{Instant, sleep};

struct Paused(Instant);

impl Clock for Paused {
    fn now(&self) -> Millis {
        1_800_000_000_000 + Millis::try_from(self.0.elapsed().as_millis()).unwrap()
    }
}

/// Moves, each with the time in ms that the player needs for the move. White always needs less time
/// than Black, so the two players never have the same time left.
const MOVES: [(&str, u64); 8] = [
    ("e2e4", 500),
    ("e7e5", 1_700),
    ("g1f3", 2_001),
    ("b8c6", 31_000),
    ("f1c4", 10),
    ("g8f6", 61_250),
    ("d2d3", 5_000),
    ("f8c5", 45_999),
];

#[tokio::test(start_paused = true)]
async fn each_move_in_pgn_has_the_time_left_to_its_player() {
    for (initial, increment) in [(300_000, 0), (300_000, 3_000), (10_800_000, 30_000)] {
        let clock = Arc::new(Paused(Instant::now()));
        let store = Arc::new(MemoryStore::default());
        let club = Club::open(store, clock, Settings::cheap()).await.unwrap();
        let players = [(); 2].map(|()| club.guest());
        let [white, black] = players;
        let (white, black) = (white.await.unwrap().id, black.await.unwrap().id);
        let terms = Terms {
            rules: "wild16".to_owned(),
            custom: None,
            time: TimeControl::Clock { initial, increment },
            rated: false,
            color: ColorWish::White,
        };
        let seek = club.seek(white, terms).await.unwrap();
        let game = club.accept(&seek.id, black).await.unwrap();
        let mut expected = Vec::new();
        let mut left = [initial; 2];
        for (n, (text, thinks)) in MOVES.into_iter().enumerate() {
            let by = [white, black][n % 2];
            sleep(Duration::from_millis(thinks)).await;
            let after = club.seat_view(game, by).await.unwrap().n;
            let id = request_id(&format!("m{n}")).unwrap();
            let said = club.say(game, by, id, after, text).await.unwrap();
            assert_eq!(said.answer, "moved", "{text}");
            // The clocks start after the first move of each side.
            if n >= 2 {
                left[n % 2] += increment - Millis::try_from(thinks).unwrap();
            }
            expected.push(left[n % 2]);
        }
        let after = club.seat_view(game, white).await.unwrap().n;
        let id = request_id("end").unwrap();
        club.say(game, white, id, after, "resign").await.unwrap();
        let text = server::umpire_view(&club.finished(game).await.unwrap());
        let read = PgnReader::new(text.as_bytes())
            .next()
            .unwrap()
            .unwrap()
            .unwrap();
        let clocks: Vec<_> = read
            .plies
            .iter()
            .map(|ply| (ply.by, ply.note.clock))
            .collect();
        let expected: Vec<_> = expected
            .into_iter()
            .enumerate()
            .map(|(n, left)| {
                let left = Duration::from_millis(u64::try_from(left).unwrap());
                (Color::from_white(n.is_multiple_of(2)), Some(left))
            })
            .collect();
        assert_eq!(clocks, expected, "{initial} + {increment}\n{text}");
        club.close().await;
    }
}

//! Measures how long a client waits for an answer: once while visitors read a long finished game,
//! and once without these visitors.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

use axum::body::Body;
use http_body_util::BodyExt;
use hyper::{Request, client::conn::http1};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, runtime::Builder, sync::oneshot};

use crate::{
    bots::setting,
    long_game::store_with_tries,
    open::{open_over, usual},
};

const VISITORS: usize = 8;
const ROUNDS: usize = 5;
const SAMPLES: usize = 300;

/// A connection that is kept open.
struct Line {
    address: std::net::SocketAddr,
    sender: http1::SendRequest<Body>,
}

impl Line {
    async fn open(address: std::net::SocketAddr) -> Line {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        Line { address, sender }
    }

    /// Sends a request and returns the length of the answer.
    async fn get(&mut self, path: &str) -> usize {
        let request = Request::get(path).header("host", self.address.to_string());
        let request = request.body(Body::empty()).unwrap();
        self.sender.ready().await.unwrap();
        let answer = self.sender.send_request(request).await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        answer.into_body().collect().await.unwrap().to_bytes().len()
    }
}

async fn median(line: &mut Line) -> Duration {
    let mut all = Vec::new();
    for _ in 0..SAMPLES {
        let begun = Instant::now();
        line.get("/api/me").await;
        all.push(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    all.sort_unstable();
    all[SAMPLES / 2]
}

#[test]
fn long_finished_games_do_not_delay_other_requests() {
    let tries = setting("KRIEGSPIEL_LATENCY_TRIES", 2000_u32);
    let most = setting("KRIEGSPIEL_LATENCY_PERCENT", 2000_u32);
    let enough = Duration::from_millis(setting("KRIEGSPIEL_LATENCY_MS", 50_u32).into());
    let (opened, address) = std::sync::mpsc::channel();
    let (stop, stopping) = oneshot::channel::<()>();
    // The club has its own threads, as in the real server.
    let club = thread::spawn(move || {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build();
        runtime.unwrap().block_on(async {
            let (store, game) = store_with_tries(tries).await;
            let club = open_over(store, usual()).await;
            opened.send((club.address, game)).unwrap();
            stopping.await.unwrap();
            club.close().await;
        });
    });
    let (address, game) = address.recv().unwrap();
    let visiting = Arc::new(AtomicBool::new(false));
    let files = Arc::new(AtomicU32::new(0));
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    let (quiet, loaded) = runtime.unwrap().block_on(async {
        for _ in 0..VISITORS {
            let (visiting, files) = (visiting.clone(), files.clone());
            tokio::spawn(async move {
                let mut line = Line::open(address).await;
                loop {
                    // Each visitor asks as often as a person who presses the reload key
                    // again and again.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    if visiting.load(Relaxed) {
                        let path = format!("/api/games/{game}/finished.json");
                        assert!(line.get(&path).await > 1000);
                        files.fetch_add(1, Relaxed);
                    }
                }
            });
        }
        let mut line = Line::open(address).await;
        median(&mut line).await;
        let mut sides = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for (side, loaded) in sides.iter_mut().zip([false, true]) {
                visiting.store(loaded, Relaxed);
                tokio::time::sleep(Duration::from_millis(200)).await;
                side.push(median(&mut line).await);
            }
        }
        sides.iter_mut().for_each(|side| side.sort_unstable());
        (sides[0][ROUNDS / 2], sides[1][ROUNDS / 2])
    });
    stop.send(()).unwrap();
    club.join().unwrap();
    let files = files.load(Relaxed);
    println!("figure: tries of the game {tries}");
    println!("figure: files requested {files}");
    println!(
        "figure: median latency of others without the visitors, microseconds {}",
        quiet.as_micros()
    );
    println!(
        "figure: median latency of others with the visitors, microseconds {}",
        loaded.as_micros()
    );
    assert!(files > 0);
    // In a short run, a short latency is enough: without the visitors it can be so short that a
    // multiple of it is less than the usual noise.
    assert!(
        loaded * 100 <= quiet * most || loaded < enough,
        "without visitors {quiet:?}, with visitors {loaded:?}"
    );
}

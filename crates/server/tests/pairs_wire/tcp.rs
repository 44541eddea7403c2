//! The pipe is no other world: over TCP the same games give the same bytes.

use std::sync::{Arc, atomic::AtomicI64};

use store::MemoryStore;
use testkit::pairs::{Happening, Pair};
use tokio::runtime::Builder;

use crate::{
    SEED, on_every_processor,
    play::play,
    played,
    scene::{Log, Scene},
    setup,
    time::Time,
    transcript::{Transcript, first_difference},
    wanted,
};

/// The game once more, with sockets of the machine and time that does not go
/// by itself.
fn played_over_tcp(pair: &Pair, which: usize, before: &Transcript) -> Transcript {
    let log = Log::default();
    let _written = log.begin();
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let setup = setup(pair);
        let time = Time::Set(Arc::new(AtomicI64::new(0)));
        let store = Arc::new(MemoryStore::default());
        let scene = Scene::open(&setup, &pair.opened[which], time, store, true).await;
        let (transcript, played) = play(pair, which, &setup, scene, &log, Some(before)).await;
        played.expect("the game over TCP is that of the pair");
        transcript
    })
}

#[test]
fn over_tcp_every_byte_is_that_of_the_pipe() {
    let wanted = wanted("KRIEGSPIEL_WIRE_SOCKETS", 1);
    let bytes = on_every_processor(wanted, |next| {
        let mut bytes = 0;
        while let Some(index) = next() {
            // Every ruleset and every listener in turn.
            let mut pair = Pair::make(SEED, index * 23);
            // The server's pings go by its own timer, the first after 20 s.
            pair.steps.truncate(17);
            let by_time = |h: &Happening| matches!(h, Happening::Ended(_));
            let all = pair.steps.iter().flat_map(|step| &step.happenings);
            if all.flatten().any(by_time) {
                continue;
            }
            for which in 0..2 {
                let (piped, _) = played(&pair, which);
                let tcp = played_over_tcp(&pair, which, &piped);
                let both = [&piped.timeless(), &tcp.timeless()];
                if let Some(difference) = first_difference(&pair, both) {
                    panic!("by pipe, and over TCP: {difference}");
                }
                bytes += tcp.bytes();
            }
        }
        bytes
    });
    println!("count pairs played over TCP too {wanted}");
    println!("count bytes over TCP {}", bytes.iter().sum::<u64>());
}

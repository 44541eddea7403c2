//! Strangers who connect to the host's port.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use crate::ends::{End, LONG, Pair};

/// Returns what the port answers to these bytes.
fn answered(number: u16, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", 19860 + number)).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    // The host may close the connection before everything is written.
    let _torn = stream.write_all(bytes);
    let _torn = stream.shutdown(Shutdown::Write);
    let mut said = Vec::new();
    let _torn = stream.read_to_end(&mut said);
    String::from_utf8_lossy(&said).into_owned()
}

#[test]
fn garbage_and_wrong_keys_do_not_stop_the_game() {
    let pair = Pair::new();
    let (mut anna, mut bert) = pair.both(&["-dw"], &["-d"]);
    anna.hears("White to move.");
    bert.hears("White to move.");
    assert!(answered(pair.number, b"GET / HTTP/1.1\r\n\r\n").contains("kriegspiel ks"));
    assert!(answered(pair.number, b"\n").contains("kriegspiel ks"));
    let _cut = answered(pair.number, &[0xff; 1000]);
    let _cut = answered(pair.number, &vec![b'k'; 1_000_000]);
    let call = b"kriegspiel-ks 1\n\x00\x30".iter().copied().chain([7; 48]);
    let call: Vec<u8> = call.collect();
    assert_eq!(answered(pair.number, &call), "kriegspiel-ks 1 key\n");

    // A few connections that send nothing do not delay the host.
    let silent: Vec<_> = (0..10)
        .map(|_| TcpStream::connect(("127.0.0.1", 19860 + pair.number)).unwrap())
        .collect();
    // A caller with another key, who uses a separate folder.
    let other = Pair {
        number: pair.number,
        ..Pair::new()
    };
    let mut carl = other.command("bert", &["-d", "-s"], "anna");
    carl.env("KRIEGSPIEL_KS_KEY", "zzzzz-zzzzz-zzzzz-zzzzz");
    let (status, said) = End::start(carl).ends();
    assert_eq!(status.code(), Some(1));
    assert!(said.join("\n").contains("the key does not fit"), "{said:?}");
    // A stranger who has the key, but is not called bert. The host waits for bert.
    let (status, said) = End::start(other.command("carl", &["-d", "-s"], "anna")).ends();
    assert_eq!(status.code(), Some(1));
    assert!(said.join("\n").contains("who waits for bert"), "{said:?}");

    anna.types("e4");
    bert.hears("Black to move.");
    bert.types("e5");
    anna.hears("Black has moved.");
    drop(silent);
}

/// Starts a proxy in front of the host. The proxy records what the guest sends.
fn tap(to: u16) -> (u16, Arc<Mutex<Vec<u8>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let kept = Arc::<Mutex<Vec<u8>>>::default();
    let keeps = Arc::clone(&kept);
    thread::spawn(move || {
        for guest in listener.incoming().map_while(Result::ok) {
            let Ok(host) = TcpStream::connect(("127.0.0.1", to)) else {
                continue;
            };
            let (mut from_host, mut to_guest) =
                (host.try_clone().unwrap(), guest.try_clone().unwrap());
            thread::spawn(move || std::io::copy(&mut from_host, &mut to_guest));
            let keeps = Arc::clone(&keeps);
            thread::spawn(move || {
                let (mut guest, mut host) = (guest, host);
                let mut bytes = [0; 4096];
                while let Ok(n @ 1..) = guest.read(&mut bytes) {
                    keeps.lock().unwrap().extend(&bytes[..n]);
                    if host.write_all(&bytes[..n]).is_err() {
                        return;
                    }
                }
            });
        }
    });
    (port, kept)
}

#[test]
fn replayed_traffic_changes_nothing() {
    let pair = Pair::new();
    let mut anna = pair.anna(&["-db"]);
    anna.hears("Waiting for bert");
    let (port, kept) = tap(19860 + pair.number);
    let mut bert = pair.command("bert", &["-d", "-s"], "anna");
    // The guest calls the proxy instead of the host.
    let words: Vec<_> = bert.get_args().map(std::ffi::OsStr::to_owned).collect();
    let mut through = std::process::Command::new(bert.get_program());
    for word in &words {
        if word.to_str() == Some(&pair.number.to_string()) {
            through.arg(port.to_string());
        } else {
            through.arg(word);
        }
    }
    for (name, value) in bert.get_envs() {
        if let Some(value) = value {
            through.env(name, value);
        }
    }
    bert = through;
    let mut bert = End::start(bert);
    bert.hears("White to move.");
    bert.types("e4");
    bert.hears("You play e2e4.");
    anna.hears("Black to move.");
    let recorded = kept.lock().unwrap().clone();
    assert!(recorded.len() > 500, "{}", recorded.len());
    let plain = String::from_utf8_lossy(&recorded).into_owned();
    assert!(!plain.contains("e2e4") && !plain.contains("try"), "{plain}");
    for _ in 0..3 {
        let mut again = TcpStream::connect(("127.0.0.1", 19860 + pair.number)).unwrap();
        again.write_all(&recorded).unwrap();
        again
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let mut said = Vec::new();
        let _torn = again.read_to_end(&mut said);
        // The host answers the call, and closes the connection at the first
        // message.
        assert!(said.len() <= 20 + 2 + 48, "{}", said.len());
    }
    anna.types("e5");
    bert.hears("White to move.");
    assert!(
        !anna.all().iter().any(|line| line.contains("is gone")),
        "{:?}",
        anna.all()
    );
}

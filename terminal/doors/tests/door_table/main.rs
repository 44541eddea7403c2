//! Tests of the table of doors. The tests check that a new door needs only its own folder and an
//! entry in the table that `serve` uses.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod echo;

use std::sync::Arc;

use clap::{Args, Command};
use club::{Club, Settings, SystemClock};
use doors::{
    Given,
    base::{Closing, Door, DoorLimits, OpenDoor, Options, bind},
};
use serde::de::DeserializeSeed;
use store::MemoryStore;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

const TABLE: [Door; 3] = [doors::ALL[0], doors::ALL[1], echo::DOOR];

fn options(flags: &[&str]) -> Options {
    let command = Options::add_to(Command::new("serve"), Door::options(&TABLE));
    let all = std::iter::once("serve").chain(flags.iter().copied());
    Options::of(&command.get_matches_from(all), Door::options(&TABLE))
}

fn from_file(text: &str) -> Options {
    let file = toml_edit::de::Deserializer::parse(text).unwrap();
    Given::keys().deserialize(file).unwrap()
}

#[tokio::test]
async fn new_door_is_served_from_its_table_entry() {
    let mut command = Options::add_to(Command::new("serve"), Door::options(&TABLE));
    let help = command.render_help().to_string();
    for said in [
        "--echo <[ADDRESS:]PORT>",
        "Repeat lines",
        "--echo-times <N>",
        "--ics",
        "--cps",
    ] {
        assert!(help.contains(said), "{said}: {help}");
    }
    let options = options(&["--echo", "0", "--echo-times", "2"]);
    let store = Arc::new(MemoryStore::default());
    let club = Club::open(store, Arc::new(SystemClock), Settings::cheap()).await;
    let club = club.unwrap();
    let open = bind(&TABLE, &options).await.unwrap();
    let banner: Vec<String> = open.iter().map(OpenDoor::to_string).collect();
    let [banner] = banner.as_slice() else {
        panic!("exactly one door must be open: {banner:?}");
    };
    let (at, port) = banner.rsplit_once(' ').unwrap();
    assert_eq!(
        at,
        format!("Echoes are let in at 127.0.0.1:{port}: telnet 127.0.0.1")
    );

    let closing = Closing::default();
    let mut serving = OpenDoor::serve_all(open, &club, DoorLimits::default(), &options, &closing);
    let address = format!("127.0.0.1:{port}");
    let stream = TcpStream::connect(&address).await.unwrap();
    let mut stream = BufReader::new(stream);
    stream.write_all(b"hello\r\ngames\r\n").await.unwrap();
    for said in ["hello\r\n", "hello\r\n", "0 games\r\n"] {
        let mut line = String::new();
        stream.read_line(&mut line).await.unwrap();
        assert_eq!(line, said);
    }
    closing.close();
    let mut rest = String::new();
    stream.read_to_string(&mut rest).await.unwrap();
    assert_eq!(rest, "bye\r\n");
    while serving.join_next().await.is_some() {}
    assert!(TcpStream::connect(&address).await.is_err());
}

#[test]
fn every_option_has_a_flag_a_variable_and_a_file_key() {
    let command = Given::augment_args(Command::new("serve"));
    let names: Vec<&str> = command
        .get_arguments()
        .filter_map(|a| a.get_long())
        .collect();
    assert_eq!(names, ["teletype", "1965", "cps", "ics", "silence"]);
    for arg in command.get_arguments() {
        let name = arg.get_long().unwrap();
        let env = format!("KRIEGSPIEL_{}", name.to_uppercase().replace('-', "_"));
        assert_eq!(arg.get_env().and_then(|env| env.to_str()), Some(&*env));
        assert!(arg.get_help().unwrap().to_string().contains("[default: "));
    }
    let text = "data = 'x.db'\nteletype = 1965\n1965 = true\ncps = 10\nics = '192.0.2.1:5000'\n";
    let read = from_file(text);
    assert_eq!(
        read.address("teletype"),
        Some(([127, 0, 0, 1], 1965).into())
    );
    assert_eq!(read.address("ics"), Some(([192, 0, 2, 1], 5000).into()));
    assert!(read.switch("1965"));
    assert_eq!(
        (read.number("cps"), read.number("silence")),
        (Some(10), None)
    );
}

#[test]
fn flag_overrides_the_file_and_speed_zero_is_refused() {
    let file = from_file("cps = 10\n1965 = true\n");
    let both = options(&["--cps", "30"]).or(file);
    assert_eq!((both.number("cps"), both.switch("1965")), (Some(30), true));
    assert_eq!(both.check(), Ok(()));
    let none = options(&["--cps", "0"]).check();
    assert_eq!(none, Err("`cps` must be at least 1".to_owned()));
    assert!(!options(&["--1965", "no"]).switch("1965"));
    assert!(options(&["--1965"]).switch("1965"));
}

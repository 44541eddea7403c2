//! The network goes and comes back, in a namespace of its own.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
};

use crate::{ends::Pair, journal::own_moves};

/// A network with nothing but itself, which can be switched.
struct Network {
    keeper: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Network {
    fn new() -> Network {
        let script = "ip link set lo up; echo ready; while read state; do ip link set lo $state; echo done; done";
        let mut keeper = Command::new("unshare")
            .args(["-Urn", "sh", "-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this test needs `unshare` (Debian package util-linux) and `ip` (iproute2)");
        let out = BufReader::new(keeper.stdout.take().expect("it is piped"));
        let mut network = Network { keeper, out };
        network.says("ready");
        network
    }

    fn says(&mut self, word: &str) {
        let mut line = String::new();
        self.out.read_line(&mut line).expect("it is text");
        assert_eq!(line.trim(), word, "a network of its own");
    }

    fn is(&mut self, state: &str) {
        let input = self.keeper.stdin.as_mut().expect("it is piped");
        writeln!(input, "{state}").expect("it reads");
        self.says("done");
    }

    /// What stands before a command that runs in it.
    fn through(&self) -> Vec<String> {
        let pid = self.keeper.id().to_string();
        ["nsenter", "--preserve-credentials", "-U", "-n", "-t", &pid]
            .map(str::to_owned)
            .to_vec()
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        let _ended = self.keeper.kill();
        let _ended = self.keeper.wait();
    }
}

#[test]
fn a_network_that_goes_and_comes_back_loses_nothing() {
    let mut network = Network::new();
    let pair = Pair {
        through: network.through(),
        ..Pair::new()
    };
    let options = ["--silence=2", "-d"];
    let (mut anna, mut bert) = pair.both(&["--silence=2", "-dw"], &options);
    anna.hears("White to move.");
    bert.hears("White to move.");
    anna.types("e4");
    bert.hears("Black to move.");

    // He moves while nothing can reach her.
    network.is("down");
    bert.types("e5");
    anna.hears("bert is gone.");
    bert.hears("anna is gone.");
    bert.types("say can you hear me?");
    bert.hears("anna is not connected: nobody heard it.");
    bert.types("d5");
    network.is("up");
    bert.hears("anna is here.");
    bert.hears("You play e7e5.");
    anna.hears("bert is here.");
    anna.hears("Black has moved.");

    // She does, and leaves, and both come again.
    network.is("down");
    anna.types("nf3");
    anna.hears("You play g1f3.");
    anna.kill();
    bert.hears("anna is gone.");
    bert.kill();
    network.is("up");
    let mut anna = pair.anna(&["--silence=2", "-dw"]);
    anna.hears("The game goes on.");
    let mut bert = pair.bert(&options);
    bert.hears("The game goes on.");
    bert.hears("White has moved.");
    bert.types("nc6");
    bert.hears("You play b8c6.");
    anna.hears("Black has moved.");
    assert_eq!(own_moves(&pair.kept("anna", "bert")), ["e2e4", "g1f3"]);
    assert_eq!(own_moves(&pair.kept("bert", "anna")), ["e7e5", "b8c6"]);
}

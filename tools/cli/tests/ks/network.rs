//! The network fails and works again. The test uses a separate network namespace.

use crate::{ends::Pair, journal::own_moves, namespace::Network};

#[test]
fn nothing_is_lost_when_the_network_fails() {
    let mut network = Network::new();
    let pair = Pair {
        through: network.near(),
        ..Pair::new()
    };
    let options = ["--silence=2", "-d"];
    let (mut anna, mut bert) = pair.both(&["--silence=2", "-dw"], &options);
    anna.hears("White to move.");
    bert.hears("White to move.");
    anna.types("e4");
    bert.hears("Black to move.");

    // Bert moves while the network does not reach Anna.
    network.does("ip link set lo down");
    bert.types("e5");
    anna.hears("bert is gone.");
    bert.hears("anna is gone.");
    bert.types("say can you hear me?");
    bert.hears("anna is not connected: nobody heard it.");
    bert.types("d5");
    network.does("ip link set lo up");
    bert.hears("anna is here.");
    bert.hears("You play e7e5.");
    anna.hears("bert is here.");
    anna.hears("Black has moved.");

    // Anna moves and leaves. Then the network works again, and both come back.
    network.does("ip link set lo down");
    anna.types("nf3");
    anna.hears("You play g1f3.");
    anna.kill();
    bert.hears("anna is gone.");
    bert.kill();
    network.does("ip link set lo up");
    let mut anna = pair.anna(&["--silence=2", "-dw"]);
    anna.hears("The game continues.");
    let mut bert = pair.bert(&options);
    bert.hears("The game continues.");
    bert.hears("White has moved.");
    bert.types("nc6");
    bert.hears("You play b8c6.");
    anna.hears("Black has moved.");
    assert_eq!(own_moves(&pair.kept("anna", "bert")), ["e2e4", "g1f3"]);
    assert_eq!(own_moves(&pair.kept("bert", "anna")), ["e7e5", "b8c6"]);
}

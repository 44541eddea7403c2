//! Moves in algebraic notation.

use position::{Position, StartPosition};
use rules::rulesets::{CRAZYKRIEG, RAND};
use scores::{SanFault, read_own_san, read_san, write_own_san, write_san};

fn position(fen: &str) -> Position {
    let choices = if fen.contains('[') {
        CRAZYKRIEG.choices
    } else {
        RAND.choices
    };
    *StartPosition::from_fen(fen, &choices).unwrap().position()
}

#[test]
fn legal_moves_round_trip() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2P5/8/1k6/8/Q6Q/8/K6Q w - - 0 1",
        "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "4k3/8/8/8/8/8/8/R3K2R[QRBNPqrbnp] w KQ - 0 1",
        "4k3/8/8/8/1N6/8/8/1N1NK3 w - - 0 1",
    ] {
        let position = position(fen);
        let tries = position.legal_tries();
        assert!(!tries.is_empty());
        for t in tries {
            let mut text = String::new();
            write_san(&position, t, &mut text);
            assert_eq!(read_san(&position, text.as_bytes()), Ok(t), "{fen} {text}");
            let own = position.own(position.turn());
            let mut text = String::new();
            write_own_san(&own, t, false, &mut text);
            assert_eq!(read_own_san(&own, text.as_bytes()), Ok(t), "{fen} {text}");
        }
    }
}

#[test]
fn other_spellings_are_read_and_bad_moves_are_refused() {
    let start = position("r3k2r/2P5/8/3pP3/8/8/8/RN2K2R w KQkq d6 0 1");
    for (text, t) in [
        ("c8(Q)+", "c7c8q"),
        ("c8Q", "c7c8q"),
        ("c7c8n", "c7c8n"),
        ("exd6e.p.", "e5d6"),
        ("ed6", "e5d6"),
        ("e5:d6!?", "e5d6"),
        ("Nb1-d2", "b1d2"),
        ("N1d2", "b1d2"),
        ("0-0", "e1g1"),
        ("e1g1", "e1g1"),
        ("Pe6", "e5e6"),
    ] {
        assert_eq!(
            read_san(&start, text.as_bytes()),
            t.parse().map_err(|_| SanFault::NotAMove),
            "{text}"
        );
    }
    for (text, fault) in [
        ("c8", SanFault::NoMan),
        ("Qd4", SanFault::Illegal),
        ("hello", SanFault::NotAMove),
        ("Rg9", SanFault::NotAMove),
        ("O-O-O", SanFault::Illegal),
        ("", SanFault::NotAMove),
    ] {
        assert_eq!(read_san(&start, text.as_bytes()), Err(fault), "{text}");
    }
}

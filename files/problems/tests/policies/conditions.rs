//! For each condition of the check, a certificate that violates only this condition.

use problems::certificate::Certificate;
use serde_json::{Value, json};

fn certificate(rules: &str, moves: u8, positions: &[&str], nodes: &Value) -> Value {
    json!({
        "certificate": 1, "rules": rules, "seat": "white", "moves": moves,
        "mate": nodes[0].get("refuted").is_none(), "positions": positions, "nodes": nodes,
    })
}

/// Checks a certificate; returns the error.
fn error(certificate: &Value, limit: u64) -> Option<String> {
    let read = Certificate::read(&certificate.to_string());
    read.and_then(|read| read.check(limit))
        .err()
        .map(|error| error.to_string())
}

/// Checks that the good certificate holds, and that each changed one is refused with its reason. A
/// change is a path in the JSON and the new value.
fn check(good: &Value, changes: &[(&str, Value, &str)]) {
    assert_eq!(error(good, 10_000), None, "{good}");
    for (paths, value, reason) in changes {
        let mut bad = good.clone();
        for (n, path) in paths.split(' ').enumerate() {
            let new = if paths.contains(' ') {
                &value[n]
            } else {
                value
            };
            let place = bad.pointer_mut(path);
            *place.expect("the path leads to a value") = new.clone();
        }
        assert_ne!(&bad, good, "{paths}");
        let found = error(&bad, 10_000).unwrap_or_else(|| panic!("{reason}: {bad} holds"));
        assert!(found.contains(reason), "{reason}: {found}");
    }
}

const QUEEN: &str = "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1";
/// White mates on c8; otherwise Black mates on g1.
const RACE: &str = "7k/2Q3pp/8/8/8/8/PP4r1/K7 w - - 0 1";
/// White mates on h8. After another move, Black can capture on f4 only, and three captures are illegal.
const EXHAUSTED: &str = "k7/3N4/1K6/2p1p3/2P1PP2/8/8/7R w - - 0 1";
/// No mate in one move, and none in two.
const FAR: [&str; 2] = [
    "7k/8/8/8/8/8/8/KQ6 w - - 0 1",
    "8/6k1/8/8/8/8/8/KQ6 w - - 0 1",
];

#[test]
fn each_condition_of_a_mate_is_needed() {
    let mate = json!([{"try": {"what": "b1b8"}}]);
    check(
        &certificate("berkeley", 1, &[QUEEN], &mate),
        &[
            ("/moves", json!(33), "from 1 to 32"),
            ("/positions", json!([]), "there is no position"),
            (
                "/positions",
                json!([QUEEN, "7k/8/6K1/8/8/8/8/2Q5 w - - 0 1"]),
                "position 1: the seat can tell this position",
            ),
            (
                "/positions/0",
                json!("7k/8/6K1/8/8/8/8/1Q6 b - - 0 1"),
                "the seat is not to move",
            ),
            (
                "/nodes/0/try/what",
                json!("b1b3"),
                "ends the game without a win",
            ),
            ("/nodes/0/try/what", json!("b1b2"), "no own move is left"),
            (
                "/moves /nodes/0/try/what",
                json!([2, "b1b2"]),
                "nothing follows after",
            ),
            (
                "/nodes/0",
                json!({"try": {"what": "b1c8", "refused": 0}}),
                "must lead to a greater number",
            ),
            (
                "/nodes/0",
                json!({"try": {"what": "b1c8", "refused": 1}}),
                "no such node",
            ),
            ("/nodes/0", json!({"refuted": []}), "claims a mate"),
        ],
    );
    let moved = error(&certificate("berkeley", 1, &[QUEEN], &mate), 0);
    assert!(moved.is_some_and(|why| why.contains("more moves than the limit of 0")));
    let race = json!([{"try": {"what": "c7c8"}}]);
    check(
        &certificate("berkeley", 1, &[RACE], &race),
        &[(
            "/moves /nodes/0/try/what",
            json!([2, "c7b7"]),
            "is refuted by g2g1",
        )],
    );
    let asks = json!([{"any": {"yes": null, "no": 1}}, {"try": {"what": "b1b8"}}]);
    check(
        &certificate("ks", 1, &[QUEEN], &asks),
        &[
            (
                "/nodes/0/any/no",
                Value::Null,
                "nothing follows after the answer",
            ),
            ("/nodes/0/any/no", json!(0), "must lead to a greater number"),
            ("/rules", json!("berkeley"), "refuses any"),
        ],
    );
    let spent = json!([{"try": {"what": "h1h8"}}]);
    check(
        &certificate("ks+p", 1, &[EXHAUSTED], &spent),
        &[(
            "/moves /nodes/0/try/what",
            json!([2, "h1h2"]),
            "lets the opponent end the game with three refused pawn captures",
        )],
    );
    // Three captures are tried in a row; a fourth would come after three refusals.
    let line = |tries: &[&str]| {
        let node = |(n, what): (usize, &&str)| {
            let refused = (n + 1 < tries.len()).then_some(n + 1);
            json!({"try": {"what": what, "refused": refused}})
        };
        json!(tries.iter().enumerate().map(node).collect::<Vec<_>>())
    };
    let positions = [
        "4k1N1/2K3P1/1N1p2P1/1P2P2B/B7/8/8/4R3 w - - 0 1",
        "4k1N1/2K3P1/1N3pP1/1P2P2B/B7/8/8/4R3 w - - 0 1",
        "4k1N1/2K3P1/pN4P1/1P2P2B/B7/8/8/4R3 w - - 0 1",
        "4k1N1/2K3Pp/1N4P1/1P2P2B/B7/8/8/4R3 w - - 0 1",
    ];
    let all = ["e5d6", "e5f6", "b5a6", "g6h7"];
    check(
        &certificate("ks+p", 1, &positions[..3], &line(&all[..3])),
        &[
            (
                "/positions /nodes",
                json!([positions, line(&all)]),
                "node 3: g6h7 can be refused",
            ),
            (
                "/nodes/1/try/refused",
                Value::Null,
                "node 1: e5f6 can be refused",
            ),
            (
                "/nodes/1/try/refused",
                json!(1),
                "must lead to a greater number",
            ),
        ],
    );
    check(
        &certificate("ks", 1, &positions, &line(&all)),
        &[("/rules", json!("ks+p"), "node 3: g6h7 can be refused")],
    );
}

#[test]
fn each_condition_of_no_mate_is_needed() {
    let refuted = |what: &str, by: Value| json!({"refuted": [{"what": what, "by": by}]});
    let none = json!([{"refuted": []}]);
    check(
        &certificate("berkeley", 1, &FAR, &none),
        &[
            ("/positions", json!([QUEEN]), "is not refuted"),
            ("/moves", json!(2), "is not refuted"),
            (
                "/nodes/0",
                json!({"try": {"what": "b1b8"}}),
                "does not refute every attempt",
            ),
            ("/nodes", json!([]), "no such node"),
            (
                "/nodes/0",
                refuted("b1b9", json!([])),
                "not a try in coordinates",
            ),
            (
                "/nodes/0",
                refuted("any", json!([[0, null]])),
                "not a try in coordinates",
            ),
            (
                "/nodes/0",
                refuted("b1b8", json!([[2, null]])),
                "position 2 is unknown",
            ),
            (
                "/nodes/0",
                refuted("b1d4", json!([[0, null]])),
                "is illegal",
            ),
            ("/nodes/0", refuted("b1b8", json!([])), "does not end"),
            (
                "/nodes/0",
                refuted("b1b2", json!([[0, "x"]])),
                "not a try in coordinates",
            ),
            (
                "/nodes/0",
                refuted("b1b2", json!([[0, "h8h6"]])),
                "is not refuted by h8h6",
            ),
            (
                "/moves /nodes/0",
                json!([2, refuted("b1b2", json!([[1, null]]))]),
                "does not end the game",
            ),
            (
                "/moves /nodes/0",
                json!([2, {"refuted": [{"what": "b1b8", "by": [[0, "h8g7"], [1, "g7f7"]], "to": 1}]}]),
                "other announcements",
            ),
            (
                "/moves /nodes/0",
                json!([2, {"refuted": [{"what": "b1b3", "by": [[0, "h8g7"]], "to": 0}]}]),
                "must lead to a greater number",
            ),
            (
                "/moves /nodes/0",
                json!([2, {"refuted": [{"what": "b1b3", "by": [[0, "h8g7"]], "to": 9}]}]),
                "no such node",
            ),
            (
                "/nodes/0",
                json!({"refuted": [{"what": "b1b8", "by": [[0, null]], "rest": 1}]}),
                "is not refused",
            ),
        ],
    );
    // A refutation with a reply ends the last own move, too.
    let replied = json!([refuted("b1b2", json!([[1, "g7f7"]]))]);
    check(
        &certificate("berkeley", 1, &FAR, &replied),
        &[
            ("/positions", json!([QUEEN]), "position 1 is unknown"),
            (
                "/positions /nodes/0",
                json!([[QUEEN], refuted("b1b8", json!([[0, null]]))]),
                "wins",
            ),
            (
                "/positions /nodes/0",
                json!([[QUEEN], refuted("b1b3", json!([[0, "h8g8"]]))]),
                "so there is no reply",
            ),
        ],
    );
    // With Any?, White can tell a position with a pawn capture from one without.
    let pawns = [
        "7k/8/8/3p4/4P3/8/8/K7 w - - 0 1",
        "7k/8/8/5p2/4P3/8/8/K7 w - - 0 1",
    ];
    check(
        &certificate("ks", 1, &pawns, &none),
        &[(
            "/positions/1",
            json!("7k/8/8/6p1/4P3/8/8/K7 w - - 0 1"),
            "Any? would tell its positions apart",
        )],
    );
    // The rest of a turn after a refused capture.
    let rest = |by: Value| {
        json!([
            {"refuted": [{"what": "e4d5", "by": by, "rest": 1}]},
            {"refuted": []},
        ])
    };
    check(
        &certificate("ks+p", 1, &pawns, &rest(json!([[1, null]]))),
        &[
            (
                "/nodes",
                rest(json!([[0, null]])),
                "position 0 is not refused",
            ),
            (
                "/nodes",
                rest(json!([[1, "h8h7"]])),
                "position 1 is not refused",
            ),
            ("/nodes", rest(json!([[7, null]])), "position 7 is unknown"),
            ("/nodes", rest(json!([])), "names no position"),
            (
                "/nodes/0/refuted/0",
                json!({"what": "e4d5", "by": [[1, null]], "to": 1, "rest": 1}),
                "both `to` and `rest`",
            ),
            (
                "/nodes/0/refuted/0/rest",
                json!(0),
                "must lead to a greater number",
            ),
            ("/nodes/0/refuted/0/rest", json!(2), "no such node"),
        ],
    );
    // Different answers to Any? lead to different rests.
    let answers = |by: Value| {
        json!([
            {"refuted": [{"what": "any", "by": by, "rest": 1}]},
            {"refuted": []},
        ])
    };
    let two = [pawns[0], "7k/8/8/6p1/4P3/8/8/K7 w - - 0 1"];
    check(
        &certificate("english", 1, &two, &answers(json!([[1, null]]))),
        &[(
            "/nodes",
            answers(json!([[0, null], [1, null]])),
            "other announcements",
        )],
    );
    // After the answer yes, a capture must be tried: the refused one needs a refutation.
    let obliged = |captures: Value| {
        json!([
            {"refuted": [{"what": "any", "by": [[0, null]], "rest": 1}]},
            {"refuted": captures},
            {"refuted": []},
        ])
    };
    let met = json!([{"what": "e4f5", "by": [[0, null]], "rest": 2}]);
    check(
        &certificate("english", 1, &pawns[..1], &obliged(met)),
        &[(
            "/nodes",
            obliged(json!([])),
            "e4f5 meets the obligation, but is not refuted",
        )],
    );
}

//! A table of everything that a referee can say, with the English of `notation`, for the tests of
//! the web page. `cargo xtask typegen` writes the table to `web/src/heard.json`, and this test
//! checks that the file is up to date.

use std::{collections::BTreeMap, env, fs, path::Path};

use notation::words;
use rules::{Heard, Listener, rulesets};
use serde_json::{Value, json};
use wire::{HeardJson, named_choices};

/// Choices on which the words of a call depend.
const CHOICES: [&str; 4] = [
    "nonsense_word",
    "capture_heard",
    "pawn_try_square",
    "stalemate",
];

/// Returns one example of everything that a listener can hear, except the start of a game.
fn everything() -> Vec<Value> {
    let mut all = Vec::new();
    for by in ["white", "black"] {
        for kind in ["moved", "no", "nonsense", "repeat-no"] {
            all.push(json!({"kind": kind, "by": by}));
            all.push(json!({"kind": kind, "by": by, "attempt": "g1f3"}));
        }
        all.extend([true, false].map(|answer| json!({"kind": "any", "by": by, "answer": answer})));
        for man in ["pawn", "knight", "bishop", "rook", "queen"] {
            all.push(json!({"kind": "drop", "by": by, "man": man}));
            all.push(json!({"kind": "lost", "square": "e4", "man": man}));
        }
        all.extend((0..4).map(|count| json!({"kind": "rebuffs", "by": by, "count": count})));
        for kind in ["promotion", "draw-offer", "draw-declined", "draw-withdrawn"] {
            all.push(json!({"kind": kind, "by": by}));
        }
        all.push(json!({"kind": "turn", "to_move": by}));
        all.push(json!({"kind": "recap", "by": by, "said": []}));
        all.push(json!({"kind": "recap", "by": by, "said": [
            {"kind": "capture", "square": "d5", "man": "pawn", "en_passant": false},
            {"kind": "promotion", "by": by},
            {"kind": "check", "directions": ["file"]}]}));
    }
    let men = ["pawn", "piece", "knight", "bishop", "rook", "queen"].map(Value::from);
    for man in [Value::Null].into_iter().chain(men) {
        for square in [Value::Null, "d5".into()] {
            for passing in [true, false] {
                all.push(
                    json!({"kind": "capture", "square": square, "man": man, "en_passant": passing}),
                );
            }
        }
    }
    let directions = ["rank", "file", "long", "short", "knight"];
    all.push(json!({"kind": "check", "directions": []}));
    all.extend(directions.map(|one| json!({"kind": "check", "directions": [one]})));
    all.push(json!({"kind": "check", "directions": ["file", "knight"]}));
    all.extend([true, false].map(|any| json!({"kind": "tries", "any": any})));
    all.extend((0..4).map(|count| json!({"kind": "tries", "count": count})));
    for squares in [&[][..], &["d5"], &["d5", "f5"]] {
        all.push(json!({"kind": "tries", "squares": squares}));
        for double in [&[][..], &["g6"], &["a6", "g6"]] {
            all.push(json!({"kind": "tries", "squares": squares, "double": double}));
        }
    }
    for reason in [
        "checkmate",
        "stalemate",
        "insufficient",
        "threefold",
        "fifty",
        "resignation",
        "agreement",
        "time",
        "exhausted-tries",
        "aborted",
        "abandoned",
    ] {
        for result in ["1-0", "0-1", "1/2-1/2", "*"] {
            all.push(json!({"kind": "over", "result": result, "reason": reason}));
        }
    }
    all
}

/// Returns the rows of the table: what is heard, by whom, under which rulesets, in which words.
fn rows() -> Vec<Value> {
    let mut rows = Vec::new();
    for one in everything() {
        let heard: HeardJson = serde_json::from_value(one.clone()).expect("the example is valid");
        let heard = Heard::try_from(&heard).expect("a referee can say the example");
        let mut said: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
        for ruleset in &rulesets::ALL {
            for (listener, to) in Listener::ALL.into_iter().zip(["white", "black", "room"]) {
                let words = words(&heard, &ruleset.choices, listener).unwrap_or_default();
                said.entry((to, words)).or_default().push(&ruleset.id);
            }
        }
        let mut rest: BTreeMap<(String, Vec<&str>), Vec<&str>> = BTreeMap::new();
        for ((to, words), ids) in said {
            rest.entry((words, ids)).or_default().push(to);
        }
        rows.extend(rest.into_iter().map(|((words, ids), to)| {
            let rules = if ids.len() == rulesets::ALL.len() {
                json!("all")
            } else {
                json!(ids)
            };
            json!({"heard": one, "to": to, "rules": rules, "said": words})
        }));
    }
    rows
}

fn table() -> String {
    let lines = |rows: Vec<String>| rows.join(",\n");
    let choices = rulesets::ALL.iter().map(|ruleset| {
        let mut choices = named_choices(&ruleset.choices);
        choices.retain(|name, _| CHOICES.contains(&name.as_str()));
        format!("\"{}\": {}", ruleset.id, json!(choices))
    });
    format!(
        "{{\"choices\": {{\n{}\n}}, \"rows\": [\n{}\n]}}\n",
        lines(choices.collect()),
        lines(rows().iter().map(Value::to_string).collect())
    )
}

#[test]
fn table_of_what_a_referee_says_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/heard.json");
    if env::var_os("KRIEGSPIEL_BLESS").is_some() {
        fs::write(&file, table()).expect("the file can be written");
    }
    let text = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        text == table(),
        "web/src/heard.json is out of date: run `cargo xtask typegen` and commit the file"
    );
}

//! The command `belief` with a sample: nothing is claimed of the sample alone.

use serde_json::Value;

use crate::program::run;

/// Black's bishop pins the knight on c3, so two tries of White are refused.
const GAME: &str = "\
title   A pinned knight
rules   wild16
source  ICC

attempt          | white | black | room
white b1c3 moved
black a7a6 moved
white d2d3 moved
black e7e6 moved
white g2g3 moved
black f8b4 moved
white c3d5 no
white c3b5 no
";

fn json(limit: &str) -> Value {
    json_of(GAME, &["--limit", limit])
}

fn json_of(game: &str, args: &[&str]) -> Value {
    let args = [&["belief", "-", "--json", "--seat", "white"], args].concat();
    let output = run(&args, game.as_bytes());
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn sample_is_not_used_as_if_it_were_complete() {
    let (exact, sampled) = (json("1000000"), json("150"));
    assert_eq!(
        (&exact["regime"], &sampled["regime"]),
        (&"exact".into(), &"sampled".into())
    );
    let pairs = |belief: &Value| {
        let material = belief["material"].as_object().unwrap().clone();
        material
            .into_iter()
            .map(|(role, range)| {
                let of = |at: usize| range[at].as_u64().unwrap();
                (role, of(0), of(1))
            })
            .collect::<Vec<_>>()
    };
    for ((role, least, most), (_, from, to)) in pairs(&exact).into_iter().zip(pairs(&sampled)) {
        assert!(
            from <= least && most <= to,
            "{role}: {from} to {to}, not {least} to {most}"
        );
    }
    let facts = |belief: &Value| belief["facts"].as_array().unwrap().clone();
    let certain = facts(&exact);
    assert!(
        facts(&sampled).iter().all(|fact| certain.contains(fact)),
        "{sampled}"
    );
    assert_eq!(
        (&exact["attempts_sampled"], &sampled["attempts_sampled"]),
        (&false.into(), &true.into())
    );
    let text = run(&["belief", "-", "--limit", "150"], GAME.as_bytes());
    let text = String::from_utf8_lossy(&text.stdout);
    assert!(
        text.contains(": about ") && text.contains(" (sampled), "),
        "{text}"
    );
    assert!(text.contains("computed from a sample of "), "{text}");
}

/// Beside a sample, the numbers of men follow from what was heard.
#[test]
fn sample_has_the_numbers_of_men_that_were_heard() {
    let game = "title x\nrules wild16\nsource x\n\nattempt | white | black | room\n\
        white g1f3\nblack g8f6\nwhite b1c3\nblack b8c6\nwhite e2e4\nblack d7d5\nwhite e4f5\n\
        white e4d5\nblack f6d5\nwhite c3d5\nblack d8d5\n";
    let at = |at: &str, limit: &str| json_of(game, &["--at", at, "--limit", limit]);
    for (before, pawns, queens, all) in [
        ("4w", [8, 8], [1, 1], 16),
        ("4b", [7, 7], [1, 1], 15),
        ("5b", [7, 7], [0, 1], 14),
    ] {
        let (exact, sampled) = (at(before, "1000000"), at(before, "100"));
        assert_eq!(sampled["regime"], "sampled");
        for men in [&exact["material"], &sampled["material"]] {
            assert_eq!(men["pawn"], serde_json::json!(pawns), "{before}: {men}");
            assert_eq!(men["queen"], serde_json::json!(queens), "{before}: {men}");
            assert_eq!(men["any"], serde_json::json!([all, all]), "{before}: {men}");
        }
        let facts = sampled["facts"].as_array().unwrap();
        let seven = facts.contains(&"Seven pawns are left.".into());
        assert_eq!(seven, pawns == [7, 7], "{before}: {facts:?}");
    }
    // `--at 6` also reads the refused try of move 4.
    let count = |moment: &str| at(moment, "1000000")["positions"].as_u64();
    assert!(count("6") < count("4w"));
}

/// The probabilities of a sample agree with the exact ones after refusals.
#[test]
fn sample_keeps_probabilities_after_refusals() {
    let (exact, sampled) = (json("1000000"), json("2000"));
    assert_eq!(sampled["regime"], "sampled");
    for role in ["any", "bishop", "queen", "pawn"] {
        let of =
            |belief: &Value, square: &str| belief["heat"][role][square].as_f64().unwrap_or(0.0);
        for square in exact["heat"][role].as_object().unwrap().keys() {
            let (real, found) = (of(&exact, square), of(&sampled, square));
            assert!(
                (real - found).abs() < 15.0,
                "{role} on {square}: {found} %, not {real} %"
            );
        }
    }
    for belief in [&exact, &sampled] {
        for attempt in belief["attempts"].as_array().unwrap() {
            let of = |key: &str| attempt[key].as_f64().unwrap();
            assert!((of("moved") + of("no") - 100.0).abs() < 0.2, "{attempt}");
            assert!(!["c3d5", "c3b5"].contains(&attempt["attempt"].as_str().unwrap_or("")));
        }
    }
}

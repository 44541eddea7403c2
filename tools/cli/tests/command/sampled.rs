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
    let args = ["belief", "-", "--json", "--seat", "white", "--limit", limit];
    let output = run(&args, GAME.as_bytes());
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    serde_json::from_slice(&output.stdout).expect("the output is JSON")
}

#[test]
fn sample_is_not_used_as_if_it_were_complete() {
    let (exact, sampled) = (json("1000000"), json("150"));
    assert_eq!(
        (&exact["regime"], &sampled["regime"]),
        (&"exact".into(), &"sampled".into())
    );
    let pairs = |belief: &Value| {
        let material = belief["material"].as_object().expect("an object").clone();
        material
            .into_iter()
            .map(|(role, range)| {
                let of = |at: usize| range[at].as_u64().expect("a number");
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
    let facts = |belief: &Value| belief["facts"].as_array().expect("a list").clone();
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

/// The probabilities of a sample agree with the exact ones after refusals.
#[test]
fn sample_keeps_probabilities_after_refusals() {
    let (exact, sampled) = (json("1000000"), json("2000"));
    assert_eq!(sampled["regime"], "sampled");
    for role in ["any", "bishop", "queen", "pawn"] {
        let of =
            |belief: &Value, square: &str| belief["heat"][role][square].as_f64().unwrap_or(0.0);
        for square in exact["heat"][role].as_object().expect("an object").keys() {
            let (real, found) = (of(&exact, square), of(&sampled, square));
            assert!(
                (real - found).abs() < 15.0,
                "{role} on {square}: {found} %, not {real} %"
            );
        }
    }
    for belief in [&exact, &sampled] {
        for attempt in belief["attempts"].as_array().expect("a list") {
            let of = |key: &str| attempt[key].as_f64().expect("a number");
            assert!((of("moved") + of("no") - 100.0).abs() < 0.2, "{attempt}");
            assert!(!["c3d5", "c3b5"].contains(&attempt["attempt"].as_str().unwrap_or("")));
        }
    }
}

//! Tests that ruleset files can be written and read back, and that every error
//! has its message.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

use notation::{read_ruleset, write_ruleset};
use proptest::prelude::*;
use rules::{Choices, NoHeard, rulesets};

#[test]
fn every_named_ruleset_round_trips() {
    for ruleset in &rulesets::ALL {
        let text = write_ruleset(ruleset);
        assert_eq!(read_ruleset(&text).as_ref(), Ok(ruleset), "{text}");
    }
}

#[test]
fn omitted_choices_are_taken_from_the_base_ruleset() {
    let read = read_ruleset("from = \"wild16\"\r\n[choices]\r\nno_heard = \"both\"\r\n").unwrap();
    let mut choices = rulesets::WILD16.choices;
    choices.no_heard = NoHeard::Both;
    assert_eq!(read.choices, choices);
    assert_eq!(read.id, "wild16-custom");
    assert_eq!(read.sources, rulesets::WILD16.sources);
    assert_eq!(
        read_ruleset("from = \"wild16\"").as_ref(),
        Ok(&rulesets::WILD16)
    );
    let inline = read_ruleset("from='rand'\nid='r'\nchoices={pawn_try_square='origin'}").unwrap();
    assert_eq!(inline.choices.get("pawn_try_square"), Some("origin"));
}

#[test]
fn error_names_the_fault_and_its_place() {
    let long = format!("from = \"rand\"\ntitle = \"{}\"", "x".repeat(300));
    #[rustfmt::skip]
    let rows = [
        ("", "`from` is missing: name the ruleset to start from, for example from = \"wild16\""),
        ("from = \"wild17\"", "line 1, column 8: `from` does not name a ruleset: `wild17`; the named rulesets are rand, "),
        (
            "from = \"rand\"\nfoo = 1",
            "line 2, column 1: unknown key `foo`: a ruleset file has id, from, title, start, hall and the table [choices]",
        ),
        ("from = \"rand\"\nrepeat = \"truth\"", "line 2, column 1: unknown key `repeat`: it is a choice and belongs under [choices]"),
        (
            "from = \"rand\"\n[choices]\n  repeats = \"truth\"",
            "line 3, column 3: there is no choice `repeats`; the choices are impossible, ",
        ),
        (
            "from = \"rand\"\n[choices]\nrepeat = \"never\"",
            "line 3, column 10: `repeat` cannot be `never`; the possible values are truth, nonsense, repeat-no",
        ),
        ("from = \"rand\"\n[choices]\nrepeat = 3", "line 3, column 10: `repeat` must be a text in quotes, not integer"),
        ("from = [\"rand\"]", "line 1, column 8: `from` must be a text in quotes, not array"),
        ("from = \"rand\"\nchoices = \"all\"", "line 2, column 11: `choices` must be a table, not string"),
        (
            "from = \"rand\"\n[choices]\nrepeat = \"truth\"\nobligation = \"make\"",
            "line 4, column 14: `obligation` = `make` contradicts `pawn_tries` = `squares`: only an answer to Any? can oblige the player; use `pawn_tries = \"on-request\"`",
        ),
        (
            "from = \"bodlaender\"\n[choices]\npawn_tries = \"count\"",
            "line 3, column 14: `obligation` = `try` contradicts `pawn_tries` = `count`: only an answer to Any? can oblige the player; use `pawn_tries = \"on-request\"`",
        ),
        ("from = \"rand", "line 1, column 13: not TOML: "),
        ("from = \"rand\"\nfrom = \"ks\"", "line 2, column 1: not TOML: duplicate key"),
        ("\u{0}", "line 1, column 2: not TOML: "),
        ("from = \"rand\"\nid = \"Wild Night\"", "line 2, column 6: `id` cannot be `Wild Night`: use 1 to 40 "),
        (
            "id = \"rand\"\nfrom = \"rand\"\n[choices]\nrepeat = \"nonsense\"",
            "line 1, column 6: `id` cannot be `rand`: the named ruleset has other choices than this file",
        ),
        ("from = \"rand\"\ntitle = \"\"", "line 2, column 9: `title` must be one line"),
        (long.as_str(), "line 2, column 9: `title` must be one line"),
    ];
    for (text, error) in rows {
        let said = read_ruleset(text).unwrap_err().to_string();
        assert!(
            said.starts_with(error),
            "{text}\nsaid     {said}\nexpected {error}"
        );
        assert!(!said.contains('\n'), "{said}");
    }
}

/// Returns random ruleset files: a named ruleset with up to six fields changed. Changes that would
/// cause a contradiction are left out.
fn ruleset_text() -> impl Strategy<Value = String> {
    let changes = proptest::collection::vec((0..Choices::FIELDS.len(), any::<usize>()), 0..7);
    (0..rulesets::ALL.len(), changes).prop_map(|(base, changes)| {
        let base = &rulesets::ALL[base];
        let mut choices = base.choices;
        let mut text = format!("id = \"c\"\nfrom = \"{}\"\n[choices]\n", base.id);
        let mut seen = Vec::new();
        for (field, value) in changes {
            let field = &Choices::FIELDS[field];
            let value = field.values[value % field.values.len()].0;
            let mut changed = choices;
            let set = changed.set(field.name, value);
            if set.is_ok() && changed.check().is_ok() && !seen.contains(&field.name) {
                choices = changed;
                seen.push(field.name);
                text.push_str(&format!("{} = \"{value}\"\n", field.name));
            }
        }
        text
    })
}

proptest! {
    #[test]
    fn custom_rulesets_round_trip(text in ruleset_text()) {
        let read = read_ruleset(&text).unwrap();
        prop_assert_eq!(read_ruleset(&write_ruleset(&read)), Ok(read));
    }

    #[test]
    fn no_text_causes_a_panic(text in ".{0,200}") {
        let _either_way = read_ruleset(&text);
        let own = rules::Own::of(
            &rules::chess::Board::new(),
            rules::chess::Color::White,
            rules::Wings::BOTH,
            rules::Reserve::EMPTY,
        );
        let _either_way = notation::read_attempt(&text, &own, &rulesets::RAND.choices);
    }
}

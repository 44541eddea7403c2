//! Audits of games in PGN, from this program and from others.

use rules::Reason;
use scores::{Account, Fault, Target, What, convert, follow};

#[test]
fn remarks_of_other_programs_are_judged() {
    let audit = |text: &str| {
        let account = scores::Accounts::new(text.as_bytes())
            .expect("the input can be read")
            .next()
            .expect("there is a game")
            .expect("the input can be read")
            .expect("there is a game");
        let opened = account
            .opening_under(&rules::rulesets::WILD16)
            .expect("the usual start position is valid");
        follow(&account, opened, false)
    };
    let clean = audit("1. e4 {(:)} d5 {(P1:)} 2. exd5 {(Xd5:exf5)} Qxd5 {(Xd5:)} *");
    assert_eq!(clean.findings, []);
    assert_eq!(clean.log().len(), 6);
    let wrong = audit("1. e4 {(:)} d5 {(P2:)} 2. exd5 {(Xe5:exf5,a3)} Qxd5 {(Xd5,CF:)} *");
    let kinds: Vec<(What, Fault)> = wrong.findings.iter().map(|f| (f.what, f.fault)).collect();
    assert_eq!(
        kinds,
        [
            (What::Tries, Fault::Wrong),
            (What::Verdict, Fault::Wrong),
            (What::Capture, Fault::Wrong),
            (What::Check, Fault::Superfluous),
        ]
    );
    let icc = "[Event \"ICC w16 1 0\"]\n[ICCResult \"White resigns\"]\n[Result \"0-1\"]\n\n1. e4 e5 {White resigns} 0-1\n";
    assert_eq!(
        audit(icc).game.over().map(|o| o.reason),
        Some(Reason::Resignation)
    );
    let claimed = audit("[ICCResult \"White checkmated\"]\n\n1. e4 e5 0-1");
    assert_eq!(claimed.findings[0].what, What::Over);
}

#[test]
fn errors_in_a_log_are_found() {
    let text = "title t\nrules wild16\nsource ICC\n\nwhite e2e4\nblack d7d5\nwhite e4f5\nwhite e4d5\nblack d8d5\nwhite b1c3\nblack d5e5\nblack resign\n";
    let account = Account::from_transcript(text).expect("the transcript is valid");
    let pgn = convert(&account, None, Target::Pgn)
        .expect("there is a game")
        .text;
    for (from, to, what) in [
        ("", "", None),
        ("d7d5 moved ?1", "d7d5 moved ?2", Some(What::Tries)),
        ("e4f5 no;", "e4f5 nonsense;", Some(What::Verdict)),
        ("moved +file", "moved +rank", Some(What::Check)),
        ("moved +file", "moved", Some(What::Check)),
        ("(CF:)", "(CR:)", Some(What::Check)),
        ("(Xd5:exf5)", "(:exf5)", Some(What::Capture)),
        ("b resigned", "w resigned", Some(What::Over)),
        ("\n1-0", "\n0-1", Some(What::Over)),
        // The tags must agree with the log.
        ("[Rules \"wild16\"]", "[Rules \"rand\"]", Some(What::Tag)),
        (
            "[RulesVersion \"1\"]",
            "[RulesVersion \"7\"]",
            Some(What::Tag),
        ),
        ("[View \"umpire\"]", "[View \"white\"]", Some(What::Tag)),
        ("[Result \"1-0\"]", "[Result \"0-1\"]", Some(What::Tag)),
        (
            "[Termination \"normal\"]",
            "[Termination \"time forfeit\"]",
            Some(What::Tag),
        ),
        ("[Source \"ICC\"]", "[PlyCount \"9\"]", Some(What::Tag)),
        ("[Source \"ICC\"]", "[PlyCount \"6\"]", None),
        (
            "[Source \"ICC\"]",
            "[Variant \"Kriegspiel\"]",
            Some(What::Tag),
        ),
    ] {
        let text = pgn.replace(from, to);
        assert!(from.is_empty() || text != pgn, "{from}");
        let mut games = scores::Accounts::of_form(text.as_bytes(), scores::Form::Pgn);
        let game = games
            .next()
            .expect("there is a game")
            .expect("the input can be read")
            .expect("the game is not damaged");
        let found = follow(
            &game,
            game.opening().expect("the game names its ruleset"),
            false,
        )
        .findings;
        let kinds: Vec<What> = found.iter().map(|f| f.what).collect();
        assert_eq!(kinds, what.into_iter().collect::<Vec<_>>(), "{text}");
        if what == Some(What::Tag) {
            let (name, said) = to.split_once(' ').expect("a tag has a name and a value");
            let said = said.trim_end_matches(']').replace('"', "`");
            let words = found[0].to_string();
            assert!(words.contains(&format!("{name}]: tag")), "{words}");
            assert!(words.contains(&format!("said {said}")), "{words}");
            assert!(convert(&game, None, Target::Json).is_err(), "{name}");
        }
    }
}

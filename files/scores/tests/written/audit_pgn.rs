//! Audits of games in PGN, from this program and from others.

use rules::Reason;
use scores::{AnnouncementKind, Fault, RecordedGame, Target, convert, follow};

#[test]
fn remarks_of_other_programs_are_judged() {
    let audit = |text: &str| {
        let game = scores::RecordedGames::new(text.as_bytes())
            .expect("the input can be read")
            .next()
            .expect("there is a game")
            .expect("the input can be read")
            .expect("there is a game");
        let opened = game
            .opening_under(&rules::rulesets::WILD16)
            .expect("the usual start position is valid");
        follow(&game, opened, false)
    };
    let clean = audit("1. e4 {(:)} d5 {(P1:)} 2. exd5 {(Xd5:exf5)} Qxd5 {(Xd5:)} *");
    assert_eq!(clean.findings, []);
    assert_eq!(clean.log().len(), 6);
    let wrong = audit("1. e4 {(:)} d5 {(P2:)} 2. exd5 {(Xe5:exf5,a3)} Qxd5 {(Xd5,CF:)} *");
    let kinds: Vec<(AnnouncementKind, Fault)> =
        wrong.findings.iter().map(|f| (f.what, f.fault)).collect();
    assert_eq!(
        kinds,
        [
            (AnnouncementKind::Tries, Fault::Wrong),
            (AnnouncementKind::Verdict, Fault::Wrong),
            (AnnouncementKind::Capture, Fault::Wrong),
            (AnnouncementKind::Check, Fault::Superfluous),
        ]
    );
    let icc = "[Event \"ICC w16 1 0\"]\n[ICCResult \"White resigns\"]\n[Result \"0-1\"]\n\n1. e4 e5 {White resigns} 0-1\n";
    assert_eq!(
        audit(icc).game.over().map(|o| o.reason),
        Some(Reason::Resignation)
    );
    let claimed = audit("[ICCResult \"White checkmated\"]\n\n1. e4 e5 0-1");
    assert_eq!(claimed.findings[0].what, AnnouncementKind::Over);
}

#[test]
fn errors_in_log_remarks_and_tags_are_found() {
    let text = "title t\nrules wild16\nsource ICC\n\nwhite e2e4\nblack d7d5\nwhite e4f5\nwhite e4d5\nblack d8d5\nwhite b1c3\nblack d5e5\nblack resign\n";
    let game = RecordedGame::from_transcript(text).expect("the transcript is valid");
    let pgn = convert(&game, None, Target::Pgn)
        .expect("there is a game")
        .text;
    for (from, to, what) in [
        ("", "", None),
        (
            "d7d5 moved ?1",
            "d7d5 moved ?2",
            Some(AnnouncementKind::Tries),
        ),
        (
            "e4f5 no;",
            "e4f5 nonsense;",
            Some(AnnouncementKind::Verdict),
        ),
        ("moved +file", "moved +rank", Some(AnnouncementKind::Check)),
        ("moved +file", "moved", Some(AnnouncementKind::Check)),
        ("(CF:)", "(CR:)", Some(AnnouncementKind::Check)),
        ("(Xd5:exf5)", "(:exf5)", Some(AnnouncementKind::Capture)),
        ("b resigned", "w resigned", Some(AnnouncementKind::Over)),
        ("\n1-0", "\n0-1", Some(AnnouncementKind::Over)),
        // The tags must agree with the log.
        (
            "[Rules \"wild16\"]",
            "[Rules \"rand\"]",
            Some(AnnouncementKind::Tag),
        ),
        (
            "[RulesVersion \"1\"]",
            "[RulesVersion \"7\"]",
            Some(AnnouncementKind::Tag),
        ),
        (
            "[View \"umpire\"]",
            "[View \"white\"]",
            Some(AnnouncementKind::Tag),
        ),
        (
            "[Result \"1-0\"]",
            "[Result \"0-1\"]",
            Some(AnnouncementKind::Tag),
        ),
        (
            "[Termination \"normal\"]",
            "[Termination \"time forfeit\"]",
            Some(AnnouncementKind::Tag),
        ),
        (
            "[Source \"ICC\"]",
            "[PlyCount \"9\"]",
            Some(AnnouncementKind::Tag),
        ),
        ("[Source \"ICC\"]", "[PlyCount \"6\"]", None),
        (
            "[Source \"ICC\"]",
            "[Variant \"Kriegspiel\"]",
            Some(AnnouncementKind::Tag),
        ),
    ] {
        let text = pgn.replace(from, to);
        assert!(from.is_empty() || text != pgn, "{from}");
        let mut games = scores::RecordedGames::of_form(text.as_bytes(), scores::Form::Pgn);
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
        let kinds: Vec<AnnouncementKind> = found.iter().map(|f| f.what).collect();
        assert_eq!(kinds, what.into_iter().collect::<Vec<_>>(), "{text}");
        if what == Some(AnnouncementKind::Tag) {
            let (name, said) = to.split_once(' ').expect("a tag has a name and a value");
            let said = said.trim_end_matches(']').replace('"', "`");
            let words = found[0].to_string();
            assert!(words.contains(&format!("{name}]: tag")), "{words}");
            assert!(words.contains(&format!("said {said}")), "{words}");
            assert!(convert(&game, None, Target::Json).is_err(), "{name}");
        }
    }
}

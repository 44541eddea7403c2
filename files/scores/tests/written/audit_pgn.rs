//! Audits of games in PGN, from this program and from others.

use rules::Reason;
use scores::{AnnouncementKind, Fault, RecordedGame, Target, convert, follow};

#[test]
fn remarks_of_other_programs_are_judged() {
    let audit = |text: &str| {
        let game = scores::RecordedGames::new(text.as_bytes())
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .unwrap();
        let opened = game.opening_under(&rules::rulesets::WILD16).unwrap();
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

/// Each finding about the end has a neighbour that must be silent.
#[test]
fn neighbours_of_findings_about_the_end_are_silent() {
    const MATE: &str = "1. f3 e5 2. g4 Qh4#";
    const REPEATED: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    const STALEMATE: &str = "[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]|1. Qf7";
    const LONE: &str = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]|1. e4 Kd7";
    // Columns: tags and moves; the rest of a game with a finding; the rest of a game without one.
    #[rustfmt::skip]
    let rows = [
        ("[Result \"1-0\"]|1. e4 e5", "0-1", "1-0"),
        ("[Result \"?\"]|1. e4 e5", "{White wins} 0-1", "{Black wins} 0-1"),
        ("[ICCResult \"White resigns\"]|1. e4 e5", "1-0", "0-1"),
        ("[ICCResult \"White checkmated\"]|1. f3 e5 2. g4", "0-1", "Qh4# 0-1"),
        (MATE, "1-0", "0-1"),
        (MATE, "{White resigns} 0-1", "{White checkmated} 0-1"),
        ("[Termination \"normal\"]|1. e4 e5", "{White forfeits on time} 0-1", "{White resigns} 0-1"),
        ("[Termination \"time forfeit\"]|1. e4 e5", "{White resigns} 0-1", "{White forfeits on time} 0-1"),
        (LONE, "{White forfeits on time} 0-1", "{Black forfeits on time} 1-0"),
        (LONE, "{Game drawn by mutual agreement} 1-0", "{Game drawn by mutual agreement} 1/2-1/2"),
        (STALEMATE, "1-0", "{Game drawn by stalemate} 1/2-1/2"),
        (LONE, "{Game drawn by stalemate} 1/2-1/2", "1/2-1/2"),
        (REPEATED, "1-0", "{Game drawn by repetition} 1/2-1/2"),
        ("1. Nf3 Nf6 2. Ng1 Ng8", "{Game drawn by repetition} 1/2-1/2", "1/2-1/2"),
        // Talk about the game is no end.
        ("1. e4 e5", "{Black wins.} 1-0", "{Black wins a pawn.} 1-0"),
        ("1. e4 e5", "{White lost on time} 1-0", "{White lost the thread.} 1-0"),
        ("1. e4 e5", "{Draw} 1-0", "{Drawish.} 1-0"),
        ("1. e4 e5", "{Stalemate!} 1-0", "{Stalemate tricks remain.} 1-0"),
        ("1. e4 e5", "{Black mates} 1-0", "{Black mates in two.} 1-0"),
    ];
    for (begin, bad, silent) in rows {
        let audit = |rest: &str| {
            let (tags, moves) = begin.split_once('|').unwrap_or(("", begin));
            let text = format!("[Event \"x\"]\n[Rules \"wild16\"]\n{tags}\n\n{moves} {rest}\n");
            let mut games = scores::RecordedGames::of_form(text.as_bytes(), scores::Form::Pgn);
            let read = games.next().unwrap();
            let game = read.unwrap().unwrap_or_else(|e| panic!("{e}: {text}"));
            let opened = game.opening().unwrap();
            let found = follow(&game, opened, false).findings;
            found.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert!(!audit(bad).is_empty(), "{begin} {bad}");
        assert_eq!(audit(silent), [""; 0], "{begin} {silent}");
    }
}

#[test]
fn errors_in_log_remarks_and_tags_are_found() {
    let text = "title t\nrules wild16\nsource ICC\n\nwhite e2e4\nblack d7d5\nwhite e4f5\nwhite e4d5\nblack d8d5\nwhite b1c3\nblack d5e5\nblack resign\n";
    let game = RecordedGame::from_transcript(text).unwrap();
    let pgn = convert(&game, None, Target::Pgn).unwrap().text;
    #[rustfmt::skip]
    let rows = [
        ("", "", None),
        ("d7d5 moved ?1", "d7d5 moved ?2", Some(AnnouncementKind::Tries)),
        ("e4f5 no;", "e4f5 nonsense;", Some(AnnouncementKind::Verdict)),
        ("moved +file", "moved +rank", Some(AnnouncementKind::Check)),
        ("moved +file", "moved", Some(AnnouncementKind::Check)),
        ("(CF:)", "(CR:)", Some(AnnouncementKind::Check)),
        ("(Xd5:exf5)", "(:exf5)", Some(AnnouncementKind::Capture)),
        ("b resigned", "w resigned", Some(AnnouncementKind::Over)),
        ("\n1-0", "\n0-1", Some(AnnouncementKind::Over)),
        // The tags must agree with the log.
        ("[Rules \"wild16\"]", "[Rules \"rand\"]", Some(AnnouncementKind::Tag)),
        ("[RulesVersion \"1\"]", "[RulesVersion \"7\"]", Some(AnnouncementKind::Tag)),
        ("[View \"umpire\"]", "[View \"white\"]", Some(AnnouncementKind::Tag)),
        ("[Result \"1-0\"]", "[Result \"0-1\"]", Some(AnnouncementKind::Tag)),
        ("[Termination \"normal\"]", "[Termination \"time forfeit\"]", Some(AnnouncementKind::Tag)),
        ("[Source \"ICC\"]", "[PlyCount \"9\"]", Some(AnnouncementKind::Tag)),
        ("[Source \"ICC\"]", "[PlyCount \"6\"]", None),
        ("[Source \"ICC\"]", "[Variant \"Kriegspiel\"]", Some(AnnouncementKind::Tag)),
    ];
    for (from, to, what) in rows {
        let text = pgn.replace(from, to);
        assert!(from.is_empty() || text != pgn, "{from}");
        let mut games = scores::RecordedGames::of_form(text.as_bytes(), scores::Form::Pgn);
        let game = games.next().unwrap().unwrap().unwrap();
        let found = follow(&game, game.opening().unwrap(), false).findings;
        let kinds: Vec<AnnouncementKind> = found.iter().map(|f| f.what).collect();
        assert_eq!(kinds, what.into_iter().collect::<Vec<_>>(), "{text}");
        if what == Some(AnnouncementKind::Tag) {
            let (name, said) = to.split_once(' ').unwrap();
            let said = said.trim_end_matches(']').replace('"', "`");
            let words = found[0].to_string();
            assert!(words.contains(&format!("{name}]: tag")), "{words}");
            assert!(words.contains(&format!("said {said}")), "{words}");
            assert!(convert(&game, None, Target::Json).is_err(), "{name}");
        }
    }
}

/// Places of a file that contradict each other about the end are findings. Each row has a game and
/// the places that the audit names.
#[test]
fn contradicting_ends_are_findings_and_are_kept() {
    let mate = "1. f3 e5 2. g4 Qh4#";
    #[rustfmt::skip]
    let rows = [
        // Everything agrees, or says nothing.
        ("", "1. e4 e5 1-0", &[][..]),
        ("[Result \"1-0\"]", "1. e4 e5 {Black resigns} 1-0", &[]),
        ("[Result \"0-1\"]", "1. e4 e5 {I could resign here after 50 minutes} 0-1", &[]),
        ("[ICCResult \"Black forfeits on time\"]\n[Termination \"time forfeit\"]", "1. e4 e5 1-0", &[]),
        ("[White \"Ann\"]\n[Result \"0-1\"]", "1. e4 e5 {Ann resigns} 0-1", &[]),
        ("[Result \"1/2-1/2\"]", "1. e4 e5 {Game drawn by mutual agreement} 1/2-1/2", &[]),
        ("[ICCResult \"White checkmated\"]\n[Termination \"normal\"]", "1. f3 e5 2. g4 Qh4# 0-1", &[]),
        ("[Result \"*\"]\n[Termination \"unterminated\"]", "1. e4 e5 *", &[]),
        ("[Result \"*\"]\n[Termination \"abandoned\"]", "1. e4 *", &[]),
        ("", "1. e4 e5 {Game aborted by mutual agreement} *", &[]),
        ("[ICCResult \"Game adjourned when White disconnected\"]", "1. e4 e5 *", &[]),
        ("", "1. e4 e5 {Game drawn because both players ran out of time} 1/2-1/2", &[]),
        ("", "1. e4 e5 {Black\nresigns} 1-0", &[]),
        ("", "1. e4 e5 {Draw?} {drawn game missed} {*} 1-0", &[]),
        // The result after the moves and the tag.
        ("[Result \"0 \u{2013} 1\"]", "1. e4 e5 1-0", &["[Result]"]),
        ("[Result \"White resigns\"]", "1. e4 e5 1-0", &["[Result]"]),
        ("[Result \"0-1\"]", "1. e4 e5 1-0", &["[Result]"]),
        ("[Result \"1-0\"]", "1. e4 e5 *", &["[Result]"]),
        ("[Result \"*\"]", "1. e4 e5 1-0", &["[Result]"]),
        ("[Result \"1/2-1/2\"]", "1. e4 e5 0-1", &["[Result]"]),
        // Words.
        ("[ICCResult \"White resigns\"]", "1. e4 e5 1-0", &["[ICCResult]"]),
        ("[ICCResult \"Game drawn by repetition\"]", "1. e4 e5 1-0", &["[ICCResult]"]),
        ("", "1. e4 e5 {White resigns} 1-0", &["comment"]),
        ("", "1. e4 e5 {0-1} 1-0", &["comment"]),
        ("", "1. e4 e5 {Black resigns} {White resigns} 1-0", &["comment"]),
        ("[Black \"Ann\"]", "1. e4 e5 {Ann resigns} 0-1", &["comment"]),
        ("[Termination \"time forfeit\"]", "1. e4 e5 {Black resigns} 1-0", &["[Termination]"]),
        ("[Termination \"normal\"]", "1. e4 e5 {Black forfeits on time} 1-0", &["[Termination]"]),
        ("[Termination \"unterminated\"]", "1. e4 e5 1-0", &["[Termination]"]),
        ("[ICCResult \"Black resigns\"]", "1. e4 e5 {Black forfeits on time} 1-0", &["comment"]),
        // The last position.
        ("[ICCResult \"White checkmated\"]", "1. e4 e5 0-1", &["[ICCResult]"]),
        ("", "1. e4 e5 2. f3 Qh4# 0-1", &["sign"]),
        ("[Result \"1-0\"]", mate, &["[Result]"]),
        ("[ICCResult \"White resigns\"]", "1. f3 e5 2. g4 Qh4# 0-1", &["[ICCResult]"]),
        ("", "1. f3 e5 2. g4 Qh4# 1/2-1/2", &["result"]),
    ];
    for (tags, moves, places) in rows {
        let moves = match moves == mate {
            true => format!("{mate} 1-0"),
            false => moves.to_owned(),
        };
        let text = format!("[Rules \"wild16\"]\n{tags}\n\n{moves}\n");
        let read = |text: &str| {
            let game = scores::RecordedGames::of_form(text.as_bytes(), scores::Form::Pgn).next();
            let game = game.unwrap().unwrap();
            game.unwrap_or_else(|error| panic!("{error}\n{text}"))
        };
        let game = read(&text);
        let opened = game.opening().unwrap();
        let found = follow(&game, opened, false).findings;
        let named: Vec<_> = found
            .iter()
            .filter(|f| f.what == AnnouncementKind::Over)
            .collect();
        let at = |place: &&str| named.iter().any(|f| f.recorded.starts_with(*place));
        assert!(places.iter().all(at), "{text}\n{found:?}");
        assert_eq!(found.is_empty(), places.is_empty(), "{text}\n{found:?}");
        // The converted game says the same, and nothing is invented.
        let pgn = convert(&game, None, Target::Pgn).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let again = read(&pgn.text);
        let logged_end = pgn.text.contains("resigned") || pgn.text.contains("flag");
        if !places.is_empty() {
            let score = moves.rsplit(' ').next().unwrap_or_default();
            assert!(
                pgn.text.ends_with(&format!("\n{score}\n\n")),
                "{}",
                pgn.text
            );
            assert!(!logged_end, "{}", pgn.text);
            for tag in tags.lines() {
                assert!(pgn.text.contains(tag), "{tag}: {}", pgn.text);
            }
            assert!(!pgn.notes.is_empty());
            let json = convert(&game, None, Target::Json).unwrap();
            assert!(json.losses.contains_key(&scores::Loss::End));
        }
        let opened = again.opening().unwrap();
        let found = follow(&again, opened, false).findings;
        assert_eq!(
            found.is_empty(),
            places.is_empty(),
            "{}\n{found:?}",
            pgn.text
        );
    }
}

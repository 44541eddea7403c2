//! Tests of a session that keeps its game in a file.

use std::{cell::Cell, rc::Rc, time::Duration};

use rules::rulesets;
use tempfile::TempDir;

use super::*;

#[test]
fn line_that_cannot_be_stored_adds_no_increment() {
    let folder = TempDir::with_prefix("kriegspiel-session-");
    let folder = folder.expect("the temporary folder must be writable");
    let path = folder.path().join("game");
    let time = Rc::new(Cell::new(0));
    let now = Rc::clone(&time);
    let clock = TableClock::read("10+5", move || Duration::from_secs(now.get()))
        .expect("the text is a clock");
    let data = DataFile::open(&path).expect("the file can be made");
    let mut settings = Settings::new(rulesets::RAND.clone());
    settings.form = Form::Words {
        show: None,
        prompt: false,
    };
    let desk = Desk {
        data: Some(data),
        clock: Some(clock),
        ..Desk::default()
    };
    let mut session = TableSession::open(&settings, desk).expect("the file is new");
    let typed = |session: &mut TableSession<'_>, lines: &str| {
        let mut output = Vec::new();
        let mut lines = Piped::new(lines.as_bytes());
        session
            .run(&mut lines, &mut output)
            .expect("memory can be written");
        String::from_utf8(output).expect("the output is UTF-8")
    };
    typed(&mut session, "e2e4\ne7e5\n");
    time.set(20);
    if let Some(data) = &mut session.data {
        data.fail_changes();
    }
    let text = typed(&mut session, "d2d4\nd2d4\nclock\n");
    assert_eq!(text.matches("The line does not count").count(), 2, "{text}");
    // White has used 20 seconds, and has the increment of one move.
    let times = " clock white 9:45 black 10:05\n";
    assert!(text.contains(times), "{text}");
}

/// Issue 39: a person is asked back before a move that fits no try is judged, a program is not.
#[test]
fn slip_is_asked_back_only_from_a_person() {
    let (slip, judged) = ("`e4` fits no try: the mover's", "nonsense");
    for (prompt, two, lines, asked_back, is_judged) in [
        (true, false, "e4\ne5\ne4\n", slip, false),
        (true, false, "e4\ne5\ne4\nd4\n", slip, false),
        (true, false, "e4\ne5\ne4\ne4\n", slip, true),
        (false, false, "e4\ne5\ne4\n", "", true),
        (
            true,
            true,
            "\ne5e6\n",
            "`e5e6` fits no try: your own",
            false,
        ),
    ] {
        let mut settings = Settings::new(rulesets::WILD16.clone());
        settings.form = Form::Words { show: None, prompt };
        let desk = Desk {
            two,
            ..Desk::default()
        };
        let mut session = TableSession::open(&settings, desk).expect("a new game begins");
        let mut output = Vec::new();
        let mut lines = Piped::new(lines.as_bytes());
        let ended = session.run(&mut lines, &mut output);
        ended.expect("memory can be written");
        let output = String::from_utf8(output).expect("the output is UTF-8");
        assert!(output.contains(asked_back), "{output}");
        assert_eq!(output.contains(judged), is_judged, "{output}");
    }
}

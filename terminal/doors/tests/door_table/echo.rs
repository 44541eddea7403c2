//! A door that only this test has. The door repeats lines, and says how many
//! games run.

use club::Club;
use doors::base::{
    Closing, ConnectionLimits, Console, Door, DoorOption, DoorSetup, Input, OptionKind, listen,
};

/// The door, for the table of doors.
pub const DOOR: Door = Door {
    address: DoorOption {
        name: "echo",
        env: "KRIEGSPIEL_ECHO",
        help: "Repeat lines [default: off]",
        kind: OptionKind::Address,
    },
    visitors: "Echoes",
    options: &[DoorOption {
        name: "echo-times",
        env: "KRIEGSPIEL_ECHO_TIMES",
        help: "How often a line is repeated [default: 1]",
        kind: OptionKind::Number("N"),
    }],
    serve: |opening| Box::pin(serve(opening)),
};

async fn serve(opening: DoorSetup) {
    let (club, closing) = (opening.club.clone(), opening.closing.clone());
    let times = opening.options.number("echo-times").unwrap_or(1);
    let serve_one = |console| converse(console, club.clone(), closing.clone(), times);
    listen(opening, ConnectionLimits::default(), serve_one).await;
}

async fn converse(mut console: Console, club: Club, closing: Closing, times: u32) {
    loop {
        let input = tokio::select! {
            input = console.lines.next() => input,
            () = closing.closed() => break,
        };
        match input {
            Ok(Input::Line(line)) if line == "games" => {
                let running = club.lobby_for(None).await.unwrap().running;
                console.output.say(&format!("{} games\n", running.len()));
            }
            Ok(Input::Line(line)) => {
                for _ in 0..times {
                    console.output.say(&format!("{line}\n"));
                }
            }
            Ok(Input::TooLong | Input::Interrupt) => {}
            Err(_) => return,
        }
    }
    console.output.say("bye\n");
    console.lines.close().await;
}

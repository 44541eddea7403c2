//! The door for clients of chess servers.

use club::Club;
use doors::{
    base::{Closing, Console, DoorLimits},
    ics::{IcsState, converse},
};
use rules::Attempt;

use crate::scene::{Door, PASSWORD};

pub struct Ics;

/// Lines that can be typed while a game runs, and that do not change the game.
const ASKS: &[&str] = &[
    "refresh",
    "refresh 1",
    "time",
    "time 1",
    "who",
    "games",
    "history",
    "history Ada",
    "history Bert",
    "finger",
    "finger Ada",
    "finger Bert",
    "sought",
    "pending",
    "stored",
    "moves",
    "moves 1",
    "variables",
    "observe 1",
    "date",
    "uptime",
    "rules",
    "style 1",
    "style 12",
    "set kibitz-announcements",
    "iset ms 1",
    "Rd9",
    "xyzzy",
    "please move",
    "examine",
    "takeback",
    "resume",
    "rematch",
    "kibitz hello",
    "whisper hello",
    "say hello",
    "tell Ada hello",
    "",
    // Only spectators type these four lines. If a player types `flag` or `withdraw`, it can change
    // the game. If a player types `seek` or `match`, another game can begin.
    "flag",
    "withdraw",
    "seek",
    "match Dora",
];

impl Door for Ics {
    fn name(&self) -> &'static str {
        "ics"
    }

    fn has_spectators(&self) -> bool {
        true
    }

    fn open(&self, club: &Club) -> Box<dyn Fn(Console)> {
        let door_state = IcsState::new(club.clone(), DoorLimits::default(), Closing::default());
        Box::new(move |console| {
            tokio::spawn(converse(door_state.clone(), console));
        })
    }

    fn comes(&self, name: &str, plays: bool) -> Vec<String> {
        let watches = if plays { "refresh" } else { "observe Ada" };
        let lines = [name, PASSWORD, "games", "style 12", watches];
        lines.map(str::to_owned).to_vec()
    }

    fn says(&self, attempt: Attempt) -> String {
        match attempt {
            Attempt::OfferDraw | Attempt::AcceptDraw => "draw".to_owned(),
            Attempt::DeclineDraw => "decline".to_owned(),
            Attempt::WithdrawDraw => "withdraw".to_owned(),
            Attempt::Try(_)
            | Attempt::Px { .. }
            | Attempt::Any
            | Attempt::Count
            | Attempt::Recap
            | Attempt::Resign => attempt.to_string(),
        }
    }

    fn spectator_writes(&self, player: &str, text: &str) -> Vec<String> {
        vec![
            format!("kibitz {text}"),
            format!("tell {player} {text}"),
            format!("message {player} {text}"),
            format!("shout {text}"),
        ]
    }

    fn player_writes(&self, text: &str) -> Vec<String> {
        vec![format!("say {text}"), format!("kibitz {text}")]
    }

    fn asks(&self, plays: bool) -> &'static [&'static str] {
        // Number of entries at the end of `ASKS` that only spectators type.
        const SPECTATOR_LINES: usize = 4;
        if plays {
            &ASKS[..ASKS.len() - SPECTATOR_LINES]
        } else {
            ASKS
        }
    }
}

//! Commands besides tries. Keys, menu and help share this table.

use wire::TableAct;

/// Action of the screen alone.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Here {
    /// Shows the keys and words.
    Help,
    /// Shows what can be done now.
    Menu,
    /// Explains the ruleset.
    Rules,
    /// Guesses an enemy man on the square of the cursor.
    Guess,
    /// Removes all guesses.
    ClearGuesses,
    /// Turns the board.
    Turn,
    /// Changes the colours.
    Theme,
    /// Changes how men are drawn.
    Men,
    /// Looks at the finished game.
    Review,
    /// Writes the finished game into a file.
    Save,
    /// Goes to the lobby.
    Lobby,
    /// Offers a game to anybody.
    Seek,
    /// Offers a game to one player.
    Challenge,
    /// Redraws the screen.
    Redraw,
    /// Suspends the program.
    Suspend,
    /// Ends the program.
    Quit,
}

/// Action of a command.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Does {
    /// Sends a word to the referee.
    Say(&'static str),
    /// Does something at the table.
    Act(TableAct),
    /// Does something here.
    Here(Here),
}

/// A command.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Command {
    /// Its name in the menu.
    pub label: &'static str,
    /// Its key.
    pub key: Option<&'static str>,
    /// Words that can be typed for it.
    pub typed: &'static [&'static str],
    /// Description in one line.
    pub about: &'static str,
    /// Question before it is done, if any.
    pub confirm: Option<&'static str>,
    /// Action.
    pub does: Does,
}

const fn command(
    label: &'static str,
    key: &'static str,
    typed: &'static [&'static str],
    about: &'static str,
    does: Does,
) -> Command {
    let key = if key.is_empty() { None } else { Some(key) };
    Command {
        label,
        key,
        typed,
        about,
        confirm: None,
        does,
    }
}

const fn asked(command: Command, confirm: &'static str) -> Command {
    Command {
        confirm: Some(confirm),
        ..command
    }
}

use Does::{Act, Here as There, Say};

/// Every command.
pub const COMMANDS: [Command; 32] = [
    command(
        "Help",
        "F1",
        &["help", "?"],
        "shows this page",
        There(Here::Help),
    ),
    command(
        "Menu",
        "F2",
        &["menu"],
        "lists what can be done now",
        There(Here::Menu),
    ),
    command(
        "Any?",
        "F3",
        &["any", "any?"],
        "asks whether a pawn of yours can capture",
        Say("any"),
    ),
    command(
        "Count",
        "F4",
        &["count"],
        "asks how often your opponent was rebuffed",
        Say("count"),
    ),
    command(
        "Recap",
        "F5",
        &["recap"],
        "asks for the last announcements again",
        Say("recap"),
    ),
    command(
        "Pawn try",
        "F6",
        &["px"],
        "plays the one pawn capture announced",
        Say("px"),
    ),
    command(
        "Rules",
        "F7",
        &["rules"],
        "explains the rules of this game",
        There(Here::Rules),
    ),
    command(
        "Guess",
        "Control-P",
        &["guess"],
        "a guess, told to nobody: guess qd5, guess d5",
        There(Here::Guess),
    ),
    command(
        "Clear guesses",
        "",
        &["clear"],
        "takes all guesses back",
        There(Here::ClearGuesses),
    ),
    command(
        "Turn the board",
        "Control-T",
        &["turn", "flip"],
        "turns the board",
        There(Here::Turn),
    ),
    asked(
        command(
            "Accept draw",
            "",
            &["accept-draw", "accept"],
            "accepts the draw offered",
            Say("accept-draw"),
        ),
        "Accept the draw? The game ends.",
    ),
    command(
        "Decline draw",
        "",
        &["decline-draw", "decline"],
        "declines the draw offered",
        Say("decline-draw"),
    ),
    command(
        "Offer draw",
        "F8",
        &["offer-draw", "draw"],
        "offers a draw; `draw` will do",
        Say("offer-draw"),
    ),
    command(
        "Withdraw draw",
        "",
        &["withdraw-draw"],
        "takes the draw offer back",
        Say("withdraw-draw"),
    ),
    asked(
        command(
            "Resign",
            "F9",
            &["resign", "resigns"],
            "gives the game up",
            Say("resign"),
        ),
        "Resign? Your opponent wins.",
    ),
    asked(
        command(
            "Abort",
            "",
            &["abort"],
            "breaks off a game that has hardly begun",
            Act(TableAct::Abort),
        ),
        "Break the game off? It counts for nobody.",
    ),
    command(
        "Adjourn",
        "",
        &["adjourn"],
        "offers, or accepts, to go on another day",
        Act(TableAct::Adjourn),
    ),
    command(
        "Go on",
        "",
        &["resume"],
        "adjourned: offers, or accepts, to go on",
        Act(TableAct::Resume),
    ),
    command(
        "Not adjourn",
        "",
        &["decline-adjourn"],
        "takes back or declines an adjournment",
        Act(TableAct::DeclineAdjourn),
    ),
    command(
        "Claim win",
        "",
        &["claim-win"],
        "your opponent is gone: claims the win",
        Act(TableAct::ClaimWin),
    ),
    command(
        "Claim draw",
        "",
        &["claim-draw"],
        "your opponent is gone: claims a draw",
        Act(TableAct::ClaimDraw),
    ),
    command(
        "Rematch",
        "F10",
        &["rematch"],
        "after the end: another game, colours changed",
        Act(TableAct::Rematch),
    ),
    command(
        "No rematch",
        "",
        &["decline-rematch"],
        "takes back or declines the rematch",
        Act(TableAct::DeclineRematch),
    ),
    command(
        "Look back",
        "F11",
        &["review"],
        "after the end: shows the game step by step",
        There(Here::Review),
    ),
    command(
        "Save",
        "Control-S",
        &["save"],
        "after the end: writes it down: save game.pgn",
        There(Here::Save),
    ),
    command(
        "Lobby",
        "F12",
        &["lobby"],
        "goes to the lobby of the club",
        There(Here::Lobby),
    ),
    command(
        "Seek",
        "",
        &["seek"],
        "offers anybody a game: seek wild16 10+5",
        There(Here::Seek),
    ),
    command(
        "Challenge",
        "",
        &["challenge"],
        "offers one a game: challenge bert ks none",
        There(Here::Challenge),
    ),
    command(
        "Theme",
        "",
        &["theme"],
        "changes the colours: dark, light, none",
        There(Here::Theme),
    ),
    command(
        "Men",
        "",
        &["men"],
        "draws men as figures or as letters",
        There(Here::Men),
    ),
    command(
        "Redraw",
        "Control-L",
        &["redraw"],
        "draws the screen anew",
        There(Here::Redraw),
    ),
    command(
        "Quit",
        "Control-C",
        &["quit", "exit"],
        "ends the program",
        There(Here::Quit),
    ),
];

/// Suspends the program, where the system supports it.
pub(crate) const SUSPEND: Command = command(
    "Suspend",
    "Control-Z",
    &["suspend"],
    "puts the program to sleep; fg wakes it",
    There(Here::Suspend),
);

/// Keys that move things, shown in the help.
pub(crate) const KEYS: [(&str, &str); 10] = [
    (
        "letters",
        "type a try or a word in any notation, Enter says it",
    ),
    ("arrows", "move the cursor on the board"),
    ("Enter, Space", "take the man under the cursor, put it down"),
    ("Esc", "lets go of the man; empties the line; closes a page"),
    ("mouse", "click a man and its square, or drag it there"),
    (
        "right button",
        "guesses an enemy man; Control-P: on the cursor's square",
    ),
    ("Delete", "takes back the guess under the cursor"),
    ("PageUp, PageDown", "turn the log"),
    ("Tab", "takes a man of the reserve, each time the next kind"),
    (
        "looking back",
        "arrows, Home, End: the steps; Tab: whose board; q: back",
    ),
];

/// Returns every command that this system supports.
pub(crate) fn all() -> impl Iterator<Item = Command> {
    COMMANDS.into_iter().chain(cfg!(unix).then_some(SUSPEND))
}

/// Finds the command of a key.
pub(crate) fn by_key(key: &str) -> Option<Command> {
    all().find(|command| command.key == Some(key))
}

/// Finds the command of a word.
pub(crate) fn by_word(word: &str) -> Option<Command> {
    let lower = word.to_ascii_lowercase();
    all().find(|command| command.typed.contains(&lower.as_str()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_commands_share_a_key_or_a_word() {
        let keys: Vec<&str> = all().filter_map(|command| command.key).collect();
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
        let words: Vec<&str> = all().flat_map(|command| command.typed).copied().collect();
        assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len());
    }

    #[test]
    fn every_line_of_the_help_fits_into_a_usual_window() {
        for command in all() {
            let long = command.about.len();
            assert!(long <= 46, "{}: {long}", command.label);
        }
        for (key, about) in KEYS {
            assert!(key.len() <= 17 && about.len() <= 56, "{key}");
        }
    }

    #[test]
    fn no_word_of_a_command_is_a_try() {
        for command in all() {
            for word in command.typed {
                assert!(crate::men::ends(word).is_none(), "{word}");
            }
        }
    }
}

//! The table of all commands except tries. The keys, the menu and the help are
//! made from this table.

use std::sync::LazyLock;

use wire::TableAct;

/// Action of the screen, of the lobby, or about messages.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Here {
    /// Shows the keys and words.
    Help,
    /// Lists the commands that are possible now.
    Menu,
    /// Explains the ruleset.
    Rules,
    /// Places a guessed man of the opponent on the square of the cursor.
    Guess,
    /// Removes all guesses.
    ClearGuesses,
    /// Turns the board by 180 degrees.
    Turn,
    /// Changes the colours.
    Theme,
    /// Changes how men are drawn.
    Men,
    /// Shows the finished game step by step.
    Review,
    /// Writes the finished game to a file.
    Save,
    /// Writes a message to the opponent.
    Say,
    /// Hides the messages of the opponent, and stops own messages to the opponent.
    Mute,
    /// Ends `Mute`.
    Unmute,
    /// Goes to the lobby.
    Lobby,
    /// Offers a game to anybody.
    Seek,
    /// Offers a game to one player.
    Challenge,
    /// Shows the profile of a player.
    Finger,
    /// Lists finished games.
    History,
    /// Lists the highest ratings.
    Best,
    /// Redraws the screen.
    Redraw,
    /// Suspends the program.
    Suspend,
    /// Ends the program.
    Quit,
}

/// Action of a command.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Does {
    /// Sends a word to the referee.
    Say(&'static str),
    /// Does an act at the table.
    Act(TableAct),
    /// Does an action of the screen, of the lobby, or about messages.
    Here(Here),
}

/// A command of the player.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Command {
    /// Name of the command in the menu.
    pub(crate) label: &'static str,
    /// Key of the command, if it has one.
    pub(crate) key: Option<&'static str>,
    /// Words that the player can type for the command, separated by spaces. The usual
    /// word is the first.
    pub(crate) typed: &'static str,
    /// Description in one line.
    pub(crate) about: &'static str,
    /// Question to confirm the command, if any.
    pub(crate) confirm: Option<&'static str>,
    /// Action of the command.
    pub(crate) does: Does,
}

/// Table of all commands, one per line: name, key, typed words, description, and
/// the question to confirm the command. The first typed word selects the action.
const TABLE: &str = "\
Help           | F1        | help ?                 | shows this page
Menu           | F2        | menu                   | lists what can be done now
Any?           | F3        | any any?               | asks whether a pawn of yours can capture
Count          | F4        | count                  | asks how often your opponent was rebuffed
Recap          | F5        | recap                  | asks for the last announcements again
Pawn try       | F6        | px                     | plays the one pawn capture announced
Rules          | F7        | rules                  | explains the rules of this game
Guess          | Control-P | guess                  | sets a guess that nobody else sees: guess qd5
Clear guesses  |           | clear                  | removes all guesses
Turn the board | Control-T | turn flip              | turns the board
Accept draw    |           | accept-draw accept     | accepts the draw offered | Accept the draw? The game ends.
Decline draw   |           | decline-draw decline   | declines the draw offered
Offer draw     | F8        | offer-draw draw        | offers a draw; short: `draw`
Withdraw draw  |           | withdraw-draw          | withdraws the draw offer
Resign         | F9        | resign resigns         | gives the game up | Resign? Your opponent wins.
Abort          |           | abort                  | breaks off a game that has hardly begun | Abort the game? It has no result.
Adjourn        |           | adjourn                | stops until another day, if you both agree
Continue       |           | resume                 | resumes the adjourned game, if you both agree
Not adjourn    |           | decline-adjourn        | withdraws or declines an adjournment
Claim win      |           | claim-win              | your opponent is gone: claims the win
Claim draw     |           | claim-draw             | your opponent is gone: claims a draw
Rematch        | F10       | rematch                | after the end: another game, colours swapped
No rematch     |           | decline-rematch        | withdraws or declines the rematch
Look back      | F11       | review                 | after the end: shows the game step by step
Save           | Control-S | save                   | after the end: saves the game: save game.pgn
Say            |           | say                    | writes to your opponent: say good luck
Mute           |           | mute                   | hides the messages of your opponent
Unmute         |           | unmute                 | shows the messages of your opponent again
Lobby          | F12       | lobby                  | goes to the lobby of the club
Seek           |           | seek                   | offers anybody a game: seek wild16 10+5
Challenge      |           | challenge              | offers a player a game: challenge bert ks none
Finger         |           | finger                 | shows a player: finger bert
History        |           | history                | lists finished games: history bert
Best           |           | best                   | lists the highest ratings: best ks
Theme          |           | theme                  | changes the colours: dark, light, none
Men            |           | men                    | draws men as figures or as letters
Redraw         | Control-L | redraw                 | draws the screen again
Quit           | Control-C | quit exit              | ends the program
Suspend        | Control-Z | suspend                | suspends the program; fg continues it";

/// Returns the action of the command with this first word. A word that has no
/// action on the screen is sent to the referee.
fn action(word: &'static str) -> Does {
    match word {
        "help" => Does::Here(Here::Help),
        "menu" => Does::Here(Here::Menu),
        "rules" => Does::Here(Here::Rules),
        "guess" => Does::Here(Here::Guess),
        "clear" => Does::Here(Here::ClearGuesses),
        "turn" => Does::Here(Here::Turn),
        "abort" => Does::Act(TableAct::Abort),
        "adjourn" => Does::Act(TableAct::Adjourn),
        "resume" => Does::Act(TableAct::Resume),
        "decline-adjourn" => Does::Act(TableAct::DeclineAdjourn),
        "claim-win" => Does::Act(TableAct::ClaimWin),
        "claim-draw" => Does::Act(TableAct::ClaimDraw),
        "rematch" => Does::Act(TableAct::Rematch),
        "decline-rematch" => Does::Act(TableAct::DeclineRematch),
        "review" => Does::Here(Here::Review),
        "save" => Does::Here(Here::Save),
        "say" => Does::Here(Here::Say),
        "mute" => Does::Here(Here::Mute),
        "unmute" => Does::Here(Here::Unmute),
        "lobby" => Does::Here(Here::Lobby),
        "seek" => Does::Here(Here::Seek),
        "challenge" => Does::Here(Here::Challenge),
        "finger" => Does::Here(Here::Finger),
        "history" => Does::Here(Here::History),
        "best" => Does::Here(Here::Best),
        "theme" => Does::Here(Here::Theme),
        "men" => Does::Here(Here::Men),
        "redraw" => Does::Here(Here::Redraw),
        "quit" => Does::Here(Here::Quit),
        "suspend" => Does::Here(Here::Suspend),
        _ => Does::Say(word),
    }
}

impl Command {
    /// Returns the words that can be typed for the command, the usual word first.
    pub(crate) fn words(self) -> impl Iterator<Item = &'static str> {
        self.typed.split(' ')
    }
}

fn command(row: &'static str) -> Command {
    let mut cells = row.split('|').map(str::trim);
    let mut cell = || cells.next().filter(|cell| !cell.is_empty());
    let (label, key, typed) = (cell(), cell(), cell().unwrap_or_default());
    Command {
        label: label.unwrap_or_default(),
        key,
        typed,
        about: cell().unwrap_or_default(),
        confirm: cell(),
        does: action(typed.split(' ').next().unwrap_or_default()),
    }
}

/// First part of the help: the keys to move things, and the signs on the board.
pub(crate) const HELP: &str = "\
Keys
  letters           type a try or a word in any notation, Enter sends it
  p n, s e4, s a    ask: your knights; your men on e4, on the file a
  l, o, c, i        ask: the last call, your opponent, the clocks, this game
  arrows            move the cursor on the board
  Enter, Space      take the man under the cursor, put it down
  Esc               lets go of the man; empties the line; closes a page
  mouse             click a man and its square, or drag it there
  right button      guesses an enemy man; Control-P: on the cursor's square
  Delete            removes the guess under the cursor
  PageUp, PageDown  scroll the log
  Tab               takes a man of the reserve, each time the next kind
  looking back      arrows, Home, End: the steps; Tab: whose board; q: back
  b                 viewing a file: shows what each player could know
  h                 after b: shows the heat map of the next kind of men
Signs on the board
  x                 a try to this square was refused this turn
  !                 the umpire named this square
  .                 the man in hand may be tried there
  a man with ?      your guess
Commands, by key or as a word
";

/// Returns every command that this operating system supports.
pub(crate) fn all() -> impl Iterator<Item = Command> {
    static COMMANDS: LazyLock<Vec<Command>> =
        LazyLock::new(|| TABLE.lines().map(command).collect());
    let has_suspend = cfg!(unix);
    let commands = COMMANDS.iter().copied();
    commands.filter(move |command| has_suspend || command.does != Does::Here(Here::Suspend))
}

/// Finds the command with this key.
pub(crate) fn by_key(key: &str) -> Option<Command> {
    all().find(|command| command.key == Some(key))
}

/// Finds the command with this typed word.
pub(crate) fn by_word(word: &str) -> Option<Command> {
    let lower = word.to_ascii_lowercase();
    all().find(|command| command.words().any(|known| known == lower))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_commands_share_a_key_or_a_word() {
        let keys: Vec<&str> = all().filter_map(|command| command.key).collect();
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
        let words: Vec<&str> = all().flat_map(|command| command.words()).collect();
        assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len());
    }

    #[test]
    fn every_line_of_the_help_fits_into_a_usual_window() {
        for command in all() {
            let long = command.about.len();
            assert!(long <= 46, "{}: {long}", command.label);
        }
        for line in HELP.lines() {
            assert!(line.len() <= 76, "{line}");
        }
    }

    #[test]
    fn every_row_is_a_command_and_no_action_is_missing() {
        let choices = rules::rulesets::ALL.iter().map(|r| r.choices);
        let words: BTreeSet<&str> = choices.flat_map(|c| notation::typed_words(&c)).collect();
        for command in all() {
            let name = command.label;
            assert!(!name.is_empty() && !command.typed.is_empty() && !command.about.is_empty());
            if let Does::Say(word) = command.does {
                assert!(words.contains(word) || word.ends_with("-draw"), "{name}");
            }
        }
        let by_screen = all().filter(|command| matches!(command.does, Does::Here(_)));
        assert_eq!(by_screen.count(), Here::Quit as usize + 1);
        let at_table = all().filter(|command| matches!(command.does, Does::Act(_)));
        assert_eq!(at_table.count(), 8);
    }

    #[test]
    fn no_word_of_a_command_is_a_try() {
        for command in all() {
            for word in command.words() {
                assert!(crate::men::ends(word).is_none(), "{word}");
            }
        }
    }
}

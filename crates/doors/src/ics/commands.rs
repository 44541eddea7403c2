//! The table of this door's commands. The dispatch, the help and the list of
//! commands are made from it.

/// A command of this door.
#[derive(Copy, Clone, Debug)]
pub struct Command {
    /// Name of the command.
    pub name: &'static str,
    /// Other names of the command.
    pub others: &'static [&'static str],
    /// Action of the command.
    pub verb: Verb,
    /// Parameters after the name.
    pub usage: &'static str,
    /// Description in one or a few sentences.
    pub about: &'static str,
}

macro_rules! commands {
    ($($name:literal $([$($other:literal),+])? $verb:ident $usage:literal $about:literal;)+) => {
        /// Action of a command.
        #[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
        #[allow(missing_docs, reason = "the table says what each does")]
        pub enum Verb {
            $($verb),+
        }

        /// Table of all commands, sorted by name.
        pub const COMMANDS: &[Command] = &[$(Command {
            name: $name,
            others: &[$($($other),+)?],
            verb: Verb::$verb,
            usage: $usage,
            about: $about,
        }),+];
    };
}

commands! {
    "abort" Abort "" "Break the game off before both have moved; afterwards a game ends otherwise.";
    "accept" Accept "[NAME|NUMBER]" "Accept a draw, an adjournment, a rematch or a challenge; with a name or a number of `pending`, that challenge.";
    "adjourn" Adjourn "" "Offer to go on with the game another day, or accept that. `resume` goes on with it.";
    "alias" Alias "[WORD [TEXT]]" "Let WORD stand for TEXT at the beginning of a line; alone, list what stands for what.";
    "any" ["any?"] Any "" "Ask \"any?\": have I a legal pawn capture? Where the ruleset has the question.";
    "backward" ["back"] Backward "[N]" "In a game that you examine, go back a move or N.";
    "censor" Censor "[NAME]" "Hear nothing more of what NAME tells or shouts, until you disconnect.";
    "count" Count "" "Ask how often your opponent was rebuffed. Where the ruleset has the question.";
    "date" Date "" "The date and the time, of the club's clock.";
    "decline" Decline "[NAME|NUMBER]" "Decline what is offered; see accept.";
    "draw" Draw "" "Offer a draw, or accept the one that is offered.";
    "examine" ["ex"] Examine "[N|GAME]" "Look through a game that is over, with all men: the last one, the one that `history` numbers N, or the one of that id. Then forward and backward.";
    "finger" ["f"] Finger "[NAME]" "Who somebody is, and what they play.";
    "flag" Flag "" "Claim the game when your opponent is gone for long enough. When their time is up the club ends the game by itself.";
    "forward" Forward "[N]" "In a game that you examine, go a move or N on.";
    "games" Games "" "The games that are being played.";
    "help" ["?", "commands"] Help "[TOPIC]" "Help: a list of topics, or what is known of one.";
    "history" History "[NAME]" "The last ten games of yours or of somebody who is here.";
    "iset" Iset "NAME VALUE" "For clients: ms, startpos, lock and others.";
    "kibitz" ["ki", "*", ";"] Kibitz "TEXT" "Say something about the game that you play or watch. As long as it runs the players hear each other and watchers hear all, but what watchers say no player hears.";
    "match" ["m"] Match "NAME [MINUTES [SECONDS]] [RULES] [white|black] [rated|unrated]" "Challenge somebody, or a built-in bot by its name. RULES: kriegspiel (as wild/16) or any ruleset, see `help rulesets`; `untimed` plays without clocks.";
    "moretime" Moretime "" "Nobody gives time away in this club.";
    "moves" ["smoves"] Moves "[N]" "The moves of a game that is over. Those of a running game are told to nobody.";
    "news" News "" "What is new.";
    "notify" Notify "[NAME]" "Be told when NAME comes and goes, until you disconnect.";
    "observe" ["obs", "o"] Observe "GAME|NAME" "Watch a game: you hear what the referee says aloud, and the board stays empty until it is over.";
    "password" Password "" "A password is changed by no command of this door.";
    "pending" ["pen"] Pending "" "The challenges to you and from you.";
    "play" Play "NUMBER|NAME" "Answer a seek.";
    "px" Px "[MAN]" "Play the one pawn capture that was announced; `px=n` promotes. Where the ruleset has it.";
    "quit" ["bye", "exit", "logout"] Quit "" "Hang up. A game goes on, and so does its clock; with an account you come back and sit in it again.";
    "recap" Recap "" "Ask for the announcements of the last move again, aloud. Where the ruleset has the question.";
    "refresh" ["ref", "board"] Refresh "[GAME]" "Show the board again, as far as you may see it.";
    "register" Register "" "How to get an account.";
    "rematch" ["rema"] Rematch "" "Offer another game with colours changed, or accept it.";
    "resign" Resign "" "Resign the game.";
    "resume" Resume "[N]" "Sit down in a game of yours that is not over, as `stored` numbers it; if it is adjourned, offer to go on.";
    "rules" Rules "[RULESET|SEEK]" "What the referee says under a ruleset, or under that of a seek, by its number; alone, under the one you play.";
    "say" [","] Say "TEXT" "Say something to your opponent.";
    "seek" Seek "[MINUTES [SECONDS]] [RULES] [white|black] [rated|unrated]" "Offer a game to everybody; see match.";
    "set" Set "VARIABLE VALUE" "Set a variable; see variables, and `help set`.";
    "shout" ["!"] Shout "TEXT" "Say something to everybody at this door.";
    "sought" ["so"] Sought "" "The games that are offered to everybody.";
    "stored" Stored "" "Your games that are not over.";
    "style" Style "1|12" "How boards are shown: 1 for people, 12 for clients.";
    "takeback" Takeback "" "No move is taken back here: the referee has spoken.";
    "tell" ["t", "xtell"] Tell "NAME TEXT" "Say something to somebody at this door.";
    "time" Time "[GAME]" "The clocks of a game.";
    "unalias" Unalias "WORD" "Forget an alias.";
    "uncensor" Uncensor "NAME" "Hear NAME again.";
    "unexamine" ["unex"] Unexamine "" "Look no longer at the game that you examine.";
    "unnotify" Unnotify "NAME" "See notify.";
    "unobserve" ["unobs"] Unobserve "[GAME]" "Watch a game no longer; alone, none.";
    "unseek" Unseek "[NUMBER]" "Take your seeks back, or one.";
    "uptime" Uptime "" "Since when this door is open.";
    "variables" ["v", "vars"] Variables "" "What is set.";
    "whisper" ["wh"] Whisper "TEXT" "Say something to those who watch the game that you play or watch.";
    "who" Who "" "Who is at this door, and the built-in bots.";
    "withdraw" ["with"] Withdraw "[NAME|NUMBER]" "Take back what you have offered: a draw, an adjournment, a rematch, a challenge.";
}

/// Error: a word does not name exactly one command.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum NotFound {
    /// No command begins with the word.
    Unknown,
    /// Several commands begin with the word; holds their names.
    Ambiguous(Vec<&'static str>),
}

/// Finds the command that a word names: by its name, by another name, or by the
/// beginning of only one name.
///
/// # Errors
/// No command or several commands match.
pub fn find(word: &str) -> Result<&'static Command, NotFound> {
    let word = word.to_ascii_lowercase();
    let named = |c: &&Command| c.name == word || c.others.contains(&word.as_str());
    if let Some(command) = COMMANDS.iter().find(named) {
        return Ok(command);
    }
    let begins = |c: &&Command| word.len() > 1 && c.name.starts_with(&word);
    match *COMMANDS.iter().filter(begins).collect::<Vec<_>>() {
        [] => Err(NotFound::Unknown),
        [one] => Ok(one),
        ref all => Err(NotFound::Ambiguous(all.iter().map(|c| c.name).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_name_is_one_commands_and_no_move() {
        let mut seen = HashSet::new();
        for command in COMMANDS {
            for name in command.others.iter().chain([&command.name]) {
                assert!(seen.insert(*name), "{name} is there twice");
                assert_eq!(find(name).unwrap().verb, command.verb);
                assert!(
                    !name.chars().any(|c| c.is_ascii_digit()),
                    "{name} reads as a square"
                );
            }
            assert!(command.about.ends_with('.'), "{}", command.name);
        }
        assert!(COMMANDS.is_sorted_by_key(|c| c.name));
    }

    #[test]
    fn a_beginning_is_enough_where_it_is_one_commands() {
        assert_eq!(find("resi").unwrap().verb, Verb::Resign);
        assert_eq!(find("EXAM").unwrap().verb, Verb::Examine);
        assert_eq!(find("xyzzy").unwrap_err(), NotFound::Unknown);
        assert_eq!(
            find("un").unwrap_err(),
            NotFound::Ambiguous(vec![
                "unalias",
                "uncensor",
                "unexamine",
                "unnotify",
                "unobserve",
                "unseek"
            ])
        );
        assert_eq!(find("a").unwrap_err(), NotFound::Unknown);
    }
}

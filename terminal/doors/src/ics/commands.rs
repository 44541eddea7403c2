//! Table of the commands of the ICS door, the door for clients of chess servers. The dispatch, the
//! help and the list of commands are made from the table.

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
        #[allow(missing_docs, reason = "the table describes each command")]
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
    "abort" Abort "" "Abort the game. This is possible only until both players have moved.";
    "accept" Accept "[NAME|NUMBER]" "Accept a draw, an adjournment, a rematch or a challenge. NAME or NUMBER selects a challenge of the list `pending`.";
    "adjourn" Adjourn "" "Offer to adjourn the game and continue it another day, or accept such an offer. `resume` continues an adjourned game.";
    "alias" Alias "[WORD [TEXT]]" "Replace WORD by TEXT at the beginning of your lines. Without parameters: list your aliases.";
    "any" ["any?"] Any "" "Ask \"any?\": have I a legal pawn capture? Not every ruleset has this question.";
    "backward" ["back"] Backward "[N]" "In a game that you examine, go back one move, or N moves.";
    "best" Best "[RULESET]" "List the people with the highest ratings, under wild/16 or under RULESET and those of its family. Provisional ratings are left out.";
    "censor" ["mute"] Censor "[NAME]" "Mute NAME: read nothing that NAME writes, at every door and on the club's page. While one of two people mutes the other, they can neither write to each other nor challenge each other. Without a name: list whom you mute.";
    "count" Count "" "Ask how often your opponent was rebuffed. Not every ruleset has this question.";
    "date" Date "" "Show the date and the time of the club's clock.";
    "decline" Decline "[NAME|NUMBER]" "Decline a draw, an adjournment, a rematch or a challenge. NAME or NUMBER selects a challenge of the list `pending`.";
    "draw" Draw "" "Offer a draw, or accept the one that is offered.";
    "examine" ["ex"] Examine "[N|GAME]" "Look through a finished game, with all men: your last game, game N of `history`, or the game with this id. Then use `forward` and `backward`.";
    "finger" ["f"] Finger "[NAME]" "Show who a person is, what the person plays, and the ratings.";
    "flag" Flag "" "Claim the game when your opponent has been disconnected long enough. If the opponent's time runs out, the club ends the game without a claim.";
    "forward" Forward "[N]" "In a game that you examine, go forward one move, or N moves.";
    "games" Games "" "List the games that are being played.";
    "help" ["?", "commands"] Help "[TOPIC]" "List the topics of help, or show the help on one topic.";
    "history" History "[NAME]" "List your last ten finished games, or those of NAME.";
    "iset" Iset "NAME VALUE" "Set a variable for client programs: ms (times in milliseconds) or lock (no more changes). startpos is always on. There is no block mode.";
    "kibitz" ["ki", "*", ";"] Kibitz "TEXT" "Comment on the game that you play or watch. While the game runs, only the opponent reads the comment of a player. Only the other spectators read the comment of a spectator.";
    "match" ["m"] Match "NAME [MINUTES [SECONDS]] [RULES] [white|black] [rated|unrated]" "Challenge somebody, or a built-in bot by its name. RULES: kriegspiel (as wild/16) or any ruleset, see `help rulesets`; `untimed` plays without clocks.";
    "message" ["mess"] Message "NAME TEXT" "Leave a message for a person with an account, who reads it at the next sign-in at this door, or on the club's page. A person who is here also reads it at once.";
    "moretime" Moretime "" "Players of this club cannot give each other time.";
    "moves" ["smoves"] Moves "[N]" "List the moves of a finished game. The moves of a running game are secret.";
    "news" News "" "Show the news.";
    "notify" Notify "[NAME]" "Announce when NAME comes or goes.";
    "observe" ["obs", "o"] Observe "GAME|NAME" "Watch a game: you hear what the referee says aloud, and the board stays empty until the game is over.";
    "password" Password "" "You cannot change your password at this door. Change it on the club's page.";
    "pending" ["pen"] Pending "" "List the challenges to you and from you.";
    "play" Play "NUMBER|NAME" "Accept a seek, and play the game.";
    "px" Px "[MAN]" "Play the one pawn capture that was announced; `px=n` promotes the pawn. Not every ruleset has this command.";
    "quit" ["bye", "exit", "logout"] Quit "" "Disconnect. Your game and its clock continue. If you have an account, you can come back and take your seat again.";
    "recap" Recap "" "Ask the referee to repeat the announcements of the last move; everybody hears the answer. Not every ruleset has this question.";
    "refresh" ["ref", "board"] Refresh "[GAME]" "Show the board again, with only the men that you may see.";
    "register" Register "" "Explain how to get an account.";
    "rematch" ["rema"] Rematch "" "Offer another game with the colours exchanged, or accept such an offer.";
    "resign" Resign "" "Resign the game.";
    "resume" Resume "[N]" "Take your seat in unfinished game N of `stored`. If the game is adjourned, offer to continue it.";
    "rules" Rules "[RULESET|SEEK]" "Explain what the referee says under a ruleset, or under the ruleset of the seek with this number. Without a parameter: under the ruleset of your game.";
    "say" [","] Say "TEXT" "Say something to your opponent, at any door or on the club's page. Spectators do not read it.";
    "seek" Seek "[MINUTES [SECONDS]] [RULES] [white|black] [rated|unrated]" "Offer a game to everybody. `help match` explains the parameters.";
    "set" Set "VARIABLE VALUE" "Set a variable. `help set` explains the variables, and `variables` lists their values.";
    "shout" ["!"] Shout "TEXT" "Say something to everybody at this door, except the players of games that you watch.";
    "sought" ["so"] Sought "" "List the games that are offered to everybody.";
    "stored" Stored "" "List your unfinished games.";
    "style" Style "1|12" "Choose how boards are shown: 1 for people, 12 for client programs.";
    "takeback" Takeback "" "A move cannot be taken back here, because the referee has already announced the move.";
    "tell" ["t", "xtell"] Tell "NAME TEXT" "Say something to somebody at this door. While a game runs, its players read nothing from those who watch it.";
    "time" Time "[GAME]" "Show the clocks of a game.";
    "unalias" Unalias "WORD" "Remove an alias.";
    "uncensor" ["unmute"] Uncensor "NAME" "End the mute of NAME; see censor.";
    "unexamine" ["unex"] Unexamine "" "Stop examining a game.";
    "unnotify" Unnotify "NAME" "Stop announcing when NAME comes or goes.";
    "unobserve" ["unobs"] Unobserve "[GAME]" "Stop watching a game. Without a parameter: stop watching all games.";
    "unseek" Unseek "[NUMBER]" "Withdraw your seeks, or one of them.";
    "uptime" Uptime "" "Show how long this door has been open.";
    "variables" ["v", "vars"] Variables "" "List the variables and their values.";
    "whisper" ["wh"] Whisper "TEXT" "Say something to those who watch the game that you watch or have played. Spectators hear nothing from a player while the game runs.";
    "who" Who "" "List the people at this door, and the built-in bots.";
    "withdraw" ["with"] Withdraw "[NAME|NUMBER]" "Withdraw an offer of yours: a draw, an adjournment, a rematch or a challenge.";
}

/// Returns the usage of a command. A person who leaves out the parameters of a command gets this
/// text.
pub fn usage(verb: Verb) -> String {
    let named = COMMANDS.iter().find(|command| command.verb == verb);
    named.map_or_else(String::new, |command| {
        let Command { name, usage, .. } = command;
        format!("Usage: {name} {usage}. `help {name}` explains it.")
    })
}

/// Error: a word does not name exactly one command.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum NotFound {
    /// No command matches the word.
    Unknown,
    /// Several commands begin with the word; holds their names.
    Ambiguous(Vec<&'static str>),
}

/// Finds the command that a word names. The word can be the name of a command or one of its other
/// names. The word can also be the beginning of a command's name. Then it must have at least two
/// letters, and no other command's name may begin in the same way.
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
    fn command_names_are_unique_and_do_not_look_like_moves() {
        let mut seen = HashSet::new();
        for command in COMMANDS {
            for name in command.others.iter().chain([&command.name]) {
                assert!(seen.insert(*name), "the name {name} occurs twice");
                assert_eq!(find(name).unwrap().verb, command.verb);
                assert!(
                    !name.chars().any(|c| c.is_ascii_digit()),
                    "{name} has a digit, as a square has"
                );
            }
            assert!(command.about.ends_with('.'), "{}", command.name);
        }
        assert!(COMMANDS.is_sorted_by_key(|c| c.name));
    }

    #[test]
    fn unique_beginning_of_a_name_finds_the_command() {
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

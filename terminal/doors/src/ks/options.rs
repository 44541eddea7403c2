//! Arguments of the command, with the syntax of 1986.

use serde::{Deserialize, Serialize};

/// Base of the port numbers: the argument 1 means port 19861.
pub const FIRST_PORT: u16 = 19860;

/// Wish for a colour.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wish {
    /// `-w`: White.
    White,
    /// `-b`: Black.
    Black,
    /// `-c`: the coin decides.
    Coin,
}

/// Wishes of one end of a game (host or guest), before both ends agree.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wishes {
    /// `-w`, `-b`, `-c`: the colour.
    pub color: Option<Wish>,
    /// `+a`, `-a`: whether captures and promotions are announced to both
    /// players.
    pub captures: Option<bool>,
    /// `+p`, `-p`: whether pawn tries are counted and limited.
    pub pawns: Option<bool>,
}

/// Returns the id of the ruleset of `ks` with these two options.
pub(super) const fn rules_id(captures: bool, pawns: bool) -> &'static str {
    match (captures, pawns) {
        (false, false) => "ks",
        (true, false) => "ks+a",
        (false, true) => "ks+p",
        (true, true) => "ks+ap",
    }
}

/// Returns the two options of a ruleset of `ks`. Returns `None` for other
/// rulesets.
pub fn rules_options(id: &str) -> Option<(bool, bool)> {
    [(false, false), (true, false), (false, true), (true, true)]
        .into_iter()
        .find(|&(captures, pawns)| rules_id(captures, pawns) == id)
}

/// Options of the command.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Options {
    /// Wishes for the game.
    pub wishes: Wishes,
    /// `-r`: Black's squares have the names of the board rotated by 180
    /// degrees.
    pub rotated: bool,
    /// `-d`: output in plain lines, without a full screen.
    pub dumb: bool,
    /// `+s`: this end is the host; `-s`: the other end is.
    pub server: Option<bool>,
    /// Port number; [`FIRST_PORT`] if none was given.
    pub port: u16,
    /// Whether a port was given.
    pub numbered: bool,
    /// Name of the opponent.
    pub user: String,
    /// Machine of the opponent; `None`: this machine.
    pub machine: Option<String>,
}

/// Parsed arguments of the command.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum ParsedCommand {
    /// `-h`.
    Help,
    /// Play a game.
    Play(Options),
}

/// Whether a name is valid. Names are shown, and are used as folder names.
pub fn is_name(name: &str) -> bool {
    (1..=32).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

/// Parses `[{+-}[wbcaprsdh]]... [port] user[@machine]`.
///
/// # Errors
/// Returns a message that says what is wrong, and what is expected instead.
///
/// # Examples
///
/// ```
/// use doors::ks::{ParsedCommand, Wish, read_options};
///
/// let words = ["-wd", "+a", "7", "anna@far.example"].map(str::to_owned);
/// let Ok(ParsedCommand::Play(options)) = read_options(&words) else { panic!() };
/// assert_eq!(options.wishes.color, Some(Wish::White));
/// assert_eq!(options.wishes.captures, Some(true));
/// assert_eq!((options.port, options.user.as_str()), (19867, "anna"));
/// ```
pub fn read_options(words: &[String]) -> Result<ParsedCommand, String> {
    let mut options = Options {
        port: FIRST_PORT,
        ..Options::default()
    };
    for word in words {
        let mut letters = word.chars();
        match letters.next() {
            Some(sign @ ('+' | '-')) => {
                for letter in letters {
                    if letter == 'h' {
                        return Ok(ParsedCommand::Help);
                    }
                    option(&mut options, sign == '+', letter)?;
                }
            }
            _ if !options.numbered && options.user.is_empty() && is_number(word) => {
                options.port = port(word)?;
                options.numbered = true;
            }
            _ if options.user.is_empty() => {
                (options.user, options.machine) = user(word)?;
            }
            _ => {
                return Err(format!(
                    "`{word}` is one word too many: ks [options] [port] user[@machine]"
                ));
            }
        }
    }
    if options.user.is_empty() {
        return Err(
            "the opponent is missing: ks [options] [port] user[@machine]; ks -h explains the options"
                .to_owned(),
        );
    }
    Ok(ParsedCommand::Play(options))
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

fn option(options: &mut Options, plus: bool, letter: char) -> Result<(), String> {
    let wishes = &mut options.wishes;
    match letter {
        'w' => set(&mut wishes.color, Wish::White, "-w, -b and -c")?,
        'b' => set(&mut wishes.color, Wish::Black, "-w, -b and -c")?,
        'c' => set(&mut wishes.color, Wish::Coin, "-w, -b and -c")?,
        'a' => set(&mut wishes.captures, plus, "+a and -a")?,
        'p' => set(&mut wishes.pawns, plus, "+p and -p")?,
        's' => set(&mut options.server, plus, "+s and -s")?,
        'r' => options.rotated = true,
        'd' => options.dumb = true,
        other => {
            return Err(format!(
                "`{other}` is not an option of ks: the options are w b c a p r s d h, and ks -h explains them"
            ));
        }
    }
    Ok(())
}

fn set<T: PartialEq>(wish: &mut Option<T>, value: T, names: &str) -> Result<(), String> {
    if wish.as_ref().is_some_and(|before| *before != value) {
        return Err(format!("{names} contradict each other: give one of them"));
    }
    *wish = Some(value);
    Ok(())
}

/// Parses a port: a number from 1 to 1000 as in 1986, or a port from 1024.
fn port(word: &str) -> Result<u16, String> {
    match word.parse::<u16>() {
        Ok(number @ 1..=1000) => Ok(FIRST_PORT + number),
        Ok(port @ 1024..) => Ok(port),
        Ok(_) | Err(_) => Err(format!(
            "`{word}` is not a port: give a number from 1 to 1000 (it is added to {FIRST_PORT}), or a port from 1024 to 65535"
        )),
    }
}

fn user(word: &str) -> Result<(String, Option<String>), String> {
    let (user, machine) = match word.split_once('@') {
        Some((user, machine)) => (user, Some(machine)),
        None => (word, None),
    };
    if !is_name(user) {
        return Err(format!(
            "`{user}` is not a name: a name has at most 32 letters, digits, `-`, `_` and `.`, and does not begin with `-` or `.`"
        ));
    }
    let fits = |m: &str| {
        (1..=255).contains(&m.len())
            && m.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-._:[]%".contains(&b))
    };
    match machine {
        Some(machine) if !fits(machine) => Err(format!(
            "`{machine}` is not a machine: give its name or address after the @"
        )),
        machine => Ok((user.to_owned(), machine.map(str::to_owned))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<ParsedCommand, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        read_options(&words)
    }

    fn play(line: &str) -> Options {
        match read(line) {
            Ok(ParsedCommand::Play(options)) => options,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn every_option_is_read() {
        let o = play("bert");
        assert_eq!((o.port, o.user.as_str(), o.machine), (19860, "bert", None));
        assert_eq!(o.wishes, Wishes::default());
        assert_eq!((o.rotated, o.dumb, o.server), (false, false, None));
        let o = play("-brd +aps 1000 bert@mars");
        assert_eq!(o.wishes.color, Some(Wish::Black));
        assert_eq!(
            (o.wishes.captures, o.wishes.pawns),
            (Some(true), Some(true))
        );
        assert_eq!((o.rotated, o.dumb, o.server), (true, true, Some(true)));
        assert_eq!((o.port, o.machine.as_deref()), (20860, Some("mars")));
        let o = play("-a -p -s -c 4000 7up");
        assert_eq!(
            (o.wishes.captures, o.wishes.pawns),
            (Some(false), Some(false))
        );
        assert_eq!((o.server, o.wishes.color), (Some(false), Some(Wish::Coin)));
        assert_eq!((o.port, o.user.as_str()), (4000, "7up"));
        assert_eq!(read("-h"), Ok(ParsedCommand::Help));
        assert_eq!(read("-dh bert"), Ok(ParsedCommand::Help));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (line, why) in [
            ("", "the opponent is missing"),
            ("-x bert", "`x` is not an option"),
            ("-wb bert", "contradict"),
            ("+a -a bert", "contradict"),
            ("+s -s bert", "contradict"),
            ("0 bert", "not a port"),
            ("1001 bert", "not a port"),
            ("70000 bert", "not a port"),
            ("7 8 9", "too many"),
            ("bert anna", "too many"),
            (".bert", "not a name"),
            ("../bert", "not a name"),
            ("be/rt", "not a name"),
            ("bert@", "not a machine"),
            ("bert@a/b", "not a machine"),
            ("@mars", "not a name"),
        ] {
            let said = read(line).expect_err(line);
            assert!(said.contains(why), "{line}: {said}");
        }
    }
}

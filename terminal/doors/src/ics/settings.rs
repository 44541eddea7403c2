//! Settings of a console.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Display,
    ops::RangeInclusive,
    str::FromStr,
};

use club::Millis;

use super::words::{no_ruleset, ruleset, short};

/// Style in which boards are printed.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Style {
    /// Board for people.
    One = 1,
    /// Line for client programs.
    Twelve = 12,
}

/// Settings of a console. The store keeps the settings of an account, except the settings that a
/// client program makes: style, interface and `iset`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Style of boards.
    pub style: Style,
    /// Whether durations are shown with milliseconds.
    pub ms: bool,
    /// Whether a prompt is shown.
    pub prompt: bool,
    /// Whether new seeks are announced.
    pub seek: bool,
    /// Whether shouts are shown.
    pub shout: bool,
    /// Whether private lines from one person (tells) are shown.
    pub tell: bool,
    /// Whether comments on a game (kibitzes) are shown.
    pub kibitz: bool,
    /// Whether the referee's words are printed as kibitzes. Clients keep kibitzes as comments of
    /// the game.
    pub kibitz_announcements: bool,
    /// Whether a bell rings when the person's turn begins.
    pub bell: bool,
    /// Main time in minutes, for a match that the person offers without a time.
    pub time: Millis,
    /// Increment in seconds, for a match that the person offers without an increment.
    pub inc: Millis,
    /// Ruleset for a match that the person offers without a ruleset.
    pub rules: String,
    /// Width at which text is wrapped in the style for people, in characters.
    pub width: usize,
    /// Name of the client program, as the client gave it.
    pub interface: String,
    /// Whether the interface variables (`iset`) are locked.
    pub locked: bool,
    /// Short commands, each with the text that replaces it.
    pub aliases: BTreeMap<String, String>,
    /// Names of people, in lower case. The arrival and departure of these people are announced.
    pub noticed: BTreeSet<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            style: Style::One,
            ms: false,
            prompt: true,
            seek: true,
            shout: true,
            tell: true,
            kibitz: true,
            kibitz_announcements: false,
            bell: true,
            time: 10,
            inc: 5,
            rules: "wild16".to_owned(),
            width: DEFAULT_WIDTH,
            interface: String::new(),
            locked: false,
            aliases: BTreeMap::new(),
            noticed: BTreeSet::new(),
        }
    }
}

/// Default width of a line, in characters.
const DEFAULT_WIDTH: usize = 79;
/// Maximum number of aliases, and maximum number of names for `notify`.
const MAX_ENTRIES: usize = 50;
/// Maximum length of a value that the user types: in bytes for aliases and names, in characters for
/// the name of the client program.
const MAX_VALUE_CHARS: usize = 100;

fn truth(value: &str) -> Option<bool> {
    match value {
        "1" | "on" | "yes" | "true" => Some(true),
        "0" | "off" | "no" | "false" => Some(false),
        _ => None,
    }
}

/// Sets a number if it is within its bounds. Returns the answer.
fn number<T: FromStr + PartialOrd + Copy + Display>(
    field: &mut T,
    name: &str,
    value: &str,
    bounds: RangeInclusive<T>,
) -> String {
    match value.parse().ok().filter(|n| bounds.contains(n)) {
        Some(n) => {
            *field = n;
            format!("{name} set to {n}.")
        }
        None => format!(
            "{name} is a number from {} to {}.",
            bounds.start(),
            bounds.end()
        ),
    }
}

impl Settings {
    /// Returns the settings as the text that the store keeps: a list of commands that
    /// restore the settings. Settings that a client program makes for itself are left out.
    pub fn kept(&self) -> String {
        let on = u8::from;
        let mut lines = vec![
            format!("set prompt {}", on(self.prompt)),
            format!("set seek {}", on(self.seek)),
            format!("set shout {}", on(self.shout)),
            format!("set tell {}", on(self.tell)),
            format!("set kibitz {}", on(self.kibitz)),
            format!("set kibitz-announcements {}", on(self.kibitz_announcements)),
            format!("set bell {}", on(self.bell)),
            format!("set time {}", self.time),
            format!("set inc {}", self.inc),
            format!("set rules {}", self.rules),
            format!("set width {}", self.width),
        ];
        let aliases = self.aliases.iter();
        lines.extend(aliases.map(|(word, text)| format!("alias {word} {text}")));
        let noticed = self.noticed.iter();
        lines.extend(noticed.map(|name| format!("notify {name}")));
        lines.join("\n")
    }

    /// Reads the text that the store keeps. Lines that are not understood have no
    /// effect.
    pub fn read(text: &str) -> Settings {
        let mut settings = Settings::default();
        for line in text.lines() {
            let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
            let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
            match command {
                "set" if name != "style" && name != "interface" => {
                    let _answer = settings.set(name, value);
                }
                "alias" => {
                    let _answer = settings.alias(name, value);
                }
                "notify" => {
                    let _full = !Settings::note(&mut settings.noticed, name);
                }
                _ => {}
            }
        }
        settings
    }

    fn switch(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "prompt" => &mut self.prompt,
            "seek" => &mut self.seek,
            "shout" => &mut self.shout,
            "tell" => &mut self.tell,
            "kibitz" => &mut self.kibitz,
            "kibitz-announcements" | "kibitzannouncements" => &mut self.kibitz_announcements,
            "bell" => &mut self.bell,
            _ => return None,
        })
    }

    /// Runs `set NAME VALUE`. Returns the answer. An unknown name is refused: a client may rely on
    /// the answer.
    pub fn set(&mut self, name: &str, value: &str) -> String {
        let (was_name, name) = (name, name.to_ascii_lowercase());
        let (was, value) = (value, value.to_ascii_lowercase());
        if let Some(switch) = self.switch(&name) {
            let to = match value.as_str() {
                "" => Some(!*switch),
                value => truth(value),
            };
            return match to {
                None => format!("{name} is on (1) or off (0)."),
                Some(to) => {
                    *switch = to;
                    format!("{name} set to {}.", u8::from(to))
                }
            };
        }
        match name.as_str() {
            "style" => self.set_style(&value),
            "time" => number(&mut self.time, &name, &value, 0..=180),
            "inc" => number(&mut self.inc, &name, &value, 0..=180),
            "width" => number(&mut self.width, &name, &value, 32..=240),
            "rules" => match ruleset(&value) {
                Some(id) => {
                    self.rules = id.to_owned();
                    format!("rules set to {id}.")
                }
                None => no_ruleset(was),
            },
            "interface" => {
                self.interface = was.chars().take(MAX_VALUE_CHARS).collect();
                "interface set.".to_owned()
            }
            "" => "Set what? See `variables`.".to_owned(),
            _ => format!(
                "There is no variable `{}` here: see `variables`.",
                short(was_name)
            ),
        }
    }

    /// Runs `style N`. Returns the answer.
    pub fn set_style(&mut self, value: &str) -> String {
        self.style = match value {
            "1" => Style::One,
            "12" => Style::Twelve,
            _ => {
                return "There are two styles: 1 for people, and 12 for clients.".to_owned();
            }
        };
        format!("Style {value} set.")
    }

    /// Runs `iset NAME VALUE`, a command for client programs. Returns the answer.
    pub fn iset(&mut self, name: &str, value: &str) -> String {
        let name = name.to_ascii_lowercase();
        let to = truth(if value.is_empty() { "1" } else { value });
        match (name.as_str(), to) {
            _ if self.locked => return "Interface settings are locked.".to_owned(),
            ("ms" | "lock" | "startpos", None) => return format!("{name} is on (1) or off (0)."),
            ("ms", Some(to)) => self.ms = to,
            ("lock", Some(to)) => self.locked = to,
            ("startpos", Some(true)) => {}
            ("startpos", Some(false)) => {
                return "startpos is always on here: every game begins with its board.".to_owned();
            }
            ("block", _) => return "There is no block mode here.".to_owned(),
            _ => {
                let name = short(&name);
                return format!(
                    "There is no interface variable `{name}` here: there are ms, startpos and lock."
                );
            }
        }
        format!("{name} {}.", if to == Some(true) { "set" } else { "unset" })
    }

    /// Lists the settings.
    pub fn list(&self) -> String {
        let on = u8::from;
        let style = self.style as u8;
        format!(
            "style={style} width={} time={} inc={} rules={}\n\
             prompt={} seek={} shout={} tell={} kibitz={} bell={} kibitz-announcements={}\n\
             ms={} startpos=1 lock={} interface=\"{}\"",
            self.width,
            self.time,
            self.inc,
            self.rules,
            on(self.prompt),
            on(self.seek),
            on(self.shout),
            on(self.tell),
            on(self.kibitz),
            on(self.bell),
            on(self.kibitz_announcements),
            on(self.ms),
            on(self.locked),
            self.interface,
        )
    }

    /// Runs `alias WORD TEXT`. Returns the answer.
    pub fn alias(&mut self, word: &str, text: &str) -> String {
        let full = self.aliases.len() >= MAX_ENTRIES && !self.aliases.contains_key(word);
        if full || word.len() > MAX_VALUE_CHARS || text.len() > MAX_VALUE_CHARS {
            return format!(
                "There are at most {MAX_ENTRIES} aliases, of {MAX_VALUE_CHARS} letters each."
            );
        }
        // See `expanded`.
        if matches!(word, "alias" | "unalias") || word.len() > 1 && word.starts_with(['$', '@']) {
            return format!("{} cannot be an alias.", short(word));
        }
        self.aliases.insert(word.to_owned(), text.to_owned());
        format!("Alias {word} set.")
    }

    /// If the line begins with an alias, replaces the alias by its text. The result is not expanded
    /// again.
    pub fn expanded(&self, line: &str) -> String {
        // Clients put `$` or `@` before a line that the user did not type.
        let line = line.trim_start_matches(['$', '@']).trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match self.aliases.get(word) {
            Some(text) if word != "alias" && word != "unalias" => format!("{text} {rest}"),
            Some(_) | None => line.to_owned(),
        }
    }

    /// Adds a name to a list. Returns false if the list is full or the name is
    /// too long.
    pub fn note(list: &mut BTreeSet<String>, name: &str) -> bool {
        if name.len() > MAX_VALUE_CHARS || list.len() >= MAX_ENTRIES {
            return false;
        }
        list.insert(name.to_ascii_lowercase());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_settings_with_an_effect_are_accepted() {
        let mut settings = Settings::default();
        assert_eq!(settings.set("interface", "xboard 4.9.1"), "interface set.");
        for name in [
            "frobnicate",
            "gin",
            "highlight",
            "open",
            "autoflag",
            "block",
        ] {
            let answer = settings.set(name, "1");
            assert_eq!(
                answer,
                format!("There is no variable `{name}` here: see `variables`.")
            );
        }
        assert_eq!(settings.iset("block", "1"), "There is no block mode here.");
        assert!(settings.iset("startpos", "0").contains("always on"));
        for name in ["nosuchthing", "compressmove", "seekremove", "", "MSX"] {
            for value in ["1", "0", "", "x"] {
                let answer = settings.iset(name, value);
                assert!(
                    answer.starts_with("There is no interface variable"),
                    "{answer}"
                );
            }
        }
        for word in ["alias", "unalias", "$x"] {
            assert!(settings.alias(word, "who").contains("cannot be an alias"));
        }
        assert!(settings.list().contains("startpos=1"));
        assert_eq!(settings.iset("startpos", "1"), "startpos set.");
        assert_eq!(settings.iset("ms", "1"), "ms set.");
        assert_eq!(settings.iset("lock", "1"), "lock set.");
        assert!(settings.iset("ms", "0").contains("locked"));
        assert!(settings.ms);
        assert_eq!(settings.set_style("12"), "Style 12 set.");
        assert_eq!(settings.set("rules", "KRIEGSPIEL"), "rules set to wild16.");
        assert_eq!(settings.set("bell", "0"), "bell set to 0.");
        assert!(settings.set("inc", "-3").contains("from 0 to 180"));
    }

    #[test]
    fn kept_settings_are_read_back_unchanged() {
        let mut settings = Settings::default();
        for (name, value) in [
            ("prompt", "0"),
            ("kibitz-announcements", "1"),
            ("width", "60"),
            ("rules", "rand"),
            ("inc", "0"),
        ] {
            settings.set(name, value);
        }
        settings.alias("x", "tell bert  two  spaces");
        Settings::note(&mut settings.noticed, "Bert");
        let kept = settings.kept();
        assert_eq!(Settings::read(&kept).kept(), kept);
        assert_eq!(Settings::read(&kept).aliases, settings.aliases);
        // A client program sets these values for itself.
        settings.set_style("12");
        settings.set("interface", "xboard 4.9.1");
        settings.iset("lock", "1");
        assert_eq!(settings.kept(), kept);
        let strange = "set style 12\nset width x\nfrobnicate\n\nset\nalias";
        let read = Settings::read(strange);
        assert_eq!((read.style, read.width), (Style::One, DEFAULT_WIDTH));
    }

    #[test]
    fn alias_is_replaced_once_at_the_beginning() {
        let mut settings = Settings::default();
        settings.alias("$", "@");
        settings.alias("r", "r r");
        assert_eq!(settings.expanded("$iset ms 1"), "iset ms 1");
        assert_eq!(settings.expanded("r x"), "r r x");
        assert_eq!(settings.expanded("  who "), "who");
    }
}

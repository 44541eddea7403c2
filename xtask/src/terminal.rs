//! Pictures of the terminal client. Keys are typed in a tmux window, and Chromium draws
//! the content of the window.

#![allow(
    clippy::disallowed_methods,
    reason = "the code waits for the output of a terminal; nothing else depends on the time"
)]

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::workspace::Workspace;

/// Maximum time to wait for an expected text on the screen.
const SCREEN_TIMEOUT: Duration = Duration::from_secs(30);

/// Width and height of a character, in CSS pixels.
const CELL: (u32, u32) = (8, 17);

/// Input, and the text expected on the screen after this input. The input is typed as a line,
/// followed by Enter. The form `[KEY]` presses a key, and `[KEY COUNT]` presses it several times.
/// If the input is empty, nothing is typed.
type Step = (&'static str, &'static str);

struct Scene {
    /// Name of the picture.
    name: &'static str,
    size: (u32, u32),
    /// Command for the shell; `kriegspiel` is the program.
    line: &'static str,
    steps: &'static [Step],
}

const SCENES: &[Scene] = &[
    Scene {
        name: "terminal",
        size: (80, 24),
        line: "kriegspiel play --two --rules cincinnati",
        steps: &[
            ("", "It is White's turn."),
            ("[Space]", "you are White"),
            ("e4", "Your move is made"),
            ("[Enter]", "It is Black's turn."),
            ("[Space]", "you are Black"),
            ("d6", "Your move is made"),
            ("[Enter]", "It is White's turn."),
            ("[Space]", "you are White"),
            ("Nf3", "Your move is made"),
            ("[Enter]", "It is Black's turn."),
            ("[Space]", "you are Black"),
            ("Bg4", "Your move is made"),
            ("[Enter]", "It is White's turn."),
            ("[Space]", "you are White"),
            ("Bb5", "Your move is made"),
            ("[Enter]", "It is Black's turn."),
            ("[Space]", "you are Black"),
            ("guess bb5", "A guess on b5"),
            ("Bxf3", "No: g4f3."),
        ],
    },
    Scene {
        name: "terminal-view",
        size: (120, 36),
        line: "kriegspiel referee --rules cincinnati --json < examples/hayes-juhasz-1971.txt > $FOLDER/game.json && \
               kriegspiel view --rules cincinnati $FOLDER/game.json",
        steps: &[("", "Step 0 of"), ("[Right 35]", "Step 35 of")],
    },
];

/// Takes the pictures of the given program.
///
/// # Errors
/// tmux or Chromium is missing, or an expected text does not appear.
pub fn pictures(workspace: &Workspace, program: &Path, folder: &Path) -> Result<()> {
    let work = TempDir::with_prefix("kriegspiel-pictures-")?;
    let work = work.path();
    let bin = program
        .parent()
        .context("the path of the program has no folder")?;
    for scene in SCENES {
        let window = Window::open(workspace, work, bin, scene)?;
        for (typed, says) in scene.steps {
            window.type_step(typed)?;
            window.until(says)?;
        }
        // Wait until the rest of the screen is drawn too.
        thread::sleep(Duration::from_millis(500));
        let html = page(&window.ask(&["capture-pane", "-e", "-N", "-p"])?);
        let source = work.join(format!("{}.html", scene.name));
        fs::write(&source, html)?;
        let picture = folder.join(format!("{}.png", scene.name));
        photograph(&source, &picture, scene.size)?;
        println!("wrote {}", picture.display());
    }
    Ok(())
}

fn photograph(source: &Path, picture: &Path, (columns, rows): (u32, u32)) -> Result<()> {
    let output = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
        ])
        .arg(format!(
            "--window-size={},{}",
            columns * CELL.0,
            rows * CELL.1
        ))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", source.display()))
        .output()
        .context("chromium could not be started: `cargo xtask setup` installs it")?;
    ensure!(
        output.status.success(),
        "chromium failed to take a picture: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

/// Window of a separate tmux server, which is stopped when this value is dropped.
struct Window {
    socket: std::path::PathBuf,
}

impl Window {
    fn open(workspace: &Workspace, work: &Path, bin: &Path, scene: &Scene) -> Result<Window> {
        let window = Window {
            socket: work.join(scene.name),
        };
        let (width, height) = (scene.size.0.to_string(), scene.size.1.to_string());
        let path = std::env::var("PATH").unwrap_or_default();
        let begin = format!(
            "cd '{}' && PATH='{}':'{path}' && FOLDER='{}' && clear && {}",
            workspace.path("").display(),
            bin.display(),
            work.display(),
            scene.line
        );
        let plain = ["env", "LC_ALL=C.UTF-8", "XDG_STATE_HOME=/nonexistent"];
        let mut words = vec![
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            &width,
            "-y",
            &height,
        ];
        words.extend(plain);
        words.extend(["sh", "-c", &begin]);
        window.ask(&words)?;
        Ok(window)
    }

    fn ask(&self, words: &[&str]) -> Result<String> {
        let output = Command::new("tmux")
            .env_remove("TMUX")
            .env_remove("NO_COLOR")
            .env("LC_ALL", "C.UTF-8")
            .arg("-S")
            .arg(&self.socket)
            .args(words)
            .output()
            .context("tmux could not be started: `cargo xtask setup` installs it")?;
        ensure!(
            output.status.success(),
            "tmux {words:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(String::from_utf8(output.stdout)?)
    }

    fn type_step(&self, typed: &str) -> Result<()> {
        if typed.is_empty() {
            return Ok(());
        }
        let Some(key) = typed.strip_prefix('[').and_then(|t| t.strip_suffix(']')) else {
            self.ask(&["send-keys", "-l", typed])?;
            return self.ask(&["send-keys", "Enter"]).map(drop);
        };
        let (key, times) = key.split_once(' ').unwrap_or((key, "1"));
        self.ask(&["send-keys", "-N", times, key]).map(drop)
    }

    fn until(&self, says: &str) -> Result<()> {
        let end = Instant::now() + SCREEN_TIMEOUT;
        loop {
            let screen = self.ask(&["capture-pane", "-p"])?;
            if screen.contains(says) {
                return Ok(());
            }
            ensure!(
                Instant::now() < end,
                "the screen never showed `{says}`:\n{screen}"
            );
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // The server may have stopped already.
        let _closed = self.ask(&["kill-server"]);
    }
}

/// Style of a character on the screen.
#[derive(Clone, Default, PartialEq)]
struct Look {
    fore: Option<String>,
    back: Option<String>,
    bold: bool,
    dim: bool,
    reverse: bool,
}

/// CSS colours of the terminal colours 0 to 15.
const COLORS: [&str; 16] = [
    "#1c1c1c", "#c14a4a", "#4f9a4f", "#b89a3a", "#4a7ac1", "#9a5ab0", "#3f9aa0", "#d0d0d0",
    "#8a8a8a", "#ff8787", "#87ff87", "#ffffaf", "#87afff", "#ff87ff", "#87d7ff", "#ffffff",
];

/// Returns the CSS colour of one of the 256 terminal colours.
fn color(n: u8) -> String {
    let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * u32::from(n) };
    match n {
        0..=15 => COLORS[usize::from(n)].to_owned(),
        16..=231 => {
            let n = n - 16;
            format!(
                "rgb({},{},{})",
                level(n / 36),
                level(n / 6 % 6),
                level(n % 6)
            )
        }
        232..=255 => {
            let grey = 8 + 10 * u32::from(n - 232);
            format!("rgb({grey},{grey},{grey})")
        }
    }
}

impl Look {
    /// Applies the codes between `ESC [` and `m` to this style.
    fn take(&mut self, codes: &str) {
        let mut codes = codes
            .split([';', ':'])
            .map(|code| code.parse().unwrap_or(0));
        while let Some(code) = codes.next() {
            match code {
                0 => *self = Look::default(),
                1 => self.bold = true,
                2 => self.dim = true,
                7 => self.reverse = true,
                22 => (self.bold, self.dim) = (false, false),
                27 => self.reverse = false,
                30..=37 => self.fore = Some(color(code - 30)),
                90..=97 => self.fore = Some(color(code - 82)),
                39 => self.fore = None,
                40..=47 => self.back = Some(color(code - 40)),
                100..=107 => self.back = Some(color(code - 92)),
                49 => self.back = None,
                38 | 48 => {
                    let found = match codes.next() {
                        Some(5) => codes.next().map(color),
                        Some(2) => {
                            let mut part = || codes.next().unwrap_or(0);
                            Some(format!("rgb({},{},{})", part(), part(), part()))
                        }
                        _ => None,
                    };
                    if code == 38 {
                        self.fore = found;
                    } else {
                        self.back = found;
                    }
                }
                _ => {}
            }
        }
    }

    fn style(&self) -> String {
        let fore = self.fore.clone().unwrap_or_else(|| "#d0d0d0".to_owned());
        let back = self.back.clone().unwrap_or_else(|| "#1c1c1c".to_owned());
        let (fore, back) = if self.reverse {
            (back, fore)
        } else {
            (fore, back)
        };
        let weight = if self.bold { ";font-weight:bold" } else { "" };
        let opacity = if self.dim { ";opacity:.65" } else { "" };
        format!("color:{fore};background:{back}{weight}{opacity}")
    }
}

/// Converts a captured screen to an HTML page.
fn page(screen: &str) -> String {
    let mut page = String::from(
        "<!doctype html><meta charset=utf-8><style>body{margin:0;background:#1c1c1c}\
         div{height:17px;white-space:pre;font:13.3px/17px 'DejaVu Sans Mono',monospace}\
         b{display:inline-block;width:8px;height:17px;overflow:hidden;vertical-align:top;font-weight:inherit}</style>",
    );
    let mut look = Look::default();
    for line in screen.lines() {
        page.push_str("<div>");
        for (i, part) in line.split("\u{1b}[").enumerate() {
            let text = match part.split_once('m') {
                Some((codes, text)) if i > 0 => {
                    look.take(codes);
                    text
                }
                _ => part,
            };
            for c in text.chars() {
                let shown = match c {
                    '<' => "&lt;".to_owned(),
                    '&' => "&amp;".to_owned(),
                    c => c.to_string(),
                };
                // Writing to a string cannot fail.
                let _ = write!(page, "<b style=\"{}\">{shown}</b>", look.style());
            }
        }
        page.push_str("</div>\n");
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_colours_become_css_colours() {
        let page = page("\u{1b}[1;38;5;196;48;2;1;2;3mA<\u{1b}[0m \u{1b}[7mB");
        for (look, text) in [
            (
                "color:rgb(255,0,0);background:rgb(1,2,3);font-weight:bold",
                "A",
            ),
            (
                "color:rgb(255,0,0);background:rgb(1,2,3);font-weight:bold",
                "&lt;",
            ),
            ("color:#d0d0d0;background:#1c1c1c", " "),
            ("color:#1c1c1c;background:#d0d0d0", "B"),
        ] {
            assert!(
                page.contains(&format!("<b style=\"{look}\">{text}</b>")),
                "{page}"
            );
        }
    }
}

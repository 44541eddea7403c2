//! `cargo xtask picture`: makes the pictures for the docs. One picture is drawn from the output of
//! the program, and the other pictures are screenshots.

use std::{fmt::Write as _, fs, io::Write as _, process::Stdio};

use anyhow::{Context, Result, ensure};

use crate::{e2e, run::command, workspace::Workspace};

/// Path of the picture that is drawn from the program's output.
const PATH: &str = "docs/picture.svg";

/// Input of the game: one attempt per line.
const GAME: &str = "e2e4\nd7d5\ne4f5\ne4d5\nd8d5\nb1c3\nd5e5\n";

/// The program indents a board by this number of columns.
const INDENT: usize = 7;

/// Returns the output of the program for [`GAME`], with terminal colours.
fn referee(workspace: &Workspace, options: &[&str]) -> Result<String> {
    let mut child = command(Workspace::cargo())
        .args(["run", "--quiet", "--", "referee", "--rules", "wild16"])
        .args(options)
        .current_dir(workspace.path(""))
        .env("CLICOLOR_FORCE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("the program could not be started")?;
    child
        .stdin
        .take()
        .context("the program has no input")?
        .write_all(GAME.as_bytes())?;
    let done = child.wait_with_output()?;
    ensure!(done.status.success(), "the program failed");
    Ok(String::from_utf8(done.stdout)?)
}

/// Returns the lines of the last board that the program prints for a view.
fn board(workspace: &Workspace, view: &str) -> Result<Vec<String>> {
    let text = referee(workspace, &["--show", view])?;
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.len().checked_sub(9).context("no board was shown")?;
    Ok(lines[last..]
        .iter()
        .map(|l| l.get(INDENT..).unwrap_or_default().to_owned())
        .collect())
}

/// Converts a line of terminal output to SVG text spans. The program uses these codes: 0 plain, 1
/// bold, 2 dim, 31 to 36 and 91 to 96 colours.
fn spans(line: &str) -> String {
    let mut out = String::new();
    let mut style = "";
    for (i, part) in line.split("\u{1b}[").enumerate() {
        let text = if i == 0 {
            part
        } else {
            let (code, text) = part.split_once('m').unwrap_or(("0", part));
            style = match code {
                "1" => "font-weight:bold",
                "2" => "fill:#8b949e",
                "31" | "91" => "fill:#ff7b72",
                "32" | "92" => "fill:#7ee787",
                "33" | "93" => "fill:#e3b341",
                "36" | "96" => "fill:#79c0ff",
                _ => "",
            };
            text
        };
        if text.is_empty() {
            continue;
        }
        let text = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let _ = write!(out, "<tspan style=\"{style}\">{text}</tspan>");
    }
    out
}

/// Makes all pictures. With `terminal`, makes only the pictures of the terminal client.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    if words == ["terminal"] {
        return e2e::terminal_pictures(workspace);
    }
    ensure!(words.is_empty(), "usage: cargo xtask picture [terminal]");
    let mut lines = vec!["\u{1b}[36m$ kriegspiel referee --rules wild16\u{1b}[0m".to_owned()];
    lines.extend(referee(workspace, &[])?.lines().map(str::to_owned));
    lines.push(String::new());
    let boards = [
        board(workspace, "white")?,
        board(workspace, "umpire")?,
        board(workspace, "black")?,
    ];
    lines.push(format!(
        "\u{1b}[2m     {:<26}{:<26}{}\u{1b}[0m",
        "White sees", "the umpire", "Black sees"
    ));
    let [white, umpire, black] = &boards;
    for ((white, umpire), black) in white.iter().zip(umpire).zip(black) {
        lines.push(format!("     {white:<26}{umpire:<26}{black}"));
    }

    let width = 860;
    let height = 30 + 18 * lines.len();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         role=\"img\" aria-label=\"A game under wild16: each attempt, and what White, Black and the room hear\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <g font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-size=\"13\" fill=\"#e6edf3\" xml:space=\"preserve\">\n"
    );
    for (i, line) in lines.iter().enumerate() {
        let y = 26 + 18 * i;
        let spans = spans(line);
        let _ = writeln!(svg, "<text x=\"14\" y=\"{y}\">{spans}</text>");
    }
    svg.push_str("</g>\n</svg>\n");
    fs::write(workspace.path(PATH), svg)?;
    println!("wrote {PATH}");
    e2e::pictures(workspace)
}

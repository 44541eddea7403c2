//! The command `kriegspiel audit`.

use std::{
    io::{self, BufWriter, Write},
    path::PathBuf,
    process::ExitCode,
};

use kriegspiel::{
    rules::{Ruleset, rulesets},
    scores::{Account, Contradiction, against, follow},
};

use super::{
    games::{FormName, Games, opening},
    load,
    terminal::Text,
};

/// Check the announcements of a recorded game against the rules
///
/// Replays every recorded game under its ruleset. Lists each announcement that
/// is wrong, missing, superfluous or made to the wrong person, with the rule
/// and its source. Reads transcripts, PGN with tries (from this program, from
/// Darkboard, older formats, ICC archives) and the lines of
/// `kriegspiel referee --json`.
///
/// Exit code 0: nothing found. 1: something found, or a game could not be read.
/// 2: wrong use of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel audit examples/castling.txt
  kriegspiel audit archive.pgn --rules wild16
  kriegspiel audit evening.pgn --guess-rules
  kriegspiel referee --rules rand --json < moves.txt | kriegspiel audit - --rules rand")]
pub(super) struct Args {
    /// File of recorded games; - reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Judge according to this ruleset, even if the file names another one
    #[arg(long, value_name = "ID|FILE.toml")]
    rules: Option<String>,

    /// List the rulesets that the file does not contradict, and for every other
    /// ruleset the contradictions
    #[arg(long, conflicts_with = "rules")]
    guess_rules: bool,

    /// Format of the file, if it cannot be detected from the start of the file
    #[arg(long, value_name = "FORM")]
    from: Option<FormName>,
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let mut games = Games::open(&args.file, args.from)?;
    let mut output = Text::new(BufWriter::new(io::stdout().lock()));
    let clean = if args.guess_rules {
        guess(&mut games, &mut output)?
    } else {
        let ruleset = args.rules.as_deref().map(load::ruleset).transpose()?;
        audit(&mut games, ruleset.as_ref(), &mut output)?
    };
    output.flush()?;
    Ok(ExitCode::from(u8::from(!clean)))
}

fn heading(number: u64, account: &Account, rules: &str) -> String {
    let title = if account.title.is_empty() {
        String::new()
    } else {
        format!(", {}", account.title)
    };
    format!("game {number}{title} (line {}, {rules}):", account.line)
}

fn audit(
    games: &mut Games,
    ruleset: Option<&Ruleset>,
    output: &mut impl Write,
) -> anyhow::Result<bool> {
    let (mut found, mut judged, mut unjudged) = (0, 0, 0_u64);
    while let Some(account) = games.next()? {
        let hint = "; --guess-rules lists the rulesets that the file does not contradict";
        let opened = opening(&account, ruleset, hint)?;
        let rules = opened.rules.to_string();
        let followed = follow(&account, opened, false);
        judged += followed.judged;
        found += followed.findings.len();
        unjudged += u64::from(followed.judged == 0);
        if followed.findings.is_empty() && followed.notes.is_empty() {
            continue;
        }
        writeln!(output, "{}", heading(games.read, &account, &rules))?;
        for finding in &followed.findings {
            writeln!(output, "  {finding}")?;
        }
        for (line, words) in &followed.notes {
            writeln!(output, "  line {line}: note: {words}")?;
        }
    }
    writeln!(
        output,
        "games {}, announcements judged {judged}, findings {found}{}",
        games.read,
        unread(games)
    )?;
    if unjudged > 0 {
        writeln!(
            output,
            "games without any announcement: {unjudged} (only their moves were checked)"
        )?;
    }
    Ok(found == 0 && games.damaged == 0)
}

fn unread(games: &Games) -> String {
    match games.damaged {
        0 => String::new(),
        damaged => format!(", games that could not be read {damaged}"),
    }
}

fn guess(games: &mut Games, output: &mut impl Write) -> anyhow::Result<bool> {
    let mut against_each: Vec<Option<String>> = vec![None; rulesets::ALL.len()];
    while let Some(account) = games.next()? {
        for (ruleset, found) in rulesets::ALL.iter().zip(&mut against_each) {
            if found.is_some() {
                continue;
            }
            *found = against(&account, ruleset).map(|contradiction| match contradiction {
                Contradiction::Finding(finding) => finding.to_string(),
                Contradiction::Opening(error) => format!("line {}: {error}", account.line),
            });
        }
    }
    let fits: Vec<&str> = rulesets::ALL
        .iter()
        .zip(&against_each)
        .filter(|(_, found)| found.is_none())
        .map(|(ruleset, _)| &*ruleset.id)
        .collect();
    if games.read == 0 {
        writeln!(
            output,
            "the file has no games from which to guess the rules{}",
            unread(games)
        )?;
        return Ok(false);
    }
    let fitting = if fits.is_empty() {
        "none".to_owned()
    } else {
        fits.join(", ")
    };
    writeln!(output, "not contradicted: {fitting}{}", unread(games))?;
    for (ruleset, found) in rulesets::ALL.iter().zip(&against_each) {
        if let Some(found) = found {
            writeln!(output, "  {:<13} {found}", ruleset.id)?;
        }
    }
    Ok(!fits.is_empty() && games.damaged == 0)
}

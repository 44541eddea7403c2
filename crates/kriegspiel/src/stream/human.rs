//! Answers to lines of the stream, written for people.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use notation::{Diagram, Men, name, printable, row_words, start_words, typed_words, words};
use rules::{
    Choices, Heard, Listener, Reply, Reserve, Verdict,
    chess::{Board, Color},
    role_name,
};
use wire::AnswerJson;

use super::{
    Settings, Show,
    json::listed,
    table::{Outcome, Row, UmpireTable},
};

const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Yellow.on_default();
const WORSE: Style = AnsiColor::Red.on_default();

/// Returns the umpire's word for an answer, and its style.
fn answered(answer: AnswerJson) -> (&'static str, Style) {
    match answer {
        AnswerJson::Moved => ("moved", GOOD),
        AnswerJson::No => ("no", BAD),
        AnswerJson::RepeatNo => ("repeat no", BAD),
        AnswerJson::Nonsense => ("nonsense", BAD),
        AnswerJson::Yes => ("yes", GOOD),
        AnswerJson::None => ("none", BAD),
        AnswerJson::Count => ("count", GOOD),
        AnswerJson::Recap => ("recap", GOOD),
        AnswerJson::Resigned => ("resigned", WORSE),
        AnswerJson::Offered => ("offered", BAD),
        AnswerJson::Drawn => ("drawn", GOOD),
        AnswerJson::Declined => ("declined", BAD),
        AnswerJson::Withdrawn => ("withdrawn", BAD),
        AnswerJson::Flag => ("time is up", WORSE),
        AnswerJson::Gone => ("gone", WORSE),
        AnswerJson::Aborted => ("aborted", WORSE),
        AnswerJson::New => ("a new game", GOOD),
        AnswerJson::Refused => ("refused", WORSE),
        AnswerJson::NotUnderstood => ("not understood", WORSE),
    }
}

/// Writes the answer to one line as a block of text.
pub(crate) fn write(
    output: &mut impl Write,
    outcome: &Outcome,
    table: &UmpireTable<'_>,
    settings: &Settings,
    show: Option<Show>,
) -> io::Result<()> {
    head(output, outcome)?;
    if outcome.why.is_none() {
        for (listeners, said) in hearings(outcome, &settings.choices) {
            let label = label(&listeners);
            let said = if said.is_empty() { "-" } else { &said };
            writeln!(output, "     {FAINT}{label:<12}{FAINT:#}  {said}")?;
        }
    }
    if let Some(show) = show {
        board(output, table, show)?;
    }
    if settings.tries {
        let tries = listed(&table.tries());
        if !tries.is_empty() {
            writeln!(output, "     {FAINT}tries{FAINT:#}  {}", tries.join(" "))?;
        }
    }
    Ok(())
}

fn head(output: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    let (answer, style) = answered(outcome.answer);
    let asked = match outcome.by {
        Some(by) => format!("{} {}", name(by), outcome.attempt),
        None => printable(&outcome.attempt).into_owned(),
    };
    let n = outcome.n;
    write!(
        output,
        "{FAINT}{n:>3}{FAINT:#}  {STRONG}{asked}{STRONG:#}: {style}{answer}{style:#}"
    )?;
    match &outcome.why {
        Some(why) => writeln!(output, ": {why}."),
        None => writeln!(output),
    }
}

/// Returns what the listeners heard, in words. Listeners who heard the same are
/// grouped.
fn hearings(outcome: &Outcome, choices: &Choices) -> Vec<(Vec<Listener>, String)> {
    let mut all: Vec<(Vec<Listener>, String)> = Vec::new();
    for listener in Listener::ALL {
        let said = said(outcome, choices, listener);
        match all.iter_mut().find(|(_, other)| *other == said) {
            Some((listeners, _)) => listeners.push(listener),
            None => all.push((vec![listener], said)),
        }
    }
    all
}

fn said(outcome: &Outcome, choices: &Choices, listener: Listener) -> String {
    let opening = outcome.start(listener).map(start_words);
    let heard = outcome.heard(listener).map(|heard| {
        let text = words(heard, choices, listener);
        match reason(heard, outcome.row, choices) {
            Some(reason) => format!("{} ({reason}).", text.trim_end_matches('.')),
            None => text,
        }
    });
    opening
        .into_iter()
        .chain(heard)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the reason for nonsense, if the verdict is addressed to the mover.
fn reason(heard: &Heard, row: Option<Row>, choices: &Choices) -> Option<&'static str> {
    match heard {
        Heard::Reply(Reply::Verdict {
            verdict: Verdict::No | Verdict::Nonsense | Verdict::RepeatNo,
            attempt: Some(_),
            ..
        }) => row.map(|row| match row {
            Row::Verdict(row) => row_words(row, choices),
            Row::NoPawns => "you have no pawns",
        }),
        Heard::Reply(_)
        | Heard::Lost { .. }
        | Heard::Announced(_)
        | Heard::Draw(_)
        | Heard::Over(_) => None,
    }
}

fn label(listeners: &[Listener]) -> String {
    if listeners.len() == Listener::ALL.len() {
        return "all".to_owned();
    }
    let names: Vec<_> = listeners
        .iter()
        .map(|listener| match listener {
            Listener::White => "White",
            Listener::Black => "Black",
            Listener::Room => "room",
        })
        .collect();
    names.join(", ")
}

fn board(output: &mut impl Write, table: &UmpireTable<'_>, show: Show) -> io::Result<()> {
    let (board, below, reserves) = match show {
        Show::Umpire => {
            let sheet = table.game().sheet();
            (sheet.board(), Color::White, sheet.reserves())
        }
        Show::White => seat(table, Color::White),
        Show::Black => seat(table, Color::Black),
    };
    for line in Diagram::new(&board, below, Men::Letters)
        .to_string()
        .lines()
    {
        writeln!(output, "       {line}")?;
    }
    for (color, reserve) in reserves.zip_color() {
        if !reserve.is_empty() {
            writeln!(output, "       {}: {}", name(color), in_reserve(&reserve))?;
        }
    }
    Ok(())
}

/// Returns the board of a seat. The board is drawn from the seat's view, which knows
/// only what the seat heard.
fn seat(table: &UmpireTable<'_>, color: Color) -> (Board, Color, rules::chess::ByColor<Reserve>) {
    let view = table.view(color);
    (view.own().board(), color, view.reserves())
}

fn in_reserve(reserve: &Reserve) -> String {
    let men: Vec<_> = reserve
        .iter()
        .map(|(role, n)| match n {
            1 => role_name(role).to_owned(),
            n => format!("{n} {}s", role_name(role)),
        })
        .collect();
    format!("{} in reserve", men.join(", "))
}

/// Writes the prompt: whose turn it is, and what the user may type.
pub(crate) fn prompt(
    output: &mut impl Write,
    table: &UmpireTable<'_>,
    settings: &Settings,
) -> io::Result<()> {
    let turn = match table.game().to_move() {
        Some(color) => format!("{} to move", name(color)),
        None => "The game is over".to_owned(),
    };
    let may = may_be_typed(table, settings);
    write!(
        output,
        "{STRONG}{turn}{STRONG:#} {FAINT}({may}){FAINT:#} > "
    )
}

/// Writes the answer to `help`, which is not a line of the game.
pub(crate) fn help(
    output: &mut impl Write,
    table: &UmpireTable<'_>,
    settings: &Settings,
) -> io::Result<()> {
    writeln!(output, "     {}", may_be_typed(table, settings))?;
    writeln!(
        output,
        "     `white` or `black` before a word says who speaks. `flag`: that player's time is up.\n     \
         `new [FEN]`: another game. Ctrl-D ends."
    )
}

/// Returns the words that the user may type now.
fn may_be_typed(table: &UmpireTable<'_>, settings: &Settings) -> String {
    let game = table.game();
    let Some(color) = game.to_move() else {
        return "new, new FEN, help; Ctrl-D ends".to_owned();
    };
    let mut may = vec![match color {
        Color::White => "a move as e2e4",
        Color::Black => "a move as e7e5",
    }];
    // Only those words about draws that are possible now.
    let offer = game.draw_offer();
    may.extend(
        typed_words(&settings.choices)
            .into_iter()
            .filter(|word| !word.ends_with("-draw") || (offer.is_none() && *word == "offer-draw")),
    );
    may.extend(["flag", "new", "help"]);
    let may = may.join(", ");
    match offer {
        Some(by) => format!(
            "{may}; {}: accept-draw, decline-draw; {}: withdraw-draw; Ctrl-D ends",
            name(by.other()),
            name(by)
        ),
        None => format!("{may}; Ctrl-D ends"),
    }
}

//! Answers to lines of the stream, written for people.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use notation::{
    Diagram, Men, name, printable, row_words, start_words, typed_words, void_words, words,
};
use rules::{
    Choices, Heard, Listener, Reply, Reserve, Try, Verdict,
    chess::{Board, Color},
    role_name,
};
use wire::AnswerJson;

use super::{
    clock::{TableClock, shown},
    json::listed,
    settings::{Settings, Show},
    table::{Outcome, Row, TakenBack, UmpireTable},
};

const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Yellow.on_default();
/// Largest number of moves that a menu shows one below the other.
const COLUMN_ROWS: usize = 6;
/// Number of moves in a row of a longer menu. A row has at most 77 columns.
const ROW_MOVES: usize = 6;
const WORSE: Style = AnsiColor::Red.on_default();

/// Returns the umpire's word for an answer, and the style of this word.
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
        hearings(output, |listener| {
            said(outcome, &settings.choices, listener)
        })?;
    }
    menu(output, &outcome.fits)?;
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

/// Writes the moves that fit an ambiguous text, with their numbers.
pub(crate) fn menu(output: &mut impl Write, fits: &[Try]) -> io::Result<()> {
    if fits.is_empty() {
        return Ok(());
    }
    let per_row = if fits.len() > COLUMN_ROWS {
        ROW_MOVES
    } else {
        1
    };
    let numbered: Vec<(usize, String)> = (1..).zip(fits.iter().map(Try::to_string)).collect();
    for row in numbered.chunks(per_row) {
        let cells: Vec<String> = row
            .iter()
            .map(|(number, fit)| format!("{STRONG}{number:>2}{STRONG:#}  {fit:<6}"))
            .collect();
        writeln!(output, "     {}", cells.join("  ").trim_end())?;
    }
    writeln!(
        output,
        "     Type the number or the target square, or write the move in another way."
    )
}

/// Writes the number of the line, the line, and its answer. If the line was refused or not
/// understood, the number is left out.
fn head(output: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    match &outcome.why {
        Some(why) => writeln!(output, "     {}: {why}.", line_words(outcome)),
        None => writeln!(
            output,
            "{FAINT}{:>3}{FAINT:#}  {}",
            outcome.n,
            line_words(outcome)
        ),
    }
}

/// Returns the player, the attempt and the answer of a line, as text.
fn line_words(outcome: &Outcome) -> String {
    let (answer, style) = answered(outcome.answer);
    let asked = match outcome.by {
        Some(by) => format!("{} {}", name(by), outcome.attempt),
        None => printable(&outcome.attempt).into_owned(),
    };
    format!("{STRONG}{asked}{STRONG:#}: {style}{answer}{style:#}")
}

/// Writes the lines that were taken back, then what each listener is told. Only the umpire may see
/// this output.
pub(crate) fn taken_back(output: &mut impl Write, taken: &TakenBack) -> io::Result<()> {
    let what = match taken.lines.as_slice() {
        [_] => "this line is void; only you see it",
        _ => "these lines are void; only you see them",
    };
    writeln!(
        output,
        "     {STRONG}takeback{STRONG:#}: {WORSE}{what}{WORSE:#}:"
    )?;
    for line in &taken.lines {
        writeln!(
            output,
            "{FAINT}{:>6}{FAINT:#} {}",
            format!("{}.", line.n),
            line_words(line)
        )?;
    }
    hearings(output, |listener| void_said(taken, listener))
}

/// Returns what a listener is told of a takeback, in words. The text depends only on what this
/// listener heard.
pub(crate) fn void_said(taken: &TakenBack, listener: Listener) -> String {
    let void = taken.void.get(listener);
    void.map_or_else(String::new, |void| void_words(void.heard, void.to_move))
}

/// Writes what the listeners hear, in words. Listeners who hear the same are grouped.
fn hearings(output: &mut impl Write, said: impl Fn(Listener) -> String) -> io::Result<()> {
    let mut all: Vec<(Vec<Listener>, String)> = Vec::new();
    for listener in Listener::ALL {
        let said = said(listener);
        match all.iter_mut().find(|(_, other)| *other == said) {
            Some((listeners, _)) => listeners.push(listener),
            None => all.push((vec![listener], said)),
        }
    }
    for (listeners, said) in all {
        let label = label(&listeners);
        let said = if said.is_empty() { "-" } else { &said };
        writeln!(output, "     {FAINT}{label:<12}{FAINT:#}  {said}")?;
    }
    Ok(())
}

/// Returns what a listener heard, in words.
pub(crate) fn said(outcome: &Outcome, choices: &Choices, listener: Listener) -> String {
    let opening = outcome.start(listener).map(start_words);
    let heard = outcome.heard(listener).filter_map(|heard| {
        let text = words(heard, choices, listener)?;
        Some(match reason(heard, outcome.row, choices) {
            Some(reason) => format!("{} ({reason}).", text.trim_end_matches('.')),
            None => text,
        })
    });
    opening
        .into_iter()
        .chain(heard)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the reason for nonsense, in words. Only the player who made the attempt hears the
/// reason. Returns `None` if `heard` is anything else.
fn reason(heard: &Heard, row: Option<Row>, choices: &Choices) -> Option<&'static str> {
    match heard {
        Heard::Reply(Reply::Verdict {
            verdict: Verdict::Nonsense,
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

/// Draws the true position, or the own men of a player as that player knows them.
pub(crate) fn board(
    output: &mut impl Write,
    table: &UmpireTable<'_>,
    show: Show,
) -> io::Result<()> {
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

/// Lists the moves that were not taken back.
pub(crate) fn moves(output: &mut impl Write, table: &UmpireTable<'_>) -> io::Result<()> {
    let mut text = String::new();
    let (mut number, mut begun) = (1, false);
    for ruled in table.ruled() {
        let outcome = &ruled.outcome;
        let Some(by) = outcome.by.filter(|_| outcome.answer == AnswerJson::Moved) else {
            continue;
        };
        match by {
            Color::White => text.push_str(&format!(" {number}. {}", outcome.attempt)),
            Color::Black if begun => text.push_str(&format!(" {}", outcome.attempt)),
            Color::Black => text.push_str(&format!(" {number}. ... {}", outcome.attempt)),
        }
        begun = true;
        if by == Color::Black {
            number += 1;
        }
    }
    if begun {
        writeln!(output, "    {text}")
    } else {
        writeln!(output, "     There is no move yet.")
    }
}

/// Returns what [`board`] draws for a seat: the own men, the side at the bottom, and the reserves.
/// The men and the reserves come from the seat's view, which knows only what the seat heard.
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

/// Returns the prompt: whose turn it is, and who may answer a draw offer. `may_begin` says whether
/// another game may begin.
pub(crate) fn prompt(
    table: &UmpireTable<'_>,
    clock: Option<&TableClock>,
    may_begin: bool,
) -> String {
    let game = table.game();
    let mut text = match game.to_move() {
        Some(color) => format!("{} to move", name(color)),
        None if may_begin => "The game is over: save FILE, new or quit".to_owned(),
        None => "The game is over: save FILE or quit".to_owned(),
    };
    if let (Some(_), Some(by)) = (game.to_move(), game.draw_offer()) {
        text.push_str(&format!(
            " ({}: accept-draw or decline-draw)",
            name(by.other())
        ));
    }
    if let Some(clock) = clock {
        let (white, black) = (clock.left(Color::White), clock.left(Color::Black));
        text.push_str(&format!(" [White {}, Black {}", shown(white), shown(black)));
        if !clock.runs() {
            text.push_str(", stopped");
        }
        text.push(']');
    }
    text.push_str(" > ");
    text
}

/// Writes the answer to `help`, which is not a line of the game.
pub(crate) fn help(
    output: &mut impl Write,
    table: &UmpireTable<'_>,
    settings: &Settings,
    clock: bool,
) -> io::Result<()> {
    let asked = typed_words(&settings.choices);
    let draws = |word: &&str| word.ends_with("-draw");
    let questions: Vec<&str> = asked.iter().copied().filter(|word| !draws(word)).collect();
    let mut rows = vec![
        (
            "a move",
            "as e2e4, Nf3, exd5, O-O, e8=Q, N-KB3 or P-K4: what the player says".to_owned(),
        ),
        ("a word", questions.join(", ")),
        (
            "a draw",
            "offer-draw, then accept-draw, decline-draw or withdraw-draw".to_owned(),
        ),
        (
            "white WORD, black WORD",
            "says who speaks; without it, the player to move".to_owned(),
        ),
        ("flag", "the time of the player to move is up".to_owned()),
        (
            "takeback, takeback 2",
            "takes the last line back, or the last 2 lines; says who must be told".to_owned(),
        ),
        (
            "takeback from 12",
            "takes line 12 and all later lines back".to_owned(),
        ),
        (
            "board, board white",
            "draws the true position, or White's own men as White knows them".to_owned(),
        ),
        (
            "again",
            "repeats the announcements from the last move on".to_owned(),
        ),
        (
            "p n, s e4, s a, l, c, i",
            "asks: the mover's knights, men on e4, on a file; the last call, the clock, the game"
                .to_owned(),
        ),
        ("moves", "lists the moves so far".to_owned()),
        (
            "save FILE",
            "saves the game; FILE.pgn and FILE.jsonl choose another format".to_owned(),
        ),
    ];
    if clock {
        rows.push((
            "clock, pause",
            "shows the clock; stops it until the next line; `clock white 4:30` sets it".to_owned(),
        ));
    }
    rows.push((
        "new, new FEN",
        "begins another game, from this position".to_owned(),
    ));
    rows.push(("quit, Ctrl-D", "ends".to_owned()));
    for (word, about) in rows {
        writeln!(output, "     {STRONG}{word:<22}{STRONG:#}  {about}")?;
    }
    if table.game().to_move().is_none() {
        writeln!(output, "     The game is over.")?;
    }
    Ok(())
}

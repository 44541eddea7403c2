//! Writes games as PGN.

use std::{fmt::Write as _, time::Duration};

use referee::{Event, Game, Opened};
use rules::{
    Announcement, Attempt, Choices, Heard, Listener, Over, Own, Reason, Reply, ReserveUse, Verdict,
    Wings, Winner,
    chess::{CastlingSide, Color, Role},
    heard_by,
};

use crate::opening::is_usual;

use super::{
    Begun, PgnGame, Remark, Shown, Signs, Tags,
    note::{BETWEEN, clock_text},
    san::{write_own_san, write_san},
};

/// The required tags of PGN, except Result. Each tag has the value that means "unknown".
pub(crate) const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// Tags that the writer computes itself.
const OURS: [&str; 12] = [
    "Result",
    "SetUp",
    "FEN",
    "Variant",
    "Rules",
    "RulesVersion",
    "View",
    "Termination",
    "Men",
    "Castling",
    "Reserve",
    "PlyCount",
];

/// Other tags that a player's view may contain: facts about the players and the event. An unknown
/// tag could tell of hidden moves, as `Opening` does.
const PUBLIC: [&str; 32] = [
    "Annotator",
    "BlackElo",
    "BlackFideId",
    "BlackNA",
    "BlackTeam",
    "BlackTitle",
    "BlackType",
    "BlackUSCF",
    "Board",
    "EventCategory",
    "EventDate",
    "EventRounds",
    "EventSponsor",
    "EventType",
    "GameId",
    "ICCResult",
    "Mode",
    "Section",
    "Source",
    "Stage",
    "Time",
    "TimeControl",
    "TimeZone",
    "UTCDate",
    "UTCTime",
    "WhiteElo",
    "WhiteFideId",
    "WhiteNA",
    "WhiteTeam",
    "WhiteTitle",
    "WhiteType",
    "WhiteUSCF",
];

/// Returns whether a player's view may contain the tag with this name.
pub(crate) fn is_public(name: &str) -> bool {
    let written = |known: &[&str]| known.contains(&name);
    written(&PUBLIC) || written(&OURS) || ROSTER.iter().any(|(known, _)| *known == name)
}

/// Writes a tag.
pub(crate) fn tag(out: &mut String, name: &str, value: &str) {
    let _infallible = write!(out, "[{name} \"");
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            _ if c.is_control() => out.push(' '),
            _ => out.push(c),
        }
    }
    out.push_str("\"]\n");
}

/// The end of a game as the tags and the result after the moves give it.
pub(crate) struct EndText {
    /// Value of the tag Result.
    pub(crate) tag: String,
    /// Value of the tag Termination; `None` for no tag.
    pub(crate) termination: Option<String>,
    /// The result after the moves.
    pub(crate) result: String,
}

impl EndText {
    /// Returns the end of a log.
    fn of(log: &[Event]) -> EndText {
        let over = end(log);
        let score = over.map_or(Winner::Unfinished, |over| over.winner).score();
        EndText {
            tag: score.to_owned(),
            termination: Some(termination(over).to_owned()),
            result: score.to_owned(),
        }
    }
}

fn roster(out: &mut String, tags: &Tags, end: &EndText) {
    for (name, unknown) in ROSTER {
        tag(out, name, tags.get(name).unwrap_or(unknown));
    }
    tag(out, "Result", &end.tag);
}

/// The tag of the umpire's view.
pub(crate) const UMPIRE_VIEW: &str = "[View \"umpire\"]\n";

/// Writes the tags that come after the tag Result. `player` is `None` for the umpire's view.
fn rest(out: &mut String, tags: &Tags, opened: &Opened, player: Option<Color>, end: &EndText) {
    tag(out, "Rules", &opened.rules);
    tag(out, "RulesVersion", &opened.version.to_string());
    out.push_str(match player {
        None => UMPIRE_VIEW,
        Some(Color::White) => "[View \"white\"]\n",
        Some(Color::Black) => "[View \"black\"]\n",
    });
    if let Some(termination) = &end.termination {
        tag(out, "Termination", termination);
    }
    others(out, tags, player);
}

/// Writes the tags that the writer does not compute, and ends the header.
fn others(out: &mut String, tags: &Tags, player: Option<Color>) {
    for other in &tags.0 {
        let name = other.name.as_str();
        let known = ROSTER.iter().any(|(known, _)| *known == name) || OURS.contains(&name);
        let writable =
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !known && writable && (player.is_none() || is_public(name)) {
            tag(out, name, &other.value);
        }
    }
    out.push('\n');
}

/// Returns the value of the tag Variant in the umpire's view; `None` if there is no such tag.
pub(crate) fn variant(choices: &Choices) -> Option<&'static str> {
    (choices.reserve == ReserveUse::Drops).then_some("Crazyhouse")
}

/// Returns the value of the tag Termination.
pub(crate) fn termination(over: Option<Over>) -> &'static str {
    match over.map(|over| over.reason) {
        Some(Reason::Time) => "time forfeit",
        Some(Reason::Abandoned) => "abandoned",
        None | Some(Reason::Aborted) => "unterminated",
        Some(
            Reason::Checkmate
            | Reason::Stalemate
            | Reason::Insufficient
            | Reason::Threefold
            | Reason::Fifty
            | Reason::Resignation
            | Reason::Agreement
            | Reason::ExhaustedTries,
        ) => "normal",
    }
}

/// Returns how the game of a log ended; `None` if the game is not over.
fn end(log: &[Event]) -> Option<Over> {
    let mut game: Option<Game> = None;
    for event in log {
        match (&mut game, event) {
            (None, Event::Opened(opened)) => game = Some(Game::open((**opened).clone())),
            (None, _) => return None,
            (Some(game), event) => game.apply(event),
        }
    }
    game?.over()
}

/// Writer of move numbers; every move is on its own line.
struct Numbers {
    number: u32,
}

impl Numbers {
    fn write(&mut self, out: &mut String, by: Color) {
        let _infallible = match by {
            Color::White => write!(out, "{}. ", self.number),
            // PGN repeats the move number before Black's move if a comment precedes this move.
            Color::Black => write!(out, "{}... ", self.number),
        };
        if by == Color::Black {
            self.number = self.number.saturating_add(1);
        }
    }
}

fn commands(out: &mut String, clock: Option<Duration>, events: &mut Vec<&Event>) {
    if clock.is_none() && events.is_empty() {
        return;
    }
    out.push('{');
    if let Some(time) = clock {
        let _infallible = write!(out, "[%clk {}]", clock_text(time));
        if !events.is_empty() {
            out.push(' ');
        }
    }
    if !events.is_empty() {
        out.push_str("[%ks ");
        for (i, event) in events.drain(..).enumerate() {
            let between = if i > 0 { BETWEEN } else { "" };
            let _infallible = write!(out, "{between}{event}");
        }
        out.push(']');
    }
    out.push('}');
}

/// Appends the umpire's view of a game: a main line that every chess program
/// can read, and the whole log.
///
/// `log` is the log of a game. If its first event is not [`Event::Opened`],
/// nothing is written. `clocks` has the time left on the mover's clock for each
/// move, if known. Tags that the writer computes from the log replace the tags in `tags` that have
/// the same names.
pub fn write_umpire_view(
    out: &mut String,
    tags: &Tags,
    log: &[Event],
    clocks: &[Option<Duration>],
) {
    write_umpire(out, tags, log, clocks, None);
}

/// Works like [`write_umpire_view`]. `kept` is an end that the log does not give.
pub(crate) fn write_umpire(
    out: &mut String,
    tags: &Tags,
    log: &[Event],
    clocks: &[Option<Duration>],
    kept: Option<&EndText>,
) {
    let Some((Event::Opened(opened), events)) = log.split_first() else {
        return;
    };
    let own = EndText::of(log);
    let end = kept.unwrap_or(&own);
    roster(out, tags, end);
    let fen = opened.start.fen();
    if !is_usual(&opened.start) {
        tag(out, "SetUp", "1");
        tag(out, "FEN", &fen);
    }
    if let Some(variant) = variant(&opened.choices) {
        tag(out, "Variant", variant);
    }
    rest(out, tags, opened, None, end);

    let mut game = Game::open((**opened).clone());
    let mut truth = opened.start.clone();
    let mut numbers = Numbers {
        number: opened.start.fullmoves(),
    };
    let mut pending = vec![&log[0]];
    commands(out, None, &mut pending);
    out.push('\n');
    let mut refused = Vec::new();
    let mut clocks = clocks.iter().copied();
    for event in events {
        pending.push(event);
        if let Event::Moved { by, what, .. } = *event {
            numbers.write(out, by);
            write_san(truth.position(), what, out);
            truth.play(what);
            let (check, tries, any_legal) = truth.position().announcements();
            if !check.is_empty() {
                out.push(if any_legal { '+' } else { '#' });
            }
            let calls = game.calls(event);
            let heard = calls.iter().map(|call| &call.heard);
            let mut remark = Remark::of(heard, Some(tries.count));
            remark.refused = std::mem::take(&mut refused);
            let _infallible = write!(out, " {{{remark}}} ");
            commands(out, clocks.next().flatten(), &mut pending);
            out.push('\n');
        } else if let Event::Rebuffed {
            by,
            what,
            verdict: Verdict::No,
            ..
        } = *event
        {
            let mut text = String::new();
            write_own_san(&truth.position().own(by), what, false, &mut text);
            refused.push(text);
        }
        game.apply(event);
    }
    if !pending.is_empty() {
        commands(out, None, &mut pending);
        out.push('\n');
    }
    let _infallible = writeln!(out, "{}\n", end.result);
}

/// Appends one player's view of a game: only what that player heard.
///
/// `log` and `tags` are used as in [`write_umpire_view`], but tags that could tell of hidden moves
/// (for example `Opening`) are left out. Only the player's own clock times are written. Refused
/// tries after the player's last move are written as a comment.
pub fn write_player_view(
    out: &mut String,
    tags: &Tags,
    log: &[Event],
    clocks: &[Option<Duration>],
    player: Color,
) {
    write_player(out, tags, log, clocks, player, None);
}

/// Works like [`write_player_view`]. `kept` is an end that the log does not give.
pub(crate) fn write_player(
    out: &mut String,
    tags: &Tags,
    log: &[Event],
    clocks: &[Option<Duration>],
    player: Color,
    kept: Option<&EndText>,
) {
    let Some((Event::Opened(opened), events)) = log.split_first() else {
        return;
    };
    let ended = EndText::of(log);
    let end = kept.unwrap_or(&ended);
    roster(out, tags, end);
    tag(out, "Variant", "Kriegspiel");
    let mut game = Game::open((**opened).clone());
    let mut truth = opened.start.clone();
    let start = game.start(Listener::from(player));
    let Some(mut own) = start.own else {
        return;
    };
    if !is_usual(&opened.start) {
        men(out, &own);
    }
    rest(out, tags, opened, Some(player), end);

    let mut numbers = Numbers {
        number: opened.start.fullmoves(),
    };
    let mut refused = Vec::new();
    let mut clocks = clocks.iter().copied();
    for event in events {
        let calls = game.calls(event);
        game.apply(event);
        if let Some(t) = event.played() {
            truth.play(t);
        }
        let heard: Vec<Heard> = heard_by(&calls, Listener::from(player)).collect();
        let mut mine = None;
        let (mut moved, mut takes, mut check) = (false, false, false);
        for heard in &heard {
            match *heard {
                Heard::Reply(Reply::Verdict {
                    verdict: Verdict::Moved,
                    attempt,
                    ..
                }) => {
                    moved = true;
                    mine = attempt.and_then(Attempt::as_try);
                }
                Heard::Reply(Reply::Verdict {
                    verdict: Verdict::No,
                    attempt: Some(Attempt::Try(t)),
                    ..
                }) => {
                    let mut text = String::new();
                    write_own_san(&own, t, false, &mut text);
                    refused.push(text);
                }
                Heard::Announced(Announcement::Capture(_)) => takes = true,
                Heard::Announced(Announcement::Check { .. }) => check = true,
                Heard::Announced(
                    Announcement::Drop { .. }
                    | Announcement::Promotion { .. }
                    | Announcement::Tries(_)
                    | Announcement::Turn { .. },
                )
                | Heard::Reply(_)
                | Heard::Lost { .. }
                | Heard::Draw(_)
                | Heard::Over(_) => {}
            }
        }
        if !moved {
            continue;
        }
        let by = game.turn().other();
        numbers.write(out, by);
        match mine {
            Some(t) => {
                write_own_san(&own, t, takes, out);
                own.play(t);
                if check {
                    out.push('+');
                }
            }
            None => out.push_str("??"),
        }
        for heard in &heard {
            if let Heard::Lost { square, .. } = heard {
                own.lose(*square);
            }
        }
        own.reserve = *truth.position().reserves().get(player);
        let mut remark = Remark::of(heard.iter(), None);
        let clock = clocks.next().flatten();
        if mine.is_some() {
            remark.refused = std::mem::take(&mut refused);
        }
        let _infallible = write!(out, " {{{remark}}}");
        if clock.is_some() && mine.is_some() {
            out.push(' ');
        }
        commands(out, clock.filter(|_| mine.is_some()), &mut Vec::new());
        out.push('\n');
    }
    if let Some(over) = game.over().filter(|_| kept.is_none()) {
        let _infallible = writeln!(out, "{{{}}}", end_words(over));
    }
    // A remark belongs to a move. If the player makes no move after a refused try, there is no such
    // remark, so the try is written as a comment in words.
    if !refused.is_empty() {
        let _infallible = writeln!(out, "{{{AT_THE_END}{}}}", refused.join(", "));
    }
    let _infallible = writeln!(out, "{}\n", end.result);
}

/// Begins the comment with the refused tries after a player's last move.
pub(crate) const AT_THE_END: &str = "answered no at the end: ";

/// Returns the end of a game in words that [`EndClaim`](crate::EndClaim) reads.
fn end_words(over: Over) -> String {
    let reason = over.reason.name();
    match over.winner {
        Winner::White => format!("White wins by {reason}"),
        Winner::Black => format!("Black wins by {reason}"),
        Winner::Draw => format!("draw by {reason}"),
        Winner::Unfinished => reason.to_owned(),
    }
}

/// Appends a player's own file that was read, in the form of [`write_player_view`]. `rules` is the
/// id of the ruleset, if it is known. Returns `false` if the game is not a player's file.
pub fn write_player_file(out: &mut String, game: &PgnGame, rules: Option<&str>) -> bool {
    let Some(player) = game.player() else {
        return false;
    };
    let result = game.result.unwrap_or(Winner::Unfinished).score();
    for (name, unknown) in ROSTER {
        tag(out, name, game.tags.get(name).unwrap_or(unknown));
    }
    tag(out, "Result", game.tags.get("Result").unwrap_or(result));
    tag(out, "Variant", "Kriegspiel");
    let mut own = match &game.begun {
        Begun::Own(own) => {
            men(out, own);
            **own
        }
        Begun::From(start) => {
            if !is_usual(start) {
                tag(out, "SetUp", "1");
                tag(out, "FEN", &start.fen());
            }
            start.position().own(player)
        }
    };
    for (name, value) in [
        ("Rules", rules),
        ("View", Some(player.fold_wb("white", "black"))),
        ("Termination", game.tags.get("Termination")),
    ] {
        if let Some(value) = value {
            tag(out, name, value);
        }
    }
    others(out, &game.tags, Some(player));
    let number = match &game.begun {
        Begun::From(start) => start.fullmoves(),
        Begun::Own(_) => 1,
    };
    let mut numbers = Numbers { number };
    for ply in &game.plies {
        numbers.write(out, ply.by);
        let remark = ply.note.remark.as_ref();
        let square = match ply.shown {
            Shown::Move(t) => {
                let takes = ply.signs.captures || remark.is_some_and(|r| r.capture.is_some());
                write_own_san(&own, t, takes, out);
                own.play(t);
                None
            }
            Shown::UnseenCapture(square) if remark.is_none() => {
                out.push_str("?x");
                if let Some(square) = square {
                    let _infallible = write!(out, "{square}");
                }
                square
            }
            Shown::Unseen | Shown::UnseenCapture(_) => {
                out.push_str("??");
                remark.and_then(|remark| remark.capture.flatten())
            }
        };
        if ply.by != player
            && let Some(square) = square
        {
            own.lose(square);
        }
        out.push_str(match ply.signs {
            Signs { mate: true, .. } => "#",
            Signs { check: true, .. } => "+",
            Signs { .. } => "",
        });
        if let Some(remark) = remark {
            let _infallible = write!(out, " {{{remark}}}");
        }
        if let Some(clock) = ply.note.clock.filter(|_| ply.by == player) {
            let _infallible = write!(out, " {{[%clk {}]}}", clock_text(clock));
        }
        out.push('\n');
        for comment in ply.note.text.lines() {
            let _infallible = writeln!(out, "{{{}}}", comment.replace('}', ")"));
        }
    }
    let _infallible = writeln!(out, "{result}\n");
    true
}

/// Writes the tags with the player's own men at the start: `Men`, `Castling`, and `Reserve` if the
/// reserve has men.
fn men(out: &mut String, own: &Own) {
    tag(out, "Men", &own.board().board_fen().to_string());
    let wing = |wings: Wings, side, letter| if wings.has(side) { letter } else { "" };
    let castling = [
        wing(own.castling, CastlingSide::KingSide, "K"),
        wing(own.castling, CastlingSide::QueenSide, "Q"),
    ]
    .concat();
    tag(out, "Castling", &castling);
    let reserve: String = own
        .reserve
        .iter()
        .flat_map(|(role, count): (Role, u8)| (0..count).map(move |_| role.upper_char()))
        .collect();
    if !reserve.is_empty() {
        tag(out, "Reserve", &reserve);
    }
}

//! Counts what occurred in the games, to show which cases the games have tested.

use std::{collections::BTreeMap, fmt};

use rules::{
    Announcement, Answer, Attempt, Choices, Direction, DrawTalk, Heard, NonsenseRow, Reason, Reply,
    Try, Verdict,
    chess::{Color, Role, Square},
    rulesets,
};

use crate::{
    oracle::{Answered, Oracle},
    umpire::Action,
};

/// Counts of cases, by the name of the case.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    counts: BTreeMap<String, u64>,
}

/// State of a game before an action is judged. After the action, this state
/// determines which cases are counted.
#[derive(Clone, Debug)]
pub struct Glance {
    what: Option<String>,
    refused: usize,
}

const MANY_MOVES: &str = "positions with 218 legal moves or more";
const MANY_REFUSALS: &str = "turns with more than 49 refused tries";

/// Returns the name of a row of the table of verdicts.
fn row(row: NonsenseRow) -> &'static str {
    match row {
        NonsenseRow::Impossible => "row 2: impossible",
        NonsenseRow::NoSuchPawnTry => "row 3: no such pawn try",
        NonsenseRow::NotAnAnswer => "row 3: not an answer to the check",
        NonsenseRow::PawnCaptureDue => "row 4: obligation to capture with a pawn",
        NonsenseRow::TriesSpent => "row 4: three pawn captures refused",
        NonsenseRow::Repeated => "row 5: repeated",
    }
}

fn kind(heard: &Heard) -> &'static str {
    match heard {
        Heard::Reply(Reply::Verdict { verdict, .. }) => match verdict {
            Verdict::Moved => "heard moved",
            Verdict::No => "heard no",
            Verdict::Nonsense => "heard nonsense",
            Verdict::RepeatNo => "heard repeat-no",
        },
        Heard::Reply(Reply::Any { .. }) => "heard any",
        Heard::Lost { .. } => "heard lost",
        Heard::Announced(Announcement::Capture(capture)) if capture.en_passant => {
            "heard capture, en passant announced"
        }
        Heard::Announced(Announcement::Capture(_)) => "heard capture",
        Heard::Announced(Announcement::Drop { .. }) => "heard drop",
        Heard::Announced(Announcement::Promotion { .. }) => "heard promotion",
        Heard::Announced(Announcement::Check { directions }) if directions.is_empty() => {
            "heard check without direction"
        }
        Heard::Announced(Announcement::Check { .. }) => "heard check",
        Heard::Announced(Announcement::Tries(_)) => "heard tries",
        Heard::Announced(Announcement::Turn { .. }) => "heard turn",
        Heard::Reply(Reply::Rebuffs { .. }) => "heard rebuffs",
        Heard::Reply(Reply::Recap { .. }) => "heard recap",
        Heard::Draw(DrawTalk::Offer { .. }) => "heard draw-offer",
        Heard::Draw(DrawTalk::Declined { .. }) => "heard draw-declined",
        Heard::Draw(DrawTalk::Withdrawn { .. }) => "heard draw-withdrawn",
        Heard::Over(_) => "heard over",
    }
}

/// Lists everything that must occur if enough games are played.
fn expected() -> Vec<String> {
    let mut names: Vec<String> = [
        "attempts",
        "plies",
        "games",
        "refusals",
        "tries compared",
        "en passant played",
        "en passant refused, pinned",
        "pawn capture refused, pinned",
        "castling played, king's wing",
        "castling played, queen's wing",
        "castling refused, out of check",
        "castling refused, through attack",
        "castling refused, into attack",
        "castling refused, an unseen man between",
        "px played",
        MANY_MOVES,
        MANY_REFUSALS,
    ]
    .map(str::to_owned)
    .into();
    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
        names.push(format!("promotion to {role:?}").to_lowercase());
    }
    for (i, a) in Direction::ALL.into_iter().enumerate() {
        for b in &Direction::ALL[i + 1..] {
            names.push(format!("double check {a}+{b}"));
        }
    }
    for reason in Reason::ALL {
        names.push(format!("end {}", reason.name()));
    }
    for answer in [
        Answer::Moved,
        Answer::No,
        Answer::RepeatNo,
        Answer::Nonsense,
        Answer::Yes,
        Answer::None,
        Answer::Count,
        Answer::Recap,
        Answer::Resigned,
        Answer::Offered,
        Answer::Drawn,
        Answer::Declined,
        Answer::Withdrawn,
        Answer::Flag,
        Answer::Gone,
        Answer::Aborted,
    ] {
        names.push(format!("answer {}", answer.name()));
    }
    for ruleset in &rulesets::ALL {
        names.push(format!("rules {}", ruleset.id));
    }
    for nonsense in [
        NonsenseRow::Impossible,
        NonsenseRow::NoSuchPawnTry,
        NonsenseRow::NotAnAnswer,
        NonsenseRow::PawnCaptureDue,
        NonsenseRow::TriesSpent,
        NonsenseRow::Repeated,
    ] {
        names.push(row(nonsense).to_owned());
    }
    for field in Choices::FIELDS {
        let values = field.values.iter();
        names.extend(values.map(|(value, _)| format!("choice {} {value}", field.name)));
    }
    names
}

impl Coverage {
    /// Adds 1 to the count of a case.
    pub fn note(&mut self, name: &str) {
        self.add(name, 1);
    }

    /// Adds `count` to the count of a case.
    pub fn add(&mut self, name: &str, count: u64) {
        match self.counts.get_mut(name) {
            Some(n) => *n += count,
            None => {
                self.counts.insert(name.to_owned(), count);
            }
        }
    }

    /// Returns the count of a case; 0 if the case never occurred.
    pub fn of(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    /// Adds the counts of other games.
    pub fn merge(&mut self, other: &Coverage) {
        for (name, n) in &other.counts {
            self.add(name, *n);
        }
    }

    /// Lists the cases that should have occurred but did not.
    pub fn missing(&self) -> Vec<String> {
        expected()
            .into_iter()
            .filter(|name| self.of(name) == 0)
            .collect()
    }

    /// Counts the choices of a game.
    pub fn choices(&mut self, choices: &Choices) {
        for field in Choices::FIELDS {
            if let Some(value) = choices.get(field.name) {
                self.note(&format!("choice {} {value}", field.name));
            }
        }
    }

    /// Records the state of a game before an action.
    pub fn before(oracle: &Oracle, action: Action) -> Glance {
        let what = match action {
            Action::Attempt(by, Attempt::Try(t)) if oracle.to_move() == Some(by) => {
                describe(oracle, by, t)
            }
            Action::Attempt(_, Attempt::Px { .. }) => Some("px played".to_owned()),
            Action::Attempt(..) | Action::End(_) => None,
        };
        Glance {
            what,
            refused: oracle.refused_this_turn(),
        }
    }

    /// Counts the cases that an action led to.
    pub fn after(&mut self, glance: &Glance, answered: &Answered, oracle: &Oracle) {
        self.note("attempts");
        self.note(&format!("answer {}", answered.answer.name()));
        if let Some(r) = answered.row {
            self.note(row(r));
        }
        for heard in answered.heard.iter().flatten() {
            self.note(kind(heard));
        }
        let refused = oracle.refused_this_turn();
        if refused == 50 && glance.refused == 49 {
            self.note(MANY_REFUSALS);
        }
        match (&glance.what, answered.answer) {
            (Some(what), Answer::Moved) if !what.contains("refused") => self.note(what),
            (Some(what), Answer::No) if what.contains("refused") => self.note(what),
            _ => {}
        }
        if answered.answer == Answer::Moved {
            self.note("plies");
            self.position(oracle);
        }
        if let Some(over) = oracle.over() {
            self.note(&format!("end {}", over.reason.name()));
        }
    }

    /// Counts the cases that a position shows.
    pub fn position(&mut self, oracle: &Oracle) {
        if oracle.legal_tries().len() >= 218 {
            self.note(MANY_MOVES);
        }
        let directions: Vec<Direction> = oracle.check_directions().iter().collect();
        if let [a, b] = directions[..] {
            self.note(&format!("double check {a}+{b}"));
        }
    }
}

/// Returns the name of the case that a try shows, if there is one. A case whose name contains
/// "refused" is counted only if the try is answered "no". Any other case is counted only if the try
/// is played.
fn describe(oracle: &Oracle, by: Color, t: Try) -> Option<String> {
    let Try::Step {
        from,
        to,
        promotion,
    } = t
    else {
        return None;
    };
    let legal = oracle.legal_tries().contains(&t);
    if oracle.is_castling(t) {
        let rank = if by == Color::White { 0 } else { 56 };
        let wing = u32::from(to) > u32::from(from);
        if legal {
            let wing = if wing { "king's" } else { "queen's" };
            return Some(format!("castling played, {wing} wing"));
        }
        if !oracle.imaginable().contains(&t) {
            return None;
        }
        let files: &[u32] = if wing { &[5, 6] } else { &[3, 2, 1] };
        let squares: Vec<Square> = files.iter().map(|f| Square::new(rank + f)).collect();
        let why = if !oracle.checkers().is_empty() {
            "out of check"
        } else if squares.iter().any(|sq| oracle.man_at(*sq).is_some()) {
            "an unseen man between"
        } else if oracle.is_attacked(squares[0], !by) {
            "through attack"
        } else {
            "into attack"
        };
        return Some(format!("castling refused, {why}"));
    }
    if oracle.is_pawn_capture(t) {
        if oracle.passed() == Some(to) {
            return if legal {
                Some("en passant played".to_owned())
            } else if oracle.checkers().is_empty() {
                Some("en passant refused, pinned".to_owned())
            } else {
                None
            };
        }
        let onto = oracle.man_at(to).is_some_and(|(color, _)| color != by);
        if onto && !legal && oracle.checkers().is_empty() {
            return Some("pawn capture refused, pinned".to_owned());
        }
    }
    promotion.map(|role| format!("promotion to {role:?}").to_lowercase())
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = self.counts.clone();
        for name in expected() {
            all.entry(name).or_insert(0);
        }
        for (name, n) in all {
            writeln!(f, "{n:>10}  {name}")?;
        }
        Ok(())
    }
}

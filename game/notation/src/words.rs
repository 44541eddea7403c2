//! Sentences for all calls, in English. No other module writes these sentences.
//!
//! A sentence depends only on what was heard, on the choices of the ruleset and
//! on who listens.

use rules::{
    AnnouncedCheck, Announcement, Answer, Capture, CaptureHeard, CapturedMan, Choices, Direction,
    Directions, DrawTalk, Heard, Listener, MoveAnnouncements, NonsenseRow, NonsenseWord,
    Obligation, Over, PawnTrySquare, Reason, Reply, Stalemate, Start, Tries, Verdict, Winner,
    chess::{Bitboard, Color},
    role_name,
};

/// Returns a sentence for what a listener heard, in the words of the ruleset; `None` if the referee
/// says nothing.
///
/// # Examples
///
/// ```
/// use notation::words;
/// use rules::{Announcement, Heard, Listener, Tries, rulesets::WILD16};
///
/// let heard = Heard::Announced(Announcement::Tries(Tries::Count(2)));
/// let said = words(&heard, &WILD16.choices, Listener::Room);
/// assert_eq!(said.as_deref(), Some("2 pawn tries."));
/// ```
pub fn words(heard: &Heard, choices: &Choices, listener: Listener) -> Option<String> {
    Some(match *heard {
        Heard::Reply(Reply::Verdict {
            verdict,
            by,
            attempt,
        }) => match (verdict, attempt) {
            (Verdict::Moved, Some(attempt)) => format!("You play {attempt}."),
            (Verdict::Moved, None) => format!("{} has moved.", name(by)),
            (Verdict::No | Verdict::Nonsense | Verdict::RepeatNo, Some(attempt)) => {
                format!("{}: {attempt}.", capital(refusal(verdict, choices)))
            }
            (Verdict::No | Verdict::Nonsense | Verdict::RepeatNo, None) => {
                format!("{} is told {}.", name(by), refusal(verdict, choices))
            }
        },
        Heard::Reply(Reply::Any { by, answer }) => {
            let asks = if listener == Listener::from(by) {
                "You ask".to_owned()
            } else {
                format!("{} asks", name(by))
            };
            let word = any_answer(answer, choices);
            let stop = if word.ends_with('!') { "" } else { "." };
            format!("{asks} any? {}{stop}", capital(word))
        }
        Heard::Lost { square, man } => format!("Your {} on {square} is gone.", role_name(man)),
        Heard::Announced(one) => return announcement_words(one, choices),
        Heard::Reply(Reply::Rebuffs { by, count }) => format!(
            "{} asks for the count: {} was rebuffed {}.",
            name(by),
            name(!by),
            match count {
                0 => "not once".to_owned(),
                1 => "once".to_owned(),
                2 => "twice".to_owned(),
                n => format!("{n} times"),
            }
        ),
        Heard::Reply(Reply::Recap { by, announcements }) => {
            let repeated = recap_words(&announcements, choices);
            format!("{} asks again: {repeated}", name(by))
        }
        Heard::Draw(DrawTalk::Offer { by }) => format!("{} offers a draw.", name(by)),
        Heard::Draw(DrawTalk::Declined { by }) => format!("{} declines the draw.", name(by)),
        Heard::Draw(DrawTalk::Withdrawn { by }) => {
            format!("{} takes the draw offer back.", name(by))
        }
        Heard::Over(over) => over_words(over, choices),
    })
}

/// Returns the sentence for an announcement, which is the same for all
/// listeners.
fn announcement_words(one: Announcement, choices: &Choices) -> Option<String> {
    Some(match one {
        Announcement::Capture(capture) => capture_words(capture, choices),
        Announcement::Drop { by, man } => format!("{} drops a {}.", name(by), role_name(man)),
        Announcement::Promotion { by } => format!("{} promotes.", name(by)),
        Announcement::Check { directions } => check_words(directions),
        Announcement::Tries(tries) => return tries_words(tries, choices),
        Announcement::Turn { to_move } => format!("{} to move.", name(to_move)),
    })
}

/// Returns the sentence that a listener gets at the start of a game.
pub fn start_words(start: &Start) -> String {
    match &start.own {
        Some(own) => format!("A new game, {}. You play {}.", start.rules, name(own.color)),
        None => format!("A new game, {}.", start.rules),
    }
}

/// Returns the sentence that the umpire says to a listener after a takeback. `heard` is the number
/// of taken-back lines about which this listener had heard something.
///
/// # Examples
///
/// ```
/// use notation::void_words;
/// use rules::chess::Color;
///
/// assert_eq!(
///     void_words(1, Some(Color::White)),
///     "Taken back: the last announcement is void. White to move."
/// );
/// ```
pub fn void_words(heard: usize, to_move: Option<Color>) -> String {
    let what = match heard {
        1 => "the last announcement is void".to_owned(),
        n => format!("the last {n} announcements are void"),
    };
    match to_move {
        Some(color) => format!("Taken back: {what}. {} to move.", name(color)),
        None => format!("Taken back: {what}."),
    }
}

/// Returns the reason why a try was nonsense, for example "you must try a pawn
/// capture". Only the mover may hear the reason.
pub fn row_words(row: NonsenseRow, choices: &Choices) -> &'static str {
    match row {
        NonsenseRow::Impossible => "your own men cannot do that",
        NonsenseRow::NoSuchPawnTry => "no such pawn try was announced",
        NonsenseRow::NotAnAnswer => match choices.announced_check {
            AnnouncedCheck::Castling => "you cannot castle out of check",
            AnnouncedCheck::Judged | AnnouncedCheck::Answers => "that cannot answer the check",
        },
        NonsenseRow::PawnCaptureDue => match choices.obligation {
            Obligation::Make => "you must make a pawn capture",
            Obligation::None | Obligation::Try => "you must try a pawn capture",
        },
        NonsenseRow::TriesSpent => "your three pawn captures of this turn are spent",
        NonsenseRow::Repeated => "that was refused this turn already",
    }
}

/// Returns a sentence for the end of a game.
pub fn over_words(over: Over, choices: &Choices) -> String {
    let Over { winner, reason } = over;
    let cause = match (reason, winner.loser()) {
        (Reason::Checkmate, _) => "Checkmate".to_owned(),
        (Reason::Stalemate, _) => match choices.stalemate {
            Stalemate::Draw => "Stalemate".to_owned(),
            Stalemate::Loses => "Stalemate, which loses here".to_owned(),
        },
        (Reason::Insufficient, _) => "Too little material is left".to_owned(),
        (Reason::Threefold, _) => "The position has occurred three times".to_owned(),
        (Reason::Fifty, _) => {
            "Fifty moves by each side without a capture or a pawn move".to_owned()
        }
        (Reason::Resignation, Some(loser)) => format!("{} resigns", name(loser)),
        (Reason::Resignation, None) => "Resignation".to_owned(),
        (Reason::Agreement, _) => "A draw is agreed".to_owned(),
        (Reason::Time, Some(loser)) => format!("{}'s time is up", name(loser)),
        (Reason::Time, None) => "Time is up, and the other side has a bare king".to_owned(),
        (Reason::ExhaustedTries, _) => {
            "The pawn captures of this turn are spent and no other move is legal".to_owned()
        }
        (Reason::Aborted, _) => "The game is broken off".to_owned(),
        (Reason::Abandoned, Some(loser)) => format!("{} has left the game", name(loser)),
        (Reason::Abandoned, None) => "A player has left the game".to_owned(),
    };
    if (reason, winner) == (Reason::Agreement, Winner::Draw) {
        return "A draw is agreed, 1/2-1/2.".to_owned();
    }
    let outcome = match winner {
        Winner::White => "White wins, 1-0",
        Winner::Black => "Black wins, 0-1",
        Winner::Draw => "a draw, 1/2-1/2",
        Winner::Unfinished => "no result, *",
    };
    format!("{cause}: {outcome}.")
}

/// Returns the English name of a side.
pub const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|c| c.to_ascii_uppercase())
        .into_iter()
        .chain(chars)
        .collect()
}

/// Returns the word for an answer that is not "moved".
fn refusal(verdict: Verdict, choices: &Choices) -> &'static str {
    match (verdict, choices.nonsense_word) {
        (Verdict::Nonsense, NonsenseWord::Nonsense) => "nonsense",
        (Verdict::Nonsense, NonsenseWord::HellNo) => "hell no",
        (Verdict::Nonsense, NonsenseWord::HeckNo) => "heck-no",
        (Verdict::Nonsense, NonsenseWord::Impossible) => "impossible",
        (Verdict::Nonsense, NonsenseWord::No) | (Verdict::No | Verdict::Moved, _) => "no",
        (Verdict::RepeatNo, _) => "repeat no",
    }
}

/// Returns the answer to Any? in the words of the source. Some sources have special words for this
/// answer. This function recognises such a source by its word for nonsense, because choices do not
/// name a source.
fn any_answer(answer: bool, choices: &Choices) -> &'static str {
    match (choices.nonsense_word, answer) {
        (NonsenseWord::Impossible, true) => "try!",
        (NonsenseWord::HeckNo, true) => "some",
        (NonsenseWord::HeckNo, false) => "none",
        (NonsenseWord::Nonsense | NonsenseWord::HellNo | NonsenseWord::No, true) => "yes",
        (
            NonsenseWord::Nonsense
            | NonsenseWord::HellNo
            | NonsenseWord::No
            | NonsenseWord::Impossible,
            false,
        ) => "no",
    }
}

/// Returns the word for this answer under the ruleset. The player who made the attempt hears this
/// word. Returns `None` if the answer is neither a refusal of a try nor an answer to Any?.
///
/// # Examples
///
/// ```
/// use notation::answer_word;
/// use rules::{Answer, rulesets::{RAND, WILD16}};
///
/// assert_eq!(answer_word(Answer::Nonsense, &RAND.choices), Some("hell no"));
/// assert_eq!(answer_word(Answer::Nonsense, &WILD16.choices), Some("no"));
/// assert_eq!(answer_word(Answer::Moved, &RAND.choices), None);
/// ```
pub fn answer_word(answer: Answer, choices: &Choices) -> Option<&'static str> {
    match answer {
        Answer::No => Some(refusal(Verdict::No, choices)),
        Answer::Nonsense => Some(refusal(Verdict::Nonsense, choices)),
        Answer::RepeatNo => Some(refusal(Verdict::RepeatNo, choices)),
        Answer::Yes => Some(any_answer(true, choices)),
        Answer::None => Some(any_answer(false, choices)),
        Answer::Moved
        | Answer::Count
        | Answer::Recap
        | Answer::Resigned
        | Answer::Offered
        | Answer::Drawn
        | Answer::Declined
        | Answer::Withdrawn
        | Answer::Flag
        | Answer::Gone
        | Answer::Aborted => None,
    }
}

fn capture_words(capture: Capture, choices: &Choices) -> String {
    let man = match capture.man {
        Some(CapturedMan::Pawn) => "pawn",
        Some(CapturedMan::Piece) => "piece",
        Some(CapturedMan::Exactly(role)) => role_name(role),
        None => "man",
    };
    match (choices.capture_heard, capture.square, capture.man) {
        // Only the capturer hears this sentence. The opponent hears that a man is lost.
        (CaptureHeard::Capturer, None, _) => format!("You capture a {man}."),
        (CaptureHeard::Capturer, Some(square), _) => {
            format!("You capture a {man} on {square}{}.", passing(capture))
        }
        (CaptureHeard::Victim | CaptureHeard::Both, None, _) => format!("A {man} is gone."),
        (CaptureHeard::Victim | CaptureHeard::Both, Some(square), None) => {
            format!("Capture on {square}{}.", passing(capture))
        }
        (CaptureHeard::Victim | CaptureHeard::Both, Some(square), Some(_)) => {
            format!("{} gone on {square}{}.", capital(man), passing(capture))
        }
    }
}

const fn passing(capture: Capture) -> &'static str {
    if capture.en_passant {
        ", en passant"
    } else {
        ""
    }
}

fn check_words(directions: Directions) -> String {
    let along = |d| match d {
        Direction::Rank => "on the rank",
        Direction::File => "on the file",
        Direction::Long => "on the long diagonal",
        Direction::Short => "on the short diagonal",
        Direction::Knight => "by a knight",
    };
    let all: Vec<_> = directions.iter().map(along).collect();
    match all.as_slice() {
        [] => "Check.".to_owned(),
        [one] => format!("Check {one}."),
        more => format!("Double check: {}.", more.join(" and ")),
    }
}

fn tries_words(tries: Tries, choices: &Choices) -> Option<String> {
    let pawns = choices.pawn_try_square == PawnTrySquare::Origin;
    Some(match tries {
        Tries::Untold | Tries::Whether(false) => return None,
        Tries::Whether(true) => "Pawn capture.".to_owned(),
        Tries::Count(1) => "1 pawn try.".to_owned(),
        Tries::Count(n) => format!("{n} pawn tries."),
        Tries::Squares(set) if set.is_empty() => "No pawn tries.".to_owned(),
        Tries::Squares(set) if pawns => format!(
            "Pawn {} from {}.",
            if set.count() == 1 { "try" } else { "tries" },
            list(set)
        ),
        Tries::Squares(set) if set.count() == 1 => format!("Pawn try: {}.", list(set)),
        Tries::Squares(set) => format!("Pawn tries: {}.", list(set)),
        Tries::SinglesAndDoubles { singles, doubles } => {
            let mut said = Vec::new();
            if singles.any() {
                said.push(format!("Single pawn tries: {}.", list(singles)));
            }
            if doubles.any() {
                said.push(format!("Double pawn tries: {}.", list(doubles)));
            }
            if said.is_empty() {
                "No pawn tries.".to_owned()
            } else {
                said.join(" ")
            }
        }
    })
}

fn list(squares: Bitboard) -> String {
    let names: Vec<_> = squares.into_iter().map(|s| s.to_string()).collect();
    names.join(", ")
}

fn recap_words(announcements: &MoveAnnouncements, choices: &Choices) -> String {
    let all: Vec<_> = (announcements.iter())
        .filter_map(|one| announcement_words(one, choices))
        .collect();
    if all.is_empty() {
        "nothing was announced yet.".to_owned()
    } else {
        all.join(" ")
    }
}

//! From the first line of a console until it sits at a game.

use std::{net::SocketAddr, time::Duration};

use club::ClubError;
use rules::{chess::Color, rulesets::UMPIRE};
use tokio::{sync::oneshot, time::timeout};

use super::{
    Door, TODAY,
    instruction::instruction,
    pairing::{Joined, Place, Second},
    seat, words,
};
use crate::console::{Console, Gone, Input, Lines, Paper};

/// A console that says nothing to a question is sent away after so long.
const PATIENCE: Duration = Duration::from_secs(300);
/// The first user has so long to say who plays White: the second waits.
const DECISION: Duration = Duration::from_secs(120);
/// So many wrong keys, and the door is shut.
const WRONG_KEYS: u32 = 3;

const HEADER: &str = "\
KRIEGSPIEL UMPIRE
A REFEREE FOR TWO TELETYPES AFTER THE PROGRAM OF 1965
TO COME BACK TO A GAME TYPE  JOIN  AND YOUR KEY
";

/// Why a conversation ends before its time.
pub(super) enum End {
    /// The other end is gone.
    Gone,
    /// It was told why, and is to be hung up.
    Told,
}

impl From<Gone> for End {
    fn from(_: Gone) -> End {
        End::Gone
    }
}

/// What is printed, and whether input is asked for.
pub(super) struct Printer {
    paper: Paper,
    asked: bool,
}

impl Printer {
    pub(super) fn new(paper: Paper) -> Printer {
        Printer {
            paper,
            asked: false,
        }
    }

    /// Prints lines; if input was asked for, it is not any more.
    pub(super) fn print(&mut self, text: &str) {
        let begin = if self.asked { "\n" } else { "" };
        self.asked = false;
        let end = if text.ends_with('\n') { "" } else { "\n" };
        self.paper.say(&format!("{begin}{text}{end}"));
    }

    /// Asks for input, once.
    pub(super) fn ask(&mut self) {
        if !self.asked {
            self.asked = true;
            self.paper.say(words::ASKS);
        }
    }

    /// A line came: whether it was asked for.
    pub(super) fn answered(&mut self) -> bool {
        std::mem::take(&mut self.asked)
    }

    /// The next line. What is printed at the pace of a teletype is printed
    /// before anything more is read, so that nobody fills another's paper.
    pub(super) async fn next(&self, lines: &mut Lines) -> Result<Input, Gone> {
        self.paper.quiet().await;
        lines.next().await
    }

    /// The next line, for which he has so long once the question is printed;
    /// `None` if none came.
    pub(super) async fn answer(
        &self,
        lines: &mut Lines,
        patience: Duration,
    ) -> Option<Result<Input, Gone>> {
        self.paper.quiet().await;
        timeout(patience, self.next(lines)).await.ok()
    }

    fn refuse(&mut self, error: &ClubError) -> End {
        self.print(&words::sentence(&error.why));
        End::Told
    }
}

/// Serves a console from its first line to its last.
pub(super) async fn converse(door: &Door, console: &mut Console) -> Result<(), Gone> {
    let mut printer = Printer::new(console.paper.clone());
    printer.print(HEADER);
    let greeted = tokio::select! {
        greeted = greet(door, &mut printer, &mut console.lines, console.address) => greeted,
        () = door.closed() => {
            printer.print("THE UMPIRE IS CALLED AWAY. COME AGAIN.");
            return Ok(());
        }
    };
    let (place, back) = match greeted {
        Ok(found) => found,
        Err(End::Gone) => return Err(Gone),
        Err(End::Told) => return Ok(()),
    };
    match seat::sit(door, printer, &mut console.lines, place, back).await {
        Ok(()) | Err(End::Told) => Ok(()),
        Err(End::Gone) => Err(Gone),
    }
}

/// Offers the instruction, and finds a seat; `true` if by a key.
async fn greet(
    door: &Door,
    printer: &mut Printer,
    lines: &mut Lines,
    address: SocketAddr,
) -> Result<(Place, bool), End> {
    let mut wrong = 0;
    loop {
        printer.print("DO YOU WANT INSTRUCTION Y/N");
        let line = question(printer, lines, PATIENCE).await?;
        let line = line.trim().to_uppercase();
        match &*line {
            "BYE" => return Err(good_bye(printer)),
            "Y" | "YES" => {
                let choices = if door.0.settings.as_in_1965 {
                    UMPIRE.choices
                } else {
                    notation::read_ruleset(TODAY).map_or(UMPIRE.choices, |today| today.choices)
                };
                printer.print(&instruction(&choices));
                break;
            }
            line => {
                let Some(key) = line.strip_prefix("JOIN") else {
                    break;
                };
                match door.0.place_of(&words::read_key(key)).await {
                    Ok(Some(place)) => return Ok((place, true)),
                    Ok(None) => printer.print("NO GAME HAS THIS KEY"),
                    Err(error) => return Err(printer.refuse(&error)),
                }
                wrong += 1;
                if wrong == WRONG_KEYS {
                    return Err(good_bye(printer));
                }
            }
        }
    }
    loop {
        let place = match door.0.waiting.join() {
            Joined::First(second) => be_first(door, printer, lines, address, second).await?,
            Joined::Second(place) => be_second(printer, lines, place).await?,
        };
        match place {
            Some(place) => return Ok((place, false)),
            None => printer.print("THE OTHER TELETYPE IS GONE"),
        }
    }
}

fn good_bye(printer: &mut Printer) -> End {
    printer.print("GOOD BYE");
    End::Told
}

/// Asks for a line, and waits for it only so long.
async fn question(
    printer: &mut Printer,
    lines: &mut Lines,
    patience: Duration,
) -> Result<String, End> {
    printer.ask();
    match printer.answer(lines, patience).await {
        Some(Ok(Input::Line(line))) => {
            printer.answered();
            Ok(line)
        }
        Some(Ok(Input::TooLong)) => {
            printer.answered();
            Ok(String::new())
        }
        Some(Ok(Input::Interrupt)) => Err(good_bye(printer)),
        Some(Err(gone)) => Err(gone.into()),
        None => {
            printer.print("NO ANSWER. GOOD BYE");
            Err(End::Told)
        }
    }
}

/// Waits for a line that was not asked for; answers it; never ends but with
/// the console.
async fn unasked(printer: &mut Printer, lines: &mut Lines) -> End {
    loop {
        match printer.next(lines).await {
            Ok(Input::Line(line)) if line.trim().eq_ignore_ascii_case("BYE") => {
                return good_bye(printer);
            }
            Ok(Input::Line(_) | Input::TooLong) => printer.print(words::UNASKED),
            Ok(Input::Interrupt) => return good_bye(printer),
            Err(gone) => return gone.into(),
        }
    }
}

/// Waits for a second console, and says who plays White. `None` if the second
/// is gone again.
async fn be_first(
    door: &Door,
    printer: &mut Printer,
    lines: &mut Lines,
    address: SocketAddr,
    second: oneshot::Receiver<Second>,
) -> Result<Option<Place>, End> {
    printer.print("WAITING FOR THE OTHER TELETYPE");
    let second = tokio::select! {
        second = second => second,
        end = unasked(printer, lines) => return Err(end),
    };
    // Nobody else has the other half.
    let Ok(mut second) = second else {
        return Ok(None);
    };
    printer.print("THE OTHER TELETYPE HAS JOINED");
    let color = loop {
        printer.print("DO YOU PLAY WHITE Y/N");
        let line = tokio::select! {
            line = question(printer, lines, DECISION) => line?,
            () = second.closed() => return Ok(None),
        };
        match line.trim().to_uppercase().as_str() {
            "Y" | "YES" | "WHITE" => break Color::White,
            "N" | "NO" | "BLACK" => break Color::Black,
            _ => printer.print(words::NOT_UNDERSTOOD),
        }
    };
    if !door.0.begun.may_begin(address.ip()) {
        printer.print("TOO MANY GAMES WERE BEGUN FROM YOUR ADDRESS. COME AGAIN IN AN HOUR");
        return Err(End::Told);
    }
    let places = match door.0.make_game(color).await {
        Ok(places) => places,
        Err(error) => return Err(printer.refuse(&error)),
    };
    let (mine, other) = match color {
        Color::White => (places.white, places.black),
        Color::Black => (places.black, places.white),
    };
    // Should he be gone, his key is lost with him: nobody else could sit there.
    if second.send(other).is_err() {
        door.0.break_off(&mine).await;
        return Ok(None);
    }
    Ok(Some(mine))
}

/// Waits until the first user has said who plays White. `None` if the first is
/// gone.
async fn be_second(
    printer: &mut Printer,
    lines: &mut Lines,
    place: oneshot::Receiver<Place>,
) -> Result<Option<Place>, End> {
    printer.print("YOU HAVE JOINED THE OTHER TELETYPE. ITS USER SAYS WHO PLAYS WHITE");
    tokio::select! {
        place = place => Ok(place.ok()),
        end = unasked(printer, lines) => Err(end),
    }
}

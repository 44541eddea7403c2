//! The dialogue with a console from its first line until it has a seat in a
//! game.

use std::time::Duration;

use rules::{chess::Color, rulesets::UMPIRE};
use tokio::sync::oneshot;

use super::{
    instruction::instruction,
    pairing::{Joined, Place, Second},
    printer::{End, Printer},
    seat,
    settings::TODAY,
    teletypes::Teletypes,
    words,
};
use crate::base::{Console, Disconnected, Input};

/// Time that a user has to answer a question, before the connection is closed.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);
/// Time that the first user has to say who plays White, while the second waits.
const COLOR_TIMEOUT: Duration = Duration::from_secs(120);
/// Number of wrong keys after which the connection is closed.
const MAX_WRONG_KEYS: u32 = 3;

const HEADER: &str = "\
KRIEGSPIEL UMPIRE
A REFEREE FOR TWO TELETYPES AFTER THE PROGRAM OF 1965
TO COME BACK TO A GAME TYPE  JOIN  AND YOUR KEY
";

/// Serves one teletype until it disconnects or its game is over.
///
/// # Errors
/// The connection broke before the last message was sent.
pub async fn converse(teletypes: &Teletypes, console: Console) -> Result<(), Disconnected> {
    let mut printer = Printer::new(console);
    printer.print(HEADER);
    let greeted = tokio::select! {
        greeted = greet(teletypes, &mut printer) => greeted,
        () = teletypes.closing().closed() => Err(printer.end("THE UMPIRE IS CALLED AWAY. COME AGAIN.")),
    };
    let played = match greeted {
        Ok((place, back)) => {
            printer.named();
            seat::sit(teletypes, &mut printer, place, back).await
        }
        Err(end) => Err(end),
    };
    printer.close().await;
    match played {
        Ok(()) | Err(End::Told) => Ok(()),
        Err(End::Gone) => Err(Disconnected),
    }
}

/// Offers the instruction and finds a seat. The returned `bool` is true if the
/// user came back with a key.
async fn greet(teletypes: &Teletypes, printer: &mut Printer) -> Result<(Place, bool), End> {
    let mut wrong = 0;
    loop {
        printer.print("DO YOU WANT INSTRUCTION Y/N");
        let line = question(printer, ANSWER_TIMEOUT).await?;
        let line = line.trim().to_uppercase();
        match &*line {
            "BYE" => return Err(good_bye(printer)),
            "Y" | "YES" => {
                let choices = if teletypes.0.settings.as_in_1965 {
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
                let found = teletypes.place_of(&words::read_key(key)).await;
                if let Some(place) = found.map_err(|error| printer.refuse(&error))? {
                    return Ok((place, true));
                }
                printer.print("NO GAME HAS THIS KEY");
                wrong += 1;
                if wrong == MAX_WRONG_KEYS {
                    return Err(good_bye(printer));
                }
            }
        }
    }
    loop {
        let place = match teletypes.0.waiting.join() {
            Joined::First(second) => be_first(teletypes, printer, second).await?,
            Joined::Second(place) => be_second(printer, place).await?,
        };
        match place {
            Some(place) => return Ok((place, false)),
            None => printer.print("THE OTHER TELETYPE IS GONE"),
        }
    }
}

fn good_bye(printer: &mut Printer) -> End {
    printer.end("GOOD BYE")
}

/// Asks for a line, and waits at most `limit` for it.
async fn question(printer: &mut Printer, limit: Duration) -> Result<String, End> {
    printer.ask();
    match printer.answer(limit).await {
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
        None => Err(printer.end("NO ANSWER. GOOD BYE")),
    }
}

/// Answers lines that are typed without a prompt. Returns only when the user
/// types `BYE` or the connection ends.
async fn unasked(printer: &mut Printer) -> End {
    loop {
        match printer.next().await {
            Ok(Input::Line(line)) if line.trim().eq_ignore_ascii_case("BYE") => {
                return good_bye(printer);
            }
            Ok(Input::Line(_) | Input::TooLong) => printer.print(words::UNASKED),
            Ok(Input::Interrupt) => return good_bye(printer),
            Err(gone) => return gone.into(),
        }
    }
}

/// Waits for a second console, then asks this user who plays White. Returns
/// `None` if the second console disconnects meanwhile.
async fn be_first(
    teletypes: &Teletypes,
    printer: &mut Printer,
    second: oneshot::Receiver<Second>,
) -> Result<Option<Place>, End> {
    printer.print("WAITING FOR THE OTHER TELETYPE");
    let second = tokio::select! {
        second = second => second,
        end = unasked(printer) => return Err(end),
    };
    // An error means that the second console has disconnected.
    let Ok(mut second) = second else {
        return Ok(None);
    };
    printer.print("THE OTHER TELETYPE HAS JOINED");
    let color = loop {
        printer.print("DO YOU PLAY WHITE Y/N");
        let line = tokio::select! {
            line = question(printer, COLOR_TIMEOUT) => line?,
            () = second.closed() => return Ok(None),
        };
        match line.trim().to_uppercase().as_str() {
            "Y" | "YES" | "WHITE" => break Color::White,
            "N" | "NO" | "BLACK" => break Color::Black,
            _ => printer.print(words::NOT_UNDERSTOOD),
        }
    };
    if !teletypes.may_begin(printer.address()) {
        let why = "TOO MANY GAMES WERE BEGUN FROM YOUR ADDRESS. COME AGAIN IN AN HOUR";
        return Err(printer.end(why));
    }
    let made = teletypes.make_game(color).await;
    let (mine, other) = made.map_err(|error| printer.refuse(&error))?;
    // If the second console has disconnected, nobody else can take its seat:
    // its key was never printed.
    if second.send(other).is_err() {
        teletypes.abort(&mine).await;
        return Ok(None);
    }
    Ok(Some(mine))
}

/// Waits until the first user has said who plays White. Returns `None` if the
/// first console disconnects meanwhile.
async fn be_second(
    printer: &mut Printer,
    place: oneshot::Receiver<Place>,
) -> Result<Option<Place>, End> {
    printer.print("YOU HAVE JOINED THE OTHER TELETYPE. ITS USER SAYS WHO PLAYS WHITE");
    tokio::select! {
        place = place => Ok(place.ok()),
        end = unasked(printer) => Err(end),
    }
}

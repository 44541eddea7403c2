//! The dialogue with a console, from the first line until the console has a seat in a game.

use std::time::Duration;

use rules::{chess::Color, rulesets::UMPIRE};
use tokio::sync::{mpsc, oneshot};

use super::{
    instruction::instruction,
    pairing::{Joined, Place, Second, ToSecond},
    printer::{End, Printer},
    seat,
    settings::TODAY,
    teletypes::Teletypes,
    typed::{Typed, special},
    words,
};
use crate::base::{Console, Disconnected, Input};

/// A user must answer a question within this time. Otherwise the connection is closed.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);
/// The first of two paired users must say within this time who plays White. The second user waits
/// meanwhile.
const COLOR_TIMEOUT: Duration = Duration::from_secs(120);
/// Number of wrong keys after which the connection is closed.
const MAX_WRONG_KEYS: u32 = 3;

const HEADER: &str = "\
KRIEGSPIEL UMPIRE
A REFEREE FOR TWO TELETYPES AFTER THE PROGRAM OF 1965
TO COME BACK TO A GAME TYPE  JOIN  AND YOUR KEY
";

/// Printed if a user types a command of a game before the game exists.
const NO_GAME: &str = "NO GAME YET";
/// Printed if no second console will join.
const NOBODY: &str = "THE OTHER TELETYPE DOES NOT ANSWER. GOOD BYE";

/// Serves one teletype until it disconnects or its game is over.
///
/// # Errors
/// The connection broke before the last message was sent.
pub async fn converse(teletypes: &Teletypes, console: Console) -> Result<(), Disconnected> {
    let mut printer = Printer::new(console);
    printer.print(HEADER);
    let greeted = tokio::select! {
        // When the club closes, both consoles of a pair are closed. This select checks the closing
        // first. So the user is told that the club closes, not that the other console is gone.
        biased;
        () = teletypes.closing().closed() => Err(printer.end("THE CLUB IS CLOSING. CALL AGAIN LATER")),
        greeted = greet(teletypes, &mut printer) => greeted,
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
                match special(line) {
                    Some(Typed::Message(_)) => {
                        printer.print("THE OTHER TELETYPE HAS NOT JOINED YET");
                        continue;
                    }
                    Some(_) => {
                        printer.print(NO_GAME);
                        continue;
                    }
                    None => {}
                }
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
            Some(Joined::First(second)) => be_first(teletypes, printer, second).await?,
            Some(Joined::Second(place)) => be_second(printer, place).await?,
            None => return Err(printer.end(NOBODY)),
        };
        match place {
            Some(place) => return Ok((place, false)),
            None if teletypes.0.waiting.is_closed() => return Err(printer.end(NOBODY)),
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
/// types `BYE` or Control-C, or the connection ends.
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

/// Waits for a second console, then asks the first user who plays White. Returns `None` if the
/// second console disconnects meanwhile, or if no second console will join.
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
    // An error means that no second console will join.
    let Ok(second) = second else {
        return Ok(None);
    };
    printer.print("THE OTHER TELETYPE HAS JOINED");
    let color = tokio::select! {
        color = first_color(printer, &second) => color?,
        () = second.closed() => return Ok(None),
    };
    if color.is_none() {
        let coin = "A COIN OF THE UMPIRE DECIDES. THE PROGRAM OF 1965 HAD NO COIN".to_owned();
        printer.print(&coin);
        let _gone = second.send(ToSecond::Print(coin));
    }
    if !teletypes.may_begin(printer.address()) {
        let why = "TOO MANY GAMES WERE BEGUN FROM YOUR ADDRESS. CALL AGAIN IN AN HOUR";
        return Err(printer.end(why));
    }
    let made = teletypes.make_game(color).await;
    let (mine, other) = made.map_err(|error| printer.refuse(&error))?;
    // If the second console has disconnected, the game is aborted. Nobody else can take the second
    // seat, because its key was never printed.
    if second.send(ToSecond::Seat(other)).is_err() {
        teletypes.abort(&mine).await;
        return Ok(None);
    }
    Ok(Some(mine))
}

/// Asks the first user for the colour until the answer is understood. Returns
/// `None` if the user wants a coin.
async fn first_color(printer: &mut Printer, second: &Second) -> Result<Option<Color>, End> {
    let both = |printer: &mut Printer, text: &str| {
        let text = words::printable(text.trim());
        if text.is_empty() {
            return;
        }
        let line = format!("THE FIRST TELETYPE SAYS {text}");
        printer.print(&line);
        let _gone = second.send(ToSecond::Print(line));
    };
    loop {
        printer.print("DO YOU PLAY WHITE Y/N");
        let line = question(printer, COLOR_TIMEOUT).await?;
        match line.trim().to_uppercase().as_str() {
            "Y" | "YES" | "WHITE" => return Ok(Some(Color::White)),
            "N" | "NO" | "BLACK" => return Ok(Some(Color::Black)),
            "COIN" => return Ok(None),
            "BYE" => return Err(good_bye(printer)),
            line => match special(line) {
                Some(Typed::Message(Some(text))) => both(printer, &text),
                Some(Typed::Message(None)) => {
                    printer.print(words::NEXT_LINE);
                    let text = question(printer, COLOR_TIMEOUT).await?;
                    both(printer, &text);
                }
                Some(_) => printer.print(NO_GAME),
                None => printer.print(words::NOT_UNDERSTOOD),
            },
        }
    }
}

/// Waits until the first user has said who plays White. Meanwhile prints the lines that the first
/// console sends. Returns `None` if the first console disconnects before the answer.
async fn be_second(
    printer: &mut Printer,
    mut first: mpsc::UnboundedReceiver<ToSecond>,
) -> Result<Option<Place>, End> {
    printer.print("YOU HAVE JOINED THE OTHER TELETYPE. ITS USER SAYS WHO PLAYS WHITE");
    loop {
        tokio::select! {
            said = first.recv() => match said {
                Some(ToSecond::Print(line)) => printer.print(&line),
                Some(ToSecond::Seat(place)) => return Ok(Some(place)),
                None => return Ok(None),
            },
            end = unasked(printer) => return Err(end),
        }
    }
}

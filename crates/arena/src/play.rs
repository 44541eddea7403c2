//! One game from first to last.

use referee::{EndCause, Game, Opened};
use rules::{
    Calls, Heard, Listener, Over, Start, Try, Verdict,
    chess::{ByColor, Color},
};
use views::PlayerView;

use crate::{
    scribe::Scribe,
    seat::{Seat, Word},
};

/// How often in one turn a seat may be refused or misread before it counts as
/// gone.
pub const MOST_REFUSALS: u32 = 100;

/// How many attempts one turn may take before who makes them counts as gone:
/// no player needs so many, and a program could repeat itself for ever.
pub const MOST_ATTEMPTS: u32 = 10_000;

/// What every game of a run begins with.
#[derive(Clone, Debug)]
pub struct Opening {
    opened: Opened,
    asked: String,
    starts: ByColor<Start>,
    calls: Calls,
    views: ByColor<PlayerView>,
}

impl Opening {
    /// Opens one game and keeps what its seats are told. `asked` is the line
    /// that opens it in a record: `new`, or `new FEN`.
    pub fn new(opened: Opened, asked: String) -> Opening {
        let game = Game::open(opened.clone());
        let calls = game.opening_calls();
        let starts = ByColor {
            white: game.start(Listener::White),
            black: game.start(Listener::Black),
        };
        let views = ByColor::new_with(|color| {
            let mut view = PlayerView::open(opened.choices, color, starts.get(color));
            for call in &calls {
                if call.audience.includes(Listener::from(color)) {
                    view.hear(&call.heard);
                }
            }
            view
        });
        Opening {
            opened,
            asked,
            starts,
            calls,
            views,
        }
    }

    /// How the games are opened.
    pub fn opened(&self) -> &Opened {
        &self.opened
    }
}

/// What games leave behind for the next one.
#[derive(Debug, Default)]
pub struct Buffers {
    tries: Vec<Try>,
    calls: Calls,
}

/// How a game went.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Played {
    /// Completed moves.
    pub plies: u32,
    /// Attempts and questions that were answered; those refused or not
    /// understood do not count.
    pub attempts: u64,
    /// How it ended; `None` if it was stopped before its end.
    pub over: Option<Over>,
}

/// Plays one game: judges every attempt, and lets both views and both seats
/// hear what is addressed to them.
///
/// The tries are listed anew for every attempt. Between built-in bots nothing
/// is allocated per attempt.
pub fn play_game<W, B, S>(
    opening: &Opening,
    max_plies: u32,
    white: &mut W,
    black: &mut B,
    scribe: &mut S,
    buffers: &mut Buffers,
) -> Played
where
    W: Seat + ?Sized,
    B: Seat + ?Sized,
    S: Scribe,
{
    let Buffers { tries, calls } = buffers;
    let mut game = Game::open(opening.opened.clone());
    let mut views = opening.views.clone();
    let mut played = Played::default();
    let (mut refusals, mut answered) = (0, 0);

    white.open(&opening.starts.white, &opening.opened.choices);
    black.open(&opening.starts.black, &opening.opened.choices);
    tell(&opening.calls, None, white, black);
    scribe.opened(&game, &opening.asked, &opening.calls);

    while let Some(by) = game.to_move() {
        if played.plies >= max_plies {
            stop(&game, EndCause::Abort, white, black);
            return played;
        }
        let word = if refusals >= MOST_REFUSALS || answered >= MOST_ATTEMPTS {
            Word::Gone
        } else {
            let view = views.get(by);
            view.tries_into(tries);
            match by {
                Color::White => white.answer(view, tries),
                Color::Black => black.answer(view, tries),
            }
        };
        match word {
            Word::Attempt(attempt) => match game.attempt(by, attempt, calls) {
                Ok(event) => {
                    played.attempts += 1;
                    answered += 1;
                    tell(calls, Some(&mut views), white, black);
                    if moved(calls) {
                        played.plies += 1;
                        (refusals, answered) = (0, 0);
                    }
                    scribe.ruled(&game, by, attempt, &event, calls);
                }
                Err(refusal) => {
                    refusals += 1;
                    scribe.refused(&game, by, attempt, &refusal);
                    match by {
                        Color::White => white.refused(&refusal),
                        Color::Black => black.refused(&refusal),
                    }
                }
            },
            Word::Unreadable { text, why } => {
                refusals += 1;
                scribe.not_understood(&game, &text, &why);
                match by {
                    Color::White => white.refused(&why),
                    Color::Black => black.refused(&why),
                }
            }
            Word::Gone => {
                if let Some(ruling) = stop(&game, EndCause::Gone(by), white, black) {
                    game.apply(&ruling.event);
                    scribe.gone(&game, by, &ruling.calls);
                }
            }
        }
    }
    played.over = game.over();
    played
}

/// Whether a move was completed.
fn moved(calls: &Calls) -> bool {
    calls.first().is_some_and(|call| {
        matches!(
            call.heard,
            Heard::Verdict {
                verdict: Verdict::Moved,
                ..
            }
        )
    })
}

/// Everyone hears what is addressed to him; the views first.
#[inline]
fn tell<W, B>(calls: &Calls, views: Option<&mut ByColor<PlayerView>>, white: &mut W, black: &mut B)
where
    W: Seat + ?Sized,
    B: Seat + ?Sized,
{
    if let Some(views) = views {
        for call in calls {
            if call.audience.includes(Listener::White) {
                views.white.hear(&call.heard);
            }
            if call.audience.includes(Listener::Black) {
                views.black.hear(&call.heard);
            }
        }
    }
    for call in calls {
        if call.audience.includes(Listener::White) {
            white.hear(&call.heard);
        }
        if call.audience.includes(Listener::Black) {
            black.hear(&call.heard);
        }
    }
    white.told();
    black.told();
}

/// Judges the end by absence or breaking off and tells the seats.
fn stop<W, B>(game: &Game, cause: EndCause, white: &mut W, black: &mut B) -> Option<referee::Ruling>
where
    W: Seat + ?Sized,
    B: Seat + ?Sized,
{
    let ruling = game.judge_end(cause).ok()?;
    tell(&ruling.calls, None, white, black);
    Some(ruling)
}

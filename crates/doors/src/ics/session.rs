//! One console: its typed lines, the hearings of its games, and the talk of
//! others.

use std::{collections::HashSet, future::poll_fn, pin::Pin, task::Poll, time::Duration};

use club::{
    Account, Club, ClubError, GameId, ListenerItem, Listening, Millis, OfferId, RequestId,
    request_id,
};
use limits::Bucket;
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, sleep_until},
};

use super::{
    known_game::KnownGame,
    replay::Examined,
    settings::{Settings, Style},
    state::{IcsState, Notice, NoticeKind},
    wrap::wrapped,
};
use crate::base::{Input, Lines, Output, per_second};

/// Time without a typed line after which a client without a game is
/// disconnected.
const IDLE_TIMEOUT: Duration = Duration::from_secs(3600);
/// Maximum rate at which a changed lobby is read, per second. A burst may have
/// four times as many reads.
const LOBBY_READS_PER_SECOND: u32 = 5;
/// Maximum rate of lines to other people, per second. A burst may have four
/// times as many lines.
const TALK_PER_SECOND: u32 = 4;

/// Role of a person in a game at this door.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Part {
    /// Player of a running game.
    Plays,
    /// Player of an adjourned game, who may be asked to continue it.
    Waits,
    /// Player of a finished game, who may be asked for a rematch.
    Played,
    /// Spectator.
    Watches,
}

/// A game that this console follows.
#[derive(Debug)]
pub(super) struct FollowedGame {
    pub(super) game: GameId,
    pub(super) part: Part,
    pub(super) known: KnownGame,
    pub(super) listening: Listening,
    /// Whether the person was told that the opponent is disconnected.
    pub(super) is_missed: bool,
}

/// One console.
pub(super) struct Session {
    pub(super) state: IcsState,
    pub(super) club: Club,
    pub(super) console: u64,
    pub(super) me: Account,
    pub(super) set: Settings,
    pub(super) tables: Vec<FollowedGame>,
    pub(super) examined: Option<Examined>,
    /// Offers that the person was told about.
    pub(super) known: HashSet<OfferId>,
    /// Open challenges to this person, with the names of the challengers.
    pub(super) challenged: Vec<(OfferId, String)>,
    /// Offers made from this console. The name is the challenged person; `None`
    /// for a seek.
    pub(super) offered: Vec<(OfferId, Option<String>)>,
    /// Games of this person that the person was told about.
    pub(super) games: HashSet<GameId>,
    /// Whether the session ends.
    pub(super) quits: bool,
    /// Explanation why the last try was refused.
    pub(super) why: Option<String>,
    output: Output,
    out: String,
    prompted: bool,
    begun: Millis,
    requests: u64,
    /// Rate limit of lines to other people.
    pub(super) talk: Bucket,
}

impl Session {
    pub(super) fn new(state: IcsState, console: u64, me: Account, output: Output) -> Session {
        let club = state.club().clone();
        Session {
            begun: club.now(),
            set: state.settings(&me),
            club,
            console,
            me,
            tables: Vec::new(),
            examined: None,
            known: HashSet::new(),
            challenged: Vec::new(),
            offered: Vec::new(),
            games: HashSet::new(),
            quits: false,
            why: None,
            output,
            out: String::new(),
            prompted: false,
            requests: 0,
            talk: per_second(TALK_PER_SECOND),
            state,
        }
    }

    /// Runs the session from sign-in until the connection ends.
    pub(super) async fn run(mut self, lines: &mut Lines, mut notes: mpsc::Receiver<Notice>) {
        let mut lobby = self.club.lobby();
        self.greet();
        self.show_messages();
        lobby.mark_unchanged();
        self.look_around(true).await;
        self.flush(false);
        let mut heard = Instant::now();
        let mut looks = per_second(LOBBY_READS_PER_SECOND);
        while !self.quits {
            tokio::select! {
                biased;
                (at, told) = told(&mut self.tables) => match told {
                    Some(told) => {
                        self.take_in(at, told).await;
                        self.flush(false);
                    }
                    None => self.quit(
                        "The club is closing. Your game is saved, and continues when the club opens again.",
                    ),
                },
                typed = lines.next() => {
                    let Ok(input) = typed else { break };
                    heard = Instant::now();
                    self.typed(input).await;
                    self.flush(true);
                }
                note = notes.recv() => match note {
                    Some(note) => {
                        self.note(&note);
                        self.flush(false);
                    }
                    None => {
                        self.quit("You are signed in at four newer consoles, so this one is closed.");
                    }
                },
                changed = changed(&mut lobby, &mut looks) => {
                    if changed.is_err() {
                        break;
                    }
                    looks.owe(1);
                    lobby.mark_unchanged();
                    self.look_around(false).await;
                    self.flush(false);
                }
                () = sleep_until(heard + IDLE_TIMEOUT) => match self.plays() {
                    Some(_) => heard = Instant::now(),
                    None => self.quit("You have said nothing for an hour. Good-bye; come again."),
                },
            }
        }
        self.flush(false);
        self.state.keep_settings(&self.me, &self.set);
        // The person has disconnected, and could not play a game that begins
        // when somebody accepts a seek. So the seeks are withdrawn.
        self.take_seeks_back(true).await;
        self.state.leave(self.console);
    }

    fn quit(&mut self, why: &str) {
        self.line(why);
        self.quits = true;
    }

    fn greet(&mut self) {
        let name = &self.me.name;
        let text = format!(
            "**** You are {name} at Kriegspiel Umpire. ****\n\
             Type `help` for help, `sought` for games that are offered, `who` for who is here.",
        );
        self.line(&text);
    }

    async fn typed(&mut self, input: Input) {
        match input {
            Input::Line(line) => self.command(&line).await,
            Input::TooLong => self.line("That line is too long: a line has at most 1024 bytes."),
            Input::Interrupt => self.line("Type `quit` to disconnect."),
        }
    }

    /// Queues a line of output.
    pub(super) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        if !text.ends_with('\n') {
            self.out.push('\n');
        }
    }

    /// Queues a bell character.
    pub(super) fn ring(&mut self) {
        self.out.push('\u{7}');
    }

    /// Sends the queued output, and prints the prompt. `asked`: the output is
    /// the answer to a typed line.
    pub(super) fn flush(&mut self, asked: bool) {
        if self.out.is_empty() && !asked {
            return;
        }
        let mut text = String::with_capacity(self.out.len() + 8);
        // A client does not show the line that it sends, so the cursor is still
        // at the end of the prompt.
        let client = self.set.style == Style::Twelve;
        if self.prompted
            && (client || !asked)
            && !self.out.is_empty()
            && !self.out.starts_with('\n')
        {
            text.push('\n');
        }
        if client {
            text.push_str(&self.out);
        } else {
            text.push_str(&wrapped(&self.out, self.set.width));
        }
        self.out.clear();
        self.prompted = self.set.prompt && !self.quits;
        if self.prompted {
            text.push_str("ics% ");
        }
        self.output.say(&text);
    }

    /// Returns a new request id, different from all others of this account.
    pub(super) fn request(&mut self) -> Result<RequestId, ClubError> {
        self.requests += 1;
        let (begun, console, n) = (self.begun, self.console, self.requests);
        request_id(&format!("ics-{begun}-{console}-{n}"))
    }

    /// Returns the index of the game that the person plays.
    pub(super) fn plays(&self) -> Option<usize> {
        self.tables
            .iter()
            .position(|table| table.part == Part::Plays)
    }

    /// Returns the index of the game that the person plays. If there is none:
    /// of a game that the person has played, or of an adjourned game.
    pub(super) fn own(&self) -> Option<usize> {
        let own = |part| self.tables.iter().rposition(|table| table.part == part);
        self.plays()
            .or_else(|| own(Part::Played))
            .or_else(|| own(Part::Waits))
    }

    fn note(&mut self, note: &Notice) {
        let (from, name) = &note.from;
        // Talk of others must not end a player's session. So talk is dropped if
        // the output queue is long; moves are never dropped.
        if self.output.is_behind() {
            return;
        }
        if *from != self.me.id && self.set.censored.contains(&**name) {
            return;
        }
        let wants = match note.what {
            NoticeKind::Tell => self.set.tell,
            NoticeKind::Shout => self.set.shout,
            NoticeKind::Comes => self.set.noticed.iter().any(|noticed| {
                note.text
                    .to_ascii_lowercase()
                    .starts_with(&format!("notification: {noticed} "))
            }),
            NoticeKind::Game { game, players } => {
                let at = self.tables.iter().find(|table| table.game == game);
                self.set.kibitz
                    && at.is_some_and(|table| {
                        players || matches!(table.part, Part::Watches | Part::Played)
                    })
            }
        };
        if wants {
            self.line(&note.text);
        }
    }
}

/// Waits until the lobby has changed and the rate limit allows to read it.
/// Cancel safe.
async fn changed(
    lobby: &mut watch::Receiver<u64>,
    looks: &mut Bucket,
) -> Result<(), watch::error::RecvError> {
    if !lobby.has_changed()? {
        lobby.changed().await?;
        lobby.mark_changed();
    }
    looks.ready().await;
    Ok(())
}

/// Returns the next item of any followed game, with the index of that game.
/// Cancel safe.
async fn told(tables: &mut [FollowedGame]) -> (usize, Option<ListenerItem>) {
    let mut all: Vec<Pin<Box<_>>> = tables
        .iter_mut()
        .map(|t| Box::pin(t.listening.next()))
        .collect();
    poll_fn(|context| {
        for (at, one) in all.iter_mut().enumerate() {
            if let Poll::Ready(told) = one.as_mut().poll(context) {
                return Poll::Ready((at, told));
            }
        }
        Poll::Pending
    })
    .await
}

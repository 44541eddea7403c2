//! One console: its typed lines, the hearings of its games, and the talk of
//! others.

use std::{
    collections::{HashSet, VecDeque},
    future::poll_fn,
    pin::Pin,
    sync::Arc,
    task::Poll,
    time::Duration,
};

use club::{
    Account, AccountId, Club, ClubError, GameId, ListenerItem, Listening, Message, Millis, OfferId,
    RequestId, TalkGroup, TalkListening, request_id,
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
    terms,
    wrap::wrapped,
};
use crate::base::{Input, Lines, Output, per_second};

/// A client that plays no game is disconnected if it sends no line for this time.
const IDLE_TIMEOUT: Duration = Duration::from_secs(3600);
/// Maximum number of times per second that a changed lobby is read, on average. A burst can have up
/// to four times this number.
const LOBBY_READS_PER_SECOND: u32 = 5;
/// Maximum number of times per second that changed settings are stored, on average. A burst can
/// have up to four times this number.
const KEEPS_PER_SECOND: u32 = 1;
/// Maximum number of own games for which messages are shown. Finished games are included.
const MAX_OWN_GAMES: usize = 8;
/// Name of this door in the store.
const DOOR_NAME: &str = "ics";

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
    /// Attempts since the last hearing that the club could not confirm. They may have been
    /// recorded.
    pub(super) unconfirmed: Vec<UnconfirmedAttempt>,
    /// The impossible move that was asked back, and the number of the last hearing before it.
    pub(super) asked_back: Option<(u32, String)>,
}

/// An attempt that the club answered with [`wire::RefusalCode::Unavailable`].
#[derive(Debug)]
pub(super) struct UnconfirmedAttempt {
    pub(super) id: RequestId,
    /// Number of the last hearing before the attempt.
    pub(super) after: u32,
    pub(super) text: String,
}

/// A group at a game: the players or the spectators. This console shows the messages of the group.
pub(super) struct FollowedTalk {
    pub(super) game: GameId,
    pub(super) group: TalkGroup,
    listening: TalkListening,
    /// Numbers of messages written at this console, which are not shown again.
    pub(super) own: Vec<u32>,
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
    /// Accounts that the person mutes.
    pub(super) muted: Arc<HashSet<AccountId>>,
    /// Groups whose messages are shown.
    pub(super) talks: Vec<FollowedTalk>,
    /// The last games that this person played at this console, oldest first.
    own_games: VecDeque<GameId>,
    /// The settings that the store has now, as text.
    kept: String,
    /// Limit on how often changed settings are stored.
    keeps: Bucket,
}

impl Session {
    pub(super) fn new(state: IcsState, console: u64, me: Account, output: Output) -> Session {
        let club = state.club().clone();
        Session {
            begun: club.now(),
            set: Settings::default(),
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
            muted: Arc::default(),
            talks: Vec::new(),
            own_games: VecDeque::new(),
            kept: Settings::default().kept(),
            keeps: per_second(KEEPS_PER_SECOND),
            state,
        }
    }

    /// Runs the session from sign-in until the connection ends.
    pub(super) async fn run(mut self, lines: &mut Lines, mut notes: mpsc::Receiver<Notice>) {
        let mut lobby = self.club.lobby();
        self.recall_settings().await;
        self.greet();
        self.show_messages().await;
        lobby.mark_unchanged();
        self.look_around(true).await;
        self.flush(false);
        let mut heard = Instant::now();
        let mut looks = per_second(LOBBY_READS_PER_SECOND);
        while !self.quits {
            self.follow_talks().await;
            tokio::select! {
                biased;
                (at, item) = next_item(&mut self.tables) => match item {
                    Some(item) => {
                        self.take_in(at, item).await;
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
                        self.note(&note).await;
                        self.flush(false);
                    }
                    None => {
                        self.quit("You are signed in at four newer consoles, so this one is closed.");
                    }
                },
                (at, message) = written(&mut self.talks) => {
                    self.show_message(at, message);
                    self.flush(false);
                }
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
                    None => self.quit("You have typed nothing for an hour. Good-bye; connect again."),
                },
            }
        }
        self.flush(false);
        self.keep_settings().await;
        // The person has disconnected. If somebody accepted a seek now, the person could not play
        // the game. So the seeks are withdrawn.
        self.take_seeks_back(true).await;
        self.state.leave(self.console);
    }

    fn quit(&mut self, why: &str) {
        self.line(why);
        self.quits = true;
    }

    fn greet(&mut self) {
        // Clients wait for the first line, and take the name from it.
        let name = terms::marked(&self.me);
        let text = format!(
            "**** Starting Kriegspiel session as {name} ****\n\
             Type `help` for help, `sought` for games that are offered, `who` for who is here.",
        );
        self.line(&text);
    }

    async fn typed(&mut self, input: Input) {
        match input {
            Input::Line(line) => {
                self.command(&line).await;
                if self.set.kept() != self.kept && self.keeps.take(1.0).is_ok() {
                    self.keep_settings().await;
                }
            }
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

    /// Sends the queued output, and prints the prompt. `asked` says whether the
    /// output is the answer to a typed line.
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

    /// Returns the index of the game that the person plays. If the person plays no game, returns
    /// the index of a game that the person has played, or of an adjourned game.
    pub(super) fn own(&self) -> Option<usize> {
        let own = |part| self.tables.iter().rposition(|table| table.part == part);
        self.plays()
            .or_else(|| own(Part::Played))
            .or_else(|| own(Part::Waits))
    }

    /// Reads the settings that the store keeps of this account.
    async fn recall_settings(&mut self) {
        self.muted = self.club.muted_ids(self.me.id).await;
        match self.club.kept_settings(&self.me, DOOR_NAME).await {
            Ok(Some(text)) => {
                self.set = Settings::read(&text);
                self.kept = self.set.kept();
            }
            Ok(None) => {}
            Err(error) => self.line(&format!("Your settings cannot be read: {error}")),
        }
    }

    /// Stores the settings if they have changed.
    async fn keep_settings(&mut self) {
        let text = self.set.kept();
        if text == self.kept {
            return;
        }
        let kept = self.club.keep_settings(&self.me, DOOR_NAME, &text);
        match kept.await {
            Ok(()) => self.kept = text,
            Err(error) => self.line(&format!("Your settings are not kept: {error}")),
        }
    }

    async fn note(&mut self, note: &Notice) {
        // Talk of others must not end a player's session. So talk is dropped if
        // the output queue is long; moves are never dropped.
        if self.output.is_behind() {
            return;
        }
        self.muted = self.club.muted_ids(self.me.id).await;
        if note.from != self.me.id && self.muted.contains(&note.from) {
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
        };
        if wants {
            self.line(&note.text);
        }
    }

    /// Begins and ends the subscriptions to messages, according to the games that
    /// the person follows.
    async fn follow_talks(&mut self) {
        let mut wanted = Vec::new();
        for table in &self.tables {
            let groups: &[TalkGroup] = match table.part {
                Part::Plays | Part::Waits => &[TalkGroup::Players],
                Part::Played => &[TalkGroup::Players, TalkGroup::Spectators],
                Part::Watches => &[TalkGroup::Spectators],
            };
            wanted.extend(groups.iter().map(|group| (table.game, *group)));
            if table.part != Part::Watches && !self.own_games.contains(&table.game) {
                self.own_games.push_back(table.game);
            }
        }
        while self.own_games.len() > MAX_OWN_GAMES {
            self.own_games.pop_front();
        }
        // The opponent of a game that has just ended may still write. So the messages of the last
        // own games are shown, too.
        let others = self.own_games.iter();
        let others = others.map(|game| (*game, TalkGroup::Players));
        let others: Vec<_> = others.filter(|one| !wanted.contains(one)).collect();
        wanted.extend(others);
        self.talks
            .retain(|talk| wanted.contains(&(talk.game, talk.group)));
        for (game, group) in wanted {
            let is_followed = |talk: &FollowedTalk| (talk.game, talk.group) == (game, group);
            if self.talks.iter().any(is_followed) {
                continue;
            }
            let (reader, named) = (Some(self.me.id), Some(group));
            // Only new messages are shown. After an error, the next call of this function tries
            // again.
            let begun = self.club.listen_to_talk(game, reader, named, None);
            if let Ok((_, listening)) = begun.await {
                self.talks.push(FollowedTalk {
                    game,
                    group,
                    listening,
                    own: Vec::new(),
                });
            }
        }
    }

    /// Shows a message of a group. `None` means that no more messages come.
    fn show_message(&mut self, at: usize, message: Option<Message>) {
        let Some(message) = message else {
            self.talks.remove(at);
            return;
        };
        let talk = &mut self.talks[at];
        let own = talk.own.iter().position(|n| *n == message.n);
        if let Some(own) = own {
            talk.own.remove(own);
            return;
        }
        if self.output.is_behind() {
            return;
        }
        let number = self.state.number(talk.game);
        let (from, text) = (&message.from, &message.text);
        let line = match talk.group {
            TalkGroup::Players if self.set.tell => {
                format!("{}[{number}] says: {text}", terms::marked(from))
            }
            TalkGroup::Spectators if self.set.kibitz => {
                let (name, rating) = (terms::marked(from), terms::rating(from));
                format!("{name}({rating})[{number}] kibitzes: {text}")
            }
            TalkGroup::Players | TalkGroup::Spectators => return,
        };
        self.line(&line);
    }
}

/// Returns the next message of any followed group, with the index of that group.
/// Cancel safe.
async fn written(talks: &mut [FollowedTalk]) -> (usize, Option<Message>) {
    let mut all: Vec<Pin<Box<_>>> = talks
        .iter_mut()
        .map(|talk| Box::pin(talk.listening.next()))
        .collect();
    poll_fn(|context| {
        for (at, one) in all.iter_mut().enumerate() {
            if let Poll::Ready(message) = one.as_mut().poll(context) {
                return Poll::Ready((at, message));
            }
        }
        Poll::Pending
    })
    .await
}

/// Waits until the lobby has changed, and until the rate limit allows the
/// session to read it. Cancel safe.
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
async fn next_item(tables: &mut [FollowedGame]) -> (usize, Option<ListenerItem>) {
    let mut all: Vec<Pin<Box<_>>> = tables
        .iter_mut()
        .map(|t| Box::pin(t.listening.next()))
        .collect();
    poll_fn(|context| {
        for (at, one) in all.iter_mut().enumerate() {
            if let Poll::Ready(item) = one.as_mut().poll(context) {
                return Poll::Ready((at, item));
            }
        }
        Poll::Pending
    })
    .await
}

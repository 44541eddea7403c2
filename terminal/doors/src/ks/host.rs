//! The host's end of a game. This end runs the referee in its own process.

use std::{
    future, io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use club::{Club, ClubError, ColorWish, GameId, Terms, TimeControl};
use limits::Connections;
use rules::chess::Color;
use tokio::{
    net::TcpListener,
    sync::{mpsc, oneshot},
    task::JoinSet,
    time::timeout,
};
use wire::{ClientSays, ServerSays, Side};

use super::{
    channel::{Channel, ChannelError, Timeouts},
    coin::{Agreed, CoinShare, Endpoint},
    key::GameKey,
    options::Wishes,
    says::{GuestSays, Hello, HostSays, VERSION, plain},
    seat::{Left, PgnWriter, ServedSeat, Talk, serve},
    state_file::{AgreedGame, HostState, StateFile},
};

/// Maximum number of simultaneous callers that have not yet shown that they
/// know the key.
const MAX_UNVERIFIED_CALLS: u32 = 64;

/// Time limit for the message to a guest whose seat is taken by another guest.
const NOTICE_TIMEOUT: Duration = Duration::from_millis(200);

/// Sent to a guest when another guest takes the seat with the same key.
const SEAT_TAKEN: &str = "another `kriegspiel ks` called with your name and this key, and now has \
    your seat: continue there. If that was not you, somebody else knows the key. In that case, start \
    again at both ends with --new and --key, and make up a new key (20 letters and digits)";

/// Error that ends the host's run.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The host's state cannot be written to disk.
    #[error("the game cannot be saved: {0}")]
    Io(#[from] io::Error),
    /// The club in this process failed.
    #[error("{0}")]
    Club(#[from] ClubError),
}

type HostChannel = Channel<GuestSays, HostSays>;

/// Event at one of the two seats.
enum Event {
    /// The guest has taken its seat in this game.
    Here(AgreedGame),
    /// The guest has disconnected.
    Gone,
    /// The game is over, and the guest has received everything about it.
    Ended,
    /// The game is over, and the host's own player has received everything about it.
    OwnEnded,
    /// A guest with another version of the messages has called.
    OtherVersion(u32),
    /// The host failed.
    Failed(HostError),
}

/// The host's end of a game.
#[derive(Clone)]
pub struct Host {
    /// The club in this process.
    pub club: Club,
    /// Name of the host's own player.
    pub me: String,
    /// Name of the opponent.
    pub opponent: String,
    /// Wishes of the host's player for a new game.
    pub wishes: Wishes,
    /// Key of the game.
    pub key: GameKey,
    /// Time limits of the connection.
    pub timeouts: Timeouts,
    state: Arc<Mutex<StateFile<HostState>>>,
    talk: Talk,
    writer: PgnWriter,
}

impl Host {
    /// Creates a host with its saved state. `writer` converts the finished game
    /// to PGN.
    pub fn new(
        club: Club,
        [me, opponent]: [String; 2],
        wishes: Wishes,
        key: GameKey,
        state: StateFile<HostState>,
        writer: PgnWriter,
    ) -> Host {
        Host {
            club,
            me,
            opponent,
            wishes,
            key,
            timeouts: Timeouts::default(),
            state: Arc::new(Mutex::new(state)),
            talk: Talk::default(),
            writer,
        }
    }

    /// Runs until both players have received the end of the game and its full
    /// record. `player` is the channel to the host's own player; `news` are
    /// lines for the same player.
    ///
    /// # Errors
    /// The game cannot be written to disk, or the club in this process fails.
    pub async fn run(
        self,
        listener: TcpListener,
        player: HostChannel,
        news: mpsc::UnboundedSender<String>,
    ) -> Result<(), HostError> {
        let to_player = player.sender();
        let mut player = Some(player);
        let (to_calls, mut calls) = mpsc::channel(4);
        let (to_events, mut events) = mpsc::unbounded_channel();
        // When these sets are dropped, all their tasks end.
        let mut tasks = JoinSet::new();
        let mut guest = JoinSet::new();
        // This sender is dropped when another guest takes the seat. Then the old connection learns
        // that it was replaced.
        let mut replaced: Option<oneshot::Sender<()>> = None;
        tasks.spawn(accept_calls(
            listener,
            self.key.clone(),
            self.timeouts,
            to_calls,
        ));
        self.forget_unseen_lot()?;
        if let Some(game) = self.game() {
            self.seat_own_player(&game, &mut player, &mut tasks, &to_events)
                .await?;
        }
        let mut own_ended = false;
        while !(own_ended && self.state().value().ended) {
            tokio::select! {
                Some((mut line, hello)) = calls.recv() => {
                    if let Some(why) = self.refusal(&hello) {
                        if hello.version != VERSION {
                            let _closing = to_events.send(Event::OtherVersion(hello.version));
                        }
                        tasks.spawn(async move {
                            let _gone = bye(&mut line, &why).await;
                        });
                        continue;
                    }
                    // A guest that calls again has usually lost its old connection. But the old
                    // connection may belong to another program with the key. So the old connection
                    // gets a message that its seat is taken. The other program then does not call
                    // again.
                    drop(replaced.take());
                    let _late = timeout(NOTICE_TIMEOUT, async {
                        while guest.join_next().await.is_some() {}
                    })
                    .await;
                    guest.shutdown().await;
                    let (replaces, is_replaced) = oneshot::channel();
                    replaced = Some(replaces);
                    let host = self.clone();
                    guest.spawn(host.serve_guest(line, hello, is_replaced, to_events.clone()));
                }
                Some(event) = events.recv() => match event {
                    Event::Here(game) => {
                        self.seat_own_player(&game, &mut player, &mut tasks, &to_events)
                            .await?;
                        let _gone = to_player.send(HostSays::Here { here: true });
                    }
                    Event::Gone => {
                        let _gone = to_player.send(HostSays::Here { here: false });
                    }
                    // The guest waits until the host closes the connection. The
                    // task that sent this event closes it.
                    Event::Ended => self.state().change(|state| state.ended = true)?,
                    Event::OwnEnded => own_ended = true,
                    Event::OtherVersion(version) => {
                        let _gone = news.send(format!(
                            "{} called with version {version} of ks, and this end speaks version \
                             {VERSION}: both ends need the same version of kriegspiel.",
                            self.opponent
                        ));
                    }
                    Event::Failed(error) => return Err(error),
                },
            }
        }
        self.state()
            .change(|state| (state.game, state.ended) = (None, false))?;
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, StateFile<HostState>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn game(&self) -> Option<AgreedGame> {
        self.state().value().game.clone()
    }

    /// Deletes the host's share in the coin toss, if the guest has not committed to a share yet.
    /// Then the host may have other wishes at the next start.
    fn forget_unseen_lot(&self) -> io::Result<()> {
        let mut state = self.state();
        if state.value().bound.is_none() {
            state.change(|state| state.lot = None)?;
        }
        Ok(())
    }

    /// Starts to serve the host's own player, unless this was done before.
    async fn seat_own_player(
        &self,
        game: &AgreedGame,
        player: &mut Option<HostChannel>,
        tasks: &mut JoinSet<()>,
        events: &mpsc::UnboundedSender<Event>,
    ) -> Result<(), HostError> {
        let Some(mut line) = player.take() else {
            return Ok(());
        };
        let (seat, events) = (self.seat(game, game.seat).await?, events.clone());
        line.say(HostSays::Seated(game.clone()));
        tasks.spawn(async move {
            // This channel breaks only if the process ends.
            while serve(&seat, &mut line).await == Left::Ended {
                let _closing = events.send(Event::OwnEnded);
            }
        });
        Ok(())
    }

    /// Creates one of the two seats of a game.
    async fn seat(&self, game: &AgreedGame, side: Side) -> Result<ServedSeat, HostError> {
        let (id, color) = (game_id(&game.game)?, Color::from(side));
        let facts = self.club.facts(id, None).await?;
        // In this club both players have guest accounts, with names that the club made. The record
        // gets the players' real names.
        let (own, writer) = (Color::from(game.seat), self.writer.clone());
        let (me, opponent) = (self.me.clone(), self.opponent.clone());
        let writer: PgnWriter = Arc::new(move |game| {
            let mut game = game.clone();
            me.clone_into(&mut game.players.get_mut(own).name);
            opponent.clone_into(&mut game.players.get_mut(own.other()).name);
            writer(&game)
        });
        Ok(ServedSeat {
            club: self.club.clone(),
            game: id,
            account: facts.players.get(color).id,
            color,
            talk: self.talk.clone(),
            writer,
        })
    }

    /// Serves a caller that has shown that it knows the key.
    async fn serve_guest(
        self,
        mut line: HostChannel,
        hello: Hello,
        is_replaced: oneshot::Receiver<()>,
        events: mpsc::UnboundedSender<Event>,
    ) {
        let served = tokio::select! {
            served = self.serve_until(&mut line, hello, &events) => served,
            _ = is_replaced => Ok(bye(&mut line, SEAT_TAKEN).await),
        };
        let _closing = events.send(served.unwrap_or_else(Event::Failed));
    }

    /// Returns the reason why a caller that knows the key is refused; `None` if it is accepted.
    fn refusal(&self, hello: &Hello) -> Option<String> {
        let Host { me, opponent, .. } = self;
        if hello.version != VERSION {
            return Some(format!(
                "this end speaks version {VERSION} of ks, and you speak version {}: both ends need the same version of kriegspiel",
                hello.version
            ));
        }
        if hello.name != *opponent || hello.wants != *me {
            let (name, wants) = (plain(&hello.name), plain(&hello.wants));
            return Some(format!(
                "here is {me}, who waits for {opponent}; your name is {name}, and you want to play with {wants}: give your own name with --name"
            ));
        }
        None
    }

    async fn serve_until(
        &self,
        line: &mut HostChannel,
        hello: Hello,
        events: &mpsc::UnboundedSender<Event>,
    ) -> Result<Event, HostError> {
        let game = match (hello.game, self.game()) {
            (Some(theirs), Some(game)) if theirs == game.game => game,
            // The guest has ended this game, but the guest's message about the
            // end was lost.
            (None, Some(game)) if self.is_over(&game).await => return Ok(Event::Ended),
            (None, Some(game)) => game,
            (None, None) => match self.agree(line).await? {
                Some(game) => game,
                None => return Ok(Event::Gone),
            },
            (Some(_), _) => {
                let why = "this end does not have your game: its folder was lost or set aside; \
                           start again with --new at your end";
                return Ok(bye(line, why).await);
            }
        };
        let side = Side::from(Color::from(game.seat).other());
        let seat = self.seat(&game, side).await?;
        line.say(HostSays::Seated(AgreedGame {
            seat: side,
            ..game.clone()
        }));
        let _closing = events.send(Event::Here(game));
        Ok(match serve(&seat, line).await {
            Left::Ended => Event::Ended,
            Left::Gone => Event::Gone,
        })
    }

    async fn is_over(&self, game: &AgreedGame) -> bool {
        let Ok(id) = game_id(&game.game) else {
            return false;
        };
        let facts = self.club.facts(id, None).await;
        facts.is_ok_and(|facts| facts.standing.over.is_some())
    }

    /// Does the coin toss with the guest and makes the game. Returns `None` if
    /// the guest has disconnected or was refused.
    async fn agree(&self, line: &mut HostChannel) -> Result<Option<AgreedGame>, HostError> {
        let lot = self.lot()?;
        line.say(HostSays::Hello {
            version: VERSION,
            name: self.me.clone(),
            commitment: lot.commitment(Endpoint::Host),
        });
        let Ok(GuestSays::Commit { commitment }) = self.soon(line).await else {
            return Ok(None);
        };
        let bound = self.state().value().bound;
        if bound.is_some_and(|bound| bound != commitment) {
            let why = "you have committed to a different share of the coin toss than before, but this end has \
                       already revealed its own share: start again with --new at both ends";
            bye(line, why).await;
            return Ok(None);
        }
        self.state()
            .change(|state| state.bound = Some(commitment))?;
        line.say(HostSays::Reveal { lot });
        let Ok(GuestSays::Reveal { lot: shown }) = self.soon(line).await else {
            return Ok(None);
        };
        if !shown.keeps(commitment, Endpoint::Guest) {
            let why = "you revealed a share that is not the one you committed to: such a coin toss is not valid";
            bye(line, why).await;
            return Ok(None);
        }
        self.state().change(|state| state.shown = Some(shown))?;
        Ok(Some(self.make(Agreed::of(&lot, &shown)).await?))
    }

    /// Returns this end's share in the coin toss. The share is drawn only once, and then kept on
    /// disk.
    fn lot(&self) -> io::Result<CoinShare> {
        let mut state = self.state();
        if let Some(lot) = state.value().lot {
            return Ok(lot);
        }
        let lot = CoinShare::draw(self.wishes);
        state.change(|state| state.lot = Some(lot))?;
        Ok(lot)
    }

    /// Returns the next message that is not a ping. The message must come
    /// within the handshake time.
    async fn soon(&self, line: &mut HostChannel) -> Result<GuestSays, ChannelError> {
        loop {
            let said = timeout(self.timeouts.handshake, line.next())
                .await
                .unwrap_or(Err(ChannelError::Late))?;
            if said != GuestSays::Game(ClientSays::Ping {}) {
                return Ok(said);
            }
        }
    }

    /// Makes the agreed game, unless the game was already made before a crash.
    async fn make(&self, agreed: Agreed) -> Result<AgreedGame, HostError> {
        let lobby = self.club.lobby_for(None).await?;
        let id = match lobby.running.first() {
            Some(row) => row.id,
            None => {
                let (host, guest) = (self.club.guest().await?, self.club.guest().await?);
                let terms = Terms {
                    rules: agreed.rules().to_owned(),
                    custom: None,
                    time: TimeControl::Unlimited,
                    rated: false,
                    color: match agreed.host {
                        Color::White => ColorWish::White,
                        Color::Black => ColorWish::Black,
                    },
                };
                let seek = self.club.seek(host.id, terms).await?;
                self.club.accept(&seek.id, guest.id).await?
            }
        };
        let game = AgreedGame {
            game: id.to_string(),
            seat: Side::from(agreed.host),
            rules: agreed.rules().to_owned(),
            tossed: agreed.tossed(),
        };
        self.state().change(|state| {
            *state = HostState {
                key: state.key.take(),
                game: Some(game.clone()),
                ..HostState::default()
            };
        })?;
        Ok(game)
    }
}

fn game_id(text: &str) -> Result<GameId, io::Error> {
    let wrong = |_| io::Error::new(io::ErrorKind::InvalidData, "no game has such a name");
    text.parse().map_err(wrong)
}

/// Sends the reason why the caller is refused. Then waits until the caller
/// closes the connection.
async fn bye(line: &mut HostChannel, why: &str) -> Event {
    let why = why.to_owned();
    line.say(ServerSays::Bye { why });
    let hangs_up = async { while line.next().await.is_ok() {} };
    let _late = timeout(Duration::from_secs(2), hangs_up).await;
    Event::Gone
}

/// Accepts calls, and passes on the calls from callers that know the key.
async fn accept_calls(
    listener: TcpListener,
    key: GameKey,
    timeouts: Timeouts,
    calls: mpsc::Sender<(HostChannel, Hello)>,
) {
    let most = MAX_UNVERIFIED_CALLS;
    let strangers = Connections::new(most, most);
    loop {
        let (stream, address) = limits::accept(&listener).await;
        // If there are too many callers, the caller that has been silent for the longest time is
        // disconnected.
        let Ok(place) = strangers.connect_stranger(Some(address.ip())) else {
            continue;
        };
        let (key, calls) = (key.clone(), calls.clone());
        tokio::spawn(async move {
            let presence = place.presence();
            let must_leave = async || match &presence {
                Some(presence) => presence.must_leave().await,
                None => future::pending().await,
            };
            let answered = HostChannel::answer_until(must_leave(), stream, &key, timeouts);
            let Ok(mut line) = answered.await else {
                return;
            };
            // Reading the first message proves that the caller knows the key.
            let said = tokio::select! {
                said = timeout(timeouts.handshake, line.next()) => said,
                () = must_leave() => return,
            };
            if let Ok(Ok(GuestSays::Hello(hello))) = said {
                drop(place);
                let _closing = calls.send((line, hello)).await;
            }
        });
    }
}

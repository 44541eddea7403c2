//! `kriegspiel ks --url`: both players meet at a club, so that neither of them
//! runs the referee.

mod meet;
mod table;

use std::{fmt, process::ExitCode, time::Duration};

use anyhow::{Context, bail};
use client::{Client, ClientEvent, ClientRefused, RetryPolicy};
use doors::ks::{Channel, GuestSays, HostSays, Player, StateFile, Wishes, pair};
use serde::{Deserialize, Serialize};
use tokio::{sync::mpsc, time::timeout};
use wire::{AccountKind, MeJson, PlayerJson, RefusalCode, ServerSays};

use super::{
    face::Face,
    play::{self, Behind},
    setup::Setup,
    state::State,
    usage,
};
use crate::{
    api::{Api, ApiRefusal, refused, unreachable},
    login::ask_password,
};

/// Folder of the state files for clubs. This folder is next to the folders of players. The names
/// cannot collide, because the name of a player cannot begin with `-`.
const CLUBS: &str = "-clubs";
/// Folder of a guest. The guest's own name cannot be used, because the club chooses
/// this name later.
const GUEST: &str = "guest";
/// Pauses between attempts to reconnect.
const POLICY: RetryPolicy = RetryPolicy {
    connect_timeout: Duration::from_secs(10),
    first_pause: Duration::from_millis(250),
    longest_pause: Duration::from_secs(5),
    ..RetryPolicy::DEFAULT
};

/// State that must survive a crash.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredState {
    /// Session token of a guest. Only this token proves who the guest is.
    token: Option<String>,
    /// Code of the invitation that this player has made, if there is one.
    invitation: Option<String>,
    /// Id of the game, until this player has heard the end of the game.
    game: Option<String>,
}

/// One end of a game at a club: the program of one player.
struct AtClub {
    api: Api,
    client: Client,
    /// Address of the club, as the user gave it.
    url: String,
    me: PlayerJson,
    opponent: String,
    wishes: Wishes,
    /// Code of the opponent's invitation, if the user gave one.
    link: Option<String>,
    /// Whether the offers of an earlier command must be withdrawn first.
    is_fresh: bool,
    stored: StateFile<StoredState>,
    news: News,
    /// Name of the opponent's account.
    other_name: String,
    /// Number of messages that this player has written to the opponent.
    messages_written: u32,
    /// Whether the connection to the club is open.
    is_connected: bool,
    /// Request id of the last message that was written while the connection was open, if the club
    /// has not answered it yet. The club answers messages in order, so if the last message is
    /// answered, all messages are answered.
    unanswered_message: Option<String>,
    /// Number of the last message of this game that came from the club.
    read: u32,
}

/// News for the player that are not part of the game. A line is not shown twice
/// in succession.
struct News {
    to: mpsc::UnboundedSender<String>,
    last: String,
}

impl News {
    fn tell(&mut self, line: String) {
        if self.last != line {
            let _gone = self.to.send(line.clone());
            self.last = line;
        }
    }
}

/// Plays a game at a club.
pub(super) async fn play(
    setup: Setup,
    url: &str,
    name: Option<&str>,
    token: Option<String>,
) -> anyhow::Result<ExitCode> {
    let (url, link) = address(url)?;
    let mut api = Api::new(url, token).map_err(usage)?;
    let named = account(name, &mut api).await?;
    let label = named.as_ref().map_or(GUEST, |me| &me.name);
    if named.is_some() && setup.new {
        return Err(usage(
            "--new is for guests: the club stores the game of an account; continue the game, or resign it",
        ));
    }
    let base = setup.state.join(CLUBS).join(api.folder());
    let state = State::open(&base, [label, &setup.options.user], setup.new)?;
    let path = state.folder.join("club.json");
    let mut stored: StateFile<StoredState> = StateFile::open(&path)?;
    let me = match named {
        Some(me) => me,
        None => guest(&mut api, &mut stored).await?,
    };
    if me.name.eq_ignore_ascii_case(&setup.options.user) {
        return Err(usage(format!(
            "{} is your own name: give your opponent's name",
            me.name
        )));
    }
    let names = [me.name.clone(), setup.options.user.clone()];
    let player = Player::new(names, setup.options.rotated, state.folder.clone()).at_club();
    let mut face = Face::open(setup.face).await?;
    let (near, far) = pair::<HostSays, GuestSays>();
    let (to_news, news) = mpsc::unbounded_channel();
    let at_club = AtClub {
        client: connect(&api, setup.silence),
        api: api.clone(),
        url: url.to_owned(),
        me: me.clone(),
        opponent: setup.options.user.clone(),
        wishes: setup.options.wishes,
        link: link.map(str::to_owned),
        is_fresh: true,
        stored,
        news: News {
            to: to_news,
            last: String::new(),
        },
        other_name: setup.options.user.clone(),
        messages_written: 0,
        is_connected: false,
        unanswered_message: None,
        read: 0,
    };
    face.show(&format!("You are {} at the club {url}.", me.name))?;
    let behind: Behind = tokio::spawn(at_club.run(far));
    let done = play::sit(player, &mut face, near, news, behind).await;
    face.close().await;
    let stored: StateFile<StoredState> = StateFile::open(&path)?;
    if done.is_ok() && stored.value().game.is_none() {
        // A player who leaves before there is a game withdraws the offer.
        let takes = async {
            match &stored.value().invitation {
                Some(code) => meet::is_withdrawn(&api, "invitations", code)
                    .await
                    .map(drop),
                None if me.kind == AccountKind::Guest => Ok(()),
                None => meet::take_back(&api, &me.name, &setup.options.user).await,
            }
        };
        let _late = timeout(Duration::from_secs(5), takes).await;
    }
    done
}

/// Splits an address into the club's address and the code of an invitation, if
/// the address contains a code.
fn address(url: &str) -> anyhow::Result<(&str, Option<&str>)> {
    let Some((club, code)) = url.split_once("/invitation/") else {
        return Ok((url.trim_end_matches('/'), None));
    };
    let code = code.trim_end_matches('/');
    if code.is_empty() || !code.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Err(usage(format!(
            "`{url}` is not an invitation: copy the whole link"
        )));
    }
    Ok((club, Some(code)))
}

/// Signs in to an account. Returns `None` if the player wants to play as a guest.
async fn account(name: Option<&str>, api: &mut Api) -> anyhow::Result<Option<PlayerJson>> {
    if api.token().is_none() {
        let Some(name) = name else {
            return Ok(None);
        };
        api.sign_in(name, &ask_password(name)?).await?;
    }
    let me = who(api).await?;
    if let Some(name) = name
        && !name.eq_ignore_ascii_case(&me.name)
    {
        return Err(usage(format!(
            "the token of KRIEGSPIEL_TOKEN belongs to {}: omit --name or the token",
            me.name
        )));
    }
    Ok(Some(me))
}

/// Creates a client. Before the client opens a socket, it asks the club for the
/// account of the token. Only the answer to such a request explains why a token is
/// invalid.
fn connect(api: &Api, silence: Duration) -> Client {
    let api = api.clone();
    let policy = RetryPolicy {
        idle_timeout: Some(silence),
        ..POLICY
    };
    let connect = move || {
        let api = api.clone();
        async move {
            match who(&api).await {
                Ok(_) => api.socket().await,
                Err(error) => Err(match error.downcast::<ApiRefusal>() {
                    Ok(refusal) => refusal.into(),
                    Err(error) => unreachable(&error),
                }),
            }
        }
    };
    Client::new(connect, policy)
}

/// Asks the club for the account of this session.
async fn who(api: &Api) -> anyhow::Result<PlayerJson> {
    let me: MeJson = api.get("/api/me").await?;
    me.you.context("the club did not accept the session")
}

/// Returns the guest of an earlier command if the guest's session is still valid. Otherwise returns
/// a new guest.
async fn guest(api: &mut Api, stored: &mut StateFile<StoredState>) -> anyhow::Result<PlayerJson> {
    if let Some(token) = stored.value().token.clone() {
        api.use_token(token);
        match who(api).await {
            Ok(me) => return Ok(me),
            Err(error) if refused(&error) != Some(RefusalCode::SignIn) => return Err(error),
            Err(_) if stored.value().game.is_some() => bail!(
                "the club does not know the guest of your game any more: start a new game with --new"
            ),
            Err(_) => api.forget_token(),
        }
    }
    api.ensure_session().await?;
    let token = api.token().map(str::to_owned);
    stored.change(|state| {
        *state = StoredState {
            token,
            ..StoredState::default()
        };
    })?;
    who(api).await
}

impl AtClub {
    /// Changes the stored state.
    fn keep(&mut self, change: impl FnOnce(&mut StoredState)) -> anyhow::Result<()> {
        let kept = self.stored.change(change);
        kept.map_err(|error| stop(format!("the game cannot be stored: {error}")))
    }

    /// Whether the player is a guest, who cannot be challenged by name.
    fn is_guest(&self) -> bool {
        self.me.kind == AccountKind::Guest
    }

    /// Meets the opponent and plays. Reconnects as often as necessary.
    async fn run(
        mut self,
        mut player: Channel<GuestSays, HostSays>,
    ) -> anyhow::Result<&'static str> {
        loop {
            // Wait for a connection before any other request.
            while !matches!(self.hear(&player).await?, ClientEvent::Connected { .. }) {}
            match self.meet_and_play(&mut player).await {
                Ok(()) => return Ok("The game is over."),
                Err(error) if is_passing(&error) => self.client.give_up(format!("{error:#}")),
                Err(error) => return Err(error),
            }
        }
    }

    async fn meet_and_play(
        &mut self,
        player: &mut Channel<GuestSays, HostSays>,
    ) -> anyhow::Result<()> {
        let game = match self.stored.value().game.clone() {
            Some(game) => game,
            None => self.meet(player).await?,
        };
        self.sit(&game, player).await
    }

    /// Waits for the next event of the connection. If the connection is lost, tells the player.
    async fn hear(&mut self, player: &Channel<GuestSays, HostSays>) -> anyhow::Result<ClientEvent> {
        let event = self.client.next().await;
        self.note(event, player)
    }

    /// Tells the player that the connection is lost, if `event` says so. Then a message that the
    /// club has not answered may be lost, too.
    fn note(
        &mut self,
        event: Result<ClientEvent, ClientRefused>,
        player: &Channel<GuestSays, HostSays>,
    ) -> anyhow::Result<ClientEvent> {
        let event = event.map_err(stop)?;
        match &event {
            ClientEvent::Connected { .. } => self.is_connected = true,
            ClientEvent::Says(
                ServerSays::Answer { id, .. } | ServerSays::Refused { id: Some(id), .. },
            ) => {
                self.unanswered_message.take_if(|of| of == id);
            }
            ClientEvent::Says(_) => {}
            ClientEvent::Lost { why } => {
                self.is_connected = false;
                player.say(HostSays::Here { here: false });
                self.news.tell(format!(
                    "The club: {}. The program tries again until the club answers.",
                    why.trim_end_matches('.')
                ));
                if self.unanswered_message.take().is_some() {
                    self.news
                        .tell("The club may not have received your last message.".to_owned());
                }
            }
        }
        Ok(event)
    }
}

/// Error that ends the command, because a retry would give the same error.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Final(String);

/// Returns an error that ends the command.
fn stop(why: impl fmt::Display) -> anyhow::Error {
    Final(why.to_string()).into()
}

/// Whether a retry after this error may succeed.
fn is_passing(error: &anyhow::Error) -> bool {
    match refused(error) {
        None => !error.is::<Final>(),
        Some(code) => code.is_temporary(),
    }
}

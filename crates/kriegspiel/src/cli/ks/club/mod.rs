//! `kriegspiel ks --url`: both meet at a club, and the referee is on neither
//! side.

mod meet;
mod table;

use std::{error::Error, fmt, path::PathBuf, process::ExitCode, time::Duration};

use anyhow::{Context, anyhow, bail};
use doors::ks::{GuestSays, HostSays, Line, Options, Player, StateFile, Wishes, pair};
use serde::{Deserialize, Serialize};
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};
use wire::{AccountKind, MeJson, PlayerJson, RefusalCode};

use super::{
    face::Face,
    play::{self, Behind},
    state::State,
    usage,
};
use crate::cli::client::{Client, refused};

/// Clubs stand beside the players, none of whom is called so.
const CLUBS: &str = "-clubs";
/// A guest's folder: he has no name before he comes.
const GUEST: &str = "guest";
/// The first pause before a club that went is asked again.
const PAUSE: Duration = Duration::from_millis(250);
/// The longest.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How long a club may take to open its door.
const KNOCK: Duration = Duration::from_secs(10);
/// Nobody sends a body with these requests.
const NOTHING: Option<&()> = None;

/// How an end at a club is set up.
pub(super) struct Setup {
    pub(super) url: String,
    pub(super) name: Option<String>,
    pub(super) token: Option<String>,
    pub(super) state: PathBuf,
    pub(super) new: bool,
    pub(super) silence: u64,
    pub(super) dumb: bool,
    pub(super) options: Options,
}

/// What it must not forget.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    /// A guest's session: without it nobody is he.
    token: Option<String>,
    /// The invitation that he has made.
    invitation: Option<String>,
    /// The game, until its end is heard.
    game: Option<String>,
}

/// An end at a club.
struct AtClub {
    client: Client,
    /// The club's address, as it was given.
    url: String,
    me: PlayerJson,
    opponent: String,
    wishes: Wishes,
    silence: Duration,
    /// The invitation that was given.
    link: Option<String>,
    /// What an earlier command has offered is taken back.
    is_fresh: bool,
    book: StateFile<Page>,
    news: News,
}

/// What is to be read beside the game, each once in a row.
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

/// How one connection ended.
enum Call {
    /// The line broke; why.
    Broken(String),
    /// The player has all that he wants of a game that is over.
    Done,
}

/// Plays at a club.
pub(super) async fn play(setup: Setup) -> anyhow::Result<ExitCode> {
    let (url, link) = address(&setup.url)?;
    let mut client = Client::new(url, setup.token.clone()).map_err(usage)?;
    let named = account(&setup, &mut client).await?;
    let label = named.as_ref().map_or(GUEST, |me| &me.name);
    if named.is_some() && setup.new {
        return Err(usage(
            "--new is for guests: the club keeps the game of an account; resign it, or play it on",
        ));
    }
    let base = setup.state.join(CLUBS).join(client.folder());
    let state = State::open(&base, [label, &setup.options.user], setup.new)?;
    let path = state.folder.join("club.json");
    let mut book: StateFile<Page> = StateFile::open(&path)?;
    let me = match named {
        Some(me) => me,
        None => guest(&mut client, &mut book).await?,
    };
    if me.name.eq_ignore_ascii_case(&setup.options.user) {
        return Err(usage(format!(
            "you are {} yourself: name your opponent",
            me.name
        )));
    }
    let names = [me.name.clone(), setup.options.user.clone()];
    let player = Player::new(names, setup.options.rotated, state.folder.clone());
    let mut face = Face::open(setup.dumb)?;
    let (near, far) = pair::<HostSays, GuestSays>();
    let (to_news, news) = mpsc::unbounded_channel();
    let at_club = AtClub {
        client: client.clone(),
        url: url.to_owned(),
        me: me.clone(),
        opponent: setup.options.user.clone(),
        wishes: setup.options.wishes,
        silence: Duration::from_secs(setup.silence),
        link: link.map(str::to_owned),
        is_fresh: true,
        book,
        news: News {
            to: to_news,
            last: String::new(),
        },
    };
    face.show(&format!("You are {} at the club {url}.", me.name))?;
    let behind: Behind = tokio::spawn(at_club.run(far));
    let done = play::sit(player, &mut face, near, news, behind).await;
    drop(face);
    let book: StateFile<Page> = StateFile::open(&path)?;
    if done.is_ok() && book.value().game.is_none() {
        // Whoever leaves before there is a game takes back what he has offered.
        let takes = async {
            match &book.value().invitation {
                Some(code) => meet::uninvite(&client, code).await,
                None if me.kind == AccountKind::Guest => Ok(()),
                None => meet::take_back(&client, &me.name, &setup.options.user).await,
            }
        };
        let _late = timeout(Duration::from_secs(5), takes).await;
    }
    done
}

/// A club's address, and the invitation in it.
fn address(url: &str) -> anyhow::Result<(&str, Option<&str>)> {
    let Some((club, code)) = url.split_once("/invitation/") else {
        return Ok((url.trim_end_matches('/'), None));
    };
    let code = code.trim_end_matches('/');
    if code.is_empty() || !code.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Err(usage(format!(
            "`{url}` is no invitation: write it as it was given"
        )));
    }
    Ok((club, Some(code)))
}

/// Signs an account in; `None` for one who comes as a guest.
async fn account(setup: &Setup, client: &mut Client) -> anyhow::Result<Option<PlayerJson>> {
    match (&setup.name, &setup.token) {
        (None, None) => return Ok(None),
        (Some(name), None) => {
            let asked = tui::ask_password(&format!("Password of {name}: "));
            let asked = asked.context("a password needs a terminal; KRIEGSPIEL_TOKEN does not")?;
            let password = asked.ok_or_else(|| usage("no password was given"))?;
            client.sign_in(name, &password).await?;
        }
        (_, Some(_)) => {}
    }
    let me = who(client).await?;
    if let Some(name) = &setup.name
        && !name.eq_ignore_ascii_case(&me.name)
    {
        return Err(usage(format!(
            "the token of KRIEGSPIEL_TOKEN is {}'s: leave --name out, or the token",
            me.name
        )));
    }
    Ok(Some(me))
}

/// For whom the club takes him.
async fn who(client: &Client) -> anyhow::Result<PlayerJson> {
    let me: MeJson = client.ask("GET", "/api/me", NOTHING).await?;
    me.you.context("the club takes this for a visitor")
}

/// The guest that he was, or a new one.
async fn guest(client: &mut Client, book: &mut StateFile<Page>) -> anyhow::Result<PlayerJson> {
    if let Some(token) = book.value().token.clone() {
        client.show(token);
        match who(client).await {
            Ok(me) => return Ok(me),
            Err(error) if refused(&error) != Some(RefusalCode::SignIn) => return Err(error),
            Err(_) if book.value().game.is_some() => bail!(
                "the club knows the guest no more who was in your game: begin anew with --new"
            ),
            Err(_) => client.forget(),
        }
    }
    client.be_somebody().await?;
    let token = client.token().map(str::to_owned);
    book.change(|page| {
        *page = Page {
            token,
            ..Page::default()
        };
    })?;
    who(client).await
}

impl AtClub {
    /// Changes what must not be forgotten.
    fn keep(&mut self, change: impl FnOnce(&mut Page)) -> anyhow::Result<()> {
        let kept = self.book.change(change);
        kept.map_err(|error| stop(format!("the game cannot be kept: {error}")))
    }

    /// A guest's name is nothing to be called by.
    fn is_guest(&self) -> bool {
        self.me.kind == AccountKind::Guest
    }

    /// Meets the other and plays, over as many connections as it takes.
    async fn run(mut self, mut player: Line<GuestSays, HostSays>) -> anyhow::Result<&'static str> {
        let mut pause = PAUSE;
        loop {
            let why = match self.call(&mut player).await {
                Ok(Call::Done) => return Ok("The game is over."),
                Ok(Call::Broken(why)) => {
                    pause = PAUSE;
                    why
                }
                Err(error) if is_passing(&error) => format!("{error:#}"),
                Err(error) => return Err(error),
            };
            player.say(HostSays::Here { here: false });
            self.news.tell(format!(
                "The club: {}. Trying again until it answers.",
                why.trim_end_matches('.')
            ));
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// One connection.
    async fn call(&mut self, player: &mut Line<GuestSays, HostSays>) -> anyhow::Result<Call> {
        let knocks = async {
            // Whether the token is good is told in words here.
            who(&self.client).await?;
            self.client.socket().await
        };
        let mut socket = timeout(KNOCK, knocks)
            .await
            .map_err(|_| anyhow!("no answer"))??;
        socket.within(self.silence);
        let game = match self.book.value().game.clone() {
            Some(game) => game,
            None => match self.meet(&mut socket).await? {
                Some(game) => game,
                None => return Ok(Call::Broken(LOST.to_owned())),
            },
        };
        self.sit(&game, &mut socket, player).await
    }
}

/// Why a connection is another one now.
const LOST: &str = "the connection was lost";

/// What is no better when it is tried again.
#[derive(Debug)]
struct Final(String);

impl fmt::Display for Final {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Final {}

/// An error with which the command ends.
fn stop(why: impl fmt::Display) -> anyhow::Error {
    Final(why.to_string()).into()
}

/// Whether it may be otherwise when it is tried again.
fn is_passing(error: &anyhow::Error) -> bool {
    match refused(error) {
        None => !error.is::<Final>(),
        Some(code) => matches!(code, RefusalCode::TooMany | RefusalCode::Unavailable),
    }
}

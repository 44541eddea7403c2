//! The host's end: the referee presides here.

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use club::{Club, ClubError, ColorWish, GameId, Terms, TimeControl};
use rules::chess::Color;
use tokio::{
    net::TcpListener,
    sync::{Semaphore, mpsc},
    task::JoinHandle,
    time::{sleep, timeout},
};
use wire::Side;

use super::{
    book::{Book, GamePage, HostPage},
    coin::{Agreed, End, Lot},
    key::GameKey,
    line::{Line, LineError, Patience},
    options::Wishes,
    says::{GuestSays, HostSays, VERSION, plain},
    seat::{Left, Seat, Talk, Writes, serve},
};

/// So many callers are heard out at once before they have shown the key.
const STRANGERS: usize = 16;

/// Why a host cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// What it must not forget cannot be kept.
    #[error("the game cannot be kept: {0}")]
    Io(#[from] io::Error),
    /// The club in it cannot.
    #[error("{0}")]
    Club(#[from] ClubError),
}

/// Who the guest is, as he says.
struct Hello {
    version: u32,
    name: String,
    wants: String,
    game: Option<String>,
}

type Call = (Line<GuestSays, HostSays>, Hello);

/// What the one who attends the guest finds.
enum Event {
    /// There is a game, and he is at it.
    Here(GamePage),
    /// He is gone.
    Gone,
    /// He has all that he wants of a game that is over.
    Ended,
    /// And so has the host's own player.
    OwnEnded,
    /// It cannot go on.
    Fails(HostError),
}

/// The host of a game of two.
#[derive(Clone)]
pub struct Host {
    /// The club in this process.
    pub club: Club,
    /// What the host's player calls himself.
    pub me: String,
    /// For whom he waits.
    pub opponent: String,
    /// What he asks of a new game.
    pub wishes: Wishes,
    /// The game's key.
    pub key: GameKey,
    /// How long things may take.
    pub patience: Patience,
    book: Arc<Mutex<Book<HostPage>>>,
    talk: Talk,
    writes: Writes,
}

impl Host {
    /// A host, with what it must not forget; `writes` writes a game down when
    /// it is over.
    pub fn new(
        club: Club,
        [me, opponent]: [String; 2],
        wishes: Wishes,
        key: GameKey,
        book: Book<HostPage>,
        writes: Writes,
    ) -> Host {
        Host {
            club,
            me,
            opponent,
            wishes,
            key,
            patience: Patience::default(),
            book: Arc::new(Mutex::new(book)),
            talk: Talk::default(),
            writes,
        }
    }

    /// Presides until both have heard how the game ended, and have it whole.
    /// `player` is the host's own.
    ///
    /// # Errors
    /// If the game cannot be kept.
    pub async fn preside(
        self,
        listener: TcpListener,
        player: Line<GuestSays, HostSays>,
    ) -> Result<(), HostError> {
        let own_says = player.says();
        let mut player = Some(player);
        let (to_calls, mut calls) = mpsc::channel(4);
        let taking = take_in(listener, self.key.clone(), self.patience, to_calls);
        let _taking = Ends(tokio::spawn(taking));
        let (to_events, mut events) = mpsc::unbounded_channel();
        let mut _own: Option<Ends> = None;
        let mut _guest: Option<Ends> = None;
        self.forget_unseen_lot()?;
        let page = self.book().page().game.clone();
        if let (Some(page), Some(line)) = (page, player.take_if(|_| self.has_game())) {
            _own = Some(self.sit_down(&page, line, to_events.clone()).await?);
        }
        let mut own_ended = false;
        while !(own_ended && self.book().page().ended) {
            tokio::select! {
                Some((line, hello)) = calls.recv() => {
                    // Whoever has the key and calls again has lost his old line.
                    _guest = None;
                    let attends = self.clone().attend(line, hello, to_events.clone());
                    _guest = Some(Ends(tokio::spawn(attends)));
                }
                Some(event) = events.recv() => match event {
                    Event::Here(page) => {
                        if let Some(line) = player.take() {
                            _own = Some(self.sit_down(&page, line, to_events.clone()).await?);
                        }
                        let _gone = own_says.send(HostSays::Here { here: true });
                    }
                    Event::Gone => {
                        let _gone = own_says.send(HostSays::Here { here: false });
                    }
                    // He who waits for the end of the line has it.
                    Event::Ended => self.book().change(|page| page.ended = true)?,
                    Event::OwnEnded => own_ended = true,
                    Event::Fails(error) => return Err(error),
                },
            }
        }
        self.book()
            .change(|page| (page.game, page.ended) = (None, false))?;
        Ok(())
    }

    fn book(&self) -> MutexGuard<'_, Book<HostPage>> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_game(&self) -> bool {
        self.book().page().game.is_some()
    }

    /// A lot that nobody has seen may be drawn anew, with other wishes.
    fn forget_unseen_lot(&self) -> io::Result<()> {
        let mut book = self.book();
        if book.page().bound.is_none() {
            book.change(|page| page.lot = None)?;
        }
        Ok(())
    }

    /// The host's player sits down at his game.
    async fn sit_down(
        &self,
        page: &GamePage,
        mut line: Line<GuestSays, HostSays>,
        events: mpsc::UnboundedSender<Event>,
    ) -> Result<Ends, HostError> {
        let seat = self.seat(page, page.seat.into()).await?;
        line.say(game(page, page.seat));
        Ok(Ends(tokio::spawn(async move {
            // His own line breaks only with the process.
            while serve(&seat, &mut line).await == Left::Ended {
                let _closing = events.send(Event::OwnEnded);
            }
        })))
    }

    async fn seat(&self, page: &GamePage, color: Color) -> Result<Seat, HostError> {
        let game = game_id(&page.game)?;
        let facts = self.club.facts(game, None).await?;
        Ok(Seat {
            club: self.club.clone(),
            game,
            account: facts.players.get(color).id,
            color,
            talk: self.talk.clone(),
            writes: self.names(page.seat.into()),
        })
    }

    /// Writes the game down with the names of the two, who are guests of the
    /// club in this process.
    fn names(&self, host: Color) -> Writes {
        let (writes, me) = (self.writes.clone(), self.me.clone());
        let opponent = self.opponent.clone();
        Writes::new(move |mut game| {
            me.clone_into(&mut game.players.get_mut(host).name);
            opponent.clone_into(&mut game.players.get_mut(host.other()).name);
            writes.write(game)
        })
    }

    /// Attends one who has shown the key.
    async fn attend(
        self,
        mut line: Line<GuestSays, HostSays>,
        hello: Hello,
        events: mpsc::UnboundedSender<Event>,
    ) {
        let event = match self.attend_until(&mut line, hello, &events).await {
            Ok(Left::Ended) => Event::Ended,
            Ok(Left::Gone(_) | Left::Closed) => Event::Gone,
            Err(error) => Event::Fails(error),
        };
        let _closing = events.send(event);
    }

    async fn attend_until(
        &self,
        line: &mut Line<GuestSays, HostSays>,
        hello: Hello,
        events: &mpsc::UnboundedSender<Event>,
    ) -> Result<Left, HostError> {
        if let Some(why) = self.wrong(&hello) {
            return Ok(bye(line, why).await);
        }
        let kept = self.book().page().game.clone();
        let page = match (hello.game, kept) {
            (Some(his), Some(page)) if his == page.game => page,
            (None, Some(page)) if self.is_over(&page).await => {
                // He has ended it, and his word of that was lost.
                return Ok(Left::Ended);
            }
            (None, Some(page)) => page,
            (None, None) => match self.agree(line).await? {
                Ok(page) => page,
                Err(left) => return Ok(left),
            },
            (Some(_), _) => {
                let why = "this end does not have your game: its folder was lost or set aside; \
                           begin anew with --new at your end";
                return Ok(bye(line, why.to_owned()).await);
            }
        };
        let his = Side::from(Color::from(page.seat).other());
        line.say(game(&page, his));
        let seat = self.seat(&page, his.into()).await?;
        let _closing = events.send(Event::Here(page));
        Ok(serve(&seat, line).await)
    }

    /// Why nothing can come of a call.
    fn wrong(&self, hello: &Hello) -> Option<String> {
        let Host { me, opponent, .. } = self;
        if hello.version != VERSION {
            Some(format!(
                "this end speaks version {VERSION} and you {}: both need the same kriegspiel",
                hello.version
            ))
        } else if hello.name != *opponent || hello.wants != *me {
            let (name, wants) = (plain(&hello.name), plain(&hello.wants));
            Some(format!(
                "here is {me}, who waits for {opponent}; you are {name} and call {wants}: say who you are with --name"
            ))
        } else {
            None
        }
    }

    async fn is_over(&self, page: &GamePage) -> bool {
        let Ok(game) = game_id(&page.game) else {
            return false;
        };
        let facts = self.club.facts(game, None).await;
        facts.is_ok_and(|facts| facts.standing.over.is_some())
    }

    /// Tosses the coin with the guest and makes the game.
    async fn agree(
        &self,
        line: &mut Line<GuestSays, HostSays>,
    ) -> Result<Result<GamePage, Left>, HostError> {
        let lot = self.lay_down()?;
        line.say(HostSays::Hello {
            version: VERSION,
            name: self.me.clone(),
            commitment: lot.commitment(End::Host),
        });
        let commitment = match self.soon(line).await {
            Ok(GuestSays::Commit { commitment }) => commitment,
            Ok(_) => return Ok(Err(Left::Gone(LineError::Unreadable))),
            Err(error) => return Ok(Err(Left::Gone(error))),
        };
        let bound = self.book().page().bound;
        if bound.is_some_and(|bound| bound != commitment) {
            let why = "you have laid down another lot than before, after this end has shown its own: \
                       begin anew with --new at both ends";
            return Ok(Err(bye(line, why.to_owned()).await));
        }
        self.book().change(|page| page.bound = Some(commitment))?;
        line.say(HostSays::Reveal { lot });
        let shown = match self.soon(line).await {
            Ok(GuestSays::Reveal { lot }) => lot,
            Ok(_) => return Ok(Err(Left::Gone(LineError::Unreadable))),
            Err(error) => return Ok(Err(Left::Gone(error))),
        };
        if !shown.keeps(commitment, End::Guest) {
            let why = "what you show is not what you laid down: nobody plays with such a coin";
            return Ok(Err(bye(line, why.to_owned()).await));
        }
        self.book().change(|page| page.shown = Some(shown))?;
        let page = self.make(Agreed::of(&lot, &shown)).await?;
        Ok(Ok(page))
    }

    /// This end's lot: once it lies there, it stays.
    fn lay_down(&self) -> io::Result<Lot> {
        let mut book = self.book();
        if let Some(lot) = book.page().lot {
            return Ok(lot);
        }
        let lot = Lot::draw(self.wishes);
        book.change(|page| page.lot = Some(lot))?;
        Ok(lot)
    }

    async fn soon(&self, line: &mut Line<GuestSays, HostSays>) -> Result<GuestSays, LineError> {
        loop {
            let said = timeout(self.patience.handshake, line.next())
                .await
                .unwrap_or(Err(LineError::Late))?;
            if said != (GuestSays::Ping {}) {
                return Ok(said);
            }
        }
    }

    /// Makes the game that was agreed on, unless it was made before a crash.
    async fn make(&self, agreed: Agreed) -> Result<GamePage, HostError> {
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
        let made = GamePage {
            game: id.to_string(),
            seat: Side::from(agreed.host),
            rules: agreed.rules().to_owned(),
            tossed: agreed.tossed(),
        };
        self.book().change(|page| {
            *page = HostPage {
                key: page.key.take(),
                game: Some(made.clone()),
                ..HostPage::default()
            };
        })?;
        Ok(made)
    }
}

fn game(page: &GamePage, seat: Side) -> HostSays {
    HostSays::Game {
        game: page.game.clone(),
        seat,
        rules: page.rules.clone(),
        tossed: page.tossed.clone(),
    }
}

fn game_id(text: &str) -> Result<GameId, io::Error> {
    let wrong = |_| io::Error::new(io::ErrorKind::InvalidData, "no game has such a name");
    text.parse().map_err(wrong)
}

/// Says why, and gives the words time to go out.
async fn bye(line: &mut Line<GuestSays, HostSays>, why: String) -> Left {
    line.say(HostSays::Bye { why });
    let hangs_up = async { while line.next().await.is_ok() {} };
    let _late = timeout(Duration::from_secs(2), hangs_up).await;
    Left::Gone(LineError::Gone)
}

/// A task that ends with whoever has it.
struct Ends(JoinHandle<()>);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Takes calls in; only those who know the key are heard of.
async fn take_in(
    listener: TcpListener,
    key: GameKey,
    patience: Patience,
    calls: mpsc::Sender<Call>,
) {
    let strangers = Arc::new(Semaphore::new(STRANGERS));
    loop {
        let Ok(place) = Arc::clone(&strangers).acquire_owned().await else {
            return;
        };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                // No more descriptors, most likely: the game goes on.
                sleep(Duration::from_millis(200)).await;
                continue;
            }
        };
        // Small messages, each of which somebody waits for.
        let _slower = stream.set_nodelay(true);
        let (key, calls) = (key.clone(), calls.clone());
        tokio::spawn(async move {
            let Ok(mut line) = Line::answer(stream, &key, patience).await else {
                return;
            };
            // Only his first message shows that he knows the key.
            let said = timeout(patience.handshake, line.next()).await;
            if let Ok(Ok(GuestSays::Hello {
                version,
                name,
                wants,
                game,
            })) = said
            {
                let hello = Hello {
                    version,
                    name,
                    wants,
                    game,
                };
                drop(place);
                let _closing = calls.send((line, hello)).await;
            }
        });
    }
}

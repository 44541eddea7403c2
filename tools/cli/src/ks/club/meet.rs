//! Brings two players into the same game at a club. An account challenges the
//! opponent by name; a guest makes an invitation with a link.

use std::time::Duration;

use client::ClientEvent;
use doors::ks::{
    Channel, GuestSays, HostSays, Next, Offered, OpenOffers, answer, may_accept, rules_options,
};
use tokio::time::{Instant, timeout};
use wire::{
    ChallengedJson, ClientSays, GameRowJson, InvitationJson, LobbyJson, NewChallengeJson,
    RefusalCode, ServerSays, TimeControlJson,
};

use super::{AtClub, stop};
use crate::api::{Api, refused};

/// Time after which this program assumes that the opponent's program will not act on the open
/// offers. If the opponent's offer is older than this player's offer, the time is twice as long.
const GRACE: Duration = Duration::from_secs(2);
/// If the club sends no news of the lobby for this time, the client requests the lobby.
const QUIET: Duration = Duration::from_secs(15);

impl AtClub {
    /// Waits until both players are in one game. Returns the id of the game.
    pub(super) async fn meet(
        &mut self,
        player: &Channel<GuestSays, HostSays>,
    ) -> anyhow::Result<String> {
        let game = match self.link.clone() {
            Some(code) => self.follow(&code).await?,
            None => {
                self.client.say(ClientSays::Lobby { on: true });
                let game = if self.is_guest() {
                    self.invite(player).await?
                } else {
                    self.challenge(player).await?
                };
                self.client.say(ClientSays::Lobby { on: false });
                game
            }
        };
        self.keep(|page| {
            (page.game, page.invitation) = (Some(game.clone()), None);
        })?;
        Ok(game)
    }

    /// Waits until there is a game with the opponent, whose name is known. It is a running game, a
    /// game that the opponent offered, or a game that this player offers now.
    async fn challenge(&mut self, player: &Channel<GuestSays, HostSays>) -> anyhow::Result<String> {
        if self.is_fresh {
            take_back(&self.api, &self.me.name, &self.opponent).await?;
            self.is_fresh = false;
        }
        let mut seen = (OpenOffers::default(), Instant::now());
        loop {
            let lobby: LobbyJson = self.api.get("/api/lobby").await?;
            let standing = OpenOffers::read(&lobby, &self.me.name, &self.opponent);
            if let Some(row) = lobby.mine.iter().find(|row| self.is_ours(row)) {
                withdraw(&self.api, &standing).await?;
                return Ok(row.id.clone());
            }
            if seen.0 != standing {
                seen = (standing, Instant::now());
            }
            let (standing, since) = &seen;
            let grace = if standing.mine_is_older {
                GRACE
            } else {
                2 * GRACE
            };
            let late = since.elapsed() >= grace;
            let game = match standing.next(self.wishes, late) {
                Next::Accept(id) => match withdraw(&self.api, standing).await? {
                    true => accept(&self.api, "challenges", &id).await?,
                    false => None,
                },
                Next::Offer(offered) => match withdraw(&self.api, standing).await? {
                    true => self.offer(offered).await?,
                    false => None,
                },
                Next::Clash(theirs) => {
                    self.tell_of_clash(theirs);
                    self.await_lobby(player, QUIET).await?;
                    None
                }
                Next::Wait => {
                    let quiet = if standing.theirs.is_some() && !late {
                        GRACE / 4
                    } else {
                        QUIET
                    };
                    self.await_lobby(player, quiet).await?;
                    None
                }
            };
            if let Some(game) = game {
                return Ok(game);
            }
        }
    }

    /// Whether a game is a game of `ks` between these two players.
    fn is_ours(&self, row: &GameRowJson) -> bool {
        let plays = |name: &str| name.eq_ignore_ascii_case(&self.opponent);
        (plays(&row.white.name) || plays(&row.black.name))
            && rules_options(&row.rules).is_some()
            && row.time == TimeControlJson::Unlimited {}
    }

    /// Offers a game. If the opponent is a bot, the game begins immediately and
    /// its id is returned.
    async fn offer(&mut self, offered: Offered) -> anyhow::Result<Option<String>> {
        let challenge = NewChallengeJson {
            to: self.opponent.clone(),
            terms: offered.terms(),
        };
        match self.api.post("/api/challenges", &challenge).await {
            Ok(ChallengedJson { game, .. }) => {
                let (me, opponent, url) = (&self.me.name, &self.opponent, &self.url);
                let words = offered.words(me);
                self.news.tell(format!("{opponent} is offered {words}."));
                if game.is_none() {
                    self.news.tell(format!(
                        "Waiting for {opponent}. They type: kriegspiel ks --url {url} --name {opponent} {me}"
                    ));
                }
                Ok(game)
            }
            Err(error) if refused(&error) == Some(RefusalCode::NotFound) => {
                Err(error.context(format!(
                    "{} has no account at this club; to meet a guest by an invitation, omit --name",
                    self.opponent
                )))
            }
            Err(error) => Err(error),
        }
    }

    /// Waits until the lobby changes, but not longer than `most`.
    async fn await_lobby(
        &mut self,
        player: &Channel<GuestSays, HostSays>,
        most: Duration,
    ) -> anyhow::Result<()> {
        let changes = async {
            let is_lobby = |event| matches!(event, ClientEvent::Says(ServerSays::Lobby { .. }));
            while !is_lobby(self.hear(player).await?) {}
            Ok(())
        };
        timeout(most, changes).await.unwrap_or(Ok(()))
    }

    fn tell_of_clash(&mut self, theirs: Offered) {
        let mine = answer(self.wishes, None);
        let (me, opponent) = (&self.me.name, &self.opponent);
        self.news.tell(format!(
            "{opponent} wants {}, and you want {}. A club can choose the colours at random, but not \
             the rules. One of you must give up this wish: quit, and start again without it.",
            theirs.words(opponent),
            mine.words(me)
        ));
    }

    /// Makes an invitation, which anybody with the link can accept, and waits
    /// until it is accepted.
    async fn invite(&mut self, player: &Channel<GuestSays, HostSays>) -> anyhow::Result<String> {
        loop {
            let code = self.invitation().await?;
            let (url, opponent, me) = (&self.url, &self.opponent, &self.me.name);
            self.news.tell(format!(
                "Waiting for {opponent}. They type: kriegspiel ks --url {url}/invitation/{code} {me}"
            ));
            self.await_lobby(player, QUIET).await?;
            if let Some(game) = self.look(&code).await?.and_then(|found| found.game) {
                return Ok(game);
            }
        }
    }

    /// Returns the code of the open invitation. If there is none, makes an invitation.
    async fn invitation(&mut self) -> anyhow::Result<String> {
        let terms = answer(self.wishes, None).terms();
        if let Some(code) = self.stored.value().invitation.clone() {
            match self.look(&code).await? {
                Some(found) if found.game.is_some() || found.terms == terms => return Ok(code),
                // The user asked for other options when the stored invitation was made. So the
                // invitation is withdrawn, unless somebody has accepted it.
                Some(_) if !is_withdrawn(&self.api, "invitations", &code).await? => {
                    return Ok(code);
                }
                Some(_) | None => {}
            }
        }
        let made: InvitationJson = self.api.post("/api/invitations", &terms).await?;
        self.keep(|page| page.invitation = Some(made.code.clone()))?;
        Ok(made.code)
    }

    async fn look(&mut self, code: &str) -> anyhow::Result<Option<InvitationJson>> {
        let path = format!("/api/invitations/{code}");
        match self.api.get(&path).await {
            Ok(found) => Ok(Some(found)),
            Err(error) if refused(&error) == Some(RefusalCode::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Accepts the opponent's invitation. Returns the id of the game.
    async fn follow(&mut self, code: &str) -> anyhow::Result<String> {
        let gone =
            || stop("there is no such invitation: it was withdrawn, or the address is wrong");
        let found = self.look(code).await?.ok_or_else(gone)?;
        if let Some(game) = found.game {
            return Ok(game);
        }
        if found.by.name == self.me.name {
            return Err(stop(format!(
                "this invitation is your own: give it to {}",
                self.opponent
            )));
        }
        let Some(offered) = Offered::read(&found.terms) else {
            return Err(stop(format!(
                "this is an invitation to a game of {}, not of ks: open it on the club's page",
                found.terms.rules
            )));
        };
        if !may_accept(self.wishes, offered) {
            return Err(stop(format!(
                "the invitation is to a game of {}; the inviting player chooses the options, so omit yours",
                offered.words(&found.by.name)
            )));
        }
        if let Some(game) = accept(&self.api, "invitations", code).await? {
            return Ok(game);
        }
        // The request may have succeeded although its answer was lost. Then the game exists.
        let found = self.look(code).await?.ok_or_else(gone)?;
        found
            .game
            .ok_or_else(|| stop("somebody else has already accepted the invitation"))
    }
}

/// Withdraws this player's offers to the opponent.
pub(super) async fn take_back(api: &Api, me: &str, opponent: &str) -> anyhow::Result<()> {
    let lobby: LobbyJson = api.get("/api/lobby").await?;
    withdraw(api, &OpenOffers::read(&lobby, me, opponent)).await?;
    Ok(())
}

/// Withdraws this player's offers. Returns whether all of them were still open.
async fn withdraw(api: &Api, standing: &OpenOffers) -> anyhow::Result<bool> {
    for (id, _) in &standing.mine {
        if !is_withdrawn(api, "challenges", id).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Withdraws an offer. Returns whether the offer was still open. An accepted offer cannot be
/// withdrawn; it contains the id of its game.
pub(super) async fn is_withdrawn(api: &Api, kind: &str, id: &str) -> anyhow::Result<bool> {
    Ok(if_it_stands(api.delete(kind, id).await)?.is_some())
}

/// Accepts an offer. Returns `None` if the offer is not open any more.
async fn accept(api: &Api, kind: &str, id: &str) -> anyhow::Result<Option<String>> {
    if_it_stands(api.accept(kind, id).await)
}

/// Converts the error of a request to `None` if the request failed because its offer is
/// not open any more.
fn if_it_stands<T>(done: anyhow::Result<T>) -> anyhow::Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(error) => match refused(&error) {
            Some(RefusalCode::NotFound | RefusalCode::Taken) => Ok(None),
            _ => Err(error),
        },
    }
}

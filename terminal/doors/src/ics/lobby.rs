//! Seeks, challenges, and the start of games.

use club::{Account, GameRow, Lobby, OfferId, OfferKind, OfferView};
use wire::{GameStatus, RefusalCode, TableAct};

use super::{
    session::{Part, Session},
    state::begins_with,
    terms,
    words::Done,
};

const NO_SUCH_SEEK: &str = "That seek is not available: `sought` lists those that are.";

/// Open offer at a table.
enum Offered {
    /// A draw.
    Draw,
    /// An offer to adjourn, to continue or to play a rematch. Holds the index of the table, and the
    /// act that accepts the offer.
    Act(usize, TableAct),
}

/// Finds the offer that a word names: by number, by the full name of a player,
/// or by the beginning of a name.
fn called<'a>(word: &str, all: &[(usize, &'a str, &'a OfferView)]) -> Option<&'a OfferView> {
    let number = word.parse().ok();
    let whole = all
        .iter()
        .find(|(n, name, _)| Some(*n) == number || name.eq_ignore_ascii_case(word));
    let begins = || all.iter().find(|(_, name, _)| begins_with(name, word));
    let found = whole.or_else(begins);
    found.map(|(_, _, view)| *view)
}

fn opposite(view: &OfferView) -> &Account {
    match &view.kind {
        OfferKind::Challenge { to } if view.yours => to,
        OfferKind::Challenge { .. } | OfferKind::Seek | OfferKind::Invitation => &view.by,
    }
}

/// Whether an offer is still open.
fn stands(lobby: &Lobby, id: &OfferId) -> bool {
    let mut all = lobby.seeks.iter().chain(&lobby.challenges);
    all.any(|view| view.id == *id)
}

impl Session {
    pub(super) async fn lobby(&self) -> Done<Lobby> {
        Ok(self.club.lobby_for(Some(self.me.id)).await?)
    }

    /// Returns an error if the person plays a game.
    pub(super) fn check_free(&self) -> Done {
        match self.plays() {
            Some(_) => Err("You are playing a game: finish it first.".into()),
            None => Ok(()),
        }
    }

    /// Reads the lobby, which may have changed, and tells the person what is
    /// new. `first` says whether the person has just signed in.
    pub(super) async fn look_around(&mut self, first: bool) {
        // If the lobby cannot be read now, it is read again when it changes.
        let Ok(lobby) = self.club.lobby_for(Some(self.me.id)).await else {
            return;
        };
        self.muted = self.club.muted_ids(self.me.id).await;
        self.tell_challenges(&lobby);
        self.tell_seeks(&lobby, first);
        self.tell_declined(&lobby);
        self.tell_games(&lobby, first).await;
    }

    /// Checks the offers made from this console. Tells the person if an offer
    /// was declined or withdrawn.
    fn tell_declined(&mut self, lobby: &Lobby) {
        let began = self.began(lobby);
        let gone = self.offered.extract_if(.., |(id, _)| !stands(lobby, id));
        for name in gone.filter_map(|(_, to)| to).collect::<Vec<_>>() {
            if !began {
                self.line(&format!(
                    "Your match offer to {name} was declined or withdrawn."
                ));
            }
        }
    }

    /// Whether the person has a game that the person was not told about yet.
    fn began(&self, lobby: &Lobby) -> bool {
        lobby.mine.iter().any(|row| !self.games.contains(&row.id))
    }

    fn tell_challenges(&mut self, lobby: &Lobby) {
        let began = self.began(lobby);
        let gone = self.challenged.extract_if(.., |(id, _)| !stands(lobby, id));
        for (_, name) in gone.collect::<Vec<_>>() {
            if !began {
                self.line(&format!("The challenge of {name} is gone."));
            }
        }
        for view in lobby.challenges.iter().filter(|view| !view.yours) {
            if !self.known.insert(view.id.clone()) {
                continue;
            }
            let name = &view.by.name;
            if self.muted.contains(&view.by.id) {
                continue;
            }
            let text = format!(
                "Challenge: {} {} {}.\n\
                 You can \"accept\" or \"decline\" {name}, or propose different parameters.",
                terms::rated_name(&view.by),
                terms::rated_name(&self.me),
                terms::shown(&view.terms),
            );
            self.challenged.push((view.id.clone(), name.clone()));
            self.line(&text);
        }
    }

    fn tell_seeks(&mut self, lobby: &Lobby, first: bool) {
        let playing = self.plays().is_some();
        for view in &lobby.seeks {
            if !self.known.insert(view.id.clone()) || view.yours || first {
                continue;
            }
            if self.set.seek && !playing && !self.muted.contains(&view.by.id) {
                let number = self.state.seek_number(&view.id);
                self.line(&format!(
                    "{} seeking {} (\"play {number}\" to respond)",
                    terms::rated_name(&view.by),
                    terms::shown(&view.terms)
                ));
            }
        }
        self.known.retain(|id| stands(lobby, id));
    }

    async fn tell_games(&mut self, lobby: &Lobby, first: bool) {
        let new = lobby.mine.iter();
        let new = new.filter(|row| !self.games.contains(&row.id));
        let (mut running, adjourned): (Vec<&GameRow>, Vec<_>) =
            new.partition(|row| row.status == GameStatus::Running);
        self.games = lobby.mine.iter().map(|row| row.id).collect();
        for row in adjourned {
            if let Ok(table) = self.table(row.id, Part::Waits).await {
                self.tables.push(table);
            }
        }
        // If the person plays no game, the newest running game becomes the game
        // that is played.
        if self.plays().is_none()
            && let Some(row) = running.pop()
        {
            self.sit_down(row.id).await;
            self.take_seeks_back(true).await;
        }
        for row in running {
            let number = self.state.number(row.id);
            self.line(&format!(
                "You also have a seat in game {number}: `resume {number}` takes it."
            ));
        }
        let mine = lobby.mine.iter();
        let adjourned = mine
            .filter(|row| row.status == GameStatus::Adjourned)
            .count();
        if first && adjourned > 0 {
            self.line(&format!(
                "Number of your adjourned games: {adjourned}. `stored` lists them."
            ));
        }
    }

    /// Withdraws the offers made from this console. If `seeks_alone` is true,
    /// withdraws only the seeks. Returns the number of withdrawn offers.
    pub(super) async fn take_seeks_back(&mut self, seeks_alone: bool) -> usize {
        let mut done = 0;
        for (id, to) in std::mem::take(&mut self.offered) {
            if seeks_alone && to.is_some() {
                self.offered.push((id, to));
            } else if self.club.decline(&id, self.me.id).await.is_ok() {
                done += 1;
            }
        }
        done
    }

    /// Runs `seek [TERMS]`: offers a game to anybody.
    pub(super) async fn seek(&mut self, words: &[&str]) -> Done {
        self.check_free()?;
        let terms = terms::read(words, &self.set)?;
        let view = self.club.seek(self.me.id, terms).await?;
        let number = self.state.seek_number(&view.id);
        self.known.insert(view.id.clone());
        self.offered.push((view.id, None));
        self.line(&format!("Your seek has been posted with index {number}."));
        Ok(())
    }

    /// Runs `match NAME [TERMS]`: challenges a person or a bot.
    pub(super) async fn challenge(&mut self, words: &[&str]) -> Done {
        let (name, words) = words
            .split_first()
            .ok_or("Whom? Type `match NAME 5 5 kriegspiel`; `who` lists the people here.")?;
        self.check_free()?;
        // Without terms, the command accepts an open challenge from the named person.
        let theirs = self
            .challenged
            .iter()
            .find(|(_, by)| by.eq_ignore_ascii_case(name));
        if words.is_empty()
            && let Some((id, _)) = theirs.cloned()
        {
            return self.accept_offer(&id).await;
        }
        let terms = terms::read(words, &self.set)?;
        // An exact name has priority over names at this door that begin with
        // the word: `match sparring` does not challenge sparring2.
        let mut challenged = self.club.challenge(self.me.id, name, terms.clone()).await;
        if let Err(error) = &challenged
            && error.code == RefusalCode::NotFound
            && let Some(account) = self.state.named(name)
        {
            let whole = &account.name;
            challenged = self.club.challenge(self.me.id, whole, terms).await;
        }
        let view = challenged?;
        let to = opposite(&view).clone();
        self.known.insert(view.id.clone());
        self.offered.push((view.id, Some(to.name.clone())));
        self.line(&format!(
            "Issuing: {} {} {}.",
            terms::rated_name(&self.me),
            terms::rated_name(&to),
            terms::shown(&view.terms)
        ));
        Ok(())
    }

    async fn accept_offer(&mut self, id: &OfferId) -> Done {
        self.club.accept(id, self.me.id).await?;
        // The accepted challenge is no longer open. The new game is found when the lobby is read.
        self.challenged.retain(|(old, _)| old != id);
        self.look_around(false).await;
        Ok(())
    }

    /// Runs `play NUMBER|NAME`: accepts a seek.
    pub(super) async fn play(&mut self, words: &[&str]) -> Done {
        let word = words
            .first()
            .ok_or("Which? `sought` lists the seeks; then `play NUMBER`.")?;
        self.check_free()?;
        let lobby = self.lobby().await?;
        let theirs = lobby.seeks.iter().filter(|view| !view.yours);
        let theirs: Vec<_> = theirs
            .map(|view| {
                let number = usize::try_from(self.state.seek_number(&view.id));
                (number.unwrap_or(usize::MAX), &*view.by.name, view)
            })
            .collect();
        let view = called(word, &theirs).ok_or(NO_SUCH_SEEK)?;
        self.accept_offer(&view.id.clone()).await
    }

    /// Returns the terms of the seek with that number.
    pub(super) async fn sought_terms(&self, number: u32) -> Done<club::Terms> {
        let numbered = |view: &OfferView| self.state.seek_number(&view.id) == number;
        let found = self.lobby().await?.seeks.into_iter().find(numbered);
        Ok(found.ok_or(NO_SUCH_SEEK)?.terms)
    }

    /// Runs `sought`: lists the seeks.
    pub(super) async fn sought(&mut self) -> Done {
        let lobby = self.lobby().await?;
        if lobby.seeks.is_empty() {
            return Err(
                "Nobody seeks a game. `seek` offers one; `match sparring` plays a program.".into(),
            );
        }
        for view in &lobby.seeks {
            let color = match view.terms.color {
                club::ColorWish::Any => "",
                club::ColorWish::White => " [white]",
                club::ColorWish::Black => " [black]",
            };
            self.line(&format!(
                "{:>3} {:>4} {:<20} {}{color}",
                self.state.seek_number(&view.id),
                terms::rating(&view.by),
                terms::marked(&view.by),
                terms::shown(&view.terms)
            ));
        }
        let count = lobby.seeks.len();
        self.line(&format!("{count} ads displayed."));
        Ok(())
    }

    /// Runs `unseek [NUMBER]`: withdraws the person's seeks, or one of them.
    pub(super) async fn unseek(&mut self, words: &[&str]) -> Done {
        let lobby = self.lobby().await?;
        let wanted = words.first().copied();
        let mut done = 0;
        for view in lobby.seeks.iter().filter(|view| view.yours) {
            let number = self.state.seek_number(&view.id);
            if wanted.is_none_or(|word| word.parse() == Ok(number)) {
                done += usize::from(self.club.decline(&view.id, self.me.id).await.is_ok());
            }
        }
        self.line(match done {
            0 => "You have no such seek.",
            1 => "Your seek has been removed.",
            _ => "Your seeks have been removed.",
        });
        Ok(())
    }

    /// Runs `pending`: lists the challenges to and from the person.
    pub(super) async fn pending(&mut self) -> Done {
        let challenges = self.lobby().await?.challenges;
        if challenges.is_empty() {
            return Err("There are no offers pending to or from you.".into());
        }
        for (n, view) in (1..).zip(&challenges) {
            let name = &opposite(view).name;
            let way = if view.yours { "to" } else { "from" };
            self.line(&format!(
                "{n:>2}: {way} {name}: {}",
                terms::shown(&view.terms)
            ));
        }
        self.line(
            "Type `accept N` or `decline N` for a challenge to you, `withdraw N` for a challenge from you.",
        );
        Ok(())
    }

    /// Returns the open offer at the person's own table. If `mine` is true, returns an offer of
    /// the person, otherwise an offer of the opponent.
    fn offered_here(&self, mine: bool) -> Option<Offered> {
        let at = self.own()?;
        let known = &self.tables[at].known;
        let color = known.color()?;
        let by = Some(if mine { color } else { color.other() });
        if known.draw_offer() == by {
            return Some(Offered::Draw);
        }
        let standing = &known.facts.standing;
        let offers = standing.offers.unwrap_or_default();
        let (offer, act) = match standing.status {
            GameStatus::Running => (offers.adjourn, TableAct::Adjourn),
            GameStatus::Adjourned => (offers.adjourn, TableAct::Resume),
            GameStatus::Over => (offers.rematch, TableAct::Rematch),
        };
        (offer == by).then_some(Offered::Act(at, act))
    }

    /// Runs `accept [WHICH]`: accepts an offer at the table, or a challenge.
    pub(super) async fn accept(&mut self, words: &[&str]) -> Done {
        match self.offered_here(false).filter(|_| words.is_empty()) {
            Some(Offered::Draw) => return self.attempt("accept-draw").await,
            Some(Offered::Act(at, act)) => {
                self.act(at, act).await?;
                self.look_around(false).await;
                return Ok(());
            }
            None => {}
        }
        if self.plays().is_some() {
            let why =
                "You are playing a game: finish it first. `accept` alone accepts an offer there.";
            return Err(why.into());
        }
        let challenges = self.lobby().await?.challenges;
        let id = self.chosen(words, &challenges, false);
        let id = id.ok_or("There are no offers to accept of that kind: see `pending`.")?;
        self.accept_offer(&id).await
    }

    fn chosen(&self, words: &[&str], all: &[OfferView], mine: bool) -> Option<OfferId> {
        let all: Vec<_> = (1..)
            .zip(all)
            .filter(|(_, view)| view.yours == mine)
            .map(|(n, view)| (n, &*opposite(view).name, view))
            .collect();
        let view = match words.first() {
            None if all.len() == 1 => all.first().map(|(_, _, view)| *view),
            None => None,
            Some(word) => called(word, &all),
        };
        view.map(|view| view.id.clone())
    }

    /// Runs `decline [WHICH]`, or `withdraw [WHICH]` if `mine` is true.
    pub(super) async fn turn_down(&mut self, words: &[&str], mine: bool) -> Done {
        let what = if mine { "withdraw" } else { "decline" };
        match self.offered_here(mine).filter(|_| words.is_empty()) {
            Some(Offered::Draw) => return self.attempt(&format!("{what}-draw")).await,
            Some(Offered::Act(at, act)) => {
                let no = if act == TableAct::Rematch {
                    TableAct::DeclineRematch
                } else {
                    TableAct::DeclineAdjourn
                };
                self.act(at, no).await?;
                self.line("Done.");
                return Ok(());
            }
            None => {}
        }
        let challenges = self.lobby().await?.challenges;
        let id = self.chosen(words, &challenges, mine);
        let none = || format!("There are no offers to {what} of that kind: see `pending`.");
        let id = id.ok_or_else(none)?;
        self.club.decline(&id, self.me.id).await?;
        self.challenged.retain(|(old, _)| *old != id);
        self.offered.retain(|(old, _)| *old != id);
        self.line(&format!("You {what} the match offer."));
        Ok(())
    }

    /// Runs `resume [N]`: continues one of the unfinished games.
    pub(super) async fn resume(&mut self, words: &[&str]) -> Done {
        if self.plays().is_some() {
            return Err("You are playing a game: finish it first, or `adjourn` it.".into());
        }
        let lobby = self.lobby().await?;
        let mut mine = lobby.mine.iter();
        let row = match words.first() {
            None => mine.last(),
            Some(word) => mine.find(|row| word.parse() == Ok(self.state.number(row.id))),
        };
        let row = row.ok_or("You have no unfinished game with that number: see `stored`.")?;
        let (game, status) = (row.id, row.status);
        self.sit_down(game).await;
        let at = self.tables.iter().position(|table| table.game == game);
        if let (Some(at), GameStatus::Adjourned) = (at, status) {
            self.act(at, TableAct::Resume).await?;
            if self.plays().is_none() {
                self.line(
                    "You offer to continue. The game continues when your opponent types `resume`.",
                );
            }
        }
        Ok(())
    }

    /// Runs `stored`: lists the unfinished games.
    pub(super) async fn stored(&mut self) -> Done {
        let lobby = self.lobby().await?;
        if lobby.mine.is_empty() {
            self.line("You have no unfinished game.");
        }
        for row in &lobby.mine {
            let status = match row.status {
                GameStatus::Running => "runs",
                GameStatus::Adjourned => "adjourned",
                GameStatus::Over => "over",
            };
            self.line(&format!(
                "{:>3}: {} vs. {}, {}, {status}",
                self.state.number(row.id),
                row.players.white.name,
                row.players.black.name,
                terms::shown(&row.terms)
            ));
        }
        Ok(())
    }
}

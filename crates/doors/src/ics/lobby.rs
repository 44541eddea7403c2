//! Seeks, challenges, and how games begin.

use club::{Account, Code, GameRow, Lobby, OfferId, OfferKind, OfferView, Status, TableAct};
use rules::chess::Color;

use super::{
    play::sentence,
    session::{Part, Session},
    terms,
};

/// The offer that is called by a word: by its number, by a whole name, or else
/// by the beginning of one.
fn called<'a>(word: &str, all: &[(usize, &'a str, &'a OfferView)]) -> Option<&'a OfferView> {
    let number = word.parse().ok();
    let whole = all
        .iter()
        .find(|(n, name, _)| Some(*n) == number || name.eq_ignore_ascii_case(word));
    let begins = |name: &str| {
        let head = name.get(..word.len());
        word.len() > 2 && head.is_some_and(|head| head.eq_ignore_ascii_case(word))
    };
    let found = whole.or_else(|| all.iter().find(|(_, name, _)| begins(name)));
    found.map(|(_, _, view)| *view)
}

fn opposite(view: &OfferView) -> &Account {
    match &view.kind {
        OfferKind::Challenge { to } if view.yours => to,
        OfferKind::Challenge { .. } | OfferKind::Seek | OfferKind::Invitation => &view.by,
    }
}

impl Session {
    pub(super) async fn lobby(&mut self) -> Option<Lobby> {
        match self.club.lobby_for(Some(self.me.id)).await {
            Ok(lobby) => Some(lobby),
            Err(error) => {
                self.line(&sentence(&error.why));
                None
            }
        }
    }

    /// Looks at the lobby when it may have changed. `first`: he has just come.
    pub(super) async fn look_around(&mut self, first: bool) {
        // If it cannot be read now, it is when it changes next.
        let Ok(lobby) = self.club.lobby_for(Some(self.me.id)).await else {
            return;
        };
        self.tell_challenges(&lobby);
        self.tell_seeks(&lobby, first);
        self.tell_declined(&lobby);
        self.tell_games(&lobby, first).await;
    }

    /// What he has offered from here, and what has become of it. Whoever waits
    /// for an answer is told that none will come.
    fn tell_declined(&mut self, lobby: &Lobby) {
        let began = lobby.mine.iter().any(|row| !self.games.contains(&row.id));
        for (id, to) in std::mem::take(&mut self.offered) {
            let mut all = lobby.seeks.iter().chain(&lobby.challenges);
            if all.any(|view| view.id == id) {
                self.offered.push((id, to));
            } else if let Some(name) = to.filter(|_| !began) {
                self.line(&format!(
                    "Your match offer to {name} was declined, or taken back."
                ));
            }
        }
    }

    fn tell_challenges(&mut self, lobby: &Lobby) {
        let gone: Vec<_> = self
            .challenged
            .iter()
            .filter(|(id, _)| !lobby.challenges.iter().any(|view| view.id == *id))
            .cloned()
            .collect();
        for (id, name) in gone {
            self.challenged.retain(|(old, _)| *old != id);
            let began = lobby.mine.iter().any(|row| !self.games.contains(&row.id));
            if !began {
                self.line(&format!("The challenge of {name} is gone."));
            }
        }
        for view in lobby.challenges.iter().filter(|view| !view.yours) {
            if !self.known.insert(view.id.clone()) {
                continue;
            }
            let (by, me) = (&view.by, &self.me);
            let name = by.name.clone();
            if self.set.censored.contains(&name.to_ascii_lowercase()) {
                continue;
            }
            let text = format!(
                "Challenge: {} ({}) {} ({}) {}.\n\
                 You can \"accept\" or \"decline\" {name}, or propose different parameters.",
                by.name,
                terms::rating(by),
                me.name,
                terms::rating(me),
                terms::shown(&view.terms),
            );
            self.challenged.push((view.id.clone(), name));
            self.line(&text);
        }
    }

    fn tell_seeks(&mut self, lobby: &Lobby, first: bool) {
        let playing = self.plays().is_some();
        for view in &lobby.seeks {
            if !self.known.insert(view.id.clone()) || view.yours || first {
                continue;
            }
            let censored = self
                .set
                .censored
                .contains(&view.by.name.to_ascii_lowercase());
            if self.set.seek && !playing && !censored {
                let number = self.hall.seek_number(&view.id);
                self.line(&format!(
                    "{} ({}) seeking {} (\"play {number}\" to respond)",
                    view.by.name,
                    terms::rating(&view.by),
                    terms::shown(&view.terms)
                ));
            }
        }
        let stands = |id: &OfferId| {
            lobby
                .seeks
                .iter()
                .chain(&lobby.challenges)
                .any(|v| v.id == *id)
        };
        self.known.retain(stands);
    }

    async fn tell_games(&mut self, lobby: &Lobby, first: bool) {
        let new: Vec<&GameRow> = lobby
            .mine
            .iter()
            .filter(|row| !self.games.contains(&row.id))
            .collect();
        self.games = lobby.mine.iter().map(|row| row.id).collect();
        let (mut running, adjourned): (Vec<_>, Vec<_>) = new
            .into_iter()
            .partition(|row| row.status == Status::Running);
        for row in adjourned {
            if let Ok(table) = self.table(row.id, Part::Waits).await {
                self.tables.push(table);
            }
        }
        // The newest he sits down in, if he does not play.
        if self.plays().is_none()
            && let Some(row) = running.pop()
        {
            self.sit_down(row.id).await;
            self.take_seeks_back(true).await;
        }
        for row in running {
            let number = self.hall.number(row.id);
            self.line(&format!(
                "You have another game that runs, {number}: `resume {number}` sits down in it."
            ));
        }
        let adjourned = lobby
            .mine
            .iter()
            .filter(|row| row.status == Status::Adjourned)
            .count();
        if first && adjourned > 0 {
            self.line(&format!(
                "You have adjourned games, {adjourned}: `stored` lists them."
            ));
        }
    }

    /// Takes back the seeks that were made here.
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

    /// `seek [TERMS]`.
    pub(super) async fn seek(&mut self, words: &[&str]) {
        if self.plays().is_some() {
            self.line("You are playing a game: finish it first.");
            return;
        }
        let terms = match terms::read(words, &self.set) {
            Ok(terms) => terms,
            Err(why) => {
                self.line(&why);
                return;
            }
        };
        match self.club.seek(self.me.id, terms).await {
            Ok(view) => {
                let number = self.hall.seek_number(&view.id);
                self.known.insert(view.id.clone());
                self.offered.push((view.id, None));
                self.line(&format!("Your seek has been posted with index {number}."));
            }
            Err(error) => self.line(&sentence(&error.why)),
        }
    }

    /// `match NAME [TERMS]`.
    pub(super) async fn challenge(&mut self, words: &[&str]) {
        let Some((name, words)) = words.split_first() else {
            self.line("Whom? As `match NAME 5 5 kriegspiel`; `who` shows who is here.");
            return;
        };
        if self.plays().is_some() {
            self.line("You are playing a game: finish it first.");
            return;
        }
        // A challenge of him whom one challenges is accepted.
        let theirs = self
            .challenged
            .iter()
            .find(|(_, by)| by.eq_ignore_ascii_case(name));
        if words.is_empty()
            && let Some((id, _)) = theirs.cloned()
        {
            self.accept_offer(&id).await;
            return;
        }
        let terms = match terms::read(words, &self.set) {
            Ok(terms) => terms,
            Err(why) => {
                self.line(&why);
                return;
            }
        };
        // Whoever has that very name comes before those at the door whose names
        // begin so: `match sparring` is not for sparring2.
        let mut challenged = self.club.challenge(self.me.id, name, terms.clone()).await;
        if let Err(error) = &challenged
            && error.code == Code::NotFound
            && let Some(account) = self.hall.named(name)
        {
            let whole = &account.name;
            challenged = self.club.challenge(self.me.id, whole, terms).await;
        }
        match challenged {
            Ok(view) => {
                let to = opposite(&view).clone();
                self.known.insert(view.id.clone());
                self.offered.push((view.id, Some(to.name.clone())));
                self.line(&format!(
                    "Issuing: {} ({}) {} ({}) {}.",
                    self.me.name,
                    terms::rating(&self.me),
                    to.name,
                    terms::rating(&to),
                    terms::shown(&view.terms)
                ));
            }
            Err(error) => self.line(&sentence(&error.why)),
        }
    }

    async fn accept_offer(&mut self, id: &OfferId) {
        match self.club.accept(id, self.me.id).await {
            // What comes of it is seen in the lobby.
            Ok(_) => {
                self.challenged.retain(|(old, _)| old != id);
                self.look_around(false).await;
            }
            Err(error) => self.line(&sentence(&error.why)),
        }
    }

    /// `play NUMBER|NAME`.
    pub(super) async fn play(&mut self, words: &[&str]) {
        let Some(word) = words.first() else {
            self.line("Which? `sought` lists the seeks; then `play NUMBER`.");
            return;
        };
        if self.plays().is_some() {
            self.line("You are playing a game: finish it first.");
            return;
        }
        let Some(lobby) = self.lobby().await else {
            return;
        };
        let theirs = lobby.seeks.iter().filter(|view| !view.yours);
        let theirs: Vec<_> = theirs
            .map(|view| {
                let number = usize::try_from(self.hall.seek_number(&view.id));
                (number.unwrap_or(usize::MAX), &*view.by.name, view)
            })
            .collect();
        match called(word, &theirs) {
            Some(view) => self.accept_offer(&view.id.clone()).await,
            None => self.line("That seek is not available: `sought` lists those that are."),
        }
    }

    /// What a seek of that number offers.
    pub(super) async fn sought_terms(&mut self, number: u32) -> Option<club::Terms> {
        let lobby = self.lobby().await?;
        let numbered = |view: &&OfferView| self.hall.seek_number(&view.id) == number;
        let found = lobby.seeks.iter().find(numbered);
        let found = found.map(|view| view.terms.clone());
        if found.is_none() {
            self.line("That seek is not available: `sought` lists those that are.");
        }
        found
    }

    /// `sought`.
    pub(super) async fn sought(&mut self) {
        let Some(lobby) = self.lobby().await else {
            return;
        };
        if lobby.seeks.is_empty() {
            self.line("Nobody seeks a game. `seek` offers one; `match sparring` plays a program.");
            return;
        }
        for view in &lobby.seeks {
            let color = match view.terms.color {
                club::ColorWish::Any => "",
                club::ColorWish::White => " [white]",
                club::ColorWish::Black => " [black]",
            };
            self.line(&format!(
                "{:>3} {:>4} {:<20} {}{color}",
                self.hall.seek_number(&view.id),
                terms::rating(&view.by),
                terms::marked(&view.by),
                terms::shown(&view.terms)
            ));
        }
        let count = lobby.seeks.len();
        self.line(&format!("{count} ads displayed."));
    }

    /// `unseek [NUMBER]`.
    pub(super) async fn unseek(&mut self, words: &[&str]) {
        let Some(lobby) = self.lobby().await else {
            return;
        };
        let wanted = words.first().copied();
        let mut done = 0;
        for view in lobby.seeks.iter().filter(|view| view.yours) {
            let number = self.hall.seek_number(&view.id);
            if wanted.is_none_or(|word| word.parse() == Ok(number)) {
                done += usize::from(self.club.decline(&view.id, self.me.id).await.is_ok());
            }
        }
        self.line(match done {
            0 => "You have no active seeks by that number.",
            1 => "Your seek has been removed.",
            _ => "Your seeks have been removed.",
        });
    }

    /// The challenges to him and from him.
    async fn challenges(&mut self) -> Vec<OfferView> {
        self.lobby()
            .await
            .map(|lobby| lobby.challenges)
            .unwrap_or_default()
    }

    /// `pending`.
    pub(super) async fn pending(&mut self) {
        let challenges = self.challenges().await;
        if challenges.is_empty() {
            self.line("There are no offers pending to or from you.");
            return;
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
            "Type `accept N` or `decline N` for one of others, `withdraw N` for one of yours.",
        );
    }

    /// What is offered by the opponent at one's own table, as acts.
    fn offered_here(&self, mine: bool) -> (Option<&'static str>, Option<(usize, TableAct)>) {
        let Some(at) = self.own() else {
            return (None, None);
        };
        let chair = &self.tables[at].chair;
        let Some(color) = chair.color() else {
            return (None, None);
        };
        let by = if mine { color } else { color.other() };
        let draw = (chair.draw_offer() == Some(by)).then_some("draw");
        let standing = &chair.facts.standing;
        let offers = standing.offers.unwrap_or_default();
        let same = |offer: Option<Color>| offer == Some(by);
        let act = match standing.status {
            Status::Running if same(offers.adjourn) => Some(TableAct::Adjourn),
            Status::Adjourned if same(offers.adjourn) => Some(TableAct::Resume),
            Status::Over if same(offers.rematch) => Some(TableAct::Rematch),
            Status::Running | Status::Adjourned | Status::Over => None,
        };
        (draw, act.map(|act| (at, act)))
    }

    /// `accept [WHICH]`.
    pub(super) async fn accept(&mut self, words: &[&str]) {
        if words.is_empty() {
            match self.offered_here(false) {
                (Some(_), _) => {
                    self.attempt("accept-draw").await;
                    return;
                }
                (None, Some((at, act))) => {
                    self.act(at, act).await;
                    self.look_around(false).await;
                    return;
                }
                (None, None) => {}
            }
        }
        if self.plays().is_some() {
            self.line("You are playing a game, and nothing is offered to you there.");
            return;
        }
        let challenges = self.challenges().await;
        match self.chosen(words, &challenges, false) {
            Some(id) => self.accept_offer(&id).await,
            None => self.line("There are no offers to accept of that kind: see `pending`."),
        }
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

    /// `decline [WHICH]` and `withdraw [WHICH]`.
    pub(super) async fn turn_down(&mut self, words: &[&str], mine: bool) {
        if words.is_empty() {
            match self.offered_here(mine) {
                (Some(_), _) => {
                    self.attempt(if mine {
                        "withdraw-draw"
                    } else {
                        "decline-draw"
                    })
                    .await;
                    return;
                }
                (None, Some((at, act))) => {
                    let no = if act == TableAct::Rematch {
                        TableAct::DeclineRematch
                    } else {
                        TableAct::DeclineAdjourn
                    };
                    if self.act(at, no).await {
                        self.line("Done.");
                    }
                    return;
                }
                (None, None) => {}
            }
        }
        let challenges = self.challenges().await;
        let Some(id) = self.chosen(words, &challenges, mine) else {
            let what = if mine { "withdraw" } else { "decline" };
            self.line(&format!(
                "There are no offers to {what} of that kind: see `pending`."
            ));
            return;
        };
        match self.club.decline(&id, self.me.id).await {
            Ok(()) => {
                self.challenged.retain(|(old, _)| *old != id);
                self.offered.retain(|(old, _)| *old != id);
                self.line(if mine {
                    "You withdraw the match offer."
                } else {
                    "You decline the match offer."
                });
            }
            Err(error) => self.line(&sentence(&error.why)),
        }
    }

    /// `resume [N]`.
    pub(super) async fn resume(&mut self, words: &[&str]) {
        if self.plays().is_some() {
            self.line("You are playing a game: finish it first, or `adjourn` it.");
            return;
        }
        let Some(lobby) = self.lobby().await else {
            return;
        };
        let wanted = words.first().map(|word| word.parse::<u32>().ok());
        let row = match wanted {
            None => lobby.mine.last(),
            Some(number) => lobby
                .mine
                .iter()
                .find(|row| Some(self.hall.number(row.id)) == number),
        };
        let Some((game, status)) = row.map(|row| (row.id, row.status)) else {
            self.line("You have no game of that number that is not over: see `stored`.");
            return;
        };
        self.sit_down(game).await;
        let at = self.tables.iter().position(|table| table.game == game);
        if let (Some(at), Status::Adjourned) = (at, status)
            && self.act(at, TableAct::Resume).await
            && self.plays().is_none()
        {
            self.line("You offer to go on. It goes on when your opponent types `resume`, too.");
        }
    }

    /// `stored`.
    pub(super) async fn stored(&mut self) {
        let Some(lobby) = self.lobby().await else {
            return;
        };
        if lobby.mine.is_empty() {
            self.line("You have no game that is not over.");
        }
        for row in &lobby.mine {
            let status = match row.status {
                Status::Running => "runs",
                Status::Adjourned => "adjourned",
                Status::Over => "over",
            };
            self.line(&format!(
                "{:>3}: {} vs. {}, {}, {status}",
                self.hall.number(row.id),
                row.players.white.name,
                row.players.black.name,
                terms::shown(&row.terms)
            ));
        }
    }
}

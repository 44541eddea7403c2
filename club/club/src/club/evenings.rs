//! Evenings: who makes and joins them, and the task that runs them.

use std::{collections::HashMap, sync::Arc};

use rules::{
    Listener,
    chess::{ByColor, Color},
    rulesets,
};
use store::{
    AccountId, AccountKind, AccountState, Against, Evening, EveningGame, EveningId, EveningKind,
    EveningPlayer, Millis, StoreError, Terms, TimeControl,
};
use wire::{EveningStatus, GameStatus, RefusalCode};

use crate::{
    account::Account,
    error::{ClubError, StoreAnswer},
    evening::{self, EveningPlace, EveningRow, EveningView, GRACE, Tally},
    inner::{Club, Inner},
    lobby::GameRow,
    messages::is_line,
    refusals::{not_possible, too_many},
    sync::lock,
    terms,
    time::Speed,
    token::Token,
};

const DAY: Millis = 24 * 3600 * 1000;
/// An evening begins at most this number of milliseconds after it was made.
const MAX_AHEAD: Millis = 60 * DAY;
/// Lengths of evenings, in minutes.
const LENGTHS: [u32; 3] = [30, 60, 90];
const MAX_NAME_CHARS: usize = 60;
/// Maximum number of evenings of one account that are not over.
const MAX_OWN: usize = 2;
/// Maximum number of evenings that are not over.
const MAX_OPEN: usize = 20;
/// Maximum number of players of an arena hour.
const MAX_PLAYERS: usize = 100;
/// Maximum number of players of a round robin.
const MAX_SEATS: usize = 16;
/// Number of evenings that are over, and of games that are over, in a list.
const MAX_OVER: u32 = 10;
const MAX_OVER_GAMES: usize = 30;
/// A program plays with a player who has been left over for this number of milliseconds.
const PROGRAM_AFTER: Millis = 15_000;
/// Number of hexadecimal digits of an id.
const ID_DIGITS: usize = 12;

fn invalid(reason: &'static str, why: &'static str) -> ClubError {
    ClubError::new(RefusalCode::Invalid, reason, why)
}

fn unknown() -> ClubError {
    ClubError::new(
        RefusalCode::NotFound,
        "evening-unknown",
        "there is no such evening: it was cancelled, or the address is wrong",
    )
}

/// Checks the terms of an evening's games.
fn checked(terms: Terms, minutes: u32) -> Result<Terms, ClubError> {
    let terms = terms::checked(terms)?;
    if terms.custom.is_some() {
        return Err(invalid(
            "evening-rules",
            "an evening needs a built-in ruleset: choose one",
        ));
    }
    match terms.time {
        TimeControl::Clock { initial, increment }
            if initial + 40 * increment <= Millis::from(minutes) * 20_000 => {}
        TimeControl::Clock { .. } | TimeControl::Days { .. } | TimeControl::Unlimited => {
            return Err(invalid(
                "evening-time",
                "the games of an evening need a clock: initial time plus forty increments are at \
                 most a third of the evening",
            ));
        }
    }
    Ok(Terms {
        color: store::ColorWish::Any,
        ..terms
    })
}

impl Club {
    /// Makes an evening.
    ///
    /// # Errors
    /// [`RefusalCode::NotPossible`] for guests and programs, and if the account has two evenings that
    /// are not over; [`RefusalCode::TooMany`] if the club has too many; [`RefusalCode::Invalid`] if
    /// name, date, length or terms do not fit.
    pub async fn make_evening(
        &self,
        by: &Account,
        kind: EveningKind,
        name: &str,
        begins: Millis,
        minutes: u32,
        terms: Terms,
    ) -> Result<EveningRow, ClubError> {
        let club = &self.0;
        if by.kind != AccountKind::Person {
            return Err(not_possible(
                "evening-guest",
                "an evening is made by a person with an account: create an account",
            ));
        }
        let name = name.trim();
        if name.is_empty() || name.chars().count() > MAX_NAME_CHARS || !is_line(name) {
            return Err(invalid(
                "evening-name",
                "the name of an evening is one line of 1 to 60 characters of plain text",
            ));
        }
        if !LENGTHS.contains(&minutes) {
            return Err(invalid(
                "evening-minutes",
                "an evening takes 30, 60 or 90 minutes",
            ));
        }
        let terms = checked(terms, minutes)?;
        let now = club.time.now();
        if !(now..=now.saturating_add(MAX_AHEAD)).contains(&begins) {
            return Err(invalid(
                "evening-date",
                "an evening begins in the future, at most 60 days from now",
            ));
        }
        let _guard = club.evenings.lock().await;
        let open = club.store.evenings(false, 0).await?;
        if open.iter().filter(|one| one.maker == by.id).count() >= MAX_OWN {
            return Err(not_possible(
                "evenings-own",
                "you have two evenings that are not over: cancel one, or wait for its end",
            ));
        }
        if open.len() >= MAX_OPEN {
            return Err(too_many(
                "evenings-full",
                "the club has too many evenings that are not over: join one of them",
            ));
        }
        let evening = Evening {
            id: EveningId(Token::draw().secret().chars().take(ID_DIGITS).collect()),
            kind,
            name: name.to_owned(),
            maker: by.id,
            terms,
            at: now,
            begins,
            minutes,
            is_over: false,
        };
        club.store.create_evening(&evening).await?;
        club.evening_row(&evening, &[], &HashMap::new(), Some(by.id))
            .await
    }

    /// Joins an evening: the account gets one game when it has begun. After the game, joining again
    /// asks for the next.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if there is no such evening; [`RefusalCode::NotPossible`] for
    /// programs, while the account plays in the evening, and after its end;
    /// [`RefusalCode::TooMany`] if it has too many players.
    pub async fn join_evening(&self, by: &Account, id: &EveningId) -> Result<(), ClubError> {
        let club = &self.0;
        if by.kind == AccountKind::Program {
            return Err(not_possible(
                "evening-program",
                "only people join an evening: the club's own programs fill its seats",
            ));
        }
        let _guard = club.evenings.lock().await;
        let evening = club.evening(id).await?;
        let now = club.time.now();
        match evening::status(&evening, now) {
            EveningStatus::Planned | EveningStatus::Running => {}
            EveningStatus::Ending | EveningStatus::Over => {
                return Err(not_possible(
                    "evening-over",
                    "this evening is over: look at its table, or join another",
                ));
            }
        }
        let players = club.store.evening_players(id).await?;
        let own = players.iter().find(|player| player.account == by.id);
        let most = match evening.kind {
            EveningKind::Arena => MAX_PLAYERS,
            EveningKind::RoundRobin => MAX_SEATS,
        };
        if own.is_none() && players.len() >= most {
            return Err(too_many(
                "evening-full",
                "this evening has as many players as it can have: join another, or make one",
            ));
        }
        let tallies = evening::tallies(&club.store.evening_games(id).await?);
        let tally = tallies.get(&by.id).cloned().unwrap_or_default();
        if evening.kind == EveningKind::RoundRobin
            && evening.begins <= now
            && tally.paired.is_none()
        {
            return Err(not_possible(
                "evening-rounds",
                "this round robin has begun with those who had joined: watch it, or join another",
            ));
        }
        if tally.plays {
            return Err(not_possible(
                "evening-playing",
                "you play in this evening: end your game first",
            ));
        }
        if own.is_some_and(|own| evening::waits(evening.kind, own, &tally).is_some()) {
            return Ok(());
        }
        let player = EveningPlayer {
            account: by.id,
            joined: own.map_or(now, |own| own.joined),
            waits: Some(tally.paired.map_or(now, |paired| now.max(paired + 1))),
        };
        Ok(club.store.set_evening_player(id, &player).await?)
    }

    /// Leaves an evening: the account gets no more games. Its points stay.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if there is no such evening.
    pub async fn leave_evening(&self, by: &Account, id: &EveningId) -> Result<(), ClubError> {
        let club = &self.0;
        let _guard = club.evenings.lock().await;
        club.evening(id).await?;
        let players = club.store.evening_players(id).await?;
        if let Some(own) = players.into_iter().find(|player| player.account == by.id) {
            let left = EveningPlayer { waits: None, ..own };
            club.store.set_evening_player(id, &left).await?;
        }
        Ok(())
    }

    /// Cancels an evening that has not begun. Nothing of it stays.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if there is no such evening; [`RefusalCode::Forbidden`] if somebody
    /// else has made it; [`RefusalCode::NotPossible`] if it has begun.
    pub async fn cancel_evening(&self, by: &Account, id: &EveningId) -> Result<(), ClubError> {
        let club = &self.0;
        let _guard = club.evenings.lock().await;
        let evening = club.evening(id).await?;
        if evening.maker != by.id {
            return Err(ClubError::new(
                RefusalCode::Forbidden,
                "evening-of-other",
                "this evening is somebody else's: only its maker or the operator can cancel it",
            ));
        }
        if evening::status(&evening, club.time.now()) != EveningStatus::Planned {
            return Err(not_possible(
                "evening-begun",
                "this evening has begun: it ends by itself",
            ));
        }
        let cancelled = club.store.cancel_evening(id).await.found()?;
        cancelled.ok_or_else(unknown)
    }

    /// Returns the evenings that are not over, the next first, and the last that are over.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn evenings(
        &self,
        reader: Option<AccountId>,
    ) -> Result<(Vec<EveningRow>, Vec<EveningRow>), ClubError> {
        let open = self.0.store.evenings(false, 0).await?;
        let over = self.0.store.evenings(true, MAX_OVER).await?;
        let (open, over) = (
            self.rows(open, reader).await?,
            self.rows(over, reader).await?,
        );
        Ok((open, over))
    }

    /// Returns the evenings that an account has made or joined.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn own_evenings(&self, of: AccountId) -> Result<Vec<EveningRow>, ClubError> {
        self.rows(self.0.store.evenings_of(of).await?, Some(of))
            .await
    }

    async fn rows(
        &self,
        evenings: Vec<Evening>,
        reader: Option<AccountId>,
    ) -> Result<Vec<EveningRow>, ClubError> {
        let club = &self.0;
        let mut rows = Vec::new();
        for evening in evenings {
            let players = club.store.evening_players(&evening.id).await?;
            let tallies = evening::tallies(&club.store.evening_games(&evening.id).await?);
            rows.push(
                club.evening_row(&evening, &players, &tallies, reader)
                    .await?,
            );
        }
        Ok(rows)
    }

    /// Returns an evening as a reader may see it. Its table depends on who joins, and on the ends of
    /// games.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if there is no such evening.
    pub async fn evening(
        &self,
        id: &EveningId,
        reader: Option<AccountId>,
    ) -> Result<EveningView, ClubError> {
        let club = &self.0;
        let evening = club.evening(id).await?;
        let players = club.store.evening_players(id).await?;
        let games = club.store.evening_games(id).await?;
        let tallies = evening::tallies(&games);
        let row = club
            .evening_row(&evening, &players, &tallies, reader)
            .await?;
        let (mut table, mut you) = (Vec::new(), None);
        for player in &players {
            let tally = tallies.get(&player.account).cloned().unwrap_or_default();
            if !in_table(player, &tally) {
                continue;
            }
            let state = evening::state(evening.kind, player, &tally);
            if reader == Some(player.account) {
                you = Some(state);
            }
            table.push(EveningPlace {
                place: 0,
                player: club.account(player.account).await?,
                points: tally.points,
                won: tally.won,
                games: tally.games,
                state,
            });
        }
        evening::order(&mut table);
        let (running, over): (Vec<_>, Vec<_>) = games
            .iter()
            .filter(|game| game.begun)
            .partition(|game| game.over.is_none());
        let mut shown = Vec::new();
        for game in running
            .into_iter()
            .chain(over.into_iter().rev().take(MAX_OVER_GAMES))
        {
            let (players, terms) = club.evening_terms(&evening, game.players).await?;
            let seat = game.players.find(|player| Some(*player) == reader);
            let status = match game.over {
                Some(_) => GameStatus::Over,
                None => GameStatus::Running,
            };
            shown.push(GameRow {
                id: game.game,
                players,
                seat: seat.map_or(Listener::Room, Listener::from),
                terms,
                at: game.at,
                status,
                over: game.over,
            });
        }
        Ok(EveningView {
            row,
            you,
            table,
            games: shown,
        })
    }
}

/// Whether the table lists a player: a player who has left without a game is not listed.
fn in_table(player: &EveningPlayer, tally: &Tally) -> bool {
    player.waits.is_some() || tally.paired.is_some()
}

impl Inner {
    async fn evening(&self, id: &EveningId) -> Result<Evening, ClubError> {
        self.store.evening(id).await.found()?.ok_or_else(unknown)
    }

    async fn evening_row(
        &self,
        evening: &Evening,
        players: &[EveningPlayer],
        tallies: &HashMap<AccountId, Tally>,
        reader: Option<AccountId>,
    ) -> Result<EveningRow, ClubError> {
        let none = Tally::default();
        let listed = players
            .iter()
            .filter(|player| in_table(player, tallies.get(&player.account).unwrap_or(&none)));
        let joined =
            |player: &EveningPlayer| Some(player.account) == reader && player.waits.is_some();
        Ok(EveningRow {
            id: evening.id.clone(),
            kind: evening.kind,
            name: evening.name.clone(),
            by: self.account(evening.maker).await?,
            terms: evening.terms.clone(),
            begins: evening.begins,
            minutes: evening.minutes,
            status: evening::status(evening, self.time.now()),
            players: u32::try_from(listed.count()).unwrap_or(u32::MAX),
            joined: players.iter().any(joined),
        })
    }

    /// Returns the players and the terms of a game of an evening: a game with a guest is not rated.
    async fn evening_terms(
        &self,
        evening: &Evening,
        players: ByColor<AccountId>,
    ) -> Result<(ByColor<Account>, Terms), ClubError> {
        let accounts = ByColor {
            white: self.account(players.white).await?,
            black: self.account(players.black).await?,
        };
        let is_guest = |account: &Account| account.kind == AccountKind::Guest;
        let rated = evening.terms.rated && !is_guest(&accounts.white) && !is_guest(&accounts.black);
        let terms = Terms {
            rated,
            ..evening.terms.clone()
        };
        Ok((accounts, terms))
    }

    /// Pairs the players of every evening that has begun, and ends evenings. Everything follows from
    /// rows: after a stop at any moment, the next call continues.
    pub(super) async fn run_evenings(self: &Arc<Self>) -> Result<(), ClubError> {
        for evening in self.store.evenings(false, 0).await? {
            if evening.begins <= self.time.now() {
                let _guard = self.evenings.lock().await;
                self.run_evening(&evening).await?;
            }
        }
        Ok(())
    }

    async fn run_evening(self: &Arc<Self>, evening: &Evening) -> Result<(), ClubError> {
        let now = self.time.now();
        let games = self.store.evening_games(&evening.id).await?;
        let is_running = evening::status(evening, now) == EveningStatus::Running;
        for game in games.iter().filter(|game| !game.begun) {
            match is_running {
                true => self.begin_evening_game(evening, game).await?,
                false => self.store.remove_evening_game(game.game).await?,
            }
        }
        if is_running {
            let room = self
                .settings
                .games_in_all
                .saturating_sub(lock(&self.listed).games());
            let next = match evening.kind {
                EveningKind::Arena => self.free_pairs(evening, &games, now).await?,
                EveningKind::RoundRobin => match self.round_pairs(evening, &games).await? {
                    Some(next) => next,
                    None => return Ok(self.store.end_evening(&evening.id).await?),
                },
            };
            for (round, players) in next.into_iter().take(room) {
                let game = EveningGame {
                    game: self.draw_game_id(),
                    players,
                    round,
                    at: now,
                    begun: false,
                    over: None,
                };
                let added = self.store.add_evening_game(self.fence, &evening.id, &game);
                added.await?;
                self.begin_evening_game(evening, &game).await?;
            }
            return Ok(());
        }
        let all_over = games.iter().all(|game| game.over.is_some() || !game.begun);
        if all_over || now >= evening::end(evening) + GRACE {
            self.store.end_evening(&evening.id).await?;
        }
        Ok(())
    }

    /// Returns the next games of an arena hour, in round 0.
    async fn free_pairs(
        self: &Arc<Self>,
        evening: &Evening,
        games: &[EveningGame],
        now: Millis,
    ) -> Result<Vec<(u32, ByColor<AccountId>)>, ClubError> {
        let tallies = evening::tallies(games);
        let none = Tally::default();
        let of = |id: &AccountId| tallies.get(id).unwrap_or(&none);
        let mut waiting = Vec::new();
        for player in self.store.evening_players(&evening.id).await? {
            if let Some(since) = evening::waits(evening.kind, &player, of(&player.account))
                && !self.plays_by_clock(player.account)
                && self.store.account(player.account).await?.state == AccountState::Active
            {
                waiting.push((since.max(evening.begins), player.account));
            }
        }
        waiting.sort_unstable();
        let mut mutes = HashMap::new();
        for (_, account) in &waiting {
            mutes.insert(*account, self.mutes(*account).await?);
        }
        let ids: Vec<AccountId> = waiting.iter().map(|(_, account)| *account).collect();
        let may_meet = |one: AccountId, two: AccountId| {
            !mutes[&one].contains(&two) && !mutes[&two].contains(&one)
        };
        let (mut pairs, left) = evening::pairs(&ids, &tallies, may_meet);
        for (since, person) in waiting {
            if left.contains(&person)
                && now - since >= PROGRAM_AFTER
                && let Some(program) = self.fitting_program(&evening.terms, person).await?
            {
                pairs.push(evening::with_program(person, program, of(&person)));
            }
        }
        Ok(pairs.into_iter().map(|players| (0, players)).collect())
    }

    /// Returns the games of a round robin that are missing in its present round, or the next round if
    /// this one is over; `None` after the last. The seats are the players in the order of joining. A
    /// program takes the seat of a bye, and of a player who has left.
    async fn round_pairs(
        self: &Arc<Self>,
        evening: &Evening,
        games: &[EveningGame],
    ) -> Result<Option<Vec<(u32, ByColor<AccountId>)>>, ClubError> {
        let tallies = evening::tallies(games);
        let mut players = self.store.evening_players(&evening.id).await?;
        players.retain(|player| player.waits.is_some() || tallies.contains_key(&player.account));
        let seats = players.len().next_multiple_of(2);
        let mut round = games.iter().map(|game| game.round).max().unwrap_or(1);
        if games.iter().any(|game| game.round == round)
            && games.iter().all(|game| game.over.is_some())
        {
            round += 1;
        }
        let index = usize::try_from(round).unwrap_or(usize::MAX) - 1;
        if seats == 0 {
            return Ok(Some(Vec::new()));
        }
        if index >= seats - 1 {
            return Ok(None);
        }
        let mut missing = Vec::new();
        for (white, black) in evening::berger(seats, index) {
            let mut who = ByColor {
                white: None,
                black: None,
            };
            for (side, seat) in [(Color::White, white), (Color::Black, black)] {
                if let Some(player) = players.get(seat)
                    && player.waits.is_some()
                    && self.store.account(player.account).await?.state == AccountState::Active
                {
                    who[side] = Some(player.account);
                }
            }
            let has_game = |id: AccountId| {
                let mut same = games.iter().filter(|game| game.round == round);
                same.any(|game| game.players.find(|player| *player == id).is_some())
            };
            let ByColor { white, black } = who;
            if [white, black].into_iter().flatten().any(has_game) {
                continue;
            }
            let program = match (white, black) {
                (Some(one), None) | (None, Some(one)) => {
                    self.fitting_program(&evening.terms, one).await?
                }
                _ => None,
            };
            if let (Some(white), Some(black)) = (white.or(program), black.or(program)) {
                missing.push((round, ByColor { white, black }));
            }
        }
        Ok(Some(missing))
    }

    /// Whether an account is in a running game with clocks.
    fn plays_by_clock(&self, account: AccountId) -> bool {
        let has_clock = |time| !matches!(Speed::of(time), Speed::Correspondence | Speed::Unlimited);
        lock(&self.listed)
            .running_games_of(account)
            .any(|record| has_clock(record.terms.time))
    }

    /// Creates a game of an evening. If an account was closed meanwhile, there is no game.
    async fn begin_evening_game(
        self: &Arc<Self>,
        evening: &Evening,
        game: &EveningGame,
    ) -> Result<(), ClubError> {
        let (_, terms) = self.evening_terms(evening, game.players).await?;
        match self.create_game(game.game, game.players, terms, None).await {
            Ok(()) => {}
            Err(error) if error.code == RefusalCode::NotPossible => {
                return Ok(self.store.remove_evening_game(game.game).await?);
            }
            Err(error) => return Err(error),
        }
        // If the table cannot be opened now, it is opened when somebody asks for it.
        let _later = self.table(game.game).await;
        Ok(())
    }

    /// Returns the built-in bot whose rating is nearest to the person's rating against programs. A
    /// person without one gets the weakest. Only a program with a rating plays rated games.
    async fn fitting_program(
        &self,
        terms: &Terms,
        person: AccountId,
    ) -> Result<Option<AccountId>, StoreError> {
        let family = rulesets::by_id(&terms.rules).map(|ruleset| ruleset.choices.family());
        let rating = async |account, against| {
            let found = self.store.ratings(account).await?;
            let mut same = found.iter().filter(|rating| {
                rating.against == against
                    && family.is_some_and(|family| family.name() == rating.family)
            });
            Ok::<_, StoreError>(same.next().map(|rating| rating.rating))
        };
        let own = rating(person, Against::Programs).await?.unwrap_or(0);
        let programs: Vec<AccountId> = lock(&self.programs).iter().map(|one| one.id).collect();
        let mut best: Option<(bool, u64, AccountId)> = None;
        for program in programs {
            let of = rating(program, Against::People).await?;
            if of.is_some() || !terms.rated {
                let key = (of.is_none(), of.unwrap_or(0).abs_diff(own), program);
                best = best.filter(|best| *best < key).or(Some(key));
            }
        }
        Ok(best.map(|(.., program)| program))
    }
}

/// Parses the id of an evening.
///
/// # Errors
/// [`RefusalCode::NotFound`] if it has a wrong form.
pub fn evening_id(text: &str) -> Result<EveningId, ClubError> {
    let is_id = text.len() == ID_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match is_id {
        true => Ok(EveningId(text.to_owned())),
        false => Err(unknown()),
    }
}

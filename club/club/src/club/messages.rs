//! Messages between people: at a game, and for later. All doors use these methods.

use std::{collections::HashSet, sync::Arc};

use rules::chess::Color;
use store::{
    AccountId, AccountKind, AccountNote, AccountState, GameId, MAX_MUTES, MAX_NOTES, MessageGroup,
    MessageTo, NewMessage, StoreError,
};
use wire::RefusalCode;

use crate::{
    account::Account,
    error::{ClubError, StoreAnswer},
    handle::Handle,
    inner::{Club, Inner},
    messages::{Message, checked},
    notices::AwayKind,
    refusals::not_possible,
    sync::lock,
    talk_listening::TalkListening,
};

/// Cost of some messages under the rate limit. A message to everybody counts as this number of
/// messages. So does a message that waits until its recipient reads it.
const LOUD_COST: u32 = 4;
/// Maximum length of an account's settings at one door, in bytes.
const MAX_SETTINGS_BYTES: usize = 16 * 1024;

impl Club {
    /// Writes a message to a group at a game. By default a player writes to the opponent, and a
    /// spectator writes to the other spectators. Returns the number of the message in its group.
    ///
    /// # Errors
    /// - [`RefusalCode::Invalid`] or [`RefusalCode::TooLarge`] if the text is not one line of at most 400
    ///   characters.
    /// - [`RefusalCode::NotFound`] if there is no such game.
    /// - [`RefusalCode::Forbidden`] if the account does not belong to the group.
    /// - [`RefusalCode::NotPossible`] for a message to the opponent if the game is rated and not over, if
    ///   the opponent is a built-in bot, if one player has muted the other, or if the account has
    ///   watched an unfinished game of the opponent.
    /// - [`RefusalCode::TooMany`] if the account writes too fast.
    pub async fn write(
        &self,
        game: GameId,
        by: AccountId,
        group: Option<MessageGroup>,
        text: &str,
    ) -> Result<u32, ClubError> {
        let club = &self.0;
        let text = checked(text)?;
        let table = club.table(game).await?;
        let (group, is_over) = group_of(&table, Some(by), group)?;
        if let (MessageGroup::Players, Some(color)) = (group, table.seat(Some(by)).color()) {
            if table.record.terms.rated && !is_over {
                return Err(not_possible(
                    "rated-talk",
                    "the players of a rated game cannot write messages until the game is over",
                ));
            }
            club.expect_reads(&table, by, color).await?;
        }
        club.may_write(by).await?;
        club.messages.count(by, 1)?;
        let to = MessageTo::Group(game, group);
        let n = club.add_message(by, to, text).await?;
        // If the store fails now, the readers get the message together with the next message.
        let _later = club.read_group(to).await;
        if let (MessageGroup::Players, Some(color)) = (group, table.seat(Some(by)).color()) {
            club.notify_seat(&table, color.other(), AwayKind::Message);
        }
        Ok(n)
    }

    /// Subscribes to the messages of a group at a game. The subscription begins after message
    /// number `after`. If `after` is `None`, it begins with the next message that is written. The
    /// default group is as for [`write`](Club::write).
    ///
    /// # Errors
    /// - [`RefusalCode::NotFound`] if there is no such game.
    /// - [`RefusalCode::Forbidden`] if the reader does not belong to the group. Players belong to the
    ///   spectators' group only after the end.
    /// - [`RefusalCode::Invalid`] if no message has number `after` yet.
    pub async fn listen_to_talk(
        &self,
        game: GameId,
        reader: Option<AccountId>,
        group: Option<MessageGroup>,
        after: Option<u32>,
    ) -> Result<(MessageGroup, TalkListening), ClubError> {
        let table = self.0.table(game).await?;
        let (group, is_over) = group_of(&table, reader, group)?;
        let messages = self.0.group_messages(game, group).await?;
        let after = after.unwrap_or(messages.last());
        if after > messages.last() {
            return Err(ClubError::new(
                RefusalCode::Invalid,
                "after-unknown",
                format!(
                    "`after` is {after}, but no message here has this number yet: `after` must be \
                     the number of a message that you know, or 0 for all kept messages"
                ),
            ));
        }
        if let (MessageGroup::Spectators, false) = (group, is_over) {
            table.note_watcher(reader);
        }
        let listening = TalkListening::new(self.clone(), reader, messages, after);
        Ok((group, listening))
    }

    /// Whether the account `who` has watched an unfinished game of `player`. Until this game is
    /// over, nothing that `who` writes reaches `player`. When a club closes, it forgets who has
    /// watched.
    pub fn watches_game_of(&self, who: AccountId, player: AccountId) -> bool {
        self.0.watches_game_of(who, player)
    }

    /// Checks a line of text to one person, and counts it towards the rate limit. If a door
    /// delivers such lines itself, it must call this function first. Returns the text without
    /// spaces at its ends.
    ///
    /// # Errors
    /// - [`RefusalCode::Invalid`], [`RefusalCode::TooLarge`] or [`RefusalCode::TooMany`] as for [`write`](Club::write).
    /// - [`RefusalCode::NotPossible`] if one of the two accounts has muted the other, or if `from` has
    ///   watched an unfinished game of `to`.
    pub async fn check_line_to<'a>(
        &self,
        from: AccountId,
        to: &Account,
        text: &'a str,
    ) -> Result<&'a str, ClubError> {
        let text = checked(text)?;
        self.0.may_write(from).await?;
        self.0.expect_reader(from, to).await?;
        self.0.messages.count(from, 1)?;
        Ok(text)
    }

    /// Checks a line of text to everybody, and counts it towards the rate limit, as four messages.
    /// If a door delivers such lines itself, it must call this function first. The door must not
    /// deliver the line to players for whom [`watches_game_of`](Club::watches_game_of) is true.
    ///
    /// # Errors
    /// [`RefusalCode::Invalid`], [`RefusalCode::TooLarge`] or [`RefusalCode::TooMany`] as for [`write`](Club::write).
    pub async fn check_line_to_all<'a>(
        &self,
        from: AccountId,
        text: &'a str,
    ) -> Result<&'a str, ClubError> {
        let text = checked(text)?;
        self.0.may_write(from).await?;
        self.0.messages.count(from, LOUD_COST)?;
        Ok(text)
    }

    /// Leaves a message for the person with this name. The message waits in the store until the
    /// person removes it. It is counted as four messages. Returns the recipient.
    ///
    /// # Errors
    /// - [`RefusalCode::NotFound`] if no person with an account has the name.
    /// - [`RefusalCode::TooMany`] if too many messages wait for the person.
    /// - Otherwise as for [`check_line_to`](Club::check_line_to).
    pub async fn leave_message(
        &self,
        from: AccountId,
        name: &str,
        text: &str,
    ) -> Result<Account, ClubError> {
        let club = &self.0;
        let text = checked(text)?;
        let found = club.store.account_named(name).await.found()?;
        let person = found.filter(|account| {
            let can_sign_in = match account.state {
                AccountState::Active | AccountState::Waiting => true,
                AccountState::Disabled | AccountState::Resigning | AccountState::Deleted => false,
            };
            account.kind == AccountKind::Person && can_sign_in
        });
        let to = Account::from(person.ok_or_else(|| {
            ClubError::new(
                RefusalCode::NotFound,
                "name-unknown",
                "no person with an account here has this name: write the whole name",
            )
        })?);
        club.may_write(from).await?;
        club.expect_reader(from, &to).await?;
        club.messages.count(from, LOUD_COST)?;
        let added = club.add_message(from, MessageTo::Account(to.id), text);
        match added.await {
            Ok(_) => {
                club.notify(&to, AwayKind::Message, None);
                Ok(to)
            }
            Err(error) if error.code == RefusalCode::Taken => {
                let is_guest = club.account(from).await?.kind == AccountKind::Guest;
                // The text must not reveal whether this guest or other guests wrote the messages
                // that wait.
                let (reason, why) = match is_guest {
                    true => (
                        "mailbox-full-for-guests",
                        "no more messages of guests can wait for this person now: make an account, \
                         or try again after the person has read them",
                    ),
                    false => (
                        "mailbox-full",
                        "too many messages wait for this person: try again after the person has read them",
                    ),
                };
                Err(ClubError::new(RefusalCode::TooMany, reason, why))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the messages that wait for an account, oldest first, without the messages of muted
    /// senders.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn waiting_messages(&self, of: AccountId) -> Result<Vec<Message>, ClubError> {
        let club = &self.0;
        let mutes = club.mutes(of).await?;
        let mut waiting = Vec::new();
        for message in club.store.messages(MessageTo::Account(of), 0).await? {
            if !mutes.contains(&message.from) {
                waiting.extend(club.shown(message).await?);
            }
        }
        Ok(waiting)
    }

    /// Removes the waiting messages of an account with numbers up to `last`, also the messages of
    /// muted senders.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn remove_messages(&self, of: AccountId, last: u32) -> Result<(), ClubError> {
        Ok(self.0.store.remove_messages(of, last).await?)
    }

    /// Returns the kept messages that an account has written, oldest first, each with its game or
    /// the name of its recipient.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn own_messages(
        &self,
        of: AccountId,
    ) -> Result<Vec<(Message, Result<GameId, String>)>, ClubError> {
        let mut own = Vec::new();
        for stored in self.0.store.messages_by(of).await? {
            let to = match stored.to {
                MessageTo::Group(game, _) => Ok(game),
                MessageTo::Account(account) => Err(self.0.account(account).await?.name),
            };
            if let Some(message) = self.0.shown(stored).await? {
                own.push((message, to));
            }
        }
        Ok(own)
    }

    /// Mutes the account with this name for `by`, or ends the mute. While one of two accounts mutes
    /// the other, neither can write to the other, challenge the other or accept the other's seeks.
    /// The account that mutes does not see older messages of the muted account either. Returns the
    /// account with the name.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if no account has the name, [`RefusalCode::Invalid`] if the account with the
    /// name is `by`, [`RefusalCode::TooMany`] if `by` mutes too many accounts.
    pub async fn mute(&self, by: AccountId, name: &str, on: bool) -> Result<Account, ClubError> {
        let other = self.0.named(name).await?;
        if other.id == by {
            return Err(ClubError::new(
                RefusalCode::Invalid,
                "mute-self",
                "you cannot mute yourself",
            ));
        }
        match self.0.store.set_mute(by, other.id, on).await {
            Ok(()) => {}
            Err(StoreError::Taken) => {
                let why = format!("you mute {MAX_MUTES} accounts already: unmute one first");
                return Err(ClubError::new(RefusalCode::TooMany, "mutes-full", why));
            }
            Err(error) => return Err(error.into()),
        }
        self.0.messages.forget_mutes(Some(by));
        self.0.see_account_changes().await;
        Ok(other)
    }

    /// Reports the account with this name to the operator. Nobody else hears of it. It is counted as
    /// four messages.
    ///
    /// # Errors
    /// - [`RefusalCode::NotFound`] if no account has the name, or there is no such game.
    /// - [`RefusalCode::Forbidden`] if `by` is a guest or a program.
    /// - [`RefusalCode::TooMany`] after ten reports within a day.
    /// - [`RefusalCode::Invalid`], [`RefusalCode::TooLarge`] or [`RefusalCode::TooMany`] as for
    ///   [`write`](Club::write); `Invalid` also if the name is that of `by`.
    pub async fn report(
        &self,
        by: AccountId,
        name: &str,
        game: Option<GameId>,
        text: &str,
    ) -> Result<(), ClubError> {
        let club = &self.0;
        let text = checked(text)?.to_owned();
        if club.account(by).await?.kind != AccountKind::Person {
            let why = "only people with an account can report: sign in, or create an account";
            return Err(ClubError::new(RefusalCode::Forbidden, "report-guest", why));
        }
        let about = club.named(name).await?.id;
        if about == by {
            let why = "you cannot report yourself";
            return Err(ClubError::new(RefusalCode::Invalid, "report-self", why));
        }
        if let Some(game) = game {
            club.record(game).await?;
        }
        club.messages.count(by, LOUD_COST)?;
        let note = AccountNote {
            about,
            writer: Some(by),
            game,
            at: club.time.now(),
            text,
        };
        match club.store.add_note(&note).await {
            Err(StoreError::Taken) => {
                let why = format!("you have made {MAX_NOTES} reports today: try again tomorrow");
                Err(ClubError::new(RefusalCode::TooMany, "reports-full", why))
            }
            added => Ok(added?),
        }
    }

    /// Returns the reports that an account has made, oldest first, with the names of the reported.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn own_reports(
        &self,
        of: AccountId,
    ) -> Result<Vec<(AccountNote, String)>, ClubError> {
        let mut own = Vec::new();
        for note in self.0.store.notes(None).await? {
            if note.writer == Some(of) {
                let name = self.0.account(note.about).await?.name;
                own.push((note, name));
            }
        }
        Ok(own)
    }

    /// Returns the accounts that an account mutes.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn muted_by(&self, account: AccountId) -> Result<Vec<Account>, ClubError> {
        let mut muted = Vec::new();
        for id in self.0.store.mutes(account).await? {
            muted.push(self.0.account(id).await?);
        }
        Ok(muted)
    }

    /// Returns the numbers of the accounts that an account mutes. If the store fails, returns an
    /// empty set.
    pub async fn muted_ids(&self, account: AccountId) -> Arc<HashSet<AccountId>> {
        self.0.mutes(account).await.unwrap_or_default()
    }

    /// Stores the settings of an account at a door. The settings of guests are not stored, because
    /// a guest cannot sign in again.
    ///
    /// # Errors
    /// [`RefusalCode::TooLarge`] if the settings have more than 16 KiB.
    pub async fn keep_settings(
        &self,
        account: &Account,
        door: &str,
        text: &str,
    ) -> Result<(), ClubError> {
        if account.kind == AccountKind::Guest {
            return Ok(());
        }
        if text.len() > MAX_SETTINGS_BYTES {
            let why = "the settings are too long to be kept: remove some of them";
            return Err(ClubError::new(RefusalCode::TooLarge, "settings-long", why));
        }
        Ok(self.0.store.keep_settings(account.id, door, text).await?)
    }

    /// Returns the stored settings of an account at a door; `None` if there are none.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn kept_settings(
        &self,
        account: &Account,
        door: &str,
    ) -> Result<Option<String>, ClubError> {
        Ok(self.0.store.settings(account.id, door).await?)
    }
}

/// Returns the group that a reader asks for, and whether the game is over. If the reader asks for
/// no group, returns the players' group for a player, and the spectators' group for anybody else.
/// Fails if the reader may not use the group.
fn group_of(
    table: &Handle,
    reader: Option<AccountId>,
    group: Option<MessageGroup>,
) -> Result<(MessageGroup, bool), ClubError> {
    let seat = table.seat(reader);
    let is_over = table.published(seat).borrow().standing.over.is_some();
    let plays = seat.color().is_some();
    let own = match plays {
        true => MessageGroup::Players,
        false => MessageGroup::Spectators,
    };
    match group {
        Some(MessageGroup::Players) if !plays => Err(ClubError::new(
            RefusalCode::Forbidden,
            "talk-of-players",
            "only the players read and write the messages of the players",
        )),
        Some(MessageGroup::Spectators) if plays && !is_over => Err(ClubError::new(
            RefusalCode::Forbidden,
            "talk-of-spectators",
            "players read and write the messages of the spectators only when the game is over",
        )),
        group => Ok((group.unwrap_or(own), is_over)),
    }
}

impl Inner {
    async fn add_message(
        &self,
        from: AccountId,
        to: MessageTo,
        text: &str,
    ) -> Result<u32, ClubError> {
        let message = NewMessage {
            from,
            to,
            at: self.time.now(),
            text: text.to_owned(),
        };
        Ok(self.store.add_message(&message).await?)
    }

    fn watches_game_of(&self, who: AccountId, player: AccountId) -> bool {
        let games = self.running_games(player);
        let tables = lock(&self.tables);
        let mut tables = games.iter().filter_map(|game| tables.get(game));
        tables.any(|table| table.has_watched(who))
    }

    /// Fails if one of the two accounts mutes the other. Also fails if the sender has watched an
    /// unfinished game of the recipient.
    async fn expect_reader(&self, from: AccountId, to: &Account) -> Result<(), ClubError> {
        self.expect_not_muted(from, to).await?;
        if self.watches_game_of(from, to.id) {
            let name = &to.name;
            let why = format!(
                "you watch a game of {name}, and players get no messages from those who watch: \
                 write when the game is over"
            );
            return Err(not_possible("talk-watching", why).with("name", name));
        }
        Ok(())
    }

    /// Returns the account with this name.
    async fn named(&self, name: &str) -> Result<Account, ClubError> {
        let found = self.store.account_named(name).await.found()?;
        found.map(Account::from).ok_or_else(|| {
            ClubError::new(
                RefusalCode::NotFound,
                "name-unknown",
                "no account here has this name: write the whole name",
            )
        })
    }

    /// Fails if one of the two accounts mutes the other.
    pub(super) async fn expect_not_muted(
        &self,
        from: AccountId,
        to: &Account,
    ) -> Result<(), ClubError> {
        let name = &to.name;
        if self.mutes(to.id).await?.contains(&from) {
            let why = format!("{name} has muted you: your messages and challenges do not arrive");
            return Err(not_possible("muted-by", why).with("name", name));
        }
        if self.mutes(from).await?.contains(&to.id) {
            let why = format!("you have muted {name}: unmute {name} first");
            return Err(not_possible("muted", why).with("name", name));
        }
        Ok(())
    }

    /// Fails if the opponent of a player does not read the player's messages.
    async fn expect_reads(
        &self,
        table: &Handle,
        by: AccountId,
        color: Color,
    ) -> Result<(), ClubError> {
        let players = table.players.get();
        let other = players.get(color.other());
        if lock(&self.programs).iter().any(|bot| bot.id == other.id) {
            let why = format!(
                "{} is a bot of this club, and reads no messages",
                other.name
            );
            return Err(not_possible("talk-to-bot", why).with("name", &other.name));
        }
        self.expect_reader(by, other).await
    }
}

//! Accounts of people and programs, and their sessions.

use crate::row::Millis;

/// Number of an account; never shown to anybody.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct AccountId(pub i64);

/// Kind of an account.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum AccountKind {
    /// A person with a password.
    Person,
    /// A person without a password.
    Guest,
    /// A program.
    Program,
}

/// New account.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct NewAccount {
    /// Name; unique without regard to upper and lower case.
    pub name: String,
    /// Kind of the account.
    pub kind: AccountKind,
    /// Hash of the password (PHC string); `None` for guests and built-in bots.
    pub password: Option<String>,
    /// Time of creation.
    pub at: Millis,
}

/// State of an account.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum AccountState {
    /// The account can be used.
    Active,
    /// The operator has disabled the account. Such an account has no sessions.
    Disabled,
    /// The owner wants to delete the account after the last running game. The account can be used,
    /// but begins no games.
    Waiting,
    /// The club resigns the running games of the account and then deletes the account. Such an
    /// account has no sessions.
    Resigning,
    /// The account was deleted. Only its finished games remain, under a neutral name.
    Deleted,
}

impl AccountState {
    /// Whether the account can have sessions.
    pub fn has_sessions(self) -> bool {
        matches!(self, AccountState::Active | AccountState::Waiting)
    }

    /// Whether the account is deleted when its last game is over.
    pub fn leaves(self) -> bool {
        matches!(self, AccountState::Waiting | AccountState::Resigning)
    }
}

/// Name of every deleted account. No other account may have this name.
pub const DELETED_NAME: &str = "deleted-account";

/// Change of an account. Every change ends all sessions of the account, except
/// [`AccountChange::RecoveryCodes`], [`AccountChange::Rename`], [`AccountChange::Wait`] and
/// [`AccountChange::Enable`].
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum AccountChange {
    /// Sets the hash of the password.
    Password(String),
    /// Sets the hash of the password, and uses up the recovery code with this number.
    Recover {
        /// Number of the code.
        number: u32,
        /// Hash of the code, as it is stored. The account must still have this code.
        code: String,
        /// Hash of the new password.
        password: String,
    },
    /// Replaces all recovery codes.
    RecoveryCodes {
        /// Hashes of the codes that are expected, in the order of their numbers. If the account has
        /// other codes, nothing is changed. `None`: the codes are replaced in any case.
        old: Option<Vec<String>>,
        /// Hashes of the new codes, numbered from 0.
        new: Vec<String>,
    },
    /// Turns a guest into a person.
    MakePerson {
        /// New name.
        name: String,
        /// Hash of the password.
        password: String,
    },
    /// Changes the name.
    Rename(String),
    /// Only ends all sessions.
    EndSessions,
    /// Disables the account, and deletes its offers.
    Disable,
    /// Makes the account active again. If its deletion was requested, cancels the deletion.
    Enable,
    /// Deletes the account's offers, and sets [`AccountState::Waiting`]. The club must then delete
    /// the account when its last game is over.
    Wait,
    /// Deletes the account's offers, and sets [`AccountState::Resigning`]. The club must then
    /// resign the account's games and delete the account.
    Resign,
    /// Deletes everything except the row of the account, which gets the neutral name.
    Delete,
}

impl AccountChange {
    /// Whether the change ends all sessions of the account.
    pub(crate) fn ends_sessions(&self) -> bool {
        match self {
            AccountChange::RecoveryCodes { .. }
            | AccountChange::Rename(_)
            | AccountChange::Wait
            | AccountChange::Enable => false,
            AccountChange::Password(_)
            | AccountChange::Recover { .. }
            | AccountChange::MakePerson { .. }
            | AccountChange::EndSessions
            | AccountChange::Disable
            | AccountChange::Resign
            | AccountChange::Delete => true,
        }
    }

    /// Returns the state that the change gives to the account.
    pub(crate) fn state(&self) -> Option<AccountState> {
        Some(match self {
            AccountChange::Disable => AccountState::Disabled,
            AccountChange::Enable => AccountState::Active,
            AccountChange::Wait => AccountState::Waiting,
            AccountChange::Resign => AccountState::Resigning,
            AccountChange::Delete => AccountState::Deleted,
            AccountChange::Password(_)
            | AccountChange::Recover { .. }
            | AccountChange::RecoveryCodes { .. }
            | AccountChange::MakePerson { .. }
            | AccountChange::Rename(_)
            | AccountChange::EndSessions => return None,
        })
    }

    /// Whether the change deletes the offers that the account made and the offers to the account.
    pub(crate) fn deletes_offers(&self) -> bool {
        self.state()
            .is_some_and(|state| state != AccountState::Active)
    }
}

/// The last changes of accounts and sessions, in their order.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct AccountChanges {
    /// Number of the last change; 0 if there was none.
    pub last: i64,
    /// Changed accounts; `None` if the store no longer has some of the changes. Then the reader
    /// must check every account.
    pub accounts: Option<Vec<AccountId>>,
}

/// Number of changes of accounts that the store keeps. Older changes are deleted.
pub(crate) const CHANGES_KEPT: i64 = 10_000;

/// An account.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Account {
    /// Number of the account.
    pub id: AccountId,
    /// Name, in the upper and lower case that its owner chose.
    pub name: String,
    /// Kind of the account.
    pub kind: AccountKind,
    /// Hash of the password (PHC string); `None` for guests and built-in bots.
    pub password: Option<String>,
    /// Time of creation.
    pub at: Millis,
    /// Number of changes that have ended all sessions of the account.
    pub generation: i64,
    /// State of the account.
    pub state: AccountState,
}

/// SHA-256 of a session's token. The token itself is not stored.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct TokenHash(pub [u8; 32]);

/// A session.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Session {
    /// Hash of the session's token.
    pub token: TokenHash,
    /// Account to which the session belongs.
    pub account: AccountId,
    /// Start time.
    pub at: Millis,
    /// End time.
    pub until: Millis,
    /// Generation of the account when the session began.
    pub generation: i64,
    /// Name of the session, for its holder.
    pub label: String,
    /// What the session may do.
    pub scope: Scope,
}

/// What a session may do.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Scope {
    /// Everything that the account may do.
    All,
    /// Everything but what changes, exports or deletes the account.
    Play,
}

impl Scope {
    /// The word that is stored.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Scope::All => "all",
            Scope::Play => "play",
        }
    }
}

/// Returns the text that is stored in place of [`name_key`] for a deleted account. All deleted
/// accounts have the same name, but different texts.
pub(crate) fn deleted_key(id: AccountId) -> String {
    // No name contains the sign `#`, so this text is never equal to a name.
    format!("{DELETED_NAME}#{}", id.0)
}

/// Returns a name without what makes look-alikes: upper case, hyphens, digits for letters.
pub fn plain_name(name: &str) -> String {
    let mut plain = name_key(name);
    for (like, letter) in LOOK_ALIKES {
        plain = plain.replace(like, letter);
    }
    plain
}

/// Signs that look like others, in the order in which they are replaced.
pub(crate) const LOOK_ALIKES: [(&str, &str); 9] = [
    ("-", ""),
    ("_", ""),
    ("0", "o"),
    ("1", "l"),
    ("i", "l"),
    ("3", "e"),
    ("4", "a"),
    ("5", "s"),
    ("7", "t"),
];

/// Returns the name in lower case. This form must be unique.
pub(crate) fn name_key(name: &str) -> String {
    name.to_lowercase()
}

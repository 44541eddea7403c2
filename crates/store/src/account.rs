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
}

/// Returns the name in lower case. This form must be unique.
pub(crate) fn name_key(name: &str) -> String {
    name.to_lowercase()
}

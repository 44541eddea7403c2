//! People, programs and their sessions.

use crate::row::Millis;

/// An account's number; never shown to anybody.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct AccountId(pub i64);

/// What kind of account it is.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum AccountKind {
    /// A person with a password.
    Person,
    /// A person without one.
    Guest,
    /// A program.
    Program,
}

/// An account that is to be made.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct NewAccount {
    /// Its name; unique whatever the case of its letters.
    pub name: String,
    /// Its kind.
    pub kind: AccountKind,
    /// The password's hash (PHC string); none for guests and built-in programs.
    pub password: Option<String>,
    /// When it was made.
    pub at: Millis,
}

/// An account.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Account {
    /// Its number.
    pub id: AccountId,
    /// Its name, as its owner writes it.
    pub name: String,
    /// Its kind.
    pub kind: AccountKind,
    /// The password's hash.
    pub password: Option<String>,
}

/// The SHA-256 of a session's token; the token itself is not kept.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct TokenHash(pub [u8; 32]);

/// A session.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Session {
    /// Its token's hash.
    pub token: TokenHash,
    /// Whose it is.
    pub account: AccountId,
    /// When it began.
    pub at: Millis,
    /// When it ends.
    pub until: Millis,
}

/// What makes a name unique: itself without the case of its letters.
pub(crate) fn name_key(name: &str) -> String {
    name.to_lowercase()
}

//! People, programs and their sessions.

use crate::row::Millis;

/// Number of an account; never shown to anybody.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct AccountId(pub i64);

/// Kind of an account.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum AccountKind {
    /// A person with a password.
    Person,
    /// A person without one.
    Guest,
    /// A program.
    Program,
}

/// New account.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct NewAccount {
    /// Name; unique without regard to case.
    pub name: String,
    /// Its kind.
    pub kind: AccountKind,
    /// The password's hash (PHC string); none for guests and built-in programs.
    pub password: Option<String>,
    /// Time of creation.
    pub at: Millis,
}

/// An account.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Account {
    /// Its number.
    pub id: AccountId,
    /// Name as its owner writes it.
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
    /// Account that it belongs to.
    pub account: AccountId,
    /// Start time.
    pub at: Millis,
    /// End time.
    pub until: Millis,
}

/// Returns the name without its case, which must be unique.
pub(crate) fn name_key(name: &str) -> String {
    name.to_lowercase()
}

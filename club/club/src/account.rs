//! Accounts of people, guests and programs, as the club shows them. Also checks names and
//! passwords.

use store::{AccountId, AccountKind, plain_name};
use wire::RefusalCode;
use zxcvbn::zxcvbn;

use crate::error::ClubError;

/// Account of a person or a program. The hash of the password is not part of it.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub struct Account {
    /// Number of the account; never shown to anybody.
    pub id: AccountId,
    /// Name of the account, in the upper and lower case that its owner chose.
    pub name: String,
    /// Kind of the account: a person, a guest or a program.
    pub kind: AccountKind,
    /// Number of changes so far that ended all sessions of the account at once.
    pub generation: i64,
}

impl From<store::Account> for Account {
    fn from(account: store::Account) -> Account {
        Account {
            id: account.id,
            name: account.name,
            kind: account.kind,
            generation: account.generation,
        }
    }
}

/// Prefix of the names of guests. No other account may have a name with this prefix.
pub(crate) const GUEST: &str = "guest";

/// Names that no player may have. Some of them could be mistaken for the name of something else,
/// for example of the referee or of a side. Others are commands of a door.
const RESERVED: &str = "admin administrator arbiter black bye club deleted deletedaccount exit guest help kriegspiel login \
                    mod moderator new operator quit referee register room root security spectator staff support \
                    system umpire webmaster white who";

/// Checks the name of a new account.
///
/// Letters of other alphabets are not allowed. Some of them look like Latin letters, so a name with
/// them could imitate another name.
///
/// # Errors
/// If the name has a wrong form, or is reserved.
pub fn check_name(name: &str) -> Result<(), ClubError> {
    let fits = (2..=20).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if !fits {
        return Err(ClubError::new(
            RefusalCode::Invalid,
            "name-form",
            "a name must have 2 to 20 letters (a to z), digits, `-` or `_`, and begin with a letter",
        ));
    }
    let guest = name
        .get(..GUEST.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(GUEST));
    if guest {
        return Err(ClubError::new(
            RefusalCode::Taken,
            "name-of-guests",
            "names that begin with `guest` are reserved for guests: choose another name",
        ));
    }
    let plain = plain_name(name);
    if RESERVED.split(' ').any(|kept| plain_name(kept) == plain) {
        return Err(ClubError::new(
            RefusalCode::Taken,
            "name-reserved",
            "this name is reserved: choose another name",
        ));
    }
    Ok(())
}

/// Number of guesses that a password must withstand, as a power of ten. The club lets a guesser
/// check a few thousand passwords a day.
const MIN_GUESSES_LOG10: f64 = 5.0;
/// Number of characters of a password whose strength is estimated. The time grows with the square
/// of their number.
const MAX_ESTIMATED_CHARS: usize = 32;

/// Checks a new password: its length, and that it is not among the first that a guesser tries.
pub(crate) fn check_password(password: &str) -> Result<(), ClubError> {
    if !(8..=128).contains(&password.chars().count()) {
        return Err(ClubError::new(
            RefusalCode::Invalid,
            "password-form",
            "a password must have 8 to 128 characters",
        ));
    }
    let begin: String = password.chars().take(MAX_ESTIMATED_CHARS).collect();
    if zxcvbn(&begin, &[]).guesses_log10() < MIN_GUESSES_LOG10 {
        return Err(ClubError::new(
            RefusalCode::Invalid,
            "password-common",
            "this password is one of the first that somebody would guess: choose another, for example a \
             few words",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_plain() {
        for name in ["al", "Al-Khwarizmi", "x_1", "abcdefghijklmnopqrst"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in [
            "",
            "a",
            "1a",
            "-a",
            "a b",
            "abcdefghijklmnopqrstu",
            "\u{e9}ve",
            "Guest-1",
            "Referee",
            "WHITE",
            "who",
            "0perator",
            "M0derat0r",
            "r-o-o-t",
            "Adm1n",
            "deleted-account",
            "a\n",
            "аlice",
        ] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn password_length_is_counted_in_characters() {
        assert!(check_password("1234567").is_err());
        assert!(check_password(&"one day \u{e9}".repeat(14)).is_ok());
        assert!(check_password(&"one day \u{e9}".repeat(15)).is_err());
        for common in [
            "12345678",
            "password1",
            "Passw0rd!",
            "qwertyuiop",
            "letmein123",
            "iloveyou1",
            "abcd1234",
            "aaaaaaaaaaaa",
            "football99",
        ] {
            let refused = check_password(common).expect_err(common);
            assert_eq!(refused.reason, "password-common", "{common}");
        }
        for good in ["correct horse", "third password", "x7#kq9!z"] {
            assert_eq!(check_password(good), Ok(()), "{good}");
        }
        assert!(check_password(&"x".repeat(129)).is_err());
    }
}

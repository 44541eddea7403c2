//! Limits how fast the password of one account can be guessed, so that nobody locks its owner out.
//!
//! A *device* is a browser in which the owner has signed in: it keeps a cookie that only somebody
//! with the right password could get ([OWASP's device cookies][owasp]). Each device has a budget of
//! wrong passwords of its own, and so has the owner who is signed in and confirms something. All
//! others together, from any number of networks, have one budget for a name. Recovery codes are
//! random, so their number is not limited here.
//!
//! A guess is counted before the password is checked, and given back if the password was right.
//! Names without an account are counted too.
//!
//! [owasp]: https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use limits::Buckets;
use sha2::Sha256;
use store::AccountId;

/// Number of wrong passwords that are checked at once.
const GUESSES: u32 = 10;

/// Time after which all guesses of a budget are there again.
const SPAN: Duration = Duration::from_secs(3600);

/// Number of random bytes in a device's cookie.
const NONCE: usize = 16;

/// Who guesses the password of an account.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub(crate) enum Guesser {
    /// Somebody at an unknown device, for a name in lower case.
    Stranger(String),
    /// A device in which the owner has signed in.
    Device(AccountId, [u8; NONCE]),
    /// Somebody who is signed in and confirms a change with the password.
    SignedIn(AccountId),
}

/// Budgets of wrong passwords.
#[derive(Debug, Default)]
pub(crate) struct Guesses(Buckets<Guesser>);

impl Guesses {
    /// Counts a guess.
    ///
    /// # Errors
    /// The guess must not be checked. The error is the time after which one more is allowed.
    pub(crate) fn count(&self, guesser: &Guesser) -> Result<(), Duration> {
        self.0.count(guesser.clone(), GUESSES, SPAN)
    }

    /// Gives a guess back: the password was right, or could not be checked.
    pub(crate) fn give_back(&self, guesser: &Guesser) {
        self.0.give_back(guesser);
    }
}

impl Guesser {
    /// Returns who guesses, from the account of the name and the device's cookie.
    pub(crate) fn of(
        name: &str,
        account: Option<&store::Account>,
        cookie: Option<&str>,
    ) -> Guesser {
        let device = account.zip(cookie).and_then(|(account, cookie)| {
            let bytes: Vec<u8> = (0..cookie.len())
                .step_by(2)
                .map_while(|at| u8::from_str_radix(cookie.get(at..at + 2)?, 16).ok())
                .collect();
            let (nonce, tag) = bytes.split_first_chunk::<NONCE>()?;
            let mac = mac(account, nonce)?;
            mac.verify_slice(tag).ok()?;
            Some(Guesser::Device(account.id, *nonce))
        });
        device.unwrap_or_else(|| Guesser::Stranger(name.to_lowercase()))
    }
}

/// Makes the cookie of a new device: a random number and its code of authentication, in hexadecimal
/// digits. The key is the hash of the password, so a new password makes all devices strangers.
/// `None` for an account without a password.
pub(crate) fn device_cookie(account: &store::Account) -> Option<String> {
    let nonce: [u8; NONCE] = rand::random();
    let tag = mac(account, &nonce)?.finalize().into_bytes();
    let bytes = nonce.iter().chain(&tag);
    Some(bytes.map(|byte| format!("{byte:02x}")).collect())
}

fn mac(account: &store::Account, nonce: &[u8]) -> Option<Hmac<Sha256>> {
    let key = account.password.as_deref()?;
    let mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).ok()?;
    Some(mac.chain_update(b"device").chain_update(nonce))
}

#[cfg(test)]
mod tests {
    use store::{AccountKind, AccountState, Millis};
    use tokio::time::advance;

    use super::*;

    fn anna() -> store::Account {
        store::Account {
            id: AccountId(7),
            name: "Anna".to_owned(),
            kind: AccountKind::Person,
            password: Some("$argon2id$salt$hash".to_owned()),
            at: Millis::default(),
            generation: 0,
            state: AccountState::Active,
        }
    }

    /// 1,010 networks guess for a day: strangers share one budget, and devices have their own.
    #[tokio::test(start_paused = true)]
    async fn strangers_share_a_budget_and_devices_have_their_own() {
        let (guesses, anna) = (Guesses::default(), anna());
        let device = device_cookie(&anna).unwrap();
        let device = Guesser::of("Anna", Some(&anna), Some(&device));
        let stranger = Guesser::of("ANNA", Some(&anna), None);
        assert_eq!(stranger, Guesser::of("anna", None, Some("00")));
        let mut checked = 0;
        for _ in 0..24 * 60 {
            checked += (0..1010)
                .filter(|_| guesses.count(&stranger).is_ok())
                .count();
            assert_eq!(guesses.count(&device), Ok(()), "the owner does not wait");
            guesses.give_back(&device);
            advance(Duration::from_secs(60)).await;
        }
        assert!((240..=250).contains(&checked), "{checked}");
        let own = (0..20).filter(|_| guesses.count(&device).is_ok()).count();
        assert_eq!(own, 10, "a stolen device guesses no faster");
    }

    #[test]
    fn only_a_cookie_of_this_account_and_password_makes_a_device() {
        let anna = anna();
        let cookie = device_cookie(&anna).unwrap();
        let is_device = |account: &store::Account, cookie: &str| {
            matches!(
                Guesser::of("Anna", Some(account), Some(cookie)),
                Guesser::Device(..)
            )
        };
        assert!(is_device(&anna, &cookie));
        let changed = store::Account {
            password: Some("$argon2id$salt$other".to_owned()),
            ..anna.clone()
        };
        assert!(!is_device(&changed, &cookie));
        for wrong in [
            "",
            "0",
            "\u{e9}\u{e9}",
            &cookie[..40],
            &format!("{cookie}00"),
            &cookie.replace(&cookie[..2], "zz"),
        ] {
            assert!(!is_device(&anna, wrong), "{wrong}");
        }
        let guest = store::Account {
            password: None,
            ..anna
        };
        assert_eq!(device_cookie(&guest), None);
    }
}

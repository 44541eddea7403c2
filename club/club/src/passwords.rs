//! Password hashing. The work is done on blocking threads, so that tasks are not delayed. The
//! number of passwords that are hashed at the same time is limited.

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::{sync::Semaphore, task::spawn_blocking};
use wire::RefusalCode;

use crate::{
    error::ClubError,
    recovery::RecoveryCode,
    settings::{PasswordCost, Settings},
};

/// Hashes and compares passwords.
pub(crate) struct Passwords {
    cost: PasswordCost,
    at_once: Semaphore,
    /// Permits for all requests that need a hash. A request needs a permit while it waits and while
    /// its hash is computed.
    admitted: Semaphore,
    /// Hash of a password that nobody has. If no account has the given name, the given password is
    /// compared with this hash. So the check of an unknown name takes as long as the check of a
    /// wrong password.
    nobodys: String,
}

fn hasher(cost: PasswordCost) -> Result<Argon2<'static>, ClubError> {
    let params = Params::new(cost.memory, cost.passes, 1, None).map_err(|e| broken(&e))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn broken(error: &dyn std::fmt::Display) -> ClubError {
    ClubError::new(
        RefusalCode::Unavailable,
        "password-hash",
        format!(
            "passwords cannot be hashed ({error}): the operator of this club must look at its settings"
        ),
    )
}

fn hash(cost: PasswordCost, password: &str) -> Result<String, ClubError> {
    let hashed = hasher(cost)?
        .hash_password(password.as_bytes())
        .map_err(|e| broken(&e))?;
    Ok(hashed.to_string())
}

fn fits(cost: PasswordCost, password: &str, hash: &str) -> Result<bool, ClubError> {
    let parsed = PasswordHash::new(hash).map_err(|e| broken(&e))?;
    // The stored hash contains its own cost parameters; the parameters of `cost` are
    // not used here.
    Ok(hasher(cost)?
        .verify_password(password.as_bytes(), &parsed)
        .is_ok())
}

/// Draws a random password of 16 letters and digits (80 bits), for the operator's tools.
pub fn draw_password() -> String {
    crate::token::Token::draw_key().secret().to_owned()
}

/// Returns the hash of a password, for the operator's tools.
///
/// # Errors
/// If the cost is out of range.
pub fn hash_password(cost: PasswordCost, password: &str) -> Result<String, ClubError> {
    hash(cost, password)
}

impl Passwords {
    pub(crate) fn new(settings: &Settings) -> Result<Passwords, ClubError> {
        Ok(Passwords {
            cost: settings.password_cost,
            at_once: Semaphore::new(settings.hashing_at_once.max(1)),
            admitted: Semaphore::new(settings.hashing_at_once.max(1) + settings.hashing_waits),
            nobodys: hash(
                settings.password_cost,
                &crate::token::Token::draw().secret()[..32],
            )?,
        })
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ClubError> + Send + 'static,
    ) -> Result<T, ClubError> {
        let _admitted = self.admitted.try_acquire().map_err(|_| {
            ClubError::new(
                RefusalCode::TooMany,
                "sign-in-busy",
                "too many people sign in at this moment: try again in a few seconds",
            )
        })?;
        let _permit = self
            .at_once
            .acquire()
            .await
            .map_err(|_| ClubError::closing())?;
        spawn_blocking(work)
            .await
            .unwrap_or_else(|_| Err(ClubError::closing()))
    }

    /// Returns the hash of a new password.
    pub(crate) async fn hash(&self, password: &str) -> Result<String, ClubError> {
        let (cost, password) = (self.cost, password.to_owned());
        self.work(move || hash(cost, &password)).await
    }

    /// Computes the hashes of recovery codes, one after another.
    pub(crate) async fn hash_codes(
        &self,
        codes: &[RecoveryCode],
    ) -> Result<Vec<String>, ClubError> {
        let (cost, codes) = (self.cost, codes.to_vec());
        let each = move || codes.iter().map(|code| hash(cost, code.secret())).collect();
        self.work(each).await
    }

    /// Checks whether the password has this hash. If there is no hash, the check takes the same
    /// time and returns false.
    pub(crate) async fn fits(
        &self,
        password: &str,
        hash: Option<String>,
    ) -> Result<bool, ClubError> {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| self.nobodys.clone());
        let (cost, password) = (self.cost, password.to_owned());
        let fits = self.work(move || fits(cost, &password, &hash)).await?;
        Ok(fits && known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn hash_for_unknown_names_costs_as_much_as_a_stored_hash() {
        let passwords = Passwords::new(&Settings::default()).unwrap();
        let stored = passwords.hash("correct horse").await.unwrap();
        // This test uses the parameters of a real club; other tests use cheap parameters.
        for hash in [&stored, &passwords.nobodys] {
            assert!(
                hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
                "{hash}"
            );
        }
        assert_eq!(
            passwords.fits("correct horse", Some(stored)).await,
            Ok(true)
        );
        assert_eq!(passwords.fits("correct horse", None).await, Ok(false));
    }
}

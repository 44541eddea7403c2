//! Conversion of accounts.

use club::{Account, AccountKind};
use wire::PlayerJson;

/// Converts an account.
pub fn player(account: &Account) -> PlayerJson {
    PlayerJson {
        name: account.name.clone(),
        kind: match account.kind {
            AccountKind::Person => wire::AccountKind::Person,
            AccountKind::Guest => wire::AccountKind::Guest,
            AccountKind::Program => wire::AccountKind::Program,
        },
    }
}

//! People.

use club::{Account, AccountKind};
use wire::PlayerJson;

/// One who plays.
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

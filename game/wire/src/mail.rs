//! Requests and answers about mail addresses.

use serde::{Deserialize, Serialize};

/// The mail address of an account.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MailJson {
    /// Whether the club sends mail.
    pub sends: bool,
    /// Confirmed address; empty for none, and for visitors.
    pub address: String,
    /// Whether the address gets digests of turns in games of days.
    pub digests: bool,
}

/// Request to set the mail address.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewMailJson {
    /// Address, which gets a link that confirms it. Empty: the account has no address from now on.
    pub address: String,
    /// Password of the account.
    pub password: String,
}

/// Whether an account gets digests.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MailDigestsJson {
    /// True to get them.
    pub on: bool,
}

/// Request for a mail with links that set a new password.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ForgottenJson {
    /// Confirmed address of the account.
    pub address: String,
}

/// The secret of a link: in a mail, or of a screen in a hall.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LinkJson {
    /// The secret.
    pub link: String,
}

/// Request to set a new password with a link.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MailPasswordJson {
    /// Secret of the link.
    pub link: String,
    /// New password.
    pub password: String,
    /// Whether the answer should contain the token of the new session; see
    /// [`CredentialsJson::token`](crate::CredentialsJson::token).
    #[serde(default)]
    pub token: bool,
}

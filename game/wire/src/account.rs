//! Requests and answers about one's own account: passwords, recovery codes, sessions, deletion.

use serde::{Deserialize, Serialize};

use crate::{
    club::{Millis, PlayerJson},
    text::is_false,
};

/// Request to change the password.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewPasswordJson {
    /// Present password.
    pub old: String,
    /// New password.
    pub new: String,
    /// Whether the answer should contain the token of the new session; see
    /// [`CredentialsJson::token`](crate::CredentialsJson::token).
    #[serde(default)]
    pub token: bool,
}

/// Request to set a new password with a recovery code.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RecoveryJson {
    /// Name of the account.
    pub name: String,
    /// One of the account's recovery codes that was not used.
    pub code: String,
    /// New password.
    pub password: String,
    /// Whether the answer should contain the token of the new session; see
    /// [`CredentialsJson::token`](crate::CredentialsJson::token).
    #[serde(default)]
    pub token: bool,
}

/// The password of the account that is signed in.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PasswordJson {
    /// Password of the account.
    pub password: String,
}

/// New recovery codes. They are shown only once.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RecoveryCodesJson {
    /// Codes. Each code can be used once.
    pub recovery_codes: Vec<String>,
}

/// A session of one's own account.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OwnSessionJson {
    /// Id of the session. The id is not secret, unlike the session's token.
    pub id: String,
    /// Start time.
    pub begun: Millis,
    /// End time.
    pub until: Millis,
    /// Whether this is the session of the request.
    pub current: bool,
    /// The browser in which the session began, such as `Firefox, Linux`, or the name of a token.
    /// May be empty.
    pub label: String,
    /// Whether this is a token that may only play.
    pub only_plays: bool,
}

/// Request for a token with which a program plays. It cannot change, export or delete the account.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewTokenJson {
    /// Name of the token, for its holder: 1 to 60 characters.
    pub label: String,
    /// Number of days for which the token lasts: 1 to 366; 366 if it is missing.
    #[cfg_attr(feature = "typescript", ts(optional))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<u32>,
}

/// The sessions of one's own account, oldest first.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OwnSessionsJson {
    /// Sessions.
    pub sessions: Vec<OwnSessionJson>,
}

/// One's own account.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OwnAccountJson {
    /// The account, as other players see it.
    pub you: PlayerJson,
    /// Time of creation.
    pub created: Millis,
    /// Number of recovery codes that were not used.
    pub recovery_codes: u32,
    /// Whether the account is deleted when its last running game is over.
    pub leaving: bool,
    /// Ids of the account's games that are not over.
    pub running: Vec<String>,
    /// Whether the account sees the operator's page; absent if not.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    #[serde(default, skip_serializing_if = "is_false")]
    pub operator: bool,
}

/// What to do with running games when an account is deleted.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RunningGames {
    /// Resign the running games, and delete the account now.
    Resign,
    /// Delete the account when the last running game is over. No new game can begin.
    Wait,
}

/// Request to delete one's own account.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct DeleteAccountJson {
    /// Password of the account; null for a guest.
    #[serde(default)]
    pub password: Option<String>,
    /// What to do with running games.
    pub games: RunningGames,
}

/// Answer to the deletion of an account.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct DeletedJson {
    /// Whether the account is deleted. False if the account will be deleted after its running games.
    pub deleted: bool,
}

/// Notices (Web Push) for the browser that asks.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PushJson {
    /// Public key of the club for `pushManager.subscribe`, in base64url.
    pub key: String,
    /// Whether this browser gets notices.
    pub on: bool,
}

/// A browser's subscription to notices, made with `pushManager.subscribe`.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewPushJson {
    /// Address at the browser's push service: https, without a port.
    pub endpoint: String,
    /// Public key of the browser, in base64url.
    pub p256dh: String,
    /// Secret of the browser, in base64url.
    pub auth: String,
    /// Code of the language of the notices, such as `en`.
    pub language: String,
}

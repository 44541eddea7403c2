//! What the operator's page asks for.

use serde::{Deserialize, Serialize};

/// A command of an operator: `reports` and `days`; `notes` and `figures` of an account; `note`,
/// `mute`, `unmute`, `disable`, `enable`, `rate` and `end` act on it, and leave a note with the name
/// of the operator.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OperatorCommandJson {
    /// The command.
    pub command: String,
    /// Name of the account.
    pub name: String,
    /// For `rate`: family, kind of the opponents and rating, as `wild16 people 1500`. For `end`: id
    /// of the game.
    pub what: String,
    /// Reason of an act, for the note.
    pub because: String,
}

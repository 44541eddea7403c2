//! Information about a club: people, lobby, games, seats, clocks.
//!
//! Each of these is built field by field for its reader. No number here counts
//! the events of a game, and nothing changes when a try is refused in private.

use serde::{Deserialize, Serialize};

use crate::{
    heard::HeardJson,
    noun::{OverJson, Side},
};

/// Milliseconds since the beginning of 1970, or a span of them.
pub type Millis = i64;

/// Kind of an account.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum AccountKind {
    /// A person with a password.
    Person,
    /// A person without one; plays casual games only.
    Guest,
    /// A program.
    Program,
}

/// One who plays.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PlayerJson {
    /// Name, unique in the club whatever the case of its letters.
    pub name: String,
    /// A person, a guest or a program.
    pub kind: AccountKind,
}

/// Time control of a game.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
pub enum TimeControlJson {
    /// A stock of time, and something added after each completed move.
    Fischer {
        /// Seconds at the beginning, 10 to 10,800.
        initial: u32,
        /// Seconds added after each completed move, 1 to 180.
        increment: u32,
    },
    /// A stock of time.
    Plain {
        /// Seconds at the beginning, 10 to 10,800.
        initial: u32,
    },
    /// No clock.
    Unlimited {},
}

/// Colour that a player who seeks a game asks for.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ColorWish {
    /// Drawn by lot.
    #[default]
    Any,
    /// White.
    White,
    /// Black.
    Black,
}

/// Under what terms a game is to be played.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TermsJson {
    /// A ruleset's id; of a custom one, the id it gives itself.
    pub rules: String,
    /// The text of a custom ruleset (TOML); null for a named one.
    #[serde(default)]
    pub custom: Option<String>,
    /// Time control.
    pub time: TimeControlJson,
    /// Whether it counts; needs accounts on both sides.
    #[serde(default)]
    pub rated: bool,
    /// Colour that the maker of the offer asks for.
    #[serde(default)]
    pub color: ColorWish,
}

/// A seek: anybody may accept it.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SeekJson {
    /// Its id.
    pub id: String,
    /// Player who seeks.
    pub by: PlayerJson,
    /// Terms of the game.
    pub terms: TermsJson,
    /// Whether the reader made it.
    pub yours: bool,
}

/// A challenge to one player, seen by the two of them.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ChallengeJson {
    /// Its id.
    pub id: String,
    /// Player who challenges.
    pub by: PlayerJson,
    /// Player who is challenged.
    pub to: PlayerJson,
    /// Terms of the game.
    pub terms: TermsJson,
}

/// An invitation by link: whoever opens it first and accepts has the game.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct InvitationJson {
    /// The secret part of the link: `/invitation/CODE`. It opens an offer, never a seat.
    pub code: String,
    /// Player who invites.
    pub by: PlayerJson,
    /// Terms of the game.
    pub terms: TermsJson,
    /// Whether somebody has accepted: nobody else can.
    pub taken: bool,
    /// The game, once somebody accepted; for the two who play it.
    pub game: Option<String>,
}

/// A game in the lobby's list.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GameRowJson {
    /// Its id.
    pub id: String,
    /// Player of White.
    pub white: PlayerJson,
    /// Player of Black.
    pub black: PlayerJson,
    /// The ruleset's id.
    pub rules: String,
    /// Time control.
    pub time: TimeControlJson,
    /// Whether it counts.
    pub rated: bool,
    /// Time at which the game was made, in milliseconds since 1970.
    pub begun: Millis,
    /// Status of the game.
    pub status: GameStatus,
    /// Result and reason, once the game is over.
    pub over: Option<OverJson>,
    /// The reader's seat; null in the room.
    pub seat: Option<Side>,
}

/// The lobby as one account sees it.
#[derive(Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LobbyJson {
    /// Open seeks, oldest first.
    pub seeks: Vec<SeekJson>,
    /// Challenges to or from the reader, oldest first.
    pub challenges: Vec<ChallengeJson>,
    /// The reader's own games that are not over, oldest first.
    pub mine: Vec<GameRowJson>,
    /// Other games that are being played, oldest first.
    pub running: Vec<GameRowJson>,
    /// Programs that can be challenged at once.
    pub programs: Vec<ProgramJson>,
}

/// A program that can be challenged.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ProgramJson {
    /// Its account's name.
    pub name: String,
    /// Description, in a line.
    pub about: String,
}

/// Status of a game.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum GameStatus {
    /// It is being played.
    Running,
    /// Both agreed to go on later; the clocks stand.
    Adjourned,
    /// It is over.
    Over,
}

/// Both clocks, as of `at`.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ClocksJson {
    /// White's time left, milliseconds.
    pub white: Millis,
    /// Black's time left, milliseconds.
    pub black: Millis,
    /// Side whose clock runs; null before each side's first move, when adjourned, and at the end.
    pub running: Option<Side>,
    /// Time of these values: that of the last public event, never of a private one.
    pub at: Millis,
}

/// Standing offers between the players beside a draw; told to both seats, not to the room.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OffersJson {
    /// Side that offers to adjourn, or, when adjourned, to go on.
    pub adjourn: Option<Side>,
    /// Side that offers a rematch.
    pub rematch: Option<Side>,
    /// The game of the rematch, once agreed.
    pub next: Option<String>,
}

/// Information about a game beside what is heard there. It is the same for both
/// players, except `seat`; for the room it has no `offers` and no `claim_from`.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GameJson {
    /// Its id.
    pub id: String,
    /// The reader's seat; null in the room.
    pub seat: Option<Side>,
    /// Player of White.
    pub white: PlayerJson,
    /// Player of Black.
    pub black: PlayerJson,
    /// The terms; `color` is always `any`.
    pub terms: TermsJson,
    /// Status of the game.
    pub status: GameStatus,
    /// Result and reason, once the game is over.
    pub over: Option<OverJson>,
    /// The end in words.
    pub over_words: Option<String>,
    /// The clocks; null without clocks.
    pub clocks: Option<ClocksJson>,
    /// Whether White's player is connected.
    pub white_here: bool,
    /// Whether Black's player is connected.
    pub black_here: bool,
    /// Standing offers; null in the room.
    pub offers: Option<OffersJson>,
    /// Time from which the reader may claim the game because the opponent is gone; null when no claim is possible.
    pub claim_from: Option<Millis>,
    /// Whether the game can still be broken off without a result.
    pub can_abort: bool,
    /// Time by which the player to move must make a first move; null once it is made.
    pub first_move_by: Option<Millis>,
}

/// One numbered thing heard: all that one listener hears upon one event.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct HearingJson {
    /// The listener's own number, from 1; number 1 is the opening.
    pub n: u32,
    /// Items heard, in order.
    pub heard: Vec<HeardJson>,
    /// The same in words, one sentence each.
    pub words: Vec<String>,
    /// The clocks after it; null without clocks.
    pub clocks: Option<ClocksJson>,
}

/// Knowledge of a seat, ready to be shown. It is made only from what the seat
/// heard.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SeatViewJson {
    /// The number of the last thing heard.
    pub n: u32,
    /// The seat.
    pub seat: Side,
    /// The board of own men (the board part of a FEN).
    pub men: String,
    /// Own castling rights: a part of `KQ`.
    pub castling: String,
    /// Own reserve: letters of `QRBNP`; empty where men cannot be dropped.
    pub reserve: String,
    /// Side to move; null at the end.
    pub to_move: Option<Side>,
    /// The attempts worth making now, sorted; empty when it is the opponent's turn.
    pub tries: Vec<String>,
    /// Tries refused this turn, in the order of refusal.
    pub refused: Vec<RefusedTryJson>,
    /// Words that the seat may say now (`any`, `count`, `recap`, `px`, `resign`, `offer-draw`...).
    pub words: Vec<String>,
    /// Side that offers a draw.
    pub draw_offer: Option<Side>,
    /// Upper bounds on the enemy's men, as far as this seat can know.
    pub left: LeftJson,
}

/// A refused try of this turn, and why in words.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RefusedTryJson {
    /// The try.
    pub attempt: String,
    /// Meaning of that answer under this ruleset, and what it does not tell.
    pub why: String,
}

/// Upper bounds on the enemy's men, as far as a seat can know.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LeftJson {
    /// Enemy men left on the board, the king among them; null where captures are not announced in full.
    pub men: Option<u16>,
    /// The most men on the board that came there as pawns; any of them may be a piece by now.
    pub pawns: u16,
    /// The most men on the board, but for the king, that came there as pieces.
    pub pieces: u16,
    /// The enemy's men on the board but for the king, by what each came there
    /// as, `QRRBBNNPPPPPPPP` at the beginning; null unless captures and drops
    /// are told by name.
    pub kinds: Option<String>,
    /// The enemy's reserve, as `QNP`; empty where men are not dropped.
    pub reserve: String,
}

//! Information about a club: accounts, lobby, games, seats, clocks.
//!
//! A value of these types is made for one reader, and contains only what this reader may know. No
//! number in these types counts the events of a game. If only one player hears that a try was
//! refused, the values that all other readers get stay the same.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    cause::CauseJson,
    heard::HeardJson,
    noun::{OverJson, Side},
};

/// Milliseconds: a point in time since the beginning of 1970 (UTC), or a
/// duration.
pub type Millis = i64;

/// Kind of an account.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum AccountKind {
    /// A person with a password.
    Person,
    /// A person without a password, who plays casual games only.
    Guest,
    /// A program.
    Program,
}

/// An account, as other players see it.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PlayerJson {
    /// Name of the account. Upper and lower case do not matter: `anna` and `Anna` cannot both be
    /// accounts of one club.
    #[serde(deserialize_with = "crate::text::word")]
    pub name: String,
    /// Whether the account is a person, a guest or a program.
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
    /// Main time, and an increment after each move of a side except its first move.
    Fischer {
        /// Main time in seconds, 10 to 10,800.
        initial: u32,
        /// Increment in seconds, 1 to 180.
        increment: u32,
    },
    /// Main time without an increment.
    Plain {
        /// Main time in seconds, 10 to 10,800.
        initial: u32,
    },
    /// A bank of days, with an increment after each move of a side except its first move, up to a
    /// cap. If all three are equal, each move has this time. Both players need accounts.
    Days {
        /// Days at the beginning, 1 to 60.
        initial: u32,
        /// Days that a move adds, 0 to 14.
        increment: u32,
        /// Largest number of days after a move, from `initial` to 90.
        cap: u32,
    },
    /// No clock.
    Unlimited {},
}

/// Colour that the maker of an offer wants to play.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ColorWish {
    /// A random colour.
    #[default]
    Any,
    /// White.
    White,
    /// Black.
    Black,
}

/// Terms of a game or of an offer.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TermsJson {
    /// Id of the ruleset; for a custom ruleset, the id in its file.
    pub rules: String,
    /// Text of the custom ruleset's file (TOML); null for a named ruleset.
    #[serde(default)]
    pub custom: Option<String>,
    /// Time control.
    pub time: TimeControlJson,
    /// Whether the game is rated.
    #[serde(default)]
    pub rated: bool,
    /// Colour that the maker of the offer wants to play. A game keeps this wish; the terms of a
    /// rematch have `any`.
    #[serde(default)]
    pub color: ColorWish,
}

/// A seek: an offer that anybody may accept.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SeekJson {
    /// Id of the seek.
    #[serde(deserialize_with = "crate::text::word")]
    pub id: String,
    /// The player who made the seek.
    pub by: PlayerJson,
    /// Terms of the game.
    pub terms: TermsJson,
    /// Whether the reader made this seek.
    pub yours: bool,
}

/// A challenge: an offer to one player. Only the two players see it.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ChallengeJson {
    /// Id of the challenge.
    #[serde(deserialize_with = "crate::text::word")]
    pub id: String,
    /// The player who made the challenge.
    pub by: PlayerJson,
    /// The player who is challenged.
    pub to: PlayerJson,
    /// Terms of the game.
    pub terms: TermsJson,
}

/// An invitation: an offer to everyone who has its link. The first who accepts
/// it plays the game.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct InvitationJson {
    /// Secret code of the link `/invitation/CODE`. Everybody who knows the code can see and accept
    /// the offer. After the offer was accepted, the code gives nobody access to a seat of the game.
    pub code: String,
    /// The player who made the invitation.
    pub by: PlayerJson,
    /// Terms of the game.
    pub terms: TermsJson,
    /// Whether the invitation was accepted. Then nobody else can accept it.
    pub taken: bool,
    /// Id of the game after the invitation was accepted. Only the two players
    /// see this id; for others it is null.
    pub game: Option<String>,
}

/// A game in the lobby's list.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GameRowJson {
    /// Id of the game.
    #[serde(deserialize_with = "crate::text::word")]
    pub id: String,
    /// The player of White.
    pub white: PlayerJson,
    /// The player of Black.
    pub black: PlayerJson,
    /// Id of the ruleset.
    pub rules: String,
    /// Time control.
    pub time: TimeControlJson,
    /// Whether the game is rated.
    pub rated: bool,
    /// Time at which the game was created, in milliseconds since 1970.
    pub begun: Millis,
    /// Status of the game.
    pub status: GameStatus,
    /// Result and reason; null if the game is not over.
    pub over: Option<OverJson>,
    /// Colour of the reader; null if the reader is a spectator.
    pub seat: Option<Side>,
}

/// The lobby as one account sees it.
#[derive(Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LobbyJson {
    /// Open seeks of all players, oldest first.
    pub seeks: Vec<SeekJson>,
    /// Open challenges from or to the reader, oldest first.
    pub challenges: Vec<ChallengeJson>,
    /// The reader's games that are not over, oldest first.
    pub mine: Vec<GameRowJson>,
    /// Running games of other players, oldest first. A game without a running clock, or with days
    /// for each move, is left out if it has been idle for ten minutes and a player is absent.
    pub running: Vec<GameRowJson>,
    /// Built-in bots, which accept challenges immediately.
    pub programs: Vec<ProgramJson>,
}

/// Changes of the lobby since the previous message about the lobby.
///
/// Each row replaces the row with the same id in the same list. If there is no such row, the row is
/// new. After the changes, `mine` and `running` are sorted by `begun` and then by `id`. The other
/// lists keep the order of arrival.
#[derive(Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LobbyChangesJson {
    /// Number of this message. The first message after the message with the whole lobby has number 1.
    /// If a number is missing, the client must ask for the lobby again.
    pub n: u32,
    /// New seeks.
    pub seeks: Vec<SeekJson>,
    /// New challenges.
    pub challenges: Vec<ChallengeJson>,
    /// Own games that are new or have another status.
    pub mine: Vec<GameRowJson>,
    /// Other games that are new in the list.
    pub running: Vec<GameRowJson>,
    /// Ids of the seeks, challenges and games that are no longer listed. These rows are removed
    /// before the rows of the other lists are added.
    pub gone: Vec<String>,
}

impl LobbyJson {
    /// Applies changes to this lobby.
    pub fn change(&mut self, changes: LobbyChangesJson) {
        let stays = |id: &String| !changes.gone.contains(id);
        self.seeks.retain(|row| stays(&row.id));
        self.challenges.retain(|row| stays(&row.id));
        self.mine.retain(|row| stays(&row.id));
        self.running.retain(|row| stays(&row.id));
        replace(&mut self.seeks, changes.seeks, |row| &row.id);
        replace(&mut self.challenges, changes.challenges, |row| &row.id);
        replace(&mut self.mine, changes.mine, |row| &row.id);
        replace(&mut self.running, changes.running, |row| &row.id);
        for list in [&mut self.mine, &mut self.running] {
            list.sort_by(|a, b| (a.begun, &a.id).cmp(&(b.begun, &b.id)));
        }
    }
}

/// Puts each new row in the place of the old row with the same id. If there is no such old row,
/// puts the new row at the end.
fn replace<T>(list: &mut Vec<T>, rows: Vec<T>, id: impl Fn(&T) -> &String) {
    for row in rows {
        match list.iter_mut().find(|old| id(old) == id(&row)) {
            Some(old) => *old = row,
            None => list.push(row),
        }
    }
}

/// A built-in bot, which accepts challenges immediately.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ProgramJson {
    /// Name of the bot's account.
    pub name: String,
    /// Name of the bot in plain words.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub title: String,
    /// Description of the bot, in one line.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub about: String,
    /// Measured rating of the bot; null if it was not measured.
    pub rating: Option<RatingJson>,
}

/// Rating of a bot with its 95 % interval, on a scale of the bots only: `level-1` has 1,000 points.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RatingJson {
    /// The rating.
    pub points: u16,
    /// Least rating of the interval.
    pub low: u16,
    /// Greatest rating of the interval.
    pub high: u16,
}

/// Status of a game.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum GameStatus {
    /// The game is in progress.
    Running,
    /// Both players agreed to continue later. The clocks are stopped.
    Adjourned,
    /// The game is over.
    Over,
}

/// Both clocks at the time `at`.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ClocksJson {
    /// White's remaining time, in milliseconds.
    pub white: Millis,
    /// Black's remaining time, in milliseconds.
    pub black: Millis,
    /// Side whose clock is running. Null if no clock is running: until both sides have made their
    /// first move, while the game is adjourned, and after the end.
    pub running: Option<Side>,
    /// Time at which these values were correct, in milliseconds since 1970. This
    /// is the time of a public event, never of a private event.
    pub at: Millis,
}

/// Open offers between the players, except draw offers. Both players see these offers. Spectators
/// do not see them.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OffersJson {
    /// Side that offers to adjourn. If the game is adjourned: side that offers
    /// to resume it.
    pub adjourn: Option<Side>,
    /// Side that offers a rematch.
    pub rematch: Option<Side>,
    /// Id of the rematch game, after both players agreed.
    pub next: Option<String>,
}

/// Information about a game, except what the referee says. Both players see the
/// same values, except `seat`, `claim_from` and `conditional`. For spectators
/// `offers` and `claim_from` are null.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GameJson {
    /// Id of the game.
    #[serde(deserialize_with = "crate::text::word")]
    pub id: String,
    /// Colour of the reader; null if the reader is a spectator.
    pub seat: Option<Side>,
    /// The player of White.
    pub white: PlayerJson,
    /// The player of Black.
    pub black: PlayerJson,
    /// Terms of the game. `color` is always `any`.
    pub terms: TermsJson,
    /// Value of every choice of the ruleset, by name. Some calls have other words under some
    /// rulesets.
    pub choices: BTreeMap<String, String>,
    /// Status of the game.
    pub status: GameStatus,
    /// Result and reason; null if the game is not over.
    pub over: Option<OverJson>,
    /// The end of the game, as a sentence; null if the game is not over.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub over_words: Option<String>,
    /// The clocks; null if the game has no clocks.
    pub clocks: Option<ClocksJson>,
    /// Whether White's player is connected.
    pub white_here: bool,
    /// Whether Black's player is connected.
    pub black_here: bool,
    /// Open offers; null for spectators.
    pub offers: Option<OffersJson>,
    /// The reader may claim the game from this time on, because the opponent has left. Null if no
    /// claim is possible.
    pub claim_from: Option<Millis>,
    /// Whether a player can still abort the game without a result.
    pub can_abort: bool,
    /// Deadline for the first move of the side to move. Null after both sides have made their first
    /// moves.
    pub first_move_by: Option<Millis>,
    /// Tries that the reader makes in advance, as for `PUT /api/games/{id}/conditional`; absent if
    /// there are none. Nobody else gets them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<String>"))]
    pub conditional: String,
    /// True position as FEN, while two of the club's own programs play, for everybody who watches;
    /// and for a screen in a hall ([`HallJson`]). Absent in all other games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub umpire: Option<String>,
}

/// What a screen in a hall shows of a game whose players agreed to it.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct HallJson {
    /// Facts as spectators know them now; `umpire` is the true position, `delay` minutes ago.
    pub game: GameJson,
    /// What spectators had heard last in that position.
    pub hearing: Option<HearingJson>,
    /// Age of the position, in minutes; 0 after the end of the game.
    pub delay: u32,
}

/// A hearing: everything that one listener hears about one event, with a
/// number.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct HearingJson {
    /// Number of the hearing. Each listener's hearings are numbered separately,
    /// from 1; number 1 is the opening of the game.
    pub n: u32,
    /// What the listener hears, in order.
    pub heard: Vec<HeardJson>,
    /// The items of `heard` as English sentences, one for each item. A sentence is empty if the
    /// referee says nothing (`cincinnati`: there is no pawn capture).
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub words: Vec<String>,
    /// The clocks after the event; null if the game has no clocks.
    pub clocks: Option<ClocksJson>,
}

/// What a player knows, ready for display. This view is computed only from what the player heard.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SeatViewJson {
    /// Number of the last hearing that is included.
    pub n: u32,
    /// Colour of the player.
    pub seat: Side,
    /// The player's own men, as the board part of a FEN.
    pub men: String,
    /// The player's own castling rights: `KQ`, `K`, `Q` or empty.
    pub castling: String,
    /// The player's own reserve: letters of `QRBNP`. Empty if men cannot be
    /// dropped.
    pub reserve: String,
    /// Side to move; null after the end.
    pub to_move: Option<Side>,
    /// The tries that can be legal, as far as the player knows, in sorted order. Empty if the
    /// opponent is to move.
    pub tries: Vec<String>,
    /// Tries that were refused in this turn, in the order of refusal.
    pub refused: Vec<RefusedTryJson>,
    /// Words that the player may send now: `any`, `count`, `recap`, `px`,
    /// `resign`, `offer-draw` and so on.
    pub words: Vec<String>,
    /// Side that offers a draw; null if there is no draw offer.
    pub draw_offer: Option<Side>,
    /// How many men of each kind the opponent can still have, as far as the player can know. Null if
    /// the ruleset forbids a count (`enemy_count`).
    pub left: Option<LeftJson>,
}

/// A try that was refused in this turn, and what the refusal means.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RefusedTryJson {
    /// The refused try.
    pub attempt: String,
    /// Why the referee refused it, as far as the player can know.
    pub cause: CauseJson,
    /// What the answer means under this ruleset, and what it does not reveal.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub why: String,
}

/// How many men of each kind the opponent can still have, as far as a player can know.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LeftJson {
    /// Number of the opponent's men on the board, including the king. Null if
    /// the ruleset does not announce captures to the capturer.
    pub men: Option<u16>,
    /// Upper bound on the number of the opponent's men that came to the board as pawns and are
    /// still on it. Any of these men can be a promoted piece now.
    pub pawns: u16,
    /// Upper bound on the number of the opponent's men that came to the board as pieces and are
    /// still on it, without the king. For each promoted man that was captured as a piece, `pieces`
    /// can be too small by one, and `pawns` too large by one.
    pub pieces: u16,
    /// The opponent's men on the board without the king: one letter for each man. The letter is the
    /// role that the man had when it came to the board. At the start of a game this text is
    /// `QRRBBNNPPPPPPPP`. Null if men cannot be dropped.
    pub kinds: Option<String>,
    /// The opponent's reserve: letters of `QRBNP`. Empty if men cannot be
    /// dropped.
    pub reserve: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, begun: Millis, status: GameStatus) -> GameRowJson {
        let player = |name: &str| PlayerJson {
            name: name.to_owned(),
            kind: AccountKind::Guest,
        };
        GameRowJson {
            id: id.to_owned(),
            white: player("a"),
            black: player("b"),
            rules: "wild16".to_owned(),
            time: TimeControlJson::Unlimited {},
            rated: false,
            begun,
            status,
            over: None,
            seat: None,
        }
    }

    #[test]
    fn lobby_changes_replace_rows_by_id_and_keep_the_order() {
        let running = GameStatus::Running;
        let mut lobby = LobbyJson {
            mine: vec![row("b", 1, running), row("c", 2, running)],
            running: vec![row("d", 1, running), row("f", 3, running)],
            ..LobbyJson::default()
        };
        lobby.change(LobbyChangesJson {
            n: 1,
            mine: vec![row("b", 1, GameStatus::Adjourned), row("a", 2, running)],
            running: vec![row("g", 3, running), row("e", 2, running)],
            gone: vec!["d".to_owned()],
            ..LobbyChangesJson::default()
        });
        let ids = |list: &[GameRowJson]| list.iter().map(|row| row.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&lobby.mine), ["b", "a", "c"]);
        assert_eq!(lobby.mine[0].status, GameStatus::Adjourned);
        assert_eq!(ids(&lobby.running), ["e", "f", "g"]);
    }
}

//! Studies: games of files and of the club, with comments.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::club::Millis;

/// Who may read a study.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum StudyAccess {
    /// Its owner.
    #[default]
    Private,
    /// Everybody who knows its address.
    Link,
    /// Everybody; it is listed.
    Public,
}

/// A game of a file.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FileGameJson {
    /// Line of the file on which the game begins or is damaged, from 1.
    pub line: u32,
    /// Its players or its title; empty if the file does not name them.
    pub title: String,
    /// Why the game cannot be read; null if it can.
    pub fault: Option<String>,
}

/// A file that was opened.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OpenedFileJson {
    /// The games of the file, in order.
    pub games: Vec<FileGameJson>,
    /// Id under which the routes of finished games answer for the opened game; null if one of
    /// several games must be chosen first. The club forgets the game after some time.
    pub game: Option<String>,
}

/// A chapter of a study: a game with comments.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ChapterJson {
    /// Title.
    pub title: String,
    /// Id of the game: of a finished game of the club, or of an opened file.
    pub game: String,
    /// Comments by number of the step; 0 is the start.
    #[serde(default)]
    pub comments: BTreeMap<u16, String>,
    /// Drawings on the board by number of the step: squares (`e4`) and arrows (`e2e4`), separated by
    /// spaces.
    #[serde(default)]
    pub drawings: BTreeMap<u16, String>,
}

/// A study. In a request to keep it only `title`, `access` and `chapters` count.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyJson {
    /// Its address: `/api/studies/ID`.
    #[serde(default)]
    pub id: String,
    /// Title: one line of 1 to 100 characters.
    pub title: String,
    /// Name of the owner; null if the study is not kept.
    #[serde(default)]
    pub by: Option<String>,
    /// Whether the reader is the owner.
    #[serde(default)]
    pub yours: bool,
    /// Who may read it.
    #[serde(default)]
    pub access: StudyAccess,
    /// Time of the last change.
    #[serde(default)]
    pub at: Millis,
    /// Chapters by number, from 1; none in a list.
    pub chapters: BTreeMap<u16, ChapterJson>,
}

/// Lists of studies, the last changed first.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudiesJson {
    /// The reader's own.
    pub own: Vec<StudyJson>,
    /// The last public ones.
    pub public: Vec<StudyJson>,
}

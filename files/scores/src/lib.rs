//! Reading and writing of games as text.
//!
//! The module [`score`] reads scores that people wrote, in any notation. The module uses the true
//! position to interpret the moves. This project's own format is the **transcript**, which the
//! golden games in `transcripts/` use. A transcript has one line for each attempt and one column
//! for each listener, so that a leak is easy to see:
//!
//! ```text
//! title   A pawn takes a pawn
//! rules   wild16
//! source  ICC
//! fen     4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1
//!
//! attempt               | white                                  | black                             | room
//! start                 | tries 1, turn w                        | tries 1, turn w                   | tries 1, turn w
//! white e4e6 nonsense 2 | no w e4e6                              | -                                 | -
//! # The square and "pawn" are told to both (specification 3).
//! white e4d5 moved      | moved w e4d5, x d5 pawn, tries 0, ...  | moved w, lost d5 P, x d5 pawn ... | ...
//! black e7e5 refused    | -                                      | -                                 | -
//! ```
//!
//! # The format
//!
//! - **Header**: `title`, `rules` (the id of a ruleset), `source`, and if needed
//!   `game` (the switches `3 no-3 50 no-50 mate no-mate`) and `fen`. A blank
//!   line ends the header.
//! - **Comments** start with `#`. Comments and blank lines keep their places.
//! - **All other lines** contain the attempt and its answer, then what White, Black and the
//!   spectators (`room`) hear, separated by bars. `-` means that the listener hears nothing. If it
//!   is not yet known what the listeners hear, a line has no bars. Such a line contains the attempt,
//!   and may contain the answer that its author expects.
//! - **The attempt column** contains `start` for the announcements at the start;
//!   `white e2e4`, `black any`, `white px=q` and so on for attempts;
//!   `white flag` if that player's time is up; `white gone` if that player has left;
//!   `abort`; and `white "text"` for text that cannot be read as an
//!   attempt. The answer comes next: a name of [`rules::Answer`], `refused` or
//!   `not-understood`. The answer `nonsense` is followed by the number of a row of
//!   the table of verdicts. Only the mover hears this number.
//! - **The listener columns** contain one short form for each
//!   [`Heard`](rules::Heard), separated by commas; see [`Short`].
//!   Parsing a printed item gives the same item.
//!
//! This crate does not depend on stores or clubs.
//!
//! # Examples
//!
//! ```
//! use scores::{Short, Transcript};
//!
//! let text = "\
//! title   The first move
//! rules   cincinnati
//! source  CINC
//!
//! attempt          | white                           | black                      | room
//! white e2e4 moved | moved w e2e4, tries no, turn b  | moved w, tries no, turn b  | moved w, tries no, turn b
//! ";
//! let transcript: Transcript = text.parse()?;
//! assert_eq!(transcript.header.rules, "cincinnati");
//! assert_eq!(transcript.to_string().parse::<Transcript>()?, transcript);
//!
//! let heard = scores::parse_heard("x d5 pawn")?;
//! assert_eq!(Short(&heard).to_string(), "x d5 pawn");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod audit;
mod beliefs;
mod convert;
mod lines;
mod mates;
mod opening;
mod pgn;
mod player_file;
mod print;
mod problem;
mod read;
mod recorded_game;
pub mod score;
mod short;
mod steps;
mod transcript;

/// Version of the rules that the record of a game names.
pub const RULES_VERSION: u8 = referee::VERSION;

pub use crate::{
    audit::{
        AnnouncementKind, Contradiction, Fault, Finding, Followed, Guess, Outcome, RecordedHeard,
        SeatRecord, Step, against, follow, guess,
    },
    beliefs::{BeliefLimits, BeliefWork, Beliefs, BeliefsError, is_move},
    convert::{ConvertError, Converted, Loss, Losses, Target, convert},
    mates::MateWork,
    pgn::{
        Begun, Damaged, MAX_GAME, Note, PgnFault, PgnGame, PgnReader, Ply, Remark, RemarkedCheck,
        SanFault, Shown, Signs, Tag, Tags, read_own_san, read_san, write_own_san,
        write_player_file, write_player_view, write_san, write_umpire_view,
    },
    player_file::PlayerFileError,
    problem::{Problem, ProblemError, ProblemStart},
    read::{ParseTranscriptError, TranscriptFault},
    recorded_game::{
        Act, Claim, EndClaim, Form, OpeningError, RecordedAct, RecordedGame, RecordedGameError,
        RecordedGames,
    },
    short::{ParseHeardError, Short, ShortList, parse_heard, parse_list},
    steps::steps,
    transcript::{Answered, Asked, Entry, Header, Transcript, TranscriptLine},
};

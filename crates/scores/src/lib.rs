//! Games as text.
//!
//! [`score`] reads what people wrote down, in any notation, by the true
//! position. Our own form is the **transcript**, the shape of our golden games in
//! `transcripts/`. A line an attempt, a column a listener, so that a leak is
//! visible to the eye:
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
//! # The form
//!
//! - **Header**: `title`, `rules` (a ruleset's id), `source`, and where they
//!   are needed `game` (the switches `3 no-3 50 no-50 mate no-mate`) and
//!   `fen`. Then a blank line.
//! - **Comments** start with `#` and, like blank lines, stay where they are.
//! - **A line**: the attempt and what it was answered, then what White, Black
//!   and the room hear, after bars. `-` is silence. A line without bars is a
//!   story not yet told; it may name the answer that its author expects.
//! - **The attempt column**: `start` for the announcements of the opening;
//!   `white e2e4`, `black any`, `white px=q` and so on; `white flag` and
//!   `white gone` when that player's time is up or that player has left; `abort`; and
//!   `white "text"` for what cannot be read as an attempt. Then the answer, by
//!   [`rules::Answer`]'s words or `refused` or `not-understood`; after
//!   `nonsense` the row of the table of verdicts, which only the mover is told.
//! - **What is heard**: one short form a [`Heard`](rules::Heard), separated
//!   by commas, see [`Short`]. `parse(print(x)) = x`.
//!
//! It must never know where games are stored, nor who plays them.
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

mod account;
mod audit;
mod beliefs;
mod convert;
mod lines;
mod opening;
mod pgn;
mod print;
mod problem;
mod read;
pub mod score;
mod short;
mod steps;
mod transcript;

pub use crate::{
    account::{Account, AccountError, Accounts, Act, Claim, Form, OpeningError, RecordedAct},
    audit::{
        Contradiction, Fault, Finding, Followed, Guess, Outcome, Step, What, against, follow, guess,
    },
    beliefs::{BeliefLimits, Beliefs, BeliefsError},
    convert::{ConvertError, Converted, Loss, Losses, Target, convert},
    pgn::{
        Begun, Damaged, LONGEST_GAME, Note, PgnFault, PgnGame, PgnReader, Ply, Remark,
        RemarkedCheck, SanFault, Shown, Tag, Tags, read_own_san, read_san, write_own_san,
        write_player_view, write_san, write_umpire_view,
    },
    problem::{Problem, ProblemError},
    read::{ParseTranscriptError, TranscriptFault},
    short::{ParseHeardError, Short, ShortList, parse_heard, parse_list},
    steps::steps,
    transcript::{Answered, Asked, Entry, Header, Transcript, TranscriptLine},
};

//! The types of Kriegspiel: what a player may ask, what the referee may say and to whom, and the
//! named rulesets as values.
//!
//! This crate holds the types [`Attempt`], [`Announcement`], [`Audience`], [`Call`] and [`Heard`],
//! the [`Choices`] of a ruleset, and the named [`rulesets`]. [`Own`] computes what a player can
//! imagine from their own men. The verdict on a try follows from a table in docs/specification.md.
//! [`seat_verdict`] decides those rows of this table that depend only on what the mover knows. Both
//! the referee and the views call this function.
//!
//! This crate must never know about the true position, input and output, or
//! serialisation.
//!
//! ```
//! use rules::{rulesets, PawnTries};
//!
//! let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset");
//! assert_eq!(wild16.choices.pawn_tries, PawnTries::Count);
//! assert_eq!(wild16.choices.get("no_heard"), Some("mover"));
//! ```

mod answer;
mod attempt;
mod by_listener;
mod call;
mod choices;
mod contradiction;
mod direction;
mod family;
mod heard;
mod named;
mod over;
mod own;
mod refused_tries;
mod reserve;
mod role;
mod ruleset;
pub mod rulesets;
mod source;
mod tries;
mod turn;
mod verdict;

/// shakmaty's types (squares, colours, men, boards). The other crates use
/// shakmaty only through this re-export, so its version is given once.
pub use shakmaty as chess;

pub use crate::{
    answer::Answer,
    attempt::{Attempt, ParseAttemptError, Try},
    by_listener::ByListener,
    call::{Audience, Call, CallSink, Calls, Listener, heard_by},
    choices::{
        AnnouncedCheck, AnnouncedTries, AnyAgain, AnyWithoutPawns, CaptureHeard, CaptureMan,
        CaptureSquare, CheckTold, ChoiceError, Choices, EnPassant, EnemyCount, Field, Fifty,
        Impossible, Material, Mates, NoHeard, NonsenseHeard, NonsenseScore, NonsenseWord,
        Obligation, PawnTries, PawnTrySquare, PromotionMan, PromotionTold, Px, QuestionRule,
        Repeat, ReserveUse, Stalemate, Threefold, TryLimit,
    },
    contradiction::Contradiction,
    direction::{Direction, Directions, ParseDirectionError},
    family::Family,
    heard::{Announcement, Capture, CapturedMan, DrawTalk, Heard, MoveAnnouncements, Reply, Start},
    over::{Over, Reason, Winner},
    own::{Own, Wings, corner, reaches},
    refused_tries::RefusedTries,
    reserve::Reserve,
    role::{ROLES, role_name},
    ruleset::{GameSwitch, Ruleset, SwitchError},
    source::Source,
    tries::Tries,
    turn::TurnState,
    verdict::{NonsenseRow, SeatVerdict, Verdict, answers_check, seat_verdict},
};

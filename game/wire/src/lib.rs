//! The JSON forms of calls, of lines of the umpire's stream, of finished games
//! and of the club's messages.
//!
//! [`HeardJson`] is what one listener hears. [`LineJson`] is a line of the umpire's stream, which
//! is the output of `kriegspiel referee --json`. [`FinishedJson`] is a finished game. Clients rely
//! on these forms. Keys are written in the order of the fields. A key is always present unless its
//! field says otherwise. Unknown keys in the input are an error. Conversions to and from the types
//! of [`rules`] are written by hand. So a new announcement does not come into the JSON by accident.
//!
//! This crate must never know about the referee. A line of the umpire's stream contains the true
//! position only as plain text.
//!
//! ```
//! use rules::{Announcement, Heard, chess::Color};
//! use wire::HeardJson;
//!
//! let heard = Heard::Announced(Announcement::Turn { to_move: Color::Black });
//! let json = serde_json::to_string(&HeardJson::from(&heard))?;
//! assert_eq!(json, r#"{"kind":"turn","to_move":"black"}"#);
//!
//! let back: HeardJson = serde_json::from_str(&json)?;
//! assert_eq!(Heard::try_from(&back)?, heard);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
mod belief;
mod captured;
mod cause;
mod club;
mod evening;
mod heard;
mod http;
mod line;
mod mail;
mod message;
mod noun;
mod operator;
mod person;
mod problem;
mod says;
mod start;
mod study;
mod tell;
mod text;
mod view;

pub use crate::{
    account::{
        DeleteAccountJson, DeletedJson, NewPasswordJson, NewPushJson, NewTokenJson, OwnAccountJson,
        OwnSessionJson, OwnSessionsJson, PasswordJson, PushJson, RecoveryCodesJson, RecoveryJson,
        RunningGames,
    },
    belief::{
        BeliefJson, BeliefProgressJson, FactJson, ForcedMateJson, HeatJson, LapseJson, MateJson,
        MomentJson, OddsJson, RegimeJson, RetriedJson, RetryJson, TurnWorthJson, TurnsJson,
    },
    captured::CapturedJson,
    cause::CauseJson,
    club::{
        AccountKind, ChallengeJson, ClocksJson, ColorWish, GameJson, GameRowJson, GameStatus,
        HallJson, HearingJson, InvitationJson, LeftJson, LobbyChangesJson, LobbyJson, Millis,
        OffersJson, PlayerJson, ProgramJson, RatingJson, RefusedTryJson, SeatViewJson, SeekJson,
        TermsJson, TimeControlJson,
    },
    evening::{
        EveningJson, EveningKindJson, EveningPlaceJson, EveningPlayerState, EveningRowJson,
        EveningStatus, EveningsJson, NewEveningJson,
    },
    heard::{HeardError, HeardJson},
    http::{
        AcceptedJson, ActJson, AsksJson, ChallengedJson, ChangeJson, CheckedRulesetJson,
        ComparisonJson, ConditionalJson, CredentialsJson, GamesJson, GuestJson, LimitJson,
        LimitsJson, MeJson, NewAccountJson, NewChallengeJson, RefusalsHeardBy, RefusedJson,
        RulesetJson, RulesetTextJson, SaidJson, SectionJson, SessionJson, TryJson,
    },
    line::{AnswerJson, FinishedJson, LineJson, RunJson, StepJson, StepsJson, named_choices},
    mail::{ForgottenJson, LinkJson, MailDigestsJson, MailJson, MailPasswordJson, NewMailJson},
    message::{
        MessageJson, MessagesJson, MutesJson, NewMessageJson, NewTalkJson, ReportJson,
        TalkGroupJson, WrittenJson,
    },
    noun::{Man, OverJson, ReasonJson, ResultJson, Side},
    operator::OperatorCommandJson,
    person::{
        AboutJson, AgainstJson, LeaderJson, LeaderboardJson, OpponentJson, PeopleJson, PersonJson,
        PersonRatingJson, RatingChangeJson, RecordJson, ScoreJson,
    },
    problem::{
        LessonJson, LessonsJson, ProblemJson, ProblemOutcomeJson, ProblemRatingJson,
        ProblemResultJson, ProblemRowJson, ProblemThemeJson, ProblemsJson, RefutationJson,
        SolutionJson,
    },
    says::{ClientSays, PROTOCOL, RefusalCode, ServerSays, TableAct},
    start::{CastlingJson, ReservesJson},
    study::{ChapterJson, FileGameJson, OpenedFileJson, StudiesJson, StudyAccess, StudyJson},
    tell::ParsedHeard,
    text::Text,
    view::{player_view, spectator_view},
};

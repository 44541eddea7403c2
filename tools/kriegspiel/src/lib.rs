//! Kriegspiel Umpire: the referee of every historic ruleset, as a library.
//!
//! In Kriegspiel neither player sees the other's men. A referee who sees both boards answers every
//! attempt, and makes exactly the announcements that the rules allow. This crate is the entry
//! point: [`rules`], [`position`], [`referee`], [`views`] and [`notation`]. With features also
//! `belief`, `solver` (whether a mate can be forced), `bots`, `scores` and `problems` (files), `wire`
//! and `stream` (JSON). docs/library.md lists the features and has programs.
//!
//! # A guided tour
//!
//! Choose a ruleset, open a game, and let White make a try. [`judge`] decides
//! and changes nothing; [`apply`] applies the decision to the game.
//!
//! ```
//! use kriegspiel::{
//!     referee::{Game, Opened, StartPosition},
//!     rules::{Answer, Attempt, Listener, chess::Color, rulesets},
//!     views::PlayerView,
//! };
//!
//! let wild16 = rulesets::by_id("wild16").expect("the ruleset is built in");
//! let start = StartPosition::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", &wild16.choices)?;
//! let mut game = Game::open(Opened::new(wild16, wild16.choices, start));
//!
//! // Each seat has a view, computed only from what that seat heard.
//! let mut white = PlayerView::open(wild16.choices, Color::White, &game.start(Listener::White));
//! let mut black = PlayerView::open(wild16.choices, Color::Black, &game.start(Listener::Black));
//! let opening = game.opening_calls();
//! for call in &opening {
//!     if call.audience.includes(Listener::White) { white.hear(&call.heard); }
//!     if call.audience.includes(Listener::Black) { black.hear(&call.heard); }
//! }
//!
//! // White has never seen a black man, but has heard of a pawn try.
//! assert_eq!(white.own().all().count(), 2);
//! let tries: Vec<String> = white.tries().iter().map(|t| t.to_string()).collect();
//! assert!(tries.contains(&"e4d5".to_owned()) && tries.contains(&"e4f5".to_owned()));
//!
//! // The wrong try is answered "no". Under wild16 only White hears that.
//! let attempt: Attempt = "e4f5".parse()?;
//! let ruling = game.judge(Color::White, attempt)?;
//! assert_eq!(ruling.answer(), Answer::No);
//! assert!(!ruling.calls.iter().any(|call| call.audience.includes(Listener::Black)));
//! game.apply(&ruling.event);
//! for call in &ruling.calls {
//!     if call.audience.includes(Listener::White) { white.hear(&call.heard); }
//! }
//! assert!(!white.tries().contains(&"e4f5".parse()?));
//!
//! // The right try is played. Black hears that a pawn was captured.
//! let ruling = game.judge(Color::White, "e4d5".parse()?)?;
//! assert_eq!(ruling.answer(), Answer::Moved);
//! for call in &ruling.calls {
//!     if call.audience.includes(Listener::Black) { black.hear(&call.heard); }
//! }
//! game.apply(&ruling.event);
//! assert_eq!(black.own().all().count(), 1);
//! assert_eq!(black.to_move(), Some(Color::Black));
//!
//! // What Black heard, in words.
//! let heard: Vec<String> = ruling
//!     .calls
//!     .iter()
//!     .filter(|call| call.audience.includes(Listener::Black))
//!     .filter_map(|call| kriegspiel::notation::words(&call.heard, &wild16.choices, Listener::Black))
//!     .collect();
//! assert_eq!(
//!     heard.join(" "),
//!     "White has moved. Your pawn on d5 is gone. Pawn gone on d5. 0 pawn tries. Black to move."
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The command `kriegspiel referee` does the same over a stream of lines, and
//! `stream::run` does it as a function.
//!
//! [`judge`]: referee::Game::judge
//! [`apply`]: referee::Game::apply

#[cfg(feature = "belief")]
pub use belief;
#[cfg(feature = "bots")]
pub use bots;
pub use notation;
pub use position;
#[cfg(feature = "files")]
pub use problems;
pub use referee;
pub use rules;
#[cfg(feature = "files")]
pub use scores;
#[cfg(feature = "solver")]
pub use solver;
#[cfg(feature = "json")]
pub use stream;
pub use views;
#[cfg(feature = "json")]
pub use wire;

/// Runs the programs of docs/library.md as doc tests.
#[cfg(all(doctest, feature = "full"))]
#[doc = include_str!("../README.md")]
struct Commands;

//! Views: what one seat or the spectators know, computed from what they heard.
//!
//! A [`PlayerView`] is created from the [`Start`](rules::Start) that its seat heard. It is then
//! updated with every [`Heard`](rules::Heard). The view has the seat's own men and castling rights,
//! the current announcements, what is known about captures, and the tries worth making now
//! ([`PlayerView::tries`]). A [`SpectatorView`] is the view of the spectators; it has no own men.
//!
//! This crate does not depend on the referee. A view is computed only from what its listener heard.
//! So the view contains nothing else.
//!
//! ```
//! use rules::{Heard, Verdict, chess::Color, rulesets};
//! use views::PlayerView;
//!
//! let choices = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
//! let mut white = PlayerView::initial(choices, Color::White);
//! assert_eq!(white.tries().len(), 20);
//! let e2e4 = "e2e4".parse()?;
//! white.hear(&Heard::own_verdict(Verdict::Moved, Color::White, e2e4));
//! assert_eq!(white.to_move(), Some(Color::Black));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod losses;
mod player;
mod spectator;
mod table;
mod tries;

pub use crate::{
    losses::{Losses, SideLosses},
    player::{BothViews, PlayerView},
    spectator::SpectatorView,
};

//! Views: the knowledge of one seat or of the room, folded from what it heard.
//!
//! A [`PlayerView`] is opened with the [`Start`](rules::Start) its seat was
//! told and fed every [`Heard`](rules::Heard) that follows; it knows its own
//! men, rights, what stands announced, what is known of captures, and which
//! attempts are worth making now ([`PlayerView::tries`]). A [`SpectatorView`]
//! is the same for the room.
//!
//! It must never know: the referee. A view is made from calls alone, so it
//! holds nothing that its listener was not told.
//!
//! ```
//! use rules::{Heard, Verdict, chess::Color, rulesets};
//! use views::PlayerView;
//!
//! let choices = rulesets::by_id("wild16").expect("a named ruleset").choices;
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
    player::{BothSeats, PlayerView},
    spectator::SpectatorView,
};

//! UMPIRE's dialogue of 1965, for two teletypes.
//!
//! Two consoles that wait become a game of two guests of the club, under the
//! ruleset `umpire`, without a clock. What is heard is printed in UMPIRE's
//! words; what UMPIRE had no words for is in ours, of which docs/doors.md has
//! the list.

mod greeting;
mod instruction;
mod pairing;
mod seat;
mod typed;
mod wires;
mod words;

use std::{future::Future, sync::Arc};

use club::{Club, ColorWish, Terms, TimeControl};
use tokio::{net::TcpListener, sync::watch};

use self::{
    pairing::{Begun, Waiting},
    wires::Wires,
};
use crate::{
    console::{Console, Gone, Manners},
    listen::{Limits, listen},
};

/// How teletypes are treated.
#[derive(Copy, Clone, Debug, Default)]
pub struct Settings {
    /// The short cuts of 1965: queens only, mate and stalemate not recognised.
    pub as_in_1965: bool,
    /// How many characters a second are written; `None`: as fast as it goes.
    pub cps: Option<u32>,
}

/// `umpire` without the short cuts of 1965, as a file of rules.
pub const TODAY: &str = "\
id = \"umpire-today\"
from = \"umpire\"
title = \"UMPIRE, without the short cuts of 1965\"

[choices]
promotion_man = \"queen-unless-named\"
mates = \"announced\"
";

impl Settings {
    /// How a connection is treated.
    pub fn manners(&self) -> Manners {
        Manners {
            longest_line: 256,
            cps: self.cps,
            ..Manners::default()
        }
    }

    /// Under what terms two teletypes play.
    fn terms(&self, color: ColorWish) -> Terms {
        Terms {
            rules: "umpire".to_owned(),
            custom: (!self.as_in_1965).then(|| TODAY.to_owned()),
            time: TimeControl::Unlimited,
            rated: false,
            color,
        }
    }
}

/// The door: where teletypes meet. All clones are one.
#[derive(Clone)]
pub struct Door(Arc<Inner>);

struct Inner {
    club: Club,
    settings: Settings,
    waiting: Waiting,
    begun: Begun,
    wires: Wires,
    closing: watch::Sender<bool>,
}

impl std::fmt::Debug for Door {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Door")
            .field("settings", &self.0.settings)
            .finish_non_exhaustive()
    }
}

impl Door {
    /// A door of a club.
    pub fn new(club: Club, settings: Settings) -> Door {
        Door(Arc::new(Inner {
            club,
            settings,
            waiting: Waiting::default(),
            begun: Begun::default(),
            wires: Wires::default(),
            closing: watch::Sender::new(false),
        }))
    }

    /// Serves one teletype until it hangs up or its game is over.
    ///
    /// # Errors
    /// Its line dropped before it was told good-bye.
    pub async fn converse(&self, mut console: Console) -> Result<(), Gone> {
        let done = greeting::converse(self, &mut console).await;
        console.lines.close().await;
        done
    }

    /// Tells every teletype that the door closes.
    pub fn close(&self) {
        self.0.closing.send_replace(true);
    }

    /// Waits until the door closes.
    async fn closed(&self) {
        let mut closing = self.0.closing.subscribe();
        // The sender lives as long as the door.
        let _gone = closing.wait_for(|closes| *closes).await;
    }
}

/// Lets teletypes in until `closes`.
pub async fn serve(
    listener: TcpListener,
    club: Club,
    settings: Settings,
    limits: Limits,
    closes: impl Future<Output = ()>,
) {
    let door = Door::new(club, settings);
    let closing = async {
        closes.await;
        door.close();
    };
    let converse = |console| {
        let door = door.clone();
        async move {
            // Whoever is gone needs no farewell.
            let _gone = door.converse(console).await;
        }
    };
    listen(listener, limits, settings.manners(), closing, converse).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Mates, PromotionMan, rulesets::UMPIRE};

    #[test]
    fn today_differs_from_1965_by_its_two_short_cuts() {
        let today = notation::read_ruleset(TODAY).unwrap();
        let mut choices = UMPIRE.choices;
        choices.mates = Mates::Announced;
        choices.promotion_man = PromotionMan::QueenUnlessNamed;
        assert_eq!(today.choices, choices);
    }
}

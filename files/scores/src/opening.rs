//! Switches and start position of a recorded game.

use referee::{Opened, StartPosition};
use rules::{Fifty, GameSwitch, Mates, Threefold, rulesets};

/// Returns the switches that change the choices of the ruleset into the choices of the game.
/// Returns `None` if switches cannot express the difference.
pub(crate) fn switches(opened: &Opened) -> Option<Vec<GameSwitch>> {
    let ruleset = rulesets::by_id(&opened.rules)?;
    let (own, game) = (&ruleset.choices, &opened.choices);
    let mut all = Vec::new();
    if own.threefold != game.threefold {
        all.push(match game.threefold {
            Threefold::On => GameSwitch::Threefold,
            Threefold::Off => GameSwitch::NoThreefold,
        });
    }
    if own.fifty != game.fifty {
        all.push(match game.fifty {
            Fifty::On => GameSwitch::Fifty,
            Fifty::Off => GameSwitch::NoFifty,
        });
    }
    if own.mates != game.mates {
        all.push(match game.mates {
            Mates::Announced => GameSwitch::Mate,
            Mates::Unseen => GameSwitch::NoMate,
        });
    }
    (ruleset.switched(&all).ok()? == *game).then_some(all)
}

/// Checks whether a game begins with the usual start position, at move 1.
pub(crate) fn is_usual(start: &StartPosition) -> bool {
    *start.position() == *StartPosition::initial().position()
        && (start.halfmoves(), start.fullmoves()) == (0, 1)
}

//! Rebuilds the view of a listener from JSON that says what this listener heard.

use rules::{
    Choices, Start,
    chess::{ByColor, Color},
};
use views::{PlayerView, SpectatorView};

use crate::{
    heard::{HeardError, HeardJson},
    tell::ParsedHeard,
};

/// Rebuilds a player's view from what the player heard. An item of the kind `start` resets the
/// view. Without such an item, the view begins at the usual start position.
///
/// # Errors
/// [`HeardError`] if one of the items is something that no referee can say.
///
/// # Examples
///
/// ```
/// use rules::{chess::Color, rulesets::WILD16};
/// use wire::{HeardJson, player_view};
///
/// let heard: Vec<HeardJson> = serde_json::from_str(
///     r#"[{"kind":"moved","by":"white","attempt":"e2e4"},{"kind":"turn","to_move":"black"}]"#,
/// )?;
/// let white = player_view(WILD16.choices, Color::White, &heard)?;
/// assert_eq!(white.to_move(), Some(Color::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn player_view<'a>(
    choices: Choices,
    color: Color,
    heard: impl IntoIterator<Item = &'a HeardJson>,
) -> Result<PlayerView, HeardError> {
    let mut view = PlayerView::initial(choices, color);
    for json in heard {
        match ParsedHeard::try_from(json)?.under(&choices) {
            ParsedHeard::Start(start) => view = PlayerView::open(choices, color, &start),
            ParsedHeard::Heard(heard) => view.hear(&heard),
        }
    }
    Ok(view)
}

/// Rebuilds the view of a spectator from what spectators heard. An item of the kind `start` resets
/// the view.
///
/// # Errors
/// [`HeardError`] if one of the items is something that no referee can say.
pub fn spectator_view<'a>(
    choices: Choices,
    heard: impl IntoIterator<Item = &'a HeardJson>,
) -> Result<SpectatorView, HeardError> {
    let unannounced = Start {
        rules: "".into(),
        own: None,
        reserves: ByColor::default(),
    };
    let mut view = SpectatorView::open(choices, &unannounced);
    for json in heard {
        match ParsedHeard::try_from(json)?.under(&choices) {
            ParsedHeard::Start(start) => view = SpectatorView::open(choices, &start),
            ParsedHeard::Heard(heard) => view.hear(&heard),
        }
    }
    Ok(view)
}

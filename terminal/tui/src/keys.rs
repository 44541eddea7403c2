//! Names of keys, as used by the table of commands and the tests.

use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

/// Mouse action.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Mouse {
    /// The left button is pressed.
    Down,
    /// The left button is released.
    Up,
    /// The right button is pressed.
    Right,
    /// The wheel is turned upwards.
    WheelUp,
    /// The wheel is turned downwards.
    WheelDown,
}

/// Keys with special names.
const NAMED: [(KeyCode, &str); 13] = [
    (KeyCode::Enter, "Enter"),
    (KeyCode::Esc, "Esc"),
    (KeyCode::Backspace, "Backspace"),
    (KeyCode::Delete, "Delete"),
    (KeyCode::Tab, "Tab"),
    (KeyCode::Up, "Up"),
    (KeyCode::Down, "Down"),
    (KeyCode::Left, "Left"),
    (KeyCode::Right, "Right"),
    (KeyCode::Home, "Home"),
    (KeyCode::End, "End"),
    (KeyCode::PageUp, "PageUp"),
    (KeyCode::PageDown, "PageDown"),
];

/// Returns the name of a key: `F1`, `Enter`, `Control-L`, `Space`, or the typed
/// letter.
pub fn key_name(key: KeyEvent) -> Option<String> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if let KeyCode::Char(c) = key.code {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return Some(format!("Control-{}", c.to_ascii_uppercase()));
        }
        if key.modifiers.contains(KeyModifiers::ALT) {
            return None;
        }
        return Some(if c == ' ' {
            "Space".to_owned()
        } else {
            c.to_string()
        });
    }
    if let KeyCode::F(n) = key.code {
        return Some(format!("F{n}"));
    }
    let named = NAMED.iter().find(|(code, _)| *code == key.code);
    named.map(|(_, name)| (*name).to_owned())
}

/// Converts a mouse event, if it has a meaning here.
pub(crate) fn mouse(kind: MouseEventKind) -> Option<Mouse> {
    let known = [
        (MouseEventKind::Down(MouseButton::Left), Mouse::Down),
        (MouseEventKind::Up(MouseButton::Left), Mouse::Up),
        (MouseEventKind::Down(MouseButton::Right), Mouse::Right),
        (MouseEventKind::ScrollUp, Mouse::WheelUp),
        (MouseEventKind::ScrollDown, Mouse::WheelDown),
    ];
    let found = known.iter().find(|(of, _)| *of == kind);
    found.map(|(_, mouse)| *mouse)
}

//! Keys by their names, as the table of commands and the tests write them.

use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

/// Mouse action.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Mouse {
    /// The left button goes down.
    Down,
    /// The left button comes up.
    Up,
    /// The right button goes down.
    Right,
    /// The wheel turns away.
    WheelUp,
    /// The wheel turns near.
    WheelDown,
}

/// Keys that have names.
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

/// The name of a key: `F1`, `Enter`, `Control-L`, `Space`, or the letter typed.
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

/// Converts a mouse event, if it means something here.
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

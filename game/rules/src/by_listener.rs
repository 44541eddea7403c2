//! A value for each listener.

use crate::{
    call::{Calls, Listener, heard_by},
    heard::Heard,
};

/// A value for each of the two players, and a value for the spectators.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, Default)]
pub struct ByListener<T> {
    /// Value for White.
    pub white: T,
    /// Value for Black.
    pub black: T,
    /// Value for the spectators.
    pub room: T,
}

impl<T> ByListener<T> {
    /// Creates the values by calling `init` for each listener, in the order of
    /// [`Listener::ALL`].
    pub fn new_with(mut init: impl FnMut(Listener) -> T) -> ByListener<T> {
        ByListener {
            white: init(Listener::White),
            black: init(Listener::Black),
            room: init(Listener::Room),
        }
    }

    /// Returns the value for a listener.
    #[inline]
    pub const fn get(&self, listener: Listener) -> &T {
        match listener {
            Listener::White => &self.white,
            Listener::Black => &self.black,
            Listener::Room => &self.room,
        }
    }

    /// Returns a mutable reference to the value for a listener.
    #[inline]
    pub const fn get_mut(&mut self, listener: Listener) -> &mut T {
        match listener {
            Listener::White => &mut self.white,
            Listener::Black => &mut self.black,
            Listener::Room => &mut self.room,
        }
    }

    /// Returns references to the three values, in the order of
    /// [`Listener::ALL`].
    pub const fn each_ref(&self) -> [&T; 3] {
        [&self.white, &self.black, &self.room]
    }

    /// Converts the value for each listener with `f`, in the order of
    /// [`Listener::ALL`].
    pub fn map<U>(self, mut f: impl FnMut(Listener, T) -> U) -> ByListener<U> {
        ByListener {
            white: f(Listener::White, self.white),
            black: f(Listener::Black, self.black),
            room: f(Listener::Room, self.room),
        }
    }
}

impl From<&Calls> for ByListener<Vec<Heard>> {
    /// Collects what each listener hears of the calls, in order.
    fn from(calls: &Calls) -> ByListener<Vec<Heard>> {
        ByListener::new_with(|listener| heard_by(calls, listener).collect())
    }
}

impl<T> IntoIterator for ByListener<T> {
    type Item = (Listener, T);
    type IntoIter = std::array::IntoIter<(Listener, T), 3>;

    /// Iterates over the listeners with their values, in the order of
    /// [`Listener::ALL`].
    fn into_iter(self) -> Self::IntoIter {
        [
            (Listener::White, self.white),
            (Listener::Black, self.black),
            (Listener::Room, self.room),
        ]
        .into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_listener_has_a_value_of_its_own() {
        let mut names = ByListener::new_with(|listener| format!("{listener:?}"));
        for listener in Listener::ALL {
            assert_eq!(*names.get(listener), format!("{listener:?}"));
        }
        *names.get_mut(Listener::Room) = "everybody".to_owned();
        let names = names.map(|listener, name| format!("{name} {}", listener.color().is_some()));
        assert_eq!(
            names.into_iter().collect::<Vec<_>>(),
            [
                (Listener::White, "White true".to_owned()),
                (Listener::Black, "Black true".to_owned()),
                (Listener::Room, "everybody false".to_owned()),
            ]
        );
    }
}

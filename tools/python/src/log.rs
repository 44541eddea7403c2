//! A list that only grows, and that is cheap to clone.

use std::sync::Arc;

const CHUNK: usize = 32;

/// Full chunks are shared between clones.
pub struct Log<T> {
    full: Vec<Arc<[T]>>,
    tail: Vec<T>,
}

impl<T: Clone> Clone for Log<T> {
    fn clone(&self) -> Log<T> {
        let mut tail = Vec::with_capacity(CHUNK);
        tail.extend_from_slice(&self.tail);
        Log {
            full: self.full.clone(),
            tail,
        }
    }
}

impl<T: Clone> Log<T> {
    pub fn new() -> Log<T> {
        Log {
            full: Vec::new(),
            tail: Vec::with_capacity(CHUNK),
        }
    }

    pub fn len(&self) -> usize {
        self.full.len() * CHUNK + self.tail.len()
    }

    #[inline]
    pub fn push(&mut self, item: T) {
        if self.tail.len() == CHUNK {
            self.full.push(self.tail.as_slice().into());
            self.tail.clear();
        }
        self.tail.push(item);
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.full
            .iter()
            .flat_map(|chunk| chunk.iter())
            .chain(&self.tail)
    }
}

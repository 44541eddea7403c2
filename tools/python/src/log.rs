//! A list that only grows, and that is cheap to clone.

use std::sync::Arc;

const CHUNK: usize = 32;

/// Full chunks are shared between clones: a clone copies at most [`CHUNK`] items.
pub struct Log<T> {
    full: Option<Arc<Chunk<T>>>,
    /// Number of items in the full chunks.
    shared: usize,
    tail: Vec<T>,
}

struct Chunk<T> {
    items: Vec<T>,
    before: Option<Arc<Chunk<T>>>,
}

impl<T> Drop for Chunk<T> {
    /// Without recursion: a log can have many chunks.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut chunk) = next.and_then(Arc::into_inner) {
            next = chunk.before.take();
        }
    }
}

impl<T: Clone> Clone for Log<T> {
    fn clone(&self) -> Log<T> {
        let mut tail = Vec::with_capacity(CHUNK);
        tail.extend_from_slice(&self.tail);
        Log {
            full: self.full.clone(),
            shared: self.shared,
            tail,
        }
    }
}

impl<T: Clone> Log<T> {
    pub fn new() -> Log<T> {
        Log {
            full: None,
            shared: 0,
            tail: Vec::with_capacity(CHUNK),
        }
    }

    pub fn len(&self) -> usize {
        self.shared + self.tail.len()
    }

    #[inline]
    pub fn push(&mut self, item: T) {
        if self.tail.len() == CHUNK {
            self.full = Some(Arc::new(Chunk {
                items: std::mem::replace(&mut self.tail, Vec::with_capacity(CHUNK)),
                before: self.full.take(),
            }));
            self.shared += CHUNK;
        }
        self.tail.push(item);
    }

    pub fn last(&self) -> Option<&T> {
        let full = self.full.as_ref().and_then(|chunk| chunk.items.last());
        self.tail.last().or(full)
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let mut chunks = Vec::with_capacity(self.shared / CHUNK);
        let mut next = self.full.as_ref();
        while let Some(chunk) = next {
            chunks.push(chunk.items.as_slice());
            next = chunk.before.as_ref();
        }
        chunks.into_iter().rev().flatten().chain(&self.tail)
    }
}

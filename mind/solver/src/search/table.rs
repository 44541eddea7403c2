//! A bounded table of results for single positions.

use super::code::Code;

/// What is known about one position with the seat to move.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct TableEntry {
    /// The seat can mate within this number of own moves; 255 if no mate is known.
    pub mates: u8,
    /// The seat cannot mate within this number of own moves; 0 if nothing is known.
    pub fails: u8,
    /// The first move of the last mate that was found.
    pub best: Code,
}

impl TableEntry {
    pub(crate) const NOTHING: TableEntry = TableEntry {
        mates: u8::MAX,
        fails: 0,
        best: Code(0),
    };
}

#[derive(Copy, Clone, Debug)]
struct Slot {
    key: u64,
    generation: u32,
    known: TableEntry,
}

const EMPTY: Slot = Slot {
    key: 0,
    generation: 0,
    known: TableEntry::NOTHING,
};

/// A table of bounded size. A position can be stored in one of two slots. If both slots are used,
/// one of the two entries is overwritten.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    slots: Vec<Slot>,
    mask: usize,
    generation: u32,
}

impl Table {
    /// Creates a table of at most this many bytes.
    pub(crate) fn with_bytes(bytes: usize) -> Table {
        let most = (bytes / size_of::<Slot>()).max(1024);
        let len = (most + 1).next_power_of_two() / 2;
        Table {
            slots: vec![EMPTY; len],
            mask: len - 2,
            generation: 1,
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        if self.generation == u32::MAX {
            self.slots.fill(EMPTY);
            self.generation = 0;
        }
        self.generation += 1;
    }

    #[inline]
    fn pair(&self, key: u64) -> usize {
        (key >> 20) as usize & self.mask
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> TableEntry {
        let at = self.pair(key);
        for slot in &self.slots[at..at + 2] {
            if slot.key == key && slot.generation == self.generation {
                return slot.known;
            }
        }
        TableEntry::NOTHING
    }

    /// Stores a value. If both slots have other positions, replaces the position that was searched
    /// for fewer own moves.
    #[inline]
    pub(crate) fn put(&mut self, key: u64, known: TableEntry) {
        let at = self.pair(key);
        let generation = self.generation;
        let slots = &mut self.slots[at..at + 2];
        let depth = |slot: &Slot| {
            if slot.generation == generation {
                let mates = if slot.known.mates == u8::MAX {
                    0
                } else {
                    slot.known.mates
                };
                1 + slot.known.fails.max(mates)
            } else {
                0
            }
        };
        let same = |slot: &Slot| slot.key == key && slot.generation == generation;
        let at = if same(&slots[0]) {
            0
        } else if same(&slots[1]) || depth(&slots[0]) > depth(&slots[1]) {
            1
        } else {
            0
        };
        slots[at] = Slot {
            key,
            generation,
            known,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_share_slots_are_not_confused() {
        let known = |mates: u8| TableEntry {
            mates,
            ..TableEntry::NOTHING
        };
        // These keys differ only in bits that do not choose the slots, so all of them belong to the
        // same two slots.
        let keys = [7 << 20, (7 << 20) + 1, (7 << 20) + 2];
        let mut table = Table::with_bytes(0);
        assert_eq!(table.pair(keys[0]), table.pair(keys[2]));
        table.put(keys[0], known(1));
        assert_eq!(table.get(keys[1]), TableEntry::NOTHING);
        table.put(keys[1], known(2));
        assert_eq!(table.get(keys[0]), known(1));
        assert_eq!(table.get(keys[1]), known(2));
        assert_eq!(table.get(keys[2]), TableEntry::NOTHING);
    }
}

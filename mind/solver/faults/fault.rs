//! Plants one fault at a time.
//!
//! In the copy of the source tree that `cargo xtask faults` makes, this file is a module of the
//! crate `solver`. The module is not part of the product. A fault has no effect until a test plants
//! it. Then the fault has an effect only in the thread of this test.

use std::cell::Cell;

thread_local! {
    static PLANTED: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Plants one fault for this thread, or none.
pub fn plant(name: Option<&'static str>) {
    PLANTED.set(name);
}

/// Returns whether the fault with this name is planted for this thread.
#[inline]
pub fn is(name: &str) -> bool {
    PLANTED.get() == Some(name)
}

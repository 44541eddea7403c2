//! Endings against the lone king.
//!
//! One side has only the king and sees nothing. The other side, the *hunter*, has the king and
//! one or two more men, and keeps the set of squares on which the lone king can be.

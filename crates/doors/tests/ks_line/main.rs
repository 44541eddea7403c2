//! `ks`: the line and its key, the coin between two ends, what is typed, and
//! that nothing leaks.

mod agree;
mod folder;
mod leaks;
mod line;
mod noise;
mod pairs;
mod typed;

//! Errors of usage: a command that cannot be done as given.

pub(crate) use arena::Usage;

/// An error of usage: exit code 2, one line.
pub(crate) fn usage(said: impl std::fmt::Display) -> anyhow::Error {
    Usage(said.to_string()).into()
}

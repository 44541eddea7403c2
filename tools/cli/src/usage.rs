//! Usage errors: a command that cannot be run as given.

pub(crate) use arena::Usage;

/// Creates a usage error: one line of text, and exit code 2.
pub(crate) fn usage(message: impl std::fmt::Display) -> anyhow::Error {
    Usage(message.to_string()).into()
}

//! What was asked cannot be done as asked.

/// What was asked cannot be done as asked: exit code 2, one line.
#[derive(Debug)]
pub(crate) struct Usage(String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// An error of that kind.
pub(crate) fn usage(said: impl std::fmt::Display) -> anyhow::Error {
    Usage(said.to_string()).into()
}

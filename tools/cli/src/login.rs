//! The login name on this machine, and the password dialogue.

use std::{env, process::Command};

use anyhow::Context;

use super::usage;

/// Asks for a password at the terminal.
pub(super) fn ask_password(name: &str) -> anyhow::Result<String> {
    let asked = tui::ask_password(&format!("Password of {name}: "));
    let asked = asked
        .context("the password can be typed only at a terminal; otherwise use KRIEGSPIEL_TOKEN")?;
    asked.ok_or_else(|| usage("no password was given"))
}

/// Returns the login name from the environment, or from the operating system.
pub(super) fn login_name() -> Option<String> {
    let from_environment = ["USER", "LOGNAME"].into_iter().find_map(|variable| {
        let name = env::var(variable).ok()?;
        (!name.is_empty()).then_some(name)
    });
    from_environment.or_else(|| {
        let output = Command::new("id").arg("-un").output().ok()?;
        let name = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !name.is_empty()).then_some(name)
    })
}

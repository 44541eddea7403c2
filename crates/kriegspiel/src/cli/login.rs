//! Login name of the user of this machine.

use std::{env, process::Command};

/// The login name, as the environment tells it, or the system.
pub(super) fn login_name() -> Option<String> {
    let told = ["USER", "LOGNAME"].into_iter().find_map(|variable| {
        let name = env::var(variable).ok()?;
        (!name.is_empty()).then_some(name)
    });
    told.or_else(|| {
        let output = Command::new("id").arg("-un").output().ok()?;
        let name = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !name.is_empty()).then_some(name)
    })
}

//! The ladder: rated games between programs, where each version of a bot has an account of its own.

use std::{collections::HashMap, fs, io::Write, path::Path};

use anyhow::Context;
use wire::{
    AccountKind, LobbyJson, MeJson, NewAccountJson, NewTokenJson, RefusalCode, SeekJson,
    SessionJson, TermsJson,
};

use super::super::{
    api::{Api, refused},
    kept, usage,
};

/// Signs in as the account of a version: `NAME-VERSION` for the token of the program NAME. At the
/// first time it creates the account and keeps its token, which lasts a year, in a file.
pub(super) async fn sign_in(api: &mut Api, version: &str) -> anyhow::Result<()> {
    let me: MeJson = api.get("/api/me").await?;
    let me = me.you.filter(|you| you.kind == AccountKind::Program);
    let me = me.ok_or_else(|| {
        usage(
            "the ladder is for programs: create an account with POST /api/accounts and \
             \"program\": true, and give its token with --token",
        )
    })?;
    let name = format!("{}-{version}", me.name);
    let folder = kept::base().context("there is no folder for tokens: set HOME")?;
    let folder = folder.join("ladder").join(api.folder());
    // The club has said `me.name`, so the name of the file is checked.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !name.chars().all(is_plain) {
        return Err(usage(format!(
            "`{name}` cannot be the name of an account: use letters, digits, `-` and `_`"
        )));
    }
    let file = folder.join(&name);
    if let Ok(token) = fs::read_to_string(&file) {
        api.use_token(token.trim().to_owned());
        return Ok(());
    }
    let made: anyhow::Result<SessionJson> = api
        .with(None)
        .post(
            "/api/accounts",
            &NewAccountJson {
                name: name.clone(),
                password: format!("{:032x}", rand::random::<u128>()),
                program: true,
                token: true,
            },
        )
        .await;
    let made = match made {
        Err(error) if refused(&error) == Some(RefusalCode::Taken) => {
            return Err(error.context(format!(
                "the ladder account {name} cannot be created; if it is yours, put its token into {}, \
                 else choose another --version",
                file.display()
            )));
        }
        made => made.with_context(|| format!("the ladder account {name} cannot be created"))?,
    };
    let session = api.with(made.token.as_deref());
    let wish = NewTokenJson {
        label: "ladder".to_owned(),
        days: None,
    };
    let lasting: SessionJson = session.post("/api/tokens", &wish).await?;
    let token = lasting.token.context("the club gave no token")?;
    keep(&folder, &file, &token)?;
    api.use_token(token);
    Ok(())
}

fn keep(folder: &Path, file: &Path, token: &str) -> anyhow::Result<()> {
    let write = || {
        kept::make(folder)?;
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(file)?.write_all(token.as_bytes())
    };
    write().with_context(|| format!("{} cannot be written", file.display()))
}

/// Chooses the opponents of one bot.
#[derive(Default)]
pub(super) struct Ladder {
    /// Number of games with each program since the start.
    met: HashMap<String, u32>,
}

impl Ladder {
    /// Returns the seek that the bot should accept: of a program that it has met least, with the
    /// bot's own terms. Of two bots that wait, the one whose seek is younger accepts, so they get one
    /// game; a bot without a seek makes one first.
    pub(super) fn choose<'a>(
        &mut self,
        lobby: &'a LobbyJson,
        terms: &TermsJson,
    ) -> Option<&'a SeekJson> {
        let own = lobby.seeks.iter().position(|seek| seek.yours)?;
        let fits = |seek: &&SeekJson| {
            seek.by.kind == AccountKind::Program
                && seek.terms.rated
                && seek.terms.rules == terms.rules
                && seek.terms.time == terms.time
        };
        let met = |seek: &&SeekJson| self.met.get(&seek.by.name).copied().unwrap_or_default();
        let found = lobby.seeks[..own].iter().filter(fits).min_by_key(met)?;
        *self.met.entry(found.by.name.clone()).or_default() += 1;
        Some(found)
    }
}

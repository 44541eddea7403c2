//! The ladder: rated games between programs, where each version of a bot has an account of its own.

use std::{
    collections::HashMap,
    fs,
    io::Write,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::Context;
use wire::{
    AccountKind, LobbyJson, MeJson, NewAccountJson, NewTokenJson, RefusalCode, SeekJson,
    SessionJson, TermsJson,
};

use super::super::{
    api::{Api, refused},
    kept, usage,
};

/// For this time, a bot does not accept its last opponent again.
const REST: Duration = Duration::from_secs(15);

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
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if version.is_empty() || !version.chars().all(is_plain) {
        return Err(usage(format!(
            "`{version}` cannot be a version: use letters, digits and `_`"
        )));
    }
    let folder = kept::base().context("there is no folder for tokens: set HOME")?;
    let folder = folder.join("ladder").join(api.folder());
    // The club has said `me.name`, so the name of the file is checked.
    let is_named = |c: char| is_plain(c) || c == '-';
    if !me.name.chars().all(is_named) {
        return Err(usage(format!(
            "`{}` is not the name of an account",
            me.name
        )));
    }
    let file = folder.join(&name);
    if let Ok(token) = fs::read_to_string(&file) {
        api.use_token(token.trim().to_owned());
        let kept: anyhow::Result<MeJson> = api.get("/api/me").await;
        let is_own = |me: &MeJson| {
            let you = me.you.as_ref();
            you.is_some_and(|you| you.name == name && you.kind == AccountKind::Program)
        };
        return match kept {
            Ok(me) if is_own(&me) => Ok(()),
            Err(error) if refused(&error).is_none() => Err(error),
            Ok(_) | Err(_) => Err(usage(format!(
                "the token in {} is not one of {name}: delete the file, and choose another \
                 --version",
                file.display()
            ))),
        };
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
    /// Opponent of the last game, and when the bot first waited after this game.
    last: Option<(String, Option<Instant>)>,
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
        // Two bots whose game has ended wait at the same moment. They leave others the time to come.
        let again = self.last.as_mut().and_then(|(name, since)| {
            let since = since.get_or_insert_with(Instant::now);
            (since.elapsed() < REST).then_some(&*name)
        });
        let is_rested = |seek: &&SeekJson| Some(&seek.by.name) != again;
        let met = |seek: &&SeekJson| self.met.get(&seek.by.name).copied().unwrap_or_default();
        let found = lobby.seeks[..own]
            .iter()
            .filter(fits)
            .filter(is_rested)
            .min_by_key(met)?;
        Some(found)
    }

    /// Counts a game that begins.
    pub(super) fn plays(&mut self, opponent: &str) {
        *self.met.entry(opponent.to_owned()).or_default() += 1;
        self.last = Some((opponent.to_owned(), None));
    }
}

#[cfg(test)]
mod tests {
    use wire::{ColorWish, PlayerJson, TimeControlJson};

    use super::*;

    fn seek(by: &str, change: impl FnOnce(&mut SeekJson)) -> SeekJson {
        let mut seek = SeekJson {
            id: by.to_owned(),
            by: PlayerJson {
                name: by.to_owned(),
                kind: AccountKind::Program,
            },
            terms: TermsJson {
                rules: "wild16".to_owned(),
                custom: None,
                time: TimeControlJson::Plain { initial: 60 },
                rated: true,
                color: ColorWish::Any,
            },
            yours: by == "own",
        };
        change(&mut seek);
        seek
    }

    #[test]
    fn the_least_met_program_that_waited_longer_is_chosen() {
        let plain = |_: &mut SeekJson| {};
        let own = seek("own", plain);
        let [a, b] = ["a", "b"].map(|name| seek(name, plain));
        let person = seek("a", |seek| seek.by.kind = AccountKind::Person);
        let casual = seek("a", |seek| seek.terms.rated = false);
        let other_rules = seek("a", |seek| "rand".clone_into(&mut seek.terms.rules));
        let slower = seek("a", |seek| {
            seek.terms.time = TimeControlJson::Plain { initial: 61 };
        });
        let chosen = |ladder: &mut Ladder, seeks: &[&SeekJson]| {
            let seeks = seeks.iter().copied().cloned().collect();
            let lobby = LobbyJson {
                seeks,
                ..LobbyJson::default()
            };
            let found = ladder.choose(&lobby, &own.terms);
            found.map(|seek| seek.id.clone())
        };
        let mut ladder = Ladder::default();
        for alone in [&person, &casual, &other_rules, &slower] {
            assert_eq!(chosen(&mut ladder, &[alone, &own]), None);
        }
        assert_eq!(chosen(&mut ladder, &[&a]), None, "without an own seek");
        assert_eq!(chosen(&mut ladder, &[&own, &a]), None, "`a` accepts");
        assert_eq!(chosen(&mut ladder, &[&a, &b, &own]).as_deref(), Some("a"));
        ladder.plays("a");
        assert_eq!(chosen(&mut ladder, &[&a, &own]), None, "others come first");
        assert_eq!(chosen(&mut ladder, &[&a, &b, &own]).as_deref(), Some("b"));
        ladder.last = Some(("a".to_owned(), Instant::now().checked_sub(REST)));
        assert_eq!(chosen(&mut ladder, &[&a, &own]).as_deref(), Some("a"));
        ladder.plays("b");
        ladder.plays("b");
        ladder.last = None;
        assert_eq!(chosen(&mut ladder, &[&b, &a, &own]).as_deref(), Some("a"));
    }
}

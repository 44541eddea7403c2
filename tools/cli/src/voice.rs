//! Speaks through a program, for example the voice of the system.

use std::{
    io,
    process::{Command, Stdio},
    sync::mpsc::{Sender, channel},
    thread::{self, JoinHandle},
};

use stream::Voice;

use super::{terminal::tell, usage};

/// Programs that speak their last argument, and end when they have spoken.
const PROGRAMS: [&[&str]; 4] = [
    &["say"],
    &["spd-say", "--wait"],
    &["espeak-ng"],
    &["espeak"],
];

/// Thread that speaks one text after the other.
pub(super) struct Speaker(JoinHandle<()>);

impl Speaker {
    /// Waits until everything is spoken. The caller must drop the voice first, because the thread
    /// ends only after that.
    pub(super) fn finish(self) {
        if self.0.join().is_err() {
            tell("the thread of the voice has ended early");
        }
    }
}

/// Starts a thread that speaks with `program`. If `program` is empty, the thread uses the voice of
/// the system.
///
/// # Errors
/// There is no such program.
pub(super) fn begin(program: &str) -> anyhow::Result<(Voice, Speaker)> {
    let words: Vec<String> = if program.is_empty() {
        let known = PROGRAMS.iter().find(|words| exists(words[0]));
        let Some(known) = known else {
            return Err(usage(
                "--voice: this system has no `say`, `spd-say`, `espeak-ng` or `espeak`; install one of them, or name a program, as in --voice=PROGRAM",
            ));
        };
        known.iter().map(|word| (*word).to_owned()).collect()
    } else if exists(program) {
        vec![program.to_owned()]
    } else {
        return Err(usage(format_args!(
            "--voice: the program `{program}` cannot be started; name a program that speaks its last argument"
        )));
    };
    let (sender, texts): (Sender<String>, _) = channel();
    let speaker = thread::Builder::new().spawn(move || {
        let mut has_failed = false;
        for text in texts {
            if let Err(error) = speak(&words, &text)
                && !has_failed
            {
                has_failed = true;
                tell(format_args!("--voice: {error}"));
            }
        }
    })?;
    let voice = Box::new(move |text: &str| {
        // The thread receives this text, because it ends only after this sender is dropped.
        let _gone = sender.send(text.to_owned());
    });
    Ok((voice, Speaker(speaker)))
}

/// Whether a program can be found: as a path, or in the folders of PATH.
fn exists(program: &str) -> bool {
    if program.contains(std::path::MAIN_SEPARATOR) {
        return std::path::Path::new(program).is_file();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let ending = std::env::consts::EXE_SUFFIX;
    std::env::split_paths(&folders)
        .any(|folder| folder.join(format!("{program}{ending}")).is_file())
}

fn speak(words: &[String], text: &str) -> io::Result<()> {
    let Some((program, options)) = words.split_first() else {
        return Ok(());
    };
    // A text of the referee never begins with a hyphen, so the program never reads it as an option.
    Command::new(program)
        .args(options)
        .arg(text)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(())
}

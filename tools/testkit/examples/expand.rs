//! `cargo xtask expand`: writes the golden transcripts of the stories.

use std::{env, fs, path::Path, process::ExitCode};

use testkit::story;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["--into", folder] => {
            for story in story::all() {
                for id in &story.rules {
                    let path = Path::new(folder).join(id);
                    let file = path.join(&story.name).with_extension("txt");
                    fs::create_dir_all(path).expect("the folder can be created");
                    fs::write(file, story.expand(id).text).expect("the file can be written");
                }
            }
        }
        [name, rules] => {
            let Some(story) = story::all().into_iter().find(|story| story.name == name) else {
                eprintln!("transcripts/ contains no story `{name}`");
                return ExitCode::from(2);
            };
            if !story.rules.contains(&rules) {
                eprintln!("the story `{name}` covers only {}", story.rules.join(", "));
                return ExitCode::from(2);
            }
            print!("{}", story.expand(rules).text);
        }
        _ => {
            eprintln!("usage: expand STORY RULESET, or expand --into FOLDER");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

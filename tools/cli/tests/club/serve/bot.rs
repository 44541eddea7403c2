//! The command `kriegspiel bot cmd:PROGRAM`: a program of the user at a club.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::PathBuf,
    process::{Child, ChildStderr, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use super::{LONG, Open, data, field, program, wait};

/// A script that records each line with the number of its process, and makes the first try.
const FIRST: &str = r#"
while read -r line; do
  echo "$$ $line" >> "$0.heard"
  case "$line" in
    *'"tries":[]'*) echo resign ;;
    *'"your_turn":true'*) t=${line#*'"tries":["'}; echo "${t%%\"*}" ;;
  esac
done
"#;

/// A running bot: its process, its name at the club, and what it says next.
struct Bot {
    child: Child,
    name: String,
    says: BufReader<ChildStderr>,
    script: PathBuf,
}

fn bot(club: &Open, file: &str, script: &str, games: u32) -> Bot {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file);
    fs::write(&path, script).unwrap();
    let _gone = fs::remove_file(path.with_extension("sh.heard"));
    let mut child = program()
        .arg("bot")
        .arg(format!("cmd:sh '{}'", path.display()))
        .args(["--url", &club.url, "--think", "0"])
        .args(["--games", &games.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut says = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    says.read_line(&mut line).unwrap();
    let name = line.trim_end().rsplit(' ').next().unwrap().to_owned();
    assert!(line.contains(" plays as guest"), "{line}");
    Bot {
        child,
        name,
        says,
        script: path,
    }
}

/// Asks until the answer is as wanted, and returns it.
fn until(club: &Open, path: &str, token: &str, wanted: impl Fn(&str) -> bool) -> String {
    let end = Instant::now() + LONG;
    loop {
        let said = club.ask("GET", path, token, "");
        if wanted(&said) {
            return said;
        }
        assert!(Instant::now() < end, "{said}");
        sleep(Duration::from_millis(20));
    }
}

/// Challenges a bot as a new guest who plays Black. Returns the token and the game.
fn challenge(club: &Open, bot: &str) -> (String, String) {
    let token = club.guest();
    let terms = r#""terms":{"rules":"wild16","time":{"kind":"fischer","initial":300,"increment":3},"rated":false,"color":"black"}"#;
    let asked = format!(r#"{{"to":"{bot}",{terms}}}"#);
    let made = club.ask("POST", "/api/challenges", &token, &asked);
    let challenge = field(&made, "id");
    let game = until(club, "/api/lobby", &token, |lobby| {
        !lobby.contains(&challenge) && lobby.contains("\"mine\":[{")
    });
    let (_, mine) = game.split_once("\"mine\":[{").unwrap();
    (token, field(&format!("{{{mine}"), "id"))
}

fn resign(club: &Open, token: &str, game: &str) {
    // The bot has White: after its first move, Black is to move.
    let path = format!("/api/games/{game}/view");
    let view = until(club, &path, token, |view| !view.contains(r#""tries":[]"#));
    let n = view.split(['{', ':', ',']).nth(2).unwrap();
    let resign = format!(r#"{{"id":"end","after":{n},"text":"resign"}}"#);
    club.ask("POST", &format!("/api/games/{game}/tries"), token, &resign);
}

#[test]
fn one_program_plays_several_games_at_once() {
    let club = Open::with(&data("programs.db"), &["--bots", "none"]);
    let mut bot = bot(&club, "first.sh", FIRST, 2);
    let games = [(), ()].map(|()| challenge(&club, &bot.name));
    for (token, game) in &games {
        resign(&club, token, game);
    }
    assert_eq!(wait(&mut bot.child).code(), Some(0));
    let heard = fs::read_to_string(bot.script.with_extension("sh.heard")).unwrap();
    let one = heard.split(' ').next().unwrap();
    assert!(
        heard.lines().all(|line| line.starts_with(one)),
        "one process plays all: {heard}"
    );
    for (_, game) in &games {
        let of_game: Vec<&str> = heard.lines().filter(|line| line.contains(game)).collect();
        assert!(
            of_game[0].contains(r#"{"new_game":{"protocol":2,"game":"#),
            "{heard}"
        );
        for part in [
            r#""color":"white""#,
            r#""rules":"wild16""#,
            r#""no_heard":"mover""#,
            r#""clock":{"initial":300,"increment":3}"#,
        ] {
            assert!(of_game[0].contains(part), "{part}: {heard}");
        }
        assert!(
            of_game[1].contains(r#""heard":[{"kind":"start","#),
            "{heard}"
        );
        assert!(
            of_game[2].contains(r#""your_turn":true,"tries":["#),
            "{heard}"
        );
        assert!(of_game[2].contains(r#""clock":"#), "{heard}");
        let last = of_game[of_game.len() - 1];
        assert!(last.contains(r#"{"end_game":"#), "{heard}");
    }
}

#[test]
fn the_end_of_a_program_is_reported_with_its_last_words() {
    let club = Open::with(&data("broken.db"), &["--bots", "none"]);
    let script = "read -r a; read -r b; read -r c; echo 'out of ideas' >&2; exit 3\n";
    let mut bot = bot(&club, "broken.sh", script, 5);
    let (token, game) = challenge(&club, &bot.name);
    assert_eq!(wait(&mut bot.child).code(), Some(1));
    let mut said = String::new();
    bot.says.read_to_string(&mut said).unwrap();
    assert!(
        said.contains("ended (exit status: 3); its last lines:\n  out of ideas"),
        "{said}"
    );
    let facts = club.ask("GET", &format!("/api/games/{game}"), &token, "");
    assert!(facts.contains("resignation"), "{facts}");
}

/// A script that makes the first try four times and then resigns.
const RESIGNS: &str = r#"
while read -r line; do
  case "$line" in
    *'"your_turn":true'*)
      n=$((n + 1)); t=${line#*'"tries":["'}
      if [ $n -gt 4 ]; then echo resign; else echo "${t%%\"*}"; fi ;;
  esac
done
"#;

#[test]
fn programs_that_wait_are_paired_on_the_ladder() {
    let club = Open::with(&data("ladder.db"), &["--bots", "none"]);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("ladder");
    let _gone = fs::remove_dir_all(&folder);
    let script = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("ladder.sh");
    fs::write(&script, RESIGNS).unwrap();
    let account = |name: &str| {
        let asked = format!(
            r#"{{"name":"{name}","password":"mZ9-kuvo-plaz","program":true,"token":true}}"#
        );
        field(&club.ask("POST", "/api/accounts", "", &asked), "token")
    };
    let (anna, bert) = (account("anna"), account("bert"));
    let start = |token: &str, version: &str| {
        let child = program()
            .arg("bot")
            .arg(format!("cmd:sh '{}'", script.display()))
            .args(["--url", &club.url, "--think", "0", "--games", "1"])
            .args(["--token", token, "--ranked", "--version", version])
            .env("XDG_STATE_HOME", &folder)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        child.unwrap()
    };
    let finishes = |mut child: Child| {
        let code = wait(&mut child).code();
        let mut said = String::new();
        child.stderr.unwrap().read_to_string(&mut said).unwrap();
        (code, said)
    };
    // The second games are played with the tokens that the first ones have kept.
    for games in ["1", "2"] {
        let bots = [start(&anna, "1"), start(&bert, "0_7")];
        for (bot, name) in bots.into_iter().zip(["anna-1", "bert-0_7"]) {
            let (code, said) = finishes(bot);
            assert_eq!(code, Some(0), "{said}");
            assert!(said.contains(&format!("plays as {name}")), "{said}");
        }
        let rated = r#""against":"programs","points""#;
        let person = until(&club, "/api/people/anna-1", &anna, |said| {
            said.matches(r#""game":"#).count().to_string() == games
        });
        assert!(
            person.contains(rated) && person.contains("bert-0_7"),
            "{person}"
        );
    }
    for (token, version, says) in [
        (club.guest(), "1", "the ladder is for programs"),
        (anna.clone(), "../1", "cannot be a version"),
        (anna.clone(), "1111111111111111", "2 to 20 letters"),
    ] {
        let (code, said) = finishes(start(&token, version));
        assert!(code != Some(0) && said.contains(says), "{code:?}: {said}");
    }
    let kept = fs::read_dir(folder.join("kriegspiel/ladder")).unwrap();
    let kept = kept.into_iter().next().unwrap().unwrap().path();
    fs::write(kept.join("anna-1"), &bert).unwrap();
    let (code, said) = finishes(start(&anna, "1"));
    let says = "is not one of anna-1";
    assert!(code != Some(0) && said.contains(says), "{said}");
    fs::remove_dir_all(&folder).unwrap();
    let (code, said) = finishes(start(&anna, "1"));
    let says = "choose another --version";
    assert!(code != Some(0) && said.contains(says), "{said}");
}

#[test]
fn a_bot_challenges_a_program_of_the_club() {
    let club = Open::with(&data("challenges.db"), &["--bots", "random"]);
    let script = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("challenges.sh");
    fs::write(&script, RESIGNS).unwrap();
    let done = program()
        .arg("bot")
        .arg(format!("cmd:sh '{}'", script.display()))
        .args(["--url", &club.url, "--think", "0", "--games", "2"])
        .args(["--challenge", "random", "--seek", "rand"])
        .output()
        .unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success(), "{said}");
    assert_eq!(
        said.matches("challenges random under rand").count(),
        2,
        "{said}"
    );
}

//! Writes a game as JSON lines of the umpire's stream.

use referee::{Game, StartPosition};
use rules::{ByListener, Calls, Listener, chess::Color, heard_by};
use wire::{AnswerJson, HeardJson, LineJson, OverJson, Side};

use super::loss::{Loss, Losses, lose, lose_head};
use crate::{
    Asked,
    audit::{Followed, Outcome},
    opening::is_usual,
    recorded_game::RecordedGame,
};

/// Maximum length of a text that was not understood, in characters. The rest is cut off.
const MAX_RAW: usize = 200;

fn told(listener: Listener, calls: &Calls) -> Vec<HeardJson> {
    heard_by(calls, listener)
        .map(|heard| HeardJson::from(&heard))
        .collect()
}

struct Writer {
    text: String,
    truth: StartPosition,
    n: u32,
}

impl Writer {
    #[allow(
        clippy::too_many_arguments,
        reason = "one argument for each part of a line"
    )]
    fn line(
        &mut self,
        game: &Game,
        by: Option<Color>,
        attempt: String,
        answer: AnswerJson,
        hears: ByListener<Vec<HeardJson>>,
        why: Option<String>,
    ) {
        let ByListener { white, black, room } = hears;
        let line = LineJson {
            n: self.n,
            by: by.map(Side::from),
            attempt,
            answer,
            white,
            black,
            room,
            fen: self.truth.fen(),
            to_move: game.to_move().map(Side::from),
            over: game.over().map(OverJson::from),
            why,
            tries: None,
            run: None,
            marginals: None,
        };
        let json = serde_json::to_string(&line).expect("the keys of a JSON line are strings");
        self.text.push_str(&json);
        self.text.push('\n');
        self.n = self.n.saturating_add(1);
    }
}

/// Returns the JSON lines of a game. The first line is `new`.
pub(super) fn write(game: &RecordedGame, followed: &Followed, losses: &mut Losses) -> String {
    lose_head(game, followed, losses);
    if !game.title.is_empty() || !game.source.is_empty() {
        lose(losses, Loss::Title, game.line);
    }
    let opened = &followed.opened;
    let named = rules::rulesets::by_id(&opened.rules);
    match named {
        None => lose(losses, Loss::CustomRules, game.line),
        Some(ruleset) if ruleset.choices != opened.choices => {
            lose(losses, Loss::Switches, game.line);
        }
        Some(_) => {}
    }
    let mut game = Game::open(opened.clone());
    let mut writer = Writer {
        text: String::new(),
        truth: opened.start.clone(),
        n: 0,
    };
    let new = if is_usual(&opened.start) {
        "new".to_owned()
    } else {
        format!("new {}", opened.start.fen())
    };
    let calls = game.opening_calls();
    let hears = ByListener::new_with(|listener| {
        let mut all = vec![HeardJson::from(&game.start(listener))];
        all.extend(told(listener, &calls));
        all
    });
    writer.line(&game, None, new, AnswerJson::New, hears, None);
    for step in &followed.steps {
        let (by, attempt) = asked(&step.asked);
        match &step.outcome {
            Outcome::Ruled(event) => {
                let calls = game.calls(event);
                let answer = event.answer().map_or(AnswerJson::New, AnswerJson::from);
                game.apply(event);
                if let Some(t) = event.played() {
                    writer.truth.play(t);
                }
                let hears = ByListener::new_with(|listener| told(listener, &calls));
                writer.line(&game, by, attempt, answer, hears, None);
            }
            Outcome::Refused(why) => {
                let nothing = ByListener::default();
                let why = Some(why.clone());
                writer.line(&game, by, attempt, AnswerJson::Refused, nothing, why);
            }
            Outcome::Unread => {
                let nothing = ByListener::default();
                let raw = attempt.chars().take(MAX_RAW).collect();
                let why = Some("not an attempt".to_owned());
                writer.line(&game, None, raw, AnswerJson::NotUnderstood, nothing, why);
            }
        }
    }
    writer.text
}

fn asked(asked: &Asked) -> (Option<Color>, String) {
    match asked {
        Asked::Start => (None, "new".to_owned()),
        Asked::Attempt { by, attempt } => (Some(*by), attempt.to_string()),
        Asked::Unread { text, .. } => (None, text.clone()),
        Asked::End(cause) => (cause.color(), cause.word().to_owned()),
    }
}

//! Lessons: short games of White from a given position, with a goal. The opponent's replies are
//! fixed, so equal attempts are answered in the same way.

use referee::{Game, Opened, Refusal, StartPosition};
use rules::{
    Attempt, Calls, Choices, Heard, Listener, Reply, Start, Try, Verdict, chess::Color, heard_by,
    rulesets,
};
use scores::Short;
use serde::Deserialize;

/// The lessons in their order, as JSON lines.
const LESSONS: &str = include_str!("../data/lessons.jsonl");
/// The side of the learner.
pub const LEARNER: Color = Color::White;

/// A lesson.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// Name of the lesson.
    pub id: String,
    /// Id of the ruleset.
    pub rules: String,
    /// FEN of the beginning.
    pub start: String,
    /// Moves that the opponent prefers, the best one first.
    #[serde(default)]
    pub replies: Vec<String>,
    /// Beginnings of short forms ([`Short`]) that the learner must hear in this order.
    pub goal: Vec<String>,
    /// Maximum number of own moves.
    pub moves: u8,
    /// Maximum number of attempts, if there is one.
    pub attempts: Option<usize>,
    /// Square on which the learner must first put a guess. Only the page checks it.
    pub guess: Option<String>,
    /// Attempts that reach the goal.
    pub solution: Vec<String>,
    /// Attempts that do not reach it.
    pub wrong: Vec<String>,
}

/// Returns the lessons in their order.
pub fn lessons() -> Vec<Lesson> {
    let lines = LESSONS.lines().map(serde_json::from_str);
    lines
        .map(|lesson| lesson.expect("the shipped file is valid; a test reads it"))
        .collect()
}

/// State of a lesson that is being played.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum LessonState {
    /// The learner is to move.
    Open,
    /// The goal is reached.
    Reached,
    /// The goal can no longer be reached.
    Missed,
}

/// A lesson that is being played.
#[derive(Clone, Debug)]
pub struct LessonGame<'a> {
    lesson: &'a Lesson,
    game: Game,
    /// Number of parts of the goal that were heard.
    reached: usize,
    moves: u8,
    attempts: usize,
}

impl LessonGame<'_> {
    /// Begins a lesson. Also returns what the learner hears at the beginning.
    ///
    /// # Errors
    /// Returns a message if the ruleset or the position cannot be used.
    pub fn open(lesson: &Lesson) -> Result<(LessonGame<'_>, Vec<Heard>), String> {
        let ruleset = rulesets::by_id(&lesson.rules).ok_or("there is no such ruleset")?;
        let choices = ruleset.choices;
        let start = StartPosition::from_fen(&lesson.start, &choices);
        let start = start.map_err(|error| format!("{}: {error}", lesson.start))?;
        let game = Game::open(Opened::new(ruleset, choices, start));
        let mut one = LessonGame {
            lesson,
            reached: 0,
            moves: 0,
            attempts: 0,
            game,
        };
        let calls = one.game.opening_calls();
        let mut heard: Vec<Heard> = heard_by(&calls, Listener::from(LEARNER)).collect();
        if one.game.to_move() == Some(LEARNER.other()) {
            heard.extend(one.reply());
        }
        one.hear(&heard);
        Ok((one, heard))
    }

    /// Returns what the learner knows at the beginning.
    pub fn start(&self) -> Start {
        self.game.start(Listener::from(LEARNER))
    }

    /// Returns the choices of the ruleset.
    pub fn choices(&self) -> &Choices {
        self.game.choices()
    }

    /// Returns the number of own moves that are left.
    pub fn left(&self) -> u8 {
        self.lesson.moves.saturating_sub(self.moves)
    }

    /// Returns the true position, after the end of the lesson.
    pub fn truth(&self) -> Option<String> {
        (self.state() != LessonState::Open).then(|| self.game.sheet().fen())
    }

    /// Returns the state of the lesson.
    pub fn state(&self) -> LessonState {
        let is_enough = |most| self.attempts >= most;
        if self.reached == self.lesson.goal.len() {
            LessonState::Reached
        } else if self.game.over().is_some()
            || self.left() == 0
            || self.lesson.attempts.is_some_and(is_enough)
        {
            LessonState::Missed
        } else {
            LessonState::Open
        }
    }

    /// Makes an attempt of the learner, and the opponent's reply to a move if the lesson goes on.
    /// Returns what the learner hears.
    ///
    /// # Errors
    /// Returns an error if the referee does not judge the attempt. In this case nothing changes.
    pub fn attempt(&mut self, attempt: Attempt) -> Result<Vec<Heard>, Refusal> {
        let mut calls = Calls::new();
        self.game.attempt(LEARNER, attempt, &mut calls)?;
        let mut heard: Vec<Heard> = heard_by(&calls, Listener::from(LEARNER)).collect();
        self.attempts += 1;
        self.moves += u8::from(heard.iter().any(is_move));
        self.hear(&heard);
        if self.state() == LessonState::Open && self.game.to_move() == Some(LEARNER.other()) {
            let reply = self.reply();
            self.hear(&reply);
            heard.extend(reply);
        }
        Ok(heard)
    }

    fn hear(&mut self, heard: &[Heard]) {
        for one in heard {
            let next = self.lesson.goal.get(self.reached);
            let is_next = |part: &String| Short(one).to_string().starts_with(part.as_str());
            self.reached += usize::from(next.is_some_and(is_next));
        }
    }

    /// Plays the first legal one of the preferred moves; if there is none, a capture or a move
    /// towards the centre. Returns what the learner hears.
    fn reply(&mut self) -> Vec<Heard> {
        let own = self.game.sheet().board().by_color(LEARNER);
        let rank = |t: &Try| {
            let name = t.to_string();
            let wanted = self.lesson.replies.iter().position(|one| *one == name);
            let (file, rank) = t.to().coords();
            let edge = |n: u32| (2 * i64::from(n) - 7).abs();
            let far = edge(u32::from(file)) + edge(u32::from(rank));
            (
                wanted.unwrap_or(usize::MAX),
                !own.contains(t.to()),
                far,
                name,
            )
        };
        let reply = self.game.sheet().legal_tries().into_iter().min_by_key(rank);
        let mut calls = Calls::new();
        let judged = reply.map(|t| {
            self.game
                .attempt(LEARNER.other(), t.into(), &mut calls)
                .is_ok()
        });
        if judged != Some(true) {
            return Vec::new();
        }
        heard_by(&calls, Listener::from(LEARNER)).collect()
    }
}

/// Whether the learner has moved.
fn is_move(heard: &Heard) -> bool {
    matches!(
        heard,
        Heard::Reply(Reply::Verdict {
            verdict: Verdict::Moved,
            by: LEARNER,
            ..
        })
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays attempts until the lesson is over; each of them must be judged.
    fn played(lesson: &Lesson, attempts: &[String]) -> LessonState {
        let (mut game, _) = LessonGame::open(lesson).unwrap();
        assert_eq!(game.state(), LessonState::Open, "{}", lesson.id);
        assert_eq!(game.truth(), None);
        for text in attempts {
            assert_eq!(game.state(), LessonState::Open, "{}: {text}", lesson.id);
            let attempt = text.parse().unwrap();
            game.attempt(attempt).unwrap();
        }
        assert_eq!(game.truth().is_some(), game.state() != LessonState::Open);
        game.state()
    }

    #[test]
    fn each_lesson_is_reached_by_its_solution_alone() {
        let all = lessons();
        assert!((10..=15).contains(&all.len()));
        for lesson in &all {
            let id = &lesson.id;
            assert_eq!(
                played(lesson, &lesson.solution),
                LessonState::Reached,
                "{id}"
            );
            assert_ne!(played(lesson, &lesson.wrong), LessonState::Reached, "{id}");
        }
    }
}

//! Lessons on the page: what the learner hears after some attempts. Nothing is stored: every request
//! holds all attempts, and the opponent answers the same attempts in the same way.

use std::sync::LazyLock;

use club::table::ListenerState;
use problems::lesson::{LEARNER, Lesson, LessonGame, LessonState, lessons};
use rules::Listener;
use wire::{LessonJson, LessonsJson, ProblemOutcomeJson, RefusalCode, named_choices};

use crate::{
    problems::{Asking, examined, hear, must_be_open},
    refusal::Refusal,
};

static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(lessons);

/// Returns the list.
pub fn listed() -> LessonsJson {
    LessonsJson {
        lessons: LESSONS.iter().map(|one| one.id.clone()).collect(),
    }
}

/// Returns a lesson after some attempts.
pub fn played(asking: &Asking) -> Result<LessonJson, Refusal> {
    let at = LESSONS.iter().position(|one| one.id == asking.id);
    let found = at.and_then(|at| Some((LESSONS.get(at)?, LESSONS.get(at + 1))));
    let (lesson, next) = found.ok_or_else(|| {
        let why = "there is no such lesson: GET /api/lessons lists them";
        Refusal::new(RefusalCode::NotFound, why).because("no-lesson")
    })?;
    let (mut game, heard) = LessonGame::open(lesson).map_err(unreadable)?;
    let choices = *game.choices();
    let mut ears = ListenerState::new(Listener::from(LEARNER), choices);
    hear(&mut ears, Some(game.start()), &heard);
    let mut attempts = Vec::new();
    asking.replay(|text| {
        must_be_open(outcome(&game))?;
        let attempt = examined(&ears, LEARNER, text)?;
        let heard = game
            .attempt(attempt)
            .map_err(|refusal| Refusal::new(RefusalCode::NotPossible, refusal.to_string()))?;
        hear(&mut ears, None, &heard);
        attempts.push(attempt.to_string());
        Ok(())
    })?;
    let view = ears.seat_view().ok_or_else(|| unreadable("no view"))?;
    let hearings = ears.hearings().iter();
    Ok(LessonJson {
        id: lesson.id.clone(),
        rules: lesson.rules.clone(),
        choices: named_choices(&choices),
        attempts,
        hearings: hearings
            .map(|hearing| present::hearing(hearing, &choices, Listener::from(LEARNER)))
            .collect(),
        view: present::seat_view(&view),
        left: game.left(),
        outcome: outcome(&game),
        truth: game.truth(),
        guess: lesson.guess.clone(),
        next: next.map(|one| one.id.clone()),
    })
}

fn outcome(game: &LessonGame<'_>) -> ProblemOutcomeJson {
    match game.state() {
        LessonState::Open => ProblemOutcomeJson::Open,
        LessonState::Reached => ProblemOutcomeJson::Solved,
        LessonState::Missed => ProblemOutcomeJson::Refuted,
    }
}

fn unreadable(why: impl Into<String>) -> Refusal {
    Refusal::new(RefusalCode::Unavailable, why.into())
}

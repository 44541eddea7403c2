//! Problems on the page: which are offered, and what the seat hears after some attempts. Nothing is
//! stored: every request holds all attempts, and the opponent, who sees everything, answers the same
//! attempts in the same way.

use std::{
    collections::BTreeSet,
    net::IpAddr,
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use club::{
    HeardItem, Hearing, request_id,
    table::{Asked, Body, Examined, ListenerState, Request, Update},
};
use problems::{
    Collection,
    defender::{Defender, ProblemState, Refutation, Solution},
};
use rules::{Announcement, Attempt, Heard, Listener, chess::Color};
use scores::{Problem, ProblemStart};
use wire::{
    ProblemJson, ProblemOutcomeJson, ProblemRowJson, ProblemThemeJson, ProblemsJson, RefusalCode,
    RefutationJson, Side, SolutionJson, named_choices,
};

use crate::{
    queue::{Queue, busy, closing, unsolved},
    refusal::Refusal,
};

/// Maximum number of own moves of an offered problem. Answers to longer ones can take minutes.
const MAX_MOVES: u32 = 4;
/// Maximum number of attempts in a request.
const MAX_ATTEMPTS: usize = 100;
/// Time after which an answer is given up. It usually takes milliseconds.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Number of problems on a page of the list.
const PAGE: usize = 60;
/// Maximum number of refuting positions in an answer.
const REFUTATIONS: usize = 3;
/// Author of the problems that the command `problems make` made.
const MADE: &str = "problems make";
/// A prime, so that the problem of the day visits every problem.
const STRIDE: usize = 7919;

/// The offered problems, the composed ones first.
static OFFERED: LazyLock<Vec<Offered>> = LazyLock::new(|| {
    let shipped = Collection::shipped().problems;
    shipped.into_iter().filter_map(Offered::new).collect()
});

/// A problem that the page offers.
struct Offered {
    problem: Problem,
    row: ProblemRowJson,
}

impl Offered {
    /// Returns `None` for a problem that is too long, that has no known answer, or that no position
    /// agrees with.
    fn new(problem: Problem) -> Option<Offered> {
        let moves = problem.own_moves.filter(|&n| n <= MAX_MOVES)?;
        problem.mate?;
        let positions = Defender::of(&problem).ok()?.positions();
        let author = problem.author.clone().filter(|author| author != MADE);
        let theme = match author {
            Some(_) => ProblemThemeJson::Composed,
            None if enemies(positions.first()?, problem.seat) == 1 => ProblemThemeJson::LoneKing,
            None => ProblemThemeJson::Men,
        };
        let row = ProblemRowJson {
            id: problem.id.clone(),
            rules: problem.rules.clone(),
            seat: Side::from(problem.seat),
            moves: u8::try_from(moves).ok()?,
            theme,
            author,
        };
        Some(Offered { problem, row })
    }

    /// Returns the next problem of the same ruleset, length and theme.
    fn next(&self) -> &str {
        let group = |row: &ProblemRowJson| (row.rules.clone(), row.moves, row.theme);
        let mut rows = OFFERED.iter().map(|one| &one.row).cycle();
        let mut others = rows
            .by_ref()
            .skip_while(|row| row.id != self.row.id)
            .skip(1)
            .filter(|row| group(row) == group(&self.row));
        others.next().map_or("", |row| &row.id)
    }
}

/// Counts the opponent's men in a position. The seat knows the number, because it heard every
/// capture.
fn enemies(fen: &str, seat: Color) -> usize {
    let board = fen.split([' ', '[']).next().unwrap_or_default();
    let men = board.chars().filter(char::is_ascii_alphabetic);
    men.filter(|man| man.is_ascii_uppercase() == seat.is_black())
        .count()
}

/// Lets a seat hear something; a turn begins a new hearing.
pub fn hear(ears: &mut ListenerState, start: Option<rules::Start>, heard: &[Heard]) {
    let mut items: Vec<HeardItem> = start.into_iter().map(HeardItem::Start).collect();
    let is_turn = |one: &Heard| matches!(one, Heard::Announced(Announcement::Turn { .. }));
    for part in heard.split_inclusive(is_turn) {
        items.extend(part.iter().map(|one| HeardItem::Heard(*one)));
        let hearing = Hearing {
            n: ears.n() + 1,
            heard: std::mem::take(&mut items).into(),
            clocks: None,
        };
        ears.take(Update {
            hearing: Some(hearing),
            ..Update::default()
        });
    }
}

/// Reads an attempt with what a seat has heard.
pub fn examined(ears: &ListenerState, seat: Color, text: &str) -> Result<Attempt, Refusal> {
    let request = Request {
        seat,
        id: request_id("problem")?,
        body: Body::Say {
            after: ears.n(),
            text: text.to_owned(),
        },
    };
    match ears.examine(&request)? {
        Examined::Admitted(Asked::Attempt(
            attempt @ (Attempt::Try(_) | Attempt::Any | Attempt::Px { .. }),
        )) => Ok(attempt),
        Examined::Admitted(_) | Examined::Answered(_) => {
            let why = "here only moves, `any`, `px` and, in a problem, `none` (no forced mate)";
            Err(Refusal::new(RefusalCode::NotUnderstood, why).because("problem-words"))
        }
    }
}

/// Properties by which the list is filtered.
pub struct Filter {
    pub moves: Option<u8>,
    pub rules: Option<String>,
    pub theme: Option<ProblemThemeJson>,
    pub author: Option<String>,
}

/// Returns a page of the list, which begins with number `from`.
pub fn list(filter: &Filter, from: usize) -> ProblemsJson {
    let wants = |row: &&ProblemRowJson| {
        filter.moves.is_none_or(|moves| moves == row.moves)
            && filter.rules.as_ref().is_none_or(|id| *id == row.rules)
            && filter.theme.is_none_or(|theme| theme == row.theme)
            && (filter.author.is_none() || filter.author == row.author)
    };
    let rows = || OFFERED.iter().map(|one| &one.row);
    let found: Vec<&ProblemRowJson> = rows().filter(wants).collect();
    let distinct = |texts: BTreeSet<&String>| texts.into_iter().cloned().collect();
    ProblemsJson {
        total: u32::try_from(found.len()).unwrap_or(u32::MAX),
        problems: found.into_iter().skip(from).take(PAGE).cloned().collect(),
        rules: distinct(rows().map(|row| &row.rules).collect()),
        authors: distinct(rows().filter_map(|row| row.author.as_ref()).collect()),
    }
}

/// A request about one problem or lesson.
#[derive(Clone, Debug)]
pub struct Asking {
    /// Its name; `today` for the problem of the day.
    pub id: String,
    /// Number of days since the beginning of 1970.
    pub day: u32,
    /// Earlier attempts.
    pub attempts: Vec<String>,
    /// A new attempt.
    pub attempt: Option<String>,
}

impl Asking {
    /// Makes the attempts one after the other.
    pub fn replay(
        &self,
        mut attempt: impl FnMut(&str) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        if self.attempts.len() + usize::from(self.attempt.is_some()) > MAX_ATTEMPTS {
            let why = format!("at most {MAX_ATTEMPTS} attempts: begin again");
            return Err(Refusal::new(RefusalCode::TooLarge, why));
        }
        for (n, text) in self.attempts.iter().enumerate() {
            attempt(text).map_err(|refusal| {
                let why = format!("`attempts`, number {}: {}", n + 1, refusal.why);
                Refusal {
                    why: why.into(),
                    ..refusal
                }
            })?;
        }
        self.attempt.as_deref().map_or(Ok(()), attempt)
    }

    /// Returns the properties of the problem.
    pub fn row(&self) -> Result<&'static ProblemRowJson, Refusal> {
        Ok(&self.problem()?.row)
    }

    fn problem(&self) -> Result<&'static Offered, Refusal> {
        let found = if self.id == "today" {
            let day = usize::try_from(self.day).unwrap_or(0);
            OFFERED.get(day.wrapping_mul(STRIDE) % OFFERED.len())
        } else {
            let is_it = |one: &&Offered| one.row.id.eq_ignore_ascii_case(&self.id);
            OFFERED.iter().find(is_it)
        };
        found.ok_or_else(|| {
            Refusal::new(
                RefusalCode::NotFound,
                "there is no such problem here: GET /api/problems lists those with at most 4 moves",
            )
            .because("no-problem")
        })
    }
}

/// Refuses an attempt after the end.
pub fn must_be_open(outcome: ProblemOutcomeJson) -> Result<(), Refusal> {
    if outcome == ProblemOutcomeJson::Open {
        return Ok(());
    }
    let why = "this is over: take the last attempt back";
    Err(Refusal::new(RefusalCode::GameOver, why).because("problem-over"))
}

/// A problem that is being solved.
struct Session {
    offered: &'static Offered,
    defender: Defender,
    ears: ListenerState,
    possible: usize,
    start: Option<String>,
    attempts: Vec<String>,
    outcome: ProblemOutcomeJson,
    refutations: Vec<Refutation>,
}

impl Session {
    fn open(offered: &'static Offered) -> Result<Session, Refusal> {
        let problem = &offered.problem;
        let defender = Defender::of(problem).map_err(|_| unsolved())?;
        let positions = defender.positions();
        let start = problems::start(problem).map_err(|_| unsolved())?;
        let mut ears = ListenerState::new(Listener::from(problem.seat), *defender.choices());
        let heard = match problem.heard.as_slice() {
            [] => &defender.opening(),
            heard => heard,
        };
        hear(&mut ears, Some(start), heard);
        Ok(Session {
            offered,
            ears,
            possible: positions.len(),
            start: <[String; 1]>::try_from(positions).ok().map(|[fen]| fen),
            attempts: Vec::new(),
            outcome: ProblemOutcomeJson::Open,
            refutations: Vec::new(),
            defender,
        })
    }

    fn must_be_open(&self) -> Result<(), Refusal> {
        must_be_open(self.outcome)
    }

    /// Makes an attempt, and the opponent's reply.
    fn attempt(&mut self, text: &str, stop: &dyn Fn() -> bool) -> Result<(), Refusal> {
        self.must_be_open()?;
        if text == "none" {
            self.attempts.push(text.to_owned());
            self.outcome = match self.defender.solution(stop) {
                Some(Solution::Mate(_)) => ProblemOutcomeJson::MateExists,
                Some(Solution::NoMate(core)) => {
                    self.refutations = core.into_iter().map(standing).collect();
                    ProblemOutcomeJson::Solved
                }
                None => return Err(unsolved()),
            };
            return Ok(());
        }
        let attempt = examined(&self.ears, self.offered.problem.seat, text)?;
        let left = self.defender.left();
        let heard = self
            .defender
            .attempt(attempt, stop)
            .map_err(|refusal| Refusal::new(RefusalCode::NotPossible, refusal.to_string()))?;
        hear(&mut self.ears, None, &heard);
        self.attempts.push(attempt.to_string());
        // A question or a refused try does not tell whether there was a forced mate.
        self.refutations = match self.defender.left() < left {
            true => self.defender.refutations(),
            false => Vec::new(),
        };
        self.outcome = match self.defender.state() {
            ProblemState::Mated => ProblemOutcomeJson::Solved,
            ProblemState::Failed => ProblemOutcomeJson::Refuted,
            ProblemState::Open if self.refutations.is_empty() => ProblemOutcomeJson::Open,
            ProblemState::Open => ProblemOutcomeJson::Refuted,
        };
        Ok(())
    }

    fn json(&self, day: Option<u32>) -> Result<ProblemJson, Refusal> {
        let problem = &self.offered.problem;
        let choices = self.defender.choices();
        let listener = Listener::from(problem.seat);
        let hearings = self.ears.hearings().iter();
        let refutations = self.refutations.iter().take(REFUTATIONS);
        Ok(ProblemJson {
            problem: self.offered.row.clone(),
            source: self.offered.row.author.as_ref().and(problem.source.clone()),
            possible: u32::try_from(self.possible).unwrap_or(u32::MAX),
            start: self.start.clone(),
            given: given(problem),
            choices: named_choices(choices),
            attempts: self.attempts.clone(),
            hearings: hearings
                .map(|hearing| present::hearing(hearing, choices, listener))
                .collect(),
            view: present::seat_view(&self.ears.seat_view().ok_or_else(unsolved)?),
            left: self.defender.left(),
            outcome: self.outcome,
            refutations: refutations
                .map(|one| RefutationJson {
                    start: one.start.clone(),
                    moves: one.moves.iter().map(ToString::to_string).collect(),
                    end: one.end.clone(),
                })
                .collect(),
            next: self.offered.next().to_owned(),
            day,
        })
    }
}

/// Returns the positions that a problem tells the seat. Their order says nothing of the answer.
fn given(problem: &Problem) -> Vec<String> {
    match &problem.start {
        ProblemStart::Fen(fen) => vec![fen.clone()],
        ProblemStart::Positions(fens) => {
            let mut fens = fens.clone();
            fens.sort();
            fens
        }
        ProblemStart::Usual | ProblemStart::Unknown { .. } => Vec::new(),
    }
}

/// A position at the beginning that refutes.
fn standing(fen: String) -> Refutation {
    Refutation {
        start: fen.clone(),
        moves: Vec::new(),
        end: fen,
    }
}

/// Plays the attempts of a request.
fn replayed(asking: &Asking, stop: &dyn Fn() -> bool) -> Result<Session, Refusal> {
    let mut session = Session::open(asking.problem()?)?;
    asking.replay(|text| session.attempt(text, stop))?;
    Ok(session)
}

/// Returns a problem after some attempts.
pub fn played(asking: &Asking, stop: &dyn Fn() -> bool) -> Result<ProblemJson, Refusal> {
    let day = (asking.id == "today").then_some(asking.day);
    replayed(asking, stop)?.json(day)
}

/// Returns the answer to a problem after some attempts.
pub fn solved(asking: &Asking, stop: &dyn Fn() -> bool) -> Result<SolutionJson, Refusal> {
    let session = replayed(asking, stop)?;
    session.must_be_open()?;
    match session.defender.solution(stop) {
        Some(Solution::Mate(attempt)) => Ok(SolutionJson {
            attempt: Some(attempt.to_string()),
        }),
        Some(Solution::NoMate(_)) => Ok(SolutionJson { attempt: None }),
        None => Err(unsolved()),
    }
}

/// Answers a request in the queue of the computations. `work` gets a function that tells when it
/// must stop.
pub async fn computed<T: Send + 'static>(
    queue: &Arc<Queue>,
    address: IpAddr,
    work: impl FnOnce(&dyn Fn() -> bool) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let place = queue.place(address).ok_or_else(busy)?;
    let queue = Arc::clone(queue);
    // The place and the turn are held until the work ends, even if nobody waits for it any more.
    let task = tokio::spawn(async move {
        let _place = place;
        let _turn = queue.turn().await;
        let watched = Arc::clone(&queue);
        let work = tokio::task::spawn_blocking(move || {
            // The first request reads the problems, which is no part of its own time.
            LazyLock::force(&OFFERED);
            let begun = Instant::now();
            let stop = || begun.elapsed() >= TIMEOUT || watched.is_closing();
            let done = work(&stop);
            // A search that was stopped may have decided nothing, or another thing.
            if watched.is_closing() {
                Err(closing())
            } else if stop() {
                Err(unsolved())
            } else {
                done
            }
        });
        work.await.unwrap_or_else(|_| Err(unsolved()))
    });
    task.await.unwrap_or_else(|_| Err(unsolved()))
}

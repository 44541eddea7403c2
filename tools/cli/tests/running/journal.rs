//! A player's record of everything that the player heard. Every later message is
//! checked against this record.

use std::collections::BTreeMap;

use wire::{ClientSays, ClocksJson, HearingJson, RefusalCode, Side, TableAct};

use super::wall;

/// Content of a request.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum RequestContent {
    Try { after: u32, text: String },
    Act(TableAct),
}

/// Answer to a request.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Answer {
    pub n: Option<u32>,
    pub answer: String,
    pub why: String,
}

/// A request and its result.
#[derive(Clone, Debug)]
pub struct Ask {
    pub id: String,
    pub game: String,
    pub what: RequestContent,
    /// The first answer that arrived.
    pub answer: Option<Answer>,
    /// Refusal of the request.
    pub refused: Option<RefusalCode>,
    /// Time at which the unanswered request was last sent.
    pub sent: i64,
    /// Number of times that the request was sent again because it had no answer.
    pub again: u32,
}

impl Ask {
    pub fn is_open(&self) -> bool {
        self.answer.is_none() && self.refused.is_none()
    }

    pub fn says(&self) -> ClientSays {
        let (id, game) = (self.id.clone(), self.game.clone());
        match &self.what {
            RequestContent::Try { after, text } => ClientSays::Try {
                id,
                game,
                after: *after,
                text: text.clone(),
                ask: false,
            },
            RequestContent::Act(act) => ClientSays::Act {
                id,
                game,
                act: *act,
            },
        }
    }
}

/// What a player has heard of one game.
#[derive(Clone, Debug)]
pub struct Book {
    pub side: Side,
    /// Each hearing in order, as it was first received.
    pub heard: Vec<HearingJson>,
}

/// Everything that a player has recorded.
#[derive(Debug, Default)]
pub struct Journal {
    /// Name of the player.
    pub name: String,
    pub asks: Vec<Ask>,
    pub books: BTreeMap<String, Book>,
    /// Violations that were found.
    pub faults: Vec<String>,
    /// Number of answers that were received again, unchanged.
    pub repeated: u64,
    /// Number of hearings that were received again, unchanged.
    pub reheard: u64,
}

impl Journal {
    pub fn fault(&mut self, why: String) {
        self.faults.push(format!("{}: {why}", self.name));
    }

    /// Returns the number of the last hearing of a game.
    pub fn heard(&self, game: &str) -> u32 {
        let book = self.books.get(game);
        book.map_or(0, |book| book.heard.len() as u32)
    }

    /// Returns the number of the hearing that the last answer names; 0 if the last
    /// answer names no hearing.
    pub fn told(&self) -> u32 {
        let last = self.asks.last();
        last.and_then(|ask| ask.answer.as_ref()?.n).unwrap_or(0)
    }

    /// Returns the request that is not answered yet.
    pub fn open(&self) -> Option<&Ask> {
        self.asks.last().filter(|ask| ask.is_open())
    }

    pub fn ask(&mut self, game: &str, what: RequestContent) -> &Ask {
        let id = format!("{}-{}", self.name, self.asks.len());
        self.asks.push(Ask {
            id,
            game: game.to_owned(),
            what,
            answer: None,
            refused: None,
            sent: wall(),
            again: 0,
        });
        &self.asks[self.asks.len() - 1]
    }

    /// Returns the open request, to be sent again.
    pub fn ask_again(&mut self) -> Option<Ask> {
        let ask = self.asks.last_mut().filter(|ask| ask.is_open())?;
        ask.again += 1;
        ask.sent = wall();
        Some(ask.clone())
    }

    /// Records a hearing, which must be new or equal to an earlier one.
    pub fn hear(&mut self, game: &str, hearing: HearingJson) {
        let Some(book) = self.books.get_mut(game) else {
            return self.fault(format!(
                "heard of game {game}, where this player has no seat"
            ));
        };
        let place = hearing.n as usize;
        if place == book.heard.len() + 1 {
            book.heard.push(hearing);
            return;
        }
        match place.checked_sub(1).and_then(|place| book.heard.get(place)) {
            Some(before) if *before == hearing => self.reheard += 1,
            Some(before) => {
                let why = format!("game {game}: heard {before:?}, and later {hearing:?}");
                self.fault(why);
            }
            None => {
                let why = format!("game {game}: {place} after {}", book.heard.len());
                self.fault(why);
            }
        }
    }

    /// Records an answer. Returns whether it is the first answer to its request.
    pub fn answered(&mut self, id: &str, answer: Answer) -> bool {
        let Some(ask) = self.asks.iter_mut().rev().find(|ask| ask.id == id) else {
            self.fault(format!("an answer to {id}, which was never asked"));
            return false;
        };
        match &ask.answer {
            None => {
                let first = ask.refused.is_none();
                ask.answer = Some(answer);
                if !first {
                    let why = format!("{ask:?} was refused, and then answered");
                    self.fault(why);
                }
                first
            }
            Some(before) if *before == answer => {
                self.repeated += 1;
                false
            }
            Some(before) => {
                let why = format!("{id}: answered {before:?}, and later {answer:?}");
                self.fault(why);
                false
            }
        }
    }

    pub fn refused(&mut self, id: &str, code: RefusalCode, why: &str) {
        let Some(ask) = self.asks.iter_mut().rev().find(|ask| ask.id == id) else {
            return self.fault(format!("{id} was refused, and never asked"));
        };
        // Both players may offer a rematch at the same time, and then one offer is refused. All
        // other requests of the players are allowed.
        let may_be = matches!(ask.what, RequestContent::Act(_)) && code == RefusalCode::NotPossible;
        let open = ask.is_open();
        ask.refused.get_or_insert(code);
        if !open || !may_be {
            let fault = format!("{ask:?} was refused: {why}");
            self.fault(fault);
        }
    }
}

/// A period in which no club was running. The period begins when one club was certainly dead, and
/// ends with the start of the next club.
#[derive(Copy, Clone, Debug)]
pub struct Outage {
    pub from: i64,
    pub until: i64,
}

/// If an outage is longer than this, the club credits the outage, so that no clock counts it. In
/// milliseconds. The club measures an outage from its last heartbeat.
const GAP: i64 = 1_200;

/// Increment per move, in milliseconds.
pub const INCREMENT: i64 = 5_000;

/// Numbers of checked intervals. Each interval is the time between two hearings of one seat.
#[derive(Copy, Clone, Debug, Default)]
pub struct ClocksSeen {
    /// Intervals without an outage. A clock must count exactly the elapsed time, unless the machine
    /// was overloaded.
    pub exact: u64,
    /// Intervals with an outage that had to be credited.
    pub credited: u64,
}

impl Journal {
    /// Checks the clocks of all games, from hearing to hearing. Without an outage, a clock must
    /// count exactly the time that passed. No clock may count an outage that must be credited.
    /// `credits` contains the times of the rows that credit an outage, for each game.
    pub fn check_clocks(
        &mut self,
        outages: &[Outage],
        credits: &BTreeMap<String, Vec<i64>>,
    ) -> ClocksSeen {
        let mut seen = ClocksSeen::default();
        let mut faults = Vec::new();
        for (game, book) in &self.books {
            let clocks = book.heard.iter().filter_map(|hearing| hearing.clocks);
            let clocks: Vec<ClocksJson> = clocks.collect();
            let rows = credits.get(game).map_or(&[][..], Vec::as_slice);
            for pair in clocks.windows(2) {
                let [before, after] = pair else { continue };
                if before == after {
                    continue;
                }
                let is_credited = rows.iter().any(|at| (before.at..=after.at).contains(at));
                if let Err(why) = span(before, after, outages, is_credited, &mut seen) {
                    faults.push(format!("game {game}: {why}: {before:?} {after:?}"));
                }
            }
        }
        for fault in faults {
            self.fault(fault);
        }
        seen
    }
}

/// Returns the time that a clock counted between two hearings, in milliseconds; `None` if no clock
/// ran.
pub fn counted(before: &ClocksJson, after: &ClocksJson) -> Result<Option<i64>, String> {
    let left = |clocks: &ClocksJson, side| match side {
        Side::White => clocks.white,
        Side::Black => clocks.black,
    };
    let Some(side) = before.running else {
        let same = (before.white, before.black) == (after.white, after.black);
        return if same {
            Ok(None)
        } else {
            Err("a stopped clock lost time".to_owned())
        };
    };
    let other = match side {
        Side::White => Side::Black,
        Side::Black => Side::White,
    };
    if left(before, other) != left(after, other) {
        return Err("the clock of the side that was not to move lost time".to_owned());
    }
    let moved = after.running == Some(other);
    let increment = if moved { INCREMENT } else { 0 };
    Ok(Some(left(before, side) - left(after, side) + increment))
}

fn span(
    before: &ClocksJson,
    after: &ClocksJson,
    outages: &[Outage],
    is_credited: bool,
    seen: &mut ClocksSeen,
) -> Result<(), String> {
    let Some(lost) = counted(before, after)? else {
        return Ok(());
    };
    let passed = after.at - before.at;
    let within = |outage: &&Outage| outage.until > before.at && outage.from < after.at;
    let inside: Vec<&Outage> = outages.iter().filter(within).collect();
    // Only the part of an outage that lies between the two hearings counts.
    let away: i64 = inside
        .iter()
        .filter(|outage| outage.until - outage.from > GAP)
        .map(|outage| outage.until.min(after.at) - outage.from.max(before.at))
        .sum();
    if away > 0 {
        seen.credited += 1;
    }
    if inside.is_empty() {
        // On an overloaded machine the club may credit a period in which the club itself did
        // not run. Then the log has a row that says so.
        let stood_still = is_credited && (0..passed).contains(&lost);
        if lost != passed && !stood_still {
            return Err(format!("lost {lost} in {passed} ms"));
        }
        seen.exact += 1;
    } else if lost > passed - away || lost < 0 {
        return Err(format!(
            "lost {lost} of {passed} ms, in {away} of which no club was up"
        ));
    }
    Ok(())
}

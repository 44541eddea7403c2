//! Plays the games of a pair again, and compares everything that reaches the
//! listener.

use std::collections::BTreeMap;

use notation::{row_words, start_words, words};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use referee::{Event, Game};
use rules::{Announcement, DrawTalk, Heard, Reason, Reply, Start, Verdict};
use wire::{HeardJson, ParsedHeard};

use super::{
    Happening, Pair, Step, difference::Difference, heard_by, listener_view::ListenerView, probes,
};

/// Counts of what was compared.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Compared {
    /// Completed moves in each game.
    pub plies: u32,
    /// Length of the longest sequence of moves in which the two boards differed after every move.
    pub differing: u32,
    /// Number of attempts, in both games, that the listener does not hear.
    pub whispers: u64,
    /// Number of refused tries among the attempts that `whispers` counts.
    pub refusals: u64,
    /// Number of times that the listener's views in the two games were compared.
    pub views: u64,
    /// Number of times that a view was compared with a view rebuilt from JSON.
    pub rebuilt: u64,
    /// Number of compared lists of tries.
    pub tries: u64,
    /// Number of compared texts of refusals.
    pub texts: u64,
    /// Number of compared answers that must not depend on the true position.
    pub verdicts: u64,
    /// Number of bytes that the listener received and that were compared.
    pub bytes: u64,
    /// Number of things heard, by kind.
    pub kinds: BTreeMap<&'static str, u64>,
}

impl Compared {
    /// Adds the counts of another pair. `differing` becomes the larger value.
    pub fn add(&mut self, other: &Compared) {
        self.plies += other.plies;
        self.differing = self.differing.max(other.differing);
        self.whispers += other.whispers;
        self.refusals += other.refusals;
        self.views += other.views;
        self.rebuilt += other.rebuilt;
        self.tries += other.tries;
        self.texts += other.texts;
        self.verdicts += other.verdicts;
        self.bytes += other.bytes;
        for (kind, n) in &other.kinds {
            *self.kinds.entry(kind).or_default() += n;
        }
    }
}

/// Plays the games of a pair again. After every step, compares everything that
/// the listener has, and every answer that the listener could get.
///
/// # Errors
/// The first difference by which the listener could distinguish the games.
pub fn compare(pair: &Pair) -> Result<Compared, Box<Difference>> {
    let games = [0, 1].map(|which| Game::open(pair.opened[which].clone()));
    let starts = [0, 1].map(|which: usize| games[which].start(pair.listener));
    let opening = [0, 1].map(|which: usize| heard_by(pair.listener, &games[which].opening_calls()));
    let views = [0, 1]
        .map(|which: usize| ListenerView::open(*pair.choices(), pair.listener, &starts[which]));
    let mut comparison = Comparison {
        pair,
        games,
        rebuilt: views[0].clone(),
        views,
        at: 0,
        run: 0,
        rng: ChaCha8Rng::seed_from_u64(pair.index),
        compared: Compared::default(),
    };
    comparison.open(&starts)?;
    comparison.tell(opening)?;
    comparison.look()?;
    for (at, step) in (1..).zip(&pair.steps) {
        comparison.at = at;
        comparison.step(step)?;
    }
    Ok(comparison.compared)
}

pub(super) struct Comparison<'a> {
    pub pair: &'a Pair,
    /// The games, with the true positions.
    pub games: [Game; 2],
    pub views: [ListenerView; 2],
    rebuilt: ListenerView,
    at: usize,
    /// Number of moves since the two boards were last equal.
    run: u32,
    pub rng: ChaCha8Rng,
    pub compared: Compared,
}

type Checked = Result<(), Box<Difference>>;

impl Comparison<'_> {
    /// Compares two texts that reach the listener. The two texts must be equal, byte by byte.
    pub fn same(&mut self, what: &'static str, is: [String; 2]) -> Checked {
        if is[0] != is[1] {
            return Err(self.difference(what, is));
        }
        self.compared.bytes += is[0].len() as u64;
        Ok(())
    }

    pub fn difference(&self, what: &'static str, is: [String; 2]) -> Box<Difference> {
        Box::new(Difference {
            index: self.pair.index,
            rules: self.pair.rules().to_owned(),
            listener: format!("{:?}", self.pair.listener),
            step: self.at,
            what,
            is,
        })
    }

    fn each<T>(&self, of: impl Fn(&Self, usize) -> T) -> [T; 2] {
        [of(self, 0), of(self, 1)]
    }

    fn open(&mut self, starts: &[Start; 2]) -> Checked {
        let lines = [0, 1].map(|which: usize| json(&[HeardJson::from(&starts[which])]));
        let text = lines[0].clone();
        self.same("the start, as JSON", lines)?;
        self.same(
            "the start, in words",
            [start_words(&starts[0]), start_words(&starts[1])],
        )?;
        self.rebuild(&text)
    }

    /// Updates the view that is built only from JSON.
    fn rebuild(&mut self, text: &str) -> Checked {
        let failed = |why: String| [text.to_owned(), why];
        let list: Vec<HeardJson> = serde_json::from_str(text)
            .map_err(|e| self.difference("unreadable JSON", failed(e.to_string())))?;
        for heard in &list {
            let told = ParsedHeard::try_from(heard).map_err(|e| {
                self.difference("JSON with an unknown meaning", failed(e.to_string()))
            })?;
            match told.under(self.pair.choices()) {
                ParsedHeard::Start(start) => {
                    self.rebuilt =
                        ListenerView::open(*self.pair.choices(), self.pair.listener, &start);
                }
                ParsedHeard::Heard(heard) => self.rebuilt.hear(&heard),
            }
        }
        Ok(())
    }

    /// Passes what was heard to both views, and compares its text and its JSON. If `heard` is
    /// empty, nothing is sent, so nothing is compared.
    fn tell(&mut self, heard: [Vec<Heard>; 2]) -> Checked {
        if heard[0] != heard[1] {
            let is = heard.map(|h| format!("{h:?}"));
            return Err(self.difference("what is heard (these games are not a pair)", is));
        }
        let [heard, _] = heard;
        if heard.is_empty() {
            return Ok(());
        }
        for one in &heard {
            *self.compared.kinds.entry(kind(one)).or_default() += 1;
            self.views[0].hear(one);
            self.views[1].hear(one);
        }
        let list: Vec<HeardJson> = heard.iter().map(HeardJson::from).collect();
        let said = self.each(|me, which| {
            let mut said: Vec<String> = heard
                .iter()
                .filter_map(|one| words(one, me.pair.choices(), me.pair.listener))
                .collect();
            if let Some(row) = me.views[which].seat().and_then(|v| v.last_nonsense()) {
                said.push(row_words(row, me.pair.choices()).to_owned());
            }
            said.join(" ")
        });
        self.same("what is heard, in words", said)?;
        self.rebuild(&json(&list))
    }

    fn step(&mut self, step: &Step) -> Checked {
        let mut heard = [Vec::new(), Vec::new()];
        let mut last = [None, None];
        for which in 0..2 {
            for happening in &step.happenings[which] {
                let (event, hears) = self.judge(which, *happening)?;
                if !hears.is_empty() {
                    // The listener hears this action, so this action is the last of the step. The
                    // last actions of the two games are applied together, below.
                    heard[which] = hears;
                    last[which] = Some(event);
                    break;
                }
                self.compared.whispers += 1;
                self.compared.refusals += u64::from(matches!(event, Event::Rebuffed { .. }));
                self.games[which].apply(&event);
            }
        }
        let whispered = (0..2).any(|w| step.happenings[w].len() > usize::from(last[w].is_some()));
        if whispered {
            self.look()?;
        }
        let moved = matches!(last[0], Some(Event::Moved { .. }));
        for (which, event) in last.into_iter().enumerate() {
            if let Some(event) = event {
                self.games[which].apply(&event);
            }
        }
        if moved {
            self.compared.plies += 1;
            if self.games[0].sheet().board() == self.games[1].sheet().board() {
                self.run = 0;
            } else {
                self.run += 1;
                self.compared.differing = self.compared.differing.max(self.run);
            }
        }
        self.tell(heard)?;
        self.look()
    }

    fn judge(
        &self,
        which: usize,
        happening: Happening,
    ) -> Result<(Event, Vec<Heard>), Box<Difference>> {
        match happening.judged(&self.games[which]) {
            Ok(ruling) => Ok((ruling.event, heard_by(self.pair.listener, &ruling.calls))),
            Err(refusal) => Err(self.difference(
                "what happened (these games are not a pair)",
                [happening.to_string(), refusal.to_string()],
            )),
        }
    }

    /// Compares the views, and everything that the listener can ask for.
    fn look(&mut self) -> Checked {
        if self.views[0] != self.views[1] {
            let is = self.each(|me, which| format!("{:?}", me.views[which]));
            return Err(self.difference("the view", is));
        }
        self.compared.views += 1;
        if self.rebuilt != self.views[0] {
            let is = [&self.rebuilt, &self.views[0]].map(|view| format!("{view:?}"));
            return Err(self.difference("the view rebuilt from JSON", is));
        }
        self.compared.rebuilt += 1;
        probes::all(self)
    }
}

/// Returns the JSON text as it is sent.
pub(super) fn json(list: &[HeardJson]) -> String {
    serde_json::to_string(list).expect("what is heard can be written as JSON")
}

const fn kind(heard: &Heard) -> &'static str {
    match heard {
        Heard::Reply(Reply::Verdict {
            verdict, attempt, ..
        }) => match (verdict, attempt) {
            (Verdict::Moved, Some(_)) => "own move",
            (Verdict::Moved, None) => "move",
            (Verdict::No, Some(_)) => "own no",
            (Verdict::No, None) => "no",
            (Verdict::Nonsense, Some(_)) => "own nonsense",
            (Verdict::Nonsense, None) => "nonsense",
            (Verdict::RepeatNo, Some(_)) => "own repeat no",
            (Verdict::RepeatNo, None) => "repeat no",
        },
        Heard::Reply(Reply::Any { .. }) => "any",
        Heard::Lost { .. } => "lost",
        Heard::Announced(Announcement::Capture(_)) => "capture",
        Heard::Announced(Announcement::Drop { .. }) => "drop",
        Heard::Announced(Announcement::Promotion { .. }) => "promotion",
        Heard::Announced(Announcement::Check { .. }) => "check",
        Heard::Announced(Announcement::Tries(_)) => "tries",
        Heard::Announced(Announcement::Turn { .. }) => "turn",
        Heard::Reply(Reply::Rebuffs { .. }) => "rebuffs",
        Heard::Reply(Reply::Recap { .. }) => "recap",
        Heard::Draw(DrawTalk::Offer { .. }) => "draw offer",
        Heard::Draw(DrawTalk::Declined { .. }) => "draw declined",
        Heard::Draw(DrawTalk::Withdrawn { .. }) => "draw withdrawn",
        Heard::Over(over) => match over.reason {
            Reason::Checkmate => "over, checkmate",
            Reason::Stalemate => "over, stalemate",
            Reason::Insufficient => "over, insufficient",
            Reason::Threefold => "over, threefold",
            Reason::Fifty => "over, fifty",
            Reason::Resignation => "over, resignation",
            Reason::Agreement => "over, agreement",
            Reason::Time => "over, time",
            Reason::ExhaustedTries => "over, exhausted tries",
            Reason::Aborted => "over, aborted",
            Reason::Abandoned => "over, abandoned",
        },
    }
}

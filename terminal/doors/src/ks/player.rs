//! A player at one end of a game of `ks`. Turns typed lines into messages, and messages into
//! output. A player knows only what the player's seat heard.

use std::{collections::VecDeque, io, path::PathBuf};

use notation::{BoardNames, ReadError, TypedError, over_words, read_typed, row_words};
use rules::{
    Attempt, Heard, PawnTries, Reply, Try, Verdict,
    chess::{Color, Square},
    rulesets,
};
use views::PlayerView;
use wire::{ClientSays, HearingJson, ParsedHeard, ServerSays};

use super::{
    journal::{Journal, JournalEntry, JournalRequest},
    says::{GuestSays, HostSays, SCORE, plain},
    score::Score,
    show::{HELP, board, sentence, turned, turned_try},
    state_file::AgreedGame,
};

/// Maximum number of lines that wait while a request is not answered yet.
const TYPED_AHEAD_CAPACITY: usize = 100;

/// What must be done after a typed line or a received message.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Reaction {
    /// Messages to the other end.
    pub says: Vec<GuestSays>,
    /// Lines to show to the player.
    pub shows: Vec<String>,
    /// Whether to show the board again.
    pub board: bool,
    /// Whether the player leaves.
    pub leaves: bool,
}

impl Reaction {
    fn show(&mut self, line: impl AsRef<str>) {
        self.shows.push(plain(line.as_ref()));
    }
}

/// The player's current game, with its journal.
#[derive(Debug)]
struct CurrentGame {
    game: String,
    view: PlayerView,
    journal: Journal,
    /// Number of the last hearing.
    n: u32,
    /// Number of the hearing that must arrive before the next request is sent.
    awaits: u32,
    /// The request that is not answered yet.
    open: Option<JournalRequest>,
    /// The parts of the finished game's record received so far.
    score: Score,
}

/// A player of `ks`.
#[derive(Debug)]
pub struct Player {
    me: String,
    opponent: String,
    names: BoardNames,
    /// Folder that contains the journals.
    folder: PathBuf,
    current: Option<CurrentGame>,
    here: bool,
    ahead: VecDeque<String>,
    /// Whether the game is at a club. A club stores the messages, and who mutes whom.
    at_club: bool,
    /// Whether the opponent's messages are hidden.
    is_muted: bool,
}

impl Player {
    /// Creates a player whose journals are in `folder`.
    pub fn new([me, opponent]: [String; 2], rotated: bool, folder: PathBuf) -> Player {
        Player {
            me,
            opponent,
            names: if rotated {
                BoardNames::Reversed
            } else {
                BoardNames::Usual
            },
            folder,
            current: None,
            here: false,
            ahead: VecDeque::new(),
            at_club: false,
            is_muted: false,
        }
    }

    /// Makes this player a player at a club.
    pub fn at_club(self) -> Player {
        Player {
            at_club: true,
            ..self
        }
    }

    /// Returns the player's board, or `None` if there is no game yet.
    pub fn board(&self) -> Option<String> {
        let current = self.current.as_ref()?;
        Some(board(&current.view, self.names))
    }

    /// Returns the player's own colour and the own men, each with its square and its letter in FEN.
    /// The men are sorted by square. The squares have the names that this player uses. Returns
    /// `None` if there is no game yet.
    pub fn men(&self) -> Option<(Color, Vec<(String, char)>)> {
        let current = self.current.as_ref()?;
        let color = current.view.color();
        let rotated = self.names == BoardNames::Reversed && !color.is_white();
        let board = current.view.own().board();
        let men = Square::ALL.into_iter().filter_map(|square| {
            let man = board.piece_at(square)?;
            let named = if rotated { turned(square) } else { square };
            Some((named.to_string(), man.char()))
        });
        Some((color, men.collect()))
    }

    /// Whether the squares of this player's board have rotated names.
    pub fn is_rotated(&self) -> bool {
        self.names == BoardNames::Reversed
    }

    /// Returns one line with the two players and the side to move.
    pub fn heading(&self) -> String {
        let Player { me, opponent, .. } = self;
        let Some(current) = &self.current else {
            return format!("{me} waits for {opponent}");
        };
        let [white, black] = match current.view.color() {
            Color::White => [me, opponent],
            Color::Black => [opponent, me],
        };
        let turn = match (current.view.over(), current.view.to_move()) {
            (Some(over), _) => over_words(over, current.view.choices()),
            (None, Some(color)) if color == current.view.color() => "your move".to_owned(),
            (None, _) => format!("{opponent} is to move"),
        };
        format!("White: {white}, Black: {black}; {turn}")
    }

    /// Handles a message from the other end.
    ///
    /// # Errors
    /// The journal cannot be written, or the message is not valid here.
    pub fn hear(&mut self, says: HostSays) -> io::Result<Reaction> {
        let mut reaction = Reaction::default();
        match says {
            HostSays::Seated(game) => self.sit_down(game, &mut reaction)?,
            HostSays::Game(says) => self.hear_game(says, &mut reaction)?,
            HostSays::Score { text, last } => self.take_score(&text, last, &mut reaction)?,
            HostSays::Here { here } => self.is_here(here, &mut reaction),
            // Without a club, the other end must not change the mute of this end.
            HostSays::Muted { on } if self.at_club => self.mute(on, &mut reaction),
            HostSays::Muted { .. } => {}
            HostSays::Said { .. } if self.is_muted => {}
            HostSays::Said { text } => {
                reaction.show(format!("{} says: {}", self.opponent, plain(&text)));
            }
            HostSays::Hello { .. } | HostSays::Reveal { .. } => {}
        }
        self.go_on(&mut reaction)?;
        Ok(reaction)
    }

    /// Handles a typed line. A request to the referee waits until the previous
    /// request is answered.
    ///
    /// # Errors
    /// The request cannot be written to the journal.
    pub fn typed(&mut self, line: &str) -> io::Result<Reaction> {
        let mut reaction = Reaction::default();
        if self.is_at_once(line) {
            self.take(line, &mut reaction)?;
        } else if self.ahead.len() < TYPED_AHEAD_CAPACITY {
            self.ahead.push_back(line.to_owned());
        } else {
            reaction.show("Too many lines wait for an answer: this line is dropped.");
        }
        self.go_on(&mut reaction)?;
        Ok(reaction)
    }

    /// Handles the queued lines in order. Stops if a request to the referee has no answer yet, or
    /// if the player leaves.
    fn go_on(&mut self, reaction: &mut Reaction) -> io::Result<()> {
        while !self.waits() && !reaction.leaves {
            let Some(line) = self.ahead.pop_front() else {
                break;
            };
            self.take(&line, reaction)?;
        }
        Ok(())
    }

    /// Hides the opponent's messages, or shows them again.
    fn mute(&mut self, on: bool, reaction: &mut Reaction) {
        self.is_muted = on;
        let are = if on { "are not" } else { "are" };
        reaction.show(format!("Messages of {} {are} shown.", self.opponent));
    }

    /// Whether a line is handled immediately, because it is not a request to
    /// the referee.
    fn is_at_once(&self, line: &str) -> bool {
        let line = line.trim().to_ascii_lowercase();
        match line.split(' ').next().unwrap_or_default() {
            "say" | "mute" | "unmute" | "help" | "?" | "h" | "board" => true,
            // While the opponent is connected, `quit` waits until the player's earlier requests are
            // answered.
            "quit" | "exit" | "q" => !self.here,
            _ => false,
        }
    }

    fn waits(&self) -> bool {
        let waits = |current: &CurrentGame| current.open.is_some() || current.n < current.awaits;
        self.current.as_ref().is_some_and(waits)
    }

    /// Handles a message about the game.
    fn hear_game(&mut self, says: ServerSays, reaction: &mut Reaction) -> io::Result<()> {
        let game = self.current.as_ref().map(|current| &current.game);
        let color = self.current.as_ref().map(|current| current.view.color());
        match says {
            ServerSays::Heard { game: of, hearing } if game == Some(&of) => {
                self.hear_call(&hearing, reaction)?;
            }
            ServerSays::Answer { id, n, .. } => self.close(&id, n)?,
            ServerSays::Refused { id, why, .. } => {
                if let Some(id) = &id {
                    self.close(id, None)?;
                }
                reaction.show(why);
                if id.as_deref() == Some(SCORE) {
                    reaction.says.push(GuestSays::Ended {});
                }
            }
            ServerSays::Game { game: facts } if game == Some(&facts.id) => {
                let both = (facts.white_here, facts.black_here);
                let is_white = color == Some(Color::White);
                self.is_here(if is_white { both.1 } else { both.0 }, reaction);
            }
            ServerSays::Heard { .. }
            | ServerSays::Game { .. }
            | ServerSays::Welcome { .. }
            | ServerSays::Lobby { .. }
            | ServerSays::LobbyChanges { .. }
            | ServerSays::View { .. }
            | ServerSays::Message { .. }
            | ServerSays::Pong {}
            | ServerSays::Bye { .. } => {}
        }
        Ok(())
    }

    /// Stores whether the opponent is connected. If that has changed, tells the
    /// player.
    fn is_here(&mut self, here: bool, reaction: &mut Reaction) {
        if here != self.here {
            let is = if here { "here" } else { "gone" };
            reaction.show(format!("{} is {is}.", self.opponent));
        }
        self.here = here;
    }

    /// Takes the player's seat in a new or continued game.
    fn sit_down(&mut self, made: AgreedGame, reaction: &mut Reaction) -> io::Result<()> {
        let AgreedGame { game, tossed, .. } = made;
        if self
            .current
            .as_ref()
            .is_none_or(|current| current.game != game)
        {
            let (color, rules) = (Color::from(made.seat), made.rules);
            let ruleset = rulesets::by_id(&rules).ok_or_else(|| unknown("ruleset"))?;
            // The game's id becomes part of a file name.
            if !game.bytes().all(|b| b.is_ascii_alphanumeric()) || game.is_empty() {
                return Err(unknown("game"));
            }
            let path = self.folder.join(format!("{game}.journal"));
            let (journal, entries) = Journal::open(&path)?;
            let mut current = CurrentGame {
                game,
                view: PlayerView::initial(ruleset.choices, color),
                journal,
                n: 0,
                awaits: 0,
                open: None,
                score: Score::default(),
            };
            let last = current.recall(entries, self.names)?;
            let heading = format!(
                "You play {} against {}, by the rules {}: {}.",
                notation::name(color),
                self.opponent,
                ruleset.id,
                ruleset.title
            );
            reaction.show(heading);
            if !last.is_empty() {
                reaction.show("The game continues. What you heard last:");
                last.iter().for_each(|line| reaction.show(line));
            } else if !tossed.is_empty() {
                reaction.show(format!("The coin decided: {tossed}."));
            }
            reaction.board = true;
            self.current = Some(current);
        }
        let Some(current) = &mut self.current else {
            return Ok(());
        };
        current.score = Score::default();
        let (game, after) = (current.game.clone(), current.n);
        reaction.says.push(ClientSays::Watch { game, after }.into());
        if let Some(open) = &current.open {
            // The request is sent again with its old id, so the referee does
            // not judge it twice.
            reaction.says.push(current.says(open));
        }
        if current.view.over().is_some() {
            reaction.says.push(GuestSays::Score {});
        }
        Ok(())
    }

    fn hear_call(&mut self, hearing: &HearingJson, reaction: &mut Reaction) -> io::Result<()> {
        let Some(current) = &mut self.current else {
            return Ok(());
        };
        // Only the next hearing counts: after a reconnection, some hearings may be received a second
        // time. If hearings are missing, they are asked for.
        if hearing.n > current.n + 1 {
            let (game, after) = (current.game.clone(), current.n);
            reaction.says.push(ClientSays::Watch { game, after }.into());
        }
        if hearing.n != current.n + 1 {
            return Ok(());
        }
        current
            .journal
            .write(&JournalEntry::Heard(hearing.clone()))?;
        let lost = current.view.own().men;
        for line in current.hear(hearing, self.names)? {
            reaction.show(line);
        }
        reaction.board |= current.view.own().men != lost;
        if current.view.over().is_some() {
            reaction.says.push(GuestSays::Score {});
        }
        Ok(())
    }

    /// Handles a part of the finished game's record. While the game runs, the
    /// part is ignored.
    fn take_score(&mut self, text: &str, last: bool, reaction: &mut Reaction) -> io::Result<()> {
        let over = |current: &&mut CurrentGame| current.view.over().is_some();
        let Some(current) = self.current.as_mut().filter(over) else {
            return Ok(());
        };
        if let Some(kept) = current
            .score
            .take(text, last, &self.folder, &current.game)?
        {
            reaction.shows.push(kept);
            reaction.says.push(GuestSays::Ended {});
        }
        Ok(())
    }

    /// Marks a request as answered.
    fn close(&mut self, id: &str, n: Option<u32>) -> io::Result<()> {
        if let Some(current) = &mut self.current
            && current.open.as_ref().is_some_and(|open| open.id == id)
        {
            current
                .journal
                .write(&JournalEntry::Answered(id.to_owned()))?;
            current.open = None;
            current.awaits = n.unwrap_or(0);
        }
        Ok(())
    }

    fn take(&mut self, line: &str, reaction: &mut Reaction) -> io::Result<()> {
        let line = line.trim_matches([' ', '\t', '\r', '\n']);
        let word = line.to_ascii_lowercase();
        match word.as_str() {
            "" => {}
            "\u{c}" | "board" => reaction.board = true,
            "help" | "?" | "h" => HELP.lines().for_each(|line| reaction.show(line)),
            "quit" | "exit" | "q" => reaction.leaves = true,
            "mute" | "unmute" => {
                let on = word == "mute";
                if self.at_club {
                    // The player hears of the change when the club has stored it.
                    reaction.says.push(GuestSays::Mute { on });
                } else {
                    self.mute(on, reaction);
                }
            }
            _ if word == "say" || word.starts_with("say ") => {
                let text = plain(line.get(4..).unwrap_or_default());
                if text.trim().is_empty() {
                    reaction.show("Nothing is sent: type say and a text.");
                } else if self.here || self.at_club && self.current.is_some() {
                    reaction.says.push(GuestSays::Say { text });
                } else {
                    let why = format!("{} is not connected: nobody heard it.", self.opponent);
                    reaction.show(why);
                }
            }
            _ => match &mut self.current {
                None => reaction.show(format!(
                    "There is no game yet: the program waits for {}. Type help, say or quit.",
                    self.opponent
                )),
                Some(current) => match current.read(&word, line, self.names) {
                    Ok(text) => {
                        let says = current.ask(text)?;
                        reaction.says.push(says);
                    }
                    Err(why) => reaction.show(why),
                },
            },
        }
        Ok(())
    }
}

impl CurrentGame {
    /// Replays the entries of a journal. Returns the words of the last hearing.
    fn recall(&mut self, entries: Vec<JournalEntry>, names: BoardNames) -> io::Result<Vec<String>> {
        let mut last = Vec::new();
        for entry in entries {
            match entry {
                JournalEntry::Heard(hearing) => last = self.hear(&hearing, names)?,
                JournalEntry::Asked(request) => self.open = Some(request),
                JournalEntry::Answered(_) => self.open = None,
            }
        }
        Ok(last)
    }

    /// Applies a hearing to the view. Returns the hearing in words.
    fn hear(&mut self, hearing: &HearingJson, names: BoardNames) -> io::Result<Vec<String>> {
        let (choices, color) = (*self.view.choices(), self.view.color());
        let mut said = Vec::new();
        for json in &hearing.heard {
            let told = ParsedHeard::try_from(json).map_err(|_| unknown("announcement"))?;
            match told.under(&choices) {
                ParsedHeard::Start(start) => self.view = PlayerView::open(choices, color, &start),
                ParsedHeard::Heard(heard) => {
                    self.view.hear(&heard);
                    said.extend(sentence(&heard, &choices, color, names));
                    said.extend(self.why(&heard));
                }
            }
        }
        self.n = hearing.n;
        Ok(said)
    }

    /// Explains why an own attempt was nonsense.
    fn why(&self, heard: &Heard) -> Option<String> {
        if let Heard::Reply(Reply::Verdict {
            verdict: Verdict::Nonsense,
            attempt: Some(_),
            ..
        }) = *heard
        {
            let row = self.view.last_nonsense()?;
            Some(format!("({})", row_words(row, self.view.choices())))
        } else {
            None
        }
    }

    /// Translates typed text into the referee's words.
    fn read(&self, word: &str, line: &str, names: BoardNames) -> Result<String, String> {
        let (choices, me) = (self.view.choices(), Some(self.view.color()));
        let offer = self.view.draw_offer();
        if self.view.over().is_some() {
            return Err("The game is over.".to_owned());
        }
        match word {
            "resign" => return Ok("resign".to_owned()),
            "draw" if offer == me => {
                return Err(
                    "Your draw offer is still open: wait for the answer, or type withdraw."
                        .to_owned(),
                );
            }
            "draw" if offer.is_some() => return Ok("accept-draw".to_owned()),
            "draw" => return Ok("offer-draw".to_owned()),
            "decline" => return Ok("decline-draw".to_owned()),
            "withdraw" => return Ok("withdraw-draw".to_owned()),
            "any" | "any?" if choices.pawn_tries == PawnTries::Count => {
                return Err(
                    "Any is ignored: under +p your pawn tries are counted for you.".to_owned(),
                );
            }
            _ => {}
        }
        if self.view.to_move() != me {
            return Err("It is not your move.".to_owned());
        }
        let (own, turn) = (self.view.own(), self.view.turn());
        let read = |text: &str| read_typed(text, own, turn, choices, names);
        let plain = read(line);
        // A small `b` may be a bishop, or the file of a pawn.
        let bishop = as_bishop(line).map(|text| read(&text));
        let fits = bishop.as_ref().map_or_else(Vec::new, |bishop| {
            let mut fits = [tries_of(&plain), tries_of(bishop)].concat();
            fits.sort_unstable();
            fits.dedup();
            fits
        });
        match *fits {
            [] => {}
            [one] => return Ok(Attempt::Try(one).to_string()),
            [_, _, ..] => return Err(self.choice(line, fits, names)),
        }
        match plain {
            Ok(Attempt::Any) => Ok("any".to_owned()),
            Ok(attempt @ Attempt::Try(_)) => Ok(attempt.to_string()),
            Ok(_) => Err("Not understood: type a move, or help.".to_owned()),
            Err(TypedError::NotNotation(ReadError::NotNotation { text, .. })) => Err(format!(
                "`{text}` is not understood: type a move, as p-k4, e2-e4 or e4, or help"
            )),
            Err(TypedError::Ambiguous { text, fits }) => Err(self.choice(&text, fits, names)),
            Err(error @ (TypedError::NotNotation(_) | TypedError::NotPossible { .. })) => {
                impossible(error)
            }
        }
    }

    /// Returns a line that asks the player to choose one of these tries. The squares have the names
    /// that this player uses.
    fn choice(&self, text: &str, fits: Vec<Try>, names: BoardNames) -> String {
        let rotated = names == BoardNames::Reversed && !self.view.color().is_white();
        let named = |t| if rotated { turned_try(t) } else { t };
        let (text, fits) = (text.to_owned(), fits.into_iter().map(named).collect());
        TypedError::Ambiguous { text, fits }.to_string()
    }

    /// Creates a request, and writes it to the journal. The caller sends it
    /// afterwards.
    fn ask(&mut self, text: String) -> io::Result<GuestSays> {
        let chance: u128 = rand::random();
        let request = JournalRequest {
            id: format!("{chance:032x}"),
            // The first hearing is the start of the game. The player knows it from the heading, even
            // if it comes after the attempt.
            after: self.n.max(1),
            text,
        };
        self.journal.write(&JournalEntry::Asked(request.clone()))?;
        let says = self.says(&request);
        self.open = Some(request);
        Ok(says)
    }

    /// Converts a request to a message.
    fn says(&self, request: &JournalRequest) -> GuestSays {
        let JournalRequest { id, after, text } = request.clone();
        let game = self.game.clone();
        GuestSays::Game(ClientSays::Try {
            id,
            game,
            after,
            text,
            ask: false,
        })
    }
}

/// Handles a typed attempt that no man of the player can make. Returns this attempt in the
/// referee's words, so that the referee answers it.
fn impossible(error: TypedError) -> Result<String, String> {
    match error {
        TypedError::NotPossible {
            attempt: Some(t), ..
        } => Ok(Attempt::Try(t).to_string()),
        TypedError::NotPossible { attempt: None, .. }
        | TypedError::NotNotation(_)
        | TypedError::Ambiguous { .. } => Err(error.to_string()),
    }
}

/// Returns the tries that a typed text can mean.
fn tries_of(read: &Result<Attempt, TypedError>) -> Vec<Try> {
    match read {
        Ok(Attempt::Try(t)) => vec![*t],
        Err(TypedError::Ambiguous { fits, .. }) => fits.clone(),
        Ok(_) | Err(TypedError::NotNotation(_) | TypedError::NotPossible { .. }) => Vec::new(),
    }
}

/// Rewrites a move that begins with a small `b` as a move of a bishop. Returns `None` for all other
/// texts, for example for a text that begins with a square (`b2-b4`).
fn as_bishop(line: &str) -> Option<String> {
    let rest = line.trim().strip_prefix('b')?;
    let after = rest.trim_start_matches(['-', 'x', ':']);
    let is_square = matches!(after.as_bytes(), [b'a'..=b'h', b'1'..=b'8', ..]);
    // `b-c4` is `Bc4`; `b-qb4` keeps its dash.
    let rest = if is_square && rest.starts_with('-') {
        after
    } else {
        rest
    };
    let begins = rest.bytes().next().is_some_and(|b| !b.is_ascii_digit());
    (begins && line.len() <= 20).then(|| format!("B{rest}"))
}

fn unknown(what: &str) -> io::Error {
    let why = format!(
        "the other end names a {what} that is not known here: do both ends have the same version of kriegspiel?"
    );
    io::Error::new(io::ErrorKind::InvalidData, why)
}

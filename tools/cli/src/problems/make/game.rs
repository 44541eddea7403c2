//! Plays the games from which problems are taken.

use std::{collections::HashMap, rc::Rc};

use belief::{Belief, Origin, Regime, Settings, Situation, Unheard, Watch};
use bots::{Dice, Seed};
use referee::{Event, Game, Opened, StartPosition};
use rules::{
    Attempt, Calls, Heard, Listener, Ruleset, Try, TurnState, Winner,
    chess::{Bitboard, Board, Color, Piece, Role, Setup, Square, attacks, fen::Fen},
    heard_by,
};
use scores::ProblemStart;
use solver::{
    policy::Policy,
    search::{Decision, MateQuestion, SearchLimits, Solver},
};
use views::PlayerView;

use super::plan::{MAX_MOVES, Plan};

/// A random number below this number is added to the value of each move of the seat, in hundredths
/// of a pawn.
const NOISE: u32 = 40;
/// On average, one of this number of games begins in the usual start position.
const USUAL_GAMES: u32 = 30;
/// Maximum number of own turns in a game from the usual start position.
const MAX_TURNS: usize = 30;
/// Maximum number of own turns in a game from another start position.
const MAX_ENDING_TURNS: usize = 7;
/// Maximum number of own turns in a game from an altered start position.
const MAX_VARIANT_TURNS: usize = 4;
/// Maximum number of possible positions in a game from the usual start position. The game ends when
/// more positions are possible.
const MAX_BELIEVED: usize = 3_000;
/// The same maximum for a game from another start position.
const MAX_ENDING_BELIEVED: usize = 300;
/// Maximum number of possible positions of a problem.
const MAX_POSITIONS: usize = 300;

/// At each own turn of a game, the solver looks for mates in at most this number of own moves. The
/// solver looks for the shortest mates first.
pub(super) const FORESIGHT: u8 = 4;
/// Maximum number of positions that the solver examines at a turn to look for a mate. The index is
/// the number of own moves of the mate.
const FORESIGHT_NODES: [u64; FORESIGHT as usize + 1] = [0, 10_000, 30_000, 100_000, 200_000];
/// In this number of own turns at the beginning of a game, the solver also looks for longer mates,
/// if [`GamePlan::foresight`] is greater than [`FORESIGHT`].
const DEEP_TURNS: usize = 2;
/// Maximum number of positions that the solver examines to look for longer mates. The index is the
/// greatest number of own moves of these mates.
const DEEP_NODES: [u64; MAX_MOVES as usize + 1] = [0, 0, 0, 0, 0, 200_000, 500_000, 1_200_000];

/// Maximum number of attempts in one turn that follow the policy of a forced mate.
const MAX_ATTEMPTS: usize = 40;

/// What the solver knows about one turn.
#[derive(Debug, Default)]
pub(super) struct SolvedTurn {
    /// The least number of own moves of a mate, if a mate was found.
    pub(super) mate: Option<u8>,
    /// The policy of this mate.
    policy: Option<Rc<Policy>>,
    /// Cores. A core lists the indices of some positions. No policy mates in all of these positions.
    /// Element 0 proves that there is no mate in one own move, element 1 that there is no mate in
    /// two own moves, and so on.
    pub(super) cores: Vec<Vec<usize>>,
    /// Whether a limit ended the search for longer mates.
    pub(super) stopped: bool,
}

/// A turn of the seat that is to mate.
pub(super) struct Moment {
    /// Number of hearings of the seat before this turn.
    pub(super) heard: usize,
    /// The possible positions; empty if there are too many.
    pub(super) positions: Vec<Situation>,
    /// State of the turn.
    pub(super) turn: TurnState,
    /// Number of the seat's own turn, from 1.
    pub(super) number: usize,
    /// What the solver found while the game was played.
    pub(super) known: SolvedTurn,
}

/// A game, as the seat that is to mate heard it.
pub(super) struct MadeGame {
    /// Seed of the run, and number of the family.
    pub(super) seed: Seed,
    /// Number of the game in its family.
    pub(super) variant: u64,
    /// The solver looked for mates in at most this number of own moves.
    pub(super) foresight: u8,
    pub(super) ruleset: &'static Ruleset,
    pub(super) seat: Color,
    pub(super) start: ProblemStart,
    pub(super) heard: Vec<Heard>,
    pub(super) moments: Vec<Moment>,
}

/// Where a game begins, and which seat is to mate.
#[derive(Clone, Debug)]
pub(super) struct GameStart {
    pub(super) seat: Color,
    /// The position as FEN; `None` means the usual start position.
    pub(super) fen: Option<String>,
}

impl GameStart {
    /// Chooses the start of the first game of a family.
    pub(super) fn random(plan: &Plan, ruleset: &Ruleset, dice: &mut Dice) -> GameStart {
        let seat = Color::from_white(dice.once_in(2));
        let fen = if plan.usual_games && dice.once_in(USUAL_GAMES) {
            None
        } else {
            std::iter::repeat_with(|| random_start(plan, dice, seat))
                .take(50)
                .find(|fen| is_calm(fen, ruleset))
        };
        GameStart { seat, fen }
    }
}

/// Puts a random man of one of these colors on another square. Returns `None` if no game can
/// begin in the new position, or if a side is in check there.
pub(super) fn altered(
    fen: &str,
    colors: &[Color],
    ruleset: &Ruleset,
    dice: &mut Dice,
) -> Option<String> {
    let fen: Fen = fen.parse().ok()?;
    let mut setup = fen.into_setup();
    let men: Vec<Square> = colors
        .iter()
        .flat_map(|color| setup.board.by_color(*color))
        .collect();
    let from = dice.pick(&men)?;
    let near = if dice.once_in(2) {
        attacks::king_attacks(from)
    } else {
        Bitboard::FULL
    };
    let near = near & !setup.board.occupied();
    let near: Vec<Square> = near.into_iter().collect();
    let to = dice.pick(&near)?;
    let man = setup.board.remove_piece_at(from)?;
    if man.role == Role::Pawn && matches!(to.rank().to_u32(), 0 | 7) {
        return None;
    }
    setup.board.set_piece_at(to, man);
    setup.ep_square = None;
    let fen = Fen::try_from_setup(setup).ok()?.to_string();
    is_calm(&fen, ruleset).then_some(fen)
}

/// A game that is being played.
struct Play<'a> {
    solver: &'a mut Solver,
    /// Maximum number of own turns.
    most: usize,
    game: Game,
    views: [PlayerView; 2],
    belief: Belief,
    seat: Color,
    made: MadeGame,
    dice: Dice,
    calls: Calls,
}

/// Everything that determines a game.
pub(super) struct GamePlan {
    pub(super) ruleset: &'static Ruleset,
    /// Seed of the run, and number of the family.
    pub(super) seed: Seed,
    /// Number of the game in its family.
    pub(super) variant: u64,
    pub(super) start: GameStart,
    /// The solver looks for mates in at most this number of own moves.
    pub(super) foresight: u8,
    /// Random numbers for all choices of the game.
    pub(super) dice: Dice,
}

/// Plays a game. Equal plans give equal games. Returns `None` if the work was stopped.
pub(super) fn play(plan: GamePlan, solver: &mut Solver, watch: &Watch) -> Option<MadeGame> {
    let GamePlan {
        ruleset,
        seed,
        variant,
        start: GameStart { seat, fen },
        foresight,
        dice,
    } = plan;
    let choices = ruleset.choices;
    let start = match &fen {
        None => StartPosition::initial(),
        Some(fen) => StartPosition::from_fen(fen, &choices).ok()?,
    };
    let (most, limit) = if fen.is_some() {
        let most = if variant == 0 {
            MAX_ENDING_TURNS
        } else {
            MAX_VARIANT_TURNS
        };
        (most, MAX_ENDING_BELIEVED)
    } else {
        (MAX_TURNS, MAX_BELIEVED)
    };
    let (start, origin) = match fen {
        None => ((start, ProblemStart::Usual), Origin::Usual),
        Some(fen) => (
            (start, ProblemStart::Fen(fen.clone())),
            Origin::OneOf(vec![fen]),
        ),
    };
    let game = Game::open(Opened::new(ruleset, choices, start.0));
    let settings = Settings {
        limit,
        ..Settings::default()
    };
    let own = game.start(Listener::from(seat));
    let view = |color: Color| PlayerView::open(choices, color, &game.start(Listener::from(color)));
    let mut play = Play {
        solver,
        most,
        views: [view(Color::White), view(Color::Black)],
        belief: Belief::open(choices, seat, &own, &origin, settings).ok()?,
        seat,
        made: MadeGame {
            seed,
            variant,
            foresight,
            ruleset,
            seat,
            start: start.1,
            heard: Vec::new(),
            moments: Vec::new(),
        },
        dice,
        calls: Calls::new(),
        game,
    };
    play.calls = play.game.opening_calls();
    let mut follows = play.hear(watch)?;
    while follows {
        let Some(by) = play.game.to_move() else {
            break;
        };
        follows = if by == seat {
            play.record(watch) && play.own_turn(watch)?
        } else {
            play.turn(by, watch)?
        };
    }
    Some(play.made)
}

/// Returns the value of a man, in hundredths of a pawn.
const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// Returns a random position with few men. [`Plan::opponent_begins`] says which side is to move.
fn random_start(plan: &Plan, dice: &mut Dice, seat: Color) -> String {
    let mut setup = Setup::empty();
    setup.turn = if !plan.opponent_begins && dice.once_in(2) {
        seat
    } else {
        seat.other()
    };
    let own = dice.pick(plan.own_men).unwrap_or("q");
    let theirs = dice.pick(plan.their_men).unwrap_or("");
    for (color, men) in [(seat, own), (seat.other(), theirs)] {
        for letter in std::iter::once('k').chain(men.chars()) {
            let Some(role) = Role::from_char(letter) else {
                continue;
            };
            for _ in 0..20 {
                let sq = Square::new(dice.below(64));
                let edge = matches!(sq.rank().to_u32(), 0 | 7);
                if setup.board.piece_at(sq).is_none() && !(role == Role::Pawn && edge) {
                    setup.board.set_piece_at(sq, Piece { color, role });
                    break;
                }
            }
        }
    }
    Fen::try_from_setup(setup).map_or(String::new(), |fen| fen.to_string())
}

/// Whether a game can begin in this position, and nobody is in check.
fn is_calm(fen: &str, ruleset: &Ruleset) -> bool {
    let Ok(start) = StartPosition::from_fen(fen, &ruleset.choices) else {
        return false;
    };
    let game = Game::open(Opened::new(ruleset, ruleset.choices, start));
    let board = game.sheet().board();
    let side = game.turn();
    let in_check = board
        .king_of(side)
        .is_none_or(|king| attackers(&board, king, side.other()) > 0);
    game.to_move().is_some() && !in_check
}

fn attackers(board: &Board, sq: Square, by: Color) -> usize {
    board.attacks_to(sq, by, board.occupied()).count()
}

impl Play<'_> {
    /// Updates both views and the belief with the calls. Returns `Some(false)` if the game must
    /// end, because too many positions or no positions are possible. Returns `None` if the work was
    /// stopped.
    fn hear(&mut self, watch: &Watch) -> Option<bool> {
        for view in &mut self.views {
            view.hear_calls(&self.calls);
        }
        let heard: Vec<_> = heard_by(&self.calls, Listener::from(self.seat)).collect();
        for one in heard {
            self.made.heard.push(one);
            match self.belief.hear_watched(&one, watch) {
                Ok(()) => {}
                Err(Unheard::Stopped) => return None,
                Err(Unheard::Unexplained(_)) => return Some(false),
            }
        }
        Some(self.belief.regime() == Regime::Exact)
    }

    /// Records the beginning of a turn of the seat. Returns whether the game continues.
    fn record(&mut self, watch: &Watch) -> bool {
        let positions = self.positions();
        let known = self.foresee(&positions, watch);
        let number = self.made.moments.len() + 1;
        self.made.moments.push(Moment {
            heard: self.made.heard.len(),
            known,
            positions,
            turn: self.belief.view().turn().clone(),
            number,
        });
        number < self.most
    }

    /// Returns the possible positions; none if there are too many.
    fn positions(&self) -> Vec<Situation> {
        let mut positions = Vec::new();
        if self.belief.kept() <= MAX_POSITIONS {
            self.belief.each_position(|one, _| positions.push(*one));
        }
        positions
    }

    /// Asks the solver about a mate in this number of own moves.
    fn ask(&mut self, positions: &[Situation], moves: u8, nodes: u64, watch: &Watch) -> Decision {
        let question = MateQuestion {
            choices: self.made.ruleset.choices,
            compat: None,
            positions: positions.to_vec(),
            moves,
            turn: self.belief.view().turn().clone(),
        };
        let limits = SearchLimits {
            nodes,
            stop: &|| watch.is_stopped(),
        };
        match self.solver.solve(&question, limits) {
            Ok(found) => found.decision,
            Err(_) => Decision::Undecided,
        }
    }

    /// Looks for a forced mate.
    fn foresee(&mut self, positions: &[Situation], watch: &Watch) -> SolvedTurn {
        let mut known = SolvedTurn::default();
        for moves in 1..=FORESIGHT {
            let nodes = FORESIGHT_NODES[usize::from(moves)];
            match self.ask(positions, moves, nodes, watch) {
                Decision::Mate(policy) => {
                    known.mate = Some(moves);
                    known.policy = Some(policy);
                    return known;
                }
                Decision::NoMate(core) => known.cores.push(core),
                Decision::Undecided => {
                    known.stopped = true;
                    return known;
                }
            }
        }
        let deep = self.made.foresight;
        let is_early = self.made.moments.len() < DEEP_TURNS;
        if deep > FORESIGHT && is_early && positions.len() > 1 {
            let nodes = DEEP_NODES[usize::from(deep)];
            match self.ask(positions, deep, nodes, watch) {
                Decision::Mate(policy) => {
                    // The mate may have fewer own moves than `deep`, so the number is taken from
                    // the policy. The searches before found no policy with fewer own moves.
                    known.mate = Some(own_moves(&policy, &mut HashMap::new()));
                    known.policy = Some(policy);
                }
                Decision::NoMate(_) | Decision::Undecided => known.stopped = true,
            }
        }
        known
    }

    /// Makes the attempts of the seat's turn. If a forced mate was found, follows its policy.
    /// Returns the same values as [`turn`](Play::turn).
    fn own_turn(&mut self, watch: &Watch) -> Option<bool> {
        let known = self.made.moments.last().map(|one| &one.known);
        let mate = known.and_then(|known| known.mate);
        let mut next = known.and_then(|known| known.policy.clone());
        for _ in 0..MAX_ATTEMPTS {
            let Some(moves) = mate else {
                break;
            };
            let policy = if let Some(policy) = next.take() {
                policy
            } else {
                let positions = self.positions();
                let nodes = FORESIGHT_NODES.get(usize::from(moves));
                let nodes = *nodes.unwrap_or(&DEEP_NODES[usize::from(moves)]);
                let Decision::Mate(policy) = self.ask(&positions, moves, nodes, watch) else {
                    break;
                };
                policy
            };
            let attempt = match &*policy {
                Policy::Try { what, .. } => Attempt::from(*what),
                Policy::Any { .. } => Attempt::Any,
            };
            if !self.attempt(self.seat, attempt, watch)? {
                return Some(false);
            }
            if self.game.to_move() != Some(self.seat) {
                return Some(true);
            }
        }
        self.turn(self.seat, watch)
    }

    /// Makes the attempts of one turn. Returns the same values as [`hear`](Play::hear). Also
    /// returns `Some(false)` if no move is possible.
    fn turn(&mut self, by: Color, watch: &Watch) -> Option<bool> {
        let legal = self.game.sheet().legal_tries();
        // First make up to three attempts that the referee answers with "no".
        for _ in 0..self.dice.below(4) {
            let imaginable = self.views[usize::from(by == Color::Black)].tries();
            let Some(t) = self.dice.pick(&imaginable) else {
                break;
            };
            if !legal.contains(&t) && !self.attempt(by, t.into(), watch)? {
                return Some(false);
            }
        }
        if self.dice.once_in(5) && !self.attempt(by, Attempt::Any, watch)? {
            return Some(false);
        }
        for t in self.ranked(by, &legal) {
            if !self.attempt(by, t.into(), watch)? {
                return Some(false);
            }
            if self.game.to_move() != Some(by) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Makes an attempt. Nothing happens if the referee returns an error (a refusal). Returns the
    /// same values as [`hear`](Play::hear).
    fn attempt(&mut self, by: Color, attempt: Attempt, watch: &Watch) -> Option<bool> {
        let mut calls = std::mem::take(&mut self.calls);
        let event = self.game.attempt(by, attempt, &mut calls);
        self.calls = calls;
        match event {
            Ok(_) => self.hear(watch),
            Err(_) => Some(true),
        }
    }

    /// Orders the legal tries, the best one first.
    fn ranked(&mut self, by: Color, legal: &[Try]) -> Vec<Try> {
        let board = self.game.sheet().board();
        let mut scratch = Calls::new();
        let mut ranked: Vec<(i32, Try)> = Vec::with_capacity(legal.len());
        for t in legal {
            let taken = board.role_at(t.to()).map_or(0, value);
            let mut score = taken;
            if by == self.seat {
                let mut after = self.game.clone();
                let Ok(Event::Moved { over, .. }) = after.attempt(by, (*t).into(), &mut scratch)
                else {
                    continue;
                };
                score += match over {
                    Some(over) if over.winner == Winner::from(by) => 100_000,
                    Some(_) => -100_000,
                    None => worth(&after, by),
                };
                score += self.dice.below(NOISE) as i32;
            } else {
                score += taken + self.dice.below(500) as i32;
            }
            ranked.push((-score, *t));
        }
        ranked.sort_by_key(|one| one.0);
        ranked.into_iter().map(|one| one.1).collect()
    }
}

/// Returns the number of own moves after which a policy has mated at the latest. `known` stores
/// this number for each part of the policy that was examined already.
fn own_moves(policy: &Rc<Policy>, known: &mut HashMap<*const Policy, u8>) -> u8 {
    let key = Rc::as_ptr(policy);
    if let Some(moves) = known.get(&key) {
        return *moves;
    }
    let mut most = 0;
    match &**policy {
        Policy::Try {
            branches, refused, ..
        } => {
            for branch in branches {
                most = most.max(own_moves(&branch.next, known));
            }
            most += 1;
            if let Some(refused) = refused {
                most = most.max(own_moves(refused, known));
            }
        }
        Policy::Any { yes, no } => {
            for next in [yes, no].into_iter().flatten() {
                most = most.max(own_moves(next, known));
            }
        }
    }
    known.insert(key, most);
    most
}

/// Rates a position after a move of `by`. The function sees the men of both sides. The rating is
/// lower if a reply can win more material, and if there are more replies.
fn worth(game: &Game, by: Color) -> i32 {
    let sheet = game.sheet();
    let board = sheet.board();
    let replies = sheet.legal_tries();
    let mut loss = 0;
    for reply in &replies {
        let (Some(from), to) = (reply.from(), reply.to()) else {
            continue;
        };
        if let Some(role) = board.role_at(to) {
            let attacker = board.role_at(from).map_or(0, value);
            let is_defended = attackers(&board, to, by) > 0;
            let lost = if is_defended {
                value(role) - attacker
            } else {
                value(role)
            };
            loss = loss.max(lost);
        }
        if let Try::Step {
            promotion: Some(_), ..
        } = reply
        {
            loss = loss.max(800);
        }
    }
    -2 * loss - 12 * i32::try_from(replies.len()).unwrap_or(0)
}

//! A reply of the opponent in one position, chosen at random with the probabilities of a model.

use rules::{
    Choices, Try,
    chess::{Role, Square},
};

use crate::{
    model::{Cues, Opponent, Scene, guarded},
    moves::Moves,
    report::Report,
    situation::Situation,
};

/// Chooses replies of the opponent at random, with the probabilities of a model, for programs that
/// search ahead. Drops are never chosen.
///
/// ```
/// use belief::{Opponent, Replies, Situation};
/// use rules::{chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
/// let situation = Situation::from_fen(&wild16, Color::White, fen)?;
/// let e2 = "e1e2".parse()?;
/// let (told, after) = situation.play(&wild16, e2).expect("the try is legal");
/// let opponent = Opponent::shipped();
/// let mut replies = Replies::new(&wild16, &opponent);
/// let (reply, heard, next) = replies.draw(&after, e2, &told, None, 0.5).expect("Black can move");
/// assert!(after.position.is_legal(reply) && next.position.turn() == Color::White);
/// assert_eq!(heard.lost.is_some(), reply.to_string() == "d5e4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replies<'a> {
    choices: &'a Choices,
    opponent: &'a Opponent,
    moves: Moves,
    shares: Vec<f64>,
}

impl<'a> Replies<'a> {
    /// Returns a source of replies.
    pub fn new(choices: &'a Choices, opponent: &'a Opponent) -> Replies<'a> {
        Replies {
            choices,
            opponent,
            moves: Moves::none(choices),
            shares: Vec::new(),
        }
    }

    /// Chooses at random a legal move of the opponent in the situation `after`. The seat's move
    /// `own` has led to this situation. Returns three things: the chosen move, what the seat hears
    /// about it, and the situation after it. Returns `None` if the opponent has no legal move.
    ///
    /// `told` is what was announced about the seat's move. If the opponent's previous move captured
    /// a man of the seat, `captor` is the square of this capture. `unit` is a number from 0 to 1,
    /// which the caller chooses at random.
    pub fn draw(
        &mut self,
        after: &Situation,
        own: Try,
        told: &Report,
        captor: Option<Square>,
        unit: f64,
    ) -> Option<(Try, Report, Situation)> {
        let position = after.position;
        self.moves.list(&position);
        if self.moves.count() == 0 {
            return None;
        }
        let theirs = position.own(position.turn());
        let mut cues = Cues {
            captor,
            ..Cues::default()
        };
        cues.own_move(own, told);
        let known = after.known();
        let attacked = guarded(&known, &position);
        let scene = Scene::new(&theirs, cues, &known.own, attacked);
        let Replies {
            opponent,
            moves,
            shares,
            ..
        } = self;
        opponent.shares(&scene, &known, moves, 0, shares);
        let mut left = unit;
        let chosen = shares
            .iter()
            .position(|share| {
                left -= share;
                left < 0.0
            })
            .unwrap_or(shares.len() - 1);
        let mut drawn: Option<(Try, Role)> = None;
        let mut index = 0;
        moves.each(|role, t| {
            if index == chosen {
                drawn = Some((t, role));
            }
            index += 1;
        });
        let (t, role) = drawn?;
        let (report, next) = after.play_man(self.choices, t, role);
        Some((t, report, next))
    }
}

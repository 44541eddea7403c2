//! `master` mates a lone king. At first the bot does not know the square of the lone king. The lone
//! king moves at random, or sees everything and evades.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use belief::Origin;
use bots::{Dice, Master, Player, Seed};
use common::run_from;
use referee::Game;
use rules::{
    Attempt, Calls, Listener, Over, Reason, Try, Winner,
    chess::{Board, ByRole, Color, Piece, Role, Square, attacks},
    rulesets::WILD16,
};
use views::PlayerView;

/// Way in which the lone king moves.
#[derive(Copy, Clone, Debug)]
enum King {
    /// Makes a random legal move.
    Random,
    /// Sees the whole board. Captures if it can; otherwise stays near the middle and
    /// away from the other king.
    Evader,
}

impl King {
    fn choose(self, board: &Board, legal: &[Try], dice: &mut Dice) -> Try {
        let men = board.white();
        let score = |t: &Try| {
            let to = t.to();
            let home = board.king_of(Color::White).unwrap();
            let middle = |i: u32| 7 - i.abs_diff(7 - i);
            let flights = attacks::king_attacks(to)
                .into_iter()
                .filter(|square| board.attacks_to(*square, Color::White, men).is_empty())
                .count() as u32;
            u32::from(men.contains(to)) * 1000
                + middle(to.file().to_u32()).min(middle(to.rank().to_u32())) * 20
                + middle(to.file().to_u32())
                + middle(to.rank().to_u32())
                + home.distance(to) * 2
                + flights
        };
        match self {
            King::Random => dice.pick(legal).unwrap(),
            King::Evader => *legal.iter().max_by_key(|t| score(t)).unwrap(),
        }
    }
}

/// Returns a start position as FEN: the white men, and the square of the black king.
fn start(men: &[(Role, Square)], king: Square) -> String {
    let mut board = Board::empty();
    for (role, square) in men {
        let color = Color::White;
        board.set_piece_at(*square, Piece { color, role: *role });
    }
    let (color, role) = (Color::Black, Role::King);
    board.set_piece_at(king, Piece { color, role });
    format!("{board} w - - 0 1")
}

/// Plays one game under `wild16`. Returns the end of the game, and the number of White's moves.
fn hunt(men: &[(Role, Square)], at: Square, king: King, seed: u64) -> (Over, u32) {
    let opening = run_from(&WILD16, Some(&start(men, at))).opening;
    let mut game = Game::open(opening.opened().clone());
    let mut view = PlayerView::open(WILD16.choices, Color::White, &game.start(Listener::White));
    // At first the lone king can be on any square.
    let origin = Origin::Unknown {
        to_move: Color::White,
        men: ByRole {
            king: 1,
            ..ByRole::default()
        },
    };
    let (seat, choices) = (Seed { seed, stream: 0 }, &WILD16.choices);
    let mut white = Master::knowing(seat, choices, *view.own(), &origin).unwrap();
    let mut dice = Dice::new(Seed { seed, stream: 1 });
    let hear = |view: &mut PlayerView, white: &mut Master, calls: &Calls| {
        view.hear_calls(calls);
        for call in calls {
            if call.audience.includes(Listener::White) {
                white.hear(&call.heard);
            }
        }
    };
    hear(&mut view, &mut white, &game.opening_calls());
    let mut moves = 0;
    loop {
        let Some(by) = game.to_move() else {
            return (game.over().unwrap(), moves);
        };
        let attempt = match by {
            Color::White => white.attempt(&view, &view.tries()),
            Color::Black => {
                let sheet = game.sheet();
                Attempt::Try(king.choose(&sheet.board(), &sheet.legal_tries(), &mut dice))
            }
        };
        let ruling = game.judge(by, attempt).unwrap();
        game.apply(&ruling.event);
        hear(&mut view, &mut white, &ruling.calls);
        moves += u32::from(by == Color::White && ruling.answer() == rules::Answer::Moved);
    }
}

/// Plays games from random starts with these men; returns the number of games that end in mate.
fn mates(men: &[Role], king: King, games: u64) -> u64 {
    let (mut mated, mut moves) = (0, 0);
    for seed in 0..games {
        let mut dice = Dice::new(Seed { seed, stream: 7 });
        let (white, at) = loop {
            let mut free: Vec<Square> = Square::ALL.to_vec();
            let mut take = || free.swap_remove(dice.below(free.len() as u32) as usize);
            let white: Vec<(Role, Square)> = men.iter().map(|role| (*role, take())).collect();
            let at = take();
            let mut board = Board::empty();
            for (role, square) in &white {
                let color = Color::White;
                board.set_piece_at(*square, Piece { color, role: *role });
            }
            let attacked = board.attacks_to(at, Color::White, board.occupied().with(at));
            if attacked.is_empty() {
                break (white, at);
            }
        };
        let (over, n) = hunt(&white, at, king, seed);
        if (over.winner, over.reason) == (Winner::White, Reason::Checkmate) {
            mated += 1;
            moves += n;
        } else {
            println!("{king:?} {white:?} {at}: {over}");
        }
    }
    let men: String = men.iter().map(|role| role.upper_char()).collect();
    println!("figure: lone kings mated with {men} ({king:?}) {mated}");
    println!(
        "figure: moves of such a mate, {men} ({king:?}) {}",
        u64::from(moves) / mated.max(1)
    );
    mated
}

#[test]
fn a_queen_or_a_rook_mates_a_lone_king() {
    let games = 4;
    for (men, king, at_least) in [
        (&[Role::King, Role::Queen][..], King::Random, 3),
        (&[Role::King, Role::Queen], King::Evader, 3),
        (&[Role::King, Role::Rook], King::Random, 3),
        (&[Role::King, Role::Rook], King::Evader, 3),
        (&[Role::King, Role::Rook, Role::Knight], King::Evader, 4),
    ] {
        let mated = mates(men, king, games);
        assert!(mated >= at_least, "{men:?} {king:?}: {mated} of {games}");
    }
}

//! Tests of `sparring` with what its seat hears.

use bots::{Player, Seed, Sparring};
use rules::{
    Announcement, Attempt, Capture, CapturedMan, Choices, DrawTalk, Heard, Own, Reply, Reserve,
    Start, Tries, Try, Verdict, Wings,
    chess::{Bitboard, ByColor, ByRole, Color, Role, Square},
    rulesets::{ENGLISH, WILD16},
};
use views::PlayerView;

const SEED: Seed = Seed { seed: 3, stream: 0 };

/// White's seat, played by the bot.
struct White {
    view: PlayerView,
    bot: Sparring,
}

impl White {
    fn usual(choices: Choices) -> White {
        White {
            view: PlayerView::initial(choices, Color::White),
            bot: Sparring::new(SEED),
        }
    }

    /// White has these men. Black has a lone king on the square `king`.
    fn with(men: &[(Role, Square)], king: Square) -> White {
        let own = side(Color::White, men);
        let start = Start {
            rules: "wild16".into(),
            own: Some(own),
            reserves: ByColor::default(),
        };
        let other = side(Color::Black, &[(Role::King, king)]);
        White {
            view: PlayerView::open(WILD16.choices, Color::White, &start),
            bot: Sparring::knowing(SEED, own, &[other]),
        }
    }

    fn hear(&mut self, heard: Heard) {
        self.view.hear(&heard);
        self.bot.hear(&heard);
    }

    /// White's move `own` is played, and Black moves. `said` is what White
    /// hears about Black's move.
    fn exchange(&mut self, own: &str, said: &[Heard]) {
        self.hear(Heard::own_verdict(Verdict::Moved, Color::White, step(own)));
        self.hear(Heard::Reply(Reply::Verdict {
            verdict: Verdict::Moved,
            by: Color::Black,
            attempt: None,
        }));
        for heard in said {
            self.hear(*heard);
        }
        self.hear(Heard::Announced(Announcement::Turn {
            to_move: Color::White,
        }));
    }

    fn attempt(&mut self) -> Attempt {
        self.bot.attempt(&self.view, &self.view.tries())
    }
}

fn side(color: Color, men: &[(Role, Square)]) -> Own {
    let mut squares = ByRole::<Bitboard>::default();
    for (role, square) in men {
        squares.get_mut(*role).add(*square);
    }
    Own {
        color,
        men: squares,
        castling: Wings::NONE,
        reserve: Reserve::EMPTY,
    }
}

fn step(text: &str) -> Try {
    text.parse().expect("the text is a try")
}

#[test]
fn sparring_recaptures_on_the_square_of_a_lost_man() {
    let mut white = White::usual(WILD16.choices);
    white.exchange(
        "e2e4",
        &[Heard::Announced(Announcement::Tries(Tries::Count(0)))],
    );
    let (square, man) = (Square::E4, Role::Pawn);
    white.exchange(
        "b1c3",
        &[
            Heard::Lost { square, man },
            Heard::Announced(Announcement::Capture(Capture {
                square: Some(square),
                man: Some(CapturedMan::Pawn),
                en_passant: false,
            })),
            Heard::Announced(Announcement::Tries(Tries::Count(0))),
        ],
    );
    assert_eq!(white.attempt(), Attempt::Try(step("c3e4")));
}

#[test]
fn sparring_makes_each_pawn_try_once() {
    let mut white = White::usual(WILD16.choices);
    white.exchange(
        "e2e4",
        &[Heard::Announced(Announcement::Tries(Tries::Count(1)))],
    );
    let mut left = vec![step("e4d5"), step("e4f5")];
    while let Some(_another) = left.first() {
        let Attempt::Try(t) = white.attempt() else {
            panic!("the attempt is not a pawn capture");
        };
        let at = left.iter().position(|one| *one == t);
        left.remove(at.expect("the attempt is a pawn capture that was not refused before"));
        white.hear(Heard::own_verdict(Verdict::No, Color::White, t));
    }
}

#[test]
fn sparring_asks_any_once_if_the_answer_is_uncertain() {
    let mut white = White::usual(ENGLISH.choices);
    assert_ne!(
        white.attempt(),
        Attempt::Any,
        "no pawn capture is possible yet"
    );
    white.exchange("e2e4", &[]);
    assert_eq!(white.attempt(), Attempt::Any);
    white.hear(Heard::Reply(Reply::Any {
        by: Color::White,
        answer: true,
    }));
    let obliged = white.attempt();
    assert!(
        [step("e4d5"), step("e4f5")]
            .map(Attempt::Try)
            .contains(&obliged)
    );
}

#[test]
fn sparring_promotes_to_a_queen() {
    let men = [(Role::King, Square::C6), (Role::Pawn, Square::B7)];
    let mut white = White::with(&men, Square::H2);
    assert_eq!(white.attempt(), Attempt::Try(step("b7b8q")));
}

#[test]
fn sparring_mates_in_one() {
    let men = [(Role::King, Square::G6), (Role::Rook, Square::A1)];
    let mut white = White::with(&men, Square::G8);
    assert_eq!(white.attempt(), Attempt::Try(step("a1a8")));
}

#[test]
fn sparring_avoids_stalemate() {
    let men = [
        (Role::King, Square::F7),
        (Role::Queen, Square::E4),
        (Role::Pawn, Square::A2),
    ];
    // With the queen on g6, Black would be stalemated. On the h-file, the queen
    // mates.
    let mut white = White::with(&men, Square::H8);
    let Attempt::Try(t) = white.attempt() else {
        panic!("the attempt is not a move");
    };
    assert!(
        [step("e4h1"), step("e4h4"), step("e4h7")].contains(&t),
        "{t}"
    );
}

#[test]
fn sparring_accepts_a_draw_with_a_lone_king_but_not_at_once() {
    let offer = Heard::Draw(DrawTalk::Offer { by: Color::Black });
    let mut white = White::usual(WILD16.choices);
    white.hear(offer);
    assert_eq!(white.attempt(), Attempt::DeclineDraw);
    let mut bare = White::with(&[(Role::King, Square::A1)], Square::H8);
    bare.hear(offer);
    assert_eq!(bare.attempt(), Attempt::AcceptDraw);
}

#[test]
fn sparring_moves_from_a_start_that_it_does_not_know() {
    let own = side(
        Color::White,
        &[(Role::King, Square::A1), (Role::Rook, Square::D4)],
    );
    let start = Start {
        rules: "wild16".into(),
        own: Some(own),
        reserves: ByColor::default(),
    };
    let view = PlayerView::open(WILD16.choices, Color::White, &start);
    let tries = view.tries();
    let attempt = Sparring::new(SEED).attempt(&view, &tries);
    assert!(tries.iter().any(|t| Attempt::Try(*t) == attempt));
}

#[test]
fn sparring_with_equal_seeds_makes_equal_attempts() {
    let play = || {
        let mut white = White::usual(WILD16.choices);
        let mut attempts = vec![white.attempt()];
        white.exchange(
            "e2e4",
            &[Heard::Announced(Announcement::Tries(Tries::Count(0)))],
        );
        attempts.push(white.attempt());
        attempts
    };
    assert_eq!(play(), play());
}

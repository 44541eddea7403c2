//! Conversion of hearings, and of what a seat knows.

use club::{HeardItem, Hearing, SeatView, cause_words};
use notation::{start_words, words};
use rules::{
    CaptureHeard, Choices, EnemyCount, Listener, Reserve, ReserveUse,
    chess::{Color, Role},
};
use views::PlayerView;
use wire::{
    CastlingJson, ClocksJson, HeardJson, HearingJson, LeftJson, RefusedTryJson, SeatViewJson, Side,
};

/// Converts a hearing.
pub fn hearing(hearing: &Hearing, choices: &Choices, listener: Listener) -> HearingJson {
    HearingJson {
        n: hearing.n,
        heard: hearing
            .heard
            .iter()
            .map(|item| match item {
                HeardItem::Start(start) => HeardJson::from(start),
                HeardItem::Heard(heard) => HeardJson::from(heard),
            })
            .collect(),
        words: hearing
            .heard
            .iter()
            .map(|item| match item {
                HeardItem::Start(start) => start_words(start),
                HeardItem::Heard(heard) => words(heard, choices, listener).unwrap_or_default(),
            })
            .collect(),
        clocks: hearing.clocks.map(ClocksJson::from),
    }
}

/// Converts what a seat knows.
pub fn seat_view(seat: &SeatView) -> SeatViewJson {
    let view = &seat.view;
    let own = view.own();
    let mut tries: Vec<String> = view.tries().iter().map(ToString::to_string).collect();
    tries.sort_unstable();
    SeatViewJson {
        n: seat.n,
        seat: Side::from(view.color()),
        men: own.board().board_fen().to_string(),
        castling: castling(CastlingJson::from(own.castling)).to_owned(),
        reserve: letters(&own.reserve),
        to_move: view.to_move().map(Side::from),
        tries,
        refused: seat
            .refused
            .iter()
            .map(|refused| RefusedTryJson {
                attempt: refused.attempt.to_string(),
                cause: refused.cause,
                why: cause_words(refused.cause, view.choices()),
            })
            .collect(),
        words: seat.words.iter().map(|&word| word.to_owned()).collect(),
        draw_offer: view.draw_offer().map(Side::from),
        left: left(view),
    }
}

const fn castling(castling: CastlingJson) -> &'static str {
    match castling {
        CastlingJson::Both => "KQ",
        CastlingJson::King => "K",
        CastlingJson::Queen => "Q",
        CastlingJson::Neither => "",
    }
}

/// Formats men as letters, the queen first, such as `QRNPP`.
fn letters(men: &Reserve) -> String {
    let letters = [
        ('Q', Role::Queen),
        ('R', Role::Rook),
        ('B', Role::Bishop),
        ('N', Role::Knight),
        ('P', Role::Pawn),
    ];
    letters
        .into_iter()
        .flat_map(|(letter, role)| (0..men.count(role)).map(move |_| letter))
        .collect()
}

/// Returns what the seat can know about the number of enemy men, from the captures and drops that
/// it heard; `None` if the ruleset forbids a count.
fn left(view: &PlayerView) -> Option<LeftJson> {
    let enemy = !view.color();
    match (view.choices().reserve, view.choices().enemy_count) {
        (ReserveUse::Drops, _) => Some(by_kind(view, enemy)),
        (ReserveUse::None, EnemyCount::Shown) => Some(bounds(view, enemy)),
        (ReserveUse::None, EnemyCount::Withheld) => None,
    }
}

/// Counts the enemy men in a game without drops. The counts are upper bounds, because under some
/// rulesets the announcement of a capture does not name the man. A captured promoted man counts as a
/// piece, although it came to the board as a pawn.
fn bounds(view: &PlayerView, enemy: Color) -> LeftJson {
    let lost = view.losses()[enemy];
    let told = match view.choices().capture_heard {
        CaptureHeard::Both | CaptureHeard::Capturer => true,
        CaptureHeard::Victim => false,
    };
    let men = 16_u16.saturating_sub(lost.total());
    let named: u16 = lost.named.iter().map(|(_, n)| u16::from(n)).sum();
    // One of the men is the king, which is never captured.
    let most = |all: u16, gone: u16| all.saturating_sub(gone).min(men.saturating_sub(1));
    LeftJson {
        men: told.then_some(men),
        pawns: most(8, lost.pawns),
        pieces: most(7, lost.pieces.saturating_add(named)),
        kinds: None,
        reserve: String::new(),
    }
}

/// Counts each kind of enemy man in a game with drops. The counts are exact, because every capture
/// and every drop names the man to both players.
fn by_kind(view: &PlayerView, enemy: Color) -> LeftJson {
    let balance = view.balance()[enemy];
    let mut board = Reserve::EMPTY;
    for (role, number) in FULL {
        (0..number.saturating_add(balance[role])).for_each(|_| board.add(role));
    }
    let all: u16 = board.iter().map(|(_, number)| u16::from(number)).sum();
    let pawns = u16::from(board.count(Role::Pawn));
    LeftJson {
        // The king is never captured, and is not among the counted men.
        men: Some(all + 1),
        pawns,
        pieces: all - pawns,
        kinds: Some(letters(&board)),
        reserve: letters(&view.reserves()[enemy]),
    }
}

/// Number of men of each role that a side has at the start of a game, without the king.
const FULL: [(Role, i16); 5] = [
    (Role::Queen, 1),
    (Role::Rook, 2),
    (Role::Bishop, 2),
    (Role::Knight, 2),
    (Role::Pawn, 8),
];

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, seq::IndexedRandom};
    use rand_chacha::ChaCha8Rng;
    use referee::Game;
    use rules::{
        Announcement, Attempt, Capture, CapturedMan, Heard, Reply, Try, Verdict,
        rulesets::{self, CRAZYKRIEG, KS, WILD16},
    };

    use super::*;

    fn after_captures(choices: Choices, men: &[Option<CapturedMan>]) -> LeftJson {
        let mut view = PlayerView::initial(choices, Color::White);
        for man in men {
            view.hear(&Heard::own_verdict(
                Verdict::Moved,
                Color::White,
                "e2e4".parse().unwrap(),
            ));
            view.hear(&Heard::Announced(Announcement::Capture(Capture {
                square: None,
                man: *man,
                en_passant: false,
            })));
        }
        left(&view).unwrap()
    }

    #[test]
    fn a_count_is_withheld_if_the_ruleset_forbids_it() {
        for ruleset in &rulesets::ALL {
            let withheld = ["rand", "rand-ladder", "umpire", "cincinnati"].contains(&&*ruleset.id);
            let view = PlayerView::initial(ruleset.choices, Color::White);
            assert_eq!(left(&view).is_none(), withheld, "{}", ruleset.id);
        }
    }

    #[test]
    fn bounds_fall_with_each_heard_capture() {
        let all = |men, pawns, pieces| LeftJson {
            men,
            pawns,
            pieces,
            kinds: None,
            reserve: String::new(),
        };
        let wild16 = WILD16.choices;
        assert_eq!(after_captures(wild16, &[]), all(Some(16), 8, 7));
        let pawn = Some(CapturedMan::Pawn);
        let piece = Some(CapturedMan::Piece);
        assert_eq!(
            after_captures(wild16, &[pawn, piece, pawn]),
            all(Some(13), 6, 6)
        );
        assert_eq!(after_captures(wild16, &[None; 12]), all(Some(4), 3, 3));
        assert_eq!(after_captures(KS.choices, &[]).pawns, 8);
    }

    /// Returns what White knows of the number of Black's men in a game with drops. `turns` lists
    /// the mover of each turn and what White hears in this turn.
    fn after_drops(turns: &[(Color, &[Heard])]) -> LeftJson {
        let mut view = PlayerView::initial(CRAZYKRIEG.choices, Color::White);
        for &(by, told) in turns {
            let attempt = (by == Color::White).then(|| "a2a3".parse().unwrap());
            view.hear(&Heard::Reply(Reply::Verdict {
                verdict: Verdict::Moved,
                by,
                attempt: attempt.map(Attempt::Try),
            }));
            told.iter().for_each(|heard| view.hear(heard));
        }
        left(&view).unwrap()
    }

    #[test]
    fn each_kind_is_counted_in_a_game_with_drops() {
        let taken = |square: &str, role| {
            Heard::Announced(Announcement::Capture(Capture {
                square: Some(square.parse().unwrap()),
                man: Some(CapturedMan::Exactly(role)),
                en_passant: false,
            }))
        };
        let lost = |square: &str, man| Heard::Lost {
            square: square.parse().unwrap(),
            man,
        };
        let drop = |by, man| Heard::Announced(Announcement::Drop { by, man });
        let (white, black) = (Color::White, Color::Black);
        let begun = after_drops(&[]);
        assert_eq!(begun.kinds.as_deref(), Some("QRRBBNNPPPPPPPP"));
        assert_eq!((begun.men, begun.pawns, begun.pieces), (Some(16), 8, 7));

        // White captures the queen. Black captures a knight and drops it. Then Black captures a
        // queen that is a promoted pawn: the queen becomes a pawn again and goes into Black's
        // reserve.
        let known = after_drops(&[
            (white, &[taken("d5", Role::Queen)]),
            (
                black,
                &[lost("b1", Role::Knight), taken("b1", Role::Knight)],
            ),
            (white, &[]),
            (black, &[drop(black, Role::Knight)]),
            (white, &[drop(white, Role::Queen)]),
            (black, &[lost("d1", Role::Queen), taken("d1", Role::Pawn)]),
        ]);
        let wanted = LeftJson {
            men: Some(16),
            pawns: 8,
            pieces: 7,
            kinds: Some("RRBBNNNPPPPPPPP".to_owned()),
            reserve: "P".to_owned(),
        };
        assert_eq!(known, wanted);
    }

    /// Returns one side's men on the board without the king, as letters. A promoted man is listed
    /// as a pawn.
    fn men_of(fen: &str, color: Color) -> Vec<char> {
        let mut men: Vec<char> = Vec::new();
        for letter in fen.split(['[', ' ']).next().unwrap_or_default().chars() {
            match letter {
                '~' => {
                    let promoted = men.last_mut().unwrap();
                    *promoted = if promoted.is_uppercase() { 'P' } else { 'p' };
                }
                _ if letter.is_alphabetic() => men.push(letter),
                _ => {}
            }
        }
        men.retain(|letter| letter.is_uppercase() == color.is_white());
        men.iter_mut().for_each(|man| man.make_ascii_uppercase());
        men.retain(|&man| man != 'K');
        men.sort_by_key(|&man| "QRBNP".find(man));
        men
    }

    #[test]
    fn known_counts_of_enemy_men_fit_the_board_in_random_games() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut checked, mut promoted) = (0, 0);
        for ruleset in rulesets::ALL.iter().flat_map(|ruleset| [ruleset; 12]) {
            let mut game = Game::from(ruleset);
            let choices = Choices {
                enemy_count: EnemyCount::Shown,
                ..ruleset.choices
            };
            let mut views =
                [Color::White, Color::Black].map(|color| PlayerView::initial(choices, color));
            for _ in 0..400 {
                let Some(by) = game.to_move() else { break };
                let tries = game.sheet().legal_tries();
                // Pawn moves are preferred, so that there are promotions.
                let board = game.sheet().board();
                let of_pawn = |t: &Try| match *t {
                    Try::Step { from, .. } => board.role_at(from) == Some(Role::Pawn),
                    _ => false,
                };
                let pawns: Vec<Try> = tries.iter().copied().filter(of_pawn).collect();
                let from = if pawns.is_empty() || rng.random_bool(0.4) {
                    &tries
                } else {
                    &pawns
                };
                let Some(&t) = from.choose(&mut rng) else {
                    break;
                };
                promoted += u32::from(matches!(
                    t,
                    Try::Step {
                        promotion: Some(_),
                        ..
                    }
                ));
                let ruling = game.judge(by, Attempt::Try(t)).unwrap();
                game.apply(&ruling.event);
                for view in &mut views {
                    view.hear_calls(&ruling.calls);
                    let men = men_of(&game.sheet().fen(), !view.color());
                    let all = u16::try_from(men.len()).unwrap();
                    let pawns =
                        u16::try_from(men.iter().filter(|&&man| man == 'P').count()).unwrap();
                    let left = left(view).unwrap();
                    let what = || {
                        format!(
                            "{}: the view says {left:?}, but the men on the board are {men:?}",
                            ruleset.id
                        )
                    };
                    assert!(left.men.is_none_or(|told| told == all + 1), "{}", what());
                    assert!(pawns <= left.pawns, "{}", what());
                    assert!(
                        all - pawns <= left.pieces + (left.pawns - pawns),
                        "{}",
                        what()
                    );
                    if let Some(kinds) = &left.kinds {
                        assert_eq!(*kinds, men.iter().collect::<String>(), "{}", what());
                        assert_eq!(
                            left.reserve,
                            letters(&game.sheet().reserves()[!view.color()])
                        );
                    }
                    checked += 1;
                }
            }
        }
        assert!(
            checked > 20_000 && promoted > 100,
            "{checked} views, {promoted} promotions"
        );
    }
}

//! Tests of information that must never reach a player, with one test for each case.
//!
//! `pairs.rs` tests the general rule with random pairs of games. Each test in this file is about
//! a leak that another program has had.

use std::collections::BTreeSet;

use notation::{start_words, words};
use referee::{Game, Opened, Refusal, StartPosition};
use rules::{
    Answer, Listener, NonsenseHeard, PawnTries, PromotionMan, Ruleset, Try,
    chess::{Color, Square},
    rulesets,
};
use testkit::pairs::{ListenerView, heard_by};
use wire::HeardJson;

/// A game, and everything that its three listeners received.
struct ObservedGame {
    game: Game,
    views: [ListenerView; 3],
    /// Messages to each listener, as JSON and as sentences. Each entry is one message.
    given: [Vec<String>; 3],
}

impl ObservedGame {
    fn open(opened: Opened) -> ObservedGame {
        let game = Game::open(opened);
        let views =
            Listener::ALL.map(|who| ListenerView::open(*game.choices(), who, &game.start(who)));
        let given = Listener::ALL.map(|who| {
            let start = game.start(who);
            vec![json(&[HeardJson::from(&start)]), start_words(&start)]
        });
        let mut heeded = ObservedGame { game, views, given };
        let calls = heeded.game.opening_calls();
        heeded.tell(&calls);
        heeded
    }

    fn new(ruleset: &Ruleset, fen: &str) -> ObservedGame {
        let start = StartPosition::from_fen(fen, &ruleset.choices).expect("the FEN is legal");
        ObservedGame::open(Opened::new(ruleset, ruleset.choices, start))
    }

    fn tell(&mut self, calls: &rules::Calls) {
        for (i, who) in Listener::ALL.into_iter().enumerate() {
            let heard = heard_by(who, calls);
            if heard.is_empty() {
                continue;
            }
            let list: Vec<HeardJson> = heard.iter().map(HeardJson::from).collect();
            self.given[i].push(json(&list));
            for one in &heard {
                self.views[i].hear(one);
                self.given[i].extend(words(one, self.game.choices(), who));
            }
        }
    }

    fn try_asking(&mut self, by: Color, what: &str) -> Result<Answer, Refusal> {
        let ruling = self
            .game
            .judge(by, what.parse().expect("the text is an attempt"))?;
        self.game.apply(&ruling.event);
        self.tell(&ruling.calls);
        Ok(ruling.answer())
    }

    fn ask(&mut self, by: Color, what: &str) -> Answer {
        self.try_asking(by, what)
            .unwrap_or_else(|refusal| panic!("{what}: {refusal}"))
    }

    /// Returns everything that a listener has: the view, the tries, and the messages.
    fn of(&self, who: Listener) -> (&ListenerView, Vec<Try>, &[String]) {
        let view = &self.views[who as usize];
        (view, view.tries(), &self.given[who as usize])
    }
}

fn json(list: &[HeardJson]) -> String {
    serde_json::to_string(list).expect("the list can be written as JSON")
}

#[track_caller]
fn alike(who: Listener, a: &ObservedGame, b: &ObservedGame) {
    assert_eq!(a.of(who), b.of(who), "{who:?}, {}", a.game.rules());
    assert_ne!(a.game, b.game, "the true positions should differ");
}

fn on_request_or_silent(ruleset: &Ruleset) -> bool {
    matches!(
        ruleset.choices.pawn_tries,
        PawnTries::OnRequest | PawnTries::Silent
    )
}

#[test]
fn en_passant_is_not_known_before_it_is_announced() {
    for ruleset in &rulesets::ALL {
        // The pawn on e5 is pinned, so no pawn try is announced in either game.
        let fen = "4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
        let [mut stepped, mut other] = [fen, fen].map(|fen| ObservedGame::new(ruleset, fen));
        stepped.ask(Color::Black, "d7d5");
        other.ask(Color::Black, "g8h8");
        alike(Listener::White, &stepped, &other);
        alike(Listener::Room, &stepped, &other);
        if !on_request_or_silent(ruleset) {
            continue;
        }
        // The capture is legal here, but nobody has asked Any?.
        let fen = "4k3/3p4/8/4P3/8/8/8/R3K3 b - - 0 1";
        let [mut stepped, mut other] = [fen, fen].map(|fen| ObservedGame::new(ruleset, fen));
        stepped.ask(Color::Black, "d7d5");
        other.ask(Color::Black, "e8f8");
        assert!(stepped.game.sheet().fen().contains(" d6 "));
        alike(Listener::White, &stepped, &other);
        alike(Listener::Room, &stepped, &other);
        let passed = "4k3/8/8/3pP3/8/8/8/R3K3 w - d6 0 1";
        let stood = "4k3/8/8/3pP3/8/8/8/R3K3 w - - 0 1";
        let [passed, stood] = [passed, stood].map(|fen| ObservedGame::new(ruleset, fen));
        alike(Listener::White, &passed, &stood);
    }
}

#[test]
fn the_count_of_half_moves_is_not_heard_before_the_end() {
    let wild16 = rulesets::by_id("wild16").unwrap();
    let mut early = ObservedGame::new(wild16, "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1");
    let mut late = ObservedGame::new(wild16, "4k2r/8/8/8/8/8/8/R3K3 w - - 90 71");
    let rounds = [
        "a1a2", "h8h7", "a2a3", "h7h6", "a3b3", "h6g6", "b3b4", "g6g5", "b4c4",
    ];
    for (what, by) in rounds.iter().zip(Color::ALL.into_iter().cycle()) {
        assert_eq!(early.ask(by, what), late.ask(by, what));
        for who in Listener::ALL {
            alike(who, &early, &late);
        }
    }
    early.ask(Color::Black, "g5f5");
    late.ask(Color::Black, "g5f5");
    assert_eq!(early.game.over(), None);
    assert_eq!(late.game.over().unwrap().reason, rules::Reason::Fifty);
}

#[test]
fn count_of_repetitions_is_not_heard_before_the_end() {
    let wild16 = rulesets::by_id("wild16").unwrap();
    let fen = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
    let [mut repeats, mut strolls] = [fen, fen].map(|fen| ObservedGame::new(wild16, fen));
    let white = ["a1a2", "a2a1", "a1a2"];
    let there_and_back = ["h8h7", "h7h8", "h8h7"];
    let elsewhere = ["h8h7", "h7g7", "g7g6"];
    for i in 0..3 {
        for heeded in [&mut repeats, &mut strolls] {
            heeded.ask(Color::White, white[i]);
        }
        repeats.ask(Color::Black, there_and_back[i]);
        strolls.ask(Color::Black, elsewhere[i]);
        if i > 0 {
            alike(Listener::White, &repeats, &strolls);
            alike(Listener::Room, &repeats, &strolls);
        }
    }
    for heeded in [&mut repeats, &mut strolls] {
        heeded.ask(Color::White, "a2a1");
    }
    repeats.ask(Color::Black, "h7h8");
    strolls.ask(Color::Black, "g6f6");
    assert_eq!(
        repeats.game.over().unwrap().reason,
        rules::Reason::Threefold
    );
    assert_eq!(strolls.game.over(), None);
}

#[test]
fn only_the_mover_learns_how_many_tries_were_refused() {
    let wild16 = rulesets::by_id("wild16").unwrap();
    let fen = "4k3/8/8/8/8/8/8/3RKR2 b - - 0 1";
    let silent = |times: usize| {
        let mut heeded = ObservedGame::new(wild16, fen);
        let mut beside = Vec::new();
        for what in ["e8e6", "e8a8", "a8a7", "e8c8", "e8g8"]
            .iter()
            .cycle()
            .take(times)
        {
            assert_eq!(heeded.ask(Color::Black, what), Answer::Nonsense);
            for what in ["e1e2", "px", "any", "count", "withdraw-draw"] {
                beside.push(
                    heeded
                        .try_asking(Color::White, what)
                        .unwrap_err()
                        .to_string(),
                );
            }
        }
        // In the true position the rooks attack these squares, so these tries are answered
        // "no".
        for what in ["e8d8", "e8f8", "e8d7", "e8f7"].iter().take(times) {
            assert_eq!(heeded.ask(Color::Black, what), Answer::No);
        }
        let beside: BTreeSet<String> = beside.into_iter().collect();
        assert!(beside.len() <= 5, "{beside:?}");
        heeded.ask(Color::Black, "e8e7");
        heeded
    };
    let none = silent(0);
    for times in [1, 2, 49, 50, 300] {
        let some = silent(times);
        assert_eq!(some.given[0], none.given[0], "White, {times}");
        assert_eq!(
            some.given[2], none.given[2],
            "the spectators, {times} refused tries"
        );
        assert_eq!(some.views[0], none.views[0]);
        assert_eq!(some.views[2], none.views[2]);
        assert!(some.given[1].len() > none.given[1].len());
    }
}

#[test]
fn nonsense_that_only_the_mover_hears_reaches_nobody_else() {
    for ruleset in &rulesets::ALL {
        if ruleset.choices.nonsense_heard != NonsenseHeard::Mover {
            continue;
        }
        let fen = "4k3/8/8/8/8/8/8/R3K3 b - - 0 1";
        let [mut some, mut none] = [fen, fen].map(|fen| ObservedGame::new(ruleset, fen));
        for what in ["e8a8", "b7b5", "e8e8", "e8c8"] {
            assert_eq!(some.ask(Color::Black, what), Answer::Nonsense);
        }
        some.ask(Color::Black, "e8f7");
        none.ask(Color::Black, "e8d7");
        alike(Listener::White, &some, &none);
        alike(Listener::Room, &some, &none);
    }
}

#[test]
fn the_castling_rights_of_the_other_side_are_not_told() {
    let fen = |rights: &str| format!("r3k2r/8/8/8/8/8/8/R3K2R b {rights} - 0 1");
    for ruleset in &rulesets::ALL {
        let with = ObservedGame::new(ruleset, &fen("KQkq"));
        for rights in ["KQk", "KQq", "KQ"] {
            let without = ObservedGame::new(ruleset, &fen(rights));
            alike(Listener::White, &with, &without);
            alike(Listener::Room, &with, &without);
        }
        // Castling sounds like any other move.
        let mut castles = ObservedGame::new(ruleset, &fen("kq"));
        let mut walks = ObservedGame::new(ruleset, &fen("-"));
        castles.ask(Color::Black, "e8g8");
        walks.ask(Color::Black, "e8d8");
        alike(Listener::White, &castles, &walks);
        alike(Listener::Room, &castles, &walks);
    }
}

#[test]
fn refusal_texts_name_no_square_no_enemy_man_and_no_check() {
    let all = [
        Refusal::GameOver,
        Refusal::NotYourTurn {
            to_move: Color::White,
        },
        Refusal::NoDrops,
        Refusal::NoAny,
        Refusal::AnyAsked,
        Refusal::NoCount,
        Refusal::NoRecap,
        Refusal::NoPx,
        Refusal::PxCount { announced: 0 },
        Refusal::PxCount { announced: 2 },
        Refusal::PxNeedsMan,
        Refusal::PxNoMan,
        Refusal::PxWrongMan,
        Refusal::NoOffer,
        Refusal::NoOwnOffer,
        Refusal::OfferStands,
    ];
    for refusal in all {
        // If you add a refusal or a field of a refusal, check here that it reveals
        // nothing.
        let public = match refusal {
            Refusal::GameOver
            | Refusal::NotYourTurn { to_move: _ }
            | Refusal::NoDrops
            | Refusal::NoAny
            | Refusal::AnyAsked
            | Refusal::NoCount
            | Refusal::NoRecap
            | Refusal::NoPx
            | Refusal::PxCount { announced: _ }
            | Refusal::PxNeedsMan
            | Refusal::PxNoMan
            | Refusal::PxWrongMan
            | Refusal::NoOffer
            | Refusal::NoOwnOffer
            | Refusal::OfferStands => refusal.to_string(),
        };
        let names_square = Square::ALL
            .into_iter()
            .any(|sq| public.contains(&sq.to_string()));
        assert!(!names_square, "{public}");
        // The texts about `px` may name a pawn and a queen: an own pawn, and its promotion to a
        // queen. No text names another kind of man.
        let mut words = public.split(|c: char| !c.is_alphabetic());
        let hidden = ["king", "rook", "bishop", "knight", "check", "checks"];
        assert!(!words.any(|word| hidden.contains(&word)), "{public}");
        let is_px = public.contains("px");
        assert!(is_px || !public.contains("pawn"), "{public}");
        assert!(is_px || !public.contains("queen"), "{public}");
        assert!(!public.contains('\n'), "{public}");
    }
}

#[test]
fn only_own_men_decide_if_px_needs_a_promotion_man() {
    let wild16 = rulesets::by_id("wild16").unwrap();
    // One pawn capture is announced. In one game the pawn on b7 can make this capture,
    // in the other game the pawn on e4.
    let mut promotes = ObservedGame::new(wild16, "n5k1/1P6/8/8/4P3/8/8/4K3 w - - 0 1");
    let mut takes = ObservedGame::new(wild16, "6k1/1P6/8/3n4/4P3/8/8/4K3 w - - 0 1");
    alike(Listener::White, &promotes, &takes);
    let bare = |heeded: &mut ObservedGame| heeded.try_asking(Color::White, "px");
    assert_eq!(bare(&mut promotes), Err(Refusal::PxNeedsMan));
    assert_eq!(bare(&mut takes), Err(Refusal::PxNeedsMan));
    assert_eq!(promotes.ask(Color::White, "px=r"), Answer::Moved);
    assert_eq!(takes.ask(Color::White, "px=r"), Answer::Moved);
}

/// The refusal of `px` states the count that the mover has heard. In two games with the same count
/// the refusals are equal, although other men can be captured. A refused capture does not change
/// the count.
#[test]
fn refusal_of_px_states_only_the_announced_count() {
    let wild16 = rulesets::by_id("wild16").unwrap();
    for (fen, other, count, text) in [
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "8/8/k7/8/8/8/4P3/4K2b w - - 0 1",
            0,
            "px plays the only pawn try, and no pawn try was announced",
        ),
        (
            "4k3/8/8/3n1n2/4P3/8/8/4K3 w - - 0 1",
            "6k1/8/8/3b1p2/4P3/8/8/4K3 w - - 0 1",
            2,
            "px plays the only pawn try, and 2 pawn tries were announced",
        ),
    ] {
        let mut games = [fen, other].map(|fen| ObservedGame::new(wild16, fen));
        alike(Listener::White, &games[0], &games[1]);
        for game in &mut games {
            assert_eq!(game.ask(Color::White, "e2e5"), Answer::Nonsense, "{fen}");
            let refused = game.try_asking(Color::White, "px").unwrap_err();
            assert_eq!(refused, Refusal::PxCount { announced: count }, "{fen}");
            assert_eq!(refused.to_string(), text, "{fen}");
        }
    }
}

#[test]
fn px_accepts_only_a_queen_if_pawns_become_queens() {
    let mut ruleset = rulesets::by_id("wild16").unwrap().clone();
    ruleset.choices.promotion_man = PromotionMan::QueenOnly;
    let asked = |what| {
        let mut game = ObservedGame::new(&ruleset, "n5k1/1P6/8/8/4P3/8/8/4K3 w - - 0 1");
        game.try_asking(Color::White, what)
    };
    assert_eq!(asked("px=r"), Err(Refusal::PxWrongMan));
    assert_eq!(asked("px=q"), Ok(Answer::Moved));
}

#[test]
fn capture_that_only_the_victim_hears_reaches_nobody_else() {
    for id in ["ks", "ks+p"] {
        let ruleset = rulesets::by_id(id).unwrap();
        let mut takes = ObservedGame::new(ruleset, "k7/8/8/8/4n3/8/8/K3R3 w - - 0 1");
        let mut steps = ObservedGame::new(ruleset, "k7/8/8/8/8/8/8/K3R3 w - - 0 1");
        takes.ask(Color::White, "e1e4");
        steps.ask(Color::White, "e1e4");
        assert_eq!(takes.of(Listener::White), steps.of(Listener::White));
        assert_eq!(takes.of(Listener::Room), steps.of(Listener::Room));
        assert_ne!(
            takes.given[1], steps.given[1],
            "the victim hears of the capture"
        );
    }
}

#[test]
fn draw_offer_is_heard_only_by_players_and_ends_silently() {
    for ruleset in &rulesets::ALL {
        let fen = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
        let [mut offered, mut silent] = [fen, fen].map(|fen| ObservedGame::new(ruleset, fen));
        for (by, what) in [
            (Color::White, "offer-draw"),
            (Color::Black, "decline-draw"),
            (Color::Black, "offer-draw"),
            (Color::Black, "withdraw-draw"),
            (Color::White, "offer-draw"),
        ] {
            offered.ask(by, what);
        }
        assert_eq!(offered.of(Listener::Room), silent.of(Listener::Room));
        for heeded in [&mut offered, &mut silent] {
            heeded.ask(Color::White, "a1a2");
        }
        assert_eq!(offered.game.draw_offer(), Some(Color::White));
        for heeded in [&mut offered, &mut silent] {
            heeded.ask(Color::Black, "e8d7");
        }
        assert_eq!(offered.game.draw_offer(), None);
        assert_eq!(offered.of(Listener::Room), silent.of(Listener::Room));
    }
}

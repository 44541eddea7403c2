//! Tests what a player can type, and the messages that result.

use doors::ks::{AgreedGame, GuestSays, HostSays, Player};
use wire::{ClientSays, HeardJson, HearingJson, ServerSays, Side};

use crate::folder::Folder;

fn player(folder: &Folder, rotated: bool) -> Player {
    let names = ["anna", "bert"].map(str::to_owned);
    Player::new(names, rotated, folder.path().to_owned())
}

const GAME: &str = "abc234";

fn watch(after: u32) -> GuestSays {
    let game = GAME.to_owned();
    GuestSays::Game(ClientSays::Watch { game, after })
}

/// Returns an answer that names hearing number 2.
fn answered(id: String) -> HostSays {
    HostSays::Game(ServerSays::Answer {
        id,
        game: GAME.to_owned(),
        n: Some(2),
        answer: "moved".to_owned(),
        cause: None,
        why: String::new(),
    })
}

fn heard(n: u32, json: &str) -> HostSays {
    let heard: Vec<HeardJson> = serde_json::from_str(json).unwrap();
    HostSays::Game(ServerSays::Heard {
        game: GAME.to_owned(),
        hearing: HearingJson {
            n,
            heard,
            words: Vec::new(),
            clocks: None,
        },
    })
}

/// Gives a player a seat in a game with this ruleset and these own men.
fn seated(player: &mut Player, rules: &str, seat: Side, men: &str) {
    let game = HostSays::Seated(AgreedGame {
        game: GAME.to_owned(),
        seat,
        rules: rules.to_owned(),
        tossed: "the colours".to_owned(),
    });
    player.hear(game).unwrap();
    let turn = if seat == Side::White {
        "white"
    } else {
        "black"
    };
    let opening = format!(
        r#"[{{"kind":"start","rules":"{rules}","men":"{men}","castling":"KQ"}},{{"kind":"turn","to_move":"{turn}"}}]"#
    );
    player.hear(heard(1, &opening)).unwrap();
}

fn tries(says: &[GuestSays]) -> Vec<String> {
    let texts = says.iter().filter_map(|says| match says {
        GuestSays::Game(ClientSays::Try { text, .. }) => Some(text.clone()),
        _ => None,
    });
    texts.collect()
}

const WHITE: &str = "8/8/8/8/8/8/PPPPPPPP/RNBQKBNR";
const BLACK: &str = "rnbqkbnr/pppppppp/8/8/8/8/8/8";
/// White has pawns on a5 and g7 and no knights, and can castle.
const LATER: &str = "8/6P1/8/P7/8/8/1PPP1P2/R3K2R";

/// White has pawns on b3 and e4, and can move both bishops.
const BISHOPS: &str = "8/8/8/8/4P3/1P6/P1PP1PPP/RNBQKBNR";

/// Columns: seat, own men, typed line, sent attempt. If no attempt is sent, the
/// last column is `!` and a part of the answer.
const FORMS: &[(Side, &str, &str, &str)] = &[
    (Side::White, WHITE, "p-k4", "e2e4"),
    (Side::White, WHITE, "p/k2-k4", "e2e4"),
    (Side::White, WHITE, "e2-e4", "e2e4"),
    (Side::White, WHITE, "e4", "e2e4"),
    (Side::White, WHITE, "pe4", "e2e4"),
    (Side::White, WHITE, "e2e4", "e2e4"),
    (Side::White, WHITE, "P-K4", "e2e4"),
    (Side::White, WHITE, "  e2-e4  ", "e2e4"),
    (Side::White, WHITE, "n-kb3", "g1f3"),
    (Side::White, WHITE, "nf3", "g1f3"),
    (Side::White, WHITE, "n/kn1-kb3", "g1f3"),
    (Side::White, LATER, "pxqn6", "a5b6"),
    (Side::White, LATER, "axb6", "a5b6"),
    (Side::White, LATER, "o-o", "e1g1"),
    (Side::White, LATER, "o-o-o", "e1c1"),
    (Side::White, LATER, "e1g1", "e1g1"),
    (Side::White, LATER, "e1-c1", "e1c1"),
    (Side::White, LATER, "k-kn1", "e1g1"),
    (Side::White, LATER, "k/k1-qb1", "e1c1"),
    (Side::White, LATER, "g7-g8=n", "g7g8n"),
    (Side::White, LATER, "p-kn8=r", "g7g8r"),
    (Side::White, LATER, "any", "any"),
    (Side::Black, BLACK, "p-k4", "e7e5"),
    (Side::Black, BLACK, "e5", "e7e5"),
    (Side::Black, BLACK, "e7-e5", "e7e5"),
    (Side::White, WHITE, "resign", "resign"),
    (Side::White, WHITE, "draw", "offer-draw"),
    (Side::White, BISHOPS, "bb5", "f1b5"),
    (Side::White, BISHOPS, "be2", "f1e2"),
    (Side::White, BISHOPS, "b-c4", "f1c4"),
    (Side::White, BISHOPS, "bf1c4", "f1c4"),
    (Side::White, BISHOPS, "bf1-c4", "f1c4"),
    (Side::White, BISHOPS, "b-qb4", "f1c4"),
    (Side::White, BISHOPS, "bxc4", "!f1c4 or b3c4"),
    (Side::White, BISHOPS, "b3-b4", "b3b4"),
    (Side::White, BISHOPS, "b4", "b3b4"),
    (Side::White, BISHOPS, "bxb4", "f1c4"),
    (Side::White, BISHOPS, "bb2", "c1b2"),
    // No own man can make these three moves. The program sends them nevertheless, and the referee
    // answers them.
    (Side::White, WHITE, "bb5", "f1b5"),
    (Side::White, WHITE, "b-c4", "f1c4"),
    (Side::White, WHITE, "p-k5", "e2e5"),
    // For these lines, no attempt is sent.
    (Side::White, WHITE, "bxn", "!`bxn` is a move, but none"),
    (Side::White, WHITE, "pxn", "!may mean"),
    (Side::White, WHITE, "p-b3", "!may mean"),
    (Side::White, WHITE, "fiddlesticks", "!fiddlesticks"),
    (Side::White, WHITE, "\u{1b}[2J", "!["),
    (Side::White, WHITE, "say hello", "!not connected"),
    (Side::White, WHITE, "help", "!p/k2-k4"),
    (Side::White, WHITE, "", "!"),
];

#[tokio::test]
async fn typed_lines_send_the_listed_attempts() {
    for &(seat, men, line, expected) in FORMS {
        let folder = Folder::new();
        let mut anna = player(&folder, false);
        seated(&mut anna, "ks", seat, men);
        let reaction = anna.typed(line).unwrap();
        let shown = reaction.shows.join("\n");
        assert!(!shown.contains('\u{1b}'), "{line}: {shown}");
        match expected.strip_prefix('!') {
            None => assert_eq!(tries(&reaction.says), [expected], "{line}: {shown}"),
            Some(part) => {
                assert!(shown.contains(part), "{line}: {shown}");
                assert!(tries(&reaction.says).is_empty(), "{line}");
            }
        }
    }
}

#[tokio::test]
async fn ambiguous_text_shows_possible_tries_in_rotated_squares() {
    let folder = Folder::new();
    let mut bert = player(&folder, true);
    let men = "rnbqkbnr/ppp1pppp/8/3p4/8/8/8/8";
    seated(&mut bert, "ks", Side::Black, men);
    let shown = bert.typed("n-b3").unwrap().shows.join("");
    assert!(shown.contains("b1c3") && shown.contains("g1f3"), "{shown}");
}

#[tokio::test]
async fn with_rotated_squares_black_types_the_same_moves_as_white() {
    for (line, expected) in [
        ("e2-e4", "d7d5"),
        ("e4", "d7d5"),
        ("e2e4", "d7d5"),
        ("ng1-f3", "b8c6"),
        ("p-k4", "e7e5"),
    ] {
        let folder = Folder::new();
        let mut bert = player(&folder, true);
        seated(&mut bert, "ks", Side::Black, BLACK);
        let reaction = bert.typed(line).unwrap();
        assert_eq!(tries(&reaction.says), [expected], "{:?}", reaction.shows);
        let moved = format!(
            r#"[{{"kind":"moved","by":"black","attempt":"{expected}"}},{{"kind":"turn","to_move":"white"}}]"#
        );
        let shown = bert.hear(heard(2, &moved)).unwrap().shows;
        if expected == "d7d5" {
            assert!(shown[0].contains("e2e4"), "{shown:?}");
        }
    }
    // With `-r`, White's squares are not rotated.
    let folder = Folder::new();
    let mut anna = player(&folder, true);
    seated(&mut anna, "ks", Side::White, WHITE);
    assert_eq!(tries(&anna.typed("e2-e4").unwrap().says), ["e2e4"]);
}

#[tokio::test]
async fn empty_message_is_not_sent() {
    let folder = Folder::new();
    let mut anna = player(&folder, false);
    seated(&mut anna, "ks", Side::White, WHITE);
    anna.hear(HostSays::Here { here: true }).unwrap();
    for line in ["say", "say ", "say \t ", "SAY  "] {
        let typed = anna.typed(line).unwrap();
        assert!(typed.says.is_empty(), "{line:?}");
        assert!(typed.shows[0].contains("Nothing is sent"), "{line:?}");
    }
    let typed = anna.typed("say hello").unwrap();
    assert_eq!(
        typed.says,
        [GuestSays::Say {
            text: "hello".to_owned()
        }]
    );
}

#[tokio::test]
async fn question_any_is_ignored_with_option_p() {
    let folder = Folder::new();
    let mut anna = player(&folder, false);
    seated(&mut anna, "ks+p", Side::White, WHITE);
    let any = anna.typed("any").unwrap();
    assert!(
        any.says.is_empty() && any.shows[0].contains("ignored"),
        "{any:?}"
    );
}

#[tokio::test]
async fn request_waits_for_the_answer_to_the_previous_request() {
    let folder = Folder::new();
    let mut anna = player(&folder, false);
    seated(&mut anna, "ks+p", Side::White, WHITE);
    anna.typed("e4").unwrap();
    let moved =
        r#"[{"kind":"moved","by":"white","attempt":"e2e4"},{"kind":"turn","to_move":"black"}]"#;
    anna.hear(heard(2, moved)).unwrap();
    // The previous request is not answered yet, so the next request waits.
    assert!(anna.typed("d4").unwrap().shows.is_empty());
    let id = "no such request".to_owned();
    assert!(anna.hear(answered(id)).unwrap().shows.is_empty());
}

/// A request that was not answered before the process ended is sent again with
/// the same id.
#[tokio::test]
async fn unanswered_request_is_sent_again_with_the_same_id() {
    let folder = Folder::new();
    let game = || {
        HostSays::Seated(AgreedGame {
            game: GAME.to_owned(),
            seat: Side::White,
            rules: "ks".to_owned(),
            tossed: String::new(),
        })
    };
    let mut anna = player(&folder, false);
    seated(&mut anna, "ks", Side::White, WHITE);
    let asked = anna.typed("p-k4").unwrap().says;
    let mut again = player(&folder, false);
    let back = again.hear(game()).unwrap();
    assert_eq!(back.says[0], watch(1));
    assert_eq!(back.says[1..], asked[..]);
    let GuestSays::Game(ClientSays::Try { id, .. }) = asked[0].clone() else {
        panic!("the request is sent as a try");
    };
    // An incomplete line at the end of the journal is removed.
    let path = folder.path().join("abc234.journal");
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.push_str(r#"{"heard":{"n":2,"#);
    std::fs::write(&path, &text).unwrap();
    let mut third = player(&folder, false);
    assert_eq!(third.hear(game()).unwrap().says[1..], asked[..]);
    third.hear(answered(id)).unwrap();
    let moved =
        r#"[{"kind":"moved","by":"white","attempt":"e2e4"},{"kind":"turn","to_move":"black"}]"#;
    third.hear(heard(2, moved)).unwrap();
    let mut fourth = player(&folder, false);
    let back = fourth.hear(game()).unwrap();
    assert_eq!(back.says, [watch(2)]);
    assert!(back.shows.iter().any(|line| line == "You play e2e4."));
}

#[tokio::test]
async fn club_confirms_a_mute_before_the_player_hears_of_it() {
    let folder = Folder::new();
    let said = || HostSays::Said {
        text: "hello".to_owned(),
    };
    let mut anna = player(&folder, false).at_club();
    let typed = anna.typed("mute").unwrap();
    assert_eq!(typed.says, [GuestSays::Mute { on: true }]);
    assert!(
        typed.shows.is_empty(),
        "the club has not stored the change yet"
    );
    assert_eq!(anna.hear(said()).unwrap().shows, ["bert says: hello"]);
    for (on, words) in [(true, "are not shown."), (false, "are shown.")] {
        let stored = anna.hear(HostSays::Muted { on }).unwrap();
        assert_eq!(stored.shows, [format!("Messages of bert {words}")]);
        assert_eq!(anna.hear(said()).unwrap().shows.is_empty(), on);
    }

    // Without a club, each end stores its own mute, and the other end cannot change it.
    let mut anna = player(&folder, false);
    let typed = anna.typed("mute").unwrap();
    assert!(typed.says.is_empty());
    assert_eq!(typed.shows, ["Messages of bert are not shown."]);
    let stored = anna.hear(HostSays::Muted { on: false }).unwrap();
    assert!(stored.shows.is_empty());
    assert!(anna.hear(said()).unwrap().shows.is_empty());
}

/// A peer that leaves out a hearing is asked for it, and nothing after the gap is believed. A hearing
/// that comes twice counts once.
#[test]
fn skipped_hearing_is_asked_for_and_a_repeat_ignored() {
    let folder = Folder::new();
    let mut player = player(&folder, false);
    seated(&mut player, "ks", Side::White, WHITE);
    let moved =
        r#"[{"kind":"moved","by":"white","attempt":"e2e4"},{"kind":"turn","to_move":"black"}]"#;
    let reply = r#"[{"kind":"moved","by":"black"},{"kind":"turn","to_move":"white"}]"#;
    let gap = player.hear(heard(3, reply)).unwrap();
    assert_eq!(gap.says, [watch(1)]);
    assert!(gap.shows.is_empty() && !gap.board, "{gap:?}");
    // The peer skips another number before it gives the missing hearing.
    assert_eq!(player.hear(heard(5, reply)).unwrap().says, [watch(1)]);
    let second = player.hear(heard(2, moved)).unwrap();
    assert!(second.says.is_empty() && second.board, "{second:?}");
    let third = player.hear(heard(3, reply)).unwrap();
    assert!(
        third.says.is_empty() && !third.shows.is_empty(),
        "{third:?}"
    );
    let again = player.hear(heard(2, moved)).unwrap();
    assert!(again.says.is_empty() && again.shows.is_empty(), "{again:?}");
}

//! Complete games, played through the club.

use crate::common::{BLITZ, Scene, drain, noes, terms};
use club::{TimeControl, request_id};
use rules::{
    Listener, Over, Reason, Winner,
    chess::Color::{Black, White},
};
use wire::{GameStatus, RefusalCode, TableAct};

#[tokio::test(start_paused = true)]
async fn a_whole_game_is_played_to_mate() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    assert_eq!(scene.refused(Black, "e7e5").await, RefusalCode::NotYourTurn);
    assert_eq!(scene.say(White, "f3").await.answer, "moved");
    let said = scene.say(Black, "e7e5").await;
    assert_eq!((said.n, said.answer), (Some(3), "moved"));
    // Under wild16 the answer to nonsense is "no", as to a refused try. Only White, the mover, gets
    // the reason.
    let said = scene.say(White, "a1a5").await;
    assert_eq!((said.n, said.answer), (Some(4), "no"));
    assert!(said.why.starts_with("Your own men cannot"), "{}", said.why);
    assert_eq!(
        scene.refused(White, "fxg9").await,
        RefusalCode::NotUnderstood
    );
    assert_eq!(scene.say(White, "g2-g4").await.answer, "moved");
    let said = scene.say(Black, "Qh4").await;
    assert_eq!(said.answer, "moved");
    let over = Over {
        winner: Winner::Black,
        reason: Reason::Checkmate,
    };
    let facts = scene.facts(Listener::Room).await;
    assert_eq!(facts.standing.status, GameStatus::Over);
    assert_eq!(facts.standing.over, Some(over));
    assert_eq!(scene.refused(White, "a2a3").await, RefusalCode::GameOver);
    let finished = scene.club.finished(scene.game).await.unwrap();
    assert_eq!((finished.over, finished.log.len()), (over, 6));
    assert_eq!(finished.clocks.len(), 6);
    // Each listener heard the events that are for them, and nothing else.
    for (listener, count) in [
        (Listener::White, 6),
        (Listener::Black, 5),
        (Listener::Room, 5),
    ] {
        let heard = scene.heard(listener).await;
        assert_eq!(heard.len(), count, "{listener:?}");
        let numbers: Vec<_> = heard.iter().map(|h| h.n).collect();
        assert_eq!(numbers, (1..=count as u32).collect::<Vec<_>>());
        assert_eq!(noes(&heard), usize::from(listener == Listener::White));
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_of_a_running_game_is_given_to_others() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    let stranger = scene.club.guest().await.unwrap().id;
    let (club, game) = (scene.club.clone(), scene.game);
    assert_eq!(
        club.finished(game)
            .await
            .expect_err("the game is not over")
            .code,
        RefusalCode::NotPossible
    );
    assert_eq!(club.seat(game, Some(stranger)).await, Ok(Listener::Room));
    assert_eq!(club.seat(game, None).await, Ok(Listener::Room));
    let view = club.seat_view(game, stranger).await;
    assert_eq!(
        view.expect_err("only a player may do this").code,
        RefusalCode::Forbidden
    );
    let id = request_id("x").unwrap();
    let said = club.say(game, stranger, id.clone(), 1, "d2d4").await;
    assert_eq!(
        said.expect_err("only a player may do this").code,
        RefusalCode::Forbidden
    );
    let act = club.act(game, stranger, id, TableAct::Abort).await;
    assert_eq!(
        act.expect_err("only a player may do this").code,
        RefusalCode::Forbidden
    );
    let facts = club.facts(game, Some(stranger)).await.unwrap();
    assert_eq!(
        (facts.standing.offers, facts.standing.claim_from),
        (None, None)
    );
}

#[tokio::test(start_paused = true)]
async fn listener_resumes_after_its_last_hearing() {
    let mut scene = Scene::new(terms("cincinnati", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    let mut black = scene.listen(Listener::Black).await;
    let first = drain(&mut black);
    assert_eq!(first.len(), 4);
    assert!(black.is_idle());
    drop(black);
    scene.say(White, "d2d4").await;
    let reader = Some(scene.black.id);
    let mut again = scene.club.listen(scene.game, reader, 3).await.unwrap();
    let items = drain(&mut again);
    assert!(matches!(&items[0], club::ListenerItem::Hearing(h) if h.n == 4));
    assert!(matches!(&items[1], club::ListenerItem::Facts(_)));
    assert_eq!(items.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_repeated_request_gets_the_earlier_answer() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    let (club, game, white) = (scene.club.clone(), scene.game, scene.white.id);
    let id = |text: &str| request_id(text).unwrap();
    let knight = club.say(game, white, id("k"), 1, "Nf3").await.unwrap();
    assert_eq!(knight.n, Some(2));
    assert_eq!(
        club.say(game, white, id("k"), 1, "Nf3").await,
        Ok(knight.clone())
    );
    assert_eq!(
        club.say(game, white, id("k"), 1, "g1f3").await,
        Ok(knight.clone())
    );
    let other = club.say(game, white, id("k"), 1, "e2e4").await;
    assert_eq!(
        other.expect_err("the same id with another text").code,
        RefusalCode::IdReused
    );
    scene.say(Black, "e7e5").await;
    let no = club.say(game, white, id("no"), 3, "f3e4").await.unwrap();
    assert_eq!(no.answer, "no");
    let offer = club.act(game, white, id("adj"), TableAct::Adjourn).await;
    let offer = offer.unwrap();
    drop(club);
    scene.reopen().await;
    let rows = scene.rows().await;
    let club = &scene.club;
    assert_eq!(club.say(game, white, id("k"), 1, "Nf3").await, Ok(knight));
    assert_eq!(club.say(game, white, id("no"), 3, "f3e4").await, Ok(no));
    assert_eq!(
        club.act(game, white, id("adj"), TableAct::Adjourn).await,
        Ok(offer)
    );
    let other = club
        .act(game, white, id("adj"), TableAct::DeclineAdjourn)
        .await;
    assert_eq!(
        other.expect_err("the same id with another act").code,
        RefusalCode::IdReused
    );
    let after = scene.rows().await;
    assert_eq!(after, rows, "nothing was recorded again");
}

/// `px` is another way to write the only announced pawn capture. Other tries cannot be written as
/// `px`.
#[tokio::test(start_paused = true)]
async fn px_counts_as_a_repeat_only_if_it_means_the_same_try() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    let (game, white) = (scene.game, scene.white.id);
    let id = |text: &str| request_id(text).unwrap();
    let club = scene.club.clone();
    let first = club.say(game, white, id("a"), 1, "e2e4").await;
    assert_eq!(first.unwrap().answer, "moved");
    let px = club.say(game, white, id("a"), 1, "px").await;
    assert_eq!(
        px.expect_err("the same id for another request").code,
        RefusalCode::IdReused
    );
    scene.say(Black, "d7d5").await;
    let after = scene.n(White).await;
    let no = club.say(game, white, id("b"), after, "e4f5").await;
    assert_eq!(no.unwrap().answer, "no");
    let px = club.say(game, white, id("b"), after, "px").await;
    assert_eq!(
        px.expect_err("the same id for another request").code,
        RefusalCode::IdReused
    );
    let first = club.say(game, white, id("c"), after, "px").await;
    assert_eq!(first.as_ref().unwrap().answer, "moved");
    drop(club);
    scene.reopen().await;
    let rows = scene.rows().await;
    let again = scene.club.say(game, white, id("c"), after, "px").await;
    assert_eq!(again, first);
    let named = scene.club.say(game, white, id("c"), after, "e4d5").await;
    assert_eq!(named, first, "the same capture in another notation");
    let other = scene.club.say(game, white, id("c"), after, "d2d4").await;
    assert_eq!(
        other.expect_err("the same id for another request").code,
        RefusalCode::IdReused
    );
    let now = scene.rows().await;
    assert_eq!(now, rows, "nothing was recorded again");
}

#[tokio::test(start_paused = true)]
async fn an_attempt_meant_for_an_earlier_turn_is_stale() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    let (club, game, white) = (scene.club.clone(), scene.game, scene.white.id);
    let id = |text: &str| request_id(text).unwrap();
    for after in [0, 1, 2] {
        let said = club.say(game, white, id("s"), after, "d2d4").await;
        assert_eq!(
            said.expect_err("the attempt is stale").code,
            RefusalCode::Stale,
            "{after}"
        );
    }
    let ahead = club.say(game, white, id("s"), 99, "d2d4").await;
    assert_eq!(
        ahead.expect_err("the number was not heard yet").code,
        RefusalCode::Invalid
    );
    // White has not yet heard the answer to White's own refused try. This does not make White's
    // next try stale.
    assert_eq!(scene.say(White, "g1g5").await.answer, "no");
    let said = club.say(game, white, id("s"), 3, "d2d4").await;
    assert_eq!(said.unwrap().answer, "moved");
    // A resignation is valid in any turn.
    let said = club.say(game, white, id("r"), 1, "resign").await;
    assert_eq!(said.unwrap().answer, "resigned");
}

#[tokio::test(start_paused = true)]
async fn a_reopened_club_has_the_same_hearings_and_views() {
    let mut scene = Scene::new(terms("berkeley-any", BLITZ)).await;
    scene.moves(&["e2e4", "d7d5"]).await;
    scene.say(White, "any").await;
    scene.say(White, "offer-draw").await;
    scene.say(White, "e4d5").await;
    scene.say(Black, "d8d5").await;
    let mut before = Vec::new();
    for listener in Listener::ALL {
        before.push(scene.heard(listener).await);
    }
    let view = scene.club.seat_view(scene.game, scene.black.id).await;
    scene.reopen().await;
    for (listener, before) in Listener::ALL.into_iter().zip(before) {
        assert_eq!(scene.heard(listener).await, before, "{listener:?}");
    }
    let again = scene.club.seat_view(scene.game, scene.black.id).await;
    assert_eq!(again, view);
    assert_eq!(scene.say(White, "b1c3").await.answer, "moved");
}

#[tokio::test(start_paused = true)]
async fn a_custom_ruleset_is_played_as_its_text_says() {
    let custom = "from = \"wild16\"\nid = \"loud\"\n[choices]\nno_heard = \"both\"\n";
    let mut given = terms("whatever", BLITZ);
    given.custom = Some(custom.to_owned());
    let mut scene = Scene::new(given).await;
    let facts = scene.facts(Listener::Room).await;
    assert_eq!(facts.terms.rules, "loud");
    assert_eq!(facts.choices.no_heard, rules::NoHeard::Both);
    scene.moves(&["e2e4", "e7e5"]).await;
    assert_eq!(scene.say(White, "e4e5").await.answer, "no");
    assert_eq!(noes(&scene.heard(Listener::Black).await), 1);
    assert_eq!(noes(&scene.heard(Listener::Room).await), 1);
    scene.reopen().await;
    assert_eq!(noes(&scene.heard(Listener::Black).await), 1);
}

#[tokio::test(start_paused = true)]
async fn a_game_can_begin_in_a_given_position() {
    let custom = |fen: &str| {
        let mut given = terms("whatever", BLITZ);
        given.custom = Some(format!("from = \"wild16\"\nstart = \"{fen}\"\n"));
        given
    };
    let mut scene = Scene::new(custom("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")).await;
    assert_eq!(scene.facts(Listener::Room).await.terms.rules, "wild16");
    assert_eq!(scene.say(White, "e2e4").await.answer, "moved");
    scene.reopen().await;
    assert_eq!(scene.say(Black, "d8d7").await.answer, "no");
    assert_eq!(scene.say(Black, "e8e7").await.answer, "moved");
    // No position of chess; the game is over.
    for fen in ["8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"] {
        let refused = scene.club.seek(scene.white.id, custom(fen)).await;
        assert_eq!(refused.unwrap_err().reason, "start-unfit", "{fen}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_game_can_be_played_under_every_ruleset() {
    for ruleset in &rules::rulesets::ALL {
        let mut scene = Scene::new(terms(&ruleset.id, TimeControl::Unlimited)).await;
        assert_eq!(scene.say(White, "e2e4").await.answer, "moved");
        assert_eq!(scene.facts(Listener::Room).await.standing.clocks, None);
    }
}

/// The referee judges a move that no own man can make, in every notation. Under wild16 only the
/// mover hears of the move.
#[tokio::test(start_paused = true)]
async fn an_impossible_move_is_judged_in_every_notation() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    for text in ["c1f4", "Bf4", "B-KB4"] {
        let said = scene.say(White, text).await;
        assert_eq!(said.answer, "no", "{text}");
        assert!(said.why.starts_with("Your own men cannot"), "{}", said.why);
    }
    assert_eq!(
        scene.refused(White, "RxQ").await,
        RefusalCode::NotUnderstood
    );
}

/// A typed text can be asked back before the referee hears it. The answer depends only on what the
/// seat heard.
#[tokio::test(start_paused = true)]
async fn typed_text_that_needs_no_referee_is_asked_back() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    scene.moves(&["e4", "d5"]).await;
    let rows = scene.rows().await;
    let asked = async |text: &str| {
        let back = scene.club.ask_back(scene.game, scene.white.id, None, text);
        back.await.map_err(|error| (error.reason, error.args))
    };
    for text in ["e4d5", "exd5", "Nf3", "any", "resign", "?", "xyzzy", "Nd3x"] {
        assert_eq!(asked(text).await, Ok(()), "{text}");
    }
    for (text, attempt) in [("Qd5", "d1d5"), ("e4e6", "e4e6"), ("a1a5", "a1a5")] {
        let args = vec![("attempt", attempt.to_owned())];
        assert_eq!(asked(text).await, Err(("impossible", args)), "{text}");
    }
    for (text, question, more) in [
        ("p n", "men", Some(("man", "knight"))),
        ("p", "men", None),
        ("s e4", "squares", Some(("squares", "e4"))),
        ("?e4", "squares", Some(("squares", "e4"))),
        ("l", "call", None),
        ("o", "opponent", None),
        ("c", "clocks", None),
        ("i", "game", None),
    ] {
        let args = [("text", text), ("question", question)]
            .into_iter()
            .chain(more);
        let args = args.map(|(name, value)| (name, value.to_owned())).collect();
        assert_eq!(asked(text).await, Err(("question", args)), "{text}");
    }
    // What does not depend on the turn is asked back always; nobody hears of it.
    let black = scene
        .club
        .ask_back(scene.game, scene.black.id, None, "Qd5")
        .await;
    assert_eq!(black, Ok(()));
    assert_eq!(scene.rows().await, rows);
    // A second time the text goes to the referee.
    assert_eq!(scene.say(White, "Qd5").await.answer, "no");
    // A repeated request that was answered before gets that answer, though it would be asked back now.
    let id = request_id("moved").unwrap();
    let (club, game, white) = (&scene.club, scene.game, scene.white.id);
    let after = club.seat_view(game, white).await.map_or(0, |seat| seat.n);
    let said = club.say(game, white, id.clone(), after, "e4f5").await;
    assert_eq!(said.map(|said| said.answer).as_deref(), Ok("no"));
    assert!(club.ask_back(game, white, None, "e4f5").await.is_err());
    assert_eq!(club.ask_back(game, white, Some(&id), "e4f5").await, Ok(()));
}

//! Tests of the contract: offers.

use super::*;

fn offer(name: &str, kind: OfferKind, by: AccountId, at: i64) -> Offer {
    Offer {
        id: OfferId(name.to_owned()),
        kind,
        by,
        terms: terms(),
        at,
        game: None,
    }
}

pub(crate) async fn offers_are_read_as_they_were_written(store: Any) {
    let players = players(store.as_ref()).await;
    let challenge = OfferKind::Challenge { to: players.black };
    let offers = [
        offer("a", OfferKind::Seek, players.white, 7),
        offer("b", challenge, players.white, 6),
        offer("c", OfferKind::Invitation, players.black, 8),
    ];
    for offer in &offers {
        store.create_offer(offer).await.unwrap();
        assert_eq!(store.offer(&offer.id).await.as_ref(), Ok(offer));
        assert_eq!(store.create_offer(offer).await, Err(StoreError::Taken));
    }
    let [a, b, c] = offers;
    assert_eq!(store.offers().await, Ok(vec![b, a, c]));
    for kind in [OfferKind::Seek, OfferKind::Challenge { to: AccountId(99) }] {
        let by = match kind {
            OfferKind::Seek => AccountId(99),
            OfferKind::Challenge { .. } | OfferKind::Invitation => players.white,
        };
        let nobodys = offer("d", kind, by, 9);
        assert_eq!(store.create_offer(&nobodys).await, Err(StoreError::Absent));
    }
}

pub(crate) async fn an_offer_can_be_accepted_only_once(store: Any) {
    let players = players(store.as_ref()).await;
    for (number, kind) in [
        OfferKind::Seek,
        OfferKind::Challenge { to: players.black },
        OfferKind::Invitation,
    ]
    .into_iter()
    .enumerate()
    {
        let offer = offer(&format!("offer{number}"), kind, players.white, 7);
        store.create_offer(&offer).await.unwrap();
        let accept = async |chance: u64| {
            let mut game = new_game(id(chance + 10 * number as u64), players, 10);
            game.offer = Some(offer.id.clone());
            store.create_game(0, &game).await
        };
        let answers = tokio::join!(accept(1), accept(2), accept(3));
        let answers = [answers.0, answers.1, answers.2];
        let accepted = answers.iter().filter(|answer| answer.is_ok()).count();
        assert_eq!(accepted, 1, "{answers:?}");
        for answer in answers {
            assert!(matches!(answer, Ok(()) | Err(StoreError::Taken)));
        }
        assert_eq!(accept(4).await, Err(StoreError::Taken));
        assert_eq!(store.offers().await, Ok(Vec::new()));
        let running = store.running().await.unwrap();
        assert_eq!(running.len(), number + 1);
    }
}

pub(crate) async fn a_withdrawn_offer_cannot_be_accepted(store: Any) {
    let players = players(store.as_ref()).await;
    let offer = offer("a", OfferKind::Seek, players.white, 7);
    store.create_offer(&offer).await.unwrap();
    store.close_offer(&offer.id).await.unwrap();
    assert_eq!(store.offer(&offer.id).await, Err(StoreError::Absent));
    assert_eq!(store.close_offer(&offer.id).await, Err(StoreError::Absent));
    let mut game = new_game(id(1), players, 10);
    game.offer = Some(offer.id);
    assert_eq!(store.create_game(0, &game).await, Err(StoreError::Taken));
    assert_eq!(store.game(id(1)).await, Err(StoreError::Absent));
}

pub(crate) async fn an_accepted_invitation_names_its_game(store: Any) {
    let players = players(store.as_ref()).await;
    let offer = offer("a", OfferKind::Invitation, players.white, 7);
    store.create_offer(&offer).await.unwrap();
    let mut game = new_game(id(1), players, 10);
    game.offer = Some(offer.id.clone());
    store.create_game(0, &game).await.unwrap();
    let read = store.offer(&offer.id).await.unwrap();
    assert_eq!(read.game, Some(id(1)));
    assert_eq!(store.offers().await, Ok(Vec::new()));
    assert_eq!(store.close_offer(&offer.id).await, Err(StoreError::Taken));
}

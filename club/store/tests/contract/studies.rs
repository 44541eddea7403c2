//! Tests of the contract: studies.

use store::StudyRecord;

use super::*;

fn listed(found: Result<Vec<StudyRecord>, StoreError>) -> String {
    let found = found.unwrap();
    assert!(found.iter().all(|study| study.body.is_empty()));
    found.into_iter().map(|study| study.id).collect()
}

pub(crate) async fn studies_are_read_changed_and_deleted_by_their_owner(store: Any) {
    let of = players(store.as_ref()).await;
    let study = |id: &str, owner, access: &str, at| StudyRecord {
        id: id.to_owned(),
        owner,
        title: format!("The study {id}"),
        access: access.to_owned(),
        at,
        body: "{\"a\": \"ü\"}".to_owned(),
    };
    let all = [
        study("a", of.white, "public", 3),
        study("b", of.white, "private", 4),
        study("c", of.black, "link", 5),
        study("d", of.black, "public", 3),
    ];
    for one in &all {
        assert_eq!(store.set_study(one).await, Ok(()));
        assert_eq!(store.study(&one.id).await.as_ref(), Ok(one));
    }
    assert_eq!(listed(store.studies(Some(of.white), 9).await), "ba");
    assert_eq!(listed(store.studies(None, 9).await), "ad");
    assert_eq!(listed(store.studies(None, 1).await), "a");

    let mut other = study("a", of.black, "private", 9);
    assert_eq!(store.set_study(&other).await, Err(StoreError::Absent));
    other.body.clear();
    assert_eq!(store.set_study(&other).await, Err(StoreError::Absent));
    let mut changed = study("a", of.white, "link", 9);
    assert_eq!(store.set_study(&changed).await, Ok(()));
    assert_eq!(store.study("a").await.as_ref(), Ok(&changed));
    changed.body.clear();
    assert_eq!(store.set_study(&changed).await, Ok(()));
    assert_eq!(store.study("a").await, Err(StoreError::Absent));

    let deleted = store.change_account(of.black, None, &AccountChange::Delete);
    assert_eq!(deleted.await, Ok(()));
    assert_eq!(store.study("c").await, Err(StoreError::Absent));
    assert_eq!(listed(store.studies(None, 9).await), "");
}

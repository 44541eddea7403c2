//! Tests of the contract: messages, mutes, and settings of doors.

use store::{
    AccountNote, MAX_MUTES, MAX_NOTES, MAX_OF_GROUP, MAX_WAITING, MAX_WAITING_OF_GUEST,
    MAX_WAITING_OF_GUESTS, MAX_WAITING_OF_SENDER, MessageGroup, MessageTo, NewMessage,
    StoredMessage,
};

use super::*;

/// Time of the first message.
const NOW: i64 = 1_800_000_000_000;
const DAY: i64 = 24 * 3600 * 1000;

fn group(chance: u64, group: MessageGroup) -> MessageTo {
    MessageTo::Group(id(chance), group)
}

async fn write(
    store: &Any,
    from: AccountId,
    to: MessageTo,
    at: i64,
    text: &str,
) -> Result<u32, StoreError> {
    let message = NewMessage {
        from,
        to,
        at,
        text: text.to_owned(),
    };
    store.add_message(&message).await
}

async fn read(store: &Any, to: MessageTo, after: u32) -> Vec<StoredMessage> {
    store
        .messages(to, after)
        .await
        .expect("the messages can be read")
}

async fn texts(store: &Any, to: MessageTo) -> Vec<(u32, String)> {
    let read = read(store, to, 0).await;
    read.into_iter().map(|m| (m.n, m.text)).collect()
}

pub(crate) async fn messages_are_numbered_for_their_readers(store: Any) {
    let players = with_game(&store).await;
    let (players_group, spectators) = (
        group(1, MessageGroup::Players),
        group(1, MessageGroup::Spectators),
    );
    let text = "'); drop table messages; -- \u{2654}\u{1f600}";
    for (from, to, n) in [
        (players.white, players_group, 1),
        (players.black, spectators, 1),
        (players.black, players_group, 2),
        (players.white, MessageTo::Account(players.black), 1),
        (players.black, players_group, 3),
    ] {
        assert_eq!(write(&store, from, to, NOW, text).await, Ok(n));
    }
    let second = StoredMessage {
        n: 2,
        from: players.black,
        to: players_group,
        at: NOW,
        text: text.to_owned(),
    };
    assert_eq!(read(&store, players_group, 1).await[0], second);
    assert_eq!(read(&store, players_group, 3).await, []);
    assert_eq!(texts(&store, spectators).await.len(), 1);
    assert_eq!(
        texts(&store, group(2, MessageGroup::Players)).await.len(),
        0,
        "there is no such game"
    );
    let none = write(
        &store,
        players.white,
        group(2, MessageGroup::Players),
        NOW,
        "x",
    )
    .await;
    assert_eq!(none, Err(StoreError::Absent));
    let nobody = MessageTo::Account(AccountId(999));
    for (from, to) in [(players.white, nobody), (AccountId(999), spectators)] {
        let none = write(&store, from, to, NOW, "x").await;
        assert_eq!(none, Err(StoreError::Absent));
    }
    let by = store
        .messages_by(players.white)
        .await
        .expect("the messages can be read");
    let to: Vec<_> = by.iter().map(|message| message.to).collect();
    assert_eq!(to, [players_group, MessageTo::Account(players.black)]);
}

pub(crate) async fn number_of_waiting_messages_is_limited(store: Any) {
    let reader = account(store.as_ref(), "Reader").await;
    let to = MessageTo::Account(reader);
    let senders = MAX_WAITING / MAX_WAITING_OF_SENDER;
    let mut n = 0;
    for number in 0..senders {
        let sender = account(store.as_ref(), &format!("Sender{number}")).await;
        for _ in 0..MAX_WAITING_OF_SENDER {
            n += 1;
            assert_eq!(write(&store, sender, to, NOW, "x").await, Ok(n));
        }
        let more = write(&store, sender, to, NOW, "x").await;
        assert_eq!(more, Err(StoreError::Taken));
    }
    let late = account(store.as_ref(), "Late").await;
    let more = write(&store, late, to, NOW, "x").await;
    assert_eq!(more, Err(StoreError::Taken));
    // Only messages up to the given number are removed.
    let removed = store.remove_messages(reader, n - 1).await;
    assert_eq!(removed, Ok(()));
    assert_eq!(texts(&store, to).await, [(n, "x".to_owned())]);
    assert_eq!(write(&store, late, to, NOW, "y").await, Ok(n + 1));
}

/// A person reads the waiting messages in two windows, and removes them in both. If a message comes
/// between the two removals, the second removal does not remove it.
pub(crate) async fn a_number_of_a_waiting_message_is_used_once(store: Any) {
    let reader = account(store.as_ref(), "Reader").await;
    let to = MessageTo::Account(reader);
    let mut senders = Vec::new();
    for number in 0..MAX_WAITING / MAX_WAITING_OF_SENDER {
        senders.push(account(store.as_ref(), &format!("Sender{number}")).await);
    }
    let remove = async |last| {
        let removed = store.remove_messages(reader, last).await;
        assert_eq!(removed, Ok(()), "up to {last}");
    };
    for n in 1..=3 {
        assert_eq!(write(&store, senders[0], to, NOW, "x").await, Ok(n));
    }
    remove(3).await;
    remove(3).await;
    assert_eq!(texts(&store, to).await, []);
    assert_eq!(store.messages_by(senders[0]).await, Ok(Vec::new()));
    assert_eq!(write(&store, senders[0], to, NOW, "new").await, Ok(4));
    remove(3).await;
    assert_eq!(texts(&store, to).await, [(4, "new".to_owned())]);
    // What is kept of a removed message does not count as a message that waits.
    remove(4).await;
    let mut n = 4;
    for sender in &senders {
        for _ in 0..MAX_WAITING_OF_SENDER {
            n += 1;
            assert_eq!(write(&store, *sender, to, NOW, "x").await, Ok(n));
        }
    }
    let more = write(&store, senders[0], to, NOW, "x").await;
    assert_eq!(more, Err(StoreError::Taken));
    assert_eq!(texts(&store, to).await.len(), MAX_WAITING as usize);
}

/// If the sender of the last waiting message is deleted, the number of this message is not used
/// again. The reason: a client that has read the message requests only messages with later numbers.
pub(crate) async fn a_deleted_sender_leaves_the_number_of_a_message(store: Any) {
    let reader = account(store.as_ref(), "Reader").await;
    let to = MessageTo::Account(reader);
    let [gone, stays] = [
        account(store.as_ref(), "Gone").await,
        account(store.as_ref(), "Stays").await,
    ];
    for (from, n) in [(gone, 1), (stays, 2), (gone, 3), (gone, 4)] {
        assert_eq!(write(&store, from, to, NOW, "x").await, Ok(n));
    }
    let deleted = store.change_account(gone, None, &AccountChange::Delete);
    assert_eq!(deleted.await, Ok(()));
    assert_eq!(texts(&store, to).await, [(2, "x".to_owned())]);
    assert_eq!(store.messages_by(gone).await, Ok(Vec::new()));
    // Message 4 stays without its text, and does not count as a waiting message.
    for n in 5..5 + MAX_WAITING_OF_SENDER - 1 {
        assert_eq!(write(&store, stays, to, NOW, "new").await, Ok(n));
    }
    assert_eq!(
        read(&store, to, 4).await.len(),
        MAX_WAITING_OF_SENDER as usize - 1
    );
    let more = write(&store, stays, to, NOW, "x").await;
    assert_eq!(more, Err(StoreError::Taken));

    // All places but one are taken. The last place is taken by an account that is then deleted, so
    // this place is free again.
    let mut n = 4 + MAX_WAITING_OF_SENDER - 1;
    for number in 2..=MAX_WAITING / MAX_WAITING_OF_SENDER {
        let sender = account(store.as_ref(), &format!("Sender{number}")).await;
        let last = number == MAX_WAITING / MAX_WAITING_OF_SENDER;
        for _ in 0..MAX_WAITING_OF_SENDER - u32::from(last) {
            n += 1;
            assert_eq!(write(&store, sender, to, NOW, "x").await, Ok(n));
        }
    }
    let other = account(store.as_ref(), "Other").await;
    assert_eq!(write(&store, other, to, NOW, "x").await, Ok(n + 1));
    let deleted = store.change_account(other, None, &AccountChange::Delete);
    assert_eq!(deleted.await, Ok(()));
    let late = account(store.as_ref(), "Late").await;
    assert_eq!(write(&store, late, to, NOW, "x").await, Ok(n + 2));
    let more = write(&store, late, to, NOW, "x").await;
    assert_eq!(more, Err(StoreError::Taken));
}

/// Waiting messages of guests have a separate limit. If a guest becomes a person, the guest's
/// messages count as messages of a person.
pub(crate) async fn messages_of_guests_have_a_separate_limit(store: Any) {
    let reader = account(store.as_ref(), "Reader").await;
    let to = MessageTo::Account(reader);
    let mut guests = Vec::new();
    for number in 0..=MAX_WAITING_OF_GUESTS / MAX_WAITING_OF_GUEST {
        let guest = NewAccount {
            name: format!("guest-{number}"),
            kind: AccountKind::Guest,
            password: None,
            at: NOW,
        };
        guests.push(
            store
                .create_account(&guest)
                .await
                .expect("the guest is created"),
        );
    }
    let late = guests.pop().expect("the last guest");
    let mut n = 0;
    for guest in &guests {
        for _ in 0..MAX_WAITING_OF_GUEST {
            n += 1;
            assert_eq!(write(&store, *guest, to, NOW, "x").await, Ok(n));
        }
        let more = write(&store, *guest, to, NOW, "x").await;
        assert_eq!(more, Err(StoreError::Taken), "too many of one guest");
    }
    let more = write(&store, late, to, NOW, "x").await;
    assert_eq!(more, Err(StoreError::Taken), "too many of all guests");
    for number in 0..MAX_WAITING / MAX_WAITING_OF_SENDER {
        let sender = account(store.as_ref(), &format!("Sender{number}")).await;
        for _ in 0..MAX_WAITING_OF_SENDER {
            n += 1;
            assert_eq!(write(&store, sender, to, NOW, "x").await, Ok(n));
        }
    }
    // If a guest becomes a person, the guest's messages count as messages of a person.
    let person = AccountChange::MakePerson {
        name: "Dora".to_owned(),
        password: "hash".to_owned(),
    };
    let made = store.change_account(guests[0], None, &person).await;
    assert_eq!(made, Ok(()));
    assert_eq!(write(&store, late, to, NOW, "x").await, Ok(n + 1));
}

pub(crate) async fn old_messages_to_a_group_are_deleted(store: Any) {
    let players = with_game(&store).await;
    let (one, other) = (
        group(1, MessageGroup::Players),
        group(1, MessageGroup::Spectators),
    );
    let personal = MessageTo::Account(players.black);
    for (to, at) in [(other, NOW - 31 * DAY), (personal, NOW - 31 * DAY)] {
        assert_eq!(write(&store, players.white, to, at, "old").await, Ok(1));
    }
    for n in 1..=MAX_OF_GROUP + 3 {
        let text = n.to_string();
        assert_eq!(write(&store, players.white, one, NOW, &text).await, Ok(n));
    }
    let kept = texts(&store, one).await;
    assert_eq!(kept.len(), MAX_OF_GROUP as usize);
    assert_eq!(kept[0], (4, "4".to_owned()));
    // The last message stays without its text, so that no number is used twice.
    assert_eq!(texts(&store, other).await, [(1, String::new())]);
    assert_eq!(write(&store, players.black, other, NOW, "new").await, Ok(2));
    assert_eq!(texts(&store, other).await, [(2, "new".to_owned())]);
    assert_eq!(texts(&store, personal).await.len(), 1);
}

pub(crate) async fn changes_of_messages_name_the_recipients(store: Any) {
    let players = with_game(&store).await;
    let last = async |after| {
        store
            .message_changes(after)
            .await
            .expect("the changes can be read")
    };
    let begin = last(0).await.last;
    let to = [
        group(1, MessageGroup::Players),
        MessageTo::Account(players.white),
        group(1, MessageGroup::Spectators),
    ];
    for to in to {
        write(&store, players.black, to, NOW, "x")
            .await
            .expect("the message is written");
    }
    let changes = last(begin).await;
    assert_eq!(changes.to, to);
    let removed = store.remove_messages(players.white, 9).await;
    assert_eq!(removed, Ok(()));
    assert_eq!(last(begin).await.to.len(), 2);
    // The removal does not change the number of the last change.
    let again = last(changes.last).await;
    assert_eq!((again.last, again.to), (changes.last, Vec::new()));
    let new = to[1];
    write(&store, players.black, new, NOW, "y")
        .await
        .expect("the message is written");
    assert_eq!(last(changes.last).await.to, [new]);
}

pub(crate) async fn mutes_are_kept_and_their_number_is_limited(store: Any) {
    let anna = account(store.as_ref(), "Anna").await;
    let mut others = Vec::new();
    for n in 0..=MAX_MUTES {
        others.push(account(store.as_ref(), &format!("Other{n}")).await);
    }
    let (most, over) = others.split_at(MAX_MUTES as usize);
    for &other in most {
        assert_eq!(store.set_mute(anna, other, true).await, Ok(()));
    }
    assert_eq!(store.set_mute(anna, most[0], true).await, Ok(()));
    assert_eq!(store.mutes(anna).await.as_deref(), Ok(most));
    assert_eq!(store.mutes(most[0]).await.as_deref(), Ok([].as_slice()));
    let full = store.set_mute(anna, over[0], true).await;
    assert_eq!(full, Err(StoreError::Taken));
    let before = store
        .account_changes(0)
        .await
        .expect("the changes can be read")
        .last;
    for _ in 0..2 {
        assert_eq!(store.set_mute(anna, most[0], false).await, Ok(()));
    }
    assert_eq!(store.mutes(anna).await.as_deref(), Ok(&most[1..]));
    let changes = store
        .account_changes(before)
        .await
        .expect("the changes can be read");
    assert_eq!(changes.accounts.as_deref(), Some([anna, anna].as_slice()));
    let nobody = store.set_mute(anna, AccountId(9999), true).await;
    assert_eq!(nobody, Err(StoreError::Absent));
}

pub(crate) async fn notes_are_kept_and_limited_until_an_account_is_deleted(store: Any) {
    let players = with_game(&store).await;
    let anna = account(store.as_ref(), "Reporter").await;
    let note = |about, writer, at| AccountNote {
        about,
        writer,
        game: Some(id(1)),
        at,
        text: "x".to_owned(),
    };
    let mut notes = Vec::new();
    for n in 0..MAX_NOTES {
        let report = note(players.white, Some(anna), NOW + i64::from(n));
        assert_eq!(store.add_note(&report).await, Ok(()));
        notes.push(report);
    }
    let over = note(players.black, Some(anna), NOW + DAY - 1);
    assert_eq!(store.add_note(&over).await, Err(StoreError::Taken));
    // The notes of the operator are not counted.
    for at in [NOW + DAY - 1, NOW + DAY - 1] {
        let own = note(players.white, None, at);
        assert_eq!(store.add_note(&own).await, Ok(()));
        notes.push(own);
    }
    let later = note(players.black, Some(anna), NOW + DAY);
    assert_eq!(store.add_note(&later).await, Ok(()));
    let about = |account| store.notes(Some(account));
    assert_eq!(about(players.white).await.as_ref(), Ok(&notes));
    assert_eq!(about(players.black).await, Ok(vec![later.clone()]));
    notes.push(later);
    notes.sort_by_key(|note| note.about);
    assert_eq!(store.notes(None).await, Ok(notes.clone()));
    for (about, game) in [(AccountId(9999), id(1)), (anna, id(2))] {
        let strange = AccountNote {
            game: Some(game),
            ..note(about, None, NOW)
        };
        assert_eq!(store.add_note(&strange).await, Err(StoreError::Absent));
    }
    let deleted = store.change_account(anna, None, &AccountChange::Delete);
    assert_eq!(deleted.await, Ok(()));
    notes.retain(|note| note.writer.is_none());
    assert_eq!(store.notes(None).await, Ok(notes));
}

pub(crate) async fn settings_of_a_door_are_kept(store: Any) {
    let anna = account(store.as_ref(), "Anna").await;
    let bert = account(store.as_ref(), "Bert").await;
    for text in ["set width 100\nalias x y", "", "set bell 0"] {
        let kept = store.keep_settings(anna, "ics", text).await;
        assert_eq!(kept, Ok(()));
        let read = store.settings(anna, "ics").await;
        assert_eq!(read, Ok(Some(text.to_owned())));
    }
    let with = async |text| store.accounts_with("ics", text).await;
    assert_eq!(with("set bell 0").await, Ok(vec![anna]));
    assert_eq!(with("").await, Ok(Vec::new()));
    let all = store.all_settings("ics").await;
    assert_eq!(all, Ok(vec!["set bell 0".to_owned()]));
    for (of, door) in [(anna, "other"), (bert, "ics")] {
        assert_eq!(store.settings(of, door).await, Ok(None));
    }
    let nobody = store.keep_settings(AccountId(99), "ics", "x").await;
    assert_eq!(nobody, Err(StoreError::Absent));
}

pub(crate) async fn a_deleted_account_leaves_no_text_mute_or_setting(store: Any) {
    let anna = account(store.as_ref(), "Anna").await;
    let bert = account(store.as_ref(), "Bert").await;
    let carl = account(store.as_ref(), "Carl").await;
    let made = new_game(
        id(1),
        ByColor {
            white: bert,
            black: carl,
        },
        10,
    );
    store
        .create_game(0, &made)
        .await
        .expect("the game is created");
    let spectators = group(1, MessageGroup::Spectators);
    for (from, to) in [
        (anna, spectators),
        (bert, spectators),
        (anna, spectators),
        (anna, MessageTo::Account(bert)),
        (bert, MessageTo::Account(anna)),
        (carl, MessageTo::Account(bert)),
    ] {
        write(&store, from, to, NOW, "x")
            .await
            .expect("the message is written");
    }
    for (of, muted) in [(anna, bert), (bert, anna), (bert, carl)] {
        assert_eq!(store.set_mute(of, muted, true).await, Ok(()));
    }
    let kept = store.keep_settings(anna, "ics", "x").await;
    assert_eq!(kept, Ok(()));
    let deleted = store.change_account(anna, None, &AccountChange::Delete);
    assert_eq!(deleted.await, Ok(()));
    // The numbers stay, so that no number is used twice.
    let x = |n| (n, "x".to_owned());
    let none = |n| (n, String::new());
    assert_eq!(texts(&store, spectators).await, [none(1), x(2), none(3)]);
    let n = write(&store, bert, spectators, NOW, "x").await;
    assert_eq!(n, Ok(4));
    assert_eq!(store.messages_by(anna).await, Ok(Vec::new()));
    assert_eq!(read(&store, MessageTo::Account(anna), 0).await, []);
    let to_bert = read(&store, MessageTo::Account(bert), 0).await;
    assert_eq!(to_bert.len(), 1);
    assert_eq!(to_bert[0].from, carl);
    assert_eq!(store.mutes(anna).await, Ok(Vec::new()));
    assert_eq!(store.mutes(bert).await, Ok(vec![carl]));
    assert_eq!(store.settings(anna, "ics").await, Ok(None));
}

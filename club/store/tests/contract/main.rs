//! Tests of the contract of all stores. Each function in the list `promises!` tests one promise of
//! the contract, and is run with each store.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

#[path = "../given/mod.rs"]
mod given;

mod evenings;
mod games;
mod logs;
mod messages;
mod offers;
mod people;
mod ratings;
mod studies;

use std::{sync::Arc, time::Duration};

use given::{Folder, account, fresh, id, knights, new_game, players, request, row, said, terms};
use referee::Event;
use rules::{
    Over, Reason, Winner,
    chess::{ByColor, Color},
};
use store::{
    Account, AccountChange, AccountId, AccountKind, AccountState, Act, Against, AppendError,
    ColorWish, Expected, Fence, GameSearch, LEASE_TIME, Lease, MAX_SUBSCRIPTIONS, MemoryStore,
    NewAccount, NewRow, Offer, OfferId, OfferKind, PushSubscription, ResultCount, Scope, Session,
    SqliteStore, Store, StoreError, StoredRating, TableEvent, TimeControl, TokenHash,
};
use tokio::time::sleep;

/// A store of any kind.
type Any = Arc<dyn Store>;

/// Makes a test of each named function with each store.
macro_rules! promises {
    ($($of:ident: $($name:ident)+;)+) => {
        mod in_memory {
            $($(#[tokio::test]
            async fn $name() {
                let store = std::sync::Arc::new(store::MemoryStore::default());
                crate::$of::$name(store).await;
            })+)+
        }

        mod in_sqlite {
            $($(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                let folder = crate::Folder::new();
                let store = crate::open(&folder).await;
                crate::$of::$name(std::sync::Arc::new(store.clone())).await;
                let report = store.check().await.unwrap();
                assert_eq!(report.faults, Vec::<String>::new());
                store.close().await;
            })+)+
        }

        /// All promises use one server, because a server takes a second to start. Each promise gets
        /// an empty database of its own.
        #[tokio::test(flavor = "multi_thread")]
        async fn in_postgres() {
            let server = services::Postgres::start().unwrap();
            $($(
                // If a promise fails, its name is the last one in the output.
                println!("{}", stringify!($name));
                let address = server.schema(stringify!($name)).unwrap();
                let store = store::PostgresStore::open(&address).await.unwrap();
                crate::$of::$name(std::sync::Arc::new(store.clone())).await;
                let report = store.check().await.unwrap();
                assert_eq!(report.faults, Vec::<String>::new());
                store.close().await;
            )+)+
        }
    };
}

promises! {
    logs:
        rows_are_read_as_they_were_written
        only_one_of_several_concurrent_appends_succeeds
        appends_to_many_games_at_once_succeed
        a_request_id_of_a_seat_is_stored_only_once
        a_conflict_changes_nothing
        append_to_an_unknown_game_fails
        rows_may_be_appended_after_the_end_of_a_game
        an_append_expects_the_time_of_the_last_row
        only_the_owner_appends_and_creates_games
        games_are_owned_until_they_are_released;
    games:
        append_of_the_end_marks_the_game_as_over_in_the_index
        a_game_ends_only_once
        a_game_needs_two_accounts_and_a_new_id
        running_games_come_oldest_first
        finished_games_come_newest_first
        pages_of_games_miss_no_game_of_the_same_time
        terms_are_read_as_they_were_written;
    people:
        names_are_unique_whatever_their_case
        accounts_are_read_as_they_were_written
        a_session_lives_until_it_is_ended
        a_new_session_deletes_expired_sessions
        a_changed_password_ends_every_session
        a_change_for_an_old_generation_fails
        a_recovery_code_can_be_used_only_once
        a_guest_who_becomes_a_person_keeps_account_and_game
        a_deleted_account_leaves_only_its_games
        disabled_and_leaving_accounts_get_no_offers_or_games
        changes_of_accounts_are_listed_in_order
        a_subscription_ends_with_its_session
        a_secret_is_stored_once;
    offers:
        offers_are_read_as_they_were_written
        an_offer_can_be_accepted_only_once
        a_withdrawn_offer_cannot_be_accepted
        an_accepted_invitation_names_its_game;
    ratings:
        a_rating_is_added_once_and_the_last_is_current
        a_rated_game_is_counted_only_once
        best_ratings_come_first
        games_are_found_by_every_condition
        results_are_counted_by_colour_and_rules
        a_deleted_account_leaves_no_rating;
    studies:
        studies_are_read_changed_and_deleted_by_their_owner;
    evenings:
        evenings_are_read_as_they_were_written
        games_of_an_evening_count_if_they_are_over_at_its_end
        a_cancelled_evening_leaves_nothing;
    messages:
        messages_are_numbered_for_their_readers
        number_of_waiting_messages_is_limited
        a_number_of_a_waiting_message_is_used_once
        a_deleted_sender_leaves_the_number_of_a_message
        messages_of_guests_have_a_separate_limit
        old_messages_to_a_group_are_deleted
        changes_of_messages_name_the_recipients
        mutes_are_kept_and_their_number_is_limited
        notes_are_kept_and_limited_until_an_account_is_deleted
        settings_of_a_door_are_kept
        a_deleted_account_leaves_no_text_mute_or_setting;
}

async fn open(folder: &Folder) -> SqliteStore {
    let opened = SqliteStore::open(folder.file()).await;
    opened.unwrap()
}

async fn with_game(store: &Any) -> ByColor<AccountId> {
    let players = players(store.as_ref()).await;
    let made = store.create_game(0, &new_game(id(1), players, 10)).await;
    made.unwrap();
    players
}

fn table(at: i64, event: TableEvent) -> NewRow {
    NewRow {
        at,
        act: Act::Table(event),
        request: None,
    }
}

const RESIGNED: Over = Over {
    winner: Winner::Black,
    reason: Reason::Resignation,
};

fn resignation(at: i64) -> NewRow {
    row(at, Event::Resigned { by: Color::White })
}

#[test]
fn a_store_can_be_shared() {
    fn shared<T: Store>() {}
    shared::<MemoryStore>();
    shared::<SqliteStore>();
}

//! The list of what the parts of a store do, for stores that pass the calls on to another store.

/// Calls the macro `$then` with the traits of which a [`Store`](crate::Store) consists:
/// `Part { function(argument: Type, ...) -> Type; ... } ...`. Every function returns a
/// `Result<Type, StoreError>`. The types must be in scope.
#[macro_export]
macro_rules! parts {
    ($then:ident) => {
        $then! {
            MessageStore {
                add_message(message: &NewMessage) -> u32;
                messages(to: MessageTo, after: u32) -> Vec<StoredMessage>;
                messages_by(sender: AccountId) -> Vec<StoredMessage>;
                remove_messages(to: AccountId, last: u32) -> ();
                message_changes(after: i64) -> MessageChanges;
                set_mute(account: AccountId, muted: AccountId, on: bool) -> ();
                mutes(account: AccountId) -> Vec<AccountId>;
                keep_settings(account: AccountId, door: &str, text: &str) -> ();
                add_note(note: &AccountNote) -> ();
                notes(about: Option<AccountId>) -> Vec<AccountNote>;
                settings(account: AccountId, door: &str) -> Option<String>;
                all_settings(door: &str) -> Vec<String>;
                accounts_with(door: &str, text: &str) -> Vec<AccountId>;
            }
            PushStore {
                subscribe(subscription: &PushSubscription) -> ();
                unsubscribe(session: TokenHash, endpoint: Option<&str>) -> ();
                subscriptions(account: AccountId) -> Vec<PushSubscription>;
                secret(name: &str, fresh: &str) -> String;
            }
            RatingStore {
                uncounted() -> Vec<GameRecord>;
                rate(game: Option<GameId>, ratings: &[StoredRating]) -> ();
                rating_changes(account: AccountId, limit: u32) -> Vec<StoredRating>;
                best(
                    family: &str, against: Against, kind: AccountKind, deviation: i64, limit: u32
                ) -> Vec<StoredRating>;
                finished(search: &GameSearch, limit: u32) -> Vec<GameRecord>;
                results(account: AccountId, among: &[AccountId]) -> Vec<ResultCount>;
                opponents(account: AccountId, limit: u32) -> Vec<AccountId>;
            }
            EveningStore {
                create_evening(evening: &Evening) -> ();
                cancel_evening(id: &EveningId) -> ();
                end_evening(id: &EveningId) -> ();
                evening(id: &EveningId) -> Evening;
                evenings(is_over: bool, limit: u32) -> Vec<Evening>;
                evenings_of(account: AccountId) -> Vec<Evening>;
                set_evening_player(evening: &EveningId, player: &EveningPlayer) -> ();
                evening_players(id: &EveningId) -> Vec<EveningPlayer>;
                add_evening_game(fence: Fence, evening: &EveningId, game: &EveningGame) -> ();
                remove_evening_game(game: GameId) -> ();
                evening_games(id: &EveningId) -> Vec<EveningGame>;
            }
            StudyStore {
                set_study(study: &StudyRecord) -> ();
                study(id: &str) -> StudyRecord;
                studies(of: Option<AccountId>, limit: u32) -> Vec<StudyRecord>;
            }
        }
    };
}

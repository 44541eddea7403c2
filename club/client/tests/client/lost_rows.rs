//! Tests of a bot at a club that has lost its last rows. The test itself is the server.

use serde_json::json;
use wire::ServerSays;

use crate::{
    answer,
    bot::{First, NO_PAUSE, against, first_try, next_try, request, tell, turn},
    says, watch,
};

/// Returns the refusal of a subscription that names a hearing which the club does not know.
fn unknown_hearing() -> ServerSays {
    says(json!({"type": "refused", "id": null, "game": "g1", "code": "invalid", "why": ""}))
}

#[tokio::test(start_paused = true)]
async fn bot_begins_again_if_its_hearings_are_lost() {
    against(
        || Box::new(First),
        NO_PAUSE,
        |mut server| async move {
            let lost = first_try(&mut server).await;
            tell(&mut server, [unknown_hearing()]).await;
            assert_eq!(request(&mut server).await, watch(0));
            // Before the bot has heard anything, such a refusal does not mean that rows are lost.
            tell(&mut server, [unknown_hearing()]).await;
            let again = first_try(&mut server).await;
            tell(&mut server, turn(2, "black")).await;
            tell(&mut server, [answer(&again, 2)]).await;
            tell(&mut server, turn(3, "white")).await;
            assert_eq!(next_try(&mut server).await.1, 3);
            // The id depends only on what the bot has heard, so the repeated attempt has the same
            // id and is not judged twice.
            assert_eq!(lost, again);
        },
    )
    .await;
}

//! All routes of the API, and the document that describes them.

mod accounts;
mod belief;
mod document;
mod evenings;
mod finished;
mod games;
mod health;
mod heard;
mod lobby;
mod mail;
mod messages;
mod offers;
mod operator;
mod people;
mod problems;
mod profiles;
mod push;
mod rules;
mod studies;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{app::App, socket};

pub use self::{document::described, finished::umpire_view, games::game_id};

/// Returns the router of the API.
pub fn api() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(people::register))
        .routes(routes!(people::guest))
        .routes(routes!(
            people::sign_in,
            accounts::sessions,
            accounts::end_sessions
        ))
        .routes(routes!(people::sign_out))
        .routes(routes!(accounts::end_session))
        .routes(routes!(accounts::new_token))
        .routes(routes!(accounts::change_password))
        .routes(routes!(accounts::recover))
        .routes(routes!(accounts::renew_codes))
        .routes(routes!(accounts::account))
        .routes(routes!(accounts::export))
        .routes(routes!(accounts::delete))
        .routes(routes!(accounts::keep))
        .routes(routes!(push::state, push::subscribe, push::unsubscribe))
        .routes(routes!(mail::mail, mail::set_mail))
        .routes(routes!(mail::set_digests))
        .routes(routes!(mail::confirm_mail))
        .routes(routes!(mail::forgotten))
        .routes(routes!(mail::password_by_mail))
        .routes(routes!(mail::unsubscribe_mail))
        .routes(routes!(people::me))
        .routes(routes!(profiles::people_here))
        .routes(routes!(profiles::profile))
        .routes(routes!(profiles::set_about))
        .routes(routes!(profiles::leaderboard))
        .routes(routes!(rules::all))
        .routes(routes!(rules::compare))
        .routes(routes!(rules::one))
        .routes(routes!(rules::file))
        .routes(routes!(rules::check))
        .routes(routes!(lobby::lobby))
        .routes(routes!(offers::seek))
        .routes(routes!(offers::withdraw_seek))
        .routes(routes!(offers::accept_seek))
        .routes(routes!(offers::challenge))
        .routes(routes!(offers::decline_challenge))
        .routes(routes!(offers::accept_challenge))
        .routes(routes!(offers::invite))
        .routes(routes!(offers::invitation, offers::withdraw_invitation))
        .routes(routes!(offers::accept_invitation))
        .routes(routes!(evenings::evenings, evenings::make))
        .routes(routes!(evenings::evening, evenings::cancel))
        .routes(routes!(evenings::join))
        .routes(routes!(evenings::leave_evening))
        .routes(routes!(evenings::calendar))
        .routes(routes!(games::list))
        .routes(routes!(games::facts))
        .routes(routes!(games::hall))
        .routes(routes!(games::view))
        .routes(routes!(heard::heard))
        .routes(routes!(games::try_it))
        .routes(routes!(games::act))
        .routes(routes!(games::set_conditional))
        .routes(routes!(messages::of_game, messages::write))
        .routes(routes!(
            messages::waiting,
            messages::leave,
            messages::remove
        ))
        .routes(routes!(messages::mutes))
        .routes(routes!(messages::report))
        .routes(routes!(messages::mute, messages::unmute))
        .routes(routes!(finished::json))
        .routes(routes!(finished::steps))
        .routes(routes!(finished::moment))
        .routes(routes!(finished::pgn))
        .routes(routes!(finished::transcript))
        .routes(routes!(belief::belief))
        .routes(routes!(belief::progress))
        .routes(routes!(belief::mate))
        .routes(routes!(problems::lessons))
        .routes(routes!(problems::lesson))
        .routes(routes!(belief::turns))
        .routes(routes!(belief::turns_progress))
        .routes(routes!(belief::retry))
        .routes(routes!(studies::open_file))
        .routes(routes!(studies::studies, studies::keep_study))
        .routes(routes!(studies::study, studies::change_study))
        .routes(routes!(problems::problems))
        .routes(routes!(problems::problem))
        .routes(routes!(problems::solution))
        .routes(routes!(problems::problem_rating, problems::rate_problem))
        .routes(routes!(operator::operate))
        .routes(routes!(socket::socket))
        .routes(routes!(document::document))
        .routes(routes!(document::page))
        .routes(routes!(health::health))
        .routes(routes!(health::limits))
}

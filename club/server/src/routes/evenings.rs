//! Routes of evenings.

use std::fmt::Write as _;

use axum::{
    Json,
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use club::{Millis, evening_id, utc};
use wire::{EveningJson, EveningRowJson, EveningsJson, NewEveningJson, RefusedJson};

use crate::{
    app::App,
    body::Body,
    limit::{Counted, Who},
    reader::{From, Reader, Signed},
    refusal::Refusal,
    terms::terms_from,
};

/// The evenings
///
/// Those that are not over, the next first, and the last that are over.
#[utoipa::path(get, path = "/api/evenings", tag = "lobby",
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = EveningsJson), (status = "default", body = RefusedJson)))]
pub async fn evenings(
    State(app): State<App>,
    reader: Reader,
) -> Result<Json<EveningsJson>, Refusal> {
    let (open, over) = app.club().evenings(reader.id()).await?;
    Ok(Json(EveningsJson {
        open: open.iter().map(present::evening_row).collect(),
        over: over.iter().map(present::evening_row).collect(),
    }))
}

/// Make an evening
///
/// Everybody can join it. It begins, pairs its players and ends by itself.
#[utoipa::path(post, path = "/api/evenings", tag = "lobby", request_body = NewEveningJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 201, body = EveningRowJson), (status = "default", body = RefusedJson)))]
pub async fn make(
    State(app): State<App>,
    from: From,
    Signed(by): Signed,
    Body(new): Body<NewEveningJson>,
) -> Result<(StatusCode, Json<EveningRowJson>), Refusal> {
    app.counter()
        .count(Counted::Offer, Who::Address(from.address))
        .map_err(|wait| {
            Refusal::too_many("too many games were offered from your address", wait)
                .because("address-offers")
        })?;
    let terms = terms_from(new.terms)?;
    let made = app
        .club()
        .make_evening(
            &by,
            present::evening_kind(new.kind),
            &new.name,
            new.begins,
            new.minutes,
            terms,
        )
        .await?;
    Ok((StatusCode::CREATED, Json(present::evening_row(&made))))
}

/// An evening: its table, its running games and its last games
#[utoipa::path(get, path = "/api/evenings/{id}", tag = "lobby",
    params(("id" = String, Path)), security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = EveningJson), (status = "default", body = RefusedJson)))]
pub async fn evening(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<String>,
) -> Result<Json<EveningJson>, Refusal> {
    let view = app.club().evening(&evening_id(&id)?, reader.id()).await?;
    Ok(Json(present::evening(&view)))
}

/// Cancel your evening before it begins
#[utoipa::path(delete, path = "/api/evenings/{id}", tag = "lobby",
    params(("id" = String, Path)), security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn cancel(
    State(app): State<App>,
    Signed(by): Signed,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    app.club().cancel_evening(&by, &evening_id(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Join an evening, or ask for your next game of it
#[utoipa::path(post, path = "/api/evenings/{id}/join", tag = "lobby",
    params(("id" = String, Path)), security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn join(
    State(app): State<App>,
    Signed(by): Signed,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    app.club().join_evening(&by, &evening_id(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Leave an evening
///
/// You get no more games; your points stay.
#[utoipa::path(post, path = "/api/evenings/{id}/leave", tag = "lobby",
    params(("id" = String, Path)), security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn leave_evening(
    State(app): State<App>,
    Signed(by): Signed,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    app.club().leave_evening(&by, &evening_id(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An evening for your calendar
///
/// An iCalendar file with two reminders: an hour and ten minutes before the beginning.
#[utoipa::path(get, path = "/api/evenings/{id}/evening.ics", tag = "lobby",
    params(("id" = String, Path)), security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = String, content_type = "text/calendar"),
        (status = "default", body = RefusedJson)))]
pub async fn calendar(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let view = app.club().evening(&evening_id(&id)?, None).await?;
    let club = app.config().public_url.as_deref();
    let headers = [
        (header::CONTENT_TYPE, "text/calendar; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"evening.ics\"",
        ),
    ];
    let text = calendar_file(
        &view.row.id.0,
        &view.row.name,
        (view.row.begins, view.row.minutes),
        app.club().now(),
        club,
    );
    Ok((headers, text).into_response())
}

/// Maximum length of a line of a calendar file, in bytes (RFC 5545, section 3.1).
const MAX_LINE_BYTES: usize = 75;

/// Writes an evening as RFC 5545 says.
fn calendar_file(
    id: &str,
    name: &str,
    (begins, minutes): (Millis, u32),
    now: Millis,
    club: Option<&str>,
) -> String {
    let time = |at| {
        let mut text = utc(at).replace(['-', ':'], "").replace(' ', "T");
        text.push('Z');
        text
    };
    let mut escaped = String::new();
    for c in name.chars() {
        if matches!(c, '\\' | ';' | ',') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    let mut lines = vec![
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".to_owned(),
        "PRODID:-//Kriegspiel Umpire//EN".to_owned(),
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{id}@kriegspiel-umpire"),
        format!("DTSTAMP:{}", time(now)),
        format!("DTSTART:{}", time(begins)),
        format!("DURATION:PT{minutes}M"),
        format!("SUMMARY:{escaped}"),
    ];
    lines.extend(club.map(|club| format!("URL:{club}/evening/{id}")));
    for before in ["PT1H", "PT10M"] {
        lines.push("BEGIN:VALARM".to_owned());
        lines.push("ACTION:DISPLAY".to_owned());
        lines.push(format!("DESCRIPTION:{escaped}"));
        lines.push(format!("TRIGGER:-{before}"));
        lines.push("END:VALARM".to_owned());
    }
    lines.extend(["END:VEVENT".to_owned(), "END:VCALENDAR".to_owned()]);
    let mut file = String::new();
    for line in lines {
        let mut rest = &*line;
        let mut most = MAX_LINE_BYTES;
        while rest.len() > most {
            let (part, later) = rest.split_at(rest.floor_char_boundary(most));
            // Writing to a string cannot fail.
            let _ = write!(file, "{part}\r\n ");
            rest = later;
            most = MAX_LINE_BYTES - 1;
        }
        let _ = write!(file, "{rest}\r\n");
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calendar_file_is_escaped_and_folded() {
        let name = format!("Tea; cake, chess\\ {}", "ü".repeat(42));
        let dates = (1_795_978_800_000, 90);
        let club = Some("https://chess.example");
        let file = calendar_file("0123456789ab", &name, dates, 1_795_900_000_000, club);
        for line in file.split_terminator("\r\n") {
            assert!(
                line.len() <= MAX_LINE_BYTES && !line.contains('\n'),
                "{line}"
            );
        }
        for whole in [
            "\r\nUID:0123456789ab@kriegspiel-umpire\r\nDTSTAMP:20261128T210640Z\r\n",
            "\r\nDTSTART:20261129T190000Z\r\nDURATION:PT90M\r\n",
            "\r\nURL:https://chess.example/evening/0123456789ab\r\n",
            "\r\nTRIGGER:-PT1H\r\nEND:VALARM\r\n",
            "\r\nTRIGGER:-PT10M\r\nEND:VALARM\r\n",
        ] {
            assert!(file.contains(whole), "{whole} {file}");
        }
        let name = format!("SUMMARY:Tea\\; cake\\, chess\\\\ {}\r\n", "ü".repeat(42));
        assert!(file.replace("\r\n ", "").contains(&name), "{file}");
    }
}

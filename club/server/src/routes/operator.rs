//! The operator's page: commands of `kriegspiel accounts` and `games`, run as the operator runs them.
//! For everybody else nothing is at this address.

use std::process::Stdio;

use axum::{
    Json,
    extract::{FromRequestParts, State},
    http::request::Parts,
};
use club::{Account, check_name};
use tokio::process::Command;
use wire::{OperatorCommandJson, RefusalCode, RefusedJson};

use crate::{app::App, body::Body, page::nothing_here, reader::Owner, refusal::Refusal};

/// Number of games of an account that are compared with the engine.
const GAMES: &str = "--games=3";

/// A reader who is an operator, with a session that may change the account.
pub struct Operator(Account);

impl FromRequestParts<App> for Operator {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Operator, Refusal> {
        match Owner::from_request_parts(parts, app).await {
            Ok(Owner(by)) if app.club().is_operator(by.id).await? => Ok(Operator(by)),
            Ok(_) | Err(_) => Err(nothing_here()),
        }
    }
}

/// Run a command; for operators
///
/// The answer is what the command prints.
#[utoipa::path(post, path = "/api/operator", tag = "club", request_body = OperatorCommandJson,
    responses((status = 200, body = String), (status = "default", body = RefusedJson)))]
pub async fn operate(
    State(app): State<App>,
    Operator(by): Operator,
    Body(asked): Body<OperatorCommandJson>,
) -> Result<Json<String>, Refusal> {
    let OperatorCommandJson {
        command,
        name,
        what,
        because,
    } = &asked;
    let is_of_all = matches!(command.as_str(), "reports" | "days");
    if !is_of_all && let Err(error) = check_name(name) {
        return Err(failed(&error.to_string()));
    }
    let reason = format!("{because} ({})", by.name);
    let because = &*format!("--because={reason}");
    let words: Vec<&str> = match command.as_str() {
        "reports" => vec!["accounts", "notes"],
        "days" => vec!["accounts", "days"],
        "notes" => vec!["accounts", "notes", name],
        "figures" => vec!["accounts", "figures", GAMES, name],
        "note" => vec!["accounts", "note", name, "--", &reason],
        "disable" | "mute" => vec!["accounts", command, because, name],
        "enable" => vec!["accounts", "disable", "--undo", because, name],
        "unmute" => vec!["accounts", "mute", "--undo", because, name],
        "rate" => {
            let rating = what.split_whitespace();
            ["accounts", "rate", name, "--"]
                .into_iter()
                .chain(rating)
                .collect()
        }
        "end" => vec!["games", "end", "--", what],
        _ => return Err(failed("there is no such command")),
    };
    // A review of turns takes the processor, so it waits for its turn among others.
    let _turn = match command.as_str() {
        "figures" => Some(app.reviews().queue().turn().await),
        _ => None,
    };
    let printed = run(&app, &words).await?;
    if matches!(command.as_str(), "rate" | "end") {
        let note = format!("{command} {what}: {reason}");
        run(&app, &["accounts", "note", name, "--", &note]).await?;
    }
    Ok(Json(printed))
}

/// Runs the program with the club's data. Returns what it prints.
async fn run(app: &App, words: &[&str]) -> Result<String, Refusal> {
    let config = app.config();
    let program = config.program.as_ref().ok_or_else(nothing_here)?;
    let mut command = Command::new(program);
    command.args(words).env("KRIEGSPIEL_DATA", &config.data);
    let output = command.stdin(Stdio::null()).kill_on_drop(true).output();
    let output = output.await.map_err(|error| failed(&error.to_string()))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(failed(&String::from_utf8_lossy(&output.stderr))),
    }
}

fn failed(fault: &str) -> Refusal {
    let fault = fault.trim().to_owned();
    Refusal {
        args: vec![("fault", fault.clone())],
        ..Refusal::new(RefusalCode::Invalid, fault).because("operator-command")
    }
}

//! Pages about people, for the screen: profiles, finished games, the highest ratings.

use std::fmt::Write;

use notation::{printable, printable_lines};
use rules::{Winner, chess::Color};
use tui::ClubMessage;
use wire::{AgainstJson, GamesJson, LeaderboardJson, PersonJson, ScoreJson};

use super::super::api::Api;

const fn word(against: AgainstJson) -> &'static str {
    match against {
        AgainstJson::People => "people",
        AgainstJson::Programs => "programs",
    }
}

fn score(score: ScoreJson) -> String {
    let ScoreJson { won, drawn, lost } = score;
    format!("{won} won, {drawn} drawn, {lost} lost")
}

fn page(title: String, text: String) -> ClubMessage {
    // The names and texts come from the club.
    ClubMessage::Page {
        title: printable(&title).into_owned(),
        text: printable_lines(&text).into_owned(),
    }
}

/// Returns the page of a profile.
pub(super) async fn finger(api: &Api, name: &str) -> anyhow::Result<ClubMessage> {
    let person: PersonJson = api.get(&format!("/api/people/{name}")).await?;
    let mut text = format!("{}\n", person.about);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "Ratings (deviation)");
    for rating in &person.ratings {
        let provisional = if rating.provisional {
            ", provisional"
        } else {
            ""
        };
        let (against, points) = (word(rating.against), rating.points);
        let _ = writeln!(
            text,
            "  {:<10} against {against:<8} {points} ({}{provisional})",
            rating.family, rating.deviation
        );
    }
    let _ = writeln!(text, "Results");
    for row in &person.record {
        let (rules, seat) = (&row.rules, Color::from(row.seat));
        let _ = writeln!(text, "  {rules:<12} {seat}: {}", score(row.score));
    }
    let _ = writeln!(text, "Opponents");
    for row in &person.opponents {
        let _ = writeln!(text, "  {:<20} {}", row.player.name, score(row.score));
    }
    Ok(page(person.name, text))
}

/// Returns the page of the newest finished games of a player, or of the own account.
pub(super) async fn history(api: &Api, name: Option<&str>) -> anyhow::Result<ClubMessage> {
    let query = name.map_or_else(String::new, |name| format!("?player={name}"));
    let list: GamesJson = api.get(&format!("/api/games{query}")).await?;
    let mut text = String::new();
    for game in &list.games {
        let result = game
            .over
            .as_ref()
            .map_or("*", |over| Winner::from(over.result).score());
        let rated = if game.rated { ", rated" } else { "" };
        let _ = writeln!(
            text,
            "  {}  {result:<7} {} - {}, {}{rated}",
            game.id, game.white.name, game.black.name, game.rules
        );
    }
    if list.games.is_empty() {
        text.push_str("No finished games.\n");
    }
    let whose = name.unwrap_or("you");
    Ok(page(format!("Finished games of {whose}"), text))
}

/// Returns the page of the highest ratings of people.
pub(super) async fn best(api: &Api, family: &str) -> anyhow::Result<ClubMessage> {
    let path = format!("/api/leaderboard?family={family}");
    let board: LeaderboardJson = api.get(&path).await?;
    let mut text = String::new();
    for (n, row) in (1..).zip(&board.rows) {
        let (name, points) = (&row.player.name, row.points);
        let _ = writeln!(text, "  {n:>3}  {name:<20} {points} ({})", row.deviation);
    }
    if board.rows.is_empty() {
        text.push_str("Nobody has a rating that is not provisional.\n");
    }
    Ok(page(format!("Best in {family} against people"), text))
}

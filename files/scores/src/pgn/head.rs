//! Reads the tags and the start position of a game.

use referee::StartPosition;
use rules::{
    Choices, Own, ReserveUse, Wings,
    chess::{Board, CastlingSide, Color},
    rulesets,
};

use super::{
    Begun, Tag, Tags,
    cursor::{Cursor, decoded},
    fault::PgnFault,
};

pub(super) fn read_tags(cursor: &mut Cursor<'_>) -> Result<Tags, PgnFault> {
    let mut tags = Tags::default();
    loop {
        cursor.skip_blank();
        if cursor.peek() != Some(b'[') {
            return Ok(tags);
        }
        let before = *cursor;
        let tag = read_tag(cursor);
        match tag {
            Some(tag) => tags.0.push(tag),
            None => {
                *cursor = before;
                return Err(PgnFault::Tag);
            }
        }
    }
}

fn read_tag(cursor: &mut Cursor<'_>) -> Option<Tag> {
    cursor.at += 1;
    let name = cursor.take_to(b'"')?;
    if name.contains(&b'\n') {
        return None;
    }
    let name = decoded(name.trim_ascii());
    let mut value = Vec::new();
    loop {
        let b = cursor.peek()?;
        cursor.at += 1;
        match b {
            b'"' => break,
            b'\n' => return None,
            b'\\' if matches!(cursor.peek(), Some(b'"' | b'\\')) => {
                value.push(cursor.peek()?);
                cursor.at += 1;
            }
            _ => value.push(b),
        }
    }
    cursor.skip_blank();
    if cursor.peek()? != b']' {
        return None;
    }
    cursor.at += 1;
    Some(Tag {
        name,
        value: decoded(&value),
    })
}

/// Returns the choices that are needed to read the moves. Fails if the game is of
/// another chess variant.
pub(super) fn choices_of(tags: &Tags) -> Result<Choices, PgnFault> {
    if tags.get("Rules").is_none()
        && let Some(wild) = tags.get("Event").and_then(|e| e.strip_prefix("ICC w"))
        && let Some(number) = wild.split(' ').next()
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit())
        && number != "16"
    {
        return Err(PgnFault::OtherGame(format!("ICC wild {number}")));
    }
    let by_rules = tags.get("Rules").and_then(rulesets::by_id);
    let variant = tags.get("Variant").unwrap_or("").to_ascii_lowercase();
    let drops = || {
        let mut all = rulesets::ALL.iter();
        all.find(|ruleset| ruleset.choices.reserve == ReserveUse::Drops)
    };
    let known = match variant.as_str() {
        "" | "standard" | "chess" | "normal" | "kriegspiel" | "from position" | "fromposition"
        | "wild/16" | "wild 16" => Some(&rulesets::RAND),
        "crazyhouse" => drops(),
        other => rulesets::by_id(other),
    };
    match by_rules.or(known) {
        Some(ruleset) if known.is_some() => Ok(ruleset.choices),
        _ => {
            let variant = tags.get("Variant").unwrap_or("");
            Err(PgnFault::OtherGame(variant.chars().take(40).collect()))
        }
    }
}

pub(super) fn begun(tags: &Tags, choices: &Choices) -> Result<Begun, PgnFault> {
    if let Some(men) = tags.get("Men") {
        let board: Board = men.parse().map_err(|_| PgnFault::Men)?;
        let color = match (board.white().any(), board.black().any()) {
            (true, false) => Color::White,
            (false, true) => Color::Black,
            (true, true) | (false, false) => return Err(PgnFault::Men),
        };
        let mut wings = Wings::NONE;
        for wing in tags.get("Castling").unwrap_or("").chars() {
            match wing {
                'K' => wings.add(CastlingSide::KingSide),
                'Q' => wings.add(CastlingSide::QueenSide),
                _ => return Err(PgnFault::Men),
            }
        }
        let mut reserve = rules::Reserve::EMPTY;
        for man in tags.get("Reserve").unwrap_or("").chars() {
            reserve.add(rules::chess::Role::from_char(man).ok_or(PgnFault::Men)?);
        }
        return Ok(Begun::Own(Box::new(Own::of(&board, color, wings, reserve))));
    }
    let start = match tags.get("FEN") {
        Some(fen) => StartPosition::from_fen(fen, choices).map_err(PgnFault::Fen)?,
        None => StartPosition::initial(),
    };
    Ok(Begun::From(start))
}

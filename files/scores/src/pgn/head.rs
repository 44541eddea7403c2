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

/// Returns the id of the ruleset that the tags name: with `Rules`, with an event of ICC
/// (`ICC w16 5 0`), or with `Variant`.
pub(crate) fn named_rules(tags: &Tags) -> Option<&str> {
    let by_variant = || {
        let variant = tags.get("Variant")?.to_ascii_lowercase();
        match &*variant {
            "wild/16" | "wild 16" => icc(),
            id => rulesets::by_id(id).map(|ruleset| &*ruleset.id),
        }
    };
    let by_event = || icc().filter(|_| icc_wild(tags) == Some("16"));
    tags.get("Rules").or_else(by_event).or_else(by_variant)
}

/// Returns the id of the ruleset of ICC.
fn icc() -> Option<&'static str> {
    let mut all = rulesets::ALL.iter();
    let icc = all.find(|ruleset| ruleset.id == rulesets::WILD16.id);
    icc.map(|ruleset| &*ruleset.id)
}

/// Returns the number of the wild variant in an event of ICC.
fn icc_wild(tags: &Tags) -> Option<&str> {
    let wild = tags.get("Event")?.trim().strip_prefix("ICC w")?;
    let number = wild.split(' ').next()?;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some(number)
}

/// Returns the choices that are needed to read the moves. Fails if the game is of
/// another chess variant.
pub(super) fn choices_of(tags: &Tags) -> Result<Choices, PgnFault> {
    if tags.get("Rules").is_none()
        && let Some(number) = icc_wild(tags).filter(|number| *number != "16")
    {
        return Err(PgnFault::OtherGame(format!("ICC wild {number}")));
    }
    let by_rules = named_rules(tags).and_then(rulesets::by_id);
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
        Some(fen) => match StartPosition::from_fen(fen, choices) {
            Ok(start) => start,
            Err(fault) => return seen_men(fen).ok_or(PgnFault::Fen(fault)),
        },
        None => StartPosition::initial(),
    };
    Ok(Begun::From(start))
}

/// Returns the men of the only side that has its king in a FEN. A player's program leaves out the
/// opponent's king, which this player does not see.
fn seen_men(fen: &str) -> Option<Begun> {
    let mut words = fen.split(' ');
    let board: Board = words.next()?.parse().ok()?;
    let color = match (
        board.king_of(Color::White).is_some(),
        board.king_of(Color::Black).is_some(),
    ) {
        (true, false) => Color::White,
        (false, true) => Color::Black,
        (true, true) | (false, false) => return None,
    };
    let rights = words.nth(1).unwrap_or("");
    let mut wings = Wings::NONE;
    for (side, letter) in [
        (CastlingSide::KingSide, 'K'),
        (CastlingSide::QueenSide, 'Q'),
    ] {
        if rights.contains(color.fold_wb(letter, letter.to_ascii_lowercase())) {
            wings.add(side);
        }
    }
    let own = Own::of(&board, color, wings, rules::Reserve::EMPTY);
    Some(Begun::Own(Box::new(own)))
}

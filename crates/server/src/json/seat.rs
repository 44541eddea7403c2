//! What a seat hears and knows.

use club::{Hearing, SeatView, ToldItem};
use notation::{start_words, words};
use rules::{CaptureHeard, Choices, Listener, ReserveUse, chess::Role};
use views::PlayerView;
use wire::{CastlingJson, HeardJson, HearingJson, LeftJson, RefusedTryJson, SeatViewJson, Side};

use crate::json::game::clocks;

/// What is heard upon one event.
pub fn hearing(hearing: &Hearing, choices: &Choices, listener: Listener) -> HearingJson {
    HearingJson {
        n: hearing.n,
        heard: hearing
            .heard
            .iter()
            .map(|item| match item {
                ToldItem::Start(start) => HeardJson::from(start),
                ToldItem::Heard(heard) => HeardJson::from(heard),
            })
            .collect(),
        words: hearing
            .heard
            .iter()
            .map(|item| match item {
                ToldItem::Start(start) => start_words(start),
                ToldItem::Heard(heard) => words(heard, choices, listener),
            })
            .collect(),
        clocks: hearing.clocks.map(clocks),
    }
}

/// What a seat knows.
pub fn seat_view(seat: &SeatView) -> SeatViewJson {
    let view = &seat.view;
    let own = view.own();
    let mut tries: Vec<String> = view.tries().iter().map(ToString::to_string).collect();
    tries.sort_unstable();
    SeatViewJson {
        n: seat.n,
        seat: Side::from(view.color()),
        men: own.board().board_fen().to_string(),
        castling: castling(CastlingJson::from(own.castling)).to_owned(),
        reserve: reserve(view),
        to_move: view.to_move().map(Side::from),
        tries,
        refused: seat
            .refused
            .iter()
            .map(|refused| RefusedTryJson {
                attempt: refused.attempt.to_string(),
                why: refused.why.clone(),
            })
            .collect(),
        words: seat.words.iter().map(|&word| word.to_owned()).collect(),
        draw_offer: view.draw_offer().map(Side::from),
        left: left(view),
    }
}

const fn castling(castling: CastlingJson) -> &'static str {
    match castling {
        CastlingJson::Both => "KQ",
        CastlingJson::King => "K",
        CastlingJson::Queen => "Q",
        CastlingJson::Neither => "",
    }
}

fn reserve(view: &PlayerView) -> String {
    let letters = [
        ('Q', Role::Queen),
        ('R', Role::Rook),
        ('B', Role::Bishop),
        ('N', Role::Knight),
        ('P', Role::Pawn),
    ];
    let own = view.own().reserve;
    letters
        .into_iter()
        .flat_map(|(letter, role)| (0..own.count(role)).map(move |_| letter))
        .collect()
}

/// What the seat can know of the enemy's men, from what it heard captured.
fn left(view: &PlayerView) -> LeftJson {
    let enemy = !view.color();
    let lost = view.losses()[enemy];
    let told = match view.choices().capture_heard {
        CaptureHeard::Both | CaptureHeard::Capturer => true,
        CaptureHeard::Victim => false,
    };
    // Men that were captured from this seat come back on the other side.
    let back = match view.choices().reserve {
        ReserveUse::None => 0,
        ReserveUse::Drops => view.losses()[view.color()].total(),
    };
    let men = 16_u16.saturating_add(back).saturating_sub(lost.total());
    let named: u16 = lost.named.iter().map(|(_, n)| u16::from(n)).sum();
    let most = |all: u16, gone: u16| {
        all.saturating_add(back)
            .saturating_sub(gone)
            // The king is always there.
            .min(men.saturating_sub(1))
    };
    LeftJson {
        men: told.then_some(men),
        pawns: most(8, lost.pawns),
        pieces: most(7, lost.pieces.saturating_add(named)),
    }
}

#[cfg(test)]
mod tests {
    use rules::{
        Capture, CapturedMan, Heard, Verdict,
        chess::Color,
        rulesets::{KS, WILD16},
    };

    use super::*;

    fn after_captures(choices: Choices, men: &[Option<CapturedMan>]) -> LeftJson {
        let mut view = PlayerView::initial(choices, Color::White);
        for man in men {
            view.hear(&Heard::own_verdict(
                Verdict::Moved,
                Color::White,
                "e2e4".parse().unwrap(),
            ));
            view.hear(&Heard::Capture(Capture {
                square: None,
                man: *man,
                en_passant: false,
            }));
        }
        left(&view)
    }

    #[test]
    fn what_is_left_falls_with_what_is_heard() {
        let all = |men, pawns, pieces| LeftJson { men, pawns, pieces };
        let wild16 = WILD16.choices;
        assert_eq!(after_captures(wild16, &[]), all(Some(16), 8, 7));
        let pawn = Some(CapturedMan::Pawn);
        let piece = Some(CapturedMan::Piece);
        assert_eq!(
            after_captures(wild16, &[pawn, piece, pawn]),
            all(Some(13), 6, 6)
        );
        assert_eq!(after_captures(wild16, &[None; 12]), all(Some(4), 3, 3));
        assert_eq!(after_captures(KS.choices, &[]).pawns, 8);
    }
}

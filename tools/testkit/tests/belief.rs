//! Compares beliefs with the results of brute force. Also compares the two beliefs of a seat that
//! hears the same in two games.

use std::collections::BTreeSet;

use belief::{Belief, Model, Origin, Regime, Settings};
use bots::{Odds, TurnReview};
use cozy_chess::{Board as Cozy, GameStatus, util::parse_uci_move};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use referee::Game;
use rules::{
    Announcement, Answer, Attempt, Calls, Heard, ReserveUse, Start,
    chess::{ByColor, Color, Role, Square, fen::Fen},
};
use testkit::{
    differential::setting,
    oracle::Oracle,
    pairs::{Pair, heard_by},
    possible::Possible,
    starts,
    umpire::{Action, Setting},
    walk::Walker,
};

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(otherwise, |n| n.parse().expect("the variable is a number"))
}

/// Returns the model for a game. Different games may use different models, because
/// the possible positions do not depend on the model.
fn model(game: u64) -> Model {
    if game % 3 == 2 {
        Model::fitted()
    } else {
        Model::Uniform
    }
}

/// Counts of the compared games.
#[derive(Default)]
struct Tally {
    games: u64,
    compared: u64,
    largest: usize,
    exact: u64,
    reviewed: u64,
    rulesets: BTreeSet<String>,
}

/// Moves some of the opponent's men to other squares; `None` if the result is
/// not legal.
fn varied(fen: &str, seat: Color, drops: bool, rng: &mut ChaCha8Rng) -> Option<String> {
    let mut setup = fen.parse::<Fen>().ok()?.into_setup();
    if drops && setup.pockets.is_none() {
        setup.pockets = Some(ByColor::default());
    }
    let theirs = setup.board.by_color(seat.other());
    for _ in 0..rng.random_range(1..3) {
        let from = theirs
            .into_iter()
            .nth(rng.random_range(0..theirs.count()))?;
        let mut piece = setup.board.piece_at(from)?;
        if setup.castling_rights.contains(from) || piece.role == Role::King {
            continue;
        }
        if rng.random_bool(0.3) && piece.role != Role::Pawn {
            piece.role = *[Role::Knight, Role::Bishop, Role::Queen, Role::Rook].choose(rng)?;
        }
        let to = Square::new(rng.random_range(0..64));
        if setup.board.piece_at(to).is_none() {
            setup.board.discard_piece_at(from);
            setup.board.set_piece_at(to, piece);
            setup.promoted.discard(from);
        }
    }
    starts::validated(setup, drops)
}

/// Returns positions in which the game may have started. The first position is
/// the true start.
fn origins(setting: &Setting, seat: Color, rng: &mut ChaCha8Rng) -> Vec<String> {
    let Some(fen) = &setting.fen else {
        return vec!["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned()];
    };
    let drops = setting.choices.reserve == ReserveUse::Drops;
    let mut all = vec![fen.clone()];
    if fen.split(' ').nth(3) != Some("-") {
        return all;
    }
    for _ in 0..rng.random_range(0..8) {
        all.extend(varied(fen, seat, drops, rng));
    }
    all
}

fn positions(belief: &Belief) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    belief.each_position(|situation, weight| {
        assert!(weight > 0.0);
        let fen = situation.fen(0, 1);
        all.insert(fen.split(' ').take(4).collect::<Vec<_>>().join(" "));
    });
    all
}

/// Compares what the review says of an attempt with what another chess library says of it in every
/// possible position. Shares above 0.9999 count as 1.
fn assert_odds(review: &mut TurnReview, fens: &BTreeSet<String>, rng: &mut ChaCha8Rng) -> u64 {
    let Some(&made) = review.turns().view().tries().choose(rng) else {
        return 0;
    };
    let mut counts = [0; 6];
    for fen in fens {
        let before: Cozy = format!("{fen} 0 1").parse().expect(fen);
        let mut after = before.clone();
        let Ok(m) = parse_uci_move(&before, &made.to_string()) else {
            continue;
        };
        if after.try_play(m).is_err() {
            continue;
        }
        let to = cozy_chess::Square::index(made.to() as usize);
        let mut exposed = false;
        after.generate_moves(|replies| {
            replies.into_iter().any(|reply| {
                let mut next = after.clone();
                next.play(reply);
                exposed |= next.colors(before.side_to_move()).has(to)
                    != after.colors(before.side_to_move()).has(to);
                exposed
            })
        });
        let captures = after.occupied().len() < before.occupied().len();
        let facts = [
            true,
            captures,
            captures && exposed,
            exposed,
            !after.checkers().is_empty(),
            after.status() == GameStatus::Won,
        ];
        for (count, is_so) in counts.iter_mut().zip(facts) {
            *count += usize::from(is_so);
        }
    }
    let Odds {
        played,
        captures,
        retaken,
        exposed,
        checks,
        mates,
        ..
    } = review.attempt(Attempt::Try(made)).odds;
    let shares = [played, captures, retaken, exposed, checks, mates];
    for (share, count) in shares.into_iter().zip(counts) {
        assert!(
            (share > 0.0) == (count > 0) && (share == 1.0 || count < fens.len()),
            "{made}: {shares:?}, {counts:?} of {fens:#?}"
        );
    }
    1
}

fn compare(game: u64, tally: &mut Tally) {
    let mut rng = ChaCha8Rng::seed_from_u64(0x0062_656c_6965_6600 ^ game);
    let setting = setting(game, &mut rng);
    let seat = Color::from_white(rng.random_bool(0.5));
    let column = usize::from(seat == Color::Black);
    let fens = origins(&setting, seat, &mut rng);
    let open = |fen: &String| Oracle::open(&setting.rules, setting.choices, Some(fen));
    let Ok(mut truth) = open(&fens[0]) else {
        return;
    };
    let start: Start = truth.starts()[column].clone();
    let games: Vec<Oracle> = fens.iter().filter_map(|fen| open(fen).ok()).collect();
    let mut possible = Possible::open(seat, games);
    let alike = |fen: &&String| open(fen).is_ok_and(|game| game.starts()[column] == start);
    let origin = Origin::OneOf(fens.iter().filter(alike).cloned().collect());
    let settings = Settings {
        model: model(game),
        ..Settings::default()
    };
    let mut belief = Belief::open(setting.choices, seat, &start, &origin, settings)
        .unwrap_or_else(|error| panic!("game {game}, {setting}: {error}"));
    let is_usual = game.is_multiple_of(2)
        && setting.fen.is_none()
        && setting.choices.reserve != ReserveUse::Drops;
    let review = || TurnReview::open(setting.choices, seat, &start, Some(&fens[0]), 100);
    let mut review = is_usual.then(|| review().expect("the usual start"));
    let mut walker = Walker::new(ChaCha8Rng::seed_from_u64(game));
    let small = number("KRIEGSPIEL_BELIEF_SET", 300) as usize;
    let mut told = vec![format!("seat {seat}")];
    let mut heard = truth.opening()[column].clone();
    tally.games += 1;
    for step in 0..300 {
        for one in &heard {
            told.push(format!("   {one:?}"));
            if let Err(error) = belief.hear(one) {
                panic!("game {game}, {setting}: {error}\n{}", told.join("\n"));
            }
            review.iter_mut().for_each(|review| review.skip(one));
        }
        if step == 0 || !heard.is_empty() {
            let expected = possible.positions();
            if expected.len() > small || possible.games() > 5 * small {
                return;
            }
            let found = positions(&belief);
            let missing: Vec<_> = expected.difference(&found).take(5).collect();
            let extra: Vec<_> = found.difference(&expected).take(5).collect();
            let exact = belief.regime() == Regime::Exact;
            assert!(
                missing.is_empty() && (extra.is_empty() || !exact),
                "game {game}, {setting}, {:?}: {} expected, {} found\nmissing {missing:#?}\nextra {extra:#?}\n{}",
                belief.regime(),
                expected.len(),
                found.len(),
                told.join("\n"),
            );
            tally.compared += 1;
            tally.exact += u64::from(exact);
            let is_turn = |one: &Heard| matches!(one, Heard::Announced(Announcement::Turn { .. }));
            if let Some(review) = review
                .as_mut()
                .filter(|_| exact && heard.iter().any(is_turn))
            {
                tally.reviewed += assert_odds(review, &expected, &mut rng);
            }
            tally.largest = tally.largest.max(expected.len());
            tally.rulesets.insert(setting.rules.clone());
        }
        if truth.over().is_some() {
            return;
        }
        let action = walker.next(&truth, &truth.tries());
        let answered = match action {
            Action::Attempt(by, attempt) => truth.attempt(by, attempt),
            Action::End(end) => truth.end(end),
        };
        let Ok(answered) = answered else {
            heard.clear();
            continue;
        };
        if let (Action::Attempt(by, attempt), Answer::Moved) = (action, answered.answer) {
            walker.moved(by, attempt);
        }
        heard = answered.heard[column].clone();
        told.push(format!("{action} {:?}", answered.answer));
        possible.hear(action, &heard);
    }
}

#[test]
fn belief_equals_the_result_of_brute_force() {
    let mut tally = Tally::default();
    let from = number("KRIEGSPIEL_BELIEF_FROM", 0);
    for game in from..from + number("KRIEGSPIEL_BELIEFS", 48) {
        compare(game, &mut tally);
    }
    println!(
        "figure: games {}\nfigure: comparisons with brute force {}\nfigure: comparisons of exact beliefs {}\nfigure: positions in the largest belief {}\nfigure: reviewed attempts {}\nfigure: rulesets {}",
        tally.games,
        tally.compared,
        tally.exact,
        tally.largest,
        tally.reviewed,
        tally.rulesets.len()
    );
    if tally.games >= 100 {
        assert_eq!(tally.rulesets.len(), 16);
        assert!(tally.exact * 10 > tally.compared * 8);
    }
}

/// Returns the whole content of a belief as text. Weights are written exactly, bit by
/// bit.
fn told(belief: &Belief) -> String {
    let mut text = format!("{:?} {:?}", belief.size(), belief.regime());
    belief.each_position(|situation, weight| {
        text.push_str(&format!("{situation:?} {:x}\n", weight.to_bits()));
    });
    let tries = belief.view().tries();
    let prospects = tries.iter().take(2).map(|t| belief.prospect(*t));
    let prospects: Vec<_> = prospects.collect();
    text.push_str(&format!(
        "{:?} {:?} {:?} {prospects:?}",
        belief.marginals(),
        belief.envelope(),
        belief.certain()
    ));
    text
}

/// Returns the belief of a pair's listener in one of the two games, as text. There is one text for
/// each event of which the listener heard something. Returns `None` if no belief can be opened with
/// the two start positions.
fn believed(pair: &Pair, seat: Color, which: usize, settings: &Settings) -> Option<Vec<String>> {
    let fens = pair.opened.iter().map(|opened| opened.start.fen());
    let origin = Origin::OneOf(fens.collect());
    let mut game = Game::open(pair.opened[which].clone());
    let start = game.start(pair.listener);
    let belief = Belief::open(*pair.choices(), seat, &start, &origin, settings.clone());
    let mut belief = belief.ok()?;
    let mut all = Vec::new();
    let mut hear = |calls: &Calls| {
        let heard = heard_by(pair.listener, calls);
        for one in &heard {
            if let Err(error) = belief.hear(one) {
                all.push(error.to_string());
            }
        }
        if !heard.is_empty() {
            all.push(told(&belief));
        }
    };
    hear(&game.opening_calls());
    for event in pair.log(which).iter().skip(1) {
        let calls = game.calls(event);
        hear(&calls);
        game.apply(event);
    }
    Some(all)
}

#[test]
fn games_that_sound_alike_give_equal_beliefs() {
    let wanted = number("KRIEGSPIEL_BELIEF_PAIRS", 30);
    let (mut compared, mut bytes) = (0, 0);
    for index in 0..wanted {
        let pair = Pair::make(7, index);
        let Some(seat) = pair.listener.color() else {
            continue;
        };
        let settings = Settings {
            limit: [50, 500][(index % 2) as usize],
            model: model(index),
            ..Settings::default()
        };
        let [one, other] = [0, 1].map(|which| believed(&pair, seat, which, &settings));
        assert_eq!(one.is_some(), other.is_some(), "pair {index}");
        let (Some(one), Some(other)) = (one, other) else {
            continue;
        };
        assert_eq!(one.len(), other.len(), "pair {index}");
        for (at, (one, other)) in one.iter().zip(&other).enumerate() {
            assert!(one == other, "pair {index}, group {at}");
            bytes += one.len() as u64;
        }
        compared += 1;
    }
    println!(
        "figure: pairs in which the seat hears the same {compared}\nfigure: bytes of the compared beliefs {bytes}"
    );
    assert!(compared * 4 > wanted, "{compared}");
}

//! Compares the tables of endings with brute force over all policies.
//!
//! The brute force shares no code with the tables: it plays with whole positions, and groups them
//! by the directions of the check. The test compares random sets of squares on which the lone king
//! can stand. `KRIEGSPIEL_ENDGAME_SETS` is the number of these sets, and `KRIEGSPIEL_ENDGAME_DEPTH`
//! is the number of own moves that the brute force searches.

use std::collections::BTreeMap;

use rules::{
    CheckTold, Direction, Try,
    chess::{
        Bitboard, CastlingMode, Chess, Color, FromSetup, Move, Piece, Position, Role, Setup, Square,
    },
};
use solver::endgame::{OwnMen, SeededNumbers, Tables, TryOutcome};

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(otherwise, |n| n.parse().expect("the variable is a number"))
}

/// Returns the position with White to move.
fn position(men: OwnMen, king: Square) -> Chess {
    let mut setup = Setup::empty();
    setup.board.set_piece_at(king, Color::Black.king());
    setup.board.set_piece_at(men.king(), Color::White.king());
    for (role, square) in men.others() {
        let piece = Piece {
            color: Color::White,
            role: *role,
        };
        setup.board.set_piece_at(*square, piece);
    }
    Chess::from_setup(setup, CastlingMode::Standard).expect("the position is legal")
}

/// Whether one policy mates within `moves` own moves in every position. White is to move.
fn mates(positions: &[Chess], moves: u8) -> bool {
    if positions.is_empty() {
        return true;
    }
    if moves == 0 {
        return false;
    }
    let mut attempts: Vec<Move> = Vec::new();
    for position in positions {
        attempts.extend(position.legal_moves());
    }
    attempts.sort_by_key(|m| (m.from(), m.to()));
    attempts.dedup();
    attempts.iter().any(|attempt| {
        let (accepted, refused): (Vec<Chess>, Vec<Chess>) = positions
            .iter()
            .cloned()
            .partition(|position| position.is_legal(*attempt));
        // In the positions of `refused`, the attempt is illegal. If one policy mates in all
        // `positions`, it also mates in those of `refused`. So searching `refused` seldom
        // changes the result, and is done last.
        leads_to_mate(&accepted, *attempt, moves) && mates(&refused, moves)
    })
}

/// Whether an attempt that is legal in every position leads to mate.
fn leads_to_mate(positions: &[Chess], attempt: Move, moves: u8) -> bool {
    let mut heard: BTreeMap<Vec<Direction>, Vec<Chess>> = BTreeMap::new();
    for position in positions {
        let after = position.clone().play(attempt).expect("the move is legal");
        if after.is_checkmate() {
            continue;
        }
        let replies = after.legal_moves();
        if replies.is_empty() || replies.iter().any(|reply| reply.is_capture()) {
            return false;
        }
        let king = after
            .board()
            .king_of(Color::Black)
            .expect("the king is there");
        let check = after.checkers().into_iter();
        let directions = check.map(|from| Direction::of(king, from)).collect();
        let group = heard.entry(directions).or_default();
        for reply in replies {
            let next = after.clone().play(reply).expect("the move is legal");
            if !group.contains(&next) {
                group.push(next);
            }
        }
    }
    heard.values().all(|group| mates(group, moves - 1))
}

#[test]
fn tables_agree_with_brute_force_over_policies() {
    let depth = number("KRIEGSPIEL_ENDGAME_DEPTH", 2) as u8;
    let men = OwnMen::new(Square::A1, &[(Role::Rook, Square::C3)]).expect("the men are legal");
    let table = Tables::shared().solved(men).expect("the ending is known");
    let mut random = SeededNumbers::new(1);
    let (mut solved, mut unsolved) = (0, 0);
    for at in 0..number("KRIEGSPIEL_ENDGAME_SETS", 300) {
        let placements = table.placements();
        let men = placements[random.below(placements.len())];
        // Half of the sets are made from a set with a mate in few moves. So both answers, mate and
        // no mate, occur.
        let sets = table.solved_sets(men);
        let early = sets.iter().filter(|(_, moves)| *moves <= depth + 1);
        let early: Vec<Bitboard> = early.map(|(set, _)| *set).collect();
        let near = if at % 2 == 0 && !early.is_empty() {
            early[random.below(early.len())]
        } else {
            Bitboard::EMPTY
        };
        let mut kings = near;
        for _ in 0..random.below(3) {
            kings.extend(random.one_of(men.possible_kings()));
        }
        while kings.count() > 5 {
            let gone = random.one_of(kings).expect("the set is not empty");
            kings.discard(gone);
        }
        if kings.is_empty() {
            continue;
        }
        let positions: Vec<Chess> = kings.into_iter().map(|king| position(men, king)).collect();
        let moves = table.mate_in(men, kings).unwrap_or(u8::MAX);
        for n in 1..=depth {
            assert_eq!(moves <= n, mates(&positions, n), "{men} {kings:?} in {n}");
        }
        if moves <= depth {
            solved += 1;
        } else {
            unsolved += 1;
        }
    }
    println!("figure: sets solved within {depth} moves {solved}");
    println!("figure: other sets {unsolved}");
    assert!(solved > 0 && unsolved > 0);
}

/// After a try, the possible squares of the king are told apart by what is announced, and by nothing
/// else: by the directions of the check, or only by whether there is a check.
#[test]
fn outcomes_group_the_squares_that_sound_alike() {
    let mut random = SeededNumbers::new(3);
    let mut differing = 0;
    for role in [Role::Rook, Role::Queen, Role::Rook, Role::Queen].repeat(30) {
        let mut square = || Square::new(random.below(64) as u32);
        let Some(men) = OwnMen::new(square(), &[(role, square())]) else {
            continue;
        };
        for tried in men.tries() {
            let Try::Step { from, to, .. } = tried else {
                continue;
            };
            let mut groups: [BTreeMap<Vec<Direction>, Bitboard>; 2] = Default::default();
            for king in men.possible_kings() {
                let position = position(men, king);
                let moves = position.legal_moves().into_iter();
                let Some(legal) = moves
                    .into_iter()
                    .find(|m| (m.from(), m.to()) == (Some(from), to))
                else {
                    continue;
                };
                let after = position.play(legal).expect("the move is legal");
                if after.legal_moves().is_empty() {
                    continue;
                }
                let check = after.checkers().into_iter();
                let directions: Vec<Direction> = check.map(|at| Direction::of(king, at)).collect();
                let bare = directions.first().map(|_| Direction::File);
                groups[0].entry(directions).or_default().add(king);
                groups[1]
                    .entry(bare.into_iter().collect())
                    .or_default()
                    .add(king);
            }
            differing += usize::from(groups[0].len() != groups[1].len());
            for (told, groups) in [CheckTold::Directions, CheckTold::Bare]
                .into_iter()
                .zip(groups)
            {
                let outcome = TryOutcome::of(men, tried, men.possible_kings(), told);
                let mut heard = outcome.heard.clone();
                let mut expected: Vec<Bitboard> = groups.into_values().collect();
                heard.sort_unstable_by_key(|set| set.0);
                expected.sort_unstable_by_key(|set| set.0);
                assert_eq!(heard, expected, "{told:?}: {men} {tried:?}");
            }
        }
    }
    println!("figure: tries that only directions tell apart {differing}");
    assert!(differing > 100, "{differing}");
}

#[test]
fn plan_avoids_third_occurrence_of_a_placement() {
    let men = OwnMen::new(Square::A1, &[(Role::Rook, Square::C3)]).expect("the men are legal");
    let table = Tables::shared().solved(men).expect("the ending is known");
    let mut random = SeededNumbers::new(2);
    let mut detours = 0;
    for _ in 0..100 {
        let men = table.placements()[random.below(table.placements().len())];
        let kings = random.one_of(men.possible_kings());
        let kings: Bitboard = kings.into_iter().collect();
        let Some(fastest) = table.mate_in(men, kings).filter(|moves| *moves > 3) else {
            continue;
        };
        let mut past = Vec::new();
        for _ in 0..3 {
            let plan = table.plan(men, kings, &past).expect("there is a mate");
            detours += usize::from(plan.moves > fastest);
            let mut left = kings;
            for tried in plan.tries {
                let after = men.after(tried);
                assert!(
                    past.iter().filter(|past| **past == after).count() < 2,
                    "{men} {kings:?}: {tried:?} repeats a placement of {past:?}"
                );
                let outcome = TryOutcome::of(men, tried, left, table.check_announcement());
                assert!(outcome.loses.is_empty() && outcome.stalemate.is_empty());
                for heard in &outcome.heard {
                    let moves = table.mate_in(after, outcome.replies(*heard));
                    assert!(
                        moves.is_some_and(|moves| moves < plan.moves),
                        "{men} {kings:?}"
                    );
                }
                left = outcome.refused;
                past.extend([after, after]);
            }
            assert!(left.is_empty(), "a try is accepted wherever the king is");
        }
    }
    assert!(detours > 0);
}

#[test]
fn longest_mates_of_a_visible_king_equal_known_values() {
    use solver::endgame::Distances;
    let known = [(Role::Queen, 10), (Role::Rook, 16)];
    for (role, longest) in known {
        assert_eq!(Distances::build(&[&[role]]).longest(), longest, "{role:?}");
    }
    let pawn = Distances::build(&[&[Role::Queen], &[Role::Rook], &[Role::Pawn]]);
    assert_eq!(pawn.longest(), 28);
    let bishops = Distances::build(&[&[Role::Bishop, Role::Bishop]]);
    assert_eq!(bishops.longest(), 19);
    let knight = Distances::build(&[&[Role::Knight, Role::Bishop]]);
    assert_eq!(knight.longest(), 33);
}

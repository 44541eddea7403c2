//! Eighty games with the answers of the algorithm of 1975. Our answers are compared with these
//! answers step by step.
//!
//! The algorithm of 1975 has errors. If our answer differs, one of our corrections must explain the
//! whole difference. The test prints the number of steps with different answers.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};

use flate2::read::GzDecoder;
use ksref::{Cell, Common, Iboard, Idata, Ksref, Minfo, Rules};
use referee::StartPosition;
use rules::rulesets::WESTERN;
use serde_json::Value;

/// The table of the program of 1975 has room for this many refused attempts.
const TABLE_OF_1975: usize = 49;

fn numbers<const N: usize>(value: &Value) -> [i16; N] {
    let all: Vec<i16> = value
        .as_array()
        .unwrap()
        .iter()
        .map(|n| i16::try_from(n.as_i64().unwrap()).unwrap())
        .collect();
    all.try_into().unwrap()
}

/// Returns the sheet with its two checks in the order of their numbers.
fn with_checks_in_order(mut minfo: Minfo) -> Minfo {
    let (a, b) = (minfo[Cell::MCHEKA], minfo[Cell::MCHEKB]);
    if a != 0 && b != 0 {
        minfo[Cell::MCHEKA] = a.min(b);
        minfo[Cell::MCHEKB] = a.max(b);
    }
    minfo
}

#[derive(Default)]
struct Turn {
    /// The attempts in the table of the program of 1975.
    table: Vec<[i32; 4]>,
    /// Attempts answered *no* that did not fit into the table.
    forgotten: Vec<[i32; 4]>,
    /// Number of answers *no* that the program of 1975 counted in this turn, minus the number that
    /// our program counted.
    more: i16,
}

#[derive(Default)]
struct Counts {
    steps: usize,
    /// Steps at which the program of 1975 answers *no* again, because it has forgotten its first
    /// *no*.
    forgotten_noes: usize,
    /// Later steps of the same turns, at which the cell MNOS still differs.
    counts_after_them: usize,
    /// Attempts that KSREF answers *heck-no*, by the value of LEGAL with ITYPE 2: -1, 0, 1.
    heck_noes: [usize; 3],
}

fn replay(game: &Value, name: &str, counts: &mut Counts) {
    let rules = Rules::of(game["rules"].as_i64().unwrap()).unwrap();
    let (mut iboard, mut minfo, mut nos) = Ksref::start(rules);
    let mut turn = Turn::default();
    let mut common = Common::default();
    common.idata[0] = i32::from(rules.number());
    common.ksref().unwrap();
    for (n, step) in game["steps"].as_array().unwrap().iter().enumerate() {
        let cells = numbers::<6>(&step["in"]).map(i32::from);
        let [h, v, to_h, to_v, _, request] = cells;
        let attempt = [h, v, to_h, to_v];
        common.idata[2..].copy_from_slice(&cells);
        if request == 0 {
            let verdict = Ksref::legal(&cells.into(), &iboard, rules).unwrap();
            let value = common.legal(2).unwrap();
            assert_eq!(value, 1 - i32::from(verdict.number()));
            match step["minfo"][0][5].as_i64().unwrap() {
                2 => counts.heck_noes[usize::try_from(value + 1).unwrap()] += 1,
                no => assert_eq!(i64::from(value), 1 - no, "LEGAL {name}, step {n}"),
            }
        }
        common.ksref().unwrap();
        Ksref::call(&mut cells.into(), &mut iboard, &mut minfo, &mut nos).unwrap();
        counts.steps += 1;
        let place = format!("the layout of the article, {name}, step {n}");
        assert_eq!(common.minfo, minfo, "{place}");
        assert_eq!(common.idata[1], i32::from(iboard.icolor), "{place}");
        let noes = i32::from(minfo[Cell::MNOS]).min(49);
        assert_eq!(common.nos[0], noes + 1, "{place}");
        for (h, v) in (0..8).flat_map(|h| (0..8).map(move |v| (h, v))) {
            let code = i32::from(iboard.men[v][h]);
            assert_eq!(common.iboard[h][v][0], code, "{place}");
        }

        let theirs = Minfo::from([numbers(&step["minfo"][0]), numbers(&step["minfo"][1])]);
        let theirs = with_checks_in_order(theirs);
        let mut ours = with_checks_in_order(minfo);
        if ours[Cell::MATMPT] == 0 {
            turn = Turn::default();
        }
        if request == 0 && ours[Cell::MATMPT] == 1 {
            if turn.table.len() < TABLE_OF_1975 {
                turn.table.push(attempt);
            } else {
                turn.forgotten.push(attempt);
            }
        }
        let mut excepted = false;
        if ours[Cell::MATMPT] == 2
            && theirs[Cell::MATMPT] == 1
            && turn.forgotten.contains(&attempt)
            && !turn.table.contains(&attempt)
        {
            // The program of 1975 has forgotten this *no*, so it answers *no* again. Our answer is
            // *heck-no*.
            ours[Cell::MATMPT] = 1;
            turn.more += 1;
            counts.forgotten_noes += 1;
            excepted = true;
        }
        if turn.more > 0 {
            ours[Cell::MNOS] += turn.more;
            counts.counts_after_them += usize::from(!excepted);
        }
        let where_ = format!("{name}, step {n}: {cells:?}\n{iboard:?}");
        for cell in Cell::ALL {
            assert_eq!(ours[cell], theirs[cell], "{} {where_}", cell.name());
        }
        assert_eq!(ours, theirs, "{where_}");
        let icolor = step["icolor_after"].as_i64().unwrap();
        assert_eq!(i64::from(iboard.icolor), icolor, "ICOLOR {where_}");
    }
    let rows = game["final_board"].as_array().unwrap();
    for (row, cells) in rows.iter().zip(iboard.men.iter().rev()) {
        assert_eq!(numbers::<8>(row), cells.map(i16::from), "{name}");
    }
}

fn sample(file: &str) -> Counts {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file);
    let lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    let mut counts = Counts::default();
    let mut games = 0;
    for (n, line) in lines.enumerate() {
        let game: Value = serde_json::from_str(&line.unwrap()).unwrap();
        replay(&game, &format!("{file}, game {n}"), &mut counts);
        games += 1;
    }
    assert_eq!(games, 40);
    assert!(
        counts.heck_noes.iter().all(|n| *n > 0),
        "{:?}",
        counts.heck_noes
    );
    println!(
        "{file}: {} steps; because the program of 1975 forgets each *no* after the 49th, {} answers differ; at {} other steps, only MNOS differs",
        counts.steps, counts.forgotten_noes, counts.counts_after_them
    );
    counts
}

#[test]
fn western_games_agree_with_1975_except_for_corrections() {
    let counts = sample("ksref_western_sample.jsonl.gz");
    assert_eq!(counts.steps, 6796);
}

#[test]
fn eastern_games_agree_with_1975_except_for_corrections() {
    let counts = sample("ksref_eastern_sample.jsonl.gz");
    assert_eq!(counts.steps, 7781);
}

#[test]
fn all_state_is_in_the_arrays() {
    // The same attempt on a different board has a different answer.
    let (mut iboard, mut minfo, mut nos) = Ksref::start(Rules::Western);
    iboard.men[2][4] = -3;
    let mut e2e4 = Idata::from([5, 2, 5, 4, 0, 0]);
    Ksref::call(&mut e2e4, &mut iboard, &mut minfo, &mut nos).unwrap();
    assert_eq!((minfo[Cell::MATMPT], minfo[Cell::MNOS]), (1, 1));
    iboard = Iboard::default();
    Ksref::call(&mut e2e4, &mut iboard, &mut minfo, &mut nos).unwrap();
    assert_eq!((minfo[Cell::MATMPT], minfo[Cell::MCOLOR]), (0, 2));
}

/// A cell of IBOARD has two numbers. The first number is the code of the man, for example -1 for
/// the black king. The second number is the man's history.
#[test]
fn each_man_has_the_history_of_table_2_of_the_article() {
    let mut common = Common::default();
    common.idata[0] = 1;
    common.ksref().unwrap();
    let mut plays = |attempt: [i32; 4]| {
        common.idata[2..6].copy_from_slice(&attempt);
        common.ksref().unwrap();
        common
    };
    assert_eq!(plays([5, 2, 5, 4]).iboard[4][3], [2, 1]);
    let after = plays([4, 7, 4, 6]);
    assert_eq!((after.iboard[4][3][1], after.iboard[3][5][1]), (2, 2));
    assert_eq!(
        plays([6, 1, 2, 5]).iboard[4][7],
        [-1, 2],
        "the king has not moved; one check counts 2"
    );
    assert_eq!(plays([3, 8, 4, 7]).iboard[4][7], [-1, 0]);
    plays([5, 1, 5, 2]);
    let no = plays([1, 8, 1, 6]);
    assert_eq!(no.minfo[Cell::MATMPT], 2, "an own pawn is in the way");
    let no = plays([8, 7, 7, 6]);
    assert_eq!((no.minfo[Cell::MATMPT], no.nos[0]), (2, 1));
    plays([8, 7, 8, 6]);
    assert_eq!(
        plays([5, 2, 5, 1]).iboard[4][0],
        [1, 1],
        "the king has moved"
    );
}

#[test]
fn nos_lists_the_codes_of_the_attempts() {
    let mut common = Common::default();
    common.idata = [2, 0, 0, 0, 0, 0, 0, 0];
    common.ksref().unwrap();
    common.idata = [2, 1, 5, 2, 6, 3, 0, 0];
    common.ksref().unwrap();
    assert_eq!(
        (common.nos[0], common.nos[1]),
        (2, 729 * 5 + 81 * 2 + 9 * 6 + 3)
    );
    assert_eq!(common.legal(1), Ok(-1), "a repeated attempt");
    common.nos[0] = 1;
    assert_eq!(common.legal(1), Ok(0), "the caller has emptied NOS");
    common.idata[5] = 4;
    common.idata[4] = 5;
    assert_eq!(common.legal(1), Ok(1));
    assert_eq!((common.idata[1], common.iboard[4][3][0]), (-1, 2));
    assert_eq!(common.minfo[Cell::MTERMN], 0, "LEGAL computes no mates");
    common.idata[0] = 3;
    assert!(common.ksref().is_err());
}

/// Common blocks with this board, White to move.
fn supplied(rules: Rules, fen: &str) -> Common {
    let start = StartPosition::from_fen(&format!("{fen} - 0 1"), &WESTERN.choices).unwrap();
    let mut common = Common::default();
    common.supply(rules, Iboard::from(&start)).unwrap();
    common
}

/// The columns `2` and `1` are the values of LEGAL with ITYPE 2 and with ITYPE 1.
#[test]
fn legal_with_itype_2_looks_only_at_the_board() {
    use Rules::{Eastern, Western};
    const PAWN: &str = "4k3/P7/8/8/8/8/8/4K3 w -";
    const TAKE: &str = "4k3/8/8/3p4/4P3/8/8/4K1N1 w -";
    const PIN: &str = "4r1k1/8/8/8/8/3p4/4P3/4K3 w -";
    const CHECK: &str = "4r1k1/8/8/8/8/8/7P/4K2R w K";
    const NOTHING: &str = "4k3/8/8/8/8/8/4P3/4K3 w -";
    const REQUEST: [i32; 6] = [0, 0, 0, 0, 0, 1];
    #[rustfmt::skip]
    let cases = [
        (Western, PAWN, None, [1, 7, 1, 8, 0, 0], 1, -1, "promotion without a piece"),
        (Western, PAWN, None, [1, 7, 1, 8, 9, 0], 1, -1, "a wrong piece"),
        (Western, PAWN, None, [5, 1, 5, 2, 5, 0], 1, -1, "a piece for a king"),
        (Western, PAWN, None, [1, 7, 1, 8, 5, 1], 1, 1, "ITRYRQ is ignored"),
        (Eastern, TAKE, Some(REQUEST), [7, 1, 6, 3, 0, 0], 1, -1, "an obligation"),
        (Eastern, TAKE, Some(REQUEST), [5, 4, 6, 5, 0, 0], 0, 0, "the other capture"),
        (Eastern, NOTHING, Some(REQUEST), [5, 2, 6, 3, 0, 0], 0, -1, "after `none`"),
        (Eastern, NOTHING, None, [5, 2, 6, 3, 0, 0], 0, 0, "onto nothing"),
        (Western, NOTHING, None, [5, 2, 6, 3, 0, 0], -1, -1, "onto nothing"),
        (Western, PIN, None, [5, 2, 4, 3, 0, 0], 0, -1, "a capture not announced"),
        (Western, PIN, None, [5, 1, 4, 2, 0, 0], 1, 1, "a step beside the pawn"),
        (Western, CHECK, None, [5, 1, 7, 1, 0, 0], -1, -1, "castling out of check"),
        (Western, CHECK, None, [5, 1, 5, 2, 0, 0], 0, 0, "a step in the check"),
        (Western, CHECK, Some([5, 1, 5, 2, 0, 0]), [5, 1, 5, 2, 0, 0], 0, -1, "a repeat"),
        (Western, CHECK, None, [8, 1, 8, 3, 0, 0], -1, -1, "an own man in the way"),
        (Western, CHECK, None, [9, 1, 8, 3, 0, 0], -1, -1, "a wild column"),
    ];
    for (rules, board, earlier, attempt, two, one, why) in cases {
        let mut common = supplied(rules, board);
        let set = |common: &mut Common, cells: [i32; 6]| common.idata[2..].copy_from_slice(&cells);
        if let Some(cells) = earlier {
            set(&mut common, cells);
            common.ksref().unwrap();
        }
        set(&mut common, attempt);
        let before = common;
        assert_eq!(common.legal(2), Ok(two), "{why}");
        assert_eq!(common, before, "{why}: something has changed");
        assert_eq!(common.legal(1), Ok(one), "{why}");
    }
    let mut common = supplied(Western, "4r1k1/8/8/3pP3/8/8/8/4K3 w -");
    common.idata[2..6].copy_from_slice(&[5, 5, 4, 6]);
    assert_eq!(
        common.legal(2),
        Ok(-1),
        "the pawn on d5 has not just advanced"
    );
    common.iboard[3][4][1] = 1;
    assert_eq!(common.legal(2), Ok(0), "en passant, but the pawn is pinned");
}

#[test]
fn ksref_after_the_end_begins_a_game_as_in_1975() {
    let mut common = Common::default();
    common.idata[0] = 1;
    common.ksref().unwrap();
    let begun = common;
    for cells in [[6, 2, 6, 3], [5, 7, 5, 5], [7, 2, 7, 4]] {
        common.idata[2..6].copy_from_slice(&cells);
        common.ksref().unwrap();
    }
    let before_mate = common;
    common.idata[2..6].copy_from_slice(&[4, 8, 8, 4]);
    common.ksref().unwrap();
    assert_eq!((common.idata[1], common.minfo[Cell::MTERMN]), (0, 2));
    assert_eq!(common.legal(2), Ok(-1), "no man is the mover's");
    // ICOLOR decides, not MTERMN: the caller may take the mating move back.
    let mut back = common;
    (back.idata[1], back.iboard) = (-1, before_mate.iboard);
    back.idata[2..6].copy_from_slice(&[4, 8, 8, 4]);
    back.ksref().unwrap();
    assert_eq!(back.minfo, common.minfo);

    common.idata[2..6].copy_from_slice(&[5, 2, 5, 4]);
    common.ksref().unwrap();
    let arrays = |common: &Common| (common.idata[1], common.iboard, common.minfo, common.nos);
    assert_eq!(arrays(&common), arrays(&begun));
}

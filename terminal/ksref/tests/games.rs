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
            let verdict = Ksref::legal(&cells.into(), &iboard, &minfo, &nos).unwrap();
            let value = 1 - i32::from(verdict.number());
            assert_eq!(common.legal(2), Ok(value), "LEGAL {name}, step {n}");
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
    assert_eq!(common.legal(2), Ok(-1), "a repeated attempt");
    common.nos[0] = 1;
    assert_eq!(common.legal(2), Ok(0), "the caller has emptied NOS");
    common.idata[5] = 4;
    common.idata[4] = 5;
    assert_eq!(common.legal(1), Ok(1));
    assert_eq!((common.idata[1], common.iboard[4][3][0]), (-1, 2));
    assert_eq!(common.minfo[Cell::MTERMN], 0, "LEGAL computes no mates");
    common.idata[0] = 3;
    assert!(common.ksref().is_err());
}

//! The options `--raw` and `--legal`: numbers in, numbers out.

use std::{
    fmt::Display,
    io::{BufRead, Write},
};

use super::{Args, GameArrays, Stop, board_of_codes, board_of_fen, numbers::Numbers};
use crate::{iboard::Iboard, ksref::Ksref, minfo::Minfo, verdict::Rules};

/// Answers every attempt with 11 rows or, with `--legal`, with one row: the
/// number of the verdict. If an attempt cannot be judged, a note says why. With
/// `--legal` such an attempt gets the note, but no row.
pub(super) fn run<R: BufRead>(
    args: &Args,
    input: R,
    output: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), Stop> {
    let mut numbers = Numbers::new(input);
    let supplied = args.fen.as_deref().map(board_of_fen).transpose()?;
    let Some((rules, mut arrays)) = open(args, supplied, &mut numbers)? else {
        return Ok(());
    };
    if args.legal && arrays.iboard.icolor == 0 {
        return Err(Stop::Input(
            "the supplied board: the game is over, so no move is legal".to_owned(),
        ));
    }
    let mut count = 0u64;
    while let Some(cells) = numbers.numbers::<6>("an attempt")? {
        count += 1;
        let GameArrays { iboard, minfo, nos } = &mut arrays;
        let mut idata = cells.into();
        let judged = if args.legal {
            Ksref::legal(&idata, iboard, rules).map(Some)
        } else {
            Ksref::call(&mut idata, iboard, minfo, nos).map(|()| None)
        };
        match judged {
            Ok(Some(verdict)) => row(output, [verdict.number()])?,
            Err(_) if args.legal => {}
            Ok(None) | Err(_) => rows(output, iboard, minfo)?,
        }
        output.flush()?;
        if let Err(refusal) = judged {
            writeln!(notes, "attempt {count}: {refusal}")?;
        }
    }
    Ok(())
}

/// Reads the numbers before the attempts: the rules and, with `--board`, the
/// board. Returns `None` if the input ends before the rules or before the
/// board.
fn open<R: BufRead>(
    args: &Args,
    supplied: Option<Iboard>,
    numbers: &mut Numbers<R>,
) -> Result<Option<(Rules, GameArrays)>, Stop> {
    let place = numbers.place();
    let Some(number) = numbers.number()? else {
        return Ok(None);
    };
    let rules = Rules::of(number.into()).ok_or_else(|| {
        Stop::Input(format!(
            "{place}: the rules number is {number}; it must be 1 (Western) or 2 (Eastern)"
        ))
    })?;
    let supplied = if args.board {
        let Some(codes) = numbers.numbers::<65>("a board (ICOLOR and 64 codes)")? else {
            return Ok(None);
        };
        Some(board_of_codes(&codes)?)
    } else {
        supplied
    };
    Ok(Some((rules, GameArrays::open(rules, supplied)?)))
}

fn row(output: &mut impl Write, numbers: impl IntoIterator<Item: Display>) -> Result<(), Stop> {
    for (n, number) in numbers.into_iter().enumerate() {
        let space = if n == 0 { "" } else { " " };
        write!(output, "{space}{number}")?;
    }
    Ok(output.write_all(b"\n")?)
}

/// Writes the 11 rows: the two columns of MINFO, ICOLOR, and the board.
fn rows(output: &mut impl Write, iboard: &Iboard, minfo: &Minfo) -> Result<(), Stop> {
    for column in minfo.columns() {
        row(output, column)?;
    }
    row(output, [iboard.icolor])?;
    for men in iboard.men.iter().rev() {
        row(output, men)?;
    }
    Ok(())
}

//! Random boards and numbers: each is judged or refused, and nothing panics. A
//! refusal changes nothing.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

use ksref::{Cell, Iboard, Idata, Ksref, Minfo, Nos, Rules, Verdict};

/// A random number generator, which gives the same numbers on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> i32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        i32::try_from(self.0 % n).unwrap()
    }

    fn cell(&mut self, from: i8, to: i8) -> i8 {
        let span = u64::from(to.abs_diff(from)) + 1;
        i8::try_from(self.below(span) + i32::from(from)).unwrap()
    }

    fn idata(&mut self) -> Idata {
        let mut cells = [0; 6];
        for cell in &mut cells[..4] {
            *cell = self.below(8) + 1;
        }
        if self.below(8) == 0 {
            cells[4] = self.below(8);
        }
        if self.below(16) == 0 {
            cells[5] = self.below(3);
        }
        if self.below(32) == 0 {
            let n = usize::try_from(self.below(6)).unwrap();
            cells[n] = [i32::MIN, i32::MAX, -1, 0, 9][usize::try_from(self.below(5)).unwrap()];
        }
        Idata::from(cells)
    }

    fn iboard(&mut self) -> Iboard {
        let mut iboard = Iboard::of_men([[0; 8]; 8], [1, -1][self.below(2) as usize]);
        let men = self.below(60) + 2;
        for _ in 0..men {
            let (h, v) = (self.below(8) as usize, self.below(8) as usize);
            iboard.men[v][h] = match self.cell(-6, 6) {
                1 | -1 => 5,
                man => man,
            };
        }
        for king in [1, -1] {
            let (h, v) = (self.below(8) as usize, self.below(8) as usize);
            iboard.men[v][h] = king;
        }
        if self.below(20) == 0 {
            iboard.men[3][3] = self.cell(-128, 127);
        }
        iboard.icastl = [1, 1, self.cell(0, 1), self.cell(-1, 2)];
        iboard.ipassh = self.cell(-1, 9);
        iboard
    }
}

#[test]
fn random_boards_are_judged_or_refused() {
    let mut dice = Dice(89);
    let mut judged = [0; 3];
    let mut refused = 0;
    for _ in 0..10_000 {
        let mut iboard = dice.iboard();
        let mut minfo = Minfo::new([Rules::Western, Rules::Eastern][dice.below(2) as usize]);
        minfo[Cell::MTERMN] = 1;
        minfo[Cell::MTRYEA] = i16::from(dice.cell(0, 2));
        let mut nos = Nos::default();
        for _ in 0..20 {
            let mut idata = dice.idata();
            let before = (idata, iboard, minfo, nos);
            let rules = minfo.rules().unwrap();
            let legal = Ksref::legal(&idata, &iboard, rules);
            let request = idata.itryrq;
            match Ksref::call(&mut idata, &mut iboard, &mut minfo, &mut nos) {
                Ok(()) => {
                    assert_eq!(before.0, idata);
                    if request == 0 {
                        let verdict = match minfo[Cell::MATMPT] {
                            1 => Verdict::No,
                            2 => Verdict::HeckNo,
                            _ => Verdict::Legal,
                        };
                        // A *heck-no* can also be about promotions, pawn tries and repeats.
                        assert!(
                            verdict == Verdict::HeckNo || legal == Ok(verdict),
                            "{before:?}"
                        );
                        judged[verdict as usize] += 1;
                    }
                }
                Err(_) => {
                    assert!(before == (idata, iboard, minfo, nos));
                    refused += 1;
                }
            }
        }
    }
    println!("{judged:?} legal, no, heck-no; {refused} refused");
    assert!(judged.iter().all(|n| *n > 100) && refused > 100);
}

#[test]
fn game_continues_from_a_supplied_board() {
    let mut dice = Dice(1975);
    let mut moves = 0;
    for _ in 0..5_000 {
        let mut iboard = dice.iboard();
        let Ok((mut minfo, mut nos)) = Ksref::supplied(Rules::Western, &mut iboard) else {
            continue;
        };
        let again = Ksref::supplied(Rules::Western, &mut iboard.clone());
        if iboard.icolor != 0 {
            assert_eq!(
                again.map(|(minfo, _)| minfo),
                Ok(minfo),
                "the same board must give the same sheet twice"
            );
        }
        for _ in 0..200 {
            let mut idata = dice.idata();
            idata.itryrq = 0;
            let judged = Ksref::call(&mut idata, &mut iboard, &mut minfo, &mut nos);
            assert!(judged.is_ok() || iboard.icolor == 0);
            moves += usize::from(judged.is_ok() && minfo[Cell::MATMPT] == 0);
        }
    }
    assert!(moves > 100);
}

//! The instruction that every console is offered.

use rules::{Choices, Mates, PromotionMan};

/// How to play at a teletype.
pub(super) fn instruction(choices: &Choices) -> String {
    let mut text = INSTRUCTION.to_owned();
    if choices.promotion_man != PromotionMan::QueenOnly {
        text.push_str(MEN);
    }
    text.push_str(match choices.mates {
        Mates::Announced => MATES,
        Mates::Unseen => NO_MATES,
    });
    text.push_str(CALLS);
    text
}

const INSTRUCTION: &str = "\
THIS IS KRIEGSPIEL, CHESS IN WHICH NEITHER PLAYER SEES THE OTHER'S MEN.
THE UMPIRE SEES BOTH BOARDS. SET YOUR OWN MEN ON A BOARD BEFORE YOU.
WHEN **** AND TWO BELLS COME, IT IS FOR YOU TO TYPE. TRY A MOVE BY TWO
SQUARES. BOTH ARE NAMED FROM YOUR OWN SIDE, WHICHEVER COLOUR YOU HAVE.
THE FILES ARE  QR QN QB Q K KB KN KR  AND THE RANKS 1 TO 8.
  K2 K4      FROM K2 TO K4
  CK  CQ     CASTLE ON THE KING'S OR THE QUEEN'S SIDE
A MOVE THAT IS LEGAL AS THE MEN TRULY STAND IS PLAYED. OTHERWISE TRY
AGAIN. BOTH TELETYPES PRINT EVERY ANSWER BUT NEVER YOUR MOVE.
OTHER WORDS AT ****
  MSG        THE NEXT LINE GOES TO BOTH TELETYPES
  RELIST     YOUR OWN MEN, FOR YOU ALONE
  RESIGN     YOU LOSE
  DRAW       OFFER A DRAW, OR ACCEPT IT      NO DRAW   DECLINE IT
A LINE TYPED WHILE THE MACHINE PRINTS IS READ WHEN IT HAS PRINTED, AND
ANSWERS WHAT IS ASKED THEN.
AT ANY TIME
  RELIST  INSTRUCTION  BYE (HANG UP; YOUR KEY BRINGS YOU BACK)
  CLAIM      THE GAME, IF THE OTHER HAS BEEN GONE FOR A DAY
A PAWN ON THE EIGHTH RANK BECOMES A QUEEN.
";

const MEN: &str = "\
  QR7 QR8 N  ANOTHER MAN BY A THIRD WORD  R B N
";

const MATES: &str = "\
CHECKMATE AND STALEMATE END THE GAME.
";

const NO_MATES: &str = "\
CHECKMATE AND STALEMATE ARE NOT SEEN BY THE UMPIRE. RESIGN, OR AGREE.
";

const CALLS: &str = "\
WHAT THE UMPIRE SAYS
  (NO)           ILLEGAL AS THE MEN STAND
  (REPEAT NO)    THE SAME AGAIN IN ONE TURN
  (HELL NO)      YOU COULD HAVE KNOWN IT
  (PAWN TRY K5)  THE PLAYER TO MOVE HAS A PAWN THAT CAN TAKE ON K5,
                 NAMED FROM HIS SIDE
  (PAWN GONE K4) (PIECE GONE K4)  A MAN WAS TAKEN THERE, NAMED FROM THE
                 SIDE OF THE ONE WHO TOOK IT
  (RANK CHECK)   (FILE CHECK) (LONG DIAGONAL CHECK)
  (SHORT DIAGONAL CHECK) (KNIGHT CHECK)  THE PLAYER TO MOVE IS IN CHECK,
                 AND FROM WHERE
";

#[cfg(test)]
mod tests {
    use super::*;
    use rules::rulesets::{KS, UMPIRE};

    #[test]
    fn it_fits_the_paper() {
        for choices in [&UMPIRE.choices, &KS.choices] {
            let text = instruction(choices);
            assert!(text.lines().all(|line| line.len() <= 72), "{text}");
            assert_eq!(text, text.to_uppercase());
        }
    }
}

//! The instruction that is offered to every console.

use rules::{Choices, Mates, PromotionMan};

/// Returns the instruction for players at a teletype.
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

const INSTRUCTION: &str = include_str!("instruction/how_to_play.txt");

const MEN: &str = "\
  QR7 QR8 N  ANOTHER MAN BY A THIRD WORD  R B N
";

const MATES: &str = "\
CHECKMATE AND STALEMATE END THE GAME.
";

const NO_MATES: &str = "\
CHECKMATE AND STALEMATE ARE NOT SEEN BY THE UMPIRE. RESIGN, OR AGREE.
";

const CALLS: &str = include_str!("instruction/calls.txt");

#[cfg(test)]
mod tests {
    use super::*;
    use rules::rulesets::{KS, UMPIRE};

    #[test]
    fn instruction_fits_the_line_width() {
        for choices in [&UMPIRE.choices, &KS.choices] {
            let text = instruction(choices);
            assert!(text.lines().all(|line| line.len() <= 72), "{text}");
            assert_eq!(text, text.to_uppercase());
        }
    }
}

//! Checks that the choices of a ruleset do not contradict each other.

use crate::choices::*;

/// Error: two choices that contradict each other.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{field}` = `{value}` contradicts `{other}` = `{other_value}`: {why}")]
pub struct Contradiction {
    /// Name of the field that should be changed.
    pub field: &'static str,
    /// Value of the field.
    pub value: &'static str,
    /// Name of the field with which `field` conflicts.
    pub other: &'static str,
    /// Value of that other field.
    pub other_value: &'static str,
    /// The reason why the values contradict each other. In many cases the text names a value that
    /// fits.
    pub why: &'static str,
}

impl Choices {
    /// Checks that no two choices contradict each other.
    ///
    /// # Errors
    /// The first [`Contradiction`], with the names of both fields.
    pub fn check(&self) -> Result<(), Contradiction> {
        let against = |bad: bool, field: &'static str, other: &'static str, why: &'static str| {
            if bad {
                Err(Contradiction {
                    field,
                    value: self.get(field).unwrap_or("?"),
                    other,
                    other_value: self.get(other).unwrap_or("?"),
                    why,
                })
            } else {
                Ok(())
            }
        };
        let on_request = self.pawn_tries == PawnTries::OnRequest;
        let squares = matches!(
            self.pawn_tries,
            PawnTries::Squares | PawnTries::SinglesAndDoubles
        );
        let drops = self.reserve == ReserveUse::Drops;

        against(
            self.obligation != Obligation::None && !on_request,
            "obligation",
            "pawn_tries",
            "only an answer to Any? can oblige the player; use `pawn_tries = \"on-request\"`",
        )?;
        against(
            self.any_again == AnyAgain::Same && !on_request,
            "any_again",
            "pawn_tries",
            "Any? does not exist, so it cannot be asked again; use `any_again = \"refused\"`",
        )?;
        against(
            self.any_without_pawns == AnyWithoutPawns::Nonsense && !on_request,
            "any_without_pawns",
            "pawn_tries",
            "Any? does not exist, so it cannot be asked; use `any_without_pawns = \"no\"`",
        )?;
        against(
            self.announced_tries == AnnouncedTries::Nonsense
                && self.pawn_tries == PawnTries::Silent,
            "announced_tries",
            "pawn_tries",
            "nothing is announced about pawn tries, so no pawn capture can contradict an announcement",
        )?;
        against(
            self.announced_check == AnnouncedCheck::Answers && self.check != CheckTold::Directions,
            "announced_check",
            "check",
            "without announced directions, nobody can know which attempts can end the check",
        )?;
        against(
            self.announced_check == AnnouncedCheck::Castling && self.check == CheckTold::Silent,
            "announced_check",
            "check",
            "a check that is not announced cannot forbid castling",
        )?;
        against(
            self.pawn_try_square == PawnTrySquare::Origin && !squares,
            "pawn_try_square",
            "pawn_tries",
            "no squares are announced",
        )?;
        against(
            self.pawn_try_square == PawnTrySquare::Origin
                && self.pawn_tries == PawnTries::SinglesAndDoubles,
            "pawn_try_square",
            "pawn_tries",
            "singles and doubles are landing squares, reached by one or by two pawns",
        )?;
        against(
            self.px == Px::Present && self.pawn_tries != PawnTries::Count,
            "px",
            "pawn_tries",
            "px plays the only pawn try, so the number of pawn tries must be announced",
        )?;
        against(
            self.px == Px::Present && self.try_limit == TryLimit::Three,
            "px",
            "try_limit",
            "after the limit, the answer to px would depend on a capture that only the referee knows",
        )?;
        against(
            self.px == Px::Present && self.impossible == Impossible::No,
            "px",
            "impossible",
            "after a refused capture, the answer to px would depend on what only the referee knows",
        )?;
        against(
            self.count == QuestionRule::Aloud && self.no_heard == NoHeard::Mover,
            "count",
            "no_heard",
            "the count would reveal answers \"no\" that only the mover heard",
        )?;
        against(
            self.count == QuestionRule::Aloud && self.nonsense_word == NonsenseWord::No,
            "count",
            "nonsense_word",
            "the count would reveal which answers were nonsense, although nonsense sounds like the answer no",
        )?;
        let victim = self.capture_heard == CaptureHeard::Victim;
        against(
            victim && self.capture_square != CaptureSquare::Untold,
            "capture_square",
            "capture_heard",
            "a capture that is not announced has no announced square",
        )?;
        against(
            victim && self.capture_man != CaptureMan::Untold,
            "capture_man",
            "capture_heard",
            "a capture that is not announced has no announced man",
        )?;
        against(
            self.en_passant == EnPassant::Said && self.capture_square == CaptureSquare::Untold,
            "en_passant",
            "capture_square",
            "en passant is announced only together with the square of the capture",
        )?;
        against(
            self.try_limit == TryLimit::Three && self.obligation == Obligation::Make,
            "try_limit",
            "obligation",
            "a player who must make a pawn capture must be allowed to try every pawn capture",
        )?;
        against(
            self.try_limit == TryLimit::Three && self.mates == Mates::Unseen,
            "try_limit",
            "mates",
            "exhausted tries end the game as checkmate or stalemate, so checkmate and stalemate must be recognised",
        )?;
        against(
            self.stalemate == Stalemate::Loses && self.mates == Mates::Unseen,
            "stalemate",
            "mates",
            "a stalemate that is not recognised has no result",
        )?;
        against(
            drops && self.capture_man != CaptureMan::Exact,
            "reserve",
            "capture_man",
            "both reserves are public, so the captured man must be named; use `capture_man = \"exact\"`",
        )?;
        against(
            drops && self.capture_heard != CaptureHeard::Both,
            "reserve",
            "capture_heard",
            "both reserves are public, so everybody must hear of captures",
        )?;
        against(
            drops && self.material != Material::Off,
            "reserve",
            "material",
            "men can come back from the reserve, so a game cannot end for lack of material",
        )?;
        Ok(())
    }
}

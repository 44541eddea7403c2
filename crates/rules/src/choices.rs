//! One value of every choice: all that the referee asks of a ruleset.

use std::fmt;

use crate::choice::*;

/// A field of [`Choices`]: its name, what it decides, and its values.
#[derive(Copy, Clone, Debug)]
pub struct Field {
    /// The name, as a ruleset file writes it.
    pub name: &'static str,
    /// What the field decides, in a few words.
    pub about: &'static str,
    /// Name and plain words of every value.
    pub values: &'static [(&'static str, &'static str)],
}

/// A field or value that does not exist.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ChoiceError {
    /// No choice has that name.
    #[error("there is no choice `{name}`; the choices are {}", Choices::FIELDS.iter().map(|f| f.name).collect::<Vec<_>>().join(", "))]
    UnknownField {
        /// The name as given.
        name: String,
    },
    /// The choice has no such value.
    #[error("`{field}` cannot be `{value}`; it is one of {}", .field_values.join(", "))]
    UnknownValue {
        /// The field's name.
        field: &'static str,
        /// The value as given.
        value: String,
        /// The values it may have.
        field_values: Vec<&'static str>,
    },
}

/// Two choices that cannot stand together.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{field}` = `{value}` contradicts `{other}` = `{other_value}`: {why}")]
pub struct Contradiction {
    /// The field at fault.
    pub field: &'static str,
    /// Its value.
    pub value: &'static str,
    /// The field it contradicts.
    pub other: &'static str,
    /// That field's value.
    pub other_value: &'static str,
    /// Why they cannot stand together, and what would.
    pub why: &'static str,
}

macro_rules! choices {
    ($( $(#[$meta:meta])* $field:ident: $type:ident, $about:literal; )+) => {
        /// One value of every choice. Small and `Copy`; held by value in a game.
        ///
        /// Build one from a named ruleset and change what differs; a
        /// combination is proven by [`Choices::check`].
        #[derive(Copy, Clone, Eq, PartialEq, Hash)]
        pub struct Choices {
            $(
                $(#[$meta])*
                #[doc = $about]
                pub $field: $type,
            )+
        }

        impl Choices {
            /// Every field, in order.
            pub const FIELDS: &'static [Field] = &[
                $(Field { name: stringify!($field), about: $about, values: $type::WORDS },)+
            ];

            /// The name of the value of a field; `None` if there is no such field.
            pub fn get(&self, field: &str) -> Option<&'static str> {
                match field {
                    $(stringify!($field) => Some(self.$field.name()),)+
                    _ => None,
                }
            }

            /// The plain words of the value of a field.
            pub fn plain(&self, field: &str) -> Option<&'static str> {
                match field {
                    $(stringify!($field) => Some(self.$field.plain()),)+
                    _ => None,
                }
            }

            /// Sets a field by name.
            ///
            /// # Errors
            /// Names the field or value that does not exist, and what does.
            pub fn set(&mut self, field: &str, value: &str) -> Result<(), ChoiceError> {
                match field {
                    $(stringify!($field) => {
                        self.$field = $type::from_name(value).ok_or_else(|| ChoiceError::UnknownValue {
                            field: stringify!($field),
                            value: value.to_owned(),
                            field_values: $type::WORDS.iter().map(|w| w.0).collect(),
                        })?;
                        Ok(())
                    })+
                    _ => Err(ChoiceError::UnknownField { name: field.to_owned() }),
                }
            }
        }

        impl fmt::Debug for Choices {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_map()
                    $(.entry(&stringify!($field), &self.$field.name()))+
                    .finish()
            }
        }
    };
}

choices! {
    impossible: Impossible, "row 2: attempts that are impossible from the mover's own men";
    announced_tries: AnnouncedTries, "row 3: pawn captures against the announcement";
    announced_check: AnnouncedCheck, "row 3: attempts that cannot answer the announced check";
    obligation: Obligation, "row 4: what yes to Any? obliges to";
    try_limit: TryLimit, "row 4: how many pawn captures may be tried in a turn";
    repeat: Repeat, "row 5: repeats of a refused try";
    nonsense_heard: NonsenseHeard, "who hears nonsense";
    nonsense_word: NonsenseWord, "the word for nonsense";
    nonsense_score: NonsenseScore, "whether a written score keeps nonsense";
    no_heard: NoHeard, "who hears a no";
    capture_heard: CaptureHeard, "who is told of a capture";
    capture_square: CaptureSquare, "which square a capture names";
    capture_man: CaptureMan, "what is told of the captured man";
    en_passant: EnPassant, "whether en passant is said";
    check: CheckTold, "what is told of a check";
    pawn_tries: PawnTries, "what is told of pawn tries";
    pawn_try_square: PawnTrySquare, "which square stands for a pawn try";
    any_again: AnyAgain, "a second Any? in a turn";
    any_without_pawns: AnyWithoutPawns, "Any? without pawns";
    promotion: PromotionTold, "whether promotions are announced";
    promotion_man: PromotionMan, "what a promotion must name";
    count: Question, "the count of the opponent's rebuffs";
    recap: Question, "the repetition of the announcements of the last completed move";
    px: Px, "the command px";
    reserve: ReserveUse, "what becomes of captured men";
    mates: Mates, "whether mate and stalemate are recognised";
    stalemate: Stalemate, "what stalemate is worth";
    material: Material, "which material is drawn";
    threefold: Threefold, "repetition";
    fifty: Fifty, "the fifty-move rule";
}

impl Choices {
    /// Proves that the choices can stand together.
    ///
    /// # Errors
    /// The first contradiction, by the names of the two fields.
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
            "only an answer to Any? can oblige; take `pawn_tries = \"on-request\"`",
        )?;
        against(
            self.any_again == AnyAgain::Same && !on_request,
            "any_again",
            "pawn_tries",
            "there is no Any? to ask again; take `any_again = \"refused\"`",
        )?;
        against(
            self.any_without_pawns == AnyWithoutPawns::Nonsense && !on_request,
            "any_without_pawns",
            "pawn_tries",
            "there is no Any? to ask; take `any_without_pawns = \"no\"`",
        )?;
        against(
            self.announced_tries == AnnouncedTries::Nonsense
                && self.pawn_tries == PawnTries::Silent,
            "announced_tries",
            "pawn_tries",
            "nothing is announced that a pawn capture could contradict",
        )?;
        against(
            self.announced_check == AnnouncedCheck::Answers && self.check != CheckTold::Directions,
            "announced_check",
            "check",
            "without directions nobody can tell what answers the check",
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
            "no squares are told",
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
            "px plays the only try of an announced count",
        )?;
        against(
            self.px == Px::Present && self.try_limit == TryLimit::Three,
            "px",
            "try_limit",
            "px beyond the limit would have to be answered by the capture that only the referee knows",
        )?;
        against(
            self.px == Px::Present && self.impossible == Impossible::No,
            "px",
            "impossible",
            "px of a capture refused before would have to be answered by what only the referee knows",
        )?;
        against(
            self.count == Question::Aloud && self.no_heard == NoHeard::Mover,
            "count",
            "no_heard",
            "the count would tell of noes that were told to the mover alone",
        )?;
        against(
            self.count == Question::Aloud && self.nonsense_word == NonsenseWord::No,
            "count",
            "nonsense_word",
            "the count would tell nonsense from noes, which sound alike",
        )?;
        let victim = self.capture_heard == CaptureHeard::Victim;
        against(
            victim && self.capture_square != CaptureSquare::Untold,
            "capture_square",
            "capture_heard",
            "a capture that is told to nobody names no square",
        )?;
        against(
            victim && self.capture_man != CaptureMan::Untold,
            "capture_man",
            "capture_heard",
            "a capture that is told to nobody names no man",
        )?;
        against(
            self.en_passant == EnPassant::Said && self.capture_square == CaptureSquare::Untold,
            "en_passant",
            "capture_square",
            "en passant is said with the square of the capture",
        )?;
        against(
            self.try_limit == TryLimit::Three && self.obligation == Obligation::Make,
            "try_limit",
            "obligation",
            "a player who must make a pawn capture cannot be kept from trying",
        )?;
        against(
            self.try_limit == TryLimit::Three && self.mates == Mates::Unseen,
            "try_limit",
            "mates",
            "exhausted tries end the game as mate or stalemate, which must then be recognised",
        )?;
        against(
            self.stalemate == Stalemate::Loses && self.mates == Mates::Unseen,
            "stalemate",
            "mates",
            "a stalemate that is not recognised has no worth",
        )?;
        against(
            drops && self.capture_man != CaptureMan::Exact,
            "reserve",
            "capture_man",
            "both reserves are public, so the captured man must be named; take `capture_man = \"exact\"`",
        )?;
        against(
            drops && self.capture_heard != CaptureHeard::Both,
            "reserve",
            "capture_heard",
            "both reserves are public, so captures must be said aloud",
        )?;
        against(
            drops && self.material != Material::Off,
            "reserve",
            "material",
            "men come back from the reserve, so no material is dead",
        )?;
        Ok(())
    }
}

//! The choices of a ruleset. Rulesets differ only in these choices, and the referee knows nothing
//! else about a ruleset.
//!
//! Every value has a name, as ruleset files write it, and a sentence that
//! explains it. The rules pages are generated from these sentences.

use std::fmt;

/// Description of a field of [`Choices`]: its name, what it decides, and its
/// values.
#[derive(Copy, Clone, Debug)]
pub struct Field {
    /// Name of the field, as ruleset files write it.
    pub name: &'static str,
    /// What the field decides, in a few words.
    pub about: &'static str,
    /// Name and explanation of every value.
    pub values: &'static [(&'static str, &'static str)],
}

/// Error for a field or a value that does not exist.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ChoiceError {
    /// No field has this name.
    #[error("there is no choice `{name}`; the choices are {}", Choices::FIELDS.iter().map(|f| f.name).collect::<Vec<_>>().join(", "))]
    UnknownField {
        /// The name that was given.
        name: String,
    },
    /// The field has no value with this name.
    #[error("`{field}` cannot be `{value}`; the possible values are {}", .field_values.join(", "))]
    UnknownValue {
        /// Name of the field.
        field: &'static str,
        /// The value that was given.
        value: String,
        /// Names of the field's values.
        field_values: Vec<&'static str>,
    },
}

/// Declares one choice: an enum whose values have a name and an explanation.
macro_rules! choice {
    (
        $(#[$outer:meta])*
        $Choice:ident { $( $variant:ident = $text:literal, $plain:literal; )+ }
    ) => {
        crate::named! {
            $(#[$outer])*
            $Choice { $( #[doc = $plain] $variant = $text; )+ }
        }

        impl $Choice {
            /// Name and explanation of every value.
            const WORDS: &'static [(&'static str, &'static str)] = &[$(($text, $plain)),+];

            /// Explains the value in a sentence.
            pub const fn plain(self) -> &'static str {
                Self::WORDS[self as usize].1
            }
        }
    };
}

/// Declares the fields of [`Choices`] and the enum of each field. The fields `count` and `recap`
/// share the enum [`QuestionRule`], which is declared separately. So the macro call lists no values
/// between the braces of these two fields.
macro_rules! choices {
    (@choice $Choice:ident {}) => {};
    (@choice $($choice:tt)+) => { choice! { $($choice)+ } };
    ($(
        $(#[$doc:meta])*
        $field:ident: $Choice:ident, $about:literal { $($values:tt)* }
    )+) => {
        $(choices!(@choice $(#[$doc])* $Choice { $($values)* });)+

        /// One value of every choice.
        ///
        /// To make custom choices, change some choices of a named ruleset.
        /// [`Choices::check`] then checks that the values fit together.
        #[derive(Copy, Clone, Eq, PartialEq, Hash)]
        pub struct Choices {
            $(
                #[doc = $about]
                pub $field: $Choice,
            )+
        }

        impl Choices {
            /// Descriptions of all fields, in the order of declaration.
            pub const FIELDS: &'static [Field] = &[
                $(Field { name: stringify!($field), about: $about, values: $Choice::WORDS },)+
            ];

            /// Returns the name of a field's value; `None` if there is no such
            /// field.
            pub fn get(&self, field: &str) -> Option<&'static str> {
                match field {
                    $(stringify!($field) => Some(self.$field.name()),)+
                    _ => None,
                }
            }

            /// Explains a field's value in a sentence; `None` if there is no
            /// such field.
            pub fn plain(&self, field: &str) -> Option<&'static str> {
                match field {
                    $(stringify!($field) => Some(self.$field.plain()),)+
                    _ => None,
                }
            }

            /// Sets the field with the name `field` to the value with the name `value`.
            ///
            /// # Errors
            /// [`ChoiceError`] if the field or the value does not exist. The
            /// message lists the existing fields or values.
            pub fn set(&mut self, field: &str, value: &str) -> Result<(), ChoiceError> {
                match field {
                    $(stringify!($field) => {
                        self.$field = $Choice::from_name(value).ok_or_else(|| ChoiceError::UnknownValue {
                            field: stringify!($field),
                            value: value.to_owned(),
                            field_values: $Choice::WORDS.iter().map(|w| w.0).collect(),
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

choice! {
    /// Whether players may ask a certain question (the count, the recap).
    QuestionRule {
        Absent = "absent", "The question cannot be asked.";
        Aloud = "aloud", "The question may be asked at any time. Everybody hears the question and the answer.";
    }
}

choices! {
    /// Row 2 of the table of verdicts: the answer to a try that is impossible
    /// from the mover's own men.
    impossible: Impossible, "row 2 of the table of verdicts: attempts that the mover's own men cannot make" {
        Nonsense = "nonsense", "An attempt that the mover's own men cannot make is nonsense.";
        No = "no", "An attempt that the mover's own men cannot make is answered no, like every illegal attempt.";
    }
    /// Row 3, pawn captures: the answer to a pawn capture that contradicts the
    /// announced pawn tries.
    announced_tries: AnnouncedTries, "row 3: pawn captures that contradict the announcement" {
        Judged = "judged", "The announcements about pawn tries do not change how a pawn capture is judged.";
        Nonsense = "nonsense", "A pawn capture is nonsense if it contradicts the announced pawn tries.";
    }
    /// Row 3, check: the answer to a try that cannot end the announced check.
    announced_check: AnnouncedCheck, "row 3: what an announced check makes nonsense" {
        Judged = "judged", "An announced check does not change how an attempt is judged.";
        Castling = "castling", "Castling is nonsense while a check is announced.";
        Answers = "answers", "While a check is announced, castling is nonsense. Every other attempt to move is nonsense, too, if the mover can know that it does not end the check.";
    }
    /// Row 4: what a player must do after the answer "yes" to Any?.
    obligation: Obligation, "row 4: what the player must do after the answer yes to Any?" {
        None = "none", "The answer yes to Any? does not oblige the player to do anything.";
        Try = "try", "After the answer yes to Any?, the player must try one pawn capture. Until then, every other attempt to move is nonsense.";
        Make = "make", "After the answer yes to Any?, the player must make a pawn capture. Every other attempt to move is nonsense.";
    }
    /// Row 4: how many different pawn captures may be answered "no" in one
    /// turn.
    try_limit: TryLimit, "row 4: the limit on pawn captures tried in a turn" {
        None = "none", "The number of pawn captures that may be tried in a turn is not limited.";
        Three = "three", "If three different pawn captures were answered no in a turn, every further pawn capture is nonsense. If the player then has no legal move except pawn captures, the game ends at once. If the player is in check, this is checkmate. If not, this is stalemate.";
    }
    /// Row 5: the answer to a try that was already answered "no" in this turn.
    repeat: Repeat, "row 5: the answer to a repeat of a refused try" {
        Truth = "truth", "A repeat of a refused try is judged again, by the true position.";
        Nonsense = "nonsense", "A repeat of a try already refused in this turn is nonsense.";
        RepeatNo = "repeat-no", "A repeat of a try already refused in this turn is answered \"repeat no\".";
    }
    /// The listeners who hear that a try is nonsense.
    nonsense_heard: NonsenseHeard, "who hears nonsense" {
        Mover = "mover", "Only the mover hears nonsense.";
        Both = "both", "Everybody hears nonsense.";
    }
    /// The word that the referee says for nonsense. Two of the choices also change the words of the
    /// answers to Any?.
    nonsense_word: NonsenseWord, "the word for nonsense" {
        Nonsense = "nonsense", "The word for nonsense is \"nonsense\".";
        HellNo = "hell-no", "The word for nonsense is \"hell no\".";
        HeckNo = "heck-no", "The word for nonsense is \"heck-no\". If Any? can be asked, the referee says \"some\" for the answer yes, and \"none\" for the answer no.";
        Impossible = "impossible", "The word for nonsense is \"impossible\". If Any? can be asked, the referee says \"try!\" for the answer yes.";
        No = "no", "For nonsense, the referee says the same words as for the answer no.";
    }
    /// Whether the written score of a game contains nonsense tries.
    nonsense_score: NonsenseScore, "whether a written score keeps nonsense" {
        Kept = "kept", "A written score contains nonsense tries.";
        LeftOut = "left-out", "A written score omits nonsense tries.";
    }
    /// The listeners who hear an answer "no".
    no_heard: NoHeard, "who hears the answer no" {
        Mover = "mover", "Only the mover hears the answer no.";
        Both = "both", "Everybody hears the answer no.";
    }
    /// The listeners to whom a capture is announced. The player who loses the man always hears of
    /// the loss, under every ruleset.
    capture_heard: CaptureHeard, "who hears of a capture" {
        Victim = "victim", "No capture is announced. But the player who loses a man sees that the man is gone.";
        Capturer = "capturer", "Only the capturing player hears of a capture. The player who loses a man sees that the man is gone.";
        Both = "both", "Everybody hears of a capture. The player who loses the man also sees which man is gone.";
    }
    /// The square that the announcement of a capture names.
    capture_square: CaptureSquare, "which square the announcement of a capture names" {
        Untold = "untold", "The square of a capture is not announced.";
        Stood = "stood", "The announced square is the square of the captured man (en passant: of the captured pawn).";
        Landing = "landing", "The announced square is the square on which the capturing man lands.";
    }
    /// What the announcement of a capture says about the captured man.
    capture_man: CaptureMan, "what is announced about the captured man" {
        Untold = "untold", "The captured man is not announced.";
        Kind = "kind", "It is announced whether a pawn or a piece was captured (a promoted man is a piece).";
        Exact = "exact", "The captured man is named.";
    }
    /// Whether the announcement of a capture says that it is en passant.
    en_passant: EnPassant, "whether en passant is announced" {
        Silent = "silent", "The announcement of a capture does not say whether the capture is en passant.";
        Said = "said", "The announcement of a capture says whether the capture is en passant.";
    }
    /// How a check is announced.
    check: CheckTold, "what is announced about a check" {
        Silent = "silent", "Checks are not announced.";
        Bare = "bare", "A check is announced without its direction.";
        Directions = "directions", "A check is announced with its directions: rank, file, long diagonal, short diagonal, knight. Of the two diagonals through the king, the long diagonal has more squares.";
    }
    /// What is announced about pawn tries, or answered if a player must ask.
    pawn_tries: PawnTries, "what is announced about pawn tries" {
        Silent = "silent", "Nothing is announced about pawn tries.";
        OnRequest = "on-request", "The player to move may ask \"Any?\" and hears whether there is a legal pawn capture.";
        Whether = "whether", "Every turn, the referee announces whether the player to move has a legal pawn capture. The word is \"pawn capture\". If there is none, the referee says nothing.";
        Count = "count", "Every turn, the referee announces how many legal pawn captures the player to move has.";
        Squares = "squares", "Every turn, the referee announces the squares on which the player to move can legally capture with a pawn.";
        SinglesAndDoubles = "singles-and-doubles", "Every turn, the referee announces two lists of squares. On each square of the first list, exactly one pawn of the player to move can legally capture. On each square of the second list, two pawns can.";
    }
    /// The square by which a pawn try is named, if squares are announced.
    pawn_try_square: PawnTrySquare, "the square by which a pawn try is named" {
        Landing = "landing", "A pawn try is named by the square on which the pawn lands.";
        Origin = "origin", "A pawn try is named by the square from which the pawn captures.";
    }
    /// Whether Any? may be asked twice in the same turn.
    any_again: AnyAgain, "the response to a second Any? in a turn" {
        Refused = "refused", "Any? may be asked once per turn.";
        Same = "same", "Any? may be asked again; the answer is the same.";
    }
    /// The answer to Any? if the player has no pawns.
    any_without_pawns: AnyWithoutPawns, "the answer to Any? if the player has no pawns" {
        No = "no", "If a player without pawns asks Any?, the answer is no.";
        Nonsense = "nonsense", "If a player without pawns asks Any?, the answer is nonsense.";
    }
    /// Whether a promotion is announced.
    promotion: PromotionTold, "whether promotions are announced" {
        Silent = "silent", "A promotion is not announced.";
        Side = "side", "It is announced that a side promotes, but not to which man and not on which square.";
    }
    /// Whether a promotion must name the new man, and which man is the default.
    promotion_man: PromotionMan, "whether a promotion must name the new man" {
        Named = "named", "A promotion must name the new man.";
        QueenUnlessNamed = "queen-unless-named", "A promotion that names no man makes a queen.";
        QueenOnly = "queen-only", "A promoted pawn always becomes a queen.";
    }
    count: QuestionRule, "the question \"How many rebuffs did the opponent get?\"" {}
    recap: QuestionRule, "the question \"Which announcements were made after the last completed move?\"" {}
    /// Whether the command `px` exists.
    px: Px, "the command px" {
        Absent = "absent", "There is no command px.";
        Present = "present", "If exactly one pawn try is announced, the command px plays it.";
    }
    /// What happens to captured men.
    reserve: ReserveUse, "what happens to captured men" {
        None = "none", "Captured men leave the game.";
        Drops = "drops", "A captured man changes sides, and enters the reserve of the capturing player. Instead of a move, the player may drop the man. The role of a dropped man is announced. Both reserves are public. If a promoted man is captured, it becomes a pawn.";
    }
    /// Whether the referee recognises mate and stalemate.
    mates: Mates, "whether mate and stalemate are recognised" {
        Announced = "announced", "Checkmate and stalemate are recognised and end the game.";
        Unseen = "unseen", "Checkmate and stalemate are not recognised. A switch can change this for one game.";
    }
    /// The result of a stalemate.
    stalemate: Stalemate, "the result of stalemate" {
        Draw = "draw", "Stalemate is a draw.";
        Loses = "loses", "The stalemated player loses.";
    }
    /// The material that ends the game in a draw.
    material: Material, "which material makes the game a draw" {
        Off = "off", "The game does not end for lack of material.";
        Dead = "dead", "The game is a draw if only the kings are left, or only the kings and one knight or bishop. It is also a draw if only kings and bishops are left, and all bishops are on squares of one colour.";
        OneMinorEach = "one-minor-each", "The game is a draw if each side has at most one knight or bishop besides its king.";
    }
    /// Whether the third occurrence of a position ends the game in a draw.
    threefold: Threefold, "whether the third occurrence of a position ends the game" {
        Off = "off", "Repetition does not end the game.";
        On = "on", "The third occurrence of a position ends the game as a draw.";
    }
    /// Whether fifty moves by each side without a capture or a pawn move end
    /// the game in a draw.
    fifty: Fifty, "the fifty-move rule" {
        Off = "off", "There is no fifty-move rule.";
        On = "on", "After fifty moves by each side without a capture or a pawn move, the game is a draw.";
    }
    /// Whether a player is shown how many enemy men are left. The referee never says this number.
    enemy_count: EnemyCount, "whether the program counts the enemy men for a player" {
        Shown = "shown", "During the game, the program shows a player how many enemy men can be left, as far as the player has heard.";
        Withheld = "withheld", "During the game, nobody counts the enemy men for a player.";
    }
}

//! The choices in which rulesets differ, one enum each.
//!
//! Every value has a name (as written in a ruleset file) and a sentence in
//! plain words, from which the rules pages are generated.

/// Declares one choice: an enum whose values have a name and plain words.
macro_rules! choice {
    (
        $(#[$outer:meta])*
        $name:ident { $( $(#[$inner:meta])* $variant:ident = $text:literal, $plain:literal; )+ }
    ) => {
        $(#[$outer])*
        #[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
        pub enum $name {
            $(
                #[doc = $plain]
                $(#[$inner])*
                $variant,
            )+
        }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Names and plain words of every value.
            pub(crate) const WORDS: &'static [(&'static str, &'static str)] =
                &[$(($text, $plain)),+];

            /// The value's name, as a ruleset file writes it.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)+
                }
            }

            /// What the value means, in plain words.
            pub const fn plain(self) -> &'static str {
                match self {
                    $($name::$variant => $plain,)+
                }
            }

            /// The value of that name.
            pub fn from_name(name: &str) -> Option<$name> {
                match name {
                    $($text => Some($name::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

choice! {
    /// Row 2 of the verdicts: an attempt that is impossible from the mover's own men.
    Impossible {
        Nonsense = "nonsense", "An attempt that is impossible from the mover's own men is nonsense.";
        No = "no", "An attempt that is impossible from the mover's own men is answered no like any other.";
    }
}

choice! {
    /// Row 3, captures: a pawn capture that contradicts the announced pawn tries.
    AnnouncedTries {
        Judged = "judged", "A pawn capture is judged by the true position, whatever was announced about pawn tries.";
        Nonsense = "nonsense", "A pawn capture is nonsense when the announcement says there is none, or none landing on that square.";
    }
}

choice! {
    /// Row 3, check: an attempt that cannot answer the announced check.
    AnnouncedCheck {
        Judged = "judged", "Any attempt may be tried while a check is announced.";
        Castling = "castling", "Castling is nonsense while a check is announced.";
        Answers = "answers", "While a check is announced, an attempt that cannot answer it (castling among them) is nonsense.";
    }
}

choice! {
    /// Row 4: what the answer yes to Any? obliges the asker to.
    Obligation {
        None = "none", "The answer yes to Any? obliges to nothing.";
        Try = "try", "After the answer yes to Any? one pawn capture must be tried; anything else is nonsense until then.";
        Make = "make", "After the answer yes to Any? a pawn capture must be made; anything else is nonsense.";
    }
}

choice! {
    /// How many different pawn captures may be answered no in one turn.
    TryLimit {
        None = "none", "Pawn captures may be tried without limit.";
        Three = "three", "At most three different pawn captures may be tried in a turn; a further one is nonsense, and if after the third no the only legal moves left are pawn captures, the game ends at once, as checkmate if in check, else as stalemate.";
    }
}

choice! {
    /// Row 5: a try already answered no this turn.
    Repeat {
        Truth = "truth", "A repeat of a refused try is answered with the truth again.";
        Nonsense = "nonsense", "A repeat of a try already refused this turn is nonsense.";
        RepeatNo = "repeat-no", "A repeat of a try already refused this turn is answered repeat no.";
    }
}

choice! {
    /// Who hears nonsense.
    NonsenseHeard {
        Mover = "mover", "Nonsense is told to the mover alone.";
        Both = "both", "Nonsense is said aloud.";
    }
}

choice! {
    /// The word for nonsense.
    NonsenseWord {
        Nonsense = "nonsense", "The word is \"nonsense\".";
        HellNo = "hell-no", "The word is \"hell no\".";
        HeckNo = "heck-no", "The word is \"heck-no\".";
        Impossible = "impossible", "The word is \"impossible\".";
        No = "no", "Nonsense is answered in the words of a no.";
    }
}

choice! {
    /// Whether a written score keeps nonsense.
    NonsenseScore {
        Kept = "kept", "A written score keeps nonsense.";
        LeftOut = "left-out", "A written score leaves nonsense out.";
    }
}

choice! {
    /// Who hears a no.
    NoHeard {
        Mover = "mover", "A no is told to the mover alone.";
        Both = "both", "A no is said aloud.";
    }
}

choice! {
    /// Who is told of a capture, besides the victim, who sees the man vanish.
    CaptureHeard {
        Victim = "victim", "Only the victim is told of a capture, and sees the man vanish.";
        Capturer = "capturer", "A capture is told to the capturer alone; the victim sees the man vanish.";
        Both = "both", "A capture is said aloud; the victim also sees which man vanished.";
    }
}

choice! {
    /// Which square a capture names.
    CaptureSquare {
        Untold = "untold", "The square of a capture is not told.";
        Stood = "stood", "The square told is the one where the captured man stood (en passant: the captured pawn's).";
        Landing = "landing", "The square told is the one on which the capturing man lands.";
    }
}

choice! {
    /// What is told of the captured man.
    CaptureMan {
        Untold = "untold", "What was captured is not told.";
        Kind = "kind", "It is told whether a pawn or a piece was captured (a promoted man is a piece).";
        Exact = "exact", "The captured man is named.";
    }
}

choice! {
    /// Whether a capture en passant is said to be one.
    EnPassant {
        Silent = "silent", "A capture en passant is not said to be one.";
        Said = "said", "A capture en passant is said to be one.";
    }
}

choice! {
    /// What is told of a check.
    CheckTold {
        Silent = "silent", "Checks are not announced.";
        Bare = "bare", "A check is announced without its direction.";
        Directions = "directions", "A check is announced with its directions: rank, file, long diagonal, short diagonal, knight.";
    }
}

choice! {
    /// What is told of pawn tries, and when.
    PawnTries {
        Silent = "silent", "Nothing is told of pawn tries.";
        OnRequest = "on-request", "The player to move may ask \"Any?\" and hears whether there is a legal pawn capture.";
        Whether = "whether", "It is announced every turn whether the player to move has a legal pawn capture.";
        Count = "count", "It is announced every turn how many legal pawn captures the player to move has.";
        Squares = "squares", "It is announced every turn on which squares the player to move has a legal pawn capture.";
        SinglesAndDoubles = "singles-and-doubles", "It is announced every turn which squares one pawn, and which two pawns, of the player to move may capture on.";
    }
}

choice! {
    /// Which square stands for a pawn try where squares are told.
    PawnTrySquare {
        Landing = "landing", "A pawn try is named by the square on which the pawn lands.";
        Origin = "origin", "A pawn try is named by the square on which the pawn stands.";
    }
}

choice! {
    /// A second Any? in the same turn.
    AnyAgain {
        Refused = "refused", "Any? may be asked once a turn.";
        Same = "same", "Any? may be asked again and is answered the same.";
    }
}

choice! {
    /// Any? asked by a player without pawns.
    AnyWithoutPawns {
        No = "no", "Any? asked without pawns is answered no.";
        Nonsense = "nonsense", "Any? asked without pawns is nonsense.";
    }
}

choice! {
    /// Whether a promotion is announced.
    PromotionTold {
        Silent = "silent", "A promotion is not announced.";
        Side = "side", "It is announced that a side promotes; never to what, nor where.";
    }
}

choice! {
    /// What a promotion must name.
    PromotionMan {
        Named = "named", "A promotion must name its man.";
        QueenUnlessNamed = "queen-unless-named", "A promotion that names no man makes a queen.";
        QueenOnly = "queen-only", "A promoted pawn always becomes a queen.";
    }
}

choice! {
    /// A question that is asked and answered aloud.
    Question {
        Absent = "absent", "The question cannot be asked.";
        Aloud = "aloud", "The question may be asked at any time and is asked and answered aloud.";
    }
}

choice! {
    /// The command px.
    Px {
        Absent = "absent", "There is no command px.";
        Present = "present", "When exactly one pawn try is announced, px plays it.";
    }
}

choice! {
    /// What becomes of captured men.
    ReserveUse {
        None = "none", "Captured men leave the game.";
        Drops = "drops", "A captured man changes sides into the capturer's reserve and may be dropped as a move; drops are announced by man, both reserves are public, and a captured promoted man is a pawn.";
    }
}

choice! {
    /// Whether mate and stalemate are recognised.
    Mates {
        Announced = "announced", "Checkmate and stalemate are recognised and end the game.";
        Unseen = "unseen", "Checkmate and stalemate are not recognised; they can be switched on for a game.";
    }
}

choice! {
    /// What stalemate is worth.
    Stalemate {
        Draw = "draw", "Stalemate is a draw.";
        Loses = "loses", "The stalemated player loses.";
    }
}

choice! {
    /// Which material ends the game as a draw.
    Material {
        Off = "off", "The game does not end for want of material.";
        Dead = "dead", "The game is drawn with king against king, king and one knight or bishop against king, and kings with bishops that all stand on one colour.";
        OneMinorEach = "one-minor-each", "The game is drawn when each side has at most one knight or bishop besides its king.";
    }
}

choice! {
    /// The third occurrence of a position.
    Threefold {
        Off = "off", "Repetition does not end the game.";
        On = "on", "The third occurrence of a position ends the game as a draw.";
    }
}

choice! {
    /// Fifty moves by each side without a capture or a pawn move.
    Fifty {
        Off = "off", "There is no fifty-move rule.";
        On = "on", "Fifty moves by each side without a capture or a pawn move end the game as a draw.";
    }
}

//! How games are played, and how much the solver may examine in them.

/// Largest number of own moves of a problem.
pub(super) const MAX_MOVES: u8 = 7;

/// How games are played, and how far the solver looks ahead. The index of an array is a number of
/// own moves. ([`Family`](super::family::Family) says what a family of games is. The module
/// [`search`](super::search) says what a near miss is.)
#[derive(Debug)]
pub(super) struct Plan {
    /// Whether some games begin in the usual start position.
    pub(super) usual_games: bool,
    /// Whether the opponent makes the first move in each game that does not begin in the usual
    /// start position. If not, the first side to move is chosen at random.
    pub(super) opponent_begins: bool,
    /// Men of the seat that is to mate, besides the king. One of these texts is chosen at random.
    pub(super) own_men: &'static [&'static str],
    /// Men of the opponent, besides the king. One of these texts is chosen at random.
    pub(super) their_men: &'static [&'static str],
    /// Maximum number of further games of a family. Further games begin in altered start positions.
    /// The index is the number of own moves of the longest mate that the family has so far.
    pub(super) variants: [u64; MAX_MOVES as usize + 1],
    /// Maximum number of mates of one length in one family.
    pub(super) most_mates: usize,
    /// Maximum number of near misses of one length in one family.
    pub(super) most_near_misses: usize,
    /// Maximum number of positions examined for one question.
    pub(super) nodes: [u64; MAX_MOVES as usize + 1],
    /// Maximum number of positions that the solver examines to test one added position. (To make a
    /// near miss from a mate, a position is added in which the opponent escapes.)
    pub(super) added_nodes: [u64; MAX_MOVES as usize + 1],
    /// Number of failures after which no further near miss is made from a mate. There are two
    /// counts of failures. The first count is for one mate: the number of added positions that the
    /// solver could not decide. The second count is for all mates of one length in a family: the
    /// number of mates from which no near miss could be made.
    pub(super) patience: usize,
    /// Maximum number of positions examined to make one certificate.
    pub(super) certificate_nodes: [u64; MAX_MOVES as usize + 1],
}

/// Games for mates in few own moves.
pub(super) static SHORT_GAMES: Plan = Plan {
    usual_games: true,
    opponent_begins: false,
    own_men: &[
        "q", "qq", "rr", "qr", "qr", "rr", "qp", "rp", "qn", "qb", "rn", "rb", "qrp", "rrp", "qnp",
        "qbp", "rrn", "rrb", "rbn", "bbn", "qpp", "rpp", "rbp", "rnp", "qrn", "qrb", "bbp", "rbnp",
    ],
    their_men: &[
        "", "p", "p", "p", "pp", "pp", "n", "b", "np", "bp", "ppp", "ppp", "rp", "npp", "bpp",
        "nb", "pppp", "rpp", "nbp", "nppp",
    ],
    variants: [0; MAX_MOVES as usize + 1],
    most_mates: 2,
    most_near_misses: 2,
    nodes: [
        0, 10_000, 30_000, 100_000, 300_000, 800_000, 3_000_000, 8_000_000,
    ],
    added_nodes: [
        0, 10_000, 30_000, 100_000, 300_000, 800_000, 3_000_000, 8_000_000,
    ],
    patience: usize::MAX,
    certificate_nodes: [
        0, 120_000, 360_000, 1_200_000, 3_600_000, 9_600_000, 36_000_000, 96_000_000,
    ],
};

/// Games for mates in many own moves.
pub(super) static LONG_GAMES: Plan = Plan {
    usual_games: false,
    opponent_begins: true,
    own_men: &[
        "q", "qp", "qp", "qn", "qb", "qr", "rr", "rr", "rp", "rp", "rn", "rb", "rpp", "rnp", "rbp",
    ],
    their_men: &[
        "", "p", "p", "p", "p", "pp", "pp", "n", "n", "b", "b", "np", "bp", "ppp", "rp",
    ],
    variants: [0, 0, 0, 6, 12, 24, 36, 36],
    most_mates: 5,
    most_near_misses: 10,
    nodes: [
        0, 10_000, 30_000, 100_000, 300_000, 1_000_000, 2_000_000, 3_000_000,
    ],
    added_nodes: [
        0, 10_000, 30_000, 100_000, 300_000, 700_000, 1_500_000, 3_000_000,
    ],
    patience: 2,
    certificate_nodes: [0, 120_000, 360_000, 1_200_000, 3_600_000, 0, 0, 0],
};

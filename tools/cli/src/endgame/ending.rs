//! An argument of the command line: one of the endings for which the solved sets are computed.

use rules::chess::{Role, Square};
use solver::endgame::{OwnMen, SolvedTable, Tables};

/// An ending for which the solved sets are computed.
#[derive(Copy, Clone, Eq, PartialEq, Debug, clap::ValueEnum)]
pub(super) enum Solved {
    /// Queen against the lone king
    #[value(name = "KQK", alias = "kqk")]
    Queen,
    /// Rook against the lone king
    #[value(name = "KRK", alias = "krk")]
    Rook,
    /// Pawn against the lone king
    #[value(name = "KPK", alias = "kpk")]
    Pawn,
}

impl Solved {
    /// All these endings.
    pub const ALL: [Solved; 3] = [Solved::Queen, Solved::Rook, Solved::Pawn];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Solved::Queen => "KQK",
            Solved::Rook => "KRK",
            Solved::Pawn => "KPK",
        }
    }

    /// Role of the man that the mating side has in addition to its king.
    pub const fn role(self) -> Role {
        match self {
            Solved::Queen => Role::Queen,
            Solved::Rook => Role::Rook,
            Solved::Pawn => Role::Pawn,
        }
    }

    /// Returns the table with the solved sets of this ending.
    pub fn table(self, tables: &Tables) -> &SolvedTable {
        OwnMen::new(Square::A1, &[(self.role(), Square::C3)])
            .and_then(|men| tables.solved(men))
            .expect("the tables know the ending")
    }

    /// Returns the placements of the ending, one of each group of symmetric placements.
    pub fn placements(self, table: &SolvedTable) -> impl Iterator<Item = OwnMen> {
        let all = table.placements().iter().copied();
        all.filter(move |men| men.others()[0].0 == self.role())
    }
}

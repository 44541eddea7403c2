//! The sources in which the rules are written.

/// A source of rules, as listed in docs/sources.md.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Source {
    /// Short name, for example `RAND`.
    pub key: &'static str,
    /// Author, title, place and year.
    pub title: &'static str,
}

macro_rules! sources {
    ($($(#[$doc:meta])* $name:ident = $title:literal;)+) => {
        impl Source {
            $($(#[$doc])* pub const $name: Source = Source { key: stringify!($name), title: $title };)+

            /// Every source.
            pub const ALL: &'static [Source] = &[$(Source::$name),+];
        }
    };
}

sources! {
    /// The rules of the RAND Corporation's players.
    RAND = "J. D. Williams, \"Kriegsspiel rules at RAND\", 1950 (rules 1-20); rules 5-15 are quoted in the report SP-2152 of 1965";
    /// The first program that refereed Kriegspiel.
    UMPIRE = "System Development Corporation, report SP-2152, 1965: the UMPIRE program, LISP 1.5 on the Q-32 time-sharing system";
    /// Kriegspiel in Cincinnati.
    CINC = "D. Moeser, \"Kriegspiel - Cincinnati style\", J'ADOUBE!, 30 March 1977 (Chess Variant Pages)";
    /// The referee of BSD Unix.
    KS = "D. Wolfe, kriegspiel(1), manual page of ks and xks, 2 May 1986";
    /// The rules of the Chess Variant Pages.
    CVP = "H. Bodlaender, \"Kriegspiel\", Chess Variant Pages, 1995/96, based on texts by Gollon, Pritchard and Eteroscacco (AISE)";
    /// The referee in FORTRAN.
    KSREF = "T. Buckholtz, C. Wetherell, \"A program to referee Kriegspiel and chess\", Algorithm 89, The Computer Journal 18(2), 1975";
    /// The Berkeley variant.
    BERK = "J. Wolfe, \"Kriegspiel Rules\" (the Berkeley variant), about 2004; the form with a public \"Any?\" is from kriegspiel.org";
    /// Wild 16.
    ICC = "Internet Chess Club, help \"Kriegspiel\" (wild 16); B. Enderton's note of 1997";
    /// English rules.
    GAMBIT = "\"Kriegspiel Rules at The Gambit\" (English rules), in Dickens & White, Chess in Bedfordshire, 1933";
    /// Crazyhouse Kriegspiel.
    CRAZY = "\"Crazyhouse Kriegspiel\", Chess Variant Pages";
}

//! A table that compares the rulesets.

use rules::{
    AnnouncedCheck, AnnouncedTries, CaptureHeard, CaptureMan, CaptureSquare, CheckTold, Choices,
    EnPassant, Fifty, Impossible, Material, Mates, NoHeard, NonsenseHeard, NonsenseScore,
    NonsenseWord, Obligation, PawnTries, PawnTrySquare, PromotionMan, PromotionTold, Repeat,
    ReserveUse, Ruleset, Stalemate, Threefold, TryLimit,
};

const HEAD: [&str; 8] = [
    "ruleset",
    "nonsense",
    "no",
    "capture",
    "check",
    "pawn tries",
    "promotion",
    "ends",
];

const LEGEND: &str = "\
nonsense   the rows of the table of verdicts that the ruleset has:
             2    the own men cannot make the attempt
             3    the attempt contradicts an announcement. t: of pawn tries. c: of a check. 0: of a
                  check, and the attempt is castling
             4    a pawn capture is required, or three pawn captures were refused
             5    a repeated try (5r: the answer is \"repeat no\")
           After the slash: who hears nonsense. (no): announced as the answer no. (-): a written
           score does not contain nonsense.
no         who hears the answer no.
capture    what is announced, and after the slash who hears it:
             square       the square of the captured man
             landing      the square on which the capturing man lands
             kind         whether a pawn or a piece was captured
             man          the role of the captured man
             ep           whether the capture is en passant
             that         only that there was a capture
             victim only  nothing
           The player who loses a man always sees which man is gone.
check      bare: only that there is a check. dirs: also the directions of the check (rank, file,
           long diagonal, short diagonal, knight). Of the two diagonals through the king, the long
           diagonal has more squares.
pawn tries what is announced about pawn tries:
             Any?           the answer to the question Any?, if the player to move asks. The next
                            word is the obligation after the answer yes: to `try` or to `make`
                            a pawn capture. Without such a word, there is no obligation.
             yes/no         in every turn: whether there is a pawn try
             count          in every turn: the number of pawn tries
             squares        in every turn: the target squares
             squares from   in every turn: the origin squares (no built-in ruleset)
             single+double  in every turn: the squares on which one pawn can capture, and the
                            squares on which two pawns can capture
             3 a turn       after three refused pawn captures in a turn, no other may be tried
promotion  side: it is announced that a side promotes, but not to which man. Q: the new man is
           always a queen. (Q): the new man is a queen if the player names no man.
ends       how the game can end, besides resignation, agreement and time:
             m    checkmate and stalemate (sl: stalemate loses)
             I    draw by insufficient material
             I1   draw if each side has at most one knight or bishop besides its king
             3    threefold repetition
             50   fifty moves by each side without a capture or a pawn move
           drops: captured men may be dropped.
-          nothing is announced. In the column ends: no other end.
";

/// Joins the parts that are not empty.
fn joined(parts: &[&str], separator: &str) -> String {
    let said: Vec<&str> = parts.iter().copied().filter(|p| !p.is_empty()).collect();
    said.join(separator)
}

fn nonsense(c: &Choices) -> String {
    let impossible = match c.impossible {
        Impossible::Nonsense => "2",
        Impossible::No => "",
    };
    let announced = match (c.announced_tries, c.announced_check) {
        (AnnouncedTries::Judged, AnnouncedCheck::Judged) => "",
        (AnnouncedTries::Judged, AnnouncedCheck::Castling) => "30",
        (AnnouncedTries::Judged, AnnouncedCheck::Answers) => "3c",
        (AnnouncedTries::Nonsense, AnnouncedCheck::Judged) => "3t",
        (AnnouncedTries::Nonsense, AnnouncedCheck::Castling) => "3t0",
        (AnnouncedTries::Nonsense, AnnouncedCheck::Answers) => "3tc",
    };
    let due = match (c.obligation, c.try_limit) {
        (Obligation::None, TryLimit::None) => "",
        (Obligation::Try | Obligation::Make, _) | (_, TryLimit::Three) => "4",
    };
    let repeat = match c.repeat {
        Repeat::Truth => "",
        Repeat::Nonsense => "5",
        Repeat::RepeatNo => "5r",
    };
    let rows = joined(&[impossible, announced, due, repeat], ",");
    let who = match c.nonsense_heard {
        NonsenseHeard::Mover => "mover",
        NonsenseHeard::Both => "both",
    };
    let word = match c.nonsense_word {
        NonsenseWord::No => "(no)",
        NonsenseWord::Nonsense
        | NonsenseWord::HellNo
        | NonsenseWord::HeckNo
        | NonsenseWord::Impossible => "",
    };
    let score = match c.nonsense_score {
        NonsenseScore::Kept => "",
        NonsenseScore::LeftOut => "(-)",
    };
    format!("{rows}/{who}{word}{score}")
}

fn capture(c: &Choices) -> String {
    let who = match c.capture_heard {
        CaptureHeard::Victim => return "victim only".to_owned(),
        CaptureHeard::Capturer => "capturer",
        CaptureHeard::Both => "both",
    };
    let square = match c.capture_square {
        CaptureSquare::Untold => "",
        CaptureSquare::Stood => "square",
        CaptureSquare::Landing => "landing",
    };
    let man = match c.capture_man {
        CaptureMan::Untold => "",
        CaptureMan::Kind => "kind",
        CaptureMan::Exact => "man",
    };
    let passing = match c.en_passant {
        EnPassant::Silent => "",
        EnPassant::Said => "ep",
    };
    match joined(&[square, man, passing], "+").as_str() {
        "" => format!("that/{who}"),
        told => format!("{told}/{who}"),
    }
}

fn pawn_tries(c: &Choices) -> String {
    let told = match c.pawn_tries {
        PawnTries::Silent => "-",
        PawnTries::OnRequest => "Any?",
        PawnTries::Whether => "yes/no",
        PawnTries::Count => "count",
        PawnTries::Squares => "squares",
        PawnTries::SinglesAndDoubles => "single+double",
    };
    let from = match c.pawn_try_square {
        PawnTrySquare::Landing => "",
        PawnTrySquare::Origin => " from",
    };
    let obligation = match c.obligation {
        Obligation::None => "",
        Obligation::Try => ", try",
        Obligation::Make => ", make",
    };
    let limit = match c.try_limit {
        TryLimit::None => "",
        TryLimit::Three => ", 3 a turn",
    };
    [told, from, obligation, limit].concat()
}

fn promotion(c: &Choices) -> String {
    let told = match c.promotion {
        PromotionTold::Silent => "-",
        PromotionTold::Side => "side",
    };
    let man = match c.promotion_man {
        PromotionMan::Named => "",
        PromotionMan::QueenUnlessNamed => " (Q)",
        PromotionMan::QueenOnly => " Q",
    };
    [told, man].concat()
}

fn ends(c: &Choices) -> String {
    let mates = match (c.mates, c.stalemate) {
        (Mates::Unseen, _) => "",
        (Mates::Announced, Stalemate::Draw) => "m",
        (Mates::Announced, Stalemate::Loses) => "m(sl)",
    };
    let material = match c.material {
        Material::Off => "",
        Material::Dead => "I",
        Material::OneMinorEach => "I1",
    };
    let threefold = match c.threefold {
        Threefold::Off => "",
        Threefold::On => "3",
    };
    let fifty = match c.fifty {
        Fifty::Off => "",
        Fifty::On => "50",
    };
    let reserve = match c.reserve {
        ReserveUse::None => "",
        ReserveUse::Drops => "drops",
    };
    match joined(&[mates, material, threefold, fifty, reserve], " ").as_str() {
        "" => "-".to_owned(),
        all => all.to_owned(),
    }
}

fn row(ruleset: &Ruleset) -> [String; 8] {
    let c = &ruleset.choices;
    let no = match c.no_heard {
        NoHeard::Mover => "mover",
        NoHeard::Both => "both",
    };
    let check = match c.check {
        CheckTold::Silent => "-",
        CheckTold::Bare => "bare",
        CheckTold::Directions => "dirs",
    };
    [
        ruleset.id.to_string(),
        nonsense(c),
        no.to_owned(),
        capture(c),
        check.to_owned(),
        pawn_tries(c),
        promotion(c),
        ends(c),
    ]
}

/// Table of rulesets, as cells.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Comparison {
    /// Headings of the columns. The first column is the ruleset's id.
    pub columns: [&'static str; 8],
    /// One row for each ruleset.
    pub rows: Vec<[String; 8]>,
    /// Explanation of the abbreviations in the cells.
    pub legend: &'static str,
}

impl Comparison {
    /// Makes the table of these rulesets.
    pub fn of(rulesets: &[Ruleset]) -> Comparison {
        Comparison {
            columns: HEAD,
            rows: rulesets.iter().map(row).collect(),
            legend: LEGEND,
        }
    }
}

/// Writes the table as text, one line for each ruleset, followed by the legend.
pub fn comparison(rulesets: &[Ruleset]) -> String {
    let Comparison {
        columns,
        rows,
        legend,
    } = Comparison::of(rulesets);
    let rows: Vec<_> = std::iter::once(columns.map(str::to_owned))
        .chain(rows)
        .collect();
    let mut widths = [0; HEAD.len()];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.len());
        }
    }
    let mut text = String::new();
    for row in &rows {
        let line: Vec<_> = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        text.push_str(line.join("  ").trim_end());
        text.push('\n');
    }
    text.push('\n');
    text.push_str(legend);
    text
}

#[cfg(test)]
mod tests {
    use rules::rulesets;

    use super::*;

    #[test]
    fn legend_explains_every_word_of_the_table() {
        let words = |text: &str| -> Vec<String> {
            text.split(|c: char| !(c.is_alphanumeric() || c == '?'))
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let legend = words(LEGEND);
        let missing = |ruleset: &Ruleset| -> Vec<String> {
            // The legend does not explain the words that say who hears something. The first two
            // columns (ids, row numbers) are not checked.
            const PLAIN: [&str; 4] = ["mover", "both", "capturer", "only"];
            row(ruleset)[2..]
                .iter()
                .flat_map(|cell| words(cell))
                .filter(|word| !PLAIN.contains(&word.as_str()) && !legend.contains(word))
                .collect()
        };
        for ruleset in &rulesets::ALL {
            assert_eq!(missing(ruleset), [""; 0], "{}", ruleset.id);
        }
        // A custom ruleset with values that no named ruleset has.
        let mut own = rulesets::RAND;
        own.choices.check = CheckTold::Silent;
        own.choices.pawn_try_square = PawnTrySquare::Origin;
        assert_eq!(missing(&own), [""; 0]);
    }

    #[test]
    fn table_is_at_most_a_hundred_columns_wide() {
        let table = comparison(&rulesets::ALL);
        for line in table.lines() {
            assert!(line.len() <= 100, "{} {line}", line.len());
        }
        for ruleset in &rulesets::ALL {
            assert!(table.lines().any(|l| l.starts_with(&*ruleset.id)));
        }
    }
}

//! The rulesets side by side.

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
nonsense   rows of the table of verdicts: 2 impossible from own men; 3 against what is announced
           (t pawn tries, c check, 0 castling in check only); 4 a pawn capture is due, or three were
           tried; 5 a repeat (5r: repeat no). After the slash who hears it; (no) in the words of a
           no; (-) left out of the score.
no         who hears that an attempt is illegal.
capture    what is told / to whom; the victim always sees the man vanish. square: where that man
           stood; landing: where the capturer lands; kind: a pawn or a piece; man: which man; ep: en
           passant is said; that: nothing more than that there was a capture.
check      bare: nothing more; dirs: rank, file, long diagonal, short diagonal, knight.
pawn tries Any?: the player to move may ask; a yes obliges to nothing, or to `try` one, or to `make`
           one. Unasked: yes/no, whether there is one; count, how many; squares, where they land
           (from: stand); single+double, where one pawn may capture, and where two. 3 a turn: when
           three were answered no, no other may be tried.
promotion  side: that a side promotes, never to what. Q: always a queen; (Q) unless named.
ends       m checkmate and stalemate (sl: stalemate loses); I dead material, I1 at most one minor
           piece each; 3 threefold; 50 fifty moves. Resignation, agreement and time end every game.
           drops: no end, but captured men come back, and may be dropped.
";

fn nonsense(c: &Choices) -> String {
    let mut rows = Vec::new();
    match c.impossible {
        Impossible::Nonsense => rows.push("2".to_owned()),
        Impossible::No => {}
    }
    let tries = match c.announced_tries {
        AnnouncedTries::Nonsense => "t",
        AnnouncedTries::Judged => "",
    };
    let check = match c.announced_check {
        AnnouncedCheck::Answers => "c",
        AnnouncedCheck::Castling => "0",
        AnnouncedCheck::Judged => "",
    };
    if !(tries.is_empty() && check.is_empty()) {
        rows.push(format!("3{tries}{check}"));
    }
    if c.obligation != Obligation::None || c.try_limit != TryLimit::None {
        rows.push("4".to_owned());
    }
    match c.repeat {
        Repeat::Truth => {}
        Repeat::Nonsense => rows.push("5".to_owned()),
        Repeat::RepeatNo => rows.push("5r".to_owned()),
    }
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
    format!("{}/{who}{word}{score}", rows.join(","))
}

fn capture(c: &Choices) -> String {
    let who = match c.capture_heard {
        CaptureHeard::Victim => return "victim only".to_owned(),
        CaptureHeard::Capturer => "capturer",
        CaptureHeard::Both => "both",
    };
    let mut told = Vec::new();
    match c.capture_square {
        CaptureSquare::Untold => {}
        CaptureSquare::Stood => told.push("square"),
        CaptureSquare::Landing => told.push("landing"),
    }
    match c.capture_man {
        CaptureMan::Untold => {}
        CaptureMan::Kind => told.push("kind"),
        CaptureMan::Exact => told.push("man"),
    }
    match c.en_passant {
        EnPassant::Silent => {}
        EnPassant::Said => told.push("ep"),
    }
    if told.is_empty() {
        told.push("that");
    }
    format!("{}/{who}", told.join("+"))
}

fn pawn_tries(c: &Choices) -> String {
    let mut text = match c.pawn_tries {
        PawnTries::Silent => "-",
        PawnTries::OnRequest => "Any?",
        PawnTries::Whether => "yes/no",
        PawnTries::Count => "count",
        PawnTries::Squares => "squares",
        PawnTries::SinglesAndDoubles => "single+double",
    }
    .to_owned();
    match c.pawn_try_square {
        PawnTrySquare::Landing => {}
        PawnTrySquare::Origin => text.push_str(" from"),
    }
    match c.obligation {
        Obligation::None => {}
        Obligation::Try => text.push_str(", try"),
        Obligation::Make => text.push_str(", make"),
    }
    match c.try_limit {
        TryLimit::None => {}
        TryLimit::Three => text.push_str(", 3 a turn"),
    }
    text
}

fn promotion(c: &Choices) -> String {
    let mut text = match c.promotion {
        PromotionTold::Silent => "-",
        PromotionTold::Side => "side",
    }
    .to_owned();
    match c.promotion_man {
        PromotionMan::Named => {}
        PromotionMan::QueenUnlessNamed => text.push_str(" (Q)"),
        PromotionMan::QueenOnly => text.push_str(" Q"),
    }
    text
}

fn ends(c: &Choices) -> String {
    let mut all = Vec::new();
    match (c.mates, c.stalemate) {
        (Mates::Unseen, _) => {}
        (Mates::Announced, Stalemate::Draw) => all.push("m"),
        (Mates::Announced, Stalemate::Loses) => all.push("m(sl)"),
    }
    match c.material {
        Material::Off => {}
        Material::Dead => all.push("I"),
        Material::OneMinorEach => all.push("I1"),
    }
    match c.threefold {
        Threefold::Off => {}
        Threefold::On => all.push("3"),
    }
    match c.fifty {
        Fifty::Off => {}
        Fifty::On => all.push("50"),
    }
    match c.reserve {
        ReserveUse::None => {}
        ReserveUse::Drops => all.push("drops"),
    }
    if all.is_empty() {
        "-".to_owned()
    } else {
        all.join(" ")
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

/// The rulesets side by side, cell by cell.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Comparison {
    /// The heads of the columns, the ruleset's first.
    pub columns: [&'static str; 8],
    /// A row a ruleset.
    pub rows: Vec<[String; 8]>,
    /// How to read it.
    pub legend: &'static str,
}

impl Comparison {
    /// Compares rulesets.
    pub fn of(rulesets: &[Ruleset]) -> Comparison {
        Comparison {
            columns: HEAD,
            rows: rulesets.iter().map(row).collect(),
            legend: LEGEND,
        }
    }
}

/// A table of rulesets, one a line, and how to read it.
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
    fn the_legend_has_every_word_of_the_table() {
        let words = |text: &str| -> Vec<String> {
            text.split(|c: char| !(c.is_alphanumeric() || c == '?'))
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let legend = words(LEGEND);
        let missing = |ruleset: &Ruleset| -> Vec<String> {
            // Who hears, behind the slash, needs no legend; nor do the digits
            // and letters of the rows.
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
        // Values that no named ruleset takes.
        let mut own = rulesets::RAND;
        own.choices.check = CheckTold::Silent;
        own.choices.pawn_try_square = PawnTrySquare::Origin;
        assert_eq!(missing(&own), [""; 0]);
    }

    #[test]
    fn the_table_fits_a_hundred_columns() {
        let table = comparison(&rulesets::ALL);
        for line in table.lines() {
            assert!(line.len() <= 100, "{} {line}", line.len());
        }
        for ruleset in &rulesets::ALL {
            assert!(table.lines().any(|l| l.starts_with(&*ruleset.id)));
        }
    }
}

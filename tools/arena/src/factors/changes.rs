//! Files of changes: the factors, and what each factor changes.

use std::fmt;

use bots::{WeightError, Weights};
use notation::printable;

/// The first line of a file of changes.
const FORM: &str = "kriegspiel-factors 1";

/// Greatest length of the name of a factor, in characters.
const MAX_NAME: usize = 24;

/// A factor: a change of one or more weights that is on or off.
#[derive(Clone, PartialEq, Debug)]
pub struct Factor {
    /// Name of the factor.
    pub name: String,
    /// Names of the changed weights, with the values while the factor is on.
    pub values: Vec<(String, f32)>,
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.changes())
    }
}

impl Factor {
    /// Returns the changed weights with their values: `rook=4.8 queen=7.5`.
    pub fn changes(&self) -> String {
        let each = self.values.iter();
        let texts: Vec<String> = each
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        texts.join(" ")
    }

    /// Sets the weights to the values of this factor.
    pub(super) fn switch_on(&self, weights: &mut Weights) {
        for (name, value) in &self.values {
            // The name and the range were checked before, so there is no error.
            let _ = weights.set(name, *value);
        }
    }
}

/// Error: the text is not a file of changes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FactorsError {
    /// The first line is not the format header.
    #[error("line 1 is not `{FORM}`: write this line first, then a factor in each line")]
    Form,
    /// The file has no factor.
    #[error("there is no factor: write a line with a name and a change, for example `r rook=4.8`")]
    NoFactor,
    /// A line begins with a change, or with a word that cannot be a name.
    #[error(
        "line {line}: `{}` is not a name: begin the line with a name of at most {MAX_NAME} \
         letters, digits, `-`, `_` or `.`",
        printable(.name)
    )]
    Name {
        /// Line number, from 1.
        line: usize,
        /// The first word of the line.
        name: String,
    },
    /// A line has a name and nothing else.
    #[error("line {line}: `{name}` changes nothing: add a change, for example `rook=4.8`")]
    NoChange {
        /// Line number, from 1.
        line: usize,
        /// Name of the factor.
        name: String,
    },
    /// A word after the name is not a change.
    #[error(
        "line {line}: `{}` is not a change: write WEIGHT=VALUE or WEIGHT*NUMBER without spaces, \
         for example `rook=4.8` or `rook*1.25`",
        printable(.text)
    )]
    Change {
        /// Line number, from 1.
        line: usize,
        /// The word.
        text: String,
    },
    /// The name of a weight or its new value is wrong.
    #[error("line {line}: {fault}")]
    Weight {
        /// Line number, from 1.
        line: usize,
        /// The error.
        fault: WeightError,
    },
    /// The product of a weight and a number is outside the range of the weight.
    #[error("line {line}: `{text}` is {product}: {fault}")]
    Product {
        /// Line number, from 1.
        line: usize,
        /// The change.
        text: String,
        /// The product.
        product: f32,
        /// The error.
        fault: WeightError,
    },
    /// The weight in a product is 0.
    #[error(
        "line {line}: `{text}` changes nothing, because `{weight}` is 0: write `{weight}=VALUE`"
    )]
    Zero {
        /// Line number, from 1.
        line: usize,
        /// The change.
        text: String,
        /// Name of the weight.
        weight: String,
    },
    /// Two factors have the same name.
    #[error("line {line}: line {first} has the name `{name}` too: choose another name")]
    SameName {
        /// Line number of the second factor, from 1.
        line: usize,
        /// Line number of the first factor, from 1.
        first: usize,
        /// The name.
        name: String,
    },
    /// A weight is changed twice.
    #[error(
        "line {line}: line {first} changes `{weight}` too, so `{weight}` would have two values if \
         both factors are on: make one factor of the two, or test them in two runs"
    )]
    SameWeight {
        /// Line number of the second change, from 1.
        line: usize,
        /// Line number of the first change, from 1.
        first: usize,
        /// Name of the weight.
        weight: String,
    },
    /// A line changes a weight twice.
    #[error("line {line}: `{weight}` occurs twice: remove one of the two changes")]
    WeightTwice {
        /// Line number, from 1.
        line: usize,
        /// Name of the weight.
        weight: String,
    },
}

/// Returns whether a word can be the name of a factor.
fn is_name(word: &str) -> bool {
    let known = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    word.len() <= MAX_NAME && word.chars().all(known)
}

/// Parses the change of one weight. Returns the name of the weight and its new value.
fn change(text: &str, line: usize, weights: &Weights) -> Result<(String, f32), FactorsError> {
    let wrong = || FactorsError::Change {
        line,
        text: text.chars().take(60).collect(),
    };
    let mark = text.find(['=', '*']).ok_or_else(wrong)?;
    let (name, number) = (&text[..mark], &text[mark + 1..]);
    let number: f32 = number.parse().map_err(|_| wrong())?;
    let Some(old) = weights.get(name) else {
        let shown: String = name.chars().take(60).collect();
        let name = printable(&shown).to_string();
        let fault = WeightError::Unknown { name };
        return Err(FactorsError::Weight { line, fault });
    };
    let is_product = text[mark..].starts_with('*');
    if is_product && old == 0.0 {
        return Err(FactorsError::Zero {
            line,
            text: text.to_owned(),
            weight: name.to_owned(),
        });
    }
    let value = if is_product { old * number } else { number };
    match weights.clone().set(name, value) {
        Ok(()) => Ok((name.to_owned(), value)),
        Err(fault) if is_product => Err(FactorsError::Product {
            line,
            text: text.to_owned(),
            product: value,
            fault,
        }),
        Err(fault) => Err(FactorsError::Weight { line, fault }),
    }
}

/// Parses a file of changes of these weights.
pub(super) fn parse(text: &str, weights: &Weights) -> Result<Vec<Factor>, FactorsError> {
    let mut factors: Vec<(usize, Factor)> = Vec::new();
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_none_or(|(_, first)| first.trim() != FORM) {
        return Err(FactorsError::Form);
    }
    for (line, text) in lines {
        let text = text.split('#').next().unwrap_or_default();
        let mut words = text.split_whitespace();
        let Some(name) = words.next() else {
            continue;
        };
        if !is_name(name) {
            let name = name.chars().take(60).collect();
            return Err(FactorsError::Name { line, name });
        }
        let name = name.to_owned();
        if let Some((first, _)) = factors.iter().find(|(_, factor)| factor.name == name) {
            let first = *first;
            return Err(FactorsError::SameName { line, first, name });
        }
        let mut values: Vec<(String, f32)> = Vec::new();
        for word in words {
            let (weight, value) = change(word, line, weights)?;
            let changes = |values: &[(String, f32)]| values.iter().any(|(w, _)| *w == weight);
            if changes(&values) {
                return Err(FactorsError::WeightTwice { line, weight });
            }
            if let Some((first, _)) = factors.iter().find(|(_, factor)| changes(&factor.values)) {
                let first = *first;
                return Err(FactorsError::SameWeight {
                    line,
                    first,
                    weight,
                });
            }
            values.push((weight, value));
        }
        if values.is_empty() {
            return Err(FactorsError::NoChange { line, name });
        }
        factors.push((line, Factor { name, values }));
    }
    if factors.is_empty() {
        return Err(FactorsError::NoFactor);
    }
    Ok(factors.into_iter().map(|(_, factor)| factor).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(lines: &str) -> Result<Vec<Factor>, FactorsError> {
        let mut weights = (*Weights::shipped()).clone();
        for (name, value) in [
            ("rook", 4.0),
            ("queen", 8.0),
            ("promotes", 0.5),
            ("hopeless", 0.0),
        ] {
            weights.set(name, value).unwrap();
        }
        parse(&format!("{FORM}\n{lines}"), &weights)
    }

    #[test]
    fn factors_have_names_and_new_values() {
        let text =
            "# comment\n\n  low.R  rook=3.5 # another comment\nboth\tqueen*1.25 promotes*1\n";
        let factors = parsed(text).unwrap();
        let shown: Vec<String> = factors.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["low.R rook=3.5", "both queen=10 promotes=0.5"]);
        let mut weights = (*Weights::shipped()).clone();
        let pawn = weights.get("pawn");
        factors[1].switch_on(&mut weights);
        let values = ["queen", "promotes", "pawn"].map(|name| weights.get(name));
        assert_eq!(values, [Some(10.0), Some(0.5), pawn]);
    }

    #[test]
    fn errors_name_the_line_the_reason_and_the_remedy() {
        let change = "is not a change: write WEIGHT=VALUE or WEIGHT*NUMBER without spaces, for \
                      example `rook=4.8` or `rook*1.25`";
        let name = "is not a name: begin the line with a name of at most 24 letters, digits, `-`, \
                    `_` or `.`";
        let cases = [
            ("", "there is no factor: write a line with a name and a change, for example `r rook=4.8`".to_owned()),
            ("# a rook=4", "there is no factor: write a line".to_owned()),
            ("rook=4", format!("line 2: `rook=4` {name}")),
            ("q", "line 2: `q` changes nothing: add a change, for example `rook=4.8`".to_owned()),
            ("\u{1b}[2J rook=4", format!("line 2: `\\u{{1b}}[2J` {name}")),
            ("a-name-of-25-letters-abcde rook=4", format!("line 2: `a-name-of-25-letters-abcde` {name}")),
            ("r rook = 4", format!("line 2: `rook` {change}")),
            ("r rook=four", format!("line 2: `rook=four` {change}")),
            ("r rook==4", format!("line 2: `rook==4` {change}")),
            ("r rook=", format!("line 2: `rook=` {change}")),
            ("r rook+1", format!("line 2: `rook+1` {change}")),
            ("r rok=4", "line 2: there is no weight `rok`; the weights are pawn, knight, ".to_owned()),
            ("r =4", "line 2: there is no weight ``; the weights are pawn, ".to_owned()),
            ("r rook=40", "line 2: `rook` must be a number from 0.1 to 20".to_owned()),
            ("r rook=NaN", "line 2: `rook` must be a number from 0.1 to 20".to_owned()),
            ("r rook*-1", "line 2: `rook*-1` is -4: `rook` must be a number from 0.1 to 20".to_owned()),
            ("r promotes*2.5", "line 2: `promotes*2.5` is 1.25: `promotes` must be a number from 0 to 1".to_owned()),
            ("r hopeless*2", "line 2: `hopeless*2` changes nothing, because `hopeless` is 0: write `hopeless=VALUE`".to_owned()),
            ("r rook=3 rook*2", "line 2: `rook` occurs twice: remove one of the two changes".to_owned()),
            ("r rook=3\n\nr queen=4", "line 4: line 2 has the name `r` too: choose another name".to_owned()),
            (
                "r rook=3\nq queen=4 rook*2",
                "line 3: line 2 changes `rook` too, so `rook` would have two values if both factors \
                 are on: make one factor of the two, or test them in two runs".to_owned(),
            ),
        ];
        for (lines, expected) in cases {
            let fault = parsed(lines).unwrap_err().to_string();
            assert!(fault.starts_with(&expected), "{lines:?}: {fault}");
        }
        let form = "line 1 is not `kriegspiel-factors 1`: write this line first, then a factor in \
                    each line";
        for text in ["", "r rook=3", "kriegspiel-weights 1\nrook 3"] {
            let fault = parse(text, &Weights::shipped()).unwrap_err();
            assert_eq!(fault.to_string(), form);
        }
    }
}

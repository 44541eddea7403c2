//! Heat maps: for each square, the probability of each of the opponent's men.

use std::{
    fmt::Write as _,
    fs::{self, File},
    io::{self, Seek, Write},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use belief::Belief;
use rules::{
    ROLES,
    chess::{self, Rank, Square},
};

use super::usage;

/// Width of a square in pixels.
const SIDE: u32 = 36;

/// Prints one map for each role that the opponent can have. The map shows the probability of each
/// square in per cent. A dot means zero, `<1` less than one per cent, `*` an own man.
pub(super) fn text(output: &mut impl Write, belief: &Belief) -> io::Result<()> {
    let marginals = belief.marginals();
    let own = belief.known().own.all();
    for role in ROLES {
        if Square::ALL.iter().all(|sq| marginals.of(role, *sq) == 0.0) {
            continue;
        }
        writeln!(output, "\n{role:?}")?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(output, "{} ", rank.char())?;
            for file in chess::File::ALL {
                let sq = Square::from_coords(file, rank);
                let p = marginals.of(role, sq);
                let cell = if own.contains(sq) {
                    "*".to_owned()
                } else if p == 0.0 {
                    ".".to_owned()
                } else if p < 0.01 {
                    "<1".to_owned()
                } else {
                    format!("{:.0}", p * 100.0)
                };
                write!(output, "{cell:>4}")?;
            }
            writeln!(output)?;
        }
        writeln!(output, "     a   b   c   d   e   f   g   h")?;
    }
    Ok(())
}

/// A file for a picture. The file is opened before the work begins.
pub(super) struct Picture {
    path: PathBuf,
    file: File,
    /// Whether the file did not exist before.
    is_new: bool,
    is_written: bool,
}

impl Picture {
    /// Opens the file. An existing file keeps its content until the picture is written.
    pub(super) fn open(path: &Path) -> anyhow::Result<Picture> {
        let is_new = !path.exists();
        let mut options = File::options();
        let file = options.write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|e| usage(format_args!("--svg {}: {e}", path.display())))?;
        Ok(Picture {
            path: path.to_owned(),
            file,
            is_new,
            is_written: false,
        })
    }

    /// Writes the belief's heat maps.
    pub(super) fn write(mut self, belief: &Belief) -> anyhow::Result<()> {
        let svg = svg(belief);
        let mut write = || {
            // A pipe or a terminal has no length that could be set.
            if self.file.metadata()?.is_file() {
                self.file.set_len(0)?;
                self.file.rewind()?;
            }
            self.file.write_all(svg.as_bytes())
        };
        write().with_context(|| format!("{} cannot be written", self.path.display()))?;
        self.is_written = true;
        Ok(())
    }
}

impl Drop for Picture {
    fn drop(&mut self) {
        if self.is_new && !self.is_written {
            // An empty file that cannot be removed does no harm.
            let _stays = fs::remove_file(&self.path);
        }
    }
}

/// Returns the heat maps as a picture in the format SVG.
fn svg(belief: &Belief) -> String {
    let marginals = belief.marginals();
    let own = belief.known().own;
    let board = SIDE * 8;
    let (width, height) = (3 * (board + 24), 2 * (board + 40));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n"
    );
    for (i, role) in ROLES.into_iter().enumerate() {
        let left = (i as u32 % 3) * (board + 24) + 12;
        let top = (i as u32 / 3) * (board + 40) + 28;
        // Writing to a string cannot fail.
        let _ok = writeln!(
            svg,
            "<text x=\"{left}\" y=\"{}\" font-size=\"16\">{role:?}</text>",
            top - 8
        );
        for sq in Square::ALL {
            let x = left + u32::from(sq.file()) * SIDE;
            let y = top + (7 - u32::from(sq.rank())) * SIDE;
            let p = marginals.of(role, sq);
            let shade = if sq.is_light() { "#f0f0ea" } else { "#dcdcd2" };
            let _ok = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{shade}\"/>"
            );
            if p > 0.0 {
                let _ok = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#b3261e\" fill-opacity=\"{p:.3}\"><title>{sq} {:.1} %</title></rect>",
                    p * 100.0
                );
            }
            if let Some(man) = own.role_at(sq) {
                let _ok = writeln!(
                    svg,
                    "<text x=\"{}\" y=\"{}\" font-size=\"18\" text-anchor=\"middle\">{}</text>",
                    x + SIDE / 2,
                    y + SIDE / 2 + 6,
                    man.upper_char()
                );
            }
        }
    }
    svg.push_str("</svg>\n");
    svg
}

//! `cargo xtask bless`: golden transcripts anew, from the slow oracle.

use anyhow::Result;

use crate::{house::House, run};

/// Runs the golden tests so that they write what the slow oracle says.
pub fn run(house: &House, _: &[String]) -> Result<()> {
    let cargo = House::cargo();
    run::run(
        &house.root,
        &[&cargo, "test", "--package", "testkit", "--test", "golden"],
        &[("KRIEGSPIEL_BLESS", "1")],
    )?;
    let changed = house.git(&["status", "--short", "--", "transcripts"]);
    if changed.is_empty() {
        println!("no transcript changed");
    } else {
        println!("{changed}\nread the difference before you keep it: git diff transcripts/");
    }
    Ok(())
}

//! The command `kriegspiel`.

mod cli;

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Allocator that returns memory to the system after a burst of requests. The allocator of the C
/// library keeps this memory. For example, each password hash needs 19 MiB. `docs/security.md`
/// has the measurements.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::main()
}

//! The command `kriegspiel`.

mod cli;

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// The allocator of the C library keeps for itself what bursts have used, such as the 19 MiB of
/// each password hash; this one gives it back to the system. `docs/security.md` has the figures.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::main()
}

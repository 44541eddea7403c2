//! The command `kriegspiel`.

mod cli;

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// After a burst of requests, for example with 19 MiB for each password hash, the allocator of the
/// C library does not return the memory to the system. This allocator does. `docs/security.md` has
/// the measurements.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::main()
}

//! What every process allocates with.

use mimalloc::MiMalloc;

/// A request makes many small things on one thread and drops them on another, which this
/// allocator is made for.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

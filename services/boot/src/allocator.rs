//! What every process allocates with.

use mimalloc::MiMalloc;

/// A request makes some thousand small things on one thread and drops them on another; glibc's
/// allocator, made for neither, costs a tenth of all time then.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

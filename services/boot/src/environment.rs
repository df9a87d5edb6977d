//! Where the process runs.

/// Where the process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Environment {
    /// For real.
    Production,
    /// On a developer's machine.
    Development,
    /// Under a test.
    Test,
}

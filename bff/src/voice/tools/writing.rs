//! What becomes of what tools change.

use caller::IdempotencyKey;

use super::dry_run::DryRun;

/// What becomes of what a tool writes.
#[derive(Debug, Clone)]
pub enum Writing {
    /// The services keep it. The key names this call of the tool: run again, it has the same effect.
    Kept(IdempotencyKey),
    /// No one keeps it: a person tries the agent.
    Dry(DryRun),
}

impl Writing {
    /// What was tried so far, where it is a trial.
    pub fn dry_run(&self) -> Option<&DryRun> {
        match self {
            Self::Kept(_) => None,
            Self::Dry(run) => Some(run),
        }
    }
}

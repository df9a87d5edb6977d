//! What a salon has but one customer at a time can use: chairs, rooms, machines.

use serde::{Deserialize, Serialize};

use super::id::ResourceId;

/// A chair, a room, a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// Its id.
    pub id: ResourceId,
    /// What it is called.
    pub name: String,
    /// What it is; services name the kinds they need.
    pub kind: String,
}

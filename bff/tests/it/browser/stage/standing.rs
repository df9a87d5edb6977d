//! Who stands before a door.

use caller::{Method as Rpc, Role};

use super::{ANA, Stage, WILLOW};

/// Who may stand before a door.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Standing {
    Stranger,
    Member(Role),
    Admin,
}

pub const EVERYONE: [Standing; 6] = [
    Standing::Stranger,
    Standing::Member(Role::Guest),
    Standing::Member(Role::Employee),
    Standing::Member(Role::Manager),
    Standing::Member(Role::Owner),
    Standing::Admin,
];

/// Every method of the contract with a REST path.
pub fn rest_methods() -> impl Iterator<Item = &'static Rpc> {
    proto::methods::ALL.iter().copied().filter(|method| !method.rest.is_empty())
}

/// Gives Ana this standing.
pub fn place(stage: &Stage, standing: Standing) {
    match standing {
        Standing::Stranger => {}
        Standing::Member(role) => stage.auth.set_role(ANA, WILLOW, Some(role)),
        Standing::Admin => stage.auth.make_admin(ANA),
    }
}

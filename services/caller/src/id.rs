//! Ids of tenants, accounts and sessions.

typed_id::typed_id! {
    /// A business: the tenant.
    BusinessId,
    /// A person's account.
    UserId,
    /// A signed-in browser: one refresh family.
    SessionId,
}

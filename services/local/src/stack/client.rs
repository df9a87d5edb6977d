//! What auth is at a provider.

/// How auth knows its provider.
#[derive(Debug, Clone)]
pub struct Client {
    /// Our name there.
    pub id: String,
    /// What proves it.
    pub secret: String,
    /// The provider.
    pub issuer: String,
}

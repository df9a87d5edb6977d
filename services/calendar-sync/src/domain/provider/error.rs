use jiff::SignedDuration;

/// Why a booking system did not answer as it should.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// It refuses the token.
    #[error("the booking system refuses the token")]
    Token,
    /// It no longer knows up to where it was read.
    #[error("the booking system no longer knows up to where it was read")]
    Forgotten,
    /// It takes no more calls for now.
    #[error("the booking system takes no more calls for now")]
    Later(SignedDuration),
    /// It may answer later.
    #[error("{0}")]
    Failed(String),
}

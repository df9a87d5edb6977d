//! Identities: a person as an identity provider knows them, and the account they have here.

use caller::UserId;
use uuid::Uuid;

use super::email::Email;

/// A person as their provider vouches for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vouched {
    /// Who vouches.
    pub issuer: String,
    /// Who it is, for the issuer: the only name of a person that lasts.
    pub subject: String,
    /// An address the issuer has verified.
    pub email: Email,
    /// Their name; `None` if the issuer does not tell it.
    pub name: Option<String>,
}

/// Id of a stored identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdentityId(pub Uuid);

/// The account that has an e-mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder {
    /// Whose it is.
    pub person: UserId,
    /// Whether they have proved that the address is theirs.
    pub verified: bool,
}

/// What a vouched-for person is to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// The identity belongs to this account.
    Known(UserId),
    /// Neither the identity nor the address has an account.
    New,
    /// The address has an account that never proved it, perhaps a stranger's: its true owner takes it
    /// over, and the earlier password and identities are dropped.
    TakesOver(UserId),
}

/// The address belongs to an account that proved it: only its person connects the identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountExists;

/// Decides whose account a vouched-for person has: by issuer and subject, never by e-mail alone.
///
/// # Errors
/// [`AccountExists`].
pub fn meet(known: Option<UserId>, holder: Option<Holder>) -> Result<Meeting, AccountExists> {
    match (known, holder) {
        (Some(person), _) => Ok(Meeting::Known(person)),
        (None, None) => Ok(Meeting::New),
        (None, Some(Holder { person, verified: false })) => Ok(Meeting::TakesOver(person)),
        (None, Some(Holder { verified: true, .. })) => Err(AccountExists),
    }
}

/// Whether a person without one of their identities can still sign in.
#[must_use]
pub fn can_do_without(has_password: bool, identities: usize) -> bool {
    has_password || identities > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(n: u128) -> UserId {
        UserId(Uuid::from_u128(n))
    }

    #[test]
    fn an_identity_counts_before_the_e_mail_it_comes_with() {
        let holder = Holder { person: person(2), verified: true };
        assert_eq!(meet(Some(person(1)), Some(holder)), Ok(Meeting::Known(person(1))));
    }

    #[test]
    fn an_unknown_address_gets_an_account_and_a_proved_one_is_never_joined_silently() {
        assert_eq!(meet(None, None), Ok(Meeting::New));
        let holder = |verified| Some(Holder { person: person(2), verified });
        assert_eq!(meet(None, holder(true)), Err(AccountExists));
        assert_eq!(meet(None, holder(false)), Ok(Meeting::TakesOver(person(2))));
    }

    #[test]
    fn the_last_way_to_sign_in_stays() {
        assert!(!can_do_without(false, 1));
        assert!(can_do_without(true, 1) && can_do_without(false, 2));
    }
}

//! What happened to an account.

use caller::{BusinessId, UserId};

use super::{account::MemberRole, client::Origin};

/// Declares the kinds with their names in the contract and the database.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal),+ $(,)?) => {
        /// What kind of thing happened.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum SecurityEventKind {
            $($(#[$doc])* $kind),+
        }

        impl SecurityEventKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// The name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => $name),+
                }
            }
        }
    };
}

kinds! {
    /// A session was opened.
    SignedIn = "SIGNED_IN",
    /// A wrong password.
    SignInFailed = "SIGN_IN_FAILED",
    /// One wrong password too many.
    SignInBlocked = "SIGN_IN_BLOCKED",
    /// A session was ended by itself.
    SignedOut = "SIGNED_OUT",
    /// Every session was ended.
    SignedOutEverywhere = "SIGNED_OUT_EVERYWHERE",
    /// A session was ended from another one.
    SessionEnded = "SESSION_ENDED",
    /// An old refresh token was shown.
    TokenReused = "TOKEN_REUSED",
    /// By who knew the current one.
    PasswordChanged = "PASSWORD_CHANGED",
    /// A link was asked for.
    PasswordResetRequested = "PASSWORD_RESET_REQUESTED",
    /// By a link.
    PasswordReset = "PASSWORD_RESET",
    /// A link was mailed to the new address.
    EmailChangeRequested = "EMAIL_CHANGE_REQUESTED",
    /// The person keeps the address they have.
    EmailChangeCancelled = "EMAIL_CHANGE_CANCELLED",
    /// The account has another address.
    EmailChanged = "EMAIL_CHANGED",
    /// The address was proved.
    EmailVerified = "EMAIL_VERIFIED",
    /// The account was made.
    Registered = "REGISTERED",
    /// A mailed code was shown.
    DeviceTrusted = "DEVICE_TRUSTED",
    /// A device is trusted no more.
    DeviceRevoked = "DEVICE_REVOKED",
    /// A wrong code was shown.
    DeviceCodeFailed = "DEVICE_CODE_FAILED",
    /// A provider's account signs in as well.
    IdentityConnected = "IDENTITY_CONNECTED",
    /// A provider's account signs in no more.
    IdentityDisconnected = "IDENTITY_DISCONNECTED",
    /// The person has another role in a business, or none.
    RoleChanged = "ROLE_CHANGED",
    /// The person became a member of a business.
    Joined = "JOINED",
    /// The person invited another to a business.
    Invited = "INVITED",
    /// The person withdrew an invitation to a business.
    InvitationWithdrawn = "INVITATION_WITHDRAWN",
    /// The account was shut out.
    Disabled = "DISABLED",
    /// The account was let in again.
    Enabled = "ENABLED",
    /// A block of failed sign-ins was lifted.
    BlockLifted = "BLOCK_LIFTED",
    /// A call was refused.
    Refused = "REFUSED",
}

/// An entry to make in an account's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSecurityEvent {
    /// Whose record; a decoy's for an address without an account.
    pub person: UserId,
    /// What happened.
    pub kind: SecurityEventKind,
    /// Where it came from.
    pub origin: Origin,
    /// Who did it, when it was another person.
    pub actor: Option<UserId>,
    /// The business it was about.
    pub business: Option<BusinessId>,
    /// A role, an address, a method; cut to 400 characters.
    pub detail: String,
}

impl NewSecurityEvent {
    /// A person's role in a business is another than before: they joined, changed it, or are no member any more.
    #[must_use]
    pub fn of_role(
        person: UserId,
        business: BusinessId,
        before: Option<MemberRole>,
        role: Option<MemberRole>,
    ) -> Self {
        let kind = if before.is_none() { SecurityEventKind::Joined } else { SecurityEventKind::RoleChanged };
        Self::of(person, kind).in_business(business).about(role.map_or("", MemberRole::as_str))
    }

    /// Something that happened to a person's account.
    #[must_use]
    pub fn of(person: UserId, kind: SecurityEventKind) -> Self {
        let origin = Origin::default();
        Self { person, kind, origin, actor: None, business: None, detail: String::new() }
    }

    /// It came from there.
    #[must_use]
    pub fn from(self, origin: &Origin) -> Self {
        Self { origin: origin.clone(), ..self }
    }

    /// This person did it; who did it to their own account is not named.
    #[must_use]
    pub fn by(self, actor: UserId) -> Self {
        Self { actor: (self.person != actor).then_some(actor), ..self }
    }

    /// It was about this business.
    #[must_use]
    pub fn in_business(self, business: BusinessId) -> Self {
        Self { business: Some(business), ..self }
    }

    /// It was about this.
    #[must_use]
    pub fn about(self, detail: impl AsRef<str>) -> Self {
        Self { detail: detail.as_ref().chars().filter(|c| !c.is_control()).take(400).collect(), ..self }
    }
}

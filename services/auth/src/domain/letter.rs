//! What mails say.

use super::{account::MemberRole, email::Email, link::Link, mail::Mail};

const NOT_YOU: &str = "If it was not you, set another password with \"Forgot your password?\" on the \
    sign-in page, look which Google accounts sign you in, and tell the owner of your business.";

fn mail(to: &Email, subject: String, paragraphs: &[&str]) -> Mail {
    Mail { to: to.clone(), subject, text: format!("Hello,\n\n{}\n\nFrontdesk\n", paragraphs.join("\n\n")) }
}

/// A name in a letter, or other words where there is none. A name that mail programs would make a link of counts as none:
/// letters of ours lead to no other site.
fn named<'a>(name: &'a str, otherwise: &'a str) -> &'a str {
    let lower = name.to_lowercase();
    let is_path = |word: &str| word.split_once('/').is_some_and(|(host, _)| host.contains('.'));
    let leads = lower.contains("://") || lower.contains("www.") || lower.split_whitespace().any(is_path);
    if name.is_empty() || leads { otherwise } else { name }
}

/// For who has forgotten the password.
#[must_use]
pub fn forgotten(to: &Email, link: &Link) -> Mail {
    let paragraphs = [
        "someone asked to set a new password for your account. If it was you, open this link within ten \
         minutes:",
        link.expose(),
        "If it was not you, do nothing: your password stays as it is.",
    ];
    mail(to, "Set a new password".to_owned(), &paragraphs)
}

/// For a person who has no account under this address.
#[must_use]
pub fn forgotten_without_account(to: &Email) -> Mail {
    let paragraphs = [
        "someone asked to set a new password for this address, but there is no account with it. If it was \
         you, try the address you registered with.",
        "If it was not you, do nothing.",
    ];
    mail(to, "There is no account with this address".to_owned(), &paragraphs)
}

/// After a password was set by a link.
#[must_use]
pub fn password_reset(to: &Email) -> Mail {
    let paragraphs =
        ["the password of your account was set anew, and you were signed out everywhere.", NOT_YOU];
    mail(to, "Your password was changed".to_owned(), &paragraphs)
}

/// After a password was set by who is signed in.
#[must_use]
pub fn password_changed(to: &Email) -> Mail {
    let paragraphs =
        ["the password of your account was changed, and every other browser was signed out.", NOT_YOU];
    mail(to, "Your password was changed".to_owned(), &paragraphs)
}

/// After a provider's account was connected.
#[must_use]
pub fn identity_connected(to: &Email, identity: &Email) -> Mail {
    let connected = format!("the Google account {} signs you in from now on.", identity.as_str());
    mail(to, "A Google account was connected".to_owned(), &[&*connected, NOT_YOU])
}

/// After a provider's account was disconnected.
#[must_use]
pub fn identity_disconnected(to: &Email, identity: &Email) -> Mail {
    let disconnected = format!("the Google account {} signs you in no more.", identity.as_str());
    mail(to, "A Google account was disconnected".to_owned(), &[&*disconnected, NOT_YOU])
}

/// Proves the address of a new account.
#[must_use]
pub fn confirm(to: &Email, link: &Link) -> Mail {
    let paragraphs = [
        "open this link within a day, and sign in with the password you registered with, to confirm that this \
         address is yours:",
        link.expose(),
        "If that is not your password, or you have not registered, set a password of your own with \"Forgot your \
         password?\" on the sign-in page: then the account is yours. You can also do nothing.",
    ];
    mail(to, "Confirm your e-mail address".to_owned(), &paragraphs)
}

/// For who registers again.
#[must_use]
pub fn registered_already(to: &Email, sign_in: &str, link: &Link) -> Mail {
    let sign_in = format!("Sign in here: {sign_in}");
    let paragraphs = [
        "someone tried to register with this address, but you have an account already. It stays as it is.",
        &sign_in,
        "If you have forgotten your password, open this link within ten minutes to set a new one:",
        link.expose(),
        "If it was not you, do nothing.",
    ];
    mail(to, "You have an account already".to_owned(), &paragraphs)
}

/// Proves a new address.
#[must_use]
pub fn confirm_change(to: &Email, link: &Link) -> Mail {
    let paragraphs = [
        "open this link within a day, signed in to your account, to make this its address:",
        link.expose(),
        "If you have not asked for it, do nothing.",
    ];
    mail(to, "Confirm your new e-mail address".to_owned(), &paragraphs)
}

/// For who would change to an address that has an account.
#[must_use]
pub fn change_to_taken(to: &Email) -> Mail {
    let paragraphs = [
        "someone asked to make this the address of another account, but it has an account already. Nothing \
         was changed.",
        "If it was not you, do nothing.",
    ];
    mail(to, "This address has an account already".to_owned(), &paragraphs)
}

/// Tells the address an account still has that another was asked for.
#[must_use]
pub fn change_asked(to: &Email, new: &Email) -> Mail {
    let asked = format!("you asked to change the address of your account to {}.", new.as_str());
    let paragraphs = [
        &*asked,
        "The change takes effect when the link we sent there is opened. If it was not you, change your \
         password at once.",
    ];
    mail(to, "Your e-mail address is about to change".to_owned(), &paragraphs)
}

/// Tells the address an account had that it has another.
#[must_use]
pub fn changed(to: &Email, new: &Email) -> Mail {
    let changed = format!("the address of your account is {} from now on.", new.as_str());
    let paragraphs = [&*changed, "If it was not you, tell the owner of your business at once."];
    mail(to, "Your e-mail address was changed".to_owned(), &paragraphs)
}

/// Invites a person to a business.
#[must_use]
pub fn invitation(to: &Email, inviter: &str, business: &str, role: MemberRole, link: &Link) -> Mail {
    let (business, inviter) = (named(business, "a business"), named(inviter, "Frontdesk"));
    let invited = format!("{inviter} invites you to join {business} on Frontdesk as {}.", role.in_words());
    let paragraphs = [
        &*invited,
        "Open this link within seven days:",
        link.expose(),
        "If you do not know what this is about, do nothing.",
    ];
    mail(to, format!("Join {business} on Frontdesk"), &paragraphs)
}

/// An export of customers' data.
#[derive(Debug, Clone, Copy)]
pub struct Exported<'a> {
    /// Who took it; empty if it was no person.
    pub by: &'a str,
    /// Of which business.
    pub business: &'a str,
    /// Of the one customer; of all, without.
    pub customer: Option<&'a str>,
}

/// For an owner, after customers' data was exported.
#[must_use]
pub fn customers_exported(to: &Email, exported: &Exported<'_>) -> Mail {
    let (by, business) = (named(exported.by, "Frontdesk"), named(exported.business, "your business"));
    let what = match exported.customer.map(|customer| named(customer, "")) {
        Some("") => "the data of a customer".to_owned(),
        Some(customer) => format!("the data of the customer {customer}"),
        None => "the list of all customers".to_owned(),
    };
    let told = format!("{by} exported {what} of {business} from Frontdesk.");
    let paragraphs =
        [&*told, "If that was not meant to happen, ask them, and look at who is a member of your business."];
    mail(to, format!("Customers of {business} were exported"), &paragraphs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{link::Links, one_time_token::OneTimeToken};

    #[test]
    fn a_link_stands_on_a_line_of_its_own() {
        let to = Email::parse("owner@demo.test").unwrap();
        let link = Links::under("https://desk.test").reset(&OneTimeToken::new([7; 32]));
        for mail in [forgotten(&to, &link), confirm(&to, &link), confirm_change(&to, &link)] {
            assert!(mail.text.lines().any(|line| line == link.expose()), "{}", mail.text);
        }
    }

    #[test]
    fn an_invitation_names_who_invites_where_and_as_what() {
        let to = Email::parse("new@demo.test").unwrap();
        let link = Links::under("https://desk.test").invitation(&OneTimeToken::new([7; 32]));
        let role = MemberRole::parse("EMPLOYEE").unwrap();
        let mail = invitation(&to, "Olive Owner", "Salon Anna", role, &link);
        assert_eq!(mail.subject, "Join Salon Anna on Frontdesk");
        assert!(
            mail.text.contains("Olive Owner invites you to join Salon Anna on Frontdesk as an employee.")
        );
        let nameless = invitation(&to, "", "", role, &link);
        assert!(
            nameless.text.contains("Frontdesk invites you to join a business on Frontdesk as an employee.")
        );
    }

    #[test]
    fn a_name_makes_no_link_of_a_letter() {
        let to = Email::parse("new@demo.test").unwrap();
        let link = Links::under("https://desk.test").invitation(&OneTimeToken::new([7; 32]));
        let role = MemberRole::parse("EMPLOYEE").unwrap();
        for name in
            ["Claim it: HTTPS://evil.test", "Www.evil.test", "Prize at evil.test/now", "hxxp://evil.test"]
        {
            let invited = invitation(&to, name, name, role, &link);
            let exported = Exported { by: name, business: name, customer: Some(name) };
            for mail in [invited, customers_exported(&to, &exported)] {
                assert!(!format!("{} {}", mail.subject, mail.text).to_lowercase().contains("evil"), "{name}");
            }
        }
        for name in ["Dr. J.R. O'Neil", "Cut/Colour", "Hair.com"] {
            assert_eq!(invitation(&to, name, name, role, &link).subject, format!("Join {name} on Frontdesk"));
        }
    }
}

use std::sync::Arc;

use jiff::Timestamp;
use uuid::Uuid;

use super::*;
use crate::Keyring;

fn keyrings() -> Vec<Arc<Keyring>> {
    Keyring::generate(&[("bff", [1; 32]), ("telemetry", [2; 32])])
        .unwrap()
        .iter()
        .map(|(_, json)| Arc::new(Keyring::parse(json).unwrap()))
        .collect()
}

fn person() -> Passport {
    let bearer = Bearer::User {
        user: UserId(Uuid::from_u128(1)),
        session: SessionId(Uuid::from_u128(2)),
        role: Some(Role::Owner),
    };
    Passport { bearer, business: Some(BusinessId(Uuid::from_u128(3))) }
}

const NOW: i64 = 1_800_000_000;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

#[test]
fn a_passport_survives_the_way_to_its_service_and_no_other() {
    let keys = keyrings();
    let token = Signer::new(keys[0].clone()).sign("scheduling", &person(), at(NOW));
    let verifier = Verifier::new("scheduling", keys[1].clone());
    assert_eq!(verifier.verify(&token, at(NOW)), Ok(person()));
    let other = Verifier::new("telemetry", keys[1].clone());
    assert_eq!(other.verify(&token, at(NOW)), Err(PassportError::OtherService));
}

#[test]
fn a_passport_ends_after_sixty_seconds() {
    let keys = keyrings();
    let token = Signer::new(keys[0].clone()).sign("scheduling", &person(), at(NOW));
    let verifier = Verifier::new("scheduling", keys[1].clone());
    assert!(verifier.verify(&token, at(NOW + 60)).is_ok());
    assert_eq!(verifier.verify(&token, at(NOW + 61)), Err(PassportError::Expired));
    assert_eq!(verifier.verify(&token, at(NOW - 60)), Err(PassportError::Expired));
}

#[test]
fn those_of_one_second_are_one_and_of_two_are_two() {
    let signer = Signer::new(keyrings()[0].clone());
    let token = |second, service| signer.sign(service, &person(), at(second));
    assert_eq!(token(NOW, "scheduling"), token(NOW, "scheduling"));
    assert_ne!(token(NOW, "scheduling"), token(NOW + 1, "scheduling"));
    assert_ne!(token(NOW, "scheduling"), token(NOW, "telemetry"));
    let other = Passport { business: None, ..person() };
    assert_ne!(signer.sign("scheduling", &other, at(NOW)), token(NOW, "scheduling"));
}

#[test]
fn voice_takes_precedence_by_what_is_signed_and_nothing_else() {
    let keys = keyrings();
    let verifier = Verifier::new("scheduling", keys[1].clone());
    let priority = |token: &str| verifier.priority(token, at(NOW));
    let door = Signer::new(keys[0].clone());
    let service = |priority| door.as_service("scheduling", person().business, priority, at(NOW));
    assert_eq!(priority(&service(Priority::Voice)), Priority::Voice);
    assert_eq!(priority(&service(Priority::Normal)), Priority::Normal);
    let agent = Passport { bearer: Bearer::Agent { connection: Uuid::from_u128(4) }, ..person() };
    let agents = door.sign("scheduling", &agent, at(NOW));
    assert_eq!(priority(&agents), Priority::Voice);
    let persons = door.sign_with("scheduling", &person(), Priority::Voice, at(NOW));
    assert_eq!(priority(&persons), Priority::Normal, "a person does not come before the others");
    assert_eq!(verifier.priority(&agents, at(NOW + 61)), Priority::Normal, "expired");
    assert_eq!(priority("agent"), Priority::Normal);
    let elsewhere = door.sign("telemetry", &agent, at(NOW));
    assert_eq!(priority(&elsewhere), Priority::Normal, "for another service");
}

#[test]
fn only_the_door_speaks_for_people() {
    let keys = keyrings();
    let token = Signer::new(keys[1].clone()).sign("scheduling", &person(), at(NOW));
    let verifier = Verifier::new("scheduling", keys[0].clone());
    assert_eq!(verifier.verify(&token, at(NOW)), Err(PassportError::Issuer));
}

#[test]
fn a_changed_or_foreign_signature_is_malformed() {
    let keys = keyrings();
    let signed = Signer::new(keys[0].clone()).sign("scheduling", &person(), at(NOW));
    let mut token = signed.to_string();
    let last = token.pop().unwrap();
    token.push(if last == 'A' { 'Q' } else { 'A' });
    let verifier = Verifier::new("scheduling", keys[1].clone());
    assert_eq!(verifier.verify(&token, at(NOW)), Err(PassportError::Malformed));
    assert_eq!(verifier.verify(&signed, at(NOW)), Ok(person()));
    assert_eq!(verifier.verify(&token, at(NOW)), Err(PassportError::Malformed), "beside a true one");
    let stranger = Keyring::generate(&[("bff", [9; 32])]).unwrap();
    let stranger = Arc::new(Keyring::parse(&stranger[0].1).unwrap());
    let token = Signer::new(stranger).sign("scheduling", &person(), at(NOW));
    assert_eq!(verifier.verify(&token, at(NOW)), Err(PassportError::Malformed));
}

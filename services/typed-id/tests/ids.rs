//! What an id type does.

use typed_id::typed_id;
use uuid::Uuid;

typed_id! {
    /// A visit.
    VisitId,
    /// A customer.
    CustomerId,
}

const ID: &str = "01900000-0000-7000-8000-000000000001";

#[test]
fn an_id_is_read_and_written_as_its_uuid() {
    let id: VisitId = ID.parse().unwrap();
    assert_eq!(id.to_string(), ID);
    assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{ID}\""));
    assert_eq!(serde_json::from_str::<VisitId>(&format!("\"{ID}\"")).unwrap(), id);
    assert_eq!(Uuid::from(id).to_string(), ID);
}

#[test]
fn what_is_no_uuid_is_no_id() {
    assert!("01900000".parse::<CustomerId>().is_err());
    assert!(serde_json::from_str::<CustomerId>("7").is_err());
}

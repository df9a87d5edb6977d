use serde_json::json;

use super::*;

#[test]
fn every_committed_profile_can_be_used() {
    let profiles = Profile::committed().unwrap();
    assert_eq!(profiles.iter().map(|profile| profile.key.as_str()).collect::<Vec<_>>(), ["phorest"]);
}

#[test]
fn a_profile_with_an_unknown_place_or_field_is_none() {
    let [text] = COMMITTED;
    for (known, unknown) in
        [("{branch}/staff\"", "{brunch}/staff\""), ("{#version}", "{#verzion}"), ("\"calls\"", "\"cals\"")]
    {
        assert!(text.contains(known), "{known}");
        assert!(Profile::parse(&text.replace(known, unknown)).is_err(), "{unknown}");
    }
}

#[test]
fn appointments_of_all_are_listed_where_no_more_than_a_filter_names_the_employee() {
    let [text] = COMMITTED;
    let lists_all = |text: &str| Profile::parse(text).unwrap().appointments.lists_all();
    assert!(lists_all(text));
    for (of_all, of_one) in [
        ("{branch}/appointment\"", "{branch}/staff/{employee}/appointment\""),
        ("\"fetch_notes\": \"true\"", "\"fetch_notes\": \"{employee}\""),
        ("\"updated_from\": \"{since}\"", "\"updated_from\": \"{since}\", \"staff\": \"{employee}\""),
    ] {
        assert!(text.contains(of_all), "{of_all}");
        assert!(!lists_all(&text.replacen(of_all, of_one, 1)), "{of_one}");
    }
}

#[test]
fn places_are_filled_and_stay_text_or_become_numbers() {
    let filled = Filled::from([("id", "a/b".to_owned()), ("version", "7".to_owned())]);
    let escaped = |text: &str| text.replace('/', "%2F");
    assert_eq!(fill("one/{id}?{none}!", &filled, escaped), "one/a%2Fb?!");
    let body = json!({ "id": "{id}", "version": "{#version}", "of": ["{version}", 3], "x": "{#id}" });
    let expected = json!({ "id": "a/b", "version": 7, "of": ["7", 3], "x": null });
    assert_eq!(fill_value(&body, &filled), expected);
}

#[test]
fn what_is_read_is_found_by_pointers() {
    let record = json!({ "first": "Mia", "last": "Larsen", "no": 7, "gone": false });
    assert_eq!(texts_at(&record, &["/first".into(), "/none".into(), "/last".into()]), "Mia Larsen");
    assert_eq!(text_at(&record, "/no").as_deref(), Some("7"));
    let gone = |value| has_any(&record, &Values::from([("/gone".to_owned(), vec![Value::Bool(value)])]));
    assert!(gone(false) && !gone(true));
    assert_eq!(records(&record, "/none").len(), 0);
}

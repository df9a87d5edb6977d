use super::*;

#[test]
fn the_most_similar_name_is_suggested_and_an_unlike_one_is_not() {
    let own: Vec<Named<u8>> = ["Women's cut & finish", "Men's cut", "Full colour", "Root touch-up"]
        .into_iter()
        .zip(0..)
        .map(|(name, id)| Named { id, name: name.to_owned() })
        .collect();
    let suggested = |name| suggestion(name, &own).map(|named| named.id);
    assert_eq!(suggested("Mens Cut"), Some(1));
    assert_eq!(suggested("Womens cut and finish"), Some(0));
    assert_eq!(suggested("Colour, full"), Some(2));
    assert_eq!(suggested("Beard trim"), None);
    assert_eq!(suggested("cut"), Some(1));
    assert_eq!(suggested(""), None);
}

fn secret(text: &str) -> Password {
    Password::new(text.to_owned())
}

#[test]
fn credentials_are_sealed_as_one_and_a_bare_token_as_it_is() {
    let settings = BTreeMap::from([("branch".to_owned(), secret("7")), ("user".to_owned(), secret("a\"b"))]);
    let all = Credentials { token: secret("hunter2"), settings };
    assert_eq!(Credentials::read(all.written()), all);
    let bare = Credentials::token(secret("{not json"));
    assert_eq!(bare.written(), secret("{not json"));
    assert_eq!(Credentials::read(bare.written()), bare);
}

#[test]
fn a_missing_setting_takes_its_default_or_is_named() {
    let setting = |key: &str, required, default: &str| Setting {
        key: key.to_owned(),
        required,
        default: default.to_owned(),
        ..Setting::default()
    };
    let system = System {
        kind: ProviderKind::Square,
        name: String::new(),
        token: String::new(),
        settings: vec![
            setting("server", true, "https://example.com"),
            setting("branch", true, ""),
            setting("note", false, ""),
        ],
        pushes: false,
        books_services: true,
    };
    let given = |settings: &[(&str, &str)]| Credentials {
        token: secret("t"),
        settings: settings.iter().map(|(key, value)| ((*key).to_owned(), secret(value))).collect(),
    };
    assert_eq!(given(&[]).complete(&system).unwrap_err(), ("branch".to_owned(), "is required"));
    assert_eq!(given(&[("branc", "7")]).complete(&system).unwrap_err().0, "branc");
    let complete = given(&[("branch", "7")]).complete(&system).unwrap();
    assert_eq!((complete.setting("server"), complete.setting("note")), ("https://example.com", ""));
    let note = given(&[("note", "new")]).settings;
    let replaced = complete.replaced(Replacement { token: None, settings: note.clone() });
    assert_eq!((replaced.setting("branch"), replaced.setting("note")), ("7", "new"));
    assert_eq!(replaced.token.expose(), "t", "a token that is not given stays");
    let renewed = replaced.replaced(Replacement { token: Some(secret("u")), settings: note });
    assert_eq!(renewed.token.expose(), "u");
}

#[test]
fn records_are_new_changed_or_gone() {
    let record = |external: &str, name: &str, gone| Record {
        kind: RecordKind::Employee,
        external: external.to_owned(),
        name: name.to_owned(),
        mapped: None,
        gone,
    };
    let kept = [record("1", "Mia", false), record("2", "Tom", false), record("3", "Ann", true)];
    let read = [("1", "Mia L."), ("3", "Ann"), ("4", "Noah")]
        .map(|(id, name)| Named { id: id.to_owned(), name: name.to_owned() });
    let counts = compare(&kept, RecordKind::Employee, &read);
    assert_eq!((counts.added, counts.changed, counts.removed), (2, 1, 1));
}

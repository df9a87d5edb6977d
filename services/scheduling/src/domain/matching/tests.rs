use engine::service::{Price, Segment, SegmentKind, Segments};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;

fn service(number: usize, names: &[&str]) -> Service {
    let minutes = Segment { kind: SegmentKind::Active, minutes: 30 };
    Service {
        id: ServiceId(Uuid::from_u128(number as u128)),
        name: names[0].to_owned(),
        category: String::new(),
        course: Segments::new(vec![minutes], 0, 0).unwrap(),
        price: Price { minor: 1, currency: "GBP".to_owned() },
        aliases: names[1..].iter().map(|name| (*name).to_owned()).collect(),
        employees: vec![],
        overrides: vec![],
        resource_kinds: vec![],
        version: 1,
        patch_test: String::new(),
    }
}

fn services(names: &[&[&str]]) -> Vec<Service> {
    names.iter().enumerate().map(|(number, names)| service(number, names)).collect()
}

fn salon() -> Lexicon {
    Lexicon::new(&services(&[
        &["Women's Cut", "ladies haircut"],
        &["Men's cut", "short back and sides"],
        &["Cut & Colour"],
        &["Brow lamination", "sobrancelhas"],
        &["Crème-Gesichtspflege für Füße"],
        &["Balayage"],
        &["Föhnen"],
    ]))
}

/// The verdict, and the names that matched.
fn found(lexicon: &Lexicon, phrase: &str) -> (Verdict, Vec<String>) {
    let ranked = lexicon.rank(phrase);
    (verdict(&ranked), ranked.into_iter().map(|candidate| candidate.matched).collect())
}

fn clear(phrase: &str) -> (String, Manner) {
    let ranked = salon().rank(phrase);
    assert_eq!(verdict(&ranked), Verdict::Clear, "{phrase}: {ranked:#?}");
    (ranked[0].matched.clone(), ranked[0].manner)
}

fn matched(name: &str, manner: Manner) -> (String, Manner) {
    (name.to_owned(), manner)
}

#[test]
fn a_name_or_an_alias_is_found_whatever_its_case_accents_and_punctuation() {
    assert_eq!(clear("WOMENS cut!"), matched("Women's Cut", Manner::Exact));
    assert_eq!(
        clear("creme gesichtspflege fur fusse"),
        matched("Crème-Gesichtspflege für Füße", Manner::Exact)
    );
    assert_eq!(clear("Short Back & Sides"), matched("short back and sides", Manner::Exact));
    assert_eq!(salon().rank("balayage")[0].score, Score::EXACT);
}

#[test]
fn a_part_of_a_name_is_enough_where_no_other_has_it() {
    assert_eq!(clear("brow"), matched("Brow lamination", Manner::Words));
    assert_eq!(clear("the brows lamination"), matched("Brow lamination", Manner::Words));
}

#[test]
fn a_name_is_found_inside_a_longer_phrase() {
    assert_eq!(clear("a ladies haircut please"), matched("ladies haircut", Manner::Words));
    assert_eq!(clear("I'd like a women's cut, maybe"), matched("Women's Cut", Manner::Words));
}

#[test]
fn a_name_that_is_misspelt_or_misheard_is_found() {
    assert_eq!(clear("balayge").0, "Balayage");
    assert_eq!(clear("sobranselhas").0, "sobrancelhas");
    assert_eq!(clear("fönen"), matched("Föhnen", Manner::Sound));
}

#[test]
fn a_word_of_several_services_is_asked_about() {
    let (verdict, names) = found(&salon(), "cut");
    assert_eq!(verdict, Verdict::Unclear);
    assert_eq!(
        names.iter().map(String::as_str).collect::<BTreeSet<_>>(),
        ["Women's Cut", "Men's cut", "Cut & Colour"].into()
    );
}

#[test]
fn an_alias_of_two_services_is_asked_about_however_exact() {
    let lexicon = Lexicon::new(&services(&[&["Root tint", "colour"], &["Full tint", "Colour"]]));
    let (verdict, names) = found(&lexicon, "colour");
    assert_eq!((verdict, names.len()), (Verdict::Unclear, 2));
}

#[test]
fn a_word_that_no_service_has_is_not_passed_over_unless_the_name_is_there_whole() {
    let lexicon = Lexicon::new(&services(&[&["Fringe trim"]]));
    assert_eq!(found(&lexicon, "beard trim").0, Verdict::Unclear);
    assert_eq!(found(&lexicon, "a fringe trim").0, Verdict::Clear);
}

#[test]
fn nothing_is_found_where_nothing_is_near() {
    for phrase in ["", " ?! ", "massage", "what time do you close", "日本", "7"] {
        assert_eq!(found(&salon(), phrase).0, Verdict::Nothing, "{phrase}");
    }
    assert_eq!(found(&Lexicon::new(&[]), "cut").0, Verdict::Nothing);
}

proptest! {
    #[test]
    fn every_name_is_its_own_best_match_and_scores_are_parts_of_one(
        names in proptest::collection::vec("[a-zA-Zäöüß' &]{1,16}", 1..8),
        phrase in "\\PC{0,40}",
    ) {
        let services: Vec<_> = names.iter().enumerate().map(|(at, name)| service(at, &[name])).collect();
        let lexicon = Lexicon::new(&services);
        for name in names.iter().filter(|name| !words(name).is_empty()) {
            prop_assert_eq!(lexicon.rank(name)[0].score, Score::EXACT);
        }
        for candidate in lexicon.rank(&phrase) {
            prop_assert!(candidate.score >= Score::LEAST && candidate.score <= Score::EXACT);
            let is_same = words(&candidate.matched) == words(&phrase);
            prop_assert_eq!(is_same, candidate.manner == Manner::Exact);
        }
    }

    #[test]
    fn the_order_of_services_does_not_matter(
        names in proptest::collection::vec("(cut|colour|wash|men|women|dry|root)( (cut|colour|wash|tint)){0,2}", 1..8),
        phrase in "(cut|kut|colour|wash|men|please)( (cut|colur|women)){0,2}",
    ) {
        let mut services: Vec<_> = names.iter().enumerate().map(|(at, name)| service(at, &[name])).collect();
        let ranked = Lexicon::new(&services).rank(&phrase);
        services.reverse();
        prop_assert_eq!(Lexicon::new(&services).rank(&phrase), ranked);
    }
}

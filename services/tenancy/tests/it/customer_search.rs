//! Customers found by what an employee types.

use proto::frontdesk::tenancy::v1::ListCustomersRequest;

use crate::stage::{LINDE, Stage, WILLOW, assert_field_refused};

fn typed(query: &str) -> ListCustomersRequest {
    ListCustomersRequest {
        business_id: WILLOW.to_string(),
        query: query.to_owned(),
        ..ListCustomersRequest::default()
    }
}

async fn found(stage: &Stage, query: &str) -> Vec<String> {
    let response = stage.customers().list_customers(stage.employee_of(WILLOW, typed(query))).await;
    response.unwrap().into_inner().customers.into_iter().map(|customer| customer.name).collect()
}

#[tokio::test]
async fn a_few_letters_find_names_whatever_their_accents_order_and_hyphens() {
    let stage = Stage::open().await;
    for (name, phone) in [
        ("Zoë Brontë-Jones", "07700 900 123"),
        ("Zoe Miller", "07700 900 456"),
        ("Anzo 100%", ""),
        ("José Ángel", ""),
    ] {
        stage.customer(WILLOW, name, phone).await;
    }
    stage.customer(LINDE, "Zoe Other", "").await;
    assert_eq!(found(&stage, "zoe").await, ["Zoë Brontë-Jones", "Zoe Miller"]);
    assert_eq!(found(&stage, "JON zoë").await, ["Zoë Brontë-Jones"]);
    assert_eq!(found(&stage, "ange jose").await, ["José Ángel"]);
    assert_eq!(found(&stage, "100%").await, ["Anzo 100%"]);
    assert_eq!(found(&stage, "%").await, [""; 0]);
    assert_eq!(found(&stage, "0123").await, ["Zoë Brontë-Jones"]);
    assert_eq!(found(&stage, "07700 900").await, ["Zoë Brontë-Jones", "Zoe Miller"]);
    assert_eq!(found(&stage, "").await.len(), 4);
}

#[tokio::test]
async fn the_last_digits_of_a_number_find_it_and_so_do_its_first_as_it_is_dialled() {
    let stage = Stage::open().await;
    stage.customer(WILLOW, "Ana", "07700 900 012").await;
    stage.customer(WILLOW, "Ben", "07700 901 212").await;
    stage.customer(WILLOW, "Cleo", "+49 30 901820").await;
    stage.customer(WILLOW, "Dina", "").await;
    stage.customer(LINDE, "Ed", "+44 7700 900 012").await;
    assert_eq!(found(&stage, "0012").await, ["Ana"], "zeros count");
    assert_eq!(found(&stage, "1212").await, ["Ben"]);
    assert_eq!(found(&stage, "0770").await, ["Ana", "Ben"]);
    assert_eq!(found(&stage, "0044 7700 9012").await, ["Ben"]);
    assert_eq!(found(&stage, "+49").await, [""; 0], "fewer digits than three are words");
    assert_eq!(found(&stage, "+49 3").await, ["Cleo"]);
    assert_eq!(found(&stage, "000").await, ["Ana"]);
}

#[tokio::test]
async fn parts_of_an_e_mail_address_find_its_customer() {
    let stage = Stage::open().await;
    stage.try_customer(WILLOW, "Ana", "", "a.o'neil_2@Willow-mail.example").await.unwrap();
    stage.try_customer(WILLOW, "Ben", "", "ben@mail.example").await.unwrap();
    stage.try_customer(LINDE, "Cleo", "", "cleo@mail.example").await.unwrap();
    for query in ["a.o'neil_2@willow-mail.example", "o'neil", "A.O", "willow", "ana willow-mail"] {
        assert_eq!(found(&stage, query).await, ["Ana"], "{query}");
    }
    assert_eq!(found(&stage, "mail").await, ["Ana", "Ben"]);
    assert_eq!(found(&stage, "neil").await, [""; 0], "words are found by their beginning");
}

#[tokio::test]
async fn marks_of_a_pattern_are_letters_like_any_other() {
    let stage = Stage::open().await;
    for name in ["A_b", "Axb", r"A\b", "O'Neil $1"] {
        stage.customer(WILLOW, name, "").await;
    }
    assert_eq!(found(&stage, "a_").await, ["A_b"]);
    assert_eq!(found(&stage, r"a\").await, [r"A\b"]);
    assert_eq!(found(&stage, "o'n $1").await, ["O'Neil $1"]);
    assert_eq!(found(&stage, "'; DROP TABLE customer --").await, [""; 0]);
    assert_eq!(found(&stage, "-").await.len(), 4);
}

#[tokio::test]
async fn what_is_found_comes_in_pages() {
    let stage = Stage::open().await;
    for name in ["Zoe Adams", "Zoe Brown", "Zoe Brown", "Zoe Clark", "Ida Smith"] {
        stage.customer(WILLOW, name, "").await;
    }
    let (mut names, mut pages, mut token) = (vec![], 0, String::new());
    loop {
        let request = ListCustomersRequest { page_size: 2, page_token: token, ..typed("zoe") };
        let page = stage.customers().list_customers(stage.employee_of(WILLOW, request)).await.unwrap();
        let page = page.into_inner();
        names.extend(page.customers.into_iter().map(|customer| customer.name));
        (pages, token) = (pages + 1, page.next_page_token);
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(
        (pages, names),
        (2, ["Zoe Adams", "Zoe Brown", "Zoe Brown", "Zoe Clark"].map(str::to_owned).to_vec())
    );
}

#[tokio::test]
async fn what_is_looked_for_is_bounded_and_either_words_or_a_whole_number() {
    let stage = Stage::open().await;
    let refused = async |request: ListCustomersRequest| {
        let response = stage.customers().list_customers(stage.employee_of(WILLOW, request)).await;
        assert_field_refused(response, "query");
    };
    refused(typed(&"a".repeat(101))).await;
    refused(ListCustomersRequest { phone: "+442079460018".to_owned(), ..typed("Ana") }).await;
}

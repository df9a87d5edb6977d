//! What the cache panel reads, field by field.

use core::time::Duration;
use std::collections::BTreeSet;

use local::visitor::Visitor;
use serde_json::{Value, json};

use crate::stack::Stack;

const PATIENCE: Duration = Duration::from_secs(20);

/// The panel's answer once it tells of an operation, read while Redis answers as fast as it should:
/// on a busy machine one reading may find it slow.
async fn told(visitor: &Visitor) -> Value {
    loop {
        let stats = visitor.get("/api/v1/debug/cache-stats").await.unwrap();
        let told = stats["recentOperations"].as_array().is_some_and(|operations| !operations.is_empty());
        if told && stats["isHealthy"] == true {
            return stats;
        }
    }
}

fn names(of: &Value) -> BTreeSet<&str> {
    of.as_object().unwrap_or_else(|| panic!("no object: {of}")).keys().map(String::as_str).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_panel_is_answered_with_these_fields_and_no_others() {
    let stack = Stack::start(&["--no-demo"]).await;
    stack.add_owner("harbour", local::demo::salon::HARBOUR).await;
    let visitor = Visitor::sign_in(&stack.url(), "harbour").await.unwrap();
    visitor.post("/api/v1/debug/test-cache", &json!({})).await.unwrap();
    let stats = tokio::time::timeout(PATIENCE, told(&visitor)).await.expect("nothing is told");

    let first = &stats["recentOperations"][0];
    let breakdown = stats["operationBreakdown"].as_object().unwrap();
    let (kind, of_kind) = breakdown.iter().next().expect("no kind of operation");
    for (part, fields) in [
        (&stats, "globalMetrics infrastructure isHealthy recentOperations operationBreakdown"),
        (&stats["globalMetrics"], "hitRatePercentage totalOperations totalHits totalMisses totalErrors"),
        (&stats["infrastructure"], "connectionStatus responseTime memoryUsage totalKeys"),
        (first, "operation key operationType result success durationMs timestamp"),
        (of_kind, "count hitRate"),
    ] {
        assert_eq!(names(part), fields.split(' ').collect(), "{part}");
    }

    assert_eq!(
        (&stats["isHealthy"], &stats["infrastructure"]["connectionStatus"]),
        (&json!(true), &json!("CONNECTED"))
    );
    for number in [
        &stats["globalMetrics"]["hitRatePercentage"],
        &stats["globalMetrics"]["totalOperations"],
        &stats["globalMetrics"]["totalHits"],
        &stats["globalMetrics"]["totalMisses"],
        &stats["globalMetrics"]["totalErrors"],
        &stats["infrastructure"]["responseTime"],
        &stats["infrastructure"]["totalKeys"],
        &first["durationMs"],
        &of_kind["count"],
        &of_kind["hitRate"],
    ] {
        assert!(number.is_number(), "{number} in {stats}");
    }
    for text in ["operation", "key", "operationType", "result"] {
        assert!(first[text].as_str().is_some_and(|text| !text.is_empty()), "{text} of {first}");
    }
    first["timestamp"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    assert!(first["success"].is_boolean() && stats["infrastructure"]["memoryUsage"].is_string());
    assert!(!kind.is_empty());
}

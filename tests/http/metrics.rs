//! What the service counts.

use std::collections::BTreeSet;

use cublino::config::{Config, Switch};

use crate::service::{START, Service};

async fn metrics(service: &Service) -> String {
    let answer = service.get("/metrics").await;
    assert_eq!(answer.header("content-type"), "text/plain; version=0.0.4");
    assert_eq!(answer.header("cache-control"), "no-store");
    answer.text().to_owned()
}

/// The value of a metric with its labels.
fn value(metrics: &str, name: &str) -> Option<f64> {
    let line = metrics.lines().find(|line| line.rsplit_once(' ').is_some_and(|(found, _)| found == name))?;
    line.rsplit_once(' ')?.1.parse().ok()
}

#[actix_web::test]
async fn requests_and_searches_are_counted() {
    let service = Service::start(&Config { search_threads: 1, ..Config::default() });
    for _ in 0..2 {
        service.ask("legal-moves", START).await;
    }
    service.ask("legal-moves", "nonsense").await;
    service.get("/v1/games/chess").await;
    service.get("/nothing").await;
    service.get(&format!("/v1/games/cublino-pur/suggestion?state={START}&depth=2")).await;
    let metrics = metrics(&service).await;
    let requests = |game, operation, status| {
        let name = format!(
            "cublino_requests_total{{game=\"{game}\",operation=\"{operation}\",status=\"{status}\"}}"
        );
        value(&metrics, &name)
    };
    assert_eq!(requests("cublino-pur", "legal_moves", "200"), Some(2.0));
    assert_eq!(requests("cublino-pur", "legal_moves", "422"), Some(1.0));
    assert_eq!(requests("none", "game", "404"), Some(1.0));
    assert_eq!(requests("none", "none", "404"), Some(1.0));
    let name = "cublino_request_duration_seconds_count{operation=\"legal_moves\"}";
    assert_eq!(value(&metrics, name), Some(3.0));
    assert_eq!(value(&metrics, "cublino_searches_finished_total"), Some(1.0));
    assert!(value(&metrics, "cublino_search_nodes_total").unwrap() > 0.0);
    assert_eq!(value(&metrics, "cublino_search_threads"), Some(1.0));
    assert!(value(&metrics, "cublino_connections").unwrap() >= 1.0);
    assert!(value(&metrics, "process_resident_memory_bytes").unwrap() > 0.0);
    assert!(value(&metrics, "process_open_fds").unwrap() > 0.0);
}

#[actix_web::test]
async fn nothing_that_callers_make_up_makes_the_metrics_grow() {
    let service = Service::start(&Config::default());
    service.get("/x").await;
    service.get("/v1/games/x/score?state=P").await;
    let before = metrics(&service).await.lines().count();
    // The request for the metrics has itself been counted for the first time.
    let before = before.max(metrics(&service).await.lines().count());
    for i in 0..20 {
        service.get(&format!("/x{i}")).await;
        service.get(&format!("/v1/games/x{i}/score?state=P")).await;
    }
    assert_eq!(metrics(&service).await.lines().count(), before);
}

#[actix_web::test]
async fn counting_can_be_switched_off() {
    let service = Service::start(&Config { metrics: Switch::Off, ..Config::default() });
    service.get("/metrics").await.problem("not-found");
    assert_eq!(service.ask("legal-moves", START).await.status, 200);
}

#[actix_web::test]
async fn dashboard_and_alerts_speak_of_metrics_that_exist() {
    let service = Service::start(&Config::default());
    service.ask("legal-moves", START).await;
    let metrics = metrics(&service).await;
    let exist: BTreeSet<&str> = metrics
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(['{', ' ']).next())
        .collect();
    let dashboard = include_str!("../../k8s/monitoring/dashboard.json");
    serde_json::from_str::<serde_json::Value>(dashboard).unwrap();
    for text in [dashboard, include_str!("../../k8s/monitoring/alerts.yaml")] {
        let is_ours = |word: &&str| word.starts_with("cublino_") || word.starts_with("process_");
        let named: BTreeSet<&str> =
            text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(is_ours).collect();
        assert!(named.len() >= 5, "{named:?}");
        for name in named {
            assert!(exist.contains(name), "there is no metric {name}");
        }
    }
}

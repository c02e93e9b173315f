//! The metrics of the service.

use std::{collections::BTreeSet, time::Duration};

use cublino::{api::Code, config::Config};
use reqwest::Method;
use serde_json::json;
use strum::VariantArray as _;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::yield_now,
    time::{sleep, timeout},
};

use crate::service::{DOCUMENT, START, Service};

async fn metrics(service: &Service) -> String {
    let answer = service.get("/metrics").await;
    assert_eq!(answer.header("content-type"), "application/openmetrics-text; version=1.0.0; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "no-store");
    answer.text().to_owned()
}

/// The value of a metric with its labels.
fn value(metrics: &str, name: &str) -> Option<f64> {
    let line = metrics.lines().find(|line| line.rsplit_once(' ').is_some_and(|(found, _)| found == name))?;
    line.rsplit_once(' ')?.1.parse().ok()
}

/// The number of requests that were answered with these labels.
fn requests(metrics: &str, game: &str, operation: &str, status: u16, code: &str) -> Option<f64> {
    let labels = format!("code=\"{code}\",game=\"{game}\",operation=\"{operation}\",status=\"{status}\"");
    value(metrics, &format!("cublino_requests_total{{{labels}}}"))
}

#[actix_web::test]
async fn requests_that_are_refused_are_counted_for_what_they_asked() {
    let api_keys = vec!["a-key-for-metrics".parse().unwrap()];
    let service = Service::start(&Config { api_keys, rate_limit: 1, rate_burst: 3, ..Config::default() });
    let score = format!("/v1/games/cublino-pur/score?state={START}");
    service.get(&score).await.problem("unauthorized");
    service.get("/%761/games/chess/score").await.problem("unauthorized");
    service.get("/v1/nothing").await.problem("unauthorized");
    service.get(&score).await.problem("too-many-requests");
    service.get("/v1/games/wari").await.problem("too-many-requests");
    service.get(&format!("/docs/{}", "x".repeat(10_000))).await.problem("uri-too-long");
    let metrics = metrics(&service).await;
    for (game, operation, status, code) in [
        ("cublino-pur", "score", 401, "unauthorized"),
        ("none", "score", 401, "unauthorized"),
        ("none", "none", 401, "unauthorized"),
        ("cublino-pur", "score", 429, "too-many-requests"),
        ("wari", "game", 429, "too-many-requests"),
        ("none", "docs", 414, "uri-too-long"),
    ] {
        let counted = requests(&metrics, game, operation, status, code);
        assert_eq!(counted, Some(1.0), "{operation} of {game}: {status}\n{metrics}");
    }
}

/// The media types are those that Prometheus accepts.
#[actix_web::test]
async fn metrics_come_in_the_format_that_the_caller_prefers() {
    let service = Service::start(&Config::default());
    let open = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let classic = "text/plain; version=0.0.4; charset=utf-8";
    for (accept, media) in [
        ("text/plain;version=0.0.4", classic),
        ("text/plain", classic),
        ("application/openmetrics-text;q=0.2,text/plain;version=0.0.4;q=0.5,*/*;q=0.1", classic),
        ("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1", open),
        ("text/plain;q=0", open),
        ("text/html", open),
        ("*/*", open),
    ] {
        let request = service.request(Method::GET, "/metrics").header("accept", accept);
        let answer = service.send(request).await;
        assert_eq!(answer.header("content-type"), media, "{accept}");
        assert!(answer.vary().join(", ").split(", ").any(|on| on == "accept"), "{:?}", answer.vary());
        let lines: Vec<&str> = answer.text().lines().collect();
        let is_sample_of = |family: &str, line: &str| {
            let name = line.split(['{', ' ']).next().unwrap();
            let endings: &[&str] = if media == open { &["", "_total", "_info"] } else { &[""] };
            let histogram = ["_bucket", "_sum", "_count"];
            endings.iter().chain(&histogram).any(|ending| name.strip_suffix(ending) == Some(family))
        };
        // Each sample belongs to the family before it, of a type that the format has.
        let mut family = None;
        for line in &lines {
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["#", "HELP", name, ..] => family = Some(name),
                ["#", "TYPE", name, kind] => {
                    assert_eq!(family, Some(name), "{line}");
                    let is_known = ["counter", "gauge", "histogram"].contains(&kind);
                    assert!(is_known || media == open && kind == "info", "{line}");
                }
                ["#", "EOF"] => assert_eq!(media, open),
                _ => assert!(is_sample_of(family.unwrap(), line), "{family:?}: {line}"),
            }
        }
        assert_eq!(lines.last() == Some(&"# EOF"), media == open);
    }
}

/// The head of a request whose body has not been sent.
async fn head(service: &Service, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(service.address()).await.unwrap();
    let head = format!(
        "POST /v1/games/cublino-pur/apply HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// The timeout for something that must happen: only a failing test waits this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until this many requests are in flight, including the one for the metrics.
async fn until_in_flight(service: &Service, requests: f64) {
    let wait = async {
        while value(&metrics(service).await, "cublino_requests_in_flight") != Some(requests) {
            yield_now().await;
        }
    };
    timeout(PATIENCE, wait).await.expect("the gauge reaches the number of requests");
}

#[actix_web::test]
async fn requests_in_flight_are_told_also_when_their_caller_leaves() {
    let service = Service::start(&Config::default());
    until_in_flight(&service, 1.0).await;
    let (one, two) = (head(&service, "{}").await, head(&service, "{}").await);
    until_in_flight(&service, 3.0).await;
    drop(one);
    until_in_flight(&service, 2.0).await;
    drop(two);
    until_in_flight(&service, 1.0).await;
}

#[actix_web::test]
async fn the_time_that_a_caller_takes_to_send_a_body_is_not_the_service_s() {
    let service = Service::start(&Config::default());
    let body = format!(r#"{{"state":"{START}","moves":["e1e2"]}}"#);
    let mut stream = head(&service, &body).await;
    // This is what the caller takes; the service takes a fraction of a millisecond.
    sleep(Duration::from_secs(2)).await;
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut begin = [0; 12];
    stream.read_exact(&mut begin).await.unwrap();
    assert_eq!(&begin, b"HTTP/1.1 200");
    let metrics = metrics(&service).await;
    let sum = value(&metrics, "cublino_request_duration_seconds_sum{operation=\"apply\"}").unwrap();
    assert!(sum < 1.0, "{sum}");
}

#[actix_web::test]
async fn durations_have_ranges_up_to_the_longest_search() {
    let service = Service::start(&Config::default());
    service.ask("score", START).await;
    let metrics = metrics(&service).await;
    for bound in ["2.5", "5.0", "7.5", "10.0", "15.0", "30.0", "60.0", "120.0", "600.0", "1200.0", "+Inf"] {
        let name = format!("cublino_request_duration_seconds_bucket{{le=\"{bound}\",operation=\"score\"}}");
        assert_eq!(value(&metrics, &name), Some(1.0), "{bound}");
    }
}

#[actix_web::test]
async fn requests_and_searches_are_counted() {
    let service = Service::start(&Config { search_threads: 1, max_wait_ms: 600_000, ..Config::default() });
    for _ in 0..2 {
        service.ask("legal-moves", START).await;
    }
    service.ask("legal-moves", "nonsense").await;
    service.get("/v1/games/chess").await;
    service.get("/nothing").await;
    service.get(&format!("/v1/games/cublino-pur/suggestion?state={START}&depth=2")).await;
    let metrics = metrics(&service).await;
    let requests = |game, operation, status, code| requests(&metrics, game, operation, status, code);
    assert_eq!(requests("cublino-pur", "legal_moves", 200, "none"), Some(2.0));
    assert_eq!(requests("cublino-pur", "legal_moves", 422, "malformed-state"), Some(1.0));
    assert_eq!(requests("none", "game", 404, "unknown-game"), Some(1.0));
    assert_eq!(requests("none", "none", 404, "not-found"), Some(1.0));
    let name = "cublino_request_duration_seconds_count{operation=\"legal_moves\"}";
    assert_eq!(value(&metrics, name), Some(3.0));
    for (class, searches) in [("interactive", 1.0), ("background", 0.0)] {
        let of = |name: &str| value(&metrics, &name.replace("CLASS", &format!("class=\"{class}\"")));
        assert_eq!(of("cublino_search_threads{CLASS}"), Some(1.0));
        assert_eq!(of("cublino_searches_ended_total{CLASS,ended=\"answered\"}"), Some(searches));
        assert_eq!(of("cublino_searches_ended_total{CLASS,ended=\"refused\"}"), Some(0.0));
        assert_eq!(of("cublino_search_wait_seconds_count{CLASS}"), Some(searches));
        assert_eq!(of("cublino_search_nodes_total{CLASS}").unwrap() > 0.0, searches > 0.0);
        assert_eq!(of("cublino_search_table_bytes{CLASS}").unwrap() > 0.0, searches > 0.0);
    }
    for pool in ["short", "long"] {
        let of = |name: &str| value(&metrics, &name.replace("POOL", &format!("pool=\"{pool}\"")));
        assert!(of("cublino_permits_free{POOL}") >= Some(31.0));
        assert_eq!(of("cublino_permits_refused_total{POOL,reason=\"share\"}"), Some(0.0));
    }
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

/// Whether a character is part of the name of a metric or of a label.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The lines of a metric.
fn lines_of<'a>(metrics: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    metrics.lines().filter(move |line| line.split(['{', ' ']).next() == Some(name))
}

#[actix_web::test]
async fn dashboard_and_alerts_use_metrics_labels_and_values_that_exist() {
    let service = Service::start(&Config::default());
    // A request counts for its operation even if it is invalid.
    for path in DOCUMENT.value["paths"].as_object().unwrap().keys() {
        let path = path.replace("{game}", "wari").replace("{code}", "busy");
        service.get(&path).await;
        service.post(&path, &json!({})).await;
    }
    let metrics = metrics(&service).await;
    let exists = |name: &str, label: &str, value: &str| {
        lines_of(&metrics, name).any(|line| line.contains(&format!("{label}=\"{value}")))
            || label == "code" && Code::VARIANTS.iter().any(|code| code.name() == value)
    };
    let dashboard = include_str!("../../k8s/components/monitoring/dashboard.json");
    let rules = include_str!("../../k8s/components/monitoring/rules.yaml");
    for text in [dashboard.replace('\\', ""), rules.to_owned()] {
        let starts = ["cublino_", "process_"].map(|prefix| text.match_indices(prefix).collect::<Vec<_>>());
        let mut names = BTreeSet::new();
        for (at, _) in starts.concat() {
            let (name, rest) = text[at..].split_once(|c| !is_word(c)).unwrap();
            names.insert(name);
            assert!(lines_of(&metrics, name).next().is_some(), "there is no metric {name}");
            let labels =
                text[at + name.len()..].strip_prefix('{').map_or("", |_| rest.split('}').next().unwrap());
            for label in labels.split(',').filter(|label| label.contains('"')) {
                let (label, value) = label.trim().split_once(|c| !is_word(c)).unwrap();
                let value = value.split('"').nth(1).unwrap();
                // Prometheus adds a job and a namespace, a variable of the dashboard stands for any value,
                // and no request here has the status of a failure.
                if matches!(label, "job" | "namespace" | "status") || value.starts_with('$') {
                    continue;
                }
                for value in value.split('|') {
                    // Of a pattern such as `evaluation.*`, what stands before the first dot is looked for.
                    let begin = value.split('.').next().unwrap();
                    assert!(exists(name, label, begin), "no {label} of {name} is {value}");
                }
            }
        }
        assert!(names.len() >= 5, "{names:?}");
    }
}

//! The port for probes and metrics.

use cublino::config::Config;
use tokio::{net::TcpStream, time::timeout};

use crate::{
    connections::{PATIENCE, connect, until_open},
    service::{Answer, Service},
};

fn service(max_connections: usize) -> Service {
    Service::start(&Config {
        admin_listen: Some("127.0.0.1:0".parse().unwrap()),
        max_connections,
        client_timeout_ms: 600_000,
        ..Config::default()
    })
}

/// The answer on that port, checked against the document.
async fn ask(service: &Service, path: &str) -> Answer {
    let admin = Service {
        base: format!("http://{}", service.admin.unwrap()),
        admin: None,
        state: service.state.clone(),
    };
    admin.get(path).await
}

#[actix_web::test]
async fn probes_are_answered_when_no_connection_is_left_for_others() {
    let service = service(1);
    let _first = connect(&service).await;
    until_open(&service, 1).await;
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(ask(&service, path).await.status, 200, "{path}");
    }
    service.state.metrics.drain();
    assert_eq!(ask(&service, "/readyz").await.status, 503);
    assert_eq!(ask(&service, "/healthz").await.status, 200);
}

#[actix_web::test]
async fn probes_are_answered_however_many_open_connections_and_send_nothing() {
    let service = service(10);
    let address = service.admin.unwrap();
    let mut open = Vec::new();
    for i in 0..1_100 {
        open.push(TcpStream::connect(address).await.unwrap());
        if i % 100 == 0 {
            let probe = timeout(PATIENCE, ask(&service, "/readyz")).await.expect("it is answered");
            assert_eq!(probe.status, 200, "{i}");
        }
    }
    let metrics = timeout(PATIENCE, ask(&service, "/metrics")).await.expect("it is answered");
    let cut = "cublino_connections_cut_total{reason=\"idle\"} ";
    let count = metrics.text().lines().find_map(|line| line.strip_prefix(cut)).unwrap();
    assert!(count.parse::<u32>().unwrap() > 1_000, "{count}");
    // The last ones are still open.
    assert!(service.state.metrics.connections.get() > 10);
}

#[actix_web::test]
async fn metrics_are_told_on_one_port_and_games_on_the_other() {
    let service = service(10);
    service.get("/metrics").await.problem("not-found");
    assert_eq!(service.get("/readyz").await.status, 200);
    assert!(
        ask(&service, "/metrics")
            .await
            .text()
            .contains("cublino_connections_cut_total{reason=\"slow-head\"} 0")
    );
    for path in ["/", "/docs/", "/openapi.json", "/v1/games", "/nowhere"] {
        let answer = reqwest::get(format!("http://{}{path}", service.admin.unwrap())).await.unwrap();
        assert_eq!(answer.status(), 404, "{path}");
        assert_eq!(answer.headers()["content-type"], "application/problem+json", "{path}");
    }
}

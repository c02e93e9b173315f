//! Who may call (keys, CORS), and how often (rate limit).

use cublino::config::{Config, Origin};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::json;

use crate::service::{Answer, SHARED, START, Service};

const KEYS: [&str; 2] = ["an-old-key-for-tests", "a-new-key-for-tests"];

fn with_keys() -> Service {
    Service::start(&Config { api_keys: KEYS.map(|key| key.parse().unwrap()).to_vec(), ..Config::default() })
}

fn limited(config: Config) -> Service {
    // One request is refilled a minute, which is longer than a test lasts.
    Service::start(&Config { rate_limit: 1, rate_burst: 2, ..config })
}

async fn games(service: &Service, name: &str, value: &str) -> Answer {
    service.send(service.request(Method::GET, "/v1/games").header(name, value)).await
}

#[actix_web::test]
async fn with_keys_only_those_who_show_one_may_ask_about_games() {
    let service = with_keys();
    for key in KEYS {
        let answer = games(&service, "authorization", &format!("Bearer {key}")).await;
        assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, "private, max-age=86400"));
    }
    for wrong in ["", "Bearer", "Bearer another-key-for-tests", KEYS[0], "Basic YTpi"] {
        let refused = games(&service, "authorization", wrong).await;
        refused.problem("unauthorized");
        assert_eq!((refused.status.as_u16(), refused.header("www-authenticate")), (401, "Bearer"));
    }
    service.ask("suggestion", START).await.problem("unauthorized");
    // However the path is spelled that leads there.
    service.get("/%76%31/games").await.problem("unauthorized");
    service.get("/v%31/games/cublino-pur").await.problem("unauthorized");
    let body = json!({"state": START, "moves": ["e1e2"]});
    service.post("/v1/games/cublino-pur/apply", &body).await.problem("unauthorized");
    service.get(&format!("/v1/games?key={}", KEYS[0])).await.problem("unauthorized");
}

#[actix_web::test]
async fn what_is_not_about_games_needs_no_key() {
    let service = with_keys();
    for path in
        ["/", "/play/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/docs/", "/problems/busy"]
    {
        assert_eq!(service.get(path).await.status, 200, "{path}");
    }
}

#[actix_web::test]
async fn who_sends_too_many_requests_is_told_when_to_come_back() {
    let service = limited(Config::default());
    for (left, time) in [(1, 60), (0, 120)] {
        let answer = service.get("/v1/games").await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("ratelimit-policy"), "\"default\";q=2;w=120");
        assert_eq!(answer.header("ratelimit"), format!("\"default\";r={left};t={time}"));
    }
    let refused = service.ask("legal-moves", START).await;
    refused.problem("too-many-requests");
    assert_eq!((refused.status.as_u16(), refused.header("ratelimit-policy")), (429, "\"default\";q=2;w=120"));
    assert!((1..=60).contains(&refused.header("retry-after").parse::<u64>().unwrap()));
    assert_eq!(service.get("/healthz").await.status, 200);
}

#[actix_web::test]
async fn a_request_counts_as_many_as_it_is_worth() {
    let keys = (0..20).map(|i| format!("key-{i}-for-this-test").parse().unwrap()).collect();
    let service =
        Service::start(&Config { rate_limit: 1, rate_burst: 100, api_keys: keys, ..Config::default() });
    let prices = SHARED.get("/v1/limits").await.json()["caller"]["prices"].clone();
    let price = |name: &str| prices[name].as_u64().unwrap();
    let (all, moves) = (price("all_spellings"), price("moves"));
    let positions = json!({"positions": vec![json!({"state": START}); 30]});
    let to_and_fro = ["e2d2", "e6d6", "d2e2", "d6e6"].repeat(100);
    let to_and_fro = [&["e1e2", "e7e6"][..], &to_and_fro[..398]].concat();
    let game = json!({"state": START, "moves": to_and_fro});
    let played = json!({"positions": [game]});
    let pur = |operation: &str| format!("/v1/games/cublino-pur/{operation}");
    let spellings = "/v1/games/mahbusa/legal-moves?state=M31-o22O&spellings=all".to_owned();
    for (i, (path, body, price)) in [
        (pur(&format!("score?state={START}")), None, 1),
        (spellings, None, all),
        (pur("score"), Some(json!({"positions": []})), 1),
        (pur("legal-moves"), Some(positions.clone()), 30),
        (pur("validation"), Some(positions.clone()), 30),
        (
            pur("legal-moves"),
            Some(json!({"positions": vec![json!({"state": START}); 3], "spellings": "all"})),
            3 * all,
        ),
        (pur("score"), Some(played), 1 + 400 / moves),
        (pur("apply"), Some(game), 1 + 400 / moves),
        (pur("analysis"), Some(json!({"moves": ["e1e2"], "nodes": 1})), 1),
        (pur("analysis"), Some(json!({"moves": &to_and_fro[..40], "nodes": 1})), 40),
        (
            pur("random-positions"),
            Some(json!({"count": 15, "plies": {"from": 1, "to": 20}})),
            15 + 300 / moves,
        ),
        // It costs more than the burst, and is answered nevertheless.
        (pur("score"), Some(json!({"positions": vec![json!({"state": START}); 500]})), 500),
    ]
    .into_iter()
    .enumerate()
    {
        let method = if body.is_some() { Method::POST } else { Method::GET };
        let request = service.request(method, &path).bearer_auth(format!("key-{i}-for-this-test"));
        let answer = service.send(if let Some(body) = &body { request.json(body) } else { request }).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let left = format!("\"default\";r={};", 100_u64.saturating_sub(price));
        assert!(answer.header("ratelimit").starts_with(&left), "{path}: {}", answer.header("ratelimit"));
    }
    // A caller who owes 400 requests may send none until these are paid off and one is refilled.
    let ask = service.request(Method::GET, "/v1/games").bearer_auth("key-11-for-this-test");
    let refused = service.send(ask).await;
    refused.problem("too-many-requests");
    let wait = refused.header("retry-after").parse::<u64>().unwrap();
    assert!((400 * 60..=401 * 60).contains(&wait), "{wait}");
}

#[actix_web::test]
async fn each_key_has_a_limit_of_its_own_and_wrong_keys_count_by_address() {
    let keys = KEYS.map(|key| key.parse().unwrap()).to_vec();
    let service = limited(Config { api_keys: keys, ..Config::default() });
    for key in KEYS {
        for status in [200, 200, 429] {
            let answer = games(&service, "authorization", &format!("Bearer {key}")).await;
            assert_eq!(answer.status, status, "{key}");
        }
        games(&service, "authorization", "Bearer another-key-for-tests").await.problem("unauthorized");
    }
    games(&service, "authorization", "Bearer yet-another-key").await.problem("too-many-requests");
}

#[actix_web::test]
async fn behind_a_proxy_that_is_trusted_callers_are_told_apart_by_what_it_says() {
    let trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let trusting = limited(Config { trusted_proxies, ..Config::default() });
    let wary = limited(Config::default());
    for (service, statuses) in [(&trusting, [200, 200, 429, 200]), (&wary, [200, 200, 429, 429])] {
        let callers = ["192.0.2.1", "9.9.9.9, 192.0.2.1", "192.0.2.1", "192.0.2.2"];
        for (caller, status) in callers.iter().zip(statuses) {
            assert_eq!(games(service, "x-forwarded-for", caller).await.status, status, "{caller}");
        }
    }
}

async fn raw(request: RequestBuilder) -> Response {
    request.send().await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

const ORIGIN: &str = "https://play.example";

#[actix_web::test]
async fn pages_of_other_origins_may_not_call_unless_they_are_named() {
    let answer = games(&SHARED, "origin", ORIGIN).await;
    assert_eq!((answer.status.as_u16(), answer.header("access-control-allow-origin")), (200, ""));

    let keys = KEYS.map(|key| key.parse().unwrap()).to_vec();
    let cors_origins = vec![Origin::Exactly(ORIGIN.to_owned())];
    let service = Service::start(&Config { cors_origins, api_keys: keys, ..Config::default() });
    let ask = |origin: &str| service.request(Method::GET, "/v1/games").header("origin", origin);
    let answer = service.send(ask(ORIGIN).bearer_auth(KEYS[0])).await;
    assert_eq!(answer.header("access-control-allow-origin"), ORIGIN);
    assert!(answer.vary().join(",").to_lowercase().contains("origin"), "{:?}", answer.vary());
    assert!(answer.vary().join(",").to_lowercase().contains("accept-encoding"), "{:?}", answer.vary());
    assert_eq!(answer.header("access-control-expose-headers"), "*");
    let other = service.send(ask("https://other.example").bearer_auth(KEYS[0])).await;
    assert_eq!((other.status.as_u16(), other.header("access-control-allow-origin")), (200, ""));
}

#[actix_web::test]
async fn browsers_are_told_in_advance_what_a_page_may_send() {
    let cors_origins = vec![Origin::Exactly(ORIGIN.to_owned())];
    let api_keys = vec![KEYS[0].parse().unwrap()];
    let service = Service::start(&Config { cors_origins, api_keys, ..Config::default() });
    let asked = |origin: &str| {
        let request =
            service.request(Method::OPTIONS, "/v1/games/cublino-pur/apply").header("origin", origin);
        request
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization,content-type,traceparent")
    };
    let allowed = raw(asked(ORIGIN)).await;
    assert_eq!((allowed.status().as_u16(), header(&allowed, "access-control-allow-origin")), (200, ORIGIN));
    assert!(header(&allowed, "access-control-allow-methods").contains("POST"));
    assert!(!header(&allowed, "x-request-id").is_empty());
    let refused = raw(asked("https://other.example")).await;
    assert_eq!(
        (refused.status().as_u16(), header(&refused, "content-type")),
        (400, "application/problem+json")
    );
    let everybody = Service::start(&Config { cors_origins: vec![Origin::Any], ..Config::default() });
    let answer = raw(everybody.request(Method::GET, "/v1/games").header("origin", ORIGIN)).await;
    assert!(["*", ORIGIN].contains(&header(&answer, "access-control-allow-origin")));
}

#[actix_web::test]
async fn a_page_that_may_call_can_read_every_refusal() {
    let config = Config { cors_origins: vec![Origin::Exactly(ORIGIN.to_owned())], ..Config::default() };
    let long = format!("/v1/games?{}", "x".repeat(10_000));
    let with_key = Config { api_keys: vec![KEYS[0].parse().unwrap()], ..config.clone() };
    let asked = [
        (Service::start(&config), Method::GET, long.as_str(), vec![414, 414]),
        (Service::start(&config), Method::GET, "/nowhere", vec![404]),
        (Service::start(&config), Method::DELETE, "/v1/games", vec![405]),
        (Service::start(&config), Method::POST, "/v1/games/wari/apply?x=1", vec![400]),
        (Service::start(&with_key), Method::GET, "/v1/games", vec![401]),
        (limited(config), Method::GET, "/v1/games", vec![200, 200, 429]),
    ];
    for (service, method, path, statuses) in asked {
        for status in statuses {
            let answer = raw(service.request(method.clone(), path).header("origin", ORIGIN)).await;
            assert_eq!(answer.status(), status, "{path}");
            assert_eq!(header(&answer, "access-control-allow-origin"), ORIGIN, "{status} {path}");
            assert_eq!(header(&answer, "access-control-expose-headers"), "*", "{status} {path}");
        }
    }
}

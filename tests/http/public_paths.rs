//! Gateway and Ingress route exactly the public paths of the service, and a proxy may put them below another.

use std::{collections::BTreeSet, fs, path::Path};

use cublino::{
    api::{Code, paths},
    games::GameId,
    http::document,
};
use reqwest::Method;
use serde_json::Value;
use url::{Position, Url};

use crate::service::{Answer, SHARED};

/// Probes and metrics: they stay inside the cluster.
const INSIDE: [&str; 3] = ["/healthz", "/metrics", "/readyz"];

/// Public paths that the document does not describe: pages for people, and indexes for programs and models.
const PAGES: [&str; 8] =
    ["/", "/docs", "/docs/", "/docs/swagger-ui.css", "/play", "/play/", paths::LLMS, paths::API_CATALOG];

/// A rule of a route.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rule {
    path: String,
    /// Whether it holds for all that is below the path as well.
    is_prefix: bool,
}

impl Rule {
    fn matches(&self, path: &str) -> bool {
        let rest = path.strip_prefix(&self.path);
        rest.is_some_and(|rest| rest.is_empty() || self.is_prefix && rest.starts_with('/'))
    }
}

/// The rules of a manifest; `path` and `kind` are the words before a path and before the type of its rule.
fn rules(manifest: &str, path: &str, kind: &str) -> BTreeSet<Rule> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("k8s/components").join(manifest);
    let text = fs::read_to_string(file).unwrap();
    let values = |name: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.trim().strip_prefix(name)).map(str::to_owned).collect()
    };
    let (paths, kinds) = (values(path), values(kind));
    assert_eq!(paths.len(), kinds.len(), "{manifest}");
    let is_prefix = |kind: String| match &*kind {
        "Exact" => false,
        "Prefix" | "PathPrefix" => true,
        other => panic!("{manifest}: {other}"),
    };
    paths.into_iter().zip(kinds).map(|(path, kind)| Rule { path, is_prefix: is_prefix(kind) }).collect()
}

#[actix_web::test]
async fn gateway_and_ingress_route_all_public_paths_and_no_others() {
    let document: Value = serde_json::from_slice(&document()).unwrap();
    let described = document["paths"].as_object().unwrap().keys().map(String::as_str);
    let (inside, mut public): (Vec<_>, Vec<_>) = described.partition(|path| INSIDE.contains(path));
    assert_eq!(inside, INSIDE);
    public.extend(PAGES);
    // The tools for language models are answered to POST only.
    public.push(paths::MCP);
    for path in PAGES {
        let status = SHARED.get(path).await.status;
        assert!(status.is_success() || status.is_redirection(), "{path}: {status}");
    }
    let gateway = rules("gateway/httproute.yaml", "value: ", "type: ");
    let ingress = rules("ingress/ingress.yaml", "- path: ", "pathType: ");
    assert_eq!(gateway, ingress);
    for path in public.iter().copied() {
        assert!(gateway.iter().any(|rule| rule.matches(path)), "{path} is not routed");
    }
    for rule in &gateway {
        assert!(!INSIDE.iter().any(|path| rule.matches(path)), "{rule:?} lets others see the inside");
        assert!(public.iter().any(|path| rule.matches(path)), "{rule:?} leads nowhere");
    }
}

/// What an answer refers to: in its headers, in HTML, in Markdown, and in the members of JSON that hold
/// links. The OpenAPI document also shows the links of other answers.
fn references(answer: &Answer) -> Vec<String> {
    fn walk(value: &Value, are_links: bool, found: &mut Vec<String>) {
        match value {
            Value::String(text) if are_links => found.push(text.clone()),
            Value::Array(items) => items.iter().for_each(|item| walk(item, are_links, found)),
            Value::Object(members) => {
                for (name, member) in members {
                    let names = ["anchor", "href", "scope", "src", "start_url", "url"];
                    let is_linked = are_links && member.is_string();
                    walk(member, is_linked || name == "links" || names.contains(&&**name), found);
                }
            }
            _ => {}
        }
    }
    let between = |text: &str, before: &str, after: char| -> Vec<String> {
        text.split(before).skip(1).map(|rest| rest.split(after).next().unwrap().to_owned()).collect()
    };
    let mut found = between(answer.header("link"), "<", '>');
    found.extend(answer.headers.get("location").map(|to| to.to_str().unwrap().to_owned()));
    match answer.header("content-type").split(';').next().unwrap() {
        "text/html" => {
            found.extend(between(answer.text(), "href=\"", '"'));
            found.extend(between(answer.text(), "src=\"", '"'));
        }
        "text/markdown" => found.extend(between(answer.text(), "](", ')')),
        kind if kind.ends_with("json") => {
            let json = answer.json();
            walk(json.get("servers").unwrap_or(&json), false, &mut found);
        }
        _ => {}
    }
    found
}

#[actix_web::test]
async fn behind_a_proxy_that_strips_a_prefix_all_references_lead_back_to_the_service() {
    let mut pages: Vec<_> = PAGES.map(str::to_owned).into();
    pages.extend([paths::GAMES.into(), paths::OPENAPI.into()]);
    pages.extend(GameId::ALL.iter().map(|&game| paths::of_game(paths::GAME, game)));
    pages.extend(Code::ALL.iter().map(|code| format!("/problems/{}", code.name())));
    let play = SHARED.get("/play/").await;
    let manifest = references(&play).into_iter().find(|link| link.ends_with("manifest.webmanifest")).unwrap();
    pages.push(format!("/play/{manifest}"));
    let outside = Url::parse("http://proxy/a/prefix").unwrap();
    let mut count = 0;
    for page in pages {
        let here = outside.join(&format!("/a/prefix{page}")).unwrap();
        for reference in references(&SHARED.get(&page).await) {
            let there = here.join(&reference).unwrap();
            if there.origin() != outside.origin() {
                continue;
            }
            let path = there[Position::BeforePath..Position::AfterQuery].strip_prefix("/a/prefix");
            let path = path.unwrap_or_else(|| panic!("{page} leads to {reference}, outside the prefix"));
            // Any method will do, but for operations GET could search.
            let method = if path.starts_with("/v1/") { Method::OPTIONS } else { Method::GET };
            assert_ne!(SHARED.send(SHARED.request(method, path)).await.status, 404, "{page}: {reference}");
            count += 1;
        }
    }
    assert!(count > 200, "only {count} references");
}

//! Gateway and Ingress route exactly the public paths of the service.

use std::{collections::BTreeSet, fs, path::Path};

use cublino::{api::paths, http::document};
use serde_json::Value;

use crate::service::SHARED;

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

//! Callers who speak HTTP/1.0, and know neither chunks nor connections that stay open.

use tokio::{io::AsyncWriteExt, time::timeout};

use crate::{
    connections::{PATIENCE, connect, rest},
    service::{SHARED, START},
};

/// The head and the body of the answer to a request.
async fn ask(request: &str, headers: &str, body: &str) -> (String, String) {
    let mut stream = connect(&SHARED).await;
    let text = format!("{request} HTTP/1.0\r\n{headers}\r\n{body}");
    stream.write_all(text.as_bytes()).await.unwrap();
    let answer = timeout(PATIENCE, rest(stream)).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_lowercase(), body.to_owned())
}

#[actix_web::test]
async fn no_answer_is_in_chunks() {
    let game = "/v1/games/cublino-pur";
    let of = |operation: &str| format!("GET {game}/{operation}?state={START}");
    let mut requests = vec![
        "GET /".to_owned(),
        "GET /healthz".to_owned(),
        "GET /readyz".to_owned(),
        "GET /metrics".to_owned(),
        "GET /openapi.json".to_owned(),
        "GET /docs/".to_owned(),
        "GET /docs/swagger-ui-bundle.js".to_owned(),
        "GET /problems/busy".to_owned(),
        "GET /v1/games".to_owned(),
        format!("GET {game}"),
        "GET /nowhere".to_owned(),
        "HEAD /healthz".to_owned(),
        "OPTIONS /healthz".to_owned(),
    ];
    requests.extend(["validation", "legal-moves", "score", "board.svg"].map(of));
    requests.extend(["suggestion", "suggestion/stream"].map(|search| of(search) + "&depth=1"));
    for request in requests {
        let (head, body) = ask(&request, "", "").await;
        assert!(head.starts_with("http/1.0 ") && !head.contains("transfer-encoding"), "{request}: {head}");
        match head.split_once("content-length: ") {
            Some((_, rest)) if !request.starts_with("HEAD") => {
                let length: usize = rest.lines().next().unwrap().parse().unwrap();
                assert_eq!(body.len(), length, "{request}");
            }
            Some(_) => assert_eq!(body, "", "{request}"),
            None => assert!(!body.contains("\r\n0\r\n"), "{request}: {body}"),
        }
    }
    let body = format!("{{\"state\":\"{START}\",\"moves\":[\"a1a2\"]}}");
    let headers = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    let (head, body) = ask(&format!("POST {game}/apply"), &headers, &body).await;
    assert!(head.starts_with("http/1.0 200") && !head.contains("transfer-encoding"), "{head}: {body}");
}

#[actix_web::test]
async fn a_compressed_or_streamed_answer_ends_with_the_connection() {
    // Compressed bytes are not text, so these are small enough to be told by their heads.
    let stream = format!("GET /v1/games/cublino-pur/suggestion/stream?state={START}&depth=2");
    let (head, body) = ask(&stream, "Connection: keep-alive\r\n", "").await;
    assert!(!head.contains("transfer-encoding") && !head.contains("connection: keep-alive"), "{head}");
    assert!(body.starts_with("event: progress\n") && body.ends_with("\n\n"), "{body}");
    assert_eq!(body.matches("event: done\n").count(), 1);
}

#[actix_web::test]
async fn a_compressed_answer_is_whole_and_not_in_chunks() {
    use tokio::io::AsyncReadExt;
    let mut stream = connect(&SHARED).await;
    let request = b"GET /v1/games HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
    let head = String::from_utf8(answer[..end].to_vec()).unwrap().to_lowercase();
    assert!(head.contains("content-encoding: gzip") && !head.contains("transfer-encoding"), "{head}");
    // The magic number, and no length of a chunk before it.
    assert_eq!(answer[end..][..2], [0x1f, 0x8b]);
}

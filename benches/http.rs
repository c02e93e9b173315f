//! What `legal-moves` costs without the network, beside a bare handler that returns the same bytes: the ratio
//! of the two is the price of the work.

use std::hint::black_box;

use actix_web::{
    App, Error, HttpResponse,
    body::MessageBody,
    dev::{Service, ServiceResponse},
    http::header::ContentType,
    rt::System,
    test,
    web::{self, Bytes, Data},
};
use criterion::{Criterion, criterion_group, criterion_main};
use cublino::{
    config::Config,
    http::{AppState, app},
};

/// The start, and a position with long chains.
const STATES: [(&str, &str); 2] = [
    ("start", "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"),
    ("midgame", "pWa1Wb1Lc2Le2Lg2Cf3He4cd5ib6ic6ie6ig6vc7vf7"),
];

fn legal_moves(criterion: &mut Criterion) {
    let system = System::new();
    let state = Data::new(AppState::new(&Config::default()).expect("search threads start"));
    let whole = system.block_on(test::init_service(app(state)));
    for (name, state) in STATES {
        let path = format!("/v1/games/cublino-pur/legal-moves?state={state}");
        let request = || test::TestRequest::get().uri(&path).to_request();
        let bytes = system.block_on(answer(&whole, request()));
        let handler = move || {
            let bytes = bytes.clone();
            async { HttpResponse::Ok().content_type(ContentType::json()).body(bytes) }
        };
        // A variable in the path would cost a regular expression, which the service does not need.
        let resource = web::resource("/v1/games/cublino-pur/legal-moves").route(web::get().to(handler));
        let bare = system.block_on(test::init_service(App::new().service(resource)));
        let mut group = criterion.benchmark_group(format!("legal-moves/{name}"));
        group.bench_function("whole", |bencher| {
            bencher.iter(|| black_box(system.block_on(answer(&whole, request()))));
        });
        group.bench_function("bare", |bencher| {
            bencher.iter(|| black_box(system.block_on(answer(&bare, request()))));
        });
        group.finish();
    }
}

async fn answer<S, R, B>(app: &S, request: R) -> Bytes
where
    S: Service<R, Response = ServiceResponse<B>, Error = Error>,
    B: MessageBody,
{
    test::read_body(test::call_service(app, request).await).await
}

criterion_group!(benches, legal_moves);
criterion_main!(benches);

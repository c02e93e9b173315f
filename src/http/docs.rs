//! Swagger UI: the document, to read and to try out.

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use actix_web::{HttpRequest, HttpResponse, web::Bytes};
use utoipa_swagger_ui::Config;

use super::{
    answers::Static,
    cache::{Tag, with_etag},
    handlers,
    problem::Problem,
};
use crate::service::Code;

/// Where the UI is.
pub const PATH: &str = "/docs/";

/// The path of its files.
pub const FILES: &str = "/docs/{file:.*}";

static CONFIG: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
    let document = <handlers::openapi_json::__path_answer as utoipa::Path>::path();
    Arc::new(Config::from(document).try_it_out_enabled(true).use_base_layout())
});

/// A file of the UI; the empty name is the page itself.
pub async fn answer(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let name = request.match_info().query("file");
    let file = utoipa_swagger_ui::serve(name, CONFIG.clone()).map_err(|error| {
        log::error!("the file '{name}' of Swagger UI cannot be made: {error}");
        Problem::internal()
    })?;
    let Some(file) = file else {
        return Err(Problem::new(Code::NotFound, format!("Swagger UI has no file '{name}'")));
    };
    let tag = Tag::of("docs", &[&name]).revalidated();
    // Pictures are compressed already.
    let is_picture = file.content_type.starts_with("image/");
    with_etag(&request, if is_picture { tag.uncoded() } else { tag }, || {
        let mut response = HttpResponse::Ok();
        let body = match file.bytes {
            Cow::Borrowed(bytes) => {
                response.extensions_mut().insert(Static);
                Bytes::from_static(bytes)
            }
            Cow::Owned(bytes) => bytes.into(),
        };
        Ok(response.content_type(file.content_type).body(body))
    })
}

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
    problem::Problem,
};
use crate::service::Code;

/// Where the UI is.
pub const PATH: &str = "/docs/";

/// The path of its files.
pub const FILES: &str = "/docs/{file:.*}";

/// A file of the UI.
struct File {
    content_type: String,
    bytes: Bytes,
}

impl File {
    /// The file with a name; the empty name is the page itself. Ours take the place of those that Swagger UI
    /// brings for others to change.
    fn named(name: &str) -> Result<Option<Self>, Problem> {
        static CONFIG: LazyLock<Arc<Config<'static>>> = LazyLock::new(Arc::default);

        let own = |content_type: &str, text: &'static str| {
            let bytes = Bytes::from_static(text.as_bytes());
            Ok(Some(Self { content_type: content_type.to_owned(), bytes }))
        };
        match name {
            "swagger-initializer.js" => own("text/javascript", include_str!("docs/initializer.js")),
            "index.css" => own("text/css", include_str!("docs/index.css")),
            _ => {
                let file = utoipa_swagger_ui::serve(name, CONFIG.clone()).map_err(|error| {
                    log::error!("the file '{name}' of Swagger UI cannot be made: {error}");
                    Problem::internal()
                })?;
                // It makes no file anew but the one that is ours.
                Ok(file.map(|file| {
                    let bytes = match file.bytes {
                        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                        Cow::Owned(bytes) => bytes.into(),
                    };
                    Self { content_type: file.content_type, bytes }
                }))
            }
        }
    }
}

/// A file of the UI.
pub async fn answer(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let name = request.match_info().query("file");
    let Some(File { content_type, bytes }) = File::named(name)? else {
        return Err(Problem::new(Code::NotFound, format!("Swagger UI has no file '{name}'")));
    };
    let tag = Tag::of("docs", &[&name]).revalidated();
    // Pictures are compressed already.
    let is_picture = content_type.starts_with("image/");
    with_etag(&request, if is_picture { tag.uncoded() } else { tag }, || {
        let mut response = HttpResponse::Ok();
        response.extensions_mut().insert(Static);
        Ok(response.content_type(content_type).body(bytes))
    })
}

//! In which format a caller wants a list that is worked out piece by piece.

use std::future::{Ready, ready};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    dev::Payload,
    http::header::{Accept, Quality},
    mime::{self, Mime},
};

use crate::{
    http::problem::Problem,
    service::{JSON, NDJSON},
};

/// The format of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListFormat {
    /// One JSON value, with the list in it.
    Json,
    /// One JSON value a line, each as soon as it is known.
    Lines,
}

impl FromRequest for ListFormat {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(request.get_header::<Accept>().map_or(Self::Json, |accept| Self::preferred(&accept))))
    }
}

impl ListFormat {
    /// Lines are for those who ask for them by name and would not rather have JSON. A caller who accepts
    /// neither gets JSON, which HTTP allows.
    fn preferred(accept: &Accept) -> Self {
        let quality = |is_wanted: fn(&Mime) -> bool| {
            let wanted = accept.iter().filter(|wanted| is_wanted(&wanted.item));
            wanted.map(|wanted| wanted.quality).max()
        };
        let lines = quality(|media| media.essence_str() == NDJSON);
        // `*/*` beside a name is for what nobody has named.
        let json = quality(|media| media.essence_str() == mime::APPLICATION_JSON.essence_str());
        if lines > json && lines > Some(Quality::ZERO) { Self::Lines } else { Self::Json }
    }

    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json => JSON,
            Self::Lines => NDJSON,
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::{http::header, test::TestRequest};

    use super::*;

    #[actix_web::test]
    async fn lines_are_for_those_who_ask_for_them() {
        for (accept, expected) in [
            (None, ListFormat::Json),
            (Some("*/*"), ListFormat::Json),
            (Some("application/*"), ListFormat::Json),
            (Some("text/html"), ListFormat::Json),
            (Some("application/json, application/x-ndjson"), ListFormat::Json),
            (Some("application/x-ndjson;q=0"), ListFormat::Json),
            (Some("application/x-ndjson"), ListFormat::Lines),
            (Some("Application/X-NDJSON, */*"), ListFormat::Lines),
            (Some("application/json;q=0.5, application/x-ndjson;q=0.6"), ListFormat::Lines),
            (Some("???"), ListFormat::Json),
        ] {
            let mut request = TestRequest::default();
            if let Some(accept) = accept {
                request = request.insert_header((header::ACCEPT, accept));
            }
            let request = request.to_http_request();
            let format = ListFormat::from_request(&request, &mut Payload::None).await.unwrap();
            assert_eq!(format, expected, "{accept:?}");
        }
    }
}

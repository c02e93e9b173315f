//! The headers that all requests may have, or all for answers with an entity tag.

use utoipa::openapi::{
    OpenApi, Ref, RefOr, Required, Type,
    path::{Operation, Parameter, ParameterBuilder, ParameterIn},
    schema::ObjectBuilder,
};

/// A header of requests that is described once, for all operations that read it.
struct RequestHeader {
    /// The name of the description.
    component: &'static str,
    name: &'static str,
    description: &'static str,
}

const REQUEST_ID: RequestHeader = RequestHeader {
    component: "RequestId",
    name: "X-Request-Id",
    description: "A name for the request, which its answer and the log of the service repeat: 1 to 128 \
                  letters, digits and the characters `-_.:`. Another is not taken over; instead of it, and \
                  of none, the service makes one.",
};

const IF_NONE_MATCH: RequestHeader = RequestHeader {
    component: "IfNoneMatch",
    name: "If-None-Match",
    description: "The entity tags of answers that the caller has, as `ETag` named them, separated by commas, \
                  or `*`. If the answer is one of them it is not sent again, and the status is 304.",
};

impl RequestHeader {
    fn described(&self) -> RefOr<Parameter> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let header = ParameterBuilder::new().name(self.name).parameter_in(ParameterIn::Header);
        let header = header.required(Required::False).description(Some(self.description));
        header.schema(Some(text)).build().into()
    }

    fn reference(&self) -> RefOr<Parameter> {
        RefOr::Ref(Ref::new(format!("#/components/parameters/{}", self.component)))
    }
}

/// Describes the headers once.
pub(super) fn describe(document: &mut OpenApi) {
    let parameters = &mut document.components.get_or_insert_default().parameters;
    parameters.extend([REQUEST_ID, IF_NONE_MATCH].map(|it| (it.component.to_owned(), it.described())));
}

/// Adds to an operation the headers that it reads, of which one counts only where answers have entity tags.
pub(super) fn add(operation: &mut Operation, has_etag: bool) {
    let parameters = operation.parameters.get_or_insert_default();
    parameters.push(REQUEST_ID.reference());
    if has_etag {
        parameters.push(IF_NONE_MATCH.reference());
    }
}

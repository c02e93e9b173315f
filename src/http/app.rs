//! The application: what every request goes through.

use actix_web::{
    App, Error,
    body::MessageBody,
    dev::{ServiceFactory, ServiceRequest, ServiceResponse},
    middleware::{Condition, from_fn},
    web::{self, Data},
};

use super::{answers, cors, guard, observe, routes, state::AppState};

/// The application: what one worker of the server answers with.
pub fn app(
    state: Data<AppState>,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    let guarded = state.access.is_limited();
    let (others_call, cors) = (!state.origins.is_empty(), cors::cors(&state.origins));
    App::new()
        .app_data(state)
        .wrap_fn(answers::bound)
        .wrap(Condition::new(guarded, from_fn(guard::guard)))
        .wrap(Condition::new(others_call, cors))
        .wrap_fn(observe::observe)
        .configure(routes::configure)
        .default_service(web::to(routes::not_found))
}

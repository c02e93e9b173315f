//! One answer for each of many positions, or the problem in its place.

use std::{pin::pin, rc::Rc};

use actix_web::{HttpRequest, HttpResponse, web::Data};
use futures_util::{Stream, StreamExt as _, stream};

use super::{
    context::RequestContext,
    extract::ListFormat,
    in_flight::{Share, UNCOUNTED},
    list_body::{self, Frame, List},
    problem::Problem,
    state::AppState,
    turn::Turn,
};
use crate::{
    game::{Notation, Record, Stage},
    pool::{Batch, Demand},
    service::{self, Entry, Failure, PositionQuestion, limits::PRICES, many::Unanswered, to_json},
};

/// The JSON of a [`Results`].
const FRAME: Frame = Frame { opening: r#"{"results":["#, closing: "]}" };

/// The JSON of an [`Answered`], around the answer.
const ANSWERED: (&str, &str) = (r#"{"answer":"#, "}");

/// The JSON of the result for which there is no answer.
fn no_answer(problem: &Problem) -> String {
    to_json(&Unanswered { problem: problem.body() })
}

/// Checks how many positions there are, and counts the request for as many as they are worth: each of them is
/// worth so many requests.
///
/// # Errors
/// There are more than the service answers in one request, or the caller has a debt.
fn admit(request: &HttpRequest, state: &AppState, positions: &[Entry], worth: usize) -> Result<(), Problem> {
    let (count, limit) = (positions.len(), state.limits.max_positions);
    if count > limit {
        let detail = format!("'positions' has {count} entries, and must have no more than {limit}");
        return Err(Problem::invalid_parameter("positions", detail));
    }
    let moves = positions.iter().map(|position| position.moves).sum();
    state.access.charge(request, PRICES.of(count * worth, moves))
}

/// The game of a position as far as it has been played. Others on the same thread have their turn in between.
///
/// # Errors
/// The state cannot be read, or the failure names the first move that cannot be played.
pub async fn record<G: Notation>(
    position: &PositionQuestion,
    max_moves: usize,
    turn: &Turn,
) -> Result<Record<G>, Failure> {
    let mut replay = position.replay(service::read(&position.state)?, max_moves)?;
    for ply in replay.by_ref() {
        ply?;
        turn.pass().await;
    }
    Ok(replay.record)
}

/// Answers a cheap question about each of some positions, while the answers are sent. `answer` gives the JSON
/// of an answer in pieces, each of which is worked out when it is asked for; each answer is worth so many
/// requests.
///
/// # Errors
/// There are too many positions, or the caller has a debt.
pub fn answer_each<P: IntoIterator<Item = Vec<u8>>>(
    request: &HttpRequest,
    state: &AppState,
    format: ListFormat,
    positions: Vec<Entry>,
    worth: usize,
    answer: impl AsyncFn(PositionQuestion, &Turn) -> Result<P, Failure> + 'static,
) -> Result<HttpResponse, Problem> {
    admit(request, state, &positions, worth)?;
    Ok(list_body::respond(format, FRAME, async move |list: &mut List| {
        for position in positions {
            let answered = match position.get() {
                Ok(position) => answer(position, &list.turn).await,
                Err(failure) => Err(failure),
            };
            match answered {
                Ok(pieces) => {
                    let part = |text: &str| std::iter::once(text.into());
                    list.add(part(ANSWERED.0).chain(pieces).chain(part(ANSWERED.1))).await;
                }
                Err(failure) => list.add([no_answer(&failure.into())]).await,
            }
        }
    }))
}

/// What one of many searches of a request needs.
#[derive(Clone, Debug)]
pub struct SearchOfMany {
    /// What names the request in the log.
    pub context: RequestContext,
    /// The application.
    pub state: Data<AppState>,
    /// The searches of the request.
    pub batch: Batch,
    /// What may be found and not be read yet: the reader may be slow.
    _found: Rc<Share>,
}

impl SearchOfMany {
    /// Leave to make so many searches of each kind, each of which finds so many lines.
    ///
    /// # Errors
    /// They count for too much together, too many requests have many searches, or there is no memory for what
    /// they find.
    pub fn begin(
        context: RequestContext,
        state: Data<AppState>,
        searches: &[(Demand, usize)],
        lines: usize,
    ) -> Result<Self, Problem> {
        /// Bytes of a line with its value, as a search finds it.
        const LINE: usize = 128;
        /// No position has more: a double in Mahbusa shares four steps among fifteen checkers.
        const MOST_LINES: usize = 3_060;
        let begun = state.pool.begin_batch(state.access.id(&context.caller), searches);
        let batch = begun.map_err(|not_begun| state.not_begun(not_begun))?;
        let mut found = state.in_flight.share();
        found.set(batch.window().saturating_mul(lines.min(MOST_LINES) * LINE))?;
        Ok(Self { context, state, batch, _found: Rc::new(found) })
    }
}

/// Searches each of some positions, as many at a time as there are threads for, and answers in their order.
/// `demand` is what a search takes, before a roll or else, and `lines` how many lines it finds.
///
/// # Errors
/// There are too many positions, or the searches are not begun.
pub fn search_each<G: Notation, S>(
    request: &HttpRequest,
    state: &Data<AppState>,
    format: ListFormat,
    positions: Vec<Entry>,
    demand: impl Fn(bool) -> Demand,
    lines: usize,
    search: impl Fn(SearchOfMany, Record<G>) -> S + 'static,
) -> Result<HttpResponse, Problem>
where
    S: Future<Output = Result<String, Problem>> + 'static,
{
    admit(request, state, &positions, 1)?;
    let rolls = positions
        .iter()
        .filter(|_| !G::ROLLS.is_empty())
        .filter_map(|position| position.get().ok())
        .filter(is_before_roll::<G>)
        .count();
    let searches = [(demand(false), positions.len() - rolls), (demand(true), rolls)];
    let many = SearchOfMany::begin(RequestContext::of(request), state.clone(), &searches, lines)?;
    let (window, max_moves, search) = (many.batch.window(), state.limits.max_moves, Rc::new(search));
    let results = stream::iter(positions).map(move |position| {
        let (many, search) = (many.clone(), search.clone());
        async move {
            let mut share = many.state.in_flight.share();
            let answer = async {
                share.set(position.moves * REPLAYED)?;
                search(many, record(&position.get()?, max_moves, &Turn::begin()).await?).await
            };
            let text = match answer.await {
                Ok(answer) => [ANSWERED.0, &answer, ANSWERED.1].concat(),
                Err(problem) => no_answer(&problem),
            };
            Found::new(text, share)
        }
    });
    Ok(list_body::respond_with(format, FRAME, results.buffered(window)))
}

/// What a replayed move takes until its position has been searched, in bytes: the positions that occurred,
/// for the game and for the search.
pub const REPLAYED: usize = 256;

/// The JSON of a result that has been found, and waits until those before it have been sent.
struct Found {
    text: String,
    _share: Share,
}

impl Found {
    /// If there is no memory for it, it says so instead.
    fn new(text: String, mut share: Share) -> Self {
        let held = share.set(text.len().saturating_sub(UNCOUNTED));
        let text = held.map_or_else(|exhausted| no_answer(&exhausted.into()), |()| text);
        Self { text, _share: share }
    }
}

impl AsRef<[u8]> for Found {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

/// Values as one list in JSON, without its brackets. As text they take a fraction of the memory, which counts
/// among the bytes in flight.
///
/// # Errors
/// There is no next value, or no memory for it.
pub async fn collect(
    state: &AppState,
    values: impl Stream<Item = Result<Vec<u8>, Problem>>,
) -> Result<String, Problem> {
    let (mut values, mut share) = (pin!(values), state.in_flight.share());
    let mut text = Vec::new();
    while let Some(value) = values.next().await {
        if !text.is_empty() {
            text.push(b',');
        }
        text.append(&mut value?);
        share.set(text.len())?;
    }
    Ok(String::from_utf8(text).expect("JSON is UTF-8"))
}

/// Whether the dice are to be rolled in a position, if it is one.
fn is_before_roll<G: Notation>(position: &PositionQuestion) -> bool {
    match position.moves.last() {
        Some(text) => text.parse::<G::Roll>().is_err(),
        None => G::read(&position.state).is_ok_and(|position| position.stage() == Stage::Roll),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        http::in_flight::BytesInFlight,
        service::{
            Code,
            many::{Answered, PositionResult},
        },
    };

    #[test]
    fn a_result_is_written_as_it_is_documented() {
        let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let documented = json!(PositionResult::Answered(Answered { answer: json!({"count": 7}) }));
        assert_eq!(parse(&[ANSWERED.0, r#"{"count":7}"#, ANSWERED.1].concat()), documented);

        let problem = || Problem::new(Code::IllegalMove, "no");
        let body = Box::leak(Box::new(problem())).body();
        let documented = json!(PositionResult::<()>::Unanswered(Unanswered { problem: body }));
        assert_eq!(parse(&no_answer(&problem())), documented);
    }

    #[test]
    fn an_answer_for_which_there_is_no_memory_is_replaced() {
        let in_flight = BytesInFlight::new(100);
        let find = |length| Found::new("1".repeat(length), in_flight.share());
        let found = find(UNCOUNTED + 100);
        assert_eq!((found.as_ref().len(), in_flight.held()), (UNCOUNTED + 100, 100));
        let other = find(UNCOUNTED + 1);
        assert_eq!(serde_json::from_slice::<Value>(other.as_ref()).unwrap()["problem"]["code"], "busy");
        assert_eq!(find(UNCOUNTED).as_ref().len(), UNCOUNTED);
        drop(found);
        assert_eq!(in_flight.held(), 0);
    }
}

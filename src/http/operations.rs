//! Handlers of the operations: a question about a game, the same question about many positions, and the
//! searches for both.

use std::{
    pin::pin,
    rc::Rc,
    time::{Duration, Instant},
};

use actix_web::{
    Error, HttpRequest, HttpResponse,
    http::{
        Method,
        header::{HeaderName, HeaderValue},
        uri::PathAndQuery,
    },
    web::{self, Bytes, Data},
};
use futures_util::{
    StreamExt as _,
    stream::{self, FuturesOrdered},
};
use tokio::sync::watch;

use super::{
    access::Access,
    metrics::Metrics,
    permits::{Permits, Pool},
    problem::Problem,
    read::{ListFormat, Question},
    request::{RequestContext, part},
    write::{self, LatestEvent, List, Tag, Turn, json, no_store},
};
use crate::{
    api::{
        self, Answer, AnswerAtOnce, Asked, Bounds, Code, Effort, Entry, Many, Operation, Plan, Played,
        PositionQuestion, Results, Series, Unanswered,
        limits::{LIGHT_MOVES, PRICES, SearchAllowance},
        replay,
        suggestion::{DONE, SuggestionEvent},
    },
    config::Config,
    game::{Notation, Stage},
    games::GameId,
    queue::{Class, Demand, Queue, QueueError, Running},
    with_game,
};

/// How a question is answered, now that its position is known.
enum Prepared<O: Operation> {
    Answer(Answer<O>),
    Search(api::Search<O>),
    Events(api::Search<O>, LatestEvent),
    Series(Box<dyn Series<O>>, Vec<(Effort, usize)>),
}

/// Prepares the answer to a question. Yields to other requests on the same thread while moves are played.
///
/// # Errors
/// The question has no answer.
async fn prepare<O: Operation, G: Played>(
    position: &PositionQuestion,
    question: &O::Question,
    bounds: &Data<Bounds>,
) -> Result<Prepared<O>, Problem> {
    let (text, turn) = (position.state.as_str(), Turn::begin());
    // The limits are checked before the state.
    O::plan::<G>(question, bounds, Stage::Move)?;
    let start = match api::read::<G>(text) {
        Ok(start) => start,
        Err(failure) => {
            let answer = O::about_no_state::<G>(text).map(Answer::Value);
            return Ok(Prepared::Answer(answer.ok_or(failure)?));
        }
    };
    let mut record = position.record(start);
    for ply in replay(&mut record, &position.moves)? {
        ply?;
        turn.pass().await;
    }
    let plan = O::plan::<G>(question, bounds, record.stage())?;
    let asked = Asked { text, record, question, bounds };
    Ok(match plan {
        Plan::AtOnce(answer) if O::price(question) > 1 => {
            Prepared::Answer(elsewhere(answer, asked, bounds.clone()).await?)
        }
        Plan::AtOnce(answer) => Prepared::Answer(answer(asked)?),
        Plan::Search(effort, begin) => Prepared::Search(begin(asked, effort)?),
        Plan::Events(effort, begin) => {
            let (sender, progress) = watch::channel(None);
            let on_progress = Box::new(move |depth| drop(sender.send_replace(Some(write::event(&depth)))));
            Prepared::Events(begin(asked, effort, on_progress)?, progress)
        }
        Plan::Series(efforts, begin) => Prepared::Series(begin(asked)?, efforts),
    })
}

/// Answers on another thread, since that may take some milliseconds.
async fn elsewhere<O: Operation, G: Played>(
    answer: AnswerAtOnce<G, O>,
    Asked { text, record, question, .. }: Asked<'_, G, O::Question>,
    bounds: Data<Bounds>,
) -> Result<Answer<O>, Problem> {
    let (text, question) = (text.to_owned(), question.clone());
    let answer = move || answer(Asked { text: &text, record, question: &question, bounds: &bounds });
    Ok(web::block(answer).await.map_err(|_| Problem::internal())??)
}

/// Answers a question about a game.
pub async fn ask<O: Operation>(
    request: HttpRequest,
    game: Data<GameId>,
    bounds: Data<Bounds>,
    Question(question): Question<O::Question>,
) -> Result<HttpResponse, Problem> {
    let (game, version) = (**game, bounds.tablebases.version());
    let (access, permits) = (part::<Access>(&request), part::<Permits>(&request));
    let (in_query, price) = (O::METHOD == api::Method::Get, O::price(&question));
    // Before anything large is held.
    if O::HAS_LINES {
        permits.take(&request, Pool::Long).await?;
    } else if O::is_large(&question) {
        permits.take(&request, Pool::Short).await?;
    }
    if !in_query {
        access.charge(&request, price)?;
    }
    let state = O::state(&question).map(str::to_owned);
    let prepared = with_game!(game, G => {
        let state = state.unwrap_or_else(|| G::default().to_string());
        let position = PositionQuestion { state, ..PositionQuestion::default() };
        prepare::<O, G>(&position, &question, &bounds).await
    })?;
    let is_timed = match &prepared {
        Prepared::Answer(_) => false,
        Prepared::Search(search) => search.effort.options.limits.time.is_some(),
        Prepared::Events(..) | Prepared::Series(..) => true,
    };
    let coding = write::chosen(&request).filter(|_| O::IS_COMPRESSED);
    let tag = (in_query && !is_timed).then(|| tag::<O>(&request, &bounds).in_coding(coding));
    if let Some(response) = tag.as_ref().and_then(|tag| tag.not_modified(&request)) {
        return Ok(response);
    }
    if in_query {
        access.charge(&request, price)?;
    }
    let response = match prepared {
        Prepared::Answer(answer) => write::answer(&request, answer, coding, price > 1).await?,
        // HEAD: the length of the body is unknown before the search, and the body is not wanted.
        Prepared::Search(_) if request.method() == Method::HEAD => {
            HttpResponse::Ok().content_type(O::MEDIA).streaming(stream::empty::<Result<Bytes, Error>>())
        }
        Prepared::Search(search) => {
            // Boxed: it is most of the memory of this future, and requests without a search do not need it.
            let mut search = Box::pin(Search::begin(request, Class::Interactive, game, search)).await?;
            let mut response = json(&search.answer().await?);
            response.headers_mut().insert(TIMING_HEADER, search.timing());
            response
        }
        Prepared::Events(search, progress) => return events(request, game, search, progress).await,
        Prepared::Series(series, efforts) => return lines(request, game, series, &efforts).await,
    };
    // A search that finds its tablebase damaged continues without it, but the tag would still name it.
    Ok(match tag.filter(|_| bounds.tablebases.version() == version) {
        Some(tag) => tag.attach(response),
        None if O::METHOD == api::Method::PostOrQuery => response,
        None => no_store(response),
    })
}

/// The ETag of the answer to a URL that does not depend on time. It includes everything else that the answer
/// depends on if it uses the engine.
fn tag<O: Operation>(request: &HttpRequest, bounds: &Bounds) -> Tag {
    let url = request.uri().path_and_query().map_or("", PathAndQuery::as_str);
    if !O::USES_ENGINE {
        return Tag::of(url, "");
    }
    let Bounds { search: SearchAllowance { depth, nodes, .. }, table_bytes, tablebases } = bounds;
    let numbers = [u64::from(*depth), *nodes, *table_bytes as u64, tablebases.version().into()];
    Tag::of(url, numbers.map(u64::to_le_bytes).as_flattened())
}

/// Answers the same question about each of many positions. A position without an answer gets a problem.
pub async fn ask_about_many<O: Operation>(
    request: HttpRequest,
    game: Data<GameId>,
    bounds: Data<Bounds>,
    Question(Many { positions, question }): Question<Many<O::Question>>,
) -> Result<HttpResponse, Problem> {
    let (game, format) = (**game, ListFormat::wanted(&request));
    let (queue, permits) = (part::<Queue>(&request), part::<Permits>(&request));
    let (count, price) = (positions.len(), O::price(&question));
    let [mut readable, mut moves, mut rolls] = [0; 3];
    for position in positions.iter().filter_map(|entry| entry.get().ok()) {
        readable += 1;
        moves += position.moves.len();
        rolls += usize::from(with_game!(game, G => is_before_roll::<G>(&position)));
    }
    let (mut window, mut searches) = (1, Vec::new());
    for (stage, count) in [(Stage::Move, count - rolls), (Stage::Roll, rolls)] {
        with_game!(game, G => {
            if let Plan::Search(effort, _) = O::plan::<G>(&question, &bounds, stage)? {
                searches.push((effort, count));
            }
        });
    }
    if !searches.is_empty() {
        check_work(&request, game, &searches)?;
        // Results that have been found wait for their turn to be sent.
        window = if O::is_large(&question) { 2 } else { queue.window() };
    }
    let class = if count > 1 { Class::Background } else { Class::Interactive };
    if count > 1 {
        permits.take(&request, Pool::Long).await?;
    } else if O::is_large(&question) || moves > LIGHT_MOVES || price > 1 {
        permits.take(&request, Pool::Short).await?;
    }
    let malformed = u32::try_from(count - readable).unwrap_or(u32::MAX);
    let all = PRICES.of(readable, moves).saturating_mul(price).saturating_add(malformed);
    part::<Access>(&request).charge(&request, all)?;
    // Without searches, the answers are computed one after the other, while they are sent.
    let shared = Rc::new((request, bounds, question));
    let results = stream::iter(positions).map(move |entry| {
        let shared = shared.clone();
        async move {
            let (request, bounds, question) = &*shared;
            result::<O>(&entry, request, (game, class), question, bounds).await
        }
    });
    Ok(List::new(format).send(&mut write::list_head(format), async move |list: &mut List| {
        list.begin(&Results::<O> { results: Vec::new() });
        let mut results = pin!(results.buffered(window));
        while let Some(result) = results.next().await {
            match result {
                Ok(answer) => list.add_answer(answer).await,
                Err(problem) => list.add(&Unanswered { problem: problem.body() }),
            }
            list.pause().await;
        }
        list.end();
    }))
}

/// The answer about one of many positions.
async fn result<O: Operation>(
    entry: &Entry,
    request: &HttpRequest,
    (game, class): (GameId, Class),
    question: &O::Question,
    bounds: &Data<Bounds>,
) -> Result<Answer<O>, Problem> {
    let position = entry.get()?;
    match with_game!(game, G => prepare::<O, G>(&position, question, bounds).await)? {
        Prepared::Answer(answer) => Ok(answer),
        Prepared::Search(search) | Prepared::Events(search, _) => {
            let found = Search::begin(request.clone(), class, game, search).await?.answer().await?;
            Ok(Answer::Value(found))
        }
        // Such an operation has one question for each answer.
        Prepared::Series(..) => Err(Problem::internal()),
    }
}

/// Whether the dice must be rolled in a position; false if the position is invalid.
fn is_before_roll<G: Notation>(PositionQuestion { state, moves, .. }: &PositionQuestion) -> bool {
    match moves.last() {
        _ if G::ROLLS.is_empty() => false,
        Some(text) => text.parse::<G::Roll>().is_err(),
        None => G::read(state).is_ok_and(|position| position.stage() == Stage::Roll),
    }
}

/// Answers with the results of many searches: each in a line of its own as soon as it is known, or all in one
/// JSON value.
async fn lines<O: Operation>(
    request: HttpRequest,
    game: GameId,
    mut series: Box<dyn Series<O>>,
    efforts: &[(Effort, usize)],
) -> Result<HttpResponse, Problem> {
    let format = ListFormat::wanted(&request);
    check_work(&request, game, efforts)?;
    let mut list = List::new(format);
    if format == ListFormat::Lines {
        return Ok(list.send(&mut write::list_head(format), async move |list: &mut List| {
            series.first_line().iter().for_each(|line| list.add(line));
            let add = async |line| {
                list.add(&line);
                list.pause().await;
            };
            match run(&mut *series, &request, game, add).await {
                Ok(()) => series.last_line().iter().for_each(|line| list.add(line)),
                Err(problem) => list.add(&Unanswered { problem: problem.body() }),
            }
        }));
    }
    // As JSON, the results take a fraction of the memory.
    run(&mut *series, &request, game, async |entry| list.add(&entry)).await?;
    Ok(no_store(write::text(O::MEDIA, list.within(&series.whole()))))
}

/// Runs the searches of a series, a window of them at a time, and adds what they find, in their order. The
/// request has a permit.
///
/// # Errors
/// A search has failed.
pub async fn run<O: Operation>(
    series: &mut dyn Series<O>,
    request: &HttpRequest,
    game: GameId,
    mut add: impl AsyncFnMut(O::Item),
) -> Result<(), Problem> {
    let window = part::<Queue>(request).window();
    let mut running = FuturesOrdered::new();
    while !series.is_complete() {
        while running.len() < window
            && let Some(search) = series.next()
        {
            let request = request.clone();
            running.push_back(async move {
                Search::begin(request, Class::Background, game, search).await?.answer().await
            });
        }
        let Some(found) = running.next().await else { break };
        if let Some(entry) = series.add(found?) {
            add(entry).await;
        }
    }
    Ok(())
}

/// The header in which a browser names the last event that it has seen.
pub const LAST_EVENT_ID: &str = "Last-Event-ID";

/// Streams the progress of a search, and at the end its answer, as events.
async fn events<O: Operation>(
    request: HttpRequest,
    game: GameId,
    search: api::Search<O>,
    progress: LatestEvent,
) -> Result<HttpResponse, Problem> {
    if request.headers().get(LAST_EVENT_ID).is_some_and(|id| id.as_bytes() == DONE.as_bytes()) {
        return Ok(no_store(HttpResponse::NoContent().finish()));
    }
    let mut response = write::event_stream();
    if request.method() == Method::HEAD {
        return Ok(response.streaming(stream::empty::<Result<Bytes, Error>>()));
    }
    part::<Permits>(&request).take(&request, Pool::Long).await?;
    let silence = Duration::from_millis(part::<Config>(&request).heartbeat_ms);
    let mut search = Search::begin(request, Class::Interactive, game, search).await?;
    response.insert_header((TIMING_HEADER, search.timing()));
    let answer = async move {
        match search.answer().await {
            Ok(answer) => write::event(&answer),
            Err(problem) => write::event(&SuggestionEvent::Problem { data: problem.body() }),
        }
    };
    Ok(response.streaming(Box::pin(write::events(progress, answer, silence))))
}

/// The header with the time that a search has waited, and the time that it took.
pub const TIMING_HEADER: HeaderName = HeaderName::from_static("server-timing");

/// A search that runs for a caller: within its quota, and in its turn. Dropping it stops the search. Its time
/// is charged to the quota.
#[derive(Debug)]
pub struct Search<T> {
    request: HttpRequest,
    running: Running<T>,
    waited: Duration,
    began: Instant,
    /// The most time that is charged: a search of a batch may wait for a processor while it runs.
    most: Duration,
    /// How long the search took, once that is known.
    thought: Option<Duration>,
}

impl<T: Send + 'static> Search<T> {
    /// Queues a search for the caller of a request, on its own or as one of a batch, and waits until it has a
    /// thread.
    ///
    /// # Errors
    /// The caller's quota is used up, the search waited too long, or the queue refuses it.
    pub async fn begin(
        request: HttpRequest,
        class: Class,
        game: GameId,
        search: api::Search<T>,
    ) -> Result<Self, Problem> {
        let (queue, caller) = (part::<Queue>(&request), RequestContext::of(&request).caller);
        let queued = Instant::now();
        part::<Access>(&request).check_thinking(&caller)?;
        let (work, time) = (work(game, &search.effort, queue), search.effort.options.limits.time);
        let demand = Demand { work, is_timed: time.is_some() };
        let search = |control: &_, table: &mut _| search.run(control, table);
        let running = queue.begin(caller, class, demand, search).await;
        let (began, waited) = (Instant::now(), queued.elapsed());
        if matches!(running, Ok(_) | Err(QueueError::Expired)) {
            part::<Metrics>(&request).count_wait(class, waited);
        }
        let most = if class == Class::Background { work } else { Duration::MAX };
        let running = running?;
        Ok(Self { request, running, waited, began, most, thought: None })
    }

    /// Waits for the answer.
    ///
    /// # Errors
    /// The search has failed, or could not be answered in full.
    pub async fn answer(&mut self) -> Result<T, Problem> {
        let found = self.running.answer().await;
        self.thought = Some(found.as_ref().map_or_else(|_| self.began.elapsed(), |found| found.time));
        if let Err(QueueError::Failed(message)) = &found {
            RequestContext::of(&self.request)
                .error(format_args!("the search of a request failed: {message}"));
        }
        Ok(found?.answer)
    }

    /// The value of [`TIMING_HEADER`]. It includes the time of the search once that has been answered.
    fn timing(&self) -> HeaderValue {
        let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
        let search = self.thought.map(|thought| format!(", search;dur={:.3}", ms(thought)));
        let timing = format!("wait;dur={:.3}{}", ms(self.waited), search.unwrap_or_default());
        HeaderValue::try_from(timing).expect("words and numbers are a header value")
    }
}

impl<T> Drop for Search<T> {
    fn drop(&mut self) {
        let thought = self.thought.unwrap_or_else(|| self.began.elapsed());
        let caller = RequestContext::of(&self.request).caller;
        part::<Access>(&self.request).count_thinking(&caller, thought.min(self.most));
    }
}

/// The work that a search of a game counts for.
fn work(game: GameId, effort: &Effort, queue: &Queue) -> Duration {
    with_game!(game, G => effort.work::<G>(queue.longest()))
}

/// Checks that searches are not too much work for one request; `efforts` has the number of searches of each
/// kind.
///
/// # Errors
/// They are.
pub fn check_work(request: &HttpRequest, game: GameId, efforts: &[(Effort, usize)]) -> Result<(), Problem> {
    let (queue, limit) = (part::<Queue>(request), part::<Config>(request).max_work_ms);
    let each = efforts.iter().map(|(effort, count)| {
        work(game, effort, queue).saturating_mul(u32::try_from(*count).unwrap_or(u32::MAX))
    });
    let work = each.fold(Duration::ZERO, Duration::saturating_add);
    if work <= Duration::from_millis(limit) {
        return Ok(());
    }
    let work = work.as_secs_f64() * 1_000.0;
    let detail =
        format!("the searches of the request add up to {work} ms of work, but the limit is {limit} ms");
    Err(Problem::new(Code::TooMuchWork, detail))
}

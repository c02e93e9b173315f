//! Whether the service stays within the memory limit of its pod, whatever callers do.
//!
//! `cargo test --release --test load -- memory-limit` starts a service with the settings of `k8s/base` in a
//! control group with the memory limit of its pod, where this user may make one (root on Linux), and else
//! only measures. Then every endpoint, tool, prompt, resource, page and method is attacked, alone and on all
//! connections that the settings allow, from one caller and from many. The requests are made up from the
//! program's own lists and a dictionary: see `tests/attacks`. The test fails if the service is killed, if an
//! attack takes more memory than docs/running.md allows for connections and heavy requests, or if it is not
//! free again a minute later. It prints which request makes it take how much.

mod group;

use std::{
    cmp::Reverse,
    fmt,
    path::PathBuf,
    rc::Rc,
    time::{Duration, Instant},
};

use actix_web::rt::{System, task::JoinHandle, time::sleep};
use clap::Args;
use cublino::{
    api::{
        Many, PositionQuestion,
        suggestion::{Suggestion, SuggestionQuestion},
    },
    games::GameId,
};
use futures_util::future::join_all;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use self::group::Group;
use crate::{
    attacks::{
        Attack, Model, OF_MODEL,
        callers::{self, Tally, WAVES},
        dictionary::{Scene, scenes},
    },
    service::{PROGRAM, Service, peak_kib, reset_peak, resident_kib},
};

/// The settings of the pod, and what else is said of it.
const SETTINGS: &str = include_str!("../../../k8s/base/settings.env");
const DEPLOYMENT: &str = include_str!("../../../k8s/base/deployment.yaml");

/// What operators read about memory.
const RUNNING: &str = include_str!("../../../docs/running.md");

/// How much memory may have grown afterwards, in percent.
const MOST_MORE: u64 = 25;

/// How often the service is looked at.
const LOOK: Duration = Duration::from_millis(100);
/// A wave goes on while the peak grows by as much, in KiB, within the shortest time of a wave, or while
/// callers get their first answers.
const GROWS: u64 = 1_024;
/// How long the service rests before it is measured: it gives memory back every 10 s.
const CALM: Duration = Duration::from_secs(15);

/// How many attacks are listed at the end.
const LISTED: usize = 25;

/// The positions of searches: every game, so that everything that can be computed is computed.
const SEARCHES: [(GameId, &str); 5] = [
    (GameId::CublinoPur, "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"),
    (GameId::CublinoContra, "CWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"),
    (GameId::CublinoEcke, "EWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"),
    (GameId::Mahbusa, "M63-o22O"),
    (GameId::Wari, "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0"),
];

/// Whether the service stays within the memory limit of its pod
#[derive(Args)]
pub struct MemoryLimit {
    /// The program, if not the one that is built with this test
    #[arg(long, default_value = PROGRAM)]
    binary: PathBuf,

    /// The memory limit of the pod, in MiB
    #[arg(long, default_value_t = limit())]
    limit_mib: u64,

    /// The most connections of the service, all of which are used
    #[arg(long, default_value_t = after(SETTINGS, "CUBLINO_MAX_CONNECTIONS="))]
    connections: usize,

    /// Attack only with what has this in its name, such as `prompt` or `suggestion/stream: large lines`
    #[arg(long, default_value = "")]
    only: String,

    /// How many requests of each endpoint, tool, prompt or method are sent alone; all others come together
    #[arg(long, default_value_t = 5)]
    worst: usize,

    /// The shortest and the longest time of a wave of an attack, in seconds; it ends when memory does not
    /// grow
    #[arg(long, default_value_t = 1.0)]
    least_seconds: f64,
    #[arg(long, default_value_t = 30.0)]
    most_seconds: f64,

    /// How long the service has to free its memory in the end, in seconds
    #[arg(long, default_value_t = 60)]
    rest: u64,
}

/// The limit of the deployment, in MiB.
fn limit() -> u64 {
    after(DEPLOYMENT.split_once("limits:").map_or("", |(_, limits)| limits), "memory: ")
}

/// The number after a text.
fn after<T: std::str::FromStr>(text: &str, before: &str) -> T {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("there is {before}"));
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().unwrap_or_else(|_| panic!("a number follows {before}"))
}

/// What an attack did to the service.
struct Outcome {
    name: String,
    /// The peak, and the memory before the attack, in KiB.
    peak: u64,
    before: u64,
    is_killed: bool,
    seconds: f64,
    answers: Rc<Tally>,
}

impl Outcome {
    /// How much more memory the service took, in KiB.
    fn grown(&self) -> u64 {
        self.peak.saturating_sub(self.before)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self { name, peak, is_killed, seconds, answers, .. }, grown) = (self, self.grown());
        let end = if *is_killed { "KILLED" } else { "" };
        write!(f, "{peak:>8} KiB {grown:>8} more {seconds:>5.1} s {answers} {end:6} {name}")
    }
}

impl MemoryLimit {
    /// Runs the test; returns whether it has passed.
    pub fn run(&self) -> bool {
        // Each caller needs a file descriptor of this process.
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
            .expect("a process may have its own limit");
        System::new().block_on(self.attacked())
    }

    async fn attacked(&self) -> bool {
        let group = Group::new(self.limit_mib << 20);
        let group = group.inspect_err(|error| println!("no limit, only figures: {error}")).ok();
        // A service without a limit says what is worth asking.
        let asked = self.start(None, &OF_MODEL);
        let model = Model::new(asked.url(""));
        let mut service = self.start(group.as_ref(), &[]);
        warm_up(&service).await;
        // The HTTP library keeps 256 requests for each worker, with their buffers, and uses them again.
        // The legal moves of the worst scene are too long to be sent before somebody reads them.
        let Scene { game, state, .. } = scenes().swap_remove(0);
        let request =
            format!("GET /v1/games/{game}/legal-moves?state={state} HTTP/1.1\r\nhost: localhost\r\n\r\n");
        let stalled = Attack { name: "stalled".into(), requests: vec![request.into()], waves: &WAVES };
        println!("{}", self.attack(&mut service, &stalled).await);
        sleep(CALM).await;
        let before = resident(&service);
        println!("{before:>8} KiB after a search in every game by every thread, and that crowd");

        let mut outcomes: Vec<Outcome> = Vec::new();
        let is_meant = |name: &str| name.contains(&self.only) || self.only.starts_with(name);
        for target in model.targets().await.iter().filter(|target| is_meant(&target.name)) {
            let attacks = model.attacks(target, self.worst).await.into_iter();
            let mut attacks: Vec<_> = attacks.filter(|attack| attack.name.contains(&self.only)).collect();
            while let Some(attack) = attacks.pop() {
                let outcome = self.attack(&mut service, &attack).await;
                println!("{outcome}");
                // Requests that take much together are taken apart, until it is known which of them it is.
                let is_suspicious = outcome.grown() > self.limit_mib << 10 >> 2 && attack.requests.len() > 1;
                if is_suspicious && !outcome.is_killed {
                    attacks.extend(attack.halves());
                }
                if is_suspicious || outcome.is_killed {
                    service = self.start(group.as_ref(), &[]);
                    warm_up(&service).await;
                }
                outcomes.push(outcome);
            }
        }
        drop(asked);
        sleep(Duration::from_secs(self.rest)).await;
        let after = resident(&service);
        let more = 100.0 * (after as f64 / before as f64 - 1.0);

        outcomes.sort_by_key(|outcome| Reverse((outcome.is_killed, outcome.grown())));
        let killed = outcomes.iter().filter(|outcome| outcome.is_killed).count();
        let allowed = self.allowed();
        let beyond = outcomes.iter().filter(|outcome| outcome.grown() > allowed).count();
        let peak = outcomes.iter().map(|outcome| outcome.peak).max().unwrap_or_default();
        println!("\nthe worst of {} attacks", outcomes.len());
        outcomes.iter().take(LISTED.max(killed)).for_each(|outcome| println!("{outcome}"));
        println!(
            "{killed} kills; {beyond} took more than {allowed} KiB; at most {peak} KiB; {}",
            group.as_ref().map_or_else(String::new, Group::most)
        );
        println!("afterwards {after} KiB, {more:+.1} %, {} s later", self.rest);
        service.terminate();
        service.ended_well().await
            && killed + beyond == 0
            && peak <= self.limit_mib << 10
            && after * 100 <= before * (100 + MOST_MORE)
    }

    /// How much memory an attack may take: that of all connections and of all heavy requests, in KiB.
    fn allowed(&self) -> u64 {
        let connection: u64 = after(RUNNING, "`--max-connections` × ");
        let heavy: u64 = after(RUNNING, "2 × `--permits` × ");
        let permits: u64 = after(SETTINGS, "CUBLINO_PERMITS=");
        self.connections as u64 * connection + 2 * permits * (heavy << 10)
    }

    /// Starts the service with the settings of the pod, in a group if there is one. They are variables, of
    /// which another version ignores those that it does not know.
    fn start(&self, group: Option<&Group>, more: &[(&str, &str)]) -> Service {
        let settings = SETTINGS.lines().filter(|line| !line.starts_with('#'));
        // Its log is read to find out where it listens.
        let settings =
            settings.filter_map(|line| line.split_once('=')).filter(|(name, _)| !name.contains("LOG"));
        let connections = self.connections.to_string();
        let settings = settings.chain([("CUBLINO_MAX_CONNECTIONS", connections.as_str())]);
        let settings: Vec<_> = settings.chain(more.iter().copied()).collect();
        let start = || Service::start_with(&self.binary, &[], &settings);
        match group {
            Some(group) => group.within(start).expect("a process may move between its groups"),
            None => start(),
        }
    }

    /// Attacks the service, in waves.
    async fn attack(&self, service: &mut Service, attack: &Attack) -> Outcome {
        let began = Instant::now();
        let mut outcome = Outcome {
            name: attack.name.clone(),
            before: resident(service),
            peak: 0,
            is_killed: false,
            seconds: 0.0,
            answers: Rc::default(),
        };
        for &manners in attack.waves {
            let address = service.address.parse().expect("an address");
            let callers = callers::begin(address, attack, manners, self.connections, &outcome.answers);
            self.watch(service, &mut outcome).await;
            callers.iter().for_each(JoinHandle::abort);
            if outcome.is_killed {
                break;
            }
            // Connections are accepted in their order: then those of this wave are done with.
            drop(reqwest::get(service.url("/healthz")).await);
        }
        outcome.seconds = began.elapsed().as_secs_f64();
        outcome
    }

    /// Watches the service until it grows no more, or is killed.
    async fn watch(&self, service: &mut Service, outcome: &mut Outcome) {
        let [least, most] = [self.least_seconds, self.most_seconds].map(Duration::from_secs_f64);
        reset_peak(service.process.id());
        let (began, mut grew, mut high, mut answered) = (Instant::now(), Instant::now(), 0, 0);
        while grew.elapsed() < least && began.elapsed() < most {
            sleep(LOOK).await;
            if service.process.try_wait().expect("it is a child of this process").is_some() {
                outcome.is_killed = true;
                return;
            }
            let peak = peak_kib(service.process.id()).unwrap_or_default();
            outcome.peak = outcome.peak.max(peak);
            let first = outcome.answers.total().min(self.connections as u64);
            if peak > high + GROWS || first > answered {
                (grew, high, answered) = (Instant::now(), peak, first);
            }
        }
    }
}

/// Every search thread searches in every game, so that all tables are in use.
async fn warm_up(service: &Service) {
    let client = service.client(reqwest::Client::builder());
    let threads: usize = after(SETTINGS, "CUBLINO_SEARCH_THREADS=");
    for (game, state) in SEARCHES {
        let time_ms = 1_000.try_into().ok();
        let question = SuggestionQuestion { time_ms, ..SuggestionQuestion::about(state) };
        let searches = (0..threads).map(|_| client.ask::<Suggestion>(game, &question));
        join_all(searches).await.into_iter().for_each(|answer| drop(answer.expect("an answer")));
        let position = || PositionQuestion { state: state.to_owned(), ..PositionQuestion::default() };
        let many = Many::new((0..2 * threads).map(|_| position()), question.clone());
        client.ask_many::<Suggestion>(game, &many).await.expect("answers");
    }
}

/// The resident memory of the service, in KiB; 0 once it has ended.
fn resident(service: &Service) -> u64 {
    resident_kib(service.process.id()).unwrap_or_default()
}

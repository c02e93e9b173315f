//! Whether the service stays within the memory limit of its pod, whatever callers do.
//!
//! `cargo test --release --test load -- memory-limit` starts a service with the settings of `k8s/base` in a
//! control group with the memory limit of its pod, where this user may make one (root on Linux), and else
//! only measures. Callers then repeatedly take everything that the settings allow, all at once: every
//! connection, incomplete bodies, endless heads, unread answers, also compressed ones, and searches on every
//! thread; then every POST, with questions that need much memory once parsed. The test fails if the port for
//! probes does not answer meanwhile, or if the memory is not freed afterwards.

mod attack;
mod group;

use std::{
    net::{SocketAddr, TcpListener},
    rc::Rc,
    time::{Duration, Instant},
};

use actix_web::rt::{System, task::JoinHandle, time::sleep};
use clap::Args;
use cublino_client::{Client, Retries};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use self::group::Group;
use crate::service::{Service, resident_kib};

/// The settings of the pod, and its limit of memory in KiB.
const SETTINGS: &str = include_str!("../../../k8s/base/settings.env");
const LIMIT: u64 = 256 << 10;

/// How much memory may have grown afterwards, in percent.
const MOST_MORE: u64 = 25;

/// How long probes may take to be answered, and how often they come.
const PROBE: Duration = Duration::from_secs(1);
const PACE: Duration = Duration::from_millis(100);

/// How long the service rests before it is measured.
const CALM: Duration = Duration::from_secs(5);

/// Whether the service stays within the memory limit of its pod
#[derive(Args)]
pub struct MemoryLimit {
    /// How long the attack lasts, in seconds
    #[arg(long, default_value_t = 60)]
    seconds: u64,

    /// How long the service has to free the memory, in seconds
    #[arg(long, default_value_t = 60)]
    rest: u64,
}

impl MemoryLimit {
    /// Runs the test; returns whether it has passed.
    pub fn run(&self) -> bool {
        // Each caller needs a file descriptor of this process.
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
            .expect("a process may have its own limit");
        System::new().block_on(attacked(self))
    }
}

async fn attacked(arguments: &MemoryLimit) -> bool {
    let group = Group::new(LIMIT << 10).inspect_err(|error| println!("no limit, only figures: {error}")).ok();
    let admin = free_address();
    let mut service = start(group.as_ref(), admin);
    attack::warm_up(&service, setting("CUBLINO_SEARCH_THREADS")).await;
    sleep(CALM).await;
    let before = resident(&service);
    println!("before       {before} KiB, after ordinary traffic, with all tables in use");

    let connections = setting("CUBLINO_MAX_CONNECTIONS") * 11 / 10;
    let tally = Rc::new(attack::Tally::default());
    let tasks = attack::begin(&service, connections, &tally);
    let mixed = survived(arguments, &mut service, group.as_ref(), admin, before, &tally, tasks).await;
    println!("each POST");
    let tally = Rc::new(attack::Tally::default());
    let tasks = attack::begin_posts(&service, connections, &tally).await;
    let posts = survived(arguments, &mut service, group.as_ref(), admin, before, &tally, tasks).await;
    service.terminate();
    service.ended_well().await && mixed && posts
}

/// Whether the service survives the attack, and has freed its memory afterwards.
async fn survived(
    arguments: &MemoryLimit,
    service: &mut Service,
    group: Option<&Group>,
    admin: SocketAddr,
    before: u64,
    tally: &attack::Tally,
    tasks: Vec<JoinHandle<()>>,
) -> bool {
    let http = reqwest::Client::builder().timeout(PROBE);
    let client = Client::builder(&format!("http://{admin}")).http(http).retries(Retries::NONE);
    let client = client.build().expect("the service has a URL");
    let (mut most, mut slowest, mut unanswered) = (before, Duration::ZERO, 0);
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(arguments.seconds) {
        let asked = Instant::now();
        if client.readyz().await.is_ok() {
            slowest = slowest.max(asked.elapsed());
        } else {
            unanswered += 1;
        }
        if let Some(status) = service.process.try_wait().expect("it is a child of this process") {
            println!("killed       after {:.1?}: {status}", began.elapsed());
            return false;
        }
        most = most.max(resident(service));
        sleep(PACE).await;
    }
    let with_system = group.map_or_else(String::new, Group::most);
    println!("at most      {most} KiB; {with_system}");
    println!("meanwhile    {tally}");
    println!("probes       {unanswered} not answered within {PROBE:?}, the others in {slowest:.1?} at most");
    tasks.iter().for_each(JoinHandle::abort);
    sleep(Duration::from_secs(arguments.rest)).await;
    if let Some(status) = service.process.try_wait().expect("it is a child of this process") {
        println!("killed       when its callers left: {status}");
        return false;
    }
    let after = resident(service);
    let more = 100.0 * (after as f64 / before as f64 - 1.0);
    println!("afterwards   {after} KiB, {more:+.1} %, {} s later", arguments.rest);
    unanswered == 0 && most <= LIMIT && after * 100 <= before * (100 + MOST_MORE)
}

/// An address where nobody listens yet.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("a listener has an address")
}

/// Starts the service with the settings of the pod, in a group if there is one.
fn start(group: Option<&Group>, admin: SocketAddr) -> Service {
    let mut settings = vec!["--admin-listen".to_owned(), admin.to_string()];
    for (name, value) in pod_settings() {
        let name = name.trim_start_matches("CUBLINO_").to_lowercase().replace('_', "-");
        // Its log is read to find out where it listens.
        if !name.starts_with("log") {
            settings.extend([format!("--{name}"), value.to_owned()]);
        }
    }
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let start = || Service::start(&settings);
    match group {
        Some(group) => group.within(start).expect("a process may move between its groups"),
        None => start(),
    }
}

/// The settings of the pod.
fn pod_settings() -> impl Iterator<Item = (&'static str, &'static str)> {
    SETTINGS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='))
}

/// A setting of the pod that is a number.
fn setting(name: &str) -> usize {
    let value = pod_settings().find(|(found, _)| *found == name);
    value
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or_else(|| panic!("{name} is set, and to a number"))
}

/// The resident memory of the service, in KiB; 0 once it has ended.
fn resident(service: &Service) -> u64 {
    resident_kib(service.process.id()).unwrap_or_default()
}

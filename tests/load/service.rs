//! The service as a process of its own.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use actix_web::rt::time::sleep;
use cublino_client::{Client, Retries};
use rustix::process::{Pid, Signal, kill_process};

/// How long a service may take to end, and how often this is polled.
const PATIENCE: Duration = Duration::from_secs(40);
const LOOK: Duration = Duration::from_millis(50);

/// The program, built like this one.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_cublino");

/// A running service on this machine.
pub struct Service {
    /// Its process.
    pub process: Child,
    /// Where it is, such as `127.0.0.1:40123`.
    pub address: String,
}

impl Service {
    /// Starts it on a free port with some settings.
    pub fn start(settings: &[&str]) -> Self {
        Self::start_version(Path::new(PROGRAM), settings)
    }

    /// Starts a program of another version in the same way.
    pub fn start_version(program: &Path, settings: &[&str]) -> Self {
        let mut process = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(settings)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(process.stderr.take().expect("it is piped")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("listening on http://")?.1.split(',').next()?.to_owned()))
            .expect("the service says where it listens");
        // Nobody needs the rest, but it must not fill the pipe.
        thread::spawn(move || lines.for_each(drop));
        Self { process, address }
    }

    /// An address of the service.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A client of it, on top of an HTTP client. It does not retry, so that refusals are counted.
    pub fn client(&self, http: reqwest::ClientBuilder) -> Client {
        let client = Client::builder(&self.url("")).http(http).retries(Retries::NONE);
        client.build().expect("the service has a URL")
    }

    /// Sends it SIGTERM, as a cluster does.
    pub fn terminate(&self) {
        kill_process(Pid::from_child(&self.process), Signal::TERM).expect("it runs");
    }

    /// Waits for its end, and returns whether it exited with success.
    pub async fn ended_well(mut self) -> bool {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if let Some(status) = self.process.try_wait().expect("it is a child of this process") {
                return status.success();
            }
            sleep(LOOK).await;
        }
        false
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Both fail if it has ended already, which is fine.
        let _killed = self.process.kill();
        let _ended = self.process.wait();
    }
}

/// The resident memory of a process, in KiB; `None` if it has ended.
pub fn resident_kib(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

//! The service, as a process, and its memory.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use actix_web::rt::time::sleep;
use rustix::process::{Pid, Signal, kill_process};

/// A running service of our own on this machine.
pub struct Service {
    process: Child,
    /// Where it is, such as `127.0.0.1:40123`.
    pub address: String,
}

impl Service {
    /// Starts it on a free port, with a short queue so that it is full now and then.
    pub fn start() -> Self {
        let mut process = Command::new(std::env::current_exe().expect("a program has a path"))
            .args(["serve", "--listen", "127.0.0.1:0", "--search-queue", "4", "--drain-seconds", "0"])
            .args(["--client-timeout-ms", "2000"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the service starts");
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

    /// What it has of memory, from now on.
    pub fn memory(&self) -> Memory {
        Memory { process: self.process.id(), began: Instant::now(), samples: Vec::new() }
    }

    /// Stops it as a cluster does, and says whether it ended well.
    pub fn stop(&mut self) -> bool {
        let pid = Pid::from_child(&self.process);
        kill_process(pid, Signal::TERM).is_ok() && self.process.wait().is_ok_and(|status| status.success())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Fails if it has ended already, and that is what is wanted.
        let _ended = self.process.kill();
    }
}

/// The memory of a process over time: what it has of the machine's, in KiB.
pub struct Memory {
    process: u32,
    began: Instant,
    samples: Vec<(Duration, u64)>,
}

impl Memory {
    /// Looks ten times a second.
    pub async fn watch(mut self, length: Duration) -> Self {
        while self.began.elapsed() < length {
            let now = self.read();
            self.samples.push((self.began.elapsed(), now));
            sleep(Duration::from_millis(100)).await;
        }
        self
    }

    fn read(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process)).expect("the service runs");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a process has memory");
        line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number of KiB")
    }

    /// The first that was seen.
    pub fn first(&self) -> u64 {
        self.samples[0].1
    }

    /// The most that was seen.
    pub fn most(&self) -> u64 {
        self.samples.iter().map(|&(_, kib)| kib).max().unwrap_or_default()
    }

    /// The mean over a tenth of the time, after a beginning and at the end.
    pub fn growth(&self, beginning: Duration) -> (u64, u64) {
        let start = self.samples.partition_point(|&(at, _)| at < beginning);
        let window = (self.samples.len() / 10).max(1);
        let mean = |samples: &[(Duration, u64)]| {
            samples.iter().map(|&(_, kib)| kib).sum::<u64>() / samples.len() as u64
        };
        (mean(&self.samples[start..start + window]), mean(&self.samples[self.samples.len() - window..]))
    }
}

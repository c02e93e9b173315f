//! A replica: a running service that can be replaced.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use actix_web::rt::time::sleep;
use rustix::process::{Pid, Signal, kill_process};

/// How long a replica may take to become ready, and to end.
const PATIENCE: Duration = Duration::from_secs(40);
/// How often it is looked whether it has.
const LOOK: Duration = Duration::from_millis(50);

/// A running service that can be replaced.
pub struct Replica {
    process: Child,
    /// Where it is, such as `127.0.0.1:40123`.
    pub address: String,
}

impl Replica {
    /// Starts a program on a free port, with the settings that it has in a cluster.
    pub fn start(program: &Path) -> Self {
        let mut process = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(process.stderr.take().expect("it is piped")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("listening on http://")?.1.split(',').next()?.to_owned()))
            .expect("the service says where it listens");
        thread::spawn(move || lines.for_each(drop));
        Self { process, address }
    }

    /// Resolves when it says that it is ready.
    pub async fn ready(&self) {
        let began = Instant::now();
        let url = format!("http://{}/readyz", self.address);
        while !reqwest::get(&url).await.is_ok_and(|answer| answer.status().is_success()) {
            assert!(began.elapsed() < PATIENCE, "{} does not become ready", self.address);
            sleep(LOOK).await;
        }
    }

    /// Tells it to end.
    pub fn terminate(&self) {
        kill_process(Pid::from_child(&self.process), Signal::TERM).expect("it runs");
    }

    /// Waits for its end, and says whether it was a good one.
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

impl Drop for Replica {
    fn drop(&mut self) {
        // Both fail if it has ended already, and that is what is wanted.
        let _killed = self.process.kill();
        let _ended = self.process.wait();
    }
}

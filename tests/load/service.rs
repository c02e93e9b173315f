//! The service as a process of its own.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use actix_web::rt::time::sleep;
use cublino_client::{Client, Retries};
use rustix::process::{Pid, Signal, kill_process};

pub use crate::attacks::process::{PROGRAM, Service, peak_kib, reset_peak, resident_kib};

/// How long a service may take to end, and how often this is polled.
const PATIENCE: Duration = Duration::from_secs(40);
const LOOK: Duration = Duration::from_millis(50);

impl Service {
    /// Starts it on a free port with some settings.
    pub fn start(settings: &[&str]) -> Self {
        Self::start_version(Path::new(PROGRAM), settings)
    }

    /// Starts a program of another version in the same way.
    pub fn start_version(program: &Path, settings: &[&str]) -> Self {
        Self::start_with(program, settings, &[])
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

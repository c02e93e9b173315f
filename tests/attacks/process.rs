//! The service as a process of its own.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};

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
    /// Starts a program on a free port, with flags and with environment variables. Other versions ignore
    /// variables that they do not know.
    pub fn start_with(program: &Path, flags: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut process = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(flags)
            .envs(variables.iter().copied())
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
    status_kib(process, "VmRSS:")
}

/// The peak of its resident memory, in KiB, since the last [`reset_peak`]; `None` if it has ended.
pub fn peak_kib(process: u32) -> Option<u64> {
    status_kib(process, "VmHWM:")
}

/// Begins a new peak of the resident memory of a process, unless it has ended.
pub fn reset_peak(process: u32) {
    drop(fs::write(format!("/proc/{process}/clear_refs"), "5"));
}

fn status_kib(process: u32, name: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

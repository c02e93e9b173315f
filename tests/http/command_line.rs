//! The binary.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Output, Stdio},
};

use crate::service::{SHARED, START};

fn cublino(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cublino"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    cublino(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

/// A service in a process of its own.
struct Process {
    child: Child,
    log: BufReader<std::process::ChildStderr>,
    url: String,
}

impl Process {
    /// Starts it, and waits until it says where it listens.
    fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("listening on ") {
            line.clear();
            assert_ne!(log.read_line(&mut line).unwrap(), 0, "it has ended");
        }
        let url = line.split("listening on ").nth(1).unwrap().split(',').next().unwrap().to_owned();
        Self { child, log, url }
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &pid]).status().unwrap().success());
    }

    /// Waits for its end; the rest of its log.
    fn end(mut self) -> String {
        assert!(self.child.wait().unwrap().success());
        let mut rest = String::new();
        self.log.read_to_string(&mut rest).unwrap();
        rest
    }
}

#[test]
fn openapi_prints_the_document() {
    let output = run(&["openapi"]);
    assert!(output.status.success());
    assert_eq!(output.stdout, cublino::http::openapi::text());
}

#[test]
fn perft_prints_a_line_for_each_depth() {
    let output = run(&["perft", "cublino-pur", "3"]);
    assert!(output.status.success());
    let leaves: Vec<Vec<&str>> =
        text(&output.stdout).lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(leaves.len(), 3);
    assert_eq!(leaves[2][..2], ["3", "805"]);
    assert_eq!(leaves[2].len(), 4);
    assert!(leaves[2][3].parse::<f64>().is_ok());

    let from_the_end =
        run(&["perft", "cublino-pur", "1", "--state", "Pga1mb1vc1id1se1cf1og1Aa4Na7Rb7Fc7Ad7Fe7Mg7"]);
    assert!(text(&from_the_end.stdout).starts_with("1\t0\t0\t"));
}

#[test]
fn perft_says_what_is_wrong() {
    for wrong in [
        &["perft", "chess", "1"][..],
        &["perft", "cublino-pur", "0"],
        &["perft", "cublino-pur", "1", "--state", "P?"],
    ] {
        let output = run(wrong);
        assert!(!output.status.success(), "{wrong:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn a_reader_who_has_read_enough_is_no_failure() {
    let mut child = cublino(&["perft", "cublino-pur", "4"]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!text(&output.stderr).contains("panic"));
}

#[test]
fn match_prints_how_it_went() {
    let output =
        run(&["match", "cublino-pur", "--one", "depth=2", "--two", "random", "--games", "4", "--seed", "1"]);
    assert!(output.status.success());
    assert!(text(&output.stdout).starts_with("games 4: won "), "{}", text(&output.stdout));
    assert!(!run(&["match", "cublino-pur", "--one", "clever", "--two", "random"]).status.success());
}

#[test]
fn health_tells_by_its_exit_status_whether_the_service_is_ready() {
    assert!(run(&["health", &SHARED.base]).status.success());
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let output = run(&["health", &format!("http://{nobody}")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("cublino: "));
    assert_eq!(run(&["health", &format!("{}/nothing", SHARED.base)]).status.code(), Some(1));
}

#[test]
fn the_service_is_the_command_without_a_name_and_stops_when_told_to() {
    for arguments in [&["--listen", "127.0.0.1:0"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let process = Process::start(cublino(arguments).args(["--workers", "1", "--search-threads", "1"]));
        assert!(run(&["health", &process.url]).status.success());
        process.signal("INT");
        assert!(process.end().contains("stopping"));
    }
}

#[test]
fn settings_come_from_the_environment_too_and_after_sigterm_the_service_drains() {
    let mut command = cublino(&[]);
    command
        .env("CUBLINO_LISTEN", "127.0.0.1:0")
        .env("CUBLINO_LOG_FORMAT", "json")
        .env("CUBLINO_LOG", "access=debug,info");
    let process = Process::start(command.env("CUBLINO_DRAIN_SECONDS", "3600"));
    let url = process.url.clone();
    process.signal("TERM");
    let mut process = process;
    let mut line = String::new();
    while !line.contains("not ready any more") {
        line.clear();
        assert_ne!(process.log.read_line(&mut line).unwrap(), 0, "it has ended");
    }
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["level"], "INFO");
    let output = run(&["health", &url]);
    assert_eq!(output.status.code(), Some(1), "still ready");
    assert!(text(&output.stderr).contains("503"), "{}", text(&output.stderr));
    process.signal("TERM");
    assert!(process.end().contains("/readyz"), "no line for a request");
}

#[test]
fn a_setting_that_makes_no_sense_ends_the_process_with_a_sentence() {
    for (name, value) in [
        ("--workers", "0"),
        ("--listen", "nowhere"),
        ("--max-time-ms", "0"),
        ("--max-depth", "101"),
        ("--body-limit", "1"),
        ("--log", "loud"),
        ("--log-format", "xml"),
    ] {
        let output = run(&["serve", name, value]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(text(&output.stderr).contains(name), "{}", text(&output.stderr));
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let output = run(&["--listen", &taken.local_addr().unwrap().to_string()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("in use"));
}

#[test]
fn every_setting_has_a_variable() {
    let help = run(&["serve", "--help"]);
    for line in text(&help.stdout).lines().filter(|line| line.trim_start().starts_with("--")) {
        let flag = line.split_whitespace().next().unwrap().trim_start_matches('-');
        let variable = format!("CUBLINO_{}", flag.to_uppercase().replace('-', "_"));
        assert!(text(&help.stdout).contains(&variable), "{variable}");
    }
    let start = run(&["--help"]);
    assert!(text(&start.stdout).contains("perft"));
    assert!(START.starts_with('P'));
}

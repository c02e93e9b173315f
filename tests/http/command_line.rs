//! The binary.

use std::{
    collections::HashMap,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use clap::{Arg, CommandFactory};
use cublino::{
    cli::Cli,
    config::{REMOVED, variable},
};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::service::{SHARED, START};

pub fn cublino(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cublino"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn run(arguments: &[&str]) -> Output {
    cublino(arguments).output().unwrap()
}

pub fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

/// A service in a process of its own.
pub struct Process {
    child: Child,
    log: BufReader<std::process::ChildStderr>,
    pub url: String,
    /// The part of its log that has been read so far.
    pub said: String,
}

impl Process {
    /// Starts it, and waits until it says where it listens.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let log = BufReader::new(child.stderr.take().unwrap());
        let mut process = Self { child, log, url: String::new(), said: String::new() };
        let line = process.line("listening on ");
        line.split("listening on ")
            .nth(1)
            .unwrap()
            .split([',', ' '])
            .next()
            .unwrap()
            .clone_into(&mut process.url);
        process
    }

    /// The next line of its log with these words.
    pub fn line(&mut self, words: &str) -> String {
        let mut line = String::new();
        while !line.contains(words) {
            line.clear();
            assert_ne!(self.log.read_line(&mut line).unwrap(), 0, "it has ended");
            self.said.push_str(&line);
        }
        line
    }

    /// The process after it has written these words into its log.
    pub fn after(mut self, words: &str) -> Self {
        self.line(words);
        self
    }

    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &pid]).status().unwrap().success());
    }

    /// Waits for its end; the rest of its log.
    pub fn end(mut self) -> String {
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
    assert_eq!(output.stdout, cublino::http::DOCUMENT.as_bytes());
}

#[test]
fn a_reader_who_has_read_enough_is_no_failure() {
    let mut child = cublino(&["openapi"]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!text(&output.stderr).contains("panic"));
}

/// An address where nobody listens.
fn nobody() -> String {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

#[test]
fn health_tells_by_its_exit_status_whether_the_service_is_ready() {
    assert!(run(&["health", &SHARED.base]).status.success());
    let output = run(&["health", &format!("http://{}", nobody())]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("cublino: "));
    assert_eq!(run(&["health", &format!("{}/nothing", SHARED.base)]).status.code(), Some(1));
    for (url, said) in [
        (&*SHARED.base.replace("http:", "https:"), "needs a plain HTTP URL"),
        ("localhost", "needs a plain HTTP URL"),
        ("http://", "cublino: http:"),
    ] {
        let output = run(&["health", url]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
    }
}

#[test]
fn health_waits_for_three_seconds_and_reads_any_answer() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    // The backlog of the listener takes the first connection, and nobody answers.
    let output = run(&["health", &url]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no answer in time"), "{}", text(&output.stderr));
    drop(listener.accept().unwrap());
    for (answer, said) in [
        ("HTTP/1.1 200 OK\r\n\r\n", None),
        ("HTTP/1.1 502 Bad Gateway\r\n\r\nnothing", Some("502 Bad Gateway")),
        ("SSH-2.0-x\r\n", Some("not an HTTP/1.1 server")),
        ("", Some("not an HTTP/1.1 server")),
    ] {
        let child = cublino(&["health", &url]).spawn().unwrap();
        let mut stream = listener.accept().unwrap().0;
        let mut request = [0; 256];
        let length = stream.read(&mut request).unwrap();
        assert!(text(&request[..length]).starts_with("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1:"));
        stream.write_all(answer.as_bytes()).unwrap();
        drop(stream);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.success(), said.is_none(), "{answer}");
        assert!(text(&output.stderr).contains(said.unwrap_or_default()), "{}", text(&output.stderr));
    }
}

/// A process with these settings in its environment, and none that it inherits.
fn with_environment(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    cublino(arguments).envs(variables.iter().copied()).output().unwrap()
}

#[test]
fn health_asks_where_the_service_is_set_to_listen_and_no_proxy() {
    let port = SHARED.address().rsplit(':').next().unwrap();
    for listen in [SHARED.address(), &format!("0.0.0.0:{port}")] {
        let output = with_environment(&["health"], &[("CUBLINO_LISTEN", listen)]);
        assert!(output.status.success(), "{listen}: {}", text(&output.stderr));
    }
    // A service that listens on IPv6 alone: nothing answers on the loopback of IPv4.
    let mut everywhere = cublino(&["--listen", "[::]:0", "--drain-seconds", "0"]);
    let process = Process::start(&mut everywhere);
    let port = process.url.rsplit(':').next().unwrap();
    let output = with_environment(&["health"], &[("CUBLINO_LISTEN", &format!("[::]:{port}"))]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    process.signal("TERM");
    process.end();

    let any = with_environment(&["health"], &[("CUBLINO_LISTEN", "127.0.0.1:0")]);
    assert!(!any.status.success() && text(&any.stderr).contains("CUBLINO_LISTEN"), "{}", text(&any.stderr));
    // The port for probes is preferred.
    for (admin, listen, is_ready) in
        [(SHARED.address(), nobody(), true), (&nobody(), SHARED.address().into(), false)]
    {
        let settings = [("CUBLINO_ADMIN_LISTEN", admin), ("CUBLINO_LISTEN", &listen)];
        assert_eq!(with_environment(&["health"], &settings).status.success(), is_ready, "{settings:?}");
    }
    // Nobody listens at the proxy.
    let proxy = format!("http://{}", nobody());
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        let output = with_environment(&["health", &SHARED.base], &[(name, &proxy)]);
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
    }
}

#[test]
fn what_keeps_the_service_from_starting_is_a_line_of_the_log_that_names_the_setting() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let keys = Scratch::new("keys");
    fs::write(keys.path(), "# none\n").unwrap();
    for (arguments, variables, named) in [
        (vec!["--listen", &taken], vec![], vec!["in use", &taken, "--listen", "CUBLINO_LISTEN"]),
        (vec!["serve"], vec![("CUBLINO_LISTEN", &*taken)], vec!["in use", &taken]),
        (vec!["--api-keys-file", "/nowhere"], vec![], vec!["/nowhere", "CUBLINO_API_KEYS_FILE"]),
        (vec!["--api-keys-file", keys.path()], vec![], vec!["the file has no key"]),
        (vec!["--wari-database", "/nowhere"], vec![], vec!["/nowhere", "CUBLINO_WARI_DATABASE"]),
        (
            vec!["--search-threads", "256", "--table-mib", "65536"],
            vec![],
            vec!["33554432 MiB for the tables", "--table-mib", "CUBLINO_TABLE_MIB"],
        ),
        (vec!["--log", "off", "--api-keys-file", "/nowhere"], vec![], vec!["/nowhere"]),
        (vec!["--api-keys", "short"], vec![], vec!["key 1"]),
    ] {
        let json = [
            ([&arguments[..], &["--log-format", "json"]].concat(), variables.clone()),
            (arguments.clone(), [&variables[..], &[("CUBLINO_LOG_FORMAT", "json")]].concat()),
        ];
        for (arguments, variables) in json {
            let output = with_environment(&arguments, &variables);
            assert!(!output.status.success(), "{arguments:?}");
            let lines: Vec<Value> =
                text(&output.stderr).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let last = lines.last().unwrap();
            assert_eq!(last["level"], "ERROR", "{arguments:?} {lines:?}");
            let message = last["message"].as_str().unwrap();
            assert!(named.iter().all(|name| message.contains(name)), "{arguments:?}: {message}");
        }
        let plain = with_environment(&arguments, &variables);
        let plain = text(&plain.stderr);
        assert!(named.iter().all(|name| plain.contains(name)), "{arguments:?}: {plain}");
    }
}

#[test]
fn settings_come_from_the_environment_too_and_after_sigterm_the_service_drains() {
    let mut command = cublino(&[]);
    command
        .env("CUBLINO_LISTEN", "127.0.0.1:0")
        .env("CUBLINO_LOG_FORMAT", "json")
        .env("CUBLINO_LOG", "access=debug,info");
    let mut process = Process::start(command.env("CUBLINO_DRAIN_SECONDS", "3600"));
    let url = process.url.clone();
    process.signal("TERM");
    let line: Value = serde_json::from_str(&process.line("draining for")).unwrap();
    assert_eq!(line["level"], "INFO");
    let output = run(&["health", &url]);
    assert_eq!(output.status.code(), Some(1), "still ready");
    assert!(text(&output.stderr).contains("shutting down"), "{}", text(&output.stderr));
    process.signal("TERM");
    assert!(process.end().contains("/readyz"), "no line for a request");
}

/// A line of the log in either format: its fields by name.
fn fields(format: &str, line: &str) -> HashMap<String, String> {
    if format == "json" {
        let line: Map<String, Value> = serde_json::from_str(line).unwrap();
        let text = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        return line.into_iter().map(|(name, value)| (name, text(value))).collect();
    }
    let words = line.split_once(']').unwrap().1.split_whitespace().filter_map(|word| word.split_once('='));
    let mut fields: HashMap<_, _> = words.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    // `caller=key 1`
    if fields.get("caller").is_some_and(|caller| caller == "key") {
        fields.insert("caller".to_owned(), "key 1".to_owned());
    }
    fields
}

#[actix_web::test]
async fn a_line_of_the_log_names_the_request_and_its_caller_and_never_a_key() {
    const KEY: &str = "a-key-that-nobody-may-see";
    const WRONG: &str = "a-wrong-key-that-could-be-one-elsewhere";
    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    let keys = Scratch::new("keys");
    fs::write(keys.path(), format!("# one\n{KEY}\n")).unwrap();
    for format in ["json", "text"] {
        let mut command = cublino(&["--listen", "127.0.0.1:0", "--log", "trace", "--log-format", format]);
        command.env("CUBLINO_API_KEYS_FILE", keys.path());
        let mut process =
            actix_web::rt::task::spawn_blocking(move || Process::start(&mut command)).await.unwrap();
        let client = reqwest::Client::new();
        let trace = format!("00-{TRACE}-00f067aa0ba902b7-01");
        for (key, query, trace) in [
            (KEY, format!("state={START}"), &*trace),
            (KEY, "state=nonsense".to_owned(), "00-nonsense-01"),
            (KEY, format!("state=P&key={KEY}"), ""),
            (KEY, KEY.to_owned(), ""),
            (WRONG, format!("state={START}"), &trace),
        ] {
            let url = format!("{}/v1/games/cublino-pur/score?{query}", process.url);
            let request = client.get(url).header("x-request-id", "mine").header("traceparent", trace);
            request.bearer_auth(key).send().await.unwrap();
        }
        process.signal("INT");
        let same = [("request_id", "mine"), ("operation", "score"), ("game", "cublino-pur")]
            .map(|(name, value)| (name, Some(value)));
        for (status, caller, code, trace) in [
            ("200", "key 1", None, Some(TRACE)),
            ("422", "key 1", Some("malformed-state"), None),
            ("400", "key 1", Some("invalid-parameter"), None),
            ("400", "key 1", Some("invalid-parameter"), None),
            ("401", "127.0.0.1", Some("unauthorized"), Some(TRACE)),
        ] {
            let line = process.line("/score?");
            let different =
                [("status", Some(status)), ("caller", Some(caller)), ("code", code), ("trace_id", trace)];
            let fields = fields(format, &line);
            for (name, value) in same.iter().chain(&different) {
                assert_eq!(fields.get(*name).map(String::as_str), *value, "{name}: {line}");
            }
            assert!(fields["micros"].parse::<u64>().is_ok(), "{line}");
            assert!(!line.contains(KEY) && !line.contains(WRONG), "{line}");
        }
        let rest = actix_web::rt::task::spawn_blocking(|| process.end()).await.unwrap();
        assert!(!rest.contains(KEY) && !rest.contains(WRONG), "{rest}");
    }
}

#[test]
fn a_key_that_cannot_be_read_is_told_by_its_place_and_never_printed() {
    const WRONG: &str = "sécret-that-is-mistyped";
    const KEYS: &str = "a-key-that-is-long-enough,sécret-that-is-mistyped";
    let refused = |output: &Output, place: &str| {
        assert!(!output.status.success());
        let said = text(&output.stderr);
        assert!(said.contains(place) && said.contains("a key has 16 to 256"), "{said}");
        assert!(!said.contains("cret-that") && !text(&output.stdout).contains("cret-that"), "{said}");
    };
    refused(&run(&["serve", "--api-keys", KEYS]), "key 2 of --api-keys");
    refused(&run(&["--api-keys", WRONG]), "key 1 of --api-keys");
    refused(&cublino(&[]).env("CUBLINO_API_KEYS", KEYS).output().unwrap(), "key 2 of --api-keys");
    let file = Scratch::new("wrong-keys");
    fs::write(&file.path, format!("# keys\r\na-key-that-is-long-enough\r\n{WRONG}\n")).unwrap();
    let from_file = ["--listen", "127.0.0.1:0", "--api-keys-file", file.path()];
    refused(&run(&from_file), "line 3");
    fs::write(&file.path, b"a-key-that-is-long-enough\nsecret-that-is-\xff").unwrap();
    refused(&run(&from_file), "line 2");
}

#[test]
fn a_removed_setting_names_its_successor() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (flag, successor) in REMOVED {
        for arguments in [&[flag, "1"][..], &["serve", flag, "1"]] {
            let output = run(arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            let sentence = format!("the flag {flag} was removed; use {successor}");
            assert!(text(&output.stderr).contains(&sentence), "{}", text(&output.stderr));
        }
        // A variable is a warning: an old manifest still starts the service, which here finds its port taken.
        let output = with_environment(&["--listen", &address], &[(&variable(flag), "1")]);
        assert_eq!(output.status.code(), Some(1));
        let sentence =
            format!("{} was removed and has no effect; use {}", variable(flag), variable(successor));
        assert!(text(&output.stderr).contains(&sentence), "{}", text(&output.stderr));
    }
}

#[test]
fn a_setting_that_makes_no_sense_ends_the_process_with_a_sentence() {
    for (name, value) in [
        ("--workers", "0"),
        ("--listen", "nowhere"),
        ("--max-time-ms", "0"),
        ("--max-nodes", "0"),
        ("--max-in-flight-bytes", "1"),
        ("--log", "loud"),
        ("--log-format", "xml"),
        ("--cors-origins", "example.org/"),
        ("--cors-origins", "https://example.org/"),
        ("--cors-origins", "https://example.org:443"),
        ("--cors-origins", "https://["),
        ("--trusted-proxies", "everybody"),
        ("--play", "perhaps"),
    ] {
        let output = run(&["serve", name, value]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(text(&output.stderr).contains(name), "{}", text(&output.stderr));
    }
}

/// The settings, without `--help`.
fn settings() -> Vec<Arg> {
    let command = Cli::command();
    let serve = command.find_subcommand("serve").unwrap();
    serve.get_arguments().filter(|setting| setting.get_long() != Some("help")).cloned().collect()
}

#[test]
fn there_are_few_settings_and_each_has_a_variable() {
    let settings = settings();
    assert!(settings.len() <= 30, "{}", settings.len());
    for setting in settings {
        let flag = setting.get_long().unwrap();
        let variable = format!("CUBLINO_{}", flag.to_uppercase().replace('-', "_"));
        assert_eq!(setting.get_env().unwrap(), &*variable);
    }
}

/// The table in docs/settings.md.
fn table_of_settings() -> String {
    let rows = settings().into_iter().map(|setting| {
        let (flag, help) = (setting.get_long().unwrap(), setting.get_help().unwrap().to_string());
        let names: Vec<_> = setting.get_possible_values().iter().map(|it| it.get_name().to_owned()).collect();
        let listed = !names.is_empty() && !setting.is_hide_possible_values_set();
        let values = if listed { names.join("|") } else { setting.get_value_names().unwrap()[0].to_string() };
        let values = values.replace('|', "\\|");
        let defaults: Vec<_> = setting.get_default_values().iter().map(|it| it.to_str().unwrap()).collect();
        // Defaults that depend on the machine are described in words.
        let (default, what) =
            match help.split_once(" [default: ").filter(|_| setting.is_hide_default_value_set()) {
                Some((before, after)) => {
                    let (default, after) = after.split_once(']').unwrap();
                    (default.to_owned(), format!("{before}{after}"))
                }
                None if defaults.is_empty() => ("none".to_owned(), help),
                None => (format!("`{}`", defaults.join(",")), help),
            };
        format!("| `--{flag}` | {values} | {default} | {what} |\n")
    });
    "| flag | values | default | |\n|---|---|---|---|\n".to_owned() + &rows.collect::<Vec<_>>().concat()
}

/// Compares the part of a page in docs that is generated, and says how to copy the right one.
#[track_caller]
pub fn assert_generated(name: &str, generated: &str) {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)).unwrap();
    let (before, rest) = page.split_once("<!-- generated -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- end -->\n").unwrap();
    let expected = format!("{before}<!-- generated -->\n{generated}<!-- end -->\n{after}");
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&made, &expected).unwrap();
    assert!(page == expected, "docs/{name} is out of date: cp {} docs/{name}", made.display());
}

#[test]
fn the_page_of_the_settings_is_what_the_program_says() {
    assert_generated("settings.md", &table_of_settings());
}

#[test]
fn manifests_and_documents_name_only_settings_that_there_are() {
    fn look(path: &Path, exist: &[String], found: &mut usize) {
        if path.is_dir() {
            let entries = fs::read_dir(path).unwrap();
            return entries.for_each(|entry| look(&entry.unwrap().path(), exist, found));
        }
        let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        for (at, _) in text.match_indices("CUBLINO_") {
            let is_name = |c: char| c.is_ascii_uppercase() || c == '_';
            let name = text[at..].split(|c| !is_name(c)).next().unwrap();
            *found += 1;
            assert!(exist.iter().any(|it| it == name), "{}: {name}", path.display());
        }
    }
    let variable = |setting: &Arg| setting.get_env().unwrap().to_str().unwrap().to_owned();
    // Not all are settings: `CUBLINO_…` stands for any, and one is for the build.
    let exist: Vec<_> =
        settings().iter().map(variable).chain(["CUBLINO_", "CUBLINO_COMMIT"].map(Into::into)).collect();
    let mut found = 0;
    for folder in ["k8s", "docs", "Dockerfile", "README.md"] {
        look(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &exist, &mut found);
    }
    assert!(found > 30, "{found}");
}

/// The variables that a help names: `[env: NAME=]`, or `[env: NAME]` where the value is secret.
fn variables(help: &str) -> Vec<&str> {
    help.split("[env: ").skip(1).map(|rest| rest.split(['=', ']']).next().unwrap()).collect()
}

#[test]
fn an_empty_variable_is_one_that_is_not_set() {
    let help = run(&["serve", "--help"]);
    let empty: Vec<_> = variables(text(&help.stdout)).into_iter().map(|variable| (variable, "")).collect();
    assert!(empty.len() > 25, "{empty:?}");
    for command in [&[][..], &["serve"]] {
        let arguments = [command, &["--listen", "127.0.0.1:0", "--drain-seconds", "0"]].concat();
        let process = Process::start(cublino(&arguments).envs(empty.iter().copied()));
        let output = with_environment(&["health", &process.url], &empty);
        assert!(output.status.success(), "{}", text(&output.stderr));
        process.signal("TERM");
        process.end();
    }
}

#[test]
fn requests_that_are_not_http_are_logged_only_if_the_filter_asks_for_them() {
    for (filter, is_logged) in [("info", false), ("debug", false), ("info,actix_http=error", true)] {
        let arguments = ["--listen", "127.0.0.1:0", "--drain-seconds", "0", "--log", filter];
        let process = Process::start(&mut cublino(&arguments));
        let mut stream = TcpStream::connect(process.url.strip_prefix("http://").unwrap()).unwrap();
        stream.write_all(b"this is\x00not HTTP\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
        process.signal("TERM");
        let said = process.end();
        assert_eq!(said.contains("actix_http"), is_logged, "{filter}: {said}");
    }
}

/// A file of a test that may write it, removed in the end with its directory.
pub struct Scratch {
    _directory: TempDir,
    path: PathBuf,
}

impl Scratch {
    pub fn new(name: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { path: directory.path().join(name), _directory: directory }
    }

    pub fn path(&self) -> &str {
        self.path.to_str().unwrap()
    }
}

#[test]
fn a_database_that_was_broken_off_goes_on() {
    let file = Scratch::new("broken-off");
    let arguments = ["endgames", "wari", file.path(), "--marbles", "8", "--threads", "1"];
    for done in ["layer 5: ", "layer 7: "] {
        let mut process = cublino(&arguments).spawn().unwrap();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let reached = lines.map_while(Result::ok).find(|line| line.contains(done));
        process.kill().unwrap();
        process.wait().unwrap();
        assert!(reached.is_some());
        assert!(!file.path.exists());
    }
    let output = run(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("layer 7: done by an earlier run"));
    assert!(fs::metadata(format!("{}.parts", file.path())).is_err());

    let output = run(&["endgames", "wari", file.path(), "--verify=whole"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("8 marbles, 125970 of 125970 positions compared, all agree"));
    let output = run(&arguments);
    assert!(text(&output.stderr).contains("the file is complete"));
}

#[test]
fn a_database_that_cannot_be_written_or_agrees_with_nothing_is_refused_at_once() {
    let file = Scratch::new("refused");
    fs::write(&file.path, b"something else").unwrap();
    for (arguments, reason) in [
        (&["/nowhere/at/all"][..], "/nowhere/at/all.parts cannot be written"),
        (&["/"], "/ cannot be written"),
        (&[file.path(), "--marbles", "24", "--memory", "100"], "24 marbles need"),
        (&[file.path(), "--marbles", "25"], "25"),
        (&[file.path(), "--verify"], "is not a Wari database"),
    ] {
        let output = run(&[&["endgames", "wari"], arguments].concat());
        assert!(!output.status.success());
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
        assert!(fs::metadata(format!("{}.parts", file.path())).is_err());
    }
}

#[test]
fn a_database_that_is_not_whole_ends_the_service_or_is_done_without_and_named() {
    let file = Scratch::new("not-whole");
    assert!(run(&["endgames", "wari", file.path(), "--marbles", "5"]).status.success());
    let whole = fs::read(&file.path).unwrap();
    let (mut newer, mut changed) = (whole.clone(), whole.clone());
    newer[16] = 9;
    changed[whole.len() / 2] ^= 1;
    for (bytes, known, said) in [
        (Some(&whole[..]), 5, "listening"),
        (Some(&whole[..whole.len() - 1]), 12, "is corrupt"),
        (Some(&changed), 12, "is corrupt"),
        (Some(&newer), 12, "has version 9"),
        (Some(b"something else"), 12, "is not a Wari database"),
        (None, 12, "cannot be read"),
    ] {
        match bytes {
            Some(bytes) => fs::write(&file.path, bytes).unwrap(),
            None => fs::remove_file(&file.path).unwrap(),
        }
        let arguments = ["--listen", "127.0.0.1:0", "--drain-seconds", "0", "--wari-database", file.path()];
        if known == 12 {
            let output = run(&arguments);
            assert_eq!(output.status.code(), Some(1));
            assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
        }
        let mut command = cublino(&[&arguments[..], &["--wari-database-required", "off"]].concat());
        let process = Process::start(&mut command);
        assert!(process.said.contains(said), "{}", process.said);
        let get = async |path: &str| {
            let answer = reqwest::get(format!("{}/{path}", process.url)).await.unwrap();
            assert_eq!(answer.status(), 200);
            answer.json::<Value>().await.unwrap()
        };
        actix_web::rt::System::new().block_on(async {
            assert_eq!(get("readyz").await["wari_marbles"], known);
            // A gives the last marble away, and B takes all four: 26 to 22.
            let found = get("v1/games/wari/suggestion?state=W-0-0-0-0-0-1-0-1-1-1-0-0-22-22&depth=9").await;
            assert_eq!(found["search"]["stopped_by"], "database");
            assert_eq!(found["lines"][0]["value"]["proven"], json!({"result": "loss", "plies": 1}));
        });
        process.signal("TERM");
        process.end();
    }
}

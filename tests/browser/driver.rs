//! A browser, by the protocol of its driver: JSON over HTTP to `chromedriver`.

use std::{
    env,
    error::Error,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The member by which answers name an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// How long the page has to become what a test waits for, in milliseconds: the machine may be busy.
const PATIENCE: u32 = 60_000;

/// How a test wants to see the page.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    pub width: u32,
    pub height: u32,
    pub dark: bool,
    /// Whether it is touched, as a phone is.
    pub touch: bool,
    /// Whether the reader wants no motion, which makes a test short.
    pub still: bool,
}

impl Screen {
    pub const DESK: Self = Self { width: 1_440, height: 1_000, dark: false, touch: false, still: true };
    pub const PHONE: Self = Self { width: 360, height: 740, touch: true, ..Self::DESK };

    pub const fn dark(self) -> Self {
        Self { dark: true, ..self }
    }
}

/// How often a driver is started until one finds a port.
const TRIES: u32 = 5;

/// Starts a driver, and returns its port. The driver takes a free IPv4 port and needs the same IPv6 port: it
/// exits if that is taken.
fn start_driver(temporary: &Path) -> Option<(Child, BufReader<ChildStdout>, u16)> {
    let mut driver = Command::new("chromedriver")
        .env("TMPDIR", temporary)
        .args(["--port=0", "--log-level=SEVERE"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The pipe stays open: the driver would end if it could not write.
    let mut output = BufReader::new(driver.stdout.take().unwrap());
    let port = |line: String| line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok();
    let port = output.by_ref().lines().map_while(Result::ok).find_map(port);
    if port.is_none() {
        driver.wait().unwrap();
    }
    Some((driver, output, port?))
}

/// A running browser; it ends with its driver when it is dropped.
pub struct Browser {
    driver: Child,
    _output: BufReader<ChildStdout>,
    port: u16,
    session: String,
    /// Where the browser writes what it leaves behind.
    _temporary: TempDir,
}

impl Browser {
    /// Starts a browser.
    pub fn start(screen: Screen) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let (driver, output, port) = (0..TRIES)
            .find_map(|_| start_driver(temporary.path()))
            .expect("the driver says where it listens");
        let mut browser =
            Self { driver, _output: output, port, session: String::new(), _temporary: temporary };
        browser.session = browser.new_session(screen);
        browser.emulate(screen);
        browser
    }

    fn new_session(&self, screen: Screen) -> String {
        let mut arguments = vec!["--headless=new".to_owned(), "--disable-gpu".to_owned()];
        arguments.push("--disable-dev-shm-usage".to_owned());
        arguments.push(format!("--window-size={},{}", screen.width, screen.height));
        // A browser of the superuser runs only without its sandbox.
        if fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0) {
            arguments.push("--no-sandbox".to_owned());
        }
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments, "binary": find("chromium")},
            "timeouts": {"script": 2 * PATIENCE},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let session = self.send("POST", "/session", &wanted).unwrap();
        session["sessionId"].as_str().unwrap().to_owned()
    }

    fn emulate(&self, Screen { width, height, dark, touch, still }: Screen) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch});
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
        self.devtools("Emulation.setTouchEmulationEnabled", &json!({"enabled": touch}));
        let feature = |name: &str, value: &str| json!({"name": name, "value": value});
        let features = [
            feature("prefers-color-scheme", if dark { "dark" } else { "light" }),
            feature("prefers-reduced-motion", if still { "reduce" } else { "no-preference" }),
        ];
        self.devtools("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// One request to the driver, and what it answers.
    fn send(&self, method: &str, path: &str, body: &Value) -> Result<Value, Box<dyn Error>> {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse()?;
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer)?;
        let value = serde_json::from_slice::<Value>(&answer)?["value"].take();
        match value.get("error") {
            Some(error) => Err(format!("{method} {path}: {error} {}", value["message"]).into()),
            None => Ok(value),
        }
    }

    #[track_caller]
    fn command(&self, path: &str, body: &Value) -> Value {
        match self.send("POST", &format!("/session/{}{path}", self.session), body) {
            Ok(value) => value,
            Err(error) => panic!("{error}"),
        }
    }

    /// A command of the developer tools.
    pub fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.command("/goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    /// Opens an address.
    pub fn open(&self, url: &str) {
        self.command("/url", &json!({"url": url}));
    }

    /// What a script returns.
    #[track_caller]
    pub fn script(&self, script: &str) -> Value {
        self.command("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// What a script returns that calls `arguments[0]` when it has finished.
    #[track_caller]
    pub fn asynchronous(&self, script: &str) -> Value {
        self.command("/execute/async", &json!({"script": script, "args": []}))
    }

    /// Waits in the page until an expression is true of it, and returns its value.
    #[track_caller]
    pub fn wait(&self, expression: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; const until = performance.now() + {PATIENCE};
             const look = () => {{
               const value = {expression};
               if (value) done(value);
               else if (performance.now() > until) done(null);
               else setTimeout(look, 15);
             }};
             look();"
        );
        let value = self.asynchronous(&script);
        assert!(!value.is_null(), "never: {expression}; {}", self.text("#status"));
        value
    }

    #[track_caller]
    fn element(&self, css: &str) -> String {
        let found = self.command("/element", &json!({"using": "css selector", "value": css}));
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    /// Goes on in a frame of the page, or in the page itself.
    #[track_caller]
    pub fn enter(&self, css: Option<&str>) {
        let frame = css.map(|css| json!({ELEMENT: self.element(css)}));
        self.command("/frame", &json!({"id": frame}));
    }

    /// Clicks on an element, which has to be visible and covered by nothing.
    #[track_caller]
    pub fn click(&self, css: &str) {
        let element = self.element(css);
        self.command(&format!("/element/{element}/click"), &json!({}));
    }

    /// Types into the element that has the focus. Names of keys are those of the protocol.
    pub fn press(&self, keys: &[char]) {
        let actions: Vec<_> = keys
            .iter()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key.to_string()})))
            .collect();
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": actions});
        self.command("/actions", &json!({"actions": [keyboard]}));
    }

    /// Drags from the middle of one element to that of another, or taps where both are the same.
    #[track_caller]
    pub fn drag(&self, from: &str, to: &str, pointer: &str) {
        let to_middle = |css: &str, ms: u32| {
            let origin = json!({ELEMENT: self.element(css)});
            json!({"type": "pointerMove", "duration": ms, "origin": origin, "x": 0, "y": 0})
        };
        let button = |kind: &str| json!({"type": kind, "button": 0});
        let mut actions = vec![to_middle(from, 0), button("pointerDown")];
        if from != to {
            actions.push(to_middle(to, 120));
        }
        actions.push(button("pointerUp"));
        let finger = json!({
            "type": "pointer", "id": "finger", "parameters": {"pointerType": pointer}, "actions": actions,
        });
        self.command("/actions", &json!({"actions": [finger]}));
    }

    /// The text of an element.
    #[track_caller]
    pub fn text(&self, css: &str) -> String {
        let script = format!("return document.querySelector({css:?}).textContent");
        self.script(&script).as_str().unwrap().to_owned()
    }

    /// Keeps a picture of the page among the artefacts of the build.
    pub fn screenshot(&self, name: &str) {
        let whole = json!({"captureBeyondViewport": true});
        let picture = self.devtools("Page.captureScreenshot", &whole);
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../screenshots");
        fs::create_dir_all(&folder).unwrap();
        let bytes = BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
        fs::write(folder.join(format!("{name}.png")), bytes).unwrap();
    }

    /// What has been logged of a kind since this was asked last.
    pub fn log(&self, kind: &str) -> Vec<Value> {
        self.command("/se/log", &json!({"type": kind})).as_array().unwrap().clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends its browser with the session; without it the browser would stay.
        let ended = self.send("DELETE", &format!("/session/{}", self.session), &Value::Null);
        let killed = self.driver.kill().and_then(|()| self.driver.wait());
        if !std::thread::panicking() {
            ended.unwrap();
            killed.unwrap();
        }
    }
}

/// A program that the tests need and that is not here.
pub fn missing() -> Option<&'static str> {
    ["chromium", "chromedriver"].into_iter().find(|program| find(program).is_none())
}

/// Where a program is.
fn find(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

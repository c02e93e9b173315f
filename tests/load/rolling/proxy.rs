//! nginx in the place of a cluster's load balancer.

use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// The header that says which replica has answered.
pub const ANSWERED_BY: &str = "answered-by";

/// How long nginx may take to listen, and how often this is polled.
const PATIENCE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(20);

/// A running nginx.
pub struct Proxy {
    process: Child,
    folder: TempDir,
    port: u16,
}

impl Proxy {
    /// Starts it before some replicas; `None` where there is no nginx.
    pub fn start(replicas: &[String]) -> Option<Self> {
        let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
        let port = free.expect("a free port").port();
        let folder = tempfile::tempdir().expect("there is room for temporary files");
        let settings = folder.path().join("nginx.conf");
        fs::write(&settings, configuration(folder.path(), port, replicas)).expect("there is room");
        let started =
            Command::new("nginx").arg("-e").arg(folder.path().join("log")).arg("-c").arg(&settings).spawn();
        let Ok(process) = started else {
            return None;
        };
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < PATIENCE, "nginx does not listen");
            thread::sleep(LOOK);
        }
        Some(Self { process, folder, port })
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Changes the replicas that get requests from now on.
    pub fn send_to(&mut self, replicas: &[String]) {
        let text = configuration(self.folder.path(), self.port, replicas);
        fs::write(self.folder.path().join("nginx.conf"), text).expect("there is room");
        kill_process(Pid::from_child(&self.process), Signal::HUP).expect("nginx runs");
    }

    /// Ends it.
    pub fn stop(mut self) {
        kill_process(Pid::from_child(&self.process), Signal::QUIT).expect("nginx runs");
        self.process.wait().expect("it is a child of this process");
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // Both fail if it has ended already, which is fine.
        let _killed = self.process.kill();
        let _ended = self.process.wait();
    }
}

/// Connections to the replicas are kept open, and failed requests are not retried, so that no failure is
/// hidden.
fn configuration(folder: &Path, port: u16, replicas: &[String]) -> String {
    let folder = folder.display();
    let servers: Vec<_> = replicas.iter().map(|replica| format!("server {replica} max_fails=0;")).collect();
    let servers = servers.join(" ");
    format!(
        "daemon off;
pid {folder}/pid;
worker_processes 2;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder};
    proxy_temp_path {folder};
    fastcgi_temp_path {folder};
    uwsgi_temp_path {folder};
    scgi_temp_path {folder};
    upstream replicas {{
        {servers}
        keepalive 16;
    }}
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        location / {{
            proxy_pass http://replicas;
            proxy_http_version 1.1;
            proxy_set_header Connection \"\";
            proxy_next_upstream off;
            add_header {ANSWERED_BY} $upstream_addr;
        }}
    }}
}}
"
    )
}

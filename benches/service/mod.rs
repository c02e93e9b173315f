//! The service in this process, for benchmarks over HTTP.

use std::{net::SocketAddr, sync::mpsc, thread, time::Duration};

use actix_web::rt::System;
use cublino::{config::Config, http};

/// Starts the service with one worker, and returns where it listens.
pub fn start() -> SocketAddr {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        System::new().block_on(async {
            let listen = SocketAddr::from(([127, 0, 0, 1], 0));
            let config = Config { listen, workers: 1, ..Config::default() };
            let running = http::bind(&config).expect("a free port");
            send.send(running.address).expect("the caller waits for the address");
            running.serve().await
        })
    });
    receive.recv().expect("the service starts")
}

pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

//! States per second that one processor answers: in requests about a thousand states, and in requests about
//! one state over keep-alive connections.
//!
//! Clients and the server, which has one worker, belong on one processor, where the time is work and nothing
//! else:
//!
//! `taskset -c 0 cargo bench --bench many 2> /dev/null`

mod service;

use std::{io, net::SocketAddr, time::Instant};

use actix_web::rt::System;
use cublino::{
    game::{Game, Stage, playout},
    games::Pur,
};
use futures_util::future::try_join_all;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, copy, sink},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

/// States in a request about many.
const STATES: usize = 1_000;

/// Connections on which single states are asked about.
const CONNECTIONS: usize = 64;

/// How often each is measured; the medians are printed.
const TURNS: usize = 15;

fn main() -> io::Result<()> {
    let address = service::start();
    let mut rng = Pcg64::seed_from_u64(1);
    let mut states = Vec::new();
    while states.len() < STATES {
        let game = playout::positions(Pur::default(), 200, &mut rng);
        states.extend(
            game.filter(|position| position.stage() == Stage::Move).map(|position| position.to_string()),
        );
    }
    states.truncate(STATES);
    println!("operation\tone by one, states/s\tin one request, states/s\ttimes");
    for operation in ["validation", "legal-moves", "score"] {
        let singles_asked: Vec<_> = states.iter().map(|state| one(operation, state)).collect();
        let many_asked = all(operation, &states);
        let (mut one_by_one, mut together) = (Vec::new(), Vec::new());
        System::new().block_on(async {
            let connect = || Client::to(address);
            let mut singles = try_join_all((0..CONNECTIONS).map(|_| connect())).await?;
            let mut many = connect().await?;
            for _ in 0..TURNS {
                let began = Instant::now();
                let shares = singles_asked.chunks(STATES.div_ceil(CONNECTIONS));
                try_join_all(singles.iter_mut().zip(shares).map(|(client, share)| client.ask_each(share)))
                    .await?;
                one_by_one.push(began.elapsed());
                let began = Instant::now();
                many.ask(&many_asked).await?;
                together.push(began.elapsed());
            }
            io::Result::Ok(())
        })?;
        #[expect(clippy::cast_precision_loss, reason = "a thousand")]
        let rate = |times| STATES as f64 / service::median(times).as_secs_f64();
        let (one_by_one, together) = (rate(one_by_one), rate(together));
        println!("{operation}\t{one_by_one:.0}\t{together:.0}\t{:.1}", together / one_by_one);
    }
    Ok(())
}

/// A request about one state.
fn one(operation: &str, state: &str) -> String {
    format!("GET /v1/games/cublino-pur/{operation}?state={state} HTTP/1.1\r\nhost: x\r\n\r\n")
}

/// A request about all states.
fn all(operation: &str, states: &[String]) -> String {
    let positions: Vec<_> = states.iter().map(|state| json!({"state": state})).collect();
    let body = json!({"positions": positions}).to_string();
    format!(
        "POST /v1/games/cublino-pur/{operation} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// A connection that is kept open.
struct Client {
    reader: BufReader<OwnedReadHalf>,
    writer: OwnedWriteHalf,
}

impl Client {
    async fn to(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (reader, writer) = stream.into_split();
        Ok(Self { reader: BufReader::with_capacity(64 * 1024, reader), writer })
    }

    async fn ask_each(&mut self, requests: &[String]) -> io::Result<()> {
        for request in requests {
            self.ask(request).await?;
        }
        Ok(())
    }

    async fn ask(&mut self, request: &str) -> io::Result<()> {
        self.writer.write_all(request.as_bytes()).await?;
        self.read_answer().await
    }

    /// Reads an answer, by the length in its head or chunk by chunk.
    async fn read_answer(&mut self) -> io::Result<()> {
        let (mut length, mut line) = (None, String::new());
        loop {
            line.clear();
            self.reader.read_line(&mut line).await?;
            if line == "\r\n" {
                break;
            }
            let header = line.to_ascii_lowercase();
            assert!(!header.starts_with("http/1.1 ") || header.starts_with("http/1.1 200"), "{line}");
            if let Some(value) = header.strip_prefix("content-length: ") {
                length = Some(value.trim().parse().expect("a number"));
            }
        }
        if let Some(length) = length {
            return self.skip(length).await;
        }
        loop {
            line.clear();
            self.reader.read_line(&mut line).await?;
            let length = u64::from_str_radix(line.trim(), 16).expect("the size of a chunk");
            self.skip(length + 2).await?;
            if length == 0 {
                return Ok(());
            }
        }
    }

    async fn skip(&mut self, bytes: u64) -> io::Result<()> {
        let skipped = copy(&mut (&mut self.reader).take(bytes), &mut sink()).await?;
        assert_eq!(skipped, bytes, "the answer ends too soon");
        Ok(())
    }
}

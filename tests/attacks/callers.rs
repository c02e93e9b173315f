//! Callers who take as much as they can get, and give nothing back for as long as they may.

use std::{
    cell::Cell,
    fmt, io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    rc::Rc,
    time::Duration,
};

use actix_web::{
    rt::{
        spawn,
        task::JoinHandle,
        time::{sleep, timeout},
    },
    web::Bytes,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, Interest, Ready},
    net::{TcpSocket, TcpStream},
};

use super::Attack;

/// How long a caller waits before it connects again.
const PAUSE: Duration = Duration::from_millis(200);
/// How many bytes a slow reader reads, and how often: slower, it would be cut off.
const SIP: usize = 1_024;
const PACE: Duration = Duration::from_millis(200);
/// One connection of this many is of the same caller; each other one is of a caller of its own.
const OF_ONE: usize = 4;

/// What a caller does with its request, and with the answer.
#[derive(Clone, Copy, Debug)]
pub enum Manner {
    /// Reads nothing but the status.
    Ignore,
    /// The same, and sends its request again and again.
    Flood,
    /// Reads slowly.
    Sip,
    /// Sends all of its request but the last byte.
    Part,
}

/// Callers that come together. Those who are slow may stay the longest.
pub const WAVES: [[Manner; 2]; 2] = [[Manner::Ignore, Manner::Flood], [Manner::Sip, Manner::Part]];

/// The results of the callers.
#[derive(Default)]
pub struct Tally {
    /// Answers with the status 200.
    pub good: Cell<u64>,
    /// Those with 429 or 503.
    pub later: Cell<u64>,
    /// All others.
    pub bad: Cell<u64>,
}

impl Tally {
    /// The number of answers.
    pub fn total(&self) -> u64 {
        self.good.get() + self.later.get() + self.bad.get()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>6} good {:>6} later {:>6} bad", self.good.get(), self.later.get(), self.bad.get())
    }
}

/// Has its requests sent on this many connections, again and again until the tasks are aborted.
pub fn begin(
    service: SocketAddr,
    attack: &Attack,
    manners: [Manner; 2],
    connections: usize,
    tally: &Rc<Tally>,
) -> Vec<JoinHandle<()>> {
    let mut tasks = Vec::new();
    let many = u32::from(Ipv4Addr::new(127, 0, 1, 0))..;
    for (i, (request, own)) in attack.requests.iter().cycle().zip(many).take(connections).enumerate() {
        // Manners change slower than requests, so that each request comes in each manner.
        let manner = manners[i / attack.requests.len() % manners.len()];
        let from = if i % OF_ONE == 0 { Ipv4Addr::LOCALHOST } else { own.into() };
        tasks.push(spawn(again_and_again(service, from.into(), request.clone(), manner, tally.clone())));
    }
    tasks
}

async fn again_and_again(
    service: SocketAddr,
    from: IpAddr,
    request: Bytes,
    manner: Manner,
    tally: Rc<Tally>,
) {
    loop {
        // A caller who gets no connection tries again.
        if let Ok(stream) = connect(service, from).await {
            // Errors are of connections that the service closes.
            drop(ask(stream, &request, manner, &tally).await);
        }
        sleep(PAUSE).await;
    }
}

async fn connect(service: SocketAddr, from: IpAddr) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((from, 0).into())?;
    socket.connect(service).await
}

async fn ask(mut stream: TcpStream, request: &[u8], manner: Manner, tally: &Tally) -> io::Result<()> {
    if let Manner::Part = manner {
        stream.write_all(&request[..request.len() - 1]).await?;
    } else {
        stream.write_all(request).await?;
    }
    let mut status = [0; 12];
    stream.read_exact(&mut status).await?;
    let code = &status[9..];
    let is_refused = code == b"429" || code == b"503";
    let count = match code {
        b"200" => &tally.good,
        _ if is_refused => &tally.later,
        _ => &tally.bad,
    };
    count.set(count.get() + 1);
    if is_refused {
        return Ok(());
    }
    let mut buffer = [0; SIP];
    loop {
        match manner {
            // There is more to read, and still one sees whether the service has closed the connection.
            Manner::Ignore | Manner::Part => {
                let ready = timeout(PACE, stream.ready(Interest::READABLE)).await;
                if ready.is_ok_and(|ready| ready.is_ok_and(Ready::is_read_closed)) {
                    return Ok(());
                }
            }
            Manner::Flood => stream.write_all(request).await?,
            Manner::Sip if stream.read(&mut buffer).await? == 0 => return Ok(()),
            Manner::Sip => {}
        }
        sleep(PACE).await;
    }
}

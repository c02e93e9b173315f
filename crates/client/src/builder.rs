//! How a client is set up.

use std::time::Duration;

use reqwest::{
    Url,
    header::{AUTHORIZATION, HeaderMap, HeaderValue},
    redirect::Policy,
};

use super::{Client, Error, Retries};

impl Client {
    /// A client of the service under a URL, such as `http://127.0.0.1:8080`.
    ///
    /// # Errors
    /// The base is no URL that this client can reach.
    pub fn new(base: &str) -> Result<Self, Error> {
        Self::builder(base).build()
    }

    /// A client of the service under a URL, to be set up.
    pub fn builder(base: &str) -> ClientBuilder {
        ClientBuilder::new(base)
    }
}

/// How a client is set up: begun by [`Client::builder`].
///
/// ```
/// use std::time::Duration;
///
/// use cublino_client::{Client, Retries};
///
/// let client = Client::builder("http://127.0.0.1:8080")
///     .key("a key that the service knows")
///     .timeout(Duration::from_secs(60))
///     .retries(Retries::NONE)
///     .build()?;
/// # Ok::<(), cublino_client::Error>(())
/// ```
#[derive(Debug)]
pub struct ClientBuilder {
    base: String,
    key: Option<String>,
    timeout: Option<Duration>,
    retries: Retries,
    http: reqwest::ClientBuilder,
}

impl ClientBuilder {
    fn new(base: &str) -> Self {
        /// How long it may take until the service is reached.
        const CONNECTING: Duration = Duration::from_secs(10);
        Self {
            base: base.to_owned(),
            key: None,
            timeout: None,
            retries: Retries::default(),
            http: reqwest::Client::builder().connect_timeout(CONNECTING).redirect(Policy::none()),
        }
    }

    /// A key for a service that wants one.
    #[must_use]
    pub fn key(self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self }
    }

    /// How long the service may be silent: until an answer begins, and between its parts. Without it, as long
    /// as it likes; a search is silent until it has found something.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..self }
    }

    /// How often to ask again, and how long to wait, where the service has too much to do.
    #[must_use]
    pub fn retries(self, retries: Retries) -> Self {
        Self { retries, ..self }
    }

    /// Sends requests over connections that are set up in another way: with a proxy, say, or with
    /// certificates of one's own.
    #[must_use]
    pub fn http(self, http: reqwest::ClientBuilder) -> Self {
        Self { http, ..self }
    }

    /// The client.
    ///
    /// # Errors
    /// The base is no URL that this client can reach, or the key cannot stand in a header.
    pub fn build(self) -> Result<Client, Error> {
        let base = self.base.trim_end_matches('/').to_owned();
        let url = Url::parse(&base).map_err(|_| Error::Base(base.clone()))?;
        match url.scheme() {
            "http" => {}
            "https" if cfg!(feature = "tls") => {}
            "https" => return Err(Error::Tls),
            _ => return Err(Error::Base(base)),
        }
        let mut headers = HeaderMap::new();
        if let Some(key) = self.key {
            let mut value = HeaderValue::try_from(format!("Bearer {key}")).map_err(|_| Error::Key)?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let mut http = self.http.default_headers(headers);
        if let Some(timeout) = self.timeout {
            http = http.read_timeout(timeout);
        }
        Ok(Client { http: http.build()?, base, retries: self.retries })
    }
}

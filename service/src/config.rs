//! Every setting, one by one; [`crate::settings`] reads them.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};

use crate::Clock;
use crate::demo;
use crate::identity::{Identities, IdentitiesError};
use crate::seal::{Ring, RingError};
use crate::signer::{KeyError, Signer};
use crate::telemetry::log::Format;
use crate::tls::{self, Files, TlsError};
use crate::web;

/// The gRPC service canasta.v1: judges Canasta actions and keeps nothing
///
/// A setting is taken from the command line, else from the environment, else from the file, else it has its default.
#[derive(Clone, Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 after a clean end, 2 if it could not serve, 64 on bad configuration."
)]
pub struct Cli {
    /// File with settings (TOML: `max-requests = 64`), named as on the command line
    #[arg(long = "config", env = "CANASTA_CONFIG", value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Print every setting as it would be, in the form of the file, and end
    #[arg(long)]
    pub print_config: bool,

    /// Every setting.
    #[command(flatten)]
    pub config: Config,
    /// What to do instead of serving.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What the program can do instead of serving.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Play a whole game against a server of its own, with rule breaks on purpose
    Demo(demo::Options),
    /// Make an API key: prints it, and the lines that name it in the identities file
    ApiKey {
        /// What to call the identity, in the file and in telemetry
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Add a key to the file that states are sealed with, made if it does not exist
    Keygen {
        /// The file; the first key is active, a later one opens only, until you change the word before it
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

/// How the server listens, what it takes on, and how it ends. The time between the signal and the exit is at
/// most `drain_notice` + `drain_limit`, which platforms expect to be below 30 s.
#[derive(Clone, Debug, clap::Args)]
pub struct Config {
    /// Address and port to listen on
    #[arg(long, env = "CANASTA_LISTEN", default_value = "127.0.0.1:50051", value_name = "ADDR:PORT")]
    pub listen: SocketAddr,

    /// Believe whom callers say they act for, beyond loopback too (a trusted back end is in front)
    #[arg(long, env = "CANASTA_TRUSTED_CALLERS")]
    pub trusted_callers: bool,

    /// Answer reflection beyond loopback too; on loopback it is always answered
    #[arg(long, env = "CANASTA_REFLECTION")]
    pub reflection: bool,

    /// Answer browsers (gRPC-web and the table at `/`, over HTTP/1.1 too) beyond loopback too; on loopback they are always
    /// answered
    #[arg(long, env = "CANASTA_WEB")]
    pub web: bool,

    /// Origin whose pages may ask from a browser (`https://table.example`), besides those of this machine on loopback;
    /// once for each, or several with commas
    #[arg(long = "web-origin", env = "CANASTA_WEB_ORIGIN", value_name = "ORIGIN", value_delimiter = ',', value_parser = web::origin)]
    pub web_origins: Vec<String>,

    /// Most requests under way at once, those included that are still arriving; more are refused with
    /// RESOURCE_EXHAUSTED
    // More than one peer can have at once by its connections, so that none can take all places with slow bodies.
    #[arg(long, env = "CANASTA_MAX_REQUESTS", default_value_t = 2048, value_name = "COUNT",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_requests: u16,

    /// Most Play streams at once; more are refused with RESOURCE_EXHAUSTED
    #[arg(long, env = "CANASTA_MAX_PLAY_STREAMS", default_value_t = 1024, value_name = "COUNT",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_play_streams: u16,

    /// Most logs taken in at once by AuditService; more are refused with RESOURCE_EXHAUSTED
    #[arg(long, env = "CANASTA_MAX_AUDITS", default_value_t = 16, value_name = "COUNT",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_audits: u16,

    /// Most of them of one caller: an identity, or where callers are not told apart an address
    // A log may come slowly, and holds its place for as long.
    #[arg(long, env = "CANASTA_MAX_CALLER_AUDITS", default_value_t = 4, value_name = "COUNT",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_caller_audits: u16,

    /// Most searches for legal actions at once, each on a thread beside those that answer; others wait until their
    /// deadline. Without it as many as there are processors
    #[arg(long, env = "CANASTA_MAX_SEARCHES", value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..))]
    pub max_searches: Option<u16>,

    /// Memory for request bodies still arriving: the sum of their announced lengths, the first 4 KiB of each not counted
    #[arg(long, env = "CANASTA_MAX_BODY_BYTES", default_value_t = 8 << 20, value_name = "BYTES")]
    pub max_body_bytes: u32,

    /// Most requests of one caller in a second, in the long run; without it as many as come
    #[arg(long, env = "CANASTA_MAX_RATE", value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_rate: Option<u32>,

    /// Most requests of one caller at once, under --max-rate; without it those of two seconds
    #[arg(long, env = "CANASTA_MAX_BURST", value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_burst: Option<u32>,

    /// Most connections at once; more are closed
    #[arg(long, env = "CANASTA_MAX_CONNECTIONS", default_value_t = 1024, value_name = "COUNT",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_connections: u16,

    /// Most connections of one peer address at once; more are closed
    #[arg(long, env = "CANASTA_MAX_PEER_CONNECTIONS", default_value_t = 32, value_name = "COUNT",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_peer_connections: u16,

    /// Longest time from now to the expiry of a new game, in ms; without it games need not expire
    #[arg(long, env = "CANASTA_MAX_LIFETIME_MS", value_name = "MS")]
    pub max_lifetime_ms: Option<u64>,

    /// File with the key that signs checkpoints (`canasta-replay keygen`)
    #[arg(long, env = "CANASTA_SIGNING_KEY_FILE", value_name = "FILE")]
    pub signing_key_file: Option<PathBuf>,

    /// File with the keys that states are sealed with (`canasta-service keygen`): callers can then neither read nor
    /// change them
    #[arg(long, env = "CANASTA_SEAL_KEY_FILE", value_name = "FILE")]
    pub seal_key_file: Option<PathBuf>,

    /// File that names who may call, and what each may (docs/IDENTITIES.md); everybody else is refused
    #[arg(long, env = "CANASTA_IDENTITIES_FILE", value_name = "FILE")]
    pub identities_file: Option<PathBuf>,

    /// File with the certificate that the server shows, and those up to its root, in PEM: TLS 1.3 only from then on
    #[arg(long, env = "CANASTA_TLS_CERT_FILE", value_name = "FILE")]
    pub tls_cert_file: Option<PathBuf>,

    /// File with the certificate's private key, in PEM
    #[arg(long, env = "CANASTA_TLS_KEY_FILE", value_name = "FILE")]
    pub tls_key_file: Option<PathBuf>,

    /// File with the roots of clients' certificates, in PEM
    #[arg(long, env = "CANASTA_TLS_CLIENT_CA_FILE", value_name = "FILE")]
    pub tls_client_ca_file: Option<PathBuf>,

    /// How often to look whether key, identity and certificate files have changed, in ms; 0 is never
    #[arg(long = "reread-ms", env = "CANASTA_REREAD_MS", default_value = "5000", value_name = "MS", value_parser = ms)]
    pub reread: Duration,

    /// Whom sealed states are for: those of another audience are refused, whatever the keys
    #[arg(long, env = "CANASTA_AUDIENCE", default_value = "", value_name = "NAME")]
    pub audience: String,

    /// Longest time from a request's first byte to its answer, in ms
    #[arg(long = "deadline-ms", env = "CANASTA_DEADLINE_MS", default_value = "2000", value_name = "MS", value_parser = ms)]
    pub deadline: Duration,

    /// Longest time from the first byte of a request to AuditService to its answer, in ms
    #[arg(long = "audit-deadline-ms", env = "CANASTA_AUDIT_DEADLINE_MS", default_value = "30000", value_name = "MS", value_parser = ms)]
    pub audit_deadline: Duration,

    /// A Play stream without a request for so long is ended, in ms
    #[arg(long = "play-idle-ms", env = "CANASTA_PLAY_IDLE_MS", default_value = "300000", value_name = "MS", value_parser = ms)]
    pub play_idle: Duration,

    /// Longest time a new connection may stay silent, in ms
    #[arg(long = "preface-deadline-ms", env = "CANASTA_PREFACE_DEADLINE_MS", default_value = "5000", value_name = "MS", value_parser = ms)]
    pub preface_deadline: Duration,

    /// A connection without a request for so long is closed, in ms
    #[arg(long = "idle-ms", env = "CANASTA_IDLE_MS", default_value = "300000", value_name = "MS", value_parser = ms)]
    pub idle: Duration,

    /// How often a client is asked whether it is still there, in ms
    #[arg(long = "keepalive-ms", env = "CANASTA_KEEPALIVE_MS", default_value = "30000", value_name = "MS", value_parser = some_ms)]
    pub keepalive: Duration,

    /// A connection whose client does not answer that for so long is closed, in ms
    #[arg(long = "keepalive-timeout-ms", env = "CANASTA_KEEPALIVE_TIMEOUT_MS", default_value = "10000", value_name = "MS", value_parser = some_ms)]
    pub keepalive_timeout: Duration,

    /// A connection as old as that is told to go, and ends with its last request, in ms
    #[arg(long = "max-age-ms", env = "CANASTA_MAX_AGE_MS", default_value = "1800000", value_name = "MS", value_parser = some_ms)]
    pub max_age: Duration,

    /// Longest time that a client may take over an answer of one message before its connection is closed, in ms
    #[arg(long = "take-deadline-ms", env = "CANASTA_TAKE_DEADLINE_MS", default_value = "6000", value_name = "MS", value_parser = ms)]
    pub take_deadline: Duration,

    /// After the signal to end: how long to go on serving, reported as not serving, in ms
    #[arg(long = "drain-notice-ms", env = "CANASTA_DRAIN_NOTICE_MS", default_value = "5000", value_name = "MS", value_parser = ms)]
    pub drain_notice: Duration,

    /// After that: how long to wait for open connections, in ms
    #[arg(long = "drain-limit-ms", env = "CANASTA_DRAIN_LIMIT_MS", default_value = "20000", value_name = "MS", value_parser = ms)]
    pub drain_limit: Duration,

    /// Where metrics and traces go, by OTLP over gRPC (`http://127.0.0.1:4317`); without it nowhere
    #[arg(long, env = "CANASTA_OTLP_ENDPOINT", value_name = "URL", value_parser = endpoint, help_heading = "Telemetry")]
    pub otlp_endpoint: Option<String>,

    /// Share of requests that are traced, 0 to 1, of those whose caller has not decided (`traceparent`)
    #[arg(long, env = "CANASTA_TRACE_RATIO", default_value = "0.01", value_name = "SHARE", value_parser = share, help_heading = "Telemetry")]
    pub trace_ratio: f64,

    /// How often metrics are sent, in ms
    #[arg(long = "metrics-interval-ms", env = "CANASTA_METRICS_INTERVAL_MS", default_value = "15000", value_name = "MS", value_parser = some_ms, help_heading = "Telemetry")]
    pub metrics_interval: Duration,

    /// How the log on stderr is written
    #[arg(
        long,
        env = "CANASTA_LOG_FORMAT",
        default_value = "text",
        value_name = "FORMAT",
        help_heading = "Telemetry"
    )]
    pub log_format: Format,

    /// Log a line for every request: method, status, time and id
    #[arg(long, env = "CANASTA_LOG_REQUESTS", help_heading = "Telemetry")]
    pub log_requests: bool,
}

/// A configuration that can be written down and not be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConfigError {
    /// Without authentication whoever reaches the port acts for every seat.
    #[error(
        "{0} is reachable from elsewhere and callers are not authenticated: name them in --identities-file, listen \
             on loopback, or set --trusted-callers where only a trusted back end can reach it"
    )]
    OpenToAll(SocketAddr),
    /// Without authentication whoever reaches the port acts for every seat, sealed or not.
    #[error(
        "--seal-key-file: callers are not authenticated, so a seal would protect nothing: name them in \
             --identities-file, or set --trusted-callers where only a trusted back end can reach the port"
    )]
    SealForAll,
    /// Whoever is believed needs no credentials, and the other way round.
    #[error("--trusted-callers believes everybody, --identities-file only whom it names: set one of them")]
    TrustedIdentities,
    /// One file without the others.
    #[error("--tls-cert-file and --tls-key-file go together")]
    HalfTls,
    /// Certificates that nobody asks for.
    #[error("--tls-client-ca-file needs --tls-cert-file, and an --identities-file that says who is whom")]
    ClientCaAlone,
    /// Pages of an origin that nobody answers.
    #[error("--web-origin: browsers are not answered on this address: set --web too")]
    OriginWithoutWeb,
    /// A burst of what?
    #[error("--max-burst: says how many of --max-rate may come at once: set --max-rate too")]
    BurstWithoutRate,
}

impl Config {
    /// Everything that is wrong with the settings together, and with the files that they name.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let knows_callers = self.identities_file.is_some();
        if self.seal_key_file.is_some() && !self.trusted_callers && !knows_callers {
            faults.push(ConfigError::SealForAll.to_string());
        }
        if !self.listen.ip().is_loopback() && !self.trusted_callers && !knows_callers {
            faults.push(ConfigError::OpenToAll(self.listen).to_string());
        }
        if self.trusted_callers && knows_callers {
            faults.push(ConfigError::TrustedIdentities.to_string());
        }
        if self.tls_cert_file.is_some() != self.tls_key_file.is_some() {
            faults.push(ConfigError::HalfTls.to_string());
        }
        if self.tls_client_ca_file.is_some() && !(self.tls_cert_file.is_some() && knows_callers) {
            faults.push(ConfigError::ClientCaAlone.to_string());
        }
        if self.max_burst.is_some() && self.max_rate.is_none() {
            faults.push(ConfigError::BurstWithoutRate.to_string());
        }
        if !self.web_origins.is_empty() && !self.serves_web() {
            faults.push(ConfigError::OriginWithoutWeb.to_string());
        }
        faults.extend(self.signer().err().map(|error| error.to_string()));
        faults.extend(self.ring().err().map(|error| error.to_string()));
        match self.identities() {
            Err(IdentitiesError::Faults(each)) => {
                faults.extend(each.iter().map(|fault| format!("identities: {fault}")));
            }
            other => faults.extend(other.err().map(|error| error.to_string())),
        }
        // The clock is asked in handshakes only.
        faults.extend(self.tls(|| 0).err().map(|error| error.to_string()));
        faults
    }

    /// How many requests a caller may have at once in its bucket.
    pub fn burst(&self) -> u32 {
        self.max_burst.or(self.max_rate.map(|rate| rate.saturating_mul(2))).unwrap_or(u32::MAX)
    }

    /// The key, if the server has one.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn signer(&self) -> Result<Option<Signer>, KeyError> {
        self.signing_key_file.as_deref().map(Signer::read).transpose()
    }

    /// The keys of states, if the server seals them.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn ring(&self) -> Result<Option<Ring>, RingError> {
        self.seal_key_file.as_deref().map(|file| Ring::read(file, &self.audience)).transpose()
    }

    /// Who may call, if callers are told apart.
    ///
    /// # Errors
    /// If the file cannot be read or has a fault.
    pub fn identities(&self) -> Result<Option<Identities>, IdentitiesError> {
        let Some(file) = self.identities_file.as_deref() else { return Ok(None) };
        let identities = Identities::read(file)?;
        if self.seal_key_file.is_none() && identities.limit_anybody() {
            return Err(IdentitiesError::LimitsWithoutSeal);
        }
        if self.tls_client_ca_file.is_none() && identities.ask_for_certificates() {
            return Err(IdentitiesError::NoClientCa);
        }
        Ok(Some(identities))
    }

    /// The server's side of TLS, if it speaks it.
    ///
    /// # Errors
    /// If the files make none.
    pub fn tls(&self, clock: Clock) -> Result<Option<rustls::ServerConfig>, TlsError> {
        let (Some(certificate), Some(key)) = (&self.tls_cert_file, &self.tls_key_file) else {
            return Ok(None);
        };
        tls::read(Files { certificate, key, client_ca: self.tls_client_ca_file.as_ref() }, clock).map(Some)
    }

    /// Whether browsers are answered.
    pub fn serves_web(&self) -> bool {
        self.web || self.listen.ip().is_loopback()
    }

    /// Whether reflection is answered.
    pub fn reflects(&self) -> bool {
        self.reflection || self.listen.ip().is_loopback()
    }
}

fn ms(text: &str) -> Result<Duration, std::num::ParseIntError> {
    text.parse().map(Duration::from_millis)
}

/// As [`ms`], and not nothing.
fn some_ms(text: &str) -> Result<Duration, String> {
    let time = ms(text).map_err(|error| error.to_string())?;
    if time.is_zero() { Err("expected at least 1".into()) } else { Ok(time) }
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "expected a number from 0 to 1")?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("expected a number from 0 to 1".into()) }
}

fn endpoint(text: &str) -> Result<String, String> {
    let expected = || String::from("expected http://HOST:PORT");
    let uri: http::Uri = text.parse().map_err(|_| expected())?;
    let is_plain =
        uri.scheme_str() == Some("http") && matches!(uri.path(), "" | "/") && uri.query().is_none();
    if is_plain && uri.port().is_some() { Ok(text.to_owned()) } else { Err(expected()) }
}

//! Every setting of a server, as a value; its program reads them, and the files that they name.

mod conflict;
mod value;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use conflict::ConfigError;
use value::{address, ms, origin, share};
pub use value::{endpoint, some_ms};

pub const PROGRAM: &str = "canasta-service";

/// Runs the gRPC service canasta.v1, which judges Canasta actions and keeps nothing
///
/// The server takes each setting from the command line, else from the environment, else from the file of
/// --config, else it uses the default.
#[derive(Clone, Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 after a clean end, 2 if the server could not serve, 64 on bad configuration."
)]
pub struct ServiceCli {
    /// Settings file in TOML, with the names of the command line (`max-requests = 64`); at most 64 KiB.
    /// Unset: no file
    #[arg(long = "config", env = "CANASTA_CONFIG", value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Print every setting and its source in the form of the settings file, then exit
    #[arg(long)]
    pub print_config: bool,

    /// Every setting of the server.
    #[command(flatten)]
    pub config: Config,
    /// The command to run instead of the server.
    #[command(subcommand)]
    pub command: Option<ServiceCommand>,
}

/// A command that the program runs instead of the server.
#[derive(Clone, Debug, Subcommand)]
pub enum ServiceCommand {
    /// Make an API key; print the key and its entry for the identities file
    ApiKey {
        /// Name of the identity in the identities file and in telemetry
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Add a new key to a seal key file; create the file if it does not exist
    Keygen {
        /// Seal key file. Its first key is active; a later one is open-only until you change its first word
        /// to active
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

/// The settings of the server: addresses, limits, files, deadlines and telemetry. The time between the signal
/// and the exit is at most `drain_notice` + `drain_limit`, which platforms expect to be below 30 s.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Name of the program in telemetry: `service.name` of its exports. Not a setting.
    #[arg(skip = PROGRAM)]
    pub program: &'static str,

    /// Address and port to listen on; `localhost` means 127.0.0.1, and other names are not resolved
    #[arg(long, env = "CANASTA_LISTEN", default_value = "127.0.0.1:50051", value_name = "ADDR:PORT", value_parser = address)]
    pub listen: SocketAddr,

    /// Trust every caller to name the seat or role it acts for, also beyond loopback: for a port that only a
    /// trusted back end can reach
    #[arg(long, env = "CANASTA_TRUSTED_CALLERS")]
    pub trusted_callers: bool,

    /// Serve gRPC reflection also beyond loopback; on loopback it is always served
    #[arg(long, env = "CANASTA_REFLECTION")]
    pub reflection: bool,

    /// Serve browsers and scripts (gRPC-web, JSON, HTTP/1.1 and the table at `/`) also beyond loopback; on loopback they are
    /// always served
    #[arg(long, env = "CANASTA_WEB")]
    pub web: bool,

    /// Origin whose pages may call from a browser (`https://table.example`); give the option once per origin,
    /// or several origins separated by commas. Unset: only pages of this machine, and only on loopback
    #[arg(long = "web-origin", env = "CANASTA_WEB_ORIGIN", value_name = "ORIGIN", value_delimiter = ',', value_parser = origin)]
    pub web_origins: Vec<String>,

    /// Maximum concurrent requests, including those still arriving, 1 to 65535. Once there are so many, each caller
    /// (identity, or IP address if callers are not authenticated) has an equal share; who needs more is refused with
    /// RESOURCE_EXHAUSTED, and who holds more loses what it has held for longest
    #[arg(long, env = "CANASTA_MAX_REQUESTS", default_value_t = 1024, value_name = "COUNT",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_requests: u16,

    /// Maximum concurrent Play streams, 1 to 65535, shared out like --max-requests
    #[arg(long, env = "CANASTA_MAX_PLAY_STREAMS", default_value_t = 1024, value_name = "COUNT",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_play_streams: u16,

    /// Maximum concurrent requests to AuditService, 1 to 65535, shared out like --max-requests
    // A log may arrive slowly, and its request holds its place and the memory of a round for as long.
    #[arg(long, env = "CANASTA_MAX_AUDITS", default_value_t = 256, value_name = "COUNT",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_audits: u16,

    /// Maximum open streams of Health.Watch and of reflection, 1 to 65535, shared out like --max-requests
    #[arg(long, env = "CANASTA_MAX_WATCHERS", default_value_t = 512, value_name = "COUNT",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_watchers: u16,

    /// Maximum open streams about games by id (Watch, WatchGames, GetLog) of one caller, 1 to 10000. Each keeps a place out
    /// of 10,000 and is looked at whenever its game changes, so one caller must not have them all. A back end with many
    /// games needs one stream: WatchGames
    #[arg(long, env = "CANASTA_MAX_CALLER_STREAMS", default_value_t = 64, value_name = "COUNT",
          value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub max_caller_streams: u16,

    /// Maximum concurrent searches for legal actions, 1 to 65535; each has its own thread, and more wait
    /// until their deadline. Unset: one per processor
    #[arg(long, env = "CANASTA_MAX_SEARCHES", value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..))]
    pub max_searches: Option<u16>,

    /// Maximum memory for request bodies still arriving, in bytes, 1 to 4294967295: the sum of their
    /// announced lengths beyond the first 4 KiB of each
    #[arg(long, env = "CANASTA_MAX_BODY_BYTES", default_value_t = 8 << 20, value_name = "BYTES",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_body_bytes: u32,

    /// Maximum requests per second and caller in the long run, 1 to 1000000; each message of a Play stream and each
    /// action of a batch counts as one. Unset: no limit
    #[arg(long, env = "CANASTA_MAX_RATE", value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_rate: Option<u32>,

    /// Maximum requests of one caller in a burst, 1 to 1000000; needs --max-rate. Unset: twice --max-rate
    #[arg(long, env = "CANASTA_MAX_BURST", value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_burst: Option<u32>,

    /// Maximum open connections, 1 to 65535. Once there are so many, each peer has an equal share; more are closed at
    /// once, and who holds more loses those that were unused for longest
    #[arg(long, env = "CANASTA_MAX_CONNECTIONS", default_value_t = 1024, value_name = "COUNT",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_connections: u16,

    /// Maximum open connections per peer (IPv4 address or IPv6 /64 network), 1 to 65535; the server closes
    /// more at once
    #[arg(long, env = "CANASTA_MAX_PEER_CONNECTIONS", default_value_t = 32, value_name = "COUNT",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub max_peer_connections: u16,

    /// Maximum time from creation to expiry of a new game, in ms, at least 1; games must then expire. Unset:
    /// games need not expire
    #[arg(long, env = "CANASTA_MAX_LIFETIME_MS", value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_lifetime_ms: Option<u64>,

    /// File with the private key that signs checkpoints (`canasta-replay keygen`). Unset: no checkpoints
    #[arg(long, env = "CANASTA_SIGNING_KEY_FILE", value_name = "FILE")]
    pub signing_key_file: Option<PathBuf>,

    /// File with the keys that seal states (`canasta-service keygen`), so that callers can neither read nor
    /// change states. Unset: states are not sealed
    #[arg(long, env = "CANASTA_SEAL_KEY_FILE", value_name = "FILE")]
    pub seal_key_file: Option<PathBuf>,

    /// File that names every caller and its rights (docs/operate/IDENTITIES.md); the server refuses all other
    /// callers. Unset: callers are not authenticated
    #[arg(long, env = "CANASTA_IDENTITIES_FILE", value_name = "FILE")]
    pub identities_file: Option<PathBuf>,

    /// File with the server's certificate and its chain, in PEM; the server then accepts only TLS 1.3. Unset:
    /// no TLS
    #[arg(long, env = "CANASTA_TLS_CERT_FILE", value_name = "FILE")]
    pub tls_cert_file: Option<PathBuf>,

    /// File with the private key of the server's certificate, in PEM
    #[arg(long, env = "CANASTA_TLS_KEY_FILE", value_name = "FILE")]
    pub tls_key_file: Option<PathBuf>,

    /// File with the root certificates that clients' certificates are verified against, in PEM. Unset:
    /// clients' certificates are not requested
    #[arg(long, env = "CANASTA_TLS_CLIENT_CA_FILE", value_name = "FILE")]
    pub tls_client_ca_file: Option<PathBuf>,

    /// Interval at which key, identity and certificate files are checked for changes, in ms; 0: never
    #[arg(long = "reread-ms", env = "CANASTA_REREAD_MS", default_value = "5000", value_name = "MS", value_parser = ms)]
    pub reread: Duration,

    /// Audience of sealed states; the server refuses states that were sealed for another audience, even with
    /// the same keys
    #[arg(long, env = "CANASTA_AUDIENCE", default_value = "", value_name = "NAME")]
    pub audience: String,

    /// Maximum time from a request's head to the head of its answer, in ms, at least 1
    #[arg(long = "deadline-ms", env = "CANASTA_DEADLINE_MS", default_value = "2000", value_name = "MS", value_parser = some_ms)]
    pub deadline: Duration,

    /// Maximum time from the head of a request to AuditService to the head of its answer, in ms, at least
    /// 1
    #[arg(long = "audit-deadline-ms", env = "CANASTA_AUDIT_DEADLINE_MS", default_value = "30000", value_name = "MS", value_parser = some_ms)]
    pub audit_deadline: Duration,

    /// Time without a request after which the server ends a Play stream, in ms, at least 1
    #[arg(long = "play-idle-ms", env = "CANASTA_PLAY_IDLE_MS", default_value = "300000", value_name = "MS", value_parser = some_ms)]
    pub play_idle: Duration,

    /// Maximum time until a new connection has sent the HTTP/2 preface or its first HTTP/1.1 head, TLS
    /// handshake included, in ms, at least 1
    #[arg(long = "preface-deadline-ms", env = "CANASTA_PREFACE_DEADLINE_MS", default_value = "5000", value_name = "MS", value_parser = some_ms)]
    pub preface_deadline: Duration,

    /// Time without a request after which the server closes a connection, in ms, at least 1
    #[arg(long = "idle-ms", env = "CANASTA_IDLE_MS", default_value = "300000", value_name = "MS", value_parser = some_ms)]
    pub idle: Duration,

    /// Interval of HTTP/2 keepalive pings, in ms, at least 1
    #[arg(long = "keepalive-ms", env = "CANASTA_KEEPALIVE_MS", default_value = "30000", value_name = "MS", value_parser = some_ms)]
    pub keepalive: Duration,

    /// Maximum time until a client answers a keepalive ping, in ms, at least 1; then the server closes the
    /// connection
    #[arg(long = "keepalive-timeout-ms", env = "CANASTA_KEEPALIVE_TIMEOUT_MS", default_value = "10000", value_name = "MS", value_parser = some_ms)]
    pub keepalive_timeout: Duration,

    /// Age at which the server tells a connection to go away (GOAWAY), in ms, at least 1; requests under way
    /// are finished
    #[arg(long = "max-age-ms", env = "CANASTA_MAX_AGE_MS", default_value = "1800000", value_name = "MS", value_parser = some_ms)]
    pub max_age: Duration,

    /// Maximum time that a client may take to read an answer of one message, in ms, at least 1; then the
    /// server closes the connection
    #[arg(long = "take-deadline-ms", env = "CANASTA_TAKE_DEADLINE_MS", default_value = "6000", value_name = "MS", value_parser = some_ms)]
    pub take_deadline: Duration,

    /// Time after the signal to end during which the server still serves but reports NOT_SERVING, in ms
    #[arg(long = "drain-notice-ms", env = "CANASTA_DRAIN_NOTICE_MS", default_value = "5000", value_name = "MS", value_parser = ms)]
    pub drain_notice: Duration,

    /// Maximum time after --drain-notice-ms to wait for open connections, in ms
    #[arg(long = "drain-limit-ms", env = "CANASTA_DRAIN_LIMIT_MS", default_value = "20000", value_name = "MS", value_parser = ms)]
    pub drain_limit: Duration,

    /// Endpoint that metrics and traces are exported to, by OTLP over gRPC (`http://127.0.0.1:4317`). Unset:
    /// no export
    #[arg(long, env = "CANASTA_OTLP_ENDPOINT", value_name = "URL", value_parser = endpoint, help_heading = "Telemetry")]
    pub otlp_endpoint: Option<String>,

    /// Share of requests that are traced, 0 to 1, of those whose caller sends no `traceparent`
    #[arg(long, env = "CANASTA_TRACE_RATIO", default_value = "0.01", value_name = "SHARE", value_parser = share, help_heading = "Telemetry")]
    pub trace_ratio: f64,

    /// Maximum requests per second that are traced because their caller's `traceparent` says so; 0: none
    #[arg(
        long,
        env = "CANASTA_CALLER_TRACES",
        default_value_t = 10,
        value_name = "COUNT",
        help_heading = "Telemetry"
    )]
    pub caller_traces: u32,

    /// Interval at which metrics are exported, in ms, at least 1
    #[arg(long = "metrics-interval-ms", env = "CANASTA_METRICS_INTERVAL_MS", default_value = "15000", value_name = "MS", value_parser = some_ms, help_heading = "Telemetry")]
    pub metrics_interval: Duration,

    /// Format of the log on stderr
    #[arg(
        long,
        env = "CANASTA_LOG_FORMAT",
        default_value = "text",
        value_name = "FORMAT",
        help_heading = "Telemetry"
    )]
    pub log_format: LogFormat,

    /// Log one line per request and per message of Play: who asked for whom in which game, and the verdict
    #[arg(long, env = "CANASTA_LOG_REQUESTS", help_heading = "Telemetry")]
    pub log_requests: bool,
}

/// The format of the log's lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LogFormat {
    /// Plain text: `canasta-service: `, the message and the event's fields
    Text,
    /// One JSON object per line: `timestamp`, `level`, `message`, `target` and the event's fields
    Json,
}

impl Config {
    /// Returns the capacity of a caller's token bucket, in requests.
    pub fn burst(&self) -> u32 {
        self.max_burst.or(self.max_rate.map(|rate| rate.saturating_mul(2))).unwrap_or(u32::MAX)
    }

    pub fn serves_web(&self) -> bool {
        self.web || self.is_on_loopback()
    }

    pub fn reflects(&self) -> bool {
        self.reflection || self.is_on_loopback()
    }

    /// Whether only this machine can reach the server.
    pub fn is_on_loopback(&self) -> bool {
        self.listen.ip().is_loopback()
    }
}

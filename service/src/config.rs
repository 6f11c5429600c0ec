//! Every setting, parsed whole before anything binds.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use crate::demo;
use crate::seal::{Ring, RingError};
use crate::signer::{KeyError, Signer};

/// The gRPC service canasta.v1: judges Canasta actions and keeps nothing
#[derive(Clone, Debug, Parser)]
#[command(version)]
pub struct Cli {
    /// Every setting.
    #[command(flatten)]
    pub config: Config,
    /// What to do instead of serving.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Cli {
    /// Reads the command line and the environment.
    ///
    /// # Errors
    /// What clap refuses, its help included, and what [`Config::validate`] does.
    pub fn read() -> Result<Self, clap::Error> {
        let cli = Self::try_parse()?;
        let refused = |error| Self::command().error(ErrorKind::ValueValidation, error);
        cli.config.validate().map_err(refused)?;
        cli.config.signer().map_err(|error| Self::command().error(ErrorKind::ValueValidation, error))?;
        cli.config.ring().map_err(|error| Self::command().error(ErrorKind::ValueValidation, error))?;
        Ok(cli)
    }
}

/// What the program can do instead of serving.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Play a whole game against a server of its own, with rule breaks on purpose
    Demo(demo::Options),
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

    /// Most requests judged at once; more are refused with RESOURCE_EXHAUSTED
    #[arg(long, env = "CANASTA_MAX_REQUESTS", default_value_t = 64, value_name = "COUNT",
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

    /// After the signal to end: how long to go on serving, reported as not serving, in ms
    #[arg(long = "drain-notice-ms", env = "CANASTA_DRAIN_NOTICE_MS", default_value = "5000", value_name = "MS", value_parser = ms)]
    pub drain_notice: Duration,

    /// After that: how long to wait for open connections, in ms
    #[arg(long = "drain-limit-ms", env = "CANASTA_DRAIN_LIMIT_MS", default_value = "20000", value_name = "MS", value_parser = ms)]
    pub drain_limit: Duration,
}

/// A configuration that can be written down and not be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConfigError {
    /// Without authentication whoever reaches the port acts for every seat.
    #[error(
        "{0} is reachable from elsewhere and callers are not authenticated: listen on loopback, or set \
             --trusted-callers where only a trusted back end can reach it"
    )]
    OpenToAll(SocketAddr),
    /// Without authentication whoever reaches the port acts for every seat, sealed or not.
    #[error(
        "--seal-key-file: callers are not authenticated, so a seal would protect nothing: set --trusted-callers \
             where only a trusted back end can reach the port"
    )]
    SealForAll,
}

impl Config {
    /// # Errors
    /// If the settings contradict each other.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if self.seal_key_file.is_some() && !self.trusted_callers {
            return Err(ConfigError::SealForAll);
        }
        if self.listen.ip().is_loopback() || self.trusted_callers {
            return Ok(());
        }
        Err(ConfigError::OpenToAll(self.listen))
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

    /// Whether reflection is answered.
    pub fn reflects(&self) -> bool {
        self.reflection || self.listen.ip().is_loopback()
    }
}

fn ms(text: &str) -> Result<Duration, std::num::ParseIntError> {
    text.parse().map(Duration::from_millis)
}

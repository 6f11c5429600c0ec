//! The settings of `canasta-auditor`: its command line and its environment.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use canasta_engine::deal::GameId;
use canasta_serve::config::{LogFormat, endpoint, some_ms};
use clap::{Args, Parser, Subcommand};

use crate::archive::ArchiveSettings;
use crate::journal::nats::NatsOptions;
use crate::settings::{JournalPlace, game, journal};

pub const PROGRAM: &str = "canasta-auditor";

/// Audits the finished games of recorders, puts their logs and verdicts into the archive, and drops them from the journal
///
/// Any number of auditors may work at the same queue, and each may be killed at any time: every
/// log gets one verdict. They need no key.
#[derive(Clone, Debug, Parser)]
#[command(
    name = PROGRAM,
    version,
    after_help = "Exit codes: 0 after a clean end, 2 if the command failed or the auditor could not go on, 64 on bad \
                  configuration."
)]
pub struct AuditorCli {
    /// Folder of the recorder, with --journal sqlite: its journal is used, and its archive unless --archive names another
    #[arg(long, global = true, env = "CANASTA_DATA", default_value = "canasta-data", value_name = "FOLDER")]
    pub data: PathBuf,

    /// Place of the journal: `sqlite` for the file in the folder of a recorder with --audit-elsewhere, or
    /// `nats://HOST:PORT,…` for the NATS servers of a fleet
    #[arg(long, global = true, env = "CANASTA_JOURNAL", default_value = "sqlite", value_name = "PLACE",
        value_parser = journal)]
    pub journal: JournalPlace,

    /// The settings of a journal on NATS.
    #[command(flatten)]
    pub nats: NatsOptions,

    /// The settings of the archive.
    #[command(flatten)]
    pub archive: ArchiveSettings,

    /// Number of games that are judged at a time
    #[arg(long, env = "CANASTA_AUDIT_WORKERS", default_value_t = 2, value_name = "NUMBER",
        value_parser = clap::value_parser!(u16).range(1..=256))]
    pub workers: u16,

    /// Time from a game's verdict until its entries are dropped, if the archive still has its log, in hours
    #[arg(long, env = "CANASTA_KEEP_FINISHED_HOURS", default_value_t = 168, value_name = "HOURS")]
    pub keep_finished_hours: u32,

    /// Address of the health service (grpc.health.v1). Port 0 takes any free one
    #[arg(long, env = "CANASTA_AUDIT_LISTEN", default_value = "127.0.0.1:50052", value_name = "ADDRESS")]
    pub listen: SocketAddr,

    /// Endpoint that metrics are exported to, by OTLP over gRPC (`http://127.0.0.1:4317`). Unset: no export
    #[arg(long, env = "CANASTA_OTLP_ENDPOINT", value_name = "URL", value_parser = endpoint)]
    pub otlp_endpoint: Option<String>,

    /// Interval at which metrics are exported, in ms, at least 1
    #[arg(long = "metrics-interval-ms", env = "CANASTA_METRICS_INTERVAL_MS", default_value = "15000",
        value_name = "MS", value_parser = some_ms)]
    pub metrics_interval: Duration,

    /// Format of the log on stderr
    #[arg(long, env = "CANASTA_LOG_FORMAT", default_value = "text", value_name = "FORMAT")]
    pub log_format: LogFormat,

    /// The command to run instead of the auditor.
    #[command(subcommand)]
    pub command: Option<AuditorCommand>,
}

/// A command that the program runs instead of the auditor.
#[derive(Clone, Debug, Subcommand)]
pub enum AuditorCommand {
    /// Bring archived games back: write the log of each to FOLDER/GAME.clog. Each log is checked against its verdict, and no
    /// file is overwritten
    Fetch(FetchOptions),
    /// Put the games whose audit has failed five times into the queue again. Print their number
    Retry,
}

/// The games to bring back, and where to.
#[derive(Clone, PartialEq, Eq, Debug, Args)]
#[command(allow_missing_positional = true)]
pub struct FetchOptions {
    /// Ids of games, 32 hex digits. Without ids: all games, or all with the label
    #[arg(value_name = "GAME", value_parser = game)]
    pub games: Vec<GameId>,

    /// Folder for the logs, which must exist
    #[arg(value_name = "FOLDER", required = true)]
    pub folder: PathBuf,

    /// Only games with this label. Labels never become part of a path
    #[arg(long, value_name = "LABEL")]
    pub label: Option<String>,
}

//! The settings of the program.

use std::path::PathBuf;

use canasta_service::config::Config;
use clap::{Parser, Subcommand};

/// Keeps games by id, and serves canasta.v1: RecordService, GameService and AuditService
///
/// Without settings it listens on loopback, and keeps its journal, its archive and its keys in
/// ./canasta-data.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "canasta-recorder",
    version,
    after_help = "Exit codes: 0 after a clean end, 2 if the server could not serve, 64 on bad configuration."
)]
pub struct RecorderCli {
    /// Folder of the journal, the archive and the keys. It is created with what it lacks, for this user alone
    #[arg(long, global = true, env = "CANASTA_DATA", default_value = "canasta-data", value_name = "FOLDER")]
    pub data: PathBuf,

    /// Time from a game's verdict until its entries are dropped, if the archive still has its log, in hours
    #[arg(long, env = "CANASTA_KEEP_FINISHED_HOURS", default_value_t = 168, value_name = "HOURS")]
    pub keep_finished_hours: u32,

    /// Every setting of the service.
    #[command(flatten)]
    pub config: Config,

    /// The command to run instead of the server.
    #[command(subcommand)]
    pub command: Option<RecorderCommand>,
}

/// A command that the program runs instead of the server.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum RecorderCommand {
    /// Print for each key that seals states how many games still need it: a key that no live game needs can be removed.
    /// The recorder may run meanwhile
    SealKeys,
}

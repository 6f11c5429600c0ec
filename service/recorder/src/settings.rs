//! The settings of the program.

use std::path::PathBuf;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::seat::{SEATS_MAX, Seat};
use canasta_serve::config::Config;
use clap::{Args, Parser, Subcommand};

use crate::archive::ArchiveSettings;
use crate::journal::nats::NatsOptions;
use crate::rooms::RoomSettings;

pub const PROGRAM: &str = "canasta-recorder";

/// Keeps games by id, and serves canasta.v1: RecordService, GameService and AuditService
///
/// Without settings it listens on loopback, and keeps its journal, its archive and its keys in
/// ./canasta-data.
#[derive(Clone, Debug, Parser)]
#[command(
    name = PROGRAM,
    version,
    after_help = "Exit codes: 0 after a clean end, 2 if the server could not serve or the command failed, 64 on bad \
                  configuration."
)]
pub struct RecorderCli {
    /// Folder of the journal, the archive and the keys. It is created with what it lacks, for this user alone
    #[arg(long, global = true, env = "CANASTA_DATA", default_value = "canasta-data", value_name = "FOLDER")]
    pub data: PathBuf,

    /// Place of the journal: `sqlite` for a file in the folder, or `nats://HOST:PORT,…` for the NATS servers that several
    /// recorders share
    #[arg(long, global = true, env = "CANASTA_JOURNAL", default_value = "sqlite", value_name = "PLACE",
        value_parser = journal)]
    pub journal: JournalPlace,

    /// The settings of a journal on NATS.
    #[command(flatten)]
    pub nats: NatsOptions,

    /// Time from a game's verdict until its entries are dropped, if the archive still has its log, in hours
    #[arg(long, env = "CANASTA_KEEP_FINISHED_HOURS", default_value_t = 168, value_name = "HOURS")]
    pub keep_finished_hours: u32,

    /// Leave finished games to programs canasta-auditor
    #[arg(long, env = "CANASTA_AUDIT_ELSEWHERE")]
    pub audit_elsewhere: bool,

    /// The settings of the archive.
    #[command(flatten)]
    pub archive: ArchiveSettings,

    /// The settings of rooms.
    #[command(flatten)]
    pub rooms: RoomSettings,

    /// Every setting of the service.
    #[command(flatten)]
    pub config: Config,

    /// The command to run instead of the recorder.
    #[command(subcommand)]
    pub command: Option<RecorderCommand>,
}

/// A command that the program runs instead of the recorder.
#[derive(Clone, Debug, Subcommand)]
pub enum RecorderCommand {
    /// Accept that the journal lacks records that were acknowledged, so that its shard is served again
    AcceptLoss(AcceptLossOptions),
    /// Say in one line each what is well, or what is wrong, what it costs and what to type. The recorder may run meanwhile
    Doctor {
        /// Mend what loses nothing: modes, a lost signing.key or recorder.key, stuck games
        #[arg(long)]
        fix: bool,
    },
    /// Copy the journal, the keys and the archive into a folder. The recorder may run meanwhile
    Backup {
        /// Folder of the backup; it may hold an older one
        #[arg(value_name = "FOLDER")]
        to: PathBuf,
    },
    /// Copy every game of another journal into the one of `--journal`: from SQLite to NATS, or back. No recorder may run
    MoveFrom {
        /// Place of the other journal, as of `--journal`
        #[arg(value_name = "PLACE", value_parser = journal)]
        place: JournalPlace,
    },
    /// List the games, a line each: id, status, kind, rule set, last change, label, players
    Games {
        /// List rooms only
        #[arg(long)]
        rooms: bool,
    },
    /// Print what is to be known of a game: status, players, links, length of its log
    Game(GameOption),
    /// End a game: the director rules that a side forfeits it
    End {
        /// The game.
        #[command(flatten)]
        game: GameOption,

        /// Side that forfeits, from 0
        #[arg(value_name = "SIDE")]
        side: u8,
    },
    /// Delete a game for ever: its log, its verdict, and the names of its players
    Delete(GameOption),
    /// Make a link for one actor in one game; print its token. The recorder may be running
    Invite(InviteOptions),
}

/// The option that names a game.
#[derive(Clone, Copy, Debug, Args)]
pub struct GameOption {
    /// Id of the game, 32 hex digits
    #[arg(value_name = "GAME", value_parser = game)]
    pub id: GameId,
}

/// The options of an accepted loss.
#[derive(Clone, Copy, Debug, Args)]
pub struct AcceptLossOptions {
    /// The shard, as the recorder's log names it
    #[arg(value_name = "SHARD")]
    pub shard: u16,

    /// Number of the shard's last mark, as the recorder's log names it
    #[arg(value_name = "MARK")]
    pub mark: u64,
}

/// The options of a new link.
#[derive(Clone, Debug, Args)]
pub struct InviteOptions {
    /// Id of the game, 32 hex digits
    #[arg(value_name = "GAME", value_parser = game)]
    pub game: GameId,

    /// Actor of the link: a seat, 0 to 5, or table, judge, director, spectator
    #[arg(value_name = "ACTOR", value_parser = actor)]
    pub actor: As,

    /// Give the link the host's rights: to invite, to revoke, to seat bots
    #[arg(long)]
    pub host: bool,

    /// Number of days after which the link expires, 1 to 30
    #[arg(long, default_value_t = 30, value_name = "DAYS", value_parser = clap::value_parser!(u8).range(1..=30))]
    pub days: u8,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JournalPlace {
    /// A file in the folder.
    Sqlite,
    /// NATS servers, by their addresses.
    Nats(Vec<String>),
}

impl JournalPlace {
    /// Returns the name of the journal's file in the folder, or of the file that stands for a journal elsewhere.
    pub fn file(&self) -> &'static str {
        match self {
            Self::Sqlite => "journal.sqlite",
            Self::Nats(_) => "journal.nats",
        }
    }
}

/// Parses the place of a journal.
pub fn journal(text: &str) -> Result<JournalPlace, String> {
    match text {
        "sqlite" => Ok(JournalPlace::Sqlite),
        text => match text.strip_prefix("nats://") {
            Some(list) if !list.is_empty() => {
                Ok(JournalPlace::Nats(list.split(',').map(str::to_owned).collect()))
            }
            _ => Err("expected sqlite, or nats://HOST:PORT,HOST:PORT".into()),
        },
    }
}

/// Parses the id of a game.
pub fn game(text: &str) -> Result<GameId, String> {
    GameId::parse(&text.to_ascii_lowercase()).ok_or_else(|| "expected 32 hex digits".into())
}

fn actor(text: &str) -> Result<As, String> {
    match text {
        "table" => Ok(As::Table),
        "judge" => Ok(As::Judge),
        "director" => Ok(As::Director),
        "spectator" => Ok(As::Spectator),
        seat => match seat.parse() {
            Ok(seat) if usize::from(seat) < SEATS_MAX => Ok(As::Seat(Seat(seat))),
            _ => Err("expected a seat, 0 to 5, or table, judge, director, spectator".into()),
        },
    }
}

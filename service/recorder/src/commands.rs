//! The commands of the program besides the recorder itself.

use std::process::ExitCode;

use canasta_engine::action::As;
use canasta_proto::v1::Link;
use canasta_service::identity::Caller;
use canasta_service::server::ServeError;
use canasta_service::status::RequestFault;
use canasta_service::{Clock, Generator};
use tonic::Status;

use crate::archive::ArchiveFault;
use crate::context::OpenedRecorder;
use crate::demo::{self, DemoFailure};
use crate::folder::{FolderError, RecorderFolder};
use crate::journal::sqlite::{SqliteError, SqliteJournal};
use crate::links::{self, HostRights};
use crate::rpc::invite::invite as give;
use crate::seal_keys::{self, SealKeysError};
use crate::server;
use crate::settings::{InviteOptions, RecorderCli, RecorderCommand};

/// A command that failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The archive cannot be used.
    #[error(transparent)]
    Archive(#[from] ArchiveFault),
    /// The journal cannot be used.
    #[error("the journal: {0}")]
    Journal(#[from] SqliteError),
    /// A file that the settings name cannot be used.
    #[error(transparent)]
    Files(#[from] ServeError),
    /// The keys cannot be counted.
    #[error(transparent)]
    SealKeys(#[from] SealKeysError),
    /// The demo has failed.
    #[error(transparent)]
    Demo(#[from] DemoFailure),
    /// The request of the command is refused.
    #[error("{}", Status::from(.0.clone()).message())]
    Refused(RequestFault),
}

/// The exit code of bad configuration.
pub const BAD_CONFIGURATION: u8 = 64;
/// The exit code of a server or a command that failed.
pub const FAILED: u8 = 2;

/// Runs a command, and prints what it returns.
pub async fn run(command: &RecorderCommand, settings: &RecorderCli, outside: (Generator, Clock)) -> ExitCode {
    let ended = match command {
        RecorderCommand::Invite(options) => {
            invite(settings, options, outside).await.map(|link| println!("{}", link.token))
        }
        RecorderCommand::Demo => demo::run(outside.0).await.map_err(Into::into),
        RecorderCommand::SealKeys => seal_keys::print(&settings.data, &settings.config).map_err(Into::into),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::from(FAILED)
        }
    }
}

/// Makes a link, as the director may. Works beside a running recorder: the journal decides between rivals, and whoever may
/// read the folder needs no other credentials.
///
/// # Errors
/// If the folder or the journal cannot be used, or there is no such game, or the game cannot have the link.
async fn invite(
    settings: &RecorderCli,
    options: &InviteOptions,
    (generator, clock): (Generator, Clock),
) -> Result<Link, CommandError> {
    const DAY_MS: i64 = 24 * 60 * 60 * 1000;
    let folder = RecorderFolder::beside(&settings.data)?;
    let journal = SqliteJournal::open(&folder.journal())?;
    let expires_at_ms = clock().saturating_add(i64::from(options.days) * DAY_MS);
    let opened = OpenedRecorder::new(folder, journal, &settings.archive)?;
    let ctx = server::context(settings, opened, (generator, clock))?;
    let link = links::link(ctx.folder.key(), options.game, options.actor, options.host, expires_at_ms);
    let rights = HostRights { actor: As::Director, is_of_link: false };
    give(&ctx, &Caller::Trusted, rights, &link).await.map_err(CommandError::Refused)
}

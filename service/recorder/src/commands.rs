//! The commands of the program besides the recorder itself.

use std::process::ExitCode;
use std::sync::Arc;

use canasta_engine::action::As;
use canasta_proto::v1::Link;
use canasta_service::identity::Caller;
use canasta_service::parts::{RequestContext, StreamPlaces, WorkerPool};
use canasta_service::server::{self as service, ServeError};
use canasta_service::status::RequestFault;
use canasta_service::{Clock, Generator};
use tokio::sync::watch;
use tonic::Status;

use crate::changes::Changes;
use crate::context::RecorderContext;
use crate::folder::{FolderError, RecorderFolder};
use crate::journal::sqlite::{SqliteError, SqliteJournal};
use crate::links::{self, HostRights};
use crate::rooms::{RoomRates, RoomSettings};
use crate::rpc::invite::invite as give;
use crate::server::with_keys;
use crate::settings::{InviteOptions, RecorderCli, RecorderCommand};

/// A command that failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The journal cannot be used.
    #[error("the journal: {0}")]
    Journal(#[from] SqliteError),
    /// A file that the settings name cannot be used.
    #[error(transparent)]
    Files(#[from] ServeError),
    /// The request of the command is refused.
    #[error("{}", Status::from(.0.clone()).message())]
    Refused(RequestFault),
}

/// The exit code of a server or a command that failed.
pub const FAILED: u8 = 2;

/// Runs a command, and prints what it returns.
pub async fn run(command: &RecorderCommand, settings: &RecorderCli, outside: (Generator, Clock)) -> ExitCode {
    let ended = match command {
        RecorderCommand::Invite(options) => invite(settings, options, outside).await.map(|link| link.token),
    };
    match ended {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
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
    let RecorderCli { data, config, rooms, .. } = settings;
    let folder = RecorderFolder::beside(data)?;
    let journal = SqliteJournal::open(&folder.journal())?;
    let service = service::context(&with_keys(config, &folder), generator, clock)?;
    let expires_at_ms = clock().saturating_add(i64::from(options.days) * DAY_MS);
    let link = links::link(folder.key(), options.game, options.actor, options.host, expires_at_ms);
    let ctx = context(service, (folder, journal), rooms);
    let rights = HostRights { actor: As::Director, is_of_link: false };
    give(&ctx, &Caller::Trusted, rights, &link).await.map_err(CommandError::Refused)
}

/// Returns the context of a program that serves nobody.
fn context(
    service: Arc<RequestContext>,
    (folder, journal): (RecorderFolder, SqliteJournal),
    rooms: &RoomSettings,
) -> RecorderContext<SqliteJournal> {
    let searches = WorkerPool::for_searches(Some(1), &service.telemetry);
    let streams = StreamPlaces::of_games(1, 1, &service, watch::channel(false).1);
    let (changes, room_rates) = (Changes::default(), RoomRates::new(rooms));
    RecorderContext { service, journal, folder, searches, changes, streams, room_rates }
}

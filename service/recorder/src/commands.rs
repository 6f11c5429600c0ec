//! The commands of the program besides the recorder itself.

use std::process::ExitCode;
use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::hex::hex;
use canasta_proto::v1::Link;
use canasta_service::identity::Caller;
use canasta_service::server::ServeError;
use canasta_service::status::RequestFault;
use canasta_service::{Clock, Generator};
use tonic::Status;

use crate::backup::{self, BackupError};
use crate::context::RecorderContext;
use crate::doctor;
use crate::folder::{FolderError, RecorderFolder};
use crate::links::{self, HostRights};
use crate::marks::{MarkFault, accept_loss};
use crate::move_games::{MoveError, move_games};
use crate::operator::{self, DeleteError};
use crate::rpc::invite::invite as give;
use crate::server::{self, StartError};
use crate::settings::{AcceptLossOptions, InviteOptions, JournalPlace, RecorderCli, RecorderCommand};

/// A command that failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The journal, the archive or the keys cannot be used.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Start(Vec<StartError>),
    /// A file that the settings name cannot be used.
    #[error(transparent)]
    Files(#[from] ServeError),
    /// The games are not moved.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The backup is not made.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// The doctor has found something.
    #[error("number of things that are wrong: {0}")]
    Unwell(usize),
    /// Both journals are of one kind.
    #[error("one journal must be sqlite, and the other one nats://")]
    SameKind,
    /// The ruling of the command is refused.
    #[error("{0}")]
    Rejected(String),
    /// The game is not deleted.
    #[error(transparent)]
    Delete(#[from] DeleteError),
    /// The loss cannot be accepted.
    #[error(transparent)]
    Marks(#[from] MarkFault),
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
        RecorderCommand::Backup { to } => backup::backup(&settings.data, to).map_err(Into::into),
        RecorderCommand::Doctor { fix } => match doctor::run(settings, *fix, outside).await {
            0 => Ok(()),
            wrong => Err(CommandError::Unwell(wrong)),
        },
        RecorderCommand::MoveFrom { place } => {
            move_from(settings, place, outside).await.map(|answer| println!("{answer}"))
        }
        _ => beside(settings, command, outside).await.map(|answer| println!("{answer}")),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::from(FAILED)
        }
    }
}

/// Runs a command that uses the journal. Works beside a running recorder: the journal decides between rivals, and whoever
/// may read the folder needs no other credentials.
async fn beside(
    settings: &RecorderCli,
    command: &RecorderCommand,
    outside: (Generator, Clock),
) -> Result<String, CommandError> {
    let folder = RecorderFolder::beside(&settings.data, settings.journal.file())?;
    let opened = server::open(&settings.journal, folder, settings, outside.0).await;
    let opened = opened.map_err(CommandError::Start)?;
    if let RecorderCommand::AcceptLoss(AcceptLossOptions { shard, mark }) = command {
        let place = server::mark_place(&opened, &settings.config, outside.1);
        let place = place.map_err(|error| CommandError::Start(vec![error]))?;
        let accepted = accept_loss(&place, *shard, *mark).await?;
        return Ok(format!("shard {shard} is served again, from mark {accepted} on"));
    }
    let ctx = Arc::new(server::context(settings, opened, outside)?);
    match command {
        RecorderCommand::Invite(options) => Ok(invite(&ctx, options).await?.token),
        RecorderCommand::Games { rooms } => operator::list(&ctx, *rooms).await.map_err(CommandError::Refused),
        RecorderCommand::Game(game) => operator::show(&ctx, game.id).await.map_err(CommandError::Refused),
        RecorderCommand::End { game, side } => {
            let refused = operator::end(&ctx, game.id, *side).await.map_err(CommandError::Refused)?;
            let told = format!("game {} is over: side {side} forfeits it", hex(&game.id.0));
            refused.map_or(Ok(told), |problem| Err(CommandError::Rejected(problem)))
        }
        RecorderCommand::Delete(game) => {
            operator::delete(&*ctx.journal, &ctx.archive, game.id).await?;
            Ok(format!("game {} is deleted", hex(&game.id.0)))
        }
        RecorderCommand::AcceptLoss(_)
        | RecorderCommand::Backup { .. }
        | RecorderCommand::Doctor { .. }
        | RecorderCommand::MoveFrom { .. } => Ok(String::new()),
    }
}

/// Copies the games of another journal into that of the settings. The folder is locked meanwhile.
async fn move_from(
    settings: &RecorderCli,
    from: &JournalPlace,
    (generator, clock): (Generator, Clock),
) -> Result<String, CommandError> {
    let RecorderCli { data, journal, config, .. } = settings;
    if matches!(from, JournalPlace::Sqlite) == matches!(journal, JournalPlace::Sqlite) {
        return Err(CommandError::SameKind);
    }
    let source = RecorderFolder::beside(data, from.file())?;
    let target = RecorderFolder::open(data, journal.file(), config, generator)?;
    let source = server::open(from, source, settings, generator).await.map_err(CommandError::Start)?;
    let target = server::open(journal, target, settings, generator).await.map_err(CommandError::Start)?;
    let place = server::mark_place(&target, config, clock);
    let place = place.map_err(|error| CommandError::Start(vec![error]))?;
    let count = move_games(&*source.journal, &place).await?;
    Ok(format!("{count} games are here"))
}

/// Makes a link, as the director may.
///
/// # Errors
/// If there is no such game, or the game cannot have the link.
async fn invite(ctx: &RecorderContext, options: &InviteOptions) -> Result<Link, CommandError> {
    const DAY_MS: i64 = 24 * 60 * 60 * 1000;
    let expires_at_ms = (ctx.service.clock)().saturating_add(i64::from(options.days) * DAY_MS);
    let link = links::link(ctx.folder.key(), options.game, options.actor, options.host, expires_at_ms);
    let rights = HostRights { actor: As::Director, is_of_link: false };
    give(ctx, &Caller::Trusted, None, rights, &link).await.map_err(CommandError::Refused)
}

//! The commands of the program besides the recorder itself.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{bail, ensure};
use canasta_engine::action::As;
use canasta_engine::hex::hex;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::Link;
use canasta_serve::outside::{Clock, Generator};
use canasta_service::program::FAILED;
use tonic::Status;

use crate::backup;
use crate::context::{OpenedRecorder, RecorderContext};
use crate::doctor;
use crate::folder::RecorderFolder;
use crate::links::{self, HostRights};
use crate::marks::accept_loss;
use crate::move_games::move_games;
use crate::operator;
use crate::rpc::Call;
use crate::rpc::invite::invite as give;
use crate::server::{self, StartError};
use crate::settings::{AcceptLossOptions, InviteOptions, JournalPlace, RecorderCli, RecorderCommand};

/// Runs a command, and prints what it returns.
pub async fn run(command: &RecorderCommand, settings: &RecorderCli, outside: (Generator, Clock)) -> ExitCode {
    match answer(command, settings, outside).await {
        Ok(answer) => {
            answer.iter().for_each(|answer| println!("{answer}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::from(FAILED)
        }
    }
}

/// Runs a command. Returns what it prints besides what it has printed already. Commands that use the journal work beside a
/// running recorder: the journal decides between rivals, and whoever may read the folder needs no other credentials.
async fn answer(
    command: &RecorderCommand,
    settings: &RecorderCli,
    outside: (Generator, Clock),
) -> anyhow::Result<Option<String>> {
    Ok(Some(match command {
        RecorderCommand::Backup { to } => {
            backup::backup(&settings.data, to)?;
            return Ok(None);
        }
        RecorderCommand::Doctor { fix } => match doctor::run(settings, *fix, outside).await {
            0 => return Ok(None),
            wrong => bail!("number of things that are wrong: {wrong}"),
        },
        RecorderCommand::MoveFrom { place } => move_from(settings, place, outside).await?,
        RecorderCommand::AcceptLoss(AcceptLossOptions { shard, mark }) => {
            let place = server::mark_place(&beside(settings, outside.0).await?, &settings.config, outside.1)?;
            let accepted = accept_loss(&place, *shard, *mark).await?;
            format!("shard {shard} is served again, from mark {accepted} on")
        }
        RecorderCommand::Invite(options) => invite(context(settings, outside).await?, options).await?.token,
        RecorderCommand::Games { rooms } => {
            operator::list(&*context(settings, outside).await?, *rooms).await.map_err(refused)?
        }
        RecorderCommand::Game(game) => {
            operator::show(&*context(settings, outside).await?, game.id).await.map_err(refused)?
        }
        RecorderCommand::End { game, side } => {
            let ended = operator::end(&context(settings, outside).await?, game.id, *side).await;
            if let Some(problem) = ended.map_err(refused)? {
                bail!(problem);
            }
            format!("game {} is over: side {side} forfeits it", hex(&game.id.0))
        }
        RecorderCommand::Delete(game) => {
            let ctx = context(settings, outside).await?;
            operator::delete(&*ctx.journal, &ctx.archive, game.id).await?;
            format!("game {} is deleted", hex(&game.id.0))
        }
    }))
}

/// Opens the journal in the folder of a recorder that may be running.
async fn beside(settings: &RecorderCli, generator: Generator) -> anyhow::Result<OpenedRecorder> {
    let folder = RecorderFolder::beside(&settings.data, settings.journal.file())?;
    server::open(&settings.journal, folder, settings, generator).await.map_err(unopened)
}

async fn context(
    settings: &RecorderCli,
    outside: (Generator, Clock),
) -> anyhow::Result<Arc<RecorderContext>> {
    Ok(Arc::new(server::context(settings, beside(settings, outside.0).await?, outside)?))
}

/// Returns the error of a recorder that cannot be opened.
fn unopened(errors: Vec<StartError>) -> anyhow::Error {
    let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
    anyhow::Error::msg(errors.join("; "))
}

fn refused(fault: RequestFault) -> anyhow::Error {
    anyhow::Error::msg(Status::from(fault).message().to_owned())
}

/// Copies the games of another journal into that of the settings. The folder is locked meanwhile.
async fn move_from(
    settings: &RecorderCli,
    from: &JournalPlace,
    (generator, clock): (Generator, Clock),
) -> anyhow::Result<String> {
    let RecorderCli { data, journal, config, .. } = settings;
    let is_sqlite = |place: &JournalPlace| *place == JournalPlace::Sqlite;
    ensure!(is_sqlite(from) != is_sqlite(journal), "one journal must be sqlite, and the other one nats://");
    let source = RecorderFolder::beside(data, from.file())?;
    let target = RecorderFolder::open(data, journal.file(), config, generator)?;
    let source = server::open(from, source, settings, generator).await.map_err(unopened)?;
    let target = server::open(journal, target, settings, generator).await.map_err(unopened)?;
    let count = move_games(&*source.journal, &server::mark_place(&target, config, clock)?).await?;
    Ok(format!("{count} games are here"))
}

/// Makes a link, as the director may.
async fn invite(ctx: Arc<RecorderContext>, options: &InviteOptions) -> anyhow::Result<Link> {
    const DAY_MS: i64 = 24 * 60 * 60 * 1000;
    let expires_at_ms = (ctx.service.clock)().saturating_add(i64::from(options.days) * DAY_MS);
    let link = links::link(ctx.folder.key(), options.game, options.actor, options.host, expires_at_ms);
    let rights = HostRights { actor: As::Director, is_of_link: false };
    give(&Call::of_operator(ctx), rights, &link).await.map_err(refused)
}

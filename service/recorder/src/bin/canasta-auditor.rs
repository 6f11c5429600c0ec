//! The program `canasta-auditor`. Exit codes: 0 after a clean end, 2 if the command failed or the auditor could not go on,
//! 64 on bad configuration.

use std::process::ExitCode;

use anyhow::anyhow;
use canasta_recorder::auditor::fetch::fetch;
use canasta_recorder::auditor::program::{BadSettings, archive, journal, serve};
use canasta_recorder::auditor::settings::{AuditorCli, AuditorCommand, PROGRAM};
use canasta_serve::config::LogFormat;
use canasta_serve::telemetry::log;
use canasta_service::program::{self, BAD_CONFIGURATION, FAILED, now, random, signalled};
use tokio::net::TcpListener;

fn main() -> std::io::Result<ExitCode> {
    program::run(program())
}

async fn program() -> ExitCode {
    let settings = match program::command_line::<AuditorCli>() {
        Ok(settings) => settings,
        Err(code) => return code,
    };
    log::start(PROGRAM, settings.log_format);
    match run(&settings).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::from(if error.is::<BadSettings>() { BAD_CONFIGURATION } else { FAILED })
        }
    }
}

async fn run(settings: &AuditorCli) -> anyhow::Result<()> {
    if let Some(AuditorCommand::Fetch(options)) = &settings.command {
        return fetch(&archive(settings).await?, options).await;
    }
    let archive = archive(settings).await?;
    let journal = journal(settings, &archive).await?;
    if let Some(AuditorCommand::Retry) = &settings.command {
        println!("{} games are audited again", journal.retry().await?);
        return Ok(());
    }
    let unbound = |error| anyhow!("cannot listen: {error}; choose another address with --listen");
    let (shutdown, listener) = (signalled(), TcpListener::bind(settings.listen).await.map_err(unbound)?);
    let (version, address) = (env!("CARGO_PKG_VERSION"), listener.local_addr()?);
    match settings.log_format {
        // Scripts parse the port at the end of the first line.
        LogFormat::Text => eprintln!("canasta-auditor {version} on {address}"),
        LogFormat::Json => tracing::info!(version, %address, "listening"),
    }
    serve(listener, shutdown, settings, (journal, archive), (random, now)).await?;
    tracing::info!("drained");
    Ok(())
}

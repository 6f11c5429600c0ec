//! The program `canasta-recorder`. Exit codes: 0 after a clean end, 2 if the server could not serve or the command failed,
//! 64 on bad configuration.

use std::process::ExitCode;

use canasta_recorder::commands;
use canasta_recorder::context::OpenedRecorder;
use canasta_recorder::server::{self, StartError};
use canasta_recorder::settings::{PROGRAM, RecorderCli};
use canasta_serve::config::LogFormat;
use canasta_serve::telemetry::log;
use canasta_service::program::{self, BAD_CONFIGURATION, FAILED, now, random, signalled};
use canasta_service::server::{DrainResult, ServeError};
use tokio::net::TcpListener;

fn main() -> std::io::Result<ExitCode> {
    program::run(program())
}

async fn program() -> ExitCode {
    let settings = match program::command_line::<RecorderCli>() {
        Ok(settings) => settings,
        Err(code) => return code,
    };
    let config = &settings.config;
    log::start(PROGRAM, config.log_format);
    if let Some(command) = &settings.command {
        return commands::run(command, &settings, (random, now)).await;
    }
    let folder = match server::prepare(&settings, random) {
        Ok(folder) => folder,
        Err(faults) => return refused(faults),
    };
    match server::open(&settings.journal, folder, &settings, random).await {
        Ok(opened) => serve(&settings, opened).await,
        Err(faults) => refused(faults),
    }
}

fn refused(faults: Vec<StartError>) -> ExitCode {
    faults.iter().for_each(|fault| tracing::error!("{fault}"));
    tracing::error!("`{PROGRAM} doctor` says what to do");
    let is_of_disk = faults.iter().all(StartError::is_of_disk);
    ExitCode::from(if is_of_disk { FAILED } else { BAD_CONFIGURATION })
}

async fn serve(settings: &RecorderCli, mut opened: OpenedRecorder) -> ExitCode {
    let config = &settings.config;
    if let Err(fault) = server::check_archive(&mut opened, config, now).await {
        return refused(vec![fault]);
    }
    let shutdown = signalled();
    let address = config.listen;
    let bound = TcpListener::bind(address).await.map_err(|error| ServeError::Listen { address, error });
    let serving = async {
        let listener = bound?;
        let (version, address) = (env!("CARGO_PKG_VERSION"), listener.local_addr()?);
        match config.log_format {
            // Scripts parse the port at the end of the first line.
            LogFormat::Text => eprintln!("canasta-recorder {version} on {address}"),
            LogFormat::Json => tracing::info!(version, %address, "listening"),
        }
        server::run(listener, shutdown, settings, opened, (random, now)).await
    };
    match serving.await {
        Ok(ended) => {
            tracing::info!("{}", if ended == DrainResult::Drained { "drained" } else { "cut off" });
            ExitCode::SUCCESS
        }
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::from(FAILED)
        }
    }
}

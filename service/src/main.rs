//! The program `canasta-service`. Exit codes: 0 after a clean end, 2 if the server could not serve or the
//! command failed, 64 on bad configuration.

use std::ffi::OsString;
use std::process::ExitCode;

use canasta_serve::config::{Config, LogFormat, ServiceCommand};
use canasta_serve::identity::ApiKey;
use canasta_serve::telemetry::log;
use canasta_service::program::{self, BAD_CONFIGURATION, FAILED, now, random, signalled};
use canasta_service::server::{self, DrainResult, ServeError};
use canasta_service::{seal, settings};
use tokio::net::TcpListener;

fn main() -> std::io::Result<ExitCode> {
    program::run(program())
}

async fn program() -> ExitCode {
    let cli = match settings::read(std::env::args_os().collect(), variable) {
        Ok(cli) => cli,
        Err(answer) => return ExitCode::from(if answer.print() { BAD_CONFIGURATION } else { 0 }),
    };
    log::start(cli.config.program, cli.config.log_format);
    match cli.command {
        None => exit(serve(&cli.config).await),
        Some(ServiceCommand::Keygen { file }) => {
            let made = seal::keygen(&file, random).map(|line| println!("{line}"));
            exit(made.map_err(|error| format!("{}: {error}", file.display())))
        }
        Some(ServiceCommand::ApiKey { name }) => {
            exit(ApiKey::generate(&name, random).map(|lines| println!("{lines}")))
        }
    }
}

async fn serve(config: &Config) -> Result<(), ServeError> {
    let shutdown = signalled();
    let address = config.listen;
    let bound = TcpListener::bind(address).await;
    let listener = bound.map_err(|error| ServeError::Listen { address, error })?;
    let (version, address) = (env!("CARGO_PKG_VERSION"), listener.local_addr()?);
    match config.log_format {
        // Scripts parse the port at the end of the first line.
        LogFormat::Text => eprintln!("canasta-service {version} on {address}"),
        LogFormat::Json => tracing::info!(version, %address, "listening"),
    }
    for warning in settings::unknown_variables(variables()) {
        tracing::warn!("{warning}");
    }
    let ended = server::run(listener, shutdown, config, random, now).await?;
    tracing::info!("{}", if ended == DrainResult::Drained { "drained" } else { "cut off" });
    Ok(())
}

fn exit(result: Result<(), impl std::fmt::Display>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    tracing::error!("{error}");
    ExitCode::from(FAILED)
}

#[expect(clippy::disallowed_methods, reason = "the program owns the environment")]
fn variables() -> impl Iterator<Item = OsString> {
    std::env::vars_os().map(|(name, _)| name)
}

#[expect(clippy::disallowed_methods, reason = "the program owns the environment")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

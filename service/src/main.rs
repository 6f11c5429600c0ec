//! `canasta-service`: exit code 0 after a clean end, 2 if it could not serve, 64 on bad configuration.

use std::process::ExitCode;

use canasta_service::NoRandomness;
use canasta_service::config::Config;
use canasta_service::server::{self, Ended, ServeError};
use clap::Parser;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

const BAD_CONFIGURATION: u8 = 64;

#[tokio::main]
async fn main() -> ExitCode {
    let config = match Config::try_parse() {
        Ok(config) => config,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { BAD_CONFIGURATION } else { 0 });
        }
    };
    if let Err(error) = config.validate() {
        eprintln!("canasta-service: {error}");
        return ExitCode::from(BAD_CONFIGURATION);
    }
    match serve(&config).await {
        Ok(ended) => {
            eprintln!("canasta-service: {}", if ended == Ended::Drained { "drained" } else { "cut off" });
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("canasta-service: {error}");
            ExitCode::from(2)
        }
    }
}

async fn serve(config: &Config) -> Result<Ended, ServeError> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let listener = TcpListener::bind(config.listen).await?;
    eprintln!("canasta-service {} on {}", env!("CARGO_PKG_VERSION"), listener.local_addr()?);
    let shutdown = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    server::run(listener, shutdown, config, random).await
}

#[allow(clippy::disallowed_methods)]
fn random(bytes: &mut [u8]) -> Result<(), NoRandomness> {
    getrandom::fill(bytes).map_err(|_| NoRandomness)
}

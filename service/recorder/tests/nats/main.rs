//! The journal on three NATS servers, which this program starts, kills and freezes itself.
//!
//!     cargo test -p canasta-recorder --test nats -- NATS_SERVER COMMAND
//!
//! `suite` runs what every journal must do; `refusals` starts on servers and streams that could lose what they have
//! acknowledged; `chaos SECONDS` lets rivals write while servers are killed and frozen; `figures` measures.

mod chaos;
mod figures;
mod nodes;
mod refusals;
mod suite;
#[path = "../it/support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::time::Duration;

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let program = PathBuf::from(arguments.next().expect("the path of nats-server"));
    let command = arguments.next().expect("suite, refusals, chaos or figures");
    match command.to_str() {
        Some("suite") => suite::run(&program).await,
        Some("refusals") => refusals::run(&program).await,
        Some("chaos") => {
            let seconds = arguments.next().and_then(|text| text.to_str()?.parse().ok());
            chaos::run(&program, Duration::from_secs(seconds.expect("a number of seconds"))).await;
        }
        Some("figures") => figures::run(&program).await,
        other => panic!("{other:?}: expected suite, refusals, chaos or figures"),
    }
}

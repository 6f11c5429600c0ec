//! Checks of the journal on three NATS servers, which this program starts, kills and freezes itself; tests/interop/nats.sh
//! runs it.
//!
//!     cargo run -p canasta-recorder --example nats -- NATS_SERVER COMMAND
//!
//! `suite` runs what every journal must do; `refusals` starts on servers and streams that could lose what they have
//! acknowledged; `chaos SECONDS` lets rivals write while servers are killed and frozen; `figures` measures.

#![expect(clippy::disallowed_methods, reason = "a program that measures time and waits for servers")]

mod chaos;
mod credentials;
mod every;
mod figures;
mod nodes;
mod refusals;
// The parts of the tests' support that need no recorder.
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/it/support/queue.rs"]
mod queue;
#[path = "../../tests/it/support/random.rs"]
mod random;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/it/support/suite.rs"]
mod suite;

use std::path::PathBuf;
use std::time::Duration;

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let program = PathBuf::from(arguments.next().expect("the path of nats-server"));
    let command = arguments.next().expect("suite, refusals, chaos or figures");
    match command.to_str() {
        Some("suite") => every::run(&program).await,
        Some("refusals") => {
            refusals::run(&program).await;
            credentials::run(&program).await;
        }
        Some("chaos") => {
            let seconds = arguments.next().and_then(|text| text.to_str()?.parse().ok());
            chaos::run(&program, Duration::from_secs(seconds.expect("a number of seconds"))).await;
        }
        Some("figures") => figures::run(&program).await,
        other => panic!("{other:?}: expected suite, refusals, chaos or figures"),
    }
}

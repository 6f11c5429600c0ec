//! The recorder as a program of its own.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use canasta_proto::v1::record_service_client::RecordServiceClient;
use tonic::transport::Channel;

use super::server::Client;

/// Starts the program in a folder. Returns it with a client.
pub async fn start(folder: &Path, arguments: &[&str]) -> (Child, Client) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_canasta-recorder"))
        .current_dir(folder)
        .args(arguments)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut errors = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    // Whatever is wrong is told first.
    let line = errors.find_map(|line| line.ok().filter(|line| line.contains(" on 127.0.0.1:")));
    let line = line.expect("the program listens");
    // The rest is read, so that the program never waits for us.
    std::thread::spawn(move || for _ in errors {});
    let address = line.trim().rsplit(' ').next().expect("an address").to_owned();
    let endpoint = Channel::from_shared(format!("http://{address}")).unwrap_or_else(|_| panic!("{line}"));
    let channel = endpoint.connect().await.expect("the program listens");
    (child, Client { service: RecordServiceClient::new(channel), bearer: None })
}

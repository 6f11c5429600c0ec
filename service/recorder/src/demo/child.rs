//! The recorder of the demo: this program again, in a process of its own, which can be killed.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;

use canasta_engine::hex::hex;
use canasta_proto::v1::record_service_client::RecordServiceClient;
use canasta_service::Generator;
use tonic::transport::Channel;

use super::{DemoFailure, client};

/// A recorder in a process of its own, with a folder that is deleted at the end.
pub struct DemoRecorder {
    folder: PathBuf,
    process: Child,
    /// The address that it serves on: the same after each start.
    pub address: String,
}

impl DemoRecorder {
    /// Starts a recorder with a new folder.
    pub fn start(generator: Generator) -> Result<Self, DemoFailure> {
        let mut id = [0; 8];
        generator(&mut id)?;
        let folder = std::env::temp_dir().join(format!("canasta-demo-{}", hex(&id)));
        let (process, address) = spawn(&folder, "127.0.0.1:0")?;
        Ok(Self { folder, process, address })
    }

    /// Returns a client.
    pub fn client(&self) -> Result<RecordServiceClient<Channel>, DemoFailure> {
        client(&self.address)
    }

    /// Kills the recorder: no signal that it could handle.
    pub fn kill(&mut self) -> std::io::Result<()> {
        self.process.kill()?;
        self.process.wait().map(|_| ())
    }

    /// Starts the recorder again, with the same folder and at the same address.
    pub fn restart(&mut self) -> Result<(), DemoFailure> {
        (self.process, self.address) = spawn(&self.folder, &self.address)?;
        Ok(())
    }
}

impl Drop for DemoRecorder {
    fn drop(&mut self) {
        // Whatever is left is in the folder for temporary files.
        let _ = self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Starts the program, and reads the address from its first line.
fn spawn(folder: &PathBuf, address: &str) -> Result<(Child, String), DemoFailure> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("--data").arg(folder).args(["--listen", address]);
    // The environment's settings are those of another recorder.
    command.env_clear();
    let mut process = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let Some(stderr) = process.stderr.take() else { return Err(DemoFailure::Wrong("no stderr".into())) };
    let (mut stderr, mut line) = (BufReader::new(stderr), String::new());
    stderr.read_line(&mut line)?;
    let Some((_, address)) = line.trim_end().rsplit_once(" on ") else {
        let _ = process.kill();
        let _ = stderr.read_to_string(&mut line);
        return Err(DemoFailure::Wrong(format!("the recorder does not start: {line}")));
    };
    let address = address.to_owned();
    // A full pipe would block the recorder.
    thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
    Ok((process, address))
}

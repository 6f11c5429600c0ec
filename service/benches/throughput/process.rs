//! Servers in processes of their own, and the CPU time that they use.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::Result;

/// A server on processor 0, which is killed when it is dropped.
pub struct ServerProcess {
    child: Child,
    pub address: String,
}

/// The load of a server.
#[derive(Clone)]
pub enum Load {
    /// One message per request, by h2load.
    Unary { path: &'static str, body: PathBuf },
    /// Streams of these messages; each sends its next message once the last one is answered.
    Streams { path: &'static str, messages: PathBuf, count: usize },
}

impl ServerProcess {
    /// Starts a server of this program: `echo`, `plain` or `collector`.
    pub fn ours(name: &str) -> Result<Self> {
        Self::start(std::env::current_exe()?.as_path(), &[name])
    }

    pub fn open() -> Result<Self> {
        Self::service(&[])
    }

    /// Starts the service with metrics and the default share of traces, which it sends to this collector.
    pub fn watched(collector: &Self) -> Result<Self> {
        Self::service(&["--otlp-endpoint", &format!("http://{}", collector.address)])
    }

    pub fn sealed(folder: &Path) -> Result<Self> {
        let keys = folder.join("keys");
        let keys = keys.to_str().ok_or("a path in UTF-8")?;
        let made = Command::new(env!("CARGO_BIN_EXE_canasta-service")).args(["keygen", keys]).output()?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).into());
        }
        Self::service(&["--trusted-callers", "--seal-key-file", keys])
    }

    fn service(arguments: &[&str]) -> Result<Self> {
        let listen = ["--listen", "127.0.0.1:0"];
        Self::start(Path::new(env!("CARGO_BIN_EXE_canasta-service")), &[&listen, arguments].concat())
    }

    /// Starts a server; its first line ends with its address.
    fn start(program: &Path, arguments: &[&str]) -> Result<Self> {
        let mut command = Command::new("taskset");
        command.args(["-c", "0"]).arg(program).args(arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let mut lines = BufReader::new(child.stderr.take().ok_or("a pipe")?).lines();
        let address = loop {
            let line = lines.next().ok_or("the server says where it is")??;
            let last = line.rsplit(' ').next().unwrap_or_default();
            if last.parse::<std::net::SocketAddr>().is_ok() {
                break last.to_owned();
            }
        };
        // A full pipe would block the server.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Self { child, address })
    }

    /// Returns the CPU time of the server per message of the load, in us.
    pub fn cost(&self, load: &Load, requests: usize) -> Result<f64> {
        let before = self.cpu_ns()?;
        let done = match load {
            Load::Unary { path, body } => self.unary(path, body, requests)?,
            Load::Streams { path, messages, count } => self.streams(path, messages, *count, requests)?,
        };
        Ok((self.cpu_ns()? - before) as f64 / done as f64 / 1000.0)
    }

    fn unary(&self, path: &str, body: &Path, requests: usize) -> Result<usize> {
        let output = Command::new("taskset")
            .args(["-c", "1", "h2load", "-t", "1", "-c", "8", "-m", "8", "-n", &requests.to_string(), "-d"])
            .arg(body)
            .args(["-H", "content-type: application/grpc", "-H", "te: trailers"])
            .arg(format!("http://{}{path}", self.address))
            .output()
            .map_err(|error| format!("h2load (package nghttp2-client) with taskset: {error}"))?;
        let said = String::from_utf8_lossy(&output.stdout);
        if !said.contains(&format!("{requests} succeeded")) {
            return Err(format!("h2load: {said}{}", String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok(requests)
    }

    fn streams(&self, path: &str, messages: &Path, count: usize, requests: usize) -> Result<usize> {
        let rounds = requests.div_ceil(count * super::load::STREAMS).max(1);
        let mut command = Command::new("taskset");
        command
            .args(["-c", "1"])
            .arg(std::env::current_exe()?)
            .args(["streams", &self.address, path])
            .arg(messages);
        for _ in 0..rounds {
            let output = command.output()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into());
            }
        }
        Ok(rounds * count * super::load::STREAMS)
    }

    fn cpu_ns(&self) -> Result<u64> {
        let mut sum = 0;
        for task in std::fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let stat = std::fs::read_to_string(task?.path().join("schedstat"))?;
            sum += stat.split_whitespace().next().ok_or("a number")?.parse::<u64>()?;
        }
        Ok(sum)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! A machine of an operator, on which the lines of a page are typed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use rusqlite::Connection;

use super::program::start;
use super::server::Client;

const PAGE: &str = include_str!("../../../../../docs/RECORDING.md");
const ANY_PORT: [&str; 2] = ["--listen", "127.0.0.1:0"];

/// A machine with a recorder's folder, on which commands are typed.
pub struct Machine {
    home: tempfile::TempDir,
}

impl Machine {
    pub fn new() -> Self {
        Self { home: tempfile::tempdir().expect("a folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub async fn start(&self, arguments: &[&str]) -> (Running, Client) {
        let (child, client) = start(self.home.path(), &[&ANY_PORT[..], arguments].concat()).await;
        (Running(child), client)
    }

    /// Types a line. Returns its exit code, and what it printed.
    pub fn types(&self, line: &str) -> (i32, String) {
        let program = Path::new(env!("CARGO_BIN_EXE_canasta-recorder")).parent().expect("a folder");
        let script = format!("PATH={}:$PATH\n{line}", program.display());
        let mut shell = Command::new("sh");
        let output = shell.current_dir(self.home.path()).args(["-c", &script]).output();
        let output = output.expect("a shell");
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        println!("$ {line}\n{text}");
        (output.status.code().expect("it ends"), text.into_owned())
    }

    /// Types every line of a section of the page; each must succeed, except a doctor that finds something. Returns what the last
    /// one printed.
    pub fn follows(&self, heading: &str) -> String {
        let section =
            PAGE.split(&format!("\n### {heading}\n")).nth(1).unwrap_or_else(|| panic!("no {heading}"));
        let section = section.split("\n## ").next().and_then(|rest| rest.split("\n### ").next());
        let lines = section.expect("a section").lines().filter_map(|line| line.strip_prefix("    "));
        let mut said = String::new();
        for line in lines {
            let (code, text) = self.types(line);
            assert!(code == 0 || line.ends_with("doctor"), "{line}: {text}");
            said = text;
        }
        said
    }

    /// Lets the doctor look. Returns the commands of what is wrong.
    pub fn doctor(&self) -> Vec<String> {
        let (code, text) = self.types("canasta-recorder doctor");
        let commands: Vec<_> = text
            .lines()
            .filter(|line| line.starts_with("wrong"))
            .map(|line| line.split("; type: ").nth(1).expect("a command").to_owned())
            .collect();
        assert_eq!(code, if commands.is_empty() { 0 } else { 2 });
        commands
    }

    /// Types what the doctor says until nothing is wrong.
    pub fn mends(&self) {
        for command in self.doctor() {
            let (code, text) = self.types(&command);
            assert_eq!(code, 0, "{text}");
        }
        assert_eq!(self.doctor(), [""; 0]);
    }

    pub fn journal(&self) -> Connection {
        Connection::open(self.path("canasta-data/journal.sqlite")).expect("a journal")
    }
}

/// A recorder that is killed, also by a test that fails.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

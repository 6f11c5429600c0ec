//! Three NATS servers on free ports of loopback, in a folder of their own.

use std::fs::File;
use std::net::TcpListener;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use canasta_recorder::archive::GameArchive;
use canasta_recorder::changes::Changes;
use canasta_recorder::journal::nats::{NatsError, NatsJournal, NatsOptions};
use canasta_service::program::random;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

/// Number of servers.
pub const NODES: usize = 3;
/// The name of the recorders that use them.
pub const FLEET: [u8; 16] = [7; 16];
/// Time for servers to start and to elect their leaders.
const START: Duration = Duration::from_secs(30);

/// The servers.
pub struct Nodes {
    program: PathBuf,
    folder: TempDir,
    /// Client, cluster and monitoring port of each.
    ports: [[u16; 3]; NODES],
    children: [Option<Child>; NODES],
    /// Lines for the section of JetStream.
    storage: String,
}

impl Nodes {
    /// Starts servers that write to the disk before they acknowledge.
    pub fn start(program: &Path) -> Self {
        Self::start_with(program, "sync_interval: always")
    }

    /// Starts servers with these lines for JetStream.
    pub fn start_with(program: &Path, storage: &str) -> Self {
        let mut nodes = Self {
            program: program.into(),
            folder: tempfile::tempdir().expect("a folder"),
            ports: free_ports(),
            children: [None, None, None],
            storage: storage.into(),
        };
        (0..NODES).for_each(|node| nodes.begin(node));
        nodes
    }

    /// Lets servers that start from now on have these lines for JetStream.
    pub fn set_storage(&mut self, storage: &str) {
        self.storage = storage.into();
    }

    /// Starts a server, whose files stay as they were.
    pub fn begin(&mut self, node: usize) {
        let [client, cluster, monitor] = self.ports[node];
        let folder = self.folder.path();
        let routes = self.ports.map(|[_, cluster, _]| format!("nats://127.0.0.1:{cluster}")).join(", ");
        let text = format!(
            "server_name: n{node}\nlisten: 127.0.0.1:{client}\nhttp: 127.0.0.1:{monitor}\n\
             jetstream {{ store_dir: \"{}\", {} }}\n\
             cluster {{ name: test, listen: 127.0.0.1:{cluster}, routes: [{routes}] }}\n",
            folder.join(format!("data{node}")).display(),
            self.storage,
        );
        let config = folder.join(format!("n{node}.conf"));
        std::fs::write(&config, text).expect("a folder of our own");
        let log = File::options().create(true).append(true).open(folder.join(format!("n{node}.log")));
        let log = log.expect("a folder of our own");
        let mut command = Command::new(&self.program);
        command.arg("-c").arg(&config).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.children[node] = Some(command.spawn().expect("nats-server starts"));
    }

    /// Kills a server with SIGKILL.
    pub fn kill(&mut self, node: usize) {
        if let Some(mut child) = self.children[node].take() {
            child.kill().and_then(|()| child.wait()).expect("a child of ours");
        }
    }

    /// Stops a server in the middle of whatever it does, or lets it go on.
    pub fn freeze(&self, node: usize, is_frozen: bool) {
        let child = self.children[node].as_ref().expect("it runs");
        let signal = if is_frozen { Signal::STOP } else { Signal::CONT };
        let pid = Pid::from_child(child);
        kill_process(pid, signal).expect("a child of ours");
    }

    /// Returns the addresses for clients.
    pub fn addresses(&self) -> Vec<String> {
        self.ports.iter().map(|[client, ..]| format!("127.0.0.1:{client}")).collect()
    }

    /// Returns the memory of each server, in KiB.
    pub fn memory_kib(&self) -> Vec<u64> {
        let of = |child: &Child| {
            let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
            status
                .lines()
                .find_map(|line| line.strip_prefix("VmRSS:"))?
                .trim()
                .split(' ')
                .next()?
                .parse()
                .ok()
        };
        self.children.iter().flatten().filter_map(of).collect()
    }

    /// Returns the folder of the servers.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns options with which a recorder trusts the servers.
    pub fn options(&self, shards: u16) -> NatsOptions {
        NatsOptions {
            nats_monitors: self
                .ports
                .iter()
                .map(|[.., monitor]| format!("http://127.0.0.1:{monitor}"))
                .collect(),
            nats_shards: shards,
            ..NatsOptions::default()
        }
    }

    /// Opens the journal, once the servers have their leaders.
    pub async fn journal(&self, shards: u16) -> NatsJournal {
        self.journal_with(&self.options(shards)).await
    }

    /// Opens the journal with these options, once the servers have their leaders.
    pub async fn journal_with(&self, options: &NatsOptions) -> NatsJournal {
        let ends = Instant::now() + START;
        loop {
            match self.open(options).await {
                Ok(journal) => return journal,
                Err(errors) if Instant::now() > ends => panic!("{errors:?}"),
                Err(_) => sleep(Duration::from_millis(200)).await,
            }
        }
    }

    /// Opens the journal with these options.
    pub async fn open(&self, options: &NatsOptions) -> Result<NatsJournal, Vec<NatsError>> {
        let archive = self.folder().join("archive");
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&archive);
        made.expect("a folder of our own");
        let archive = GameArchive::in_folder(&archive).expect("a folder");
        NatsJournal::open(&self.addresses(), options, (archive, Changes::default(), FLEET), random).await
    }

    /// Deletes all streams.
    pub async fn clear(&self) {
        let context = self.context().await;
        let mut names = context.stream_names();
        while let Some(name) = tokio_stream::StreamExt::next(&mut names).await {
            context.delete_stream(name.expect("a list")).await.expect("a stream");
        }
    }

    /// Opens a connection of a foreign client.
    pub async fn context(&self) -> async_nats::jetstream::Context {
        let ends = Instant::now() + START;
        loop {
            match async_nats::connect(self.addresses()).await {
                Ok(client) => return async_nats::jetstream::new(client),
                Err(error) => assert!(Instant::now() < ends, "{error}"),
            }
            sleep(Duration::from_millis(100)).await;
        }
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        (0..NODES).for_each(|node| self.kill(node));
    }
}

fn free_ports() -> [[u16; 3]; NODES] {
    let held: Vec<_> =
        (0..3 * NODES).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port")).collect();
    let port = |at: usize| held[at].local_addr().expect("a bound listener").port();
    std::array::from_fn(|node| std::array::from_fn(|at| port(3 * node + at)))
}

//! The connection to the servers, and its options.

use std::fmt::Display;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::jetstream;
use async_nats::{Client, ConnectOptions, ServerAddr};
use canasta_serve::outside::Generator;
use canasta_serve::secret;
use clap::Args;
use tokio::time::timeout;

use super::messages::{ANSWER, MessageStream};
use super::{KNOWN_GAMES, NatsJournal, hints, self_test, servers, streams, trust};
use crate::archive::GameArchive;
use crate::changes::Changes;
use crate::games::GameMemory;

/// Time for the first connection.
const CONNECT: Duration = Duration::from_secs(10);

/// Options of a journal on NATS JetStream
#[derive(Clone, Debug, Default, Args)]
pub struct NatsOptions {
    /// Certificates that sign those of the NATS servers, PEM. With it connections use TLS; without it only servers on
    /// loopback are used
    #[arg(long, env = "CANASTA_NATS_CA", value_name = "FILE")]
    pub nats_ca: Option<PathBuf>,

    /// The recorder's own certificate for the NATS servers, PEM
    #[arg(long, env = "CANASTA_NATS_CERT", value_name = "FILE", requires = "nats_key", requires = "nats_ca")]
    pub nats_cert: Option<PathBuf>,

    /// Key of --nats-cert, PEM
    #[arg(long, env = "CANASTA_NATS_KEY", value_name = "FILE", requires = "nats_cert")]
    pub nats_key: Option<PathBuf>,

    /// Credentials for the NATS servers: a .creds file, or a file with the seed of an nkey
    #[arg(long, env = "CANASTA_NATS_CREDENTIALS", value_name = "FILE")]
    pub nats_credentials: Option<PathBuf>,

    /// Monitoring addresses of all NATS servers, for example http://n1:8222: they tell whether a server writes to its disk
    /// before it acknowledges
    #[arg(long, env = "CANASTA_NATS_MONITORS", value_name = "URL,…", value_delimiter = ',')]
    pub nats_monitors: Vec<String>,

    /// Number of streams over which games are spread, 1 to 64. It cannot be changed later; one is enough up to about 10,000
    /// actions per second
    #[arg(long, env = "CANASTA_NATS_SHARDS", value_name = "NUMBER", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=i64::from(streams::SHARDS_MAX)))]
    pub nats_shards: u16,

    /// Start although it is not known, or not so, that the NATS servers write to the disk before they acknowledge:
    /// acknowledged entries may be lost when several servers lose power
    #[arg(long, env = "CANASTA_TRUST_SYNC")]
    pub trust_sync: bool,
}

/// A reason why no journal is opened.
#[derive(Debug, thiserror::Error)]
pub enum NatsError {
    /// An address, a file, a server or a stream is not as it must be.
    #[error("{0}")]
    Refused(String),
    /// No server or stream tells of itself. They may later, without anybody's help: after the death of a server another must
    /// be elected first.
    #[error("{0}")]
    Silent(String),
}

impl NatsJournal {
    /// Connects to the servers, creates the streams that are missing, and checks that servers and streams keep what they
    /// acknowledge. Watchers are told through `changes` of entries that other recorders store. All recorders must have the
    /// keys that the name `fleet` stands for. A server that is away is looked at when it is back.
    ///
    /// # Errors
    /// Every reason not to trust the servers.
    pub async fn open(
        addresses: &[String],
        options: &NatsOptions,
        (archive, changes, fleet): (GameArchive, Changes, [u8; 16]),
        generator: Generator,
    ) -> Result<Self, Vec<NatsError>> {
        let (context, unproven) = trust::as_recorder(addresses, options, fleet).await?;
        let mut journal = Self::on(context, options.nats_shards, archive).await?;
        self_test::run(&journal, generator).await?;
        let client = journal.context.client();
        hints::listen(&client, &mut journal, changes).await.map_err(|error| vec![error])?;
        journal.is_unproven.store(options.trust_sync, Ordering::Relaxed);
        if !options.trust_sync {
            let is_unproven = Arc::clone(&journal.is_unproven);
            journal.tasks.spawn(servers::watch(options.nats_monitors.clone(), unproven, is_unproven));
        }
        Ok(journal)
    }

    /// Connects to servers whose streams a recorder has created, for a program that stores no entries.
    ///
    /// # Errors
    /// If a server is too old, or a stream is missing or has other settings than those of a recorder.
    pub async fn beside(
        addresses: &[String],
        options: &NatsOptions,
        archive: GameArchive,
    ) -> Result<Self, Vec<NatsError>> {
        let context = trust::as_auditor(addresses, options).await?;
        Self::on(context, options.nats_shards, archive).await
    }

    async fn on(
        context: jetstream::Context,
        shards: u16,
        archive: GameArchive,
    ) -> Result<Self, Vec<NatsError>> {
        let named = async |name: String| {
            let found = MessageStream::named(&context, name.clone()).await;
            found.map_err(|error| vec![NatsError::Refused(of_stream(&name, error))])
        };
        let mut games = Vec::new();
        for shard in 0..shards {
            games.push(named(streams::shard_name(shard)).await?);
        }
        Ok(Self {
            followers: games.iter().map(|_| tokio::sync::Mutex::default()).collect(),
            shards: games,
            finished: named(streams::FINISHED.into()).await?,
            verdicts: named(streams::VERDICTS.into()).await?,
            dropped: named(streams::DROPPED.into()).await?,
            archive,
            known: GameMemory::new(KNOWN_GAMES),
            looked: tokio::sync::Mutex::new(0),
            is_unproven: Arc::default(),
            tasks: tokio::task::JoinSet::new(),
            recorder: hints::recorder_name(&context.client()),
            context,
        })
    }
}

/// Names a server in its problem, by its name or address.
pub fn of_server(server: &str, problem: impl Display) -> String {
    format!("the NATS server {server}: {problem}")
}

/// Names a stream in its problem.
pub fn of_stream(stream: &str, problem: impl Display) -> String {
    format!("the stream {stream}: {problem}")
}

/// Returns the error of servers that do not answer.
pub fn unconnected(problem: impl Display) -> NatsError {
    NatsError::Silent(format!("the NATS servers: {problem}"))
}

/// Connects to the first of the servers that answers. Its version must be recent.
pub async fn connect(addresses: &[String], options: &NatsOptions) -> Result<Client, NatsError> {
    let mut servers = Vec::new();
    for address in addresses {
        servers.push(read_address(address, options.nats_ca.is_some())?);
    }
    let mut settings = ConnectOptions::new()
        .name("canasta-recorder")
        .connection_timeout(CONNECT)
        .request_timeout(Some(ANSWER))
        .max_reconnects(None)
        .reconnect_delay_callback(|attempts| Duration::from_millis(50 << attempts.min(5)));
    if let Some(ca) = &options.nats_ca {
        settings = settings.add_root_certificates(ca.clone()).require_tls(true);
    }
    if let Some((cert, key)) = options.nats_cert.clone().zip(options.nats_key.clone()) {
        settings = settings.add_client_certificate(cert, key);
    }
    if let Some(path) = &options.nats_credentials {
        let fault = |problem: &dyn Display| NatsError::Refused(format!("{}: {problem}", path.display()));
        let text = secret::read(path).map_err(|error| fault(&error))?;
        // A seed begins with S, the file of a JWT with dashes.
        settings = match text.trim() {
            seed if seed.starts_with('S') && !seed.contains(char::is_whitespace) => {
                settings.nkey(seed.to_owned())
            }
            // The client reads whole lines alone.
            lines => settings.credentials(&format!("{lines}\n")).map_err(|error| fault(&error))?,
        };
    }
    let connected = timeout(CONNECT, settings.connect(servers)).await;
    let connected =
        connected.map_err(|_| unconnected(format!("no answer within {} s", CONNECT.as_secs())))?;
    let client = connected.map_err(unconnected)?;
    let info = client.server_info();
    match servers::is_recent(&info.version) {
        true => Ok(client),
        false => Err(NatsError::Refused(of_server(&info.server_name, servers::too_old(&info.version)))),
    }
}

/// Reads an address. Credentials stand in a file, since addresses stand in lists of processes; and nothing leaves the machine
/// in the clear.
fn read_address(address: &str, has_tls: bool) -> Result<ServerAddr, NatsError> {
    let fault = |problem: &str| NatsError::Refused(of_server(address, problem));
    let url = if address.contains("://") { address.to_owned() } else { format!("nats://{address}") };
    if address.contains('@') {
        let problem = "credentials in the address; expected them in --nats-credentials FILE";
        return Err(NatsError::Refused(of_server("…@…", problem)));
    }
    let server: ServerAddr = url.parse().map_err(|_| fault("expected nats://HOST:PORT"))?;
    if !matches!(server.scheme(), "nats" | "tls") {
        return Err(fault("expected nats://HOST:PORT"));
    }
    let host = server.host();
    let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
    let is_loopback = host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback());
    if is_loopback || has_tls {
        Ok(server)
    } else {
        Err(fault("not on loopback; expected --nats-ca FILE, for TLS"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_needs_tls_or_loopback_and_has_no_credentials() {
        let table = [
            ("nats://127.0.0.1:4222", false, true),
            ("127.0.0.1:4222", false, true),
            ("nats://[::1]:4222", false, true),
            ("localhost", false, true),
            ("nats://n1:4222", true, true),
            ("nats://n1:4222", false, false),
            ("nats://10.0.0.1", false, false),
            ("nats://user:secret@127.0.0.1", false, false),
            ("http://127.0.0.1", false, false),
            ("nats://127.0.0.1:port", false, false),
        ];
        for (address, has_tls, expected) in table {
            let read = read_address(address, has_tls);
            assert_eq!(read.is_ok(), expected, "{address}");
            assert!(read.err().is_none_or(|error| !error.to_string().contains("secret")));
        }
    }
}

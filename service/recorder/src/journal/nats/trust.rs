//! The checks before the first entry is trusted to the servers and their streams. What may pass by itself is waited for.

use std::time::Duration;

use async_nats::jetstream::context::{
    CreateStreamError, CreateStreamErrorKind, GetStreamError, GetStreamErrorKind,
};
use async_nats::jetstream::stream::{ClusterInfo, PeerInfo};
use async_nats::jetstream::{self, ErrorCode};
use canasta_engine::hex::hex;
use tokio::time::{sleep, timeout};

use super::connection::{connect, of_stream, unconnected};
use super::messages::ANSWER;
use super::servers::{self, StreamServer};
use super::{NatsError, NatsOptions, streams};

/// Time for which a program that starts tries again: servers elect a new leader within some seconds.
const START: Duration = Duration::from_secs(15);
/// Time for one request about streams.
const REQUEST: Duration = Duration::from_secs(3);
/// Time until something that may pass is tried again.
const RETRY: Duration = Duration::from_millis(250);
/// Time for which the leader of a stream has not heard of a server that is away. Followers answer each second; of one that
/// it has never heard of, a new leader says only that it is not current.
const AWAY: Duration = Duration::from_secs(3);

/// Returns the context of a recorder, once servers and streams are known to keep what they acknowledge, with the names of the
/// servers that are away. Creates the streams that are missing.
///
/// # Errors
/// Every reason not to trust them.
pub async fn as_recorder(
    addresses: &[String],
    options: &NatsOptions,
    fleet: [u8; 16],
) -> Result<(jetstream::Context, Vec<String>), Vec<NatsError>> {
    patiently(async || {
        let context = context(addresses, options).await?;
        let servers = check_streams(&context, options.nats_shards, Some(fleet)).await?;
        let unproven = match servers::check(&options.nats_monitors, &servers).await {
            Err(faults) if options.trust_sync => {
                faults.iter().for_each(|fault| tracing::warn!("--trust-sync: {fault}"));
                Vec::new()
            }
            checked => checked?,
        };
        for server in &unproven {
            tracing::warn!("the NATS server {server} is away; it is looked at when it is back");
        }
        Ok((context, unproven))
    })
    .await
    .map(|(context, unproven)| (serving(context), unproven))
}

/// Returns the context of a program that stores no entries: of streams that a recorder has created.
///
/// # Errors
/// If a server is too old, or a stream is missing or has other settings than those of a recorder.
pub async fn as_auditor(
    addresses: &[String],
    options: &NatsOptions,
) -> Result<jetstream::Context, Vec<NatsError>> {
    patiently(async || {
        let context = context(addresses, options).await?;
        check_streams(&context, options.nats_shards, None).await?;
        Ok(context)
    })
    .await
    .map(serving)
}

async fn context(addresses: &[String], options: &NatsOptions) -> Result<jetstream::Context, Vec<NatsError>> {
    let client = connect(addresses, options).await.map_err(|error| vec![error])?;
    let mut context = jetstream::new(client);
    context.set_timeout(REQUEST);
    Ok(context)
}

/// Returns the context with the time limit of a program that serves.
fn serving(mut context: jetstream::Context) -> jetstream::Context {
    context.set_timeout(ANSWER);
    context
}

/// Opens again what could not be opened for reasons that may pass, for a while.
async fn patiently<T>(open: impl AsyncFn() -> Result<T, Vec<NatsError>>) -> Result<T, Vec<NatsError>> {
    let mut passing = vec![unconnected(format!("no answer within {} s", START.as_secs()))];
    let opened = async {
        loop {
            match open().await {
                Err(faults) if faults.iter().all(|fault| matches!(fault, NatsError::Silent(_))) => {
                    passing = faults;
                }
                other => return other,
            }
            sleep(RETRY).await;
        }
    };
    match timeout(START, opened).await {
        Ok(opened) => opened,
        Err(_) => Err(passing),
    }
}

/// Creates the streams that are missing, and checks all. Returns the servers that keep them. Without the name
/// of a fleet the streams may be those of any, but all of one, and none is created.
async fn check_streams(
    context: &jetstream::Context,
    shards: u16,
    fleet: Option<[u8; 16]>,
) -> Result<Vec<StreamServer>, Vec<NatsError>> {
    let (mut faults, mut servers) = (Vec::new(), Vec::new());
    let name = match fleet {
        Some(fleet) => hex(&fleet),
        None => {
            let found = context.get_stream(streams::shard_name(0)).await;
            let found = found.map_err(|error| vec![unknown_stream(&streams::shard_name(0), &error)])?;
            streams::fleet_of(found.cached_info())
        }
    };
    for wanted in streams::configs(shards, &name) {
        let fault = |problem| NatsError::Refused(of_stream(&wanted.name, problem));
        let known = match context.get_stream(&wanted.name).await {
            Ok(stream) => Ok(stream.cached_info().clone()),
            Err(error) if fleet.is_some() && is_absent(&error.kind()) => {
                let created = context.create_stream(wanted.clone()).await;
                created
                    .map(|stream| stream.cached_info().clone())
                    .map_err(|error| not_created(&wanted.name, &error))
            }
            Err(error) => Err(unknown_stream(&wanted.name, &error)),
        };
        match known {
            Ok(info) => {
                faults.extend(streams::faults(&wanted, &info).into_iter().map(fault));
                servers.extend(servers_of(info.cluster.unwrap_or_default()));
            }
            Err(fault) => faults.push(fault),
        }
    }
    // One leader that hears of a server is enough.
    servers.sort_unstable_by(|a, b| (&a.name, a.is_away).cmp(&(&b.name, b.is_away)));
    servers.dedup_by(|a, b| a.name == b.name);
    if faults.is_empty() { Ok(servers) } else { Err(faults) }
}

/// Returns the servers that keep a stream, as its leader sees them.
fn servers_of(cluster: ClusterInfo) -> impl Iterator<Item = StreamServer> {
    let leader = cluster.leader.into_iter().map(|name| StreamServer { name, is_away: false });
    let is_away = |peer: &PeerInfo| peer.offline || !peer.current || peer.active > AWAY;
    leader.chain(
        cluster
            .replicas
            .into_iter()
            .map(move |peer| StreamServer { is_away: is_away(&peer), name: peer.name }),
    )
}

/// Returns the fault of a stream that does not tell of itself.
fn unknown_stream(stream: &str, error: &GetStreamError) -> NatsError {
    let problem = of_stream(stream, error);
    if is_absent(&error.kind()) { NatsError::Refused(problem) } else { NatsError::Silent(problem) }
}

/// Returns the fault of a stream that was not created.
fn not_created(stream: &str, error: &CreateStreamError) -> NatsError {
    let problem = of_stream(stream, error);
    match error.kind() {
        CreateStreamErrorKind::JetStream(_) => NatsError::Refused(problem),
        _ => NatsError::Silent(problem),
    }
}

fn is_absent(error: &GetStreamErrorKind) -> bool {
    matches!(error, GetStreamErrorKind::JetStream(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

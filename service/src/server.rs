//! The server: its limits, and how it ends.

use std::future::Future;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use canasta_engine::token::Catalogue;
use canasta_proto::v1::audit_service_server::AuditServiceServer;
use canasta_proto::v1::game_service_server::GameServiceServer;
use rustls::ServerConfig;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tokio::time::{sleep, timeout};
use tokio_stream::{Stream, StreamExt};
use tonic::server::NamedService;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_health::ServingStatus;
use tonic_health::server::{HealthReporter, health_reporter};
use tonic_reflection::server::Builder as Reflection;
use tower::util::option_layer;

use crate::audit::Audit;
use crate::bench;
use crate::config::Config;
use crate::connection::{Connection, Places};
use crate::context::RequestContext;
use crate::files;
use crate::identity::IdentitiesError;
use crate::layers::Authenticator;
use crate::layers::Layers;
use crate::limits::{ANSWER_BYTES_MAX, CHUNK_MESSAGE_BYTES_MAX, REQUEST_BYTES_MAX};
use crate::live::{Live, Watch};
use crate::outside::{Clock, Generator};
pub use crate::rpc::GameHandler;
use crate::rpc::play::Room;
use crate::seal::RingError;
use crate::signer::KeyError;
use crate::telemetry::Telemetry;
use crate::telemetry::counts::Counts;
use crate::tls::TlsError;
use crate::web::Web;

/// Pause after a failed accept: without file descriptors every accept fails at once.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How the server ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Every connection was closed.
    Drained,
    /// Some were still open at the drain limit; they end with the runtime.
    CutOff,
}

/// The server could not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The descriptors compiled into this binary are not readable.
    #[error("reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The key cannot be read.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The keys of states cannot be read.
    #[error(transparent)]
    Ring(#[from] RingError),
    /// The identities cannot be read.
    #[error(transparent)]
    Identities(#[from] IdentitiesError),
    /// The certificates or their keys cannot be read.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// There is no sending to where telemetry is to go.
    #[error("telemetry: {0}")]
    Telemetry(#[from] opentelemetry_otlp::ExporterBuildError),
    /// The transport failed.
    #[error("transport: {0}")]
    Transport(#[from] tonic::transport::Error),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}; --listen names another address")]
    Listen {
        /// As it is configured.
        address: SocketAddr,
        /// What the system says.
        error: std::io::Error,
    },
    /// The signals could not be had, or the listener lost its address.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// Serves until `shutdown`, then drains: reports itself as not serving and goes on for `drain_notice`, so that
/// load balancers notice; then stops accepting and waits for open connections, at most `drain_limit`.
///
/// # Errors
/// If the server could not start or its transport failed.
pub async fn run(
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
    config: &Config,
    generator: Generator,
    clock: Clock,
) -> Result<Ended, ServeError> {
    let mut watch = Watch::default();
    let ctx = ctx(config, generator, clock, &mut watch)?;
    let (refusals, denials, telemetry) =
        (Arc::clone(&ctx.refusals), Arc::clone(&ctx.denials), Arc::clone(&ctx.telemetry));
    let (of_callers, of_tls) = (config.clone(), config.clone());
    let identities = watch.read(&[&config.identities_file], move || files::identities(&of_callers))?;
    let tls_files = [&config.tls_cert_file, &config.tls_key_file, &config.tls_client_ca_file];
    let tls = watch.read(&tls_files, move || files::tls(&of_tls, clock))?;
    let authenticator = Authenticator::new(identities, Arc::clone(&denials), clock);
    let ended = tokio::select! {
        ended = serve(listener, shutdown, config, ctx, authenticator, tls) => ended,
        never = watch.run(config.reread) => match never {},
    };
    if !refusals.summary().is_empty() {
        tracing::info!("states refused: {}", refusals.summary());
    }
    if !denials.summary().is_empty() {
        tracing::info!("callers turned away: {}", denials.summary());
    }
    // It blocks on the network, which wants this thread.
    let _ = tokio::task::spawn_blocking(move || telemetry.stop()).await;
    ended
}

/// The service alone, for whoever calls it within this process: no listener, no limits, no threads for searches, and no authenticator, so each
/// request brings its [`Caller`](crate::identity::Caller) among its extensions. Files are read once. For all methods but Play.
///
/// # Errors
/// If a file cannot be read.
pub fn service(config: &Config, generator: Generator, clock: Clock) -> Result<GameHandler, ServeError> {
    let ctx = ctx(config, generator, clock, &mut Watch::default())?;
    // Nobody drains it: a stream would end at once.
    Ok(GameHandler::new(ctx, Room::new(config, watch::channel(false).1), None))
}

fn ctx(
    config: &Config,
    generator: Generator,
    clock: Clock,
    watch: &mut Watch,
) -> Result<Arc<RequestContext>, ServeError> {
    let (of_signer, of_ring) = (config.clone(), config.clone());
    let (refusals, denials) = (Arc::default(), Arc::default());
    let telemetry = Arc::new(Telemetry::start(config, &refusals, &denials)?);
    Ok(Arc::new(RequestContext {
        catalogue: Catalogue::new(),
        generator,
        clock,
        max_lifetime_ms: config.max_lifetime_ms,
        signer: watch.read(&[&config.signing_key_file], move || files::signer(&of_signer))?,
        ring: watch.read(&[&config.seal_key_file], move || files::ring(&of_ring))?,
        refusals,
        denials,
        telemetry,
    }))
}

async fn serve(
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
    config: &Config,
    ctx: Arc<RequestContext>,
    authenticator: Authenticator,
    tls: Option<Arc<Live<ServerConfig>>>,
) -> Result<Ended, ServeError> {
    let telemetry = Arc::clone(&ctx.telemetry);
    let counts = Arc::clone(&telemetry.counts);
    let layers = Layers::new(config, authenticator, telemetry, first_id(ctx.generator));
    let (health, health_service) = health_reporter();
    report(&health, ServingStatus::Serving).await;
    let (drain, draining) = watch::channel(false);
    let searches = bench::seats_for_searches(config.max_searches);
    let audit = AuditServiceServer::new(Audit::new(Arc::clone(&ctx)))
        .max_decoding_message_size(CHUNK_MESSAGE_BYTES_MAX)
        .max_encoding_message_size(ANSWER_BYTES_MAX);
    let game = GameServiceServer::new(GameHandler::new(ctx, Room::new(config, draining), Some(searches)))
        .max_decoding_message_size(REQUEST_BYTES_MAX)
        .max_encoding_message_size(ANSWER_BYTES_MAX);
    let descriptors = || {
        Reflection::configure()
            .register_encoded_file_descriptor_set(canasta_proto::DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = builder(config)
        .accept_http1(config.serves_web())
        // Outermost: what is behind it sees gRPC only.
        .layer(option_layer(config.serves_web().then(|| Web::new(config))))
        .layer(layers)
        .add_service(game)
        .add_service(audit)
        .add_service(health_service)
        // Older clients (grpcio) know v1alpha only.
        .add_optional_service(config.reflects().then_some(descriptors().build_v1()?))
        .add_optional_service(config.reflects().then_some(descriptors().build_v1alpha()?))
        .serve_with_incoming_shutdown(connections(listener, tls, config, counts), async {
            let _ = stopped.await;
        });
    let mut serving = std::pin::pin!(serving);

    tokio::select! {
        ended = &mut serving => return Ok(ended.map(|()| Ended::Drained)?),
        () = shutdown => {}
    }
    report(&health, ServingStatus::NotServing).await;
    if let Ok(ended) = timeout(config.drain_notice, &mut serving).await {
        return Ok(ended.map(|()| Ended::Drained)?);
    }
    let _ = drain.send(true);
    let _ = stop.send(());
    match timeout(config.drain_limit, &mut serving).await {
        Ok(ended) => Ok(ended.map(|()| Ended::Drained)?),
        Err(_) => Ok(Ended::CutOff),
    }
}

/// Where the numbers of requests begin: servers behind one name should not repeat each other's.
fn first_id(generator: Generator) -> u64 {
    let mut bytes = [0; 8];
    // Without randomness ids are still distinct within this server.
    let _ = generator(&mut bytes);
    u64::from_le_bytes(bytes)
}

/// tonic's own defaults have no limit on streams or resets and no keepalive; what it passes on as "none" also
/// removes hyper's defaults. What it refuses itself has no id and no details and is not counted, so how many requests
/// may be under way is the layers' affair.
fn builder(config: &Config) -> Server {
    Server::builder()
        .max_concurrent_streams(64)
        .http2_max_local_error_reset_streams(Some(128))
        .http2_max_pending_accept_reset_streams(Some(20))
        .http2_max_header_list_size(16 * 1024)
        .max_frame_size(16 * 1024)
        .initial_stream_window_size(256 * 1024)
        .initial_connection_window_size(1024 * 1024)
        .http2_adaptive_window(Some(false))
        .http2_keepalive_interval(Some(config.keepalive))
        .http2_keepalive_timeout(Some(config.keepalive_timeout))
        // No grace: with one, tonic cuts running requests without a GOAWAY.
        .max_connection_age(config.max_age)
}

fn connections(
    listener: TcpListener,
    tls: Option<Arc<Live<ServerConfig>>>,
    config: &Config,
    counts: Arc<Counts>,
) -> impl Stream<Item = std::io::Result<Connection>> + use<> {
    let (places, config) = (Places::new(config, counts), config.clone());
    TcpIncoming::from(listener)
        .with_nodelay(Some(true))
        .with_keepalive(Some(Duration::from_secs(60)))
        .then(async |stream| {
            if stream.is_err() {
                sleep(ACCEPT_PAUSE).await;
            }
            stream
        })
        .filter_map(move |stream| match stream {
            Ok(stream) => {
                let peer = network(stream.peer_addr().ok()?.ip());
                let place = places.take(peer)?;
                let tls = tls.as_ref().map(|tls| tls.get());
                Some(Ok(Connection::new(stream, tls, peer, &config, place)))
            }
            Err(error) => Some(Err(error)),
        })
}

/// What counts as one peer: of IPv6 the network, for whoever has one address of it has all.
fn network(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

async fn report(health: &HealthReporter, status: ServingStatus) {
    for name in ["", GameServiceServer::<GameHandler>::NAME, AuditServiceServer::<Audit>::NAME] {
        health.set_service_status(name, status).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_is_an_address_or_a_network() {
        let table = [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ];
        for (peer, expected) in table {
            assert_eq!(network(peer.parse().expect("an address")).to_string(), expected);
        }
    }
}

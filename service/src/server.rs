//! The server: listener, services, limits and drain.

use std::future::{Future, pending};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use canasta_engine::token::Catalogue;
use canasta_messages::limits::ANSWER_BYTES_MAX;
use canasta_proto::v1::audit_service_server::AuditServiceServer;
use canasta_proto::v1::game_service_server::GameServiceServer;
use rustls::ServerConfig;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tokio::time::{sleep, timeout};
use tokio_stream::{Stream, StreamExt};
use tonic::server::NamedService;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic_health::ServingStatus;
use tonic_health::server::{HealthReporter, health_reporter};
use tonic_reflection::server::Builder as Reflection;
use tower::util::option_layer;

use crate::audit::AuditHandler;
use crate::context::RequestContext;
use crate::files::{self, FileError, LinkSettings};
pub use crate::rpc::GameHandler;
use crate::rpc::play::PlayStreams;
use crate::server_limits;
use crate::web::web;
use canasta_serve::accept::AcceptedStreams;
use canasta_serve::authenticator::{Authenticator, NoCredentials};
use canasta_serve::config::Config;
use canasta_serve::connection::{Connection, ConnectionPermits, ReadSlices};
use canasta_serve::fairness::Accountant;
use canasta_serve::identity::Identities;
use canasta_serve::layers::{direct_route, layers};
use canasta_serve::limits::{CHUNK_MESSAGE_BYTES_MAX, REQUEST_BYTES_MAX};
use canasta_serve::outside::{Clock, Generator};
use canasta_serve::reload::{FileWatcher, Reloaded};
use canasta_serve::telemetry::Telemetry;
use canasta_serve::workers::WorkerPool;

/// Pause after a failed accept: without free file descriptors every accept fails at once.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

const OURS: [&str; 2] = [GameServiceServer::<GameHandler>::NAME, AuditServiceServer::<AuditHandler>::NAME];
/// The names of the services that every gRPC server has.
const OTHERS: [&str; 3] = [
    "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrainResult {
    /// Every connection was closed.
    Drained,
    /// Some connections were still open at the drain limit; they end with the runtime.
    CutOff,
}

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The descriptors in the binary cannot be decoded.
    #[error("reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// A file of keys, identities or certificates cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The exporter of telemetry cannot be built.
    #[error("telemetry: {0}")]
    Telemetry(#[from] opentelemetry_otlp::ExporterBuildError),
    #[error("transport: {0}")]
    Transport(#[from] tonic::transport::Error),
    #[error("cannot listen on {address}: {error}; choose another address with --listen")]
    Listen {
        address: SocketAddr,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// The listener has no address.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// Serves until `shutdown`, then drains: reports NOT_SERVING and still serves for `drain_notice`, so that
/// load balancers notice; then stops accepting connections and waits at most `drain_limit` for open ones.
pub async fn run(
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
    config: &Config,
    generator: Generator,
    clock: Clock,
) -> Result<DrainResult, ServeError> {
    run_with(listener, shutdown, config, (generator, clock), None, |_| MoreServices::default()).await
}

/// The parts of a server that services of another crate share with its own.
#[derive(Clone)]
pub struct ServerParts {
    pub ctx: Arc<RequestContext>,
    pub searches: WorkerPool,
    /// The account of what callers hold.
    pub accountant: Accountant,
    /// True once the server drains: then open streams have to end.
    pub draining: watch::Receiver<bool>,
}

/// Services of another crate, behind the same layers.
#[derive(Default)]
pub struct MoreServices {
    pub routes: Routes,
    pub names: Vec<&'static str>,
}

/// Serves as [`run`] does, and the services that `more` makes; with `links`, also callers that show links.
pub async fn run_with(
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
    config: &Config,
    (generator, clock): (Generator, Clock),
    links: Option<LinkSettings>,
    more: impl FnOnce(ServerParts) -> MoreServices,
) -> Result<DrainResult, ServeError> {
    let mut watch = FileWatcher::default();
    let ctx = ctx(config, generator, clock, &mut watch)?;
    let (refusals, denials, telemetry) =
        (Arc::clone(&ctx.refusals), Arc::clone(&ctx.denials), Arc::clone(&ctx.telemetry));
    let (of_callers, of_tls) = (config.clone(), config.clone());
    let rule = no_credentials(config, links.as_ref());
    let (of_list, keys) = (config.clone(), links.as_ref().map(|links| links.public_keys.clone()));
    let listed = move || {
        let named = of_list.identities_file.as_deref().map(Identities::files).unwrap_or_default();
        let signing = keys.iter().chain(of_list.signing_key_file.as_ref().filter(|_| keys.is_some()));
        named.into_iter().chain(signing.cloned()).collect()
    };
    let identities = watch.read_listed(listed, move || files::callers(&of_callers, links.as_ref()))?;
    let tls_files = [&config.tls_cert_file, &config.tls_key_file, &config.tls_client_ca_file];
    let tls = watch.read(&tls_files, move || files::tls(&of_tls, clock))?;
    let authenticator = Authenticator::new(identities, rule, Arc::clone(&denials), clock);
    let ended = tokio::select! {
        ended = serve(listener, shutdown, config, ctx, (authenticator, tls), more) => ended,
        never = watch.run(config.reread) => match never {},
    };
    if !refusals.summary().is_empty() {
        tracing::info!("states refused: {}", refusals.summary());
    }
    if !denials.summary().is_empty() {
        tracing::info!("callers turned away: {}", denials.summary());
    }
    telemetry.stop().await;
    ended
}

/// Returns the handler of GameService for callers in this process: without listener, limits, threads for
/// searches and authentication, so each request must bring its [`Caller`](canasta_serve::identity::Caller) in its
/// extensions. Files are read once. Play is not available.
pub fn service(config: &Config, generator: Generator, clock: Clock) -> Result<GameHandler, ServeError> {
    let ctx = context(config, generator, clock)?;
    // Nobody sends the drain signal: a Play stream would end at once.
    let accountant = Accountant::new(config, &ctx.telemetry.counts);
    let streams = PlayStreams::new(config, &accountant, watch::channel(false).1);
    Ok(GameHandler::new(ctx, streams, None))
}

/// Returns the context of requests for a program that serves nobody. Files are read once.
pub fn context(
    config: &Config,
    generator: Generator,
    clock: Clock,
) -> Result<Arc<RequestContext>, ServeError> {
    ctx(config, generator, clock, &mut FileWatcher::default())
}

fn ctx(
    config: &Config,
    generator: Generator,
    clock: Clock,
    watch: &mut FileWatcher,
) -> Result<Arc<RequestContext>, ServeError> {
    let (of_signer, of_ring) = (config.clone(), config.clone());
    let (refusals, denials) = (Arc::default(), Arc::default());
    let telemetry = Arc::new(Telemetry::start(config, &refusals, &denials, generator)?);
    Ok(Arc::new(RequestContext {
        catalogue: Catalogue::new(),
        generator,
        clock,
        limits: server_limits::write(config),
        audience: config.audience.clone(),
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
    (authenticator, tls): (Authenticator, Option<Arc<Reloaded<ServerConfig>>>),
    more: impl FnOnce(ServerParts) -> MoreServices,
) -> Result<DrainResult, ServeError> {
    let (telemetry, counts) = (Arc::clone(&ctx.telemetry), Arc::clone(&ctx.telemetry.counts));
    let (drain, draining) = watch::channel(false);
    let accountant = Accountant::new(config, &counts);
    let first_id = first_id(ctx.generator);
    let layers = layers(config, authenticator, telemetry, accountant.clone(), first_id, draining.clone());
    let (health, health_service) = health_reporter();
    let searches = WorkerPool::for_searches(config.max_searches, &ctx.telemetry);
    let parts = ServerParts { ctx, searches, accountant, draining };
    let MoreServices { routes, names } = more(parts.clone());
    let ServerParts { ctx, searches, accountant, draining } = parts;
    report(&health, &names, ServingStatus::Serving).await;
    let audit = AuditServiceServer::new(AuditHandler::new(Arc::clone(&ctx)))
        .max_decoding_message_size(CHUNK_MESSAGE_BYTES_MAX)
        .max_encoding_message_size(ANSWER_BYTES_MAX);
    let streams = PlayStreams::new(config, &accountant, draining);
    let game = GameServiceServer::new(GameHandler::new(ctx, streams, Some(searches)))
        .max_decoding_message_size(REQUEST_BYTES_MAX)
        .max_encoding_message_size(ANSWER_BYTES_MAX);
    let descriptors = || {
        let all = Reflection::configure()
            .register_encoded_file_descriptor_set(canasta_proto::DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET);
        // Of the interface's services, those that this server has.
        OURS.iter().chain(&OTHERS).chain(&names).fold(all, |all, &name| all.with_service_name(name))
    };
    let (stop, stopped) = oneshot::channel();
    let accepted = AcceptedStreams::new(listener, stopped)?;
    let serving = builder(config)
        .accept_http1(config.serves_web())
        // Outermost: the layers behind it see only gRPC.
        .layer(option_layer(config.serves_web().then(|| web(config))))
        .layer(layers)
        .layer(direct_route(game))
        .add_routes(routes)
        .add_service(audit)
        .add_service(health_service)
        // Older clients (grpcio) know only v1alpha.
        .add_optional_service(config.reflects().then_some(descriptors().build_v1()?))
        .add_optional_service(config.reflects().then_some(descriptors().build_v1alpha()?))
        // The streams end by themselves.
        .serve_with_incoming_shutdown(
            connections(accepted, tls, config, ConnectionPermits::new(accountant, counts)),
            pending(),
        );
    let mut serving = std::pin::pin!(serving);

    tokio::select! {
        ended = &mut serving => return Ok(ended.map(|()| DrainResult::Drained)?),
        () = shutdown => {}
    }
    report(&health, &names, ServingStatus::NotServing).await;
    if let Ok(ended) = timeout(config.drain_notice, &mut serving).await {
        return Ok(ended.map(|()| DrainResult::Drained)?);
    }
    let _ = drain.send(true);
    let _ = stop.send(());
    match timeout(config.drain_limit, &mut serving).await {
        Ok(ended) => Ok(ended.map(|()| DrainResult::Drained)?),
        Err(_) => Ok(DrainResult::CutOff),
    }
}

/// Returns the rule for callers without credentials.
fn no_credentials(config: &Config, links: Option<&LinkSettings>) -> NoCredentials {
    match links {
        // On loopback everybody looks local: whoever serves rooms there has a proxy before it.
        Some(links) if links.has_rooms => NoCredentials::Guest {
            trusts_loopback: config.identities_file.is_none() && !config.is_on_loopback(),
        },
        _ if config.identities_file.is_some() => NoCredentials::Refused,
        _ => NoCredentials::Trusted,
    }
}

/// Returns a random first number of request ids, so that servers behind one name do not repeat each other's
/// ids.
fn first_id(generator: Generator) -> u64 {
    let mut bytes = [0; 8];
    // Without randomness the ids are still distinct within this server.
    let _ = generator(&mut bytes);
    u64::from_le_bytes(bytes)
}

/// Returns tonic's server with our limits. By default, tonic limits neither streams nor resets and sends no
/// keepalive pings, and the values that it passes on as "none" remove hyper's defaults. A request that tonic
/// refuses has no id and no details and is not counted, so the layers limit the active requests.
fn builder(config: &Config) -> Server {
    Server::builder()
        .max_concurrent_streams(64)
        .http2_max_local_error_reset_streams(Some(128))
        .http2_max_pending_accept_reset_streams(Some(20))
        .http2_max_header_list_size(16 * 1024)
        .max_frame_size(16 * 1024)
        // What a client may send before it is read, so what it makes the server hold: a request is read at once, but a Play
        // stream is not read while its answers are not.
        .initial_stream_window_size(64 * 1024)
        .initial_connection_window_size(128 * 1024)
        .http2_adaptive_window(Some(false))
        .http2_keepalive_interval(Some(config.keepalive))
        .http2_keepalive_timeout(Some(config.keepalive_timeout))
        // No grace period: with one, tonic cuts active requests without a GOAWAY.
        .max_connection_age(config.max_age)
}

fn connections(
    accepted: AcceptedStreams,
    tls: Option<Arc<Reloaded<ServerConfig>>>,
    config: &Config,
    places: ConnectionPermits,
) -> impl Stream<Item = std::io::Result<Connection>> + use<> {
    let (config, slices) = (config.clone(), ReadSlices::default());
    accepted
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
                Some(Ok(Connection::new(stream, tls, peer, &config, place, &slices)))
            }
            Err(error) => Some(Err(error)),
        })
}

/// Returns the address that limits per peer count by. Of IPv6 it is the /64 network: whoever has one address
/// of the network has all.
fn network(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

async fn report(health: &HealthReporter, more: &[&str], status: ServingStatus) {
    for name in OURS.iter().chain(more).chain(&[""]) {
        health.set_service_status(*name, status).await;
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

//! TLS 1.3 on the listener, and the names in a client's certificate.
//!
//! tonic's own TLS is not used: it also accepts TLS 1.2, does not limit the time of a handshake, cannot
//! change certificates while it runs, and reads the system's clock.

use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use rustls::server::{NoServerSessionStorage, WebPkiClientVerifier};
use rustls::time_provider::TimeProvider;
use rustls::{RootCertStore, ServerConfig};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;
use tokio_rustls::{Accept, TlsAcceptor};

use crate::identity::CertificateNames;
use crate::outside::Clock;
use crate::secret;

#[derive(Clone, Copy, Debug)]
pub struct TlsFiles<'a> {
    /// The server's certificate and its chain, in PEM.
    pub certificate: &'a Path,
    /// The certificate's private key, in PEM.
    pub key: &'a Path,
    /// The root certificates of clients' certificates, in PEM.
    pub client_ca: Option<&'a PathBuf>,
}

/// Files that do not make a TLS server. The error shows nothing of the key.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("{}: {problem}", file.display())]
    File { file: PathBuf, problem: String },
    /// The certificate and the key do not match, or have an unknown form.
    #[error("{} and {}: {error}", certificate.display(), key.display())]
    Pair { certificate: PathBuf, key: PathBuf, error: rustls::Error },
    /// The library does not speak TLS 1.3.
    #[error(transparent)]
    Version(rustls::Error),
}

/// Reads the files of TLS. Clients may connect without a certificate: a request without any credentials is
/// answered with UNAUTHENTICATED, which says more than a failed handshake.
pub fn read(files: TlsFiles<'_>, clock: Clock) -> Result<ServerConfig, TlsError> {
    fn bad(file: &Path, problem: impl std::fmt::Display) -> TlsError {
        TlsError::File { file: file.into(), problem: problem.to_string() }
    }
    let chain = |file: &Path| -> Result<Vec<CertificateDer<'static>>, TlsError> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
        match chain {
            Ok(chain) if chain.is_empty() => Err(bad(file, "expected a certificate in PEM")),
            chain => chain.map_err(|problem| bad(file, problem)),
        }
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_details(Arc::clone(&provider), Arc::new(InjectedClock(clock)))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(TlsError::Version)?;
    let builder = match files.client_ca {
        None => builder.with_no_client_auth(),
        Some(file) => {
            let mut roots = RootCertStore::empty();
            for root in chain(file)? {
                roots.add(root).map_err(|problem| bad(file, problem))?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            let verifier = verifier.allow_unauthenticated().build().map_err(|problem| bad(file, problem))?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    let text = secret::read(files.key).map_err(|problem| bad(files.key, problem))?;
    let key = PrivateKeyDer::from_pem_slice(text.as_bytes()).map_err(|problem| bad(files.key, problem))?;
    let chain = chain(files.certificate)?;
    let mut config = builder.with_single_cert(chain, key).map_err(|error| TlsError::Pair {
        certificate: files.certificate.into(),
        key: files.key.into(),
        error,
    })?;
    config.alpn_protocols = vec![b"h2".to_vec()];
    // Sessions are not resumed: each connection shows its certificate, which is verified against the current
    // roots.
    config.send_tls13_tickets = 0;
    config.session_storage = Arc::new(NoServerSessionStorage {});
    Ok(config)
}

#[derive(Debug)]
struct InjectedClock(Clock);

impl TimeProvider for InjectedClock {
    fn current_time(&self) -> Option<UnixTime> {
        let ms = u64::try_from((self.0)()).ok()?;
        Some(UnixTime::since_unix_epoch(Duration::from_millis(ms)))
    }
}

/// The bytes under HTTP/2: TCP, or TLS over TCP. The handshake begins with the first read or write.
pub enum Transport {
    Plain(TcpStream),
    Handshake(Box<Accept<TcpStream>>, Arc<OnceLock<CertificateNames>>),
    Tls(Box<TlsStream<TcpStream>>),
    /// The handshake has failed.
    Closed,
}

impl Transport {
    /// Returns the transport of a connection. The names of the client's certificate go to `names` once it is
    /// verified.
    pub fn new(
        stream: TcpStream,
        tls: Option<Arc<ServerConfig>>,
        names: Arc<OnceLock<CertificateNames>>,
    ) -> Self {
        match tls {
            None => Self::Plain(stream),
            Some(config) => Self::Handshake(Box::new(TlsAcceptor::from(config).accept(stream)), names),
        }
    }

    fn poll_up(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let Self::Handshake(accept, names) = self {
            let stream = match ready!(Pin::new(accept).poll(cx)) {
                Ok(stream) => stream,
                Err(error) => {
                    *self = Self::Closed;
                    return Poll::Ready(Err(error));
                }
            };
            if let Some([shown, ..]) = stream.get_ref().1.peer_certificates() {
                // The cell is empty: there is one handshake.
                let _ = names.set(CertificateNames::of(shown));
            }
            *self = Self::Tls(Box::new(stream));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for Transport {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(self.poll_up(cx))?;
        match &mut *self {
            Self::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            Self::Tls(stream) => Pin::new(stream).poll_read(cx, buf),
            Self::Handshake(..) | Self::Closed => Poll::Ready(Ok(())),
        }
    }
}

impl AsyncWrite for Transport {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_up(cx))?;
        match &mut *self {
            Self::Plain(stream) => Pin::new(stream).poll_write(cx, buf),
            Self::Tls(stream) => Pin::new(stream).poll_write(cx, buf),
            Self::Handshake(..) | Self::Closed => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_up(cx))?;
        match &mut *self {
            Self::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Self::Tls(stream) => Pin::new(stream).poll_flush(cx),
            Self::Handshake(..) | Self::Closed => Poll::Ready(Ok(())),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut *self {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
            // TLS has sent nothing, so dropping the socket ends the connection.
            Self::Handshake(..) | Self::Closed => Poll::Ready(Ok(())),
        }
    }
}

//! Open streams: their places, and what ends them.

use std::future::{pending, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use canasta_messages::fault::RequestFault;
use tokio::sync::{oneshot, watch};
use tokio::time::sleep_until;
use tonic::Request;

use crate::OrFault;
use crate::account::CallerAccount;
use crate::connection::Traffic;
use crate::fairness::{Accountant, SharedPlace};
use crate::identity::CallerKey;
use crate::telemetry::counts::PlaceKind;

pub struct StreamPlaces {
    accountant: Accountant,
    kind: PlaceKind,
    /// True once the server drains.
    draining: watch::Receiver<bool>,
}

impl StreamPlaces {
    /// Returns the places of one kind. `draining` becomes true when all streams have to end.
    pub fn new(accountant: &Accountant, kind: PlaceKind, draining: watch::Receiver<bool>) -> Self {
        Self { accountant: accountant.clone(), kind, draining }
    }

    /// Takes a place for the stream of a request, and watches over it.
    pub fn take_for<T>(&self, request: &Request<T>) -> OrFault<StreamEnd> {
        self.take_until(CallerAccount::of(request).key(), request.extensions().get(), pending())
    }

    /// Takes a place for a stream of this caller, and watches over it. The stream has to end when `other` says so too.
    pub fn take_until(
        &self,
        caller: &CallerKey,
        traffic: Option<&Traffic>,
        other: impl Future<Output = RequestFault> + Send + 'static,
    ) -> OrFault<StreamEnd> {
        let place = Arc::new(self.take(caller, traffic)?);
        let (end, ended) = oneshot::channel();
        let (here, gone) = oneshot::channel();
        tokio::spawn(Arc::clone(&place).monitor(other, end, gone));
        Ok(StreamEnd { place, ended, _here: here })
    }

    /// Takes a place for a stream of this caller.
    ///
    /// # Errors
    /// If the caller has its share of all places.
    pub fn take(&self, caller: &CallerKey, traffic: Option<&Traffic>) -> OrFault<StreamPlace> {
        let place = self.accountant.take(self.kind, caller, 1)?;
        Ok(StreamPlace { place, traffic: traffic.cloned(), draining: self.draining.clone() })
    }
}

/// The end of a stream whose messages are made only when the client reads. A task waits for the end, even of a stream that
/// nobody reads; it lives no longer than the stream.
pub struct StreamEnd {
    place: Arc<StreamPlace>,
    ended: oneshot::Receiver<RequestFault>,
    _here: oneshot::Sender<()>,
}

impl StreamEnd {
    /// Marks the stream as used now. Where a stream must be ended to make room, the one unused for longest is ended.
    pub fn touch(&self) {
        self.place.touch();
    }

    /// Returns the reason to end the stream, if there is one.
    pub fn reached(&mut self) -> Option<RequestFault> {
        self.ended.try_recv().ok()
    }

    /// Waits until the stream has to end. Returns the reason, once.
    pub async fn wait(&mut self) -> RequestFault {
        poll_fn(|cx| self.poll(cx)).await
    }

    /// Becomes ready, once, when the stream has to end, with the reason.
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<RequestFault> {
        Pin::new(&mut self.ended).poll(cx).map(|why| why.unwrap_or(RequestFault::Internal))
    }
}

pub struct StreamPlace {
    place: SharedPlace,
    /// The stream's connection; `None` in this process.
    traffic: Option<Traffic>,
    draining: watch::Receiver<bool>,
}

impl StreamPlace {
    /// Marks the stream and its connection as used now, so that others are ended before them.
    pub fn touch(&self) {
        self.place.touch();
        self.traffic.iter().for_each(Traffic::touch);
    }

    /// Waits for the end of the stream, and tells it. A client that then does not read loses its connection, as with every
    /// answer that it does not read.
    async fn monitor(
        self: Arc<Self>,
        other: impl Future<Output = RequestFault>,
        end: oneshot::Sender<RequestFault>,
        mut gone: oneshot::Receiver<()>,
    ) {
        let why = tokio::select! {
            _ = &mut gone => return,
            why = self.end() => why,
            why = other => why,
        };
        let _ = end.send(why);
        let _unread = self.traffic.clone().map(Traffic::answered);
        let _ = gone.await;
    }

    /// Waits until the stream has to end: because another caller needs its place, its connection is old, or the server
    /// drains.
    pub async fn end(&self) -> RequestFault {
        let mut draining = self.draining.clone();
        let aged = async {
            match &self.traffic {
                Some(traffic) => sleep_until(traffic.ends_at()).await,
                None => pending().await,
            }
        };
        tokio::select! {
            () = self.place.revoked() => RequestFault::Overloaded,
            _ = draining.wait_for(|draining| *draining) => RequestFault::Draining,
            () = aged => RequestFault::Draining,
        }
    }
}

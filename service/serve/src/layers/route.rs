//! The way of a request to its service. tonic's router matches a pattern, writes the matched parts into the request
//! and boxes bodies and futures anew, so the service of play is called without it.

use std::convert::Infallible;
use std::future::Future;
use std::task::{Context, Poll, ready};

use tonic::server::NamedService;
use tower::Service;
use tower::layer::{LayerFn, layer_fn};

use super::{Answer, Request, Response};

/// Returns the tower layer that hands requests for the service `direct` to that service, and all others to the router behind it.
pub fn direct_route<D: Clone, S>(direct: D) -> LayerFn<impl Fn(S) -> Routed<D, S> + Clone> {
    layer_fn(move |router| Routed { direct: direct.clone(), router })
}

/// A router with a service before it; see the module.
#[derive(Clone)]
pub struct Routed<D, S> {
    direct: D,
    router: S,
}

impl<D, S> Service<Request> for Routed<D, S>
where
    D: Service<Request, Response = Response, Error = Infallible, Future = Answer> + NamedService,
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Future + Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        ready!(self.direct.poll_ready(cx))?;
        self.router.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Answer {
        if is_of(D::NAME, request.uri().path()) {
            self.direct.call(request)
        } else {
            Box::pin(self.router.call(request))
        }
    }
}

/// Whether a path is a method of the service `name`, known or unknown.
fn is_of(name: &str, path: &str) -> bool {
    let rest = path.strip_prefix('/').and_then(|path| path.strip_prefix(name));
    rest.is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_service_are_told_apart() {
        for path in
            ["/canasta.v1.GameService/GetView", "/canasta.v1.GameService/", "/canasta.v1.GameService/x/y"]
        {
            assert!(is_of("canasta.v1.GameService", path), "{path}");
        }
        for path in [
            "",
            "/",
            "canasta.v1.GameService/GetView",
            "/canasta.v1.GameService",
            "/canasta.v1.GameServices/x",
        ] {
            assert!(!is_of("canasta.v1.GameService", path), "{path}");
        }
    }
}

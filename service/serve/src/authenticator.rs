//! Authentication of every request, before its body is read.

use std::sync::Arc;

use canasta_messages::fault::RequestFault;
use http::HeaderMap;
use http::header::{AUTHORIZATION, ORIGIN};
use tonic::body::Body;

use crate::OrFault;
use crate::connection::Traffic;
use crate::identity::{Caller, Denial, Denials, Identities};
use crate::outside::Clock;
use crate::reload::Reloaded;
use crate::sites::is_own_page;
use crate::telemetry::method::Method;
use crate::telemetry::trail::CallTrail;

/// Paths that need no credentials: health probes, and the descriptors, which are public.
const OPEN_TO_ALL: [&str; 2] = ["/grpc.health.", "/grpc.reflection."];

/// The headers by which a proxy says that it stands between.
const FORWARDED: [&str; 4] = ["forwarded", "via", "x-forwarded-for", "x-real-ip"];

/// The rule for callers without credentials.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoCredentials {
    Trusted,
    Refused,
    /// They are guests, except, with `trusts_loopback`, those of this machine.
    Guest {
        /// Whether callers of this machine are trusted. A proxy may be one of them, so that a server behind a proxy
        /// cannot trust them.
        trusts_loopback: bool,
    },
}

#[derive(Clone)]
pub struct Authenticator {
    identities: Option<Arc<Reloaded<Identities>>>,
    rule: NoCredentials,
    denials: Arc<Denials>,
    clock: Clock,
}

impl Authenticator {
    /// Returns an authenticator. Without identities it trusts every caller.
    pub fn new(
        identities: Option<Arc<Reloaded<Identities>>>,
        rule: NoCredentials,
        denials: Arc<Denials>,
        clock: Clock,
    ) -> Self {
        Self { identities, rule, denials, clock }
    }

    /// Whether callers are authenticated, those that show credentials at least.
    pub fn knows_callers(&self) -> bool {
        self.identities.is_some()
    }

    /// Whether a request shows a token that may be a link. Players behind one address have each their own link, so none of
    /// them is refused for what its neighbours have shown.
    pub fn may_show_link(&self, headers: &HeaderMap) -> bool {
        let gives_links = || self.identities.as_ref().is_some_and(|identities| identities.get().give_links());
        headers.contains_key(AUTHORIZATION) && gives_links()
    }

    /// Authenticates a request and adds its [`Caller`] to its extensions, from which [`Caller::split`] takes
    /// it; to a request that opens a stream also its [`Credentials`].
    pub fn authenticate(&self, request: &mut http::Request<Body>, method: Method) -> OrFault<()> {
        let path = request.uri().path();
        if OPEN_TO_ALL.iter().any(|open| path.starts_with(open)) {
            return Ok(());
        }
        let Some(identities) = &self.identities else {
            request.extensions_mut().insert(Caller::Trusted);
            return Ok(());
        };
        let (headers, traffic) = (request.headers(), request.extensions().get());
        let identities = identities.get();
        let is_local = is_local(headers, traffic);
        let unknown = self.rule.caller(is_local);
        let caller = self.caller(&identities, headers, traffic, unknown.as_ref())?;
        self.rule.check(&caller, method, is_local).map_err(|(denial, fault)| {
            self.denials.count(denial);
            fault
        })?;
        if method.may_stay_open() || method.takes_in_logs() {
            let (authenticator, traffic) = (self.clone(), traffic.cloned());
            let headers = Identities::credentials(headers);
            let credentials =
                Credentials { authenticator, caller: caller.clone(), identities, headers, traffic, unknown };
            request.extensions_mut().insert(credentials);
        }
        if let Some(trail) = request.extensions().get::<Arc<CallTrail>>() {
            trail.comes_from(&caller);
        }
        request.extensions_mut().insert(caller);
        Ok(())
    }

    fn caller(
        &self,
        identities: &Identities,
        headers: &HeaderMap,
        traffic: Option<&Traffic>,
        unknown: Option<&Caller>,
    ) -> OrFault<Caller> {
        let certificate = traffic.and_then(Traffic::names);
        match (identities.caller(headers, certificate, (self.clock)()), unknown) {
            (Ok(caller), _) => Ok(caller),
            (Err(Denial::None), Some(unknown)) => Ok(unknown.clone()),
            // Credentials that are not good are refused, even where callers need none.
            (Err(denial), _) => {
                self.denials.count(denial);
                Err(RequestFault::Unauthenticated)
            }
        }
    }
}

impl NoCredentials {
    /// Returns the caller that a request without credentials comes from; `None` if it is refused.
    fn caller(self, is_local: bool) -> Option<Caller> {
        match self {
            Self::Trusted => Some(Caller::Trusted),
            Self::Refused => None,
            Self::Guest { trusts_loopback } if trusts_loopback && is_local => Some(Caller::Trusted),
            Self::Guest { .. } => Some(Caller::Guest),
        }
    }

    /// Checks that a caller may call a method. Where there are guests, anybody reaches the port: guests may open rooms
    /// and read the rules, which are public, and whoever has nothing but a link may call GameService from this machine
    /// only, except for what it tells of the rules.
    fn check(self, caller: &Caller, method: Method, is_local: bool) -> Result<(), (Denial, RequestFault)> {
        let Self::Guest { trusts_loopback } = self else { return Ok(()) };
        let is_trusted_place = trusts_loopback && is_local;
        let needs_loopback = method.is_of_game_service() && !method.asks_about_rules();
        match caller {
            Caller::Guest if !method.is_for_guests() => Err((Denial::None, RequestFault::Unauthenticated)),
            caller if caller.link().is_some() && needs_loopback && !is_trusted_place => {
                Err((Denial::Role, RequestFault::Denied))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a request comes from a program of this machine that is not known to be a proxy, or to show a page of another
/// site.
fn is_local(headers: &HeaderMap, traffic: Option<&Traffic>) -> bool {
    traffic.is_some_and(Traffic::is_local)
        && !FORWARDED.iter().any(|name| headers.contains_key(*name))
        && headers.get_all(ORIGIN).iter().all(is_own_page)
}

/// The credentials of an open stream or of an upload, which are looked at again when the identities change.
#[derive(Clone)]
pub struct Credentials {
    authenticator: Authenticator,
    /// The caller, by the identities that were looked at last.
    caller: Caller,
    identities: Arc<Identities>,
    headers: HeaderMap,
    traffic: Option<Traffic>,
    /// The caller that the request comes from if it has no credentials.
    unknown: Option<Caller>,
}

impl Credentials {
    /// Returns the caller by the identities of now.
    pub fn caller(&mut self) -> OrFault<Caller> {
        if let Some(identities) = self.authenticator.identities.as_ref().map(|identities| identities.get())
            && !Arc::ptr_eq(&identities, &self.identities)
        {
            let Self { authenticator, headers, traffic, unknown, .. } = self;
            self.caller = authenticator.caller(&identities, headers, traffic.as_ref(), unknown.as_ref())?;
            self.identities = identities;
        }
        Ok(self.caller.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Identity, LinkGrant};
    use canasta_engine::action::As;
    use canasta_engine::deal::GameId;

    #[test]
    fn guests_create_rooms_and_links_stay_in_their_game() {
        let link = LinkGrant {
            token_id: [1; 16],
            game: GameId([2; 16]),
            actor: As::Spectator,
            is_host: true,
            expires_at_ms: 1_000,
        };
        let holder = Caller::Known(Arc::new(Identity::of_link(link)));
        let (open, behind_proxy) =
            (NoCredentials::Guest { trusts_loopback: true }, NoCredentials::Guest { trusts_loopback: false });
        for rule in [open, behind_proxy] {
            for is_local in [true, false] {
                let is_trusted = rule == open && is_local;
                let unknown = rule.caller(is_local).expect("nobody is refused");
                assert_eq!(matches!(unknown, Caller::Trusted), is_trusted);
                for method in Method::ALL {
                    let is_admitted = |caller| rule.check(caller, method, is_local).is_ok();
                    // The page of a room lists the rule sets before there is a link.
                    let for_guests = [
                        Method::CREATE,
                        const { Method::named("CreateRoom") },
                        const { Method::named("OpenRoom") },
                        const { Method::named("GetRule") },
                        const { Method::named("GetRuleSet") },
                        const { Method::named("ListRuleSets") },
                        const { Method::named("ListKnobs") },
                        const { Method::named("ExplainRuleSet") },
                        const { Method::named("GetCatalogue") },
                        const { Method::named("GetServerInfo") },
                    ]
                    .contains(&method);
                    assert_eq!(is_admitted(&unknown), is_trusted || for_guests, "{}", method.path);
                    let closed = [
                        const { Method::named("CreateGame") },
                        Method::PLAY,
                        const { Method::named("SuggestAction") },
                    ];
                    if closed.contains(&method) {
                        assert_eq!(is_admitted(&holder), is_trusted, "{}", method.path);
                    }
                    if [
                        const { Method::named("Act") },
                        const { Method::named("Watch") },
                        const { Method::named("GetCatalogue") },
                    ]
                    .contains(&method)
                    {
                        assert!(is_admitted(&holder), "{}", method.path);
                    }
                }
            }
        }
        assert!(NoCredentials::Refused.caller(true).is_none());
        assert!(
            NoCredentials::Trusted.check(&holder, Method::PLAY, false).is_ok(),
            "the port is not open to all"
        );
    }
}

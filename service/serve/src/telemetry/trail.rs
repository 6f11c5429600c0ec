//! The trail of a caller: the lines in the log about a request, and of each message of a Play stream. It names who asked
//! for whom in which game, and the verdict; never cards, states, credentials or a text that somebody wrote.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_messages::convert::identity;
use canasta_messages::limits::OBSERVERS_MAX;
use canasta_proto::v1::{self as pb, Rejected};
use http::{HeaderMap, HeaderValue};

use super::trace;
use crate::identity::{Caller, CredentialKind, role_name};
use crate::outside::lock;

/// Maximum number of codes that a verdict names.
const CODES_MAX: usize = 8;

/// The trail of a request, if the log has trails.
#[derive(Clone)]
pub struct Trail(Option<Arc<CallTrail>>);

impl Trail {
    pub fn of<T>(request: &tonic::Request<T>) -> Self {
        Self(request.extensions().get::<Arc<CallTrail>>().cloned())
    }

    /// Returns the trail to note facts in; `None` if the log has no trails.
    pub fn get(&self) -> Option<&CallTrail> {
        self.0.as_deref()
    }
}

pub struct CallTrail {
    id: HeaderValue,
    /// The trace that the request belongs to, whether this service samples it or not.
    trace: Option<String>,
    peer: Option<IpAddr>,
    facts: Mutex<TrailFacts>,
}

/// The facts that become known while a request is answered.
#[derive(Clone, Default)]
struct TrailFacts {
    caller: Option<String>,
    game: Option<GameId>,
    actors: Vec<As>,
    observers: Vec<As>,
    verdict: Option<String>,
}

impl CallTrail {
    pub(super) fn new(id: &HeaderValue, headers: &HeaderMap, peer: Option<IpAddr>) -> Self {
        let trace = trace::of_caller(headers).map(|context| context.trace_id().to_string());
        Self { id: id.clone(), trace, peer, facts: Mutex::default() }
    }

    /// Notes who has sent the request.
    pub fn comes_from(&self, caller: &Caller) {
        lock(&self.facts).caller = match caller {
            Caller::Trusted | Caller::Guest => None,
            Caller::Known(identity) => {
                let name = &identity.name;
                // Quoted, since an issuer's users may choose their names: nobody can write fields of the line.
                Some(match name.kind {
                    CredentialKind::ApiKey => format!("api_key {:?}", name.name),
                    CredentialKind::Certificate => format!("certificate {:?}", name.name),
                    CredentialKind::Token => format!("token {:?} {:?}", name.issuer, name.name),
                })
            }
        };
    }

    /// Notes the game that the request is about.
    pub fn about(&self, game: Option<GameId>) {
        if game.is_some() {
            lock(&self.facts).game = game;
        }
    }

    /// Notes the game with this id, if it is one.
    pub fn about_id(&self, id: &[u8]) {
        self.about(id.try_into().ok().map(GameId));
    }

    /// Notes a seat or role that the caller acts for.
    pub fn acts_for(&self, who: As) {
        let mut facts = lock(&self.facts);
        if !facts.actors.contains(&who) {
            facts.actors.push(who);
        }
    }

    /// Notes the seat or role that a field names, if there is one.
    pub fn acts_for_field(&self, who: Option<pb::Actor>) {
        identity::read(who).into_iter().for_each(|who| self.acts_for(who));
    }

    /// Notes the observers that the answer has views of.
    pub fn shows_to(&self, observers: &[pb::Actor]) {
        let observers = observers.iter().take(OBSERVERS_MAX);
        lock(&self.facts).observers = observers.filter_map(|&one| identity::read_bare(one).ok()).collect();
    }

    /// Notes what became of the request.
    pub fn ends(&self, verdict: impl Into<String>) {
        lock(&self.facts).verdict = Some(verdict.into());
    }

    /// Notes that a rule refused the request.
    pub fn is_rejected(&self, rejected: &Rejected) {
        let codes = rejected.violations.iter().take(CODES_MAX).map(|violation| violation.code.as_str());
        self.ends(codes.collect::<Vec<_>>().join(","));
    }

    /// Logs the end of the request.
    pub(super) fn request(&self, method: &'static str, code: &'static str, us: u64) {
        self.log("request", method, Some(code), Some(us));
    }

    /// Logs a message of a stream, and forgets what was noted of that message alone.
    pub fn message(&self, method: &'static str) {
        self.log("message", method, None, None);
        let mut facts = lock(&self.facts);
        facts.actors.clear();
        facts.observers.clear();
        facts.verdict = None;
    }

    /// Logs a line of the trail; a message has no status code and no duration.
    fn log(&self, kind: &str, method: &str, code: Option<&str>, us: Option<u64>) {
        let TrailFacts { caller, game, actors, observers, verdict } = lock(&self.facts).clone();
        tracing::info!(
            method,
            code,
            us,
            id = self.id.to_str().unwrap_or_default(),
            trace = self.trace,
            peer = self.peer.map(|peer| peer.to_string()),
            caller,
            actor = listed(&actors),
            observers = listed(&observers),
            game = game.map(|game| base16ct::lower::encode_string(&game.0)),
            verdict,
            "{kind}"
        );
    }
}

/// Returns the names of seats and roles, as identities files have them; `None` if there are none.
fn listed(actors: &[As]) -> Option<String> {
    let seat = |who: &As| who.seat().map(|seat| seat.0.to_string());
    let name = |who: &As| role_name(*who).map(str::to_owned).or_else(|| seat(who)).unwrap_or_default();
    (!actors.is_empty()).then(|| actors.iter().map(name).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Grant, Identity, IdentityName};
    use serde_json::json;

    /// Checks that a name that somebody has chosen cannot look like fields of the line, or like a line.
    #[test]
    fn names_are_quoted() {
        let claims = json!({"games": [], "as": []});
        let grant = Grant::read(claims.as_object().expect("an object")).expect("a grant of nothing");
        let name = "eve\" verdict=accepted\ncanasta-service: request";
        let name = IdentityName { kind: CredentialKind::Token, issuer: "club".into(), name: name.into() };
        let identity = Identity { name: Arc::new(name), grant, until_ms: None, link: None };
        let trail = CallTrail::new(&HeaderValue::from_static("7"), &HeaderMap::new(), None);
        trail.comes_from(&Caller::Known(Arc::new(identity)));
        let expected = r#"token "club" "eve\" verdict=accepted\ncanasta-service: request""#;
        assert_eq!(lock(&trail.facts).caller.as_deref(), Some(expected));
    }

    #[test]
    fn a_verdict_names_so_many_codes_and_an_actor_once() {
        let trail = CallTrail::new(&HeaderValue::from_static("7"), &HeaderMap::new(), None);
        let violation = |n: usize| pb::Violation { code: format!("C{n}"), ..Default::default() };
        trail.is_rejected(&Rejected { violations: (0..20).map(violation).collect(), ..Default::default() });
        for who in [As::Table, As::Seat(canasta_engine::seat::Seat(2)), As::Table] {
            trail.acts_for(who);
        }
        let facts = lock(&trail.facts);
        assert_eq!(facts.verdict.as_deref(), Some("C0,C1,C2,C3,C4,C5,C6,C7"));
        assert_eq!(listed(&facts.actors).as_deref(), Some("TABLE,2"));
    }
}

//! The service within this process, which is asked about two states at once.

use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use canasta_engine::action::{Action, As};
use canasta_engine::game::Game;
use canasta_messages::convert::{action_out, identity};
use canasta_proto::v1::apply_action_response::Outcome;
use canasta_proto::v1::game_service_server::GameService;
use canasta_proto::v1::{
    Accepted, ApplyActionRequest, CheckActionRequest, CheckActionResponse, GetViewRequest,
    ListLegalActionsRequest, Observation, OptionsRequest, PreviewTakeBackRequest, PreviewTakeBackResponse,
    SuggestActionRequest, action::Kind, check_action_response,
};
use canasta_serve::config::ServiceCli;
use canasta_serve::identity::Caller;
use canasta_serve::outside::NoRandomness;
use canasta_service::seal::{Keyring, keygen};
use canasta_service::server;
use canasta_service::server::GameHandler;
use clap::Parser;
use prost::Message;
use tonic::{Request, Response, Status};

/// A service that seals states.
pub struct Service {
    game: GameHandler,
    ring: Keyring,
}

impl Service {
    /// Returns a service with a key of its own, in a file of this name.
    pub fn new(name: &str) -> Self {
        let keys = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.keys"));
        let _ = std::fs::remove_file(&keys);
        keygen(&keys, nines).expect("a key");
        let file = keys.to_str().expect("a path in UTF-8");
        let line = ["canasta-service", "--trusted-callers", "--seal-key-file", file];
        let game = server::service(&ServiceCli::parse_from(line).config, nines, || 0).expect("a service");
        Self { game, ring: Keyring::read(&keys, "").expect("a ring") }
    }

    /// Seals two states, as a caller holds them, and checks that the tokens are equally long.
    pub fn seal(&self, one: &Game, two: &Game) -> Both<'_> {
        let states = [self.ring.seal(one), self.ring.seal(two)];
        assert_eq!(states[0].len(), states[1].len());
        Both { service: self, states }
    }
}

fn nines(bytes: &mut [u8]) -> Result<(), NoRandomness> {
    bytes.fill(9);
    Ok(())
}

/// Two sealed states.
pub struct Both<'a> {
    service: &'a Service,
    states: [Vec<u8>; 2],
}

/// Returns the level of a suggestion: one of five hundred searches, which takes a thousand times as long.
fn level_of(seed: u64) -> u32 {
    if seed.is_multiple_of(500) { 4 } else { 0 }
}

impl Both<'_> {
    /// Checks that requests that change nothing have byte-equal answers for both states.
    pub fn looks_alike(&self, viewer: As, seed: u64, told: impl Fn() -> String) {
        let [one, two] = self.states.each_ref().map(|state| {
            let (state, actor) = (|| state.clone(), Some(identity::write(viewer)));
            [
                self.service.view(GetViewRequest { state: state(), actor }),
                self.service.legal(ListLegalActionsRequest { state: state(), actor, ..Default::default() }),
                self.service.suggest(SuggestActionRequest {
                    state: state(),
                    actor,
                    seed,
                    level: level_of(seed),
                    ..Default::default()
                }),
            ]
        });
        assert_eq!(one, two, "{}", told());
    }

    /// Whether an action is refused. Checks that both refusals are equal, from CheckAction and from ApplyAction.
    pub fn refuses_alike(&self, who: As, action: &Action, told: impl Fn() -> String) -> bool {
        let actor = Some(identity::write(who));
        let action = action_out::write(action);
        let [one, two] = self.states.each_ref().map(|state| {
            let (state, action) = (state.clone(), Some(action.clone()));
            self.service.check(CheckActionRequest { state, actor, action, earlier_state: vec![] })
        });
        assert_eq!(one, two, "{}", told());
        let [options, others] = self.states.each_ref().map(|state| {
            let (state, cards) = (state.clone(), selected(&action));
            self.service.options(OptionsRequest { state, actor, cards, chosen: None })
        });
        assert_eq!(options, others, "{}", told());
        if one.is_ok_and(|answer| matches!(answer.outcome, Some(check_action_response::Outcome::Legal(_)))) {
            return false;
        }
        let [one, two] = self.states.each_ref().map(|state| {
            let (state, action) = (state.clone(), Some(action.clone()));
            let asked = ApplyActionRequest { state, actor, action, want_view: true, ..Default::default() };
            match self.service.apply(asked) {
                Ok(Outcome::Rejected(rejected)) => Ok(rejected.encode_to_vec()),
                Ok(other) => panic!("{other:?} {}", told()),
                Err(status) => Err(status),
            }
        });
        assert_eq!(one, two, "{}", told());
        true
    }

    /// Applies a legal action to both states. Unless it ends the round, checks that frames and heads are equal, that
    /// the new states are equally long and look the same to `viewer`, that what `viewer` observed is equal, and, if
    /// the viewer is the actor, that all else of both answers is equal too. Returns whether the viewer is the actor and the round went on: its end shows
    /// hands and secrets.
    pub fn goes_on_alike(&self, viewer: As, (who, action): &(As, Action), told: impl Fn() -> String) -> bool {
        let [mut one, mut two] = self.states.each_ref().map(|state| {
            let asked = ApplyActionRequest {
                state: state.clone(),
                actor: Some(identity::write(*who)),
                action: Some(action_out::write(action)),
                want_events: true,
                want_view: true,
                want_head: true,
                observers: vec![identity::write(viewer)],
                ..Default::default()
            };
            match self.service.apply(asked) {
                Ok(Outcome::Accepted(accepted)) => accepted,
                other => panic!("{other:?} {}", told()),
            }
        });
        if one.round_end.is_some() && two.round_end.is_some() {
            return false;
        }
        let (first, second) = (take(&mut one), take(&mut two));
        assert_eq!(first.len(), second.len(), "{}", told());
        assert_eq!((&one.frames, &one.head), (&two.frames, &two.head), "{}", told());
        let after = Both { service: self.service, states: [first, second] };
        let [back, other] = [0, 1].map(|of| {
            let (state, earlier_state) = (after.states[of].clone(), self.states[of].clone());
            let (actor, frames) = (Some(identity::write(viewer)), one.frames.clone());
            let request = PreviewTakeBackRequest { state, actor, earlier_state, frames };
            // The state to go back to is sealed, and different.
            self.service.preview(request).map(|back| (back.earlier_state.len(), without_state(back)))
        });
        assert_eq!(back, other, "{}", told());
        after.looks_alike(viewer, 1, &told);
        assert_eq!(one.observations.len(), 1);
        assert_eq!(encoded(&one.observations), encoded(&two.observations), "{}", told());
        if viewer == *who {
            assert_eq!(one.encode_to_vec(), two.encode_to_vec(), "{}", told());
        }
        viewer == *who
    }
}

/// Returns the cards that an action names first, as a player selects them.
fn selected(action: &canasta_proto::v1::Action) -> Vec<String> {
    match &action.kind {
        Some(Kind::TakePile(take)) => take.cards.clone(),
        Some(Kind::Meld(meld)) => meld.groups.first().map_or_else(Vec::new, |group| group.cards.clone()),
        Some(Kind::Discard(discard)) => vec![discard.card.clone()],
        _ => Vec::new(),
    }
}

fn without_state(mut back: PreviewTakeBackResponse) -> Vec<u8> {
    back.earlier_state.clear();
    back.encode_to_vec()
}

fn encoded(observations: &[Observation]) -> Vec<Vec<u8>> {
    observations.iter().map(Message::encode_to_vec).collect()
}

fn take(accepted: &mut Accepted) -> Vec<u8> {
    std::mem::take(&mut accepted.state)
}

/// The bytes of an answer, or its status as text.
type Answer = Result<Vec<u8>, String>;

impl Service {
    fn view(&self, request: GetViewRequest) -> Answer {
        status(now(self.game.get_view(trusted(request)))).map(|answer| answer.encode_to_vec())
    }

    fn legal(&self, request: ListLegalActionsRequest) -> Answer {
        status(now(self.game.list_legal_actions(trusted(request)))).map(|answer| answer.encode_to_vec())
    }

    fn options(&self, request: OptionsRequest) -> Answer {
        status(now(self.game.options(trusted(request)))).map(|answer| answer.encode_to_vec())
    }

    fn preview(&self, request: PreviewTakeBackRequest) -> Result<PreviewTakeBackResponse, String> {
        status(now(self.game.preview_take_back(trusted(request))))
    }

    fn suggest(&self, request: SuggestActionRequest) -> Answer {
        status(now(self.game.suggest_action(trusted(request)))).map(|answer| answer.encode_to_vec())
    }

    fn check(&self, request: CheckActionRequest) -> Result<CheckActionResponse, String> {
        status(now(self.game.check_action(trusted(request))))
    }

    fn apply(&self, request: ApplyActionRequest) -> Result<Outcome, String> {
        let answer = status(now(self.game.apply_action(trusted(request))))?;
        Ok(answer.outcome.expect("an outcome"))
    }
}

fn trusted<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.extensions_mut().insert(Caller::Trusted);
    request
}

/// Returns the output of a future that is ready at once: the service waits for nothing.
fn now<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => panic!("the service waits"),
    }
}

fn status<T>(answer: Result<Response<T>, Status>) -> Result<T, String> {
    answer
        .map(Response::into_inner)
        .map_err(|status| format!("{:?} {} {:?}", status.code(), status.message(), status.details()))
}

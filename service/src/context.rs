//! What every request is answered with, and the opening of its state.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::log::record::Genesis;
use canasta_engine::seat::Seat;
use canasta_engine::state::State;
use canasta_engine::token::{self, Catalogue};
use canasta_proto::v1 as pb;

use crate::convert::field::{bytes_opt, fault, missing, within};
use crate::convert::identity;
use crate::identity::{Caller, Denials, Game};
use crate::live::Live;
use crate::outside::{Clock, Generator};
use crate::seal::{Refusal, Refusals, Ring, game_of};
use crate::signer::Signer;
use crate::status::{Fault, FieldFault};
use crate::telemetry::Telemetry;

/// All that an answer depends on besides its request.
pub struct RequestContext {
    /// The rule sets, made ready once.
    pub catalogue: Catalogue,
    /// For games created without id or secret.
    pub generator: Generator,
    /// Only to tell whether a state has expired.
    pub clock: Clock,
    /// The longest time that a new game's states may be taken, in ms.
    pub max_lifetime_ms: Option<u64>,
    /// The server's key, if it has one.
    pub signer: Option<Arc<Live<Signer>>>,
    /// What states are sealed with, if they are.
    pub ring: Option<Arc<Live<Ring>>>,
    /// Why states were refused.
    pub refusals: Arc<Refusals>,
    /// Why callers were turned away.
    pub denials: Arc<Denials>,
    /// Where judgements are measured.
    pub telemetry: Arc<Telemetry>,
}

impl RequestContext {
    /// The one place that says whether a caller may act for `who` in a game: asked before a state is opened.
    pub fn entitle(&self, caller: &Caller, who: As, game: Game) -> Result<(), Fault> {
        if caller.is_over(self.clock) {
            return Err(Fault::Unauthenticated);
        }
        caller.may(who, game).map_err(|denial| {
            self.denials.count(denial);
            Fault::Denied
        })
    }

    /// The same for whoever sets up a game, of this id if it is given: the table does.
    pub fn entitle_to_create(&self, caller: &Caller, game_id: &[u8]) -> Result<(), Fault> {
        let game = game_id.try_into().map_or(Game::New, |id| Game::Of(GameId(id)));
        self.entitle(caller, As::Table, game)
    }

    /// The same for whoever opens a state without saying for whom: it must be of a game of the caller's.
    pub fn entitle_to_open(&self, caller: &Caller, game: Game) -> Result<(), Fault> {
        caller.may_open(game).map_err(|denial| {
            self.denials.count(denial);
            Fault::Denied
        })
    }

    /// Opens the state that the field `state` holds, and says on whose behalf.
    pub fn open(&self, caller: &Caller, bytes: &[u8], who: Option<pb::As>) -> Result<(State, As), Fault> {
        check_state(bytes)?;
        let who = identity::read(who)?;
        let state = self.open_state(bytes, |game| self.entitle(caller, who, game))?;
        check_seat(who, state.set().seats)?;
        Ok((state, who))
    }

    /// Opens the state that the field `state` holds, once `entitle` has said that the caller may touch its game.
    pub fn open_state(
        &self,
        bytes: &[u8],
        entitle: impl Fn(Game) -> Result<(), Fault>,
    ) -> Result<State, Fault> {
        check_state(bytes)?;
        let state = self.decode(bytes, entitle)?;
        self.check_expiry(&state)?;
        Ok(state)
    }

    /// Whether the state's time is not over.
    pub fn check_expiry(&self, state: &State) -> Result<(), Fault> {
        if state.origin().expires_at.is_some_and(|expires_at| expires_at <= (self.clock)()) {
            return Err(self.refuse(Refusal::Expired));
        }
        Ok(())
    }

    /// On whose behalf something is asked about a state that is open already.
    pub fn asker(&self, caller: &Caller, state: &State, who: Option<pb::As>) -> Result<As, Fault> {
        let who = identity::read(who)?;
        self.entitle(caller, who, Game::Of(state.origin().game_id))?;
        check_seat(who, state.set().seats)?;
        Ok(who)
    }

    /// Whether the caller may ask about a log of this game for `who`; without one, about its bytes.
    pub fn may_audit(&self, caller: &Caller, genesis: Option<&Genesis>, who: As) -> Result<(), Fault> {
        let Some(genesis) = genesis else { return self.entitle(caller, who, Game::None) };
        self.entitle(caller, who, Game::Of(GameId(genesis.game_id)))?;
        check_seat(who, genesis.players.len() as u8).map_err(within("question"))?;
        Ok(())
    }

    /// Opens the state that a ruling goes back to, if the request brings one.
    pub fn open_earlier(&self, caller: &Caller, bytes: &[u8], who: As) -> Result<Option<State>, Fault> {
        if bytes.is_empty() {
            return Ok(None);
        }
        self.decode(bytes, |game| self.entitle(caller, who, game)).map(Some)
    }

    /// The token of a state, as callers get it.
    pub fn encode(&self, state: &State) -> Vec<u8> {
        match &self.ring {
            Some(ring) => ring.get().seal(state),
            None => token::encode(state),
        }
    }

    /// Whether the caller may is asked of the game that the token says it is of, before anything shows whether it is
    /// one: to those who may not, all tokens of a game look the same, good or bad.
    fn decode(&self, bytes: &[u8], entitle: impl Fn(Game) -> Result<(), Fault>) -> Result<State, Fault> {
        let game = game_of(bytes).map_or(Game::None, Game::Of);
        entitle(game)?;
        let read = |open: &[u8]| token::decode(open, &self.catalogue).map_err(|_| Refusal::Malformed);
        let state = match &self.ring {
            Some(ring) => ring.get().open(bytes).and_then(|open| read(&open)),
            None => read(bytes),
        };
        let is_it = |state: &State| Game::Of(state.origin().game_id) == game;
        let state = state.and_then(|state| if is_it(&state) { Ok(state) } else { Err(Refusal::Malformed) });
        state.map_err(|refusal| self.refuse(refusal))
    }

    /// A broken rule is counted on its way out.
    pub fn rejected(&self, rejected: pb::Rejected) -> pb::Rejected {
        if let Some(first) = rejected.violations.first() {
            self.telemetry.metrics.refusal(&first.code);
        }
        rejected
    }

    /// Whatever the reason, the caller learns the same.
    fn refuse(&self, refusal: Refusal) -> Fault {
        self.refusals.count(refusal);
        Fault::Token
    }

    /// Whether a new game may expire then.
    pub fn may_expire(&self, expires_at_ms: Option<i64>) -> Result<(), String> {
        let now = (self.clock)();
        let latest = self.max_lifetime_ms.map(|most| now.saturating_add_unsigned(most));
        match (expires_at_ms, latest) {
            (Some(at), _) if at <= now => Err(format!("{at} is past: it is {now}")),
            (Some(at), Some(latest)) if at > latest => Err(format!("{at}, at most {latest} here")),
            (None, Some(latest)) => Err(format!("is required here, at most {latest}")),
            _ => Ok(()),
        }
    }
}

fn check_state(bytes: &[u8]) -> Result<(), FieldFault> {
    if bytes.is_empty() { Err(within("state")(missing())) } else { Ok(()) }
}

/// Whether `who` is a seat of a game with so many of them, or no seat.
pub fn check_seat(who: As, seats: u8) -> Result<(), FieldFault> {
    match who {
        As::Seat(Seat(seat)) if seat >= seats => {
            let problem = format!("{seat} is not a seat of this game (0 to {})", seats.saturating_sub(1));
            Err(within("as")(within("seat")(fault(problem))))
        }
        _ => Ok(()),
    }
}

/// Compares the state with what the caller believes it to be.
pub fn expect(state: &State, seq: Option<u64>, head: &[u8]) -> Result<(), Fault> {
    let head = bytes_opt::<32>(head).map_err(within("expected_head"))?;
    let link = state.link();
    if seq.is_some_and(|seq| seq != link.seq) || head.is_some_and(|head| head != link.head) {
        return Err(Fault::Stale { seq: link.seq, head: link.head });
    }
    Ok(())
}

//! What every request is answered with, and the opening of its state.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::log::record::Genesis;
use canasta_engine::seat::Seat;
use canasta_engine::state::{Phase, State};
use canasta_engine::token::{self, Catalogue};
use canasta_engine::violations::Books;
use canasta_proto::v1 as pb;

use crate::convert::field::{bytes_opt, fault, missing, within};
use crate::convert::{identity, new_game};
use crate::seal::{Refusal, Refusals, Ring};
use crate::signer::Signer;
use crate::status::Fault;
use crate::telemetry::Telemetry;
use crate::{Clock, Generator};

/// All that an answer depends on besides its request.
pub struct Desk {
    /// The rule sets, made ready once.
    pub catalogue: Catalogue,
    /// For games created without id or secret.
    pub generator: Generator,
    /// Only to tell whether a state has expired.
    pub clock: Clock,
    /// The longest time that a new game's states may be taken, in ms.
    pub max_lifetime_ms: Option<u64>,
    /// The server's key, if it has one.
    pub signer: Option<Signer>,
    /// What states are sealed with, if they are.
    pub ring: Option<Ring>,
    /// Why states were refused.
    pub refusals: Arc<Refusals>,
    /// Where judgements are measured.
    pub telemetry: Arc<Telemetry>,
}

impl Desk {
    /// Opens the state that the field `state` holds, and says on whose behalf.
    pub fn open(&self, bytes: &[u8], who: Option<pb::As>) -> Result<(State, As), Fault> {
        let state = self.open_state(bytes)?;
        let who = self.asker(&state, who)?;
        Ok((state, who))
    }

    /// Opens the state that the field `state` holds.
    pub fn open_state(&self, bytes: &[u8]) -> Result<State, Fault> {
        if bytes.is_empty() {
            return Err(within("state")(missing()).into());
        }
        let state = self.decode(bytes)?;
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

    /// On whose behalf something is asked about this state.
    pub fn asker(&self, state: &State, who: Option<pb::As>) -> Result<As, Fault> {
        match identity::read(who)? {
            As::Seat(Seat(seat)) if seat >= state.set().seats => {
                let problem = format!("{seat} is not a seat of this game (0 to {})", state.set().seats - 1);
                Err(within("as")(within("seat")(fault(problem))).into())
            }
            who => Ok(who),
        }
    }

    /// Whether `who` may ask about a log of this game; without one, about its bytes.
    pub fn may_audit(&self, genesis: Option<&Genesis>, who: As) -> Result<(), Fault> {
        match (genesis, who) {
            (Some(genesis), As::Seat(Seat(seat))) if usize::from(seat) >= genesis.players.len() => {
                let problem =
                    format!("{seat} is not a seat of this game (0 to {})", genesis.players.len() - 1);
                Err(within("question")(within("as")(within("seat")(fault(problem)))).into())
            }
            _ => Ok(()),
        }
    }

    /// Opens the state that a ruling goes back to, if the request brings one.
    pub fn open_earlier(&self, bytes: &[u8]) -> Result<Option<State>, Fault> {
        if bytes.is_empty() {
            return Ok(None);
        }
        self.decode(bytes).map(Some)
    }

    /// The token of a state, as callers get it.
    pub fn encode(&self, state: &State) -> Vec<u8> {
        match &self.ring {
            Some(ring) => ring.seal(state),
            None => token::encode(state),
        }
    }

    fn decode(&self, bytes: &[u8]) -> Result<State, Fault> {
        let read = |open: &[u8]| token::decode(open, &self.catalogue).map_err(|_| Refusal::Malformed);
        let state = match &self.ring {
            Some(ring) => ring.open(bytes).and_then(|open| read(&open)),
            None => read(bytes),
        };
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

/// Compares the state with what the caller believes it to be.
pub fn expect(state: &State, seq: Option<u64>, head: &[u8]) -> Result<(), Fault> {
    let head = bytes_opt::<32>(head).map_err(within("expected_head"))?;
    let link = state.link();
    if seq.is_some_and(|seq| seq != link.seq) || head.is_some_and(|head| head != link.head) {
        return Err(Fault::Stale { seq: link.seq, head: link.head });
    }
    Ok(())
}

/// Whether `who` is to act now: then there is always something to do.
pub fn is_to_act(state: &State, who: As) -> bool {
    match who {
        _ if state.is_suspended() => who == As::Director,
        As::Seat(seat) => state.to_act() == Some(seat),
        As::Table => state.phase() == Phase::Deal,
        As::Judge | As::Director => false,
    }
}

/// The books that refusals under the state's rules cite.
pub fn books(state: &State) -> Books {
    new_game::books(state.rules())
}

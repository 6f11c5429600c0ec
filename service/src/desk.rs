//! Opening a request's state and closing it again.

use canasta_engine::action::As;
use canasta_engine::seat::Seat;
use canasta_engine::state::{Phase, State};
use canasta_engine::token::{self, Catalogue};
use canasta_engine::violations::Books;
use canasta_proto::v1 as pb;

use crate::convert::field::{bytes_opt, fault, missing, within};
use crate::convert::{identity, new_game};
use crate::status::Fault;

/// Opens the state that the field `state` holds, and says on whose behalf.
pub fn open(catalogue: &Catalogue, bytes: &[u8], who: Option<pb::As>) -> Result<(State, As), Fault> {
    if bytes.is_empty() {
        return Err(within("state")(missing()).into());
    }
    let who = identity::read(who)?;
    let state = token::decode(bytes, catalogue).map_err(|_| Fault::Token)?;
    match who {
        As::Seat(Seat(seat)) if seat >= state.set().seats => {
            let problem = format!("{seat} is not a seat of this game (0 to {})", state.set().seats - 1);
            Err(within("as")(within("seat")(fault(problem))).into())
        }
        _ => Ok((state, who)),
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
        As::Seat(seat) => state.to_act() == Some(seat),
        As::Table => state.phase() == Phase::Deal,
        As::Judge | As::Director => false,
    }
}

/// The books that refusals under the state's rules cite.
pub fn books(state: &State) -> Books {
    new_game::books(state.rules())
}

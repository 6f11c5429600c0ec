//! Method PreviewTakeBack.

use canasta_engine::game::{FollowError, TakeBackRefusal};
use canasta_proto::v1 as pb;
use canasta_proto::v1::{PreviewTakeBackRequest, PreviewTakeBackResponse, TakeBackRefused};

use super::{earlier, open_state, seat_of};
use crate::convert::action_out;
use crate::convert::field::{fault, missing, within};
use crate::fault::OrFault;
use crate::host::Host;

/// Answers how far a seat may go back, with the ruling that does so.
pub fn answer(host: &dyn Host, request: PreviewTakeBackRequest) -> OrFault<PreviewTakeBackResponse> {
    let (state, who) = open_state(host, &request.state, request.actor)?;
    let asker = seat_of(who)?;
    let then = earlier(host, &request.earlier_state, who)?;
    let then = then.ok_or_else(|| within("earlier_state")(missing()))?;
    let back = state.take_back(&then, &request.frames, asker).map_err(|error| match error {
        FollowError::Restored => within("earlier_state")(fault(error.to_string())),
        FollowError::TooMany | FollowError::Unlinked => within("frames")(fault(error.to_string())),
    })?;
    let refused = back.stopped.map(|(reason, seq)| write(reason, seq));
    let (to_seq, seq) = (back.game.table.step(), state.table.step());
    if to_seq == seq {
        return Ok(PreviewTakeBackResponse { refused, ..Default::default() });
    }
    Ok(PreviewTakeBackResponse {
        to_seq: Some(to_seq),
        actions: (seq - to_seq) as u32,
        ruling: Some(action_out::write(&back.ruling(asker))),
        earlier_state: host.encode(&back.game),
        refused,
    })
}

/// Writes why a seat may not go back further, and the action that prevents it.
pub fn write(reason: TakeBackRefusal, seq: Option<u64>) -> TakeBackRefused {
    let reason = match reason {
        TakeBackRefusal::CardSeen => pb::TakeBackRefusal::CardSeen,
        TakeBackRefusal::OtherActed => pb::TakeBackRefusal::OtherActed,
        TakeBackRefusal::NotThisDeal => pb::TakeBackRefusal::NotThisDeal,
    };
    TakeBackRefused { reason: reason.into(), seq }
}

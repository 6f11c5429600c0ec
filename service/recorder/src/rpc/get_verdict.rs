//! Method GetVerdict.

use canasta_messages::answers::check_actor;
use canasta_messages::audit::report;
use canasta_messages::convert::field::{all, bytes_opt, within};
use canasta_messages::convert::identity;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::get_verdict_response::Outcome;
use canasta_proto::v1::{GetVerdictRequest, GetVerdictResponse};
use canasta_serve::OrFault;

use super::{Call, game_id};
use crate::context::not_found;
use crate::verdict::ArchivedVerdict;

/// Answers the verdict on a log as the asker may see it.
pub async fn answer(call: &Call, request: GetVerdictRequest) -> OrFault<GetVerdictResponse> {
    let Call { ctx, caller: _, .. } = call;
    let head = bytes_opt::<32>(&request.head).map_err(within("head"));
    let (game, who, head) = all((game_id(&request.game_id), identity::read(request.actor), head))?;
    call.entitle(who, game)?;
    let summary = ctx.journal.game(game).await?.ok_or_else(|| not_found(game))?;
    check_actor(who, summary.players.len() as u8)?;
    let is_withheld = ctx.is_withheld(game, who).await?;
    let outcome = match ctx.journal.verdict(game, head).await?.filter(|_| !is_withheld) {
        None => Outcome::Pending(summary.status),
        Some(kept) => {
            let mut verdict = ArchivedVerdict::read(&kept).ok_or(RequestFault::Internal)?.verdict;
            verdict.report.iter_mut().for_each(|report| report::redact(report, who));
            Outcome::Verdict(verdict)
        }
    };
    Ok(GetVerdictResponse { outcome: Some(outcome) })
}

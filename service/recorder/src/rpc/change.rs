//! Changes of a game's settings. Each is one entry, with a note in the log: nobody changes who plays, or who may watch,
//! unseen.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::game::Game;
use canasta_messages::answers::proposal::{ProposedRecord, ReadProposal};
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{LogEnd, act_response::Outcome};
use canasta_serve::OrFault;
use canasta_serve::identity::Caller;

use super::Call;
use crate::entry::{EntryKind, RequestTag, Settings, log_end};
use crate::play::judge::{self, Judged, Proposals};
use crate::timing::Moment;

/// A request for a change, whose caller has been found entitled.
#[derive(Clone, Copy)]
pub struct ChangeRequest {
    pub game: GameId,
    /// The actor on whose behalf the change is made.
    pub by: As,
    /// The tag of the request; zeros if the request has no id.
    pub tag: RequestTag,
}

/// Changes settings, unless `is_done` says that they are so already. `make` changes them, and returns the text of the note.
/// Returns the end of the log after the change, once it is stored.
///
/// # Errors
/// If `make` refuses the change, another request was recorded under the tag, or the change cannot be stored.
pub async fn change(
    call: &Call,
    request: ChangeRequest,
    is_done: impl Fn(&Settings) -> bool,
    make: impl Fn(&mut Settings, &Game, i64) -> OrFault<String>,
) -> OrFault<LogEnd> {
    let (ctx, game) = (&call.ctx, request.game);
    loop {
        let last = ctx.last(game).await?;
        ctx.check_link_at(&call.caller, &last.entry).await?;
        if request.tag != RequestTag::default()
            && let Some(repeated) = ctx.repeated(game, &last, request.tag, None).await?
        {
            let before = repeated.entry.entry;
            let is_same = before.settings().is_some_and(&is_done);
            return if is_same { Ok(log_end(&before)) } else { Err(RequestFault::RequestIdReused) };
        }
        let settings = ctx.settings(game, &last.entry).await?;
        if is_done(&settings) {
            return Ok(log_end(&last.entry));
        }
        let (state, at) = (ctx.open(game, &last.entry).await?, ctx.moment(&last.entry));
        let mut settings = Settings::clone(&settings);
        let text = make(&mut settings, &state, at.time_ms)?;
        let proposals = note(request, settings, text, at);
        let judged = judge::judge(&ctx.service, &Caller::Trusted, &last.entry, state, proposals)?;
        let Judged { answer: Outcome::Acted(acted), entry: Some(entry) } = judged else {
            return Err(RequestFault::Internal);
        };
        // If a rival has won, it may be this request, sent twice.
        if ctx.record(Some(&call.account), game, &last, &entry).await? {
            return acted.log_end.ok_or(RequestFault::Internal);
        }
    }
}

/// Returns the note that records a change. Spectators and judges write none themselves.
fn note(request: ChangeRequest, settings: Settings, text: String, at: Moment) -> Proposals {
    let ChangeRequest { by, tag, .. } = request;
    let author = if matches!(by, As::Spectator | As::Judge) { As::Table } else { by };
    let list = vec![ReadProposal::of(author, ProposedRecord::Note(text))];
    Proposals::new(tag, EntryKind::Settings(settings.clone()), by, list, (Arc::new(settings), at))
}

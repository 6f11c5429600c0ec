//! Method Query: GameService answers the question, about the state that the recorder keeps.
//!
//! A question about a take-back gets the states and frames of the present deal from the journal.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::game::{Game, frame_count};
use canasta_messages::answers::{
    check_action, list_legal_actions, options, preview_take_back, suggest_action,
};
use canasta_messages::convert::field::{Read, all, one_of, within};
use canasta_messages::convert::{action, identity};
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::query_request::Question;
use canasta_proto::v1::query_response::Answer;
use canasta_proto::v1::{Action, Actor, QueryRequest, QueryResponse};
use canasta_serve::account::CallerAccount;
use canasta_serve::identity::Caller;
use canasta_serve::limits::QUESTION_BYTES;
use canasta_serve::telemetry::method::Method;
use canasta_service::context::RequestContext;

use super::{Call, empty, game_id};
use crate::context::RecorderContext;
use crate::entry::{JournalEntry, log_end};
use crate::play::present_deal::PresentDeal;
use crate::records::restored_seq;

/// Answers a question about the present state.
pub async fn answer(call: &Call, request: QueryRequest) -> Result<QueryResponse, RequestFault> {
    let Call { ctx, account, caller, .. } = call;
    let question = one_of(request.question).map_err(within("question"));
    let (game, mut question) = all((game_id(&request.game_id), question))?;
    let who = read(&question).map_err(within(name(&question)))?;
    call.entitle(who, game)?;
    let last = ctx.last(game).await?;
    // Opened first: a state that cannot be opened is a fault of the recorder, not of a field; one that was made again
    // has another token than the entry.
    let now = ctx.open(game, &last.entry).await?;
    fill(ctx, account, game, &mut question, (&last.entry, &now)).await?;
    account.expect_answer(QUESTION_BYTES).await?;
    let (service, caller) = (Arc::clone(&ctx.service), caller.clone());
    let searches = ctx.searches.of(account.key());
    let answer =
        searches.run(const { Method::named("Query") }, move || ask(&service, &caller, question)).await??;
    Ok(QueryResponse { log_end: Some(log_end(&last.entry)), answer: Some(answer) })
}

/// Returns the name of the question's field.
fn name(question: &Question) -> &'static str {
    match question {
        Question::CheckAction(_) => "check_action",
        Question::ListLegalActions(_) => "list_legal_actions",
        Question::SuggestAction(_) => "suggest_action",
        Question::Options(_) => "options",
        Question::PreviewTakeBack(_) => "preview_take_back",
    }
}

/// Returns the actor that a request names in its question.
pub fn actor(request: &QueryRequest) -> Option<Actor> {
    request.question.as_ref().and_then(|question| fields(question).2)
}

/// Returns the states that a question brings, and its actor.
fn fields(question: &Question) -> (&[u8], &[u8], Option<Actor>) {
    match question {
        Question::CheckAction(asked) => (&asked.state, &asked.earlier_state, asked.actor),
        Question::ListLegalActions(asked) => (&asked.state, &[], asked.actor),
        Question::SuggestAction(asked) => (&asked.state, &[], asked.actor),
        Question::Options(asked) => (&asked.state, &[], asked.actor),
        Question::PreviewTakeBack(asked) => (&asked.state, &asked.earlier_state, asked.actor),
    }
}

/// Reads the actor of a question, and checks that the question brings no state.
fn read(question: &Question) -> Read<As> {
    let (state, earlier, actor) = fields(question);
    let problem = "must be empty: the recorder keeps the game";
    let has_frames = matches!(question, Question::PreviewTakeBack(asked) if !asked.frames.is_empty());
    let (who, (), (), ()) = all((
        identity::read(actor),
        empty("state", state.is_empty(), problem),
        empty("earlier_state", earlier.is_empty(), problem),
        empty("frames", !has_frames, problem),
    ))?;
    Ok(who)
}

/// Puts the state into a question, and the earlier state of a ruling or take-back.
async fn fill(
    ctx: &RecorderContext,
    account: &CallerAccount,
    game: GameId,
    question: &mut Question,
    (last, now): (&JournalEntry, &Game),
) -> Result<(), RequestFault> {
    let state = ctx.service.encode(now);
    match question {
        Question::CheckAction(asked) => {
            asked.state = state;
            if let Some(seq) = goes_back_to(asked.action.clone())?
                && let Some(earlier) = ctx.game_at(game, seq).await?
            {
                asked.earlier_state = ctx.service.encode(&earlier);
            }
        }
        Question::ListLegalActions(asked) => asked.state = state,
        Question::SuggestAction(asked) => asked.state = state,
        Question::Options(asked) => asked.state = state,
        Question::PreviewTakeBack(asked) => {
            let PresentDeal { earliest, frames } = ctx.present_deal(game, last, now).await?;
            // Each frame may hold an action to execute.
            account.charge(frame_count(&frames).saturating_sub(1) as u32);
            (asked.state, asked.earlier_state, asked.frames) = (state, earliest.state, frames);
        }
    }
    Ok(())
}

fn goes_back_to(message: Option<Action>) -> Read<Option<u64>> {
    let Some(message) = message else { return Ok(None) };
    let action = action::read(Some(message)).map_err(within("check_action"))?;
    Ok(restored_seq(&action))
}

/// Asks GameService.
fn ask(service: &RequestContext, caller: &Caller, question: Question) -> Result<Answer, RequestFault> {
    let (name, host) = (name(&question), service.asked_by(caller));
    let answer = match question {
        Question::CheckAction(asked) => check_action::open(&host, &asked)
            .and_then(|state| check_action::answer(&host, asked, state))
            .map(Answer::CheckAction),
        Question::ListLegalActions(asked) => {
            list_legal_actions::answer(&host, asked).map(Answer::ListLegalActions)
        }
        Question::SuggestAction(asked) => suggest_action::answer(&host, asked).map(Answer::SuggestAction),
        Question::Options(asked) => options::answer(&host, asked).map(Answer::Options),
        Question::PreviewTakeBack(asked) => {
            preview_take_back::answer(&host, asked).map(|mut answer| {
                // Act finds the state itself, and no state leaves the recorder.
                answer.earlier_state.clear();
                Answer::PreviewTakeBack(answer)
            })
        }
    };
    answer.map_err(|fault| fault.within(within(name)))
}

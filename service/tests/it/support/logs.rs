//! Requests about logs, and logs with a refusal or an illegal action.

use canasta_engine::action::{Action, As};
use canasta_engine::card::Card;
use canasta_engine::game::{Game, Stamp};
use canasta_engine::log::frame::Chain;
use canasta_engine::log::record::Record;
use canasta_engine::log::{HEADER, Reader};
use canasta_engine::rejection::Rejection;
use canasta_engine::table::Phase;
use canasta_engine::token::{Catalogue, decode};
use canasta_proto::v1::audit_service_client::AuditServiceClient;
use canasta_proto::v1::log_answer::Answer;
use canasta_proto::v1::log_question::Question;
use canasta_proto::v1::{
    self as pb, AskLogRequest, AuditLogRequest, AuditLogResponse, AuditQuestion, DescribeLogRequest,
    DescribeLogResponse, DescriptionQuestion, ExplainStepRequest, ExplainStepResponse, GetStepRequest,
    GetStepResponse, LogQuestion, LogQuestions, StepQuestion, ask_log_request, audit_log_request,
    describe_log_request, explain_step_request, get_step_request,
};
use tokio_stream::Stream;
use tonic::Status;
use tonic::transport::Channel;

use super::script::PlayedScript;

pub type Auditor = AuditServiceClient<Channel>;

pub fn question(question: AuditQuestion) -> AuditLogRequest {
    AuditLogRequest { part: Some(audit_log_request::Part::Question(question)) }
}

pub fn piece(chunk: &[u8]) -> AuditLogRequest {
    AuditLogRequest { part: Some(audit_log_request::Part::Chunk(chunk.into())) }
}

/// Calls AuditLog with the log in chunks of this size.
pub async fn audited(
    client: &mut Auditor,
    asked: AuditQuestion,
    log: &[u8],
    size: usize,
) -> Result<AuditLogResponse, Status> {
    let pieces: Vec<_> = log.chunks(size).map(piece).collect();
    let stream = tokio_stream::iter(std::iter::once(question(asked)).chain(pieces));
    Ok(client.audit_log(stream).await?.into_inner())
}

/// Returns the messages of a question and of the log in chunks.
fn uploading<P, M>(
    message: fn(P) -> M,
    question: P,
    chunk: fn(Vec<u8>) -> P,
    log: &[u8],
) -> impl Stream<Item = M> + use<P, M> {
    let chunks = log.chunks(60_000).map(|piece| chunk(piece.into()));
    let parts: Vec<_> = std::iter::once(question).chain(chunks).map(message).collect();
    tokio_stream::iter(parts)
}

/// Calls GetStep.
pub async fn step(
    client: &mut Auditor,
    who: Option<pb::Actor>,
    n: u64,
    log: &[u8],
) -> Result<GetStepResponse, Status> {
    use get_step_request::Part;
    let part = |part| GetStepRequest { part: Some(part) };
    let question = Part::Question(StepQuestion { actor: who, n: Some(n) });
    Ok(client.get_step(uploading(part, question, Part::Chunk, log)).await?.into_inner())
}

/// Calls ExplainStep.
pub async fn explained(
    client: &mut Auditor,
    who: Option<pb::Actor>,
    n: u64,
    log: &[u8],
) -> Result<ExplainStepResponse, Status> {
    use explain_step_request::Part;
    let part = |part| ExplainStepRequest { part: Some(part) };
    let question = Part::Question(StepQuestion { actor: who, n: Some(n) });
    Ok(client.explain_step(uploading(part, question, Part::Chunk, log)).await?.into_inner())
}

/// Calls DescribeLog.
pub async fn described(
    client: &mut Auditor,
    question: DescriptionQuestion,
    log: &[u8],
) -> Result<DescribeLogResponse, Status> {
    use describe_log_request::Part;
    let part = |part| DescribeLogRequest { part: Some(part) };
    let question = Part::Question(question);
    Ok(client.describe_log(uploading(part, question, Part::Chunk, log)).await?.into_inner())
}

/// Calls AskLog.
pub async fn answered(
    client: &mut Auditor,
    questions: Vec<Question>,
    log: &[u8],
) -> Result<Vec<Answer>, Status> {
    use ask_log_request::Part;
    let part = |part| AskLogRequest { part: Some(part) };
    let questions = questions.into_iter().map(|question| LogQuestion { question: Some(question) }).collect();
    let question = Part::Ask(LogQuestions { questions });
    let asked = client.ask_log(uploading(part, question, Part::Chunk, log)).await?;
    Ok(asked.into_inner().answers.into_iter().map(|answer| answer.answer.expect("one of four")).collect())
}

/// A log with a refusal.
pub struct WithRefusal {
    pub log: Vec<u8>,
    pub n: u64,
    pub who: As,
    pub action: Action,
    pub rejection: Rejection,
    /// Game in which the refused action was tried.
    pub state: Game,
}

/// Plays the game again; the first seat to draw tries to discard first, and the refusal is recorded.
pub fn with_refusal(script: &PlayedScript) -> WithRefusal {
    let mut state = decode(&script.state, &Catalogue::new()).expect("an open token");
    let mut log = script.created.clone();
    let mut refused = None;
    for made in &script.moves {
        if refused.is_none() && state.table.phase() == Phase::Start {
            let seat = state.table.to_act().expect("a turn is being played");
            let card = state.table.hand(seat).iter().next().expect("a hand");
            let (who, action) = (As::Seat(seat), Action::Discard(card));
            let rejection = state.check(who, &action).expect_err("the draw comes first");
            let tried_on = state.clone();
            log.extend(state.refuse(who, &action, &rejection, Stamp::default()).expect("room"));
            refused = Some((state.link.n, who, action, rejection, tried_on));
        }
        log.extend(state.act(made.who, &made.action, Stamp::default()).expect("as before").frames);
    }
    let (n, who, action, rejection, state) = refused.expect("a round has turns");
    WithRefusal { log, n, who, action, rejection, state }
}

/// Replaces the first discard of the log by a card that the seat does not hold, with a valid chain. Returns
/// the log, the record's number and the seat.
pub fn with_illegal(script: &PlayedScript) -> (Vec<u8>, u64, As) {
    let made = script.moves.iter().find(|made| matches!(made.action, Action::Discard(_))).expect("a discard");
    let As::Seat(seat) = made.who else { panic!("seats discard") };
    let is_strange = |card: &Card| made.before.table.hand(seat).count(*card) == 0;
    let strange = (0..53).rev().filter_map(Card::from_kind).find(is_strange).expect("a strange card");
    let at = made.after.link.n;
    let log = script.log(script.moves.len());
    let (mut input, mut reader) = (&log[..], Reader::new());
    let (mut chain, mut bent) = (Chain::START, HEADER.to_vec());
    while let Some(frame) = reader.next(&mut input).expect("sound") {
        let mut record = frame.record().expect("a record");
        if let Record::Action(action) = &mut record
            && frame.n == at
        {
            action.action = Action::Discard(strange);
        }
        chain.append(&record.encode().expect("a record"), &mut bent);
    }
    (bent, at, made.who)
}

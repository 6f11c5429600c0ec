//! Intake of a log in chunks, with limits. The service holds one chunk of the log, and the audit holds one
//! round.

use tonic::{Status, Streaming};

use super::step_audit::StepAudit;
use crate::convert::field::{fault, missing, within};
use crate::limits::{CHUNK_BYTES_MAX, CHUNKS_MAX, LOG_BYTES_MAX, RECORDS_MAX};
use crate::status::{RequestFault, explained};
use crate::telemetry::method::Method;
use crate::workers::{CallerWorkers, CancelOnDrop};

/// The content of a message of the request stream.
pub enum LogMessage<Q> {
    Question(Q),
    Chunk(Vec<u8>),
}

/// The number of chunks and bytes received so far.
#[derive(Default)]
struct IntakeCounts {
    chunks: u64,
    bytes: u64,
}

/// Reads the question, which comes first, then the log; feeds the log to the audit that `open` makes of the
/// question.
pub async fn read<M, Q, T>(
    workers: &CallerWorkers,
    method: Method,
    cancel: &CancelOnDrop,
    mut stream: Streaming<M>,
    split: impl Fn(M) -> Option<LogMessage<Q>>,
    open: impl FnOnce(Q) -> Result<(StepAudit, T), RequestFault>,
) -> Result<(StepAudit, T), Status> {
    let first = stream.message().await.map_err(explained)?.and_then(&split);
    let Some(LogMessage::Question(question)) = first else {
        return Err(RequestFault::from(within("question")(missing())).into());
    };
    let (audit, asked) = open(question).map_err(|fault| fault.within(within("question")))?;
    let mut audit = audit.until(cancel.flag());
    let (mut taken, mut held) = (IntakeCounts::default(), Vec::new());
    while let Some(message) = stream.message().await.map_err(explained)? {
        let chunk = match split(message) {
            Some(LogMessage::Chunk(chunk)) => taken.check(chunk)?,
            Some(LogMessage::Question(_)) => {
                return Err(RequestFault::from(within("question")(fault(
                    "must come once, in the first message",
                )))
                .into());
            }
            None => return Err(RequestFault::from(within("chunk")(missing())).into()),
        };
        held.extend(chunk);
        // Small chunks are audited together: each change of threads costs as much as some dozen records.
        if held.len() >= CHUNK_BYTES_MAX {
            let piece = std::mem::take(&mut held);
            audit = feed(workers, method, audit, piece).await?;
        }
    }
    Ok((feed(workers, method, audit, held).await?, asked))
}

async fn feed(
    workers: &CallerWorkers,
    method: Method,
    mut audit: StepAudit,
    piece: Vec<u8>,
) -> Result<StepAudit, RequestFault> {
    let audit = workers
        .run(method, move || {
            audit.feed(&piece);
            audit
        })
        .await?;
    if audit.records() > RECORDS_MAX {
        return Err(RequestFault::LogTooLarge { max: RECORDS_MAX, unit: "records" });
    }
    Ok(audit)
}

impl IntakeCounts {
    fn check(&mut self, chunk: Vec<u8>) -> Result<Vec<u8>, RequestFault> {
        if chunk.is_empty() || chunk.len() > CHUNK_BYTES_MAX {
            let problem = format!("{} bytes, expected 1 to {CHUNK_BYTES_MAX}", chunk.len());
            return Err(within("chunk")(fault(problem)).into());
        }
        self.chunks += 1;
        self.bytes += chunk.len() as u64;
        if self.bytes > LOG_BYTES_MAX {
            return Err(RequestFault::LogTooLarge { max: LOG_BYTES_MAX, unit: "bytes" });
        }
        if self.chunks > CHUNKS_MAX {
            return Err(RequestFault::LogTooLarge { max: CHUNKS_MAX, unit: "chunks" });
        }
        Ok(chunk)
    }
}
